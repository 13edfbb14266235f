/** A periodic volume of noise for the grain of surfaces, clouds and water: value and slopes, made once. */

import { Data3DTexture, LinearFilter, LinearMipmapLinearFilter, RGBAFormat, RepeatWrapping, UnsignedByteType } from "three";

const EDGE = 64;
const OCTAVES = [2, 4, 8, 16, 32];
/** How much weaker each octave is than the one before. */
const FALL = 0.76;
/** Values and slopes are kept within these. */
export const VALUE_RANGE = 2.5;
export const SLOPE_RANGE = 1.5;

/** Even random numbers of a seed (mulberry32). */
export function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Lattice places and weights of a smooth interpolation along an axis. */
function along(cells: number): { low: Uint8Array; high: Uint8Array; part: Float32Array } {
  const low = new Uint8Array(EDGE);
  const high = new Uint8Array(EDGE);
  const part = new Float32Array(EDGE);
  for (let i = 0; i < EDGE; i++) {
    const x = (i * cells) / EDGE;
    const t = x - Math.floor(x);
    low[i] = Math.floor(x);
    high[i] = (low[i] + 1) % cells;
    part[i] = t * t * t * (t * (6 * t - 15) + 10);
  }
  return { low, high, part };
}

function addOctave(out: Float32Array, cells: number, strength: number, random: () => number): void {
  const lattice = Float32Array.from({ length: cells ** 3 }, () => (2 * random() - 1) * strength);
  const { low, high, part } = along(cells);
  let n = 0;
  for (let k = 0; k < EDGE; k++) {
    const z0 = low[k] * cells * cells;
    const z1 = high[k] * cells * cells;
    for (let j = 0; j < EDGE; j++) {
      const [a, b, c, d] = [z0 + low[j] * cells, z0 + high[j] * cells, z1 + low[j] * cells, z1 + high[j] * cells];
      for (let i = 0; i < EDGE; i++) {
        const t = part[i];
        const p = lattice[a + low[i]] + (lattice[a + high[i]] - lattice[a + low[i]]) * t;
        const q = lattice[b + low[i]] + (lattice[b + high[i]] - lattice[b + low[i]]) * t;
        const r = lattice[c + low[i]] + (lattice[c + high[i]] - lattice[c + low[i]]) * t;
        const s = lattice[d + low[i]] + (lattice[d + high[i]] - lattice[d + low[i]]) * t;
        const near = p + (q - p) * part[j];
        const far = r + (s - r) * part[j];
        out[n++] += near + (far - near) * part[k];
      }
    }
  }
}

/** Noise of zero mean and unit spread, [64³]. */
function cloud(): Float32Array {
  const random = randoms(1);
  const out = new Float32Array(EDGE ** 3);
  OCTAVES.forEach((cells, i) => addOctave(out, cells, FALL ** i, random));
  let sum = 0;
  let squares = 0;
  for (const value of out) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / out.length;
  const spread = Math.sqrt(squares / out.length - mean * mean);
  return out.map((value) => (value - mean) / spread);
}

const byte = (x: number, range: number): number => Math.max(0, Math.min(255, Math.round((x / range) * 127.5 + 127.5)));

/** The volume as a texture: value, slopes along x, y and z per texel; it repeats. */
export function grainTexture(): Data3DTexture {
  const values = cloud();
  const data = new Uint8Array(4 * values.length);
  const at = (i: number, j: number, k: number): number =>
    values[((k & 63) * EDGE + (j & 63)) * EDGE + (i & 63)];
  let n = 0;
  for (let k = 0; k < EDGE; k++)
    for (let j = 0; j < EDGE; j++)
      for (let i = 0; i < EDGE; i++) {
        data[n++] = byte(at(i, j, k), VALUE_RANGE);
        data[n++] = byte((at(i + 1, j, k) - at(i - 1, j, k)) / 2, SLOPE_RANGE);
        data[n++] = byte((at(i, j + 1, k) - at(i, j - 1, k)) / 2, SLOPE_RANGE);
        data[n++] = byte((at(i, j, k + 1) - at(i, j, k - 1)) / 2, SLOPE_RANGE);
      }
  const texture = new Data3DTexture(data, EDGE, EDGE, EDGE);
  texture.format = RGBAFormat;
  texture.type = UnsignedByteType;
  texture.wrapS = texture.wrapT = texture.wrapR = RepeatWrapping;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = true;
  texture.unpackAlignment = 4;
  texture.needsUpdate = true;
  return texture;
}
