/** Large surfaces (ground, walls, caves) as buckets of triangles, for the few rays that cameras need. */

import type { Vec3 } from "../protocol";
import type { Chunk } from "./chunks";
import type { Kind } from "./kinds";

/** Meshes from this size on count [m]; smaller things are flown through. */
const LARGE = 8;
const CELL = 2;
const MOST_TRIANGLES = 200_000;

/** A mesh of a chunk: triangles by the cell of the plane that they touch. */
interface Buckets {
  origin: Vec3;
  corners: Float32Array;
  index: ArrayLike<number>;
  x0: number;
  y0: number;
  nx: number;
  ny: number;
  /** Triangles of cell c: list[start[c]] to list[start[c + 1]]. */
  start: Uint32Array;
  list: Uint32Array;
}

export class Ground {
  /** By chunk, and number of the thing in it. */
  private readonly parts = new Map<string, Map<number, Buckets>>();
  private readonly waiting: { chunk: Chunk; i: number }[] = [];

  /** Note the large meshes of a chunk; they are sorted one at a picture. only: of this kind. */
  add(chunk: Chunk, only: Kind | null = null): void {
    for (let i = 0; i < chunk.kinds.length; i++) {
      const kind = chunk.kinds[i];
      if ((only === null || kind === only) && kind.radius > LARGE && isGround(kind)) this.waiting.push({ chunk, i });
    }
  }

  /** Forget a chunk. */
  remove(key: string): void {
    this.parts.delete(key);
    for (let i = this.waiting.length - 1; i >= 0; i--) if (this.waiting[i].chunk.key === key) this.waiting.splice(i, 1);
  }

  /** Sort one mesh, if one waits; call it once a picture. */
  pump(): void {
    const next = this.waiting.shift();
    const pieces = next?.chunk.kinds[next.i].finest?.pieces;
    if (!next || !pieces || !pieces.solid || pieces.index.length / 3 > MOST_TRIANGLES) return;
    const made = sort(next.chunk, next.i, pieces.corners, pieces.index);
    const { key } = next.chunk;
    const things = this.parts.get(key) ?? new Map<number, Buckets>();
    this.parts.set(key, things.set(next.i, made));
  }

  /** How far along a unit way from a place in W something is, at most `far` [m]. */
  cast(p_W: Vec3, way: Vec3, far: number): number {
    let nearest = far;
    for (const things of this.parts.values())
      for (const buckets of things.values()) nearest = castBuckets(buckets, p_W, way, nearest);
    return nearest;
  }
}

/** Trees are large too, but stand in numbers: only what is there once is ground. */
const isGround = (kind: Kind): boolean => kind.uses <= 1 || kind.radius > 25;

function sort(chunk: Chunk, i: number, local: Float32Array, index: ArrayLike<number>): Buckets {
  const corners = moved(local, chunk.X, 12 * i);
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < corners.length; k += 3) {
    x0 = Math.min(x0, corners[k]);
    x1 = Math.max(x1, corners[k]);
    y0 = Math.min(y0, corners[k + 1]);
    y1 = Math.max(y1, corners[k + 1]);
  }
  const nx = Math.max(1, Math.ceil((x1 - x0) / CELL));
  const ny = Math.max(1, Math.ceil((y1 - y0) / CELL));
  const start = new Uint32Array(nx * ny + 1);
  const cells = (t: number, visit: (cell: number) => void): void => {
    const [a, b, c] = [3 * index[3 * t], 3 * index[3 * t + 1], 3 * index[3 * t + 2]];
    const clamp = (value: number, most: number): number => Math.max(0, Math.min(most - 1, Math.floor(value / CELL)));
    const i0 = clamp(Math.min(corners[a], corners[b], corners[c]) - x0, nx);
    const i1 = clamp(Math.max(corners[a], corners[b], corners[c]) - x0, nx);
    const j0 = clamp(Math.min(corners[a + 1], corners[b + 1], corners[c + 1]) - y0, ny);
    const j1 = clamp(Math.max(corners[a + 1], corners[b + 1], corners[c + 1]) - y0, ny);
    for (let p = i0; p <= i1; p++) for (let q = j0; q <= j1; q++) visit(p * ny + q);
  };
  const triangles = index.length / 3;
  for (let t = 0; t < triangles; t++) cells(t, (cell) => (start[cell + 1] += 1));
  for (let c = 0; c < nx * ny; c++) start[c + 1] += start[c];
  const list = new Uint32Array(start[nx * ny]);
  const next = start.slice();
  for (let t = 0; t < triangles; t++) cells(t, (cell) => (list[next[cell]++] = t));
  return { origin: chunk.origin, corners, index, x0, y0, nx, ny, start, list };
}

function moved(p: Float32Array, X: Float32Array, m: number): Float32Array {
  const out = new Float32Array(p.length);
  for (let k = 0; k < p.length; k += 3)
    for (let r = 0; r < 3; r++)
      out[k + r] = X[m + 4 * r] * p[k] + X[m + 4 * r + 1] * p[k + 1] + X[m + 4 * r + 2] * p[k + 2] + X[m + 4 * r + 3];
  return out;
}

function castBuckets(b: Buckets, p_W: Vec3, way: Vec3, far: number): number {
  const p = [p_W[0] - b.origin[0], p_W[1] - b.origin[1], p_W[2] - b.origin[2]];
  let nearest = far;
  const seen = new Set<number>();
  // Half a cell at a time: rays here are a few metres long.
  const steps = Math.ceil((far * Math.hypot(way[0], way[1])) / (CELL / 2)) + 1;
  for (let s = 0; s <= steps; s++) {
    const t = (far * s) / steps;
    const i = Math.floor((p[0] + way[0] * t - b.x0) / CELL);
    const j = Math.floor((p[1] + way[1] * t - b.y0) / CELL);
    if (i < 0 || j < 0 || i >= b.nx || j >= b.ny || seen.has(i * b.ny + j)) continue;
    seen.add(i * b.ny + j);
    for (let k = b.start[i * b.ny + j]; k < b.start[i * b.ny + j + 1]; k++)
      nearest = Math.min(nearest, hit(b, b.list[k], p, way, nearest));
  }
  return nearest;
}

/** Distance to a triangle after Möller and Trumbore, or `far`. */
function hit(b: Buckets, t: number, p: number[], way: Vec3, far: number): number {
  const { corners, index } = b;
  const [i, j, k] = [3 * index[3 * t], 3 * index[3 * t + 1], 3 * index[3 * t + 2]];
  const e = [corners[j] - corners[i], corners[j + 1] - corners[i + 1], corners[j + 2] - corners[i + 2]];
  const f = [corners[k] - corners[i], corners[k + 1] - corners[i + 1], corners[k + 2] - corners[i + 2]];
  const h = cross(way, f);
  const a = dot(e, h);
  if (Math.abs(a) < 1e-12) return far;
  const s = [p[0] - corners[i], p[1] - corners[i + 1], p[2] - corners[i + 2]];
  const u = dot(s, h) / a;
  const q = cross(s, e);
  const v = dot(way, q) / a;
  if (u < 0 || v < 0 || u + v > 1) return far;
  const distance = dot(f, q) / a;
  return distance > 1e-4 && distance < far ? distance : far;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
