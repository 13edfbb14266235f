"""A robot that finds its own way: from its lidar and inertial unit to motion, with nothing given but where it starts.

Localisation → map → task (where to?) → planner → pilot. Each stage is an object with a few methods; another that has
them can take its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from volery.autonomy.localisation import LidarInertial, LidarInertialConfig
from volery.autonomy.occupancy import Occupancy, OccupancyConfig
from volery.autonomy.pilot import PilotConfig, TrajectoryPilot
from volery.autonomy.planner import Plan, Planner, PlannerConfig
from volery.autonomy.trajectory import Trajectory
from volery.core.clock import SECOND
from volery.core.config import param
from volery.errors import SimulationError
from volery.sensors.sensor import Reading
from volery.sim import Simulation

__all__ = ["NavigationTask", "Stack", "StackConfig", "mount"]

_BEGUN = 0.3
"""So much of a trajectory is flown in any case [s]."""
_HURRY, _RUSH = 1.15, 1.3
"""A plan that is so much too fast for its bends is not taken up while what is flown is free, or not at all."""
_JOLT = 1.5
"""Nor one that begins with a velocity that differs by as much [m/s]."""
_APART, _AHEAD = 3.0, np.arange(0.0, 2.5, 0.25)
"""So near it does not come to one that has the right of way [m], as far as it looks ahead [s]."""
_LOST = 0.5
"""So far off its trajectory a robot begins anew from where it is [m]."""


@dataclass(frozen=True)
class StackConfig:
    """All stages."""

    lidar: str = "lidar"
    """Names of the sensors that are used."""
    imu: str = "imu"
    odometry: Literal["lidar", "bus"] = "lidar"
    """Who says where the robot is: its own lidar, or another process (see `topics`)."""
    ways: Literal["search", "bus"] = "search"
    """Who finds the way."""
    plans: float = param(4.0, above=0, high=100)
    """New plans a second."""
    settle: float = param(1.0, low=0)
    """Time to hover at the start, for the first sweeps [s]."""
    localisation: LidarInertialConfig = field(default_factory=LidarInertialConfig)
    occupancy: OccupancyConfig = field(default_factory=OccupancyConfig)
    planner: PlannerConfig = field(default_factory=PlannerConfig)
    pilot: PilotConfig = field(default_factory=PilotConfig)


class NavigationTask(Protocol):
    """Says where to go."""

    @property
    def done(self) -> bool:
        """Whether there is nowhere left to go."""
        ...

    def goal(self, stack: Stack, now: float) -> np.ndarray | None:
        """Where to go now [m], in the frame of the start; None: stay."""
        ...


class Stack:
    """The autonomy of one robot; a controller of the simulation."""

    def __init__(
        self, simulation: Simulation, robot: str, task: NavigationTask, config: StackConfig | None = None
    ) -> None:
        self.config = config or StackConfig()
        self.robot, self.task = robot, task
        self._lidar, self._imu = self.config.lidar, self.config.imu
        for sensor in (self._lidar, self._imu):
            simulation.sensor(robot, sensor)
        # The pose at the start is given, as the origin of all that follows; the true pose is not looked at again.
        body = simulation.robot(robot)
        X_WB = body.X_WB[0]
        self.start = X_WB.copy()
        self.mounts = tuple(mount(X_WB, simulation.sensor(robot, sensor)) for sensor in (self._lidar, self._imu))
        """Of lidar and inertial unit, in the robot's axes."""
        self.localisation = LidarInertial(self.config.localisation, X_WB, *self.mounts)
        self.occupancy = Occupancy(self.config.occupancy)
        self.planner = Planner(self.config.planner)
        self.pilot = TrajectoryPilot(self.config.pilot, X_WB[:, 3], float(np.arctan2(X_WB[1, 0], X_WB[0, 0])))
        self.plan: Plan | None = None
        self.failed = 0
        """Plans in a row that found no way."""
        self.drawn: Plan | None = None
        """The plan that people see."""
        self.path = [X_WB[:, 3].copy()]
        """Estimated places at sweeps [m]."""
        self.mates: list[Stack] = []
        """Robots that tell it what they are about to fly, and to which it gives way."""
        self._felt_ns: int | None = None
        self._next_plan = simulation.clock.now + self.config.settle

    def __call__(self, simulation: Simulation) -> None:
        """Take what was sensed in the last step, and steer."""
        now, swept = simulation.clock.now, False
        for robot, sensor, reading in simulation.fresh:
            if robot != self.robot:
                continue
            if sensor == self._imu:
                self._feel(reading)
            elif sensor == self._lidar:
                self._see(reading)
                swept = True
        if swept and now >= self._next_plan:
            self._next_plan = now + 1.0 / self.config.plans
            self._think(now)
        state = self.localisation.state
        simulation.command(self.robot, self.pilot.steer(state, now, simulation.clock.step_ns / SECOND))

    def _feel(self, reading: Reading) -> None:
        data, before = reading.data, self._felt_ns
        self._felt_ns = reading.stamp_ns
        if before is not None:
            dt = (reading.stamp_ns - before) / SECOND
            self.localisation.feel(data["specific_force"], data["angular_velocity"], dt)

    def _see(self, reading: Reading) -> None:
        points, seconds = reading.data["points"], reading.data["time"]
        there = np.isfinite(points[:, 0])
        p_B = self.localisation.see(points[there], seconds[there], reading.stamp_ns / SECOND)
        state = self.localisation.state
        self.occupancy.add(state.p_WB, p_B @ state.R_WB.T + state.p_WB)
        self.path.append(state.p_WB.copy())

    def _think(self, now: float) -> None:
        goal = self.task.goal(self, now)
        if goal is None:
            if self.plan is not None:
                self.plan = None
                self._brake(now)
            return
        begun, v0 = self._begun(now)
        plan = self.planner.plan(self.occupancy, begun, v0, goal)
        if plan is None or self._too_sharp(plan.trajectory, _HURRY):
            if self._may_go_on(now):
                return
            if plan is None or self._too_sharp(plan.trajectory, _RUSH):
                # It could not slow down in time for that bend: it stops, and plans again.
                self.failed += plan is None
                self._brake(now)
                return
        self.plan, self.failed = plan, 0
        if self._meets_a_mate([plan.trajectory.at(t).p for t in _AHEAD], now):
            self._brake(now)
        else:
            self.pilot.fly(plan.trajectory, now)

    def _too_sharp(self, trajectory: Trajectory, hurry: float) -> bool:
        """Whether it is faster than it should be by more than a factor, or begins with another velocity."""
        jolt = np.linalg.norm(self.localisation.state.v_WB_W - trajectory.at(0.0).v)
        return trajectory.hurry > hurry or bool(jolt > _JOLT)

    def _meets_a_mate(self, own: list[np.ndarray], now: float) -> bool:
        """Whether it would come too near to one that it gives way to, and is not on its way from it already."""
        for mate in self.mates:
            apart = np.linalg.norm(np.array(own) - [mate.pilot.reference(now + t).p for t in _AHEAD], axis=1)
            if apart.min() < _APART and apart.argmin() > 0:
                return True
        return False

    def _begun(self, now: float) -> tuple[np.ndarray, float]:
        """What is flown in any case, [k, 3] [m], and the speed now [m/s]: from where it should be, so that plans
        join; from where it is, if that has become something else."""
        state, reference = self.localisation.state, self.pilot.reference(now)
        if np.linalg.norm(reference.p - state.p_WB) > _LOST:
            return np.array([state.p_WB, state.p_WB + state.v_WB_W * _BEGUN]), float(np.linalg.norm(state.v_WB_W))
        points = [self.pilot.reference(now + t).p for t in np.linspace(0.0, _BEGUN, 8)]
        kept = [points[0]]
        for p in points[1:]:
            if np.linalg.norm(p - kept[-1]) > 0.05:
                kept.append(p)
        return np.array(kept), float(np.linalg.norm(reference.v))

    def _may_go_on(self, now: float) -> bool:
        """Whether what is flown now has some way to go, and nothing has come up on it."""
        if self.pilot.remaining(now) < 0.3:
            return False
        ahead = [self.pilot.reference(now + t).p for t in np.arange(0.0, min(self.pilot.remaining(now), 2.0), 0.1)]
        if self._meets_a_mate([self.pilot.reference(now + t).p for t in _AHEAD], now):
            return False
        return self.planner.free(self.occupancy, np.array(ahead))

    def _brake(self, now: float) -> None:
        state = self.localisation.state
        self.pilot.fly(self.planner.stop(self.occupancy, state.p_WB, state.v_WB_W), now)


def mount(X_WB: np.ndarray, sensor: object) -> np.ndarray:
    """Pose of a sensor in the robot's axes, [3, 4]."""
    X_WS = getattr(sensor, "X_WS", None)
    if X_WS is None:
        raise SimulationError(f"sensor '{getattr(sensor, 'name', '?')}' is not mounted anywhere")
    R = X_WB[:, :3].T
    return np.column_stack([R @ X_WS[:, :3], R @ (X_WS[:, 3] - X_WB[:, 3])])
