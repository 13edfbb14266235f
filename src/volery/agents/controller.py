"""The controller between agents and bodies: perceptions in, influences out, by one of two strategies."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from volery.agents.agent import Agent
from volery.agents.body import Body
from volery.agents.events import Event
from volery.core.clock import SECOND, nanoseconds
from volery.errors import SimulationError

__all__ = ["Controller", "FixedStep", "RealTime", "Stepped"]

Hearer = Callable[[Event], None]


class Controller:
    """Lets agents perceive, talk and decide, and then has all bodies follow at once.

    The order is that of the agents, whoever is faster: the same perceptions give the same influences.
    """

    def __init__(self, agents: Sequence[Agent], bodies: Sequence[Body]) -> None:
        """One body for each agent, of the same name."""
        self.agents = list(agents)
        self._bodies = {body.name: body for body in bodies}
        if sorted(self._bodies) != sorted(agent.name for agent in self.agents):
            raise SimulationError("a controller needs one body of the same name for each agent")
        self.hearers: list[Hearer] = []
        """Hear what agents say too, such as a mission that counts deliveries."""
        self._due_ns = dict.fromkeys(self._bodies, 0)
        self._period_ns = {agent.name: nanoseconds(agent.period) for agent in self.agents}

    def cycle(self, now_ns: int) -> None:
        """Perceive → tell the others → decide → influence, for all agents."""
        for agent in self.agents:
            self._bodies[agent.name].expect()
        for agent in self.agents:
            for perception in self._bodies[agent.name].perceive():
                agent.hear(perception)
            agent.introduce()
        self._exchange()
        for agent in self.agents:
            if agent.ready and now_ns >= self._due_ns[agent.name]:
                self._due_ns[agent.name] = now_ns + self._period_ns[agent.name]
                agent.decide(now_ns / SECOND)
        self._exchange()
        for agent in self.agents:
            for influence in agent.wishes:
                self._bodies[agent.name].apply(influence)
            agent.wishes = []

    def close(self) -> None:
        """Let the bodies go."""
        for body in self._bodies.values():
            body.close()

    def _exchange(self) -> None:
        """Everybody hears what the others said."""
        said = [(agent, word) for agent in self.agents for word in agent.words]
        for agent in self.agents:
            agent.words = []
        for speaker, word in said:
            for agent in self.agents:
                if agent is not speaker:
                    agent.hear(word)
            for hear in self.hearers:
                hear(word)


class Stepped(Protocol):
    """Something whose clock moves only when told."""

    @property
    def now_ns(self) -> int:
        """Simulated time [ns]."""

    def advance(self, seconds: float) -> None:
        """Let so much simulated time pass, exactly, and come back when it has."""


class FixedStep:
    """Time stands still while agents think; then all influences are applied, and one period passes. Deterministic."""

    def __init__(self, controller: Controller, world: Stepped, period: float = 0.1) -> None:
        """period: of simulated time between two cycles [s]."""
        self.controller, self.world, self.period = controller, world, period

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Go on for so long [s], or until it is enough."""
        for _ in range(round(seconds / self.period)):
            self.controller.cycle(self.world.now_ns)
            self.world.advance(self.period)
            if until():
                break


class RealTime:
    """Time goes on while agents think: a cycle per period of wall time, in a thread of its own.

    A cycle that takes longer than the period makes the next ones late; late ones are counted and left out, so that
    agents never work through old perceptions.
    """

    def __init__(self, controller: Controller, now_ns: Callable[[], int], period: float = 0.1) -> None:
        """now_ns: gives the simulated time [ns]; period: of wall time [s]."""
        self.controller, self.period = controller, period
        self.late = 0
        """Cycles left out."""
        self.failure: BaseException | None = None
        """What ended the thread, if it was not `stop`."""
        self._now_ns = now_ns
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="agents", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, serve: Callable[[], None] = lambda: None) -> None:
        """End after the present cycle; an error of the agents is raised here.

        serve: called until they have ended, for agents that wait for answers of the thread that calls this.
        """
        self._stopped.set()
        while self._thread.is_alive():
            serve()
            self._thread.join(timeout=0.01)
        if self.failure is not None:
            raise SimulationError(f"the agents stopped: {self.failure!r}") from self.failure

    def _run(self) -> None:
        due = time.monotonic()
        try:
            while not self._stopped.is_set():
                self.controller.cycle(self._now_ns())
                due += self.period
                behind = time.monotonic() - due
                if behind > 0:
                    missed = int(behind / self.period) + 1
                    self.late, due = self.late + missed, due + missed * self.period
                self._stopped.wait(max(due - time.monotonic(), 0.0))
        except Exception as error:
            self.failure = error
