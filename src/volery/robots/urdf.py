"""URDF as MuJoCo should read it: visual shapes kept, meshes found."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from volery.errors import RobotError

__all__ = ["urdf_for_mujoco"]

_COMPILER = {"discardvisual": "false", "strippath": "false", "fusestatic": "false"}


def urdf_for_mujoco(path: Path) -> str:
    """The file's text with MuJoCo's own extension added and mesh names made absolute; the file's own settings win."""
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except ElementTree.ParseError as error:
        raise RobotError(f"{path}: this is not XML: {error}") from None
    extension = _child(root, "mujoco")
    compiler = _child(extension, "compiler")
    for key, value in _COMPILER.items():
        compiler.attrib.setdefault(key, value)
    for mesh in root.iter("mesh"):
        mesh.attrib["filename"] = str(_resolve(mesh.attrib.get("filename", ""), path))
    return ElementTree.tostring(root, encoding="unicode")


def _child(parent: ElementTree.Element, tag: str) -> ElementTree.Element:
    found = parent.find(tag)
    return ElementTree.SubElement(parent, tag) if found is None else found


def _resolve(name: str, urdf: Path) -> Path:
    """A mesh named relative to the file, absolutely, or by ROS package: the package is a folder above the file."""
    if not name.startswith("package://"):
        return urdf.parent / name.removeprefix("file://")
    inside = Path(name.removeprefix("package://"))
    for folder in urdf.parents:
        for candidate in (folder / inside, folder.joinpath(*inside.parts[1:])):
            if candidate.is_file():
                return candidate
    raise RobotError(f"{urdf}: mesh {name} was not found in any folder above the file")
