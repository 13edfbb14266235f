/** Many arrows at once. */

import { BufferGeometry, Color, ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SRGBColorSpace, Vector3, type Group } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { App } from "../app";
import type { Vec3 } from "../protocol";

const X = new Vector3(1, 0, 0);
/** Length of the head as a share of the arrow. */
const HEAD = 0.28;

/** An arrow of one metre along x; it is scaled evenly, so long ones are thicker. */
function arrow(): BufferGeometry {
  const shaft = new CylinderGeometry(0.022, 0.022, 1 - HEAD, 8).rotateZ(-Math.PI / 2).translate((1 - HEAD) / 2, 0, 0);
  const head = new ConeGeometry(0.07, HEAD, 12).rotateZ(-Math.PI / 2).translate(1 - HEAD / 2, 0, 0);
  return mergeGeometries([shaft, head]);
}

export class Arrows {
  readonly group: Group;
  private mesh: InstancedMesh;
  private readonly material = new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.9 });
  private anchor: Vec3 = [0, 0, 0];

  constructor(
    private readonly app: App,
    capacity = 64,
  ) {
    this.group = app.anchored();
    this.mesh = this.make(capacity);
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(arrow(), this.material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = 18;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  /** Begin anew, with room for so many; places near `near` in W [m] are exact. */
  begin(count: number, near: Vec3): void {
    if (count > this.mesh.instanceMatrix.count) {
      this.drop();
      this.mesh = this.make(Math.ceil(1.3 * count));
    }
    this.mesh.count = 0;
    this.anchor = [...near];
    this.app.anchor(this.group, this.anchor);
  }

  /** Add an arrow at a place in W [m] along v [m]; colour sRGB 0 to 1. */
  add(p_W: ArrayLike<number>, v: Vector3, colour: ArrayLike<number>): void {
    const length = v.length();
    if (length < 1e-6) return;
    const turn = new Quaternion().setFromUnitVectors(X, v.clone().divideScalar(length));
    const place = new Vector3(p_W[0] - this.anchor[0], p_W[1] - this.anchor[1], p_W[2] - this.anchor[2]);
    const i = this.mesh.count++;
    this.mesh.setMatrixAt(i, new Matrix4().compose(place, turn, new Vector3(length, length, length)));
    this.mesh.setColorAt(i, new Color().setRGB(colour[0], colour[1], colour[2], SRGBColorSpace));
  }

  /** Show what was added. */
  end(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private drop(): void {
    this.group.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }

  dispose(): void {
    this.drop();
    this.app.release(this.group);
    this.material.dispose();
  }
}
