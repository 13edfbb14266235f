/** Shader text that several materials share: noise, sky, shadows, and light on a surface.
 *
 * The light is the ray tracer's (native/render/shading.cpp): linear RGB, 1 is a white surface in the sun of a clear noon.
 * Places are in W relative to the floating origin.
 */

import { SLOPE_RANGE, VALUE_RANGE } from "./noise";

/** Most lamps of the world, and headlights of robots, that light a picture. */
export const LAMPS = 8;
export const SPOTS = 4;

export const UNIFORMS = /* glsl */ `
uniform sampler2D matters;
uniform sampler3D grain;
uniform sampler2DShadow shade;
uniform mat4 shadeMatrix[4];
uniform vec4 shadeBias;
uniform float sunShadows;
uniform float skyShadows;
uniform vec3 sunWay;
uniform vec3 sunLight;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 cave;
uniform float extinction;
uniform float cloudCover;
uniform float reach;
uniform float exposure;
uniform float cameraLamp;
uniform vec4 focus;
uniform float seconds;
uniform vec3 wind;
uniform vec4 lampPlace[${LAMPS}];
uniform vec3 lampLight[${LAMPS}];
uniform vec4 spotPlace[${SPOTS}];
uniform vec3 spotAhead[${SPOTS}];
uniform vec3 spotLight[${SPOTS}];
`;

/** Noise by place in texels of the volume: value and slopes. */
export const NOISE = /* glsl */ `
vec4 noise(vec3 p) {
  vec4 v = texture(grain, p / 64.0) * 2.0 - 1.0;
  return v * vec4(${VALUE_RANGE.toFixed(1)}, vec3(${SLOPE_RANGE.toFixed(1)}));
}
float noiseAt(vec3 p) {
  return (textureLod(grain, p / 64.0, 0.0).r * 2.0 - 1.0) * ${VALUE_RANGE.toFixed(1)};
}
`;

/** Colour of the sky along a way, and how light becomes a display's colour. */
export const SKY = /* glsl */ `
float glow(float near) {
  near = max(near, 0.0);
  near *= near;
  near *= near;
  float wide = 0.05 * near;
  near *= near;
  return wide + 0.1 * near * near;
}

vec3 skyPlain(vec3 way) {
  return mix(horizon, zenith, sqrt(clamp(way.z, 0.0, 1.0)));
}

vec3 skySeen(vec3 way, float disc) {
  vec3 clear = skyPlain(way);
  float near = dot(way, sunWay);
  float narrow = 0.0;
  if (near > 0.98) {
    float sharp = pow(near, 256.0);
    narrow = 0.42 * sharp + disc * smoothstep(0.9971, 0.9976, sharp);
  }
  float veil = 0.0;
  if (way.z > 0.02) {
    float s = 14.0 / (way.z + 0.12);
    vec2 drift = wind.xy * seconds * 0.004;
    float c = 0.7 * noiseAt(vec3(way.xy * s + 7.0 + drift, 11.5 + seconds * 0.004));
    c += 0.3 * noiseAt(vec3(way.xy * s * 3.7 + drift * 2.0, 40.5));
    veil = 0.55 * clamp(0.8 * c - 0.15, 0.0, 1.0) * min(way.z * 4.0, 1.0);
  }
  vec3 more = veil * (0.25 * sunLight + 0.75 * horizon - clear);
  more += (glow(near) + narrow) * sunLight * (1.0 - 0.7 * veil);
  return clear + (1.0 - cloudCover) * more;
}

vec3 develop(vec3 light) {
  vec3 x = light * exposure;
  vec3 y = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  return pow(y, vec3(1.0 / 2.2));
}
`;

