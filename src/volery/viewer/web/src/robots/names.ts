/** Names over robots, of the same size however far, and a ring under the selected one. */

import { BufferGeometry, CanvasTexture, Line, LineBasicMaterial, LinearFilter, SRGBColorSpace, Sprite, SpriteMaterial, Vector3 } from "three";
import type { App } from "../app";
import { cssColourOf } from "./colours";

const HEIGHT = 44;
/** Height of a name as a share of the picture's. */
const SIZE = 0.026;
const RING = 48;

/** A sprite with a text on a dark plate. */
export function textSprite(text: string, colour: string): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const font = "600 26px system-ui, sans-serif";
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 40;
  canvas.height = HEIGHT;
  context.font = font;
  context.fillStyle = "rgba(10, 14, 20, 0.62)";
  context.beginPath();
  context.roundRect(1, 1, canvas.width - 2, HEIGHT - 2, 12);
  context.fill();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(18, HEIGHT / 2, 6, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#f2f5f8";
  context.textBaseline = "middle";
  context.fillText(text, 31, HEIGHT / 2 + 1);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  map.minFilter = LinearFilter;
  map.generateMipmaps = false;
  const material = new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, transparent: true, toneMapped: false });
  const sprite = new Sprite(material);
  sprite.userData.aspect = canvas.width / HEIGHT;
  sprite.center.set(0.5, 0);
  sprite.renderOrder = 50;
  return sprite;
}

/** Give a sprite its size: a share of the picture's height, whatever the field of view. */
export function sizeSprite(sprite: Sprite, share: number, fovDegrees: number): void {
  const height = share * 2 * Math.tan((fovDegrees * Math.PI) / 360);
  sprite.scale.set(height * (sprite.userData.aspect as number), height, 1);
}

export class Names {
  private readonly sprites = new Map<string, Sprite>();
  private readonly ring: Line;

  constructor(private readonly app: App) {
    const circle = Array.from({ length: RING + 1 }, (_, i) => {
      const a = (2 * Math.PI * i) / RING;
      return new Vector3(Math.cos(a), Math.sin(a), 0);
    });
    const material = new LineBasicMaterial({ color: 0x59d0ff, transparent: true, opacity: 0.9, toneMapped: false });
    this.ring = new Line(new BufferGeometry().setFromPoints(circle), material);
    this.ring.renderOrder = 40;
    app.scene.add(this.ring);
    app.events.on("robots", () => this.rename());
  }

  /** Before a picture. */
  update(): void {
    const { figures, layers, camera, selected, cameras } = this.app;
    this.ring.visible = false;
    for (const [name, sprite] of this.sprites) {
      const figure = figures.figures.get(name);
      const inside = cameras.inside === name;
      sprite.visible = layers.names && figure !== undefined && !inside && figures.motion.ready;
      if (!figure) continue;
      const { position } = figure.bodies[0];
      sprite.position.copy(position);
      sprite.position.z += figure.radius * 0.9 + 0.1;
      sizeSprite(sprite, name === selected ? SIZE * 1.15 : SIZE, camera.fov);
      sprite.material.opacity = name === selected || name === figures.hovered ? 1 : 0.7;
      if (name === selected && !inside && layers.names) {
        this.ring.visible = true;
        this.ring.position.copy(position);
        this.ring.scale.setScalar(figure.radius * 1.25);
      }
    }
  }

  private rename(): void {
    for (const sprite of this.sprites.values()) {
      this.app.scene.remove(sprite);
      sprite.material.map?.dispose();
      sprite.material.dispose();
    }
    this.sprites.clear();
    for (const robot of this.app.robots) {
      if (robot.movable) continue;
      const sprite = textSprite(robot.name, cssColourOf(robot.name));
      this.sprites.set(robot.name, sprite);
      this.app.scene.add(sprite);
    }
  }
}
