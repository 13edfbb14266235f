"""What the bus needs of a simulation: the simulation itself is above the bus and not imported here."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Protocol

import numpy as np

from volery.core.clock import Clock
from volery.events import RunEvent
from volery.robots.commands import Command
from volery.robots.robot import Robot
from volery.sensors.sensor import Reading, Sensor
from volery.world.environment import Environment

__all__ = ["Running"]


class Running(Protocol):
    """A simulation in a run."""

    clock: Clock
    environment: Environment
    robots: dict[str, Robot]
    sensors: dict[str, dict[str, Sensor]]
    fresh: list[tuple[str, str, Reading]]
    events: list[RunEvent]

    def ask(self, request: Callable[[], Any], client: Hashable = None, *, newest: Hashable = None) -> Future[Any]:
        """Have the loop run a function between two steps; see `Simulation.ask`."""
        ...

    def place(self, robot: str, p_WB: np.ndarray, q_WB_wxyz: np.ndarray) -> None:
        """Put a robot elsewhere at once."""
        ...

    def command(self, robot: str, command: Command) -> None:
        """Tell a robot what to do."""
        ...

    def set(self, path: str, value: Any) -> None:
        """Change a parameter while running."""
        ...
