"""A multirotor as AirSim's clients know it: armed or not, under their control or not, with one task at a time."""

from __future__ import annotations

import logging
import math
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.physics.multirotor.fleet import FleetEngine
from volery.physics.multirotor.parameters import bumpers_of
from volery.protocols.airsim.arguments import YawMode
from volery.protocols.airsim.manoeuvres import ByRc, Manoeuvre, leaning
from volery.protocols.airsim.settings import VehicleSettings
from volery.protocols.airsim.steering import Nose, autopilot_of
from volery.protocols.airsim.vehicles import Vehicle
from volery.protocols.airsim.wire import Caller
from volery.robots.commands import Command, Motors, Pose, Velocity

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["AirSimDrone", "neutral_rc"]

_log = logging.getLogger("volery")
_SINK = 1.0
"""How fast a drone comes down that nobody commands [m/s]."""
_LOOK = 10
"""Steps between two looks at the ground below."""
_FAR = 1000.0
_FEET = 0.14
"""Height of the usual drone's origin over its feet [m]."""
_ALOFT = 0.05
"""A drone whose feet are higher flies [m]."""


def neutral_rc() -> dict[str, Any]:
    """AirSim's RCData of a remote control that is not there."""
    return {
        "timestamp": 0, "pitch": 0.0, "roll": 0.0, "throttle": 0.0, "yaw": 0.0, "left_z": 0.0, "right_z": 0.0,
        "switches": 0, "vendor_id": "", "is_initialized": False, "is_valid": False,
    }  # fmt: skip


class _Task:
    """A manoeuvre somebody waits for."""

    def __init__(self, manoeuvre: Manoeuvre, caller: Caller) -> None:
        self.manoeuvre = manoeuvre
        self.caller = caller
        self.future: Future[Any] = Future()


