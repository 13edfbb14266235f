"""Where robots think they are: odom → base_link by a robot's odometry sensor, or without errors if it has none."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from volery.bus import messages as m
from volery.bus.ros2 import MAP, FrameNames
from volery.bus.running import Running
from volery.core.frames import matrix_from_quat, quat_from_matrix, rigid_inverse, transform
from volery.robots.kinematics import compose
from volery.robots.robot import Robot
from volery.sensors.sensor import Reading, Sensor

__all__ = ["Estimate", "Reckoning", "composed", "odometry_message", "true_odometry"]

_UNKNOWN = np.zeros(36)


class Estimate(NamedTuple):
    """Where a robot's root is by its own odometry."""

    stamp_ns: int
    X_OB: np.ndarray
    """In the odom frame, [3, 4]."""
    v_B: np.ndarray
    w_B: np.ndarray
    """[m/s, rad/s], in the root's axes."""
    pose_covariance: np.ndarray
    twist_covariance: np.ndarray
    """Row by row, [36]: x, y, z, and turns about these axes."""
    X_WO: np.ndarray
    """Where the odom frame truly is, [3, 4]."""


class Reckoning:
    """One robot's odometry. Without a sensor it is exact and counts in W, so that map and odom are the same."""

    def __init__(self, robot: Robot, sensors: dict[str, Sensor]) -> None:
        self._robot = robot
        found = [s for s in sensors.values() if s.reckons]
        named = [s for s in found if s.name.lower().startswith("odom")]
        self.sensor = next(iter(named + found), None)
        """By which it is known: the first that is called odometry, else the first; None: it is true."""
        self._past: deque[tuple[int, np.ndarray]] = deque(maxlen=100_000)
        """True poses of the root that readings on their way are of."""

    def look(self, simulation: Running) -> Estimate | None:
        """The estimate that is new after a step, if there is one."""
        now = simulation.clock.now_ns
        if self.sensor is None:
            return self._exact(now)
        if self.sensor.config.delay > 0:
            self._past.append((now, self._robot.X_WB[0].copy()))
        for robot, name, reading in reversed(simulation.fresh):
            if (robot, name) == (self._robot.name, self.sensor.name):
                return self._felt(reading, now)
        return None

    def _exact(self, now: int) -> Estimate:
        robot = self._robot
        R = matrix_from_quat(robot.q_WB_wxyz)
        v, w = robot.v_WB_W @ R, robot.w_WB_W @ R
        return Estimate(now, robot.X_WB[0], v, w, _UNKNOWN, _UNKNOWN, np.eye(3, 4))

    def _felt(self, reading: Reading, now: int) -> Estimate:
        sensor, d = self.sensor, reading.data
        assert sensor is not None
        X_OS = transform(d["attitude"], d["position"])
        X_SB = rigid_inverse(sensor.X_BS) if sensor.body == 0 else self._lever()
        R_BS, lever = X_SB[:, :3].T, X_SB[:, 3]
        # The root moves as the mount does, on a lever from it.
        w_S = d["angular_velocity"]
        v_S = d["velocity"] + np.cross(w_S, lever)
        X_OB = composed(X_OS, X_SB)
        X_WO = composed(self._truth(reading.stamp_ns), rigid_inverse(X_OB))
        pose, twist = d["pose_covariance"].reshape(-1), d["twist_covariance"].reshape(-1)
        return Estimate(reading.stamp_ns, X_OB, R_BS @ v_S, R_BS @ w_S, pose, twist, X_WO)

    def _lever(self) -> np.ndarray:
        """The root in the mount's frame, for a mount on another body."""
        assert self.sensor is not None
        return composed(rigid_inverse(self.sensor.X_WS), self._robot.X_WB[0])

    def _truth(self, stamp_ns: int) -> np.ndarray:
        """Where the root was when a reading was taken."""
        while len(self._past) > 1 and self._past[0][0] < stamp_ns:
            self._past.popleft()
        return self._past[0][1] if self._past else self._robot.X_WB[0]


def composed(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """X_AC = X_AB · X_BC."""
    out = np.empty((3, 4))
    compose(A, np.ascontiguousarray(B), out)
    return out


def odometry_message(estimate: Estimate, names: FrameNames, robot: str) -> Any:
    """An Odometry of base_link in the odom frame."""
    X = estimate.X_OB
    told = m.odometry(
        estimate.stamp_ns, names.odom(robot), names.base(robot), X[:, 3], quat_from_matrix(X[:, :3]), estimate.v_B,
        estimate.w_B,
    )  # fmt: skip
    told.pose.covariance, told.twist.covariance = estimate.pose_covariance, estimate.twist_covariance
    return told


def true_odometry(robot: Robot, now: int, names: FrameNames) -> Any:
    """Where a robot truly is, in W."""
    R = matrix_from_quat(robot.q_WB_wxyz)
    v_B, w_B = robot.v_WB_W @ R, robot.w_WB_W @ R
    return m.odometry(now, MAP, names.base(robot.name), robot.p_WB, robot.q_WB_wxyz, v_B, w_B)
