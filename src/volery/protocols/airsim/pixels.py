"""From our camera's arrays to AirSim's pictures: bytes for the eye, or one number a pixel."""

from __future__ import annotations

import io
import math

import numpy as np
from PIL import Image

from volery.core.palette import PALETTE
from volery.protocols.airsim.ned import ned
from volery.protocols.airsim.settings_parts import Capture

__all__ = ["as_bytes", "as_floats", "bent", "developed", "png"]

_FAR = 65_504.0
"""What AirSim tells for the sky: the largest half-precision number [m]."""
_VISIBLE = 100.0
"""Depth that is white [m]."""
_BASELINE = 0.25
"""Of disparity [m]."""
_GAMMA = 1.4
"""TargetGamma of AirSim's Scene pictures when none is told."""
_FLOW_FULL = 20.0
"""Flow that is shown in full colour [pixels]."""


def png(picture: np.ndarray) -> bytes:
    """PNG with four channels of a picture uint8 [h, w, 3]."""
    opaque = np.full((*picture.shape[:2], 1), 255, np.uint8)
    out = io.BytesIO()
    Image.fromarray(np.concatenate([picture, opaque], axis=2)).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _metres(depth: np.ndarray) -> np.ndarray:
    return np.minimum(np.nan_to_num(depth, nan=_FAR, posinf=_FAR), _FAR)


def _disparity(depth: np.ndarray, capture: Capture) -> np.ndarray:
    """Shift between two eyes as a share of the width."""
    focal = capture.width / (2 * math.tan(math.radians(capture.fov_deg) / 2))
    return _BASELINE * focal / (np.maximum(depth, 1e-3) * capture.width)


def as_floats(data: np.ndarray, kind: int, capture: Capture) -> np.ndarray:
    """One number a pixel, float32 [h, w]."""
    if kind in (1, 2):
        return _metres(data).astype(np.float32)
    if kind == 3:
        return np.minimum(_metres(data) / _VISIBLE, 1.0).astype(np.float32)
    if kind == 4:
        return np.where(np.isfinite(data), _disparity(data, capture), 0.0).astype(np.float32)
    if kind == 8:
        return np.nan_to_num(data)[..., 0].astype(np.float32)
    return (as_bytes(data, kind, np.eye(3, 4), capture)[..., 0] / 255.0).astype(np.float32)


def as_bytes(data: np.ndarray, kind: int, X_WC: np.ndarray, capture: Capture) -> np.ndarray:
    """Red, green, blue, uint8 [h, w, 3]."""
    if kind in (0, 11) or (kind == 5 and data.ndim == 3):
        return data
    if kind in (1, 2):
        return _grey(np.minimum(_metres(data), 255.0) / 255.0)
    if kind == 3:
        return _grey(np.minimum(_metres(data) / _VISIBLE, 1.0))
    if kind == 4:
        return _grey(np.clip(np.where(np.isfinite(data), _disparity(data, capture), 0.0), 0.0, 1.0))
    if kind == 5:
        return PALETTE[np.where(data < 0, 0, data) & 0xFF]
    if kind == 6:
        return _normals(data)
    if kind == 7:
        return np.repeat((np.where(data < 0, 0, data) & 0xFF).astype(np.uint8)[..., None], 3, axis=2)
    if kind in (8, 9):
        return _flow(np.nan_to_num(data))
    return _to_bytes(np.clip(data, 0.0, 1.0))


def _to_bytes(values: np.ndarray) -> np.ndarray:
    return (values * 255.0 + 0.5).astype(np.uint8)


def _grey(share: np.ndarray) -> np.ndarray:
    return np.repeat(_to_bytes(share)[..., None], 3, axis=2)


def _normals(normals_W: np.ndarray) -> np.ndarray:
    """Each axis (north, east, up, as Unreal has them) from −1 to 1 as 0 to 255; the sky is black."""
    seen = (normals_W != 0).any(axis=2, keepdims=True)
    n = ned(normals_W) * [1.0, 1.0, -1.0]
    return np.where(seen, _to_bytes(np.clip(n * 0.5 + 0.5, 0.0, 1.0)), 0).astype(np.uint8)


def _flow(flow: np.ndarray) -> np.ndarray:
    """Direction as hue, length as saturation."""
    hue = (np.arctan2(flow[..., 1], flow[..., 0]) / (2 * np.pi)) % 1.0
    strong = np.minimum(np.hypot(flow[..., 0], flow[..., 1]) / _FLOW_FULL, 1.0)
    wheel = np.clip(np.abs((hue[..., None] + [0.0, 2 / 3, 1 / 3]) % 1.0 * 6.0 - 3.0) - 1.0, 0.0, 1.0)
    return _to_bytes(1.0 - strong[..., None] * (1.0 - wheel))


def developed(picture: np.ndarray, gamma: float) -> np.ndarray:
    """A picture uint8 for a display of another gamma than AirSim's usual one; 0: the usual one."""
    if gamma <= 0.0 or gamma == _GAMMA:
        return picture
    table = _to_bytes((np.arange(256) / 255.0) ** (_GAMMA / gamma))
    return table[picture]


def bent(data: np.ndarray, k: tuple[float, ...], capture: Capture) -> np.ndarray:
    """A picture [h, w, …] as a lens with distortion K1, K2, K3, P1, P2 shows it; 0 where it looks beyond the edge."""
    k1, k2, k3, p1, p2 = k
    height, width = data.shape[:2]
    focal = width / (2 * math.tan(math.radians(capture.fov_deg) / 2))
    y, x = np.mgrid[:height, :width]
    x, y = (x + 0.5 - width / 2) / focal, (y + 0.5 - height / 2) / focal
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    column, row = np.floor(u * focal + width / 2).astype(int), np.floor(v * focal + height / 2).astype(int)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    out = np.zeros_like(data)
    out[inside] = data[row[inside], column[inside]]
    return out
