/** From a `mesh` frame to what the graphics card takes. */

import { BufferAttribute, BufferGeometry, Sphere, Vector3 } from "three";
import type { Array_, Frame } from "../frames";
import type { MeshHeader, Primitive, Vec3 } from "../protocol";
import type { Matter } from "./matter";

/** A lamp within a mesh: where, and its light as of a point. */
export interface Lamp {
  place: Vec3;
  light: Vec3;
}

/** One level of detail of a mesh, taken apart into what is solid and what is seen through. */
export interface Pieces {
  solid: BufferGeometry | null;
  clear: BufferGeometry | null;
  triangles: number;
  bytes: number;
  bounds: [Vec3, Vec3];
  lamps: Lamp[];
  /** Of a skin: bones [n·4] and weights of sum 255 [n·4] of its corners, and where bones were when it was bound. */
  skin: { bones: Uint8Array; weights: Uint8Array; X_BR_bind: Float32Array } | null;
  /** Corners [m] and triangles, for rays of the camera. */
  corners: Float32Array;
  index: Uint16Array | Uint32Array;
}

const FAINTEST = 1;

/** Corners in metres [n·3]. */
function dequantised(frame: Frame<MeshHeader>): Float32Array {
  const { centre, half } = frame.header;
  const from = frame.arrays.position as Int16Array;
  const halves = typeof half === "number" ? [half, half, half] : half;
  const scale = halves.map((value) => value / 32767);
  const out = new Float32Array(from.length);
  for (let i = 0; i < from.length; i += 3) {
    out[i] = centre[0] + from[i] * scale[0];
    out[i + 1] = centre[1] + from[i + 1] * scale[1];
    out[i + 2] = centre[2] + from[i + 2] * scale[2];
  }
  return out;
}

/** Three components as four, so that each corner begins at a multiple of four bytes. */
function padded(from: Int8Array): Int8Array {
  const out = new Int8Array((from.length / 3) * 4);
  for (let i = 0, j = 0; i < from.length; i += 3, j += 4) {
    out[j] = from[i];
    out[j + 1] = from[i + 1];
    out[j + 2] = from[i + 2];
  }
  return out;
}

/** Write into the colours' fourth byte what each corner is made of. */
function mark(colour: Uint8Array, index: ArrayLike<number>, primitive: Primitive, row: number): void {
  const end = primitive.first + primitive.count;
  for (let i = primitive.first; i < end; i++) colour[4 * index[i] + 3] = row;
}

function gathered(index: Uint16Array | Uint32Array, parts: Primitive[]): Uint16Array | Uint32Array {
  const out = new (index.constructor as Uint16ArrayConstructor)(parts.reduce((sum, p) => sum + p.count, 0));
  let at = 0;
  for (const part of parts) {
    out.set(index.subarray(part.first, part.first + part.count), at);
    at += part.count;
  }
  return out;
}

/** A lamp of the shining triangles of a primitive: power is emission times area over π, as the ray tracer has it. */
function lampOf(p: Float32Array, colour: Uint8Array, index: ArrayLike<number>, primitive: Primitive): Lamp {
  const middle: Vec3 = [0, 0, 0];
  const light: Vec3 = [0, 0, 0];
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let i = primitive.first; i < primitive.first + primitive.count; i += 3) {
    a.fromArray(p, 3 * index[i]);
    b.fromArray(p, 3 * index[i + 1]);
    c.fromArray(p, 3 * index[i + 2]);
    for (let k = 0; k < 3; k++) middle[k] += (a.getComponent(k) + b.getComponent(k) + c.getComponent(k)) / primitive.count;
    const area = b.sub(a).cross(c.sub(a)).length() / 2;
    for (let k = 0; k < 3; k++) {
      const linear = (colour[4 * index[i] + k] / 255) ** 2.2;
      light[k] += ((primitive.emission ?? 8) * linear * area) / Math.PI / 2.5;
    }
  }
  return { place: middle, light };
}

const skinOf = ({ bones, weights, X_BR_bind }: Record<string, Array_>): Pieces["skin"] =>
  bones
    ? { bones: bones as Uint8Array, weights: weights as Uint8Array, X_BR_bind: X_BR_bind as Float32Array }
    : null;

/** Take a frame apart. Solid and clear pieces share their corners. */
export function pieces(frame: Frame<MeshHeader>, matter: Matter): Pieces {
  const { header, arrays } = frame;
  const index = arrays.index as Uint16Array | Uint32Array;
  const colour = (arrays.colour as Uint8Array).slice();
  const position = dequantised(frame);
  for (const primitive of header.primitives) mark(colour, index, primitive, matter.row(primitive));
  const attributes = {
    position: new BufferAttribute(position, 3),
    normal: new BufferAttribute(padded(arrays.normal as Int8Array), 4, true),
    tint: new BufferAttribute(colour, 4, true),
  };
  const [low, high] = header.bounds.map((corner) => new Vector3(...corner));
  const sphere = new Sphere(low.clone().add(high).multiplyScalar(0.5), low.distanceTo(high) / 2);
  const geometry = (parts: Primitive[]): BufferGeometry | null => {
    if (!parts.length) return null;
    const made = new BufferGeometry();
    for (const [name, attribute] of Object.entries(attributes)) made.setAttribute(name, attribute);
    made.setIndex(new BufferAttribute(gathered(index, parts), 1));
    made.boundingSphere = sphere;
    return made;
  };
  const clear = header.primitives.filter((p) => p.surface === "clear");
  const lamps = header.primitives.filter((p) => p.surface === "lamp" && (p.emission ?? 8) >= FAINTEST);
  return {
    solid: geometry(header.primitives.filter((p) => p.surface !== "clear")),
    clear: geometry(clear),
    triangles: index.length / 3,
    bytes: 20 * (position.length / 3) + index.byteLength,
    bounds: header.bounds,
    lamps: lamps.map((p) => lampOf(position, colour, index, p)),
    skin: skinOf(arrays),
    corners: position,
    index,
  };
}
