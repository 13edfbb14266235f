"""The geofence: polygons and circles to stay in or out of, a height and a distance from home."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.errors import CommandError
from volery.protocols.mavlink.dialect import mav

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Fence"]

_INSIDE = mav.MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION
_OUTSIDE = mav.MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION
_ROUND_INSIDE = mav.MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION
_ROUND_OUTSIDE = mav.MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION
_RETURN = mav.MAV_CMD_NAV_FENCE_RETURN_POINT


class Fence:
    """What the items of a fence mean, in W."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self._vehicle = vehicle
        self._polygons: list[tuple[bool, np.ndarray]] = []
        """Whether one must be inside, and corners [n, 2] [m]."""
        self._circles: list[tuple[bool, np.ndarray, float]] = []
        self.breached = 0
        """FENCE_BREACH of now; 0: none."""
        self.count = 0
        """Breaches so far."""
        self.since_ms = 0

    def load(self, items: list[Any]) -> None:
        """Take the items of a fence; what cannot be is refused, and the fence stays as it was."""
        polygons, circles, at = [], [], 0
        while at < len(items):
            item = items[at]
            if item.command in (_INSIDE, _OUTSIDE):
                count = int(item.params[0]) if math.isfinite(item.params[0]) else 0
                part = items[at : at + count]
                if not 3 <= count <= len(part) or any(i.command != item.command for i in part):
                    raise CommandError("a fence's polygon has at least three corners, all together")
                polygons.append((item.command == _INSIDE, np.array([self._place(i) for i in part])))
                at += count
                continue
            if item.command in (_ROUND_INSIDE, _ROUND_OUTSIDE):
                if not 0.0 < item.params[0] < 1e7:
                    raise CommandError("a fence's circle has a radius above 0")
                circles.append((item.command == _ROUND_INSIDE, self._place(item), float(item.params[0])))
            elif item.command != _RETURN:
                raise CommandError(f"command {item.command} is no part of a fence")
            at += 1
        self._polygons, self._circles = polygons, circles

    @property
    def active(self) -> bool:
        """Whether it is watched: ArduPilot's is switched on, PX4's when it has an action and something to watch."""
        parameters = self._vehicle.parameters
        if not self._vehicle.px4:
            return parameters["fence_on"] > 0
        limits = parameters["fence_height"] > 0 or parameters["fence_radius"] > 0
        return parameters["fence_action"] > 0 and (limits or bool(self._polygons or self._circles))

    def breach(self, p_W: np.ndarray) -> int:
        """FENCE_BREACH of a place; 0: it is allowed."""
        parameters, home = self._vehicle.parameters, self._vehicle.earth.home_W
        if 0 < parameters["fence_height"] < p_W[2] - home[2]:
            return mav.FENCE_BREACH_MAXALT
        if 0 < parameters["fence_radius"] < math.hypot(*(p_W - home)[:2]):
            return mav.FENCE_BREACH_BOUNDARY
        for must, corners in self._polygons:
            if _inside(corners, p_W) != must:
                return mav.FENCE_BREACH_BOUNDARY
        for must, centre, radius in self._circles:
            if (math.hypot(*(p_W[:2] - centre)) < radius) != must:
                return mav.FENCE_BREACH_BOUNDARY
        return 0

    def look(self, now_ms: int) -> bool:
        """Whether the vehicle has just broken out."""
        found = self.breach(self._vehicle.robot.p_WB) if self.active else 0
        fresh = bool(found) and not self.breached
        self.breached = found
        if fresh:
            self.count, self.since_ms = self.count + 1, now_ms
        return fresh

    def _place(self, item: Any) -> np.ndarray:
        return self._vehicle.earth.place(item.frame, item.x, item.y, 0.0, self._vehicle.robot)[:2]


def _inside(corners: np.ndarray, p_W: np.ndarray) -> bool:
    """Whether a ray to the east crosses the polygon an odd number of times."""
    x, y = p_W[0], p_W[1]
    after = np.roll(corners, -1, axis=0)
    crosses = (corners[:, 1] > y) != (after[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = corners[:, 0] + (y - corners[:, 1]) / (after[:, 1] - corners[:, 1]) * (after[:, 0] - corners[:, 0])
    return bool(np.count_nonzero(crosses & (at > x)) % 2)
