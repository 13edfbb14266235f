/** The sky behind everything, painted from the light's colours: gradient, sun, glow, thin clouds. */

import { BufferAttribute, BufferGeometry, Matrix4, Mesh, ShaderMaterial } from "three";
import type { App } from "../app";
import { NOISE, SKY, UNIFORMS } from "./glsl";
import type { Uniforms } from "./surface";

const CORNER = /* glsl */ `
uniform mat4 ways;
varying vec3 vWay;
void main() {
  vec4 far = ways * vec4(position.xy, 1.0, 1.0);
  vWay = far.xyz / far.w;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;

const SEEN = /* glsl */ `
${UNIFORMS}
varying vec3 vWay;
uniform float dark;
${NOISE}
${SKY}
void main() {
  vec3 way = normalize(vWay);
  vec3 light = skySeen(way, 10.0);
  // Under the horizon, where no world is: haze that darkens downwards.
  light *= 1.0 - 0.55 * smoothstep(0.0, -0.5, way.z);
  gl_FragColor = vec4(develop(mix(light, vec3(0.0), dark)), 1.0);
}
`;

export class SkyDome {
  private readonly material: ShaderMaterial;

  constructor(app: App, uniforms: Uniforms) {
    const ways = { value: new Matrix4() };
    this.material = new ShaderMaterial({
      uniforms: { ...uniforms, ways, dark: { value: 0 } },
      vertexShader: CORNER,
      fragmentShader: SEEN,
      depthWrite: false,
    });
    const triangle = new BufferGeometry();
    triangle.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const mesh = new Mesh(triangle, this.material);
    mesh.frustumCulled = false;
    // After all that is solid: most of it is hidden.
    mesh.renderOrder = 10;
    mesh.onBeforeRender = (_renderer, _scene, camera) => {
      const turned = new Matrix4().extractRotation(camera.matrixWorld);
      ways.value.multiplyMatrices(turned, camera.projectionMatrixInverse);
    };
    app.scene.add(mesh);
  }

  /** 1: no sky is seen, as in a cave. */
  set dark(share: number) {
    this.material.uniforms.dark.value = share;
  }
}
