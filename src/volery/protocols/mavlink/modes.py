"""Flight modes: what they mean here, and the numbers by which ArduPilot and PX4 know them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from volery.protocols.mavlink.dialect import mav

__all__ = ["ModeTable", "Task", "mode_table"]


class Task(Enum):
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
    _px4(4, 3): Task.HOLD, _px4(1): Task.MANUAL, _px4(2): Task.HOLD, _px4(3): Task.HOLD, _px4(7): Task.MANUAL,
    _px4(4, 1): Task.HOLD, _px4(4, 2): Task.TAKEOFF, _px4(4, 4): Task.MISSION, _px4(4, 5): Task.RETURN,
    _px4(4, 6): Task.LAND, _px4(6): Task.OFFBOARD,
}  # fmt: skip
"""Main mode in the third byte, sub mode of AUTO in the fourth: px4_custom_mode.h. The first of a task is the one that
the vehicle itself chooses. A place to go to is held, so GUIDED is AUTO.LOITER there."""
_COPTER = {
    5: Task.HOLD, 0: Task.MANUAL, 2: Task.HOLD, 16: Task.HOLD, 17: Task.HOLD, 3: Task.MISSION, 4: Task.GUIDED,
    6: Task.RETURN, 21: Task.RETURN, 9: Task.LAND,
}  # fmt: skip
"""LOITER, STABILIZE, ALT_HOLD, POSHOLD, BRAKE, AUTO, GUIDED, RTL, SMART_RTL, LAND."""
_ROVER = {
    4: Task.HOLD, 0: Task.MANUAL, 3: Task.MANUAL, 5: Task.HOLD, 10: Task.MISSION, 11: Task.RETURN, 12: Task.RETURN,
    15: Task.GUIDED,
}  # fmt: skip
"""HOLD, MANUAL, STEERING, LOITER, AUTO, RTL, SMART_RTL, GUIDED."""
_PLANE = {
    12: Task.HOLD, 0: Task.MANUAL, 1: Task.HOLD, 5: Task.HOLD, 6: Task.HOLD, 7: Task.HOLD, 10: Task.MISSION,
    11: Task.RETURN, 13: Task.TAKEOFF, 15: Task.GUIDED,
}  # fmt: skip
"""LOITER, MANUAL, CIRCLE, FBWA, FBWB, CRUISE, AUTO, RTL, TAKEOFF, GUIDED."""


@dataclass(frozen=True)
class ModeTable:
    """The modes of one kind of vehicle of one autopilot."""

    px4: bool
    tasks: dict[int, Task]
    first: int
    """Number of the mode after the start."""

    def number(self, task: Task) -> int | None:
        """The mode in which a task is done; None: this vehicle does not do it."""
        if self.px4 and task is Task.GUIDED:
            task = Task.HOLD
        return next((n for n, t in self.tasks.items() if t is task), None)

    def of_command(self, custom: float, sub: float) -> int:
        """The number in MAV_CMD_DO_SET_MODE's second and third parameter."""
        return _px4(int(custom), int(sub)) if self.px4 else int(custom)

    def base(self, task: Task, armed: bool) -> int:
        """Bits of the heartbeat's base mode."""
        bits = mav.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED | (mav.MAV_MODE_FLAG_SAFETY_ARMED if armed else 0)
        bits |= mav.MAV_MODE_FLAG_STABILIZE_ENABLED
        if task is Task.MANUAL:
            return bits | mav.MAV_MODE_FLAG_MANUAL_INPUT_ENABLED
        return bits | mav.MAV_MODE_FLAG_GUIDED_ENABLED | mav.MAV_MODE_FLAG_AUTO_ENABLED


def mode_table(autopilot: str, kind: str) -> ModeTable:
    """autopilot: ardupilot or px4; kind: copter, rover or plane."""
    if autopilot == "px4":
        tasks = dict(_PX4)
        if kind == "rover":
            tasks = {n: t for n, t in tasks.items() if t not in (Task.TAKEOFF, Task.LAND)}
        return ModeTable(True, tasks, _px4(4, 3))
    return ModeTable(False, {"copter": _COPTER, "rover": _ROVER, "plane": _PLANE}[kind], 12 if kind == "plane" else 0)
