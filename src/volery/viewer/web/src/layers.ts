/** What is drawn besides the world: layers that can be switched, and their options. Kept in the browser. */

import type { Emitter } from "./emitter";
import type { AppEvents } from "./protocol";

/** Layers that are there from the start. Those of sensors are called `ROBOT/SENSOR` and begin switched off. */
export const LAYERS: Record<string, { about: string; on: boolean }> = {
  names: { about: "names over robots", on: true },
  trails: { about: "where robots were in the last minute", on: true },
  shadows: { about: "shadows of the sun", on: true },
  weather: { about: "rain, snow and dust in the air", on: true },
  frames: { about: "axes of bodies and sensors of the selected robot", on: false },
  frusta: { about: "what cameras see, with the live picture of switched ones", on: false },
  wind: { about: "wind round the selected robot", on: false },
  contacts: { about: "contact forces", on: true },
  markers: { about: "drawings of programs", on: true },
  plans: { about: "paths and maps that are on the bus", on: false },
  station: { about: "instruments of the selected robot: attitude and force", on: false },
  grid: { about: "a grid of 1 m and 10 m on the ground", on: false },
};

/** Of clouds: what their colours tell. `colour:ROBOT/SENSOR` is the option's name. */
export const COLOURS = ["range", "height", "intensity", "label", "ring"] as const;

export type Layers = Record<string, boolean>;
export type Options = Record<string, string>;

/** A record whose changes are told as the event `layers`. */
export function watched<Value>(start: Record<string, Value>, events: Emitter<AppEvents>): Record<string, Value> {
  return new Proxy(start, {
    set(target, name, value: Value) {
      if (target[String(name)] === value) return true;
      target[String(name)] = value;
      events.emit("layers", String(name));
      return true;
    },
  });
}
