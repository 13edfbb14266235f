"""Models that are not MJCF as they stand: URDF, `build` and `aircraft` blocks, and sections of files like usar.ini."""

from __future__ import annotations

from pathlib import Path

from volery.core.config import Place, build
from volery.core.yaml import read_yaml
from volery.errors import RobotError
from volery.robots.aircraft import Aircraft
from volery.robots.airmodel import aircraft_mjcf
from volery.robots.builder import Build
from volery.robots.building import mjcf_of
from volery.robots.delta import DeltaMount
from volery.robots.urdf import urdf_for_mujoco
from volery.robots.usarini_robots import built_from_ini, ini_name

__all__ = ["file_of", "model_text", "mounted_arm"]

_YAML = (".yaml", ".yml")


def file_of(path: Path) -> Path:
    """The file itself, of a path that may name a section of it: usar.ini#MyBot."""
    file, _ = ini_name(path.name)
    return path.with_name(file) if file else path


def model_text(path: Path) -> str | None:
    """The MJCF or URDF that MuJoCo is to read; None: the file as it is."""
    file, section = ini_name(path.name)
    if file:
        return mjcf_of(built_from_ini(path.with_name(file), section), section)
    if path.suffix.lower() == ".urdf":
        return urdf_for_mujoco(path)
    if path.suffix.lower() in _YAML:
        data, lines = read_yaml(path)
        if isinstance(data, dict) and "aircraft" in data:
            place = Place(str(path), ("aircraft",), lines)
            return aircraft_mjcf(build(Aircraft, data["aircraft"], place), path.stem)
        if not isinstance(data, dict) or "build" not in data:
            raise RobotError(f"{path}: there is neither a 'model' nor a 'build' nor an 'aircraft' block")
        return mjcf_of(build(Build, data["build"], Place(str(path), ("build",), lines)), path.stem)
    return None


def mounted_arm(path: Path) -> tuple[Path, DeltaMount, bool] | None:
    """The model and the arm of a robot file whose model is to carry a `delta`, and whether its tip is solid: not that
    of a craft, which feels surfaces by the law of its `tool`. None: it is another file."""
    if path.suffix.lower() not in _YAML:
        return None
    data, lines = read_yaml(path)
    if not isinstance(data, dict) or "delta" not in data or not data.get("model"):
        return None
    craft = data.get("craft")
    solid = not (isinstance(craft, dict) and "tool" in craft)
    return path.parent / data["model"], build(DeltaMount, data["delta"], Place(str(path), ("delta",), lines)), solid
