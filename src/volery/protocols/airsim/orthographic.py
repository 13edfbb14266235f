"""Orthographic pictures: one ray a pixel, all side by side, from the plane of the camera."""

from __future__ import annotations

import numpy as np

from volery.errors import SimulationError
from volery.protocols.airsim.settings_parts import Capture
from volery.world.cast.hits import Hits
from volery.world.environment import Environment

__all__ = ["look_straight"]

_FAR = 10_000.0
_MOST_RAYS = 4_000_000
_LIFT, _SHADOW = 1e-3, 300.0
"""Shadows are looked for from this far off a surface, and so far towards the sun [m]."""
_SKYLIGHT = 0.45
"""Share of a surface's brightness that does not come from the sun."""
_SKY = (150, 180, 210)


def look_straight(
    environment: Environment,
    X_WC: np.ndarray,
    capture: Capture,
    outputs: tuple[str, ...],
    ignore: str | None,
    now_ns: int,
) -> dict[str, np.ndarray]:
    """Arrays of a picture at a pose [3, 4] (forward, left, up), by the names that cameras have for them."""
    height, width, scene = capture.height, capture.width, environment.scene
    if height * width > _MOST_RAYS:
        raise SimulationError(f"an orthographic picture of {width} × {height} pixels is more than {_MOST_RAYS}")
    pixel = capture.ortho_width / width
    right = (np.arange(width) + 0.5 - width / 2) * pixel
    down = (np.arange(height) + 0.5 - height / 2) * pixel
    y, z = np.meshgrid(-right, -down)
    starts = X_WC[:, 3] + y.reshape(-1, 1) * X_WC[:, 1] + z.reshape(-1, 1) * X_WC[:, 2]
    ways = np.broadcast_to(X_WC[:, 0], starts.shape)
    hits = scene.cast(starts, ways, max_range=_FAR, ignore=ignore)
    seen, shape = hits.hit.copy(), (height, width)
    depth = np.where(seen, hits.distance, np.inf).astype(np.float32).reshape(shape)
    facing = hits.normal * -np.sign(np.einsum("ij,ij->i", hits.normal, ways))[:, None]
    numbers = np.where(seen, hits.object, -1).astype(np.int32).reshape(shape)
    made: dict[str, np.ndarray] = {
        "depth": depth, "depth_planar": depth, "instances": numbers,
        "normals": facing.astype(np.float32).reshape(*shape, 3), "flow": np.zeros((*shape, 2), np.float32),
    }  # fmt: skip
    if {"rgb", "radiance"} & set(outputs):
        light = _light(environment, hits.points, facing, seen, now_ns)
        made["radiance"] = (light[:, None] * _colours(environment, hits)).reshape(*shape, 3).astype(np.float32)
        made["rgb"] = _shown(made["radiance"], seen.reshape(shape), capture)
    return {name: made[name] for name in outputs}


def _light(
    environment: Environment, points: np.ndarray, normals: np.ndarray, seen: np.ndarray, now_ns: int
) -> np.ndarray:
    """Brightness of surfaces by sun and sky, [n]."""
    sun = environment.sky.sun(now_ns).direction
    slant = np.maximum(normals @ sun, 0.0) * (sun[2] > 0.0)
    lit = seen & (slant > 0.0)
    if lit.any():
        start = points[lit] + _LIFT * normals[lit]
        lit[lit] = ~environment.scene.occluded(start, start + _SHADOW * sun)
    return _SKYLIGHT + (1.0 - _SKYLIGHT) * np.where(lit, slant, 0.0)


def _colours(environment: Environment, hits: Hits) -> np.ndarray:
    """Linear colour of what was hit, [n, 3]."""
    number = hits.material
    table = np.array([m.colour for m in environment.scene.materials.all] or [(0.0, 0.0, 0.0)], float)
    return np.where(number[:, None] >= 0, table[np.maximum(number, 0)], 0.0)


def _shown(linear: np.ndarray, seen: np.ndarray, capture: Capture) -> np.ndarray:
    """For a display, uint8 [h, w, 3]."""
    shade = np.clip(linear * 2.0 ** (capture.exposure + 0.8), 0.0, 1.0) ** (1.0 / 2.2)
    out = (shade * 255.0 + 0.5).astype(np.uint8)
    out[~seen] = _SKY
    return out
