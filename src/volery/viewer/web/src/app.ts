/** The page as one object: scene, renderer, connection, what is selected. Its parts get it in their constructors.
 *
 * W is ENU with z up. float32 is too coarse far from home, so the scene is drawn relative to `origin`, which follows
 * the camera in steps: a place p in W is drawn at p − origin. Groups made by `anchored` are kept in place.
 */

import { Group, Object3D, PerspectiveCamera, Scene, WebGLRenderer } from "three";
import { learn } from "./cdr";
import type { Cameras } from "./cameras/cameras";
import type { Emitter } from "./emitter";
import { LAYERS, watched, type Layers, type Options } from "./layers";
import type { Connection } from "./net";
import type { AppEvents, Robot, Robots, Sky, State, Vec3, Welcome, World } from "./protocol";
import type { RobotFigures } from "./robots/figures";
import type { Topics } from "./topics";
import type { Quality } from "./world/quality";
import type { WorldView } from "./world/view";

Object3D.DEFAULT_UP.set(0, 0, 1);

/** The grain of surfaces repeats in this period [m], so that it does not jump with the origin. */
const ORIGIN_STEP = 256;
const ORIGIN_REACH = 500;

export class App {
  readonly topics: Topics;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(60, 1, 0.05, 6000);
  readonly renderer: WebGLRenderer;
  /** Place in W that is drawn at zero [m]. */
  readonly origin: Vec3 = [0, 0, 0];
  /** Set it to switch a layer: `app.layers.trails = false`, `app.layers["uav1/lidar"] = true`. */
  readonly layers: Layers;
  /** Options of layers: `app.options["colour:uav1/lidar"] = "height"`. */
  readonly options: Options;
  /** Set by main.ts right after the construction. */
  cameras!: Cameras;
  quality!: Quality;
  figures!: RobotFigures;
  view!: WorldView;
  /** The newest of each, null before it came. */
  welcome: Welcome | null = null;
  state: State | null = null;
  world: World | null = null;
  sky: Sky | null = null;
  robots: Robot[] = [];
  /** True while keys fly or drive the selected robot: cameras then leave WASD alone. V4 sets it. */
  controlling = false;
  private chosen: string | null = null;
  private readonly anchors = new Map<Group, Vec3>();

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly events: Emitter<AppEvents>,
    readonly connection: Connection,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance", stencil: false });
    this.renderer.autoClear = true;
    const on = Object.fromEntries(Object.entries(LAYERS).map(([name, layer]) => [name, layer.on]));
    this.layers = watched(on, this.events);
    this.options = watched<string>({}, this.events);
    this.topics = connection.topics;
    this.remember();
  }

  /** Name of the selected robot. */
  get selected(): string | null {
    return this.chosen;
  }

  set selected(name: string | null) {
    if (name === this.chosen) return;
    this.chosen = name;
    this.events.emit("selected", name);
  }

  /** The robot of this name. */
  robot(name: string | null): Robot | null {
    return this.robots.find((robot) => robot.name === name) ?? null;
  }

  /** Tell the user something. */
  notice(text: string, level: "info" | "warning" | "error" = "info"): void {
    this.events.emit("notice", { level, text });
  }

  /** A group of the scene whose children have places relative to p_W, wherever the origin goes. */
  anchored(p_W: Vec3 = [0, 0, 0]): Group {
    const group = new Group();
    group.matrixAutoUpdate = true;
    this.scene.add(group);
    this.anchor(group, p_W);
    return group;
  }

  /** Move a group made by `anchored`. */
  anchor(group: Group, p_W: Vec3): void {
    this.anchors.set(group, p_W);
    group.position.set(p_W[0] - this.origin[0], p_W[1] - this.origin[1], p_W[2] - this.origin[2]);
  }

  /** Take an anchored group out of the scene. */
  release(group: Group): void {
    this.anchors.delete(group);
    this.scene.remove(group);
  }

  /** Bring the origin near a place in W [m]; everything is moved with it. */
  approach(p_W: Vec3): void {
    if (Math.hypot(p_W[0] - this.origin[0], p_W[1] - this.origin[1], p_W[2] - this.origin[2]) < ORIGIN_REACH) return;
    for (let i = 0; i < 3; i++) this.origin[i] = Math.round(p_W[i]! / ORIGIN_STEP) * ORIGIN_STEP;
    for (const [group, p] of this.anchors) this.anchor(group, p);
    this.events.emit("origin", this.origin);
  }

  private remember(): void {
    const { events } = this;
    events.on("welcome", (welcome) => (this.welcome = welcome));
    events.on("state", (state) => (this.state = state));
    events.on("world", (world) => {
      this.world = world;
      // The server tells them anew.
      this.robots = [];
    });
    events.on("sky", (sky) => (this.sky = sky));
    events.on("robots", (message: Robots) => {
      for (const { sensors } of message.robots) {
        for (const { topics } of sensors) for (const { schema } of topics) if (schema) learn(schema);
      }
      this.robots = message.robots;
      const still = this.robot(this.chosen);
      if (!still) this.selected = this.robots.find((robot) => !robot.movable)?.name ?? null;
    });
  }
}
