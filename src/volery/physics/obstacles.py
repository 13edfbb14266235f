"""The world round a flight dynamics model that knows none: the ground below it, and what it flies into."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.robots.robot import Contact, Robot
from volery.world.scene.scene import Scene

__all__ = ["GroundBelow", "Obstacles", "feelers"]

_FAR = 20_000.0
"""How far down the ground is looked for [m]."""
_THROUGH = 4
"""So many layers of leaves and grass are looked through."""
_STEEP = 0.7
"""What rises more steeply than the normal's z says is no ground to roll on."""


class GroundBelow(NamedTuple):
    """What is below a robot."""

    p_W: np.ndarray
    """[3] [m]."""
    name: str
    """Of the thing."""


class Obstacles:
    """What one robot meets in a scene."""

    def __init__(self, scene: Scene, robot: Robot) -> None:
        self._scene, self._robot = scene, robot
        self._feelers = feelers(robot)

    def ground(self, p_W: np.ndarray) -> GroundBelow | None:
        """The first solid thing below a point; None: there is none."""
        start = p_W.copy()
        for _ in range(_THROUGH):
            hits = self._scene.cast(start, [0.0, 0.0, -1.0], max_range=_FAR, ignore=self._robot.name)
            if not hits.hit[0]:
                return None
            if self._solid(int(hits.material[0])):
                return GroundBelow(hits.points[0], hits.names[0] or "")
            start = hits.points[0] - [0.0, 0.0, 1e-3]
        return None

    def places(self) -> np.ndarray:
        """Where the robot's outermost points are now in W [m], [n, 3]."""
        X = self._robot.X_WB[0]
        return self._feelers @ X[:, :3].T + X[:, 3]

    def struck(self, before_W: np.ndarray, mass: float) -> Contact | None:
        """What its outermost points have run into since they were at `before_W` [n, 3]: walls, trunks, other robots,
        ceilings; not the ground, on which wheels roll."""
        way = self.places() - before_W
        length = np.linalg.norm(way, axis=1)
        moving = length > 1e-9
        if not moving.any():
            return None
        hits = self._scene.cast(
            before_W[moving], way[moving] / length[moving, None], max_range=length[moving], ignore=self._robot.name
        )
        solid = [bool(h) and self._solid(int(m)) for h, m in zip(hits.hit, hits.material, strict=True)]
        wall = np.array(solid) & (hits.normal[:, 2] < _STEEP)
        if not wall.any():
            return None
        i = int(np.argmin(np.where(wall, hits.distance / length[moving], np.inf)))
        normal, robot = hits.normal[i].astype(float), self._robot
        impulse = -min(float(robot.v_WB_W @ normal), 0.0) * mass * normal
        return Contact(hits.names[i] or "", robot.description.bodies[0], hits.points[i], normal, 0.0, impulse)

    def _solid(self, material: int) -> bool:
        return material >= 0 and self._scene.materials.all[material].solid


def feelers(robot: Robot) -> np.ndarray:
    """The outermost points of a robot at rest along each axis, in the root's frame [m], [6, 3]."""
    d = robot.description
    R, p = robot.X_WB[0, :, :3], robot.X_WB[0, :, 3]
    clouds = [np.zeros((1, 3))]
    for body, mesh in d.shapes.items():
        X = robot.X_WB[body]
        clouds.append((mesh.vertices @ X[:, :3].T + X[:, 3] - p) @ R)
    clouds += [skin.mesh.vertices for skin in d.skins]
    cloud = np.concatenate(clouds)
    return np.concatenate([cloud[cloud.argmax(axis=0)], cloud[cloud.argmin(axis=0)]])
