"""The score sheet of a rescue mission, by the truth that the robots never see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.autonomy.rescue.ground import GroundMap
from volery.autonomy.rescue.victims import Claim
from volery.core.clock import SECOND
from volery.sim import Simulation

__all__ = ["FOUND", "Matched", "Person", "RescueScore", "match", "people", "points", "wall_error"]

FOUND = 1.5
"""A claim so near to a victim is of that victim [m]: the league's rule."""
_AREA = 0.2
"""b of the league's rules, which let a map have 0.1 to 1."""
_AGAIN_NS = 2 * SECOND
"""A touch of the same thing after so long without is another one [ns]."""
_HUB = 0.05
"""Touches so far above the wheels' hubs are bumps; what is below is ground that is driven on [m]."""


@dataclass(frozen=True)
class Person:
    """A victim in truth."""

    name: str
    p_W: tuple[float, float, float]
    kind: str
    state: str


@dataclass(frozen=True)
class Matched:
    """A victim, and the claim that found it."""

    person: Person
    claim: Claim | None
    error: float = float("nan")
    """To the sides [m]."""


def people(simulation: Simulation) -> list[Person]:
    """Victims of the world, and robots that are victims by name, where they are now."""
    own = [Person(v.name, v.p, v.kind, v.state) for v in getattr(simulation.world, "victims", ())]
    known = {p.name for p in own}
    for name, robot in simulation.robots.items():
        if name.startswith("victim_") and name not in known:
            x, y, z = robot.p_WB.tolist()
            own.append(Person(name, (x, y, z), "surface", ""))
    return own


def match(claims: list[Claim], persons: list[Person]) -> tuple[list[Matched], list[Claim]]:
    """Each victim with the nearest claim of it, and the claims that are wrong: of nobody, or of one found already."""
    left, out = list(claims), []
    for person in persons:
        far = [float(np.linalg.norm(c.p_W[:2] - person.p_W[:2])) for c in left]
        best = int(np.argmin(far)) if far else -1
        found = best >= 0 and far[best] < FOUND
        out.append(Matched(person, left[best], far[best]) if found else Matched(person, None))
        if found:
            left.pop(best)
    return out, left


@dataclass
class RescueScore:
    """What robots touched, how far they drove and how wrong they were about where they are."""

    names: list[str]
    collisions: list[tuple[float, str, str]] = field(default_factory=list)
    """Time [s], robot, and what it touched."""
    distance: dict[str, float] = field(default_factory=dict)
    """Driven, by robot [m]."""
    drift: dict[str, float] = field(default_factory=dict)
    """Of where each believes to be, largest so far [m]."""
    paths: dict[str, list[np.ndarray]] = field(default_factory=dict)
    """Where each was, twice a second, [3] each [m]."""

    def __post_init__(self) -> None:
        self._last: dict[str, np.ndarray] = {}
        self._touched: dict[tuple[str, str], int] = {}

    def watch(self, simulation: Simulation, believed: dict[str, np.ndarray]) -> None:
        """Look at the truth after a step; believed: where each robot thinks it is, [3] [m]."""
        now_ns = simulation.clock.now_ns
        for name in self.names:
            robot = simulation.robots[name]
            last = self._last.get(name, robot.p_WB)
            self._last[name] = robot.p_WB.copy()
            self.distance[name] = self.distance.get(name, 0.0) + float(np.linalg.norm(robot.p_WB - last))
            off = float(np.linalg.norm((believed[name] - robot.p_WB)[:2]))
            self.drift[name] = max(self.drift.get(name, 0.0), off)
            if now_ns % (SECOND // 2) < simulation.clock.step_ns:
                self.paths.setdefault(name, []).append(robot.p_WB.copy())
            self._feel(robot, name, now_ns)

    def _feel(self, robot: Any, name: str, now_ns: int) -> None:
        for contact in robot.contacts:
            upright = abs(contact.normal_W[2]) > 0.5
            if upright or contact.p_W[2] < robot.p_WB[2] + _HUB:
                continue
            other = contact.other.rpartition("/")[2]
            if now_ns - self._touched.get((name, other), -_AGAIN_NS) >= _AGAIN_NS:
                self.collisions.append((round(now_ns / SECOND, 2), name, other))
            self._touched[name, other] = now_ns


def wall_error(simulation: Simulation, ground: GroundMap, most: int = 4000) -> tuple[float, float]:
    """How far the map's taken cells are from real surfaces: the median [m], and the share that is off by 0.2 m or
    more, as behind mirrors."""
    cells = ground.occupancy.taken()
    if len(cells) == 0:
        return float("nan"), float("nan")
    cells = cells[np.linspace(0, len(cells) - 1, min(most, len(cells))).astype(int)]
    _, distance, _ = simulation.scene.closest_point(cells, max_distance=2.0)
    distance = np.minimum(distance, 2.0)
    return float(np.median(distance)), float((distance >= 0.2).mean())


def points(covered: float, found: int, wrong: int, touched: int, victims: int) -> float:
    """Of 100, after the virtual league's rules of 2019 to 2022: b S + (1 - b) (right - wrong / 2) / victims, less a
    fifth of a victim for each that was touched. Their S counts portals seen; ours, the share of the area looked at."""
    people = (found - 0.5 * wrong - 0.2 * touched) / victims if victims else 0.0
    return 100.0 * (_AREA * covered + (1.0 - _AREA) * max(people, 0.0))
