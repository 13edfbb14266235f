/** The connection to the server: says hello, takes frames apart, and comes back by itself when it was lost. */

import { Emitter } from "./emitter";
import { unpack, type Frame } from "./frames";
import type { AppEvents, TopicHeader } from "./protocol";
import { Topics } from "./topics";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** A server that says no welcome for so long is asked anew [ms]. */
const PATIENCE = 10_000;
const REFUSED = 4401;

interface Asked {
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
  private next = 1;
  private wait = FIRST_WAIT;
  private timer = 0;
  private closed = false;
  private greeted = false;

  constructor(
    private readonly events: Emitter<AppEvents>,
    private readonly url: string,
    private readonly token: string,
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
    socket.onopen = () => this.tell({ do: "hello", token: this.token, version: 1 });
    window.setTimeout(() => {
      if (this.socket === socket && !this.greeted) socket.close();
    }, PATIENCE);
    socket.onmessage = (message) => this.take(message.data);
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event);
    };
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
    if (!this.greeted) return Promise.reject(new Error("not connected"));
    const id = this.next++;
    return new Promise<Result>((resolve, reject) => {
      this.asked.set(id, { resolve: resolve as Asked["resolve"], reject });
      this.socket?.send(JSON.stringify({ id, ...message }));
    });
  }

  private take(data: string | ArrayBuffer): void {
    this.received.frames += 1;
    this.received.bytes += typeof data === "string" ? data.length : data.byteLength;
    if (typeof data === "string") this.takeJson(JSON.parse(data) as Said);
    else this.takeFrame(unpack<{ kind: string }>(data));
  }

  private takeJson(said: Said): void {
    if (said.kind === "reply") return this.answer(said);
    if (said.kind === "welcome") {
      this.greeted = true;
      this.wait = FIRST_WAIT;
      this.report("open", "connected", null);
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
    for (const asked of this.asked.values()) asked.reject(new Error("the connection was lost"));
    this.asked.clear();
    if (this.closed) return;
    if (event.code === REFUSED) {
      this.report("refused", "the server refused this page: open the address it printed, with its #k=… part", null);
      return;
    }
    // Spread pages that come back at the same moment.
    const wait = this.wait * (0.8 + 0.4 * Math.random());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.report("lost", "connection lost", Date.now() + wait);
    this.timer = window.setTimeout(() => this.start(), wait);
  }

  private report(state: AppEvents["connection"]["state"], text: string, retryAt: number | null): void {
    this.events.emit("connection", { state, text, retryAt });
  }
}
