"""The referee of a mission: what was delivered, who touched whom, and nearly. It sees what is, not what is said."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.agents.relief import relief
from volery.agents.targets import OBSTACLES
from volery.core.clock import SECOND
from volery.errors import SimulationError
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.robots.robot import Robot

__all__ = ["Log", "NearMiss", "RecordedCollision", "Referee", "ground_below"]

_TOUCHDOWN = 1.0
"""A drone may meet the ground as fast [m/s]."""
_HARD = 2.0
"""Faster, most drones break [m/s]."""
_AGAIN_NS = SECOND
"""A touch after so long without is another collision [ns]."""
NEAR_DRONE, NEAR_THING = 1.0, 0.5
"""Nearer centres of two drones, and nearer surfaces of things to a drone's centre, are near misses [m]."""
_SAMPLE_NS = SECOND // 2
"""Between two places of a way [ns]."""
_LOOK = 8.0
"""How far the referee looks for the nearest thing [m]."""
_AIRBORNE = 0.4
"""Below this height over the bases drones stand or land [m]."""
_AT_TARGET, _LOW = 1.5, 1.5
"""A parcel counts that is put down as near to the target, from as low [m]."""
_NO_PLACES = np.empty((0, 3))


@dataclass(frozen=True)
class RecordedCollision:
    """Somebody touched something."""

    time: float
    """Simulated [s]."""
    drone: str
    other: str
    kind: str
    """drone, thing or ground."""
    speed: float
    """At which they met [m/s]."""
    p_W: np.ndarray
    """Where the drone was [m]."""


@dataclass(frozen=True)
class NearMiss:
    """Two came near each other, or one came near a thing."""

    time: float
    """Simulated [s]."""
    drone: str
    other: str
    """A drone, or the thing's name."""
    p_W: np.ndarray
    """Where the drone was [m]."""


