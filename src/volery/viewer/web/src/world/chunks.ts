/** The world as it comes: meshes and chunks are taken in a few at a time, so that no picture waits for them. */

import { Mesh, Scene, WebGLRenderTarget, type BufferGeometry, type Material, PerspectiveCamera, MeshBasicMaterial } from "three";
import type { App } from "../app";
import type { Frame } from "../frames";
import type { ChunkHeader, Gone, MeshHeader, Vec3 } from "../protocol";
import { Ground } from "./ground";
import { pieces, type Lamp, type Pieces } from "./geometry";
import { Kind, Level } from "./kinds";
import type { Matter } from "./matter";

/** What taking things in may cost a picture: time [ms], or a share of a slow picture's, and bytes a millisecond. */
const BUDGET_MS = 4;
const BUDGET_SHARE = 0.2;
const BUDGET_BYTES = 750_000;

/** A piece of the world: k things. */
export interface Chunk {
  key: string;
  origin: Vec3;
  /** The chunk's origin relative to the floating one [m]. */
  dx: number;
  dy: number;
  dz: number;
  kinds: Kind[];
  /** Matrices [k·12] relative to the chunk's origin. */
  X: Float32Array;
  /** Spheres round things [k·4] relative to the chunk's origin. */
  spheres: Float32Array;
  /** Sphere round all of them, relative to the floating origin. */
  x: number;
  y: number;
  z: number;
  radius: number;
}

type Waiting = Frame<MeshHeader> | Frame<ChunkHeader>;

export class Chunks {
  readonly chunks = new Map<string, Chunk>();
  readonly kinds = new Map<number, Kind>();
  readonly ground = new Ground();
  /** Grows with every change. */
  version = 0;
  private readonly queue: Waiting[] = [];
  private readonly warmer = new Warmer();

  constructor(
    private readonly app: App,
    private readonly matter: Matter,
    private readonly materials: { solid: Material; clear: Material },
  ) {
    const { events } = app;
    events.on("mesh", (frame) => this.queue.push(frame));
    events.on("chunk", (frame) => this.queue.push(frame));
    events.on("gone", (gone) => this.forget(gone));
    events.on("world", () => this.clear());
    events.on("origin", () => this.chunks.forEach((chunk) => this.place(chunk)));
  }

  /** Pieces of a mesh at full detail, for robots; null: it has not come. */
  mesh(id: number): Pieces | null {
    return this.kinds.get(id)?.levels[0]?.pieces ?? null;
  }

  /** How many frames wait to be taken in. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Take in what came, within the budget of a picture that takes so long [s]. */
  pump(seconds: number): void {
    const budget = Math.max(BUDGET_MS, 1000 * BUDGET_SHARE * seconds);
    const end = performance.now() + budget;
    let bytes = 0;
    let next = 0;
    while (next < this.queue.length && bytes < BUDGET_BYTES * budget && performance.now() < end) {
      const frame = this.queue[next++];
      if (frame.header.kind === "mesh") bytes += this.takeMesh(frame as Frame<MeshHeader>);
      else this.takeChunk(frame as Frame<ChunkHeader>);
    }
    if (next) {
      this.queue.splice(0, next);
      this.version += 1;
    }
  }

  /** Lamps of the world: places relative to the floating origin. */
  *lamps(): Generator<Lamp> {
    for (const chunk of this.chunks.values())
      for (let i = 0; i < chunk.kinds.length; i++) {
        const lamps = chunk.kinds[i].finest?.pieces.lamps ?? [];
        for (const lamp of lamps) yield { place: placed(chunk, 12 * i, lamp.place), light: lamp.light };
      }
  }

  private takeMesh(frame: Frame<MeshHeader>): number {
    const { header } = frame;
    const kind = this.kindOf(header.of);
    const first = !kind.ready;
    const made = pieces(frame, this.matter);
    kind.put(header.level, new Level(this.app.scene, made, this.materials));
    if (kind.uses > 0) this.chunks.forEach((chunk) => this.improve(chunk, kind, first));
    if (made.solid) this.warmer.warm(this.app, made.solid);
    return made.bytes;
  }

  private takeChunk(frame: Frame<ChunkHeader>): void {
    const { header, arrays } = frame;
    const key = header.key.join(",");
    this.drop(key);
    const index = arrays.kind as Uint16Array;
    const kinds = Array.from(index, (i) => this.kindOf(header.meshes[i]));
    const chunk: Chunk = {
      ...{ key, origin: header.origin, kinds, X: arrays.X as Float32Array, spheres: new Float32Array(4 * index.length) },
      ...{ dx: 0, dy: 0, dz: 0, x: 0, y: 0, z: 0, radius: 0 },
    };
    this.chunks.set(key, chunk);
    kinds.forEach((kind) => (kind.uses += 1));
    this.measure(chunk);
    this.ground.add(chunk);
  }

