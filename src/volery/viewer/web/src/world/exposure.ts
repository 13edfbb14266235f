/** Brings pictures near a medium brightness: looks at a small copy now and then, and follows slowly like an eye. */

import type { App } from "../app";
import type { Uniforms } from "./surface";

const WIDTH = 32;
const HEIGHT = 18;
const EVERY_MS = 400;
/** Display brightness aimed at, and limits of the exposure. */
const AIM = 0.31;
const LEAST = 1.15;
const MOST = 40;
const QUICKNESS = 2.5;

export class Exposure {
  /** Stops brighter than by itself. */
  stops = 0;
  private readonly context: CanvasRenderingContext2D;
  private wanted = 1.2;
  private at = 0;
  private current = 1.2;

  constructor(
    private readonly app: App,
    private readonly uniforms: Uniforms,
  ) {
    const canvas = document.createElement("canvas");
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    this.context = canvas.getContext("2d", { willReadFrequently: true, alpha: false }) as CanvasRenderingContext2D;
    app.events.on("world", () => (this.wanted = this.current = app.world?.dark ? 3 : 1.2));
  }

  /** Before a picture. */
  update(seconds: number): void {
    this.current *= (this.wanted / this.current) ** Math.min(1, QUICKNESS * seconds);
    this.uniforms.exposure.value = this.current * 2 ** this.stops;
  }

  /** Right after a picture, while the canvas still holds it. */
  measure(now: number): void {
    if (now - this.at < EVERY_MS) return;
    this.at = now;
    this.context.drawImage(this.app.canvas, 0, 0, WIDTH, HEIGHT);
    const { data } = this.context.getImageData(0, 0, WIDTH, HEIGHT);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      const bright = (0.25 * data[i] + 0.6 * data[i + 1] + 0.15 * data[i + 2]) / 255;
      sum += Math.log(light(bright) + 1e-3);
    }
    const mean = Math.exp(sum / (WIDTH * HEIGHT)) / 2 ** this.stops;
    const wanted = this.current * (light(AIM) / mean) ** 0.7;
    this.wanted = Math.max(LEAST, Math.min(MOST, wanted));
  }
}

/** Light that gives a display value, the film curve backwards. */
function light(display: number): number {
  const y = Math.min(display, 0.98) ** 2.2;
  const [a, b, c] = [2.51 - 2.43 * y, 0.03 - 0.59 * y, -0.14 * y];
  return (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a);
}
