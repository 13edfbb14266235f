/** Rain, snow and dust round the camera: particles in a box that repeats, moved in the shader. */

import { BufferAttribute, BufferGeometry, LineSegments, Points, ShaderMaterial, Vector3, type Object3D } from "three";
import type { App } from "../app";
import { randoms } from "./noise";
import type { Uniforms } from "./surface";

const BOX = 24;
const RAIN = 9000;
const FLAKES = 12000;

/** Where a particle is: it falls and drifts, and comes back at the other side of the box round the eye. */
const WHERE = /* glsl */ `
uniform vec3 fall;
uniform vec3 corner;
uniform float seconds;
uniform float amount;
vec3 where(vec3 start, float swing) {
  vec3 p = start + fall * seconds;
  p.xy += swing * vec2(sin(seconds * 1.3 + start.z * 9.0), cos(seconds * 1.1 + start.x * 9.0));
  return corner + mod(p - corner, ${BOX.toFixed(1)});
}
float fade(vec3 p) {
  return 1.0 - smoothstep(0.3, 0.5, distance(p, cameraPosition) / ${BOX.toFixed(1)});
}
`;

const STREAK = /* glsl */ `
${WHERE}
attribute float end;
varying float vFade;
void main() {
  vec3 p = where(position, 0.0);
  vFade = fade(p) * (1.0 - end);
  p -= normalize(fall) * end * 0.35;
  gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
}
`;

const FLAKE = /* glsl */ `
${WHERE}
uniform float size;
varying float vFade;
void main() {
  vec3 p = where(position, 0.25);
  vFade = fade(p);
  gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 1.0, 14.0);
}
`;

const LINE_COLOUR = /* glsl */ `
uniform vec3 colour;
uniform float amount;
varying float vFade;
void main() { gl_FragColor = vec4(colour, amount * vFade); }
`;

const FLAKE_COLOUR = /* glsl */ `
uniform vec3 colour;
uniform float amount;
varying float vFade;
void main() {
  float r = length(gl_PointCoord - 0.5);
  gl_FragColor = vec4(colour, amount * vFade * smoothstep(0.5, 0.2, r));
}
`;

/** Random places in the box [n·3]; each `times` in a row. */
function scattered(count: number, times: number, seed: number): Float32Array {
  const random = randoms(seed);
  const out = new Float32Array(3 * count * times);
  for (let i = 0; i < count; i++) {
    const p = [random() * BOX, random() * BOX, random() * BOX];
    for (let k = 0; k < times; k++) out.set(p, 3 * (times * i + k));
  }
  return out;
}

export class Weather {
  private readonly corner = new Vector3();
  private readonly rain: Kind;
  private readonly snow: Kind;
  private readonly dust: Kind;

  constructor(
    private readonly app: App,
    shared: Uniforms,
  ) {
    const lines = new BufferGeometry();
    lines.setAttribute("position", new BufferAttribute(scattered(RAIN, 2, 2), 3));
    lines.setAttribute("end", new BufferAttribute(Float32Array.from({ length: 2 * RAIN }, (_, i) => i % 2), 1));
    const flakes = new BufferGeometry();
    flakes.setAttribute("position", new BufferAttribute(scattered(FLAKES, 1, 3), 3));
    this.rain = this.make(shared, lines, [0.72, 0.77, 0.85], -8.5, true, 0);
    this.snow = this.make(shared, flakes, [0.95, 0.96, 1.0], -1.1, false, 18);
    this.dust = this.make(shared, flakes, [0.62, 0.5, 0.34], -0.05, false, 7);
  }

  /** Before a picture. */
  update(): void {
    const { app } = this;
    const sky = app.sky;
    const wanted = sky && app.layers.weather && !app.world?.dark ? sky.weather : { rain: 0, snow: 0, dust: 0 };
    this.corner.copy(app.camera.position).subScalar(BOX / 2);
    const wind = new Vector3(...(sky?.wind.mean ?? [0, 0, 0]));
    this.rain.set(wanted.rain, 0.42, wind);
    this.snow.set(wanted.snow, 0.95, wind);
    this.dust.set(wanted.dust, 0.6, wind);
  }

  private make(shared: Uniforms, geometry: BufferGeometry, colour: number[], down: number, streaks: boolean, size: number): Kind {
    const material = new ShaderMaterial({
      uniforms: {
        seconds: shared.seconds,
        fall: { value: new Vector3() },
        corner: { value: this.corner },
        amount: { value: 0 },
        size: { value: size },
        colour: { value: colour },
      },
      vertexShader: streaks ? STREAK : FLAKE,
      fragmentShader: streaks ? LINE_COLOUR : FLAKE_COLOUR,
      transparent: true,
      depthWrite: false,
    });
    const own = geometry.clone();
    const object = streaks ? new LineSegments(own, material) : new Points(own, material);
    object.frustumCulled = false;
    object.visible = false;
    object.renderOrder = 30;
    this.app.scene.add(object);
    return new Kind(object, own, material, down);
  }
}

class Kind {
  constructor(
    private readonly object: Object3D,
    private readonly geometry: BufferGeometry,
    private readonly material: ShaderMaterial,
    private readonly down: number,
  ) {}

  /** Show so much of it, 0 to 1. */
  set(level: number, opacity: number, wind: Vector3): void {
    this.object.visible = level > 0.005;
    if (!this.object.visible) return;
    const total = this.geometry.getAttribute("position").count;
    this.geometry.setDrawRange(0, 2 * Math.ceil((total / 2) * Math.min(1, 0.15 + level)));
    this.material.uniforms.amount.value = opacity * Math.min(1, 0.35 + level);
    (this.material.uniforms.fall.value as Vector3).copy(wind).setZ(wind.z + this.down);
  }
}