  /** A chunk's thing can be drawn for the first time, or more finely. */
  private improve(chunk: Chunk, kind: Kind, first: boolean): void {
    if (!chunk.kinds.includes(kind)) return;
    if (first) this.measure(chunk);
    this.ground.add(chunk, kind);
  }

  private kindOf(id: number): Kind {
    let kind = this.kinds.get(id);
    if (!kind) this.kinds.set(id, (kind = new Kind(id)));
    return kind;
  }

  /** Spheres of a chunk's things, once their meshes are known. */
  private measure(chunk: Chunk): void {
    const { X, spheres, kinds } = chunk;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < kinds.length; i++) {
      const m = 12 * i;
      const scale = Math.cbrt(Math.abs(determinant(X, m)));
      const r = kinds[i].radius * scale;
      const middle = turned(X, m, kinds[i].middle);
      spheres[4 * i + 3] = r;
      for (let c = 0; c < 3; c++) {
        spheres[4 * i + c] = middle[c];
        low[c] = Math.min(low[c], middle[c] - r);
        high[c] = Math.max(high[c], middle[c] + r);
      }
    }
    chunk.radius = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
    chunk.x = (low[0] + high[0]) / 2 + chunk.dx;
    chunk.y = (low[1] + high[1]) / 2 + chunk.dy;
    chunk.z = (low[2] + high[2]) / 2 + chunk.dz;
    this.place(chunk);
  }

  private place(chunk: Chunk): void {
    const [x, y, z] = [chunk.x - chunk.dx, chunk.y - chunk.dy, chunk.z - chunk.dz];
    chunk.dx = chunk.origin[0] - this.app.origin[0];
    chunk.dy = chunk.origin[1] - this.app.origin[1];
    chunk.dz = chunk.origin[2] - this.app.origin[2];
    chunk.x = x + chunk.dx;
    chunk.y = y + chunk.dy;
    chunk.z = z + chunk.dz;
    this.version += 1;
  }

  private drop(key: string): void {
    const chunk = this.chunks.get(key);
    if (!chunk) return;
    this.chunks.delete(key);
    this.ground.remove(key);
    for (const kind of chunk.kinds) kind.uses -= 1;
    this.version += 1;
  }

  private forget(gone: Gone): void {
    const keys = new Set(gone.keys.map((key) => key.join(",")));
    const meshes = new Set(gone.meshes ?? []);
    for (const key of keys) this.drop(key);
    for (const id of meshes) {
      this.kinds.get(id)?.dispose();
      this.kinds.delete(id);
    }
    // What still waits to be taken in.
    const kept = this.queue.filter(({ header }) =>
      header.kind === "chunk" ? !keys.has(header.key.join(",")) : !meshes.has(header.of),
    );
    this.queue.splice(0, this.queue.length, ...kept);
  }

  private clear(): void {
    this.queue.length = 0;
    for (const key of [...this.chunks.keys()]) this.drop(key);
    for (const kind of this.kinds.values()) kind.dispose();
    this.kinds.clear();
  }
}

const determinant = (X: Float32Array, m: number): number =>
  X[m] * (X[m + 5] * X[m + 10] - X[m + 6] * X[m + 9]) -
  X[m + 1] * (X[m + 4] * X[m + 10] - X[m + 6] * X[m + 8]) +
  X[m + 2] * (X[m + 4] * X[m + 9] - X[m + 5] * X[m + 8]);

/** A matrix of a chunk times a point. */
const turned = (X: Float32Array, m: number, p: ArrayLike<number>): Vec3 => [
  X[m] * p[0] + X[m + 1] * p[1] + X[m + 2] * p[2] + X[m + 3],
  X[m + 4] * p[0] + X[m + 5] * p[1] + X[m + 6] * p[2] + X[m + 7],
  X[m + 8] * p[0] + X[m + 9] * p[1] + X[m + 10] * p[2] + X[m + 11],
];

const placed = (chunk: Chunk, m: number, p: Vec3): Vec3 => {
  const [x, y, z] = turned(chunk.X, m, p);
  return [x + chunk.dx, y + chunk.dy, z + chunk.dz];
};

/** Sends geometry to the graphics card before it is first seen, by drawing one triangle of it elsewhere. */
class Warmer {
  private readonly target = new WebGLRenderTarget(1, 1);
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera();
  private readonly material = new MeshBasicMaterial({ colorWrite: false });

  warm(app: App, geometry: BufferGeometry): void {
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    geometry.setDrawRange(0, 3);
    const before = app.renderer.getRenderTarget();
    app.renderer.setRenderTarget(this.target);
    app.renderer.render(this.scene, this.camera);
    app.renderer.setRenderTarget(before);
    geometry.setDrawRange(0, Infinity);
    this.scene.remove(mesh);
  }
}
