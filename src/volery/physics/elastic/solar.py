"""The sun on a wing that bends: what its cells give."""

from __future__ import annotations

import numpy as np

from volery.physics.elastic.craft import ElasticAircraft

__all__ = ["solar_power"]

_SUN = 1361.0
"""Sunlight outside the air, which is nearly what there is at 20 km [W/m²]."""


def solar_power(craft: ElasticAircraft, sun_W: np.ndarray, light: float = _SUN) -> float:
    """Electric power of the cells [W] for a unit vector to the sun [3] and its light on what faces it [W/m²].

    Each strip counts by the angle at which it stands now; shadows of one part on another are left out.
    """
    craft.places()
    frame = craft.frame
    strips = frame.strips
    xmat = frame.data.xmat[strips["body"]].reshape(-1, 3, 3)
    facing = np.einsum("sij,sj,i->s", xmat, strips["R_BS"][:, :, 2], np.asarray(sun_W, float)).clip(0.0)
    area = 2.0 * strips["half_chord"] * strips["length"] * craft.strips.wing
    return float(light * craft.aircraft.panels * craft.aircraft.cells * (area * facing).sum())
