/** A text that a sensor tells, over the sensor. */

import type { Sprite } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { Robot, Sensor, Topic } from "../protocol";
import { cssColourOf } from "../robots/colours";
import { sizeSprite, textSprite } from "../robots/names";
import { valueAt } from "../ui/values";
import type { SensorView } from "./views";

const RATE = 5;
const SIZE = 0.022;
const LONGEST = 60;

export class TextView implements SensorView {
  private readonly group;
  private readonly stop: () => void;
  private sprite: Sprite | null = null;
  private words = "";

  constructor(
    private readonly app: App,
    private readonly robot: Robot,
    private readonly sensor: Sensor,
    { topic, type, path }: Topic,
  ) {
    this.group = app.anchored();
    this.stop = app.topics.want(topic, RATE, (message) => this.write(String(valueAt(decode(type, message.cdr), path) ?? "")));
  }

  update(): void {
    const pose = this.app.figures.sensorPose(this.robot, this.sensor);
    if (!pose) return;
    this.app.anchor(this.group, pose.p_W);
    if (this.sprite) sizeSprite(this.sprite, SIZE, this.app.camera.fov);
  }

  dispose(): void {
    this.stop();
    this.erase();
    this.app.release(this.group);
  }

  private write(words: string): void {
    if (words === this.words) return;
    this.words = words;
    this.erase();
    if (!words) return;
    this.sprite = textSprite(words.slice(0, LONGEST), cssColourOf(this.robot.name));
    this.group.add(this.sprite);
  }

  private erase(): void {
    if (!this.sprite) return;
    this.group.remove(this.sprite);
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
    this.sprite = null;
  }
}
