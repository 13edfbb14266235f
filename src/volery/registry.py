"""Names to classes and files. A new world, robot, sensor, engine, mission or protocol is one file plus one line here.

Third parties add theirs by packaging entry points in the groups `volery.worlds`, `volery.robots`, `volery.robot_kinds`
(blocks of robot files), `volery.sensors`, `volery.engines`, `volery.agents` (missions), `volery.behaviours` (of agents)
and `volery.protocols`.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from volery.errors import LibraryError, UnknownNameError

__all__ = ["KINDS", "add", "find", "knows", "names", "place"]

_log = logging.getLogger("volery")
_BUILT_IN: dict[str, dict[str, str]] = {
    "worlds": {
        "airbase": "volery.world.generate.airbase:Airbase",
        "arena": "volery.world.generate.arena:Arena",
        "blocks": "volery.world.generate.blocks:Blocks",
        "boiler": "volery.world.generate.boiler:Boiler",
        "cave": "volery.world.generate.cave:Cave",
        "empty": "volery.world.generate.blocks:Empty",
        "forest": "volery.world.generate.forest:Forest",
        "hills": "volery.world.generate.hills:Hills",
        "mesh": "volery.world.generate.meshfile:MeshFile",
        "power_line": "volery.world.generate.power_line:PowerLine",
        "ruin": "volery.world.generate.ruin:Ruin",
        "silo": "volery.world.generate.silo:Silo",
        "streets": "volery.world.generate.streets:Streets",
        "terrain": "volery.world.generate.terrain:Terrain",
        "tiles": "volery.world.generate.terrain_tiles:TerrainTiles",
        "warehouse": "volery.world.generate.warehouse:Warehouse",
    },
    "robots": {
        "a300": "volery.robots.models:mrs/a300.yaml",
        "airsim_quad": "volery.robots.models:airsim_quad.yaml",
        "airrobot": "volery.robots.models:usar/airrobot.yaml",
        "barrel": "volery.robots.models:things/barrel.yaml",
        "block": "volery.robots.models:things/block.yaml",
        "brick": "volery.robots.models:things/brick.yaml",
        "c172": "volery.robots.models:air/c172.yaml",
        "carton": "volery.robots.models:things/carton.yaml",
        "cinder": "volery.robots.models:things/cinder.yaml",
        "corky": "volery.robots.models:usar/corky.yaml",
        "deltaquad": "volery.robots.models:air/deltaquad.yaml",
        "diff": "volery.robots.models:diff.yaml",
        "elaha": "volery.robots.models:elaha.yaml",
        "doubleduct": "volery.robots.models:air/doubleduct.yaml",
        "ductedfan": "volery.robots.models:air/ductedfan.yaml",
        "f330": "volery.robots.models:mrs/f330.yaml",
        "f450": "volery.robots.models:mrs/f450.yaml",
        "f550": "volery.robots.models:mrs/f550.yaml",
        "fixedwing": "volery.robots.models:air/fixedwing.yaml",
        "flyingwing": "volery.robots.models:air/flyingwing.yaml",
        "helicopter": "volery.robots.models:air/helicopter.yaml",
        "hexa": "volery.robots.models:hexa.yaml",
        "kenaf": "volery.robots.models:usar/kenaf.yaml",
        "naki": "volery.robots.models:mrs/naki.yaml",
        "octo": "volery.robots.models:octo.yaml",
        "p2at": "volery.robots.models:usar/p2at.yaml",
        "p2dx": "volery.robots.models:usar/p2dx.yaml",
        "p3at": "volery.robots.models:usar/p3at.yaml",
        "pipe": "volery.robots.models:things/pipe.yaml",
        "probe": "volery.robots.models:probe.yaml",
        "quad": "volery.robots.models:quad.yaml",
        "quad_delta": "volery.robots.models:quad_delta.yaml",
        "rigged_arm": "volery.robots.models:rigged/rigged_arm.yaml",
        "robofly": "volery.robots.models:mrs/robofly.yaml",
        "rover": "volery.robots.models:usar/rover.yaml",
        "simpleflight": "volery.robots.models:simpleflight.yaml",
        "skid": "volery.robots.models:skid.yaml",
        "suv": "volery.robots.models:suv.yaml",
        "t650": "volery.robots.models:mrs/t650.yaml",
        "talon": "volery.robots.models:usar/talon.yaml",
        "toolquad": "volery.robots.models:air/toolquad.yaml",
        "usarcar": "volery.robots.models:usar/usarcar.yaml",
        "victim_curled_aware": "volery.robots.models:people/curled_aware.yaml",
        "victim_curled_dazed": "volery.robots.models:people/curled_dazed.yaml",
        "victim_doll_aware": "volery.robots.models:people/doll_aware.yaml",
        "victim_doll_dazed": "volery.robots.models:people/doll_dazed.yaml",
        "victim_prone_aware": "volery.robots.models:people/prone_aware.yaml",
        "victim_prone_dazed": "volery.robots.models:people/prone_dazed.yaml",
        "victim_sitting_aware": "volery.robots.models:people/sitting_aware.yaml",
        "victim_sitting_dazed": "volery.robots.models:people/sitting_dazed.yaml",
        "x500": "volery.robots.models:mrs/x500.yaml",
        "x500_gimbal": "volery.robots.models:mrs/x500_gimbal.yaml",
        "zerg": "volery.robots.models:usar/zerg.yaml",
    },
    "sensors": {
        "airspeed": "volery.sensors.inertial:Airspeed",
        "barometer": "volery.sensors.inertial:Barometer",
        "battery": "volery.sensors.battery:Battery",
        "camera": "volery.sensors.camera:Camera",
        "co2": "volery.sensors.rescue:Co2",
        "collision": "volery.sensors.touch:Collision",
        "contact": "volery.sensors.touch:ContactSwitch",
        "force_torque": "volery.sensors.touch:ForceTorque",
        "gps": "volery.sensors.gps:Gps",
        "ground_truth": "volery.sensors.position:GroundTruth",
        "headlight": "volery.sensors.headlight:Headlight",
        "human_motion": "volery.sensors.rescue:HumanMotion",
        "imu": "volery.sensors.inertial:Imu",
        "laser": "volery.sensors.range:UsarLaser",
        "lidar": "volery.sensors.lidar:Lidar",
        "magnetometer": "volery.sensors.inertial:Magnetometer",
        "motion_capture": "volery.sensors.position:MotionCapture",
        "odometry": "volery.sensors.position:Odometry",
        "rangefinder": "volery.sensors.range:Rangefinder",
        "rfid": "volery.sensors.rfid:Rfid",
        "rfid_releaser": "volery.sensors.rfid:RfidReleaser",
        "scanner": "volery.sensors.scanner:Scanner",
        "sonar": "volery.sensors.range:Sonar",
        "sound": "volery.sensors.rescue:Sound",
        "victim": "volery.sensors.identify:VictimSensor",
        "victim_tag": "volery.sensors.rfid:VictimTag",
        "wheel_encoder": "volery.sensors.position:WheelEncoder",
    },
    "robot_kinds": {
        "aircraft": "volery.robots.kinds.aircraft:Aircraft",
        "build": "volery.robots.kinds.build:Build",
        "craft": "volery.robots.kinds.craft:Craft",
        "delta": "volery.robots.kinds.delta:DeltaMount",
        "drive": "volery.robots.kinds.drive:Drive",
        "fmu": "volery.physics.fmu.model:FmuModel",
        "jsbsim": "volery.physics.jsbsim.aircraft:JsbsimAircraft",
        "multirotor": "volery.robots.kinds.multirotor:Multirotor",
        "rig": "volery.robots.kinds.rig:Rig",
        "usar": "volery.robots.kinds.usar:UsarBot",
    },
    "engines": {
        "elastic": "volery.physics.elastic.engine:ElasticEngine",
        "fleet": "volery.physics.multirotor.fleet:FleetEngine",
        "external": "volery.physics.external:ExternalEngine",
        "fmu": "volery.physics.fmu.engine:FmuEngine",
        "jsbsim": "volery.physics.jsbsim.engine:JsbsimEngine",
        "kinematic": "volery.physics.kinematic:KinematicEngine",
        "mujoco": "volery.physics.mujoco.engine:MujocoEngine",
    },
    "agents": {
        "deliveries": "volery.agents.deliveries:Deliveries",
        "exploration": "volery.autonomy.exploration:Exploration",
        "flight": "volery.autonomy.flight:GoalFlight",
        "lesson": "volery.autonomy.lesson:Lesson",
        "race": "volery.autonomy.race:Race",
        "referee": "volery.agents.watch:RefereeMission",
        "rescue": "volery.autonomy.rescue.mission:Rescue",
        "service": "volery.autonomy.service:Service",
    },
    "behaviours": {
        "courier": "volery.agents.courier:Courier",
        "reach": "volery.agents.reactive:ReachLocation",
        "reach_among_drones": "volery.agents.reactive:ReachLocationAmongDrones",
    },
    "protocols": {
        "airsim": "volery.protocols.airsim.door:AirSim",
        "ardupilot": "volery.protocols.ardupilot.door:ArduPilot",
        "betaflight": "volery.protocols.betaflight.door:Betaflight",
        "control": "volery.protocols.udp.control:Control",
        "gamebots": "volery.protocols.gamebots.door:Gamebots",
        "haptic": "volery.protocols.haptic.door:Haptic",
        "mavlink": "volery.protocols.mavlink.door:Mavlink",
        "mocap": "volery.protocols.mocap.door:Mocap",
        "px4": "volery.protocols.px4.door:Px4",
        "ros2": "volery.protocols.ros2.door:Ros2",
        "ueds": "volery.protocols.ueds.door:Ueds",
    },
}

KINDS = tuple(_BUILT_IN)


@cache
def _table(kind: str) -> dict[str, str]:
    """All known names of a kind with where they live, 'module:thing'."""
    found: dict[str, str] = {}
    for entry in entry_points(group=f"volery.{kind}"):
        known = {**found, **_BUILT_IN[kind]}.get(entry.name, entry.value)
        if known != entry.value:
            _log.warning(
                "%s '%s' at %s is not used: the name is taken by %s", _one(kind), entry.name, entry.value, known
            )
        else:
            found[entry.name] = entry.value
    return {**found, **_BUILT_IN[kind]}


def _one(kind: str) -> str:
    """robot_kinds as robot kind."""
    return kind.removesuffix("s").replace("_", " ")


def add(kind: str, name: str, where: str) -> None:
    """A name of one's own for this process, before a scenario uses it; where it lives: 'module:thing'.

    Only code adds names: a scenario or a client that could name any place would run whatever it likes."""
    if kind not in _BUILT_IN:
        raise UnknownNameError("kind", kind, _BUILT_IN)
    if _table(kind).get(name, where) != where:
        raise LibraryError(f"{_one(kind)} '{name}' is there already, at {_table(kind)[name]}")
    _table(kind)[name] = where


def names(kind: str) -> list[str]:
    """Known names of a kind: worlds, robots, robot_kinds, sensors, engines, agents, behaviours, protocols."""
    return sorted(_table(kind))


def knows(kind: str, name: str) -> bool:
    """Whether there is a thing of this kind and name."""
    return name in _table(kind)


def place(kind: str, name: str) -> str:
    """Where a named thing lives, 'module:thing'."""
    if name not in _table(kind):
        raise UnknownNameError(_one(kind), name, _table(kind))
    return _table(kind)[name]


def find(kind: str, name: str) -> Any:
    """The class of a name."""
    module, _, attribute = place(kind, name).partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise LibraryError(f"{_one(kind)} '{name}' at {module}:{attribute} cannot be loaded: {error}") from error
