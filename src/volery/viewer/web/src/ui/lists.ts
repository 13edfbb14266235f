/** Events and log: lines, the newest at the end, that follow as long as one looks at their end. */

import type { App } from "../app";
import type { Event } from "../protocol";
import { button, check, el, showTime } from "./dom";
import type { Panel } from "./panel";

const MOST = 500;

/** Lines that scroll along; those that come while nobody looks are kept and drawn later. */
class Lines {
  readonly element = el("div", { class: "lines", tabindex: "0" });
  private kept: HTMLElement[] = [];
  private seen = false;

  add(line: HTMLElement): void {
    this.kept.push(line);
    if (this.kept.length > MOST) this.kept.shift()?.remove();
    if (!this.seen) return;
    const atEnd = this.atEnd();
    this.element.append(line);
    if (atEnd) this.toEnd();
  }

  clear(): void {
    this.kept = [];
    this.element.replaceChildren();
  }

  show(): void {
    this.seen = true;
    this.element.replaceChildren(...this.kept);
    this.toEnd();
  }

  hide(): void {
    this.seen = false;
  }

  private atEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < 24;
  }

  private toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

export class EventsPanel implements Panel {
  readonly title = "Events";
  readonly element = el("div", { class: "list-panel" });
  private readonly lines = new Lines();

  constructor(private readonly app: App) {
    const kinds = ["collision", "event", "warning"].map((kind) =>
      check(`${kind}s`, true, (on) => this.element.classList.toggle(`no-${kind}`, !on)),
    );
    const clear = button("trash", "clear", () => this.lines.clear());
    this.element.append(el("div", { class: "tools" }, ...kinds, el("span", { class: "spring" }), clear), this.lines.element);
    app.events.on("welcome", () => this.lines.clear());
    app.events.on("events", (events) => events.forEach((event) => this.add(event)));
  }

  show(): void {
    this.lines.show();
  }

  hide(): void {
    this.lines.hide();
  }

  private add(event: Event): void {
    const choose = () => (this.app.selected = event.robot);
    const robot = this.app.robot(event.robot)
      ? el("button", { type: "button", class: "name", onclick: choose }, event.robot)
      : el("b", {}, event.robot);
    this.lines.add(
      el(
        "div",
        { class: `line ${event.kind}` },
        el("time", {}, showTime(event.now_ns * 1e-9)),
        robot,
        el("span", {}, event.text),
      ),
    );
  }
}

export class LogPanel implements Panel {
  readonly title = "Log";
  readonly element = el("div", { class: "list-panel" });
  private readonly lines = new Lines();

  constructor(app: App) {
    const clear = button("trash", "clear", () => this.lines.clear());
    this.element.append(el("div", { class: "tools" }, el("span", { class: "spring" }), clear), this.lines.element);
    app.events.on("log", ({ level, text }) => {
      const words = level.toLowerCase();
      this.lines.add(el("div", { class: `line ${words}` }, el("b", {}, words), el("span", {}, text)));
    });
  }

  show(): void {
    this.lines.show();
  }

  hide(): void {
    this.lines.hide();
  }
}
