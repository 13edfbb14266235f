/** Plots of numbers of messages over time, several in one; drag to zoom, double click to see all again. */

import uPlot from "uplot";
import type { App } from "../app";
import { button, el, setIcon, show } from "./dom";
import type { Panel } from "./panel";
import { Series, SPAN } from "./series";

const COLOURS = ["#5cc8ff", "#ffb454", "#7ee787", "#ff7b9c", "#c9a6ff", "#f2e16b", "#4fd6c2", "#ff9e7a"];
const HEIGHT = 190;
/** Plots are drawn anew this often [ms]. */
const EVERY = 100;

/** The least time that is shown [s]. */
const SHORTEST = 2;

/** Limits of the upright axis: room above and below, even if nothing changes but the last digits. */
function spread(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const room = Math.max(0.08 * (high - low), 1e-4 * Math.abs(high + low), 1e-6);
  return [low - room, high + room];
}

/** One diagram with its series. */
class Plot {
  readonly element = el("div", { class: "plot" });
  readonly series: Series[] = [];
  paused = false;
  private chart: uPlot | null = null;
  private zoomed = false;
  private readonly holder = el("div", { class: "chart" });
  private readonly legend = el("div", { class: "legend" });
  private readonly hold: HTMLButtonElement;

  constructor(close: (plot: Plot) => void) {
    this.hold = button("pause", "hold this plot", () => this.setPaused(!this.paused));
    const clear = button("trash", "clear", () => this.series.forEach((s) => s.clear()));
    const shut = button("close", "close", () => close(this));
    this.element.append(el("div", { class: "tools" }, this.legend, el("span", { class: "spring" }), this.hold, clear, shut), this.holder);
  }

  add(series: Series): void {
    this.series.push(series);
    this.rebuild();
  }

  /** Draw what came since. */
  draw(): void {
    this.rebuildIfWider();
    if (!this.chart || this.paused) return;
    const tables = this.series.map((s): uPlot.AlignedData => [s.times, s.values]);
    const data = tables.length > 1 ? uPlot.join(tables) : (tables[0] ?? [[]]);
    this.chart.setData(data, false);
    if (!this.zoomed) this.followEnd();
    this.series.forEach((s, i) => {
      const value = this.legend.children[i]?.querySelector("output");
      if (value) value.textContent = s.last === null ? "–" : show(s.last);
    });
  }

  destroy(): void {
    this.chart?.destroy();
    this.series.forEach((s) => s.hide());
    this.element.remove();
  }

  private setPaused(paused: boolean): void {
    this.paused = paused;
    setIcon(this.hold, paused ? "play" : "pause");
    this.hold.title = paused ? "go on" : "hold this plot";
  }

  private followEnd(): void {
    const end = Math.max(...this.series.map((s) => s.times.at(-1) ?? 0), SHORTEST);
    const begin = Math.min(...this.series.map((s) => s.times[0] ?? end), end - SHORTEST);
    this.chart?.setScale("x", { min: Math.max(begin, end - SPAN), max: end });
  }

  private rebuildIfWider(): void {
    const width = this.holder.clientWidth;
    if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: HEIGHT });
    else if (!this.chart && width > 0) this.rebuild();
  }

  private rebuild(): void {
    this.legend.replaceChildren(...this.series.map((s) => this.entry(s)));
    const width = this.holder.clientWidth;
    this.chart?.destroy();
    this.chart = null;
    if (!width || !this.series.length) return;
    const axis = { stroke: "#9aa7b1", grid: { stroke: "#ffffff12", width: 1 }, ticks: { stroke: "#ffffff20", width: 1 }, font: "11px system-ui" };
    const options: uPlot.Options = {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => spread(low, high) } },
      axes: [{ ...axis, values: (_, ticks) => ticks.map((t) => `${Number(t.toFixed(3))} s`) }, { ...axis, size: 56 }],
      series: [{}, ...this.series.map((s) => ({ label: s.label, stroke: s.colour, width: 1.5, spanGaps: false, points: { show: false } }))],
      hooks: { setSelect: [() => (this.zoomed = true)] },
    };
    this.chart = new uPlot(options, [[], ...this.series.map(() => [])] as unknown as uPlot.AlignedData, this.holder);
    this.chart.over.addEventListener("dblclick", () => (this.zoomed = false));
    this.draw();
  }

  private entry(series: Series): HTMLElement {
    const gone = button("close", `take ${series.path} out`, () => {
      series.hide();
      this.series.splice(this.series.indexOf(series), 1);
      this.rebuild();
    });
    const mark = el("i", { style: `background:${series.colour}` });
    return el("span", { class: "entry", title: series.label }, mark, series.path, el("output"), gone);
  }
}

export class PlotsPanel implements Panel {
  readonly title = "Plots";
  readonly element = el("div", { class: "plots" });
  private readonly list = el("div", { class: "scroll" });
  private readonly empty = el("p", { class: "dim" }, "Choose a topic under Topics and press + beside a number.");
  private plots: Plot[] = [];
  private timer = 0;
  private seen = false;
  private fresh = true;
  private colour = 0;

  constructor(private readonly app: App) {
    const next = button("plus", "put the next number into a plot of its own", () => (this.fresh = true), "new plot");
    const clear = button("trash", "close all plots", () => [...this.plots].forEach((plot) => this.close(plot)));
    this.element.append(el("div", { class: "tools" }, next, el("span", { class: "spring" }), clear), this.list, this.empty);
  }

  /** Plot a number of a topic, in the newest plot or a new one. */
  add(topic: string, type: string, path: string): void {
    if (this.plots.some((plot) => plot.series.some((s) => s.topic === topic && s.path === path))) {
      this.app.notice(`${topic} ${path} is plotted already`);
      return;
    }
    if (this.fresh || !this.plots.length) {
      const plot = new Plot((closed) => this.close(closed));
      this.plots.push(plot);
      this.list.append(plot.element);
    }
    this.fresh = false;
    const series = new Series(this.app, topic, type, path, COLOURS[this.colour++ % COLOURS.length]!);
    this.plots.at(-1)!.add(series);
    if (this.seen) series.show();
    this.empty.hidden = true;
    this.app.notice(`plotting ${topic} ${path}`);
  }

  show(): void {
    this.seen = true;
    for (const plot of this.plots) plot.series.forEach((s) => s.show());
    this.timer = window.setInterval(() => this.plots.forEach((plot) => plot.draw()), EVERY);
  }

  hide(): void {
    this.seen = false;
    for (const plot of this.plots) plot.series.forEach((s) => s.hide());
    window.clearInterval(this.timer);
  }

  private close(plot: Plot): void {
    plot.destroy();
    this.plots = this.plots.filter((other) => other !== plot);
    this.empty.hidden = this.plots.length > 0;
  }
}
