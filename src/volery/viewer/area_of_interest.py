"""What one page sees of the world: what it has been sent, and what it should get next."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.geometry import Mesh
from volery.robots.description import Skin
from volery.viewer.figures import Crew
from volery.viewer.messages import PageGone, PageMessage
from volery.viewer.pieces import Key, Piece
from volery.world.world import ChunkKey

if TYPE_CHECKING:
    from volery.viewer.world_stream import Stage, WorldStream

__all__ = ["AreaOfInterest", "keys_near"]

_MOST_CHUNKS = 256
_FARTHEST = 2000.0
"""A page sees no further [m]."""
_LEAVE = 1.15
"""Chunks go when they are this many times further away than they come."""
_FINE = (1.6, 3.2, 6.4)
"""A level of detail is sent when its piece is nearer than this many chunk sizes; the coarsest always."""
_MOVED = 0.1
"""A page that moved by this share of a chunk is looked at anew."""


def keys_near(p: np.ndarray, radius: float, size: float) -> dict[ChunkKey, float]:
    """Chunks within a radius [m] of a place [m], nearest first, with their distances [m]; at most 256."""
    low, high = (np.floor((p[:2] + sign * radius) / size).astype(int) for sign in (-1, 1))
    i, j = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
    corner = np.stack([i, j], axis=-1) * size
    gap = np.maximum(np.maximum(corner - p[:2], p[:2] - corner - size), 0.0)
    d = np.hypot(gap[..., 0], gap[..., 1]).ravel()
    middle = np.hypot(*np.moveaxis(corner + 0.5 * size - p[:2], -1, 0)).ravel()
    order = np.lexsort((middle, d))
    order = order[d[order] <= radius][:_MOST_CHUNKS]
    keys = zip(i.ravel()[order].tolist(), j.ravel()[order].tolist(), strict=True)
    return dict(zip(keys, d[order].tolist(), strict=True))


class AreaOfInterest:
    """A page's view. `look` and `take` belong to one thread; the worker only reads `wanted`."""

    def __init__(self, owner: WorldStream) -> None:
        self._owner = owner
        self._place: tuple[np.ndarray, float] | None = None
        self.wanted: dict[ChunkKey, float] = {}
        """Chunks it should see, nearest first, with their distances [m]."""
        self._forget()

    def _forget(self, stage: Stage | None = None) -> None:
        """As if the page had just been opened."""
        self._stage = stage
        self._queue: deque[PageMessage | bytes] = deque()
        self._crew: Crew | None = None
        self._extra: Piece | None = None
        self._pieces: dict[Key, Piece] = {}
        self._levels: dict[int, int] = {}
        """The finest level sent of each mesh, by its number."""
        self._uses: dict[int, int] = {}
        """Pieces sent that show a mesh."""
        self._rough: dict[Key, set[int]] = {}
        """Meshes of pieces sent that have finer levels."""
        self._settled = False
        """Whether there is nothing to refine from here."""

    def look(self, p_W: np.ndarray, radius: float) -> None:
        """The page's camera is at a place [m] and wants to see so far [m]."""
        p, reach = np.array(p_W, float).reshape(3), min(max(float(radius), 1.0), _FARTHEST)
        if not np.isfinite(p).all() or not np.isfinite(radius):
            return
        size = self._size
        place = self._place
        still = place is not None and place[1] == reach and np.abs(p - place[0]).max() < _MOVED * size
        if still and self.wanted:
            return
        self._place = (p, reach)
        self._choose()

    def take(self) -> PageMessage | bytes | None:
        """The next thing to send, JSON or a frame; None: nothing now. Call it when there is room to send."""
        stage = self._owner.stage
        if stage is None:
            return None
        if stage is not self._stage:
            self._forget(stage)
            self._choose()
            self._queue.append(stage.message)
        if not self._queue:
            self._next()
        return self._queue.popleft() if self._queue else None

    def close(self) -> None:
        """The page is gone."""
        self._owner.leave(self)

    @property
    def _size(self) -> float:
        stage = self._owner.stage
        return stage.size if stage is not None and stage.size is not None else 50.0

    def _choose(self) -> None:
        """Which chunks should be seen from here."""
        stage = self._owner.stage
        if stage is None:
            return
        if stage.size is None:
            wanted: dict[ChunkKey, float] = {(0, 0): 0.0}
        elif self._place is None:
            return
        else:
            wanted = keys_near(*self._place, stage.size)
        self.wanted, self._settled = wanted, False
        self._owner.wake()

    def _next(self) -> None:
        """Queue the most urgent thing: robots, what was added, what is gone, the nearest chunk, finer details."""
        crew, extra = self._owner.crew, self._owner.extra
        if crew is not None and crew is not self._crew:
            self._crew = crew
            for thing in crew.things:
                self._send_whole(thing)
            self._queue.append(crew.message)
            return
        if extra is not None and extra is not self._extra:
            self._extra = extra
            self._show(extra)
            return
        self._drop_far()
        if self._queue:
            return
        piece = self._nearest()
        if piece is not None:
            self._show(piece)
            return
        self._refine()

    def _nearest(self) -> Piece | None:
        assert self._stage is not None
        made = self._stage.made
        for key in self.wanted:
            piece = made.get(key)
            if piece is not None and self._pieces.get(key) is not piece:
                return piece
        return None

    def _show(self, piece: Piece) -> None:
        """A piece: first what of its meshes the page has not seen at all, in their coarsest form."""
        old = self._pieces.get(piece.key)
        for number in piece.meshes:
            self._uses[number] = self._uses.get(number, 0) + 1
        for number, mesh in piece.meshes.items():
            if number not in self._levels:
                frame = self._owner.meshes.frames(mesh)[-1]
                self._queue.append(frame.data)
                self._levels[number] = frame.level
        self._pieces[piece.key] = piece
        self._settled = False
        self._rough[piece.key] = {n for n in piece.meshes if self._levels[n] > 0}
        self._queue.append(piece.data)
        if old is not None:
            self._queue.extend(_gone([], self._release(old)))

    def _send_whole(self, thing: Mesh | Skin) -> None:
        """All levels of a robot's part; they stay for the whole run."""
        number = self._owner.meshes.number(thing)
        self._uses[number] = self._uses.get(number, 0) + 1
        for frame in reversed(self._owner.meshes.frames(thing)):
            if frame.level < self._levels.get(number, 99):
                self._queue.append(frame.data)
                self._levels[number] = frame.level

    def _refine(self) -> None:
        """The nearest mesh that should be finer than the page has it."""
        if self._settled:
            return
        size = self._size
        keys: list[Any] = [("extra",), *self.wanted]
        for key in keys:
            rough = self._rough.get(key)
            if not rough:
                continue
            distance = self.wanted.get(key, 0.0)
            level = next((k for k, far in enumerate(_FINE) if distance < far * size), len(_FINE))
            for number in sorted(rough):
                frames = self._owner.meshes.frames(self._pieces[key].meshes[number])
                if self._levels[number] > level and self._levels[number] > 0:
                    finer = self._levels[number] - 1
                    self._queue.append(frames[finer].data)
                    self._levels[number] = finer
                    return
                if self._levels[number] == 0:
                    rough.discard(number)
        self._settled = True

    def _drop_far(self) -> None:
        """Take away chunks that are well out of sight."""
        size = None if self._stage is None else self._stage.size
        if size is None or self._place is None:
            return
        p, reach = self._place
        far = [k for k in self._pieces if k not in self.wanted and _gap(k, p, size) > _LEAVE * reach]
        if len(self._pieces) > 2 * _MOST_CHUNKS:
            far = [k for k in self._pieces if k not in self.wanted and k != ("extra",)]
        meshes: list[int] = []
        for key in far:
            meshes += self._release(self._pieces.pop(key))
            self._rough.pop(key, None)
        if far:
            self._queue.extend(_gone(far, meshes))

    def _release(self, piece: Piece) -> list[int]:
        """Numbers of the meshes that no other piece of the page shows."""
        unused = []
        for number in piece.meshes:
            self._uses[number] -= 1
            if self._uses[number] == 0:
                del self._uses[number], self._levels[number]
                unused.append(number)
        return unused


def _gone(keys: list[Key], meshes: list[int]) -> list[PageGone]:
    return [PageGone([list(k) for k in keys], meshes)] if keys or meshes else []


def _gap(key: Key, p: np.ndarray, size: float) -> float:
    """Horizontal distance of a place from a chunk [m]; 0 for what is no chunk."""
    if len(key) == 1:
        return 0.0
    corner = np.array(key) * size
    return float(np.hypot(*np.maximum(np.maximum(corner - p[:2], p[:2] - corner - size), 0.0)))
