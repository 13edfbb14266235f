"""Set-points from outside: places, velocities, accelerations, attitudes, each held until the next or its time-out."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import flu_from_frd, q_enu_flu_from_ned_frd
from volery.errors import CommandError
from volery.protocols.mavlink.earth import yaw_enu
from volery.protocols.mavlink.pilots import heading_of, wrap
from volery.robots.commands import Acceleration

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Setpoint", "attitude_setpoint", "position_setpoint"]

_CLOSE = 0.8
_YAW, _YAW_RATE, _FORCE = 1024, 2048, 512
"""Bits of the type mask that say: not this."""


@dataclass
class Setpoint:
    """What a program wants now, in W."""

    p_W: np.ndarray | None = None
    """Place [m]; axes that were left out are NaN."""
    v_W: np.ndarray | None = None
    a_W: np.ndarray | None = None
    yaw: float | None = None
    yaw_rate: float = 0.0
    attitude: tuple[np.ndarray | None, np.ndarray, float] | None = None
    """Attitude or none, rates in B [rad/s], thrust."""
    lasts: bool = False
    """A place stays told; all else must be told again and again."""
    told: float = field(default_factory=time.monotonic)
    """When it came [s of wall time]: links break in wall time."""

    def apply(self, vehicle: MavlinkVehicle, dt: float) -> None:
        """Fly by it for the next dt [s]."""
        pilot, p, v = vehicle.pilot, self.p_W, self.v_W
        if self.attitude is not None:
            pilot.attitude(*self.attitude)
        elif p is not None and np.isfinite(p).all():
            if v is None and self.a_W is None:
                pilot.go(p, self.yaw, vehicle.speed, dt)
            else:
                pilot.follow(p, _zero(v), _zero(self.a_W), self.yaw)
        elif p is not None or v is not None:
            wanted = _zero(v)
            if p is not None:
                gap = _CLOSE * (p - vehicle.robot.p_WB)
                wanted = np.where(np.isnan(p), wanted, np.clip(gap, -vehicle.speed, vehicle.speed))
            pilot.velocity(wanted, self.yaw, self.yaw_rate)
        elif self.a_W is not None:
            pilot.tell(Acceleration(self.a_W, self.yaw_rate if self.yaw is None else 0.0, self.yaw))
        elif self.yaw is not None or self.yaw_rate:
            pilot.velocity(np.zeros(3), self.yaw, self.yaw_rate)


def _zero(v: np.ndarray | None) -> np.ndarray:
    return np.zeros(3) if v is None else np.nan_to_num(v)


def _axes(mask: int, first: int, values: tuple[float, float, float]) -> np.ndarray | None:
    """Three numbers, NaN where the mask leaves them out; None: all are."""
    told = [math.nan if mask & (first << i) else float(v) for i, v in enumerate(values)]
    return None if all(map(math.isnan, told)) else np.array(told)


def position_setpoint(vehicle: MavlinkVehicle, m: Any) -> Setpoint:
    """Of SET_POSITION_TARGET_LOCAL_NED or SET_POSITION_TARGET_GLOBAL_INT."""
    frame, mask, earth, robot = m.coordinate_frame, m.type_mask, vehicle.earth, vehicle.robot
    if mask & _FORCE:
        raise CommandError("set-points of force are not taken; send accelerations")
    found = Setpoint(p_W=_place(vehicle, m))
    v, a = _axes(mask, 8, (m.vx, m.vy, m.vz)), _axes(mask, 64, (m.afx, m.afy, m.afz))
    for told in (v, a):
        if told is not None and np.isinf(told).any():
            raise CommandError("a set-point must be finite numbers")
    found.v_W = None if v is None else earth.vector(frame, np.nan_to_num(v), robot)
    found.a_W = None if a is None else earth.vector(frame, np.nan_to_num(a), robot)
    if not mask & _YAW and math.isfinite(m.yaw):
        found.yaw = wrap(heading_of(robot) - m.yaw) if earth.turned(frame) else yaw_enu(m.yaw)
    if not mask & _YAW_RATE and math.isfinite(m.yaw_rate):
        found.yaw_rate = -float(m.yaw_rate)
    if all(x is None for x in (found.p_W, found.v_W, found.a_W, found.yaw)) and not found.yaw_rate:
        raise CommandError("a set-point that leaves everything out says nothing")
    found.lasts = found.p_W is not None and bool(np.isfinite(found.p_W).all()) and v is None
    return found


def _place(vehicle: MavlinkVehicle, m: Any) -> np.ndarray | None:
    """Where a set-point wants the vehicle; axes that are left out are NaN."""
    earth, robot, mask = vehicle.earth, vehicle.robot, m.type_mask
    if m.get_type() == "SET_POSITION_TARGET_GLOBAL_INT":
        if mask & 7 == 7:
            return None
        if mask & 7:
            raise CommandError("a place on Earth needs latitude, longitude and altitude")
        return earth.place(m.coordinate_frame, m.lat_int * 1e-7, m.lon_int * 1e-7, m.alt, robot)
    told = _axes(mask, 1, (m.x, m.y, m.z))
    if told is None:
        return None
    if np.isinf(told).any():
        raise CommandError("a set-point must be finite numbers")
    x, y, z = np.nan_to_num(told).tolist()
    p = earth.place(m.coordinate_frame, x, y, z, robot)
    missing = np.isnan(told)[[1, 0, 2]]
    if missing.any() and earth.turned(m.coordinate_frame):
        missing[:2] = missing[:2].any()
    return np.where(missing, math.nan, p)


def attitude_setpoint(m: Any) -> Setpoint:
    """Of SET_ATTITUDE_TARGET."""
    rates, thrust = np.array([m.body_roll_rate, m.body_pitch_rate, m.body_yaw_rate], float), float(m.thrust)
    q = np.array(m.q, float)
    if not np.isfinite(rates).all() or not np.isfinite(thrust) or m.type_mask & 64:
        raise CommandError("a set-point of attitude needs a thrust and finite numbers")
    by_rates = bool(m.type_mask & 128)
    if not by_rates and not 0.5 < np.linalg.norm(q) < 2.0:
        raise CommandError("a set-point of attitude needs a unit quaternion")
    rates = flu_from_frd(np.where([m.type_mask & 1, m.type_mask & 2, m.type_mask & 4], 0.0, rates))
    return Setpoint(attitude=(None if by_rates else q_enu_flu_from_ned_frd(q), rates, thrust))
