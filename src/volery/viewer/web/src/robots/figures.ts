/** Robots and movable things in the scene: their shapes, skins, rotors; moved at every picture. */

import { Group, Matrix4, Quaternion, Vector3, type ShaderMaterial } from "three";
import type { App } from "../app";
import type { Frame } from "../frames";
import type { PosesHeader, Robot, Sensor, Vec3 } from "../protocol";
import { PASSES, layerOf } from "../world/kinds";
import type { WorldView } from "../world/view";
import { shapeOf, skinOf, type SkinFigure } from "./shapes";
import { Motion } from "./motion";
import { Rotors } from "./rotors";

const HIGHLIGHT = [0.02, 0.09, 0.13];
const HOVER = [0.02, 0.04, 0.05];

/** A robot as it is drawn. */
export class Figure {
  readonly group = new Group();
  readonly bodies: Group[] = [];
  readonly skins: SkinFigure[] = [];
  rotors: Rotors | null = null;
  /** Radius of a sphere round the root that holds it [m]. */
  radius = 0.3;
  /** Shapes and skins whose meshes have not come yet. */
  missing: { body: number; mesh: number; bones: number[] | null }[];

  constructor(
    readonly robot: Robot,
    readonly material: ShaderMaterial,
  ) {
    for (let i = 0; i < robot.bodies.length; i++) {
      const body = new Group();
      this.bodies.push(body);
      this.group.add(body);
    }
    this.missing = [
      ...robot.shapes.map(({ body, mesh }) => ({ body, mesh, bones: null })),
      ...robot.skins.map(({ mesh, bones }) => ({ body: 0, mesh, bones })),
    ];
  }
}

export class RobotFigures {
  readonly figures = new Map<string, Figure>();
  readonly motion = new Motion();
  /** Velocity of the roots in W [m/s], by robot, as it came. */
  velocity: Float32Array = new Float32Array(0);
  /** The robot under the pointer. */
  hovered: string | null = null;
  private version = -1;
  private readonly root: Group;

  constructor(
    private readonly app: App,
    private readonly world: WorldView,
  ) {
    this.root = new Group();
    app.scene.add(this.root);
    app.events.on("robots", ({ version, robots }) => this.set(version, robots));
    app.events.on("poses", (frame) => this.take(frame));
    app.events.on("world", () => this.set(-1, []));
  }

  /** Place of a robot's root in W [m]; null: not known yet. */
  place(name: string | null): Vec3 | null {
    const robot = this.app.robot(name);
    const { p } = this.motion;
    if (!robot || p.length < 3 * (robot.first + 1)) return null;
    return [p[3 * robot.first], p[3 * robot.first + 1], p[3 * robot.first + 2]];
  }

  /** Attitude of a robot's root. */
  attitude(name: string | null): Quaternion | null {
    const robot = this.app.robot(name);
    return robot && this.motion.q.length >= 4 * (robot.first + 1) ? this.quaternion(robot.first) : null;
  }

