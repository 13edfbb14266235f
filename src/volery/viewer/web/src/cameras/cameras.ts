/** Ways of looking: orbit, free, chase, over the shoulder, on board, through a sensor; with smooth changes. */

import { Quaternion, type Vector4 } from "three";
import type { App } from "../app";
import type { Robot, Sensor, Vec3 } from "../protocol";
import { sees, type Shot } from "../views";
import type { WorldView } from "../world/view";
import { Arm } from "./arm";
import { alongBody, anglesOf, lookAside, looking, wayOf, type Pose } from "./pose";

export type Mode = "orbit" | "free" | "chase" | "shoulder" | "onboard" | "sensor";
export const MODES: readonly Mode[] = ["orbit", "chase", "shoulder", "onboard", "sensor", "free"];

const FOV = 60;
/** Time of a change from one way of looking to another [s]. */
const CHANGE = 0.6;
const LOWEST = 0.25;

export class Cameras {
  /** Place of the eye in W [m]. */
  readonly p_W: Vec3 = [0, 0, 3];
  /** Heading and height in which a free camera looks [rad]. */
  yaw = 0;
  pitch = -0.1;
  /** How fast a free camera flies [m/s]. */
  speed = 6;
  readonly arm: Arm;
  private current: Mode = "chase";
  private sensorName: string | null = null;
  private from: Pose | null = null;
  private since = 0;
  private now: Pose;
  private hidden: string | null = null;
  private started = false;

  constructor(
    private readonly app: App,
    private readonly world: WorldView,
  ) {
    this.arm = new Arm((from, way, far) => this.free(from, way, far));
    this.now = { p_W: this.p_W, q: new Quaternion(), fov: FOV };
    app.events.on("selected", () => this.change());
    app.events.on("world", () => (this.started = false));
    app.events.on("robots", () => (this.hidden = null));
  }

  get mode(): Mode {
    return this.current;
  }

  set mode(mode: Mode) {
    if (!MODES.includes(mode)) throw new Error(`no way of looking is called '${String(mode)}'; there are ${MODES.join(", ")}`);
    if (mode === "sensor" && !this.sensor) {
      this.app.notice("this robot has no camera", "warning");
      return;
    }
    if (mode === "free") ({ yaw: this.yaw, pitch: this.pitch } = anglesOf(this.now.q));
    if (mode === "free") this.now.fov = FOV;
    this.current = mode;
    this.change();
    this.app.events.emit("camera", mode);
  }

  /** Name of the camera that mode `sensor` looks through; null: the first of the selected robot. */
  get sensor(): string | null {
    return this.sensorOf(this.app.robot(this.app.selected))?.name ?? null;
  }

  set sensor(name: string | null) {
    this.sensorName = name;
    if (this.current === "sensor") this.change();
  }

  /** The robot that the eye is in; null: it looks from outside. */
  get inside(): string | null {
    return this.current === "onboard" || this.current === "sensor" ? this.app.selected : null;
  }

  /** Names of the selected robot's cameras. */
  get sensors(): string[] {
    return camerasOf(this.app.robot(this.app.selected)).map((sensor) => sensor.name);
  }

  /** The next way of looking of USARSim's spectator: over the shoulder, first person, behind. */
  nextPerson(): void {
    this.mode = this.current === "shoulder" ? "onboard" : this.current === "onboard" ? "chase" : "shoulder";
  }

  /** Select the next robot. */
  nextRobot(): void {
    const names = this.app.robots.filter((robot) => !robot.movable).map((robot) => robot.name);
    if (names.length) this.app.selected = names[(names.indexOf(this.app.selected ?? "") + 1) % names.length];
  }

  /** Put a free camera at a place in W, looking along a heading and height [rad]. */
  place(p_W: Vec3, yaw: number, pitch: number): void {
    this.current = "free";
    this.from = null;
    this.started = true;
    this.set({ p_W, q: looking(yaw, pitch), fov: FOV });
    this.yaw = yaw;
    this.pitch = pitch;
    this.app.events.emit("camera", "free");
  }

  /** Before a picture. */
  update(seconds: number): void {
    const wanted = this.wanted(seconds);
    if (wanted) {
      if (!this.started) this.from = null;
      this.started = true;
      this.set(this.blended(wanted, seconds));
    } else if (!this.started) this.waitAtSpawn();
    this.hideInside();
    const { camera, origin } = this.app;
    this.app.approach(this.p_W);
    this.showThrough();
    camera.position.set(this.p_W[0] - origin[0], this.p_W[1] - origin[1], this.p_W[2] - origin[2]);
    camera.quaternion.copy(this.now.q);
    if (camera.fov !== this.now.fov) {
      camera.fov = this.now.fov;
      camera.updateProjectionMatrix();
    }
  }

  private set(pose: Pose): void {
    for (let i = 0; i < 3; i++) this.p_W[i] = pose.p_W[i];
    this.now = { ...pose, p_W: this.p_W };
  }

  private change(): void {
    this.from = { p_W: [...this.p_W], q: this.now.q.clone(), fov: this.now.fov };
    this.since = 0;
    this.arm.restart();
  }

