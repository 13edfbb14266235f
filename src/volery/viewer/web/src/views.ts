/** What sensors say of themselves: how their outputs are shown, and by what gesture their controls are worked. */

import type { Control, Sensor } from "./protocol";

/** Whether a sensor gives pictures. */
export const sees = (sensor: Sensor): boolean => sensor.topics.some(({ view }) => view === "image");

/** The control of a sensor that a gesture of the page works. */
export function controlFor(sensor: Sensor, gesture: Control["gesture"]): Control | null {
  return sensor.controls.find((control) => control.gesture === gesture) ?? null;
}

/** Parameters that say what shape a picture has. */
export interface Shot {
  fov_deg?: number;
  width?: number;
  height?: number;
}
