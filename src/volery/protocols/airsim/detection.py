"""Detections: boxes round things that a camera sees, by patterns of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from volery.core.deferred import Deferred
from volery.core.frames import quat_from_matrix, rigid_inverse
from volery.core.patterns import TextPattern, wildcard
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import camera, finite, rpc, side, text, whole
from volery.protocols.airsim.images import IMAGE_TYPES
from volery.protocols.airsim.ned import frd, geo_map, pose_map, vector_map
from volery.protocols.airsim.object_calls import box_of
from volery.protocols.airsim.settings_parts import Capture
from volery.render.lens import lens_of, project

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Filters"]

_FAR = 200.0
"""How far things are looked for, unless told otherwise [m]."""
_MOST = 100
"""Patterns of one camera."""
_BEHIND = 0.05
"""Corners nearer than this to the camera's plane do not project [m]."""


class _Filter(NamedTuple):
    patterns: tuple[TextPattern, ...] = ()
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
    if not 0 <= kind < IMAGE_TYPES:
        raise SimulationError(f"image type {kind}: must be 0 to {IMAGE_TYPES - 1}")
    found = door.images.camera(vehicle, name, outside)
    return ("" if outside else door.vehicle(vehicle).name, found.name, kind, outside)


@rpc("simAddDetectionFilterMeshName", camera, whole, text, text, side, least=4)
def add_filter(door: AirSim, name: str, kind: int, mesh: str, vehicle: str, outside: bool = False) -> None:
    """Look for things of a name, with * and ?."""
    key = _key(door, name, kind, vehicle, outside)
    before = door.filters.get(key)
    if len(before.patterns) >= _MOST:
        raise SimulationError(f"camera '{name}' already looks for {_MOST} names")
    door.filters.set(key, before._replace(patterns=(*before.patterns, wildcard(mesh))))


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
    items = door.in_loop(lambda: _near(door, seen, found.radius, X_WC))
    wanted = [i for i in items if i[0] != own and any(p.fits(i[0]) for p in found.patterns)]
    return _told_of(door, wanted, X_WC, capture)


_Seen = tuple[str, np.ndarray, np.ndarray]
"""A thing's name, its pose with scale, and the corners of its boxes."""


def _near(door: AirSim, seen: set[int], radius: float, X_WC: np.ndarray) -> list[_Seen]:
    """Things that were seen within a distance [m]; in the loop."""
    return [
        (i.name, i.X_WO[0].copy(), box_of(i)) for i in door.simulation.scene.objects.values()
        if i.number in seen and np.linalg.norm(i.X_WO[0][:, 3] - X_WC[:, 3]) <= radius
    ]  # fmt: skip


def _told_of(door: AirSim, items: list[_Seen], X_WC: np.ndarray, capture: Capture) -> list[dict[str, Any]]:
    """Boxes of things that are in the picture, by name."""
    lens = lens_of("pinhole", capture.width, capture.height, np.radians(capture.fov_deg))
    out = []
    for name, X_WO, corners in sorted(items, key=lambda item: item[0]):
        box = _boxes(corners, X_WC, lens)
        if box is not None:
            out.append(_told(door, name, X_WO, X_WC, box))
    return out


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
