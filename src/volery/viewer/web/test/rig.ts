/** What tests of the page share: sensors as the server tells them, and bytes as the bus has them. */

import type { Control, Robot, Sensor, Topic } from "../src/protocol";

export const topic = (name: string, type: string, view: Topic["view"] = "", path = ""): Topic => ({ topic: name, type, view, path });

export const control = (name: string, gesture: Control["gesture"] = ""): Control => ({ name, doc: "", parameters: [], required: 0, gesture });

export function sensor(name: string, more: Partial<Sensor> = {}): Sensor {
  return { name, type: "any", body: 0, X_BS: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], topics: [], controls: [], about: {}, ...more };
}

export function robot(name: string, sensors: Sensor[]): Robot {
  return {
    ...{ name, type: "any", about: "", engine: "", movable: false, drives: false, commands: [], first: 0 },
    ...{ bodies: [], shapes: [], skins: [], rotors: [], sensors },
  };
}

/** A frame of the server: a header, and arrays of float32. */
export function frame(header: Record<string, unknown>, arrays: Record<string, Float32Array> = {}): ArrayBuffer {
  const places: Record<string, unknown> = {};
  let at = 0;
  for (const [name, array] of Object.entries(arrays)) {
    places[name] = ["f4", [array.length], at];
    at += Math.ceil(array.byteLength / 8) * 8;
  }
  const head = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const start = Math.ceil((4 + head.length) / 8) * 8;
  const buffer = new ArrayBuffer(start + at);
  new DataView(buffer).setUint32(0, head.length, true);
  new Uint8Array(buffer).set(head, 4);
  at = start;
  for (const array of Object.values(arrays)) {
    new Uint8Array(buffer).set(new Uint8Array(array.buffer), at);
    at += Math.ceil(array.byteLength / 8) * 8;
  }
  return buffer;
}

/** A message of float64 fields only, as CDR. */
export function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 + 8 * values.length);
  bytes[1] = 1;
  values.forEach((value, i) => new DataView(bytes.buffer).setFloat64(4 + 8 * i, value, true));
  return bytes;
}

/** What waits for microtasks. */
export const soon = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
