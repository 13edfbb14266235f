/** The page: makes its parts, and draws a picture whenever the screen wants one. */

import { App } from "./app";
import { Cameras } from "./cameras/cameras";
import { CameraInput } from "./cameras/input";
import { Axes } from "./feel/axes";
import { Emitter } from "./emitter";
import { ContactArrows } from "./feel/contacts";
import { Markers } from "./feel/markers";
import { Plans } from "./feel/plans";
import { SensorViews } from "./feel/views";
import { WindArrows } from "./feel/wind";
import { Connection } from "./net";
import type { AppEvents } from "./protocol";
import { RobotFigures } from "./robots/figures";
import { Names } from "./robots/names";
import { Trails } from "./robots/trails";
import { Interface } from "./ui/interface";
import { Quality } from "./world/quality";
import { WorldView } from "./world/view";

declare global {
  interface Window {
    /** For tests and curious people. */
    volery: App;
  }
}

/** Longest step of time that moves cameras and things [s]. */
const LONGEST = 0.1;

const token = (): string => new URLSearchParams(location.hash.slice(1)).get("k") ?? "";

/** The socket first: a slow machine needs many seconds for the graphics, and the server does not wait for hello so long. */
async function connect(events: Emitter<AppEvents>): Promise<Connection> {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  const connection = new Connection(events, url, token());
  window.addEventListener("hashchange", () => connection.renew(token()));
  connection.start();
  await connection.tried;
  return connection;
}

async function start(): Promise<void> {
  const events = new Emitter<AppEvents>();
  const connection = await connect(events);
  const app = new App(document.getElementById("view") as HTMLCanvasElement, events, connection);
  app.quality = new Quality(app);
  const world = new WorldView(app);
  app.view = world;
  app.figures = new RobotFigures(app, world);
  app.cameras = new Cameras(app, world);
  const input = new CameraInput(app, world);
  const parts = [new Trails(app), new Names(app), new SensorViews(app), new Markers(app), new Axes(app)];
  const timed = [new WindArrows(app), new ContactArrows(app)];
  new Plans(app);
  window.volery = app;
  new Interface(app, document.getElementById("ui") as HTMLElement);
  connection.release();

  let before = performance.now();
  const picture = (now: number): void => {
    requestAnimationFrame(picture);
    const passed = Math.max(0, (now - before) / 1000);
    const seconds = Math.min(passed, LONGEST);
    before = now;
    resize(app);
    app.events.emit("frame", seconds);
    app.figures.update(performance.now() / 1000, Math.min(passed, 1));
    input.update(seconds);
    app.cameras.update(seconds);
    parts.forEach((part) => part.update());
    timed.forEach((part) => part.update(now));
    world.draw(passed, now);
    app.quality.measure(passed);
  };
  requestAnimationFrame(picture);
}

/** Fit the picture to the window and the quality. */
function resize(app: App): void {
  const { canvas, renderer, camera } = app;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const ratio = Math.min(window.devicePixelRatio, 2, app.quality.settings.ratio);
  if (canvas.width === Math.floor(width * ratio) && canvas.height === Math.floor(height * ratio)) return;
  renderer.setPixelRatio(ratio);
  renderer.setSize(width, height, false);
  camera.aspect = width / Math.max(height, 1);
  camera.updateProjectionMatrix();
}

void start();
