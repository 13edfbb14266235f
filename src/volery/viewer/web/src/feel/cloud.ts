/** A cloud of points as a LiDAR gives it, coloured by any of its fields. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Matrix4, Points, ShaderMaterial, type Group } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { SensorMsgsPointCloud2 } from "../messages";
import type { Robot, Sensor, Topic } from "../protocol";
import type { TopicMessage } from "../topics";
import { fieldOf, pointsOf } from "./pointcloud";
import type { SensorView } from "./views";

/** Google's Turbo colour map as a polynomial (Mikhailov). */
export const TURBO = /* glsl */ `
vec3 turbo(float x) {
  x = clamp(x, 0.0, 1.0);
  vec4 a = vec4(1.0, x, x * x, x * x * x);
  vec2 b = a.zw * a.z;
  return clamp(vec3(
    dot(a, vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234)) + dot(b, vec2(-152.94239396, 59.28637943)),
    dot(a, vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333)) + dot(b, vec2(4.27729857, 2.82956604)),
    dot(a, vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771)) + dot(b, vec2(-89.90310912, 27.34824973))
  ), 0.0, 1.0);
}
vec3 palette(float n) {
  float hue = fract(n * 0.61803398875);
  return 0.35 + 0.6 * abs(fract(hue + vec3(0.0, 1.0 / 3.0, 2.0 / 3.0)) * 2.0 - 1.0);
}
`;

/** mode 0: by value between two limits; 1: by height; 2: each whole number its own colour. */
const CORNER = /* glsl */ `
attribute float value;
uniform int mode;
uniform vec2 limits;
uniform float size;
varying vec3 vColour;
${TURBO}
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  float v = mode == 1 ? place.z : value;
  vColour = mode == 2 ? palette(value) : turbo(0.05 + 0.9 * (v - limits.x) / max(limits.y - limits.x, 1e-6));
  gl_Position = projectionMatrix * viewMatrix * place;
  gl_PointSize = clamp(size / gl_Position.w, 1.6, 6.0);
}
`;
const COLOUR = /* glsl */ `
varying vec3 vColour;
void main() {
  if (length(gl_PointCoord - 0.5) > 0.5) discard;
  gl_FragColor = vec4(vColour, 1.0);
}
`;

const RATE = 10;
const SIZE = 16;

export class CloudView implements SensorView {
  private readonly group: Group;
  private readonly geometry = new BufferGeometry();
  private readonly material: ShaderMaterial;
  private readonly stop: () => void;
  private capacity = 0;
  /** Limits of the values, which follow slowly so that colours do not flicker. */
  private low = NaN;
  private high = NaN;
  private by = "";
  private inWorld = false;

  constructor(
    private readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
    { topic }: Topic,
  ) {
    this.material = new ShaderMaterial({
      uniforms: { mode: { value: 0 }, limits: { value: [0, 1] }, size: { value: SIZE * window.devicePixelRatio } },
      vertexShader: CORNER,
      fragmentShader: COLOUR,
    });
    const points = new Points(this.geometry, this.material);
    points.frustumCulled = false;
    points.renderOrder = 12;
    this.group = app.anchored();
    this.group.add(points);
    this.stop = app.topics.want(topic, RATE, (message) => this.take(message));
  }

  update(): void {
    // Nothing moves between messages: points lie in the world where they were measured.
  }

  dispose(): void {
    this.stop();
    this.app.release(this.group);
    this.geometry.dispose();
    this.material.dispose();
  }

  private take(message: TopicMessage): void {
    const cloud = decode("sensor_msgs/msg/PointCloud2", message.cdr);
    this.inWorld = cloud.header.frame_id === "map";
    const pose = this.inWorld ? null : this.app.figures.sensorPoseAt(this.robot, this.sensor, message.stamp_ns / 1e9);
    if (!this.inWorld && !pose) return;
    this.app.anchor(this.group, pose ? pose.p_W : [0, 0, 0]);
    if (pose) this.group.quaternion.copy(pose.q);
    const count = cloud.width * cloud.height;
    this.reserve(count);
    const position = this.geometry.getAttribute("position") as BufferAttribute;
    const value = this.geometry.getAttribute("value") as BufferAttribute;
    const kept = pointsOf(cloud, position.array as Float32Array);
    this.colour(cloud, value.array as Float32Array, position.array as Float32Array, kept);
    this.geometry.setDrawRange(0, kept);
    position.needsUpdate = value.needsUpdate = true;
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.ceil(count * 1.2);
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.capacity), 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("value", new BufferAttribute(new Float32Array(this.capacity), 1).setUsage(DynamicDrawUsage));
  }

  /** Values to colour by: a field of the cloud, or the range or height that its points have. */
  private colour(cloud: SensorMsgsPointCloud2, out: Float32Array, p: Float32Array, count: number): void {
    const by = this.app.options[`colour:${this.robot.name}/${this.sensor.name}`] ?? "range";
    if (by !== this.by) this.low = this.high = NaN;
    this.by = by;
    const u = this.material.uniforms;
    const found = by !== "height" && fieldOf(cloud, by, out);
    u.mode.value = by === "height" ? 1 : found && (by === "label" || by === "instance") ? 2 : 0;
    if (by === "height") this.heights(p, count);
    else {
      if (!found) this.ranges(p, out, count);
      this.limit(out, count);
    }
    const shift = by === "height" ? this.group.position.z : 0;
    u.limits.value = [this.low + shift, this.high + shift];
  }

  /** Distances from the sensor, of clouds that do not tell them. */
  private ranges(p: Float32Array, out: Float32Array, count: number): void {
    const from = this.inWorld ? (this.app.figures.sensorPose(this.robot, this.sensor)?.p_W ?? [0, 0, 0]) : [0, 0, 0];
    for (let i = 0; i < count; i++) out[i] = Math.hypot(p[3 * i] - from[0], p[3 * i + 1] - from[1], p[3 * i + 2] - from[2]);
  }

  private heights(p: Float32Array, count: number): void {
    const e = new Matrix4().makeRotationFromQuaternion(this.group.quaternion).elements;
    const z = new Float32Array(count);
    for (let i = 0; i < count; i++) z[i] = e[2] * p[3 * i] + e[6] * p[3 * i + 1] + e[10] * p[3 * i + 2];
    this.limit(z, count);
  }

  /** The middle nine tenths of the values, followed slowly. */
  private limit(values: Float32Array, count: number): void {
    const some: number[] = [];
    const stride = Math.max(1, Math.floor(count / 512));
    for (let i = 0; i < count; i += stride) if (Number.isFinite(values[i])) some.push(values[i]);
    if (!some.length) return;
    some.sort((a, b) => a - b);
    const low = some[Math.floor(0.02 * (some.length - 1))];
    const high = some[Math.floor(0.95 * (some.length - 1))];
    const follow = (now: number, to: number): number => (Number.isNaN(now) ? to : now + 0.15 * (to - now));
    this.low = follow(this.low, low);
    this.high = follow(this.high, Math.max(high, low + 1e-3));
  }
}
