"""Who was found: sightings of parts of victims become claims of people, with their place and state."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from volery.world.generate.victims import STATES

__all__ = ["Claim", "Claims"]

_SAME = 1.0
"""Parts within so much of each other belong to one person [m]."""
_SURE = 2
"""Sightings that make a claim."""
_LOUD, _FAINT = 1e-5, 1e-8
"""Powers of a voice from which someone is aware, and semi-conscious [W]."""
_TOWARDS = 0.9
"""Cosine of the angle within which a voice is that person's."""


@dataclass
class Claim:
    """One person, as far as the robots know."""

    p_W: np.ndarray
    """[3] [m]."""
    first: float
    """When the first sighting was [s]."""
    robot: str
    """Who saw it first."""
    sightings: int = 0
    weight: float = 0.0
    voice: float = 0.0
    """Loudest power that was heard from there [W]."""

    @property
    def state(self) -> str:
        """What its voice says of how it is."""
        return STATES[0 if self.voice > _LOUD else 1 if self.voice > _FAINT else 2]


@dataclass
class Claims:
    """Of a team."""

    all: list[Claim] = field(default_factory=list)

    @property
    def sure(self) -> list[Claim]:
        """Those that were seen more than once."""
        return [c for c in self.all if c.sightings >= _SURE]

    def see(self, places_W: np.ndarray, rays: np.ndarray, eye_W: np.ndarray, now: float, robot: str) -> None:
        """Parts that were seen at places [n, 3] [m], each by so many rays, from an eye."""
        for claim in {
            id(c): c for c in (self._take(p, r, eye_W, now, robot) for p, r in zip(places_W, rays, strict=True))
        }.values():
            claim.sightings += 1

    def hear(self, direction_W: np.ndarray, intensity: float, ear_W: np.ndarray, far: float) -> None:
        """A voice from a direction [3] with so much power for each area [W/m²]: it is that of a claim near by."""
        for claim in self.all:
            to = claim.p_W - ear_W
            d = float(np.linalg.norm(to))
            if d > far:
                continue
            if d > 0.3 and to @ direction_W > _TOWARDS * d:
                claim.voice = max(claim.voice, intensity * 4 * np.pi * d * d)

    def _take(self, p_W: np.ndarray, rays: int, eye_W: np.ndarray, now: float, robot: str) -> Claim:
        """Add a part to the person it belongs to: near sightings count more."""
        weight = float(rays) ** 0.5 / max(float(np.linalg.norm(p_W - eye_W)), 0.5) ** 2
        near = [c for c in self.all if np.linalg.norm((c.p_W - p_W)[:2]) < _SAME]
        claim = min(near, key=lambda c: float(np.linalg.norm((c.p_W - p_W)[:2])), default=None)
        if claim is None:
            claim = Claim(np.array(p_W, float), now, robot)
            self.all.append(claim)
        claim.weight += weight
        claim.p_W = claim.p_W + (p_W - claim.p_W) * weight / claim.weight
        return claim
