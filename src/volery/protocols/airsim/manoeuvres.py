"""What a drone does when it is told to: each manoeuvre commands the autopilot once a step until it is over."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from volery.core.frames import quat_rotate
from volery.protocols.airsim.ned import attitude
from volery.protocols.airsim.paths import PERIOD, PathFollower
from volery.protocols.airsim.steering import HeightLoop, Nose, autopilot_of, closing, heading, wrap
from volery.robots.commands import Attitude, Motors, Pose, Rates, Tilt, Velocity
from volery.robots.robot import Robot

if TYPE_CHECKING:
    from volery.protocols.airsim.drone import AirSimDrone

__all__ = [
    "LANDING", "AtVelocity", "ByAngles", "ByMotors", "ByRates", "ByRc", "Landing", "Manoeuvre", "OnWay", "ToYaw",
    "Turning", "leaning",
]  # fmt: skip

_log = logging.getLogger("volery")
_NEAR, _SLOW = 0.25, 0.2
"""A goal is reached within this distance [m] and below this speed [m/s]."""
_STUCK, _GAIN = 12.0, 0.1
"""A drone that has gained no more than this [m] for so long [s] gives up."""
LANDING, _SINK = 0.2, 2.0
"""Speed of a landing near the ground, as AirSim's, and from high above [m/s]."""
_STOPPED_TURNING = 0.01
"""[rad/s], as AirSim takes it."""


class Manoeuvre(ABC):
    """One task of a drone."""

    def __init__(self, drone: AirSimDrone, timeout: float = math.inf) -> None:
        self.drone = drone
        self.timeout = timeout if math.isfinite(timeout) else math.inf
        """[s] of simulated time."""
        self.elapsed = 0.0
        self.yaw: float | None = None
        """Heading in W that the drone is to keep afterwards [rad]; None: the one it has then."""
        self.goal_W: np.ndarray | None = None
        """Where it is to stay when it is done [m]; None: where it comes to rest."""

    def step(self, dt: float) -> bool | None:
        """Command the drone for the next dt [s]; True: done, False: given up, None: it goes on."""
        if self.elapsed >= self.timeout - 1e-9:
            return self.at_timeout()
        done = self.act(dt)
        self.elapsed += dt
        return done

    def at_timeout(self) -> bool:
        """What the end of the time means."""
        return False

    @abstractmethod
    def act(self, dt: float) -> bool | None:
        """Command the drone for the next dt [s]."""


class _Lasting(Manoeuvre):
    """A manoeuvre that is done when its time is over."""

    def at_timeout(self) -> bool:
        """It has run its whole time."""
        return True


