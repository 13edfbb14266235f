/** Flies or drives one robot: a velocity 20 times a second while anything is held, and zero once it is let go. */

import type { App } from "../app";
import type { Robot, Vec3 } from "../protocol";
import { moves, type Axes } from "./axes";

interface Speeds {
  level: number;
  up: number;
  turn: number;
}

const FLYING: Speeds = { level: 3, up: 1.5, turn: 0.9 };
const DRIVING: Speeds = { level: 0.8, up: 0, turn: 0.8 };
const FASTER = 2.5;
/** A waypoint on the ground is flown over at least this high [m]. */
const CLEARANCE = 2;

export class Driver {
  private moving: string | null = null;

  constructor(
    private readonly app: App,
    private readonly placeOf: (robot: Robot) => { p: Vec3; yaw: number } | null,
  ) {}

  /** Whether a robot takes velocities at all. */
  static takes(robot: Robot): boolean {
    return robot.commands.includes("body_velocity") || robot.commands.includes("velocity");
  }

  /** Tell a robot what the axes say; zero is told only once. */
  drive(robot: Robot, axes: Axes): void {
    if (!moves(axes)) {
      if (this.moving === robot.name) this.stop(robot);
      return;
    }
    this.moving = robot.name;
    const ground = robot.drives;
    const speeds = ground ? DRIVING : FLYING;
    const by = axes.faster ? FASTER : 1;
    const left = ground ? 0 : axes.left;
    const turn = ground ? Math.min(Math.max(axes.turn + axes.left, -1), 1) : axes.turn;
    const v: Vec3 = [axes.forward * speeds.level * by, left * speeds.level * by, axes.up * speeds.up * by];
    this.tell(robot, v, turn * speeds.turn * Math.min(by, 2));
  }

  /** Zero velocity, now. */
  stop(robot: Robot): void {
    this.moving = null;
    this.tell(robot, [0, 0, 0], 0);
  }

  /** Whether the robot was last told to move. */
  isMoving(robot: Robot): boolean {
    return this.moving === robot.name;
  }

  /** Send a robot to a place on the ground; drones keep their height. */
  sendTo(robot: Robot, p: Vec3): void {
    if (!robot.commands.includes("pose")) {
      this.app.notice(`${robot.name} takes no waypoints; it takes ${robot.commands.join(", ") || "no commands"}`, "warning");
      return;
    }
    const now = this.placeOf(robot);
    const z = robot.drives ? p[2] : Math.max(now?.p[2] ?? 0, p[2] + CLEARANCE);
    const goal: Vec3 = [p[0], p[1], z];
    this.command(robot, ["pose", { p_WB: goal }]);
    this.app.notice(`${robot.name} goes to ${goal.map((x) => x.toFixed(1)).join(", ")} m`);
  }

  private tell(robot: Robot, v: Vec3, turn: number): void {
    if (robot.commands.includes("body_velocity")) {
      this.command(robot, ["body_velocity", { v_B: v, yaw_rate: turn }]);
      return;
    }
    const yaw = this.placeOf(robot)?.yaw ?? 0;
    const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
    this.command(robot, ["velocity", { v_W: [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]], yaw_rate: turn }]);
  }

  private command(robot: Robot, command: unknown[]): void {
    this.app.connection
      .ask({ do: "command", robot: robot.name, command })
      .catch((error: Error) => this.app.notice(error.message, "error"));
  }
}
