/** What robots feel, by sensor: a view is there while its layer is switched on. */

import type { App } from "../app";
import type { Robot, Sensor } from "../protocol";
import { CloudView } from "./cloud";
import { FrustumView } from "./frustum";
import { ConeView, FanView } from "./ranges";
import { ScannerView } from "./scanner";

export interface SensorView {
  /** Before each picture. */
  update(): void;
  dispose(): void;
}

type Make = new (app: App, robot: Robot, sensor: Sensor, topic: string) => SensorView;

const BY_TYPE: Record<string, Make> = {
  "sensor_msgs/msg/PointCloud2": CloudView,
  "sensor_msgs/msg/LaserScan": FanView,
  "sensor_msgs/msg/Range": ConeView,
};

/** Whether something can be shown of a sensor in the scene. */
export function showable(sensor: Sensor): boolean {
  return sensor.type === "camera" || sensor.topics.some(({ type }) => type in BY_TYPE);
}

function viewOf(app: App, robot: Robot, sensor: Sensor): SensorView | null {
  if (sensor.type === "camera") return new FrustumView(app, robot, sensor, true);
  const topic = sensor.topics.find(({ type }) => type in BY_TYPE);
  if (!topic) return null;
  const make = sensor.type === "scanner" ? ScannerView : BY_TYPE[topic.type];
  return new make(app, robot, sensor, topic.topic);
}

export class SensorViews {
  private readonly views = new Map<string, SensorView>();

  constructor(private readonly app: App) {
    app.events.on("layers", () => this.match());
    app.events.on("robots", () => {
      this.clear();
      this.match();
    });
    app.events.on("world", () => this.clear());
  }

  /** Before each picture. */
  update(): void {
    if (this.app.figures.motion.ready) this.views.forEach((view) => view.update());
  }

  /** Have a view for each sensor whose layer is on; frusta without pictures for all cameras if asked for. */
  private match(): void {
    const { app } = this;
    const wanted = new Map<string, () => SensorView | null>();
    for (const robot of app.robots)
      for (const sensor of robot.sensors) {
        const name = `${robot.name}/${sensor.name}`;
        if (app.layers[name]) wanted.set(name, () => viewOf(app, robot, sensor));
        else if (app.layers.frusta && sensor.type === "camera")
          wanted.set(`${name} frustum`, () => new FrustumView(app, robot, sensor, false));
      }
    for (const [name, view] of this.views) {
      if (wanted.has(name)) continue;
      view.dispose();
      this.views.delete(name);
    }
    for (const [name, make] of wanted) {
      const view = this.views.has(name) ? null : make();
      if (view) this.views.set(name, view);
    }
  }

  private clear(): void {
    this.views.forEach((view) => view.dispose());
    this.views.clear();
  }
}
