"""The wing of an `aircraft` block: a beam with profile and flaps, and tables of what changes along its span."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError

__all__ = ["AirfoilSection", "Flap", "Station", "Wing"]

_GAUSS = np.polynomial.legendre.leggauss(4)
"""Points on -1 to 1 and weights; exact for what tables say, which is linear, times squares of the place."""


@dataclass(frozen=True)
class AirfoilSection(Checked):
    """The profile of a lifting surface."""

    slope: float = param(2 * math.pi, low=0.0, high=10.0)
    """Of the lift coefficient [1/rad], without the losses of a finite span: those are the wake's."""
    zero_lift_deg: float = param(0.0, low=-20.0, high=20.0)
    """Angle of attack without lift; negative with camber [degrees]."""
    moment: float = param(0.0, low=-0.5, high=0.5)
    """Coefficient about the quarter chord, nose up."""
    drag: float = param(0.01, low=0.0, high=1.0)
    """Coefficient along the flow while the flow is attached."""
    stall_deg: float = param(14.0, low=3.0, high=180.0)
    """Angle from that without lift at which half of the lift is lost [degrees]."""
    thickness: float = param(0.12, low=0.01, high=0.5)
    """Share of the chord, for the eye."""


@dataclass(frozen=True)
class Flap(Checked):
    """A part of the wing's trailing edge that turns; it has the name of its joint in commands."""

    name: str
    start: float = param(0.6, low=0.0, high=1.0)
    """Share of the half span where it begins."""
    end: float = param(1.0, low=0.0, high=1.0)
    side: Literal["right", "left", "both"] = "both"
    chord: float = param(0.25, above=0.0, high=1.0)
    """Share of the chord behind its hinge."""
    range_deg: float = param(20.0, above=0.0, high=60.0)
    """To either side [degrees]; down is positive."""
    effect: tuple[float, float] | None = None
    """Angle of attack per angle, and moment coefficient about the quarter chord per radian; none: by theory."""


@dataclass(frozen=True)
class Station(Checked):
    """A row of the wing's table: what holds at one place of the half span. Values go linearly from one row that has
    them to the next, and stay beyond the last; two rows at one place are a step. What no row has is the wing's own."""

    at: float = param(low=0.0, high=1.0)
    """Share of the half span."""
    chord: float | None = param(None, above=0.0, high=20.0)
    bend_stiffness: float | None = param(None, above=0.0, high=1e12)
    twist_stiffness: float | None = param(None, above=0.0, high=1e12)
    edge_stiffness: float | None = param(None, above=0.0, high=1e13)
    bend_twist: float | None = param(None, low=-1e12, high=1e12)
    mass: float | None = param(None, above=0.0, high=1e4)
    inertia: float | None = param(None, above=0.0, high=1e4)
    axis: float | None = param(None, low=0.0, high=1.0)
    centre: float | None = param(None, low=-1.0, high=2.0)
    bend_strength: float | None = param(None, above=0.0, high=1e12)
    twist_strength: float | None = param(None, above=0.0, high=1e12)
    edge_strength: float | None = param(None, above=0.0, high=1e12)


