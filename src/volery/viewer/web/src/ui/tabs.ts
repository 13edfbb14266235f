/** Panels behind tabs, one at a time; arrow keys move between the tabs. */

import { el } from "./dom";
import type { Panel } from "./panel";

const KEPT = "volery.tab";

export class Tabs {
  readonly element = el("section", { class: "panel tabs" });
  private readonly row = el("div", { class: "tab-row", role: "tablist" });
  private readonly body = el("div", { class: "tab-body" });
  private readonly buttons: HTMLButtonElement[];
  private current = -1;
  private seen = false;

  constructor(private readonly panels: Panel[]) {
    this.buttons = panels.map((panel, index) =>
      el("button", { type: "button", role: "tab", onclick: () => this.choose(index) }, panel.title),
    );
    this.row.append(...this.buttons);
    this.row.addEventListener("keydown", (event) => this.move(event));
    this.element.append(this.row, this.body);
    for (const panel of panels) {
      panel.element.hidden = true;
      this.body.append(panel.element);
    }
    const kept = panels.findIndex((panel) => panel.title === localStorage.getItem(KEPT));
    this.choose(Math.max(kept, 0));
  }

  /** Tell the panel in front whether anybody can see it. */
  setSeen(seen: boolean): void {
    if (seen === this.seen) return;
    this.seen = seen;
    const panel = this.panels[this.current];
    if (seen) panel?.show();
    else panel?.hide();
  }

  /** Bring a panel to the front. */
  open(panel: Panel): void {
    this.choose(this.panels.indexOf(panel));
  }

  private choose(index: number): void {
    if (index === this.current || !this.panels[index]) return;
    const before = this.panels[this.current];
    if (before) {
      before.element.hidden = true;
      if (this.seen) before.hide();
    }
    this.current = index;
    const panel = this.panels[index];
    panel.element.hidden = false;
    localStorage.setItem(KEPT, panel.title);
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    if (this.seen) panel.show();
  }

  private move(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    this.choose((this.current + by + this.panels.length) % this.panels.length);
    this.buttons[this.current]?.focus();
  }
}
