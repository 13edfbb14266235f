"""Colours of instances as Cosys-AirSim's clients have them: a table that never ends."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

__all__ = ["instance_colours"]

_CHANNEL = (
    *(255, 127, 191, 95, 159, 223, 79, 110, 143, 175, 207, 239, 86, 102, 119, 135, 151, 167, 183, 199, 215, 231, 247),
    *(83, 90, 98, 106, 114, 122, 131, 139, 147),
)
"""Values of a channel in the order in which Cosys-AirSim takes them into use; 32 make 32,768 colours."""


@cache
def instance_colours() -> np.ndarray:
    """Red, green, blue by number of the instance, uint8 [32768, 3], as Cosys-AirSim's clients have them."""
    colours: list[tuple[int, ...]] = []
    for top in range(len(_CHANNEL)):
        # All that have this value in some channels (first blue, then green …) and earlier ones in the others.
        for fixed in range(1, 8):
            channels = [(top,) if fixed >> (2 - c) & 1 else range(top) for c in range(3)]
            colours += [tuple(_CHANNEL[i] for i in indices) for indices in product(*channels)]
    return np.array(colours, np.uint8)
