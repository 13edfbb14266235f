/** Kinds of things: a mesh with its levels of detail, each drawn as instances. */

import { BufferGeometry, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, type Material, type Scene } from "three";
import type { Pieces } from "./geometry";

/** Passes that a thing can be drawn in: to the eye, from the sun (3 cascades), and from above. */
export const EYE = 0;
export const PASSES = 5;
/** Layer of three.js that a pass draws; robots are in all of them. */
export const layerOf = (pass: number): number => (pass === EYE ? 0 : 9 + pass);

const FIRST_CAPACITY = 8;
const nothing = new BufferGeometry();

/** Instances of one level in one pass: a list of places that is filled anew whenever the view changed. */
export class Drawn {
  count = 0;
  array: Float32Array;
  private readonly meshes: InstancedMesh[] = [];

  constructor(
    private readonly scene: Scene,
    pieces: Pieces,
    materials: { solid: Material; clear: Material },
    private readonly pass: number,
  ) {
    if (pieces.solid) this.add(pieces.solid, materials.solid);
    if (pieces.clear && pass === EYE) this.add(pieces.clear, materials.clear);
    this.array = this.grow(FIRST_CAPACITY);
  }

  private add(geometry: BufferGeometry, material: Material): void {
    const mesh = new InstancedMesh(geometry, material, 0);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.matrixWorldAutoUpdate = false;
    mesh.visible = false;
    mesh.layers.set(layerOf(this.pass));
    this.scene.add(mesh);
    this.meshes.push(mesh);
  }

  private grow(capacity: number): Float32Array {
    const array = new Float32Array(16 * capacity);
    if (this.array) array.set(this.array);
    const attribute = new InstancedBufferAttribute(array, 16);
    attribute.setUsage(DynamicDrawUsage);
    for (const mesh of this.meshes) {
      mesh.dispose();
      mesh.instanceMatrix = attribute;
    }
    return array;
  }

  /** Room for one more: where its 16 numbers go. */
  next(): number {
    if (16 * this.count >= this.array.length) this.array = this.grow(2 * (this.array.length / 16));
    return 16 * this.count++;
  }

  /** Show what the list holds now. */
  show(): void {
    for (const mesh of this.meshes) {
      mesh.visible = this.count > 0;
      mesh.count = this.count;
      const { instanceMatrix } = mesh;
      if (!this.count) continue;
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.addUpdateRange(0, 16 * this.count);
      instanceMatrix.needsUpdate = true;
    }
  }

  /** Take it out of the scene. */
  dispose(): void {
    for (const mesh of this.meshes) {
      this.scene.remove(mesh);
      mesh.dispose();
      mesh.geometry = nothing;
    }
  }
}

/** A level of detail; its lists are made when first needed. */
export class Level {
  readonly passes: (Drawn | null)[] = new Array<Drawn | null>(PASSES).fill(null);

  constructor(
    private readonly scene: Scene,
    readonly pieces: Pieces,
    private readonly materials: { solid: Material; clear: Material },
  ) {}

  /** Its list in a pass. */
  drawn(pass: number): Drawn {
    return (this.passes[pass] ??= new Drawn(this.scene, this.pieces, this.materials, pass));
  }

  /** Empty its list in a pass. */
  reset(pass: number): void {
    const drawn = this.passes[pass];
    if (drawn) drawn.count = 0;
  }

  /** Free what the graphics card holds. */
  dispose(): void {
    this.passes.forEach((drawn) => drawn?.dispose());
    this.pieces.solid?.dispose();
    this.pieces.clear?.dispose();
  }
}

/** A mesh and its levels of detail, the finest first; it exists before its levels have come. */
export class Kind {
  readonly levels: Level[] = [];
  /** Sphere round it: middle [m] and radius [m]. */
  readonly middle = new Float32Array(3);
  radius = 0;
  /** How much of the sphere is seen, as a share of its radius: less of long and flat things. */
  slim = 1;
  /** The finest level that has come. */
  finest: Level | null = null;
  /** Instances of it in chunks. */
  uses = 0;

  constructor(readonly id: number) {}

  /** Take a level; the coarsest comes first. */
  put(level: number, made: Level): void {
    this.levels[level]?.dispose();
    this.levels[level] = made;
    const [low, high] = made.pieces.bounds;
    for (let i = 0; i < 3; i++) this.middle[i] = (low[i] + high[i]) / 2;
    const [x, y, z] = [0, 1, 2].map((i) => Math.max(high[i] - low[i], 0.02) / 2);
    this.radius = Math.hypot(x, y, z);
    this.slim = Math.cbrt(x * y * z) / this.radius;
    this.finest = this.levels.find((there) => there !== undefined) ?? null;
  }

  /** True if it can be drawn. */
  get ready(): boolean {
    return this.finest !== null;
  }

  /** The finest level with at most so many triangles, else the coarsest; -1: none has come. */
  levelFor(triangles: number): number {
    let found = -1;
    for (let k = 0; k < this.levels.length; k++) {
      if (!this.levels[k]) continue;
      found = k;
      if (this.levels[k].pieces.triangles <= triangles) break;
    }
    return found;
  }

  /** Triangles of the level before the finest, or of the finest: what near things have at least. */
  get nearTriangles(): number {
    const level = this.levels[1] ?? this.finest;
    return level ? level.pieces.triangles : 0;
  }

  /** Free what the graphics card holds. */
  dispose(): void {
    for (const level of this.levels) level?.dispose();
    this.levels.length = 0;
    this.finest = null;
  }
}
