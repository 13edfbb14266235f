"""Calls about the world as a whole: its extent, voxels, and what is drawn into it for people."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import matrix_from_quat
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import (
    NedPose,
    colour,
    finite,
    finite_pose,
    finite_vector,
    flag,
    many,
    rpc,
    text,
    whole,
)
from volery.protocols.airsim.ned import geo_map, quaternion_enu, to_enu
from volery.protocols.airsim.object_calls import box_of

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

_WIDE = 400.0
"""Things wider than this do not count for the extent [m]."""
_MOST_VOXELS = 100_000_000
_SLICE = 1000
"""Voxels that the loop looks at at a time."""
_OWNER = "airsim"
_Rgba = tuple[float, float, float, float]


@rpc("simGetWorldExtents")
def extents(door: AirSim) -> list[dict[str, float]]:
    """Lowest and highest corner of the box round all things, as places on Earth."""
    boxes = [box_of(i) for i in door.simulation.scene.objects.values() if i.name not in door.vehicles]
    spans = [np.stack([b.min(axis=0), b.max(axis=0)]) for b in boxes]
    kept = [s for s in spans if (s[1] - s[0]).max() <= _WIDE] or spans
    low = np.min([s[0] for s in kept], axis=0)
    high = np.max([s[1] for s in kept], axis=0)
    return [geo_map(door.geo(low)), geo_map(door.geo(high))]


# Voxels


@rpc("simCreateVoxelGrid", finite_vector, whole, whole, whole, finite, text, where="picture")
def voxel_grid(
    door: AirSim, centre: np.ndarray, x: int, y: int, z: int, resolution: float, file: str
) -> Generator[None, None, bool]:
    """Write which voxels of a box (north, east, down [m]) are occupied to a new binvox file below `--out`."""
    if resolution <= 0.0 or min(x, y, z) < 1:
        raise SimulationError("a voxel grid needs a resolution above 0 and sizes of at least 1 m")
    counts = tuple(max(1, int(size / resolution)) for size in (x, y, z))
    if np.prod(counts, dtype=float) > _MOST_VOXELS:
        raise SimulationError(f"{counts} voxels are more than {_MOST_VOXELS:g}; choose a coarser resolution")
    door.files.check_new(file)
    occupied = yield from _voxels(door, centre, counts, resolution)
    door.files.write(file, _binvox(occupied, counts, centre, resolution))
    return True


def _voxels(
    door: AirSim, centre: np.ndarray, counts: tuple[int, ...], resolution: float
) -> Generator[None, None, np.ndarray]:
    """Which voxels are occupied, uint8 [n]; the loop looks at some at a time, and others have their turn between."""
    nx, ny, nz = counts
    # Index x + nx·(z + nz·y), as binvox has it: y is slowest, then z, then x; z goes up.
    total = nx * ny * nz
    # A grid takes memory as it grows: many clients may have one in work.
    occupied: list[np.ndarray] = []
    for first in range(0, total, _SLICE):
        index = np.arange(first, min(first + _SLICE, total))
        i, k, j = index % nx, index // nx % nz, index // (nx * nz)
        offset = (np.stack([i, j, k], axis=1) + 0.5) * resolution - np.array([nx, ny, nz]) * resolution / 2
        # North, east, up to W
        points = door.origin_W + to_enu(centre) + offset[:, [1, 0, 2]]
        occupied.append(door.in_loop(partial(_solid, door, points, resolution / 2)).astype(np.uint8))
        yield
    return np.concatenate(occupied)


def _solid(door: AirSim, points_W: np.ndarray, half: float) -> np.ndarray:
    """Whether cubes of so much half an edge [m] hold a surface or lie inside a thing, bool [n]."""
    nearest, distance, number = door.simulation.scene.closest_point(points_W, max_distance=half * 1.75)
    vehicles = [door.objects.number_of(n) for n in door.vehicles]
    found = (number >= 0) & ~np.isin(number, vehicles)
    way = np.nan_to_num(nearest - points_W)
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-12)
    # A plane at distance d with normal n cuts a cube if d ≤ half·(|nx| + |ny| + |nz|).
    cuts = length <= half * np.abs(way / length[:, None]).sum(axis=1)
    return found & (cuts | (distance < 0.0))


def _binvox(occupied: np.ndarray, counts: tuple[int, ...], centre: np.ndarray, resolution: float) -> bytes:
    """The bytes of a file."""
    nx, ny, nz = counts
    low = centre - np.array([nx, ny, nz]) * resolution / 2
    where = " ".join(f"{x:g}" for x in low)
    head = f"#binvox 1\ndim {nx} {nz} {ny}\ntranslate {where}\nscale {max(counts) * resolution:g}\n"
    # Runs of equal values, each at most 255 long.
    edges = np.flatnonzero(np.diff(occupied)) + 1
    starts = np.concatenate([[0], edges])
    lengths = np.diff(np.concatenate([starts, [len(occupied)]]))
    values = occupied[starts]
    pieces = (lengths + 254) // 255
    run = np.full(int(pieces.sum()), 255, np.uint8)
    run[np.cumsum(pieces) - 1] = lengths - 255 * (pieces - 1)
    body = np.stack([np.repeat(values, pieces), run], axis=1).astype(np.uint8)
    return head.encode() + b"data\n" + body.tobytes()


# Drawings: they may be added by any thread, and clients draw thousands at a time


def _until(door: AirSim, duration: float, persistent: bool) -> int | None:
    """When a drawing goes; −1 is one frame, which is a step and a bit here."""
    if persistent:
        return None
    now = door.simulation.clock.now_ns
    return now + (round(duration * SECOND) if 0.0 < duration < 1e9 else SECOND // 10)


def _W(door: AirSim, points: list[np.ndarray]) -> np.ndarray:
    return door.origin_W + to_enu(np.array(points, float).reshape(-1, 3))


def _draw(door: AirSim, kind: str, p_W: np.ndarray, rgba: _Rgba, size: float, until: int | None, **more: Any) -> None:
    if len(p_W):
        door.simulation.environment.drawings.add(kind, p_W, rgba, size, until, owner=_OWNER, **more)


@rpc("simFlushPersistentMarkers", where="work")
def flush(door: AirSim) -> None:
    """Take away what was drawn to stay."""
    door.simulation.environment.drawings.clear(_OWNER)


@rpc("simPlotPoints", many(finite_vector), colour, finite, finite, flag, where="work")
def plot_points(door: AirSim, points: list[Any], rgba: _Rgba, size: float, duration: float, stays: bool) -> None:
    """Points."""
    _draw(door, "points", _W(door, points), rgba, size, _until(door, duration, stays))


@rpc("simPlotLineStrip", many(finite_vector), colour, finite, finite, flag, where="work")
def plot_strip(door: AirSim, points: list[Any], rgba: _Rgba, thickness: float, duration: float, stays: bool) -> None:
    """A line through points."""
    _draw(door, "line", _W(door, points), rgba, thickness, _until(door, duration, stays))


@rpc("simPlotLineList", many(finite_vector), colour, finite, finite, flag, where="work")
def plot_list(door: AirSim, points: list[Any], rgba: _Rgba, thickness: float, duration: float, stays: bool) -> None:
    """Lines between pairs of points."""
    if len(points) % 2:
        raise SimulationError(f"simPlotLineList takes pairs of points, got {len(points)}")
    p = _W(door, points)
    for i in range(0, len(p), 2):
        _draw(door, "line", p[i : i + 2], rgba, thickness, _until(door, duration, stays))


@rpc("simPlotArrows", many(finite_vector), many(finite_vector), colour, finite, finite, finite, flag, where="work")
def plot_arrows(
    door: AirSim,
    starts: list[Any],
    ends: list[Any],
    rgba: _Rgba,
    thickness: float,
    head: float,
    duration: float,
    stays: bool,
) -> None:
    """Arrows."""
    if len(starts) != len(ends):
        raise SimulationError(f"simPlotArrows: {len(starts)} beginnings for {len(ends)} ends")
    pairs = np.stack([_W(door, starts), _W(door, ends)], axis=1).reshape(-1, 3)
    _draw(door, "arrows", pairs, rgba, thickness, _until(door, duration, stays))


@rpc("simPlotStrings", many(text), many(finite_vector), finite, colour, finite, where="work")
def plot_strings(door: AirSim, words: list[str], places: list[Any], scale: float, rgba: _Rgba, duration: float) -> None:
    """Words at places."""
    if len(words) != len(places):
        raise SimulationError(f"simPlotStrings: {len(words)} strings for {len(places)} positions")
    _draw(door, "text", _W(door, places), rgba, scale, _until(door, duration, False), words=[w[:500] for w in words])


def _axes(door: AirSim, poses: list[NedPose], scale: float, thickness: float, until: int | None) -> None:
    """Forward, right and down of poses as red, green and blue lines; the scale is Unreal's centimetres times ten."""
    for where in poses:
        p, R = door.origin_W + to_enu(where.p), matrix_from_quat(quaternion_enu(where.q_wxyz))
        for axis, (sign, rgba) in enumerate(((1, (1, 0, 0, 1)), (-1, (0, 1, 0, 1)), (-1, (0, 0, 1, 1)))):
            _draw(door, "line", np.stack([p, p + sign * scale / 10.0 * R[:, axis]]), rgba, thickness, until)


@rpc("simPlotTransforms", many(finite_pose), finite, finite, finite, flag, where="work")
def plot_poses(door: AirSim, poses: list[Any], scale: float, thickness: float, duration: float, stays: bool) -> None:
    """Axes of poses."""
    _axes(door, poses, scale, thickness, _until(door, duration, stays))


@rpc("simPlotTransformsWithNames", many(finite_pose), many(text), finite, finite, finite, colour, finite, where="work")
def plot_named_poses(
    door: AirSim, poses: list[Any], names: list[str], scale: float, thickness: float, letters: float, rgba: _Rgba,
    duration: float,
) -> None:  # fmt: skip
    """Axes of poses, with names."""
    if len(names) != len(poses):
        raise SimulationError(f"simPlotTransformsWithNames: {len(names)} names for {len(poses)} poses")
    until = _until(door, duration, False)
    _axes(door, poses, scale, thickness, until)
    places = [where.p for where in poses]
    _draw(door, "text", _W(door, places), rgba, letters, until, words=[n[:500] for n in names])
