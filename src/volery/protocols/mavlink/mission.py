"""Flying a mission: one item after the other, as the autopilot that is spoken does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from volery.errors import CommandError
from volery.protocols.mavlink.commands import MISSION_COMMANDS, MavCommand, perform
from volery.protocols.mavlink.dialect import mav
from volery.protocols.mavlink.earth import yaw_enu
from volery.protocols.mavlink.pilots import heading_of, wrap
from volery.protocols.mavlink.plans import PlanItem

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["MissionProgress"]

_PLACES = (
    mav.MAV_CMD_NAV_WAYPOINT, mav.MAV_CMD_NAV_SPLINE_WAYPOINT, mav.MAV_CMD_NAV_LOITER_UNLIM,
    mav.MAV_CMD_NAV_LOITER_TIME, mav.MAV_CMD_NAV_LOITER_TURNS, mav.MAV_CMD_NAV_LAND, mav.MAV_CMD_NAV_TAKEOFF,
)  # fmt: skip
_WAITS = (mav.MAV_CMD_NAV_DELAY, mav.MAV_CMD_CONDITION_DELAY)
_OTHERS = (
    mav.MAV_CMD_NAV_RETURN_TO_LAUNCH, mav.MAV_CMD_DO_JUMP, mav.MAV_CMD_CONDITION_YAW, mav.MAV_CMD_DO_LAND_START,
    mav.MAV_CMD_NAV_VTOL_TAKEOFF,
)  # fmt: skip
_TURN = 10.0
"""Seconds of a turn round a place, for what can hover [s]."""
_MOST_DONE = 100
"""Items that take no time, in one step: a mission that only jumps must not hold the loop."""


class MissionProgress:
    """Where a vehicle is in its mission."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self._vehicle = vehicle
        self.current = 0
        self.active = False
        self.complete = False
        self._waited = 0.0
        self._there = False
        self._rising: float | None = None
        """z to climb to before the first place, from the ground [m]."""
        self._jumps: dict[int, int] = {}

    @property
    def items(self) -> list[PlanItem]:
        """Of the mission that is loaded."""
        return self._vehicle.plans.mission

    @property
    def first(self) -> int:
        """ArduPilot's first item is home, and not flown to."""
        return 0 if self._vehicle.px4 else 1

    @property
    def count(self) -> int:
        """Items as MISSION_CURRENT counts them."""
        return max(len(self.items) - self.first, 0)

    @property
    def state(self) -> int:
        """MISSION_STATE."""
        if not self.items:
            return mav.MISSION_STATE_NO_MISSION
        if self.complete:
            return mav.MISSION_STATE_COMPLETE
        if self.active:
            return mav.MISSION_STATE_ACTIVE
        return mav.MISSION_STATE_PAUSED if self.current > self.first else mav.MISSION_STATE_NOT_STARTED

    def load(self, items: list[PlanItem]) -> None:
        """Take a new mission, or refuse it: items that cannot be flown, places that are none or outside the fence."""
        for item in items[self.first :]:
            if item.command not in (*_PLACES, *_WAITS, *_OTHERS, *MISSION_COMMANDS):
                raise CommandError(f"item {item.seq}: command {item.command} is not supported")
            if item.command in _PLACES:
                self._place(item)
        self.current, self.complete, self._jumps = 0, False, {}
        self._enter()
        if self.active and not items:
            self._vehicle.hold()

    def select(self, seq: int) -> bool:
        """Go on with an item; whether there is such a one."""
        if not 0 <= seq < len(self.items):
            return False
        self.current, self.complete = seq, False
        self._enter()
        return True

    def start(self) -> None:
        """Begin, or go on where it was left."""
        if self.complete or self.current < self.first or self.current >= len(self.items):
            self.current, self.complete, self._jumps = self.first, False, {}
        self.active = True
        self._enter()
        places = (i for i in self.items[self.current :] if i.command in _PLACES)
        item = next(places, None)
        on_ground = self._vehicle.resting and self._vehicle.pilot.flies
        rises = item is not None and on_ground and item.command != mav.MAV_CMD_NAV_TAKEOFF
        self._rising = float(self._place(item)[2]) if rises and item is not None else None

    def pause(self) -> None:
        """Another mode."""
        self.active = False

    def step(self, dt: float) -> None:
        """Fly on for dt [s]."""
        if self._rising is not None and not self._rise(dt):
            return
        for _ in range(_MOST_DONE):
            if self.current >= len(self.items):
                self._end()
                return
            if not self._do(self.items[self.current], dt):
                return
            self._next()
            if not self.active:
                self.complete = self.complete or self.current >= len(self.items)
                return

    def _rise(self, dt: float) -> bool:
        assert self._rising is not None
        vehicle = self._vehicle
        up = np.array([*vehicle.lift_W[:2], self._rising])
        vehicle.lift()
        if vehicle.pilot.go(up, heading_of(vehicle.robot), vehicle.speed, dt) > vehicle.parameters["radius"]:
            return False
        self._rising = None
        return True

    def _next(self) -> None:
        if self.current < len(self.items) and self.items[self.current].command == mav.MAV_CMD_DO_JUMP:
            self.current = self._jump(self.items[self.current])
        else:
            self._vehicle.send(mav.MAVLink_mission_item_reached_message(self.current))
            self.current += 1
            self._vehicle.streams.tell(mav.MAVLINK_MSG_ID_MISSION_CURRENT, None)
        self._enter()

    def _jump(self, item: PlanItem) -> int:
        """Where a jump leads to; -1 times are for ever."""
        target, times = item.params[0], item.params[1]
        done = self._jumps.get(item.seq, 0)
        ahead = math.isfinite(target) and self.first <= target < len(self.items)
        if not ahead or (times >= 0 and done >= times):
            return item.seq + 1
        self._jumps[item.seq] = done + 1
        return int(target)

    def _enter(self) -> None:
        self._waited, self._there = 0.0, False

    def _end(self) -> None:
        self.complete, self.active = True, False
        self.current = max(len(self.items) - 1, 0)
        self._vehicle.say("Mission finished", mav.MAV_SEVERITY_INFO)
        self._vehicle.mission_over()

    def _do(self, item: PlanItem, dt: float) -> bool:
        """One item for dt; whether it is done."""
        command = item.command
        if command in _PLACES:
            return self._land(item, dt) if command == mav.MAV_CMD_NAV_LAND else self._to_place(item, dt)
        if command in _WAITS:
            self._waited += dt
            return self._waited >= item.params[0]
        if command == mav.MAV_CMD_NAV_RETURN_TO_LAUNCH:
            self.complete, self.active = True, False
            self._vehicle.return_home()
        elif command == mav.MAV_CMD_CONDITION_YAW:
            return self._turn(item, dt)
        elif command in MISSION_COMMANDS:
            order = MavCommand(command, *item.params, item.x, item.y, item.z, item.frame)
            if perform(self._vehicle, order) != mav.MAV_RESULT_ACCEPTED:
                self._vehicle.say(f"Mission item {item.seq} failed", mav.MAV_SEVERITY_WARNING)
        return True

    def _to_place(self, item: PlanItem, dt: float) -> bool:
        vehicle, hold = self._vehicle, 0.0
        p, yaw = self._place(item), item.params[3]
        if item.command == mav.MAV_CMD_NAV_TAKEOFF:
            vehicle.lift()
            p[:2] = vehicle.lift_W[:2]
        radius = vehicle.parameters["radius"]
        if item.command in (mav.MAV_CMD_NAV_WAYPOINT, mav.MAV_CMD_NAV_SPLINE_WAYPOINT):
            hold = max(item.params[0], 0.0) if math.isfinite(item.params[0]) else 0.0
            radius = item.params[1] if item.params[1] > 0.0 else radius
        elif item.command == mav.MAV_CMD_NAV_LOITER_TIME:
            hold = max(item.params[0], 0.0)
        elif item.command == mav.MAV_CMD_NAV_LOITER_TURNS:
            hold = _TURN * abs(item.params[0])
        elif item.command == mav.MAV_CMD_NAV_LOITER_UNLIM:
            hold = math.inf
        # ArduPilot's missions have no yaw: 0 means along the way.
        told = vehicle.px4 and math.isfinite(yaw) and item.command == mav.MAV_CMD_NAV_WAYPOINT
        nose = yaw_enu(math.radians(yaw)) if told else None
        if item.command == mav.MAV_CMD_NAV_TAKEOFF:
            nose = heading_of(vehicle.robot)
        self._there = vehicle.pilot.go(p, nose, vehicle.speed, dt) <= radius or self._there
        self._waited += dt if self._there else 0.0
        return self._there and self._waited >= hold

    def _land(self, item: PlanItem, dt: float) -> bool:
        """Over the place, then down."""
        vehicle = self._vehicle
        p = self._place(item)
        p[2] = vehicle.robot.p_WB[2]
        if not self._there and vehicle.pilot.kind == "copter":
            self._there = vehicle.pilot.go(p, None, vehicle.speed, dt) <= 0.3
            return False
        if not vehicle.pilot.sink(dt):
            return False
        vehicle.landed()
        return True

    def _turn(self, item: PlanItem, dt: float) -> bool:
        """To a heading, on the spot."""
        vehicle = self._vehicle
        wanted = yaw_enu(math.radians(item.params[0]))
        vehicle.pilot.velocity(np.zeros(3), wanted, 0.0)
        self._waited += dt
        return abs(wrap(heading_of(vehicle.robot) - wanted)) < 0.05 or self._waited > 20.0

    def _place(self, item: PlanItem) -> np.ndarray:
        """Of an item in W; without latitude and longitude it is where the vehicle is."""
        vehicle = self._vehicle
        x, y = item.x, item.y
        if (x == 0.0 and y == 0.0 and item.frame != mav.MAV_FRAME_LOCAL_NED) or not math.isfinite(x + y):
            x, y, _ = vehicle.earth.geodetic(vehicle.robot.p_WB)
        p = vehicle.earth.place(item.frame, x, y, item.z, vehicle.robot)
        if vehicle.fence.active and item.command != mav.MAV_CMD_NAV_LAND and vehicle.fence.breach(p):
            raise CommandError(f"item {item.seq} lies outside the fence")
        return p
