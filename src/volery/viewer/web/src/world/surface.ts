/** Materials of the world and of robots: one shader for all that is solid or a leaf, one for glass and water. */

import { DoubleSide, ShaderMaterial, type IUniform } from "three";
import { LIGHT, NOISE, SHADOWS, SKY, UNIFORMS } from "./glsl";
import { DISSOLVE, GRAIN } from "./glsl_paint";

export type Uniforms = Record<string, IUniform>;

/** Corner: place, normal, colour, and what it is made of. `tint.a` is the row in the table of matter. */
const CORNER = /* glsl */ `
${UNIFORMS}
#include <skinning_pars_vertex>
attribute vec4 tint;
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
#ifdef MOVING
varying vec3 vAt;
#endif
flat varying vec4 vMatter;
flat varying vec4 vGrain;

vec3 linear_(vec3 c) {
  return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThan(c, vec3(0.04045)));
}

void main() {
  int row = int(tint.a * 255.0 + 0.5);
  vMatter = texelFetch(matters, ivec2(0, row), 0);
  vGrain = texelFetch(matters, ivec2(1, row), 0);
  vTint = linear_(tint.rgb);
  vec3 objectNormal = normal;
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  vec3 transformed = position;
  #include <skinning_vertex>
  mat4 X = modelMatrix;
  #ifdef USE_INSTANCING
  X = modelMatrix * instanceMatrix;
  #endif
  vec4 place = X * vec4(transformed, 1.0);
  // Scales of instances are near even: the matrix itself turns normals well enough.
  vNormal = mat3(X) * objectNormal;
  #ifdef MOVING
  vAt = position;
  #else
  if (vMatter.y > 0.0) {
    float speed = min(length(wind), 12.0);
    float sway = sin(seconds * (1.3 + fract(place.x * 0.13)) + place.x * 0.9 + place.y * 0.7);
    place.xyz += wind * (0.0025 * (0.6 + sway)) + vec3(0.0, 0.0, 0.0015 * speed * sway);
  }
  #endif
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}
`;

const SOLID = /* glsl */ `
${UNIFORMS}
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
#ifdef MOVING
varying vec3 vAt;
uniform vec3 highlight;
#endif
flat varying vec4 vMatter;
flat varying vec4 vGrain;
${NOISE}
${SKY}
${SHADOWS}
${LIGHT}
${GRAIN}
${DISSOLVE}

void main() {
  vec3 way = vPlace - cameraPosition;
  float away = length(way);
  way /= away;
  vec3 normal = normalize(vNormal);
  float thin = vMatter.y;
  #ifndef MOVING
  if (thin > 0.0 || int(vGrain.y) == 2) dissolve(vPlace, away, thin);
  #endif
  // Both sides of everything are seen; a leaf's smooth normals may point away.
  if (dot(normal, way) > 0.0 && (thin > 0.0 || !gl_FrontFacing)) normal = -normal;
  vec3 flatNormal = normal;
  vec3 colour = vTint;
  #ifdef MOVING
  paint(vAt, away, vMatter.w, vGrain.x, int(vGrain.y), colour, normal);
  #else
  paint(vPlace, away, vMatter.w, vGrain.x, int(vGrain.y), colour, normal);
  #endif
  Seen seen = seenFrom(vPlace, flatNormal, dot(flatNormal, sunWay), thin);
  float toward = max(-dot(normal, way), 0.0);
  vec3 sent = colour * (lightOn(seen, vPlace, normal, thin, toward, away) + vMatter.x);
  float gloss = max(vMatter.z, thin > 0.0 ? 0.35 : 0.0);
  if (gloss > 0.15) sent += shine(gloss, normal, sunWay - way) * seen.sun * sunLight;
  if (vGrain.z > 0.0 || gloss > 0.4) {
    vec3 back = reflect(way, normal);
    float part = vGrain.z + (1.0 - vGrain.z) * 0.5 * gloss * (0.04 + 0.96 * pow(1.0 - toward, 5.0));
    vec3 there = back.z > 0.0 ? skySeen(back, 0.0) : mix(horizon, 0.25 * (sunLight * sunWay.z + zenith), min(-back.z * 4.0, 1.0));
    sent = mix(sent, there * seen.near, clamp(part, 0.0, 1.0));
  }
  #ifdef MOVING
  sent += highlight * (0.25 + 0.75 * pow(1.0 - toward, 2.0)) / exposure;
  #endif
  gl_FragColor = vec4(develop(throughAir(sent, way, away, seen.near, cameraPosition)), 1.0);
}
`;