  /** Place in W and attitude of a sensor, a camera's with its pan and tilt; x looks ahead. */
  sensorPose(robot: Robot, sensor: Sensor): { p_W: Vec3; q: Quaternion } | null {
    const body = robot.first + sensor.body;
    const { p, aim } = this.motion;
    if (p.length < 3 * (body + 1)) return null;
    const q = this.quaternion(body);
    const X = sensor.X_BS;
    const offset = new Vector3(X[3], X[7], X[11]).applyQuaternion(q);
    const mount = new Matrix4().set(X[0], X[1], X[2], 0, X[4], X[5], X[6], 0, X[8], X[9], X[10], 0, 0, 0, 0, 1);
    q.multiply(new Quaternion().setFromRotationMatrix(mount));
    if (sensor.aim !== undefined && aim.length >= 3 * (sensor.aim + 1)) {
      q.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), aim[3 * sensor.aim]));
      q.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), -aim[3 * sensor.aim + 1]));
    }
    return { p_W: [p[3 * body] + offset.x, p[3 * body + 1] + offset.y, p[3 * body + 2] + offset.z], q };
  }

  /** Place and attitude of a sensor at a simulated time [s], as far back as frames are kept. */
  sensorPoseAt(robot: Robot, sensor: Sensor, time: number): { p_W: Vec3; q: Quaternion } | null {
    return this.motion.at(time, () => this.sensorPose(robot, sensor));
  }

  /** Zoom of a camera: multiple of its focal length. */
  zoom(sensor: Sensor): number {
    return sensor.aim === undefined ? 1 : this.motion.aim[3 * sensor.aim + 2] || 1;
  }

  /** Before a picture. */
  update(wall: number, seconds: number): void {
    this.motion.advance(wall, seconds);
    let index = 0;
    for (const figure of this.figures.values()) {
      if (figure.missing.length) this.complete(figure);
      this.move(figure);
      figure.rotors?.update(seconds, this.speed(index), this.app.state?.paused ?? false);
      const { name } = figure.robot;
      figure.material.uniforms.highlight.value =
        name === this.hovered ? HOVER : name === this.app.selected && this.figures.size > 1 ? HIGHLIGHT : [0, 0, 0];
      index += 1;
    }
  }

  /** The robot whose sphere a ray meets first; from: relative to the origin. */
  pick(from: Vector3, way: Vector3): { name: string; away: number } | null {
    let found: { name: string; away: number } | null = null;
    const to = new Vector3();
    for (const { robot, bodies, radius } of this.figures.values()) {
      to.copy(bodies[0].position).sub(from);
      const along = to.dot(way);
      // Far robots are small: a few pixels round them count too.
      const reach = Math.max(radius, 0.012 * along);
      if (along > 0 && to.lengthSq() - along * along < reach * reach && (!found || along < found.away))
        found = { name: robot.name, away: along };
    }
    return found;
  }

  private speed(index: number): number {
    const v = this.velocity;
    return v.length >= 3 * (index + 1) ? Math.hypot(v[3 * index], v[3 * index + 1], v[3 * index + 2]) : 0;
  }

  private quaternion(body: number): Quaternion {
    const { q } = this.motion;
    return new Quaternion(q[4 * body + 1], q[4 * body + 2], q[4 * body + 3], q[4 * body]);
  }

  private take(frame: Frame<PosesHeader>): void {
    if (frame.header.version !== this.version) return;
    this.motion.take(frame, performance.now() / 1000);
    this.velocity = (frame.arrays.velocity as Float32Array) ?? this.velocity;
  }

  private set(version: number, robots: Robot[]): void {
    this.version = version;
    this.motion.clear();
    for (const figure of this.figures.values()) {
      this.root.remove(figure.group);
      this.world.surfaces.release(figure.material);
    }
    this.figures.clear();
    for (const robot of robots) {
      const figure = new Figure(robot, this.world.surfaces.forMoving());
      this.figures.set(robot.name, figure);
      this.root.add(figure.group);
    }
  }

  /** Add what has come of a robot's meshes. */
  private complete(figure: Figure): void {
    figure.missing = figure.missing.filter(({ body, mesh, bones }) => {
      const pieces = this.world.chunks.mesh(mesh);
      if (!pieces) return true;
      if (bones) {
        const skin = skinOf(pieces, bones, figure.material);
        figure.skins.push(skin);
        figure.group.add(skin.mesh);
      } else {
        shapeOf(pieces, figure.material, this.world.surfaces.clear).forEach((part) => figure.bodies[body].add(part));
      }
      const [low, high] = pieces.bounds;
      figure.radius = Math.max(figure.radius, 0.6 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
      return false;
    });
    if (!figure.missing.length && figure.robot.rotors?.length) figure.rotors = new Rotors(figure);
    figure.group.traverse((part) => {
      for (let pass = 0; pass < PASSES; pass++) if (!part.userData.seeOnly) part.layers.enable(layerOf(pass));
    });
  }

  private move(figure: Figure): void {
    const { p, q } = this.motion;
    const { origin } = this.app;
    for (let i = 0; i < figure.bodies.length; i++) {
      const b = figure.robot.first + i;
      if (p.length < 3 * (b + 1)) return;
      const body = figure.bodies[i];
      body.position.set(p[3 * b] - origin[0], p[3 * b + 1] - origin[1], p[3 * b + 2] - origin[2]);
      body.quaternion.set(q[4 * b + 1], q[4 * b + 2], q[4 * b + 3], q[4 * b]);
      if (figure.skins.length) body.updateMatrix();
    }
    for (const skin of figure.skins) skin.bend(figure.bodies);
  }
}
