/** What the server says: the JSON messages, and the headers of the binary frames. Units SI, W is ENU with z up. */

import type { Frame } from "./frames";

export type Vec3 = [number, number, number];

export interface Welcome {
  version: number;
  mode: "live" | "replay";
  scenario: string;
  seed: number;
  step_ns: number;
  about: string;
  robots_version: number;
  scenarios: { name: string; about: string }[];
}

export interface State {
  now_ns: number;
  paused: boolean;
  speed: number | "max";
  /** Seconds of simulation per second of wall time, measured. */
  factor: number;
  steps: number;
  recording: string | null;
  /** Why the recording cannot go on. */
  recording_fault: string | null;
  pages: number;
  replay: { start_ns: number; end_ns: number; now_ns: number; speed: number; paused: boolean } | null;
}

export interface World {
  type: string;
  /** Edge of a chunk [m]; null: the world is one piece. */
  chunk_size: number | null;
  spawn: Vec3;
  /** No daylight inside, as in caves. */
  dark: boolean;
  version: number;
}

export interface Sky {
  /** Towards the sun in W. */
  sun: { direction: Vec3 };
  light: { sun: Vec3; zenith: Vec3; horizon: Vec3 };
  /** Of the air and what is in it, at 550 nm [1/m]. */
  extinction: number;
  /** How much weather hides the sun, 0 to 1. */
  cloud: number;
  weather: { fog: number; rain: number; snow: number; dust: number };
  wind: { mean: Vec3 };
}

export interface Sensor {
  name: string;
  type: string;
  /** Number of the body within the robot. */
  body: number;
  /** Mount on the body, rows of a 3 × 4 matrix. */
  X_BS: number[];
  topics: { topic: string; type: string }[];
  /** Of a camera: its row in the poses' `aim`: pan to the left, tilt up [rad], zoom. */
  aim?: number;
  about: {
    fov_deg?: number;
    width?: number;
    height?: number;
    max_range?: number;
    projection?: string;
    [name: string]: unknown;
  };
}

export interface Robot {
  name: string;
  type: string;
  engine: string;
  /** An obstacle that physics moves, not a robot. */
  movable: boolean;
  commands: string[];
  /** Global number of its first body. */
  first: number;
  bodies: { name: string; parent: number }[];
  shapes: { body: number; mesh: number }[];
  /** Bones are numbers of bodies within the robot; the mesh's corners count in this list. */
  skins: { mesh: number; bones: number[] }[];
  rotors?: { body: number; radius: number; spin: number }[];
  sensors: Sensor[];
}

export interface Robots {
  version: number;
  robots: Robot[];
}

export interface Primitive {
  surface: "opaque" | "leaf" | "clear" | "mirror" | "lamp";
  roughness: number;
  texture: string;
  label: string;
  solid: boolean;
  first: number;
  count: number;
  emission?: number;
  transparency?: number;
  mirror?: number;
}

export interface MeshHeader {
  kind: "mesh";
  id: number;
  name: string;
  bounds: [Vec3, Vec3];
  centre: Vec3;
  half: Vec3 | number;
  primitives: Primitive[];
  /** 0: finest; of so many. The coarsest comes first, finer ones when the camera is near enough. */
  level: number;
  levels: number;
  /** Number of the mesh that this is a level of. */
  of: number;
}

export interface ChunkHeader {
  kind: "chunk";
  key: (number | string)[];
  origin: Vec3;
  objects: { name: string; first: number; count: number }[];
  meshes: number[];
}

export interface PosesHeader {
  kind: "poses";
  version: number;
  now_ns: number;
  contacts: [string, string][];
}

/** What the page may forget: chunks by their keys, meshes by their numbers. */
export interface Gone {
  keys: (number | string)[][];
  meshes: number[];
}

export interface TopicHeader {
  kind: "topic";
  topic: string;
  type: string;
  stamp_ns: number;
  seq: number;
}

export interface Event {
  now_ns: number;
  robot: string;
  text: string;
  kind: "collision" | "event" | "warning";
}

/** A drawing of a protocol or planner; `gone` takes it away. */
export interface Marker {
  id: string;
  kind?: "points" | "line" | "arrows" | "text";
  p?: Vec3[];
  colour?: [number, number, number, number];
  size?: number;
  duration?: number;
  text?: string;
  gone?: boolean;
}

export type Connected = "connecting" | "open" | "lost" | "refused";

/** All that parts of the page tell each other. */
export interface AppEvents {
  connection: { state: Connected; text: string; retryAt: number | null };
  welcome: Welcome;
  state: State;
  world: World;
  sky: Sky;
  robots: Robots;
  gone: Gone;
  topics: Record<string, unknown>[];
  events: Event[];
  log: { level: string; text: string };
  markers: Marker[];
  poses: Frame<PosesHeader>;
  mesh: Frame<MeshHeader>;
  chunk: Frame<ChunkHeader>;
  /** A robot was chosen, by click or list; null: none. */
  selected: string | null;
  /** Double click on the ground: a place in W. */
  waypoint: { p: Vec3; robot: string | null };
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
