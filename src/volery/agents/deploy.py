"""Agents as clients of a simulation elsewhere: behind an AirSim server, or on the bus; what they do there, and how it
ends."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from volery.agents.agent import Agent
from volery.agents.airsim import AirSimBody, AirSimWorld
from volery.agents.body import Body
from volery.agents.bus import BusBody, BusWorld, robots_on
from volery.agents.controller import Controller, FixedStep, RealTime
from volery.agents.events import Assigned, Delivered, Event, PosePerception, Returned
from volery.agents.rpc import RpcClient
from volery.bus.bus import DEFAULT_ENDPOINT, Bus, BusConfig
from volery.errors import SimulationError, UnknownNameError

__all__ = ["Deployment", "deploy_airsim", "deploy_bus"]

_FEET = 0.14
"""Of a drone's origin over the ground when it stands [m]."""


class Deployment:
    """Agents of one class with bodies elsewhere, and errands that are dealt out to them in turn."""

    def __init__(
        self, behaviour: type[Agent], bodies: Sequence[Body], hold: Callable[[], Any], now_ns: Callable[[], int],
        close: Callable[[], None], errands: Sequence[Sequence[float]] = (),
    ) -> None:  # fmt: skip
        """hold: gives the world with its clock held, for a fixed step; now_ns: simulated time; close: hangs up.
        errands: places [x, y] in W [m]."""
        self._hold, self._now_ns, self._close = hold, now_ns, close
        self.agents = [_agent(behaviour, body, rank) for rank, body in enumerate(bodies)]
        self.controller = Controller(self.agents, bodies)
        self.controller.hearers.append(self._hear)
        self.said: list[tuple[float, Event]] = []
        """What agents reported to their mission: simulated time [s] and event."""
        self._left: dict[str, deque[np.ndarray]] = {agent.name: deque() for agent in self.agents}
        for n, (x, y) in enumerate(errands):
            agent = self.agents[n % len(self.agents)]
            self._left[agent.name].append(np.array([x, y, agent.base_W[2]]))
        self._away = {name for name, left in self._left.items() if left}
        self._endless = not self._away
        for agent in self.agents:
            self._next(agent)

    @property
    def over(self) -> bool:
        """Whether all are back from their last errand; without errands never."""
        return not self._away and not self._endless

    def fly(self, seconds: float, *, strategy: str = "fixed", period: float = 0.1) -> None:
        """Until it is over, at most so long [s] of simulated time; period: between two cycles [s]."""
        if strategy == "fixed":
            world = self._hold()
            try:
                FixedStep(self.controller, world, period).run(seconds, until=lambda: self.over)
            finally:
                world.release()
            return
        first = self._now_ns()
        real = RealTime(self.controller, self._now_ns, period)
        real.start()
        while not self.over and real.failure is None and self._now_ns() - first < seconds * 1e9:
            time.sleep(0.02)
        real.stop()

    def close(self) -> None:
        """Let the bodies go and hang up."""
        self.controller.close()
        self._close()

    def rows(self) -> list[list[str]]:
        """A head, and a row for each agent."""
        rows = [["drone", "does", "delivered", "returned", "place [m]"]]
        for agent in self.agents:
            own = [e for _, e in self.said if getattr(e, "sender", "") == agent.name]
            counts = [str(sum(isinstance(e, kind) for e in own)) for kind in (Delivered, Returned)]
            place = "" if agent.place_W is None else " ".join(f"{v:.1f}" for v in agent.place_W)
            rows.append([agent.name, agent.doing, *counts, place])
        return rows

    def _hear(self, event: Event) -> None:
        if isinstance(event, Delivered | Returned):
            self.said.append((self._now_ns() / 1e9, event))
        if isinstance(event, Returned):
            agent = next(a for a in self.agents if a.name == event.sender)
            if not self._next(agent):
                self._away.discard(agent.name)

    def _next(self, agent: Agent) -> bool:
        """Give an agent its next errand, if it has one left."""
        left = self._left[agent.name]
        if left:
            agent.hear(Assigned(left.popleft()))
            return True
        return False


def deploy_airsim(
    behaviour: type[Agent], *, host: str = "127.0.0.1", port: int = 41451, vehicles: Sequence[str] = (),
    lidar: str = "", errands: Sequence[Sequence[float]] = (),
) -> Deployment:  # fmt: skip
    """An agent for each vehicle of an AirSim server, ours or any other; vehicles: empty: all that it lists."""
    client = RpcClient(host, port)
    try:
        bodies = [
            AirSimBody(client, n, lidar if behaviour.lidar else None)
            for n in _chosen(client.call("listVehicles"), vehicles)
        ]
        stamp = AirSimClock(client, bodies[0].name)
        hold = lambda: AirSimWorld(client, bodies[0].name)  # noqa: E731
        return Deployment(behaviour, bodies, hold, stamp, client.close, errands)
    except BaseException:
        client.close()
        raise


class AirSimClock:
    """Simulated time of an AirSim server since it was first asked [ns]."""

    def __init__(self, client: RpcClient, vehicle: str) -> None:
        self._client, self._vehicle = client, vehicle
        self._first = self._stamp()

    def __call__(self) -> int:
        return self._stamp() - self._first

    def _stamp(self) -> int:
        return int(self._client.call("getMultirotorState", self._vehicle)["timestamp"])


def deploy_bus(
    behaviour: type[Agent], *, connect: str = DEFAULT_ENDPOINT, robots: Sequence[str] = (), lidar: str = "lidar",
    errands: Sequence[Sequence[float]] = (),
) -> Deployment:  # fmt: skip
    """An agent for each robot on the bus; robots: empty: all whose place is told."""
    bus = Bus(BusConfig(connect=[connect], node="agents"))
    try:
        bodies = [BusBody(bus, n, lidar if behaviour.lidar else "") for n in _chosen(robots_on(bus), robots)]
        now_ns = lambda: min(body.stamp_ns for body in bodies)  # noqa: E731
        return Deployment(behaviour, bodies, lambda: BusWorld(bus, bodies), now_ns, bus.close, errands)
    except BaseException:
        bus.close()
        raise


def _chosen(there: Sequence[str], wanted: Sequence[str]) -> list[str]:
    for name in wanted:
        if name not in there:
            raise UnknownNameError("robot", name, there)
    if not there:
        raise SimulationError("nobody there has a robot to fly")
    return list(wanted or there)


def _agent(behaviour: type[Agent], body: Body, rank: int) -> Agent:
    """With its base on the ground where its body stands."""
    pose = next(p for p in body.perceive() if isinstance(p, PosePerception))
    return behaviour(body.name, pose.p_WB - [0.0, 0.0, _FEET], rank)
