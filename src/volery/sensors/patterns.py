"""Where the beams of a lidar go and when: spinning lines, tables of angles, and scans that never repeat.

Angles: azimuth counter-clockwise from x (forward), elevation up from the x-y plane. A sweep ends at the reading's
stamp; the time of a firing is its share of the sweep before that, above -1 and at most 0, so that sweeps join.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from volery._native import sensors as native
from volery.core.clock import SECOND

__all__ = ["MODELS", "LidarModel", "ScanPattern", "Wander", "directions_of", "single", "spinning", "table", "wandering"]

_HDL64 = tuple(2.0 - k / 3 for k in range(32)) + tuple(-8.83 - k / 2 for k in range(32))


@dataclass(frozen=True)
class LidarModel:
    """What a data sheet says about a lidar. Lines are numbered from the lowest up, as rings are in ROS."""

    elevations_deg: tuple[float, ...]
    """Of the lines, low to high; for the two scans that never repeat: the lower and upper border."""
    columns: int
    """Firings of a sweep; each fires all lines at once."""
    max_range: float
    min_range: float = 0.1
    field_deg: tuple[float, float] = (-180.0, 180.0)
    """First and last azimuth."""
    scan: Literal["spin", "rosette", "dome"] = "spin"
    turns: tuple[float, float] = (0.0, 0.0)
    """Turns per second of the two movements of a scan that never repeats."""


def _even(low: float, high: float, lines: int) -> tuple[float, ...]:
    return tuple(float(e) for e in np.linspace(low, high, lines))


MODELS: dict[str, LidarModel] = {
    "vlp16": LidarModel(_even(-15, 15, 16), 1800, 100.0, 0.5),
    "hdl32": LidarModel(_even(-30.67, 10.67, 32), 1800, 100.0, 0.5),
    "hdl64": LidarModel(tuple(sorted(_HDL64)), 1800, 120.0, 0.5),
    "os1_16": LidarModel(_even(-16.6, 16.6, 16), 1024, 120.0, 0.3),
    "os1_32": LidarModel(_even(-22.5, 22.5, 32), 1024, 120.0, 0.3),
    "os1_64": LidarModel(_even(-22.5, 22.5, 64), 1024, 120.0, 0.3),
    "os1_128": LidarModel(_even(-22.5, 22.5, 128), 1024, 120.0, 0.3),
    "os0_128": LidarModel(_even(-45, 45, 128), 1024, 50.0, 0.3),
    # Two prisms of 7294 and -4664 turns per minute.
    "mid40": LidarModel((-19.2, 19.2), 10_000, 260.0, 0.5, scan="rosette", turns=(121.5667, -77.7333)),
    # The field and the density of a Mid-360; its maker does not publish the path, this one is ours.
    "mid360": LidarModel((-7.0, 52.0), 20_000, 70.0, 0.1, scan="dome", turns=(10.309, 323.7)),
    "utm30": LidarModel((0.0,), 1081, 30.0, 0.1, (-135.0, 135.0)),
    "lms200": LidarModel((0.0,), 361, 80.0, 0.1, (-90.0, 90.0)),
}
"""Lidars by name; the last two look in one plane."""


@dataclass(frozen=True, eq=False)
class ScanPattern:
    """n beams of g firings."""

    directions: np.ndarray
    """Unit vectors in the sensor's frame, float32 [n, 3]."""
    ring: np.ndarray
    """Number of the line, uint16 [n]."""
    firing: np.ndarray
    """Number of the firing, int32 [n]."""
    time: np.ndarray
    """When each firing is, in sweeps from the stamp, float64 [g]."""

    def at(self, now_ns: int, sweep: float) -> np.ndarray:
        """Directions of the sweep of `sweep` seconds that ends now; always the same here."""
        return self.directions


def directions_of(azimuth: np.ndarray, elevation: np.ndarray) -> np.ndarray:
    """Unit vectors [n, 3], float32, of angles [rad]."""
    c = np.cos(elevation)
    return np.stack([c * np.cos(azimuth), c * np.sin(azimuth), np.sin(elevation)], axis=-1).astype(np.float32)


def _times(firings: int) -> np.ndarray:
    return (np.arange(firings) + 1.0 - firings) / firings


def spinning(
    elevations_deg: Sequence[float],
    columns: int,
    field_deg: tuple[float, float] = (-180.0, 180.0),
    offsets_deg: Sequence[float] = (),
) -> ScanPattern:
    """Lines that turn together, in order of line, then azimuth. A full circle leaves its last azimuth to the next
    sweep; a smaller field has both ends. offsets_deg: by how much each line is ahead in azimuth."""
    first, last = np.radians(field_deg)
    full = field_deg[1] - field_deg[0] >= 360.0
    azimuth = np.linspace(first, last, columns, endpoint=not full) if columns > 1 else np.array([(first + last) / 2])
    lines = len(elevations_deg)
    ahead = np.radians(offsets_deg if len(offsets_deg) else np.zeros(lines))
    a = azimuth[None, :] + ahead[:, None]
    e = np.broadcast_to(np.radians(elevations_deg)[:, None], a.shape)
    ring = np.repeat(np.arange(lines, dtype=np.uint16), columns)
    firing = np.tile(np.arange(columns, dtype=np.int32), lines)
    return ScanPattern(np.ascontiguousarray(directions_of(a.ravel(), e.ravel())), ring, firing, _times(columns))


def table(angles_deg: Sequence[tuple[float, float]]) -> ScanPattern:
    """One beam per row (azimuth, elevation), fired one after the other; rings are the different elevations."""
    azimuth, elevation = np.radians(np.asarray(angles_deg, float)).T
    _, ring = np.unique(elevation, return_inverse=True)
    n = len(azimuth)
    directions = np.ascontiguousarray(directions_of(azimuth, elevation))
    ring = np.minimum(ring, 65_535).astype(np.uint16)
    return ScanPattern(directions, ring, np.arange(n, dtype=np.int32), _times(n))


def single() -> ScanPattern:
    """One beam forward."""
    return table([(0.0, 0.0)])


@dataclass(frozen=True, eq=False)
class Wander(ScanPattern):
    """A scan that never repeats: its directions follow from the time of each firing, and nothing is remembered."""

    scan: str = "rosette"
    turns: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    low: float = 0.0
    high: float = 0.0
    _out: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))

    def at(self, now_ns: int, sweep: float) -> np.ndarray:
        """Directions of the sweep of `sweep` seconds that ends now; good until the next call."""
        # Whole turns are taken off exactly, so that the scan is as fine after a year as at the start.
        phases = np.array([float(turn * now_ns / SECOND % 1) for turn in self.turns])
        steps = np.array([float(turn) * sweep for turn in self.turns])
        fill = native.rosette_pattern if self.scan == "rosette" else native.dome_pattern
        fill(self.time, phases, steps, self.low, self.high, self._out)
        return self._out


def wandering(model: LidarModel, rays: int) -> Wander:
    """The rosette or dome of a model with so many beams a sweep."""
    low, high = np.radians(model.elevations_deg)
    turns = (Fraction(str(model.turns[0])), Fraction(str(model.turns[1])))
    out = np.zeros((rays, 3), np.float32)
    ring, firing = np.zeros(rays, np.uint16), np.arange(rays, dtype=np.int32)
    return Wander(out, ring, firing, _times(rays), model.scan, turns, float(low), float(high), out)
