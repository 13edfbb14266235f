"""What the pixels of a camera meet: by drawing triangles where few of them are in sight, else by rays."""

from __future__ import annotations

from volery._native.render import CLUSTER, VisibilityBuffer
from volery.render.rays import Rays
from volery.render.visibility.clusters import Clusters
from volery.world.hits import Hits
from volery.world.scene import Scene

__all__ = ["Visibility"]

_WORTH = 6
"""Triangles in sight per ray up to which drawing them is faster than casting rays (measured)."""
_FIRST_ROUND = 256
"""Clusters that are drawn before it is asked what they hide."""


class Visibility:
    """Finds what rays of a camera meet. Both ways give the same surfaces at the same depth."""

    def __init__(self, scene: Scene, mask: int) -> None:
        self._scene = scene
        self._mask = mask
        self._clusters = Clusters.of(scene)
        self._buffer = VisibilityBuffer(self._clusters.table)

    def find(self, rays: Rays, hits: Hits, *, coherent: bool) -> None:
        """Fill in the hits of rays."""
        drawn = self.draw(rays)
        if drawn is None:
            self._scene.cast_pattern(
                rays.origins, rays.directions, rays.R_WC, rays.p_WC, rays.far, hits, mask=self._mask,
                ignore=rays.ignore, coherent=coherent,
            )  # fmt: skip
            return
        out = hits.distance, hits.row, hits.primitive, hits.normal, hits.back
        drawn.resolve(rays.directions, rays.far, rays.pixel, *out)

    def draw(self, rays: Rays) -> VisibilityBuffer | None:
        """What the rays of a view meet, drawn; None if casting them is quicker. Valid until the next call."""
        if rays.view is None:
            return None
        self._clusters.sync(self._scene)
        most = _WORTH * len(rays.directions) // CLUSTER
        far = float(rays.far.max())
        drawn = self._buffer.draw(rays.view, far, self._mask, rays.ignore, most, _FIRST_ROUND)
        return self._buffer if drawn else None
