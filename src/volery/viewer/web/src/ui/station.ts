/** The operator's instruments for the selected robot: an artificial horizon, and a gauge of the force on its tool. */

import type { App } from "../app";
import { decode } from "../cdr";
import type { Frame } from "../frames";
import type { PosesHeader, Robot } from "../protocol";
import { button, el, setText } from "./dom";

const SIZE = 132;
/** Pixels of the horizon for each degree of pitch. */
const PER_DEGREE = 1.6;
const WRENCH = "geometry_msgs/msg/WrenchStamped";
/** Readings of a force sensor that are wanted a second. */
const RATE = 30;
/** How much of a reading in the air goes into the weight of the tool. */
const TARE = 0.05;
/** Ends of the gauge's scale [N]. */
const SCALES = [2, 5, 10, 20, 50, 100, 500, 2000];

/** Bank to the right, nose up, and heading from north over east, of an attitude in W (w, x, y, z) [degrees]. */
export function angles([w, x, y, z]: number[]): { bank: number; nose: number; heading: number } {
  const degrees = 180 / Math.PI;
  const bank = Math.atan2(2 * (w! * x! + y! * z!), 1 - 2 * (x! * x! + y! * y!)) * degrees;
  const nose = -Math.asin(Math.max(-1, Math.min(1, 2 * (w! * y! - z! * x!)))) * degrees;
  const yaw = Math.atan2(2 * (w! * z! + x! * y!), 1 - 2 * (y! * y! + z! * z!)) * degrees;
  return { bank, nose, heading: (450 - yaw) % 360 };
}

/** The smallest scale that shows a force [N]. */
export function scaleFor(force: number): number {
  return SCALES.find((end) => force <= end) ?? SCALES.at(-1)!;
}

interface Wrench {
  wrench: { force: { x: number; y: number; z: number } };
}

export class Station {
  readonly element = el("div", { class: "station panel", hidden: true });
  private readonly horizon = el("canvas", { width: 2 * SIZE, height: 2 * SIZE, title: "attitude" });
  private readonly gauge = el("canvas", { width: 2 * SIZE, height: 2 * SIZE, title: "force" });
  private readonly words = el("output", { class: "dim" });
  private force = 0;
  private peak = 0;
  /** What the force sensor reads while nothing is touched: the weight of the tool [N]. */
  private readonly weight = [0, 0, 0];
  private weighed = false;
  private touches = false;
  /** Topic of the force sensor that is listened to; none: contacts of the robot count. */
  private topic: string | null = null;
  private stop: (() => void) | null = null;

  constructor(
    private readonly app: App,
    /** Told of the force on a robot's tool [N], as often as it comes. */
    private readonly felt: (robot: string, force: number) => void,
  ) {
    const close = button("close", "close the instruments (M)", () => this.toggle());
    this.element.append(el("div", { class: "tools" }, el("b", {}, "Instruments"), this.words, el("span", { class: "spring" }), close));
    this.element.append(el("div", { class: "dials" }, this.horizon, this.gauge));
    app.events.on("poses", (frame) => this.take(frame));
    app.events.on("selected", () => this.choose());
    app.events.on("robots", () => this.choose());
    app.events.on("layers", (name) => name === "station" && this.choose());
    this.choose();
  }

  /** Show or hide the instruments. */
  toggle(): void {
    this.app.layers.station = !this.app.layers.station;
  }

  private get robot(): Robot | null {
    return this.app.robot(this.app.selected);
  }

  /** Listen to the force sensor of the selected robot, if it has one. */
  private choose(): void {
    const { robot } = this;
    this.element.hidden = !this.app.layers.station || !robot;
    const found = robot?.sensors.flatMap((s) => s.topics).find((t) => t.type === WRENCH)?.topic ?? null;
    const wanted = robot ? found : null;
    if (wanted === this.topic) return;
    this.stop?.();
    this.topic = wanted;
    this.force = this.peak = 0;
    this.weighed = false;
    this.stop = wanted === null ? null : this.app.topics.want(wanted, RATE, (message) => this.hear(decode(WRENCH, message.cdr) as unknown as Wrench));
  }

  private hear({ wrench: { force } }: Wrench): void {
    const read = [force.x, force.y, force.z];
    if (!read.every(Number.isFinite)) return;
    // The first reading at once, then slowly: what shakes in flight is not weight.
    if (!this.touches) read.forEach((value, k) => (this.weight[k]! += (this.weighed ? TARE : 1) * (value - this.weight[k]!)));
    this.weighed ||= !this.touches;
    this.set(Math.hypot(...read.map((value, k) => value - this.weight[k]!)));
  }

