"""The stages of autonomy on the bus: what each finds is told, and another process can take the place of one.

Told for each robot, under `/<robot>/autonomy/`: `odometry` (nav_msgs/Odometry), `plan` (nav_msgs/Path) and `map`
(sensor_msgs/PointCloud2, once a second). A stage that is said to come `from_bus` listens to the same name with `_in`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.autonomy.localisation import State
from volery.autonomy.occupancy import Occupancy
from volery.autonomy.planner import Plan, PlannerConfig
from volery.autonomy.stack import Stack
from volery.autonomy.trajectory import timed
from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.types import message_class
from volery.core.clock import SECOND
from volery.core.frames import matrix_from_quat, quat_from_matrix
from volery.sim import Simulation

__all__ = ["BusLocalisation", "BusPlanner", "Topics", "topic"]

_MAP_NS = SECOND
_SPACING = 0.25
"""Between points of a way from the bus [m]."""


def topic(robot: str, name: str) -> str:
    """The topic of a stage."""
    return f"/{robot}/autonomy/{name}"


class Topics:
    """Tells what the stages of one robot find."""

    def __init__(self, bus: Bus, stack: Stack) -> None:
        """Stages of the stack that are to come from the bus do from now on."""
        self._stack = stack
        self._heard: list[BusLocalisation | BusPlanner] = []
        if stack.config.odometry == "bus":
            localisation = BusLocalisation(bus, stack.robot, stack.start, stack.mounts[0])
            stack.localisation = localisation  # type: ignore[assignment]
            self._heard.append(localisation)
        if stack.config.ways == "bus":
            planner = BusPlanner(bus, stack.robot, stack.config.planner)
            stack.planner = planner  # type: ignore[assignment]
            self._heard.append(planner)
        self._odometry = bus.advertise(topic(stack.robot, "odometry"), "nav_msgs/msg/Odometry")
        self._plan = bus.advertise(topic(stack.robot, "plan"), "nav_msgs/msg/Path")
        self._map = bus.advertise(topic(stack.robot, "map"), "sensor_msgs/msg/PointCloud2")
        self._told: Plan | None = None
        self._next_map = 0

    def __call__(self, simulation: Simulation) -> None:
        """Tell what is new, if anyone listens."""
        now, stack = simulation.clock.now_ns, self._stack
        if self._odometry.wanted:
            s = stack.localisation.state
            q = quat_from_matrix(s.R_WB)
            self._odometry.put(
                m.odometry(now, "map", stack.robot, s.p_WB, q, s.R_WB.T @ s.v_WB_W, s.w_WB_B), now
            )  # fmt: skip
        if self._plan.wanted and stack.plan is not self._told:
            self._told = stack.plan
            way: Any = [] if stack.plan is None else stack.plan.way[::4]
            poses = [m.pose_stamped(now, "map", p, (1.0, 0.0, 0.0, 0.0)) for p in way]
            self._plan.put(message_class("nav_msgs/msg/Path")(header=m.header(now, "map"), poses=poses), now)
        if self._map.wanted and now >= self._next_map:
            self._next_map = now + _MAP_NS
            p = stack.occupancy.taken().astype(np.float32)
            self._map.put(m.cloud(now, "map", {"x": p[:, 0], "y": p[:, 1], "z": p[:, 2]}), now)

    def close(self) -> None:
        """End the topics."""
        for end in (self._odometry, self._plan, self._map, *self._heard):
            end.close()


class BusLocalisation:
    """The robot's pose from another process; the sweeps are taken as they are."""

    def __init__(self, bus: Bus, robot: str, X_WB: np.ndarray, X_BL: np.ndarray) -> None:
        self._heard = bus.subscribe(topic(robot, "odometry_in"), "nav_msgs/msg/Odometry")
        self._start = State(X_WB[:, 3].copy(), np.zeros(3), X_WB[:, :3].copy(), np.zeros(3))
        self._X_BL = X_BL

    @property
    def state(self) -> State:
        """The newest that was heard; before, the start."""
        newest = self._heard.latest()
        if newest is None:
            return self._start
        pose, twist = newest.value.pose.pose, newest.value.twist.twist
        q = pose.orientation
        R = matrix_from_quat(np.array([q.w, q.x, q.y, q.z]))
        return State(_vector(pose.position), R @ _vector(twist.linear), R, _vector(twist.angular))

    def feel(self, specific_force: np.ndarray, angular_velocity: np.ndarray, dt: float) -> None:
        """Others do."""

    def see(self, points: np.ndarray, seconds: np.ndarray, now: float) -> np.ndarray:
        """The sweep in B."""
        return points @ self._X_BL[:, :3].T + self._X_BL[:, 3]

    def close(self) -> None:
        """Listen no longer."""
        self._heard.close()


class BusPlanner:
    """Ways from another process; they are timed here, and flown as they are."""

    def __init__(self, bus: Bus, robot: str, config: PlannerConfig) -> None:
        self.config = config
        self._heard = bus.subscribe(topic(robot, "plan_in"), "nav_msgs/msg/Path")

    def plan(self, occupancy: Occupancy, begun: np.ndarray, v0: float, goal: np.ndarray) -> Plan | None:
        """The newest way that was heard, from where it is nearest to here."""
        newest = self._heard.latest()
        if newest is None or not newest.value.poses:
            return None
        way = np.array([_vector(pose.pose.position) for pose in newest.value.poses])
        way = np.concatenate([begun[:1], way[int(np.argmin(np.linalg.norm(way - begun[0], axis=1))) :]])
        sums = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
        s = np.linspace(0.0, sums[-1], max(int(sums[-1] / _SPACING), 1) + 1)
        even = np.stack([np.interp(s, sums, way[:, k]) for k in range(3)], axis=1)
        return Plan(timed(even, np.ones(len(even)), len(even) - 1, v0, self.config.limits), even, True)

    def free(self, occupancy: Occupancy, points: np.ndarray) -> bool:
        """Whoever plans answers for it."""
        return True

    def close(self) -> None:
        """Listen no longer."""
        self._heard.close()


def _vector(v: Any) -> np.ndarray:
    return np.array([v.x, v.y, v.z])
