"""Robots out of files like USARSim's `usar.ini`: parts on car-wheel joints, and items mounted on them.

`usar.ini#MyBot` names the section `[MyBot]` or `[USARBot.MyBot]` of the file. A section with `JointParts` builds a
robot of its own; one without, named as a robot that comes along, gives that one other sensors.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import Any

from volery import registry
from volery.core.config import SourceLocation, build
from volery.errors import RobotError, did_you_mean
from volery.robots.kinds.build import Build
from volery.robots.usarini import IniSection, UsarIni, Value, number, read_ini, short_name, truth
from volery.robots.usarini_sensors import KINDS, Units, sensor_of

__all__ = ["built_from_ini", "ini_name", "robot_from_ini"]

_log = logging.getLogger("volery")
_ITEMS = ("sensors", "addparts", "camera", "cameras", "headlights", "headlight")
"""Keys whose values are mounted items."""
_CHASSIS = (0.4, 0.3, 0.12)
_RADIUS, _WIDTH = 0.1, 0.06
"""Of parts whose class has no section that says better [m]."""
_STIFFNESS, _DAMPING, _GRIP = 150.0, 15.0, 5.0
"""USARSim's own defaults of suspension and tyres, which have no SI unit: they stand for ours below."""


def ini_name(name: str) -> tuple[str, str]:
    """File and section of a name like 'usar.ini#MyBot'; ('', ''): it is none."""
    file, hash_, section = name.rpartition("#")
    return (file, section) if hash_ and file.lower().endswith(".ini") else ("", "")


def robot_from_ini(path: Path, name: str) -> dict[str, Any]:
    """A robot file's content from a section; what was not understood is logged."""
    ini = _read(path, path.stat().st_mtime_ns)
    section = _section(ini, name)
    units = _units(ini)
    short = short_name(section.name)
    known = "jointparts" not in section.keys and short in registry.names("robots")
    data: dict[str, Any] = {"about": f"from {path.name}", "sensors": _items(ini, section, units)}
    if known:
        data["base"] = short
    elif "jointparts" not in section.keys:
        raise RobotError(
            f"{path}: section '{section.name}' has no JointParts and is no robot that comes along"
            f"{did_you_mean(short, registry.names('robots'))}"
        )
    return data


def built_from_ini(path: Path, name: str) -> Build:
    """Chassis, wheels and parts of a section."""
    ini = _read(path, path.stat().st_mtime_ns)
    section, units = _section(ini, name), _units(ini)
    parts = [p for p in section.all("jointparts") if isinstance(p, dict) and isinstance(p.get("partname"), str)]
    wheels: list[Any] = []
    others: list[Any] = []
    for part in parts:
        wheel = "wheel" in short_name(part.get("jointclass")) or "wheel" in str(part["partname"]).lower()
        (wheels if wheel else others).append(part)
    mass = max(number(section.last("chassismass"), 10.0), 0.1)
    size = _size(section.last("chassissize"), units, _CHASSIS)
    data = {
        "chassis": [{"size": size, "mass": mass, "position": units.place(section.last("chassisposition"))}],
        "parts": [_part(ini, p, units) for p in others],
        "wheels": [_wheel(ini, section, p, units, mass / max(len(wheels), 1)) for p in wheels],
    }
    return build(Build, data, SourceLocation(f"{path}#{name}"))


@lru_cache(maxsize=16)
def _read(path: Path, _modified: int) -> UsarIni:
    ini = read_ini(path)
    for note in ini.notes:
        _log.warning("%s", note)
    return ini


def _section(ini: UsarIni, name: str) -> IniSection:
    section = ini.find(name)
    if section is None:
        names = [s.name.rpartition(".")[2] for s in ini.sections.values()]
        raise RobotError(f"{ini.source}: there is no section '{name}'{did_you_mean(name, names)}")
    return section


def _units(ini: UsarIni) -> Units:
    """Metres, unless a section [Volery] says how many Unreal units make one."""
    own = ini.sections.get("volery")
    per_metre = number(own.last("unrealunits"), 0.0) if own is not None else 0.0
    return Units(per_metre, down=False) if per_metre > 0.0 else Units()


def _items(ini: UsarIni, section: IniSection, units: Units) -> dict[str, Any]:
    """Mounted items by name: our sensors' entries."""
    out: dict[str, Any] = {}
    for key in _ITEMS:
        for item in section.all(key):
            if not isinstance(item, dict):
                continue
            name = str(item.get("itemname") or f"{key}{len(out) + 1}")
            kind, own = _kind(ini, item.get("itemclass"), key)
            if kind not in KINDS:
                _log.warning(
                    "%s: item '%s' of '%s' is of class '%s', which is not known%s; left out", ini.source, name,
                    section.name, kind, did_you_mean(kind, KINDS),
                )  # fmt: skip
                continue
            site = _text(item.get("parent"))
            mount = {
                "position": list(units.place(item.get("position"))),
                "attitude_deg": list(units.attitude_deg(item.get("direction"))),
                **({"site": site} if site else {}),
            }
            out[name] = {**sensor_of(KINDS[kind], own, units), "mount": mount}
    return out


