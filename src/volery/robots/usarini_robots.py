"""Robots out of files like USARSim's `usar.ini`: parts on car-wheel joints, and items mounted on them.

`usar.ini#MyBot` names the section `[MyBot]` or `[USARBot.MyBot]` of the file. A section with `JointParts` builds a
robot of its own; one without, named as a robot that comes along, gives that one other sensors.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volery import registry
from volery.core.config import SourceLocation, build
from volery.errors import RobotError, did_you_mean
from volery.robots.kinds.build import Build
from volery.robots.usarini import IniSection, UsarIni, Value, number, read_ini, short_name, truth
from volery.robots.usarini_classes import CLASSES, TURNED, robot_of_class
from volery.robots.usarini_rules import ITEMS, ROBOT_KEYS, camera_fov, note_unknown, rules_of, speed_loop
from volery.robots.usarini_sensors import KINDS, WHEELS, Units, ancestors, keys_of, merged, sensor_of

if TYPE_CHECKING:
    from volery.robots.kinds.drive import Drive

__all__ = ["built_from_ini", "ini_name", "robot_from_ini", "robots_of_ini", "with_wheels"]

_log = logging.getLogger("volery")
_MOST_METRES = 8.0
"""A file in which something is mounted farther from its robot's middle counts in Unreal units."""
_UU = 140.0
"""Unreal units of a metre in such files, which come from 2003."""
_DEEPEST = 3
"""Packages within packages that are read."""
_NO_SENSORS = ("missiontime", "usardeco")
"""Classes of items that need nothing here."""
_CHASSIS = (0.4, 0.3, 0.12)
_RADIUS, _WIDTH = 0.1, 0.06
"""Of parts whose class has no section that says better [m]."""
_STIFFNESS, _DAMPING, _GRIP = 150.0, 15.0, 5.0
"""USARSim's own defaults of suspension and tyres, which have no SI unit: they stand for ours below."""


def robots_of_ini(path: Path) -> dict[str, str]:
    """Robots of a whole file by class: names like 'usar.ini#MyBot' of all sections that mount or join something."""
    ini = _read(path, path.stat().st_mtime_ns)
    sections = [s for s in ini.sections.values() if s.name.lower().startswith("usarbot.")]
    named = [s.name.rpartition(".")[2] for s in sections if any(k in s.keys for k in (*ITEMS, "jointparts"))]
    return {name: f"{path}#{name}" for name in named}


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
    base = None if "jointparts" in section.keys else robot_of_class(short)
    data: dict[str, Any] = {"about": f"from {path.name}"}
    if base is not None:
        data["base"] = base
    elif "jointparts" not in section.keys:
        raise RobotError(
            f"{path}:{section.line}: section '{section.name}' has no JointParts and is no robot that comes along"
            f"{did_you_mean(short, [*registry.names('robots'), *CLASSES])}"
        )
    note_unknown(ini, section, ROBOT_KEYS)
    data["sensors"] = _items(ini, section, units)
    rules, integral = rules_of(ini, section), speed_loop(ini, section)
    if rules:
        data["usar"] = rules
    if integral is not None:
        data["integral"] = integral
    return data


def with_wheels(sensors: dict[str, Any], drive: Drive | None) -> dict[str, Any]:
    """Sensors of wheels on the wheels of a drive: odometry on the first of each side, tachometers on all, each encoder
    on one of its own, left and right by turns."""
    if drive is None:
        return sensors
    pairs = [w for pair in zip(drive.left, drive.right, strict=False) for w in pair]
    out, taken = {}, 0
    for name, entry in sensors.items():
        wheels = entry.get(WHEELS)
        plain = {k: v for k, v in entry.items() if k != WHEELS}
        if wheels == "pair":
            plain |= {"wheels": pairs[:2], "radius": drive.radius, "separation": drive.track * drive.scrub}
        elif wheels == "all":
            plain["joints"] = pairs
        elif wheels == "one":
            plain["joints"] = [pairs[taken % len(pairs)]]
            taken += 1
        out[name] = plain
    return out


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
    section = next((s for s in (ini.find(n) for n in _also(name)) if s is not None), None)
    if section is None:
        names = [s.name.rpartition(".")[2] for s in ini.sections.values()]
        raise RobotError(f"{ini.source}: there is no section '{name}'{did_you_mean(name, names)}")
    return section


def _also(name: str) -> list[str]:
    """A name and the others of the same robot, as the manual's Corky is USARBC in its file."""
    robot = robot_of_class(short_name(name))
    return [name, *(other for other, stands_for in CLASSES.items() if robot is not None and stands_for == robot)]


def _units(ini: UsarIni) -> Units:
    """Metres, unless a section [Volery] says how many Unreal units make one, or things sit where no robot reaches."""
    own = ini.sections.get("volery")
    per_metre = number(own.last("unrealunits"), 0.0) if own is not None else 0.0
    if per_metre <= 0.0 and _farthest(ini) > _MOST_METRES:
        per_metre = _UU
        _log.info(
            "%s: lengths are Unreal units, %g a metre, since parts are mounted farther than %g from their robot; "
            "UnrealUnits= in a section [Volery] says another number", ini.source, _UU, _MOST_METRES,
        )  # fmt: skip
    return Units(per_metre, down=False) if per_metre > 0.0 else Units()