class AirSimDrone(Vehicle):
    """Its autopilot is the fleet engine's; here is who may command it, and what it does when nobody does."""

    def __init__(self, door: AirSim, settings: VehicleSettings) -> None:
        super().__init__(door, settings)
        self.armed = settings.armed
        self.flying = False
        self.rc = neutral_rc()
        self.safety: tuple[Any, ...] = ()
        self._task: _Task | None = None
        self._idle = "sink"
        self._yaw: float | None = None
        self._height = (0, _FAR)
        self._feet = _FEET

    # The start

    def spawn(self) -> None:
        """Enter the world; one that was put into the air comes down."""
        super().spawn()
        self.door.set_crash_speed()
        self.armed, self.flying, self._idle = self.settings.armed, False, "sink"
        self._height = (0, _FAR)
        if self.settings.model:
            self._stand_up()
        if self.settings.firmware is None and not self.door.settings.external_physics:
            self.flying = self.height() > _ALOFT
            if not self.flying:
                self.rest()

    def _stand_up(self) -> None:
        """Put a drone of another body on its own feet."""
        robot = self.robot
        self._feet = max(ball.radius - ball.position[2] for ball in bumpers_of(robot))
        p_WB = robot.p_WB + [0.0, 0.0, self._feet - _FEET]
        self.door.simulation.place(self.name, p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
        self.look()

    def respawn(self) -> None:
        """Back to the start; whoever waited is told."""
        self.cancel()
        self.rc = neutral_rc()
        super().respawn()

    # Who commands

    def set_api(self, on: bool) -> None:
        """Give control to clients, or leave the drone to its remote control: without one it comes down."""
        super().set_api(on)
        if not self.api:
            self.cancel()
            if self._idle != "rest":
                self._idle = "sink"
        elif self._idle == "sink" and self.flying:
            self._idle = "brake"

    def arm(self, on: bool) -> bool:
        """Only under API control; to disarm stops the motors at once, wherever it is."""
        if not self.api or self.settings.firmware is not None:
            return False
        was, self.armed = self.armed, on
        if not on:
            self.cancel()
            self._idle = "rest"
            self.tell(Motors(np.zeros(4)))
        return on or was

    def begin(self, manoeuvre: Manoeuvre, caller: Caller) -> Future[Any]:
        """Start a task; the one before ends with false. Without control or motors nothing moves, and it is false."""
        self.cancel()
        task = _Task(manoeuvre, caller)
        why = self.cannot_fly()
        if why:
            _log.warning("AirSim: '%s' does not move: %s", self.name, why)
            task.future.set_result(False)
            return task.future
        self._task = task
        return task.future

    def tune(self, loop: str, gains: dict[str, Any]) -> None:
        """Set gains of a loop of the autopilot, three numbers each."""
        for name, values in gains.items():
            place = f"robots.{self.name}.multirotor.simple_flight.{loop}.{name}"
            self.door.simulation.set(place, [float(value) for value in values])

    def cannot_fly(self) -> str:
        """Why commands have no effect; empty: they have."""
        if self.settings.firmware is not None:
            return f"its firmware ({self.settings.firmware.firmware}) flies it; command that one, such as by MAVLink"
        if not self.api:
            return "API control is off; call enableApiControl(True) first"
        if not self.armed:
            return "it is disarmed; call armDisarm(True) first"
        if self.crashed:
            return "it has crashed; call reset() or simSetVehiclePose()"
        return ""

    def cancel(self) -> None:
        """End the task with false, and stay where the drone is."""
        if self._task is not None:
            self._end(False)

    def _end(self, result: bool) -> None:
        task, self._task = self._task, None
        if self._idle != "rest":
            self._idle = "brake"
        if task is not None:
            goal, self._yaw = task.manoeuvre.goal_W, task.manoeuvre.yaw
            if result and goal is not None and self._idle == "brake":
                self.tell(Pose(goal, self._yaw))
                self._idle = "hold"
            task.future.set_result(result)

    @property
    def crashed(self) -> bool:
        """Whether it struck something so hard that its motors stopped."""
        engine = self.door.simulation.engines.get("fleet")
        return isinstance(engine, FleetEngine) and self.name in engine.batch.rows and engine.crashed(self.name)

    @property
    def busy(self) -> bool:
        """Whether it has a task."""
        return self._task is not None

    # What it does in a step

    def control(self) -> None:
        """Go on with the task, or with what the drone does by itself."""
        dt = self.door.step
        if self.door.settings.external_physics or self.settings.firmware is not None:
            if self._task is not None:
                self._end(False)
            return
        if self.crashed:
            self.cancel()
            return
        if self._task is not None and self._task.caller.gone:
            self.cancel()
        if self._task is not None:
            self._idle = "task"
            done = self._task.manoeuvre.step(dt)
            if done is not None and self._task is not None:
                self._end(done)
        if self._task is None:
            self._alone()

    def _alone(self) -> None:
        robot = self.robot
        resting = self._idle == "rest" and (self.api or not self.rc["is_valid"])
        if not self.armed or resting:
            return
        if not self.api and self.rc["is_valid"]:
            self._by_sticks()
            return
        if self._idle == "sink":
            if robot.contacts and float(np.linalg.norm(robot.v_WB_W)) < 0.1:
                self.rest()
            else:
                slower = min(max(0.5 * self.height(), 0.3), _SINK)
                self.tell(Velocity([0.0, 0.0, -slower]))
        elif self._idle == "brake":
            # AirSim holds the place where a drone was when nobody told it anything any more
            self.tell(Pose(robot.p_WB, self._yaw))
            self._idle = "hold"

    def _by_sticks(self) -> None:
        """Roll, pitch, rate of yaw and throttle, as SimpleFlight takes them by default."""
        self._idle, rc, tilt = "sink", self.rc, autopilot_of(self.robot).most_tilt
        share = min(max(float(rc["throttle"]), 0.0), 1.0)
        self.tell(leaning(self.robot, rc["roll"] * tilt, -rc["pitch"] * tilt, rc["yaw"] * math.pi, share))

    def rest(self) -> None:
        """Stand on the ground with motors off."""
        self.tell(Motors(np.zeros(4)))
        self._idle = "rest"
        self.flying = False

    def hold(self) -> None:
        """Stay where the drone was put."""
        self._idle, self._yaw = "brake" if self.api and self.armed else "sink", None

    def tell(self, command: Command) -> None:
        """Command the autopilot."""
        self.door.simulation.command(self.name, command)

    def height(self) -> float:
        """Of the drone's feet over what is below [m]; looked at now and then."""
        left, height = self._height
        if left <= 0:
            robot, scene = self.robot, self.door.simulation.scene
            hits = scene.cast(robot.p_WB, np.array([[0.0, 0.0, -1.0]]), max_range=_FAR, ignore=self.name)
            height = float(hits.distance[0]) - self._feet if hits.hit[0] else _FAR
            left = _LOOK
        self._height = (left - 1, height)
        return max(height, 0.0)

    def notice(self) -> None:
        """After a step: whether it flies."""
        super().notice()
        if not self.flying and self._idle != "rest" and not self.robot.contacts:
            self.flying = self.height() > _ALOFT
        elif self.flying and self.robot.contacts and not self.busy and float(np.linalg.norm(self.robot.v_WB_W)) < 0.08:
            self.flying = self._idle not in ("rest", "sink")

    def place(self, p_ned: np.ndarray, q_ned: np.ndarray, v_W: Any = None, w_W: Any = None) -> None:
        """Put it elsewhere; a task goes on from there, else it stays if clients have control."""
        super().place(p_ned, q_ned, v_W, w_W)
        self._height = (0, _FAR)
        if self._task is None:
            self.hold()

    def manual(self, fastest: tuple[float, float], z: float, duration: float, ahead: bool, mode: YawMode) -> ByRc:
        """The manoeuvre of `moveByManual`."""
        return ByRc(self, fastest, z, duration, Nose(mode, ahead))
