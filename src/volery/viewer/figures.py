"""Robots for the page: their bodies, shapes and skins, the sensors they carry, and the commands they take."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from volery import registry
from volery.bus.conversion import outputs_of, topic_of
from volery.core.geometry import Mesh
from volery.physics.engine import Engine
from volery.robots.commands import COMMANDS
from volery.robots.description import Skin
from volery.robots.robot import Robot
from volery.sensors.controls import controls_of
from volery.sensors.sensor import Sensor
from volery.sim import Simulation
from volery.viewer.meshes import MeshRegistry, bones_of
from volery.viewer.messages import (
    PageBody,
    PageControl,
    PageRobot,
    PageRobots,
    PageRotor,
    PageSensor,
    PageShape,
    PageSkin,
    PageTopic,
)
from volery.viewer.types import schema_of

__all__ = ["Crew", "crew_of", "registered_name"]

_NOT_TOLD = ("buffer", "channel", "drop", "delay", "phase", "mount", "noise")
"""Parameters of sensors that say nothing about what is to be drawn."""


@dataclass(frozen=True, eq=False)
class Crew:
    """All robots of a run as the page gets them."""

    version: int
    message: PageRobots
    """The `robots` message."""
    things: tuple[Mesh | Skin, ...]
    """All that its meshes and skins name."""


def crew_of(simulation: Simulation, version: int, meshes: MeshRegistry) -> Crew:
    """The robots there are now; called in the loop, whenever the roster's version has changed."""
    robots: list[PageRobot] = []
    things: dict[Mesh | Skin, None] = {}
    first = turning = 0
    for name, robot in simulation.robots.items():
        d = robot.description
        things |= dict.fromkeys([*d.shapes.values(), *d.skins])
        sensors = []
        for sensor in simulation.sensors[name].values():
            turns = sensor.pointing is not None
            sensors.append(_sensor(sensor, turning if turns else None))
            turning += turns
        robots.append(_figure(simulation, robot, meshes, first, sensors))
        first += len(d.bodies)
    return Crew(version, PageRobots(version, robots), tuple(things))


def _figure(
    simulation: Simulation, robot: Robot, meshes: MeshRegistry, first: int, sensors: list[PageSensor]
) -> PageRobot:
    d, file = robot.description, robot.file
    engine = simulation.engine_of(robot.name) if simulation.engines else None
    return PageRobot(
        name=robot.name,
        type=Path(file.source if file is not None and file.source else d.source).stem,
        about="" if file is None else file.about,
        engine=next((n for n, e in simulation.engines.items() if e is engine), ""),
        movable=_is_thing(simulation, robot),
        drives=file is not None and any(block.drives for block in file.blocks.values()),
        commands=_commands(engine, robot.name),
        bodies=[PageBody(n, int(p)) for n, p in zip(d.bodies, d.parent, strict=True)],
        shapes=[PageShape(body, meshes.number(mesh)) for body, mesh in d.shapes.items()],
        skins=[PageSkin(meshes.number(skin), bones_of(skin)) for skin in d.skins],
        rotors=_rotors(robot),
        first=first,
        sensors=sensors,
    )


def _is_thing(simulation: Simulation, robot: Robot) -> bool:
    """Whether it is a thing to be pushed about rather than a robot: it neither feels nor moves by itself."""
    file = robot.file
    idle = file is not None and not file.fixed and not any(block.mobile for block in file.blocks.values())
    return idle and not robot.description.joints and not simulation.sensors[robot.name]


def _commands(engine: Engine | None, name: str) -> list[str]:
    takes = () if engine is None else engine.understands(name)
    return [command for command, kind in COMMANDS.items() if kind in takes]


def _rotors(robot: Robot) -> list[PageRotor]:
    """Bodies of the model that its kinds show as rotors."""
    blocks = () if robot.file is None else robot.file.blocks.values()
    shown = [rotor for block in blocks for rotor in block.shown_rotors(robot.description)]
    return [PageRotor(rotor.body, rotor.radius, rotor.spin) for rotor in shown]


def _sensor(sensor: Sensor, aim: int | None) -> PageSensor:
    """aim: its row in the poses' `aim`, if it turns against its mount."""
    body, X_BS = sensor.config.mount.resolve(sensor.robot.description)
    topics = [
        PageTopic(topic_of(sensor, o), o.type, o.view, o.path, schema_of(o.type) if o.definition else None)
        for o in outputs_of(sensor) or ()
    ]
    controls = [
        PageControl(c.name, c.doc, list(c.parameters), c.required, c.gesture)
        for c in controls_of(type(sensor)).values()
    ]
    name = registered_name("sensors", type(sensor))
    return PageSensor(sensor.name, name, int(body), X_BS.reshape(-1).tolist(), topics, controls, _about(sensor), aim)


def _about(sensor: Sensor) -> dict[str, Any]:
    """Its parameters that are numbers, words or short lists of them."""
    told = {f.name: getattr(sensor.config, f.name) for f in fields(sensor.config) if f.name not in _NOT_TOLD}
    told |= sensor.config.derived()
    return {name: list(v) if isinstance(v, tuple) else v for name, v in told.items() if _is_plain(v)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) <= 16 and all(isinstance(v, int | float | str) for v in value)
    return isinstance(value, int | float | str)


def registered_name(kind: str, cls: type) -> str:
    """The name under which a class is registered, or else its own."""
    place = f"{cls.__module__}:{cls.__qualname__}"
    return next((name for name in registry.names(kind) if registry.place(kind, name) == place), cls.__name__)
