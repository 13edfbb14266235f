/** What parts of the page tell each other. What the server says is in said.ts, written out of Python. */

import type { Frame } from "./frames";
import type { Event, Headers, Marker, Row, Said, Vec3 } from "./said";

export * from "./said";

export type Connected = "connecting" | "open" | "lost" | "refused";

/** All that parts of the page tell each other. */
export interface AppEvents extends Omit<Said, "topics" | "events" | "markers" | "reply"> {
  connection: { state: Connected; text: string; retryAt: number | null };
  topics: Row[];
  events: Event[];
  markers: Marker[];
  poses: Frame<Headers["poses"]>;
  mesh: Frame<Headers["mesh"]>;
  chunk: Frame<Headers["chunk"]>;
  /** A robot was chosen, by click or list; null: none. */
  selected: string | null;
  /** Double click on the ground: a place in W. */
  waypoint: { p: Vec3; robot: string | null };
  /** A robot of this type is to be added where one looks. */
  add: { type: string };
  /** A layer was switched, or an option of one changed. */
  layers: string;
  /** The way of looking changed. */
  camera: string;
  /** The floating origin moved. */
  origin: Vec3;
  /** Quality was chosen or measured anew. */
  quality: { chosen: string; detail: number; fps: number };
  /** Before each picture: seconds since the last one. */
  frame: number;
  /** Something for the user to read. */
  notice: { level: "info" | "warning" | "error"; text: string };
}
