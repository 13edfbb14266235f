"""USARSim's class names and the robots here that they stand for: the one table."""

from __future__ import annotations

from volery import registry

__all__ = ["CLASSES", "CONTROLLER", "robot_type"]

CONTROLLER = "worldcontroller"
"""Class of the client that changes the world and has no body."""

CLASSES: dict[str, str] = {
    "usarbc": "corky",
    "corky": "corky",
    "usarcar": "usarcar",
    "car": "usarcar",
    "p2at": "p2at",
    "p2at8": "p2at",
    "stereop2at": "p2at",
    "atrvjr": "p2at",
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
    "kurt2d": "p2at",
    "kurt3d": "p2at",
}
"""Class names in small letters, without the package; each names a robot of `volery list robots`."""


def robot_type(class_name: str, more: dict[str, str]) -> str | None:
    """The robot that a class name such as USARBot.P2AT stands for; the name of any robot here does as well.

    more: further class names, in any case, and the robots or robot files they stand for."""
    name = class_name.rpartition(".")[2].lower()
    own = {key.rpartition(".")[2].lower(): value for key, value in more.items()}
    if name in own:
        return own[name]
    found = CLASSES.get(name, name)
    return found if found in registry.names("robots") else None
