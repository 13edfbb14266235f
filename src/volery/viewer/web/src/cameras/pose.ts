/** Where a camera is and how it looks. */

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Vec3 } from "../protocol";

export interface Pose {
  /** In W [m]. */
  p_W: Vec3;
  /** three.js's camera in W: it looks along −z, y is up. */
  q: Quaternion;
  /** Vertical field of view [deg]. */
  fov: number;
}

/** From a body's axes (x ahead, y left, z up) to a camera's (x right, y up, z back). */
const BODY_TO_CAMERA = new Quaternion().setFromRotationMatrix(
  new Matrix4().set(0, 0, -1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1),
);

const [UP, RIGHT] = [new Vector3(0, 1, 0), new Vector3(1, 0, 0)];

/** Attitude of a camera that looks along a body's x. */
export const alongBody = (q_WB: Quaternion): Quaternion => q_WB.clone().multiply(BODY_TO_CAMERA);

/** Attitude of an upright camera by heading to the left of east and height over the horizon [rad]. */
export function looking(yaw: number, pitch: number): Quaternion {
  const turned = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), yaw);
  turned.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), -pitch));
  return alongBody(turned);
}

/** Unit vector by heading and height [rad]. */
export const wayOf = (yaw: number, pitch: number): Vec3 => [
  Math.cos(pitch) * Math.cos(yaw),
  Math.cos(pitch) * Math.sin(yaw),
  Math.sin(pitch),
];

/** Heading [rad] of an attitude: that of its x axis. */
export function headingOf(q_WB: Quaternion): number {
  const ahead = new Vector3(1, 0, 0).applyQuaternion(q_WB);
  return Math.atan2(ahead.y, ahead.x);
}

/** Heading and height [rad] in which a camera's attitude looks. */
export function anglesOf(q: Quaternion): { yaw: number; pitch: number } {
  const ahead = new Vector3(0, 0, -1).applyQuaternion(q);
  return { yaw: Math.atan2(ahead.y, ahead.x), pitch: Math.asin(Math.max(-1, Math.min(1, ahead.z))) };
}

/** a towards b by the share t, the short way round [rad]. */
export function towardsAngle(a: number, b: number, t: number): number {
  const off = ((b - a + Math.PI) % (2 * Math.PI)) + (b - a + Math.PI < 0 ? 2 * Math.PI : 0) - Math.PI;
  return a + off * t;
}

/** Share of the way that something lagging goes in a time [s] at a quickness [1/s]. */
export const lag = (quickness: number, seconds: number): number => 1 - Math.exp(-quickness * seconds);

/** A turn of a camera in its own axes: to the left and up [rad]. */
export const lookAside = (yaw: number, pitch: number): Quaternion =>
  new Quaternion().setFromAxisAngle(UP, yaw).multiply(new Quaternion().setFromAxisAngle(RIGHT, pitch));

/** Unit way in W of a place on the picture, −1 to 1 to the right and up; tan: of half the vertical field of view. */
export function wayThrough(q: Quaternion, u: number, v: number, tan: number, aspect: number): Vec3 {
  const way = new Vector3(u * tan * aspect, v * tan, -1).normalize().applyQuaternion(q);
  return [way.x, way.y, way.z];
}
