/** Devices of a robot that keys aim, zoom and switch, through the controls that their sensors declare. */

import type { App } from "../app";
import type { Robot, Sensor } from "../protocol";
import { controlFor, sees } from "../views";
import type { Axes } from "./axes";

/** Speeds of a full key [degrees/s], and of the zoom [1/s of its logarithm]. */
const TURN = 60;
const ZOOM = 1.2;

export class Gimbal {
  /** Zoom of cameras as it was asked for last. */
  private readonly zooms = new Map<string, number>();
  private aims: Float32Array | null = null;

  constructor(private readonly app: App) {
    app.events.on("poses", (frame) => (this.aims = (frame.arrays.aim as Float32Array | undefined) ?? null));
    app.events.on("welcome", () => this.zooms.clear());
  }

  /** Move the robot's camera for `seconds` as the axes say. */
  move(robot: Robot, axes: Axes, seconds: number): void {
    const camera = this.aimed(robot);
    if (!camera) return;
    const [aim, setZoom] = [controlFor(camera, "aim"), controlFor(camera, "zoom")];
    // What is seen closer moves faster in the picture.
    const step = (TURN * seconds) / Math.max(this.zoomOf(robot, camera), 1);
    if (aim && (axes.pan || axes.tilt)) {
      this.operate(robot, camera, aim.name, { pan_deg: axes.pan * step, tilt_deg: axes.tilt * step, relative: true });
    }
    if (setZoom && axes.zoom) {
      const zoom = Math.min(Math.max(this.zoomOf(robot, camera) * Math.exp(axes.zoom * ZOOM * seconds), 1), 20);
      this.zooms.set(`${robot.name}/${camera.name}`, zoom);
      this.operate(robot, camera, setZoom.name, [zoom]);
    }
  }

  /** Switch all headlights of a robot, to the other way. */
  toggleLamps(robot: Robot): void {
    const lamps = robot.sensors.filter((sensor) => controlFor(sensor, "switch"));
    if (!lamps.length) this.app.notice(`${robot.name} has nothing to switch`);
    for (const lamp of lamps) this.operate(robot, lamp, controlFor(lamp, "switch")!.name, []);
  }

  /** What one looks through, if it is this robot's, else its first sensor that can be aimed, rather one with a picture. */
  private aimed(robot: Robot): Sensor | undefined {
    const found = robot.sensors.filter((sensor) => controlFor(sensor, "aim") ?? controlFor(sensor, "zoom"));
    const through = this.app.cameras?.mode === "sensor" ? this.app.cameras.sensor : null;
    return found.find((sensor) => sensor.name === through) ?? found.find(sees) ?? found[0];
  }

  private zoomOf(robot: Robot, camera: Sensor): number {
    const told = camera.aim === undefined ? undefined : this.aims?.[3 * camera.aim + 2];
    return this.zooms.get(`${robot.name}/${camera.name}`) ?? told ?? 1;
  }

  private operate(robot: Robot, sensor: Sensor, control: string, arguments_: unknown): void {
    this.app.connection
      .ask({ do: "operate", robot: robot.name, sensor: sensor.name, control, arguments: arguments_ })
      .catch((error: Error) => this.app.notice(error.message, "error"));
  }
}
