/** What robots feel, by sensor: a view is there while its layer is switched on. */

import type { App } from "../app";
import type { Robot, Sensor, Topic } from "../protocol";
import { sees } from "../views";
import { ArrowView } from "./arrow";
import { CloudView } from "./cloud";
import { FrustumView } from "./frustum";
import { ConeView, FanView } from "./ranges";
import { ScannerView } from "./scanner";
import { TextView } from "./text";

export interface SensorView {
  /** Before each picture. */
  update(): void;
  dispose(): void;
}

type View = Topic["view"];
type Make = new (app: App, robot: Robot, sensor: Sensor, topic: Topic) => SensorView;

/** Views in the scene by what a sensor's file says of its output. A picture is shown at the end of the pyramid. */
const BY_VIEW: Partial<Record<View, Make>> = {
  points: CloudView,
  rays: ScannerView,
  fan: FanView,
  cone: ConeView,
  arrow: ArrowView,
  text: TextView,
};

/** Whether something can be shown of a sensor in the scene. */
export function showable(sensor: Sensor): boolean {
  return sees(sensor) || sensor.topics.some(({ view }) => BY_VIEW[view]);
}

function viewOf(app: App, robot: Robot, sensor: Sensor): SensorView | null {
  if (sees(sensor)) return new FrustumView(app, robot, sensor, true);
  for (const topic of sensor.topics) {
    const make = BY_VIEW[topic.view];
    if (make) return new make(app, robot, sensor, topic);
  }
  return null;
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
        else if (app.layers.frusta && sees(sensor))
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
