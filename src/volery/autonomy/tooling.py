"""A supervisor for crafts with a tool: it says where to fly and where to press; the craft's own controller does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.autonomy.localisation import State
from volery.autonomy.pilot import TrajectoryPilot
from volery.autonomy.stack import Stack
from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import matrix_from_quat
from volery.errors import ScenarioError
from volery.robots.commands import Command, Dock, Pose
from volery.sim import Simulation

__all__ = ["Captured", "Rounds", "Stop", "ToolPilot"]

_BEHIND = 0.5
"""The tool is told to go so far behind the surface [m]: more than the spring is drawn by any force."""
_NEAR = 0.3
"""A place counts as reached from so far [m]."""
_CALM = 0.15
"""At so little speed [m/s]."""
_LOST = 1.0
"""Off the surface for so long, it goes back and tries again [s]."""
_TRIES = 3
_STRAIGHT = 0.9
"""The last of a way is flown straight [m]: plans end in the middle of cells, and begin anew too often to arrive."""


@dataclass(frozen=True)
class Stop(Checked):
    """A place to go to, or to touch."""

    place: tuple[float, float, float]
    """In W [m]."""
    way: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the tool presses to; nothing: the place is only flown to."""
    force: float = param(3.0, low=0.0, high=1e4)
    """To press with [N]."""
    hold: float = param(8.0, low=0.0, high=1e5)
    """Time in touch [s]."""
    speed: float = param(0.15, above=0, high=10.0)
    """Of coming nearer [m/s]."""
    away: float = param(1.6, above=0, high=100.0)
    """How far off the surface it begins, and where it goes back to [m]."""
    slide: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """While pressing, the tool goes on along the surface by this [m], evenly over the time in touch."""

    @property
    def touches(self) -> bool:
        """Whether the tool is to touch there."""
        return bool(np.linalg.norm(self.way) > 0)

    @property
    def before(self) -> np.ndarray:
        """Where the robot is to be before it touches, or at all [m]."""
        p = np.array(self.place, float)
        return p - self.away * np.array(self.way) / np.linalg.norm(self.way) if self.touches else p


class Captured:
    """Where a robot is, by motion capture; in place of an estimate from its own sensors."""

    def __init__(self, simulation: Simulation, robot: str, sensor: str, X_BL: np.ndarray) -> None:
        """X_BL: mount of the lidar in the robot's axes, [3, 4]."""
        self._sensor, self._robot, self._X_BL = simulation.sensor(robot, sensor), simulation.robot(robot), X_BL
        self._last: tuple[float, np.ndarray] | None = None
        X = self._robot.X_WB[0]
        self.state = State(X[:, 3].copy(), np.zeros(3), X[:, :3].copy(), np.zeros(3))

    def look(self) -> None:
        """Take the newest reading; one that was not tracked leaves things as they were."""
        reading = self._sensor.latest
        if reading is None or not reading.data["tracked"][0]:
            return
        now, p = reading.stamp_ns / SECOND, reading.data["position"]
        v = self.state.v_WB_W
        if self._last is not None and now > self._last[0]:
            v = (p - self._last[1]) / (now - self._last[0])
        self._last = (now, p.copy())
        self.state = State(p.copy(), v, matrix_from_quat(reading.data["attitude"]), np.zeros(3))

    def feel(self, specific_force: np.ndarray, angular_velocity: np.ndarray, dt: float) -> None:
        """Motion capture needs no inertial unit."""

    def see(self, points: np.ndarray, seconds: np.ndarray, now: float) -> np.ndarray:
        """The sweep in B."""
        return points @ self._X_BL[:, :3].T + self._X_BL[:, 3]


