/** A vector that a sensor feels, as an arrow at the sensor. */

import { Vector3 } from "three";
import type { App } from "../app";
import { decode, type Message } from "../cdr";
import type { Robot, Sensor, Topic } from "../protocol";
import { valueAt } from "../ui/values";
import { Arrows } from "./arrows";
import type { SensorView } from "./views";

const RATE = 15;
const COLOUR = [0.3, 0.85, 1];
/** Length of the arrow of the largest vector so far [m]; the scale forgets a share of it with each message. */
const LENGTH = 0.8;
const FORGET = 0.998;

/** A vector of three finite numbers at a path of a message, or null. */
export function vectorAt(message: Message, path: string): [number, number, number] | null {
  const found = valueAt(message, path) as { x?: unknown; y?: unknown; z?: unknown } | null | undefined;
  const parts = [found?.x, found?.y, found?.z].map(Number);
  return parts.every(Number.isFinite) ? (parts as [number, number, number]) : null;
}

export class ArrowView implements SensorView {
  private readonly arrows: Arrows;
  private readonly stop: () => void;
  private vector: Vector3 | null = null;
  private largest = 1e-6;

  constructor(
    private readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
    { topic, type, path }: Topic,
  ) {
    this.arrows = new Arrows(app, 1);
    this.stop = app.topics.want(topic, RATE, (message) => {
      const decoded = decode(type, message.cdr);
      const found = vectorAt(decoded, path);
      this.vector = found && new Vector3(...found);
      this.inWorld = (decoded.header as { frame_id?: string } | undefined)?.frame_id === "map";
      if (this.vector) this.largest = Math.max(this.largest * FORGET, this.vector.length());
    });
  }

  private inWorld = false;

  update(): void {
    const pose = this.app.figures.sensorPose(this.robot, this.sensor);
    if (!pose) return;
    this.arrows.begin(1, pose.p_W);
    if (this.vector) {
      const way = this.vector.clone().multiplyScalar(LENGTH / this.largest);
      this.arrows.add(pose.p_W, this.inWorld ? way : way.applyQuaternion(pose.q), COLOUR);
    }
    this.arrows.end();
  }

  dispose(): void {
    this.stop();
    this.arrows.dispose();
  }
}
