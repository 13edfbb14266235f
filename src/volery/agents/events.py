"""What agents are told: perceptions of their bodies, messages of each other, and errands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volery.agents.influences import Influence

__all__ = [
    "Assigned", "Delivered", "Event", "KinematicsPerception", "LidarPerception", "Notice", "Perception",
    "PosePerception", "Refused", "Returned", "StatePerception", "Text",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Event:
    """Something that happened; agents hear it before they decide."""


@dataclass(frozen=True, eq=False)
class Perception(Event):
    """What an agent's body feels."""

    now_ns: int
    """Simulated time [ns]."""


@dataclass(frozen=True, eq=False)
class StatePerception(Perception):
    """How the body is."""

    landed: bool
    """Whether it stands with motors off."""
    broken: bool
    """Whether it has crashed and does not fly any more."""
    collided: bool
    """Whether it touches something now, the ground it stands on included."""


@dataclass(frozen=True, eq=False)
class PosePerception(Perception):
    """Where the body is."""

    p_WB: np.ndarray
    """[m]."""
    q_WB_wxyz: np.ndarray


@dataclass(frozen=True, eq=False)
class KinematicsPerception(Perception):
    """How the body moves."""

    v_WB_W: np.ndarray
    """[m/s]."""
    w_WB_W: np.ndarray
    """[rad/s]."""


@dataclass(frozen=True, eq=False)
class LidarPerception(Perception):
    """What the body's lidar hit in its newest sweep."""

    points_W: np.ndarray
    """[n, 3] [m]; beams without return are left out."""


@dataclass(frozen=True, eq=False)
class Notice(Event):
    """An agent tells the others where its body is and how it moves."""

    sender: str
    p_WB: np.ndarray
    """[m]."""
    v_WB_W: np.ndarray
    """[m/s]."""


@dataclass(frozen=True, eq=False)
class Assigned(Event):
    """A parcel for one agent: bring it there and come back."""

    target_W: np.ndarray
    """Where it is to be put, on the ground [m]."""


@dataclass(frozen=True, eq=False)
class Delivered(Event):
    """An agent says that it has put its parcel down."""

    sender: str
    target_W: np.ndarray
    """[m]."""


@dataclass(frozen=True, eq=False)
class Returned(Event):
    """An agent says that it is back at its base."""

    sender: str


@dataclass(frozen=True, eq=False)
class Text(Event):
    """An agent says anything to others."""

    sender: str
    content: Any
    """Plain data: words, numbers, lists, mappings."""


@dataclass(frozen=True, eq=False)
class Refused(Event):
    """A law of the world did not let a wish of this agent happen."""

    influence: Influence
    law: str
    """Name of its class."""
    why: str
