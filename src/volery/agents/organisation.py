"""Organisations as SARL and its metamodel have them: contexts with spaces, holons, and roles that agents play.

A *context* is where agents are members; it has a default space, and others by name. Each agent has an inner context of
its own: one with members there is a *holon*, whole for those outside and a community inside. An *organisation* is a
context whose members play *roles*: behaviours that hear what is said in it and decide with their agent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from volery.agents.events import Event
from volery.agents.spaces import Space
from volery.errors import SimulationError

if TYPE_CHECKING:
    from volery.agents.agent import Agent

__all__ = ["Context", "MemberJoined", "MemberLeft", "Organisation", "Role", "RoleLeft", "RoleTaken", "holarchy"]

_R = TypeVar("_R", bound="Role")


@dataclass(frozen=True, eq=False)
class MemberJoined(Event):
    """An agent has become a member of a context."""

    context: str
    member: str


@dataclass(frozen=True, eq=False)
class MemberLeft(Event):
    """An agent is no longer a member of a context."""

    context: str
    member: str


@dataclass(frozen=True, eq=False)
class RoleTaken(Event):
    """An agent has begun to play a role."""

    organisation: str
    member: str
    role: str
    """Name of its class."""


@dataclass(frozen=True, eq=False)
class RoleLeft(Event):
    """An agent no longer plays a role."""

    organisation: str
    member: str
    role: str


class Context:
    """Agents that have something to do with each other, and the spaces they talk in."""

    def __init__(self, name: str, *, owner: Agent | None = None, range: float = math.inf, seed: int = 0) -> None:
        """owner: whose inner context this is; it takes part from the start. range: of the default space [m]."""
        self.name, self.owner = name, owner
        self.default = Space(f"{name}/default", range=range, seed=seed)
        self.spaces: dict[str, Space] = {}
        """Others than the default space, by name."""
        self.members: list[Agent] = []
        """Without the owner."""
        self._seed = seed
        if owner is not None:
            self.default.register(owner)

    def join(self, agent: Agent) -> None:
        """Make an agent a member; the others hear of it."""
        if agent in self.members:
            return
        if self.owner is not None and (agent is self.owner or _inside(self.owner, agent)):
            raise SimulationError(f"agent '{agent.name}' cannot be a member of '{self.name}', which is inside it")
        self.default.tell(MemberJoined(self.name, agent.name))
        self.members.append(agent)
        self.default.register(agent)

    def leave(self, agent: Agent) -> None:
        """End a membership, in all spaces of the context; the others hear of it."""
        if agent not in self.members:
            raise SimulationError(f"agent '{agent.name}' is no member of '{self.name}'")
        self.members.remove(agent)
        for space in self.all_spaces():
            space.unregister(agent)
        self.default.tell(MemberLeft(self.name, agent.name))

    def space(self, name: str, *, range: float = math.inf, loss: float = 0.0, delay: float = 0.0) -> Space:
        """The space of this name, made at its first use; who wants to hear registers there."""
        if name not in self.spaces:
            where = f"{self.name}/{name}"
            self.spaces[name] = Space(where, range=range, loss=loss, delay=delay, seed=self._seed)
        return self.spaces[name]

    def all_spaces(self) -> list[Space]:
        """The default one first."""
        return [self.default, *self.spaces.values()]


class Role:
    """A behaviour that an agent plays in an organisation. Subclasses hear and decide."""

    least: ClassVar[int] = 0
    """An organisation is complete only when as many play it."""
    most: ClassVar[int | None] = None
    """No more may play it at once; None: any number."""

    def __init__(self, agent: Agent, organisation: Organisation) -> None:
        self.agent, self.organisation = agent, organisation

    @property
    def name(self) -> str:
        """Of the agent that plays it."""
        return self.agent.name

    @property
    def place_W(self) -> np.ndarray | None:
        """Where that agent's body is [m]."""
        return self.agent.place_W

    def hear(self, event: Event) -> None:
        """Take in what is said in the organisation; by default nothing comes of it."""

    def decide(self, now: float) -> None:
        """Think before the agent itself does, and leave wishes and words with it; now: simulated time [s]."""

    def emit(self, event: Event, to: str | tuple[str, ...] = ()) -> None:
        """Say something in the organisation."""
        self.agent.emit(event, to, self.organisation.default)


class Organisation(Context):
    """A context in which roles talk to each other: its default space is theirs."""

    def __init__(self, name: str, roles: tuple[type[Role], ...], **more: Any) -> None:
        """roles: that can be played; more: of the context."""
        super().__init__(name, **more)
        self.roles = roles
        self.playing: list[Role] = []

    def play(self, agent: Agent, role: type[_R]) -> _R:
        """Have an agent play a role from now on, as a member; the others hear of it."""
        if role not in self.roles:
            raise SimulationError(f"organisation '{self.name}' has no role '{role.__name__}'")
        if role.most is not None and len(self.players(role)) >= role.most:
            raise SimulationError(f"organisation '{self.name}': {role.most} play '{role.__name__}', and no more may")
        self.join(agent)
        taken = role(agent, self)
        self.default.tell(RoleTaken(self.name, agent.name, role.__name__))
        self.playing.append(taken)
        agent.roles.append(taken)
        self.default.register(taken)
        return taken

    def quit(self, role: Role) -> None:
        """End a role; who plays no other is no longer a member."""
        self._end(role)
        if not any(r.agent is role.agent for r in self.playing):
            super().leave(role.agent)

    def leave(self, agent: Agent) -> None:
        """End all roles of an agent here."""
        for role in [r for r in self.playing if r.agent is agent]:
            self._end(role)
        super().leave(agent)

    def players(self, role: type[Role]) -> list[Agent]:
        """Who plays a role."""
        return [r.agent for r in self.playing if isinstance(r, role)]

    @property
    def complete(self) -> bool:
        """Whether every role has players enough."""
        return all(len(self.players(role)) >= role.least for role in self.roles)

    def _end(self, role: Role) -> None:
        if role not in self.playing:
            raise SimulationError(f"organisation '{self.name}': '{role.name}' does not play this role")
        self.playing.remove(role)
        role.agent.roles.remove(role)
        self.default.unregister(role)
        self.default.tell(RoleLeft(self.name, role.name, type(role).__name__))


def holarchy(agent: Agent) -> dict[str, Any]:
    """Names of all agents within an agent, as deep as it goes."""
    return {member.name: holarchy(member) for member in agent.inner.members}


def _inside(other: Agent, agent: Agent) -> bool:
    """Whether the other is a member within an agent, however deep."""
    members = agent._inner.members if agent._inner is not None else []
    return any(member is other or _inside(other, member) for member in members)
