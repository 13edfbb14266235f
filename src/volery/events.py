"""What comes from outside and changes a run, as events: recorded, told on the bus, and done again in a rerun.

On the bus and in recordings an event is a list of its kind and its arguments, plain data that `event_of` takes back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from volery.errors import SimulationError
from volery.robots.commands import Command, command_of

__all__ = [  # noqa: PLE0604
    *("Commanded", "EnvironmentChanged", "Operated", "Placed", "PropertySet", "Reenacting", "Removed", "Reset"),
    *("Restored", "RunEvent", "Spawned", "ThingAltered", "WorldChanged", "event_of"),
]


class Reenacting(Protocol):
    """What can do events again: a simulation, or what shows a recording."""

    def command(self, robot: str, command: Command) -> None:
        """Tell a robot what to do."""
        ...

    def operate(self, robot: str, sensor: str, control: str, *arguments: Any, **options: Any) -> Any:
        """Work a control of a sensor."""
        ...

    def place(
        self, robot: str, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_W: np.ndarray | None = None,
        w_W: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Put a robot elsewhere."""
        ...

    def spawn(self, name: str, data: dict[str, Any] | str) -> Any:
        """Add a robot."""
        ...

    def remove(self, name: str) -> None:
        """Take a robot out."""
        ...

    def set(self, path: str, value: Any) -> None:
        """Change a parameter."""
        ...

    def change_world(self, **parameters: Any) -> None:
        """Change parameters of the world."""
        ...

    def alter(self, change: str, *arguments: Any) -> None:
        """Change a thing of the world."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        ...

    def reset(self) -> None:
        """Back to the beginning."""
        ...


@dataclass(frozen=True)
class RunEvent(ABC):
    """Something that came from outside."""

    kind: ClassVar[str]
    """Its name on the bus and in recordings."""
    changes: ClassVar[bool] = True
    """Whether it changes what is there, not only what robots do: a replay must know all of these."""
    remakes: ClassVar[bool] = True
    """Whether sensors may be others after it."""
    routine: ClassVar[bool] = False
    """Whether it comes many times a second and is no news."""
    subject: ClassVar[str] = ""
    """The field that names the robot it is about."""

    @abstractmethod
    def arguments(self) -> list[Any]:
        """Plain data that `of` takes back."""

    @classmethod
    @abstractmethod
    def of(cls, *arguments: Any) -> RunEvent:
        """The event of its `arguments`."""

    @abstractmethod
    def redo(self, run: Reenacting) -> None:
        """Do it again, so that another run becomes the same."""

    def plain(self) -> tuple[str, list[Any]]:
        """As it stands on the bus and in recordings."""
        return self.kind, self.arguments()

    @property
    def robot_name(self) -> str:
        """The robot it is about; empty: none."""
        return getattr(self, self.subject) if self.subject else ""

    def words(self) -> str:
        """What happened, besides the robot, for people."""
        rest = self.arguments()[bool(self.subject) :]
        return f"{self.kind} {', '.join(_short(argument) for argument in rest)}".strip()


@dataclass(frozen=True)
class Commanded(RunEvent):
    """A robot was told what to do."""

    robot: str
    command: Command
    kind: ClassVar[str] = "command"
    changes: ClassVar[bool] = False
    remakes: ClassVar[bool] = False
    routine: ClassVar[bool] = True
    subject: ClassVar[str] = "robot"

    def arguments(self) -> list[Any]:
        """Robot, and kind and values of the command."""
        return [self.robot, self.command.state()]

    @classmethod
    def of(cls, robot: str, command: list[Any]) -> Commanded:
        """The event of its `arguments`."""
        return cls(robot, command_of(*command))

    def redo(self, run: Reenacting) -> None:
        """Tell the robot the same."""
        run.command(self.robot, self.command)


@dataclass(frozen=True)
class Operated(RunEvent):
    """A control of a sensor was worked."""

    robot: str
    sensor: str
    control: str
    listed: tuple[Any, ...] = ()
    """Arguments by place."""
    named: dict[str, Any] = field(default_factory=dict)
    """Arguments by name."""
    kind: ClassVar[str] = "operate"
    changes: ClassVar[bool] = False
    remakes: ClassVar[bool] = False
    subject: ClassVar[str] = "robot"

    def arguments(self) -> list[Any]:
        """Robot, sensor, control, its arguments and its options."""
        return [self.robot, self.sensor, self.control, list(self.listed), dict(self.named)]

    @classmethod
    def of(cls, robot: str, sensor: str, control: str, listed: list[Any], named: dict[str, Any]) -> Operated:
        """The event of its `arguments`."""
        return cls(robot, sensor, control, tuple(listed), dict(named))

    def redo(self, run: Reenacting) -> None:
        """Work it in the same way."""
        run.operate(self.robot, self.sensor, self.control, *self.listed, **self.named)


@dataclass(frozen=True, eq=False)
class Placed(RunEvent):
    """A robot was put elsewhere."""

    robot: str
    p_WB: np.ndarray
    """[m]."""
    q_WB_wxyz: np.ndarray
    v_W: np.ndarray
    """[m/s]."""
    w_W: np.ndarray
    """[rad/s]."""
    kind: ClassVar[str] = "place"
    changes: ClassVar[bool] = False
    remakes: ClassVar[bool] = False
    subject: ClassVar[str] = "robot"

    def arguments(self) -> list[Any]:
        """Robot, position, attitude, velocity and angular velocity."""
        return [self.robot, self.p_WB, self.q_WB_wxyz, self.v_W, self.w_W]

    @classmethod
    def of(cls, robot: str, *parts: np.ndarray) -> Placed:
        """The event of its `arguments`."""
        return cls(robot, *parts)

    def redo(self, run: Reenacting) -> None:
        """Put it there."""
        run.place(self.robot, self.p_WB, self.q_WB_wxyz, self.v_W, self.w_W)


@dataclass(frozen=True)
class Spawned(RunEvent):
    """A robot came."""

    name: str
    data: dict[str, Any] | str
    """As under `robots` in a scenario."""
    kind: ClassVar[str] = "spawn"
    subject: ClassVar[str] = "name"

    def arguments(self) -> list[Any]:
        """Name and data."""
        return [self.name, self.data]

    @classmethod
    def of(cls, name: str, data: dict[str, Any] | str) -> Spawned:
        """The event of its `arguments`."""
        return cls(name, data)

    def redo(self, run: Reenacting) -> None:
        """Add it."""
        run.spawn(self.name, self.data)


@dataclass(frozen=True)
class Removed(RunEvent):
    """A robot was taken out."""

    name: str
    kind: ClassVar[str] = "remove"
    subject: ClassVar[str] = "name"

    def arguments(self) -> list[Any]:
        """Its name."""
        return [self.name]

    @classmethod
    def of(cls, name: str) -> Removed:
        """The event of its `arguments`."""
        return cls(name)

    def redo(self, run: Reenacting) -> None:
        """Take it out."""
        run.remove(self.name)


@dataclass(frozen=True)
class PropertySet(RunEvent):
    """A parameter was changed."""

    path: str
    value: Any
    """Plain data."""
    kind: ClassVar[str] = "set"
    subject: ClassVar[str] = "path"

    def arguments(self) -> list[Any]:
        """Path and value."""
        return [self.path, self.value]

    @classmethod
    def of(cls, path: str, value: Any) -> PropertySet:
        """The event of its `arguments`."""
        return cls(path, value)

    def redo(self, run: Reenacting) -> None:
        """Set it."""
        run.set(self.path, self.value)


@dataclass(frozen=True)
class EnvironmentChanged(RunEvent):
    """Parameters of air and light were changed: of recordings that are older than `PropertySet`."""

    parts: dict[str, dict[str, Any]]
    """Values by part of the environment and name."""
    kind: ClassVar[str] = "change_environment"
    remakes: ClassVar[bool] = False

    def arguments(self) -> list[Any]:
        """The parts."""
        return [self.parts]

    @classmethod
    def of(cls, parts: dict[str, dict[str, Any]]) -> EnvironmentChanged:
        """The event of its `arguments`."""
        return cls(parts)

    def redo(self, run: Reenacting) -> None:
        """Set them one by one."""
        for part, values in self.parts.items():
            for name, value in values.items():
                run.set(f"environment.{part}.{name}", value)


@dataclass(frozen=True)
class WorldChanged(RunEvent):
    """Parameters of the world were changed, or the world exchanged."""

    parameters: dict[str, Any]
    kind: ClassVar[str] = "change_world"

    def arguments(self) -> list[Any]:
        """The parameters."""
        return [self.parameters]

    @classmethod
    def of(cls, parameters: dict[str, Any]) -> WorldChanged:
        """The event of its `arguments`."""
        return cls(parameters)

    def redo(self, run: Reenacting) -> None:
        """Change them."""
        run.change_world(**self.parameters)


@dataclass(frozen=True, eq=False)
class ThingAltered(RunEvent):
    """A thing of the world was made, moved, painted, dimmed or destroyed."""

    change: str
    details: tuple[Any, ...]
    kind: ClassVar[str] = "alter"
    remakes: ClassVar[bool] = False

    def arguments(self) -> list[Any]:
        """The change and its arguments."""
        return [self.change, *self.details]

    @classmethod
    def of(cls, change: str, *details: Any) -> ThingAltered:
        """The event of its `arguments`."""
        return cls(change, details)

    def redo(self, run: Reenacting) -> None:
        """Alter it."""
        run.alter(self.change, *self.details)


@dataclass(frozen=True, eq=False)
class Restored(RunEvent):
    """The run goes on from a state that was kept."""

    state: dict[str, Any]
    kind: ClassVar[str] = "restore"

    def arguments(self) -> list[Any]:
        """The state."""
        return [self.state]

    @classmethod
    def of(cls, state: dict[str, Any]) -> Restored:
        """The event of its `arguments`."""
        return cls(state)

    def redo(self, run: Reenacting) -> None:
        """Go on from it."""
        run.restore(self.state)

    def words(self) -> str:
        """Without the state, which is long."""
        return self.kind


@dataclass(frozen=True)
class Reset(RunEvent):
    """The run began anew."""

    kind: ClassVar[str] = "reset"

    def arguments(self) -> list[Any]:
        """None."""
        return []

    @classmethod
    def of(cls) -> Reset:
        """The event."""
        return cls()

    def redo(self, run: Reenacting) -> None:
        """Begin anew."""
        run.reset()


_KINDS: dict[str, type[RunEvent]] = {
    event.kind: event
    for event in (Commanded, Operated, Placed, Spawned, Removed, PropertySet, EnvironmentChanged, WorldChanged,
                  ThingAltered, Restored, Reset)
}  # fmt: skip


def event_of(kind: str, arguments: list[Any]) -> RunEvent:
    """The event of what stands on the bus or in a recording."""
    if kind not in _KINDS:
        raise SimulationError(f"event '{kind}' is of no kind that can be done again; known: {', '.join(_KINDS)}")
    try:
        return _KINDS[kind].of(*arguments)
    except (TypeError, ValueError) as error:
        raise SimulationError(f"event '{kind}' is damaged: {error}") from None


def _short(value: Any) -> str:
    text = str(value.round(3).tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 60 else f"{text[:57]}…"
