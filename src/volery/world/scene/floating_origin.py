"""Local origins: float32 rays stay exact to a fraction of a millimetre 100 km from home.

Space is cut into cubes. Rays that start in a cube are cast into its own pair of top scenes, in which everything is
placed relative to the cube's centre; the triangles themselves exist only once. The cube is a pure function of the
place, so results do not depend on where a robot came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import dist, floor

import numpy as np

from volery._native.rays import Device, InstanceGeometry, RayCell, TopScene, TriangleScene

__all__ = ["CELL_SIZE", "Cell", "CellObject", "cell_key", "next_cell"]

CELL_SIZE = 1024.0
"""Edge of a cube [m]: float32 resolves 0.03 mm at its border."""

CellKey = tuple[int, int, int]

_MANY = 16
"""Changes at once from which on others may run meanwhile: a whole world has come."""
_NEAR_BORDER = 100.0
"""Within this distance of a border the next cube is made ready [m]."""


def cell_key(p_W: np.ndarray) -> CellKey:
    """The cube a point lies in."""
    x, y, z = np.asarray(p_W, float).tolist()
    return (floor(x / CELL_SIZE + 0.5), floor(y / CELL_SIZE + 0.5), floor(z / CELL_SIZE + 0.5))


def next_cell(p_W: np.ndarray, key: CellKey) -> CellKey | None:
    """The neighbouring cube whose border a point of a cube is near to, if it is."""
    x, y, z = np.asarray(p_W, float).tolist()
    off = (x / CELL_SIZE - key[0], y / CELL_SIZE - key[1], z / CELL_SIZE - key[2])
    farthest = max(off, key=abs)
    if abs(farthest) < 0.5 - _NEAR_BORDER / CELL_SIZE:
        return None
    axis = off.index(farthest)
    i, j, k = (k + (n == axis) * (1 if farthest > 0 else -1) for n, k in enumerate(key))
    return i, j, k


@dataclass(eq=False)
class CellObject:
    """What a cell needs to show an object."""

    slot: int
    scenes: list[TriangleScene]
    kinds: np.ndarray
    X_WO: np.ndarray
    mask: int
    moving: bool
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    radius: float = 0.0


class Cell:
    """The top scenes of one cube: what stands, and what moves."""

    def __init__(self, device: Device, key: CellKey, horizon: float) -> None:
        self.origin = np.array(key, float) * CELL_SIZE
        self.static = TopScene(device)
        self.moving = TopScene(device)
        self.rays = RayCell(self.static, self.moving, self.origin)
        """What kernels cast rays into."""
        self._shown: dict[tuple[bool, int], CellObject] = {}
        """By whether it moves and its slot."""
        self.composition = 0
        """Counts what came and went; it stays the same while things only move."""
        self.last_used = 0
        self._device = device
        self._reach = horizon + CELL_SIZE
        self._changed: dict[CellObject, bool] = {}

    @property
    def pending(self) -> int:
        """Changes not yet made."""
        return len(self._changed)

    def touch(self, body: CellObject, alive: bool) -> None:
        """Note that an object came, moved or went; nothing is done before rays ask."""
        self._changed[body] = alive

    def sync(self, most: int | None = None) -> None:
        """Bring the scenes up to date, or a little nearer to it: at most so many changes."""
        if not self._changed:
            return
        dirty, many = set(), len(self._changed) > _MANY
        # What went frees its slot before what came takes it.
        for body, alive in sorted(self._changed.items(), key=lambda item: item[1])[:most]:
            scene = self.moving if body.moving else self.static
            if self._apply(scene, body, alive and self._near(body)):
                dirty.add(scene)
            del self._changed[body]
        for scene in dirty:
            if many:
                # It takes longer: other threads have clients to answer meanwhile.
                scene.build()
            else:
                scene.commit()

    def _near(self, body: CellObject) -> bool:
        return dist(body.centre, self.origin) - body.radius < self._reach

    def movers(self) -> list[CellObject]:
        """What moves and is shown."""
        return [body for (moving, _), body in self._shown.items() if moving]

    def _apply(self, scene: TopScene, body: CellObject, shown: bool) -> bool:
        """Make the scene show the body or not; true if it changed."""
        key = (body.moving, body.slot)
        present = self._shown.get(key) is body
        if present and not shown:
            scene.detach(body.slot)
            del self._shown[key]
            self.composition += 1
        elif present:
            scene.geometry(body.slot).move(self._local(body))
        elif shown:
            geometry = InstanceGeometry(self._device, body.scenes, body.kinds, self._local(body), body.mask)
            scene.attach(body.slot, geometry)
            self._shown[key] = body
            self.composition += 1
        return present or shown

    def _local(self, body: CellObject) -> np.ndarray:
        X = body.X_WO.copy()
        X[:, :, 3] -= self.origin
        return X.astype(np.float32)
