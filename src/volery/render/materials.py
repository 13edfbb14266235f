"""Materials as pictures see them: colours, what passes through them, and the grain of bark, soil, rock and brick."""

from __future__ import annotations

import functools

import numpy as np

from volery._native.render import NOISE_EDGE, NoiseVolume, Texture
from volery._native.render import Material as MaterialRow
from volery.core.material import Material
from volery.core.rng import generator

__all__ = ["material_rows", "noise_volume"]

_GRAIN = {
    "": (0.0, 1.0, Texture.NONE), "bark": (0.8, 8.0, Texture.BARK), "smooth bark": (0.3, 5.0, Texture.BARK),
    "rock": (0.45, 0.4, Texture.ROCK), "strata": (0.45, 0.6, Texture.STRATA),
    "dripstone": (0.4, 1.5, Texture.DRIPSTONE),
    "soil": (0.5, 0.8, Texture.GROUND), "grass": (0.45, 0.8, Texture.GROUND),
    "brick": (0.25, 1.5, Texture.BRICK), "wood": (0.35, 8.0, Texture.BARK), "concrete": (0.2, 0.5, Texture.PLAIN),
    "asphalt": (0.25, 3.0, Texture.PLAIN), "metal": (0.06, 1.0, Texture.PLAIN), "snow": (0.06, 0.5, Texture.PLAIN),
    "leaf": (0.35, 1.0, Texture.LEAF),
}  # fmt: skip
"""Strength, frequency [1/m] and kind of the grain by texture."""
_OTHER_GRAIN = (0.15, 0.75, Texture.PLAIN)
"""Of a texture without one."""
_LEAF_LIGHT = 0.55
"""Light a leaf lets through, as a multiple of what it sends back, if its material does not say."""
_LEAVES = ("leaf", "leaves", "foliage", "grass", "fern", "bush", "needle")


def material_rows(materials: list[Material]) -> np.ndarray:
    """Materials by number, as kernels take them."""
    rows = np.zeros(len(materials), MaterialRow)
    for row, m in zip(rows, materials, strict=True):
        leaf = m.label_name in _LEAVES[:3] or (not m.solid and m.label_name in _LEAVES)
        # A leaf's transparency is that of its brightest colour: what passes is greener than what is sent back.
        passing = m.transparency / max(*m.colour, 0.05) if m.transparency else _LEAF_LIGHT
        row["colour"], row["emission"], row["gloss"] = m.colour, m.emission, 1 - m.roughness
        row["thin"], row["glass"], row["mirror"] = passing if leaf else 0.0, 0.0 if leaf else m.transparency, m.mirror
        row["grain"], row["frequency"], row["texture"] = _GRAIN.get(m.texture, _OTHER_GRAIN)
        row["temperature"], row["label"] = m.temperature, m.label_number
    return rows


@functools.cache
def noise_volume() -> NoiseVolume:
    """A periodic cloud of noise of all scales, zero mean and unit spread."""
    white = generator(0, "camera/grain").standard_normal((NOISE_EDGE, NOISE_EDGE, NOISE_EDGE))
    f = np.fft.fftfreq(NOISE_EDGE) * NOISE_EDGE
    radius = np.sqrt(f[:, None, None] ** 2 + f[None, :, None] ** 2 + f[None, None, :] ** 2)
    spectrum = np.fft.fftn(white) * np.where(radius > 0.5, np.maximum(radius, 1.0) ** -1.9, 0.0)
    cloud = np.fft.ifftn(spectrum).real
    return NoiseVolume(np.clip(cloud / cloud.std(), -2.5, 2.5).astype(np.float32).ravel())
