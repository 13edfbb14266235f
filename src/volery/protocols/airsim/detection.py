"""Detections: boxes round things that a camera sees, by patterns of their names."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from volery.core.deferred import Deferred
from volery.core.frames import quat_from_matrix, rigid_inverse
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import camera, finite, rpc, side, text, whole
from volery.protocols.airsim.ned import frd, geo_map, pose_map, vector_map
from volery.protocols.airsim.object_calls import box_of
from volery.protocols.airsim.settings_parts import Capture
from volery.render.lens import lens_of, project

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Filters"]

_FAR = 200.0
"""How far things are looked for, unless told otherwise [m]."""
_MOST = 1000
"""Patterns of one camera."""
_BEHIND = 0.05
"""Corners nearer than this to the camera's plane do not project [m]."""


class _Filter(NamedTuple):
    patterns: tuple[str, ...] = ()
    radius: float = _FAR


class Filters:
    """What each camera looks for."""

    def __init__(self) -> None:
        self._all: dict[tuple[Any, ...], _Filter] = {}

    def get(self, key: tuple[Any, ...]) -> _Filter:
        """Of a camera, by vehicle, name, type of picture and whether it is outside."""
        return self._all.get(key, _Filter())

    def set(self, key: tuple[Any, ...], found: _Filter) -> None:
        """Look for something else."""
        self._all[key] = found


def _key(door: AirSim, name: str, kind: int, vehicle: str, outside: bool) -> tuple[Any, ...]:
    found = door.images.camera(vehicle, name, outside)
    return ("" if outside else door.vehicle(vehicle).name, found.name, kind, outside)


@rpc("simAddDetectionFilterMeshName", camera, whole, text, text, side, least=4)
def add_filter(door: AirSim, name: str, kind: int, mesh: str, vehicle: str, outside: bool = False) -> None:
    """Look for things of a name, with * and ?."""
    key = _key(door, name, kind, vehicle, outside)
    before = door.filters.get(key)
    if len(before.patterns) >= _MOST:
        raise SimulationError(f"camera '{name}' already looks for {_MOST} names")
    door.filters.set(key, before._replace(patterns=(*before.patterns, mesh)))


@rpc("simSetDetectionFilterRadius", camera, whole, finite, text, side, least=4)
def set_radius(door: AirSim, name: str, kind: int, centimetres: float, vehicle: str, outside: bool = False) -> None:
    """How far to look [cm]."""
    key = _key(door, name, kind, vehicle, outside)
    door.filters.set(key, door.filters.get(key)._replace(radius=max(centimetres, 0.0) / 100.0))


@rpc("simClearDetectionMeshNames", camera, whole, text, side, least=3)
def clear(door: AirSim, name: str, kind: int, vehicle: str, outside: bool = False) -> None:
    """Look for nothing more."""
    key = _key(door, name, kind, vehicle, outside)
    door.filters.set(key, door.filters.get(key)._replace(patterns=()))


@rpc("simGetDetections", camera, whole, text, side, least=3, where="picture")
def detections(door: AirSim, name: str, kind: int, vehicle: str, outside: bool = False) -> list[dict[str, Any]]:
    """Boxes round the things that are in sight."""
    found = door.filters.get(_key(door, name, kind, vehicle, outside))
    if not found.patterns:
        return []

    def look() -> tuple[Capture, np.ndarray, Deferred[Any]]:
        eye = door.images.camera(vehicle, name, outside)
        capture = eye.capture(kind)
        X_WC, _ = door.images.where(vehicle, eye, outside)
        return capture, X_WC, door.images.look(vehicle, eye, capture, ("instances",), X_WC, outside)

    capture, X_WC, picture = door.in_loop(look)
    seen = set(np.unique(picture.result()["instances"]).tolist())
    own = "" if outside else door.vehicle(vehicle).name
    return door.in_loop(lambda: _found(door, found, seen, own, X_WC, capture))


def _found(
    door: AirSim, found: _Filter, seen: set[int], own: str, X_WC: np.ndarray, capture: Capture
) -> list[dict[str, Any]]:
    """Boxes of things that were seen; in the loop."""
    lens = lens_of("pinhole", capture.width, capture.height, np.radians(capture.fov_deg))
    out = []
    for item in list(door.simulation.scene.objects.values()):
        wanted = item.number in seen and item.name != own and any(fnmatchcase(item.name, p) for p in found.patterns)
        if wanted and np.linalg.norm(item.X_WO[0][:, 3] - X_WC[:, 3]) <= found.radius:
            box = _boxes(box_of(item), X_WC, lens)
            if box is not None:
                out.append(_told(door, item.name, item.X_WO[0], X_WC, box))
    return sorted(out, key=lambda d: d["name"])


def _boxes(corners_W: np.ndarray, X_WC: np.ndarray, lens: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Pixels [2, 2] and corners in camera axes, FRD [2, 3], of the box round corners [8, 3]; None: not to be seen."""
    local = (corners_W - X_WC[:, 3]) @ X_WC[:, :3]
    clipped = local.copy()
    clipped[:, 0] = np.maximum(clipped[:, 0], _BEHIND)
    uv = project(lens, clipped)
    size = np.array([lens.width, lens.height], float)
    low, high = np.clip(uv.min(axis=0), 0.0, size), np.clip(uv.max(axis=0), 0.0, size)
    if (high - low <= 0.0).any():
        return None
    solid = frd(local)
    return np.stack([low, high]), np.stack([solid.min(axis=0), solid.max(axis=0)])


def _told(
    door: AirSim, name: str, X_WO: np.ndarray, X_WC: np.ndarray, box: tuple[np.ndarray, np.ndarray]
) -> dict[str, Any]:
    """AirSim's DetectionInfo."""
    rigid = np.concatenate([X_WO[:, :3] / np.linalg.norm(X_WO[:, :3], axis=0), X_WO[:, 3:]], axis=1)
    X_CW = rigid_inverse(X_WC)
    R = X_CW[:, :3] @ rigid[:, :3]
    place = frd(X_CW[:, :3] @ rigid[:, 3] + X_CW[:, 3])
    flip = np.diag([1.0, -1.0, -1.0])
    (low, high), (near, far) = box
    return {
        "name": name,
        "geo_point": geo_map(door.geo(X_WO[:, 3])),
        "box2D": {k: {"x_val": float(p[0]), "y_val": float(p[1])} for k, p in (("min", low), ("max", high))},
        "box3D": {"min": vector_map(near), "max": vector_map(far)},
        "relative_pose": pose_map(place, quat_from_matrix(flip @ R @ flip)),
    }
