/** All properties of the run: every component's parameters with units and ranges, changed while it runs. */

import { Pane, type FolderApi } from "tweakpane";
import type { App } from "../app";
import { button, el } from "./dom";
import { addField, type FieldView } from "./fields";
import { isGroup, leavesOf, matching, outline, type Group, type Leaf, type PropertyNode } from "./nodes";
import type { Panel } from "./panel";

/** Changes of one property are sent at most this often [ms] while it is dragged. */
const APART = 100;
/** The tree is read again so long after a change [ms]: one may bring others. */
const SETTLE = 400;
/** What makes much anew is changed only when the hand lets go. */
const HEAVY = /^(world|streaming)\.|\.sensors\./;

export class PropertiesPanel implements Panel {
  readonly title = "Properties";
  readonly element = el("div", { class: "properties" });
  private readonly holder = el("div", { class: "pane" });
  private readonly filter = el("input", {
    type: "search",
    placeholder: "find a property",
    "aria-label": "find a property",
    oninput: () => this.build(),
  });
  private nodes: PropertyNode[] = [];
  private pane: Pane | null = null;
  private shape: string | null = null;
  /** Why there are none. */
  private why = "";
  private readonly open = new Set<string>(["environment", "environment.weather"]);
  private readonly fields = new Map<string, FieldView>();
  private readonly waiting = new Map<string, unknown>();
  private sender = 0;
  private reader = 0;
  private seen = false;

  constructor(private readonly app: App) {
    const again = button("reset", "read all values again", () => this.read());
    this.element.append(el("div", { class: "tools" }, this.filter, again), this.holder);
    app.events.on("welcome", () => this.seen && this.read());
    app.events.on("robots", () => this.seen && this.readSoon());
    app.events.on("selected", (name) => {
      if (name) this.open.add("robots").add(`robots.${name}`).add(`robots.${name}.sensors`);
      if (this.seen) this.build();
    });
  }

  show(): void {
    this.seen = true;
    this.read();
  }

  hide(): void {
    this.seen = false;
  }

  private async read(): Promise<void> {
    window.clearTimeout(this.reader);
    if (!this.app.connection.open) return;
    try {
      const told = await this.app.connection.ask<PropertyNode[]>({ do: "properties" });
      this.why = "";
      this.take(told ?? []);
    } catch (error) {
      this.why = (error as Error).message;
      this.take([]);
    }
  }

  private readSoon(): void {
    window.clearTimeout(this.reader);
    this.reader = window.setTimeout(() => this.seen && this.read(), SETTLE);
  }

  private take(nodes: PropertyNode[]): void {
    this.nodes = nodes;
    if (outline(nodes) !== this.shape) return this.build();
    for (const leaf of leavesOf(nodes)) {
      const field = this.fields.get(leaf.path);
      if (!field || this.waiting.has(leaf.path) || field.element.contains(document.activeElement)) continue;
      if (JSON.stringify(field.leaf.value) !== JSON.stringify(leaf.value)) field.put(leaf.value);
      field.leaf.value = leaf.value;
    }
  }

  private build(): void {
    this.shape = outline(this.nodes);
    const top = this.holder.scrollTop;
    this.pane?.dispose();
    this.fields.clear();
    this.holder.replaceChildren();
    this.pane = null;
    const shown = matching(this.nodes, this.filter.value);
    if (shown.length) {
      this.pane = new Pane({ container: this.holder });
      this.fill(this.pane, shown, this.filter.value.trim() !== "");
    } else this.holder.append(el("p", { class: "dim" }, this.empty()));
    this.holder.scrollTop = top;
  }

  private empty(): string {
    if (this.app.welcome?.mode === "replay") return "a recording has no properties";
    return this.nodes.length ? "nothing of that name" : this.why || "not connected";
  }

  private fill(folder: FolderApi, nodes: PropertyNode[], all: boolean): void {
    for (const node of nodes) if (!isGroup(node)) this.addLeaf(folder, node);
    for (const node of nodes) if (isGroup(node) && (node.items.length || node.list)) this.addGroup(folder, node, all);
  }

  /** A folder whose rows are made when it is opened first: there may be thousands. */
  private addGroup(parent: FolderApi, group: Group, all: boolean): void {
    const expanded = all || this.open.has(group.path);
    const folder = parent.addFolder({ title: group.name.replaceAll("_", " "), expanded });
    folder.element.querySelector<HTMLElement>("button")!.title = group.doc;
    let filled = false;
    const fill = () => {
      if (filled) return;
      filled = true;
      this.fill(folder, group.items, all);
      this.addListButtons(folder, group);
    };
    if (expanded) fill();
    folder.on("fold", (event) => {
      if (event.target !== folder) return;
      if (event.expanded) this.open.add(group.path);
      else this.open.delete(group.path);
      if (event.expanded) fill();
    });
  }

  private addListButtons(folder: FolderApi, group: Group): void {
    if (!group.editable) return;
    if (group.list) {
      const values = group.value ?? [];
      folder.addButton({ title: "add" }).on("click", () => this.send(group.path, [...values, {}]));
      if (values.length) {
        folder.addButton({ title: "remove last" }).on("click", () => this.send(group.path, values.slice(0, -1)));
      }
    } else if (group.optional) {
      folder.addButton({ title: "none" }).on("click", () => this.send(group.path, null));
    }
  }

  private addLeaf(folder: FolderApi, leaf: Leaf): void {
    const change = (value: unknown, last: boolean) => this.changed(leaf, value, last);
    this.fields.set(leaf.path, addField(folder, leaf, change, (text) => this.app.notice(text, "error")));
  }

  private changed(leaf: Leaf, value: unknown, last: boolean): void {
    if (!last && HEAVY.test(leaf.path)) return;
    this.waiting.set(leaf.path, value);
    if (last) this.flush();
    else this.sender ||= window.setTimeout(() => this.flush(), APART);
  }

  private flush(): void {
    window.clearTimeout(this.sender);
    this.sender = 0;
    const changes = [...this.waiting];
    this.waiting.clear();
    for (const [path, value] of changes) void this.send(path, value);
  }

  /** Ask for a change; a refused one is shown, and the field goes back to what holds. */
  private async send(path: string, value: unknown): Promise<void> {
    const field = this.fields.get(path);
    try {
      await this.app.connection.ask({ do: "set", path, value });
      if (field) field.leaf.value = value;
    } catch (error) {
      this.app.notice((error as Error).message, "error");
      field?.put(field.leaf.value);
      field?.element.classList.add("refused");
      window.setTimeout(() => field?.element.classList.remove("refused"), 1500);
    }
    this.readSoon();
  }
}
