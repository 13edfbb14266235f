"""Robot files: a model plus the mounts and sensors it carries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from volery import registry
from volery.core.config import Checked, Place, build, param
from volery.core.frames import quat_from_euler, transform
from volery.core.material import Material
from volery.core.yaml import read_yaml
from volery.errors import RobotError, UnknownNameError, did_you_mean
from volery.robots.aircraft import Aircraft
from volery.robots.animation import Swing, check_swings
from volery.robots.builder import Build
from volery.robots.craft import Craft
from volery.robots.delta import DeltaMount
from volery.robots.description import Description, load_description
from volery.robots.drive import Drive, drive_of
from volery.robots.kinematics import compose
from volery.robots.multirotor import Multirotor
from volery.robots.usarini_robots import built_from_ini, ini_name, robot_from_ini

__all__ = ["Mount", "RobotFile", "load_robot_file"]

_MODELS = (".xml", ".mjcf", ".urdf")
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
    """MJCF or URDF, relative to this file."""
    build: Build | None = None
    """Chassis, wheels and parts instead of a model; see `volery.robots.builder`."""
    aircraft: Aircraft | None = None
    """Wing, surfaces and motors of an aircraft that bends, instead of a model; see `volery.robots.aircraft`."""
    about: str = ""
    physics: str = "kinematic"
    """Name of the engine that moves it by default."""
    sensors: dict[str, Any] = field(default_factory=dict)
    """Sensors by name: their type and parameters."""
    materials: list[Material] = field(default_factory=list)
    """More about materials of the model, by their names there: label, friction, reflectivity …"""
    drive: Drive | None = None
    """Wheels that are driven, for robots on the ground."""
    animation: list[Swing] = field(default_factory=list)
    """Joints that move by themselves where no engine with forces moves them (kinematic)."""
    fixed: bool = False
    """The root stays where it is put, as an arm's on a table; else it moves, even if the model has no free joint."""
    drag_area: float | None = param(None, low=0.0, high=1e4)
    """Drag coefficient times area of the whole robot [m²]; none: from the boxes round its bodies."""
    multirotor: Multirotor | None = None
    """Rotors, for robots that hover."""
    craft: Craft | None = None
    """Fans and tool of an aerial service robot; see `volery.robots.craft`."""
    delta: DeltaMount | None = None
    """An arm that is put on the model."""
    source: str = ""
    """Path of this file; filled in when it is read."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum([bool(self.model), self.build is not None, self.aircraft is not None]) != 1:
            raise RobotError("a robot file has either a 'model' or a 'build' or an 'aircraft' block")
        if self.delta is not None and not self.model:
            raise RobotError("a delta arm is put on a 'model'; a 'build' block cannot carry one")
        if self.build is not None and self.drive is None:
            object.__setattr__(self, "drive", drive_of(self.build))

    def description(self) -> Description:
        """The model, read and checked."""
        # With an arm on it, the model is what this file makes of it.
        bare = self.model and self.delta is None
        model = Path(self.source).parent / self.model if bare else Path(self.source)
        description = load_description(model, self.materials)
        if self.drive is not None:
            self.drive.check(description)
        if self.multirotor is not None:
            self.multirotor.check(description)
        if self.craft is not None:
            self.craft.check(description)
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
    if "base" in data:
        return replace(load_robot_file(data["base"]), about=data["about"], sensors=data["sensors"])
    drive = drive_of(built_from_ini(path, section))
    model, place = f"{path.name}#{section}", Place(str(path))
    return build(RobotFile, {**data, "model": model, "physics": "mujoco", "drive": drive, "source": str(path)}, place)


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
        raise RobotError(f"{path}: a robot file is a mapping with at least 'model' or 'build'")
    return build(RobotFile, {**data, "source": str(path)}, Place(str(path), (), lines))
