/** Short notes at the lower edge: errors stay longer, and each can be clicked away. */

import type { App } from "../app";
import { el } from "./dom";

const LASTS = { info: 3500, warning: 6000, error: 9000 };
const MOST = 4;

export class Toasts {
  readonly element = el("div", { class: "toasts", role: "status", "aria-live": "polite" });

  constructor(app: App) {
    app.events.on("notice", ({ level, text }) => this.add(text, level));
  }

  /** Show a note; the same words again only begin anew. */
  add(text: string, level: keyof typeof LASTS): void {
    for (const old of [...this.element.children]) if (old.textContent === text) old.remove();
    const toast = el("div", { class: `toast ${level}`, onclick: () => toast.remove() }, text);
    this.element.append(toast);
    while (this.element.children.length > MOST) this.element.firstElementChild?.remove();
    window.setTimeout(() => toast.remove(), LASTS[level]);
  }
}
