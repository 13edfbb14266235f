/** Paths and maps that others publish on the bus: nav_msgs/Path as lines, OccupancyGrid as cells. */

import { BoxGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { App } from "../app";
import { decode } from "../cdr";
import type { NavMsgsOccupancyGrid } from "../messages";
import type { Vec3 } from "../protocol";
import type { TopicMessage } from "../topics";
import { line, type Drawn } from "./markers";

const RATE = 2;
const PATH = "nav_msgs/msg/Path";
const MAP = "nav_msgs/msg/OccupancyGrid";
const OCCUPIED = 50;
const MOST_CELLS = 200_000;

export class Plans {
  private stopTable: (() => void) | null = null;
  private readonly wanted = new Map<string, () => void>();
  private readonly drawn = new Map<string, Drawn>();

  constructor(private readonly app: App) {
    app.events.on("layers", (name) => name === "plans" && this.switch(app.layers.plans));
    app.events.on("world", () => this.switch(app.layers.plans));
    app.events.on("topics", (rows) => this.stopTable && this.match(rows as { topic: string; message_type: string }[]));
  }

  private switch(on: boolean): void {
    this.stopTable?.();
    this.wanted.forEach((stop) => stop());
    this.wanted.clear();
    this.drawn.forEach((thing) => thing.dispose());
    this.drawn.clear();
    this.stopTable = on ? this.app.topics.wantTable() : null;
  }

  private match(rows: { topic: string; message_type: string }[]): void {
    for (const { topic, message_type } of rows) {
      if (this.wanted.has(topic) || (message_type !== PATH && message_type !== MAP)) continue;
      this.wanted.set(topic, this.app.topics.want(topic, RATE, (message) => this.take(message)));
    }
  }

  private take(message: TopicMessage): void {
    this.drawn.get(message.topic)?.dispose();
    this.drawn.delete(message.topic);
    const made = message.type === PATH ? this.path(message) : this.map(message);
    if (made) this.drawn.set(message.topic, made);
  }

  private path(message: TopicMessage): Drawn | null {
    const { poses } = decode(PATH, message.cdr);
    const p = poses.map(({ pose: { position } }): Vec3 => [position.x, position.y, position.z]);
    return p.length > 1 ? line(this.app, p, [0.35, 0.85, 1, 1]) : null;
  }

  private map(message: TopicMessage): Drawn | null {
    const grid: NavMsgsOccupancyGrid = decode(MAP, message.cdr);
    const { resolution, width, origin } = grid.info;
    const cells: number[] = [];
    grid.data.forEach((value, i) => value >= OCCUPIED && cells.length < MOST_CELLS && cells.push(i));
    if (!cells.length) return null;
    const { position: p, orientation: q } = origin;
    const group = this.app.anchored([p.x, p.y, p.z]);
    group.quaternion.copy(new Quaternion(q.x, q.y, q.z, q.w));
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.5, toneMapped: false, color: new Color(0.9, 0.35, 0.2) });
    const mesh = new InstancedMesh(new BoxGeometry(resolution, resolution, 0.5 * resolution), material, cells.length);
    const at = new Vector3();
    cells.forEach((cell, i) => {
      at.set((cell % width) + 0.5, Math.floor(cell / width) + 0.5, 0.25).multiplyScalar(resolution);
      mesh.setMatrixAt(i, new Matrix4().setPosition(at));
    });
    group.add(mesh);
    const { app } = this;
    return {
      visible: true,
      dispose: () => {
        app.release(group);
        mesh.geometry.dispose();
        mesh.dispose();
        material.dispose();
      },
    };
  }
}
