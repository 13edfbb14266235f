/** The left side: robots, the camera one looks through, and what is drawn of what robots feel. */

import type { App } from "../app";
import { COLOURS, LAYERS } from "../layers";
import { showable } from "../feel/views";
import type { Robot, Sensor } from "../protocol";
import { cssColourOf } from "../robots/colours";
import { sees } from "../views";
import { CHOICES, type Choice } from "../world/quality";
import { button, check, el, select, setText } from "./dom";
import { viewsOf, wake, type Pictures } from "./pictures";

const MODES: [mode: string, words: string, title: string][] = [
  ["orbit", "orbit", "drag to turn round the robot, wheel to come nearer (1)"],
  ["chase", "chase", "behind the robot, on a spring (2)"],
  ["shoulder", "shoulder", "over its shoulder (3, C)"],
  ["onboard", "on board", "from the robot itself (4, C)"],
  ["free", "free", "fly: right mouse button and W A S D Q E (6)"],
];

export class LeftPanel {
  readonly element = el("section", { class: "panel left" });
  private readonly robots = el("ul", { class: "robots" });
  private readonly control = el("div", { class: "control" });
  private readonly types = el("select", { title: "type of the robot to add", "aria-label": "type of the robot to add" });
  private readonly workshop = el("div", { class: "tools workshop" });
  private readonly modes = el("div", { class: "modes", role: "radiogroup", "aria-label": "camera" });
  private readonly sensors = el("div", { class: "sensors" });
  private readonly general: HTMLElement;
  private pictures: Pictures | null = null;

  constructor(
    private readonly app: App,
    /** Plot a number of a topic. */
    private readonly plot: (topic: string, type: string, path: string) => void,
  ) {
    const fps = el("output", { class: "dim" });
    const quality = select("quality of the picture", CHOICES.map((c) => [c, c]), app.quality.choice, (value) => {
      app.quality.choice = value as Choice;
    });
    app.events.on("quality", ({ chosen }) => (quality.value = chosen));
    window.setInterval(() => setText(fps, `${Math.round(app.quality.fps)} fps`), 1000);
    const section = (title: string, ...parts: HTMLElement[]) =>
      el("details", { open: true }, el("summary", {}, title), ...parts);
    const layers = Object.entries(LAYERS).map(([name, { about }]) => this.layerCheck(name, name, about));
    this.general = el("div", { class: "general" }, ...layers);
    this.element.append(
      section("Robots", this.robots, this.control, this.workshop),
      section("Camera", this.modes, el("label", { class: "row" }, "quality", fps, quality)),
      section("Sensors", this.sensors),
      section("Layers", this.general),
    );
    this.workshop.append(
      this.types,
      button("plus", "add a robot of this type where you look", () => app.events.emit("add", { type: this.types.value }), "add"),
      button("trash", "remove the selected robot", () => void this.remove()),
    );
    app.events.on("welcome", ({ mode }) => {
      this.workshop.hidden = mode === "replay";
      if (mode !== "replay") void this.learnTypes();
    });
    app.events.on("robots", () => this.draw());
    app.events.on("selected", () => this.choose());
    app.events.on("layers", () => this.tick());
    app.events.on("camera", () => this.markMode());
    this.draw();
  }

  /** Where pictures of cameras are opened. */
  attach(pictures: Pictures): void {
    this.pictures = pictures;
  }

  /** Put the button that takes control below the list of robots. */
  setControl(...parts: HTMLElement[]): void {
    this.control.replaceChildren(...parts);
  }

  /** Mark the views whose pictures are open. */
  markViews(): void {
    for (const view of this.sensors.querySelectorAll<HTMLElement>("[data-topic]")) {
      view.classList.toggle("on", Boolean(this.pictures?.isOpen(view.dataset.topic!)));
    }
  }

  private async learnTypes(): Promise<void> {
    const names = await this.app.connection.ask<string[]>({ do: "library" }).catch((): string[] => []);
    const chosen = this.types.value || "quad";
    this.types.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
    if (names.includes(chosen)) this.types.value = chosen;
  }

  private async remove(): Promise<void> {
    const name = this.app.selected;
    if (!name) return this.app.notice("select a robot first", "warning");
    try {
      await this.app.connection.ask({ do: "remove", name });
    } catch (error) {
      this.app.notice((error as Error).message, "error");
    }
  }

  private draw(): void {
    const robots = this.app.robots.filter((robot) => !robot.movable);
    const things = this.app.robots.length - robots.length;
    this.robots.replaceChildren(
      ...robots.map((robot) => this.robotRow(robot)),
      ...(things ? [el("li", { class: "dim" }, `${things} movable things`)] : []),
      ...(robots.length ? [] : [el("li", { class: "dim" }, "no robots")]),
    );
    this.choose();
  }

  private robotRow(robot: Robot): HTMLElement {
    const dot = el("span", { class: "dot", style: `background:${cssColourOf(robot.name)}` });
    const name = el("b", {}, dot, robot.name);
    const what = el("i", {}, [robot.type, robot.engine].filter(Boolean).join(" · "));
    const click = () => (this.app.selected = robot.name);
    return el("li", {}, el("button", { type: "button", "data-robot": robot.name, onclick: click }, name, what));
  }

