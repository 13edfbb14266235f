"""Agents: each has a body that it does not touch, hears events, and decides what it wishes to do."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from typing import Any, ClassVar

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
        self.words: list[Event] = []

    @property
    def ready(self) -> bool:
        """Whether it has perceived enough to decide."""
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

    def introduce(self) -> None:  # noqa: B027
        """Tell the others what they may know of this agent now; by default nothing."""

    @abstractmethod
    def decide(self, now: float) -> None:
        """Think, and leave wishes and words; now: simulated time [s]."""
