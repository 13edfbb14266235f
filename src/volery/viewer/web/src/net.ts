/** The connection to the server: says hello, takes frames apart, and comes back by itself when it was lost.
 *
 * It opens before the graphics start, which may keep a slow machine busy for many seconds; what comes meanwhile is held.
 */

import { Emitter } from "./emitter";
import { unpack, type Frame } from "./frames";
import type { AppEvents, TopicHeader } from "./protocol";
import { Topics } from "./topics";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** A server that says no welcome for so many looks, at this distance [ms], is asked anew. A page that was busy meanwhile
 * has looked once only. */
const PATIENCE = 20;
const LOOK = 500;
/** Close codes of the server that another try does not mend, and what is to be done (see viewer/server.py). */
const FINAL: Record<number, string> = {
  4400: "this page is of another version than the server: reload it",
  4401: "this page does not have the token of this run: open the address that it printed, with its #k=… part",
  4429: "too many wrong tokens came from this address: open the address that the run printed, with its #k=… part",
};
/** Those that are worth another try. */
const PASSING: Record<number, string> = {
  4408: "this page was too slow to say hello",
  4503: "as many pages are open as the server takes",
};

/** What may be asked again after the connection was lost, since twice is the same as once. */
const REPEATABLE = new Set(["set", "play", "pause", "speed", "place", "seek", "properties", "scenarios"]);

interface Asked {
  message: { do: string; [name: string]: unknown };
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** scenario: of a welcome, and empty if there is no run yet. */
type Said = { kind: string; id?: number; scenario?: string; result?: unknown; error?: string };

/** JSON kinds whose content is a list under the same or this name. */
const LISTS: Record<string, string> = { topics: "rows", events: "events", markers: "markers" };

export class Connection {
  readonly topics = new Topics(this);
  private socket: WebSocket | null = null;
  private readonly asked = new Map<number, Asked>();
  /** Asked while the connection was lost, or just before: asked again when it is back. */
  private again: Asked[] = [];
  private next = 1;
  private wait = FIRST_WAIT;
  private timer = 0;
  private closed = false;
  private greeted = false;
  /** What came before the page was ready for it; null from then on. */
  private held: (string | ArrayBuffer)[] | null = [];
  private reported: AppEvents["connection"] | null = null;
  private said!: () => void;
  /** Kept when hello was said for the first time, or could not be. */
  readonly tried = new Promise<void>((done) => (this.said = done));

  constructor(
    private readonly events: Emitter<AppEvents>,
    private readonly url: string,
    private token: string,
  ) {}

  /** True if the server has said welcome. */
  get open(): boolean {
    return this.greeted;
  }

  /** Bytes and frames received since the start. */
  readonly received = { bytes: 0, frames: 0 };

  /** Open the socket; call once. */
  start(): void {
    this.closed = false;
    this.report("connecting", "connecting …", null);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.tell({ do: "hello", token: this.token, version: 1 });
      this.said();
    };
    this.awaitWelcome(socket, PATIENCE);
    socket.onmessage = (message) => this.take(message.data);
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event);
    };
  }

  /** The page is ready: hand over what came, and all that comes from now on. */
  release(): void {
    const held = this.held ?? [];
    this.held = null;
    if (this.reported) this.events.emit("connection", this.reported);
    held.forEach((data) => this.hand(data));
  }

  /** Another token, as of an address that was pasted into an open page. */
  renew(token: string): void {
    if (token === this.token) return;
    this.token = token;
    this.socket?.close();
    this.retry();
  }

  /** Close for good. */
  stop(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** Try again now, not when the wait is over. */
  retry(): void {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT;
    this.start();
  }

  /** Say something that needs no answer; lost while there is no connection. */
  tell(message: { do: string; [name: string]: unknown }): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (message.do !== "hello" && !this.greeted) return;
    this.socket.send(JSON.stringify({ id: this.next++, ...message }));
  }

  /** Ask for something: the answer's result, or an error with the server's words. */
  ask<Result = unknown>(message: { do: string; [name: string]: unknown }): Promise<Result> {
    const waits = this.reported?.state === "lost" || this.reported?.state === "connecting";
    if (!this.greeted && !(waits && REPEATABLE.has(message.do))) return Promise.reject(new Error("not connected"));
    return new Promise<Result>((resolve, reject) => {
      const asked = { message, resolve: resolve as Asked["resolve"], reject };
      if (this.greeted) this.send(asked);
      else this.again.push(asked);
    });
  }

  private send(asked: Asked): void {
    const id = this.next++;
    this.asked.set(id, asked);
    this.socket?.send(JSON.stringify({ id, ...asked.message }));
  }

  private awaitWelcome(socket: WebSocket, looks: number): void {
    window.setTimeout(() => {
      if (this.socket !== socket || this.greeted || this.held?.length) return;
      if (looks > 0) this.awaitWelcome(socket, looks - 1);
      else socket.close();
    }, LOOK);
  }

  private take(data: string | ArrayBuffer): void {
    this.received.frames += 1;
    this.received.bytes += typeof data === "string" ? data.length : data.byteLength;
    if (this.held) this.held.push(data);
    else this.hand(data);
  }

  private hand(data: string | ArrayBuffer): void {
    if (typeof data === "string") this.takeJson(JSON.parse(data) as Said);
    else this.takeFrame(unpack<{ kind: string }>(data));
  }

  private takeJson(said: Said): void {
    if (said.kind === "reply") return this.answer(said);
    if (said.kind === "welcome") {
      this.greeted = true;
      this.wait = FIRST_WAIT;
      this.report("open", "connected", null);
      this.again.splice(0).forEach((asked) => this.send(asked));
    }
    const list = LISTS[said.kind];
    const value = list ? (said as unknown as Record<string, unknown>)[list] ?? [] : said;
    this.events.emit(said.kind as keyof AppEvents, value as never);
    if (said.kind === "welcome" && said.scenario) this.topics.tell();
  }

  private takeFrame(frame: Frame<{ kind: string }>): void {
    if (frame.header.kind === "topic") {
      const header = frame.header as unknown as TopicHeader;
      this.topics.deliver({ ...header, cdr: frame.arrays.cdr as Uint8Array });
    } else {
      this.events.emit(frame.header.kind as keyof AppEvents, frame as never);
    }
  }

  private answer(said: Said): void {
    const asked = this.asked.get(said.id ?? -1);
    if (!asked) {
      if (said.error) this.events.emit("notice", { level: "error", text: said.error });
      return;
    }
    this.asked.delete(said.id as number);
    if (said.error !== undefined) asked.reject(new Error(said.error));
    else asked.resolve(said.result as never);
  }

  private lost(event: CloseEvent): void {
    this.greeted = false;
    const final = FINAL[event.code];
    for (const asked of this.asked.values()) {
      if (REPEATABLE.has(asked.message.do)) this.again.push(asked);
      else asked.reject(new Error("the connection was lost"));
    }
    this.asked.clear();
    if (this.closed || final) this.again.splice(0).forEach((asked) => asked.reject(new Error("the connection was lost")));
    if (this.closed) return;
    this.said();
    if (final) return this.report("refused", final, null);
    // Spread pages that come back at the same moment.
    const wait = this.wait * (0.8 + 0.4 * Math.random());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.report("lost", PASSING[event.code] ?? "connection lost", Date.now() + wait);
    this.timer = window.setTimeout(() => this.start(), wait);
  }

  private report(state: AppEvents["connection"]["state"], text: string, retryAt: number | null): void {
    this.reported = { state, text, retryAt };
    this.events.emit("connection", this.reported);
  }
}
