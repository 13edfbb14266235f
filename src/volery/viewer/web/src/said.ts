/** What the server says: written by `python -m volery.viewer.page_types` out of viewer/messages.py, not by hand.
 *
 * JSON messages, and headers of binary frames. Units SI, W is ENU with z up.
 */

export type Vec3 = [number, number, number];

/** A scenario that can be started. */
export interface Scenario {
  name: string;
  about: string;
}

/** The first message, and again when another run begins. */
export interface Welcome {
  /** Of what is said between page and server. */
  version: number;
  role: string;
  mode: "live" | "replay";
  /** Empty: no run is in progress. */
  scenario: string;
  seed: number;
  step_ns: number;
  about: string;
  robots_version: number;
  scenarios: Scenario[];
  worlds: string[];
  /** Snapshots that can be restored. */
  files: string[];
}

/** Where a replay is. */
export interface Timeline {
  start_ns: number;
  end_ns: number;
  now_ns: number;
  speed: number;
  paused: boolean;
}

/** How the run goes, several times a second. */
export interface State {
  now_ns: number;
  paused: boolean;
  speed: number | "max" | "lockstep";
  /** Seconds of simulation per second of wall time, measured. */
  factor: number;
  steps: number;
  recording: string | null;
  /** Why the recording cannot go on. */
  recording_fault: string | null;
  pages: number;
  replay: Timeline | null;
}

/** What stands; its pieces follow as chunks. */
export interface World {
  version: number;
  type: string;
  /** Edge of a chunk [m]; null: the world is one piece. */
  chunk_size: number | null;
  spawn: Vec3;
  /** No daylight inside, as in caves. */
  dark: boolean;
}

/** The sun. */
export interface Sun {
  /** Towards it in W. */
  direction: Vec3;
}

/** Daylight, linear RGB. */
export interface Light {
  sun: Vec3;
  zenith: Vec3;
  horizon: Vec3;
}

/** What is in the air, 0 to 1. */
export interface Weather {
  fog: number;
  rain: number;
  snow: number;
  dust: number;
}

/** The wind. */
export interface Wind {
  /** [m/s]. */
  mean: Vec3;
}

/** Sun, sky and air, once a second. */
export interface Sky {
  sun: Sun;
  light: Light;
  /** How much weather hides the sun, 0 to 1. */
  cloud: number;
  /** Of the air and what is in it, at 550 nm [1/m]. */
  extinction: number;
  weather: Weather;
  wind: Wind;
}

/** A body of a robot. */
export interface Body {
  name: string;
  parent: number;
}

/** A mesh on a body. */
export interface Shape {
  body: number;
  mesh: number;
}

/** A mesh that bends with bones. */
export interface Skin {
  mesh: number;
  /** Numbers of bodies within the robot; the mesh's corners count in this list. */
  bones: number[];
}

/** A body that is shown as a spinning rotor. */
export interface Rotor {
  body: number;
  /** [m]. */
  radius: number;
  /** 1 counter-clockwise seen from above, -1 clockwise. */
  spin: number;
}

/** A topic of a sensor. */
export interface Topic {
  topic: string;
  type: string;
  /** How it is shown. */
  view: "" | "image" | "points" | "rays" | "cone" | "fan" | "arrow" | "series" | "text";
  /** Field that the view is of. */
  path: string;
  /** Of types that are not ROS 2's own: fields by type, as in messages.ts. */
  schema?: Record<string, [string, string, number][]>;
}

/** A control of a sensor, worked by `operate`. */
export interface Control {
  name: string;
  doc: string;
  /** Name and kind (switch, whole, number, text, numbers) of each. */
  parameters: [string, string][];
  /** So many of them must be given. */
  required: number;
  gesture: "" | "aim" | "zoom" | "switch";
}

/** A sensor of a robot. */
export interface Sensor {
  name: string;
  type: string;
  /** Number of the body within the robot. */
  body: number;
  /** Mount on the body, rows of a 3 × 4 matrix. */
  X_BS: number[];
  topics: Topic[];
  controls: Control[];
  /** Its parameters that are numbers, words or short lists of them. */
  about: Record<string, unknown>;
  /** Of one that turns against its mount: its row in the poses' `aim`. */
  aim?: number;
}

