/** The list of all keys. */

import { button, el } from "./dom";

const KEYS: [section: string, rows: [keys: string, what: string][]][] = [
  [
    "Robot",
    [
      ["T", "take control of the selected robot, or let it go"],
      ["W S  ↑ ↓", "forward, backward"],
      ["A D  ← →", "left, right (wheeled robots turn)"],
      ["R F", "up, down"],
      ["Q E", "turn left, right"],
      ["Shift", "faster"],
      ["Space", "stop, hover"],
      ["J L  I K", "its camera: left, right, up, down"],
      ["U O", "its camera: zoom in, out"],
      ["B", "headlight on, off"],
      ["double click", "on the ground: go there (while in control)"],
      ["Shift double click", "on the ground: put the selected robot there"],
    ],
  ],
  [
    "Looking",
    [
      ["N", "next robot"],
      ["C", "over the shoulder, on board"],
      ["drag, wheel", "orbit, nearer, farther"],
      ["right mouse", "held, with W A S D Q E: fly freely"],
      ["click", "select a robot"],
      ["1 … 6", "orbit, chase, shoulder, on board, its camera, free"],
      ["V", "lamp of the viewer, in dark places"],
      ["G", "grid on the ground"],
      ["M", "instruments: attitude and force"],
    ],
  ],
  [
    "Run",
    [
      ["P", "play, pause"],
      [".", "one step, while paused"],
      ["Y", "choose a scenario"],
      ["Tab", "hide or show all panels"],
      ["H  ?", "this list"],
      ["Esc", "close it"],
    ],
  ],
  [
    "Gamepad",
    [
      ["Start", "take or release control"],
      ["left stick", "forward, sideways"],
      ["right stick", "turn, up and down"],
      ["right trigger", "faster"],
      ["A", "stop"],
      ["B", "lamps"],
      ["cross", "camera of the robot"],
      ["shoulders", "zoom out, in"],
    ],
  ],
];

export class Help {
  readonly element = el("dialog", { class: "dialog help", "aria-label": "keys" });

  constructor() {
    const sections = KEYS.map(([title, rows]) =>
      el("section", {}, el("h3", {}, title), el("dl", {}, ...rows.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)]))),
    );
    this.element.append(
      el("div", { class: "tools" }, el("h2", {}, "Keys"), el("span", { class: "spring" }), button("close", "close", () => this.element.close())),
      el("div", { class: "help-columns" }, ...sections),
    );
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "h" || event.key === "?") this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
