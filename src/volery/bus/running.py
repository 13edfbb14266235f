"""What the bus needs of a simulation: the simulation itself is above the bus and not imported here."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from volery.core.clock import Clock
from volery.robots.commands import Command
from volery.robots.robot import Robot
from volery.sensors.sensor import Reading, Sensor

__all__ = ["Running"]


class Running(Protocol):
    """A simulation in a run."""

    clock: Clock
    robots: dict[str, Robot]
    sensors: dict[str, dict[str, Sensor]]
    fresh: list[tuple[str, str, Reading]]

    def ask(self, request: Callable[[], Any]) -> Future:
        """Have the loop run a function between two steps."""
        ...

    def command(self, robot: str, command: Command) -> None:
        """Tell a robot what to do."""
        ...
