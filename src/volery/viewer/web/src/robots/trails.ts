/** Where robots were in the last minute: a line that fades. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Line, ShaderMaterial, type Group } from "three";
import type { App } from "../app";
import type { Vec3 } from "../protocol";
import { colourOf } from "./colours";

const SECONDS = 60;
const MOST = 1200;
const STEP = 0.05;
/** A jump: a reset, or a robot that was put elsewhere [m]. */
const JUMP = 8;

const CORNER = /* glsl */ `
attribute float time;
uniform float now;
varying float vFade;
void main() {
  vFade = clamp(1.0 - (now - time) / ${SECONDS.toFixed(1)}, 0.0, 1.0);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;
const COLOUR = /* glsl */ `
uniform vec3 colour;
varying float vFade;
void main() { gl_FragColor = vec4(colour, 0.85 * vFade * vFade); }
`;

class Trail {
  private readonly positions = new Float32Array(3 * MOST);
  private readonly times = new Float32Array(MOST);
  private readonly geometry = new BufferGeometry();
  private readonly material: ShaderMaterial;
  private count = 0;
  private readonly group: Group;
  private last: Vec3 | null = null;

  constructor(
    private readonly app: App,
    name: string,
    private readonly start: Vec3,
  ) {
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute("time", new BufferAttribute(this.times, 1).setUsage(DynamicDrawUsage));
    this.material = new ShaderMaterial({
      uniforms: { now: { value: 0 }, colour: { value: colourOf(name) } },
      vertexShader: CORNER,
      fragmentShader: COLOUR,
      transparent: true,
      depthWrite: false,
    });
    const line = new Line(this.geometry, this.material);
    line.frustumCulled = false;
    line.renderOrder = 15;
    // Places are kept relative to where it began, not to the moving origin.
    this.group = app.anchored(start);
    this.group.add(line);
  }

  /** True if this trail's numbers have become coarse, or it was interrupted. */
  ended(p: Vec3, time: number): boolean {
    const far = Math.hypot(p[0] - this.start[0], p[1] - this.start[1], p[2] - this.start[2]) > 20_000;
    const last = this.last;
    const jumped = last !== null && Math.hypot(p[0] - last[0], p[1] - last[1], p[2] - last[2]) > JUMP;
    return far || jumped || (this.count > 0 && time < this.times[this.count - 1] - 0.01);
  }

  add(p: Vec3, time: number): void {
    this.material.uniforms.now.value = time;
    const last = this.last;
    if (last && Math.hypot(p[0] - last[0], p[1] - last[1], p[2] - last[2]) < STEP) return;
    if (this.count === MOST) this.forgetHalf();
    for (let i = 0; i < 3; i++) this.positions[3 * this.count + i] = p[i] - this.start[i];
    this.times[this.count++] = time;
    this.last = p;
    this.geometry.setDrawRange(0, this.count);
    for (const attribute of Object.values(this.geometry.attributes)) (attribute as BufferAttribute).needsUpdate = true;
  }

  private forgetHalf(): void {
    const half = MOST / 2;
    this.positions.copyWithin(0, 3 * half);
    this.times.copyWithin(0, half);
    this.count -= half;
  }

  set visible(on: boolean) {
    this.group.visible = on;
  }

  dispose(): void {
    this.app.release(this.group);
    this.geometry.dispose();
    this.material.dispose();
  }
}

export class Trails {
  private readonly trails = new Map<string, Trail>();

  constructor(private readonly app: App) {
    app.events.on("robots", () => this.clear());
    app.events.on("world", () => this.clear());
  }

  /** Before a picture. */
  update(): void {
    const { figures, layers, robots } = this.app;
    const { time } = figures.motion;
    for (const robot of robots) {
      const p = robot.movable ? null : figures.place(robot.name);
      if (!p) continue;
      let trail = this.trails.get(robot.name);
      if (trail?.ended(p, time)) {
        trail.dispose();
        trail = undefined;
      }
      if (!trail) this.trails.set(robot.name, (trail = new Trail(this.app, robot.name, p)));
      trail.visible = layers.trails;
      trail.add(p, time);
    }
  }

  private clear(): void {
    this.trails.forEach((trail) => trail.dispose());
    this.trails.clear();
  }
}
