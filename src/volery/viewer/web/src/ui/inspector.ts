/** The newest message of a topic, field by field, live; a plus beside a number plots it. */

import type { App } from "../app";
import { decode, known } from "../cdr";
import type { TopicMessage } from "../topics";
import { button, el, setText, showBytes, showTime } from "./dom";
import { linesOf } from "./values";

const RATE = 5;

export class Inspector {
  readonly element = el("div", { class: "inspector", hidden: true });
  private readonly name = el("b", {});
  private readonly stamp = el("span", { class: "dim" });
  private readonly lines = el("div", { class: "fields", tabindex: "0" });
  private rows: { row: HTMLElement; value: HTMLElement }[] = [];
  private shape = "";
  private stop: (() => void) | null = null;
  private topic: { topic: string; type: string } | null = null;

  constructor(
    private readonly app: App,
    private readonly plot: (topic: string, type: string, path: string) => void,
  ) {
    const close = button("close", "close", () => this.open(null));
    const head = el("div", { class: "tools" }, this.name, el("span", { class: "spring" }), close);
    this.element.append(head, this.stamp, this.lines);
  }

  /** Name of the topic that is looked at. */
  get looking(): string | null {
    return this.topic?.topic ?? null;
  }

  /** Look at a topic; null: at none. */
  open(topic: { topic: string; type: string } | null): void {
    this.topic = topic;
    this.element.hidden = topic === null;
    this.rows = [];
    this.shape = "";
    this.lines.replaceChildren(el("div", { class: "dim" }, topic && !known(topic.type) ? `the page cannot read ${topic.type}` : "waiting for a message …"));
    setText(this.name, topic?.topic ?? "");
    setText(this.stamp, topic?.type ?? "");
    this.hide();
    this.show();
  }

  show(): void {
    if (!this.topic || this.stop || !known(this.topic.type)) return;
    this.stop = this.app.topics.want(this.topic.topic, RATE, (message) => this.take(message));
  }

  hide(): void {
    this.stop?.();
    this.stop = null;
  }

  private take(message: TopicMessage): void {
    if (message.topic !== this.topic?.topic) return;
    setText(this.stamp, `${message.type} · ${showTime(message.stamp_ns * 1e-9)} · ${showBytes(message.cdr.length)}`);
    try {
      this.draw(linesOf(decode(message.type, message.cdr)));
    } catch (error) {
      this.lines.replaceChildren(el("div", { class: "warning" }, (error as Error).message));
      this.shape = "";
    }
  }

  private draw(lines: ReturnType<typeof linesOf>): void {
    const shape = lines.map((line) => line.path).join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.rows = lines.map((line) => this.row(line));
      this.lines.replaceChildren(...this.rows.map(({ row }) => row));
    }
    lines.forEach((line, i) => setText(this.rows[i]!.value, line.text));
  }

  private row(line: ReturnType<typeof linesOf>[number]): { row: HTMLElement; value: HTMLElement } {
    const value = el("span", { class: "value" });
    const { topic, type } = this.topic!;
    const plus = line.numeric && button("plus", `plot ${line.path}`, () => this.plot(topic, type, line.path));
    const label = el("span", { class: "label", style: `padding-left:${line.depth * 12}px` }, line.label);
    return { row: el("div", { class: "field" }, label, value, plus || el("span")), value };
  }
}
