"""Interference in pictures as AirSim's NoiseSettings name it: grain, waves of brightness, bright lines, and shifted
lines.

AirSim draws it by a shader; this follows the meaning of its keys, not its numbers pixel by pixel.
"""

from __future__ import annotations

import numpy as np

from volery.protocols.airsim.settings_parts import NoiseSettings

__all__ = ["disturbed"]


def disturbed(picture: np.ndarray, noise: NoiseSettings, seconds: float, draw: np.random.Generator) -> np.ndarray:
    """A picture uint8 [h, w, 3] with interference at a time [s]; `draw` is the camera's own generator."""
    out = _shifted(picture, noise, draw).astype(float) / 255.0
    out += _waves(out.shape[0], noise, seconds)[:, None, None]
    out += _grain(out.shape[0], out.shape[1], noise, draw)[..., None]
    out += _lines(out.shape[0], out.shape[1], noise, draw)[..., None]
    return (np.clip(out, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _shifted(picture: np.ndarray, noise: NoiseSettings, draw: np.random.Generator) -> np.ndarray:
    """Lines that slip to the side by a share of the width."""
    height, width = picture.shape[:2]
    most = noise.distortion_contrib * noise.distortion_strength * width
    slip = np.rint(most * draw.uniform(-1.0, 1.0, height)).astype(int)
    columns = np.clip(np.arange(width)[None] + slip[:, None], 0, width - 1)
    return picture[np.arange(height)[:, None], columns]


def _waves(height: int, noise: NoiseSettings, seconds: float) -> np.ndarray:
    """Bands that run over the picture from top to bottom, [h]."""
    y = np.arange(height) / height
    phase = 2.0 * np.pi * (y * noise.wave_vert_size * noise.wave_screen_size - seconds)
    return noise.wave_contrib * (1.0 + noise.wave_strength) * np.sin(phase)


def _grain(height: int, width: int, noise: NoiseSettings, draw: np.random.Generator) -> np.ndarray:
    """Each grain is brighter or darker; RandSize of them lie side by side in a line, [h, w]."""
    across = int(min(max(noise.rand_size, 1.0), width))
    size = width / across
    grains = draw.uniform(-1.0, 1.0, (max(1, round(height / size)), across))
    # The denser, the more of the grains count
    grains *= draw.random(grains.shape) < min(noise.rand_density / 2.0, 1.0)
    rows = np.minimum((np.arange(height) / size).astype(int), len(grains) - 1)
    return noise.rand_contrib * grains[rows][:, np.minimum((np.arange(width) / size).astype(int), across - 1)]


def _lines(height: int, width: int, noise: NoiseSettings, draw: np.random.Generator) -> np.ndarray:
    """Bright dashes in a share of the lines, [h, w]."""
    out = np.zeros((height, width))
    for row in np.flatnonzero(draw.random(height) < noise.lines_density_y):
        out[row] = noise.lines_contrib * (draw.random(width) < noise.lines_density_xy)
    return out
