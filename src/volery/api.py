"""The public interface: each name below is public as `volery.NAME`, and under no other path.

`import volery` imports none of it; a name is imported when it is first used. All other modules are private: programs
that import them may break with any release (docs/stability.md). A new public name is one line here and one in
`volery/__init__.py`, and an entry in docs/reference/.
"""

from __future__ import annotations

# What is built in and what packages add: worlds, robots, sensors, engines, missions and protocols by name.
from volery import registry as registry

# Agents that fly robots.
from volery.agents.agent import Agent as Agent
from volery.agents.body import Body as Body
from volery.agents.controller import Controller as Controller
from volery.agents.events import Assigned as Assigned
from volery.agents.events import KinematicsPerception as KinematicsPerception
from volery.agents.events import LidarPerception as LidarPerception
from volery.agents.events import Notice as Notice
from volery.agents.events import Perception as Perception
from volery.agents.events import PosePerception as PosePerception
from volery.agents.events import StatePerception as StatePerception
from volery.agents.influences import Influence as Influence
from volery.agents.influences import Land as Land
from volery.agents.influences import MoveByVelocity as MoveByVelocity
from volery.agents.influences import RotateToYaw as RotateToYaw
from volery.agents.influences import Takeoff as Takeoff
from volery.built_in import built_in_scenarios as built_in_scenarios

# Topics, recordings, and programs beside a run.
from volery.bus.bus import Bus as Bus
from volery.bus.bus import BusConfig as BusConfig
from volery.bus.bus import TopicInfo as TopicInfo
from volery.bus.publisher import Publisher as Publisher
from volery.bus.record import Recorded as Recorded
from volery.bus.record import read_recording as read_recording
from volery.bus.subscriber import Message as Message
from volery.bus.subscriber import Subscriber as Subscriber
from volery.client import Client as Client

# Time, parameters and numbers.
from volery.core.clock import Clock as Clock
from volery.core.config import Checked as Checked
from volery.core.config import param as param

# Meshes and materials.
from volery.core.geometry import Mesh as Mesh
from volery.core.geometry import box as box
from volery.core.geometry import capsule as capsule
from volery.core.geometry import cone as cone
from volery.core.geometry import cylinder as cylinder
from volery.core.geometry import ellipsoid as ellipsoid
from volery.core.geometry import grid as grid
from volery.core.geometry import merge as merge
from volery.core.geometry import plane as plane
from volery.core.geometry import sphere as sphere
from volery.core.material import Material as Material

# What is raised.
from volery.errors import BusError as BusError
from volery.errors import CampaignError as CampaignError
from volery.errors import CommandError as CommandError
from volery.errors import GeometryError as GeometryError
from volery.errors import LibraryError as LibraryError
from volery.errors import RayError as RayError
from volery.errors import RobotError as RobotError
from volery.errors import ScenarioError as ScenarioError
from volery.errors import SimulationError as SimulationError
from volery.errors import UnknownNameError as UnknownNameError
from volery.errors import ViewerError as ViewerError
from volery.errors import VoleryError as VoleryError
from volery.errors import WorldError as WorldError

# The loop and its paces.
from volery.events import Commanded as Commanded
from volery.events import EnvironmentChanged as EnvironmentChanged
from volery.events import Operated as Operated
from volery.events import Placed as Placed
from volery.events import PropertySet as PropertySet
from volery.events import Removed as Removed
from volery.events import Reset as Reset
from volery.events import Restored as Restored
from volery.events import RunEvent as RunEvent
from volery.events import Spawned as Spawned
from volery.events import ThingAltered as ThingAltered
from volery.events import WorldChanged as WorldChanged
from volery.loop import FastPace as FastPace
from volery.loop import LockstepPace as LockstepPace
from volery.loop import Loop as Loop
from volery.loop import Pace as Pace
from volery.loop import RealTimePace as RealTimePace

# Physics.
from volery.physics.engine import Engine as Engine
from volery.physics.engine import NoSettings as NoSettings
from volery.physics.external import Link as Link
from volery.physics.motion import Motion as Motion
from volery.physics.packets import StatePacket as StatePacket

# Servers for other systems' clients.
from volery.protocols.limits import Limits as Limits
from volery.protocols.protocol import Protocol as Protocol

# Commands to robots.
from volery.robots.commands import Acceleration as Acceleration
from volery.robots.commands import Attitude as Attitude
from volery.robots.commands import BodyVelocity as BodyVelocity
from volery.robots.commands import Bones as Bones
from volery.robots.commands import Command as Command
from volery.robots.commands import ControlGroup as ControlGroup
from volery.robots.commands import Cruise as Cruise
from volery.robots.commands import Dock as Dock
from volery.robots.commands import Effort as Effort
from volery.robots.commands import Flip as Flip
from volery.robots.commands import Joints as Joints
from volery.robots.commands import Motors as Motors
from volery.robots.commands import Pose as Pose
from volery.robots.commands import Press as Press
from volery.robots.commands import Rates as Rates
from volery.robots.commands import Reach as Reach
from volery.robots.commands import Release as Release
from volery.robots.commands import Steer as Steer
from volery.robots.commands import Tilt as Tilt
from volery.robots.commands import Velocity as Velocity
from volery.robots.commands import Wheels as Wheels
from volery.robots.commands import Wrench as Wrench
from volery.robots.kind import RobotKind as RobotKind

# Robots.
from volery.robots.library import Mount as Mount
from volery.robots.robot import Contact as Contact
from volery.robots.robot import Robot as Robot

# Scenarios and runs of them.
from volery.scenario import RobotEntry as RobotEntry
from volery.scenario import RobotPlan as RobotPlan
from volery.scenario import Scenario as Scenario
from volery.scenario import ScenarioFile as ScenarioFile
from volery.scenario import load_scenario as load_scenario
from volery.scenario import read_scenario as read_scenario
from volery.sensors.controls import control as control

# Sensors.
from volery.sensors.noise import Noise as Noise
from volery.sensors.outputs import Output as Output
from volery.sensors.outputs import OutputFrame as OutputFrame
from volery.sensors.outputs import PageView as PageView
from volery.sensors.outputs import array_output as array_output
from volery.sensors.outputs import cloud_fields as cloud_fields
from volery.sensors.outputs import image_fields as image_fields
from volery.sensors.outputs import jpeg_fields as jpeg_fields
from volery.sensors.outputs import text_output as text_output
from volery.sensors.sensor import RaySensor as RaySensor
from volery.sensors.sensor import Reading as Reading
from volery.sensors.sensor import Sensor as Sensor
from volery.sensors.sensor import SensorConfig as SensorConfig
from volery.sim import Simulation as Simulation

# Worlds, and rays through them.
from volery.world.cast.batch import Cast as Cast
from volery.world.cast.batch import Casting as Casting
from volery.world.cast.hits import Hits as Hits
from volery.world.environment import Environment as Environment
from volery.world.scene.scene import Scene as Scene
from volery.world.scene.scene import SceneObject as SceneObject
from volery.world.world import ChunkKey as ChunkKey
from volery.world.world import Placement as Placement
from volery.world.world import World as World
from volery.world.world import poses as poses
