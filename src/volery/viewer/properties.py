"""The properties that pages show and change: those of the simulation, and the pace of the loop that steps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from volery.core.properties import Node, group, leaf
from volery.errors import SimulationError, UnknownNameError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["property_view", "set_property"]

_SPEED = "loop.speed"


def property_view(simulation: Simulation, loop: Loop) -> Callable[[], list[Node]]:
    """In the loop's thread: what gives all properties as nodes, see `volery.core.properties`, in any other."""
    pace, view = _loop_node(loop), simulation.settings.view()
    return lambda: [pace, *view()]


def set_property(simulation: Simulation, loop: Loop, path: str, value: Any) -> None:
    """Change a property now, in the loop's thread; a wrong path or value is an error, and nothing changes."""
    if not str(path).startswith("loop."):
        simulation.set(path, value)
    elif path != _SPEED:
        raise UnknownNameError("property", path, [_SPEED])
    elif isinstance(value, bool) or not (isinstance(value, int | float) or value == "max"):
        raise SimulationError(f"{_SPEED}: {value!r} is neither a factor of real time nor 'max'")
    else:
        loop.speed = value


def _loop_node(loop: Loop) -> Node:
    real = isinstance(loop.speed, int | float)
    why = "in lockstep the outside sets the pace" if loop.speed == "lockstep" else ""
    doc = "Factor of real time; 'max': as fast as possible."
    kind, limits = ("number", {"above": 0, "high": 1e4, "default": 1.0}) if real else ("data", {})
    return group("loop", "loop", "how time passes", [leaf("speed", _SPEED, kind, loop.speed, doc, why, **limits)])
