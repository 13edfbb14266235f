"""Volery: simulation and visualisation of robots, aerial ones first.

`volery.Simulation("demo")` is a simulation; `dir(volery)` lists all that is public, and docs/reference/ describes it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import volery._logs  # noqa: F401 (calms floods of the log)
from volery._ready import choose_instructions, refuse

if TYPE_CHECKING:
    from volery.api import *  # noqa: F403 (type checkers and editors see each name where it is declared)

__version__ = "0.2.0"

refuse()
choose_instructions()

_MODULES = {
    "agents.agent": "Agent",
    "agents.body": "Body",
    "agents.controller": "Controller",
    "agents.events": "Assigned KinematicsPerception LidarPerception Notice Perception PosePerception StatePerception",
    "agents.influences": "Influence Land MoveByVelocity RotateToYaw Takeoff",
    "bus.bus": "Bus BusConfig TopicInfo",
    "bus.publisher": "Publisher",
    "bus.record": "Recorded read_recording",
    "bus.subscriber": "Message Subscriber",
    "client": "Client",
    "core.clock": "Clock",
    "core.config": "Checked param",
    "core.geometry": "Mesh box capsule cone cylinder ellipsoid grid merge plane sphere",
    "core.material": "Material",
    "errors": "BusError CampaignError CommandError GeometryError LibraryError RayError RobotError ScenarioError"
    " SimulationError UnknownNameError ViewerError VoleryError WorldError",
    "events": "Commanded EnvironmentChanged Operated Placed PropertySet Removed Reset Restored RunEvent Spawned"
    " ThingAltered WorldChanged",
    "loop": "FastPace LockstepPace Loop Pace RealTimePace",
    "physics.engine": "Engine NoSettings",
    "physics.external": "Link",
    "physics.motion": "Motion",
    "physics.packets": "StatePacket",
    "protocols.limits": "Limits",
    "protocols.protocol": "Protocol",
    "robots.commands": "Acceleration Attitude BodyVelocity Bones Command ControlGroup Cruise Dock Effort Flip Joints"
    " Motors Pose Press Rates Reach Release Steer Tilt Velocity Wheels Wrench",
    "robots.kind": "RobotKind",
    "robots.library": "Mount",
    "robots.robot": "Contact Robot",
    "built_in": "built_in_scenarios",
    "scenario": "RobotEntry RobotPlan Scenario ScenarioFile load_scenario read_scenario",
    "sensors.controls": "control",
    "sensors.noise": "Noise",
    "sensors.outputs": "Output OutputFrame PageView array_output cloud_fields image_fields jpeg_fields text_output",
    "sensors.sensor": "RaySensor Reading Sensor SensorConfig",
    "sim": "Simulation",
    "world.cast.batch": "Cast Casting",
    "world.environment": "Environment",
    "world.cast.hits": "Hits",
    "world.scene.scene": "Scene SceneObject",
    "world.world": "ChunkKey Placement World poses",
}
"""Where each public name is, as volery/api.py declares it."""
_PUBLIC = {name: f"volery.{module}" for module, names in _MODULES.items() for name in names.split()}

_MORE = ("__version__", "registry")

if not TYPE_CHECKING:
    # Hidden from type checkers, which would believe in any name.
    __all__ = [*sorted(_PUBLIC), *_MORE]  # noqa: PLE0604 (all are strings)

    def __getattr__(name: str) -> object:
        """Import on first use, so that `import volery` stays light."""
        if name == "registry":
            return import_module("volery.registry")
        if name not in _PUBLIC:
            raise AttributeError(_unknown(name))
        value = globals()[name] = getattr(import_module(_PUBLIC[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def _unknown(name: str) -> str:
    from volery.errors import did_you_mean

    return f"module 'volery' has no attribute '{name}'{did_you_mean(name, _PUBLIC)}"
