"""Parameters by the names that each autopilot's users know; what they set is flown by, in SI units inside."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

from volery.errors import ScenarioError, UnknownNameError
from volery.protocols.mavlink.dialect import mav

__all__ = ["Parameters"]


@dataclass(frozen=True)
class _Row:
    """A quantity, and what it is called."""

    role: str
    ardupilot: str
    """Name, empty: it has none."""
    scale: float
    """Of ArduPilot's unit in SI; PX4's are SI."""
    px4: str
    default: float
    """In SI."""
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    fixed: bool = False
    """Answered, but not changed."""


_ROWS = [
    _Row("system", "SYSID_THISMAV", 1, "MAV_SYS_ID", 1, whole=True, fixed=True),
    _Row("frame", "FRAME_CLASS", 1, "SYS_AUTOSTART", 1, whole=True, fixed=True),
    _Row("vehicle", "", 1, "MAV_TYPE", 2, whole=True, fixed=True),
    _Row("speed", "WPNAV_SPEED", 0.01, "MPC_XY_CRUISE", 5.0, 0.1, 100.0),
    _Row("climb", "WPNAV_SPEED_UP", 0.01, "MPC_Z_VEL_MAX_UP", 2.5, 0.1, 20.0),
    _Row("descend", "WPNAV_SPEED_DN", 0.01, "MPC_Z_VEL_MAX_DN", 1.5, 0.1, 10.0),
    _Row("land_speed", "LAND_SPEED", 0.01, "MPC_LAND_SPEED", 0.5, 0.1, 2.0),
    _Row("acceleration", "WPNAV_ACCEL", 0.01, "MPC_ACC_HOR", 2.5, 0.1, 20.0),
    _Row("radius", "WPNAV_RADIUS", 0.01, "NAV_ACC_RAD", 1.0, 0.05, 1000.0),
    _Row("takeoff", "PILOT_TKOFF_ALT", 0.01, "MIS_TAKEOFF_ALT", 2.5, 0.0, 1000.0),
    _Row("return_height", "RTL_ALT", 0.01, "RTL_RETURN_ALT", 15.0, 0.0, 5000.0),
    _Row("disarm_delay", "DISARM_DELAY", 1, "COM_DISARM_PRFLT", 10.0, 0.0, 127.0),
    _Row("offboard_loss", "GUID_TIMEOUT", 1, "COM_OF_LOSS_T", 3.0, 0.1, 60.0),
    _Row("fence_on", "FENCE_ENABLE", 1, "", 0, 0, 1, whole=True),
    _Row("fence_action", "FENCE_ACTION", 1, "GF_ACTION", 1, 0, 5, whole=True),
    _Row("fence_height", "FENCE_ALT_MAX", 1, "GF_MAX_VER_DIST", 100.0, 0.0, 1e5),
    _Row("fence_radius", "FENCE_RADIUS", 1, "GF_MAX_HOR_DIST", 300.0, 0.0, 1e6),
    _Row("hover", "MOT_THST_HOVER", 1, "MPC_THR_HOVER", 0.5, 0.0, 1.0, fixed=True),
    _Row("battery_cells", "", 1, "BAT1_N_CELLS", 4, whole=True, fixed=True),
    # Ground stations look whether sensors are calibrated: simulated ones are.
    _Row("", "", 1, "CAL_GYRO0_ID", 1310988, whole=True, fixed=True),
    _Row("", "", 1, "CAL_ACC0_ID", 1310988, whole=True, fixed=True),
    _Row("", "", 1, "CAL_MAG0_ID", 197388, whole=True, fixed=True),
    _Row("", "INS_ACCOFFS_X", 1, "", 0.001, fixed=True),
    _Row("", "INS_GYR_CAL", 1, "", 1, whole=True, fixed=True),
    _Row("", "ARMING_CHECK", 1, "", 1, whole=True, fixed=True),
    _Row("", "COMPASS_USE", 1, "", 1, whole=True, fixed=True),
]
_KINDS = {
    "plane": {"speed": "AIRSPEED_CRUISE", "radius": "WP_RADIUS", "climb": "", "descend": "", "frame": ""},
    "rover": {
        "speed": "WP_SPEED", "radius": "WP_RADIUS", "climb": "", "descend": "", "land_speed": "", "takeoff": "",
        "return_height": "", "hover": "", "acceleration": "ATC_ACCEL_MAX",
    },
}  # fmt: skip
"""ArduPilot's names of other kinds of vehicles, which have them in SI; empty: there is none."""
_PX4_DEFAULTS = {"fence_action": 2.0, "fence_height": 0.0, "fence_radius": 0.0, "offboard_loss": 1.0}


