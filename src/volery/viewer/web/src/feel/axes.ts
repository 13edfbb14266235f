/** Axes of the selected robot's bodies and sensors: x red, y green, z blue; and a grid on the ground. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, GridHelper, LineBasicMaterial, LineSegments, Quaternion, Vector3, type Group } from "three";
import type { App } from "../app";
import type { Vec3 } from "../protocol";

const MOST = 128;
const COLOURS = [1, 0.25, 0.2, 0.3, 0.95, 0.3, 0.35, 0.5, 1];
const GRID = 100;

export class Axes {
  private readonly lines: LineSegments;
  private readonly grid: Group;
  private readonly positions = new Float32Array(18 * MOST);

  constructor(private readonly app: App) {
    const geometry = new BufferGeometry();
    const colours = new Float32Array(18 * MOST);
    for (let i = 0; i < MOST; i++)
      for (let axis = 0; axis < 3; axis++)
        for (let end = 0; end < 2; end++) colours.set(COLOURS.slice(3 * axis, 3 * axis + 3), 18 * i + 6 * axis + 3 * end);
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, toneMapped: false }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 45;
    app.scene.add(this.lines);
    this.grid = app.anchored();
    for (const [step, colour, opacity] of [[1, 0x8899aa, 0.25], [10, 0xaabbcc, 0.5]] as const) {
      const part = new GridHelper(GRID, GRID / step, colour, colour);
      part.rotation.x = Math.PI / 2;
      part.material.transparent = true;
      part.material.opacity = opacity;
      part.renderOrder = 11;
      this.grid.add(part);
    }
  }

  /** Before each picture. */
  update(): void {
    const { app } = this;
    this.showGrid();
    const robot = app.robot(app.selected);
    this.lines.visible = app.layers.frames && robot !== null && app.figures.motion.ready;
    if (!this.lines.visible || !robot) return;
    const figure = app.figures.figures.get(robot.name);
    const size = 0.5 * (figure?.radius ?? 0.3);
    let n = 0;
    figure?.bodies.forEach((body, i) => (n = this.write(n, body.position, body.quaternion, i === 0 ? size : 0.5 * size)));
    for (const sensor of robot.sensors) {
      const pose = app.figures.sensorPose(robot, sensor);
      if (pose) n = this.write(n, this.relative(pose.p_W), pose.q, 0.4 * size);
    }
    this.lines.geometry.setDrawRange(0, 6 * n);
    this.lines.geometry.getAttribute("position").needsUpdate = true;
  }

  /** The grid lies under the robot, at whole tens of metres. */
  private showGrid(): void {
    const { app } = this;
    this.grid.visible = app.layers.grid;
    const p = app.figures.place(app.selected) ?? app.cameras.p_W;
    if (this.grid.visible) app.anchor(this.grid, [10 * Math.round(p[0] / 10), 10 * Math.round(p[1] / 10), 0]);
  }

  private relative(p_W: Vec3): Vector3 {
    return new Vector3(...p_W).sub(new Vector3(...this.app.origin));
  }

  private write(n: number, p: Vector3, q: Quaternion, size: number): number {
    if (n >= MOST) return n;
    for (let axis = 0; axis < 3; axis++) {
      const tip = new Vector3().setComponent(axis, size).applyQuaternion(q).add(p);
      p.toArray(this.positions, 18 * n + 6 * axis);
      tip.toArray(this.positions, 18 * n + 6 * axis + 3);
    }
    return n + 1;
  }
}
