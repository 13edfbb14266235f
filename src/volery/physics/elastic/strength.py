"""Where a wing breaks: what its springs carry against what the beam can stand there."""

from __future__ import annotations

import math

import numpy as np

from volery.physics.elastic.frame import StructuralFrame
from volery.robots.kinds.aircraft_model import joint_name
from volery.robots.kinds.airframe import Airframe
from volery.robots.kinds.springs import wing_springs

__all__ = ["Strength"]

_KINDS = ("bend", "twist", "edge")


class Strength:
    """Of all bones that hang on their springs; b of them. Moments count by the root of the sum of squares of their
    shares of what the wing stands alone."""

    def __init__(self, frame: StructuralFrame) -> None:
        wing = frame.aircraft.wing
        bones = [b for b in Airframe(frame.aircraft).bones.values() if b.name not in frame.released]
        self.bones = tuple(b.name for b in bones)
        leans = [next(s.lean for s in wing_springs(wing, b) if s.kind == "bend") for b in bones]
        self._cos, self._sin = np.cos(leans), np.sin(leans)
        places = [(b.number - 0.5) / wing.bones for b in bones]
        self._limits = np.array([
            [wing.at(f"{k}_strength", at) if wing.has(f"{k}_strength") else math.inf for k in _KINDS] for at in places
        ]).reshape(-1, 3)  # fmt: skip
        number = {name: i for i, name in enumerate(frame.springs)}
        self._springs = {k: np.array([number.get(joint_name(k, b.name), -1) for b in bones], np.int64) for k in _KINDS}

    def shares(self, moments: np.ndarray) -> np.ndarray:
        """How much of what it stands each bone's inner end carries [b], by the moments of the frame's springs [N m]."""
        padded = np.append(moments, 0.0)
        first, second, edge = (padded[self._springs[k]] for k in _KINDS)
        bend, twist = self._cos * first - self._sin * second, self._sin * first + self._cos * second
        return np.sqrt(((np.stack([bend, twist, edge], axis=1) / self._limits) ** 2).sum(axis=1))

    def breaking(self, moments: np.ndarray) -> str | None:
        """The bone that comes off now: the most overloaded one."""
        shares = self.shares(moments)
        worst = int(shares.argmax()) if len(shares) else -1
        return self.bones[worst] if worst >= 0 and shares[worst] >= 1.0 else None
