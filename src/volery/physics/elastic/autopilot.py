"""The autopilot of an aircraft: altitude, airspeed and heading by pitch, throttle and bank, cascaded; or less of that.

Gains hold at the cruise speed of the file; sticks move less at higher dynamic pressure, where surfaces do more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.robots.kinds.aircraft import Aircraft
from volery.world.atmosphere import GRAVITY

__all__ = ["Autopilot", "AutopilotSetpoint", "Seen", "wrapped"]

_LEAST, _MOST = 0.85, 1.4
"""Airspeeds that are flown, in shares of cruise."""
_SEA_LEVEL = 1.225
"""Density that equivalent airspeed goes by [kg/m³]."""
_SPANS = 3.0
"""Radius of the tightest turn, in spans: tighter, the inner half would hardly move."""
_NOSE = math.radians(15.0)
"""Pitch away from trim that is never exceeded [rad]."""
_EASY, _DIVE = 0.95, 1.5
"""Share of cruise below which the nose may rise less and less; how far it goes down per share of speed that is missing
below the least [rad]."""


def wrapped(angle: float) -> float:
    """Within ±π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


@dataclass
class AutopilotSetpoint:
    """What is to be flown; None: that loop rests, and what is below it counts."""

    altitude: float | None = None
    """[m]."""
    climb: float = 0.0
    """Instead of an altitude [m/s]."""
    airspeed: float | None = None
    """[m/s]; none: cruise."""
    heading: float | None = None
    """[rad]."""
    track: bool = False
    """Whether the heading is that of the way over ground, not of the nose."""
    turn: float = 0.0
    """To the left [rad/s]; beside a heading, how fast that turns."""
    curl: float = 0.0
    attitude: tuple[float, float] | None = None
    """Roll and pitch [rad], instead of all above."""
    throttle: float | None = None
    sticks: tuple[float, float, float] | None = None
    """Roll, pitch, yaw, -1 to 1, instead of all above."""


@dataclass
class Seen:
    """What the autopilot knows of the flight, without noise."""

    p_W: np.ndarray
    v_W: np.ndarray
    q_wxyz: np.ndarray
    w_W: np.ndarray
    wind_W: np.ndarray
    rho: float
    roll: float = field(init=False)
    """To the right [rad]."""
    pitch: float = field(init=False)
    """Nose up [rad]."""
    heading: float = field(init=False)
    """To the left of W's x [rad]."""
    rates: tuple[float, float, float] = field(init=False)
    """About the body's axes [rad/s]."""
    air: tuple[float, float, float] = field(init=False)
    """Velocity through the air along the body's axes [m/s]."""
    airspeed: float = field(init=False)
    """[m/s]."""

    def __post_init__(self) -> None:
        # Plain numbers: at every step, and arrays of three are slow.
        w, x, y, z = self.q_wxyz.tolist()
        ahead = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
        left = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
        up = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        self.roll, self.heading = math.atan2(left[2], up[2]), math.atan2(ahead[1], ahead[0])
        self.pitch = math.asin(min(max(ahead[2], -1.0), 1.0))
        turn, move = self.w_W.tolist(), (self.v_W - self.wind_W).tolist()
        axes = (ahead, left, up)
        self.rates = tuple(a[0] * turn[0] + a[1] * turn[1] + a[2] * turn[2] for a in axes)
        self.air = tuple(a[0] * move[0] + a[1] * move[1] + a[2] * move[2] for a in axes)
        self.airspeed = max(math.hypot(*move), 1e-3)


