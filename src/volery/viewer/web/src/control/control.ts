/** Who is under control, and by what: keyboard and gamepad, for the selected robot, once the user has asked for it. */

import type { App } from "../app";
import type { Frame } from "../frames";
import type { PosesHeader, Robot, Vec3 } from "../protocol";
import { button, el, setText, typing } from "../ui/dom";
import { added, aims, moves } from "./axes";
import { Driver } from "./driver";
import { Gimbal } from "./gimbal";
import { isAxisKey, Keys } from "./keys";
import { Pad } from "./pad";

/** Commands a second while something is held. */
const RATE = 20;
/** Impulses that begin to be felt, and that rumble fully [N s]. */
const SOFT = 0.02;
const HARD = 2;
/** Forces on a tool that begin to be felt, and that hum fully [N]; and how often a hum is begun anew [ms]. */
const FAINT = 0.3;
const STRONG = 10;
const HUM_MS = 100;

export class Control {
  /** The note on the screen that says which robot is under control. */
  readonly note = el("div", { class: "under-control", hidden: true });
  readonly take: HTMLButtonElement;
  private readonly keys = new Keys();
  private readonly pad = new Pad();
  private readonly driver: Driver;
  private readonly gimbal: Gimbal;
  private robot: Robot | null = null;
  private poses: Frame<PosesHeader> | null = null;
  /** Impulse of what it touches all the while [N s]; null: not known yet. */
  private usual: number | null = null;
  private timer = 0;
  private hummed = 0;

  constructor(private readonly app: App) {
    this.driver = new Driver(app, (robot) => this.placeOf(robot));
    this.gimbal = new Gimbal(app);
    this.take = button("pad", "fly or drive the selected robot by keys or gamepad (T)", () => this.toggle(), "take control");
    this.take.classList.add("wide");
    this.note.append(el("b"), el("span", {}, "T lets go · Space stops · H all keys"));
    this.listen();
    this.update();
  }

  /** Take control of the selected robot, or let go. */
  toggle(): void {
    if (this.robot) this.release();
    else this.seize();
  }

  /** Take control of the selected robot; false if that cannot be. */
  private seize(): boolean {
    if (this.app.welcome?.mode === "replay") {
      this.app.notice("robots of a recording cannot be steered", "warning");
      return false;
    }
    const robot = this.app.robot(this.app.selected);
    if (!robot || !Driver.takes(robot)) {
      this.app.notice(robot ? `${robot.name} takes no velocities` : "select a robot first", "warning");
      return false;
    }
    this.robot = robot;
    this.usual = null;
    this.update();
    return true;
  }

  private release(): void {
    this.rest();
    this.robot = null;
    this.update();
  }

  /** All is let go: the robot stops if it was moving. */
  private rest(): void {
    this.keys.clear();
    if (this.robot && this.driver.isMoving(this.robot)) this.driver.stop(this.robot);
  }

  private update(): void {
    this.app.controlling = this.robot !== null;
    this.note.hidden = this.robot === null;
    setText(this.note.firstElementChild as HTMLElement, this.robot ? `${this.robot.name} is under your control` : "");
    this.take.lastChild!.textContent = this.robot ? `release ${this.robot.name}` : "take control";
    this.take.classList.toggle("on", this.robot !== null);
    // Robots of a recording cannot be steered.
    this.take.hidden = this.app.welcome?.mode === "replay";
    window.clearInterval(this.timer);
    if (this.robot) this.timer = window.setInterval(() => this.tick(), 1000 / RATE);
  }

  private listen(): void {
    const { events } = this.app;
    events.on("welcome", () => this.update());
    // Before the cameras' own keys: what steers a robot does not also steer the camera.
    window.addEventListener("keydown", (event) => this.press(event), { capture: true });
    window.addEventListener("keyup", (event) => this.keys.release(event), { capture: true });
    window.addEventListener("blur", () => this.rest());
    document.addEventListener("visibilitychange", () => document.hidden && this.rest());
    window.addEventListener("gamepadconnected", () => this.watchPad());
    events.on("selected", (name) => this.robot && this.robot.name !== name && this.release());
    events.on("connection", ({ state }) => state !== "open" && this.robot && this.release());
    events.on("robots", () => {
      if (!this.robot) return;
      const still = this.app.robot(this.robot.name);
      if (still) this.robot = still;
      else this.release();
    });
    events.on("poses", (frame) => {
      this.poses = frame;
      if (this.robot) this.feel(frame);
    });
    events.on("waypoint", ({ p }) => this.waypoint(p));
  }

