# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Rays of many sensors in one call: what all of them want is cast together, in parallel over packets of all.

A sensor that casts rays is a generator: it yields each `Cast` it needs and goes on when its hits are there. Those of
one step run together, round by round, so that the second casts of some (beams behind glass) are one call as well.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numba as nb
import numpy as np

from volery.errors import RayError
from volery.world.cells import Cell
from volery.world.embree import COHERENT, NO_ID, address
from volery.world.hits import Hits
from volery.world.native import WIDTH, as_b1, as_f4, as_i4, kernel_lock, workers
from volery.world.rays import BLOCK, aligned, cast_packet, load_packet, own_filter_address, query_of, store_packet

if TYPE_CHECKING:
    from volery.world.scene import Scene

__all__ = ["Cast", "Casting", "cast_all", "run_together"]

_W = WIDTH
_WORDS = 15
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
    """Nearest hits of many casts, the same to the bit as one by one; a kernel call for each cell they start in."""
    with kernel_lock:
        by_cell: dict[Cell, list[Cast]] = {}
        for cast in casts:
            _check(cast)
            if len(cast.directions_S):
                by_cell.setdefault(scene.cell(cast.p_WS), []).append(cast)
        for cell, part in by_cell.items():
            _cast_in(scene, cell, part)


def _check(cast: Cast) -> None:
    """Kernels trust the shapes: what does not fit together is refused here."""
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


def _cast_in(scene: Scene, cell: Cell, casts: list[Cast]) -> None:
    words, poses = np.empty((len(casts), _WORDS), np.int64), np.empty((len(casts), 13))
    # The arrays are held until the kernel is done, since it only knows their addresses.
    held = [tuple(np.ascontiguousarray(array, np.float32) for array in (c[0], c[1], c.far)) for c in casts]
    for k, (c, arrays) in enumerate(zip(casts, held, strict=True)):
        pose = (np.ascontiguousarray(c.R_WS, np.float64), np.ascontiguousarray(c.p_WS, np.float64), cell.origin)
        about = (c.mask, c.ignore, float(c.near), COHERENT if c.coherent else 0)
        answers = (c.hits.distance, c.hits.row, c.hits.primitive, c.hits.normal, c.hits.back)
        _note(words[k], poses[k], *arrays, *pose, *about, *answers)
    blocks = np.zeros(len(casts) + 1, np.int64)
    np.cumsum(-(-words[:, 0] // (_W * BLOCK)), out=blocks[1:])
    _cast_batch(
        address(f"rtcIntersect{WIDTH}"),
        own_filter_address(),
        cell.static.handle if len(cell.static) else 0,
        cell.moving.handle if len(cell.moving) else 0,
        words,
        poses,
        blocks,
        scene.slot_rows[False],
        scene.slot_rows[True],
        scene.rows.group,
        scene.rows.normal,
        workers(int(words[:, 0].sum())),
    )


@nb.njit(cache=True, nogil=True)
def _note(
    words, pose, origins, directions, far, R, p, origin, mask, ignore, near, flags,
    distance, row, primitive, normal, back,
) -> None:  # fmt: skip
    """Write down a cast as `_cast_block` reads it: counts, addresses and flags; axes, place in the cell, near."""
    words[0], words[1], words[2], words[3] = len(directions), len(origins), len(far), len(normal)
    words[4], words[5], words[6] = origins.ctypes.data, directions.ctypes.data, far.ctypes.data
    words[7], words[8], words[9] = mask, ignore, flags
    words[10], words[11], words[12] = distance.ctypes.data, row.ctypes.data, primitive.ctypes.data
    words[13], words[14] = normal.ctypes.data, back.ctypes.data
    for i in range(3):
        for j in range(3):
            pose[3 * i + j] = R[i, j]
        pose[9 + i] = p[i] - origin[i]
    pose[12] = near


@nb.njit(parallel=True, cache=True, nogil=True)
def _cast_batch(
    intersect, own_filter, static, moving, words, poses, blocks,
    static_rows, moving_rows, row_group, row_normal, threads,
) -> None:  # fmt: skip
    """Casts by their words and poses; blocks [k + 1]: number of the first block of packets of each."""
    tasks = min(blocks[-1], threads)
    for task in nb.prange(tasks):
        ray, valid = aligned(21 * _W), aligned(_W).view(np.int32)
        rows, hit = np.empty(2 * _W, np.int32), np.zeros(3 * _W, np.float32)
        for k in range(len(words)):
            plain = query_of(words[k, 9], own_filter, moving_rows, row_group, -1)
            own = query_of(words[k, 9], own_filter, moving_rows, row_group, words[k, 8])
            # Blocks go round robin over the threads through all casts.
            for block in range(blocks[k] + (task - blocks[k]) % tasks, blocks[k + 1], tasks):
                _cast_block(
                    intersect, static, moving, block - blocks[k], words[k], poses[k], plain, own,
                    static_rows, moving_rows, row_normal, ray, valid, rows, hit,
                )  # fmt: skip


@nb.njit(cache=True, nogil=True)
def _cast_block(
    intersect, static, moving, block, words, pose, plain, own,
    static_rows, moving_rows, row_normal, ray, valid, rows, hit,
) -> None:  # fmt: skip
    """A few packets of one cast into the static and the moving scene."""
    n, iray = words[0], ray.view(np.uint32)
    origins, far = nb.carray(as_f4(words[4]), (words[1], 3)), nb.carray(as_f4(words[6]), (words[2],))
    directions = nb.carray(as_f4(words[5]), (n, 3))
    distance, row = nb.carray(as_f4(words[10]), (n,)), nb.carray(as_i4(words[11]), (n,))
    primitive, normal = nb.carray(as_i4(words[12]), (n,)), nb.carray(as_f4(words[13]), (words[3], 3))
    back = nb.carray(as_b1(words[14]), (n,))
    R, p, near, mask = pose[:9].reshape(3, 3), pose[9:12], np.float32(pose[12]), np.uint32(words[7])
    for first in range(block * _W * BLOCK, min(n, (block + 1) * _W * BLOCK), _W):
        load_packet(ray, iray, valid, first, origins, directions, R, p, near, far, mask)
        cast_packet(intersect, static, moving, plain, own, static_rows, moving_rows, ray, iray, valid, rows, hit)
        count = min(_W, n - first)
        store_packet(ray, first, count, rows, hit, row_normal, distance, row, primitive, normal, back)