class ToolPilot(TrajectoryPilot):
    """Tells places in place of accelerations, since the craft has one controller for flight and touch; and touches."""

    touch: Command | None = None
    """What is told instead of the way, while the tool touches or goes back."""
    facing: float | None = None
    """Heading to take [rad]; none: as it is."""

    def steer(self, state: State, now: float, dt: float) -> Command:
        """What to tell the robot for the next dt [s]."""
        if self.facing is not None:
            away = (self.facing - self.yaw + np.pi) % (2 * np.pi) - np.pi
            self.yaw += float(np.clip(away, -self.config.turn * dt, self.config.turn * dt))
        if self.touch is not None:
            return self.touch
        r = self.reference(now)
        return Pose(r.p, self.yaw, r.v, r.a)


class Rounds:
    """From stop to stop: fly there round what is in the way, touch, hold, draw back, and on."""

    def __init__(self, stops: tuple[Stop, ...]) -> None:
        if not stops:
            raise ScenarioError("service: give at least one of 'stops'")
        self.stops, self.number, self.phase = stops, 0, "fly"
        """Stop in turn, and what is done: fly, dock, back or done."""
        self.missed: list[int] = []
        """Stops that were given up after so many tries."""
        self._held, self._off, self._tries = 0.0, 0.0, 0

    @property
    def done(self) -> bool:
        """Whether the last stop is left."""
        return self.phase == "done"

    @property
    def stop(self) -> Stop:
        """The one in turn, or the last."""
        return self.stops[min(self.number, len(self.stops) - 1)]

    def goal(self, stack: Stack, now: float) -> np.ndarray | None:
        """Where to fly; None while touching, and for the last of the way."""
        far = np.linalg.norm(stack.localisation.state.p_WB - self.stop.before) > _STRAIGHT
        return self.stop.before if self.phase == "fly" and far else None

    def go_on(self, stack: Stack, touching: bool, dt: float) -> None:
        """After each step of dt [s]: from phase to phase. touching: whether the tool does."""
        pilot, state = stack.pilot, stack.localisation.state
        assert isinstance(pilot, ToolPilot)
        there = np.linalg.norm(state.p_WB - self.stop.before) < _NEAR and np.linalg.norm(state.v_WB_W) < _CALM
        if self.phase == "dock":
            self._held += dt if touching else 0.0
            self._off = self._off + dt if self._held > 0.0 and not touching else 0.0
            pilot.touch = self._pressing(pilot.yaw)
            if self._held >= self.stop.hold or self._off > _LOST:
                self.phase, pilot.touch = "back", Pose(self.stop.before, pilot.yaw)
        elif self.phase == "back" and there:
            self._again(pilot)
        elif self.phase == "fly" and there:
            if self.stop.touches:
                self._held, self._off, self.phase = 0.0, 0.0, "dock"
            else:
                self._next(pilot)
        if self.phase == "fly":
            near = np.linalg.norm(state.p_WB - self.stop.before) <= _STRAIGHT
            pilot.touch = Pose(self.stop.before, pilot.yaw) if near else None
            if self.stop.touches:
                pilot.facing = float(np.arctan2(self.stop.way[1], self.stop.way[0]))

    def _again(self, pilot: ToolPilot) -> None:
        """Back from a surface: on, or once more to one that was lost."""
        self._tries += 1
        if self._held >= self.stop.hold:
            self._next(pilot)
        elif self._tries >= _TRIES:
            self.missed.append(self.number)
            self._next(pilot)
        else:
            self.phase, pilot.touch = "fly", None

    def _next(self, pilot: ToolPilot) -> None:
        self.number, self._tries = self.number + 1, 0
        self.phase = "done" if self.number >= len(self.stops) else "fly"
        pilot.touch = Pose(self.stop.before, pilot.yaw) if self.done else None

    def _pressing(self, yaw: float) -> Dock:
        """The same over and over, but for a tool that slides."""
        stop = self.stop
        way = np.array(stop.way) / np.linalg.norm(stop.way)
        along = np.array(stop.slide) * min(self._held / max(stop.hold, 1e-9), 1.0)
        return Dock(np.array(stop.place) + along + _BEHIND * way, way, stop.force, stop.speed, yaw)
