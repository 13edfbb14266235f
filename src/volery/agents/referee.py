"""The referee of a mission: what was delivered, who touched whom, and nearly. It sees what is, not what is said."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from volery.agents.targets import OBSTACLES
from volery.core.clock import SECOND
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.robots.robot import Robot

__all__ = ["Log", "RecordedCollision", "Referee"]

_TOUCHDOWN = 1.0
"""A drone may meet the ground as fast [m/s]."""
_HARD = 2.0
"""Faster, most drones break [m/s]."""
_AGAIN_NS = SECOND
"""A touch after so long without is another collision [ns]."""
NEAR_DRONE, NEAR_THING = 1.0, 0.5
"""Nearer centres of two drones, and nearer surfaces of things to a drone's centre, are near misses [m]."""
_LOOK = 8.0
"""How far the referee looks for the nearest thing [m]."""
_AIRBORNE = 0.4
"""Below this height over the bases drones stand or land [m]."""
_AT_TARGET, _LOW = 1.5, 1.5
"""A parcel counts that is put down as near to the target, from as low [m]."""


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


@dataclass
class Log:
    """What a drone has done."""

    delivered: int = 0
    refused: int = 0
    """Parcels it said it had delivered, and had not."""
    distance: float = 0.0
    """Flown [m]."""
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
        """ground: name of the ground's object; ground_z: its height [m]."""
        self.names, self.ground, self.ground_z = names, ground, ground_z
        self.logs = {name: Log() for name in names}
        self.collisions: list[RecordedCollision] = []
        self.near_drones = 0
        """Times that two drones in the air came near without touching before."""
        self.near_things = 0
        """Times that a drone came near a thing."""
        self._seen = _Seen()
        self._touching: dict[tuple[str, str], int] = {}
        self._near: set[tuple[str, str]] = set()
        self._room = dict.fromkeys(names, 0.0)
        """As far each drone can go before it may be near a thing [m]."""

    def watch(self, simulation: Simulation) -> None:
        """Look at one step."""
        robots = [simulation.robots[n] for n in self.names if n in simulation.robots]
        for robot in robots:
            self._fly(robot)
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

    def _fly(self, robot: Robot) -> None:
        before = self._seen.p_W.get(robot.name)
        if before is not None:
            moved = math.dist(robot.p_WB, before)
            self.logs[robot.name].distance += moved
            self._room[robot.name] -= moved

    def _touch(self, simulation: Simulation, robot: Robot, other: str, normal_W: np.ndarray) -> None:
        """A collision, unless it goes on from before, or is a landing."""
        now_ns = simulation.clock.now_ns
        pair = (robot.name, other) if other not in self.logs else (min(robot.name, other), max(robot.name, other))
        last = self._touching.get(pair)
        speed = -float(self._seen.v_W.get(robot.name, np.zeros(3)) @ normal_W)
        if other in self.logs:
            speed += float(self._seen.v_W.get(other, np.zeros(3)) @ normal_W)
        soft = other == self.ground and speed < _TOUCHDOWN
        if last is None or now_ns - last > _AGAIN_NS:
            if soft:
                return
            kind = "drone" if other in simulation.robots else "ground" if other == self.ground else "thing"
            self.collisions.append(RecordedCollision(now_ns / SECOND, *pair, kind, max(speed, 0.0)))
        self._touching[pair] = now_ns

    def _near_misses(self, robots: list[Robot], simulation: Simulation) -> None:
        """Count beginnings of being near."""
        names, p_W = [r.name for r in robots], np.array([r.p_WB for r in robots]).reshape(-1, 3)
        aloft = p_W[:, 2] > self.ground_z + _AIRBORNE
        apart = np.linalg.norm(p_W[:, None] - p_W[None], axis=2)
        close = np.triu((apart < NEAR_DRONE) & aloft[:, None] & aloft[None], 1)
        drones = {(names[i], names[j]) for i, j in np.argwhere(close)}
        self.near_drones += len(drones - self._near)
        things = self._near_to_things(names, p_W, simulation)
        self.near_things += len(things - self._near)
        self._near = drones | things

    def _near_to_things(self, names: list[str], p_W: np.ndarray, simulation: Simulation) -> set[tuple[str, str]]:
        """Only those are looked at that may have come near since the last look."""
        asked = [i for i, name in enumerate(names) if self._room[name] <= 0.0]
        if not asked:
            return set()
        _, distance, number = simulation.scene.closest_point(p_W[asked], max_distance=_LOOK, channel=OBSTACLES)
        for i, d in zip(asked, np.minimum(distance, _LOOK), strict=True):
            self._room[names[i]] = float(d) - NEAR_THING
        return {(names[i], f"#{n}") for i, d, n in zip(asked, distance, number, strict=True) if d < NEAR_THING}

    @property
    def hard(self) -> int:
        """Collisions that would have broken a drone."""
        return sum(c.speed > _HARD for c in self.collisions)
