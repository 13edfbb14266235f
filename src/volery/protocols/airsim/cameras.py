"""The cameras of a vehicle, or of the world: where they sit, where they look, and how they are set."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from volery.core.frames import (
    euler_from_quat,
    matrix_from_quat,
    quat_from_euler,
    quat_multiply,
    quat_normalise,
    quat_rotate,
)
from volery.errors import SimulationError, UnknownNameError
from volery.protocols.airsim.ned import quaternion_enu, quaternion_ned, to_enu
from volery.protocols.airsim.settings import SettingsFile, VehicleSettings
from volery.protocols.airsim.settings_parts import CameraSettings, Capture

__all__ = ["CinemaLens", "VehicleCamera", "VehicleCameras"]

_ALIASES = {
    "0": "front_center", "": "front_center", "fpv": "front_center", "1": "front_right", "2": "front_left",
    "3": "bottom_center", "4": "back_center",
}  # fmt: skip
_CAR_ALIASES = {**_ALIASES, "3": "fpv", "fpv": "fpv"}
_PLACES: dict[str, dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]]] = {
    "drone": {
        "front_center": ((0.46, 0.0, 0.0), (0.0, 0.0, 0.0)), "front_right": ((0.46, 0.125, 0.0), (0.0, 0.0, 0.0)),
        "front_left": ((0.46, -0.125, 0.0), (0.0, 0.0, 0.0)), "bottom_center": ((0.0, 0.0, 0.1), (0.0, -90.0, 0.0)),
        "back_center": ((-0.46, 0.0, 0.0), (0.0, 0.0, 180.0)),
    },
    "car": {
        "front_center": ((2.0, 0.0, -1.0), (0.0, 0.0, 0.0)), "front_right": ((2.0, 0.125, -1.0), (0.0, 0.0, 0.0)),
        "front_left": ((2.0, -0.125, -1.0), (0.0, 0.0, 0.0)), "fpv": ((0.0, -0.25, -1.25), (0.0, 0.0, 0.0)),
        "back_center": ((-2.0, 0.0, -1.0), (0.0, 0.0, 180.0)),
    },
    "eye": {
        "front_center": ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "front_right": ((0.0, 0.125, 0.0), (0.0, 0.0, 0.0)),
        "front_left": ((0.0, -0.125, 0.0), (0.0, 0.0, 0.0)), "bottom_center": ((0.0, 0.0, 0.0), (0.0, -90.0, 0.0)),
        "back_center": ((0.0, 0.0, 0.0), (0.0, 0.0, 180.0)),
    },
}  # fmt: skip
"""Usual places: position [m] and roll, pitch, yaw [deg], forward, right, down."""
DISTORTION = ("K1", "K2", "K3", "P1", "P2")


@dataclass
class CinemaLens:
    """What a cinema camera's lens is set to. Field of view follows focal length and sensor; the rest is only kept."""

    sensor_width: float = 23.76
    """[mm]."""
    sensor_height: float = 13.365
    focal_length: float = 11.88
    """[mm]."""
    focus_distance: float = 100_000.0
    """[cm], as Unreal has it."""
    aperture: float = 2.8
    manual_focus: bool = False
    focus_plane: bool = False
    preset: str = "Universal Zoom"
    filmback: str = "Custom"


@dataclass
class VehicleCamera:
    """One camera."""

    name: str
    p: np.ndarray
    """Place on the body, FRD, or in world NED [m]."""
    q_wxyz: np.ndarray
    """Attitude on the body (FRD), or in world NED."""
    settings: CameraSettings
    fov_deg: float | None = None
    """Set by a client, for all types; None: as each type has it."""
    distortion: dict[str, float] = field(default_factory=lambda: dict.fromkeys(DISTORTION, 0.0))
    lens: CinemaLens = field(default_factory=CinemaLens)

    def capture(self, image_type: int) -> Capture:
        """Size and view of a type of picture."""
        found = self.settings.captures.get(image_type, Capture())
        return found if self.fov_deg is None else replace(found, fov_deg=self.fov_deg)

    def X_WC(self, p_WB: np.ndarray, q_WB_wxyz: np.ndarray) -> np.ndarray:
        """Pose of the camera (forward, left, up) in W [3, 4], on a body there."""
        q_body = quaternion_ned(q_WB_wxyz)
        q = self._steadied(quat_multiply(q_body, self.q_wxyz))
        place = p_WB + to_enu(quat_rotate(q_body, self.p))
        return np.concatenate([matrix_from_quat(quaternion_enu(q)), place[:, None]], axis=1)

    def _steadied(self, q: np.ndarray) -> np.ndarray:
        """With a gimbal, angles that are told stay as they are in the world."""
        gimbal = self.settings.gimbal
        if gimbal.stabilization <= 0.0:
            return quat_normalise(q)
        angles = euler_from_quat(q)
        for i, wanted in enumerate((gimbal.roll, gimbal.pitch, gimbal.yaw)):
            if not math.isnan(wanted):
                off = (math.radians(wanted) - angles[i] + np.pi) % (2 * np.pi) - np.pi
                angles[i] += gimbal.stabilization * off
        return quat_normalise(quat_from_euler(angles))

    def set_fov(self, degrees: float) -> None:
        """Change the horizontal field of view of all types."""
        if not 1.0 <= degrees <= 179.0:
            raise SimulationError(f"camera '{self.name}': a field of view of {degrees:g}° must be 1 to 179")
        self.fov_deg = float(degrees)
        self.lens.focal_length = self.lens.sensor_width / 2 / math.tan(math.radians(degrees) / 2)

    def set_focal_length(self, millimetres: float) -> None:
        """Change the focal length, and with it the field of view."""
        if not 0.1 <= millimetres <= 10_000:
            raise SimulationError(f"camera '{self.name}': a focal length of {millimetres:g} mm must be 0.1 to 10000")
        self.lens.focal_length = millimetres
        self.fov_deg = min(math.degrees(2 * math.atan(self.lens.sensor_width / 2 / millimetres)), 179.0)


class VehicleCameras:
    """All cameras of a vehicle, by name."""

    def __init__(self, vehicle: VehicleSettings | None, settings: SettingsFile) -> None:
        """vehicle: None for the cameras that stand in the world."""
        if vehicle is None:
            self._aliases: dict[str, str] = {}
            self.cameras = {n: _camera(n, c, (0, 0, 0), (0, 0, 0)) for n, c in settings.external_cameras.items()}
            return
        self._aliases = _CAR_ALIASES if vehicle.kind == "car" else _ALIASES
        self.cameras = {n: _camera(n, settings.cameras, *place) for n, place in _PLACES[vehicle.kind].items()}
        for name, own in vehicle.cameras.items():
            known = self._aliases.get(name, name)
            place = _PLACES[vehicle.kind].get(known, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
            self.cameras[known] = _camera(known, own, *place)

    def camera(self, name: str) -> VehicleCamera:
        """A camera by its name or number."""
        known = name if name in self.cameras else self._aliases.get(name, name)
        if known not in self.cameras:
            raise UnknownNameError("camera", name, self.cameras)
        return self.cameras[known]


def _camera(name: str, settings: CameraSettings, place: tuple[Any, ...], angles: tuple[Any, ...]) -> VehicleCamera:
    p = [d if math.isnan(x) else x for x, d in zip(settings.position, place, strict=True)]
    rpy = [d if math.isnan(x) else x for x, d in zip(settings.attitude_deg, angles, strict=True)]
    return VehicleCamera(name, np.array(p, float), quat_from_euler(np.radians(rpy)), settings)
