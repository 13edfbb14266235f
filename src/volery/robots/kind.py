"""Kinds of robots: blocks of a robot file by registered names, each a dataclass that says all there is to know of it.

A kind of one's own is a subclass of RobotKind and an entry point in the group `volery.robot_kinds`; its name is then a
key of robot files. Engines find the block by `RobotFile.block`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from volery import registry
from volery.core.config import Checked, SourceLocation, build
from volery.errors import RobotError, ScenarioError

if TYPE_CHECKING:
    import mujoco

    from volery.robots.description import Description

__all__ = ["RobotKind", "ShownRotor", "read_blocks"]


@dataclass(frozen=True)
class ShownRotor:
    """A body that pages show as a spinning rotor."""

    body: int
    radius: float
    """[m]."""
    spin: int
    """1 counter-clockwise seen from above, -1 clockwise."""


@dataclass(frozen=True)
class RobotKind(Checked):
    """The base of blocks of a robot file."""

    tunable: ClassVar[bool] = False
    """Whether its parameters stand among the settings of a run, where an engine that `tunes` it lets them change."""
    from_start: ClassVar[tuple[str, ...]] = ()
    """Those of its fields that no engine can change."""
    mobile: ClassVar[bool] = True
    """Whether a robot with it moves by itself."""
    drives: ClassVar[bool] = False
    """Whether keys steer it as they do a car: it turns where a drone goes sideways."""
    makes_model: ClassVar[bool] = False
    """Whether it takes the place of a `model`; see `mjcf`."""
    edits_model: ClassVar[bool] = False
    """Whether it puts something on the `model`; see `put_on`."""

    def check(self, description: Description) -> None:
        """Refuse names that the model does not have."""

    def implied(self) -> dict[str, RobotKind]:
        """Other blocks that follow from it where the file does not give them, by name."""
        return {}

    def shown_rotors(self, description: Description) -> list[ShownRotor]:
        """Bodies that pages show spinning."""
        return []

    def mjcf(self, name: str) -> str:
        """The model that it makes, as MJCF; name: of the file."""
        raise RobotError(f"a '{type(self).__name__}' block makes no model")

    def put_on(self, spec: mujoco.MjSpec, others: Mapping[str, RobotKind]) -> None:
        """Put on the model what it adds; others: all blocks of the file."""


def read_blocks(data: Mapping[str, Any], place: SourceLocation) -> dict[str, RobotKind]:
    """The blocks of a robot file by name."""
    found: dict[str, RobotKind] = {}
    for name in registry.names("robot_kinds"):
        if data.get(name) is not None:
            kind = registry.find("robot_kinds", name)
            if not (isinstance(kind, type) and issubclass(kind, RobotKind)):
                raise ScenarioError(f"robot kind '{name}' is no subclass of volery.robots.kind.RobotKind")
            found[name] = build(kind, data[name], place.at(name))
    return found