  private blended(to: Pose, seconds: number): Pose {
    const { from } = this;
    if (!from) return to;
    this.since += seconds;
    const x = Math.min(1, this.since / CHANGE);
    if (x >= 1 || Math.hypot(...to.p_W.map((value, i) => value - from.p_W[i])) > 300) {
      this.from = null;
      return to;
    }
    const t = x * x * (3 - 2 * x);
    const p_W = to.p_W.map((value, i) => from.p_W[i] + (value - from.p_W[i]) * t) as Vec3;
    return { p_W, q: from.q.clone().slerp(to.q, t), fov: from.fov + (to.fov - from.fov) * t };
  }

  /** Where this way of looking wants to be; null: it does not know yet. */
  private wanted(seconds: number): Pose | null {
    const { app } = this;
    const robot = app.robot(app.selected);
    if (this.current === "free" || !robot) {
      if (!this.started) return null;
      return { p_W: [...this.p_W], q: this.current === "free" ? looking(this.yaw, this.pitch) : this.now.q, fov: FOV };
    }
    const p = app.figures.place(robot.name);
    const q = app.figures.attitude(robot.name);
    const figure = app.figures.figures.get(robot.name);
    if (!p || !q || !figure) return null;
    if (this.current === "onboard") return this.onboard(p, q, figure.radius);
    if (this.current === "sensor") return this.through(robot) ?? this.onboard(p, q, figure.radius);
    return { ...this.arm.pose(this.current, p, q, figure.radius, seconds), fov: FOV };
  }

  private onboard(p: Vec3, q_WB: Quaternion, radius: number): Pose {
    const { yaw, pitch } = this.arm.glance;
    const q = alongBody(q_WB).multiply(lookAside(yaw, pitch));
    return { p_W: [p[0], p[1], p[2] + 0.25 * radius], q, fov: 70 };
  }

  /** Through a camera as it is mounted, with its field of view. */
  private through(robot: Robot): Pose | null {
    const sensor = this.sensorOf(robot);
    const pose = sensor && this.app.figures.sensorPose(robot, sensor);
    if (!sensor || !pose) return null;
    const { fov_deg: wide = 90, width = 4, height = 3 } = sensor.about as Shot;
    const focal = this.app.figures.zoom(sensor) / Math.tan((Math.min(wide, 150) * Math.PI) / 360);
    // The whole of the camera's picture is seen, whatever the window's shape.
    const tall = Math.max(height / width, 1 / this.app.camera.aspect) / focal;
    return { p_W: pose.p_W, q: alongBody(pose.q), fov: (2 * Math.atan(tall) * 180) / Math.PI };
  }

  private sensorOf(robot: Robot | null): Sensor | null {
    const sensors = camerasOf(robot);
    return sensors.find((sensor) => sensor.name === this.sensorName) ?? sensors[0] ?? null;
  }

  /** A robot is not drawn to an eye within it; its shadow stays. */
  private hideInside(): void {
    const inside = this.from ? null : this.inside;
    if (inside === this.hidden) return;
    for (const [name, show] of [[this.hidden, true], [inside, false]] as const) {
      this.app.figures.figures.get(name ?? "")?.group.traverse((part) => {
        if (show) part.layers.enable(0);
        else part.layers.disable(0);
      });
    }
    this.hidden = inside;
  }

  /** Plants before a robot that is followed dissolve. */
  private showThrough(): void {
    const following = this.current === "orbit" || this.current === "chase" || this.current === "shoulder";
    const p = following ? this.app.figures.place(this.app.selected) : null;
    const radius = this.app.figures.figures.get(this.app.selected ?? "")?.radius ?? 0;
    const focus = this.world.light.uniforms.focus.value as Vector4;
    const { origin } = this.app;
    if (p) focus.set(p[0] - origin[0], p[1] - origin[1], p[2] - origin[2], 1.2 * radius + 0.2);
    else focus.w = 0;
  }

  private waitAtSpawn(): void {
    const spawn = this.app.world?.spawn;
    if (!spawn) return;
    this.set({ p_W: [spawn[0] - 6, spawn[1] - 3, spawn[2] + 2], q: looking(0.46, -0.2), fov: FOV });
    ({ yaw: this.yaw, pitch: this.pitch } = anglesOf(this.now.q));
    if (!this.app.robots.length) this.started = true;
  }

  /** How far one can go from a place along a way without meeting ground or walls. */
  private free(from: Vec3, way: Vec3, far: number): number {
    return Math.max(0.3, this.world.chunks.ground.cast(from, way, far + LOWEST) - LOWEST);
  }

  /** Move a free camera in its own axes: ahead, left, up [m]. */
  fly(ahead: number, left: number, up: number): void {
    const f = wayOf(this.yaw, this.pitch);
    const s = wayOf(this.yaw + Math.PI / 2, 0);
    for (let i = 0; i < 3; i++) this.p_W[i] += f[i] * ahead + s[i] * left;
    this.p_W[2] += up;
  }
}

const camerasOf = (robot: Robot | null): Sensor[] =>
  robot?.sensors.filter(sees) ?? [];
