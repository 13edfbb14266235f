"""USARSim's robot classes and the robots here that they stand for: the one table."""

from __future__ import annotations

from volery import registry

__all__ = ["CLASSES", "TURNED", "robot_of_class"]

CLASSES: dict[str, str] = {
    "usarbc": "corky",
    "corky": "corky",
    "usarcar": "usarcar",
    "car": "usarcar",
    "p2at": "p2at",
    "p2at8": "p2at",
    "stereop2at": "p2at",
    "atrvjr": "p2at",
    "atrv": "p2at",
    "atrv2": "p2at",
    "p2dx": "p2dx",
    "omnip2dx": "p2dx",
    "comstation": "p2dx",
    "nomad": "p2dx",
    "casterskidrobot": "p2dx",
    "kiva4wheel": "p2dx",
    "p3at": "p3at",
    "basicskidrobot": "p3at",
    "rover": "rover",
    "per": "rover",
    "papagoose": "rover",
    "zerg": "zerg",
    "talon": "talon",
    "telemax": "talon",
    "tarantula": "kenaf",
    "kenaf": "kenaf",
    "soryu": "kenaf",
    "airrobot": "airrobot",
    "ardrone": "airrobot",
    "hummer": "usarcar",
    "sedan": "usarcar",
    "cooper": "usarcar",
    "snowstorm": "usarcar",
    "basicackermanrobot": "usarcar",
    "frontackerman": "usarcar",
    "forklift": "usarcar",
    "kurt2d": "p2at",
    "kurt3d": "p2at",
}
"""Class names in small letters, without the package; each names a robot of `volery list robots`."""
TURNED = frozenset({"usarbc", "corky"})
"""Classes whose models look along their −x: what their files place is turned by half a turn."""


def robot_of_class(name: str) -> str | None:
    """The robot that a class name in small letters, without its package, stands for; the name of any robot does too."""
    found = CLASSES.get(name, name)
    return found if found in registry.names("robots") else None
