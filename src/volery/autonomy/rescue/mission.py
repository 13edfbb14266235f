"""A mission: robots drive through a rescue arena that they do not know, map it, and find its victims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.autonomy.rescue.ground import CELL
from volery.autonomy.rescue.robot import Rescuer
from volery.autonomy.rescue.score import Matched, RescueScore, match, people, points, wall_error
from volery.autonomy.rescue.search import Team
from volery.autonomy.rescue.sensors import sensors_of
from volery.autonomy.truth import true_air
from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import SimulationError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Rescue", "RescueSettings"]

_LANE = 1.2
"""Edge of an arena's cells [m]."""
_AIR = (0.2, 1.0)
"""Heights at which a robot that climbs, or creeps, gets from place to place: below the walls' tops [m]."""
_SLIM = 0.2
"""Room that such a robot needs about it [m]."""
_IDLE = 10.0
"""Robots are called home if none has had anywhere to go for so long [s]."""
_HOMEWARD = 180.0
"""They have so long to come home [s]."""
_FINE = 0.04
"""Edge of the cells in which the true walls are told [m]."""
_OWNER = "rescue"
_WAY, _FOUND = (1.0, 0.75, 0.2, 0.9), (1.0, 0.1, 0.4, 1.0)


@dataclass(frozen=True)
class RescueSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    robots: int = param(3, low=1, high=8)
    limit: float = param(420.0, above=0, high=1e5)
    """The mission ends after so long [s]."""
    robot: str = "p2at"
    """A robot of USARSim's that drives; the mission gives it its sensors."""
    climbs: float = param(0.08, above=0, high=1.0)
    """Edges that it is trusted with [m]: a P2AT takes pipes of 5 cm, which look higher by the lidar's noise."""
    area: tuple[float, float, float, float] | None = None
    """West, south, east and north end of what is to be searched [m]; by default the world's own."""


