"""What a drone does when it is told to: each manoeuvre commands the autopilot once a step until it is over."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from volery.protocols.airsim.arguments import YawMode
from volery.protocols.airsim.ned import attitude
from volery.protocols.airsim.paths import Way
from volery.protocols.airsim.steering import FULL_THROTTLE, Nose, Pushing, climb, heading, wrap
from volery.robots.commands import Attitude, Motors, Pose, Rates, Velocity

if TYPE_CHECKING:
    from volery.protocols.airsim.drone import AirSimDrone

__all__ = ["AtVelocity", "ByAngles", "ByMotors", "ByRates", "ByRc", "Landing", "Manoeuvre", "OnWay", "ToYaw", "Turning"]

_NEAR, _SLOW = 0.25, 0.2
"""A goal is reached within this distance [m] and below this speed [m/s]."""
_BEHIND = 2.5
"""The way waits for a drone that is further behind [m]."""
_STUCK = 12.0
"""A drone that has been held up for so long gives up [s]."""
_MOST_RATE = 2.5
"""[rad/s], as AirSim's controller."""


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
    """Fly along a way and stop at its end."""

    def __init__(
        self, drone: AirSimDrone, corners_W: np.ndarray, speed: float, window: float, nose: Nose, timeout: float
    ) -> None:
        super().__init__(drone, timeout)
        robot = drone.robot
        self._way = Way(np.vstack([robot.p_WB, corners_W]), speed, window)
        self.goal_W = self._way.goal_W
        self._nose = nose
        # The speed one already has is led over into the way: v0·t·exp(−t/τ) beside it.
        self._v0 = robot.v_WB_W.copy()
        self._fade = max(0.5, float(np.linalg.norm(self._v0)) / 2.0)
        self._held_up = 0.0
        self._now = (robot.p_WB.copy(), np.zeros(3), np.zeros(3))

    def act(self, dt: float) -> bool | None:
        """Be on the way, or wait where something holds the drone up."""
        robot, way = self.drone.robot, self._way
        if self._held_up == 0.0:
            self._now = way.advance(dt)
        p, v, a = self._now
        behind = float(np.linalg.norm(p - robot.p_WB)) > _BEHIND + 0.3 * float(np.linalg.norm(v))
        self._held_up = self._held_up + dt if behind else 0.0
        if self._held_up > _STUCK:
            return False
        self.yaw = yaw = self._nose.turn(dt, v)
        if behind:
            self.drone.tell(Pose(p, yaw))
        else:
            left = math.exp(-self.elapsed / self._fade)
            beside = self._v0 * self.elapsed * left
            self.drone.tell(Pose(p + beside, yaw, v + self._v0 * (1.0 - self.elapsed / self._fade) * left, a))
        near = np.linalg.norm(robot.p_WB - way.goal_W) < _NEAR and np.linalg.norm(robot.v_WB_W) < _SLOW
        return True if way.over and near else None


class Landing(Manoeuvre):
    """Sink, more slowly the nearer the ground is, until the drone stands."""

    def __init__(self, drone: AirSimDrone, timeout: float) -> None:
        super().__init__(drone, timeout)
        self._still = 0.0
        self._place = drone.robot.p_WB.copy()

    def act(self, dt: float) -> bool | None:
        """Sink; done after 0.2 s at rest."""
        robot = self.drone.robot
        slow = abs(float(robot.v_WB_W[2])) <= 0.05 and bool(robot.contacts)
        self._still = self._still + dt if slow else 0.0
        if self._still > 0.2:
            self.drone.rest()
            return True
        drift = np.clip(0.8 * (self._place - robot.p_WB), -1.0, 1.0)
        self.drone.tell(Velocity([drift[0], drift[1], -min(max(0.5 * self.drone.height(), 0.3), 2.0)]))
        return None


