"""Light and air at an instant, the sky, and what an open sky gives to a surface; compiled functions.

The sky's light on surfaces is that of its gradient: L(z) = horizon + (zenith − horizon)·√z by the height z of a unit
direction. Glow and clouds are only seen.
"""

# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_grain import noise
from volery.sensors.camera_light import FAST

__all__ = ["Air", "glow", "open_sky", "passing", "sky"]


class Air(NamedTuple):
    """Light and air at an instant, as kernels take them; colours are linear RGB."""

    sun_W: np.ndarray
    """Unit vector towards the sun."""
    sun: np.ndarray
    """What a white surface that faces the sun sends back."""
    zenith: np.ndarray
    horizon: np.ndarray
    extinction: float
    """Of visible light [1/m]."""
    cloud: float
    """How much of the sky is hidden by what is in the air, 0 to 1."""
    headlight: float
    """Light of the camera's own lamp at 1 m."""
    grain: np.ndarray
    pixel_angle: float
    """What a pixel sees of the world [rad], to blur the grain with distance."""


@nb.njit(cache=True, nogil=True, inline="always")
def open_sky(up):
    """Light of an open sky on a surface whose normal has height `up`, as shares of horizon and zenith.

    The mean of L over directions weighted by their cosine, with the unit sky (1 + up)/2. The share of √z is exact for
    surfaces that lie (0.8), stand (B(3/4, 3/2)/π = 0.3051) or hang (0), and within 0.01 between.
    """
    zenith = 0.3051 + up * (0.4 + 0.0949 * up)
    return 0.5 * (1.0 + up) - zenith, zenith


@nb.njit(cache=True, nogil=True, inline="always")
def passing(depth):
    """exp(-depth) for a depth ≥ 0, within 1e-5: the share of light that passes through air of an optical depth.

    Padé's (2, 2) for an eighth of it, three times squared: unlike exp, several at once."""
    x = min(depth, np.float32(16.0)) * np.float32(0.125)
    square = x * x
    share = (np.float32(12.0) - np.float32(6.0) * x + square) / (np.float32(12.0) + np.float32(6.0) * x + square)
    share *= share
    share *= share
    return share * share


@nb.njit(cache=True, nogil=True, inline="always")
def glow(near):
    """Sunlight that air sends on to an eye, by the cosine of the angle between its way and the sun's; a share of it."""
    near = max(near, 0.0)
    near *= near
    near *= near
    wide = 0.05 * near
    near *= near
    return wide + 0.1 * near * near


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def sky(air, x, y, z, seen, out, i) -> None:
    """The sky along a direction into out[i]; seen: with the sun's glow and disc and thin clouds, else as a light."""
    up = np.sqrt(min(max(z, 0.0), 1.0))
    broad, narrow, veil = 0.0, 0.0, 0.0
    if seen:
        near = x * air.sun_W[0] + y * air.sun_W[1] + z * air.sun_W[2]
        broad = glow(near)
        if near > 0.98:
            for _ in range(8):
                near *= near
            narrow = 0.42 * near + (10.0 if near > 0.9974 else 0.0)
        if z > 0.02:
            s = 14.0 / (z + 0.12)
            cloud = 0.7 * noise(air.grain, x * s + 7.0, y * s + 3.0, 11.5)[0]
            cloud += 0.3 * noise(air.grain, x * s * 3.7, y * s * 3.7, 40.5)[0]
            veil = 0.55 * min(max(0.8 * cloud - 0.15, 0.0), 1.0) * min(z * 4.0, 1.0)
    for c in range(3):
        clear = air.horizon[c] + (air.zenith[c] - air.horizon[c]) * up
        more = veil * (0.25 * air.sun[c] + 0.75 * air.horizon[c] - clear)
        more += (broad + narrow) * air.sun[c] * (1.0 - 0.7 * veil)
        out[i, c] = clear + (1.0 - air.cloud) * more
