"""What an agent's body must do, wherever it is: in this process or behind another simulator's door."""

from __future__ import annotations

from abc import ABC, abstractmethod

from volery.agents.events import Perception
from volery.agents.influences import Influence

__all__ = ["Body"]


class Body(ABC):
    """A body perceives when asked, and follows influences by itself until they are over or replaced."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def perceive(self) -> list[Perception]:
        """What it feels now."""

    @abstractmethod
    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence."""

    def expect(self) -> None:  # noqa: B027
        """Perceptions are wanted soon: a body that has to ask for them begins to, so that many wait together."""

    def close(self) -> None:  # noqa: B027
        """Let go of whatever it holds."""
