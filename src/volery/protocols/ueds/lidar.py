"""Lidars and the rangefinder: rays of this instant, as bytes that clients read."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from volery.protocols.ueds.codec import vector
from volery.protocols.ueds.configs import LidarSetup
from volery.protocols.ueds.stencils import Stencils
from volery.sensors.patterns import MODELS, wandering
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene

__all__ = ["RANGE", "RayScanner", "Scan", "rays_of"]

_LIVOX = 20_000
"""Entries of the table of a Livox lidar that pass with each scan."""
_LIVOX_RATE = 200_000
"""Rays that such a lidar fires a second."""
_TAGGED = np.dtype([("ray", "<f8", 4), ("tag", "<i4")])
_BELOW = 0.1
"""Where the rangefinder sits below the middle of the drone [m]."""
RANGE = 30.0
"""How far it looks [m]."""


@lru_cache(maxsize=32)
def _grid(across: int, down: int, left: float, right: float, up: float, below: float) -> np.ndarray:
    """Unit vectors [n, 3], forward, right, up: by horizontal angle from left to right, in it from below to up."""
    h = np.radians(np.linspace(-left, right, across) if across > 1 else np.array([-left]))[:, None]
    v = np.radians(np.linspace(-below, up, down) if down > 1 else np.array([-below]))[None, :]
    c = np.cos(v)
    parts = np.broadcast_arrays(c * np.cos(h), c * np.sin(h), np.sin(v))
    return np.stack(parts, axis=-1).reshape(-1, 3)


def rays_of(setup: LidarSetup, scan: int = 0) -> np.ndarray:
    """Directions of a scan as Unreal has them, unit vectors [n, 3]; scan: its number, if none is like another."""
    if not setup.livox:
        return _grid(setup.across, setup.down, setup.left, setup.right, setup.up, setup.below)
    count = setup.across * setup.down
    pattern = wandering(MODELS["mid40" if setup.pattern == "avia" else "mid360"], count)
    now_ns = (scan + 1) * _LIVOX * 1_000_000_000 // _LIVOX_RATE
    return pattern.at(now_ns, count / _LIVOX_RATE).astype(np.float64) * [1.0, -1.0, 1.0]


class Scan(NamedTuple):
    """What came back."""

    rays: np.ndarray
    """Distance [cm], -1 without return, and direction as clients want it, times the length of a beam, [n, 4]."""
    tags: np.ndarray | None
    """Label or material of each ray, [n]."""

    def packed(self) -> bytes:
        """The vector of rays."""
        if self.tags is None:
            return vector(self.rays)
        rays = np.empty(len(self.rays), _TAGGED)
        rays["ray"], rays["tag"] = self.rays, self.tags
        return vector(rays)


class RayScanner:
    """Casts rays of one drone; for the loop."""

    def __init__(self, scene: Scene, stencils: Stencils, name: str) -> None:
        self._scene, self._stencils, self._name = scene, stencils, name
        self._hits = Hits(scene, 0)
        self._rays: tuple[LidarSetup | None, np.ndarray, np.ndarray] = (None, np.zeros((0, 4)), np.zeros((0, 3)))
        self._scans = 0

    def scan(self, setup: LidarSetup, X_WS: np.ndarray, mask: int, tags: str = "", axes: str = "drone") -> Scan:
        """Cast a scan from a pose [3, 4]. tags: `label` or `material` to tell them; axes: `world` for directions in
        Unreal's world instead of the sensor's own frame."""
        told, cast = self._directions(setup)
        self._scans += 1
        length = min(setup.length * 0.01, self._scene.horizon)
        hits = self._cast(cast, X_WS, length, mask)
        rays = told.copy()
        rays[:, 0] = np.where(hits.row < 0, -1.0, hits.distance.astype(np.float64) * 100.0)
        if axes == "world":
            mirror = np.array([1.0, -1.0, 1.0])
            rays[:, 1:] = (told[:, 1:] * mirror) @ X_WS[:, :3].T * mirror
        found = None
        if tags == "label":
            found = self._stencils.of_hits(hits)
        elif tags == "material":
            found = self._stencils.materials_of(hits)
        return Scan(rays, found)

    def range(self, X_WB: np.ndarray, mask: int) -> float:
        """What the rangefinder below the drone reads [cm]; -1 if nothing is near enough."""
        down = np.array([[0.0, 0.0, -1.0]], np.float32)
        X = X_WB.copy()
        X[:, 3] -= X_WB[:, 2] * _BELOW
        hits = self._cast(down, X, RANGE, mask)
        return float(hits.distance[0]) * 100.0 if hits.row[0] >= 0 else -1.0

    def _directions(self, setup: LidarSetup) -> tuple[np.ndarray, np.ndarray]:
        """Rays as they are told (float64 [n, 4], distance and direction with length), and directions as they are cast
        (float32 [n, 3], x forward, y left)."""
        if setup.livox or self._rays[0] is not setup:
            rays = rays_of(setup, self._scans)
            cast = np.ascontiguousarray(rays * [1.0, -1.0, 1.0], np.float32)
            self._rays = (setup, np.insert(rays * setup.length, 0, 0.0, axis=1), cast)
        return self._rays[1:]

    def _cast(self, directions: np.ndarray, X_WS: np.ndarray, length: float, mask: int) -> Hits:
        if len(self._hits) != len(directions):
            self._hits = Hits(self._scene, len(directions))
        R, p = np.ascontiguousarray(X_WS[:, :3]), np.ascontiguousarray(X_WS[:, 3])
        self._scene.cast_pattern(
            np.zeros((1, 3), np.float32), directions, R, p, np.array([length], np.float32), self._hits, mask=mask,
            ignore=self._scene.group(self._name),
        )  # fmt: skip
        return self._hits
