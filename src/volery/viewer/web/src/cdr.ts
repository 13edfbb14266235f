/** ROS 2 messages out of CDR bytes (XCDR1, little endian), driven by the schema that Python wrote into messages.ts.
 *
 * Sequences of numbers are views into the bytes where their place allows it, else copies: keep no message for long if
 * its bytes are large.
 */

import { SCHEMA, type Messages } from "./messages";

export type { Messages } from "./messages";

/** A message of any type. */
export type Message = Record<string, unknown>;

const HEADER = 4;
const LITTLE_ENDIAN = 1;

/** Where one reads: offsets count from behind the header, as CDR aligns them. */
class Cursor {
  readonly view: DataView;
  at = 0;

  constructor(readonly bytes: Uint8Array) {
    if (bytes.length < HEADER) throw new Error(`${bytes.length} bytes are no message: the header alone has ${HEADER}`);
    if (bytes[0] !== 0 || bytes[1] !== LITTLE_ENDIAN) throw new Error("only plain little-endian CDR is read here");
    this.view = new DataView(bytes.buffer, bytes.byteOffset + HEADER, bytes.byteLength - HEADER);
  }

  /** Step over `size` bytes aligned to `align`; returns where they begin. */
  take(size: number, align: number): number {
    const start = (this.at + align - 1) & -align;
    this.at = start + size;
    if (this.at > this.view.byteLength) throw new Error("the message ends too early");
    return start;
  }

  count(): number {
    return this.view.getUint32(this.take(4, 4), true);
  }
}

type Reader<Value = unknown> = (cursor: Cursor) => Value;

interface TypedArray {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): unknown;
}

interface Primitive {
  size: number;
  array: TypedArray;
  read: (view: DataView, at: number) => number | boolean;
}

const BYTE: Primitive = { size: 1, array: Uint8Array, read: (view, at) => view.getUint8(at) };

const PRIMITIVES: Record<string, Primitive> = {
  uint8: BYTE,
  byte: BYTE,
  char: BYTE,
  bool: { ...BYTE, read: (view, at) => view.getUint8(at) !== 0 },
  int8: { size: 1, array: Int8Array, read: (view, at) => view.getInt8(at) },
  int16: { size: 2, array: Int16Array, read: (view, at) => view.getInt16(at, true) },
  uint16: { size: 2, array: Uint16Array, read: (view, at) => view.getUint16(at, true) },
  int32: { size: 4, array: Int32Array, read: (view, at) => view.getInt32(at, true) },
  uint32: { size: 4, array: Uint32Array, read: (view, at) => view.getUint32(at, true) },
  int64: { size: 8, array: BigInt64Array, read: (view, at) => Number(view.getBigInt64(at, true)) },
  uint64: { size: 8, array: BigUint64Array, read: (view, at) => Number(view.getBigUint64(at, true)) },
  float32: { size: 4, array: Float32Array, read: (view, at) => view.getFloat32(at, true) },
  float64: { size: 8, array: Float64Array, read: (view, at) => view.getFloat64(at, true) },
};

const text = new TextDecoder();

function readString(cursor: Cursor): string {
  const length = cursor.count();
  const start = cursor.take(length, 1) + HEADER;
  // The last byte is a NUL.
  return text.decode(cursor.bytes.subarray(start, start + Math.max(length - 1, 0)));
}

function oneReader(type: string): Reader {
  if (type === "string") return readString;
  const primitive = PRIMITIVES[type];
  if (!primitive) return messageReader(type);
  const { size, read } = primitive;
  return (cursor) => read(cursor.view, cursor.take(size, size));
}

function numbersReader(primitive: Primitive, fixed: number): Reader {
  const { size, array } = primitive;
  return (cursor) => {
    const count = fixed < 0 ? cursor.count() : fixed;
    if (count === 0) return new array(new ArrayBuffer(0), 0, 0);
    const start = cursor.take(count * size, size);
    const at = cursor.view.byteOffset + start;
    const { buffer } = cursor.bytes;
    if (at % size === 0) return new array(buffer, at, count);
    return new array(buffer.slice(at, at + count * size), 0, count);
  };
}

function manyReader(type: string, fixed: number): Reader {
  const primitive = PRIMITIVES[type];
  if (primitive && type !== "bool") return numbersReader(primitive, fixed);
  const one = oneReader(type);
  return (cursor) => {
    const count = fixed < 0 ? cursor.count() : fixed;
    if (count > cursor.view.byteLength) throw new Error("the message ends too early");
    const items: unknown[] = [];
    for (let i = 0; i < count; i++) items.push(one(cursor));
    return items;
  };
}

const readers = new Map<string, Reader<Message>>();

function messageReader(type: string): Reader<Message> {
  const found = readers.get(type);
  if (found) return found;
  const fields = SCHEMA[type];
  if (!fields) throw new Error(`the page does not know the message type '${type}'`);
  const parts = fields.map(([name, kind, count]): [string, Reader] => {
    return [name, count === 0 ? oneReader(kind) : manyReader(kind, count)];
  });
  const reader: Reader<Message> = (cursor) => {
    const message: Message = {};
    for (const [name, read] of parts) message[name] = read(cursor);
    return message;
  };
  readers.set(type, reader);
  return reader;
}

/** Whether messages of this type can be read. */
export function known(type: string): boolean {
  return type in SCHEMA;
}

/** Make types known that are not ROS 2's own; one that is known stays as it is. */
export function learn(schema: Record<string, [name: string, type: string, count: number][]>): void {
  for (const [type, fields] of Object.entries(schema)) SCHEMA[type] ??= fields;
}

/** A message; throws if its type is not known or the bytes are not one. */
export function decode<Name extends keyof Messages>(type: Name, cdr: Uint8Array): Messages[Name];
export function decode<Value = Message>(type: string, cdr: Uint8Array): Value;
export function decode(type: string, cdr: Uint8Array): Message {
  return messageReader(type)(new Cursor(cdr));
}
