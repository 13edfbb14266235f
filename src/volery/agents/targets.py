"""Where parcels go: random places on free ground, the same for every behaviour."""

from __future__ import annotations

import numpy as np

from volery.core.rng import generator
from volery.errors import SimulationError
from volery.sim import Simulation

__all__ = ["OBSTACLES", "bases", "free_targets"]

OBSTACLES = "obstacles"
"""Channel of the scenario that shows all but the ground and the drones."""
_CLEAR = 2.5
"""No obstacle is nearer to a target, or to the air above it [m]."""
_HEIGHTS = np.arange(0.5, 20.0, 2.0)
_APART = 4.0
"""Between two targets, and from a target to the bases [m]."""
_TRIES = 200
"""For each target, before it is given up."""


def bases(count: int, spacing: float, ground_z: float, origin_W: np.ndarray) -> np.ndarray:
    """Bases in a line from south to north, as the report has them, [count, 3] [m]."""
    out = np.zeros((count, 3))
    out[:, 1] = (np.arange(count) - (count - 1) / 2) * spacing
    return out + [origin_W[0], origin_W[1], ground_z]


def free_targets(simulation: Simulation, count: int, reach: float, bases_W: np.ndarray) -> np.ndarray:
    """Places on free ground within a square of ±reach [m] round the bases, apart from each other, [count, 3] [m].

    Nothing stands nearer than 2.5 m to them or to the air above.
    """
    draw = generator(simulation.seed, "deliveries/targets")
    middle, found = bases_W.mean(axis=0), np.empty((0, 3))
    for _ in range(_TRIES * count):
        if len(found) == count:
            return found
        p = middle + [*draw.uniform(-reach, reach, 2), 0.0]
        taken = np.concatenate([found, bases_W])
        if np.linalg.norm(taken - p, axis=1).min() >= _APART and _free(simulation, p):
            found = np.concatenate([found, p[None]])
    raise SimulationError(
        f"there is no free ground for {count} targets within {reach:g} m; "
        "ask for fewer drones or parcels, or a larger reach"
    )


def _free(simulation: Simulation, p_W: np.ndarray) -> bool:
    column = p_W + _HEIGHTS[:, None] * [0.0, 0.0, 1.0]
    _, distance, _ = simulation.scene.closest_point(column, max_distance=_CLEAR, channel=OBSTACLES)
    return bool((distance >= _CLEAR).all())
