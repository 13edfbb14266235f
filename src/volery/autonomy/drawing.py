"""What an autonomous robot thinks, drawn into the world for people: its way, and what of it is flown now."""

from __future__ import annotations

from volery.autonomy.stack import Stack
from volery.core.clock import SECOND
from volery.sim import Simulation

__all__ = ["draw"]

_WAY, _NOW = (1.0, 0.75, 0.2, 0.9), (0.2, 0.9, 1.0, 1.0)
_LIFE = SECOND // 2


def draw(simulation: Simulation, stack: Stack) -> None:
    """Draw a plan when it is new."""
    plan = stack.plan
    if plan is None or plan is stack.drawn:
        return
    stack.drawn = plan
    drawings, until = simulation.environment.drawings, simulation.clock.now_ns + _LIFE
    owner = f"autonomy/{stack.robot}"
    drawings.clear(owner)
    drawings.add("line", plan.way[::4], _WAY, 3.0, until, owner=owner)
    drawings.add("line", plan.trajectory.p[::4], _NOW, 4.0, until, owner=owner)
