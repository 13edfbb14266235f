/** The table of topics: who says what to whom, how often and how much; a click shows the messages. */

import type { App } from "../app";
import { el, setText, showBytes } from "./dom";
import { Inspector } from "./inspector";
import type { Panel } from "./panel";

/** A row as the server tells it (bus/listing.py). */
interface Row {
  topic: string;
  message_type: string;
  publishers: string[];
  subscribers: string[];
  count: number | null;
  rate: number | null;
  bytes_per_second: number | null;
}

const COLUMNS: [title: string, hint: string][] = [
  ["topic", "name and type"],
  ["from → to", "publisher and subscribers"],
  ["Hz", "messages a second"],
  ["count", "messages so far"],
  ["/s", "bytes a second"],
];

export class TopicsPanel implements Panel {
  readonly title = "Topics";
  readonly element = el("div", { class: "topics" });
  private readonly inspector: Inspector;
  private readonly body = el("tbody");
  private readonly rows = new Map<string, { element: HTMLTableRowElement; cells: HTMLElement[] }>();
  private readonly filter = el("input", {
    type: "search",
    placeholder: "find a topic",
    "aria-label": "find a topic",
    oninput: () => this.sift(),
  });
  private stop: (() => void)[] = [];

  constructor(
    private readonly app: App,
    plot: (topic: string, type: string, path: string) => void,
  ) {
    this.inspector = new Inspector(app, plot);
    const head = el("tr", {}, ...COLUMNS.map(([title, hint]) => el("th", { title: hint }, title)));
    const table = el("table", {}, el("thead", {}, head), this.body);
    this.element.append(el("div", { class: "tools" }, this.filter), el("div", { class: "scroll" }, table), this.inspector.element);
  }

  show(): void {
    this.stop = [this.app.topics.wantTable(), this.app.events.on("topics", (rows) => this.take(rows as unknown as Row[]))];
    this.inspector.show();
  }

  hide(): void {
    for (const stop of this.stop) stop();
    this.stop = [];
    this.inspector.hide();
  }

  private take(rows: Row[]): void {
    const there = new Set(rows.map((row) => row.topic));
    for (const [topic, { element }] of this.rows) {
      if (there.has(topic)) continue;
      element.remove();
      this.rows.delete(topic);
    }
    for (const row of [...rows].sort((a, b) => a.topic.localeCompare(b.topic))) this.put(row);
    this.sift();
  }

  private put(row: Row): void {
    const made = this.rows.get(row.topic) ?? this.add(row);
    const [, ends, rate, count, bytes] = made.cells;
    setText(ends!, `${row.publishers.join(", ") || "–"} → ${row.subscribers.join(", ") || "–"}`);
    ends!.title = ends!.textContent ?? "";
    // What nobody listens to is not published, and has no rate.
    setText(rate!, row.rate === null || !row.subscribers.length ? "–" : row.rate.toFixed(1));
    setText(count!, row.count === null ? "–" : String(row.count));
    setText(bytes!, row.bytes_per_second === null ? "–" : showBytes(row.bytes_per_second));
  }

  private add(row: Row): { element: HTMLTableRowElement; cells: HTMLElement[] } {
    const choose = () => this.choose(row);
    const name = el("td", { title: `${row.topic}\n${row.message_type}` }, el("b", {}, row.topic), el("i", {}, row.message_type.replace("/msg/", "/")));
    const cells = [name, ...COLUMNS.slice(1).map(() => el("td"))];
    const element = el("tr", { tabindex: "0", onclick: choose }, ...cells);
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") choose();
    });
    const made = { element, cells };
    this.rows.set(row.topic, made);
    // Rows come sorted: put a new one before the first that is after it.
    const after = [...this.rows].find(([topic, { element: e }]) => e.parentNode && topic.localeCompare(row.topic) > 0);
    this.body.insertBefore(element, after?.[1].element ?? null);
    return made;
  }

  private choose(row: Row): void {
    const same = this.inspector.looking === row.topic;
    this.inspector.open(same ? null : { topic: row.topic, type: row.message_type });
    for (const [topic, { element }] of this.rows) element.classList.toggle("chosen", !same && topic === row.topic);
  }

  private sift(): void {
    const words = this.filter.value.toLowerCase();
    for (const [topic, { element }] of this.rows) element.hidden = !topic.toLowerCase().includes(words);
  }
}
