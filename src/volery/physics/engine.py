"""The contract of a physics engine: it owns how some robots move, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from volery.core.config import Checked
from volery.errors import CommandError, SimulationError
from volery.physics.motion import Motion
from volery.robots.commands import Command
from volery.robots.kind import RobotKind
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["Engine", "NoSettings"]


@dataclass(frozen=True)
class NoSettings(Checked):
    """An engine without settings."""


class Engine(ABC):
    """Moves robots by fixed steps; the same commands give the same bytes.

    It writes pose, twist and joints of its robots at the end of `advance`, and what it knows of `wrenches`, `power` and
    `contacts`. Robots come and go between steps.
    """

    Options: ClassVar[type] = Motion
    """What a robot's `motion` in a scenario is read as."""
    Settings: ClassVar[type] = NoSettings
    """What the engine's entry under `engines` in a scenario is read as."""
    changeable: ClassVar[tuple[str, ...]] = ()
    """Settings that may change while running."""
    takes: ClassVar[tuple[type[Command], ...]] = ()
    """Commands that its robots may understand."""

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        self.environment = environment
        self.settings = self.Settings() if settings is None else settings
        self.link: Any = None
        """The way to another process, for engines that need one; the simulation keeps it over resets."""

    @abstractmethod
    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in, at its present pose, twist and joints; `options` are its `motion` in the scenario.

        A robot that cannot be taken is refused with an error before anything changes.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Let a robot go."""

    @abstractmethod
    def apply(self, name: str, command: Command) -> None:
        """Give a robot a command, valid until the next one; one it cannot follow is refused, the last one stays."""

    @abstractmethod
    def place(self, name: str) -> None:
        """Take over the pose, twist and joints that someone else has just written into the robot: a teleport."""

    @abstractmethod
    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step and write their new state."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken; its robots have been added already."""

    def change(self, settings: Any) -> None:
        """Go on with other settings, of which only `changeable` ones differ."""
        self.settings = settings

    def tunes(self, name: str) -> tuple[type[RobotKind], ...]:
        """Kinds of blocks with other values of which, in this robot's file, the engine can go on."""
        return ()

    def tune(self, name: str) -> None:
        """Take over a block of these kinds that someone else has just exchanged in the robot's file; one that cannot be
        is refused, and nothing changes."""
        raise SimulationError(f"robot '{name}': its engine cannot change how it moves while running")

    def understands(self, name: str) -> tuple[type[Command], ...]:
        """Those of `takes` that this robot of its has the means for."""
        return self.takes

    def check_takes(self, name: str, command: Any) -> None:
        """Refuse what is not one of this engine's commands."""
        if not isinstance(command, self.takes):
            known = ", ".join(kind.__name__ for kind in self.takes)
            raise CommandError(f"robot '{name}' takes {known}, not {type(command).__name__}; the last command stays")
