/** The binary frame: u32 length of the header, header as JSON, padding, and arrays at multiples of 8 bytes. */

export type Array_ =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array;

export interface Frame<Header> {
  header: Header;
  arrays: Record<string, Array_>;
  shapes: Record<string, number[]>;
}

const KINDS = {
  f4: Float32Array,
  f8: Float64Array,
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
} as const;

const text = new TextDecoder();

/** Header and arrays of a frame; arrays are views into the buffer. */
export function unpack<Header extends { kind: string }>(buffer: ArrayBuffer): Frame<Header> {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(text.decode(new Uint8Array(buffer, 4, length))) as Header & {
    arrays?: Record<string, [keyof typeof KINDS, number[], number]>;
  };
  const start = Math.ceil((4 + length) / 8) * 8;
  const arrays: Record<string, Array_> = {};
  const shapes: Record<string, number[]> = {};
  for (const [name, [kind, shape, offset]] of Object.entries(header.arrays ?? {})) {
    const count = shape.reduce((product, n) => product * n, 1);
    arrays[name] = new KINDS[kind](buffer, start + offset, count);
    shapes[name] = shape;
  }
  return { header, arrays, shapes };
}
