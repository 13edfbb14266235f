/** One more level of detail for what is far: a few large leaves, and the largest faces of the rest. */

import type { Frame } from "../frames";
import type { MeshHeader, Primitive } from "../protocol";

/** Levels with more triangles than this get one more, of this share of them, within these limits. */
const ENOUGH = 160;
const SHARE = 0.16;
const FEWEST = 48;
const MOST = 130;
/** Least share of leaves that is kept: larger ones would look like flags. */
const SPARSEST = 0.22;
/** Share of the triangles that leaves must have: without them there would be holes. */
const LEAVES = 0.3;

/** A scattered number 0 to 1 for each whole one. */
const scattered = (i: number): number => {
  const x = Math.imul(i ^ 0x9e3779b9, 0x85ebca6b);
  return ((x ^ (x >>> 13)) >>> 0) / 4294967296;
};

/** The frame of the level behind the last one; null: that is not needed, or would show holes. */
export function thinned(frame: Frame<MeshHeader>): Frame<MeshHeader> | null {
  const { header, arrays } = frame;
  const index = arrays.index as Uint16Array;
  const triangles = index.length / 3;
  const leaves = header.primitives.filter((p) => p.surface === "leaf");
  const leafy = leaves.reduce((sum, p) => sum + p.count / 3, 0);
  if (header.level !== header.levels - 1 || triangles <= ENOUGH || leafy < LEAVES * triangles) return null;
  const wanted = Math.max(FEWEST, Math.min(MOST, SHARE * triangles));
  const part = wanted / triangles;
  const builder = new Builder(frame, part);
  const primitives = header.primitives.map((p) => (p.surface === "leaf" ? builder.leaves(p) : builder.largest(p)));
  return builder.frame({ ...header, level: header.level + 1, levels: header.levels + 1, primitives });
}

class Builder {
  private readonly position: number[] = [];
  private readonly normal: number[] = [];
  private readonly colour: number[] = [];
  private readonly index: number[] = [];

  constructor(
    private readonly source: Frame<MeshHeader>,
    private readonly share: number,
  ) {}

  /** Some of the leaves, each so much larger that together they cover as much; a leaf may be two triangles. */
  leaves(p: Primitive): Primitive {
    const first = this.index.length;
    const blocks = Math.floor(p.count / 6);
    const share = Math.max(this.share, SPARSEST);
    for (let b = 0; b < blocks; b++) {
      if (scattered(b) < share) this.copy(p.first + 6 * b, 6, 1 / Math.sqrt(share));
    }
    return { ...p, first, count: this.index.length - first };
  }

  /** The largest triangles. */
  largest(p: Primitive): Primitive {
    const first = this.index.length;
    const order = Array.from({ length: p.count / 3 }, (_, t) => ({ at: p.first + 3 * t, area: this.area(p.first + 3 * t) }));
    order.sort((a, b) => b.area - a.area);
    const kept = Math.ceil(order.length * Math.min(1, 1.5 * this.share));
    for (const { at } of order.slice(0, kept)) this.copy(at, 3, 1);
    return { ...p, first, count: this.index.length - first };
  }

  /** Copy corners of the index from `at` on, larger about their middle. */
  private copy(at: number, count: number, larger: number): void {
    const { arrays } = this.source;
    const { position, normal, colour } = arrays;
    const index = arrays.index;
    const middle = [0, 0, 0];
    for (let i = at; i < at + count; i++) for (let c = 0; c < 3; c++) middle[c] += position[3 * index[i] + c] / count;
    for (let i = at; i < at + count; i++) {
      this.index.push(this.position.length / 3);
      for (let c = 0; c < 3; c++) {
        const value = middle[c] + (position[3 * index[i] + c] - middle[c]) * larger;
        this.position.push(Math.max(-32767, Math.min(32767, Math.round(value))));
        this.normal.push(normal[3 * index[i] + c]);
      }
      for (let c = 0; c < 4; c++) this.colour.push(colour[4 * index[i] + c]);
    }
  }

  private area(at: number): number {
    const { position, index } = this.source.arrays;
    const { half } = this.source.header;
    const scale = typeof half === "number" ? [half, half, half] : half;
    const edge = (i: number): number[] => [0, 1, 2].map((c) => (position[3 * index[at + i] + c] - position[3 * index[at] + c]) * scale[c]);
    const [a, b] = [edge(1), edge(2)];
    return Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  }

  frame(header: MeshHeader): Frame<MeshHeader> {
    const arrays = {
      position: Int16Array.from(this.position),
      normal: Int8Array.from(this.normal),
      colour: Uint8Array.from(this.colour),
      index: Uint16Array.from(this.index),
    };
    return { header, arrays, shapes: {} };
  }
}
