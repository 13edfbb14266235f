/** A camera on an arm behind or round a robot: it lags like a spring, and grows short before ground and walls. */

import { Quaternion } from "three";
import type { Vec3 } from "../protocol";
import { headingOf, lag, looking, towardsAngle, wayOf } from "./pose";

/** How quickly the arm follows the robot's place and heading [1/s], by way of looking. */
const FOLLOW = { orbit: { place: 12, turn: 0 }, chase: { place: 9, turn: 2.2 }, shoulder: { place: 25, turn: 7 } };

export class Arm {
  /** Set by dragging: to the side, up [rad]; and how long the arm is as a multiple. */
  yaw = 0.5;
  pitch = 0.26;
  length = 1;
  /** Where an eye on board looks against straight ahead [rad]. */
  glance = { yaw: 0, pitch: 0 };
  private middle: Vec3 | null = null;
  private heading = 0;
  private short = 1;

  constructor(private readonly free: (from: Vec3, way: Vec3, far: number) => number) {}

  /** Begin anew at the robot's place. */
  restart(): void {
    this.middle = null;
    this.glance = { yaw: 0, pitch: 0 };
  }

  /** Turn by dragging [rad]. */
  turn(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = Math.max(-0.5, Math.min(1.5, this.pitch + pitch));
    this.glance.yaw += yaw;
    this.glance.pitch = Math.max(-1.4, Math.min(1.4, this.glance.pitch + pitch));
  }

  /** Where the eye is for a robot at p with attitude q and a size [m]. */
  pose(mode: "orbit" | "chase" | "shoulder", p: Vec3, q: Quaternion, radius: number, seconds: number): { p_W: Vec3; q: Quaternion } {
    const { place, turn } = FOLLOW[mode];
    const heading = headingOf(q);
    if (!this.middle) {
      this.middle = [...p];
      this.heading = heading;
      if (mode !== "orbit") this.yaw = mode === "chase" ? 0.35 : 0;
      this.short = 1;
    }
    const t = lag(place, seconds);
    for (let i = 0; i < 3; i++) this.middle[i] += (p[i] - this.middle[i]) * t;
    this.heading = turn ? towardsAngle(this.heading, heading, lag(turn, seconds)) : 0;
    const near = mode === "shoulder";
    const size = (near ? 1.1 + 1.6 * radius : 1.8 + 5.5 * radius) * this.length;
    const back = wayOf(this.heading + Math.PI + this.yaw, near ? 0.2 + 0.5 * (this.pitch - 0.26) : this.pitch);
    const from: Vec3 = [this.middle[0], this.middle[1], this.middle[2] + 0.3 * radius];
    const room = Math.min(1, this.free(from, back, size) / size);
    // In at once, out slowly.
    this.short = room < this.short ? room : this.short + (room - this.short) * lag(3, seconds);
    const away = size * this.short;
    const p_W = from.map((value, i) => value + back[i] * away) as Vec3;
    if (!near) return { p_W, q: looking(Math.atan2(-back[1], -back[0]), -Math.asin(back[2])) };
    const side = wayOf(this.heading + this.yaw - Math.PI / 2, 0);
    for (let i = 0; i < 3; i++) p_W[i] += side[i] * (0.35 + 0.5 * radius) * this.short;
    return { p_W, q: looking(this.heading + this.yaw, -0.1) };
  }
}
