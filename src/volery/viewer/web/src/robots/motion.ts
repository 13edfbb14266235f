/** Where bodies are at each picture: between the last frames of poses, a little behind what came. */

import type { Frame } from "../frames";
import type { PosesHeader } from "../protocol";

/** How far behind the newest frame pictures are, and how far ahead they may guess [s of wall time]. */
const BEHIND = 0.08;
const GUESS = 0.1;
const KEPT = 12;
/** A jump of time beyond this is a reset or a seek [s]. */
const JUMP = 1.5;

interface Snapshot {
  /** Simulated and wall time [s]. */
  time: number;
  wall: number;
  p: Float64Array;
  q: Float32Array;
  aim: Float32Array | null;
}

export class Motion {
  /** Places in W [n·3] and attitudes wxyz [n·4] of all bodies now. */
  p = new Float64Array(0);
  q = new Float32Array(0);
  /** Pan, tilt [rad] and zoom of all cameras [c·3]. */
  aim: Float32Array = new Float32Array(0);
  /** Simulated time that is shown [s]. */
  time = 0;
  /** Simulated seconds per second of wall time, as poses came. */
  rate = 1;
  private readonly snapshots: Snapshot[] = [];

  /** Take a frame at a wall time [s]. */
  take(frame: Frame<PosesHeader>, wall: number): void {
    const { p, q, aim } = frame.arrays;
    const time = frame.header.now_ns / 1e9;
    const last = this.snapshots[this.snapshots.length - 1];
    const jumped = last && (time < last.time || time - last.time > JUMP + 3 * this.rate);
    if (jumped || (last && last.p.length !== p.length)) this.clear();
    // While time stands, things may still be put elsewhere.
    else if (last && time === last.time) this.snapshots.pop();
    this.snapshots.push({ time, wall, p: p as Float64Array, q: q as Float32Array, aim: (aim as Float32Array) ?? null });
    if (this.snapshots.length > KEPT) this.snapshots.shift();
    this.measureRate();
    if (this.snapshots.length === 1) this.time = time;
  }

  /** Forget all frames. */
  clear(): void {
    this.snapshots.length = 0;
  }

  /** True if there is something to show. */
  get ready(): boolean {
    return this.snapshots.length > 0;
  }

  private measureRate(): void {
    const first = this.snapshots[0];
    const last = this.snapshots[this.snapshots.length - 1];
    if (last.wall - first.wall > 0.05) this.rate = Math.max(0, (last.time - first.time) / (last.wall - first.wall));
  }

  /** Go to a wall time [s], `seconds` after the last call. */
  advance(wall: number, seconds: number): void {
    const last = this.snapshots[this.snapshots.length - 1];
    if (!last) return;
    const since = Math.min(wall - last.wall, BEHIND + GUESS);
    const wanted = last.time + (since - BEHIND) * this.rate;
    // Frames come unevenly: drift towards where one should be, do not jump.
    const guess = this.time + seconds * this.rate;
    const off = wanted - guess;
    const far = Math.abs(off) > 0.5 * Math.max(this.rate, 0.2);
    this.time = far ? wanted : Math.max(this.time, guess + off * Math.min(1, 4 * seconds));
    this.time = Math.min(this.time, last.time + GUESS * this.rate);
    this.interpolate(this.time);
  }

  /** What `look` sees when bodies are where they were at a simulated time [s]. */
  at<Seen>(time: number, look: () => Seen): Seen | null {
    if (!this.ready) return null;
    this.interpolate(time);
    const seen = look();
    this.interpolate(this.time);
    return seen;
  }

  private interpolate(time: number): void {
    const { snapshots } = this;
    let i = snapshots.length - 1;
    while (i > 0 && snapshots[i - 1].time > time) i--;
    const b = snapshots[i];
    const a = snapshots[Math.max(i - 1, 0)];
    const span = b.time - a.time;
    const t = span > 0 ? Math.max(0, (time - a.time) / span) : 1;
    if (this.p.length !== b.p.length) {
      this.p = new Float64Array(b.p.length);
      this.q = new Float32Array(b.q.length);
    }
    for (let k = 0; k < b.p.length; k++) this.p[k] = a.p[k] + (b.p[k] - a.p[k]) * t;
    for (let k = 0; k < b.q.length; k += 4) blend(this.q, a.q, b.q, k, t);
    if (b.aim) this.aim = b.aim;
  }
}

/** Attitude between two, the short way; straight and brought to length, which is enough for a thirtieth of a second. */
function blend(out: Float32Array, a: Float32Array, b: Float32Array, k: number, t: number): void {
  const dot = a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2] + a[k + 3] * b[k + 3];
  const sign = dot < 0 ? -1 : 1;
  let length = 0;
  for (let i = k; i < k + 4; i++) {
    out[i] = a[i] + (sign * b[i] - a[i]) * t;
    length += out[i] * out[i];
  }
  length = Math.sqrt(length) || 1;
  for (let i = k; i < k + 4; i++) out[i] /= length;
}
