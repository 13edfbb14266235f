"""What stands where drones fly, from above: heights in a grid, for maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.agents.targets import OBSTACLES
from volery.sim import Simulation

__all__ = ["relief"]

_MOST = 300
"""Cells each way."""
_MARGIN, _FINEST = 6.0, 0.5
"""Round the places, and edge of a cell at least [m]."""
_ABOVE = 200.0
"""Rays begin so far over the ground [m]."""


def relief(simulation: Simulation, places: np.ndarray, ground_z: float, drones: list[str]) -> dict[str, Any]:
    """Heights over ground_z [m] round places [n, 2] [m], as plain data: corner [m], edge of a cell [m], rows from
    south to north, 0 where nothing stands. drones are not part of it."""
    if not len(places):
        places = np.zeros((1, 2))
    low, high = places.min(axis=0) - _MARGIN, places.max(axis=0) + _MARGIN
    edge = max(float((high - low).max()) / _MOST, _FINEST)
    columns, rows = np.ceil((high - low) / edge).astype(int)
    x, y = np.meshgrid(low[0] + (np.arange(columns) + 0.5) * edge, low[1] + (np.arange(rows) + 0.5) * edge)
    origins = np.stack([x.ravel(), y.ravel(), np.full(x.size, ground_z + _ABOVE)], axis=1)
    channel = OBSTACLES if OBSTACLES in simulation.scenario.file.channels else None
    hits = simulation.scene.cast(origins, np.tile([0.0, 0.0, -1.0], (len(origins), 1)), channel=channel)
    tall = np.where(hits.hit, ground_z + _ABOVE - hits.distance - ground_z, 0.0)
    if channel is None:
        tall[_seen(simulation, hits.object, hits.hit, drones)] = 0.0
    heights = np.where(np.isfinite(tall), np.maximum(tall, 0.0), 0.0).reshape(rows, columns)
    return {"corner": low.tolist(), "edge": edge, "heights": np.round(heights, 2).tolist()}


def _seen(simulation: Simulation, objects: np.ndarray, hit: np.ndarray, drones: list[str]) -> np.ndarray:
    """Which hits are of drones."""
    names = {int(n): simulation.scene.object_name(int(n)) for n in np.unique(objects[hit])}
    own = [number for number, name in names.items() if name in drones]
    return hit & np.isin(objects, own)
