"""Tables that Python and the kernels share: structured arrays, a row for each drone or kind of drones.

native/multirotor/tables.hpp says what each field is. Level: at which a drone is told what to do; each feeds the next
ones, down to the motors.
"""

from __future__ import annotations

import numpy as np

from volery import _native

__all__ = ["AIR", "BUMPER", "OUTCOME", "PARAMETERS", "REFERENCE", "ROTORS", "STATE", "TOUCH", "Level", "grown"]

Level = _native.multirotor.Level
STATE: np.dtype = _native.multirotor.DroneState
REFERENCE: np.dtype = _native.multirotor.Reference
"""What a drone is told: a level, and what its command says."""
AIR: np.dtype = _native.multirotor.Air
"""Wind, density and ground where a drone is."""
PARAMETERS: np.dtype = _native.multirotor.DroneParameters
"""Of a kind of drones."""
BUMPER: np.dtype = _native.multirotor.Bumper
OUTCOME: np.dtype = _native.multirotor.Outcome
"""What robots tell of a drone."""
TOUCH: np.dtype = _native.multirotor.Touch
"""A contact of a bumper, with a row of the scene or, −1 − its row, with another drone."""
ROTORS: int = PARAMETERS["way"].shape[0]
"""Room for rotors in a row."""


def grown(table: np.ndarray, rows: np.ndarray | int) -> np.ndarray:
    """A table with more rows at its end: those given, or so many empty ones."""
    more = rows if isinstance(rows, int) else len(rows)
    made = np.zeros(len(table) + more, table.dtype)
    made[: len(table)] = table
    if not isinstance(rows, int):
        made[len(table) :] = rows
    return made
