/** Everything over the 3D view: makes the panels, and says which of them are seen. */

import type { App } from "../app";
import { Control } from "../control/control";
import { el, setText, typing } from "./dom";
import { Help } from "./help";
import { LeftPanel } from "./leftpanel";
import { EventsPanel, LogPanel } from "./lists";
import { Picker } from "./picker";
import { Pictures } from "./pictures";
import { PlotsPanel } from "./plots";
import { PropertiesPanel } from "./properties";
import { Starting } from "./starting";
import { Station } from "./station";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { Toasts } from "./toasts";
import { TopBar } from "./topbar";
import { TopicsPanel } from "./topicstable";

type Side = "left" | "right";

/** A phone: panels are sheets over the view (see style.css), one at a time, and closed at first. */
const PHONE = "(max-width: 700px) and (orientation: portrait)";

export class Interface {
  readonly control: Control;
  private readonly bar: TopBar;
  private readonly left: LeftPanel;
  private readonly plots: PlotsPanel;
  private readonly tabs: Tabs;
  private readonly pictures: Pictures;
  private readonly station: Station;
  private readonly help = new Help();
  private readonly picker: Picker;
  private readonly lost = el("div", { class: "lost panel", role: "alert", hidden: true });
  private readonly sides: Record<Side, boolean> = { left: !matchMedia(PHONE).matches, right: !matchMedia(PHONE).matches };
  private hidden = false;

  constructor(
    private readonly app: App,
    private readonly root: HTMLElement,
  ) {
    this.picker = new Picker(app);
    this.bar = new TopBar(app, {
      pick: () => this.picker.open(),
      help: () => this.help.toggle(),
      side: (side) => this.toggleSide(side),
    });
    this.plots = new PlotsPanel(app);
    this.left = new LeftPanel(app, (topic, type, path) => this.plots.add(topic, type, path));
    this.pictures = new Pictures(app, () => this.left.markViews());
    this.left.attach(this.pictures);
    this.control = new Control(app);
    this.left.setControl(this.control.take);
    this.station = new Station(app, (robot, force) => this.control.feelTool(robot, force));
    const { plots } = this;
    const topics = new TopicsPanel(app, (topic, type, path) => plots.add(topic, type, path));
    this.tabs = new Tabs([new PropertiesPanel(app), topics, plots, new EventsPanel(app), new LogPanel(app)]);
    const timeline = new Timeline(app, this.bar);
    const middle = el("div", { class: "middle" }, this.control.note, new Toasts(app).element, this.station.element, this.pictures.element, timeline.element);
    root.append(this.bar.element, this.left.element, middle, this.tabs.element, new Starting(app).element, this.lost, this.help.element, this.picker.element);
    this.listen();
    this.update();
  }

  private listen(): void {
    window.addEventListener("keydown", (event) => this.press(event));
    // Who clicks does not want keys to go on belonging to the button.
    this.root.addEventListener("click", (event) => {
      if (event.detail > 0) (event.target as HTMLElement).closest<HTMLElement>("button, summary")?.blur();
    });
    window.addEventListener("resize", () => this.update());
    document.addEventListener("visibilitychange", () => this.update());
    this.app.events.on("connection", ({ state, text, retryAt }) => {
      this.lost.hidden = state === "open" || state === "connecting";
      const wait = retryAt === null ? "" : ` Trying again in ${Math.max(1, Math.round((retryAt - Date.now()) / 1000))} s.`;
      setText(this.lost, `${text}.${wait}`);
    });
    this.lost.addEventListener("click", () => this.app.connection.retry());
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inPanel = Boolean((event.target as HTMLElement | null)?.closest?.("#ui"));
    if (event.key === "Tab") {
      // Within panels Tab moves between fields, as everywhere.
      if (inPanel) return;
      this.hidden = !this.hidden;
      this.update();
    } else if (event.key === "Escape") {
      // Dialogs close by it themselves.
      if (!document.querySelector("dialog[open]")) (document.activeElement as HTMLElement | null)?.blur();
      return;
    } else if (typing(event)) return;
    else if (!this.pressLetter(event)) return;
    event.preventDefault();
  }

  private pressLetter(event: KeyboardEvent): boolean {
    if (event.key === "h" || event.key === "H" || event.key === "?") this.help.toggle();
    else if (event.code === "KeyP") this.bar.toggle();
    else if (event.key === ".") void this.bar.ask("step", { steps: 1 });
    else if (event.code === "KeyN") this.nextRobot(event.shiftKey ? -1 : 1);
    else if (event.key === "y" || event.key === "Y") this.picker.open();
    else if (event.code === "KeyM") this.station.toggle();
    else return false;
    return true;
  }

  private nextRobot(by: number): void {
    const names = this.app.robots.filter((robot) => !robot.movable).map((robot) => robot.name);
    if (!names.length) return;
    const at = names.indexOf(this.app.selected ?? "");
    this.app.selected = names[(at + by + names.length) % names.length] ?? null;
  }

  private toggleSide(side: Side): void {
    this.sides[side] = !this.sides[side];
    if (matchMedia(PHONE).matches && this.sides[side]) this.sides[side === "left" ? "right" : "left"] = false;
    this.hidden = false;
    this.update();
  }

  /** Show what is wanted; what is not seen asks for nothing. */
  private update(): void {
    const seen = !this.hidden && !document.hidden;
    this.root.classList.toggle("bare", this.hidden);
    this.left.element.hidden = this.hidden || !this.sides.left;
    this.tabs.element.hidden = this.hidden || !this.sides.right;
    this.tabs.setSeen(seen && this.sides.right);
    this.pictures.setSeen(!document.hidden);
    this.root.classList.toggle("no-left", this.left.element.hidden);
    this.root.classList.toggle("no-right", this.tabs.element.hidden);
  }
}
