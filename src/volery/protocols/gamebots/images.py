"""The image server: pictures of robots' cameras on TCP 5003, made only when they are asked for."""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from volery.core.rng import generator
from volery.errors import SimulationError
from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.grammar import GamebotsCommand, line, segment
from volery.protocols.gamebots.items import NamedItem
from volery.protocols.gamebots.queries import imager_head
from volery.protocols.guests import looks_like_http
from volery.sensors.camera import Camera
from volery.sensors.encode import encode

if TYPE_CHECKING:
    from volery.protocols.gamebots.door import Gamebots
    from volery.protocols.gamebots.session import Session

__all__ = ["FORMATS", "ImageClient", "Views", "framed"]

_log = logging.getLogger("volery")
FORMATS = {"raw": 0, "super": 1, "good": 2, "normal": 3, "fair": 4, "bad": 5}
"""What the first byte of a picture says."""
ImageFormat = Literal["raw", "super", "good", "normal", "fair", "bad"]
_QUALITY = {1: 95, 2: 85, 3: 75, 4: 60, 5: 40}
"""Of JPEG, by that byte."""
_AT_WORK = 2
"""Pictures that are being drawn, after which no more are begun."""
_MOST_ASKED = 64
"""Pictures that a client may have asked for and not got yet."""
_STRIPS = 20
"""Lines in which a range imager tells its picture."""
_EMPTY = (240, 320)
"""Rows and columns of the grey picture where there is no camera."""


class _PictureTile(NamedTuple):
    """A camera's part of the picture."""

    bot: Bot
    item: NamedItem
    x: int
    y: int


class _Job(NamedTuple):
    """A picture that someone waits for."""

    where: str
    """Address of who asked."""
    done: Callable[[np.ndarray], None]
    """Takes the picture, in a thread of its own."""
    gone: Callable[[], bool]
    """Whether nobody waits any more."""


