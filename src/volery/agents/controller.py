"""The controller between agents and bodies: perceptions in, influences out, by one of two strategies."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from volery.agents.agent import Agent
from volery.agents.body import Body
from volery.agents.events import Event
from volery.agents.influences import Influence
from volery.agents.reaction import Gamma, Law, Sigma, Standing, react
from volery.agents.spaces import Space, Utterance
from volery.core.clock import SECOND, nanoseconds
from volery.errors import SimulationError

__all__ = ["Controller", "FixedStep", "RealTime", "Stepped"]

Hearer = Callable[[Event], None]


class Controller:
    """Lets agents perceive, talk and decide, and then has all bodies follow at once what the laws let stand.

    The order is that of the agents, whoever is faster: the same perceptions give the same influences.
    """

    def __init__(
        self, agents: Sequence[Agent], bodies: Sequence[Body], *, laws: Sequence[Law] = (), space: Space | None = None
    ) -> None:
        """One body for each agent, of the same name; those that are not embodied have none.

        laws: settle influences, in this order; space: where agents hear each other, None: everywhere, at once."""
        self.agents = list(agents)
        self._bodies = {body.name: body for body in bodies}
        if sorted(self._bodies) != sorted(agent.name for agent in self.agents if agent.embodied):
            raise SimulationError("a controller needs one body of the same name for each agent")
        self.laws = list(laws)
        self.space = space or Space("all")
        for agent in self.agents:
            self.space.register(agent)
        self.hearers: list[Hearer] = []
        """Hear what agents say too, such as a mission that counts deliveries."""
        self.gamma: Gamma = {agent.name: [] for agent in self.agents}
        """What bodies still follow, γ(t): of each agent the newest influences that stood."""
        self._spaces = [self.space]
        self._named = {agent.name: agent for agent in self.agents}
        self._due_ns = {agent.name: 0 for agent in self.agents}
        self._period_ns = {agent.name: nanoseconds(agent.period) for agent in self.agents}
        self._last_ns: int | None = None

    def cycle(self, now_ns: int) -> None:
        """Perceive → tell the others → decide → influence, for all agents."""
        self.react(now_ns, self.influence(now_ns))

    def influence(self, now_ns: int) -> Gamma:
        """The first phase, γ' = Influence(σ, γ): what all agents wish; nothing is done yet."""
        for space in self._spaces:
            space.deliver(now_ns)
        for body in self._bodies.values():
            body.expect()
        for agent in self.agents:
            for perception in self._bodies[agent.name].perceive() if agent.embodied else ():
                agent.hear(perception)
            agent.introduce()
        self._exchange(now_ns)
        for agent in self.agents:
            if agent.ready and now_ns >= self._due_ns[agent.name]:
                self._due_ns[agent.name] = now_ns + self._period_ns[agent.name]
                agent.think(now_ns / SECOND)
        self._exchange(now_ns)
        gamma = {agent.name: agent.wishes for agent in self.agents}
        for agent in self.agents:
            agent.wishes = []
        return gamma

    def react(self, now_ns: int, gamma: Gamma) -> None:
        """The second phase up to the world's own part: laws settle γ', and bodies begin to follow what stands."""
        if self.laws:
            reaction = react(self._sigma(now_ns), gamma, self.laws)
            gamma = reaction.gamma
            for name, event in reaction.told:
                self._named[name].hear(event)
        self._last_ns = now_ns
        for name, influences in gamma.items():
            for influence in influences:
                self._apply(name, influence)
            if influences:
                self.gamma[name] = influences

    def _apply(self, name: str, influence: Influence) -> None:
        if not influence.by_body or name not in self._bodies:
            why = "has no body" if influence.by_body else "needs a law that settles it; give it to the controller"
            raise SimulationError(f"{type(influence).__name__} of agent '{name}': it {why}")
        self._bodies[name].apply(influence)

    def close(self) -> None:
        """Let the bodies go."""
        for body in self._bodies.values():
            body.close()

    def _sigma(self, now_ns: int) -> Sigma:
        """What is so, as the bodies have just felt it."""
        dt = 0.0 if self._last_ns is None else (now_ns - self._last_ns) / SECOND
        bodies = {
            agent.name: Standing(agent.pose.p_WB, agent.kinematics.v_WB_W, agent.state.landed)
            for agent in self.agents
            if agent.pose is not None and agent.kinematics is not None and agent.state is not None
        }
        return Sigma(now_ns, dt, bodies)

    def _exchange(self, now_ns: int) -> None:
        """Everybody hears what the others said."""
        said = [(agent, word) for agent in self.agents for word in agent.words]
        for agent in self.agents:
            agent.words = []
        for speaker, word in said:
            told = word if isinstance(word, Utterance) else Utterance(word)
            space = told.space or self.space
            if space not in self._spaces:
                self._spaces.append(space)
            space.say(speaker, told, now_ns)
            for hear in self.hearers:
                hear(told.event)


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
