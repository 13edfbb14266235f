/** Depth maps from the sun, in three cascades that follow the view, and from above, for the light of the sky.
 *
 * All four are tiles of one texture. A tile keeps the matrix it was drawn with, so it stays right when it is old: near
 * ones are drawn at every picture, far ones now and then.
 */

import {
  DepthTexture, DoubleSide, LessEqualCompare, LinearFilter, Matrix4, OrthographicCamera, ShaderMaterial, UnsignedIntType,
  Vector3, Vector4, WebGLRenderTarget, type IUniform, type PerspectiveCamera, type Scene, type WebGLRenderer,
} from "three"; // prettier-ignore
import { layerOf } from "./kinds";

/** Distances at which cascades end [m]; from the sun and from above, how far things above count [m]. */
const SPLITS = [0.1, 16, 60, 220];
const ABOVE = 120;
const SKY_HALF = 72;
const SKY_STEP = 9;
/** Every so many pictures a tile is drawn. */
const TURNS = [1, 3, 8];
export const SKY_TILE = 3;

const CORNER = /* glsl */ `
#include <skinning_pars_vertex>
void main() {
  vec3 objectNormal = normal;
  vec3 transformed = position;
  #include <skinbase_vertex>
  #include <skinning_vertex>
  vec4 place = vec4(transformed, 1.0);
  #ifdef USE_INSTANCING
  place = instanceMatrix * place;
  #endif
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * place;
}
`;

/** Draws the lists of a pass: which things lie in its view. */
export type Fill = (pass: number, projection: Matrix4) => void;

