"""Bodies in this process: robots of a simulation, flown by the fleet's autopilot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery.agents.agent import heading, wrap
from volery.agents.body import Body
from volery.agents.events import KinematicsPerception, LidarPerception, Perception, PosePerception, StatePerception
from volery.agents.influences import Influence, Land, MoveByVelocity, RotateToYaw, Takeoff
from volery.core.clock import SECOND, nanoseconds
from volery.errors import SimulationError
from volery.physics.multirotor.fleet import FleetEngine
from volery.robots.commands import Motors, Pose, Velocity
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.robots.robot import Robot

__all__ = ["SimulatedBody"]

_RISE = 2.0
"""Height of a takeoff [m]."""
_CLIMB, _SINK = 1.5, 0.3
"""Fastest on takeoff, and slowest on landing [m/s]."""
_STILL = 0.2
"""A drone that has touched the ground for so long has landed [s]."""
_SLOW = 0.3
"""Below this speed a drone holds its place [m/s]."""
_FAR, _LOOK = 100.0, 10
"""How far down it looks [m], and how many steps pass until it looks again."""
_DOWN = np.array([[0.0, 0.0, -1.0]])
_FEET = 0.14
"""Of a drone's origin over the ground when it stands [m]."""


class SimulatedBody(Body):
    """A multirotor of the simulation; `control` is to be called before every step."""

    def __init__(self, simulation: Simulation, name: str, lidar: str = "lidar") -> None:
        """lidar: name of the robot's lidar, which must tell points in W; empty: it has none."""
        super().__init__(name)
        self._simulation = simulation
        if not isinstance(simulation.engine_of(name), FleetEngine):
            raise SimulationError(f"robot '{name}' is no multirotor of the engine 'fleet'; agents fly only those")
        if lidar and getattr(simulation.sensor(name, lidar).config, "frame", "") != "world":
            raise SimulationError(f"sensor '{lidar}' of robot '{name}' must be a lidar with `frame: world`")
        self._lidar = lidar
        self._doing: Influence | None = None
        self._until_ns = 0
        self._place = self.robot.p_WB.copy()
        self._touching = 0.0
        self._resting = True
        """Whether it stands with motors off."""
        self._held = True
        self._below, self._look_at = 0.0, 0
        """z of what is below [m], and the step at which to look again."""

    @property
    def robot(self) -> Robot:
        """The robot that is this body."""
        return self._simulation.robot(self.name)

    # Perceptions

    def perceive(self) -> list[Perception]:
        """State, lidar, pose and kinematics of now."""
        robot, now_ns = self.robot, self._simulation.clock.now_ns
        engine = self._simulation.engine_of(self.name)
        broken = isinstance(engine, FleetEngine) and engine.crashed(self.name)
        felt: list[Perception] = [StatePerception(now_ns, self._resting, broken, bool(robot.contacts))]
        reading = self._simulation.sensor(self.name, self._lidar).latest if self._lidar else None
        if reading is not None:
            points = reading.data["points"]
            felt.append(LidarPerception(reading.stamp_ns, points[np.isfinite(points[:, 0])]))
        felt.append(PosePerception(now_ns, robot.p_WB, robot.q_WB_wxyz))
        felt.append(KinematicsPerception(now_ns, robot.v_WB_W, robot.w_WB_W))
        return felt

    # Influences

    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence."""
        robot, now_ns = self.robot, self._simulation.clock.now_ns
        self._doing, self._place, self._held = influence, robot.p_WB.copy(), False
        self._touching, self._look_at = 0.0, 0
        if isinstance(influence, MoveByVelocity):
            self._until_ns = now_ns + nanoseconds(influence.duration)
            self._tell(Velocity(influence.v_W))
        elif isinstance(influence, RotateToYaw):
            self._until_ns = now_ns + nanoseconds(influence.timeout)
            self._tell(Pose(self._place, influence.yaw))
        elif isinstance(influence, Takeoff):
            self._place[2] += _RISE

    def control(self) -> None:
        """Go on with what it is doing, by one step of the simulation."""
        step = self._simulation.clock.step_ns / SECOND
        late = self._simulation.clock.now_ns >= self._until_ns
        doing, robot = self._doing, self.robot
        if isinstance(doing, Takeoff):
            self._take_off()
        elif isinstance(doing, Land):
            self._sink(step)
        elif isinstance(doing, RotateToYaw):
            there = abs(wrap(heading(robot.q_WB_wxyz) - doing.yaw)) <= doing.margin and abs(robot.w_WB_W[2]) < 0.05
            if late or there:
                self._doing = None
        elif isinstance(doing, MoveByVelocity) and late:
            self._doing = None
        if self._doing is None and not self._resting and not self._held:
            self._hold()

    def _take_off(self) -> None:
        gap = self._place - self.robot.p_WB
        if abs(gap[2]) < 0.15:
            self._doing = None
            return
        drift = np.clip(0.8 * gap[:2], -1.0, 1.0)
        self._tell(Velocity([drift[0], drift[1], np.clip(1.5 * gap[2], -_CLIMB, _CLIMB)]))

    def _sink(self, step: float) -> None:
        """Slower the nearer the ground is; at rest on it the motors stop."""
        robot = self.robot
        still = bool(robot.contacts) and abs(float(robot.v_WB_W[2])) < 0.1
        self._touching = self._touching + step if still else 0.0
        if self._touching >= _STILL:
            self._tell(Motors(np.zeros(4)))
            self._doing, self._resting = None, True
            return
        drift = np.clip(0.8 * (self._place - robot.p_WB), -1.0, 1.0)
        self._tell(Velocity([drift[0], drift[1], -np.clip(0.7 * self._height(), _SINK, 2.0)]))

    def _hold(self) -> None:
        """Brake, then keep the place."""
        robot = self.robot
        if float(np.linalg.norm(robot.v_WB_W)) < _SLOW:
            self._tell(Pose(robot.p_WB))
            self._held = True
        else:
            self._tell(Velocity())

    def _height(self) -> float:
        """Of the feet over what is below [m]; looked at now and then."""
        p, steps = self.robot.p_WB, self._simulation.clock.steps
        if steps >= self._look_at:
            hits = self._simulation.scene.cast(p, _DOWN, max_range=_FAR, ignore=self.name)
            self._below = float(p[2] - hits.distance[0]) if hits.hit[0] else float(p[2]) - _FAR
            self._look_at = steps + _LOOK
        return max(float(p[2]) - self._below - _FEET, 0.0)

    def _tell(self, command: Velocity | Pose | Motors) -> None:
        self._resting = False
        self._simulation.command(self.name, command)
