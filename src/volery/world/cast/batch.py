"""Rays of many sensors in one call: what all of them want is cast together, in parallel over packets of all.

A sensor that casts rays is a generator: it yields each `Cast` it needs and goes on when its hits are there. Those of
one step run together, round by round, so that the second casts of some (beams behind glass) are one call as well.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from volery._native.rays import RayBatch
from volery.errors import RayError
from volery.world.cast.embree import NO_ID
from volery.world.cast.hits import Hits

if TYPE_CHECKING:
    from volery.world.scene.scene import Scene

__all__ = ["Cast", "Casting", "cast_all", "run_together"]

T = TypeVar("T")


class Cast(NamedTuple):
    """Unit rays given in a sensor's frame S, to be cast from the pose of S in W."""

    origins_S: np.ndarray
    """[n or 1, 3] [m], float32."""
    directions_S: np.ndarray
    """[n, 3], float32."""
    R_WS: np.ndarray
    """[3, 3]."""
    p_WS: np.ndarray
    """[3] [m]."""
    far: np.ndarray
    """Reach [n or 1] [m], float32."""
    hits: Hits
    """Where the answers go: room for n or more."""
    mask: int = NO_ID
    """Channels; by default everything is seen."""
    ignore: int = -1
    """Group whose surfaces the rays pass through."""
    near: float = 0.0
    """Where rays begin [m]."""
    coherent: bool = False
    """Neighbours go the same way, as a camera's do: a third faster for those, much slower for others."""


Casting = Generator[Cast, None, T]
"""Work that yields the casts it needs, one after another, and returns a T."""


def run_together(scene: Scene, works: Sequence[Casting[T]]) -> list[T]:
    """Run works to their ends and return what each returned; what all want in a round is cast at once."""
    results: dict[int, T] = {}
    going = dict(enumerate(works))
    while going:
        wanted = []
        for i, work in list(going.items()):
            try:
                wanted.append(next(work))
            except StopIteration as end:
                results[i] = end.value
                del going[i]
        cast_all(scene, wanted)
    return [results[i] for i in range(len(works))]


def cast_all(scene: Scene, casts: Sequence[Cast]) -> None:
    """Nearest hits of many casts, the same to the bit as one by one."""
    if not casts:
        return
    batch = RayBatch(scene.tables)
    for cast in casts:
        _check(cast)
        if len(cast.directions_S):
            _add(batch, scene, cast)
    batch.cast()


def _add(batch: RayBatch, scene: Scene, cast: Cast) -> None:
    batch.add(
        scene.cell(cast.p_WS).rays,
        np.ascontiguousarray(cast.origins_S, np.float32),
        np.ascontiguousarray(cast.directions_S, np.float32),
        np.ascontiguousarray(cast.R_WS, np.float64),
        np.ascontiguousarray(cast.p_WS, np.float64),
        np.ascontiguousarray(cast.far, np.float32),
        cast.mask,
        cast.ignore,
        cast.near,
        cast.coherent,
        cast.hits.arrays,
    )


def _check(cast: Cast) -> None:
    """What does not fit together is refused in a sensor's words."""
    n = len(cast.directions_S)
    if cast.directions_S.shape != (n, 3) or cast.origins_S.shape not in ((1, 3), (n, 3)):
        raise RayError(
            f"origins of shape {cast.origins_S.shape} for directions of shape {cast.directions_S.shape}; "
            "give directions [n, 3], and one origin [1, 3] or one for each"
        )
    if cast.far.shape not in ((1,), (n,)):
        raise RayError(f"reaches of shape {cast.far.shape} for {n} rays; give one [1], or one for each")
    if len(cast.hits) < n:
        raise RayError(f"room for {len(cast.hits)} hits of {n} rays; make it with Hits(scene, {n})")
