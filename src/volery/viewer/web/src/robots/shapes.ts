/** Shapes of bodies, and skins that bend with bones, as three.js has them. */

import { Bone, Float32BufferAttribute, Matrix4, Mesh, Skeleton, SkinnedMesh, Uint16BufferAttribute, type Group, type Material, type Object3D } from "three";
import type { Pieces } from "../world/geometry";

/** A body's shape: what is solid of it, and what is seen through. */
export function shapeOf(pieces: Pieces, solid: Material, clear: Material): Object3D[] {
  const parts: Object3D[] = [];
  if (pieces.solid) parts.push(new Mesh(pieces.solid, solid));
  if (pieces.clear) {
    const part = new Mesh(pieces.clear, clear);
    part.userData.seeOnly = true;
    parts.push(part);
  }
  return parts;
}

/** A skin in the scene. */
export class SkinFigure {
  constructor(
    readonly mesh: SkinnedMesh,
    private readonly bones: Bone[],
    private readonly bodies: number[],
  ) {}

  /** Take the places of bodies: a corner lies at Σ weight · X_WB · X_BR_bind · v. */
  bend(bodies: Group[]): void {
    this.bones.forEach((bone, k) => bone.matrixWorld.copy(bodies[this.bodies[k]].matrix));
    this.mesh.skeleton.update();
  }
}

/** A skin of a robot; bodies: which body each of its bones is. */
export function skinOf(pieces: Pieces, bodies: number[], material: Material): SkinFigure {
  if (!pieces.solid || !pieces.skin) throw new Error("a skin's mesh came without bones");
  const { bones, weights, X_BR_bind } = pieces.skin;
  const geometry = pieces.solid.clone();
  geometry.setAttribute("skinIndex", new Uint16BufferAttribute(Uint16Array.from(bones), 4));
  geometry.setAttribute("skinWeight", new Float32BufferAttribute(Float32Array.from(weights, (w) => w / 255), 4));
  const inverses = bodies.map((_, k) => {
    const X = X_BR_bind.subarray(12 * k, 12 * k + 12);
    return new Matrix4().set(X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9], X[10], X[11], 0, 0, 0, 1);
  });
  const made = bodies.map(() => {
    const bone = new Bone();
    bone.matrixAutoUpdate = false;
    bone.matrixWorldAutoUpdate = false;
    return bone;
  });
  const mesh = new SkinnedMesh(geometry, material);
  mesh.bindMode = "detached";
  mesh.bind(new Skeleton(made, inverses), new Matrix4());
  mesh.frustumCulled = false;
  return new SkinFigure(mesh, made, bodies);
}
