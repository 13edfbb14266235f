/** Drawings of programs: points, lines, arrows and words in the world. */

import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Points, PointsMaterial, SRGBColorSpace, Vector3, type Group, type Sprite } from "three";
import type { App } from "../app";
import type { Marker, Vec3 } from "../protocol";
import { sizeSprite, textSprite } from "../robots/names";
import { Arrows } from "./arrows";

type Colour = [number, number, number, number];

/** Something drawn in the world that can be taken away. */
export interface Drawn {
  dispose(): void;
  visible: boolean;
  sprite?: Sprite;
}

class Thing implements Drawn {
  constructor(
    private readonly app: App,
    private readonly group: Group,
    private readonly free: () => void,
    readonly sprite?: Sprite,
  ) {}

  set visible(on: boolean) {
    this.group.visible = on;
  }

  dispose(): void {
    this.app.release(this.group);
    this.free();
  }
}

function geometryOf(p: Vec3[]): BufferGeometry {
  const from = p[0];
  const array = Float32Array.from(p.flatMap((point) => point.map((value, i) => value - from[i])));
  return new BufferGeometry().setAttribute("position", new BufferAttribute(array, 3));
}

/** Points of a size in pixels. */
export function points(app: App, p: Vec3[], [r, g, b, a]: Colour, size: number): Drawn {
  const material = new PointsMaterial({ size, sizeAttenuation: false, transparent: a < 1, opacity: a, toneMapped: false });
  material.color.setRGB(r, g, b, SRGBColorSpace);
  const geometry = geometryOf(p);
  const group = app.anchored(p[0]);
  group.add(new Points(geometry, material));
  return new Thing(app, group, () => (geometry.dispose(), material.dispose()));
}

/** A line from each point to the next. */
export function line(app: App, p: Vec3[], [r, g, b, a]: Colour): Drawn {
  const material = new LineBasicMaterial({ transparent: a < 1, opacity: a, toneMapped: false });
  material.color.setRGB(r, g, b, SRGBColorSpace);
  const geometry = geometryOf(p);
  const group = app.anchored(p[0]);
  group.add(new Line(geometry, material));
  return new Thing(app, group, () => (geometry.dispose(), material.dispose()));
}

function arrows(app: App, p: Vec3[], colour: Colour): Drawn {
  const made = new Arrows(app, p.length / 2);
  made.begin(p.length / 2, p[0]);
  for (let i = 0; i + 1 < p.length; i += 2) made.add(p[i], new Vector3(...p[i + 1]).sub(new Vector3(...p[i])), colour);
  made.end();
  return new Thing(app, made.group, () => made.dispose());
}

function words(app: App, p: Vec3[], text: string, [r, g, b]: Colour): Drawn {
  const sprite = textSprite(text, `rgb(${255 * r} ${255 * g} ${255 * b})`);
  const group = app.anchored(p[0]);
  group.add(sprite);
  return new Thing(app, group, () => sprite.material.dispose(), sprite);
}

export class Markers {
  private readonly drawn = new Map<string, Drawn>();

  constructor(private readonly app: App) {
    app.events.on("markers", (markers) => markers.forEach((marker) => this.take(marker)));
    app.events.on("world", () => this.clear());
  }

  /** Before each picture. */
  update(): void {
    for (const thing of this.drawn.values()) {
      thing.visible = this.app.layers.markers;
      if (thing.sprite) sizeSprite(thing.sprite, 0.024, this.app.camera.fov);
    }
  }

  private take(marker: Marker): void {
    this.drawn.get(marker.id)?.dispose();
    this.drawn.delete(marker.id);
    const { app } = this;
    const { p, colour = [1, 1, 1, 1], size = 4 } = marker;
    if (marker.gone || !p?.length) return;
    if (marker.kind === "points") this.drawn.set(marker.id, points(app, p, colour, size));
    else if (marker.kind === "line") this.drawn.set(marker.id, line(app, p, colour));
    else if (marker.kind === "arrows") this.drawn.set(marker.id, arrows(app, p, colour));
    else if (marker.kind === "text") this.drawn.set(marker.id, words(app, p, marker.text ?? "", colour));
  }

  private clear(): void {
    this.drawn.forEach((thing) => thing.dispose());
    this.drawn.clear();
  }
}
