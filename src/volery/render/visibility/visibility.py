"""What the pixels of a camera meet: by drawing triangles for a pinhole's pictures, else by rays."""

from __future__ import annotations

from volery._native.render import VisibilityBuffer
from volery.render.rays import Rays
from volery.render.visibility.clusters import Clusters
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene

__all__ = ["Visibility"]

_FIRST_ROUND = 512
"""Clusters that are drawn before it is asked what they hide."""


class Visibility:
    """Finds what rays of a camera meet. Both ways give the same surfaces at the same depth, where levels of detail are
    not coarser than rays see them."""

    def __init__(self, scene: Scene, mask: int, detail: float) -> None:
        """detail: things so small [pixels] may be shown roughly."""
        self._scene = scene
        self._detail = detail
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
        assert rays.pixel is not None
        out = hits.distance, hits.row, hits.primitive, hits.normal, hits.back
        drawn.resolve(rays.directions, rays.far, rays.pixel, *out)

    @property
    def clusters_drawn(self) -> int:
        """Of 128 triangles each, in the last picture that was drawn."""
        return self._buffer.clusters_drawn

    def draw(self, rays: Rays) -> VisibilityBuffer | None:
        """What the rays of a view meet, drawn; None if they are not those of a view. Valid until the next call."""
        if rays.view is None:
            return None
        self._clusters.synced(self._scene)
        far = float(rays.far.max())
        self._buffer.draw(rays.view, far, self._mask, rays.ignore, self._detail, _FIRST_ROUND)
        return self._buffer
