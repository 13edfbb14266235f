/** One number of a topic over the last minute. */

import type { App } from "../app";
import { decode } from "../cdr";
import type { TopicMessage } from "../topics";
import { numberAt } from "./values";

/** How long values are kept [s]. */
export const SPAN = 60;
const RATE = 30;
/** A larger step of time is a gap [s]. */
const GAP = 3;

export class Series {
  readonly times: number[] = [];
  readonly values: (number | null)[] = [];
  private stop: (() => void) | null = null;

  constructor(
    private readonly app: App,
    readonly topic: string,
    readonly type: string,
    readonly path: string,
    readonly colour: string,
  ) {}

  get label(): string {
    return `${this.topic} ${this.path}`;
  }

  get last(): number | null {
    return this.values.at(-1) ?? null;
  }

  show(): void {
    this.stop ??= this.app.topics.want(this.topic, RATE, (message) => this.take(message));
  }

  hide(): void {
    this.stop?.();
    this.stop = null;
  }

  clear(): void {
    this.times.length = this.values.length = 0;
  }

  private take(message: TopicMessage): void {
    const now = message.stamp_ns * 1e-9;
    const before = this.times.at(-1) ?? now;
    // Time goes back when a run begins again.
    if (now < before) this.clear();
    else if (now === before && this.times.length) return;
    else if (now - before > GAP) this.push(before + 1e-3, null);
    const value = numberAt(decode(message.type, message.cdr), this.path);
    this.push(now, Number.isFinite(value) ? value : null);
    let old = 0;
    while (old < this.times.length && this.times[old]! < now - SPAN) old += 1;
    if (old) {
      this.times.splice(0, old);
      this.values.splice(0, old);
    }
  }

  private push(time: number, value: number | null): void {
    this.times.push(time);
    this.values.push(value);
  }
}
