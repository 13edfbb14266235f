"""Robot files: a model plus the mounts and sensors it carries."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from volery import registry
from volery.core.config import Checked, SourceLocation, build, param
from volery.core.frames import quat_from_euler, transform
from volery.core.material import Material
from volery.core.yaml import read_yaml
from volery.errors import RobotError, UnknownNameError, did_you_mean
from volery.robots.animation import Swing, check_swings
from volery.robots.description import Description, load_description
from volery.robots.kind import RobotKind, read_blocks
from volery.robots.kinds.drive import Drive, drive_of
from volery.robots.kinds.usar import UsarBot
from volery.robots.kinematics import compose
from volery.robots.rigged import RIGGED
from volery.robots.usarini_robots import built_from_ini, ini_name, robot_from_ini, with_wheels

__all__ = ["Mount", "RobotFile", "load_robot_file"]

Kind = TypeVar("Kind", bound=RobotKind)
_MODELS = (".xml", ".mjcf", ".urdf", *RIGGED)
_FILES = (".yaml", ".yml")


@dataclass(frozen=True)
class Mount(Checked):
    """Where a sensor sits: on a site or a body (a bone is a body), shifted and turned."""

    site: str = ""
    """Name of a site or body; empty: the root."""
    bone: int | None = None
    """Number of a bone instead of a name."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """In the frame of the site or body [m]."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw in the frame of the site or body [degrees]."""

    def resolve(self, description: Description) -> tuple[int, np.ndarray]:
        """Body number and pose of the sensor in that body, [3, 4]."""
        X_local = transform(quat_from_euler(np.radians(self.attitude_deg)), np.array(self.position))
        if self.bone is not None:
            return description.body(self.bone), X_local
        if not self.site:
            return 0, X_local
        site = description.site(self.site)
        X = np.empty((3, 4))
        compose(site.X_BS, X_local, X)
        return site.body, X


