/** The bar on top: what runs, time and pace, and the buttons that steer the run. */

import type { App } from "../app";
import type { State } from "../protocol";
import { button, el, select, setIcon, setText, showTime } from "./dom";

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "5", "10", "max"];

interface Actions {
  pick: () => void;
  help: () => void;
  side: (side: "left" | "right") => void;
}

export class TopBar {
  readonly element = el("header", { class: "topbar" });
  private readonly title: HTMLButtonElement;
  private readonly name = el("span", {}, "Volery");
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly record: HTMLButtonElement;
  private readonly time = el("output", { class: "time", title: "simulated time" }, "–");
  private readonly factor = el("output", { class: "factor", title: "simulated seconds per second" });
  private readonly link = el("span", { class: "link", title: "not connected" });
  private readonly liveOnly: HTMLElement[];
  private fault: string | null = null;

  constructor(
    private readonly app: App,
    actions: Actions,
  ) {
    this.title = button("open", "choose a scenario, world, seed and robots (Y)", actions.pick);
    this.title.classList.add("title");
    this.title.append(this.name);
    this.play = button("play", "play or pause (P)", () => this.toggle());
    this.step = button("step", "one step, while paused (.)", () => this.ask("step", { steps: 1 }));
    this.speed = select("speed: factor of real time", SPEEDS.map((s) => [s, showSpeed(s)]), "1", (value) =>
      this.ask("speed", { value: value === "max" ? "max" : Number(value) }),
    );
    const reset = button("reset", "back to the beginning of the scenario", () => this.ask("reset"));
    const snapshot = button("snapshot", "keep the state of the run in a file", () => this.keep());
    const save = button("save", "save what stands now as a scenario file", () => this.save());
    this.record = button("record", "record all topics to a file", () => this.toggleRecord());
    this.record.classList.add("record");
    this.liveOnly = [this.step, reset, snapshot, save, this.record];
    const group = (...parts: HTMLElement[]) => el("div", { class: "group", role: "group" }, ...parts);
    this.element.append(
      this.title,
      group(this.play, this.step, this.speed),
      group(this.time, this.factor),
      group(reset, snapshot, save, this.record),
      el("span", { class: "spring" }),
      this.link,
      group(
        button("left", "show or hide the left panel", () => actions.side("left")),
        button("right", "show or hide the right panel", () => actions.side("right")),
        button("help", "all keys (H)", actions.help),
      ),
    );
    this.listen();
  }

  /** Play if paused, else pause. */
  toggle(): void {
    const state = this.app.state;
    const paused = state?.replay ? state.replay.paused : state?.paused;
    this.ask(paused ? "play" : "pause");
  }

  /** Ask the server, and tell the user if it refuses. */
  async ask(what: string, values: Record<string, unknown> = {}): Promise<unknown> {
    try {
      return await this.app.connection.ask({ do: what, ...values });
    } catch (error) {
      this.app.notice((error as Error).message, "error");
      return null;
    }
  }

  private listen(): void {
    const { events } = this.app;
    events.on("welcome", (welcome) => {
      setText(this.name, welcome.scenario || "Volery");
      this.title.title = `${welcome.about || welcome.scenario}; seed ${welcome.seed}. Choose another (Y)`;
      document.title = [welcome.scenario, "Volery"].filter(Boolean).join(" · ");
      for (const part of this.liveOnly) part.hidden = welcome.mode === "replay";
    });
    events.on("state", (state) => this.update(state));
    events.on("connection", ({ state, text }) => {
      this.link.className = `link ${state}`;
      this.link.title = text;
      setText(this.link, state === "open" ? "" : text);
    });
  }

  private update(state: State): void {
    const paused = state.replay ? state.replay.paused : state.paused;
    setIcon(this.play, paused ? "play" : "pause");
    this.step.disabled = !paused;
    setText(this.time, showTime(state.now_ns * 1e-9));
    setText(this.factor, paused ? "paused" : `× ${state.factor.toFixed(2)}`);
    this.factor.classList.toggle("slow", !paused && typeof state.speed === "number" && state.factor < 0.9 * state.speed);
    this.showSpeed(String(state.replay ? state.replay.speed : state.speed));
    this.record.classList.toggle("on", state.recording !== null);
    setIcon(this.record, state.recording === null ? "record" : "stop");
    this.record.title = state.recording === null ? "record all topics to a file" : `recording ${state.recording}: stop`;
    this.sayFault(state.recording_fault ?? null);
    this.link.dataset.pages = state.pages > 1 ? `${state.pages} pages` : "";
  }

  /** Once: a recording that cannot go on is said where nobody misses it. */
  private sayFault(fault: string | null): void {
    if (fault !== null && fault !== this.fault) this.app.notice(fault, "error");
    this.fault = fault;
  }

  private showSpeed(value: string): void {
    if (document.activeElement === this.speed || this.speed.value === value) return;
    if (![...this.speed.options].some((option) => option.value === value)) {
      this.speed.append(el("option", { value }, showSpeed(value)));
    }
    this.speed.value = value;
  }

  private async keep(): Promise<void> {
    const answer = (await this.ask("snapshot")) as { file?: string } | null;
    if (answer?.file) this.app.notice(`snapshot: ${answer.file}`);
  }

  private async save(): Promise<void> {
    const answer = (await this.ask("save_scenario")) as { file?: string } | null;
    if (answer?.file) this.app.notice(`scenario: ${answer.file}; run it with volery run`);
  }

  private async toggleRecord(): Promise<void> {
    const stop = this.app.state?.recording !== null;
    const answer = (await this.ask(stop ? "record_stop" : "record")) as { file?: string } | null;
    if (answer?.file) this.app.notice(`${stop ? "recorded" : "recording to"} ${answer.file}`);
  }
}

function showSpeed(value: string): string {
  return value === "max" ? "max" : Number.isNaN(Number(value)) ? value : `${value} ×`;
}
