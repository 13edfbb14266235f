/** The first gamepad that speaks: sticks with a dead zone as axes, buttons as they go down, rumble when one touches. */

import { REST, type Axes } from "./axes";

const DEAD = 0.12;
/** Places in the standard layout. */
const BUTTON = { A: 0, B: 1, leftShoulder: 4, rightShoulder: 5, rightTrigger: 7, start: 9, up: 12, down: 13, left: 14, right: 15 };

export type PadButton = "A" | "B" | "start";

/** A stick without its dead zone, finer near the middle. */
export function stick(value: number): number {
  const beyond = (Math.abs(value) - DEAD) / (1 - DEAD);
  if (!(beyond > 0)) return 0;
  const size = Math.min(beyond, 1);
  return Math.sign(value) * (0.4 * size + 0.6 * size ** 3);
}

export class Pad {
  private readonly down = new Map<PadButton, boolean>();

  /** The gamepad; browsers show none before one of its buttons was pressed. */
  get pad(): Gamepad | null {
    return navigator.getGamepads?.().find((pad) => pad?.connected && pad.mapping === "standard") ?? null;
  }

  axes(): Axes {
    const { pad } = this;
    if (!pad) return REST;
    const held = (index: number) => (pad.buttons[index]?.pressed ? 1 : 0);
    return {
      forward: -stick(pad.axes[1] ?? 0),
      left: -stick(pad.axes[0] ?? 0),
      turn: -stick(pad.axes[2] ?? 0),
      up: -stick(pad.axes[3] ?? 0),
      pan: held(BUTTON.left) - held(BUTTON.right),
      tilt: held(BUTTON.up) - held(BUTTON.down),
      zoom: held(BUTTON.rightShoulder) - held(BUTTON.leftShoulder),
      faster: (pad.buttons[BUTTON.rightTrigger]?.value ?? 0) > 0.3,
    };
  }

  /** Buttons that went down since the last call. */
  pressed(): PadButton[] {
    const { pad } = this;
    const found: PadButton[] = [];
    for (const name of ["A", "B", "start"] as const) {
      const now = Boolean(pad?.buttons[BUTTON[name]]?.pressed);
      if (now && !this.down.get(name)) found.push(name);
      this.down.set(name, now);
    }
    return found;
  }

  /** Shake, 0 to 1, where the gamepad can. */
  rumble(strength: number): void {
    const strong = Math.min(Math.max(strength, 0), 1);
    void this.pad?.vibrationActuator
      ?.playEffect?.("dual-rumble", { duration: 140, strongMagnitude: strong, weakMagnitude: Math.min(1, 0.3 + strong) })
      .catch(() => undefined);
  }
}
