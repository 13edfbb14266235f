"""Where things stand: steps that are pure functions of place, so that no chunk needs to know another.

Sampling gives one candidate per cell of a jittered grid over the whole plane; pruning settles overlaps by rank alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from volery._native import generate as _native

__all__ = ["Box", "Sites", "nearest", "prune", "prune_halo", "sample", "standing"]

Box = tuple[float, float, float, float]
"""A piece of the plane: x and y from, x and y to [m]; the upper edges do not belong to it."""

_DRAWS = 6
"""Random numbers that belong to each candidate besides its place."""


@dataclass(frozen=True, eq=False)
class Sites:
    """Candidate places, each with random numbers of its own."""

    x: np.ndarray
    """[m], float64, shape [n]."""
    y: np.ndarray
    """[m], float64, shape [n]."""
    draws: np.ndarray
    """Numbers in [0, 1): keep, yaw, scale, choice and two more, shape [n, 6]."""

    def __len__(self) -> int:
        return len(self.x)

    def only(self, which: np.ndarray) -> Sites:
        """The sites of a mask or an index."""
        return replace(self, x=self.x[which], y=self.y[which], draws=self.draws[which])

    def within(self, box: Box) -> np.ndarray:
        """Mask of the sites in a box."""
        return (self.x >= box[0]) & (self.x < box[2]) & (self.y >= box[1]) & (self.y < box[3])

    @property
    def keep(self) -> np.ndarray:
        """The number that the chance of being there is compared with."""
        return self.draws[:, 0]

    @property
    def yaw(self) -> np.ndarray:
        """A heading of 0 to 2π [rad]."""
        return self.draws[:, 1] * (2 * np.pi)

    @property
    def quarter(self) -> np.ndarray:
        """A heading of 0, π/2, π or 3π/2 [rad]."""
        return np.floor(self.draws[:, 1] * 4) * (np.pi / 2)

    @property
    def scale(self) -> np.ndarray:
        """A size of 0.5 to 1."""
        return 0.5 + 0.5 * self.draws[:, 2]

    @property
    def choice(self) -> np.ndarray:
        """The number that chooses the model."""
        return self.draws[:, 3]


def sample(seed: int, layer: int, cell: float, box: Box) -> Sites:
    """The candidates of a layer in a box: one somewhere in every cell of edge `cell` [m]."""
    i0, j0, i1, j1 = (int(np.floor(edge / cell)) for edge in box)
    rows = j1 - j0 + 1
    count = (i1 - i0 + 1) * rows
    sites = Sites(np.empty(count), np.empty(count), np.empty((count, _DRAWS)))
    _native.sample_sites(seed, layer, cell, i0, j0, rows, sites.x, sites.y, sites.draws)
    return sites.only(sites.within(box))


def prune(sites: Sites, space: np.ndarray, rank: np.ndarray, rounds: int = 2) -> np.ndarray:
    """Mask of the sites that stay so that any two are at least the mean of their `space` [m] apart.

    Of two too close the one of higher rank stays, round by round: the answer for a site depends on its surroundings
    up to `prune_halo` only, so that chunks agree without talking.
    """
    if not len(sites):
        return np.zeros(0, bool)
    order = np.argsort(sites.x, kind="stable")
    columns = [np.ascontiguousarray(a[order], np.float64) for a in (sites.x, sites.y, space, rank)]
    sorted_keep, keep = np.empty(len(sites), bool), np.empty(len(sites), bool)
    x, y, wide, above = columns
    _native.prune_sites(x, y, wide, above, rounds, sorted_keep)
    keep[order] = sorted_keep
    return keep


def prune_halo(space: float, rounds: int = 2) -> float:
    """How far around a box candidates must be known [m] for `prune` to be right inside, at the largest `space` [m]."""
    return (2 * rounds - 1) * space


def nearest(x: np.ndarray, y: np.ndarray, others: Sites, radii: np.ndarray | float = 0.0) -> np.ndarray:
    """Distance of each point to the nearest of the other sites [m], less that one's radius; infinite without any."""
    out = np.empty(len(x))
    radii = np.array(np.broadcast_to(radii, len(others)), np.float64)
    x, y, their_x, their_y = (np.ascontiguousarray(a, np.float64) for a in (x, y, others.x, others.y))
    _native.nearest_sites(x, y, their_x, their_y, radii, out)
    return out


def standing(normal: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    """Rotations [n, 3, 3] that turn z to the unit normals [n, 3] and x to the heading `yaw` [rad]."""
    ahead = np.stack([np.cos(yaw), np.sin(yaw), np.zeros(len(yaw))], axis=1)
    ahead -= normal * np.sum(ahead * normal, axis=1, keepdims=True)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    return np.stack([ahead, np.cross(normal, ahead), normal], axis=2)
