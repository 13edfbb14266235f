"""Still pictures of a scene for people: depth, normals, labels, or plainly lit colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.errors import RayError
from volery.report.shading import Lighting, shade
from volery.world.hits import Hits
from volery.world.scene import Scene

__all__ = ["KINDS", "camera_pose", "picture", "save_picture"]

KINDS = ("colour", "depth", "normal", "label")
_FAR = 5000.0


def camera_pose(p_W: np.ndarray, yaw: float, pitch: float) -> np.ndarray:
    """A camera at p [m] that looks along yaw and pitch [rad, nose up positive], pose [3, 4]."""
    R = matrix_from_quat(quat_from_euler(np.array([0.0, -pitch, yaw])))
    return np.concatenate([R, np.reshape(p_W, (3, 1))], axis=1)


def picture(
    scene: Scene, X_WC: np.ndarray, kind: str, width: int, height: int, fov: float, lighting: Lighting
) -> np.ndarray:
    """RGB, uint8 [height, width, 3], of a pinhole camera that looks along its x axis; fov: horizontal [rad]."""
    if not (1 <= width <= 8192 and 1 <= height <= 8192 and 0.0 < fov < np.pi):
        raise RayError(
            f"picture of {width}×{height}, {np.degrees(fov):g}°: sizes go to 8192, the field of view below 180°"
        )
    over = 2 if kind == "colour" else 1
    hits = scene.cast(X_WC[:, 3], _rays(X_WC, over * width, over * height, fov), max_range=_FAR)
    painters = {"colour": lambda s, h: shade(s, h, lighting), "depth": _depth, "normal": _normal, "label": _label}
    painted = painters[kind](scene, hits)
    image = painted.reshape(height, over, width, over, 3).mean(axis=(1, 3))
    return (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)


def save_picture(image: np.ndarray, path: Path | str) -> None:
    """Write a picture; the file's ending says the format."""
    try:
        Image.fromarray(image).save(path)
    except (OSError, ValueError) as error:
        raise RayError(f"picture {path} cannot be written: {error}") from None


def _rays(X_WC: np.ndarray, width: int, height: int, fov: float) -> np.ndarray:
    focal = 0.5 * width / np.tan(fov / 2)
    u, v = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    d_C = np.stack([np.full_like(u, focal), -u, -v], axis=-1).reshape(-1, 3)
    return d_C @ X_WC[:, :3].T


def _depth(scene: Scene, hits: Hits) -> np.ndarray:
    """Near is bright; logarithmic, since worlds are deep."""
    d = np.where(hits.hit, hits.distance, _FAR)
    grey = 1.0 - np.log1p(d) / np.log1p(_FAR)
    return np.repeat(grey[:, None], 3, axis=1)


def _normal(scene: Scene, hits: Hits) -> np.ndarray:
    return np.where(hits.hit[:, None], hits.normal * 0.5 + 0.5, 0.0)


def _label(scene: Scene, hits: Hits) -> np.ndarray:
    table = np.array([scene.materials.label_id(m) for m in scene.materials.all] + [-1])
    hue = (table[hits.material] * 0.61803) % 1.0
    wheel = np.clip(np.abs((hue[:, None] + np.array([0.0, 2 / 3, 1 / 3])) % 1.0 * 6 - 3) - 1, 0, 1)
    return np.where(hits.hit[:, None], 0.25 + 0.75 * wheel, 0.0)