class OnWay(Manoeuvre):
    """Fly along a path and stop at its end."""

    def __init__(
        self, drone: AirSimDrone, corners_W: np.ndarray, speed: float, lookahead: float, nose: Nose, timeout: float,
        adaptive: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(drone, timeout)
        self._path = PathFollower(np.vstack([drone.robot.p_WB, corners_W]), speed, lookahead, adaptive)
        self.goal_W = self._path.goal_W
        self._nose = nose
        self._best, self._held_up = math.inf, 0.0
        self._carrot, self._due = drone.robot.p_WB.copy(), 0.0

    def act(self, dt: float) -> bool | None:
        """Go on towards the carrot; give up where something holds the drone up for long."""
        robot, path = self.drone.robot, self._path
        if self.elapsed >= self._due - 1e-9:
            self._carrot, self._due = path.advance(robot.p_WB), self.elapsed + PERIOD
        carrot = self._carrot
        gap = float(np.linalg.norm(path.goal_W - robot.p_WB))
        if path.length - path.s < _NEAR and gap < _NEAR and np.linalg.norm(robot.v_WB_W) < _SLOW:
            return True
        v, a = path.velocity(robot.p_WB, robot.v_WB_W, carrot)
        self.drone.tell(Velocity(v, a_W=a, **self._nose.told(carrot - robot.p_WB)))
        return self._stuck(path.length - path.s + gap, dt)

    def _stuck(self, left: float, dt: float) -> bool | None:
        """Whether nothing was gained for long."""
        gained = left < self._best - _GAIN
        self._best, self._held_up = (left, 0.0) if gained else (self._best, self._held_up + dt)
        if self._held_up < _STUCK:
            return None
        _log.warning("AirSim: '%s' does not get on and gives up%s", self.drone.name, _against(self.drone))
        return False


def _against(drone: AirSimDrone) -> str:
    """What a drone is held up by, in words."""
    return f": it touches '{drone.robot.contacts[0].other}'" if drone.robot.contacts else ""


class Landing(Manoeuvre):
    """Sink, at AirSim's speed near the ground and faster above, until the drone stands."""

    def __init__(self, drone: AirSimDrone, timeout: float) -> None:
        super().__init__(drone, timeout)
        self._still = 0.0

    def act(self, dt: float) -> bool | None:
        """Sink; done after 0.2 s at rest."""
        robot = self.drone.robot
        slow = abs(float(robot.v_WB_W[2])) <= 0.05 and bool(robot.contacts)
        self._still = self._still + dt if slow else 0.0
        if self._still > 0.2:
            self.drone.rest()
            return True
        self.drone.tell(Velocity([0.0, 0.0, -min(max(0.5 * self.drone.height(), LANDING), _SINK)]))
        return None


class AtVelocity(_Lasting):
    """Fly at a velocity for some time, at a height if one is given."""

    def __init__(
        self, drone: AirSimDrone, v_W: np.ndarray, duration: float, nose: Nose, z: float | None = None
    ) -> None:
        super().__init__(drone, duration)
        self._v = np.asarray(v_W, float)
        self._told = nose.told(self._v)
        self._z = z

    def act(self, dt: float) -> bool | None:
        """Keep the velocity."""
        v = self._v.copy()
        if self._z is not None:
            gap = np.array([0.0, 0.0, self._z - self.drone.robot.p_WB[2]])
            v[2] = closing(gap, autopilot_of(self.drone.robot))[2]
        self.drone.tell(Velocity(v, **self._told))
        return None


class Turning(_Lasting):
    """Stay in place and turn at a rate for some time."""

    def __init__(self, drone: AirSimDrone, rate: float, duration: float) -> None:
        """rate: counter-clockwise [rad/s]."""
        super().__init__(drone, duration)
        self._rate = rate
        self._place = drone.robot.p_WB.copy()

    def act(self, dt: float) -> bool | None:
        """Turn."""
        _stay(self.drone, self._place, self._rate)
        return None


def _stay(drone: AirSimDrone, place_W: np.ndarray, yaw_rate: float) -> None:
    """Hold a place while turning at a rate, which a pose cannot say."""
    robot = drone.robot
    drone.tell(Velocity(closing(place_W - robot.p_WB, autopilot_of(robot)), yaw_rate))


class ToYaw(Manoeuvre):
    """Stay in place and turn to a heading, the shorter way."""

    def __init__(self, drone: AirSimDrone, yaw_ned: float, margin: float, timeout: float) -> None:
        """yaw_ned: clockwise from north [rad]."""
        super().__init__(drone, timeout)
        self.yaw, self._margin = wrap(math.pi / 2 - yaw_ned), margin
        self._place = self.goal_W = drone.robot.p_WB.copy()

    def act(self, dt: float) -> bool | None:
        """Turn until the nose is there, then stop turning."""
        robot = self.drone.robot
        if abs(wrap(heading(robot) - float(self.yaw or 0.0))) > self._margin:
            self.drone.tell(Pose(self._place, self.yaw))
            return None
        _stay(self.drone, self._place, 0.0)
        if abs(float(robot.w_WB_W[2])) > _STOPPED_TURNING:
            return None
        self.yaw = heading(robot)
        return True


class _Push:
    """A share of all thrust: told, or as it takes to hold a height."""

    def __init__(self, drone: AirSimDrone, throttle: float | None, z: float | None) -> None:
        """z: in W [m]."""
        self._share = min(max(throttle or 0.0, 0.0), 1.0)
        self._loop = None if z is None else HeightLoop(drone.robot, z)

    def share(self, dt: float) -> float:
        """For the next dt [s]."""
        return self._share if self._loop is None else self._loop.throttle(dt)


class ByAngles(_Lasting):
    """Hold roll, pitch and a heading (or turn at a rate), with a thrust or at a height."""

    def __init__(
        self, drone: AirSimDrone, roll: float, pitch: float, duration: float, *, yaw: float | None = None,
        yaw_rate: float = 0.0, throttle: float | None = None, z: float | None = None,
    ) -> None:  # fmt: skip
        """Angles and rates as NED has them [rad, rad/s]; z: in W [m]."""
        super().__init__(drone, duration)
        self._roll, self._pitch, self._yaw, self._rate = roll, pitch, yaw, yaw_rate
        self._push = _Push(drone, throttle, z)

    def act(self, dt: float) -> bool | None:
        """Keep the attitude."""
        share = self._push.share(dt)
        if self._yaw is not None:
            self.drone.tell(Attitude(attitude(self._roll, self._pitch, self._yaw), share))
        else:
            self.drone.tell(leaning(self.drone.robot, self._roll, self._pitch, self._rate, share))
        return None


def leaning(robot: Robot, roll: float, pitch: float, rate: float, share: float) -> Tilt:
    """Roll and pitch at the heading of now, turning at a rate; angles and rate as NED has them [rad, rad/s]."""
    q = attitude(roll, pitch, math.pi / 2 - heading(robot))
    return Tilt(quat_rotate(q, np.array([0.0, 0.0, 1.0])), share, -rate)


class ByRates(_Lasting):
    """Turn about the body's own axes, with a thrust or at a height."""

    def __init__(
        self, drone: AirSimDrone, rates_B: np.ndarray, duration: float, throttle: float | None, z: float | None
    ) -> None:
        """rates_B: about forward, left, up [rad/s]."""
        super().__init__(drone, duration)
        self._rates = rates_B
        self._push = _Push(drone, throttle, z)

    def act(self, dt: float) -> bool | None:
        """Keep turning."""
        self.drone.tell(Rates(self._rates, self._push.share(dt)))
        return None


class ByMotors(_Lasting):
    """Drive each motor by itself."""

    def __init__(self, drone: AirSimDrone, shares: list[float], duration: float) -> None:
        """shares: of each motor's thrust, 0 to 1, in the robot's order."""
        super().__init__(drone, duration)
        # Thrust goes with the square of the speed, which is what motors are told.
        self._motors = Motors(np.sqrt(np.clip(shares, 0.0, 1.0)))

    def act(self, dt: float) -> bool | None:
        """Keep the motors at it."""
        self.drone.tell(self._motors)
        return None


class ByRc(_Lasting):
    """Fly by the sticks of a remote control, as velocity in the heading at the start."""

    def __init__(
        self, drone: AirSimDrone, fastest: tuple[float, float], lowest_z: float, duration: float, nose: Nose
    ) -> None:
        """fastest: forward and to the right [m/s]; lowest_z: in W [m]."""
        super().__init__(drone, duration)
        self._fastest, self._lowest, self._nose = fastest, lowest_z, nose
        self._yaw = heading(drone.robot)

    def act(self, dt: float) -> bool | None:
        """Turn sticks into a velocity; without a valid signal stay."""
        robot, rc = self.drone.robot, self.drone.rc
        forward = right = up = 0.0
        if rc.get("is_valid", False):
            forward, right = -float(rc["pitch"]) * self._fastest[0], float(rc["roll"]) * self._fastest[1]
            up = (float(rc["throttle"]) - 0.5) * 2.0 * 2.0
        c, s = math.cos(self._yaw), math.sin(self._yaw)
        if robot.p_WB[2] + 0.5 * min(up, 0.0) < self._lowest:
            up = float(closing(np.array([0.0, 0.0, self._lowest - robot.p_WB[2]]), autopilot_of(robot))[2])
        v = np.array([c * forward + s * right, s * forward - c * right, up])
        self.drone.tell(Velocity(v, **self._nose.told(v)))
        return None
