/** The timeline of a recording: play, pause, drag, speed. */

import type { App } from "../app";
import type { State } from "../protocol";
import { button, el, setIcon, setText, showTime } from "./dom";
import type { TopBar } from "./topbar";

/** While dragging, places are asked for at most this often [ms]. */
const APART = 120;

export class Timeline {
  readonly element = el("footer", { class: "timeline panel", hidden: true });
  private readonly play: HTMLButtonElement;
  private readonly slide = el("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0, "aria-label": "place in the recording" });
  private readonly now = el("output");
  private readonly end = el("output", { class: "dim" });
  private held = false;
  private timer = 0;

  constructor(
    app: App,
    private readonly bar: TopBar,
  ) {
    this.play = button("play", "play or pause (P)", () => bar.toggle());
    this.element.append(this.play, this.now, this.slide, this.end);
    this.slide.addEventListener("input", () => this.drag());
    this.slide.addEventListener("change", () => this.drop());
    app.events.on("state", (state) => this.update(state));
  }

  private update(state: State): void {
    const { replay } = state;
    this.element.hidden = replay === null;
    if (!replay) return;
    setIcon(this.play, replay.paused ? "play" : "pause");
    const length = (replay.end_ns - replay.start_ns) * 1e-9;
    this.slide.max = String(length);
    setText(this.end, showTime(length));
    if (this.held) return;
    const at = (replay.now_ns - replay.start_ns) * 1e-9;
    this.slide.value = String(at);
    setText(this.now, showTime(at));
  }

  private drag(): void {
    this.held = true;
    setText(this.now, showTime(Number(this.slide.value)));
    this.timer ||= window.setTimeout(() => this.seek(), APART);
  }

  private drop(): void {
    this.seek();
    this.held = false;
  }

  private seek(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    void this.bar.ask("seek", { seconds: Number(this.slide.value) });
  }
}
