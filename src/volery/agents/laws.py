"""Laws of the air and of things, for the reaction to influences: speed, fences, right of way, pads, who holds what."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from volery.agents.events import Event
from volery.agents.influences import Influence, Land, MoveByVelocity
from volery.agents.reaction import Law, Reaction, Sigma, Standing

__all__ = ["Geofence", "LandingSlots", "Put", "Separation", "SpeedLimit", "Take", "Taken", "Things"]


class SpeedLimit(Law):
    """Nobody is faster: velocities are shortened, their direction stays."""

    def __init__(self, fastest: float) -> None:
        """fastest: [m/s]."""
        self.fastest = fastest

    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """Shorten what is too long."""
        for agent, influence in reaction.each():
            if isinstance(influence, MoveByVelocity):
                speed = float(np.linalg.norm(influence.v_W))
                if speed > self.fastest:
                    reaction.replace(agent, influence, replace(influence, v_W=influence.v_W * (self.fastest / speed)))


class Geofence(Law):
    """Nobody leaves a box: parts of a velocity that lead out of it sooner than one can brake are taken away."""

    def __init__(self, low_W: np.ndarray, high_W: np.ndarray, brake: float = 2.0) -> None:
        """low_W, high_W: corners, [3] [m]; brake: [m/s²]."""
        self.low_W, self.high_W, self.brake = np.asarray(low_W, float), np.asarray(high_W, float), brake

    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """Cut each axis by itself, so that one goes on along the fence."""
        for agent, influence in reaction.each():
            body = sigma.bodies.get(agent)
            if isinstance(influence, MoveByVelocity) and body is not None:
                up = self._most(self.high_W - body.p_WB, sigma.dt)
                down = -self._most(body.p_WB - self.low_W, sigma.dt)
                cut = np.clip(influence.v_W, down, up)
                if (cut != influence.v_W).any():
                    reaction.replace(agent, influence, replace(influence, v_W=cut))

    def _most(self, room: np.ndarray, dt: float) -> np.ndarray:
        """Speeds from which one can brake, and at which one is not past the fence before the next reaction [m/s]."""
        room = np.maximum(room, 0.0)
        fast = np.sqrt(2.0 * self.brake * room)
        return np.minimum(fast, room / dt) if dt > 0.0 else fast


class Separation(Law):
    """No two bodies come nearer than a distance: velocities that would bring them there lose what closes in."""

    def __init__(self, distance: float, horizon: float = 3.0) -> None:
        """distance: between centres [m]; horizon: meetings within this time count [s]."""
        self.distance, self.horizon = distance, horizon

    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """All pairs by the influences as they were wished: no pair sees what another was given."""
        wished = {
            agent: influence
            for agent, influence in reaction.each()
            if isinstance(influence, MoveByVelocity) and agent in sigma.bodies
        }
        cut = {agent: influence.v_W.copy() for agent, influence in wished.items()}
        names = sorted(name for name, body in sigma.bodies.items() if not body.landed)
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                self._part(sigma, wished, cut, first, second)
        for agent, influence in wished.items():
            if (cut[agent] != influence.v_W).any():
                reaction.replace(agent, influence, replace(influence, v_W=cut[agent]))

    def _part(
        self, sigma: Sigma, wished: Mapping[str, MoveByVelocity], cut: dict[str, np.ndarray], a: str, b: str
    ) -> None:
        there = sigma.bodies[b].p_WB - sigma.bodies[a].p_WB
        closing = _wish(sigma.bodies[a], wished.get(a)) - _wish(sigma.bodies[b], wished.get(b))
        if not self._meet(there, closing):
            return
        line = there / max(float(np.linalg.norm(there)), 1e-9)
        for name, way in ((a, line), (b, -line)):
            if name in cut:
                cut[name] = cut[name] - max(float(cut[name] @ way), 0.0) * way

    def _meet(self, there: np.ndarray, closing: np.ndarray) -> bool:
        """Whether two come too near within the horizon; there: from one to the other [m]."""
        square = float(closing @ closing)
        t = min(max(float(there @ closing) / square, 0.0), self.horizon) if square > 1e-12 else 0.0
        return float(there @ closing) > 0.0 and float(np.linalg.norm(there - closing * t)) < self.distance


def _wish(body: Standing, influence: MoveByVelocity | None) -> np.ndarray:
    return body.v_WB_W if influence is None else influence.v_W


class LandingSlots(Law):
    """Of those who want to land near each other only the lowest does; the others wait where they are."""

    def __init__(self, apart: float = 2.0) -> None:
        """apart: two may land at once as far from each other in the plane [m]."""
        self.apart = apart
        self._sinking: set[str] = set()

    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """Who lands already keeps its turn; else the lowest first, and names decide between equals."""
        wish = {a: i for a, i in reaction.each() if isinstance(i, Land) and a in sigma.bodies}
        bodies = sigma.bodies
        moved_on = {a for a, own in reaction.gamma.items() if own and a not in wish}
        self._sinking = {a for a in self._sinking - moved_on if a in bodies and not bodies[a].landed}
        for agent in sorted(wish, key=lambda a: (a not in self._sinking, float(bodies[a].p_WB[2]), a)):
            before = [o for o in sorted(self._sinking - {agent}) if self._near(bodies[agent], bodies[o])]
            if before:
                wait = MoveByVelocity(np.zeros(3), max(sigma.dt, 1e-3))
                reaction.refuse(agent, wish[agent], self, f"{before[0]} lands here", [wait])
            else:
                self._sinking.add(agent)

    def _near(self, a: Standing, b: Standing) -> bool:
        return math.dist(a.p_WB[:2], b.p_WB[:2]) < self.apart


@dataclass(frozen=True, eq=False)
class Take(Influence):
    """Take a thing."""

    by_body: ClassVar[bool] = False
    thing: str


@dataclass(frozen=True, eq=False)
class Put(Influence):
    """Put down what one has."""

    by_body: ClassVar[bool] = False


@dataclass(frozen=True, eq=False)
class Taken(Event):
    """An agent has a thing now; told to all who wanted it."""

    thing: str
    by: str


class Things(Law):
    """Things that one agent at a time has. Of several who take the same the nearest gets it, by name between equals."""

    def __init__(self, places_W: Mapping[str, np.ndarray], reach: float = 1.5) -> None:
        """places_W: where each lies, [3] [m]; reach: it is taken from as near [m]."""
        self.places_W = {name: np.array(p, float) for name, p in places_W.items()}
        self.reach = reach
        self.holder: dict[str, str] = {}
        """Who has what, by name of the thing."""

    def settle(self, sigma: Sigma, reaction: Reaction) -> None:
        """Put down first, then take: what is put down now can be taken now."""
        self._put(sigma, reaction)
        wanted: dict[str, list[tuple[float, str, Take]]] = {}
        for agent, influence in reaction.each():
            if not isinstance(influence, Take):
                continue
            why = self._hindrance(sigma, agent, influence.thing)
            if why:
                reaction.refuse(agent, influence, self, why)
            else:
                off = math.dist(sigma.bodies[agent].p_WB, self.places_W[influence.thing])
                wanted.setdefault(influence.thing, []).append((off, agent, influence))
        for thing, takers in sorted(wanted.items()):
            self._give(thing, sorted(takers, key=lambda t: t[:2]), reaction)

    def _put(self, sigma: Sigma, reaction: Reaction) -> None:
        for agent, influence in reaction.each():
            if isinstance(influence, Put) and agent in sigma.bodies:
                for thing in [t for t, by in self.holder.items() if by == agent]:
                    del self.holder[thing]
                    self.places_W[thing] = sigma.bodies[agent].p_WB.copy()
                reaction.gamma[agent] = [own for own in reaction.gamma[agent] if own is not influence]

    def _hindrance(self, sigma: Sigma, agent: str, thing: str) -> str:
        if thing not in self.places_W:
            return f"there is no '{thing}'"
        if thing in self.holder:
            return f"{self.holder[thing]} has it"
        if agent in self.holder.values():
            return "it has something already"
        body = sigma.bodies.get(agent)
        if body is None or math.dist(body.p_WB, self.places_W[thing]) > self.reach:
            return f"it is more than {self.reach:g} m away"
        return ""

    def _give(self, thing: str, takers: list[tuple[float, str, Take]], reaction: Reaction) -> None:
        (_, winner, taken), others = takers[0], takers[1:]
        self.holder[thing] = winner
        reaction.gamma[winner] = [own for own in reaction.gamma[winner] if own is not taken]
        for _, agent, influence in others:
            reaction.refuse(agent, influence, self, f"{winner} was nearer")
        reaction.told += [(agent, Taken(thing, winner)) for _, agent, _ in takers]