  private set(force: number): void {
    this.force = force;
    this.peak = Math.max(this.peak * 0.995, this.force);
    if (this.robot) this.felt(this.robot.name, this.force);
  }

  private take({ header, arrays }: Frame<PosesHeader>): void {
    const { robot } = this;
    const { p, q, impulse } = arrays;
    if (!robot || !p || !q || q.length < 4 * robot.first + 4) return;
    this.touches = header.contacts.some(([name]) => name === robot.name);
    if (this.topic === null) this.set(this.touching(robot, header, impulse));
    if (this.element.hidden) return;
    const attitude = angles([0, 1, 2, 3].map((k) => Number(q[4 * robot.first + k])));
    this.drawHorizon(attitude);
    this.drawGauge();
    const height = Number(p[3 * robot.first + 2]).toFixed(2);
    setText(this.words, `${robot.name} · ${height} m · ${attitude.heading.toFixed(0)}° · ${this.force.toFixed(2)} N`);
  }

  /** Force of all that a robot touches [N]. */
  private touching(robot: Robot, header: PosesHeader, impulse: ArrayLike<number> | undefined): number {
    const sum = [0, 0, 0];
    header.contacts.forEach(([name], i) => {
      if (name === robot.name && impulse) sum.forEach((_, k) => (sum[k]! += Number(impulse[3 * i + k])));
    });
    return Math.hypot(...sum) / ((this.app.welcome?.step_ns ?? 1e7) / 1e9);
  }

  private drawHorizon({ bank, nose }: { bank: number; nose: number }): void {
    const c = begin(this.horizon);
    const radius = SIZE / 2 - 4;
    c.save();
    c.beginPath();
    c.arc(0, 0, radius, 0, 2 * Math.PI);
    c.clip();
    c.rotate((-bank * Math.PI) / 180);
    c.translate(0, nose * PER_DEGREE);
    c.fillStyle = "#3b82c4";
    c.fillRect(-200, -400, 400, 400);
    c.fillStyle = "#7a5230";
    c.fillRect(-200, 0, 400, 400);
    c.strokeStyle = "#fff";
    for (let degree = -80; degree <= 80; degree += 10) {
      const half = degree === 0 ? 200 : degree % 30 === 0 ? 22 : 12;
      line(c, -half, -degree * PER_DEGREE, half, -degree * PER_DEGREE, degree === 0 ? 1.5 : 0.8);
    }
    line(c, 0, -radius - nose * PER_DEGREE, 0, -radius + 8 - nose * PER_DEGREE, 2);
    c.restore();
    c.strokeStyle = "#ffd23f";
    line(c, -30, 0, -10, 0, 3);
    line(c, 10, 0, 30, 0, 3);
    line(c, 0, -2, 0, 2, 3);
    c.strokeStyle = "#ffffff60";
    c.beginPath();
    c.arc(0, 0, radius, 0, 2 * Math.PI);
    c.stroke();
  }

  private drawGauge(): void {
    const c = begin(this.gauge);
    const end = scaleFor(this.peak);
    const turn = (share: number) => ((0.75 + 1.5 * Math.min(share, 1)) * Math.PI);
    const radius = SIZE / 2 - 10;
    arc(c, radius, turn(0), turn(1), "#ffffff25", 8);
    arc(c, radius, turn(0), turn(this.force / end), "#58c4b4", 8);
    const peak = turn(this.peak / end);
    arc(c, radius, peak - 0.02, peak + 0.02, "#f0b34f", 12);
    c.fillStyle = "#e8edf1";
    c.textAlign = "center";
    c.font = "600 22px system-ui";
    c.fillText(this.force.toFixed(this.force < 10 ? 2 : 1), 0, 4);
    c.font = "11px system-ui";
    c.fillStyle = "#95a3ae";
    c.fillText("N", 0, 20);
    c.fillText(`0`, -radius * 0.62, radius * 0.95);
    c.fillText(`${end}`, radius * 0.62, radius * 0.95);
  }
}

/** A clean sheet whose middle is (0, 0), one unit of which is half a pixel of a fine screen. */
function begin(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const c = canvas.getContext("2d")!;
  c.setTransform(2, 0, 0, 2, SIZE, SIZE);
  c.clearRect(-SIZE, -SIZE, 2 * SIZE, 2 * SIZE);
  return c;
}

function line(c: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number, width: number): void {
  c.lineWidth = width;
  c.beginPath();
  c.moveTo(x1, y1);
  c.lineTo(x2, y2);
  c.stroke();
}

function arc(c: CanvasRenderingContext2D, radius: number, from: number, to: number, colour: string, width: number): void {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.beginPath();
  c.arc(0, 0, radius, from, to);
  c.stroke();
}
