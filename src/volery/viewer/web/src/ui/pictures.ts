/** Windows with what cameras see, along the lower edge; each wants its topic only while it is open and seen. */

import type { App } from "../app";
import { decode } from "../cdr";
import type { Robot, Sensor } from "../protocol";
import type { TopicMessage } from "../topics";
import { button, el, setText } from "./dom";
import { paint, unpackPicture } from "./pixels";

const RATE = 10;
const COMPRESSED = "sensor_msgs/msg/CompressedImage";
const RAW = "sensor_msgs/msg/Image";

/** A picture that a camera gives: its topic, and what it shows. */
export interface View {
  topic: string;
  type: string;
  name: string;
}

/** All pictures of a camera; of one that comes both raw and as a file, the file. */
export function viewsOf(robot: Robot, sensor: Sensor): View[] {
  const files = new Set(sensor.topics.filter((t) => t.type === COMPRESSED).map((t) => t.topic.replace(/\/compressed$/, "")));
  const base = `/${robot.name}/${sensor.name}/`;
  return sensor.topics
    .filter((t) => t.type === COMPRESSED || (t.type === RAW && !files.has(t.topic)))
    .map((t) => ({ topic: t.topic, type: t.type, name: nameOf(t.topic.slice(base.length)) }));
}

/** Switch on a camera that waits to be asked: somebody wants to look. */
export function wake(app: App, robot: Robot, sensor: Sensor): void {
  if (sensor.about.enabled !== false) return;
  app.connection
    .ask({ do: "set", path: `robots.${robot.name}.sensors.${sensor.name}.enabled`, value: true })
    .catch((error: Error) => app.notice(error.message, "error"));
}

function nameOf(suffix: string): string {
  const name = suffix.replace(/\/?image_raw(\/compressed)?$/, "");
  return name === "" ? "rgb" : name === "right" ? "rgb right" : name.replaceAll("/", " ");
}

class Picture {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { width: 4, height: 3 });
  private readonly words = el("span", { class: "dim" });
  private readonly context: CanvasRenderingContext2D;
  private stop: (() => void) | null = null;
  private busy = false;

  constructor(
    private readonly app: App,
    readonly view: View,
    title: string,
    close: () => void,
  ) {
    this.context = this.canvas.getContext("2d")!;
    const larger = button("larger", "larger or smaller", () => this.element.classList.toggle("large"));
    const head = el("div", { class: "tools" }, el("b", { title }, title), this.words, el("span", { class: "spring" }), larger, button("close", "close", close));
    this.element = el("figure", { class: "picture panel" }, head, this.canvas);
  }

  show(): void {
    this.stop ??= this.app.topics.want(this.view.topic, RATE, (message) => void this.take(message));
  }

  hide(): void {
    this.stop?.();
    this.stop = null;
  }

  private async take(message: TopicMessage): Promise<void> {
    // A picture that comes while another is unpacked is left out.
    if (this.busy) return;
    this.busy = true;
    try {
      if (message.type === COMPRESSED) this.put(await unpackPicture(decode(COMPRESSED, message.cdr)));
      else this.putRaw(message);
    } catch (error) {
      setText(this.words, (error as Error).message);
    } finally {
      this.busy = false;
    }
  }

  private put(bitmap: ImageBitmap): void {
    this.size(bitmap.width, bitmap.height);
    this.context.drawImage(bitmap, 0, 0);
    bitmap.close();
  }

  private putRaw(message: TopicMessage): void {
    const raw = decode(RAW, message.cdr);
    const painted = paint(raw);
    if (painted) {
      this.size(raw.width, raw.height);
      this.context.putImageData(painted.image, 0, 0);
    }
    setText(this.words, painted ? painted.words : `cannot show ${raw.encoding}`);
  }

  private size(width: number, height: number): void {
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }
}

export class Pictures {
  readonly element = el("div", { class: "pictures" });
  private readonly pictures = new Map<string, Picture>();
  private seen = true;

  constructor(
    private readonly app: App,
    private readonly changed: () => void,
  ) {
    app.events.on("robots", () => this.sift());
  }

  isOpen(topic: string): boolean {
    return this.pictures.has(topic);
  }

  /** Open a view of a camera, or close it if it is open. */
  toggle(view: View, title: string): void {
    if (this.isOpen(view.topic)) return this.close(view.topic);
    const picture = new Picture(this.app, view, title, () => this.close(view.topic));
    this.pictures.set(view.topic, picture);
    this.element.append(picture.element);
    if (this.seen) picture.show();
    this.changed();
  }

  /** Whether anybody can see them. */
  setSeen(seen: boolean): void {
    this.seen = seen;
    this.element.hidden = !seen;
    for (const picture of this.pictures.values()) {
      if (seen) picture.show();
      else picture.hide();
    }
  }

  private close(topic: string): void {
    const picture = this.pictures.get(topic);
    picture?.hide();
    picture?.element.remove();
    this.pictures.delete(topic);
    this.changed();
  }

  /** Close what belongs to cameras that are gone. */
  private sift(): void {
    const there = new Set(this.app.robots.flatMap((r) => r.sensors.flatMap((s) => viewsOf(r, s).map((v) => v.topic))));
    for (const topic of this.pictures.keys()) if (!there.has(topic)) this.close(topic);
  }
}
