/** What surfaces are made of: a table the shader reads, one row for each kind that is in use. */

import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import type { Primitive } from "../protocol";

const ROWS = 256;
/** Grain by texture: strength, frequency [1/m] and kind, as the ray tracer's camera paints it. */
const BARK = 2;
const ROCK = 3;
const SOIL = 4;
const BRICK = 5;
const TURF = 6;
const LEAF = 7;
const WATER = 9;
const GRAIN: Record<string, [number, number, number]> = {
  "": [0, 1, 0],
  bark: [0.8, 8, BARK],
  rock: [0.45, 0.375, ROCK],
  dripstone: [0.3, 0.75, ROCK],
  soil: [0.55, 0.75, SOIL],
  grass: [0.45, 0.75, TURF],
  brick: [0.25, 1.5, BRICK],
  wood: [0.35, 8, BARK],
  concrete: [0.2, 0.5, 1],
  asphalt: [0.25, 3, 1],
  metal: [0.06, 1, 1],
  snow: [0.06, 0.5, 1],
  leaf: [0.35, 1, LEAF],
};
const PLAIN: [number, number, number] = [0.15, 0.75, 1];
/** Light that passes a leaf as a multiple of what it sends back: where nothing is said, and per its transparency. */
const LEAF_LIGHT = 0.55;
const LEAF_COLOUR = 0.17;
const LAMP_LIGHT = 8;

export class Matter {
  /** Two texels a row: emission, thin, gloss, grain; frequency, kind, mirror, glass. */
  readonly texture: DataTexture;
  private readonly data = new Float32Array(ROWS * 8);
  private readonly rows = new Map<string, number>();

  constructor() {
    this.texture = new DataTexture(this.data, 2, ROWS, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  /** Row of what a primitive is made of. */
  row(primitive: Primitive): number {
    const values = describe(primitive);
    const key = values.map((value) => value.toFixed(2)).join(" ");
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    // Far more kinds than any world has: the last row then stands for the rest.
    const row = Math.min(this.rows.size, ROWS - 1);
    this.rows.set(key, row);
    this.data.set(values, 8 * row);
    this.texture.needsUpdate = true;
    return row;
  }
}

function describe(primitive: Primitive): number[] {
  const leaf = primitive.surface === "leaf";
  const [strength, frequency, grain] = GRAIN[leaf ? "leaf" : primitive.texture] ?? PLAIN;
  const emission = primitive.emission ?? (primitive.surface === "lamp" ? LAMP_LIGHT : 0);
  const thin = leaf ? (primitive.transparency ? primitive.transparency / LEAF_COLOUR : LEAF_LIGHT) : 0;
  const glass = primitive.surface === "clear" ? (primitive.transparency ?? 0.8) : 0;
  const kind = primitive.label === "water" ? WATER : grain;
  const mirror = primitive.mirror ?? (primitive.surface === "mirror" ? 1 : 0);
  return [emission, thin, 1 - primitive.roughness, strength, frequency, kind, mirror, glass];
}
