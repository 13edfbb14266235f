/** Pictures of cameras as colours: JPEG and PNG files, rgb8, depth, labels, normals and heat. */

import type { SensorMsgsCompressedImage, SensorMsgsImage } from "../messages";

/** Google's Turbo colour map as a polynomial (Mikhailov), 0 to 1. */
function turbo(x: number): [number, number, number] {
  const t = Math.min(Math.max(x, 0), 1);
  const poly = (c: number[]) => c.reduceRight((sum, k) => sum * t + k, 0);
  const r = poly([0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943]);
  const g = poly([0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604]);
  const b = poly([0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973]);
  return [r, g, b].map((v) => Math.round(255 * Math.min(Math.max(v, 0), 1))) as [number, number, number];
}

const pack = (r: number, g: number, b: number) => (255 << 24) | (b << 16) | (g << 8) | r;
const RAMP = Uint32Array.from({ length: 256 }, (_, i) => pack(...turbo(0.04 + (0.92 * i) / 255)));
const SKY = pack(12, 14, 18);

/** A colour that belongs to a whole number, bright and unlike its neighbours'. */
function labelColour(label: number): number {
  if (label <= 0) return SKY;
  const hue = (label * 0.61803398875) % 1;
  const part = (shift: number) => Math.round(255 * (0.35 + 0.6 * Math.abs((((hue + shift) % 1) * 2 - 1))));
  return pack(part(0), part(1 / 3), part(2 / 3));
}

const labels = new Map<number, number>();
function labelOf(value: number): number {
  let colour = labels.get(value);
  if (colour === undefined) labels.set(value, (colour = labelColour(value)));
  return colour;
}

/** A picture file's pixels. */
export function unpackPicture(message: SensorMsgsCompressedImage): Promise<ImageBitmap> {
  const type = message.format.includes("png") ? "image/png" : "image/jpeg";
  return createImageBitmap(new Blob([message.data as BlobPart], { type }));
}

/** Raw pixels as colours; `words` says what range they stand for. Null if the encoding is not known. */
export function paint(message: SensorMsgsImage): { image: ImageData; words: string } | null {
  const { width, height, encoding } = message;
  const image = new ImageData(width, height);
  const out = new Uint32Array(image.data.buffer);
  const words = ENCODINGS[encoding]?.(message, out);
  return words === undefined ? null : { image, words };
}

type Paint = (message: SensorMsgsImage, out: Uint32Array) => string;

function numbers<Kind>(message: SensorMsgsImage, array: { new (b: ArrayBufferLike, o: number, n: number): Kind }): Kind {
  const { data } = message;
  const at = data.byteOffset;
  const count = data.byteLength >> 2;
  if (at % 4 === 0) return new array(data.buffer, at, count);
  return new array(data.buffer.slice(at, at + 4 * count), 0, count);
}

const ENCODINGS: Record<string, Paint> = {
  rgb8: ({ data }, out) => {
    for (let i = 0, j = 0; i < out.length; i++, j += 3) out[i] = pack(data[j]!, data[j + 1]!, data[j + 2]!);
    return "";
  },
  bgr8: ({ data }, out) => {
    for (let i = 0, j = 0; i < out.length; i++, j += 3) out[i] = pack(data[j + 2]!, data[j + 1]!, data[j]!);
    return "";
  },
  mono8: ({ data }, out) => {
    for (let i = 0; i < out.length; i++) out[i] = pack(data[i]!, data[i]!, data[i]!);
    return "";
  },
  "32FC1": (message, out) => {
    const values = numbers(message, Float32Array);
    const [low, high] = range(values);
    // Even in the logarithm, so that what is near shows as much as what is far.
    const from = Math.log(Math.max(low, 1e-3));
    const scale = 255 / Math.max(Math.log(Math.max(high, 1e-3)) - from, 1e-6);
    for (let i = 0; i < out.length; i++) {
      const value = values[i]!;
      const at = 255 - Math.round((Math.log(Math.max(value, 1e-3)) - from) * scale);
      out[i] = Number.isFinite(value) ? RAMP[Math.min(Math.max(at, 0), 255)]! : SKY;
    }
    return `${low.toPrecision(3)} – ${high.toPrecision(3)}`;
  },
  "32SC1": (message, out) => {
    const values = numbers(message, Int32Array);
    for (let i = 0; i < out.length; i++) out[i] = labelOf(values[i]!);
    return "";
  },
  "32FC3": (message, out) => {
    const values = numbers(message, Float32Array);
    const byte = (v: number) => Math.round(127.5 * (Math.min(Math.max(v, -1), 1) + 1));
    for (let i = 0, j = 0; i < out.length; i++, j += 3) out[i] = pack(byte(values[j]!), byte(values[j + 1]!), byte(values[j + 2]!));
    return "";
  },
  "32FC2": (message, out) => {
    const values = numbers(message, Float32Array);
    for (let i = 0, j = 0; i < out.length; i++, j += 2) {
      const length = Math.hypot(values[j]!, values[j + 1]!);
      out[i] = Number.isFinite(length) ? RAMP[Math.min(Math.round(length * 12), 255)]! : SKY;
    }
    return "";
  },
};

/** Least and most of what is finite. */
function range(values: Float32Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
