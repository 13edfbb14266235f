"""States of sensors as earlier versions kept them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["sensor_of_today", "sensors_of_today"]


def sensors_of_today(state: Any) -> Any:
    """The `sensors` of a snapshot, robot by robot; what is no such thing is left as it is."""
    if not isinstance(state, dict) or not all(isinstance(own, dict) for own in state.values()):
        return state
    return {robot: {name: sensor_of_today(inner) for name, inner in own.items()} for robot, own in state.items()}


def sensor_of_today(state: Any) -> Any:
    """The state of one sensor: what it has come to remember since then begins anew."""
    if not isinstance(state, dict):
        return state
    if {"last_wheels", "scales"} <= state.keys() and "P" not in state:
        return {**state, "P": np.zeros((8, 8))}
    if {"aim", "zoom", "poses"} <= state.keys() and "asked" not in state:
        return {**state, "asked": False}
    return state
