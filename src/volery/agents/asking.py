"""Bodies whose agents live in another thread than the simulation: they ask its loop."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from volery.agents.body import Body
from volery.agents.events import Perception
from volery.agents.influences import Influence
from volery.agents.simulated import SimulatedBody
from volery.sim import Simulation

__all__ = ["AskingBody"]

_PATIENCE = 30.0
"""The loop answers between two steps; nobody waits longer [s]."""


class AskingBody(Body):
    """A simulated body for agents in real time: all it does is done by the loop, between two steps."""

    def __init__(self, simulation: Simulation, inner: SimulatedBody) -> None:
        super().__init__(inner.name)
        self._simulation, self._inner = simulation, inner
        self._asked: Future[Any] | None = None

    def expect(self) -> None:
        """Ask for perceptions."""
        self._asked = self._simulation.ask(self._inner.perceive)

    def perceive(self) -> list[Perception]:
        """What was asked for."""
        asked = self._asked or self._simulation.ask(self._inner.perceive)
        self._asked = None
        return asked.result(timeout=_PATIENCE)

    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence after the present step."""
        self._simulation.ask(lambda: self._inner.apply(influence))
