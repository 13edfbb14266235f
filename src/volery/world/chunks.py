"""Worlds without end: chunks come before robots see them and go when no robot does.

Which chunks rays see is a pure function of where the robots are, so results never depend on timing or on where a robot
came from. Background threads only make chunks ready ahead of time; a chunk that is needed and not ready is waited for.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from volery.core.config import Checked, param
from volery.world.scene.scene import Scene
from volery.world.world import ChunkKey, Placement, World

__all__ = ["Streamer", "Streaming"]

_QUANTUM = 0.4
"""Robots are taken to be on a grid of this spacing, so that a hovering robot does not make chunks come and go [m]. A
coarser one lets more chunks come in the same step: at 2 m up to four, at 0.4 m two."""
_LEAD = 15.0
"""Chunks come up to this much before they must [m]."""
_SWITCH = 0.0005
"""How long a thread may keep the others waiting [s]."""

Detailed = tuple[ChunkKey, int]
"""A chunk at a level of detail: 0 is full."""


@dataclass(frozen=True)
class Streaming(Checked):
    """How an endless world is streamed round the robots."""

    visible: float = param(120.0, low=1.0, high=20_000.0)
    """Chunks within this distance of a robot are there [m]."""
    ahead: float = param(100.0, low=0.0, high=5_000.0)
    """Chunks this much further out are made ready in the background [m]."""
    detail: tuple[float, ...] = param((70.0, 140.0), low=0.0)
    """Beyond each of these distances a chunk is shown with less detail, where the world knows how [m]."""
    background: bool = True
    """Make chunks ready in background threads; false: all work is done in the loop. Results are the same."""


def _lead(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """By how much each chunk comes early [m]: not all at once, so that no step has to take in many."""
    return ((i * 73_856_093 ^ j * 19_349_663) % 1009) * (_LEAD / 1009)


def _on_grid(positions_W: Iterable[np.ndarray]) -> tuple[Any, ...]:
    """Places as they are told apart, each once."""
    return tuple(sorted({tuple(np.round(p[:2] / _QUANTUM).astype(int).tolist()) for p in positions_W}))


def _begin(future: Future[Any]) -> bool:
    """Whether the work is ours to do: nobody has cancelled or done it."""
    try:
        return not future.done() and future.set_running_or_notify_cancel()
    except InvalidStateError:
        return False


def _done(result: list[Placement]) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(result)
    return future


class Streamer:
    """Keeps a scene filled with the chunks of an endless world round some places."""

    def __init__(self, scene: Scene, world: World, config: Streaming) -> None:
        self.scene = scene
        self.world = world
        self.config = config
        self.made = 0
        """Chunks generated so far."""
        self._size = float(world.chunk_size or 1.0)
        self._far = hasattr(world, "generate_far")
        self._levels = len(config.detail) if self._far else 0
        self._ready: dict[Detailed, Future[list[Placement]]] = {}
        self._urgent: list[Detailed] = []
        """What is to be made ready, the most urgent last; the loop writes a new list, the background thread takes from
        its end."""
        self._shown: dict[Detailed, list[str]] = {}
        self._places: tuple[Any, ...] | None = None
        self._expected: tuple[Any, ...] = ()
        """Where robots will come, on the grid of places."""
        self._awaited: dict[Detailed, float] = {}
        """What they will see then, by distance [m]."""
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="chunks") if config.background else None
        if self._pool is not None:
            # Python hands over between threads every 5 ms by default: too long for a loop of 10 ms.
            sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH))
            weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)

    @property
    def shown(self) -> dict[ChunkKey, int]:
        """Chunks that rays see, with their level of detail."""
        return {key: level for key, level in self._shown}

    def follow(self, positions_W: Iterable[np.ndarray]) -> None:
        """Bring the scene up to date for robots at these places [m]."""
        places = _on_grid(positions_W)
        if places == self._places:
            return
        self._places = places
        distance = self._distances(np.array(places, float).reshape(-1, 2) * _QUANTUM)
        wanted = {(k, self._level(d)) for k, d in distance.items() if d < self.config.visible}
        if missing := wanted - self._shown.keys():
            self._request({item: distance[item[0]] for item in missing})
        for item in sorted(self._shown.keys() - wanted):
            self._hide(item)
        for item in sorted(wanted - self._shown.keys()):
            self._show(item)
        self._prepare(distance)

    def expect(self, positions_W: Iterable[np.ndarray]) -> bool:
        """Robots will be at these places [m]: have what they will see made ready in the background; whether all of it
        is, so that `follow` will not wait. It is kept until others are expected, or none."""
        places = _on_grid(positions_W)
        if places != self._expected:
            self._expected = places
            distance = self._distances(np.array(places, float).reshape(-1, 2) * _QUANTUM)
            self._awaited = {(k, self._level(d)): d for k, d in distance.items() if d < self.config.visible}
        missing = {item: d for item, d in self._awaited.items() if item not in self._ready}
        if missing:
            self._request(missing)
        return all(self._ready[item].done() for item in self._awaited)

    def change(self, config: Streaming) -> None:
        """Stream by other distances from the next `follow` on; chunks that are ready stay so."""
        self._levels = len(config.detail) if self._far else 0
        self.config = config
        self._places, self._expected = None, ()

    def ready(self, key: ChunkKey) -> list[Placement] | None:
        """All that stands in a chunk, in full detail, if it has been made; any thread may ask."""
        future = self._ready.get((key, 0))
        if future is None or not future.done() or future.cancelled() or future.exception() is not None:
            return None
        return [replace(p, name=p.name.split("/", 2)[2]) for p in future.result()]

    def clear(self) -> None:
        """Take all chunks out of the scene and stop working."""
        for item in sorted(self._shown):
            self._hide(item)
        for future in self._ready.values():
            future.cancel()
        self._ready.clear()
        self._places = None

    def close(self) -> None:
        """Let the background thread go; what stands stays as it is."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _distances(self, places: np.ndarray) -> dict[ChunkKey, float]:
        """Least distance, less the chunk's lead, from any place to each chunk that is visible or soon will be [m]."""
        reach = self.config.visible + self.config.ahead + _LEAD
        found: dict[ChunkKey, float] = {}
        for p in places:
            low, high = (np.floor((p + sign * reach) / self._size).astype(int) for sign in (-1, 1))
            i, j = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
            corner = np.stack([i, j], axis=-1) * self._size
            gap = np.maximum(np.maximum(corner - p, p - corner - self._size), 0.0)
            d = np.maximum(np.hypot(gap[..., 0], gap[..., 1]) - _lead(i, j), 0.0)
            for a, b, c in zip(i.ravel().tolist(), j.ravel().tolist(), d.ravel().tolist(), strict=True):
                if c < reach and c < found.get((a, b), np.inf):
                    found[a, b] = c
        return found

    def _level(self, distance: float) -> int:
        return sum(distance > d for d in self.config.detail[: self._levels])

    def _prepare(self, distance: dict[ChunkKey, float]) -> None:
        """Ask for what may be needed soon, the soonest first, and forget what nobody is near to any more."""
        ahead: dict[Detailed, float] = {}
        for key, d in distance.items():
            # A robot may come nearer or go away: both ways the next detail is needed at once.
            most = min(d + self.config.ahead, self.config.visible)
            for level in range(self._level(max(d - self.config.ahead, 0.0)), self._level(most) + 1):
                ahead[key, level] = self._slack(d, level)
        for item, d in self._awaited.items():
            ahead.setdefault(item, d)
        for item in [i for i in self._ready if i not in ahead and i not in self._shown]:
            self._ready.pop(item).cancel()
        if self._pool is not None:
            self._request(ahead)

    def _slack(self, distance: float, level: int) -> float:
        """How far a robot has to fly until a chunk at this distance is needed at this level [m]."""
        edges = (0.0, *self.config.detail[: self._levels], np.inf)
        nearer, farther = min(edges[level + 1], self.config.visible), edges[level]
        return max(distance - nearer, farther - distance, 0.0)

    def _request(self, items: dict[Detailed, float]) -> None:
        """Have items made ready, those of the least number first."""
        new = [item for item in items if item not in self._ready]
        for item in new:
            self._ready[item] = _done(self._make(item)) if self._pool is None else Future()
        if self._pool is None:
            return
        waiting = [i for i, f in self._ready.items() if not f.done() and not f.running()]
        self._urgent = sorted(waiting, key=lambda i: (-items.get(i, np.inf), i))
        # As many jobs as items: each takes what is most urgent when its turn comes.
        for _ in new:
            self._pool.submit(self._work)

    def _work(self) -> None:
        """Make the most urgent item ready; runs in the background thread."""
        # The loop may put another list in place at any time, but only this thread takes from one.
        while urgent := self._urgent:
            item = urgent.pop()
            future = self._ready.get(item)
            if future is None or future.running() or not _begin(future):
                continue
            try:
                future.set_result(self._make(item))
            except BaseException as error:
                future.set_exception(error)
            return

    def _make(self, item: Detailed) -> list[Placement]:
        """Generate a chunk, named for the scene, and build its meshes for rays; runs in a background thread."""
        key, level = item
        world: Any = self.world  # only some have `generate_far`
        made = world.generate_far(key, level) if level else world.generate(key)
        placements = [replace(p, name=f"chunk_{key[0]}_{key[1]}/{level}/{p.name}") for p in made]
        for placement in placements:
            for mesh in placement.meshes:
                self.scene.meshes.entry(mesh)
        self.made += 1
        return placements

    def _show(self, item: Detailed) -> None:
        if self._ready[item].cancel():
            # A chunk that no thread has begun yet is made here rather than waited for.
            self._ready[item] = _done(self._make(item))
        self._shown[item] = [self.scene.add(placement).name for placement in self._ready[item].result()]

    def _hide(self, item: Detailed) -> None:
        for name in self._shown.pop(item):
            self.scene.remove(name)
