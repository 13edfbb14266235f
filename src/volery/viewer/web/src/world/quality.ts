/** How much is drawn: chosen by the user, or by itself so that pictures stay quick. */

import type { App } from "../app";

export type Choice = "auto" | "low" | "medium" | "high" | "ultra";
export const CHOICES: readonly Choice[] = ["auto", "low", "medium", "high", "ultra"];

export interface Settings {
  /** Scales triangles and sizes at which things vanish. */
  detail: number;
  /** Pixels of the picture per pixel of the screen, at most. */
  ratio: number;
  /** Edge of a tile of the shadow map [texels]. */
  tile: number;
  skyTaps: number;
  /** How many times more seldom shadows are drawn anew. */
  lazy: number;
  /** How far the world is asked for [m]. */
  reach: number;
}

/** From weak to strong. */
const LADDER: Settings[] = [
  { detail: 0.06, ratio: 0.5, tile: 512, skyTaps: 3, lazy: 4, reach: 90 },
  { detail: 0.12, ratio: 0.67, tile: 512, skyTaps: 3, lazy: 2, reach: 110 },
  { detail: 0.25, ratio: 1, tile: 1024, skyTaps: 3, lazy: 2, reach: 130 },
  { detail: 0.45, ratio: 1, tile: 1024, skyTaps: 8, lazy: 1, reach: 160 },
  { detail: 0.8, ratio: 1.25, tile: 2048, skyTaps: 8, lazy: 1, reach: 200 },
  { detail: 1.4, ratio: 1.5, tile: 2048, skyTaps: 8, lazy: 1, reach: 240 },
  { detail: 2.5, ratio: 2, tile: 2048, skyTaps: 8, lazy: 1, reach: 280 },
];
const FIXED: Record<Exclude<Choice, "auto">, number> = { low: 1, medium: 3, high: 5, ultra: 6 };
const START = 3;
/** Times of a picture [s] above which less, and below which more is drawn. */
const SLOW = 1 / 33;
const QUICK = 1 / 52;
/** How long it must be so [s]; a step that was too much is not tried again for this long. */
const PATIENCE_DOWN = 0.7;
const PATIENCE_UP = 4;
const MEMORY = 60;

export class Quality {
  /** Pictures a second, smoothed. */
  fps = 60;
  private chosen: Choice = "auto";
  private step = START;
  private since = 0;
  private clock = 0;
  private readonly failed = new Array<number>(LADDER.length).fill(-Infinity);

  constructor(private readonly app: App) {}

  get choice(): Choice {
    return this.chosen;
  }

  set choice(choice: Choice) {
    this.chosen = choice;
    this.to(choice === "auto" ? START : FIXED[choice]);
  }

  /** What holds now. */
  get settings(): Settings {
    return LADDER[this.step];
  }

  /** After each picture; seconds since the one before. */
  measure(seconds: number): void {
    // A tab that slept tells nothing.
    if (seconds > 1.5) return;
    this.clock += seconds;
    const weight = Math.min(1, 3 * seconds);
    this.fps += (1 / Math.max(seconds, 1e-3) - this.fps) * weight;
    if (this.chosen !== "auto" || document.hidden) return;
    const time = 1 / this.fps;
    const waited = this.clock - this.since;
    if (time > SLOW && waited > PATIENCE_DOWN && this.step > 0) {
      this.failed[this.step] = this.clock;
      this.to(this.step - (time > 3 * SLOW && this.step > 1 ? 2 : 1));
    } else if (time < QUICK && waited > PATIENCE_UP && this.step + 1 < LADDER.length) {
      if (this.clock - this.failed[this.step + 1] > MEMORY) this.to(this.step + 1);
    }
  }

  private to(step: number): void {
    this.step = step;
    this.since = this.clock;
    this.app.events.emit("quality", { chosen: this.chosen, detail: this.settings.detail, fps: this.fps });
  }
}