class Views:
    """Which cameras are shown to whom, and the taking of pictures, which the loop does between steps."""

    def __init__(self, door: Gamebots) -> None:
        self._door = door
        self._chosen: dict[str, tuple[str, str]] = {}
        self._ports: dict[str, list[str]] = {}
        self._cameras: dict[tuple[str, str], Camera] = {}
        self._jobs: deque[_Job] = deque()
        self._scans: deque[tuple[Session, NamedItem]] = deque()
        self._at_work = 0
        self.workers = ThreadPoolExecutor(1, thread_name_prefix="gamebots-image")

    # Who sees what

    def all(self) -> list[tuple[Bot, NamedItem]]:
        """Cameras of all robots, in the order in which they came."""
        bots = [s.bot for s in self._door.sessions.values() if s.bot is not None and s.bot.name in self._door.robots]
        return [(bot, item) for bot in bots for item in bot.items if item.type == "Camera"]

    def choose(self, where: str, robot: str, camera: str) -> None:
        """Show one camera to a client."""
        if self._find(robot, camera) is None:
            raise SimulationError(f"robot '{robot}' has no camera '{camera}'")
        self._ports.pop(where, None)
        self._chosen[where] = (robot, camera)

    def _find(self, robot: str, camera: str) -> tuple[Bot, NamedItem] | None:
        wanted = (robot.lower(), camera.lower())
        for bot, item in self.all():
            if wanted[0] in ("", bot.name.lower()) and wanted[1] in ("", item.name.lower()):
                return bot, item
        return None

    def set_ports(self, session: Session, message: GamebotsCommand) -> list[str]:
        """SET Viewports: one view or four; the segments of the answer."""
        assert session.bot is not None
        quad = (message.get("Config") or "").lower() == "quadview"
        names, parts = [], [segment("Config", "QuadView" if quad else "SingleView"), segment("Status", "OK")]
        for i in range(1, 5 if quad else 2):
            wish = message.get(f"Viewport{i}") or "Disable"
            off = wish.lower().startswith("disable")
            found = None if off else self._find(session.bot.name, wish)
            names.append(found[1].name if found else "")
            shown = found[1].name if found else "Disabled" if off else "None"
            parts += [segment(f"Viewport{i}", shown), segment("Status", "OK" if found or off else "Failed")]
        where = message.get("Client") or session.client.address
        self._ports[where] = [f"{session.bot.name}/{n}" if n else "" for n in names]
        return parts

    def offset(self, bot: Bot, item: NamedItem) -> tuple[int, int]:
        """Where a camera's picture lies in the whole [pixels]."""
        for tile in self._tiles("")[0]:
            if tile.item is item:
                return tile.x, tile.y
        return 0, 0

    def _tiles(self, where: str) -> tuple[list[_PictureTile], tuple[int, int]]:
        """What a client sees: cameras and their places, and rows and columns of the whole."""
        everyone = self.all()
        if where in self._ports:
            names = [n.partition("/") for n in self._ports[where]]
            shown = [self._find(robot, camera) if robot else None for robot, _, camera in names]
        elif where in self._chosen and self._find(*self._chosen[where]):
            shown = [self._find(*self._chosen[where])]
        elif self._door.dialect.udk and everyone:
            shown = [*everyone[:4], None, None, None, None][:4]
        else:
            last = everyone[-1][0] if everyone else None
            shown = [next((pair for pair in everyone if pair[0] is last), None)]
        sizes = [_size(pair[1]) for pair in shown if pair]
        if not sizes:
            return [], _EMPTY
        rows, columns = max(s[0] for s in sizes), max(s[1] for s in sizes)
        wide = 1 if len(shown) == 1 else 2
        tiles = [_PictureTile(*p, (i % wide) * columns, (i // wide) * rows) for i, p in enumerate(shown) if p]
        return tiles, (rows * wide, columns * wide)

    # Taking pictures

    def ask(self, where: str, done: Callable[[np.ndarray], None], gone: Callable[[], bool]) -> None:
        """Have a picture taken for a client; any thread may."""
        self._jobs.append(_Job(where, done, gone))

    def scan(self, session: Session, item: NamedItem) -> None:
        """Have a range imager look once."""
        if not item.memory.get("busy"):
            item.memory["busy"] = True
            self._scans.append((session, item))

    @property
    def waiting(self) -> bool:
        """Whether someone waits for a picture."""
        return bool(self._jobs or self._scans)

    def work(self) -> None:
        """Keep the next picture's instant, unless some are still being drawn."""
        while self._jobs and self._jobs[0].gone():
            self._jobs.popleft()
        if not self.waiting or self._at_work >= _AT_WORK:
            return
        if self._scans:
            self._scan(*self._scans.popleft())
        else:
            self._shoot()

    def _submit(self, work: Callable[[], None]) -> None:
        """Have a thread draw."""

        def draw() -> None:
            try:
                work()
            except Exception:
                _log.exception("USARSim: a picture failed")
            finally:
                self._at_work -= 1

        self._at_work += 1
        self.workers.submit(draw)

    def _shoot(self) -> None:
        """One picture for all who see the same."""
        first = self._jobs.popleft()
        tiles, (rows, columns) = self._tiles(first.where)
        now_ns = self._door.simulation.clock.now_ns
        parts = [(self._camera(t.bot, t.item, "rgb").picture(now_ns), t.x, t.y) for t in tiles]
        same = [(t.bot.name, t.item.name) for t in tiles]
        others = [self._jobs.popleft() for _ in range(len(self._jobs))]
        wanted = [first]
        for job in others:
            alike = [(t.bot.name, t.item.name) for t in self._tiles(job.where)[0]] == same
            (wanted if alike else self._jobs).append(job)

        def draw() -> None:
            whole = np.full((rows, columns, 3), 40, np.uint8)
            for part, x, y in parts:
                picture = part.result()["rgb"]
                whole[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
            for job in wanted:
                job.done(whole)

        self._submit(draw)

    def _scan(self, session: Session, item: NamedItem) -> None:
        if session.bot is None or item not in session.bot.items or session.client.gone:
            return
        now_ns = self._door.simulation.clock.now_ns
        picture = self._camera(session.bot, item, "depth_planar").picture(now_ns)
        time_ = [] if session.dialect.old else [segment("Time", session.dialect.time(now_ns))]
        far = float(item.sensor.config.range)  # type: ignore[attr-defined]

        def tell() -> None:
            depth = picture.result()["depth_planar"]
            strips = np.array_split(np.where(np.isfinite(depth), depth, far), _STRIPS)
            for k, strip in enumerate(strips, 1):
                data = "".join(f"{session.dialect.length(float(d), 2)}," for d in strip.ravel())
                frame = segment("Frames", _STRIPS), segment("Frame", k), segment("Range", data)
                self._door.wire.post([(session.client, line("SEN", *time_, *imager_head(item), *frame))])
            item.memory["busy"] = False

        self._submit(tell)

    def _camera(self, bot: Bot, item: NamedItem, output: str) -> Camera:
        """A camera like the robot's own, which looks without leaving a trace in the simulation."""
        own = item.sensor
        assert isinstance(own, Camera)
        key = (bot.name, item.name)
        camera = self._cameras.get(key)
        if camera is None or camera.robot is not own.robot:
            config = replace(own.config, outputs=(output,), noise={})  # type: ignore[arg-type]
            draw = generator(self._door.simulation.seed, f"gamebots/{bot.name}/{item.name}")
            camera = self._cameras[key] = Camera(own.name, config, own.robot, own.environment, draw)
        if camera.zoom != own.zoom:
            camera.set_zoom(own.zoom)
        camera.aim(*own.pan_tilt_deg)
        return camera

    def forget(self, bot: Bot) -> None:
        """A robot has gone."""
        self._cameras = {k: c for k, c in self._cameras.items() if k[0] != bot.name}

    def close(self) -> None:
        """End the work."""
        self.workers.shutdown(wait=False, cancel_futures=True)


def _size(item: NamedItem) -> tuple[int, int]:
    config: Any = item.sensor.config
    return config.height, config.width


def framed(picture: np.ndarray, kind: int) -> bytes:
    """A picture [h, w, 3] as the server sends it: a byte for its kind, its length, then the data."""
    if kind:
        data = encode(np.ascontiguousarray(picture), "jpeg", _QUALITY[kind])
    else:
        height, width = picture.shape[:2]
        rows = np.zeros((height, -(-width * 3 // 4) * 4), np.uint8)
        rows[:, : width * 3] = picture[..., ::-1].reshape(height, -1)
        data = struct.pack(">HH", width, height) + rows.tobytes()
    return struct.pack(">BI", kind, len(data)) + data


class ImageClient(asyncio.Protocol):
    """One connection for pictures: OK asks for the whole view, U and four numbers for a part of it."""

    def __init__(self, door: Gamebots) -> None:
        self._door = door
        self._rest = b""
        self._asked = 0
        self._transport: Any = None
        self.gone = False
        self._new = True

    def connection_made(self, transport: Any) -> None:
        """Send a picture at once, if the settings say that clients expect it."""
        self._transport = transport
        self._where = str((transport.get_extra_info("peername") or ("",))[0])
        if self._door.wire.admit(self, transport) and self._door.settings.legacy_images:
            self._ask(None)

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self.gone = True
        self._door.wire.guests.leave(self)

    def data_received(self, data: bytes) -> None:
        """Take requests; other bytes are skipped."""
        if self._new and looks_like_http(data):
            self._transport.abort()
            return
        self._new = False
        self._door.wire.guests.hear(self, known=data[:1] in (b"O", b"U"))
        self._rest += data
        while self._rest:
            if self._rest[:2] == b"OK":
                self._rest = self._rest[2:]
                self._ask(None)
            elif self._rest[:1] == b"U":
                if len(self._rest) < 17:
                    return
                self._ask(struct.unpack(">IIII", self._rest[1:17]))
                self._rest = self._rest[17:]
            elif self._rest == b"O":
                return
            else:
                starts = [i for i in (self._rest.find(b"O", 1), self._rest.find(b"U", 1)) if i > 0]
                self._rest = self._rest[min(starts) :] if starts else b""

    def _ask(self, part: tuple[int, ...] | None) -> None:
        if self._asked >= _MOST_ASKED or self._door.wire.clogged(self._transport):
            return
        self._asked += 1
        kind = FORMATS[self._door.settings.images]

        def done(picture: np.ndarray) -> None:
            if self.gone:
                return
            if part is not None:
                x, y, width, height = part
                cut = (
                    picture[y : y + height, x : x + width] if x < picture.shape[1] and y < picture.shape[0] else picture
                )
                picture = cut if cut.size else picture
            data = framed(picture, kind)
            self._door.wire.call(lambda: self._send(data))

        self._door.views.ask(self._where, done, lambda: self.gone)

    def _send(self, data: bytes) -> None:
        self._asked -= 1
        if not self._transport.is_closing():
            self._transport.write(data)
