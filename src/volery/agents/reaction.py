"""The influence–reaction model (Ferber and Müller 1996) in the two phases of IRM4S (Michel 2007).

The dynamic state δ(t) = ⟨σ(t), γ(t)⟩ is what is so, σ, and what is under way, γ: influences that bodies still follow.

    γ'(t)                    = Influence(σ(t), γ(t))     every agent perceives, memorises, decides; none of it acts
    ⟨σ(t + dt), γ(t + dt)⟩   = Reaction(σ(t), γ'(t))     laws settle all influences of that instant together, and the
                                                         world goes on by dt with those that stand

`Controller.influence` is the first phase. The second is `react` of this module, with `Law` after `Law`, and then what
the bodies and the simulation do with what stands. Agents are simultaneous: no influence sees the effect of another of
the same instant, and which of two that contradict each other stands is a law's to say, never the order of agents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from volery.agents.events import Event, Refused
from volery.agents.influences import Influence

__all__ = ["Gamma", "Law", "Reaction", "Sigma", "Standing", "react"]

Gamma = dict[str, list[Influence]]
"""Influences by name of agent, γ."""


@dataclass(frozen=True, eq=False)
class Standing:
    """How an agent's body is."""

    p_WB: np.ndarray
    """[m]."""
    v_WB_W: np.ndarray
    """[m/s]."""
    landed: bool


@dataclass(frozen=True, eq=False)
class Sigma:
    """What laws may know of the state of the world, σ(t)."""

    now_ns: int
    """Simulated time [ns]."""
    dt: float
    """Until the next reaction [s]."""
    bodies: Mapping[str, Standing]
    """By name of agent; agents without a body are not there."""


@dataclass(eq=False)
class Reaction:
    """What the laws have made of γ' so far."""

    gamma: Gamma
    """What stands."""
    told: list[tuple[str, Event]] = field(default_factory=list)
    """What agents hear of it before they decide again: name, event."""

    def refuse(self, agent: str, influence: Influence, law: Law, why: str, instead: Sequence[Influence] = ()) -> None:
        """Take an influence out, for others instead of it; its agent is told why."""
        place = next(i for i, own in enumerate(self.gamma[agent]) if own is influence)
        self.gamma[agent][place : place + 1] = instead
        self.told.append((agent, Refused(influence, type(law).__name__, why)))

    def replace(self, agent: str, influence: Influence, by: Influence) -> None:
        """Change an influence; a law that only bends what is wished tells nobody."""
        self.gamma[agent] = [by if own is influence else own for own in self.gamma[agent]]

    def each(self) -> Iterable[tuple[str, Influence]]:
        """All influences that stand, agents in their order; the laws may change them meanwhile."""
        return [(agent, influence) for agent, own in self.gamma.items() for influence in own]


class Law(ABC):
    """Settles what influences of one instant come to together. It may keep a state, which is part of σ."""

    @abstractmethod
    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """Refuse, replace or keep influences; the same whatever the order of agents."""


def react(sigma: Sigma, gamma: Gamma, laws: Sequence[Law]) -> Reaction:
    """The laws' part of Reaction(σ, γ'): each law gets what the one before it has left."""
    reaction = Reaction({agent: list(own) for agent, own in gamma.items()})
    for law in laws:
        law.settle(sigma, reaction)
    return reaction