  private press(event: KeyboardEvent): void {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { code } = event;
    if (isAxisKey(code)) {
      if (!this.robot && !this.mayBegin(event)) return;
      this.keys.press(event);
      if (!event.repeat) this.tick();
    } else if (code === "KeyT") {
      if (!event.repeat) this.toggle();
    } else if (code === "Space" && this.robot) {
      this.halt();
    } else if (code === "KeyB" && this.app.selected) {
      const robot = this.robot ?? this.app.robot(this.app.selected);
      if (robot && !event.repeat) this.gimbal.toggleLamps(robot);
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** A key of control takes control by itself, unless it may be meant for the free camera or a panel. */
  private mayBegin(event: KeyboardEvent): boolean {
    const inPanel = Boolean((event.target as HTMLElement | null)?.closest?.("#ui"));
    const robot = this.app.robot(this.app.selected);
    if (!robot || event.repeat || this.app.cameras?.mode === "free") return false;
    if (inPanel && event.key.startsWith("Arrow")) return false;
    return this.app.welcome?.mode === "live" && Driver.takes(robot) && this.seize();
  }

  private halt(): void {
    this.keys.clear();
    if (this.robot) this.driver.stop(this.robot);
  }

  private tick(): void {
    const { robot } = this;
    if (!robot) return;
    const axes = added(this.keys.axes(), this.pad.axes());
    this.driver.drive(robot, axes);
    if (aims(axes)) this.gimbal.move(robot, axes, 1 / RATE);
    this.note.classList.toggle("moving", moves(axes));
  }

  /** Look at a gamepad's buttons as long as it is there. */
  private watchPad(): void {
    if (!this.pad.pad) return;
    for (const pressed of this.pad.pressed()) {
      if (pressed === "start") this.toggle();
      else if (this.robot && pressed === "A") this.halt();
      else if (this.robot && pressed === "B") this.gimbal.toggleLamps(this.robot);
    }
    window.setTimeout(() => this.watchPad(), 1000 / RATE);
  }

  /** Shake the gamepad as the robot strikes something; what it stands on all the while is not felt. */
  private feel(frame: Frame<PosesHeader>): void {
    const impulse = frame.arrays.impulse as Float32Array | undefined;
    let most = 0;
    frame.header.contacts.forEach(([name], i) => {
      const size = Math.hypot(impulse![3 * i]!, impulse![3 * i + 1]!, impulse![3 * i + 2]!);
      if (name === this.robot?.name) most = Math.max(most, size);
    });
    const over = most - 2 * (this.usual ?? most);
    this.usual = (this.usual ?? most) + 0.1 * (most - (this.usual ?? most));
    if (over > SOFT && this.pad.pad) this.pad.rumble(over / HARD);
  }

  /** Let the gamepad hum with the force on a robot's tool [N], if that robot is under control. */
  feelTool(robot: string, force: number): void {
    const now = performance.now();
    if (this.robot?.name !== robot || force < FAINT || now - this.hummed < HUM_MS || !this.pad.pad) return;
    this.hummed = now;
    this.pad.rumble(Math.min(force / STRONG, 1));
  }

  private waypoint(p: Vec3): void {
    if (this.robot) this.driver.sendTo(this.robot, p);
    else if (this.app.selected) this.app.notice(`press T to take control of ${this.app.selected}; then a double click sends it there`);
  }

  /** Where a robot is [m], and its heading [rad]. */
  private placeOf(robot: Robot): { p: Vec3; yaw: number } | null {
    const { p, q } = this.poses?.arrays ?? {};
    const i = robot.first;
    if (!p || !q || p.length < 3 * i + 3) return null;
    const [w, x, y, z] = [0, 1, 2, 3].map((k) => Number(q[4 * i + k]));
    const yaw = Math.atan2(2 * (w! * z! + x! * y!), 1 - 2 * (y! * y! + z! * z!));
    return { p: [0, 1, 2].map((k) => Number(p[3 * i + k])) as Vec3, yaw };
  }
}
