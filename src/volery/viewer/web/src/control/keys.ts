/** Keys that are held, as axes. Keys are taken by their place on the keyboard, so that W A S D is a cross everywhere. */

import { REST, type Axes } from "./axes";

type Axis = Exclude<keyof Axes, "faster">;

const KEYS: Record<string, [Axis, number]> = {
  KeyW: ["forward", 1],
  ArrowUp: ["forward", 1],
  KeyS: ["forward", -1],
  ArrowDown: ["forward", -1],
  KeyA: ["left", 1],
  ArrowLeft: ["left", 1],
  KeyD: ["left", -1],
  ArrowRight: ["left", -1],
  KeyR: ["up", 1],
  KeyF: ["up", -1],
  KeyQ: ["turn", 1],
  KeyE: ["turn", -1],
  KeyJ: ["pan", 1],
  KeyL: ["pan", -1],
  KeyI: ["tilt", 1],
  KeyK: ["tilt", -1],
  KeyU: ["zoom", 1],
  KeyO: ["zoom", -1],
};

/** Whether a key moves a robot or its camera. */
export function isAxisKey(code: string): boolean {
  return code in KEYS;
}

export class Keys {
  private readonly held = new Set<string>();
  private shift = false;

  press(event: KeyboardEvent): void {
    this.held.add(event.code);
    this.shift = event.shiftKey;
  }

  /** Returns whether the key was held. */
  release(event: KeyboardEvent): boolean {
    this.shift = event.shiftKey;
    return this.held.delete(event.code);
  }

  /** As if all were let go. */
  clear(): void {
    this.held.clear();
    this.shift = false;
  }

  axes(): Axes {
    const axes = { ...REST, faster: this.shift };
    for (const code of this.held) {
      const [axis, sign] = KEYS[code]!;
      axes[axis] = Math.min(Math.max(axes[axis] + sign, -1), 1);
    }
    return axes;
  }
}
