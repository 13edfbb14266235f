"""Models that are not MJCF as they stand: URDF, rigged meshes, blocks that make a model, sections of files like
usar.ini."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from volery import registry
from volery.core.config import SourceLocation
from volery.core.yaml import read_yaml
from volery.errors import RobotError
from volery.robots.kind import RobotKind, read_blocks
from volery.robots.kinds.build_model import mjcf_of
from volery.robots.rigged import RIGGED, rigged_mjcf
from volery.robots.urdf import urdf_for_mujoco
from volery.robots.usarini_robots import built_from_ini, ini_name

__all__ = ["edited_model", "file_of", "model_text", "rigged_file"]

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
    if path.suffix.lower() in RIGGED:
        return rigged_mjcf(path)
    if path.suffix.lower() == ".urdf":
        return urdf_for_mujoco(path)
    if path.suffix.lower() in _YAML:
        makers = [block for block in _blocks(path)[1].values() if block.makes_model]
        if not makers:
            known = [name for name in registry.names("robot_kinds") if registry.find("robot_kinds", name).makes_model]
            raise RobotError(f"{path}: there is neither a 'model' nor a block that makes one ({', '.join(known)})")
        return makers[0].mjcf(path.stem)
    return None


def edited_model(path: Path) -> tuple[Path, dict[str, RobotKind]] | None:
    """The model of a robot file whose blocks put something on it, and these blocks; None: it is another file."""
    if path.suffix.lower() not in _YAML:
        return None
    data, blocks = _blocks(path)
    if not data.get("model") or not any(block.edits_model for block in blocks.values()):
        return None
    return path.parent / data["model"], blocks


def rigged_file(path: Path) -> Path | None:
    """The rigged mesh that a robot file, or the path itself, is made of; None: it is made of something else."""
    edited = edited_model(path)
    model = path if edited is None else edited[0]
    return model if model.suffix.lower() in RIGGED else None


def _blocks(path: Path) -> tuple[Mapping[str, Any], dict[str, RobotKind]]:
    data, lines = read_yaml(path)
    data = data if isinstance(data, dict) else {}
    return data, read_blocks(data, SourceLocation(str(path), (), lines))
