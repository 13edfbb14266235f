"""The report's mission: drones bring parcels to random places and come back, each flown by an agent."""

from __future__ import annotations

import math
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery import registry
from volery.agents.asking import AskingBody
from volery.agents.controller import Controller, RealTime
from volery.agents.events import Assigned, Delivered, Event, Returned
from volery.agents.laws import Separation, SpeedLimit
from volery.agents.library import behaviour
from volery.agents.reaction import Law
from volery.agents.referee import Referee, ground_below
from volery.agents.simulated import SimulatedBody
from volery.agents.spaces import Space
from volery.agents.targets import OBSTACLES, bases, free_targets
from volery.core.clock import nanoseconds
from volery.core.config import Checked, param
from volery.errors import SimulationError, UnknownNameError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Deliveries", "DeliveriesSettings"]

_STANDS = 0.1405
"""Height of a drone's origin over the ground when it stands, and a little more [m]."""
_OWNER, _OVER = "deliveries", np.array([0.0, 0.0, 0.05])
"""Of drawings, and how far they are over the ground [m]."""


@dataclass(frozen=True)
class DeliveriesSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    drones: int = param(10, low=1, high=200)
    behaviour: str = "courier"
    """Of all agents: a name of `volery list behaviours`."""
    strategy: str = param("fixed", choices=("fixed", "realtime"))
    """fixed: the clock waits while agents think, and runs repeat exactly; realtime: they think in their own thread."""
    parcels: int = param(2, low=1, high=1000)
    """For each drone; it carries one at a time."""
    reach: float = param(100.0, low=5.0, high=5000.0)
    """Targets are at most so far from the middle of the bases, east and north [m]."""
    spacing: float = param(2.0, low=1.0, high=100.0)
    """Between bases [m]."""
    period: float = param(0.1, low=0.01, high=10.0)
    """Between two perceptions [s]."""
    robot: str = "simpleflight"
    radio_range: float | None = param(None, above=0)
    """Agents hear each other so far [m]; none: everywhere."""
    radio_loss: float = param(0.0, low=0.0, high=1.0)
    """Share of what they say that gets lost, for each that listens."""
    radio_delay: float = param(0.0, low=0.0, high=60.0)
    """From saying to hearing [s]."""
    separation: float | None = param(None, above=0)
    """A law: velocities that would bring two drones nearer lose what closes in [m]; none: no such law."""
    speed_limit: float | None = param(None, above=0)
    """A law: nobody is faster [m/s]; none: no such law."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not registry.knows("behaviours", self.behaviour):
            raise UnknownNameError("behaviour", self.behaviour, registry.names("behaviours"))


class Deliveries:
    """Robots, agents, targets and a referee for a simulation; made before its loop runs, by the thread that runs it."""

    Settings: ClassVar[type] = DeliveriesSettings
    told_by = "deliveries"
    """The module of report/ that tells it."""

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: DeliveriesSettings) -> None:
        """loop: is stopped when all is done; None: the caller looks at `over`."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        self._real: RealTime | None = None
        self._begin()
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)

    def _begin(self) -> None:
        """Everything from the start."""
        self._stop_real()
        simulation, settings = self.simulation, self.settings
        if OBSTACLES not in simulation.scenario.file.channels:
            raise SimulationError(f"deliveries need a channel '{OBSTACLES}' in the scenario: all but ground and drones")
        self.names = [f"drone{i + 1}" for i in range(settings.drones)]
        for name in [n for n in self.names if n in simulation.robots]:
            simulation.remove(name)
        ground, start_W = ground_below(simulation, np.array(simulation.world.spawn(), float))
        self.bases_W = bases(settings.drones, settings.spacing, float(start_W[2]), start_W)
        targets = free_targets(simulation, settings.drones * settings.parcels, settings.reach, self.bases_W)
        agent_class = behaviour(settings.behaviour)
        for name, base_W in zip(self.names, self.bases_W, strict=True):
            where = {"physics": "fleet", "position": (base_W + [0.0, 0.0, _STANDS]).tolist()}
            sensors = {"lidar": agent_class.lidar} if agent_class.lidar else {}
            simulation.spawn(name, {"type": settings.robot, **where, "sensors": sensors})
        self.agents = [agent_class(n, b, i) for i, (n, b) in enumerate(zip(self.names, self.bases_W, strict=True))]
        self.targets = {n: deque(targets[i :: settings.drones]) for i, n in enumerate(self.names)}
        self.referee = Referee(self.names, ground, float(start_W[2]))
        lidar = "lidar" if agent_class.lidar else ""
        self._bodies = [SimulatedBody(simulation, name, lidar) for name in self.names]
        self._all_targets = {n: targets[i :: settings.drones] for i, n in enumerate(self.names)}
        self._away = set(self.names)
        self._spent: Counter[str] = Counter()
        for agent in self.agents:
            agent.hear(Assigned(self.targets[agent.name].popleft()))
        self._draw(targets)
        self._start_controller()

    def _draw(self, targets_W: np.ndarray) -> None:
        """Bases and targets for people to see."""
        drawings = self.simulation.environment.drawings
        drawings.clear(_OWNER)
        drawings.add("points", self.bases_W + _OVER, (0.2, 0.5, 1.0, 1.0), 8.0, owner=_OWNER)
        drawings.add("points", targets_W + _OVER, (1.0, 0.75, 0.1, 1.0), 10.0, owner=_OWNER)

    def _start_controller(self) -> None:
        simulation, settings = self.simulation, self.settings
        real = settings.strategy == "realtime"
        bodies: list[Any] = [AskingBody(simulation, b) for b in self._bodies] if real else self._bodies
        radio = {"range": settings.radio_range or math.inf, "loss": settings.radio_loss, "delay": settings.radio_delay}
        self.controller = Controller(
            self.agents, bodies, laws=_laws(settings), space=Space("radio", seed=simulation.seed, **radio)
        )
        self.controller.hearers.append(self._overhear if real else self._hear)
        self._every = max(round(nanoseconds(settings.period) / simulation.clock.step_ns), 1)
        if real:
            self._real = RealTime(self.controller, lambda: simulation.clock.now_ns, settings.period)
            self._started = False

    @property
    def over(self) -> bool:
        """Whether all drones are back from their last errand."""
        return not self._away

    def close(self) -> None:
        """Let the drones go; they stay as they are."""
        self._stop_real()
        self.simulation.environment.drawings.clear(_OWNER)
        for calls, mine in ((self.simulation.controllers, self._control), (self.simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)

    # In the loop

    def _control(self, simulation: Simulation) -> None:
        if any(name not in simulation.robots for name in self.names):
            self._begin()
        if self._real is None:
            if simulation.clock.steps % self._every == 0:
                self.controller.cycle(simulation.clock.now_ns)
                self._spent.update(agent.doing for agent in self.agents)
        elif not self._started:
            self._started = True
            self._real.start()
        for body in self._bodies:
            body.control()

    def _listen(self, simulation: Simulation) -> None:
        self.referee.watch(simulation)
        if self._real is not None and self._real.failure is not None:
            raise SimulationError(f"the agents stopped: {self._real.failure!r}") from self._real.failure
        if self.over and self.loop is not None:
            self.loop.stop()

    def _hear(self, event: Event) -> None:
        """Count what is delivered, and give the next parcel to who is back."""
        if isinstance(event, Delivered):
            self.referee.judge(self.simulation, event.sender, event.target_W)
        elif isinstance(event, Returned):
            left = self.targets[event.sender]
            if left:
                next(a for a in self.agents if a.name == event.sender).hear(Assigned(left.popleft()))
            else:
                self.referee.logs[event.sender].home = self.simulation.clock.now
                self._away.discard(event.sender)

    def _overhear(self, event: Event) -> None:
        """`_hear`, from another thread."""
        if isinstance(event, Delivered | Returned):
            self.simulation.ask(lambda: self._hear(event))

    def _stop_real(self) -> None:
        if self._real is not None and self._started:
            self._real.stop(self.simulation.answer_requests)
        self._real = None

    # What came out

    def rows(self) -> list[tuple[str, str, int, int, float, float]]:
        """Of each drone: name, what it does, delivered, collisions, distance [m], height over the bases [m]."""
        struck = Counter(n for c in self.referee.collisions for n in (c.drone, c.other))
        return [
            (a.name, a.doing, log.delivered, struck[a.name], log.distance, self._height(a.name))
            for a, log in zip(self.agents, self.referee.logs.values(), strict=True)
        ]

    def _height(self, name: str) -> float:
        robot = self.simulation.robots.get(name)
        return 0.0 if robot is None else float(robot.p_WB[2] - self.referee.ground_z)

    def result(self) -> dict[str, Any]:
        """Numbers of the run as plain data; spent: share of the drones' time by what they did."""
        referee, logs, radio = self.referee, self.referee.logs.values(), self.controller.space
        return {
            "behaviour": self.settings.behaviour,
            "seed": self.simulation.seed,
            "drones": self.settings.drones,
            "parcels": self.settings.drones * self.settings.parcels,
            "delivered": sum(log.delivered for log in logs),
            "refused": sum(log.refused for log in logs),
            "home": len(self.names) - len(self._away),
            "collisions": referee.counts(),
            "hard": referee.hard,
            "with": dict(Counter(c.other for c in referee.collisions if c.kind == "thing").most_common(5)),
            "words": {"said": radio.said, "heard": radio.heard, "lost": radio.lost, "out_of_range": radio.unreached},
            "spent": {doing: round(n / self._spent.total(), 3) for doing, n in self._spent.most_common()},
            "near_drones": referee.near_drones,
            "near_things": referee.near_things,
            "distance": round(float(np.sum([log.distance for log in logs])), 1),
            "time": round(self.simulation.clock.now, 2),
        }

    def sheet(self) -> dict[str, Any]:
        """All that the referee's page shows, as plain data."""
        base = {name: p.tolist() for name, p in zip(self.names, self.bases_W, strict=True)}
        return {
            "result": self.result(),
            **self.referee.sheet(self.simulation, np.concatenate([self.bases_W, *self._all_targets.values()])),
            "doing": {agent.name: agent.doing for agent in self.agents},
            "bases": base,
            "targets": {name: own.tolist() for name, own in self._all_targets.items()},
        }


def _laws(settings: DeliveriesSettings) -> list[Law]:
    """Those that the settings ask for; a speed that is limited is what must keep apart."""
    laws: list[Law] = [] if settings.speed_limit is None else [SpeedLimit(settings.speed_limit)]
    return laws if settings.separation is None else [*laws, Separation(settings.separation)]
