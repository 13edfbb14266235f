/** Says why nothing moves yet: a run is being made, and its first step compiles kernels. */

import type { App } from "../app";
import { el } from "./dom";

const WORDS = "Starting. The first run on a machine compiles its kernels, which takes a minute or two.";

export class Starting {
  readonly element = el("div", { class: "starting panel", role: "status", hidden: true }, WORDS);

  constructor(app: App) {
    app.events.on("connection", ({ state }) => (this.element.hidden = state !== "open"));
    app.events.on("state", ({ replay, paused, steps }) => (this.element.hidden = replay !== null || paused || steps > 0));
  }
}
