"""How a motion-capture room finds a body: noisy places of its markers, and the rigid motion that fits them best."""

from __future__ import annotations

import numpy as np

from volery.core.frames import matrix_from_quat, quat_from_matrix
from volery.core.rng import generator
from volery.protocols.mocap.codec import RigidBodyDescription, Solved, to_axes
from volery.robots.robot import Robot
from volery.sensors.position import MotionCapture, MotionCaptureConfig
from volery.sensors.sensor import Reading
from volery.world.environment import Environment

__all__ = ["Tracked", "fit"]

_FARTHEST = 1e9
"""What is farther away is not seen [m]: frames hold single-precision numbers."""


def fit(markers_B: np.ndarray, seen_W: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Place [3] and attitude [4] that bring markers [m, 3] nearest to where they were seen, and their mean distance."""
    a, b = markers_B.mean(axis=0), seen_W.mean(axis=0)
    U, _, Vt = np.linalg.svd((markers_B - a).T @ (seen_W - b))
    R = Vt.T @ np.diag([1.0, 1.0, np.linalg.det(Vt.T @ U.T)]) @ U.T
    p = b - R @ a
    return p, quat_from_matrix(R), float(np.linalg.norm(markers_B @ R.T + p - seen_W, axis=1).mean())


class Tracked:
    """One robot's rigid body: a motion-capture sensor tells where it is, if it is seen; markers blur it."""

    def __init__(
        self,
        body: RigidBodyDescription,
        robot: Robot,
        environment: Environment,
        config: MotionCaptureConfig,
        blur: float,
        seed: int,
    ) -> None:
        """blur: standard deviation of each marker's place by axis [m]."""
        self.body, self.blur = body, blur
        self.sensor = MotionCapture("mocap", config, robot, environment, generator(seed, f"mocap/{body.name}"))
        self._chance = generator(seed, f"mocap/{body.name}/markers")
        self._last = (robot.p_WB.copy(), robot.q_WB_wxyz.copy())

    def solve(self, reading: Reading | None, up: str) -> Solved:
        """The body of a frame; a reading that was lost or saw nothing leaves it where it was, untracked."""
        tracked = reading is not None and bool(reading.data["tracked"][0])
        tracked = tracked and reading is not None and bool(np.isfinite(reading.data["attitude"]).all())
        tracked = tracked and reading is not None and bool((np.abs(reading.data["position"]) < _FARTHEST).all())
        error, seen = 0.0, np.zeros((0, 3))
        if tracked and reading is not None:
            p, q = reading.data["position"], reading.data["attitude"]
            seen = self.body.markers_B @ matrix_from_quat(q).T + p
            if self.blur > 0.0:
                seen = seen + self.blur * self._chance.standard_normal(seen.shape)
                p, q, error = fit(self.body.markers_B, seen)
            self._last = (p, q)
        p, q = to_axes(*self._last, up)
        return Solved(self.body, p, q, to_axes(seen, q, up)[0], error, tracked)
