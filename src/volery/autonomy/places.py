"""Where missions can begin: in free air above the ground."""

from __future__ import annotations

import numpy as np

from volery.errors import SimulationError
from volery.sim import Simulation

__all__ = ["free_starts"]

_HEIGHT = 2.0
"""Above the ground [m]."""
_CLEAR = 1.4
"""Nothing is nearer [m]."""


def free_starts(simulation: Simulation, count: int, spacing: float) -> np.ndarray:
    """Places beside the world's own start, from south to north, each moved until it is free, [count, 3] [m]."""
    middle = np.array(simulation.world.spawn(), float)
    out = np.zeros((count, 3))
    for i in range(count):
        wanted = middle + [0.0, (i - (count - 1) / 2) * spacing, 0.0]
        out[i] = _free_near(simulation, wanted, spacing)
    return out


def _free_near(simulation: Simulation, wanted: np.ndarray, spacing: float) -> np.ndarray:
    """On rings about the wanted place, the nearest first."""
    for radius in np.arange(0.0, max(spacing, 12.0), 0.5):
        for angle in np.linspace(0.0, 2 * np.pi, max(int(4 * radius), 1), endpoint=False):
            p = wanted + radius * np.array([np.cos(angle), np.sin(angle), 0.0])
            ground = simulation.scene.cast(p + [0.0, 0.0, 1.0], np.array([[0.0, 0.0, -1.0]]), max_range=60.0).distance[
                0
            ]
            if not np.isfinite(ground):
                continue
            p[2] += 1.0 - ground + _HEIGHT
            _, distance, _ = simulation.scene.closest_point(p[None], max_distance=_CLEAR)
            if not distance[0] < _CLEAR:
                return p
    raise SimulationError("there is no free air near the start of this world; choose another seed")
