/** Rotors that turn: above a few turns a second an eye sees a disc. */

import { CircleGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import type { Figure } from "./figures";

const CORNER = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = uv - 0.5;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;

/** Two blurred blades on a faint disc. */
const DISC = /* glsl */ `
uniform float turn;
uniform float amount;
varying vec2 vAt;
void main() {
  float r = 2.0 * length(vAt);
  float angle = atan(vAt.y, vAt.x) - turn;
  float blade = pow(abs(cos(angle)), 6.0);
  float rim = smoothstep(1.0, 0.96, r) * smoothstep(0.06, 0.14, r);
  float edge = smoothstep(0.86, 0.97, r) * 0.25;
  gl_FragColor = vec4(vec3(0.08), amount * rim * (0.10 + 0.30 * blade + edge));
}
`;

/** Turns a second that are shown, slower than in truth: what a screen can show. */
const TURNS = 2.3;

export class Rotors {
  private readonly discs: { material: ShaderMaterial; spin: number }[] = [];
  private turn = 0;
  private amount = 0;
  private readonly place = { x: NaN, z: NaN };

  constructor(private readonly figure: Figure) {
    for (const { body, radius, spin } of figure.robot.rotors ?? []) {
      const material = new ShaderMaterial({
        uniforms: { turn: { value: 0 }, amount: { value: 0 } },
        vertexShader: CORNER,
        fragmentShader: DISC,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
      });
      const mesh = new Mesh(new CircleGeometry(radius, 40), material);
      mesh.position.z = 0.004;
      mesh.renderOrder = 20;
      mesh.userData.seeOnly = true;
      figure.bodies[body].add(mesh);
      this.discs.push({ material, spin });
    }
  }

  /** Before a picture; speed of the robot [m/s]: one that rests in the air moves a little all the same. */
  update(seconds: number, speed: number, paused: boolean): void {
    const { position } = this.figure.bodies[0];
    const moves = speed > 0.003 || position.x !== this.place.x || position.z !== this.place.z;
    this.place.x = position.x;
    this.place.z = position.z;
    const wanted = moves || (paused && this.amount > 0.5) ? 1 : 0;
    this.amount += (wanted - this.amount) * Math.min(1, 3 * seconds);
    if (!paused) this.turn += 2 * Math.PI * TURNS * seconds;
    for (const { material, spin } of this.discs) {
      material.uniforms.turn.value = this.turn * spin;
      material.uniforms.amount.value = this.amount;
    }
  }
}
