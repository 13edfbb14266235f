import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../src/app";
import { Gimbal } from "../src/control/gimbal";
import { Emitter } from "../src/emitter";
import { Connection } from "../src/net";
import type { AppEvents } from "../src/protocol";
import { Topics } from "../src/topics";
import { Series } from "../src/ui/series";
import { controlFor, sees } from "../src/views";
import { control, frame, numbers, robot, sensor, soon, topic } from "./rig";

type Sent = Record<string, unknown> & { do: string; id: number };

/** A socket that a test speaks through. */
class FakeSocket {
  static readonly OPEN = 1;
  static newest: FakeSocket;
  readyState = 1;
  binaryType = "";
  readonly sent: Sent[] = [];
  onopen: () => void = () => undefined;
  onmessage: (message: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor(readonly url: string) {
    FakeSocket.newest = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.readyState = 3;
  }

  say(message: unknown): void {
    this.onmessage({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) });
  }
}

function connected(): { connection: Connection; events: Emitter<AppEvents>; socket: FakeSocket } {
  const events = new Emitter<AppEvents>();
  const connection = new Connection(events, "ws://here/ws", "secret");
  connection.start();
  const socket = FakeSocket.newest;
  socket.onopen();
  connection.release();
  return { connection, events, socket };
}

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", globalThis);
});
afterEach(() => vi.unstubAllGlobals());

describe("connection", () => {
  it("says hello with its token, and asks for nothing before welcome", async () => {
    const { connection, socket } = connected();
    expect(socket.sent[0]).toMatchObject({ do: "hello", token: "secret" });
    connection.tell({ do: "view" });
    await expect(connection.ask({ do: "reset" })).rejects.toThrow("not connected");
    expect(socket.sent).toHaveLength(1);
    socket.say({ kind: "welcome", scenario: "" });
    connection.tell({ do: "view" });
    expect(socket.sent[1]).toMatchObject({ do: "view" });
  });

  it("gives each answer to who asked, errors too", async () => {
    const { connection, socket } = connected();
    socket.say({ kind: "welcome", scenario: "" });
    const asked = [connection.ask({ do: "a" }), connection.ask({ do: "b" })];
    const [first, second] = socket.sent.slice(-2);
    socket.say({ kind: "reply", id: second!.id, result: null, error: "no such thing" });
    socket.say({ kind: "reply", id: first!.id, result: 7 });
    expect(await asked[0]).toBe(7);
    await expect(asked[1]).rejects.toThrow("no such thing");
  });

  it("asks again what was asked while the connection was lost, if twice is the same as once", async () => {
    vi.useFakeTimers();
    const { connection, socket } = connected();
    socket.say({ kind: "welcome", scenario: "" });
    const before = connection.ask({ do: "set", path: "a", value: 1 });
    const never = connection.ask({ do: "spawn" });
    never.catch(() => undefined);
    socket.onclose({ code: 1006 });
    await expect(never).rejects.toThrow("lost");
    const during = connection.ask({ do: "pause" });
    vi.advanceTimersByTime(2000);
    vi.useRealTimers();
    const second = FakeSocket.newest;
    expect(second).not.toBe(socket);
    second.onopen();
    second.say({ kind: "welcome", scenario: "" });
    const [, set, pause] = second.sent;
    expect(set).toMatchObject({ do: "set", path: "a", value: 1 });
    expect(pause).toMatchObject({ do: "pause" });
    second.say({ kind: "reply", id: set!.id, result: "done" });
    second.say({ kind: "reply", id: pause!.id, result: null });
    expect(await before).toBe("done");
    await during;
  });

  it("hands lists over bare, and frames by their kinds", () => {
    const { events, socket } = connected();
    const heard: unknown[] = [];
    events.on("events", (list) => heard.push(list));
    events.on("poses", ({ header }) => heard.push(header.now_ns));
    socket.say({ kind: "events", events: [{ text: "spawn" }] });
    socket.say(frame({ kind: "poses", now_ns: 9 }));
    expect(heard).toEqual([[{ text: "spawn" }], 9]);
  });

  it("keeps what comes before the page is ready", () => {
    const events = new Emitter<AppEvents>();
    const connection = new Connection(events, "ws://here/ws", "");
    const heard: number[] = [];
    events.on("state", ({ steps }) => heard.push(steps));
    connection.start();
    FakeSocket.newest.say({ kind: "state", steps: 3 });
    expect(heard).toEqual([]);
    connection.release();
    expect(heard).toEqual([3]);
  });

  it("does not try again where another try mends nothing, and refuses what was asked", async () => {
    const { connection, events, socket } = connected();
    socket.say({ kind: "welcome", scenario: "" });
    const told: string[] = [];
    events.on("connection", ({ state }) => told.push(state));
    const asked = connection.ask({ do: "reset" });
    socket.onclose({ code: 4401 });
    await expect(asked).rejects.toThrow("lost");
    expect(told).toEqual(["refused"]);
    expect(connection.open).toBe(false);
  });
});