export class Shadows {
  readonly uniforms: Record<string, IUniform> = {
    shade: { value: null },
    shadeMatrix: { value: [0, 1, 2, 3].map(() => new Matrix4().makeScale(0, 0, 0)) },
    shadeBias: { value: new Vector4() },
    sunShadows: { value: 0 },
    skyShadows: { value: 0 },
  };
  /** Switches of the user and of the quality. */
  sun = true;
  sky = true;
  /** How many times more seldom maps are drawn anew. */
  lazy = 1;
  private target: WebGLRenderTarget;
  private readonly camera = new OrthographicCamera();
  private readonly material = new ShaderMaterial({
    vertexShader: CORNER,
    fragmentShader: "void main() {}",
    side: DoubleSide,
    colorWrite: false,
  });
  private turn = 0;
  private drawnVersion = [-1, -1, -1, -1];
  private skyCentre = new Vector3(Infinity, 0, 0);
  private readonly sunWay = new Vector3(0, 0, 1);

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly scene: Scene,
    private readonly fill: Fill,
    tile: number,
  ) {
    this.target = this.make(tile);
  }

  /** Edge of a tile [texels]. */
  get tile(): number {
    return this.target.width / 2;
  }

  set tile(tile: number) {
    if (tile === this.tile) return;
    this.target.depthTexture?.dispose();
    this.target.dispose();
    this.target = this.make(tile);
    this.forget();
  }

  private make(tile: number): WebGLRenderTarget {
    const depthTexture = new DepthTexture(2 * tile, 2 * tile, UnsignedIntType);
    depthTexture.compareFunction = LessEqualCompare;
    depthTexture.minFilter = depthTexture.magFilter = LinearFilter;
    const target = new WebGLRenderTarget(2 * tile, 2 * tile, { depthTexture });
    // Also where nothing casts a shadow, the texture must be there.
    this.renderer.setRenderTarget(target);
    this.renderer.clear();
    this.renderer.setRenderTarget(null);
    target.scissorTest = true;
    this.uniforms.shade.value = depthTexture;
    return target;
  }

  /** Everything moved: draw all tiles anew. */
  forget(): void {
    this.drawnVersion.fill(-1);
    this.skyCentre.x = Infinity;
  }

  /** Bring the maps up to date before a picture. version: of what stands in the world. */
  update(camera: PerspectiveCamera, sunWay: Vector3, shining: boolean, version: number): void {
    // The sun creeps; maps that turned a little at every picture would shimmer.
    if (this.sunWay.angleTo(sunWay) > 0.004) {
      this.sunWay.copy(sunWay);
      this.drawnVersion.fill(-1, 0, 3);
    }
    const on = this.sun && shining && this.sunWay.z > 0.01;
    this.uniforms.sunShadows.value = on ? 1 : 0;
    this.uniforms.skyShadows.value = this.sky ? 1 : 0;
    this.turn += 1;
    if (on) {
      for (let i = 0; i < 3; i++) {
        const due = (this.turn + i) % (this.lazy * TURNS[i]) === 0;
        if (due || this.drawnVersion[i] < 0) this.drawCascade(i, camera);
        this.drawnVersion[i] = version;
      }
    }
    if (this.sky) this.updateSky(camera, version);
  }

  private updateSky(camera: PerspectiveCamera, version: number): void {
    const moved = Math.max(Math.abs(camera.position.x - this.skyCentre.x), Math.abs(camera.position.y - this.skyCentre.y));
    const stale = this.drawnVersion[SKY_TILE] !== version && this.turn % 20 === 0;
    if (moved < SKY_STEP && !stale && this.drawnVersion[SKY_TILE] >= 0) return;
    const snap = (value: number): number => Math.round(value / SKY_STEP) * SKY_STEP;
    this.skyCentre.set(snap(camera.position.x), snap(camera.position.y), snap(camera.position.z));
    this.draw(SKY_TILE, this.skyCentre, new Vector3(0, 0, 1), SKY_HALF, 2 * ABOVE);
    this.drawnVersion[SKY_TILE] = version;
  }

  /** A cascade that holds the sphere round its slice of the view, moved in whole texels. */
  private drawCascade(i: number, camera: PerspectiveCamera): void {
    const [near, far] = [SPLITS[i], SPLITS[i + 1]];
    const tan = Math.tan((camera.fov * Math.PI) / 360);
    const wide = tan * tan * (1 + camera.aspect * camera.aspect);
    // Sphere through the corners of both ends of the slice; its middle lies on the axis.
    const middle = Math.min(far, 0.5 * (near + far) * (1 + wide));
    const radius = Math.ceil(Math.hypot(far - middle, far * Math.sqrt(wide)) * 4) / 4;
    const centre = camera.getWorldDirection(new Vector3()).multiplyScalar(middle).add(camera.position);
    this.draw(i, centre, this.sunWay, radius, ABOVE);
  }

  private draw(tile: number, centre: Vector3, way: Vector3, half: number, above: number): void {
    const { camera, target, renderer, scene } = this;
    const up = Math.abs(way.z) > 0.99 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    camera.up.copy(up);
    camera.position.set(0, 0, 0);
    camera.lookAt(-way.x, -way.y, -way.z);
    camera.updateMatrixWorld(true);
    const local = centre.clone().applyMatrix4(camera.matrixWorldInverse);
    const texel = (2 * half) / this.tile;
    local.x = Math.round(local.x / texel) * texel;
    local.y = Math.round(local.y / texel) * texel;
    const below = tile === SKY_TILE ? 2 * ABOVE : half;
    camera.left = local.x - half;
    camera.right = local.x + half;
    camera.bottom = local.y - half;
    camera.top = local.y + half;
    camera.near = -local.z - above - half;
    camera.far = -local.z + below;
    camera.updateProjectionMatrix();
    const projection = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    this.fill(tile + 1, projection);
    camera.layers.set(layerOf(tile + 1));
    this.render(tile, camera, target, renderer, scene);
    const toUnit = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
    (this.uniforms.shadeMatrix.value as Matrix4[])[tile].multiplyMatrices(toUnit, projection);
    (this.uniforms.shadeBias.value as Vector4).setComponent(tile, 1.6 * texel + 0.01);
    // Slopes are taken care of by moving along the normal; this is for the numbers' own coarseness.
    const bias = tile === SKY_TILE ? 0 : 0.02 / (camera.far - camera.near);
    (this.uniforms.shadeMatrix.value as Matrix4[])[tile].elements[14] -= bias;
  }

  private render(tile: number, camera: OrthographicCamera, target: WebGLRenderTarget, renderer: WebGLRenderer, scene: Scene): void {
    const edge = this.tile;
    const [x, y] = [(tile % 2) * edge, Math.floor(tile / 2) * edge];
    target.viewport.set(x, y, edge, edge);
    target.scissor.set(x, y, edge, edge);
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(target);
    scene.overrideMaterial = this.material;
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    renderer.setRenderTarget(before);
  }
}