class Parameters:
    """The parameters of one vehicle, in a fixed order."""

    def __init__(self, autopilot: str, kind: str, told: dict[str, float], start: dict[str, float]) -> None:
        """told: values by the autopilot's names, as in the settings; start: in SI, by role, of this robot."""
        self._bytewise = autopilot == "px4"
        self._rows: dict[str, _Row] = {}
        self._scales: dict[str, float] = {}
        self._roles: dict[str, float] = {}
        self._names: dict[str, str] = {}
        for row in _ROWS:
            self._add(row, autopilot, kind, start)
        self.names = sorted(self._rows)
        for name, value in told.items():
            if name not in self._rows:
                raise ScenarioError(f"mavlink: {UnknownNameError('parameter', name, self._rows)}")
            if not self.set(name, value):
                raise ScenarioError(f"mavlink: the parameter {name} cannot be {value:g}")

    def _add(self, row: _Row, autopilot: str, kind: str, start: dict[str, float]) -> None:
        name = row.px4 if self._bytewise else _KINDS.get(kind, {}).get(row.role, row.ardupilot)
        default = _PX4_DEFAULTS.get(row.role, row.default) if self._bytewise else row.default
        value = start.get(row.role, default)
        if row.role:
            self._roles[row.role] = value
        if name:
            self._rows[name], self._names[name] = row, row.role or name
            self._scales[name] = 1.0 if self._bytewise or name != row.ardupilot else row.scale
            self._roles.setdefault(self._names[name], value)

    def __getitem__(self, role: str) -> float:
        """A quantity in SI."""
        return self._roles[role]

    def get(self, name: str) -> float:
        """A value in the unit that the autopilot's users know."""
        return self._roles[self._names[name]] / self._scales[name]

    def set(self, name: str, value: float) -> bool:
        """Change one; whether it was."""
        row = self._rows.get(name)
        if row is None or row.fixed or not math.isfinite(value):
            return False
        inside = value * self._scales[name]
        if not row.low <= inside <= row.high or (row.whole and inside != round(inside)):
            return False
        self._roles[self._names[name]] = inside
        return True

    def switch(self, role: str, value: float) -> None:
        """Change a quantity by its role, as a command does."""
        self._roles[role] = value

    def message(self, name: str) -> Any:
        """PARAM_VALUE of one."""
        value, whole = self.get(name), self._rows[name].whole
        kind = mav.MAV_PARAM_TYPE_INT32 if whole else mav.MAV_PARAM_TYPE_REAL32
        if whole and self._bytewise:
            # PX4 puts the bytes of a whole number into the float.
            value = struct.unpack("<f", struct.pack("<i", round(value)))[0]
        return mav.MAVLink_param_value_message(name.encode(), value, kind, len(self.names), self.names.index(name))

    def told(self, message: Any) -> tuple[str, float]:
        """Name and value of a PARAM_SET."""
        name, value = name_of(message), float(message.param_value)
        if self._bytewise and message.param_type != mav.MAV_PARAM_TYPE_REAL32:
            value = float(struct.unpack("<i", struct.pack("<f", value))[0])
        return name, value

    def find(self, message: Any) -> str | None:
        """The name that a PARAM_REQUEST_READ wants."""
        if message.param_index >= 0:
            return self.names[message.param_index] if message.param_index < len(self.names) else None
        name = name_of(message)
        return name if name in self._rows else None


def name_of(message: Any) -> str:
    """The name in a message, whatever bytes are in it."""
    raw = message.param_id
    text = raw.decode("ascii", "replace") if isinstance(raw, bytes) else str(raw)
    return text.split("\0")[0]
