"""The ground as a `ground` scanner saw it: a map of heights to touch and to fly over, and no other knowledge of it."""

from __future__ import annotations

import numpy as np

from volery.core.geometry import Mesh
from volery.errors import GeometryError
from volery.world.scene.scene import Scene
from volery.world.world import Placement

__all__ = ["ScanGround"]

_NAME = "scanned_ground"


class ScanGround:
    """A scene that holds the newest 2.5-D map and nothing else; before the first scan it is empty."""

    def __init__(self) -> None:
        self.scene = Scene()
        """For engines to touch."""
        self.heights = np.full((0, 0), np.nan)
        """Of the map in W, [n, n] [m], by x, then y; NaN: the scanner found nothing there."""
        self._corner, self._spacing = np.zeros(2), 1.0

    def look(self, points: np.ndarray, occupancy: np.ndarray) -> None:
        """Take a scan in, whose axes are the world's: points in W [n², 3] [m], occupancy [n²], in its own order."""
        n = round(len(points) ** 0.5)
        if n < 2 or len(points) != n * n or len(occupancy) != len(points):
            raise GeometryError(f"a ground scan has n × n points, n above 1; this has {len(points)} points")
        place = np.asarray(points, float).reshape(n, n, 3)
        spacing = (place[-1, 0, 0] - place[0, 0, 0]) / (n - 1)
        if not spacing > 0.0 or np.abs(np.diff(place[..., 1], axis=0)).max() > 1e-3 * spacing:
            raise GeometryError("a ground scan must have the world's axes: give the scanner `align: world`")
        self._corner, self._spacing = place[0, 0, :2].copy(), float(spacing)
        self.heights = _closed(np.where(np.asarray(occupancy).reshape(n, n) == 1, place[..., 2], np.nan))
        self._lay()

    def height(self, x: float, y: float) -> float:
        """Of the ground at a place in W [m], on the very triangles that are touched; NaN where it is not known."""
        i, j = (np.array([x, y]) - self._corner) / self._spacing
        a, b = int(np.floor(i)), int(np.floor(j))
        n = len(self.heights)
        if not (0 <= a < n - 1 and 0 <= b < n - 1):
            return float("nan")
        z, s, t = self.heights[a : a + 2, b : b + 2], i - a, j - b
        # Squares are cut from the first corner to the opposite one.
        middle = z[1, 0] if s > t else z[0, 1]
        near, far = max(s, t), min(s, t)
        return float(z[0, 0] + near * (middle - z[0, 0]) + far * (z[1, 1] - middle))

    def _lay(self) -> None:
        """The map as triangles, in place of the one before; squares with an unknown corner are holes."""
        if _NAME in self.scene.objects:
            self.scene.remove(_NAME)
        n = len(self.heights)
        known = ~np.isnan(self.heights)
        whole = (known[:-1, :-1] & known[1:, :-1] & known[1:, 1:] & known[:-1, 1:]).ravel()
        if not whole.any():
            return
        # Near its own origin, since corners are kept in seven digits.
        base = float(np.nanmean(self.heights))
        steps = np.arange(n) * self._spacing
        z = np.where(known, self.heights - base, 0.0)
        vertices = np.stack([*np.broadcast_arrays(steps[:, None], steps[None, :], z)], axis=-1).reshape(-1, 3)
        i = np.arange(n * n).reshape(n, n)
        a, b, c, d = (q.ravel()[whole] for q in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
        faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
        mesh = Mesh(vertices, faces, filled=True, name=_NAME)
        self.scene.add(Placement.one(_NAME, mesh, (*self._corner, base)))


def _closed(z: np.ndarray) -> np.ndarray:
    """Heights [n, n] in which rays that found nothing between two that did are taken to be between them: a ray may pass
    exactly between two pieces of ground."""
    across = np.full((2, *z.shape), np.nan)
    across[0, 1:-1] = 0.5 * (z[:-2] + z[2:])
    across[1, :, 1:-1] = 0.5 * (z[:, :-2] + z[:, 2:])
    filled = np.where(np.isnan(across[0]), across[1], across[0])
    return np.where(np.isnan(z), filled, z)