class Rescue:
    """Robots, their team and the score; made before the loop runs."""

    Settings: ClassVar[type] = RescueSettings
    told_by = "rescue"
    """The module of report/ that tells it."""

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: RescueSettings) -> None:
        """loop: is stopped when all is looked at; None: the caller looks at `over`."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        self._begin()
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)

    def _begin(self) -> None:
        """Everything from the start."""
        simulation = self.simulation
        self.names = [f"R{n + 1}" for n in range(self.settings.robots)]
        for name in [n for n in self.names if n in simulation.robots]:
            simulation.remove(name)
        self.low, self.high = _area(simulation, self.settings.area)
        starts = _starts(simulation, self.settings.robots)
        self.air = self._open_air(starts[0])
        """Middles of all columns that any robot could get to, [n, 3] [m]: the truth, for the score."""
        self.team = Team(self.low, self.high, self.settings.climbs)
        for name, (x, y, z, yaw) in zip(self.names, starts, strict=True):
            entry = {"type": self.settings.robot, "position": [x, y, z], "attitude_deg": [0.0, 0.0, np.degrees(yaw)]}
            simulation.spawn(name, {**entry, "sensors": sensors_of(self.settings.robot)})
            self.team.robots.append(Rescuer(simulation, name, self.team))
        self.score = RescueScore(self.names)
        self.persons = people(simulation)
        self._ended: float | None = None
        self._recalled: float | None = None
        self._busy = simulation.clock.now

    def _open_air(self, start: tuple[float, float, float, float]) -> np.ndarray:
        low = np.array([*np.minimum(self.low, np.array(start[:2]) - 0.3), _AIR[0]])
        high = np.array([*np.maximum(self.high, np.array(start[:2]) + 0.3), _AIR[1]])
        air = true_air(self.simulation, np.array([start[0], start[1], 0.6]), low, high, clear=_SLIM, cell=0.2)
        air = air[((air[:, :2] >= self.low) & (air[:, :2] <= self.high)).all(axis=1)]
        _, first = np.unique((air[:, :2] / 0.2).round().astype(int), axis=0, return_index=True)
        return air[first]

    @property
    def over(self) -> bool:
        """Whether all robots are home again, from all victims or with nowhere left to look; or there is no time."""
        return self._ended is not None

    def close(self) -> None:
        """End it; the robots stay."""
        simulation = self.simulation
        simulation.environment.drawings.clear(_OWNER)
        for calls, mine in ((simulation.controllers, self._control), (simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)

    # In the loop

    def _control(self, simulation: Simulation) -> None:
        if any(name not in simulation.robots for name in self.names):
            self._begin()
        for robot in self.team.robots:
            robot(simulation)
        self.team(simulation)

    def _listen(self, simulation: Simulation) -> None:
        if self.over or any(name not in simulation.robots for name in self.names):
            return
        self.score.watch(simulation, {r.name: r.p_WB for r in self.team.robots})
        if simulation.clock.now_ns % SECOND < simulation.clock.step_ns:
            self._draw()
        if len(self.team.idle) < len(self.names) or not all(self.team.idle.values()):
            self._busy = simulation.clock.now
        self._call_home(simulation.clock.now)
        late = self._recalled is not None and simulation.clock.now - self._recalled > _HOMEWARD
        home = self._recalled is not None and all(self.team.home(r) for r in self.team.robots)
        if home or late or simulation.clock.now >= self.settings.limit:
            self._ended = simulation.clock.now
            if self.loop is not None:
                self.loop.stop()

    def _call_home(self, now: float) -> None:
        """As a referee does who has confirmed all victims; or when there is nowhere left to look."""
        if self._recalled is not None:
            return
        every_second = self.simulation.clock.now_ns % SECOND < self.simulation.clock.step_ns
        found = every_second and bool(self.persons) and all(m.claim is not None for m in self.matched())
        if found or now - self._busy > _IDLE:
            self._recalled = now
            self.team.recall()

    def _draw(self) -> None:
        """Ways and finds, for people to see."""
        drawings = self.simulation.environment.drawings
        drawings.clear(_OWNER)
        for robot in self.team.robots:
            if robot.route is not None and len(robot.route) > 1:
                way = np.column_stack([robot.route, np.full(len(robot.route), robot.p_WB[2] + 0.05)])
                drawings.add("line", way, _WAY, 3.0, owner=_OWNER)
        if self.team.claims.sure:
            drawings.add("points", np.array([c.p_W for c in self.team.claims.sure]), _FOUND, 14.0, owner=_OWNER)

    # What came out

    def matched(self) -> list[Matched]:
        """Every victim and the claim that found it."""
        return match(self.team.claims.sure, self.persons)[0]

    def covered(self) -> float:
        """Share of what can be got to that was looked at."""
        cells = self.team.ground.index(self.air)
        return float(self.team.ground.looked[tuple(cells.T)].mean()) if len(cells) else 1.0

    def rows(self) -> list[tuple[str, str, float, int, float]]:
        """Of each robot: name, what it does, driven [m], collisions, largest drift [m]."""
        struck = [name for _, name, _ in self.score.collisions]
        own = self.score
        return [
            (r.name, r.doing, own.distance.get(r.name, 0.0), struck.count(r.name), own.drift.get(r.name, 0.0))
            for r in self.team.robots
        ]

    def result(self) -> dict[str, Any]:
        """The score sheet as plain data."""
        found, wrong = match(self.team.claims.sure, self.persons)
        right = [m for m in found if m.claim is not None]
        touched = {o for _, _, o in self.score.collisions if o in {p.name for p in self.persons}}
        covered, (error, phantom) = self.covered(), wall_error(self.simulation, self.team.ground)
        return {
            "mission": "rescue", "arena": getattr(self.simulation.world, "colour", self.simulation.scenario.name),
            "seed": self.simulation.seed, "robots": len(self.names), "time": round(self.simulation.clock.now, 2),
            "score": round(points(covered, len(right), len(wrong), len(touched), len(self.persons)), 1),
            "victims": [_told(m) for m in found], "found": len(right), "wrong": len(wrong),
            "states_right": sum(m.claim.state == m.person.state for m in right if m.claim is not None),
            "victim_error": round(float(np.mean([m.error for m in right])), 3) if right else None,
            "first_found": round(min(m.claim.first for m in right if m.claim is not None), 1) if right else None,
            "covered": round(covered, 4), "area": round(0.04 * len(self.air), 1),
            "collisions": len(self.score.collisions), "touched_victims": sorted(touched),
            "flips": sum(r.flips for r in self.team.robots),
            "struck": [list(c) for c in self.score.collisions],
            "map_error": round(error, 3), "map_wrong": round(phantom, 4),
            "drift": round(max(self.score.drift.values(), default=0.0), 3),
            "home": sum(self.team.home(r) for r in self.team.robots),
            "recalled": None if self._recalled is None else round(self._recalled, 1),
            "distance": round(sum(self.score.distance.values()), 1), "ends_left": self.team.left,
        }  # fmt: skip

    def sheet(self) -> dict[str, Any]:
        """What a report shows: the result, and the map as places [m] in W."""
        ground = self.team.ground
        found, wrong = match(self.team.claims.sure, self.persons)
        looked = (np.argwhere(ground.looked) + ground.first + 0.5) * CELL
        return {
            "result": self.result(), "low": self.low.tolist(), "high": self.high.tolist(), "cell": CELL,
            "looked": looked, "walls": ground.walls(), "truth": self._true_walls(), "truth_cell": _FINE,
            "paths": {n: np.array(p) for n, p in self.score.paths.items()},
            "people": [
                {"name": m.person.name, "p": m.person.p_W, "claim": None if m.claim is None else m.claim.p_W}
                for m in found
            ],
            "wrong": [c.p_W for c in wrong],
        }  # fmt: skip

    def _true_walls(self) -> np.ndarray:
        """Middles of fine cells of the area in which something stands in truth, as high as a robot, [n, 2] [m]."""
        x, y = (np.arange(a, b, _FINE) + 0.5 * _FINE for a, b in zip(self.low - 0.1, self.high + 0.1, strict=True))
        at = np.stack([*np.meshgrid(x, y, indexing="ij"), np.full((len(x), len(y)), 0.5)], axis=-1).reshape(-1, 3)
        _, distance, _ = self.simulation.scene.closest_point(at, max_distance=_FINE)
        return at[distance < 0.5 * _FINE, :2]


def _told(matched: Matched) -> dict[str, Any]:
    person, claim = matched.person, matched.claim
    told = {"name": person.name, "kind": person.kind, "state": person.state, "found": claim is not None}
    if claim is None:
        return told
    more = {"by": claim.robot, "time": round(claim.first, 1), "error": round(matched.error, 3), "said": claim.state}
    return {**told, **more}


def _area(simulation: Simulation, area: tuple[float, float, float, float] | None) -> tuple[np.ndarray, np.ndarray]:
    """Corners of what is to be searched, [2] each [m]."""
    if area is not None:
        low, high = np.array(area[:2]), np.array(area[2:])
        if (low >= high).any():
            raise SimulationError(f"rescue: area {area} is empty; give west, south, east, north")
        return low, high
    cells = [getattr(simulation.world, side, None) for side in ("columns", "rows")]
    if None in cells:
        raise SimulationError("rescue: this world is no arena; say where to search: `area: [west, south, east, north]`")
    half = 0.5 * _LANE * np.array(cells, float)
    return -half, half


def _starts(simulation: Simulation, count: int) -> list[tuple[float, float, float, float]]:
    """Poses x, y, z [m], yaw [rad] in front of the entrance, in rows of three; or beside the world's own start."""
    known = list(getattr(simulation.world, "starts", ()))[1:]
    if not known:
        x, y, z = simulation.world.spawn()
        known = [(x + dx, y, z, np.pi / 2) for dx in (0.0, 0.9, -0.9)]
    rows = [
        (x, y - 1.0 * (n // len(known)), 0.108, yaw) for n in range(count) for x, y, _, yaw in [known[n % len(known)]]
    ]
    return [(float(x), float(y), z, float(yaw)) for x, y, z, yaw in rows]