class Autopilot:
    """One aircraft's; it says what controls and propellers should do."""

    def __init__(self, aircraft: Aircraft) -> None:
        self.aircraft, self.goal = aircraft, AutopilotSetpoint()
        self.trimmed = np.zeros(len(aircraft.controls))
        """Controls in steady flight [c] [rad]."""
        self.pitch, self.throttle = 0.0, 0.3
        """In steady flight [rad; 0 to 1]."""
        self._sums = np.zeros(2)
        """Of slope [rad] and airspeed [share], times seconds."""
        pilot = aircraft.pilot
        self._sticks = np.array([self._stick(s) for s in (pilot.roll, pilot.pitch, pilot.yaw, pilot.curl)])
        self._ranges = aircraft.ranges

    def cruise(self, rho: float) -> float:
        """Airspeed of cruise in air of a density [m/s]."""
        return self.aircraft.speed * math.sqrt(_SEA_LEVEL / max(rho, 1e-6))

    def slowest(self, rho: float) -> float:
        """Airspeed below which it is not flown, in air of a density [m/s]."""
        return _LEAST * self.cruise(rho)

    @property
    def curl_angles(self) -> np.ndarray:
        """Of the controls with the wing's ends curled up as far as they go [c] [rad]."""
        return self._sticks[3]

    def tightest(self, airspeed: float) -> float:
        """Radius of the tightest turn at an airspeed [m]."""
        level = airspeed**2 / (GRAVITY * math.tan(math.radians(self.aircraft.pilot.bank_deg)))
        return max(level, _SPANS * self.aircraft.wing.span)

    def steer(self, seen: Seen, dt: float) -> tuple[np.ndarray, float]:
        """Angles for the controls [c] [rad] and throttle, 0 to 1, for the next dt [s]."""
        goal = self.goal
        throttle = self._speed(seen, dt) if goal.throttle is None else goal.throttle
        if goal.sticks is not None:
            roll, pitch, yaw = goal.sticks
            return self._angles(roll, pitch, yaw, 0.0, np.zeros_like(self.trimmed)), throttle
        bank, nose = self._attitude(seen, dt)
        pilot = self.aircraft.pilot
        share = min((self.aircraft.speed / (seen.airspeed * math.sqrt(seen.rho / _SEA_LEVEL))) ** 2, 2.0)
        p, q, r = seen.rates[0], -seen.rates[1], seen.rates[2]
        pitch = pilot.pitch_gain[0] * (nose - seen.pitch) - pilot.pitch_gain[1] * q
        roll = pilot.roll_gain[0] * (bank - seen.roll) - pilot.roll_gain[1] * p
        wanted = -GRAVITY / seen.airspeed * math.tan(0.5 * (seen.roll + bank))
        slip = math.atan2(seen.air[1], seen.air[0])
        yaw = pilot.yaw_gain[0] * (wanted - r) + pilot.yaw_gain[1] * slip
        return self._angles(share * roll, share * pitch, share * yaw, goal.curl, self.trimmed), throttle

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "trimmed": self.trimmed.copy(), "pitch": self.pitch, "throttle": self.throttle, "sums": self._sums.copy()
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken; the goal is told anew."""
        self.trimmed, self._sums = np.array(state["trimmed"], float), np.array(state["sums"], float)
        self.pitch, self.throttle = state["pitch"], state["throttle"]

    def _speed(self, seen: Seen, dt: float) -> float:
        cruise = self.cruise(seen.rho)
        wanted = min(max(self.goal.airspeed or cruise, _LEAST * cruise), _MOST * cruise)
        missing = 1.0 - seen.airspeed / wanted
        gain, slow = self.aircraft.pilot.speed_gain
        raw = self.throttle + gain * missing + slow * self._sums[1]
        if 0.0 < raw < 1.0 or raw * missing < 0.0:
            self._sums[1] = min(max(self._sums[1] + missing * dt, -5.0), 5.0)
        return min(max(raw, 0.0), 1.0)

    def _attitude(self, seen: Seen, dt: float) -> tuple[float, float]:
        """Bank to the right and pitch nose up that are wanted [rad]."""
        goal, pilot = self.goal, self.aircraft.pilot
        if goal.attitude is not None:
            return goal.attitude
        rate = goal.turn
        if goal.heading is not None:
            at = math.atan2(seen.v_W[1], seen.v_W[0]) if goal.track else seen.heading
            rate += pilot.turn_gain * wrapped(goal.heading - at)
        most = seen.airspeed / self.tightest(seen.airspeed)
        bank = -math.atan(min(max(rate, -most), most) * seen.airspeed / GRAVITY)
        climb = goal.climb if goal.altitude is None else pilot.height_gain * (goal.altitude - seen.p_W[2])
        climb = min(max(climb, -pilot.climb), pilot.climb)
        missing = (climb - seen.v_W[2]) / seen.airspeed
        # Too slow: the nose stays down, whatever the height. In air that sinks faster than it climbs, it sinks, too.
        fast = seen.airspeed / self.cruise(seen.rho)
        highest = _NOSE * min(max((fast - _LEAST) / (_EASY - _LEAST), 0.0), 1.0)
        nose = pilot.slope_gain[0] * missing + pilot.slope_gain[1] * self._sums[0]
        if nose < highest or missing < 0.0:
            self._sums[0] = min(max(self._sums[0] + missing * dt, -1.0), 1.0)
        return bank, self.pitch + min(max(nose, -_NOSE), highest) + _DIVE * min(fast / _LEAST - 1.0, 0.0)

    def _angles(self, roll: float, pitch: float, yaw: float, curl: float, base: np.ndarray) -> np.ndarray:
        shares = np.array([roll, pitch, yaw, curl]).clip(-1.0, 1.0)
        return (base + shares @ self._sticks).clip(-self._ranges, self._ranges)

    def _stick(self, shares: dict[str, float]) -> np.ndarray:
        angles = np.zeros(len(self.aircraft.controls))
        for name, share in shares.items():
            i = self.aircraft.control(name)
            angles[i] = share * self.aircraft.ranges[i]
        return angles
