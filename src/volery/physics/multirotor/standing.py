"""Whether a drone stands on something."""

from __future__ import annotations

import numpy as np

from volery._native.contact import touch
from volery.core.frames import matrix_from_quat
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.parameters import bumpers_of
from volery.robots.robot import Robot

__all__ = ["stands"]

_NEAR = 0.03
"""A drone whose bumpers are within this of something below stands on it [m]."""


def stands(robot: Robot, world: ContactWorld) -> bool:
    """Whether something is right below a drone's bumpers; the world has been refreshed near it."""
    bumpers = bumpers_of(robot)
    count = len(bumpers)
    centres = robot.p_WB + np.array([b.position for b in bumpers]) @ matrix_from_quat(robot.q_WB_wxyz).T
    radius = np.array([b.radius for b in bumpers]) + _NEAR
    normal, depth, row = np.empty((count, 3)), np.empty(count), np.empty(count, np.int64)
    touch(world.native, centres, radius, normal, depth, row)
    return bool(((row >= 0) & (normal[:, 2] > 0.5)).any())
