"""Robot files: a model plus the mounts and sensors it carries."""

from __future__ import annotations

from dataclasses import dataclass, field
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
from volery.robots.description import Description, load_description
from volery.robots.drive import Drive
from volery.robots.kinematics import compose
from volery.robots.multirotor import Multirotor

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

    model: str
    """MJCF or URDF, relative to this file."""
    about: str = ""
    physics: str = "kinematic"
    """Name of the engine that moves it by default."""
    sensors: dict[str, Any] = field(default_factory=dict)
    """Sensors by name: their type and parameters."""
    materials: list[Material] = field(default_factory=list)
    """More about materials of the model, by their names there: label, friction, reflectivity …"""
    drive: Drive | None = None
    """Wheels that are driven, for robots on the ground."""
    fixed: bool = False
    """The root stays where it is put, as an arm's on a table; else it moves, even if the model has no free joint."""
    drag_area: float | None = param(None, low=0.0, high=1e4)
    """Drag coefficient times area of the whole robot [m²]; none: from the boxes round its bodies."""
    multirotor: Multirotor | None = None
    """Rotors, for robots that hover."""
    source: str = ""
    """Path of this file; filled in when it is read."""

    def description(self) -> Description:
        """The model, read and checked."""
        description = load_description(Path(self.source).parent / self.model, self.materials)
        if self.drive is not None:
            self.drive.check(description)
        if self.multirotor is not None:
            self.multirotor.check(description)
        return description


def load_robot_file(name: str, near: Path | None = None) -> RobotFile:
    """A robot by registered name or by path of a robot file or bare model; relative paths start from `near`."""
    suffix = Path(name).suffix.lower()
    if suffix not in (*_MODELS, *_FILES):
        return _read(_registered(name))
    path = Path(name) if near is None else near / name
    if not path.is_file():
        raise RobotError(f"robot file {path} does not exist")
    return RobotFile(model=path.name, source=str(path)) if suffix in _MODELS else _read(path)


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
        raise RobotError(f"{path}: a robot file is a mapping with at least 'model'")
    return build(RobotFile, {**data, "source": str(path)}, Place(str(path), (), lines))
