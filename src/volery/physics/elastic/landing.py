"""A landing in a process of its own: the aircraft's model flies it, and of the ground it knows what a scanner tells.

The simulation shows and senses; here are the aircraft, its autopilot and contact. Without scans there is no ground for
it, neither to flare over nor to touch.
"""

from __future__ import annotations

import math

import numpy as np

from volery.physics.contact.scanground import ScanGround
from volery.physics.elastic.engine import ElasticEngine, ElasticSettings
from volery.physics.elastic.member import Course
from volery.physics.packets import MotionPacket, StatePacket
from volery.robots.commands import BodyVelocity, Joints, Motors
from volery.robots.library import RobotFile
from volery.robots.robot import Robot
from volery.world.environment import Environment
from volery.world.wind import Wind

__all__ = ["ScannedLanding"]

_SINK, _SOFTLY = 0.5, 0.3
"""On the approach, and from the flare on [m/s]."""
_FLARE = 2.0
"""Height of the root over the ground at which the flare begins [m]."""
_SLOW = 0.88
"""Airspeed from the flare on, share of cruise."""


class ScannedLanding:
    """An aircraft that comes down straight ahead. Phases: approach, flare, ground."""

    def __init__(self, name: str, file: RobotFile, step: float = 0.002) -> None:
        """step: of the aircraft's model [s]."""
        self.ground = ScanGround()
        self.phase = "approach"
        self.robot = Robot(name, file.description(), file)
        self.engine = ElasticEngine(Environment(self.ground.scene), ElasticSettings(step=step))
        self._began = False

    def look(self, points: np.ndarray, occupancy: np.ndarray) -> None:
        """Take a ground scan in: points in W [n², 3] [m], occupancy [n²]."""
        self.ground.look(points, occupancy)

    @property
    def height(self) -> float:
        """Of the root over the ground that is known [m]; NaN: none is."""
        return float(self.robot.p_WB[2]) - self.ground.height(*self.robot.p_WB[:2])

    def answer(self, state: StatePacket, step_ns: int) -> MotionPacket:
        """Fly on by a step [ns] from where the simulation's first state put the aircraft."""
        x, y, z = state.wind_W.tolist()
        wind = (x, y, z)
        if wind != self.engine.environment.wind.steady:
            self.engine.environment.wind = Wind(steady=wind)
        if not self._began:
            self._begin(state)
        self._decide()
        self.engine.advance(state.time_ns, step_ns)
        robot = self.robot
        return MotionPacket(
            robot.name, state.step, state.time_ns, robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W,
            robot.joint_positions,
        )  # fmt: skip

    def _begin(self, state: StatePacket) -> None:
        """Steady flight from the pose that the scenario gives."""
        self.robot.set_pose(state.p_WB, state.q_WB_wxyz)
        self.engine.add(self.robot, Course(), state.time_ns)
        self.engine.apply(self.robot.name, BodyVelocity(np.array([0.0, 0.0, -_SINK])))
        self._began = True

    def _decide(self) -> None:
        """What the pilot does next, by height over the scanned ground and by touch."""
        name = self.robot.name
        if self.phase == "approach" and self.height < _FLARE:
            self.phase = "flare"
            slow = _SLOW * self.engine.member(name).pilot.cruise(float(self.engine.craft(name).air.rho[0]))
            self.engine.apply(name, BodyVelocity(np.array([slow, 0.0, -_SOFTLY])))
        if self.phase != "ground" and self.robot.contacts:
            self.phase = "ground"
            self._let_down()

    def _let_down(self) -> None:
        """Motors off and all flaps up, so that the wing carries no longer and the belly brakes."""
        name, aircraft = self.robot.name, self.engine.member(self.robot.name).aircraft
        self.engine.apply(name, Motors(np.zeros(len(aircraft.propellers))))
        up = {flap.name: -math.radians(flap.range_deg) for flap in aircraft.wing.flaps}
        self.engine.apply(name, Joints(positions=up))
