"""Bodies in this process: robots of a simulation, flown by the fleet's autopilot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery.agents.agent import heading
from volery.agents.events import KinematicsPerception, LidarPerception, Perception, PosePerception, StatePerception
from volery.agents.influences import Influence
from volery.agents.piloted import Flown, PilotedBody
from volery.errors import SimulationError
from volery.physics.multirotor.fleet import FleetEngine
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.robots.robot import Robot

__all__ = ["SimulatedBody"]

_FAR, _LOOK = 100.0, 10
"""How far down it looks [m], and how many steps pass until it looks again."""
_DOWN = np.array([[0.0, 0.0, -1.0]])
_FEET = 0.14
"""Of a drone's origin over the ground when it stands [m]."""


class SimulatedBody(PilotedBody):
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
        self._place, self._last_ns = self.p_W.copy(), self.now_ns
        self._below, self._look_at = 0.0, 0
        """z of what is below [m], and the step at which to look again."""

    @property
    def robot(self) -> Robot:
        """The robot that is this body."""
        return self._simulation.robot(self.name)

    def perceive(self) -> list[Perception]:
        """State, lidar, pose and kinematics of now."""
        robot, now_ns = self.robot, self.now_ns
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

    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence."""
        super().apply(influence)
        self._look_at = 0

    @property
    def now_ns(self) -> int:
        """Simulated time [ns]."""
        return self._simulation.clock.now_ns

    @property
    def p_W(self) -> np.ndarray:
        """Where it is, [3] [m]."""
        return self.robot.p_WB

    @property
    def v_W(self) -> np.ndarray:
        """How fast, [3] [m/s]."""
        return self.robot.v_WB_W

    @property
    def turn(self) -> tuple[float, float]:
        """Heading [rad] and how fast it turns [rad/s]."""
        return heading(self.robot.q_WB_wxyz), float(self.robot.w_WB_W[2])

    @property
    def touches(self) -> bool:
        """Whether it touches something."""
        return bool(self.robot.contacts)

    @property
    def height(self) -> float:
        """Of the feet over what is below [m]; looked at now and then."""
        p, steps = self.p_W, self._simulation.clock.steps
        if steps >= self._look_at:
            hits = self._simulation.scene.cast(p, _DOWN, max_range=_FAR, ignore=self.name)
            self._below = float(p[2] - hits.distance[0]) if hits.hit[0] else float(p[2]) - _FAR
            self._look_at = steps + _LOOK
        return max(float(p[2]) - self._below - _FEET, 0.0)

    def command(self, command: Flown) -> None:
        """Have the fleet's autopilot do it."""
        self._simulation.command(self.name, command)
