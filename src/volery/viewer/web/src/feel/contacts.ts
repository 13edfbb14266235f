/** Contact forces as arrows that stay for a moment. */

import { Vector3 } from "three";
import type { App } from "../app";
import type { Frame } from "../frames";
import type { PosesHeader } from "../protocol";
import { Arrows } from "./arrows";

const STAYS_MS = 250;
const COLOUR = [1, 0.72, 0.15];
/** Length of an arrow: it grows with the root of the force, so that soft and hard contacts both show [m per √N]. */
const SCALE = 0.09;
const LONGEST = 2.5;

interface Shown {
  p: number[];
  force: Vector3;
  until: number;
}

export class ContactArrows {
  private arrows: Arrows | null = null;
  private shown: Shown[] = [];
  private changed = false;

  constructor(private readonly app: App) {
    app.events.on("poses", (frame) => this.take(frame));
    app.events.on("world", () => (this.shown = []));
  }

  /** Before each picture. */
  update(now: number): void {
    const count = this.shown.length;
    this.shown = this.shown.filter(({ until }) => until > now);
    if (!this.app.layers.contacts) this.shown = [];
    if (!this.changed && this.shown.length === count) return;
    this.changed = false;
    if (!this.shown.length && !this.arrows) return;
    this.arrows ??= new Arrows(this.app);
    const [first] = this.shown;
    this.arrows.begin(this.shown.length, first ? [first.p[0], first.p[1], first.p[2]] : [0, 0, 0]);
    for (const { p, force } of this.shown) this.arrows.add(p, force, COLOUR);
    this.arrows.end();
  }

  private take(frame: Frame<PosesHeader>): void {
    const { contact_p: p, impulse } = frame.arrays;
    if (!p || !p.length || !this.app.layers.contacts) return;
    const step = (this.app.welcome?.step_ns ?? 1e7) / 1e9;
    const until = performance.now() + STAYS_MS;
    for (let i = 0; i < p.length; i += 3) {
      const force = new Vector3(impulse[i], impulse[i + 1], impulse[i + 2]).divideScalar(step);
      const size = force.length();
      if (size < 1e-3) continue;
      force.multiplyScalar(Math.min(LONGEST, SCALE * Math.sqrt(size)) / size);
      this.shown.push({ p: [p[i], p[i + 1], p[i + 2]], force, until });
    }
    this.changed = true;
  }
}
