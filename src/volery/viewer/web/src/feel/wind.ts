/** Wind round the selected robot as arrows; rising air is warm, sinking air is cold. */

import { Vector3 } from "three";
import type { App } from "../app";
import type { Vec3 } from "../protocol";
import { Arrows } from "./arrows";

const EVERY_MS = 400;
const ACROSS = 9;
const LAYERS = 3;
const STEP = 4;
const UP = 4;
/** Length of an arrow per speed [m per m/s]. */
const SCALE = 0.35;
const LONGEST = 3;

export class WindArrows {
  private arrows: Arrows | null = null;
  private asked = 0;
  private busy = false;

  constructor(private readonly app: App) {}

  /** Before each picture. */
  update(now: number): void {
    const { app } = this;
    if (!app.layers.wind) {
      this.arrows?.dispose();
      this.arrows = null;
      return;
    }
    if (this.busy || now - this.asked < EVERY_MS || !app.connection.open) return;
    this.asked = now;
    void this.ask(app.figures.place(app.selected) ?? app.cameras.p_W);
  }

  private async ask(middle: Vec3): Promise<void> {
    this.busy = true;
    const points = grid(middle);
    try {
      const { v } = await this.app.connection.ask<{ v: Vec3[] }>({ do: "wind", p: points });
      if (this.app.layers.wind) this.show(points, v);
    } catch (error) {
      this.app.layers.wind = false;
      this.app.notice(`no wind: ${(error as Error).message}`, "warning");
    } finally {
      this.busy = false;
    }
  }

  private show(points: Vec3[], velocities: Vec3[]): void {
    this.arrows ??= new Arrows(this.app, points.length);
    this.arrows.begin(points.length, points[0]);
    points.forEach((p, i) => {
      const v = new Vector3(...velocities[i]);
      const colour = warmth(v.z);
      this.arrows?.add(p, v.multiplyScalar(SCALE).clampLength(0, LONGEST), colour);
    });
    this.arrows.end();
  }
}

/** Points on a grid fixed in the world, so that arrows do not swim with the robot. */
function grid(middle: Vec3): Vec3[] {
  const snap = (value: number, step: number): number => Math.round(value / step) * step;
  const [x0, y0, z0] = [snap(middle[0], STEP), snap(middle[1], STEP), snap(middle[2], 1)];
  const points: Vec3[] = [];
  const half = (ACROSS - 1) / 2;
  for (let k = 0; k < LAYERS; k++)
    for (let i = -half; i <= half; i++) for (let j = -half; j <= half; j++) points.push([x0 + STEP * i, y0 + STEP * j, z0 + UP * k]);
  return points;
}

/** From blue (sinks 2 m/s) over white to orange (rises 2 m/s). */
function warmth(up: number): Vec3 {
  const t = Math.max(-1, Math.min(1, up / 2));
  return t > 0 ? [1, 0.92 - 0.45 * t, 0.85 - 0.7 * t] : [0.85 + 0.6 * t, 0.92 + 0.3 * t, 1];
}
