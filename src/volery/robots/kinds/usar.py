"""What USARSim's configuration says of a robot beyond its body: how its camera, wheels and messages are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from volery.core.config import param
from volery.robots.kind import RobotKind

__all__ = ["UsarBot"]


@dataclass(frozen=True)
class UsarBot(RobotKind):
    """The keys of a robot's section in `usar.ini` that its controller feels."""

    mobile: ClassVar[bool] = False

    absolute_camera: bool = True
    """bAbsoluteCamera: whether CAMERA tells where the camera looks; else how far it turns from where it was told."""
    message_period: float | None = param(None, above=0, high=60.0)
    """msgTimer: of state messages [s]; none: the dialect's."""
    speed_control: bool = True
    """bSpeedControl: whether DRIVE tells wheels their speed; else their torque."""
    most_torque: float = param(20.0, above=0, high=1e6)
    """MaxOut: most that a wheel is told without speed control; ut2003 tells shares of it [N m]."""