class AtVelocity(_Lasting):
    """Fly at a velocity for some time, at a height if one is given."""

    def __init__(
        self, drone: AirSimDrone, v_W: np.ndarray, duration: float, nose: Nose, z: float | None = None
    ) -> None:
        super().__init__(drone, duration)
        self._v = np.asarray(v_W, float)
        self._nose = nose
        self._z = z

    def act(self, dt: float) -> bool | None:
        """Keep the velocity."""
        robot, v = self.drone.robot, self._v.copy()
        if self._z is not None:
            v[2] = climb(self._z - float(robot.p_WB[2]))
        self.drone.tell(Velocity(v, self._nose.rate(robot, dt, v)))
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
        back = 0.8 * (self._place - self.drone.robot.p_WB)
        self.drone.tell(Velocity(np.clip(back, -2.0, 2.0), self._rate))
        return None


class ToYaw(Manoeuvre):
    """Stay in place and turn to a heading, the shorter way."""

    def __init__(self, drone: AirSimDrone, yaw_ned: float, margin: float, timeout: float) -> None:
        """yaw_ned: clockwise from north [rad]."""
        super().__init__(drone, timeout)
        self._nose = Nose(drone.robot, YawMode(False, yaw_ned), False)
        self.yaw, self._margin = wrap(math.pi / 2 - yaw_ned), margin
        self._place = self.goal_W = drone.robot.p_WB.copy()
        self._still = 0.0

    def act(self, dt: float) -> bool | None:
        """Turn until the nose is there and at rest."""
        robot = self.drone.robot
        there = abs(wrap(heading(robot) - float(self.yaw or 0.0))) <= self._margin
        self._still = self._still + dt if there and abs(float(robot.w_WB_W[2])) <= 0.02 else 0.0
        if self._still > 0.1:
            return True
        self.drone.tell(Pose(self._place, self._nose.turn(dt, np.zeros(3))))
        return None


class ByAngles(_Lasting):
    """Hold roll, pitch and a heading (or turn at a rate), with a thrust or at a height."""

    def __init__(
        self, drone: AirSimDrone, roll: float, pitch: float, duration: float, *, yaw: float | None = None,
        yaw_rate: float = 0.0, throttle: float | None = None, z: float | None = None,
    ) -> None:  # fmt: skip
        """Angles and rates as NED has them [rad, rad/s]; z: in W [m]."""
        super().__init__(drone, duration)
        self.roll, self.pitch, self.yaw_rate, self.throttle = roll, pitch, yaw_rate, throttle
        self._yaw, self._goal, self._z = math.pi / 2 - heading(drone.robot), yaw, z
        self._pushing = Pushing.of(drone.robot)

    def act(self, dt: float) -> bool | None:
        """Keep the attitude."""
        if self._goal is not None:
            off = wrap(self._goal - self._yaw)
            self._yaw += min(max(off, -_MOST_RATE * dt), _MOST_RATE * dt)
        else:
            self._yaw += self.yaw_rate * dt
        q = attitude(self.roll, self.pitch, self._yaw)
        self.drone.tell(Attitude(q, self._pushing.share(self.drone.robot, self.throttle, self._z)))
        return None


class ByRates(_Lasting):
    """Turn about the body's own axes, with a thrust or at a height."""

    def __init__(
        self, drone: AirSimDrone, rates_B: np.ndarray, duration: float, throttle: float | None, z: float | None
    ) -> None:
        """rates_B: about forward, left, up [rad/s]."""
        super().__init__(drone, duration)
        self._rates = np.clip(rates_B, -_MOST_RATE, _MOST_RATE)
        self._throttle, self._z = throttle, z
        self._pushing = Pushing.of(drone.robot)

    def act(self, dt: float) -> bool | None:
        """Keep turning."""
        self.drone.tell(Rates(self._rates, self._pushing.share(self.drone.robot, self._throttle, self._z)))
        return None


class ByMotors(_Lasting):
    """Drive each motor by itself."""

    def __init__(self, drone: AirSimDrone, shares: list[float], duration: float) -> None:
        """shares: of each motor's thrust, 0 to 1, in the robot's order."""
        super().__init__(drone, duration)
        # Thrust goes with the square of the speed, which is what motors are told.
        self._motors = Motors(np.sqrt(FULL_THROTTLE * np.clip(shares, 0.0, 1.0)))

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
            up = climb(self._lowest - float(robot.p_WB[2]))
        v = np.array([c * forward + s * right, s * forward - c * right, up])
        self.drone.tell(Velocity(v, self._nose.rate(robot, dt, v)))
        return None
