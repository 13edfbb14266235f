"""Spaces: where agents hear each other, how far words carry, how many are lost, and when they arrive.

A space is SARL's event space; an utterance with names is what SARL calls an event with a scope.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

import numpy as np

from volery.agents.events import Event
from volery.core.clock import nanoseconds
from volery.core.rng import generator
from volery.errors import SimulationError

__all__ = ["Participant", "Space", "Utterance"]


class Participant(Protocol):
    """Who takes part in a space: an agent, or a role that one plays."""

    @property
    def name(self) -> str:
        """Of the agent."""

    @property
    def place_W(self) -> np.ndarray | None:
        """Where its body is, [3] [m]; None: it has none, and hears and is heard everywhere."""

    def hear(self, event: Event) -> None:
        """Take in what was said."""


@dataclass(frozen=True, eq=False)
class Utterance:
    """Something that an agent says, to whom and where."""

    event: Event
    to: tuple[str, ...] = ()
    """Names of those who are meant; empty: all."""
    space: Space | None = None
    """None: the one that all agents of a controller share."""


@dataclass(order=True)
class _Underway:
    """A word on its way to one who hears it."""

    due_ns: int
    number: int
    hearer: Participant = field(compare=False)
    event: Event = field(compare=False)


class Space:
    """Who takes part hears what the others say in it, never itself."""

    def __init__(
        self, name: str, *, range: float = math.inf, loss: float = 0.0, delay: float = 0.0, seed: int = 0
    ) -> None:
        """range: words carry so far between bodies [m]; loss: share of words that get lost, for each hearer by itself;
        delay: from saying to hearing [s] of simulated time; seed: of what gets lost."""
        if not range > 0.0 or not 0.0 <= loss <= 1.0 or not 0.0 <= delay < 1e6:
            given = f"{range:g} m, {loss:g} and {delay:g} s"
            raise SimulationError(f"space '{name}': {given}: range must be above 0, loss from 0 to 1, delay from 0")
        self.name, self.range, self.loss = name, range, loss
        self.said = self.heard = self.lost = self.unreached = 0
        """Words said, heard, lost, and spoken to somebody out of range; the last three for each hearer."""
        self._delay_ns = nanoseconds(delay)
        self._draw = generator(seed, f"agents/space/{name}")
        self._participants: list[Participant] = []
        self._underway: list[_Underway] = []
        self._numbers = count()

    @property
    def participants(self) -> tuple[str, ...]:
        """Names of who takes part, in the order in which they came."""
        return tuple(p.name for p in self._participants)

    def register(self, participant: Participant) -> None:
        """From now on it hears what is said; once is enough."""
        if participant not in self._participants:
            self._participants.append(participant)

    def unregister(self, participant: Participant) -> None:
        """From now on it does not; what is on its way to it is gone."""
        self._participants = [p for p in self._participants if p is not participant]
        self._underway = sorted(u for u in self._underway if u.hearer is not participant)

    def say(self, speaker: Participant, utterance: Utterance, now_ns: int) -> None:
        """Send a word on its way to all who are meant, are near enough, and whom it is not lost to."""
        self.said += 1
        for hearer in self._meant(speaker, utterance):
            if not self._reaches(speaker, hearer):
                self.unreached += 1
            elif self.loss and self._draw.random() < self.loss:
                self.lost += 1
            elif self._delay_ns == 0:
                self._arrive(hearer, utterance.event)
            else:
                word = _Underway(now_ns + self._delay_ns, next(self._numbers), hearer, utterance.event)
                heappush(self._underway, word)

    def tell(self, event: Event) -> None:
        """Have everybody hear what happened in the space itself, at once and wherever they are."""
        for hearer in tuple(self._participants):
            hearer.hear(event)

    def deliver(self, now_ns: int) -> None:
        """Have those words heard whose time has come, in the order of their arrival."""
        while self._underway and self._underway[0].due_ns <= now_ns:
            word = heappop(self._underway)
            self._arrive(word.hearer, word.event)

    def _meant(self, speaker: Participant, utterance: Utterance) -> Iterator[Participant]:
        """A copy is gone through: who hears may leave."""
        for hearer in tuple(self._participants):
            if hearer.name != speaker.name and (not utterance.to or hearer.name in utterance.to):
                yield hearer

    def _reaches(self, speaker: Participant, hearer: Participant) -> bool:
        if self.range == math.inf:
            return True
        here, there = speaker.place_W, hearer.place_W
        return here is None or there is None or math.dist(here, there) <= self.range

    def _arrive(self, hearer: Participant, event: Event) -> None:
        self.heard += 1
        hearer.hear(event)
