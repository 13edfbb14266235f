"""Still pictures of a world for people: colours (by default of the best quality), depth, normals or labels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from volery.core.frames import matrix_from_quat, quat_from_euler, quat_from_matrix
from volery.core.rng import generator
from volery.errors import RayError
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig
from volery.world.environment import Environment

__all__ = ["CLIPS", "KINDS", "camera_pose", "picture", "save_clip", "save_picture"]

KINDS = ("colour", "depth", "normal", "label")
CLIPS = (".webp", ".gif", ".png")
"""Endings of files that can hold a clip."""
_FAR = 5000.0
_DARK, _HEADLIGHT = 0.01, 3.0
"""Mean light below which a picture is taken with a lamp, such as in a cave; and that lamp."""


def camera_pose(p_W: np.ndarray, yaw: float, pitch: float) -> np.ndarray:
    """A camera at p [m] that looks along yaw and pitch [rad, nose up positive], pose [3, 4]."""
    R = matrix_from_quat(quat_from_euler(np.array([0.0, -pitch, yaw])))
    return np.concatenate([R, np.reshape(p_W, (3, 1))], axis=1)


def picture(
    environment: Environment, now_ns: int, X_WC: np.ndarray, kind: str, width: int, height: int, fov: float,
    quality: str = "best",
) -> np.ndarray:  # fmt: skip
    """RGB, uint8 [height, width, 3], of a pinhole camera that looks along its x axis; fov: horizontal [rad]; quality:
    of colours, as a camera has it."""
    if not (1 <= width <= 8192 and 1 <= height <= 8192 and 0.0 < fov < np.radians(179.0)):
        raise RayError(
            f"picture of {width}×{height}, {np.degrees(fov):g}°: sizes go to 8192, the field of view to 179°"
        )
    colour = partial(_colour, quality=quality)
    take = {"colour": colour, "depth": _depth, "normal": _normal, "label": _label}[kind]
    return take(environment, now_ns, X_WC, {"width": width, "height": height, "fov_deg": float(np.degrees(fov))})


def save_picture(image: np.ndarray, path: Path | str) -> None:
    """Write a picture; the file's ending says the format."""
    try:
        Image.fromarray(image).save(path)
    except (OSError, ValueError) as error:
        raise RayError(f"picture {path} cannot be written: {error}") from None


def save_clip(frames: list[np.ndarray], path: Path | str, rate: float) -> None:
    """Write pictures [h, w, 3] as a clip of so many a second, which begins again at its end; see CLIPS."""
    first, *rest = (Image.fromarray(frame) for frame in frames)
    how = {"quality": 80, "method": 4} if Path(path).suffix.lower() == ".webp" else {}
    try:
        first.save(path, save_all=True, append_images=rest, duration=round(1000 / rate), loop=0, **how)
    except (OSError, ValueError) as error:
        raise RayError(f"clip {path} cannot be written: {error}") from None


def _shot(
    environment: Environment, now_ns: int, X_WC: np.ndarray, output: str, lens: dict[str, Any], **parameters: object
) -> np.ndarray:
    """One output of a camera at a pose, as an array."""
    eye = Robot("picture", load_robot_file("probe").description())
    eye.set_pose(np.array(X_WC[:, 3]), quat_from_matrix(X_WC[:, :3]))
    eye.update()
    config = CameraConfig(outputs=(output,), range=_FAR, **lens, **parameters)
    return Camera("picture", config, eye, environment, generator(0, "picture")).sense(now_ns)[output]


def _colour(environment: Environment, now_ns: int, X_WC: np.ndarray, lens: dict[str, Any], quality: str) -> np.ndarray:
    light = _shot(environment, now_ns, X_WC, "radiance", {**lens, "width": 64, "height": 36})
    lamp = _HEADLIGHT if float(light.mean()) < _DARK else 0.0
    return _shot(environment, now_ns, X_WC, "rgb", lens, quality=quality, headlight=lamp)


def _depth(environment: Environment, now_ns: int, X_WC: np.ndarray, lens: dict[str, Any]) -> np.ndarray:
    """Near is bright; logarithmic, since worlds are deep."""
    d = np.minimum(_shot(environment, now_ns, X_WC, "depth", lens), _FAR)
    return _display(np.repeat((1.0 - np.log1p(d) / np.log1p(_FAR))[..., None], 3, axis=2))


def _normal(environment: Environment, now_ns: int, X_WC: np.ndarray, lens: dict[str, Any]) -> np.ndarray:
    n = _shot(environment, now_ns, X_WC, "normals", lens)
    return _display(np.where((n != 0).any(axis=2, keepdims=True), n * 0.5 + 0.5, 0.0))


def _label(environment: Environment, now_ns: int, X_WC: np.ndarray, lens: dict[str, Any]) -> np.ndarray:
    label = _shot(environment, now_ns, X_WC, "labels", lens)[..., None]
    wheel = np.clip(np.abs((label * 0.61803 + np.array([0.0, 2 / 3, 1 / 3])) % 1.0 * 6 - 3) - 1, 0, 1)
    return _display(np.where(label > 0, 0.25 + 0.75 * wheel, 0.0))


def _display(image: np.ndarray) -> np.ndarray:
    return (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
