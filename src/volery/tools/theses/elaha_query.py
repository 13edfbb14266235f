"""The ELAHA thesis' single question to its collision library: a cube sunk 0.02 into the ground, 25 points."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from volery.core import geometry
from volery.core.frames import transform
from volery.core.rng import generator
from volery.physics.contact.scanpoints import ScanBody, ScanContact
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.scanner import Scanner, ScannerConfig
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

__all__ = ["DEPTH", "THESIS", "single_query"]

DEPTH, _SPACING = 0.02, 0.249
"""How far the cube of 1 m is sunk in; distance of rays, for 5 × 5 below it [m]."""
THESIS = {"penetration": 0.02, "points": 25, "force": 0.500003, "torque": 1e-9, "query_ms": 0.134}
"""What the thesis states of its own: force of 25 points of unit stiffness, length, and the time of one question."""


def single_query(repeats: int = 200) -> dict[str, Any]:
    """The same here: points of a real scan inside the cube, their depths, force Σ depth [N at 1 N/m] and torque about
    the middle [N m], and how long one question to the contact takes [ms], median."""
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(40.0), (0.0, 0.0, 0.0)))
    robot = Robot("cube", load_robot_file("probe").description())
    robot.show(scene)
    p, q, still = np.array([0.0, 0.0, 0.5 - DEPTH]), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
    robot.set_pose(p, q)
    robot.update()
    config = ScannerConfig(resolution=_SPACING, extent=4 * _SPACING, range=2.0)
    data = Scanner("scanner", config, robot, Environment(scene), generator(0, "cube")).sense(0)
    points, occupied = data["points"].astype(np.float32).astype(float), data["occupancy"]
    inside = points[(occupied == 1) & (np.abs(points - p).max(axis=1) <= 0.5 + 1e-6)]
    # The ground meets the lower face: each point is as deep as it lies above that face.
    depth = inside[:, 2] - (p[2] - 0.5)
    push = np.zeros((len(inside), 3))
    push[:, 2] = depth
    contact = ScanContact(geometry.box((1.0, 1.0, 1.0)), _SPACING)
    contact.look(points.astype(np.float32), occupied, transform(q, p))
    body = ScanBody(100.0, np.eye(3) * 100.0 / 6, p, q, still, still, com_B=still)
    took = np.empty(repeats)
    for i in range(repeats):
        began = time.perf_counter()
        touch = contact.ask(body)
        took[i] = time.perf_counter() - began
    return {
        "points": len(inside), "penetration": float(depth.max()), "force": float(push.sum(axis=0)[2]),
        "torque": float(np.abs(np.cross(inside - p, push).sum(axis=0)).max()),
        "query_ms": float(1e3 * np.median(took)), "points_of_contact": touch.points,
    }  # fmt: skip
