"""What a robot's section says beside its body: camera, messages, speed loop; and keys that are not understood."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any

from volery.errors import did_you_mean
from volery.robots.usarini import IniSection, UsarIni, number, truth

__all__ = ["ITEMS", "ROBOT_KEYS", "camera_fov", "note_unknown", "rules_of", "speed_loop"]

_log = logging.getLogger("volery")
ITEMS = ("sensors", "addparts", "camera", "cameras", "headlights", "headlight", "mispkgs")
"""Keys whose values are mounted items."""
_GAINS = (("kp", "pgain"), ("ki", "igain"), ("kd", "dgain"))
_BODY = tuple(
    "jointparts chassissize chassismass chassisposition weight mass radius width motortorque maxspeed maxtorque "
    "suspstiffness suspdampratio tirerollfriction maxsteerangle motorspeed bsuspensionlocked".split()
)
"""Keys of a robot's body, which its builder reads."""
_RULES = (
    *("msgtimer", "babsolutecamera", "bspeedcontrol", "minout", "maxout", "camerafov", "batterylife"),
    *(name for names in _GAINS for name in names),
)
_NO_PART = ("bdebug", "bdisplayteambeacon", "bdrawlines", "busevolumeoverride", "volumeoverride")
"""Keys of a game, or of how it is drawn, that have no meaning here."""
_GENERIC = "usarvehicle"
"""Section whose keys all robots have."""


def _last(ini: UsarIni, section: IniSection, *keys: str) -> Any:
    """A key of the robot, or else of all robots."""
    for place in (section, ini.find(_GENERIC)):
        for key in keys:
            if place is not None and place.last(key) is not None:
                return place.last(key)
    return None


def rules_of(ini: UsarIni, section: IniSection) -> dict[str, Any]:
    """The entry `usar` of a robot file."""
    rules: dict[str, Any] = {}
    period = number(_last(ini, section, "msgtimer"), 0.0)
    if period > 0.0:
        rules["message_period"] = min(period, 60.0)
    for key, name in (("babsolutecamera", "absolute_camera"), ("bspeedcontrol", "speed_control")):
        value = _last(ini, section, key)
        if value is not None:
            rules[name] = truth(value)
    most = max((abs(number(_last(ini, section, key), 0.0)) for key in ("maxout", "minout")), default=0.0)
    if most > 0.0:
        rules["most_torque"] = min(most, 1e6)
    return rules


def speed_loop(ini: UsarIni, section: IniSection) -> float | None:
    """Ki / Kp of the wheels' speed loop [1/s], which alone has a unit that is known; None: the file does not say."""
    p, i, d = (number(_last(ini, section, *names), 0.0) for names in _GAINS)
    if p > 0.0 and d:
        _log.warning("%s: DGain of '%s' has no unit here; left out", _where(ini, section, _GAINS[2]), section.name)
    return min(i / p, 100.0) if p > 0.0 else None


def camera_fov(ini: UsarIni, section: IniSection) -> float | None:
    """The robot's own CameraFov [degrees]; older files give degrees, later ones radians."""
    value = number(_last(ini, section, "camerafov"), 0.0)
    if value <= 0.0:
        return None
    return value if value > 3.2 else value * 57.29577951308232


def note_unknown(ini: UsarIni, section: IniSection, known: Collection[str]) -> None:
    """Name every key of a section that nobody reads, with file and line."""
    for key in section.keys:
        if key not in known and key not in _NO_PART:
            _log.warning(
                "%s: key '%s' of section [%s] is not known%s; left out", ini.place(section, key), key, section.name,
                did_you_mean(key, known),
            )  # fmt: skip


ROBOT_KEYS = frozenset((*ITEMS, *_BODY, *_RULES))
"""All keys of a robot's section."""


def _where(ini: UsarIni, section: IniSection, keys: tuple[str, ...]) -> str:
    key = next((k for k in keys if k in section.keys), "")
    return ini.place(section, key) if key else ini.source
