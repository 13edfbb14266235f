/** Which things are drawn, and how finely: by their size on the screen. Called at every larger move of the camera. */

import { Frustum, Matrix4, Vector4, type PerspectiveCamera } from "three";
import type { Chunk, Chunks } from "./chunks";
import { EYE } from "./kinds";

/** Things smaller than this on the screen are left out [pixels of radius]; they shrink before. */
const SMALLEST = 1.6;
const FADE = 1.6;
/** Triangles for each pixel of a thing's square on the screen, at full detail. */
const DENSITY = 0.6;
/** Things nearer than this [m] are shown finely, whatever the quality: large leaves before the eye look broken. */
const NEAR = 10;
/** A thing whose coarsest level has so many times more triangles than that is left out too. */
const TOO_MANY = 12;
/** Sides of the view are taken wider by this [rad], so that a turn shows nothing missing before the next call. */
export const MARGIN = 0.16;

export interface View {
  /** Place of the eye relative to the origin [m]. */
  x: number;
  y: number;
  z: number;
  /** Pixels per radian in the middle of the picture. */
  focal: number;
  /** 1: full detail; less: coarser, and small things vanish earlier. */
  detail: number;
}

/** Planes of the sides of a view: normals and offsets, [5·4]; widened for perspective ones. */
export function sidesOf(camera: PerspectiveCamera, out: Float32Array): void {
  const wide = camera.clone();
  wide.fov = Math.min(170, camera.fov + (2 * MARGIN * 180) / Math.PI);
  wide.aspect = camera.aspect * 1.1;
  wide.updateProjectionMatrix();
  wide.updateMatrixWorld(true);
  writePlanes(new Matrix4().multiplyMatrices(wide.projectionMatrix, wide.matrixWorldInverse), out);
}

/** Planes of a projection's four sides into out [4·4]. */
export function writePlanes(projection: Matrix4, out: Float32Array): void {
  const frustum = new Frustum().setFromProjectionMatrix(projection);
  const v = new Vector4();
  for (let i = 0; i < 4; i++) {
    const { normal, constant } = frustum.planes[i];
    v.set(normal.x, normal.y, normal.z, constant).toArray(out, 4 * i);
  }
}

function outside(planes: Float32Array, x: number, y: number, z: number, r: number): boolean {
  for (let i = 0; i < 16; i += 4)
    if (planes[i] * x + planes[i + 1] * y + planes[i + 2] * z + planes[i + 3] < -r) return true;
  return false;
}

/** Write an instance's 3 × 4 matrix, scaled and shifted, as a column-major 4 × 4. */
function write(to: Float32Array, n: number, X: Float32Array, m: number, s: number, dx: number, dy: number, dz: number): void {
  to[n] = X[m] * s;
  to[n + 1] = X[m + 4] * s;
  to[n + 2] = X[m + 8] * s;
  to[n + 3] = 0;
  to[n + 4] = X[m + 1] * s;
  to[n + 5] = X[m + 5] * s;
  to[n + 6] = X[m + 9] * s;
  to[n + 7] = 0;
  to[n + 8] = X[m + 2] * s;
  to[n + 9] = X[m + 6] * s;
  to[n + 10] = X[m + 10] * s;
  to[n + 11] = 0;
  to[n + 12] = X[m + 3] + dx;
  to[n + 13] = X[m + 7] + dy;
  to[n + 14] = X[m + 11] + dz;
  to[n + 15] = 1;
}

/** Fill the lists of a pass anew; returns the triangles that it draws. */
export function bin(chunks: Chunks, view: View, planes: Float32Array, pass: number): number {
  for (const kind of chunks.kinds.values())
    for (const level of kind.levels) level?.reset(pass);
  let triangles = 0;
  for (const chunk of chunks.chunks.values()) {
    if (!outside(planes, chunk.x, chunk.y, chunk.z, chunk.radius)) triangles += binChunk(chunk, view, planes, pass);
  }
  for (const kind of chunks.kinds.values())
    for (const level of kind.levels) level?.passes[pass]?.show();
  return triangles;
}

function binChunk(chunk: Chunk, view: View, planes: Float32Array, pass: number): number {
  const { X, spheres, kinds, dx, dy, dz } = chunk;
  const smallest = (SMALLEST / Math.sqrt(view.detail)) * (pass === EYE ? 1 : 1.3);
  const dense = DENSITY * view.detail * (pass === EYE ? 1 : 0.3);
  let triangles = 0;
  for (let i = 0, s = 0; i < kinds.length; i++, s += 4) {
    const kind = kinds[i];
    if (!kind.ready) continue;
    const x = spheres[s] + dx;
    const y = spheres[s + 1] + dy;
    const z = spheres[s + 2] + dz;
    const r = spheres[s + 3];
    const away = Math.hypot(x - view.x, y - view.y, z - view.z);
    // Of large things the near side counts.
    const size = (view.focal * r * kind.slim) / Math.max(away - 0.5 * r, 0.5);
    if (size < smallest || outside(planes, x, y, z, r)) continue;
    const near = pass === EYE && away < NEAR + 0.7 * r;
    const few = Math.max(dense * size * size, near ? kind.nearTriangles : 0);
    const level = kind.levels[kind.levelFor(few)];
    if (level.pieces.triangles > TOO_MANY * few + 200) continue;
    const scale = Math.min(1, (size - smallest) / (FADE * smallest - smallest));
    const drawn = level.drawn(pass);
    const n = drawn.next();
    write(drawn.array, n, X, 12 * i, scale, dx, dy, dz);
    triangles += level.pieces.triangles;
  }
  return triangles;
}
