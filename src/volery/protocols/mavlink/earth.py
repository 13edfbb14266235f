"""MAVLink's frames: latitude and longitude, north-east-down from the vehicle's start, forward-right-down. Only here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from volery.core.frames import enu_from_ned, flu_from_frd, frd_from_flu, ned_from_enu, quat_conjugate, quat_rotate
from volery.core.geodesy import Origin
from volery.errors import CommandError
from volery.protocols.mavlink.dialect import mav
from volery.protocols.mavlink.pilots import heading_of
from volery.robots.robot import Robot

if TYPE_CHECKING:
    from volery.sim import Simulation

__all__ = ["Earth", "yaw_enu", "yaw_ned"]

_ABSOLUTE = (mav.MAV_FRAME_GLOBAL, mav.MAV_FRAME_GLOBAL_INT)
_RELATIVE = (mav.MAV_FRAME_GLOBAL_RELATIVE_ALT, mav.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT)
_TERRAIN = (mav.MAV_FRAME_GLOBAL_TERRAIN_ALT, mav.MAV_FRAME_GLOBAL_TERRAIN_ALT_INT)
_TURNED = (mav.MAV_FRAME_BODY_NED, mav.MAV_FRAME_BODY_OFFSET_NED, mav.MAV_FRAME_BODY_FRD, mav.MAV_FRAME_LOCAL_FRD)
_OFFSET = (mav.MAV_FRAME_LOCAL_OFFSET_NED, *_TURNED)
_HIGH = 5000.0


def yaw_ned(yaw: float) -> float:
    """Clockwise from north [rad], -π to π, of an angle counter-clockwise from east [rad]."""
    return (math.pi / 2 - yaw + math.pi) % (2 * math.pi) - math.pi


yaw_enu = yaw_ned
"""Counter-clockwise from east of an angle clockwise from north: the same exchange."""


class Earth:
    """Where a vehicle's world lies on Earth, and where its own zero is."""

    def __init__(self, simulation: Simulation, origin: Origin, start_W: np.ndarray) -> None:
        """start_W: where the vehicle began, the zero of its local frame [m]."""
        self._simulation, self.origin = simulation, origin
        self.start_W = start_W.copy()
        self.home_W = start_W.copy()
        """Where it returns to, and what heights are above [m]."""

    def geodetic(self, p_W: np.ndarray) -> tuple[float, float, float]:
        """Latitude, longitude [deg] and height [m] of a point in W."""
        latitude, longitude, height = self.origin.geodetic(p_W)
        return math.degrees(latitude), math.degrees(longitude), float(height)

    def whole(self, p_W: np.ndarray) -> tuple[int, int, int]:
        """The same as messages have it: 1e-7 deg, 1e-7 deg, mm."""
        latitude, longitude, height = self.geodetic(p_W)
        return round(latitude * 1e7), round(longitude * 1e7), round(height * 1e3)

    def local(self, p_W: np.ndarray) -> np.ndarray:
        """North, east, down from the vehicle's zero [m]."""
        return ned_from_enu(p_W - self.start_W)

    @staticmethod
    def in_body(robot: Robot, v_W: np.ndarray) -> np.ndarray:
        """A vector of W along forward, right, down."""
        return frd_from_flu(quat_rotate(quat_conjugate(robot.q_WB_wxyz), v_W))

    def place(self, frame: int, x: float, y: float, z: float, robot: Robot) -> np.ndarray:
        """A point in W of a frame's coordinates: degrees and metres, or metres."""
        if not all(map(math.isfinite, (x, y, z))):
            raise CommandError("a place must be finite numbers")
        if frame in (*_ABSOLUTE, *_RELATIVE, *_TERRAIN):
            return self._on_earth(frame, x, y, z)
        if frame == mav.MAV_FRAME_LOCAL_NED:
            return self.start_W + enu_from_ned(np.array([x, y, z]))
        if frame in _OFFSET:
            return robot.p_WB + self.vector(frame, np.array([x, y, z]), robot)
        raise CommandError(f"places in MAV_FRAME {frame} are not known")

    def _on_earth(self, frame: int, latitude: float, longitude: float, height: float) -> np.ndarray:
        if abs(latitude) > 90.0 or abs(longitude) > 180.0:
            raise CommandError(f"{latitude:g}°, {longitude:g}° is no place on Earth")
        if frame in _RELATIVE:
            height += self.geodetic(self.home_W)[2]
        p = self.origin.enu_from_geodetic(np.array([math.radians(latitude), math.radians(longitude), height]))
        if frame in _TERRAIN:
            p[2] = self._ground(p) + height
        return p

    def _ground(self, p_W: np.ndarray) -> float:
        """z of the ground there [m]; home's where nothing is."""
        above = np.array([p_W[0], p_W[1], self.home_W[2] + _HIGH])
        hits = self._simulation.scene.cast(above, np.array([[0.0, 0.0, -1.0]]), max_range=2 * _HIGH)
        return float(hits.points[0][2]) if hits.hit[0] else float(self.home_W[2])

    @staticmethod
    def vector(frame: int, v: np.ndarray, robot: Robot) -> np.ndarray:
        """A velocity, acceleration or offset of a frame in W; body frames turn with the heading and stay upright."""
        if frame not in _TURNED:
            return enu_from_ned(v)
        yaw = heading_of(robot)
        forward, left, up = flu_from_frd(v)
        c, s = math.cos(yaw), math.sin(yaw)
        return np.array([c * forward - s * left, s * forward + c * left, up])

    @staticmethod
    def turned(frame: int) -> bool:
        """Whether angles of a frame are from the nose."""
        return frame in _TURNED
