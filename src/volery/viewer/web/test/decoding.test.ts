import { describe, expect, it } from "vitest";
import { decode, known, learn } from "../src/cdr";
import { unpack } from "../src/frames";
import { linesOf, numberAt, valueAt } from "../src/ui/values";
import { frame, numbers } from "./rig";

describe("frames", () => {
  it("gives the header and arrays in place", () => {
    const buffer = frame({ kind: "poses", now_ns: 5 }, { a: new Float32Array([1, 2, 3]), b: new Float32Array([4]) });
    const { header, arrays, shapes } = unpack<{ kind: string; now_ns: number }>(buffer);
    expect([header.kind, header.now_ns]).toEqual(["poses", 5]);
    expect([...arrays.a!]).toEqual([1, 2, 3]);
    expect([...arrays.b!]).toEqual([4]);
    expect(arrays.a!.buffer).toBe(buffer);
    expect(shapes).toEqual({ a: [3], b: [1] });
  });

  it("refuses bytes that are none", () => {
    expect(() => unpack(new ArrayBuffer(3))).toThrow();
    expect(() => unpack(new Uint8Array([9, 0, 0, 0, 1, 2, 3]).buffer)).toThrow();
  });
});

describe("messages", () => {
  it("reads a vector", () => {
    expect(decode("geometry_msgs/msg/Vector3", numbers(1, -2, 0.5))).toEqual({ x: 1, y: -2, z: 0.5 });
  });

  it("learns types of others, and changes none that it knows", () => {
    expect(known("acme_msgs/msg/Pair")).toBe(false);
    expect(() => decode("acme_msgs/msg/Pair", numbers(1, 2))).toThrow("does not know");
    learn({ "acme_msgs/msg/Pair": [["low", "float64", 0], ["high", "float64", 0]], "geometry_msgs/msg/Vector3": [] });
    expect(decode("acme_msgs/msg/Pair", numbers(1, 2))).toEqual({ low: 1, high: 2 });
    expect(decode("geometry_msgs/msg/Vector3", numbers(1, 2, 3)).z).toBe(3);
  });

  it("refuses what ends too early or is not little-endian", () => {
    expect(() => decode("geometry_msgs/msg/Vector3", numbers(1, 2))).toThrow("too early");
    expect(() => decode("geometry_msgs/msg/Vector3", new Uint8Array([0, 0, 0, 0]))).toThrow("little-endian");
  });
});

describe("values", () => {
  const message = { pose: { position: { x: 3 } }, ranges: new Float32Array([1, 2]), ok: true, parts: [{ name: "a" }] };

  it("finds what stands at a path", () => {
    expect(valueAt(message, "pose.position")).toEqual({ x: 3 });
    expect(valueAt(message, "parts[0].name")).toBe("a");
    expect(valueAt(message, "parts[4].name")).toBeUndefined();
    expect([numberAt(message, "pose.position.x"), numberAt(message, "ranges[1]"), numberAt(message, "ok")]).toEqual([3, 2, 1]);
    expect(numberAt(message, "pose.nothing.x")).toBeNaN();
  });

  it("tells which lines are numbers, each at a path that gives it again", () => {
    const numeric = linesOf(message).filter((line) => line.numeric);
    expect(numeric.map((line) => line.path)).toEqual(["pose.position.x", "ranges[0]", "ranges[1]", "ok"]);
    for (const { path } of numeric) expect(numberAt(message, path)).not.toBeNaN();
  });
});