def _kind(ini: UsarIni, value: Value | None, key: str) -> tuple[str, IniSection | None]:
    """The class of an item, or the one its section is based on, and that section."""
    name = short_name(value) or {"camera": "robotcamera", "cameras": "robotcamera"}.get(key, "headlight")
    own = ini.find(name)
    base = short_name(own.last("base")) if own is not None else ""
    return (name if name in KINDS or not base else base), own


def _text(value: Value | None) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.lower() in ("", "none", "hard", "chassis") else text


def _size(value: Value | None, units: Units, default: tuple[float, float, float]) -> list[float]:
    place = units.place(value) if isinstance(value, dict | list) else default
    return [max(abs(v), 1e-3) for v in place]


def _part(ini: UsarIni, part: dict[str, Value], units: Units) -> dict[str, Any]:
    """A part on a hinge about its second axis, or its first if there is no other."""
    own = ini.find(short_name(part.get("partclass")) or "-")
    size = _size(own.last("size") if own else None, units, (0.06, 0.06, 0.06))
    mass = max(number(own.last("mass"), 0.3) if own else 0.3, 1e-3)
    axis = units.place(part.get("parentaxis2") or part.get("parentaxis") or {"z": "1"})
    length = sum(a * a for a in axis) ** 0.5
    return {
        "name": part["partname"], "parent": _text(part.get("parent")) or "base", "joint": "hinge",
        "position": list(units.place(part.get("parentpos"))), "shapes": [{"size": size, "mass": mass, "solid": False}],
        "axis": [a / length for a in axis] if length > 1e-9 else [0.0, 0.0, 1.0],
        "motor": {"torque": max(number(part.get("maxtorque"), 5.0), 0.01)},
    }  # fmt: skip


def _wheel(ini: UsarIni, robot: IniSection, part: dict[str, Value], units: Units, load: float) -> dict[str, Any]:
    """A car wheel; load: what it carries [kg]. Sizes come from the section of its part's class."""
    own = ini.find(short_name(part.get("partclass")) or "-")
    scale = _stretch(part.get("drawscale3d"))

    def said(key: str, default: float) -> float:
        for section in (own, robot):
            if section is not None and section.last(key) is not None:
                return number(section.last(key), default)
        return default

    sprung = not truth(part.get("bsuspensionlocked"), truth(robot.last("bsuspensionlocked"), True))
    # A wheel that sinks in by 4 mm under its load, with half of critical damping, is what USARSim's defaults become.
    stiffness = load * 9.81 / 0.004 * max(said("suspstiffness", _STIFFNESS), 1.0) / _STIFFNESS
    damping = (stiffness * load) ** 0.5 * max(said("suspdampratio", _DAMPING), 0.1) / _DAMPING
    steered = not truth(part.get("bsteeringlocked"), True)
    return {
        "name": part["partname"], "parent": _text(part.get("parent")) or "base",
        "position": list(units.place(part.get("parentpos"))), "driven": truth(part.get("bdriven"), True),
        "radius": max(units.length(said("radius", _RADIUS * units.per_metre)) * scale[0], 0.005),
        "width": max(units.length(said("width", _WIDTH * units.per_metre)) * scale[1], 0.005),
        "mass": max(said("mass", 1.0) if own else 1.0, 0.05),
        "steer_deg": min(max(said("maxsteerangle", 35.0), 1.0), 85.0) if steered else 0.0,
        "castor": max(units.length(number(part.get("trail"))), 0.0),
        "suspension": {"stiffness": stiffness, "damping": damping} if sprung else None,
        "tyre": {"friction": min(max(said("tirerollfriction", _GRIP), 0.0) / _GRIP, 5.0)},
        "motor": {"torque": max(said("motortorque", 20.0), 0.01), "speed": max(said("maxspeed", 12.0), 0.01)},
    }  # fmt: skip


def _stretch(value: Value | None) -> tuple[float, float]:
    """How much a part's picture is stretched in its plane and across; both scale its size."""
    if not isinstance(value, dict):
        return 1.0, 1.0
    return max(abs(number(value.get("x"), 1.0)), 1e-3), max(abs(number(value.get("y"), 1.0)), 1e-3)