@dataclass(frozen=True)
class RobotFile(Checked):
    """The small file beside a model."""

    model: str = ""
    """MJCF, URDF or a rigged mesh (glTF 2.0), relative to this file."""
    about: str = ""
    physics: str = "kinematic"
    """Name of the engine that moves it by default."""
    sensors: dict[str, Any] = field(default_factory=dict)
    """Sensors by name: their type and parameters."""
    materials: list[Material] = field(default_factory=list)
    """More about materials of the model, by their names there: label, friction, reflectivity …"""
    animation: list[Swing] = field(default_factory=list)
    """Joints that move by themselves where no engine with forces moves them (kinematic)."""
    fixed: bool = False
    """The root stays where it is put, as an arm's on a table; else it moves, even if the model has no free joint."""
    drag_area: float | None = param(None, low=0.0, high=1e4)
    """Drag coefficient times area of the whole robot [m²]; none: from the boxes round its bodies."""
    blocks: dict[str, Any] = field(default_factory=dict)
    """What kind of robot it is: blocks by the names of their kinds (`volery list robot_kinds`), which stand in the file
    as keys of their own."""
    source: str = ""
    """Path of this file; filled in when it is read."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for implied in [block.implied() for block in self.blocks.values()]:
            object.__setattr__(self, "blocks", {**implied, **self.blocks})
        makers = [name for name, block in self.blocks.items() if block.makes_model]
        if bool(self.model) + len(makers) != 1:
            raise RobotError(
                "a robot file has either a 'model' or one block that makes a model, such as 'build' or 'aircraft'"
            )
        editors = [name for name, block in self.blocks.items() if block.edits_model]
        if editors and not self.model:
            raise RobotError(f"'{editors[0]}' is put on a 'model'; a '{makers[0]}' block cannot carry one")

    def __getattr__(self, name: str) -> Any:
        """A block by the name of its kind, such as `file.multirotor`; None if the robot is not of this kind."""
        if not name.startswith("_") and name != "blocks" and registry.knows("robot_kinds", name):
            return self.blocks.get(name)
        raise AttributeError(f"a robot file has no '{name}'")

    def block(self, kind: type[Kind]) -> Kind | None:
        """The block of a kind; None if the robot is not of it."""
        return next((block for block in self.blocks.values() if isinstance(block, kind)), None)

    def with_block(self, name: str, block: RobotKind) -> RobotFile:
        """The same file with another block of a name."""
        return replace(self, blocks={**self.blocks, name: block})

    def description(self) -> Description:
        """The model, read and checked."""
        # With something put on it, the model is what this file makes of it.
        bare = self.model and not any(block.edits_model for block in self.blocks.values())
        model = Path(self.source).parent / self.model if bare else Path(self.source)
        description = load_description(model, self.materials)
        for block in self.blocks.values():
            block.check(description)
        check_swings(self.animation, description)
        return description


def load_robot_file(name: str, near: Path | None = None) -> RobotFile:
    """A robot by registered name or by path of a robot file or bare model; relative paths start from `near`."""
    if all(ini_name(name)):
        return _of_ini(name, near)
    suffix = Path(name).suffix.lower()
    if suffix not in (*_MODELS, *_FILES):
        return _read(_registered(name))
    path = Path(name) if near is None else near / name
    if not path.is_file():
        raise RobotError(f"robot file {path} does not exist")
    return RobotFile(model=path.name, source=str(path)) if suffix in _MODELS else _read(path)


def _of_ini(name: str, near: Path | None) -> RobotFile:
    """A section of a file like usar.ini: a robot of its own, or other sensors for one that comes along."""
    file, section = ini_name(name)
    path = Path(file) if near is None else near / file
    if not path.is_file():
        raise RobotError(f"robot file {path} does not exist")
    data = robot_from_ini(path, section)
    place = SourceLocation(str(path))
    base = load_robot_file(data["base"]) if "base" in data else None
    drive = base.block(Drive) if base is not None else drive_of(built_from_ini(path, section))
    if drive is not None and "integral" in data:
        drive = replace(drive, integral=data["integral"])
    blocks: dict[str, RobotKind] = dict(base.blocks) if base is not None else {}
    blocks |= {} if drive is None else {"drive": drive}
    if "usar" in data:
        was = blocks.get("usar", UsarBot())
        blocks["usar"] = replace(was, **data["usar"])
    sensors = with_wheels(data["sensors"], drive)
    if base is not None:
        return replace(base, about=data["about"], sensors=sensors, blocks=blocks)
    more = {"model": f"{path.name}#{section}", "physics": "mujoco", "blocks": blocks, "source": str(path)}
    return build(RobotFile, {"about": data["about"], "sensors": sensors, **more}, place)


def _registered(name: str) -> Path:
    try:
        module, _, file = registry.place("robots", name).partition(":")
    except UnknownNameError:
        known = registry.names("robots")
        raise RobotError(
            f"unknown robot '{name}'{did_you_mean(name, known)}; known: {', '.join(known)}; "
            f"or give the path of a robot file ({', '.join([*_FILES, *_MODELS])})"
        ) from None
    return Path(str(resources.files(module).joinpath(file)))


def _read(path: Path) -> RobotFile:
    data, lines = read_yaml(path)
    if not isinstance(data, dict):
        raise RobotError(
            f"{path}: a robot file is a mapping with at least a 'model', or a block that makes one such as 'build'"
        )
    place = SourceLocation(str(path), (), lines)
    known = [f.name for f in fields(RobotFile) if f.name not in ("blocks", "source")]
    for key in data:
        if key not in known and not registry.knows("robot_kinds", str(key)):
            every = [*known, *registry.names("robot_kinds")]
            raise place.at(key).error(f"unknown key '{key}'{did_you_mean(str(key), every)}; known: {', '.join(every)}")
    values = {key: value for key, value in data.items() if key in known}
    return build(RobotFile, {**values, "blocks": read_blocks(data, place), "source": str(path)}, place)
