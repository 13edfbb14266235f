/** What a camera sees: its pyramid, and on the far plane the live picture. */

import { BufferAttribute, BufferGeometry, CanvasTexture, DoubleSide, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, type Group } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { Robot, Sensor } from "../protocol";
import { colourOf } from "../robots/colours";
import type { TopicMessage } from "../topics";
import { viewsOf, wake } from "../ui/pictures";
import { paint, unpackPicture } from "../ui/pixels";
import type { Shot } from "../views";
import type { SensorView } from "./views";

const RATE = 8;
const COMPRESSED = "sensor_msgs/msg/CompressedImage";
const RAW = "sensor_msgs/msg/Image";

export class FrustumView implements SensorView {
  private readonly group: Group;
  private readonly lines: LineSegments;
  private readonly canvas = document.createElement("canvas");
  private readonly texture = new CanvasTexture(this.canvas);
  private readonly plane: Mesh;
  private stop: (() => void) | null = null;
  private zoom = 0;
  private busy = false;

  /** live: with the picture of the first topic, else only the pyramid. */
  constructor(
    private readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
    live: boolean,
  ) {
    this.group = app.anchored();
    const [r, g, b] = colourOf(robot.name);
    const material = new LineBasicMaterial({ transparent: true, opacity: 0.9, toneMapped: false });
    material.color.setRGB(r, g, b, SRGBColorSpace);
    this.lines = new LineSegments(new BufferGeometry(), material);
    this.texture.colorSpace = SRGBColorSpace;
    const screen = new MeshBasicMaterial({ map: this.texture, side: DoubleSide, toneMapped: false, transparent: true, opacity: 0.95 });
    this.plane = new Mesh(new PlaneGeometry(1, 1), screen);
    this.plane.visible = false;
    // Its face towards the camera, upright: texture's x to the right is the body's −y.
    this.plane.rotation.set(Math.PI / 2, -Math.PI / 2, 0, "XYZ");
    this.group.add(this.lines, this.plane);
    const view = live ? viewsOf(robot, sensor)[0] : undefined;
    if (view) wake(app, robot, sensor);
    if (view) this.stop = app.topics.want(view.topic, RATE, (message) => void this.take(message));
  }

  update(): void {
    const pose = this.app.figures.sensorPose(this.robot, this.sensor);
    const looking = this.app.cameras.inside === this.robot.name;
    this.group.visible = pose !== null && !looking;
    if (!pose) return;
    this.app.anchor(this.group, pose.p_W);
    this.group.quaternion.copy(pose.q);
    const zoom = this.app.figures.zoom(this.sensor);
    if (zoom !== this.zoom) this.shape(zoom);
  }

  dispose(): void {
    this.stop?.();
    this.app.release(this.group);
    this.lines.geometry.dispose();
    this.plane.geometry.dispose();
    this.texture.dispose();
  }

  private shape(zoom: number): void {
    this.zoom = zoom;
    const { fov_deg: fov = 90, width = 4, height = 3 } = this.sensor.about as Shot;
    const wide = Math.tan((Math.min(fov, 150) * Math.PI) / 360) / zoom;
    const radius = this.app.figures.figures.get(this.robot.name)?.radius ?? 0.3;
    const far = Math.min(1.2 + 2 * radius, 1.6 / wide);
    const [y, z] = [far * wide, (far * wide * height) / width];
    const corners = [[far, y, z], [far, -y, z], [far, -y, -z], [far, y, -z]];
    const points: number[] = [];
    corners.forEach((corner, i) => points.push(0, 0, 0, ...corner, ...corner, ...corners[(i + 1) % 4]));
    // A mark on the upper side.
    points.push(far, 0.2 * y, z * 1.04, far, 0, z * 1.2, far, 0, z * 1.2, far, -0.2 * y, z * 1.04);
    this.lines.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    this.plane.position.x = far;
    this.plane.scale.set(2 * y, 2 * z, 1);
  }

  private async take(message: TopicMessage): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      if (message.type === COMPRESSED) {
        const bitmap = await unpackPicture(decode(COMPRESSED, message.cdr));
        this.draw(bitmap.width, bitmap.height, (context) => context.drawImage(bitmap, 0, 0));
        bitmap.close();
      } else {
        const painted = paint(decode(RAW, message.cdr));
        if (painted) this.draw(painted.image.width, painted.image.height, (c) => c.putImageData(painted.image, 0, 0));
      }
    } finally {
      this.busy = false;
    }
  }

  private draw(width: number, height: number, put: (context: CanvasRenderingContext2D) => void): void {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.texture.dispose();
    }
    put(this.canvas.getContext("2d") as CanvasRenderingContext2D);
    this.texture.needsUpdate = true;
    this.plane.visible = true;
  }
}
