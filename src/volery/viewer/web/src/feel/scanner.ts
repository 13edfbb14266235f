/** The box scanner's rays as in the thesis: green where they are free, red where they end on something. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, Points, Quaternion, ShaderMaterial, Vector3, type Group } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { Robot, Sensor, Topic } from "../protocol";
import type { TopicMessage } from "../topics";
import { headingOf } from "../cameras/pose";
import { fieldOf, pointsOf } from "./pointcloud";
import type { SensorView } from "./views";

const CORNER = /* glsl */ `
attribute float hit;
uniform float size;
varying float vHit;
void main() {
  vHit = hit;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 2.0, 8.0) * step(0.5, hit);
}
`;
const COLOUR = /* glsl */ `
uniform float opacity;
varying float vHit;
void main() {
  vec3 colour = mix(vec3(0.15, 0.85, 0.3), vec3(1.0, 0.2, 0.14), vHit);
  gl_FragColor = vec4(colour, opacity * (vHit > 0.5 ? 2.2 : 1.0));
}
`;
const RATE = 10;

export class ScannerView implements SensorView {
  private readonly group: Group;
  private readonly geometry = new BufferGeometry();
  private readonly materials: ShaderMaterial[] = [];
  private readonly stop: () => void;
  private ends = new Float32Array(0);
  private hits = new Float32Array(0);

  constructor(
    private readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
    { topic }: Topic,
  ) {
    this.group = app.anchored();
    const lines = new LineSegments(this.geometry, this.material(0.05));
    const points = new Points(this.geometry, this.material(1));
    for (const object of [lines, points]) {
      object.frustumCulled = false;
      object.renderOrder = 13;
      this.group.add(object);
    }
    this.stop = app.topics.want(topic, RATE, (message) => this.take(message));
  }

  update(): void {
    // Rays lie in the world where they were cast.
  }

  dispose(): void {
    this.stop();
    this.app.release(this.group);
    this.geometry.dispose();
    this.materials.forEach((material) => material.dispose());
  }

  private material(opacity: number): ShaderMaterial {
    const made = new ShaderMaterial({
      uniforms: { opacity: { value: opacity }, size: { value: 40 * window.devicePixelRatio } },
      vertexShader: CORNER,
      fragmentShader: COLOUR,
      transparent: true,
      depthWrite: false,
    });
    this.materials.push(made);
    return made;
  }

  private take(message: TopicMessage): void {
    const cloud = decode("sensor_msgs/msg/PointCloud2", message.cdr);
    const pose = this.app.figures.sensorPoseAt(this.robot, this.sensor, message.stamp_ns / 1e9);
    if (!pose) return;
    const count = cloud.width * cloud.height;
    this.reserve(count);
    pointsOf(cloud, this.ends);
    fieldOf(cloud, "occupancy", this.hits);
    this.app.anchor(this.group, pose.p_W);
    this.rays(count, pose.p_W, this.axes(pose.q));
    this.geometry.setDrawRange(0, 2 * count);
  }

  private reserve(count: number): void {
    if (3 * count <= this.ends.length) return;
    this.ends = new Float32Array(3 * count);
    this.hits = new Float32Array(count);
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(6 * count), 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("hit", new BufferAttribute(new Float32Array(2 * count), 1).setUsage(DynamicDrawUsage));
  }

  /** Axes that rays follow: the robot's, the world's, or the world's turned by heading. */
  private axes(q: Quaternion): Quaternion {
    const { align, form } = this.sensor.about as { align?: string; form?: string };
    const chosen = align === "auto" || !align ? (form === "ground" ? "world" : "body") : align;
    if (chosen === "world") return new Quaternion();
    return chosen === "heading" ? new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), headingOf(q)) : q;
  }

  /** Rays of a face are parallel and begin on the plane through the sensor; those of other forms begin at it. */
  private rays(count: number, p: number[], q: Quaternion): void {
    const position = this.geometry.getAttribute("position") as BufferAttribute;
    const hit = this.geometry.getAttribute("hit") as BufferAttribute;
    const out = position.array as Float32Array;
    const values = hit.array as Float32Array;
    const form = (this.sensor.about.form as string | undefined) ?? "box";
    const axes = [0, 1, 2].map((i) => new Vector3().setComponent(i, 1).applyQuaternion(q));
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [this.ends[3 * i] - p[0], this.ends[3 * i + 1] - p[1], this.ends[3 * i + 2] - p[2]];
      const axis = form === "ray" ? null : axes[form === "ground" ? 2 : Math.floor((3 * i) / count)];
      const along = axis ? x * axis.x + y * axis.y + z * axis.z : 0;
      out[6 * i] = axis ? x - along * axis.x : 0;
      out[6 * i + 1] = axis ? y - along * axis.y : 0;
      out[6 * i + 2] = axis ? z - along * axis.z : 0;
      out[6 * i + 3] = x;
      out[6 * i + 4] = y;
      out[6 * i + 5] = z;
      // Only the end of a ray that met something is red.
      values[2 * i] = 0;
      values[2 * i + 1] = this.hits[i] > 0.5 ? 1 : 0;
    }
    position.needsUpdate = hit.needsUpdate = true;
  }
}
