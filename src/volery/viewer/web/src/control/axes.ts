/** What a pilot wants, however it is said: each from −1 to 1. */

export interface Axes {
  forward: number;
  left: number;
  up: number;
  /** To the left, seen from above. */
  turn: number;
  /** Of the robot's camera: to the left, up, and closer. */
  pan: number;
  tilt: number;
  zoom: number;
  faster: boolean;
}

export const REST: Readonly<Axes> = { forward: 0, left: 0, up: 0, turn: 0, pan: 0, tilt: 0, zoom: 0, faster: false };

/** Whether they ask the robot itself to move. */
export function moves(axes: Axes): boolean {
  return axes.forward !== 0 || axes.left !== 0 || axes.up !== 0 || axes.turn !== 0;
}

/** Whether they ask its camera to. */
export function aims(axes: Axes): boolean {
  return axes.pan !== 0 || axes.tilt !== 0 || axes.zoom !== 0;
}

/** Both at once, within −1 and 1. */
export function added(a: Axes, b: Axes): Axes {
  const sum = (x: number, y: number) => Math.min(Math.max(x + y, -1), 1);
  return {
    forward: sum(a.forward, b.forward),
    left: sum(a.left, b.left),
    up: sum(a.up, b.up),
    turn: sum(a.turn, b.turn),
    pan: sum(a.pan, b.pan),
    tilt: sum(a.tilt, b.tilt),
    zoom: sum(a.zoom, b.zoom),
    faster: a.faster || b.faster,
  };
}
