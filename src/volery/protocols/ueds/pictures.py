"""Pictures on demand, one at a time: the loop keeps the instant, a thread draws it. One that cannot be kept, such as
of glass, is drawn by the loop, which makes moves and scans between its rows.

A picture that is not there in time is refused, made all the same, and handed out at the next request; the one after it
is then begun at once, so that slow pictures still come one after the other.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np

from volery.core.deferred import Deferred
from volery.core.frames import quat_from_matrix
from volery.core.rng import generator
from volery.protocols.ueds.intime import LateError
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig
from volery.world.environment import Environment

__all__ = ["CapturedFrame", "Eyes", "Studio", "View"]

_LATEST = 0.5
"""When a picture must be there [s]: after that it is encoded."""
_KEPT = 1.5
"""How long a picture that nobody took in time is good [s]."""
_MOST_CAMERAS = 256
_APART = 0.001
"""Least difference between stamps [s]: clients take equal ones for the same picture."""


class View(NamedTuple):
    """What is to be seen from where."""

    kind: str
    """Which of a drone's cameras: ours is kept for the next picture of the kind."""
    X_WC: np.ndarray
    """Pose of the camera in W [3, 4], x ahead."""
    width: int
    height: int
    fov: float
    """Horizontal [deg]."""
    outputs: tuple[str, ...]
    channel: str | None
    quality: str
    projection: str = "pinhole"
    exposure: float = 0.0
    """[EV]."""
    automatic: bool = True
    """Whether it exposes itself."""
    readout: float = 0.0
    """Of a rolling shutter [s]."""
    rising: float = 0.2
    """Threshold of events."""


class CapturedFrame(NamedTuple):
    """What was seen."""

    stamp: float
    """[s]."""
    views: list[dict[str, np.ndarray]]
    made: float
    """By the process's own clock [s]."""


class Eyes:
    """Our cameras, on invisible bodies that go where a drone's are; for the loop."""

    def __init__(self, environment: Environment, seed: int) -> None:
        self._environment, self._seed = environment, seed
        self._bodies: dict[str, Robot] = {}
        self._cameras: dict[tuple[str, str], tuple[tuple[Any, ...], Camera]] = {}

    def see(self, drone: str, view: View, now_ns: int) -> Deferred[dict[str, np.ndarray]]:
        """Take a picture; a drone does not see itself."""
        if drone not in self._bodies:
            self._bodies[drone] = Robot(drone, load_robot_file("probe").description())
        body = self._bodies[drone]
        body.set_pose(view.X_WC[:, 3].copy(), quat_from_matrix(view.X_WC[:, :3]))
        body.update()
        return self._camera(drone, view, body).picture(now_ns)

    def _camera(self, drone: str, view: View, body: Robot) -> Camera:
        key, how = (drone, view.kind), view[2:]
        known = self._cameras.get(key)
        if known is None or known[0] != how:
            if len(self._cameras) >= _MOST_CAMERAS:
                del self._cameras[next(iter(self._cameras))]
            config = CameraConfig(
                outputs=view.outputs,  # type: ignore[arg-type]
                width=view.width, height=view.height, fov_deg=view.fov, channel=view.channel,
                quality=view.quality, projection=view.projection, exposure=view.exposure,  # type: ignore[arg-type]
                auto_exposure=view.automatic, readout=view.readout, event_threshold=view.rising,
            )  # fmt: skip
            camera = Camera("eye", config, body, self._environment, generator(self._seed, f"{drone}/eye"))
            known = self._cameras[key] = (how, camera)
        return known[1]

    def forget(self, drone: str) -> None:
        """A drone that is gone."""
        self._bodies.pop(drone, None)
        self._cameras = {key: camera for key, camera in self._cameras.items() if key[0] != drone}


class _Slot:
    """One kind of picture of one drone."""

    def __init__(self) -> None:
        self.pending = False
        self.waiting = 0
        """Clients that wait for the picture in work."""
        self.kept: CapturedFrame | None = None
        """A picture that nobody has taken yet."""
        self.turn = 0
        """Pictures made so far."""
        self.last: CapturedFrame | BaseException | None = None
        self.stamp = 0.0


class Studio:
    """Has the loop take pictures, one at a time, in the order in which they were asked for."""

    def __init__(self, ask: Callable[[Callable[[], Any]], Future[Any]], clock: Callable[[], float]) -> None:
        self._ask, self._clock = ask, clock
        self._slots: dict[tuple[str, str], _Slot] = {}
        self._queue: deque[tuple[_Slot, Callable[[], list[Any]]]] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="ueds-pictures", daemon=True)
        self._thread.start()

    def picture(self, drone: str, kind: str, take: Callable[[], list[Any]], seconds: float = _LATEST) -> CapturedFrame:
        """A new picture, or `LateError`; take: keeps its views in the loop."""
        until = time.monotonic() + seconds
        with self._changed:
            slot = self._slots.setdefault((drone, kind), _Slot())
            kept, slot.kept = slot.kept, None
            self._begin(slot, take)
            if kept is not None and time.monotonic() - kept.made < _KEPT:
                return kept
            turn = slot.turn
            slot.waiting += 1
            try:
                while slot.turn == turn and not self._ended:
                    if not self._changed.wait(max(until - time.monotonic(), 0.0)) and time.monotonic() >= until:
                        raise LateError("the picture is not ready yet")
            finally:
                slot.waiting -= 1
            if isinstance(slot.last, CapturedFrame):
                return slot.last
            raise slot.last if slot.last is not None else LateError("the server ends")

    def forget(self, drone: str) -> None:
        """A drone that is gone, or was set up anew: nothing of it is kept; who waits still gets what is in work."""
        with self._changed:
            self._slots = {key: slot for key, slot in self._slots.items() if key[0] != drone}

    def close(self) -> None:
        """End; who waits is refused."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(timeout=5.0)

    def _begin(self, slot: _Slot, take: Callable[[], list[Any]]) -> None:
        if not slot.pending:
            slot.pending = True
            self._queue.append((slot, take))
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._ended:
                    self._changed.wait()
                if self._ended:
                    return
                slot, take = self._queue.popleft()
            made = self._make(take)
            with self._changed:
                self._deliver(slot, made)
                self._changed.notify_all()

    def _make(self, take: Callable[[], list[Any]]) -> list[Any] | BaseException:
        future = self._ask(take)
        while not self._ended:
            try:
                return [view.result() for view in future.result(0.5)]
            except TimeoutError:
                if future.done():
                    break
            except Exception as error:
                return error
        return future.exception() or LateError("the server ends") if future.done() else LateError("the server ends")

    def _deliver(self, slot: _Slot, made: list[Any] | BaseException) -> None:
        slot.pending = False
        slot.turn += 1
        if isinstance(made, BaseException):
            slot.last = made
            return
        slot.stamp = max(self._clock(), slot.stamp + _APART)
        slot.last = CapturedFrame(slot.stamp, made, time.monotonic())
        slot.kept = None if slot.waiting else slot.last