@dataclass(frozen=True)
class Wing(Checked):
    """A beam of bones that bend and twist against springs; stiffness and mass are per metre, even along the span unless
    `stations` say otherwise."""

    span: float = param(above=0.0, high=200.0)
    """Tip to tip along the beam [m]; of one half only, twice its length."""
    chord: float = param(above=0.0, high=20.0)
    """At the root, square to the beam [m]."""
    bend_stiffness: float = param(above=0.0, high=1e12)
    """EI, up and down [N m²]."""
    twist_stiffness: float = param(above=0.0, high=1e12)
    """GJ [N m²]."""
    mass: float = param(above=0.0, high=1e4)
    """[kg/m]."""
    inertia: float = param(above=0.0, high=1e4)
    """About the elastic axis, of pitch [kg m]."""
    tip_chord: float | None = param(None, above=0.0, high=20.0)
    """[m]; none: as at the root."""
    bones: int = param(10, low=2, high=60)
    """Of each half. Springs are in the middle of as many even lengths, so the outermost bone is half as long."""
    halves: Literal["both", "right", "left"] = "both"
    edge_stiffness: float | None = param(None, above=0.0, high=1e13)
    """EI, fore and aft [N m²]; none: it does not bend that way."""
    bend_twist: float = param(0.0, low=-1e12, high=1e12)
    """Coupling [N m²]: moment up per twist nose up along the beam, and the other way round; above 0, as with plies
    that run forward, the nose goes down where the tip goes up."""
    damping: float = param(0.0, low=0.0, high=1.0)
    """Of the structure: moment per rate over moment per angle [s]."""
    axis: float = param(0.35, low=0.0, high=1.0)
    """Elastic axis as a share of the chord from the leading edge."""
    centre: float = param(0.35, low=-1.0, high=2.0)
    """Centre of mass, likewise."""
    bend_strength: float | None = param(None, above=0.0, high=1e12)
    """Moment up or down at which the wing breaks [N m]; none: it does not."""
    twist_strength: float | None = param(None, above=0.0, high=1e12)
    """The same of twisting."""
    edge_strength: float | None = param(None, above=0.0, high=1e12)
    """The same fore and aft."""
    incidence_deg: float = param(0.0, low=-20.0, high=20.0)
    """At the root against the body [degrees]."""
    washout_deg: float = param(0.0, low=-20.0, high=20.0)
    """How much less it is at the tip [degrees]."""
    dihedral: list[tuple[float, float]] = field(default_factory=list)
    """Shares of the half span from which on the unbent wing rises, and how steeply [degrees]."""
    sweep: list[tuple[float, float]] = field(default_factory=list)
    """Shares of the half span from which on the beam runs aft, and how far [degrees]; forward is negative."""
    section: AirfoilSection = field(default_factory=AirfoilSection)
    flaps: list[Flap] = field(default_factory=list)
    modules: list[int] = field(default_factory=list)
    """Numbers of bones, from the root, at whose inner ends the halves can come apart in flight."""
    stations: list[Station] = field(default_factory=list)
    """What changes along the half span, from the root to the tip."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for flap in self.flaps:
            if flap.start >= flap.end:
                raise RobotError(f"aircraft: flap '{flap.name}' begins where it has ended")
        if any(not 1 < m <= self.bones for m in self.modules):
            raise RobotError(f"aircraft: modules begin at bones 2 to {self.bones}, not {self.modules}")
        places = [s.at for s in self.stations]
        if places != sorted(places):
            raise RobotError(f"aircraft: stations of the wing run from the root to the tip, not {places}")
        if any(abs(degrees) > 60.0 for _, degrees in self.sweep):
            raise RobotError("aircraft: the wing is swept by 60 degrees at most")
        for share in (0.0, *places, 1.0):
            self._check_at(share)

    def _check_at(self, share: float) -> None:
        offset = (self.at("centre", share) - self.at("axis", share)) * self.chord_at(share)
        inertia, least = self.at("inertia", share), self.at("mass", share) * offset**2
        if inertia <= least:
            raise RobotError(
                f"aircraft: wing inertia {inertia:g} kg m about the elastic axis is less than the mass at its "
                f"centre gives there, {least:g}"
            )
        if self.at("bend_twist", share) ** 2 >= self.at("bend_stiffness", share) * self.at("twist_stiffness", share):
            raise RobotError("aircraft: bend_twist must be less than the root of bending times twisting stiffness")

    @property
    def element(self) -> float:
        """Length of beam between two springs [m]."""
        return self.span / 2 / self.bones

    @property
    def breaks(self) -> bool:
        """Whether it has strengths."""
        return any(self.has(name) for name in ("bend_strength", "twist_strength", "edge_strength"))

    @property
    def cuts(self) -> list[int]:
        """Numbers of bones at whose inner ends it can come apart: modules, or all where it may break."""
        return list(range(1, self.bones + 1)) if self.breaks else sorted(self.modules)

    def has(self, name: str) -> bool:
        """Whether a value that may be missing is given, for all of the span or in the table."""
        return getattr(self, name) is not None or self._column(name) is not None

    def at(self, name: str, share: float) -> float:
        """A value that the table may have, at a share of the half span."""
        column = self._column(name)
        return float(getattr(self, name) if column is None else np.interp(share, *column))

    def pieces(self, start: float, end: float) -> list[tuple[float, float]]:
        """Places and lengths [m] that stand for a stretch of the half span [m] in sums over it."""
        half = self.span / 2
        inner = (s.at * half for s in self.stations)
        borders = sorted({start, end, *(y for y in inner if start < y < end)})
        return [
            (0.5 * (a + b) + 0.5 * (b - a) * x, 0.5 * (b - a) * weight)
            for a, b in pairwise(borders)
            for x, weight in zip(*_GAUSS, strict=True)
        ]

    def chord_at(self, share: float) -> float:
        """[m] at a share of the half span."""
        column = self._column("chord")
        if column is not None:
            return float(np.interp(share, *column))
        tip = self.chord if self.tip_chord is None else self.tip_chord
        return self.chord + (tip - self.chord) * share

    def dihedral_over(self, start: float, end: float) -> float:
        """Mean slope of the unbent wing between two shares of the half span [rad]."""
        return _mean_angle(self.dihedral, start, end)

    def sweep_over(self, start: float, end: float) -> float:
        """Mean sweep between two shares of the half span [rad]."""
        return _mean_angle(self.sweep, start, end)

    def _column(self, name: str) -> tuple[list[float], list[float]] | None:
        rows = [(s.at, getattr(s, name)) for s in self.stations if getattr(s, name) is not None]
        return ([at for at, _ in rows], [value for _, value in rows]) if rows else None


def _mean_angle(kinks: list[tuple[float, float]], start: float, end: float) -> float:
    borders = [*sorted(kinks), (math.inf, 0.0)]
    total = 0.0
    for (begin, degrees), (until, _) in pairwise(borders):
        total += math.radians(degrees) * max(min(end, until) - max(start, begin), 0.0)
    return total / (end - start)
