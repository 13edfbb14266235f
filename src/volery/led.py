"""Robots' paths and starts in the world that stands: led round things, in whatever world and of whatever seed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from volery.errors import ScenarioError, VoleryError
from volery.scenario import RobotPlan
from volery.world.free_path import Height, free_path, is_free
from volery.world.scene.scene import Scene
from volery.world.world import World

__all__ = ["asks_for_a_way", "corners_of", "led", "there_and_back"]


def asks_for_a_way(plan: RobotPlan) -> bool:
    """Whether its start or path depends on what stands."""
    motion = plan.motion
    return plan.entry.height is not None or getattr(motion, "clear", None) is not None or _along_world(motion)


def corners_of(plan: RobotPlan, world: World) -> np.ndarray:
    """Of its path as asked for [n, 3] [m]; n = 0: none."""
    motion = plan.motion
    if _along_world(motion):
        way = world.way()
        if way is None:
            raise ScenarioError(
                f"robot '{plan.name}': this world knows no way of its own; give a `path` instead of `along: world`"
            )
        return there_and_back(way)
    return np.array(getattr(motion, "path", []), float).reshape(-1, 3)


def there_and_back(way: np.ndarray) -> np.ndarray:
    """Corners [n, 3] of a round that goes along a way and returns on it."""
    return np.concatenate([way, way[-2:0:-1]]) if len(way) > 2 else np.array(way, float)


def led(plan: RobotPlan, world: World, scene: Scene) -> RobotPlan:
    """The plan with start and path as they are in this world. What the scene holds stands in the way."""
    corners, motion = corners_of(plan, world), plan.motion
    found = getattr(world, "height", None)
    # Of a silo or an aisle it is a number.
    ground: Height | None = found if callable(found) else None
    start: tuple[float, float, float] | None = plan.entry.position
    turned = None
    if getattr(motion, "clear", None) is not None and len(corners) > 1:
        way = _free(plan.name, corners, motion, world, scene, ground)
        if way is not corners:
            corners = way
            x, y, z = way[0].tolist()
            # What drives stands on the ground below its path.
            start = (x, y, z if start is None else start[2])
            turned = (0.0, 0.0, float(np.degrees(np.arctan2(*(way[1] - way[0])[1::-1]))))
    if plan.entry.height is not None and ground is not None:
        x, y, _ = start or world.spawn()
        start = (x, y, float(ground(np.array([x]), np.array([y]))[0]) + plan.entry.height)
    return _with(plan, start, turned, corners)


def _free(
    name: str, corners: np.ndarray, motion: Any, world: World, scene: Scene, ground: Height | None
) -> np.ndarray:  # fmt: skip
    home = np.array(world.spawn(), float)
    rounds = np.vstack([corners, corners[:1]]) if motion.loop else corners
    if is_free(scene, rounds, motion.clear, home):
        return corners
    over = motion.height

    def level(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        assert ground is not None
        return ground(x, y) + over

    height = level if ground is not None and over is not None else None
    try:
        return free_path(scene, corners, motion.clear, home, height=height, loop=motion.loop)
    except VoleryError as error:
        raise ScenarioError(f"robot '{name}': {error}") from None


def _with(
    plan: RobotPlan, start: tuple[float, ...] | None, turned: tuple[float, float, float] | None, corners: np.ndarray
) -> RobotPlan:
    """As if the scenario had said so, so that a snapshot needs no search."""
    data = {key: value for key, value in plan.data.items() if key != "height"}
    entry, motion = replace(plan.entry, height=None), plan.motion
    if start is not None:
        data["position"] = [round(float(v), 3) for v in start]
        entry = replace(entry, position=tuple(data["position"]))
    if turned is not None:
        data["attitude_deg"] = [round(v, 3) for v in turned]
        entry = replace(entry, attitude_deg=turned)
    if motion is not None:
        path = [tuple(round(float(v), 3) for v in corner) for corner in corners]
        motion = replace(motion, path=path, along="path", clear=None, height=None)
        kept = {k: v for k, v in (plan.data.get("motion") or {}).items() if k not in ("along", "clear", "height")}
        data["motion"] = {**kept, "path": [list(corner) for corner in path]}
        entry = replace(entry, motion=data["motion"])
    return replace(plan, entry=entry, motion=motion, data=data)


def _along_world(motion: Any) -> bool:
    return getattr(motion, "along", "path") == "world"
