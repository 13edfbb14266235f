"""Moves that stop at the first thing in the way: the body, as balls, is swept through the world's solid surfaces."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from volery._native.contact import room
from volery.core.frames import matrix_from_quat
from volery.core.geometry import Mesh
from volery.errors import SimulationError
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.parameters import bumpers_of
from volery.robots.robot import Robot
from volery.world.scene.scene import Scene

__all__ = ["Sweep", "Swept"]

_SKIN = 0.001
"""Nearer than this is a contact [m]."""
_LOOK = 0.5
"""How far round the body free room is looked for at a time [m]."""
_SLIDE = 0.005
"""Step along a surface that is touched but not driven into [m]."""
_KNOWN = 20.0
"""Round places this far apart on the way, what moves is known [m]."""
_MOST_STEPS = 20_000
_FARTHEST = 2000.0
"""Longest move [m]: there is less than a second for it."""
_FEELER, _FEELERS = 0.04, 24
"""Radius [m] and number of the balls that a wing is felt by."""
_FACING = 0.01
"""A move against a surface has at least this much of its direction into it; less is along it."""


class Swept(NamedTuple):
    """Where a move ended."""

    p_WB: np.ndarray
    hit: bool
    impact_W: np.ndarray
    """Where the body touched [m]; zeros if it did not."""


class Sweep:
    """Answers moves; for the loop."""

    def __init__(self, scene: Scene) -> None:
        self._world = ContactWorld(scene)

    def move(self, robot: Robot, goal_W: np.ndarray, q_WB_wxyz: np.ndarray, through: set[str]) -> Swept:
        """How far a robot gets on the straight way from where it is to a place [m], with an attitude.

        through: names of robots that it does not meet, itself among them.
        """
        start = robot.p_WB
        way = goal_W - start
        length = math.sqrt(float(way @ way))
        if length > _FARTHEST:
            raise SimulationError(f"a move of {length:.0f} m: with a check of collisions at most {_FARTHEST:g}")
        ahead = way / length if length > 0 else np.zeros(3)
        centres, radius = _balls(robot)
        centres = centres @ matrix_from_quat(q_WB_wxyz).T
        places = (start, goal_W) if length <= _KNOWN else np.linspace(start, goal_W, int(length / _KNOWN) + 2)
        self._world.refresh(np.array(places), through)
        done, look = 0.0, min(_LOOK, length + 2.0 * _SKIN)
        for _ in range(_MOST_STEPS):
            p = start + ahead * done
            gap, normal = self._gaps(p + centres, radius, look)
            if float(gap.min()) > length - done + _SKIN:
                # There is more room than way.
                return Swept(goal_W, False, np.zeros(3))
            # A foot that is turned into the ground is on the wrong side of it: what counts is where the body is.
            across = np.einsum("ij,ij->i", normal * (gap + radius)[:, None] - centres, normal) < 0.0
            into = -(np.where(across[:, None], -normal, normal) @ ahead)
            hit = (gap <= _SKIN) & (into > _FACING)
            if hit.any():
                ball = int(np.argmin(np.where(hit, gap, np.inf)))
                return Swept(p, True, p + centres[ball] - normal[ball] * radius[ball])
            if done >= length:
                return Swept(goal_W, False, np.zeros(3))
            free = np.where(gap <= _SKIN, np.maximum(gap, _SLIDE), gap)
            done = min(done + float(free.min()), length)
        raise SimulationError("too long a move along a surface; make it in parts")

    def overlap(self, robot: Robot, q_WB_wxyz: np.ndarray, through: set[str]) -> tuple[float, np.ndarray]:
        """How deep a robot where it is, with an attitude, is in something [m], and where; 0 if it is not."""
        centres, radius = _balls(robot)
        centres = robot.p_WB + centres @ matrix_from_quat(q_WB_wxyz).T
        self._world.refresh(robot.p_WB[None], through)
        gap, normal = self._gaps(centres, radius, _LOOK)
        ball = int(np.argmin(gap))
        return max(-float(gap[ball]), 0.0), centres[ball] - normal[ball] * radius[ball]

    def _gaps(self, centres_W: np.ndarray, radius: np.ndarray, look: float) -> tuple[np.ndarray, np.ndarray]:
        """Free room round balls [n] [m], as far as it is looked for, and which way the nearest surface faces [n, 3]."""
        n = len(radius)
        gap, normal = np.empty(n), np.empty((n, 3))
        room(self._world.native, np.ascontiguousarray(centres_W), radius, look, gap, normal)
        return gap, normal


def _balls(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Centres [n, 3] and radii [n] of what of a robot touches things, in its own frame [m]."""
    if robot.file is not None and robot.file.multirotor is not None:
        bumpers = bumpers_of(robot)
        return np.array([b.position for b in bumpers], float), np.array([b.radius for b in bumpers], float)
    return _feelers(next(iter(robot.description.shapes.values())))


@lru_cache(maxsize=32)
def _feelers(shape: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Of a body without rotors: one ball that fits into the box round it if that is about a cube, else many small ones
    all over it, each as far as it can be from those before."""
    low, high = shape.bounds
    size = high - low
    if float(np.min(size)) > 0.5 * float(np.max(size)):
        return ((low + high) / 2)[None].astype(float), np.array([float(np.min(size)) / 2])
    corners = shape.vertices.astype(float)
    radius = min(_FEELER, float(np.min(size)) / 2)
    chosen = [int(np.argmax(corners[:, 0]))]
    gap = np.linalg.norm(corners - corners[chosen[0]], axis=1)
    while len(chosen) < _FEELERS:
        chosen.append(int(np.argmax(gap)))
        gap = np.minimum(gap, np.linalg.norm(corners - corners[chosen[-1]], axis=1))
    return corners[chosen], np.full(len(chosen), radius)
