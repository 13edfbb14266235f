"""Class names of USARSim's clients: robots, and the client without one."""

from __future__ import annotations

from volery.robots.usarini_classes import robot_of_class

__all__ = ["CONTROLLER", "robot_type"]

CONTROLLER = "worldcontroller"
"""Class of the client that changes the world and has no body."""


def robot_type(class_name: str, more: dict[str, str]) -> str | None:
    """The robot that a class name such as USARBot.P2AT stands for; the name of any robot here does as well.

    more: further class names, in any case, and the robots or robot files they stand for."""
    name = class_name.rpartition(".")[2].lower()
    own = {key.rpartition(".")[2].lower(): value for key, value in more.items()}
    if name in own:
        return own[name]
    return robot_of_class(name)