describe("topics", () => {
  it("wants each once, at the highest rate, and no more when nobody does", async () => {
    const told: Record<string, unknown>[] = [];
    const topics = new Topics({ tell: (message: Record<string, unknown>) => told.push(message) } as unknown as Connection);
    const stops = [topics.want("/a", 5, () => undefined), topics.want("/a", 20, () => undefined), topics.want("/b", 1, () => undefined)];
    await soon();
    expect(told).toEqual([{ do: "want", topics: [{ topic: "/a", rate: 20 }, { topic: "/b", rate: 1 }], table: false }]);
    stops.forEach((stop) => stop());
    await soon();
    expect(told.at(-1)).toEqual({ do: "want", topics: [], table: false });
  });
});

describe("emitter", () => {
  it("tells all listeners although one fails", () => {
    const events = new Emitter<{ frame: number }>();
    const heard: number[] = [];
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    events.on("frame", () => {
      throw new Error("oh");
    });
    const stop = events.on("frame", (value) => heard.push(value));
    events.emit("frame", 1);
    stop();
    events.emit("frame", 2);
    expect(heard).toEqual([1]);
    expect(quiet).toHaveBeenCalledTimes(2);
    quiet.mockRestore();
  });
});

describe("series", () => {
  it("keeps a minute, marks gaps, and begins anew when time goes back", () => {
    let hand: (stamp: number, value: number) => void = () => undefined;
    const topics = {
      want: (_: string, __: number, take: (message: unknown) => void) => {
        hand = (stamp, value) => take({ type: "geometry_msgs/msg/Vector3", stamp_ns: stamp * 1e9, cdr: numbers(value, 0, 0) });
        return () => undefined;
      },
    };
    const series = new Series({ topics } as unknown as App, "/a", "geometry_msgs/msg/Vector3", "x", "red");
    series.show();
    [[1, 5], [2, 6], [2, 7], [10, 8]].forEach(([stamp, value]) => hand(stamp!, value!));
    expect(series.values).toEqual([5, 6, null, 8]);
    hand(100, 9);
    expect(series.times).toEqual([100]);
    hand(3, NaN);
    expect([series.times, series.values, series.last]).toEqual([[3], [null], null]);
  });
});

describe("what sensors declare", () => {
  const eye = sensor("eye", { topics: [topic("/r/eye/image", "sensor_msgs/msg/Image", "image")], controls: [control("turn_to", "aim"), control("grow", "zoom")] });
  const lamp = sensor("lamp", { controls: [control("flash", "switch"), control("dim")] });

  it("is found by view and gesture, never by the name of a kind", () => {
    expect([sees(eye), sees(lamp)]).toEqual([true, false]);
    expect([controlFor(eye, "aim")?.name, controlFor(lamp, "switch")?.name, controlFor(lamp, "aim")]).toEqual(["turn_to", "flash", null]);
  });

  it("is worked by the keys", () => {
    const asked: Record<string, unknown>[] = [];
    const app = {
      events: new Emitter<AppEvents>(),
      connection: { ask: (message: Record<string, unknown>) => (asked.push(message), Promise.resolve()) },
      notice: () => undefined,
    } as unknown as App;
    const gimbal = new Gimbal(app);
    const carrier = robot("r", [lamp, eye]);
    gimbal.toggleLamps(carrier);
    gimbal.move(carrier, { pan: 1, tilt: 0, zoom: 1 } as never, 0.5);
    expect(asked.map(({ sensor: which, control: name }) => [which, name])).toEqual([["lamp", "flash"], ["eye", "turn_to"], ["eye", "grow"]]);
    expect(asked[1]!.arguments).toEqual({ pan_deg: 30, tilt_deg: 0, relative: true });
  });
});
