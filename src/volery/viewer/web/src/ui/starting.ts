/** Says why nothing is seen yet: a run is being made. */

import type { App } from "../app";
import { el } from "./dom";

const WORDS = "Starting …";

export class Starting {
  readonly element = el("div", { class: "starting panel", role: "status", hidden: true }, WORDS);

  constructor(app: App) {
    app.events.on("connection", ({ state }) => (this.element.hidden = state !== "open"));
    app.events.on("state", ({ replay, paused, steps }) => {
      const seen = steps > 0 && (app.robots.length > 0 || app.view.chunks.chunks.size > 0);
      this.element.hidden = replay !== null || paused || seen;
    });
  }
}
