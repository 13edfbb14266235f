"""What is near a craft's fans: a few rays into the scene that the sensors see, at a low fixed rate."""

from __future__ import annotations

import numpy as np

from volery.robots.kinds.craft import Nearness
from volery.world.scene.scene import Scene

__all__ = ["Surfaces"]

_ROUND = 8
"""Rays round a fan, in the plane of its disc."""
_CLOSEST = 0.3
"""No surface is taken to be nearer than so many radii: momentum theory ends there."""


class Surfaces:
    """Distances from each lifting fan, and what they do to its thrust."""

    def __init__(self, fans: np.ndarray, now: np.ndarray, nearness: Nearness, robot: str) -> None:
        """fans: `Fan` [n]; now: `FanState` [n], where the effect is written; robot: its own surfaces are not looked
        at."""
        self._fans, self.nearness, self._robot = fans, nearness, robot
        self._lifting = np.flatnonzero(fans["axis_B"][:, 2] > 0.5)
        turns = 2 * np.pi * np.arange(_ROUND) / _ROUND
        self._round = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
        self._rays = np.vstack([self._round, [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]])
        self.distances = np.full((len(fans), len(self._rays)), np.inf)
        """Of each fan round it, below and above [n, 10] [m]."""
        self.gain, self.pull = now["gain"], now["pull_B"]
        """Factor of each fan's thrust [n]; force at it by its thrust, in B [n, 3]; views."""
        self.gain[:], self.pull[:] = 1.0, 0.0

    def look(self, scene: Scene, p_W: np.ndarray, R: np.ndarray) -> None:
        """Cast the rays from a craft at p_W [m] with attitude R [3, 3]."""
        fans = self._fans[self._lifting]
        origins = p_W + fans["p_B"] @ R.T
        count = len(self._rays)
        ranges = np.repeat(self.nearness.reach * fans["radius"], count)
        hits = scene.cast(
            np.repeat(origins, count, axis=0), np.tile(self._rays @ R.T, (len(fans), 1)), max_range=ranges,
            ignore=self._robot,
        )  # fmt: skip
        self.distances[self._lifting] = hits.distance.reshape(len(fans), count)
        self.weigh()

    def weigh(self) -> None:
        """What the distances do."""
        n = self.nearness
        radius = self._fans["radius"][:, None]
        share = radius / np.maximum(self.distances, _CLOSEST * radius)
        share[self.distances > n.reach * radius] = 0.0
        gain = 1.0 / (1.0 - (share[:, _ROUND:] / 4.0) ** 2) - 1.0
        self.gain[:] = 1.0 + n.ground * gain[:, 0] + n.ceiling * gain[:, 1]
        # A plane is met by half of the rays, farther off by 1/cos: the mean over all turns makes it (radius/d)² again
        even = 2 * np.pi / _ROUND * 3.0 / 4.0
        self.pull[:] = n.wall * even * (share[:, :_ROUND] ** 2) @ self._round
