"""Where robots enter: the world's start poses, more of them on free ground, and whether a place is free."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from volery.sim import Simulation
from volery.world.scene.scene import Scene

__all__ = ["MANUAL_STARTS", "Start", "blocked", "manual_origin", "named", "standing", "start_poses"]

MANUAL_STARTS = {"yellow": (1200.0, 345.0, -450.0), "orange": (312.0, -600.0, -305.0), "red": (200.0, 600.0, -450.0)}
"""Where the manual has robots begin in the arenas of its maps [Unreal units], by colour."""
_HIP = 0.15
"""A robot's middle above the ground there [m]."""
_LOOK_UP = 0.5
"""How far above a place the ground is looked for [m]: a robot that would stick in it is lifted by so much at most."""
_FAR = 1000.0
"""How far the ground is looked for [m]."""
_APART = 1.0
"""Between start poses [m]."""
_ROOM = 0.45
"""Free space round a start pose [m]."""
_HEIGHTS = (0.12, 0.3)
"""Above the ground, where free space is looked for [m]."""
_LEVEL = 0.05
"""How much the ground may rise within a start pose [m]."""


class Start(NamedTuple):
    """A pose to start from."""

    name: str
    p_W: tuple[float, float, float]
    """On the ground [m]."""
    rpy: tuple[float, float, float]
    """[rad]."""


def ground_below(simulation: Simulation, p_W: np.ndarray) -> float | None:
    """Height of the ground at or below a place [m]; a robot that stands there is no ground."""
    scene, robot = simulation.scene, None
    above, down = np.asarray(p_W, float) + [0.0, 0.0, _LOOK_UP], np.array([[0.0, 0.0, -1.0]])
    hits = scene.cast(above, down, max_range=_FAR)
    if hits.hit[0] and (robot := scene.object_name(int(hits.object[0]))) in simulation.robots:
        hits = scene.cast(above, down, max_range=_FAR, ignore=robot)
    return float(hits.points[0, 2]) if hits.hit[0] else None


def blocked(scene: Scene, p_W: np.ndarray, reach: float, heights: tuple[float, ...] = _HEIGHTS) -> bool:
    """Whether something stands within reach [m] of a place on the ground, at some heights above it [m]."""
    turn = np.arange(16) * (2 * np.pi / 16)
    rays = np.stack([np.cos(turn), np.sin(turn), np.zeros(16)], axis=1)
    return any(scene.cast(p_W + np.array([0.0, 0.0, h]), rays, max_range=reach).hit.any() for h in heights)


def standing(simulation: Simulation, p_W: np.ndarray, lowest: float) -> np.ndarray | None:
    """A place to put a robot's origin [m]: the one that was wished, lifted if the robot would stick in the ground or
    has none below it; None if it would stick in another robot.

    lowest: of the robot's points, below its origin [m, negative]."""
    scene, down = simulation.scene, np.array([[0.0, 0.0, -1.0]])
    hits = scene.cast(np.asarray(p_W, float) + [0.0, 0.0, _LOOK_UP], down, max_range=_FAR)
    if not hits.hit[0]:
        # Heights of clients are often those of another map: from below the ground it lies above, and not the roof.
        hits = scene.cast(np.asarray(p_W, float), -down, max_range=_FAR)
    if not hits.hit[0]:
        hits = scene.cast(np.array([p_W[0], p_W[1], p_W[2] + _FAR]), down, max_range=_FAR)
    least = float(hits.points[0, 2]) - lowest + 0.005 if hits.hit[0] else -math.inf
    if least > p_W[2] and scene.object_name(int(hits.object[0])) in simulation.robots:
        return None
    return np.array([p_W[0], p_W[1], max(p_W[2], least)])


def manual_origin(simulation: Simulation, start: Start | None, uu: float) -> tuple[float, float, float]:
    """Where the manual's (0, 0, 0) lies in W [m], so that its start place in an arena is our first start pose; in other
    worlds it is W's. uu: Unreal units per metre."""
    place = MANUAL_STARTS.get(str(getattr(simulation.world, "colour", "")))
    if place is None or start is None:
        return 0.0, 0.0, 0.0
    x, y, z = (v / uu for v in place)
    return start.p_W[0] - x, start.p_W[1] + y, start.p_W[2] + _HIP - z


def named(starts: tuple[Start, ...], name: str) -> tuple[tuple[Start, ...], bool]:
    """Start poses that a name may mean, the likeliest first, and whether it is known. Names of other maps such as
    Point1 and Vehicle1 mean the pose of that number, and those after it; names without a number any."""
    known = tuple(s for s in starts if s.name.lower() == name.lower())
    if known:
        return known, True
    number = re.search(r"(\d+)$", name)
    first = (int(number[1]) - 1) % len(starts) if number and starts else 0
    return starts[first:] + starts[:first], False


def start_poses(simulation: Simulation, count: int, given: dict[str, tuple[float, ...]]) -> tuple[Start, ...]:
    """Those of the settings; else those of the world, and as many more on free ground near them."""
    if given:
        return tuple(_given(name, values) for name, values in given.items())
    world, scene = simulation.world, simulation.scene
    own = [(*p[:3], p[3]) for p in getattr(world, "starts", ())] or [(*world.spawn(), 0.0)]
    found = [(p, yaw) for x, y, z, yaw in own if (p := _on_ground(simulation, x, y, z)) is not None]
    anchor, yaw = found[-1] if found else (np.array(own[0][:3]), own[0][3])
    for x, y in _spiral(anchor):
        if len(found) >= count:
            break
        p = _on_ground(simulation, x, y, anchor[2])
        if p is None or any(np.hypot(*(p - q)[:2]) < 0.9 * _APART for q, _ in found):
            continue
        if abs(p[2] - anchor[2]) < 0.3 and _level(simulation, p) and not blocked(scene, p, _ROOM):
            found.append((p, yaw))
    return tuple(
        Start(f"RobotStart{i}", (float(p[0]), float(p[1]), float(p[2])), (0.0, 0.0, float(a)))
        for i, (p, a) in enumerate(found[:count], 1)
    )


def _given(name: str, values: tuple[float, ...]) -> Start:
    x, y, z, *turn = (*values, 0.0, 0.0, 0.0)[:6]
    yaw = turn[0] if len(values) == 4 else turn[2]
    roll, pitch = (0.0, 0.0) if len(values) == 4 else turn[:2]
    return Start(name, (x, y, z), (math.radians(roll), math.radians(pitch), math.radians(yaw)))


def _on_ground(simulation: Simulation, x: float, y: float, z: float) -> np.ndarray | None:
    ground = ground_below(simulation, np.array([x, y, z]))
    return None if ground is None else np.array([x, y, ground])


def _level(simulation: Simulation, p: np.ndarray) -> bool:
    """Whether the ground is flat round a place."""
    heights = [ground_below(simulation, p + np.array([dx, dy, 0.0])) for dx in (-0.3, 0.3) for dy in (-0.3, 0.3)]
    return all(h is not None and abs(h - p[2]) < _LEVEL for h in heights)


def _spiral(centre: np.ndarray) -> Iterator[tuple[float, float]]:
    """Points of a square grid, ring by ring."""
    for ring in range(1, 13):
        for i in range(-ring, ring + 1):
            for j in range(-ring, ring + 1):
                if max(abs(i), abs(j)) == ring:
                    yield float(centre[0] + i * _APART), float(centre[1] + j * _APART)