/** Which share of the sun and of the sky reaches a place, by depth maps seen from the sun (3) and from above (1). */
export const SHADOWS = /* glsl */ `
float tileFree(vec3 q, vec2 tile, vec2 shift) {
  vec2 at = clamp(q.xy + shift, 0.003, 0.997);
  return textureLod(shade, vec3(0.5 * at + tile, q.z), 0.0);
}

float sunFree(vec3 place, vec3 normal) {
  if (sunShadows < 0.5) return 1.0;
  for (int i = 0; i < 3; i++) {
    vec3 q = (shadeMatrix[i] * vec4(place + normal * shadeBias[i], 1.0)).xyz;
    vec2 edge = abs(q.xy - 0.5);
    float rim = max(edge.x, edge.y);
    if (rim > 0.495 || q.z > 1.0) continue;
    vec2 tile = vec2(i == 1 ? 0.5 : 0.0, i == 2 ? 0.5 : 0.0);
    float wide = 0.7 / SHADE_TILE;
    float sum = tileFree(q, tile, vec2(-0.4, -1.0) * wide) + tileFree(q, tile, vec2(1.0, -0.4) * wide)
      + tileFree(q, tile, vec2(0.4, 1.0) * wide) + tileFree(q, tile, vec2(-1.0, 0.4) * wide);
    return i == 2 ? mix(0.25 * sum, 1.0, smoothstep(0.42, 0.495, rim)) : 0.25 * sum;
  }
  return 1.0;
}

float skyTap(vec3 place, vec2 to, float rise) {
  vec3 q = (shadeMatrix[3] * vec4(place + vec3(to, rise), 1.0)).xyz;
  return tileFree(q, vec2(0.5), vec2(0.0));
}

float skyFree(vec3 place, vec3 normal) {
  if (skyShadows < 0.5) return 1.0;
  vec3 from = place + normal * 0.15 + vec3(0.0, 0.0, 0.2);
  vec3 q = (shadeMatrix[3] * vec4(from, 1.0)).xyz;
  vec2 edge = abs(q.xy - 0.5);
  float rim = max(edge.x, edge.y);
  if (rim > 0.495 || q.z > 1.0) return 1.0;
  float sum = skyTap(from, vec2(0.9, 0.5), 1.0) + skyTap(from, vec2(-0.9, 0.5), 1.0) + skyTap(from, vec2(0.0, -1.0), 1.0);
#if SKY_TAPS > 3
  sum += skyTap(from, vec2(3.0, 0.0), 2.6) + skyTap(from, vec2(0.0, 3.0), 2.6)
    + skyTap(from, vec2(-3.0, 0.0), 2.6) + skyTap(from, vec2(0.0, -3.0), 2.6) + skyTap(from, vec2(0.0), 0.2);
  sum *= 0.125;
#else
  sum /= 3.0;
#endif
  return mix(sum, 1.0, smoothstep(0.4, 0.495, rim));
}
`;

/** The light on a surface and what of it reaches the eye. */
export const LIGHT = /* glsl */ `
const float NEIGHBOURS = 0.2;

vec2 openSky(float up) {
  float z = 0.3051 + up * (0.4 + 0.0949 * up);
  return vec2(0.5 * (1.0 + up) - z, z);
}

float shine(float gloss, vec3 normal, vec3 half_) {
  float near = max(dot(normal, normalize(half_)), 0.0);
  return 0.8 * gloss * gloss * pow(near, exp2(3.0 + floor(4.0 * gloss)));
}

vec3 lampsOn(vec3 place, vec3 normal, float thin) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ${LAMPS}; i++) {
    if (lampPlace[i].w <= 0.0) break;
    vec3 to = lampPlace[i].xyz - place;
    float square = dot(to, to);
    float facing = dot(normal, to) * inversesqrt(square);
    float share = 0.2 / (square + 9.0) + max(max(facing, -thin * facing), 0.0) / max(square, 0.1);
    sum += lampLight[i] * share * lampPlace[i].w;
  }
  for (int i = 0; i < ${SPOTS}; i++) {
    if (spotPlace[i].w > 1.5) break;
    vec3 to = place - spotPlace[i].xyz;
    float square = dot(to, to);
    float away = sqrt(square);
    float rim = dot(to, spotAhead[i]) / away - spotPlace[i].w;
    float facing = -dot(normal, to) / away;
    facing = max(facing, -thin * facing);
    if (rim <= 0.0 || facing <= 0.0) continue;
    sum += spotLight[i] * min(rim / ((1.0 - spotPlace[i].w) * 0.2), 1.0) * facing / max(square, 0.01);
  }
  return sum;
}

struct Seen { float sun; float part; float near; };

Seen seenFrom(vec3 place, vec3 normal, float facing, float thin) {
  float part = skyFree(place, normal);
  float sun = facing > 0.0 || thin > 0.0 ? sunFree(place, facing > 0.0 ? normal : -normal) : 0.0;
  return Seen(sun, part, sqrt(max(part, 0.03)));
}

/** Light on a surface that sends back all of it. */
vec3 lightOn(Seen seen, vec3 place, vec3 normal, float thin, float toward, float away) {
  float facing = dot(normal, sunWay);
  float direct = seen.sun * (max(facing, 0.0) + thin * max(-facing, 0.0));
  vec2 front = openSky(normal.z);
  vec2 back = openSky(-normal.z);
  vec2 whole = openSky(1.0);
  float other = NEIGHBOURS * seen.near
    * (1.0 + thin - (0.5 * (1.0 + normal.z) + thin * 0.5 * (1.0 - normal.z)) * seen.part);
  vec2 sky = seen.part * (front + thin * back) + other * whole;
  vec3 sum = (direct + other * max(sunWay.z, 0.0)) * sunLight + sky.x * horizon + sky.y * zenith + cave;
  sum += cameraLamp * toward / max(away * away, 0.3);
  return sum + lampsOn(place, normal, thin);
}

/** What leaves a surface, after the air before it. */
vec3 throughAir(vec3 sent, vec3 way, float away, float near, vec3 eye) {
  float keep = exp(-extinction * away);
  float mist = (1.0 - keep) * near;
  vec3 seen = sent * keep + mist * (horizon + glow(dot(way, sunWay)) * sunLight);
  return mix(seen, skyPlain(vec3(way.xy, max(way.z, 0.0))), smoothstep(0.72, 0.98, away / reach));
}
`;