  /** Another robot is selected. */
  private choose(): void {
    for (const row of this.robots.querySelectorAll<HTMLElement>("[data-robot]")) {
      const chosen = row.dataset.robot === this.app.selected;
      row.classList.toggle("chosen", chosen);
      row.setAttribute("aria-pressed", String(chosen));
    }
    this.drawModes();
    this.drawSensors();
  }

  private drawModes(): void {
    const own = this.app.robot(this.app.selected)?.sensors.filter(sees) ?? [];
    const radio = (mode: string, words: string, title: string, sensor: string | null) => {
      const click = () => this.look(mode, sensor);
      return el("button", { type: "button", role: "radio", title, "data-mode": mode, "data-sensor": sensor ?? "", onclick: click }, words);
    };
    this.modes.replaceChildren(
      ...MODES.map(([mode, words, title]) => radio(mode, words, title, null)),
      ...own.map((sensor) => radio("sensor", sensor.name, `through the camera ${sensor.name}`, sensor.name)),
    );
    this.markMode();
  }

  private markMode(): void {
    const { cameras } = this.app;
    for (const choice of this.modes.children as HTMLCollectionOf<HTMLElement>) {
      const { mode, sensor } = choice.dataset;
      const on = mode === cameras?.mode && (mode !== "sensor" || sensor === cameras.sensor);
      choice.classList.toggle("on", on);
      choice.setAttribute("aria-checked", String(on));
    }
  }

  private look(mode: string, sensor: string | null): void {
    const { cameras } = this.app;
    if (sensor !== null) cameras.sensor = sensor;
    cameras.mode = mode as typeof cameras.mode;
    this.markMode();
  }

  private drawSensors(): void {
    const robot = this.app.robot(this.app.selected);
    const rows = robot?.sensors.map((sensor) => this.sensorRow(robot, sensor)) ?? [];
    const others = rows.length > 0 && this.app.robots.some((other) => other !== robot && other.sensors.length > 0);
    const likewise = () => this.likewise(robot!);
    this.sensors.replaceChildren(
      ...rows,
      ...(others ? [button("", "switch the sensors of all other robots as they are switched here", likewise, "same for all robots")] : []),
      ...(rows.length ? [] : [el("p", { class: "dim" }, robot ? "no sensors" : "select a robot")]),
    );
    this.markViews();
  }

  private sensorRow(robot: Robot, sensor: Sensor): HTMLElement {
    const layer = `${robot.name}/${sensor.name}`;
    const head = showable(sensor)
      ? this.layerCheck(layer, sensor.name, `draw what ${sensor.name} feels`)
      : el("span", { class: "check" }, sensor.name);
    const row = el("div", { class: "sensor" }, head, el("i", {}, sensor.type));
    if (sensor.topics.some(({ view }) => view === "points")) row.append(this.colours(layer));
    const views = viewsOf(robot, sensor).map((view) => {
      const click = () => {
        wake(this.app, robot, sensor);
        this.pictures?.toggle(view, `${layer} ${view.name}`);
      };
      const made = button("picture", `picture: ${view.name}`, click, view.name);
      made.dataset.topic = view.topic;
      return made;
    });
    const more = [...views, ...this.series(sensor), ...this.switches(robot, sensor)];
    if (more.length) row.append(el("div", { class: "views" }, ...more));
    return row;
  }

  /** Buttons for numbers that the sensor gives over time. */
  private series(sensor: Sensor): HTMLElement[] {
    return sensor.topics
      .filter(({ view }) => view === "series")
      .map(({ topic, type, path }) => {
        const words = topic.split("/").slice(3).join(" ") || path;
        const made = button("plus", `plot ${topic} ${path}`, () => this.plot(topic, type, path), words);
        made.dataset.topic = topic;
        return made;
      });
  }

  /** Buttons for controls that need no arguments. */
  private switches(robot: Robot, sensor: Sensor): HTMLElement[] {
    return sensor.controls
      .filter(({ required }) => required === 0)
      .map(({ name, doc }) => {
        const ask = () => this.app.connection.ask({ do: "operate", robot: robot.name, sensor: sensor.name, control: name, arguments: [] });
        const click = () => void ask().catch((error: Error) => this.app.notice(error.message, "error"));
        const made = button("", doc, click, name);
        made.dataset.control = name;
        return made;
      });
  }

  private colours(layer: string): HTMLElement {
    const name = `colour:${layer}`;
    const options = COLOURS.map((colour): [string, string] => [colour, `colour: ${colour}`]);
    const change = (value: string) => (this.app.options[name] = value);
    return select("what the colours tell", options, this.app.options[name] ?? "range", change);
  }

  private likewise(robot: Robot): void {
    for (const sensor of robot.sensors) {
      const on = Boolean(this.app.layers[`${robot.name}/${sensor.name}`]);
      for (const other of this.app.robots) {
        if (other.sensors.some((s) => s.name === sensor.name)) this.app.layers[`${other.name}/${sensor.name}`] = on;
      }
    }
  }

  private layerCheck(layer: string, words: string, about: string): HTMLElement {
    const made = check(words, Boolean(this.app.layers[layer]), (on) => (this.app.layers[layer] = on), about);
    made.dataset.layer = layer;
    return made;
  }

  /** Layers were switched, here or elsewhere. */
  private tick(): void {
    for (const made of this.element.querySelectorAll<HTMLElement>("[data-layer]")) {
      made.querySelector("input")!.checked = Boolean(this.app.layers[made.dataset.layer!]);
    }
  }
}
