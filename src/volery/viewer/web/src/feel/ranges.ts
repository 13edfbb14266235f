/** Sonars and rangefinders as cones, laser scans as fans. */

import { AdditiveBlending, BufferAttribute, BufferGeometry, ConeGeometry, DoubleSide, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, type Group, type Material } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { SensorMsgsLaserScan } from "../messages";
import type { Robot, Sensor, Topic } from "../protocol";
import type { SensorView } from "./views";

const RATE = 15;
const SEGMENTS = 24;
const MET = 0xff5a3c;
const FREE = 0x3ce08a;
/** A light's beam is thin; it is shown so wide [rad]. */
const BEAM = 0.01;

/** Something that goes with a sensor. */
export abstract class Carried implements SensorView {
  protected readonly group: Group;
  protected stop: () => void = () => undefined;

  constructor(
    protected readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
  ) {
    this.group = app.anchored();
    this.group.visible = false;
  }

  update(): void {
    const pose = this.app.figures.sensorPose(this.robot, this.sensor);
    if (!pose) return;
    this.app.anchor(this.group, pose.p_W);
    this.group.quaternion.copy(pose.q);
  }

  dispose(): void {
    this.stop();
    this.app.release(this.group);
    this.group.traverse((part) => {
      (part as Mesh).geometry?.dispose();
      ((part as Mesh).material as Material | undefined)?.dispose();
    });
  }
}

/** What a cone is made of: fields of a Range, and of types of others that have them. */
interface Echo {
  range: number;
  max_range: number;
  field_of_view: number;
}

/** A Range message, or one like it: a cone to where the echo came from. */
export class ConeView extends Carried {
  private readonly cone: Mesh;
  private readonly material = new MeshBasicMaterial({
    ...{ transparent: true, opacity: 0.22, depthWrite: false, side: DoubleSide, toneMapped: false },
    blending: AdditiveBlending,
  });

  constructor(app: App, robot: Robot, sensor: Sensor, { topic, type }: Topic) {
    super(app, robot, sensor);
    // Tip at the sensor, opening along x, one metre long and wide.
    const geometry = new ConeGeometry(1, 1, SEGMENTS, 1, true);
    geometry.translate(0, -0.5, 0).rotateZ(Math.PI / 2);
    this.cone = new Mesh(geometry, this.material);
    this.cone.renderOrder = 16;
    this.group.add(this.cone);
    this.stop = app.topics.want(topic, RATE, (message) => {
      const { range, max_range, field_of_view } = decode<Echo>(type, message.cdr);
      const met = Number.isFinite(range) && range < max_range * 0.999;
      const far = Number.isFinite(range) ? Math.min(range, max_range) : max_range;
      const wide = far * Math.tan(Math.min(Math.max(field_of_view, BEAM), 3) / 2);
      this.cone.scale.set(far, wide, wide);
      this.material.color.set(met ? MET : FREE);
      this.group.visible = true;
    });
  }
}

/** A LaserScan: rays in the sensor's plane. */
export class FanView extends Carried {
  private readonly geometry = new BufferGeometry();

  constructor(app: App, robot: Robot, sensor: Sensor, { topic, type }: Topic) {
    super(app, robot, sensor);
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.55, depthWrite: false, toneMapped: false });
    const lines = new LineSegments(this.geometry, material);
    lines.frustumCulled = false;
    lines.renderOrder = 13;
    this.group.add(lines);
    this.stop = app.topics.want(topic, RATE, (message) => {
      const { ranges, angle_min, angle_increment, range_max } = decode<SensorMsgsLaserScan>(type, message.cdr);
      this.fill(ranges, angle_min, angle_increment, range_max);
      this.group.visible = true;
    });
  }

  private fill(ranges: Float32Array, start: number, step: number, most: number): void {
    const position = new Float32Array(6 * ranges.length);
    const colour = new Float32Array(6 * ranges.length);
    ranges.forEach((range, i) => {
      const met = Number.isFinite(range) && range < most * 0.999;
      const far = Number.isFinite(range) ? Math.min(range, most) : most;
      const angle = start + i * step;
      position.set([far * Math.cos(angle), far * Math.sin(angle), 0], 6 * i + 3);
      const end = met ? [1, 0.25, 0.15] : [0.1, 0.7, 0.3];
      colour.set([0.05, 0.35, 0.15, ...end], 6 * i);
    });
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(position, 3));
    this.geometry.setAttribute("color", new BufferAttribute(colour, 3));
  }
}