@dataclass
class Log:
    """What a drone has done."""

    delivered: int = 0
    refused: int = 0
    """Parcels it said it had delivered, and had not."""
    distance: float = 0.0
    """Flown [m]."""
    fastest: float = 0.0
    """[m/s]."""
    way: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Time [s] and place [m], twice a second."""
    home: float | None = None
    """When it was back from its last errand [s]."""


@dataclass
class _Seen:
    """What was so in the step before, by drone."""

    p_W: dict[str, np.ndarray] = field(default_factory=dict)
    v_W: dict[str, np.ndarray] = field(default_factory=dict)


class Referee:
    """Watches drones of a simulation after every step; add `watch` to its listeners."""

    def __init__(self, names: list[str], ground: str, ground_z: float) -> None:
        """ground: name of the ground's object, or a pattern of names; ground_z: its height [m]."""
        self.names, self.ground, self.ground_z = names, ground, ground_z
        self.logs = {name: Log() for name in names}
        self.collisions: list[RecordedCollision] = []
        self.near_misses: list[NearMiss] = []
        """Beginnings of being near."""
        self._seen = _Seen()
        self._touching: dict[tuple[str, str], int] = {}
        self._near: set[tuple[str, str]] = set()
        self._look_ns = 0
        """When the next place is kept."""
        self._room = dict.fromkeys(names, 0.0)
        """As far each drone can go before it may be near a thing [m]."""

    def admit(self, name: str) -> None:
        """Watch one more drone."""
        self.names.append(name)
        self.logs[name] = Log()
        self._room[name] = 0.0

    def watch(self, simulation: Simulation) -> None:
        """Look at one step."""
        robots = [simulation.robots[n] for n in self.names if n in simulation.robots]
        look = simulation.clock.now_ns >= self._look_ns
        if look:
            self._look_ns = simulation.clock.now_ns + _SAMPLE_NS
        for robot in robots:
            self._fly(robot, simulation.clock.now if look else None)
            for contact in robot.contacts or ():
                self._touch(simulation, robot, contact.other, contact.normal_W)
        self._near_misses(robots, simulation)
        for robot in robots:
            self._seen.p_W[robot.name], self._seen.v_W[robot.name] = robot.p_WB, robot.v_WB_W

    def judge(self, simulation: Simulation, name: str, target_W: np.ndarray) -> bool:
        """Whether a drone that says it has delivered is where it must be."""
        off = simulation.robot(name).p_WB - target_W
        good = bool(np.hypot(off[0], off[1]) <= _AT_TARGET and off[2] <= _LOW)
        self.logs[name].delivered += good
        self.logs[name].refused += not good
        return good

    def _fly(self, robot: Robot, now: float | None) -> None:
        """now: of a step whose place is kept [s]."""
        before, log = self._seen.p_W.get(robot.name), self.logs[robot.name]
        if now is not None:
            x, y, z = robot.p_WB.tolist()
            log.way.append((now, x, y, z))
            log.fastest = max(log.fastest, float(np.linalg.norm(robot.v_WB_W)))
        if before is not None:
            moved = math.dist(robot.p_WB, before)
            log.distance += moved
            self._room[robot.name] -= moved

    def _touch(self, simulation: Simulation, robot: Robot, other: str, normal_W: np.ndarray) -> None:
        """A collision, unless it goes on from before, or is a landing."""
        now_ns = simulation.clock.now_ns
        pair = (robot.name, other) if other not in self.logs else (min(robot.name, other), max(robot.name, other))
        last = self._touching.get(pair)
        speed = -float(self._seen.v_W.get(robot.name, np.zeros(3)) @ normal_W)
        if other in self.logs:
            speed += float(self._seen.v_W.get(other, np.zeros(3)) @ normal_W)
        ground = fnmatchcase(other, self.ground)
        soft = ground and speed < _TOUCHDOWN
        if last is None or now_ns - last > _AGAIN_NS:
            if soft:
                return
            kind = "drone" if other in simulation.robots else "ground" if ground else "thing"
            place = robot.p_WB.copy()
            self.collisions.append(RecordedCollision(now_ns / SECOND, *pair, kind, max(speed, 0.0), place))
        self._touching[pair] = now_ns

    def _near_misses(self, robots: list[Robot], simulation: Simulation) -> None:
        """Count beginnings of being near."""
        names, p_W = [r.name for r in robots], np.array([r.p_WB for r in robots]).reshape(-1, 3)
        aloft = p_W[:, 2] > self.ground_z + _AIRBORNE
        apart = np.linalg.norm(p_W[:, None] - p_W[None], axis=2)
        close = np.triu((apart < NEAR_DRONE) & aloft[:, None] & aloft[None], 1)
        drones = {(names[i], names[j]) for i, j in np.argwhere(close)}
        near = drones | self._near_to_things(names, p_W, simulation)
        for drone, other in sorted(near - self._near):
            p = p_W[names.index(drone)].copy()
            self.near_misses.append(NearMiss(simulation.clock.now, drone, other, p))
        self._near = near

    def _near_to_things(self, names: list[str], p_W: np.ndarray, simulation: Simulation) -> set[tuple[str, str]]:
        """Only those are looked at that may have come near since the last look."""
        if OBSTACLES not in simulation.scenario.file.channels:
            return set()
        asked = [i for i, name in enumerate(names) if self._room[name] <= 0.0]
        if not asked:
            return set()
        _, distance, number = simulation.scene.closest_point(p_W[asked], max_distance=_LOOK, channel=OBSTACLES)
        for i, d in zip(asked, np.minimum(distance, _LOOK), strict=True):
            self._room[names[i]] = float(d) - NEAR_THING
        name = simulation.scene.object_name
        return {(names[i], name(int(n))) for i, d, n in zip(asked, distance, number, strict=True) if d < NEAR_THING}

    @property
    def hard(self) -> int:
        """Collisions that would have broken a drone."""
        return sum(c.speed > _HARD for c in self.collisions)

    @property
    def near_drones(self) -> int:
        """Times that two drones in the air came near without touching before."""
        return sum(miss.other in self.logs for miss in self.near_misses)

    @property
    def near_things(self) -> int:
        """Times that a drone came near a thing."""
        return len(self.near_misses) - self.near_drones

    def counts(self) -> dict[str, int]:
        """Collisions by what was struck."""
        what = Counter(c.kind for c in self.collisions)
        return {kind: what.get(kind, 0) for kind in ("thing", "drone", "ground")}

    def sheet(self, simulation: Simulation, others_W: np.ndarray = _NO_PLACES) -> dict[str, Any]:
        """Ways, collisions and near misses as plain data, with the relief of what stands there and round other places,
        [n, 3] [m]."""
        ways = np.array([p[1:3] for log in self.logs.values() for p in log.way]).reshape(-1, 2)
        places = np.concatenate([ways, others_W[:, :2]])
        return {
            "logs": {name: asdict(log) for name, log in self.logs.items()},
            "collisions": [{**asdict(c), "p_W": c.p_W.tolist()} for c in self.collisions],
            "near_misses": [{**asdict(m), "p_W": m.p_W.tolist()} for m in self.near_misses],
            "relief": relief(simulation, places, self.ground_z, self.names),
        }


def ground_below(simulation: Simulation, p_W: np.ndarray, but: str | None = None) -> tuple[str, np.ndarray]:
    """Name of what lies below a place [m], and where [m]; but: not this robot."""
    start = np.asarray(p_W, float) + [0.0, 0.0, 1.0]
    hits = simulation.scene.cast(start, np.array([[0.0, 0.0, -1.0]]), max_range=1000.0, ignore=but)
    if not hits.hit[0]:
        raise SimulationError("a referee needs ground below the drones")
    return simulation.scene.object_name(int(hits.object[0])), hits.points[0]