/** A robot. */
export interface Robot {
  name: string;
  type: string;
  about: string;
  engine: string;
  /** An obstacle that physics moves, not a robot. */
  movable: boolean;
  /** Whether it turns where a drone goes sideways. */
  drives: boolean;
  commands: string[];
  bodies: Body[];
  shapes: Shape[];
  skins: Skin[];
  rotors: Rotor[];
  /** Global number of its first body. */
  first: number;
  sensors: Sensor[];
}

/** All robots, whenever any came, went or changed. */
export interface Robots {
  version: number;
  robots: Robot[];
}

/** What the page may forget. */
export interface Gone {
  /** Of chunks. */
  keys: ((number | string)[])[];
  meshes: number[];
}

/** A topic in the table. */
export interface Row {
  topic: string;
  message_type: string;
  publishers: string[];
  subscribers: string[];
  /** Messages so far; None: its publisher does not tell. */
  count: number | null;
  /** [Hz]. */
  rate: number | null;
  bytes_per_second: number | null;
}

/** The table of topics. */
export interface Topics {
  rows: Row[];
}

/** Something that happened. */
export interface Event {
  now_ns: number;
  robot: string;
  kind: "collision" | "event" | "warning";
  text: string;
}

/** Events that the page does not know yet. */
export interface Events {
  events: Event[];
}

/** A line of the log. */
export interface Log {
  level: string;
  text: string;
}

/** A drawing of a protocol or planner; `gone` takes it away. */
export interface Marker {
  id: string;
  kind?: "points" | "line" | "arrows" | "text";
  /** [m]. */
  p?: Vec3[];
  colour?: [number, number, number, number];
  size?: number;
  /** How long it stays [s of simulated time]; left out: until it is taken away. */
  duration?: number;
  text?: string;
  gone?: boolean;
}

/** Drawings that are new or gone. */
export interface Markers {
  markers: Marker[];
}

/** The answer to a request. */
export interface Reply {
  id: number | string | null;
  result: unknown;
  error?: string;
}

/** A range of a mesh's index with one look. */
export interface Primitive {
  surface: "opaque" | "leaf" | "clear" | "mirror" | "lamp";
  roughness: number;
  texture: string;
  label: string;
  solid: boolean;
  emission: number;
  transparency: number;
  mirror: number;
  first: number;
  count: number;
}

/** A level of detail of a mesh. */
export interface MeshHeader {
  kind: "mesh";
  id: number;
  /** Number of the mesh that this is a level of. */
  of: number;
  name: string;
  /** 0: finest. The coarsest comes first, finer ones when the camera is near enough. */
  level: number;
  levels: number;
  centre: Vec3;
  /** What the largest whole number of a place stands for [m]. */
  half: Vec3;
  bounds: [Vec3, Vec3];
  primitives: Primitive[];
}

/** An object of a chunk: a range of its instances. */
export interface ChunkObject {
  name: string;
  first: number;
  count: number;
}

/** A piece of the world. */
export interface ChunkHeader {
  kind: "chunk";
  key: (number | string)[];
  origin: Vec3;
  objects: ChunkObject[];
  meshes: number[];
}

/** Header of the frame in which all poses are told. */
export interface PosesHeader {
  kind: "poses";
  /** Of the list of robots; 0: the header names them itself. */
  version: number;
  now_ns: number;
  /** Robot, and what it touches. */
  contacts: [string, string][];
  /** Name and number of bodies of each robot, on the bus and in recordings. */
  robots?: [string, number][];
}

/** A message of a topic. */
export interface TopicHeader {
  kind: "topic";
  topic: string;
  type: string;
  stamp_ns: number;
  seq: number;
}

/** JSON messages by their kinds. */
export interface Said {
  welcome: Welcome;
  state: State;
  world: World;
  sky: Sky;
  robots: Robots;
  gone: Gone;
  topics: Topics;
  events: Events;
  log: Log;
  markers: Markers;
  reply: Reply;
}

/** Headers of binary frames by their kinds. */
export interface Headers {
  mesh: MeshHeader;
  chunk: ChunkHeader;
  poses: PosesHeader;
  topic: TopicHeader;
}