def _farthest(ini: UsarIni) -> float:
    """The largest number of a place at which a file mounts something."""
    items = [i for s in ini.sections.values() for key in (*ITEMS, "jointparts") for i in s.all(key)]
    places = [i.get(key) for i in items if isinstance(i, dict) for key in ("position", "parentpos")]
    return max((abs(v) for p in places if p is not None for v in Units().place(p)), default=0.0)


def _items(ini: UsarIni, section: IniSection, units: Units, within: int = 0) -> dict[str, Any]:
    """Mounted items by name: our sensors' entries; within: so many packages."""
    out: dict[str, Any] = {}
    turned = short_name(section.name) in TURNED
    for key in ITEMS:
        for n, item in enumerate(section.all(key)):
            if isinstance(item, dict):
                for name, entry in _item(ini, section, key, n, item, units, within).items():
                    out[_unused(ini, name, out, ini.place(section, key, n))] = _turned(entry) if turned else entry
    fov = camera_fov(ini, section) if within == 0 else None
    for entry in out.values() if fov is not None else ():
        if entry["type"] == "camera" and "outputs" not in entry:
            entry["fov_deg"] = fov
    return out


def _item(
    ini: UsarIni, section: IniSection, key: str, n: int, item: dict[str, Value], units: Units, within: int
) -> dict[str, Any]:
    """The sensors of an item by name: one, or those of a package with a section of its own."""
    kind = _kind(ini, item.get("itemclass") or item.get("sensorclass"), key)
    # The manual's robots have SensorClass and SenName, later ones ItemClass and ItemName.
    name = str(item.get("itemname") or item.get("senname") or kind)
    if kind in _NO_SENSORS:
        return {}
    if kind in KINDS:
        return {name: {**_sensor(ini, item, kind, units), "mount": _mount(item, units)}}
    package = ini.find(kind) if kind else None
    _log.warning(
        "%s: item '%s' of '%s' is of class '%s', which is not known%s; left out%s", ini.place(section, key, n), name,
        section.name, kind, did_you_mean(kind, KINDS), ", but for what it carries" if package is not None else "",
    )  # fmt: skip
    if package is None or within >= _DEEPEST:
        return {}
    at = np.array(units.place(item.get("position")))
    carried = _items(ini, package, units, within + 1)
    for entry in carried.values():
        # Its links are not there: what sits on them sits on the robot.
        entry["mount"] = {**entry["mount"], "position": (at + entry["mount"]["position"]).tolist()}
        entry["mount"].pop("site", None)
    return carried


def _unused(ini: UsarIni, name: str, taken: dict[str, Any], where: str) -> str:
    """A name that no other item has."""
    free, number_ = name, 1
    while free in taken:
        number_ += 1
        free = f"{name}_{number_}"
    if free != name:
        _log.warning("%s: there is an item '%s' already; this one is '%s'", where, name, free)
    return free


def _turned(entry: dict[str, Any]) -> dict[str, Any]:
    """The same on a robot that looks along −x."""
    mount = entry["mount"]
    if "site" in mount:
        return entry
    (x, y, z), (roll, pitch, yaw) = mount["position"], mount["attitude_deg"]
    return {**entry, "mount": {"position": [-x, -y, z], "attitude_deg": [roll, pitch, (yaw + 360.0) % 360.0 - 180.0]}}


def _kind(ini: UsarIni, value: Value | None, key: str) -> str:
    """The class of an item, or the one its section is based on; the manual's cameras are just of class Sensor."""
    name = short_name(value)
    if key in ("camera", "cameras") and name in ("", "sensor"):
        return "robotcamera"
    if key in ("headlight", "headlights") and name not in KINDS:
        return "headlight"
    own = ini.find(name) if name else None
    base = short_name(own.last("base")) if own is not None else ""
    return name if name in KINDS or not base else base


def _sensor(ini: UsarIni, item: dict[str, Value], kind: str, units: Units) -> dict[str, Any]:
    """Our sensor's entry from the sections of its class and of the classes above that."""
    own = short_name(item.get("itemclass") or item.get("sensorclass"))
    names = dict.fromkeys((*((own,) if own not in ("", "sensor") else ()), *ancestors(kind)))
    sections = [s for s in (ini.find(n) for n in names) if s is not None]
    for section in sections:
        note_unknown(ini, section, keys_of(KINDS[kind]))
    return sensor_of(KINDS[kind], merged(sections), units)


def _mount(item: dict[str, Value], units: Units) -> dict[str, Any]:
    """Where an item sits."""
    site = _text(item.get("parent"))
    mount = {
        "position": list(units.place(item.get("position"))),
        "attitude_deg": list(units.attitude_deg(item.get("direction"))),
    }
    return {**mount, "site": site} if site else mount


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
