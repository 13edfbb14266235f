/** The dialog that begins another run: which scenario, world and seed, and how many robots. */

import type { App } from "../app";
import { button, el, select } from "./dom";

interface Choice {
  name: string;
  about: string;
}

const MOST_ROBOTS = 50;

export class Picker {
  readonly element = el("dialog", { class: "dialog", "aria-label": "choose a scenario" });
  private readonly list = el("div", { class: "choices", role: "radiogroup" });
  private readonly seed = el("input", { type: "number", min: 0, step: 1, placeholder: "the scenario's" });
  private readonly robots = el("input", { type: "number", min: 1, max: MOST_ROBOTS, step: 1, placeholder: "as it says" });
  private world = select("world", [["", "the scenario's"]], "", () => undefined);
  private chosen = "";

  constructor(private readonly app: App) {
    const cancel = button("", "close", () => this.element.close(), "cancel");
    const begin = el("button", { type: "submit", class: "main" }, "start");
    const field = (words: string, input: HTMLElement) => el("label", {}, words, input);
    const form = el(
      "form",
      { onsubmit: (event: SubmitEvent) => this.start(event) },
      el("h2", {}, "Begin a run"),
      this.list,
      el("div", { class: "fields-row" }, field("world", this.world), field("seed", this.seed), field("robots", this.robots)),
      el("div", { class: "buttons" }, cancel, begin),
    );
    this.element.append(form);
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  /** Show the dialog with what there is now. */
  open(): void {
    const { welcome } = this.app;
    if (!welcome || this.element.open) return;
    this.chosen = welcome.scenario;
    const { scenario: name, scenarios, about } = welcome;
    // The run may be of a file of the user's own.
    const own = scenarios.some((choice) => choice.name === name) ? [] : [{ name, about }];
    this.fill([...own, ...scenarios]);
    const worlds = (welcome as unknown as { worlds?: string[] }).worlds ?? [];
    this.world.replaceChildren(...["", ...worlds].map((name) => el("option", { value: name }, name || "the scenario's")));
    this.seed.value = "";
    this.robots.value = "";
    this.element.showModal();
    this.list.querySelector<HTMLElement>("input:checked")?.focus();
  }

  private fill(scenarios: Choice[]): void {
    this.list.replaceChildren(
      ...scenarios.map(({ name, about }) => {
        const input = el("input", { type: "radio", name: "scenario", value: name, checked: name === this.chosen });
        input.addEventListener("change", () => (this.chosen = name));
        return el("label", { class: "choice" }, input, el("b", {}, name.replaceAll("_", " ")), el("span", {}, about));
      }),
    );
  }

  private async start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const values: Record<string, unknown> = { scenario: this.chosen };
    if (this.seed.value !== "") values.seed = Number(this.seed.value);
    if (this.robots.value !== "") values.robots = Number(this.robots.value);
    if (this.world.value !== "") values.world = this.world.value;
    try {
      await this.app.connection.ask({ do: "start", ...values });
      this.element.close();
      this.app.notice(`starting ${this.chosen} …`);
    } catch (error) {
      this.app.notice((error as Error).message, "error");
      this.element.close();
    }
  }
}
