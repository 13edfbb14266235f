"""Agents: each has a body that it does not touch, hears events, and decides what it wishes to do."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from volery.agents.events import (
    Assigned,
    Event,
    KinematicsPerception,
    LidarPerception,
    Notice,
    PosePerception,
    StatePerception,
)
from volery.agents.influences import Influence
from volery.agents.spaces import Space, Utterance

if TYPE_CHECKING:
    from volery.agents.organisation import Context, Role

__all__ = ["Agent", "heading", "wrap"]


def heading(q_WB_wxyz: np.ndarray) -> float:
    """Where the nose points to, counter-clockwise from east [rad]."""
    w, x, y, z = q_WB_wxyz.tolist()
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def wrap(angle: float) -> float:
    """The same angle from -π to π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


class Agent(ABC):
    """The base of behaviours: what it has perceived, the errands it was given, and what it says and wishes.

    A controller calls `hear` for every event, then `decide` when the agent's period has passed, and takes `wishes` and
    `words` away. Subclasses decide; they see the world only through events.
    """

    embodied: ClassVar[bool] = True
    """Whether it has a body; one without decides and talks, such as a dispatcher on the ground."""

    period: ClassVar[float] = 0.1
    """Between two decisions [s]."""
    lidar: ClassVar[dict[str, Any]] = {}
    """The lidar its body should have: a sensor as in a scenario."""

    def __init__(self, name: str, base_W: np.ndarray, rank: int = 0) -> None:
        """base_W: on the ground, where it starts and comes back to [m]; rank: its number among the agents."""
        self.name = name
        self.base_W = np.array(base_W, float)
        self.rank = rank
        self.errands: deque[np.ndarray] = deque()
        """Targets that were assigned and not delivered to yet [m]."""
        self.state: StatePerception | None = None
        self.pose: PosePerception | None = None
        self.kinematics: KinematicsPerception | None = None
        self.cloud: LidarPerception | None = None
        self.others: dict[str, Notice] = {}
        """The newest notice of each of the others."""
        self.doing = "waits"
        """In a word or two, for people."""
        self.wishes: list[Influence] = []
        self.words: list[Event | Utterance] = []
        """What it says; a bare event goes to all in the controller's space."""
        self.roles: list[Role] = []
        """Those it plays in organisations."""
        self._inner: Context | None = None

    @property
    def ready(self) -> bool:
        """Whether it has perceived enough to decide."""
        if not self.embodied:
            return True
        return self.pose is not None and self.kinematics is not None and self.state is not None

    def hear(self, event: Event) -> None:
        """Take in what happened."""
        if isinstance(event, PosePerception):
            self.pose = event
        elif isinstance(event, KinematicsPerception):
            self.kinematics = event
        elif isinstance(event, StatePerception):
            self.state = event
        elif isinstance(event, LidarPerception):
            self.cloud = event
        elif isinstance(event, Notice):
            self.others[event.sender] = event
        elif isinstance(event, Assigned):
            self.errands.append(event.target_W)

    @property
    def place_W(self) -> np.ndarray | None:
        """Where its body is, [3] [m]; None: it has none, or has not perceived yet."""
        return None if self.pose is None else self.pose.p_WB

    @property
    def inner(self) -> Context:
        """Its inner context: an agent with members in there is a holon."""
        if self._inner is None:
            from volery.agents.organisation import Context

            self._inner = Context(self.name, owner=self)
        return self._inner

    def emit(self, event: Event, to: str | Sequence[str] = (), space: Space | None = None) -> None:
        """Say something; to: only to those of these names; space: where, None: in the one that all share."""
        self.words.append(Utterance(event, (to,) if isinstance(to, str) else tuple(to), space))

    def think(self, now: float) -> None:
        """Decide in all its roles, then itself; now: simulated time [s]."""
        for role in list(self.roles):
            role.decide(now)
        self.decide(now)

    def introduce(self) -> None:  # noqa: B027
        """Tell the others what they may know of this agent now; by default nothing."""

    @abstractmethod
    def decide(self, now: float) -> None:
        """Think, and leave wishes and words; now: simulated time [s]."""
