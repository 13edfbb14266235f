"""What there really is to explore: the air that a robot can get to, found by rays through the true world."""

from __future__ import annotations

import numpy as np

from volery.autonomy.occupancy import Occupancy
from volery.sim import Simulation

__all__ = ["coverage", "true_air"]

_SIDES = np.concatenate([np.eye(3, dtype=np.int64), -np.eye(3, dtype=np.int64)])


def true_air(
    simulation: Simulation, start_W: np.ndarray, low_W: np.ndarray, high_W: np.ndarray, clear: float, cell: float = 1.0
) -> np.ndarray:
    """Middles of all cells in a box [m] that a robot with so much room about it can get to from a start, [n, 3] [m].

    From cell to cell along rays that meet nothing. The simulation is one of its own: the world is loaded far and wide.
    """
    _load(simulation, low_W, high_W)
    shape = np.ceil((high_W - low_W) / cell).astype(np.int64)
    reached, tried = np.zeros(shape, bool), np.zeros(shape, bool)
    edge = np.floor((start_W - low_W) / cell).astype(np.int64)[None]
    reached[tuple(edge.T)] = tried[tuple(edge.T)] = True
    while len(edge):
        steps = [(edge + side, edge) for side in _SIDES]
        to, come = np.concatenate([a for a, _ in steps]), np.concatenate([b for _, b in steps])
        inside = ((to >= 0) & (to < shape)).all(axis=1)
        to, come = to[inside], come[inside]
        new = ~reached[tuple(to.T)]
        to, come = to[new], come[new]
        if len(to) == 0:
            break
        a, b = low_W + (come + 0.5) * cell, low_W + (to + 0.5) * cell
        free = ~simulation.scene.occluded(a, b)
        to = np.unique(to[free], axis=0)
        if len(to) == 0:
            break
        _, distance, _ = simulation.scene.closest_point(low_W + (to + 0.5) * cell, max_distance=clear)
        edge = to[~(distance < clear)]
        reached[tuple(edge.T)] = True
    return low_W + (np.argwhere(reached) + 0.5) * cell


def coverage(occupancy: Occupancy, air_W: np.ndarray) -> float:
    """Share of the air that the map knows to be free."""
    if len(air_W) == 0:
        return 1.0
    low, high = air_W.min(axis=0) - 1.0, air_W.max(axis=0) + 1.0
    window = occupancy.window(low, high)
    return float((window.evidence[tuple(window.index(air_W).T)] < 0).mean())


def _load(simulation: Simulation, low_W: np.ndarray, high_W: np.ndarray) -> None:
    if simulation.streamer is not None:
        x, y = (np.arange(low, high + 10.0, 10.0) for low, high in zip(low_W[:2], high_W[:2], strict=True))
        z = 0.5 * (low_W[2] + high_W[2])
        simulation.streamer.follow([np.array([a, b, z]) for a in x for b in y])
