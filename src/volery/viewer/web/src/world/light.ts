/** What lights the world: sun, sky, lamps, headlights, the camera's own lamp; as uniforms that all surfaces share. */

import { Vector3, Vector4, type IUniform } from "three";
import type { App } from "../app";
import type { Frame } from "../frames";
import type { PosesHeader, Sky } from "../protocol";
import type { Chunks } from "./chunks";
import { LAMPS, SPOTS } from "./glsl";
import type { Matter } from "./matter";
import { grainTexture } from "./noise";

const LAMP_REACH = 90;
/** Light of the camera's lamp on a surface 1 m ahead, in the dark and by day. */
const CAMERA_LAMP = 3;
/** Light without a source in caves, so that nothing is wholly black. */
const CAVE = 0.0015;

export class Light {
  readonly uniforms: Record<string, IUniform>;
  /** Towards the sun. */
  readonly sunWay = new Vector3(0.3, -0.4, 0.87).normalize();
  /** Key L: the camera's own lamp; null: on where the world is dark. */
  lamp: boolean | null = null;
  private lampsVersion = -1;
  private lampsAt = new Vector3(Infinity, 0, 0);

  constructor(
    private readonly app: App,
    matter: Matter,
  ) {
    const vectors = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
    this.uniforms = {
      matters: { value: matter.texture },
      grain: { value: grainTexture() },
      sunWay: { value: this.sunWay },
      sunLight: { value: new Vector3(0.9, 0.87, 0.8) },
      zenith: { value: new Vector3(0.08, 0.15, 0.3) },
      horizon: { value: new Vector3(0.35, 0.4, 0.45) },
      cave: { value: new Vector3() },
      extinction: { value: 1 / 2500 },
      cloudCover: { value: 0 },
      reach: { value: 1e9 },
      exposure: { value: 1 },
      cameraLamp: { value: 0 },
      focus: { value: new Vector4() },
      seconds: { value: 0 },
      wind: { value: new Vector3() },
      lampPlace: { value: vectors(LAMPS, () => new Vector4()) },
      lampLight: { value: vectors(LAMPS, () => new Vector3()) },
      spotPlace: { value: vectors(SPOTS, () => new Vector4(0, 0, 0, 2)) },
      spotAhead: { value: vectors(SPOTS, () => new Vector3(1, 0, 0)) },
      spotLight: { value: vectors(SPOTS, () => new Vector3()) },
    };
    app.events.on("sky", (sky) => this.takeSky(sky));
    app.events.on("world", () => this.app.sky && this.takeSky(this.app.sky));
    app.events.on("poses", (frame) => this.takeSpots(frame));
  }

  /** True if the world has no daylight. */
  get dark(): boolean {
    return this.app.world?.dark ?? false;
  }

  /** True if the sun gives light worth a shadow. */
  get shining(): boolean {
    return !this.dark && (this.uniforms.sunLight.value as Vector3).y > 1e-4;
  }

  /** Before a picture. */
  update(seconds: number, chunks: Chunks): void {
    this.uniforms.seconds.value += seconds;
    const dim = (this.uniforms.sunLight.value as Vector3).y < 0.01;
    const on = this.lamp ?? (this.dark || dim);
    this.uniforms.cameraLamp.value = on ? CAMERA_LAMP * (this.dark ? 0.25 : dim ? 0.02 : 1) : 0;
    const { position } = this.app.camera;
    const moved = this.lampsAt.distanceTo(position) > 1;
    if (moved || this.lampsVersion !== chunks.version) this.nearestLamps(chunks);
  }

  private takeSky(sky: Sky): void {
    const u = this.uniforms;
    const day = this.dark ? 0 : 1;
    this.sunWay.set(...sky.sun.direction).normalize();
    (u.sunLight.value as Vector3).set(...sky.light.sun).multiplyScalar(day);
    (u.zenith.value as Vector3).set(...sky.light.zenith).multiplyScalar(day);
    (u.horizon.value as Vector3).set(...sky.light.horizon).multiplyScalar(day);
    (u.cave.value as Vector3).setScalar(CAVE * (1 - day));
    (u.wind.value as Vector3).set(...sky.wind.mean);
    u.extinction.value = sky.extinction;
    u.cloudCover.value = sky.cloud ?? 0;
  }

  /** The lamps of the world nearest to the eye; they fade in by how near they are. */
  private nearestLamps(chunks: Chunks): void {
    const { position } = this.app.camera;
    this.lampsAt.copy(position);
    this.lampsVersion = chunks.version;
    const found = [...chunks.lamps()]
      .map((lamp) => ({ lamp, away: position.distanceTo(new Vector3(...lamp.place)) }))
      .filter(({ away }) => away < LAMP_REACH)
      .sort((a, b) => a.away - b.away);
    // The last one taken has no light yet, so that none appears at once.
    const edge = found[LAMPS]?.away ?? LAMP_REACH;
    const places = this.uniforms.lampPlace.value as Vector4[];
    const lights = this.uniforms.lampLight.value as Vector3[];
    for (let i = 0; i < LAMPS; i++) {
      places[i].w = 0;
      if (!found[i]) continue;
      const { lamp, away } = found[i];
      places[i].set(...lamp.place, Math.max(0.001, Math.min(1, (4 * (edge - away)) / edge)));
      lights[i].set(...lamp.light);
    }
  }

  /** Headlights that shine, nearest first. */
  private takeSpots(frame: Frame<PosesHeader>): void {
    const { spot_p: p, spot_ahead: ahead, spot_light: light } = frame.arrays;
    const count = p ? p.length / 3 : 0;
    const { origin, camera } = this.app;
    const place = (i: number): Vector3 => new Vector3(p[3 * i] - origin[0], p[3 * i + 1] - origin[1], p[3 * i + 2] - origin[2]);
    const order = Array.from({ length: count }, (_, i) => i);
    order.sort((a, b) => place(a).distanceToSquared(camera.position) - place(b).distanceToSquared(camera.position));
    for (let k = 0; k < SPOTS; k++) {
      const spot = (this.uniforms.spotPlace.value as Vector4[])[k];
      spot.w = 2;
      const i = order[k];
      if (i === undefined) continue;
      const { x, y, z } = place(i);
      spot.set(x, y, z, Math.min(light[4 * i + 3], 0.999));
      (this.uniforms.spotAhead.value as Vector3[])[k].set(ahead[3 * i], ahead[3 * i + 1], ahead[3 * i + 2]);
      (this.uniforms.spotLight.value as Vector3[])[k].set(light[4 * i], light[4 * i + 1], light[4 * i + 2]);
    }
  }
}
