"""Agents that fly robots: `from volery.agents import Agent, Takeoff`. Guide: docs/agents.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volery.agents.agent import Agent as Agent
    from volery.agents.agent import heading as heading
    from volery.agents.agent import wrap as wrap
    from volery.agents.airsim import AirSimBody as AirSimBody
    from volery.agents.airsim import AirSimWorld as AirSimWorld
    from volery.agents.body import Body as Body
    from volery.agents.bus import BusBody as BusBody
    from volery.agents.bus import BusWorld as BusWorld
    from volery.agents.controller import Controller as Controller
    from volery.agents.controller import FixedStep as FixedStep
    from volery.agents.controller import RealTime as RealTime
    from volery.agents.deploy import Deployment as Deployment
    from volery.agents.deploy import deploy_airsim as deploy_airsim
    from volery.agents.deploy import deploy_bus as deploy_bus
    from volery.agents.events import Assigned as Assigned
    from volery.agents.events import Delivered as Delivered
    from volery.agents.events import Event as Event
    from volery.agents.events import KinematicsPerception as KinematicsPerception
    from volery.agents.events import LidarPerception as LidarPerception
    from volery.agents.events import Notice as Notice
    from volery.agents.events import Perception as Perception
    from volery.agents.events import PosePerception as PosePerception
    from volery.agents.events import Refused as Refused
    from volery.agents.events import Returned as Returned
    from volery.agents.events import StatePerception as StatePerception
    from volery.agents.events import Text as Text
    from volery.agents.influences import Influence as Influence
    from volery.agents.influences import Land as Land
    from volery.agents.influences import MoveByVelocity as MoveByVelocity
    from volery.agents.influences import RotateToYaw as RotateToYaw
    from volery.agents.influences import Takeoff as Takeoff
    from volery.agents.laws import Geofence as Geofence
    from volery.agents.laws import LandingSlots as LandingSlots
    from volery.agents.laws import Put as Put
    from volery.agents.laws import Separation as Separation
    from volery.agents.laws import SpeedLimit as SpeedLimit
    from volery.agents.laws import Take as Take
    from volery.agents.laws import Taken as Taken
    from volery.agents.laws import Things as Things
    from volery.agents.library import add_behaviour as add_behaviour
    from volery.agents.library import behaviour as behaviour
    from volery.agents.organisation import Context as Context
    from volery.agents.organisation import MemberJoined as MemberJoined
    from volery.agents.organisation import MemberLeft as MemberLeft
    from volery.agents.organisation import Organisation as Organisation
    from volery.agents.organisation import Role as Role
    from volery.agents.organisation import RoleLeft as RoleLeft
    from volery.agents.organisation import RoleTaken as RoleTaken
    from volery.agents.organisation import holarchy as holarchy
    from volery.agents.reaction import Law as Law
    from volery.agents.reaction import Reaction as Reaction
    from volery.agents.reaction import Sigma as Sigma
    from volery.agents.reaction import Standing as Standing
    from volery.agents.reaction import react as react
    from volery.agents.referee import Referee as Referee
    from volery.agents.rpc import RpcClient as RpcClient
    from volery.agents.simulated import SimulatedBody as SimulatedBody
    from volery.agents.spaces import Space as Space
    from volery.agents.spaces import Utterance as Utterance

_MODULES = {
    "agent": "Agent heading wrap",
    "airsim": "AirSimBody AirSimWorld",
    "body": "Body",
    "bus": "BusBody BusWorld",
    "controller": "Controller FixedStep RealTime",
    "deploy": "Deployment deploy_airsim deploy_bus",
    "events": "Assigned Delivered Event KinematicsPerception LidarPerception Notice Perception PosePerception Refused"
    " Returned StatePerception Text",
    "influences": "Influence Land MoveByVelocity RotateToYaw Takeoff",
    "laws": "Geofence LandingSlots Put Separation SpeedLimit Take Taken Things",
    "library": "add_behaviour behaviour",
    "organisation": "Context MemberJoined MemberLeft Organisation Role RoleLeft RoleTaken holarchy",
    "reaction": "Law Reaction Sigma Standing react",
    "referee": "Referee",
    "rpc": "RpcClient",
    "simulated": "SimulatedBody",
    "spaces": "Space Utterance",
}
"""Where each public name is, as declared above for type checkers."""
_PUBLIC = {name: f"volery.agents.{module}" for module, names in _MODULES.items() for name in names.split()}

if not TYPE_CHECKING:
    # Hidden from type checkers, which would believe in any name.
    __all__ = sorted(_PUBLIC)  # noqa: PLE0605 (all are strings)

    def __getattr__(name: str) -> object:
        """Import on first use: who wants an agent need not load the bus."""
        if name not in _PUBLIC:
            from volery.errors import did_you_mean

            raise AttributeError(f"module 'volery.agents' has no attribute '{name}'{did_you_mean(name, _PUBLIC)}")
        value = globals()[name] = getattr(import_module(_PUBLIC[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
