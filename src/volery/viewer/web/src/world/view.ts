/** The world as a whole: puts its parts together and draws them. */

import { Vector3, type Matrix4 } from "three";
import type { App } from "../app";
import { bin, sidesOf, writePlanes, type View } from "./binning";
import { Chunks } from "./chunks";
import { Exposure } from "./exposure";
import { EYE } from "./kinds";
import { Light } from "./light";
import { Matter } from "./matter";
import { Shadows } from "./shadows";
import { SkyDome } from "./sky";
import { Surfaces } from "./surface";
import { Weather } from "./weather";

/** Lists are made anew when the camera moved or turned by this, or so often if the world changed. */
const MOVED = 1.5;
const TURNED = 0.13;
const CHANGED_MS = 150;
/** How often the server is told where the camera is [ms]. */
const TELL_MS = 250;

export class WorldView {
  readonly chunks: Chunks;
  readonly surfaces: Surfaces;
  readonly light: Light;
  readonly exposure: Exposure;
  readonly shadows: Shadows;
  /** Triangles of the last picture, without shadows. */
  triangles = 0;
  /** Longest time that making the lists took [ms]; for tests. */
  binning = 0;
  private readonly sky: SkyDome;
  private readonly weather: Weather;
  private readonly planes = new Float32Array(16);
  private readonly shadowPlanes = new Float32Array(16);
  private readonly binnedAt = new Vector3(Infinity, 0, 0);
  private readonly binnedWay = new Vector3();
  private binnedVersion = -1;
  private binnedTime = 0;
  private toldTime = 0;
  private toldKey = "";

  constructor(private readonly app: App) {
    const matter = new Matter();
    this.light = new Light(app, matter);
    const { tile, skyTaps } = app.quality.settings;
    this.shadows = new Shadows(app.renderer, app.scene, (pass, projection) => this.fill(pass, projection), tile);
    const uniforms = { ...this.light.uniforms, ...this.shadows.uniforms };
    this.surfaces = new Surfaces(uniforms, { tile, skyTaps });
    this.chunks = new Chunks(app, matter, this.surfaces);
    this.sky = new SkyDome(app, uniforms);
    this.weather = new Weather(app, uniforms);
    this.exposure = new Exposure(app, uniforms);
    app.events.on("origin", () => this.restart());
    app.events.on("quality", () => this.restart());
    app.events.on("world", () => this.restart());
    app.events.on("welcome", () => (this.toldKey = ""));
  }

  /** Draw a picture; the camera is in place. */
  draw(seconds: number, now: number): void {
    const { app } = this;
    this.tellView(now);
    this.chunks.pump(seconds);
    this.chunks.ground.pump();
    app.camera.updateMatrixWorld(true);
    this.adapt();
    this.light.update(seconds, this.chunks);
    this.exposure.update(seconds);
    this.weather.update();
    this.rebin(now);
    this.shadows.sun = app.layers.shadows;
    this.shadows.sky = !this.light.dark;
    this.shadows.update(app.camera, this.light.sunWay, this.light.shining, this.chunks.version);
    app.renderer.render(app.scene, app.camera);
    this.exposure.measure(now);
  }

  private adapt(): void {
    const { tile, skyTaps, lazy, reach } = this.app.quality.settings;
    this.shadows.tile = tile;
    this.shadows.lazy = lazy;
    this.surfaces.setEffort({ tile, skyTaps });
    const endless = this.app.world?.chunk_size != null;
    this.light.uniforms.reach.value = endless ? reach : 1e9;
    this.sky.dark = this.light.dark ? 1 : 0;
  }

  private restart(): void {
    this.binnedVersion = -1;
    this.binnedAt.x = Infinity;
    this.shadows.forget();
  }

  private get view(): View {
    const { camera, renderer, quality } = this.app;
    const { x, y, z } = camera.position;
    const focal = renderer.domElement.height / 2 / Math.tan((camera.fov * Math.PI) / 360);
    return { x, y, z, focal, detail: quality.settings.detail };
  }

  private rebin(now: number): void {
    const { camera } = this.app;
    const way = camera.getWorldDirection(new Vector3());
    const moved = this.binnedAt.distanceTo(camera.position) > MOVED || this.binnedWay.angleTo(way) > TURNED;
    const changed = this.binnedVersion !== this.chunks.version && now - this.binnedTime > CHANGED_MS;
    if (!moved && !changed) return;
    const start = performance.now();
    sidesOf(camera, this.planes);
    this.triangles = bin(this.chunks, this.view, this.planes, EYE);
    this.binnedAt.copy(camera.position);
    this.binnedWay.copy(way);
    this.binnedVersion = this.chunks.version;
    this.binnedTime = now;
    this.binning = performance.now() - start;
  }

  private fill(pass: number, projection: Matrix4): void {
    writePlanes(projection, this.shadowPlanes);
    bin(this.chunks, this.view, this.shadowPlanes, pass);
  }

  /** Say where the camera is, if that changed and there is a run. */
  private tellView(now: number): void {
    if (now - this.toldTime < TELL_MS || !this.app.connection.open || !this.app.state) return;
    const p = this.app.cameras.p_W.map((value) => Math.round(value * 10) / 10);
    const { reach } = this.app.quality.settings;
    const key = `${p} ${reach}`;
    if (key === this.toldKey) return;
    this.toldTime = now;
    this.toldKey = key;
    this.app.connection.tell({ do: "view", p, radius: reach });
  }
}
