"""Flight modes: what they mean here, and the numbers by which ArduPilot and PX4 know them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from volery.protocols.mavlink.dialect import mav

__all__ = ["ModeTable", "ModeTask", "mode_table"]


class ModeTask(Enum):
    """What a vehicle does in a mode."""

    MANUAL = auto()
    """Sticks, and without them it stays."""
    HOLD = auto()
    """Stays where it is; sticks move it."""
    GUIDED = auto()
    """Goes where it is told, one target after the other."""
    OFFBOARD = auto()
    """Follows set-points that must keep coming."""
    MISSION = auto()
    RETURN = auto()
    LAND = auto()
    TAKEOFF = auto()


def _px4(main: int, sub: int = 0) -> int:
    return main << 16 | sub << 24


_PX4 = {
    _px4(4, 3): ModeTask.HOLD, _px4(1): ModeTask.MANUAL, _px4(2): ModeTask.HOLD, _px4(3): ModeTask.HOLD,
    _px4(7): ModeTask.MANUAL, _px4(4, 1): ModeTask.HOLD, _px4(4, 2): ModeTask.TAKEOFF, _px4(4, 4): ModeTask.MISSION,
    _px4(4, 5): ModeTask.RETURN, _px4(4, 6): ModeTask.LAND, _px4(6): ModeTask.OFFBOARD,
}  # fmt: skip
"""Main mode in the third byte, sub mode of AUTO in the fourth: px4_custom_mode.h. The first of a task is the one that
the vehicle itself chooses. A place to go to is held, so GUIDED is AUTO.LOITER there."""
_COPTER = {
    5: ModeTask.HOLD, 0: ModeTask.MANUAL, 2: ModeTask.HOLD, 16: ModeTask.HOLD, 17: ModeTask.HOLD, 3: ModeTask.MISSION,
    4: ModeTask.GUIDED, 6: ModeTask.RETURN, 21: ModeTask.RETURN, 9: ModeTask.LAND,
}  # fmt: skip
"""LOITER, STABILIZE, ALT_HOLD, POSHOLD, BRAKE, AUTO, GUIDED, RTL, SMART_RTL, LAND."""
_ROVER = {
    4: ModeTask.HOLD, 0: ModeTask.MANUAL, 3: ModeTask.MANUAL, 5: ModeTask.HOLD, 10: ModeTask.MISSION,
    11: ModeTask.RETURN, 12: ModeTask.RETURN, 15: ModeTask.GUIDED,
}  # fmt: skip
"""HOLD, MANUAL, STEERING, LOITER, AUTO, RTL, SMART_RTL, GUIDED."""
_PLANE = {
    12: ModeTask.HOLD, 0: ModeTask.MANUAL, 1: ModeTask.HOLD, 5: ModeTask.HOLD, 6: ModeTask.HOLD, 7: ModeTask.HOLD,
    10: ModeTask.MISSION, 11: ModeTask.RETURN, 13: ModeTask.TAKEOFF, 15: ModeTask.GUIDED,
}  # fmt: skip
"""LOITER, MANUAL, CIRCLE, FBWA, FBWB, CRUISE, AUTO, RTL, TAKEOFF, GUIDED."""


@dataclass(frozen=True)
class ModeTable:
    """The modes of one kind of vehicle of one autopilot."""

    px4: bool
    tasks: dict[int, ModeTask]
    first: int
    """Number of the mode after the start."""

    def number(self, task: ModeTask) -> int | None:
        """The mode in which a task is done; None: this vehicle does not do it."""
        if self.px4 and task is ModeTask.GUIDED:
            task = ModeTask.HOLD
        return next((n for n, t in self.tasks.items() if t is task), None)

    def of_command(self, custom: float, sub: float) -> int:
        """The number in MAV_CMD_DO_SET_MODE's second and third parameter."""
        return _px4(int(custom), int(sub)) if self.px4 else int(custom)

    def base(self, task: ModeTask, armed: bool) -> int:
        """Bits of the heartbeat's base mode."""
        bits = mav.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED | (mav.MAV_MODE_FLAG_SAFETY_ARMED if armed else 0)
        bits |= mav.MAV_MODE_FLAG_STABILIZE_ENABLED
        if task is ModeTask.MANUAL:
            return bits | mav.MAV_MODE_FLAG_MANUAL_INPUT_ENABLED
        return bits | mav.MAV_MODE_FLAG_GUIDED_ENABLED | mav.MAV_MODE_FLAG_AUTO_ENABLED


def mode_table(autopilot: str, kind: str) -> ModeTable:
    """autopilot: ardupilot or px4; kind: copter, rover or plane."""
    if autopilot == "px4":
        tasks = dict(_PX4)
        if kind == "rover":
            tasks = {n: t for n, t in tasks.items() if t not in (ModeTask.TAKEOFF, ModeTask.LAND)}
        return ModeTable(True, tasks, _px4(4, 3))
    return ModeTable(False, {"copter": _COPTER, "rover": _ROVER, "plane": _PLANE}[kind], 12 if kind == "plane" else 0)
