"""Surfaces of heights drawn as a camera at a given pose would see them, so that they can stand beside its picture."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from volery.report.chart import svg
from volery.report.picture import camera_pose

__all__ = ["PinholeCamera", "eye_on", "relief"]

_RAMP = np.array([[38, 60, 130], [45, 125, 160], [80, 170, 110], [200, 190, 90], [230, 235, 225]], float)
"""Colours from low to high."""
_LIGHT = np.array([-0.45, -0.25, 0.86])
"""Where the light comes from, in W."""


class PinholeCamera(NamedTuple):
    """A pinhole camera that looks along its x axis."""

    X_WC: np.ndarray
    """[3, 4]."""
    width: int
    height: int
    fov: float
    """Horizontal [rad]."""

    def seen(self, p_W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels [..., 2] and distances along the axis [...] of points [..., 3]; behind the camera: not above 0."""
        p = (p_W - self.X_WC[:, 3]) @ self.X_WC[:, :3]
        focal = 0.5 * self.width / np.tan(0.5 * self.fov)
        depth = p[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            x = 0.5 * self.width - focal * p[..., 1] / depth
            y = 0.5 * self.height - focal * p[..., 2] / depth
        return np.stack([x, y], axis=-1), depth


def eye_on(
    middle_W: np.ndarray, reach: float, yaw_deg: float = 45.0, down_deg: float = 35.0,
    size: tuple[int, int] = (480, 360),
) -> PinholeCamera:  # fmt: skip
    """A camera that looks at a place [m] along a heading and down, so far away that `reach` [m] about it is in view."""
    yaw, pitch, fov = np.radians(yaw_deg), np.radians(-down_deg), np.radians(50.0)
    way = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
    away = 1.4 * reach / np.tan(0.5 * fov)
    return PinholeCamera(camera_pose(np.asarray(middle_W, float) - away * way, yaw, pitch), *size, fov)


def relief(title: str, points_W: np.ndarray, eye: PinholeCamera, known: np.ndarray | None = None) -> str:
    """A drawing of the surface through points [n, m, 3] [m], neighbours joined, the farthest drawn first; colours tell
    the height. known [n, m]: points that count, by default all."""
    corners = np.stack([points_W[:-1, :-1], points_W[1:, :-1], points_W[1:, 1:], points_W[:-1, 1:]], axis=2)
    corners = corners.reshape(-1, 4, 3)
    pixels, depth = eye.seen(corners)
    keep: np.ndarray = np.all(depth > 0.1, axis=1)
    if known is not None:
        keep &= (known[:-1, :-1] & known[1:, :-1] & known[1:, 1:] & known[:-1, 1:]).ravel()
    order = np.argsort(-depth.mean(axis=1))
    order = order[keep[order]]
    low, high = _range(corners[order, :, 2]) if len(order) else (0.0, 1.0)
    colours = _colours(corners, low, high)
    top = 30
    parts = [
        f'<path d="M{_line(pixels[k], top)}Z" fill="#{colours[k]:06x}" stroke="#{colours[k]:06x}" stroke-width=".4"/>'
        for k in order.tolist()
    ]
    parts.append(f'<text x="10" y="19" font-size="14">{escape(title)}</text>')
    parts += _scale(eye.width, top, low, high)
    return svg(eye.width, eye.height + top, parts)


def _line(pixels: np.ndarray, top: float) -> str:
    return "L".join(f"{x:.1f} {y + top:.1f}" for x, y in pixels.tolist())


def _range(z: np.ndarray) -> tuple[float, float]:
    low, high = float(z.min()), float(z.max())
    return low, max(high, low + 1e-3)


def _ramp(share: np.ndarray) -> np.ndarray:
    at = np.clip(share, 0.0, 1.0) * (len(_RAMP) - 1)
    return np.stack([np.interp(at, np.arange(len(_RAMP)), _RAMP[:, k]) for k in range(3)], axis=-1)


def _colours(corners: np.ndarray, low: float, high: float) -> np.ndarray:
    """Of squares [k, 4, 3], as whole numbers of red, green and blue."""
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    facing = np.abs(normal @ _LIGHT) / np.maximum(length[:, 0], 1e-12)
    colour = _ramp((corners[..., 2].mean(axis=1) - low) / (high - low)) * (0.45 + 0.55 * facing)[:, None]
    red, green, blue = np.clip(colour, 0, 255).astype(int).T
    return red << 16 | green << 8 | blue


def _scale(width: int, top: float, low: float, high: float) -> list[str]:
    """What the colours mean."""
    tall, steps = 90.0, 15
    parts = []
    for k in range(steps):
        red, green, blue = _ramp(np.array((k + 0.5) / steps)).astype(int)
        y = top + 8 + tall * (1 - (k + 1) / steps)
        fill = f"rgb({red},{green},{blue})"
        parts.append(f'<rect x="{width - 22}" y="{y:.1f}" width="12" height="{tall / steps + 0.5:.1f}" fill="{fill}"/>')
    for value, y in ((high, top + 16.0), (low, top + 8 + tall)):
        label = f'text-anchor="end" font-size="12">{value:.2f} m</text>'
        parts.append(f'<text x="{width - 28}" y="{y:.1f}" {label}')
    return parts
