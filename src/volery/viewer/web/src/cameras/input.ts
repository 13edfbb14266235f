/** Mouse and keys of the cameras.
 *
 * Left drag turns, wheel goes near and far; right drag looks round and flies (WASD, Q and E, Shift: faster); a click
 * selects a robot; C: over the shoulder, first person; double click on
 * the ground: a waypoint; V: lamp; G: grid; 1 to 6: ways of looking.
 */

import { Vector3 } from "three";
import type { App } from "../app";
import type { WorldView } from "../world/view";
import type { Vec3 } from "../protocol";
import { MODES } from "./cameras";
import { wayThrough } from "./pose";

const TURN = 0.005;
const CLICK = 5;
const FAST = 4;
/** How far a double click reaches [m]. */
const REACH = 500;
/** How high above the ground a robot is put [m]. */
const START = 0.6;

export class CameraInput {
  private readonly held = new Set<string>();
  private pressed: { button: number; x: number; y: number; moved: boolean } | null = null;

  constructor(
    private readonly app: App,
    private readonly world: WorldView,
  ) {
    const { canvas } = app;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => (this.pressed = null));
    canvas.addEventListener("dblclick", (event) => this.double(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    app.events.on("add", ({ type }) => void this.add(type));
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("keyup", (event) => this.held.delete(event.code));
    window.addEventListener("blur", () => this.held.clear());
  }

  /** Before a picture: fly while keys are held. */
  update(seconds: number): void {
    const { cameras, controlling } = this.app;
    if (cameras.mode !== "free" || controlling || !this.held.size) return;
    const pair = (more: string[], less: string[]): number =>
      Number(more.some((code) => this.held.has(code))) - Number(less.some((code) => this.held.has(code)));
    const way = cameras.speed * seconds * (this.held.has("ShiftLeft") || this.held.has("ShiftRight") ? FAST : 1);
    cameras.fly(
      way * pair(["KeyW", "ArrowUp"], ["KeyS", "ArrowDown"]),
      way * pair(["KeyA", "ArrowLeft"], ["KeyD", "ArrowRight"]),
      way * pair(["KeyE"], ["KeyQ"]),
    );
  }

  private down(event: PointerEvent): void {
    this.app.canvas.setPointerCapture(event.pointerId);
    this.app.canvas.focus();
    this.pressed = { button: event.button, x: event.clientX, y: event.clientY, moved: false };
  }

  private move(event: PointerEvent): void {
    const { pressed, app } = this;
    if (!pressed) return this.hover(event);
    const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!pressed.moved && Math.hypot(dx, dy) < CLICK) return;
    pressed.moved = true;
    pressed.x = event.clientX;
    pressed.y = event.clientY;
    const { cameras } = app;
    if (pressed.button === 2 && cameras.mode !== "free") cameras.mode = "free";
    if (cameras.mode === "free") {
      cameras.yaw -= dx * TURN * 0.7;
      cameras.pitch = Math.max(-1.55, Math.min(1.55, cameras.pitch - dy * TURN * 0.7));
    } else cameras.arm.turn(-dx * TURN, cameras.inside ? -dy * TURN : dy * TURN);
  }

  private up(event: PointerEvent): void {
    const { pressed, app } = this;
    this.pressed = null;
    if (!pressed || pressed.moved) return;
    if (pressed.button === 2) {
      app.cameras.mode = "free";
      return;
    }
    if (pressed.button !== 0) return;
    const robot = this.robotAt(event);
    if (robot) app.selected = robot;
  }

  private double(event: MouseEvent): void {
    const p = this.groundAt(event);
    if (p && event.shiftKey) void this.put(p);
    else if (p) this.app.events.emit("waypoint", { p, robot: this.app.selected });
  }

  /** Put the selected robot above a place on the ground, as high as it is now. */
  private async put(p: Vec3): Promise<void> {
    const { app } = this;
    const robot = app.selected;
    const here = robot ? app.figures.place(robot) : null;
    if (!robot || !here) return;
    const height = Math.min(this.world.chunks.ground.cast(here, [0, 0, -1], REACH), REACH);
    const z = p[2] + (height < REACH ? height : START);
    await this.tried({ do: "place", robot, p: [p[0], p[1], z] });
  }

  /** Add a robot on the ground in the middle of the view, or ahead where there is none. */
  private async add(type: string): Promise<void> {
    const { canvas, cameras, robots } = this.app;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const middle = new MouseEvent("click", { clientX: left + width / 2, clientY: top + height / 2 });
    const way = this.wayAt(middle);
    const ahead = (k: 0 | 1 | 2): number => cameras.p_W[k] + 8 * way[k];
    const p = this.groundAt(middle) ?? [ahead(0), ahead(1), ahead(2)];
    let number = 1;
    while (robots.some((robot) => robot.name === `${type}_${number}`)) number += 1;
    const name = `${type}_${number}`;
    const done = await this.tried({ do: "spawn", name, data: { type, position: [p[0], p[1], p[2] + START] } });
    if (done) this.app.selected = name;
  }

  /** Whether the server did it; if not, the user is told. */
  private async tried(message: { do: string; [name: string]: unknown }): Promise<boolean> {
    try {
      await this.app.connection.ask(message);
      return true;
    } catch (error) {
      this.app.notice((error as Error).message, "error");
      return false;
    }
  }

  private hover(event: PointerEvent): void {
    const robot = this.robotAt(event);
    this.app.figures.hovered = robot;
    this.app.canvas.style.cursor = robot ? "pointer" : "default";
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { cameras } = this.app;
    const factor = Math.exp(Math.max(-100, Math.min(100, event.deltaY)) * 0.0015);
    if (cameras.mode === "free") cameras.speed = Math.max(0.3, Math.min(120, cameras.speed / factor));
    else cameras.arm.length = Math.max(0.2, Math.min(60, cameras.arm.length * factor));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement | null;
    if (event.ctrlKey || event.metaKey || event.altKey || isField(target)) return;
    this.held.add(event.code);
    if (event.repeat) return;
    const { cameras, layers } = this.app;
    if (event.code === "KeyC") cameras.nextPerson();
    else if (event.code === "KeyV") this.world.light.lamp = this.world.light.uniforms.cameraLamp.value === 0;
    else if (event.code === "KeyG") layers.grid = !layers.grid;
    else if (/^Digit[1-6]$/.test(event.code)) cameras.mode = MODES[Number(event.code.slice(5)) - 1];
  }

  /** Unit way in W under the pointer. */
  private wayAt(event: MouseEvent): Vec3 {
    const { canvas, camera } = this.app;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [u, v] = [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
    return wayThrough(camera.quaternion, u, v, Math.tan((camera.fov * Math.PI) / 360), camera.aspect);
  }

  /** Place in W of the ground under the pointer; null: none within reach. */
  private groundAt(event: MouseEvent): Vec3 | null {
    const way = this.wayAt(event);
    const { p_W } = this.app.cameras;
    const away = this.world.chunks.ground.cast(p_W, way, REACH);
    return away < REACH ? [p_W[0] + way[0] * away, p_W[1] + way[1] * away, p_W[2] + way[2] * away] : null;
  }

  private robotAt(event: MouseEvent): string | null {
    const { app } = this;
    const way = new Vector3(...this.wayAt(event));
    const found = app.figures.pick(app.camera.position, way);
    return found && found.name !== app.cameras.inside ? found.name : null;
  }
}

const isField = (target: HTMLElement | null): boolean =>
  target !== null && (["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) || target.isContentEditable);
