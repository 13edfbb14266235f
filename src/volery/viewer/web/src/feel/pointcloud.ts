/** Numbers out of PointCloud2 messages. */

import type { SensorMsgsPointCloud2 } from "../messages";

/** Readers by the number that PointField has for a type, and sizes [bytes]. */
const TYPES: Record<number, { size: number; read: (view: DataView, at: number) => number }> = {
  1: { size: 1, read: (view, at) => view.getInt8(at) },
  2: { size: 1, read: (view, at) => view.getUint8(at) },
  3: { size: 2, read: (view, at) => view.getInt16(at, true) },
  4: { size: 2, read: (view, at) => view.getUint16(at, true) },
  5: { size: 4, read: (view, at) => view.getInt32(at, true) },
  6: { size: 4, read: (view, at) => view.getUint32(at, true) },
  7: { size: 4, read: (view, at) => view.getFloat32(at, true) },
  8: { size: 8, read: (view, at) => view.getFloat64(at, true) },
};

const viewOf = ({ data }: SensorMsgsPointCloud2): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Points [n·3] in the cloud's frame into `out`; returns how many. Points that are not numbers lie at infinity. */
export function pointsOf(cloud: SensorMsgsPointCloud2, out: Float32Array): number {
  const count = cloud.width * cloud.height;
  ["x", "y", "z"].forEach((name, i) => write(cloud, name, out, 3, i));
  for (let i = 0; i < 3 * count; i++) if (!Number.isFinite(out[i])) out[i] = 1e12;
  return count;
}

/** A field of all points into out [n]; false: the cloud has none of this name. */
export function fieldOf(cloud: SensorMsgsPointCloud2, name: string, out: Float32Array): boolean {
  return write(cloud, name, out, 1, 0);
}

function write(cloud: SensorMsgsPointCloud2, name: string, out: Float32Array, stride: number, shift: number): boolean {
  const field = cloud.fields.find((f) => f.name === name);
  const type = field && TYPES[field.datatype];
  if (!field || !type) return false;
  const view = viewOf(cloud);
  const count = cloud.width * cloud.height;
  const { read } = type;
  if (field.datatype === 7 && (view.byteOffset + field.offset) % 4 === 0 && cloud.point_step % 4 === 0) {
    const words = new Float32Array(view.buffer, view.byteOffset + field.offset, Math.floor((view.byteLength - field.offset) / 4));
    const step = cloud.point_step / 4;
    for (let i = 0; i < count; i++) out[stride * i + shift] = words[step * i];
  } else {
    for (let i = 0, at = field.offset; i < count; i++, at += cloud.point_step) out[stride * i + shift] = read(view, at);
  }
  return true;
}