const CLEAR = /* glsl */ `
${UNIFORMS}
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
flat varying vec4 vMatter;
flat varying vec4 vGrain;
${NOISE}
${SKY}
${SHADOWS}
${LIGHT}

void main() {
  vec3 way = vPlace - cameraPosition;
  float away = length(way);
  way /= away;
  vec3 normal = normalize(vNormal);
  if (dot(normal, way) > 0.0) normal = -normal;
  bool water = vGrain.y > 8.5;
  if (water) {
    vec2 p = vPlace.xy;
    vec2 drift = vec2(0.31, 0.17) * seconds;
    vec4 a = noise(vec3(p * 6.0 + drift * 4.0, seconds * 1.1));
    vec4 b = noise(vec3(p.yx * 17.0 - drift * 9.0, 30.0 + seconds * 2.1));
    float calm = 0.05 / (1.0 + away * 0.05);
    normal = normalize(normal - vec3((a.yz + 0.6 * b.zy) * calm, 0.0));
  }
  float toward = max(-dot(normal, way), 0.0);
  float mirror = 0.03 + 0.97 * pow(1.0 - toward, 5.0);
  Seen seen = seenFrom(vPlace, normal, 1.0, 0.0);
  vec3 back = reflect(way, normal);
  back.z = abs(back.z);
  vec3 sky = skySeen(back, 6.0 * seen.sun) * seen.near;
  vec3 body = vTint * lightOn(seen, vPlace, normal, 0.0, toward, away);
  float own = water ? 0.55 : 1.0 - vGrain.w;
  float cover = clamp(mirror + (1.0 - mirror) * own, 0.0, 1.0);
  vec3 sent = (sky * mirror + body * (1.0 - mirror) * own) / max(cover, 0.01);
  gl_FragColor = vec4(develop(throughAir(sent, way, away, seen.near, cameraPosition)), cover);
}
`;

/** How much the shader does: size of a tile of the shadow map [texels], and taps for the light of the sky. */
export interface Effort {
  tile: number;
  skyTaps: number;
}

const defines = (effort: Effort): Record<string, string> => ({
  SHADE_TILE: effort.tile.toFixed(1),
  SKY_TAPS: String(effort.skyTaps),
});

export class Surfaces {
  /** For what stands. */
  readonly solid: ShaderMaterial;
  /** For glass and water. */
  readonly clear: ShaderMaterial;
  private readonly moving: ShaderMaterial[] = [];

  constructor(
    readonly uniforms: Uniforms,
    private effort: Effort,
  ) {
    this.solid = this.make(SOLID, {});
    this.clear = this.make(CLEAR, {});
    this.clear.transparent = true;
    this.clear.depthWrite = false;
  }

  /** For what moves: its grain goes with it. Each has a colour of its own to stand out with. */
  forMoving(): ShaderMaterial {
    const material = this.make(SOLID, { MOVING: "" });
    material.uniforms.highlight = { value: [0, 0, 0] };
    this.moving.push(material);
    return material;
  }

  /** Give back a material of `forMoving`. */
  release(material: ShaderMaterial): void {
    const at = this.moving.indexOf(material);
    if (at >= 0) this.moving.splice(at, 1);
    material.dispose();
  }

  /** Do more or less per pixel; programs are compiled anew. */
  setEffort(effort: Effort): void {
    if (effort.tile === this.effort.tile && effort.skyTaps === this.effort.skyTaps) return;
    this.effort = effort;
    for (const material of [this.solid, this.clear, ...this.moving]) {
      Object.assign(material.defines, defines(effort));
      material.needsUpdate = true;
    }
  }

  private make(fragment: string, more: Record<string, string>): ShaderMaterial {
    return new ShaderMaterial({
      uniforms: { ...this.uniforms },
      vertexShader: CORNER,
      fragmentShader: fragment,
      defines: { ...defines(this.effort), ...more },
      side: DoubleSide,
    });
  }
}
