"""Scenario files: what, where, who. YAML checked against typed dataclasses; an error says file, line, what and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from volery import registry
from volery.built_in import built_in_scenarios, scenario_path
from volery.core.config import Checked, SourceLocation, build, param
from volery.core.yaml import parse_yaml, read_text
from volery.errors import RobotError, ScenarioError, VoleryError
from volery.robots.library import RobotFile, load_robot_file
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.atmosphere import Atmosphere
from volery.world.chunks import Streaming
from volery.world.sky import Sky
from volery.world.weather import Weather
from volery.world.wind import Wind
from volery.world.world import World

__all__ = [
    "RobotEntry", "RobotPlan", "Scenario", "ScenarioFile", "as_scenario", "load_scenario",
    "more_changes", "plan_robot", "plan_world", "read_scenario",
]  # fmt: skip

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class RobotEntry(Checked):
    """A robot as a scenario names it."""

    type: str
    """Registered name, or path of a robot file or model."""
    position: tuple[float, float, float] | None = None
    """Start in W [m]; by default the world's spawn place."""
    height: float | None = param(None, low=0.0, high=1e4)
    """Of the start over the ground of hills, forests and terrain, in place of the position's z [m]."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw at the start [degrees]."""
    physics: str = ""
    """Engine that moves it; by default the robot file's."""
    motion: Any = None
    """What the engine is told, such as a path."""
    joints: dict[str, float] = field(default_factory=dict)
    """Joint positions at the start [rad or m]."""
    sensors: dict[str, Any] = field(default_factory=dict)
    """Added to the robot file's sensors, or changes of them; `off` takes one away."""


@dataclass(frozen=True)
class RobotPlan:
    """A robot checked and ready to be made."""

    name: str
    entry: RobotEntry
    file: RobotFile
    engine: str
    motion: Any
    sensors: dict[str, tuple[type[Sensor], SensorConfig]]
    data: dict[str, Any]
    """The plain data it was planned from."""


@dataclass(frozen=True)
class ScenarioFile(Checked):
    """The keys of a scenario file."""

    seed: int = param(0, low=0, high=2**63 - 1)
    step: float = param(0.01, low=1e-6, high=1.0)
    """Length of a step [s]."""
    pace: Literal["realtime", "fast", "lockstep"] = "realtime"
    speed: float = param(1.0, above=0, high=1e4)
    """Factor of real time."""
    duration: float | None = param(None, above=0)
    """Simulated time to run [s]; none: until stopped."""
    world: Any = "empty"
    """Name of a world, or a mapping of its `type` and parameters."""
    streaming: Streaming = field(default_factory=Streaming)
    """How a world without end is streamed round the robots."""
    wind: Wind = field(default_factory=Wind)
    sky: Sky = field(default_factory=Sky)
    weather: Weather = field(default_factory=Weather)
    atmosphere: Atmosphere = field(default_factory=Atmosphere)
    channels: dict[str, list[str]] = field(default_factory=dict)
    """Channels of rays: the patterns of object names that each shows."""
    engines: dict[str, Any] = field(default_factory=dict)
    """Settings of physics engines by name, such as the step of their own."""
    robots: dict[str, Any] = field(default_factory=dict)
    protocols: dict[str, Any] = field(default_factory=dict)
    """Doors for other systems' clients, by name, with their settings."""
    agents: dict[str, Any] = field(default_factory=dict)
    """Missions whose agents fly robots of their own, by name, with their settings."""
    about: str = ""


@dataclass(frozen=True)
class Scenario:
    """A scenario checked whole: everything in it exists and is of the right kind."""

    name: str
    file: ScenarioFile
    world: World
    robots: dict[str, RobotPlan]
    engines: dict[str, Any] = field(default_factory=dict)
    """Settings of the engines that the file names."""
    protocols: dict[str, Any] = field(default_factory=dict)
    """Settings of the protocols that the file names."""
    agents: dict[str, Any] = field(default_factory=dict)
    """Settings of the missions that the file names."""
    folder: Path | None = None
    """Where relative paths start."""
    text: str = ""
    """The file as it was read."""

    @property
    def world_type(self) -> str:
        """Registered name of the world."""
        return self.file.world if isinstance(self.file.world, str) else self.file.world["type"]

    @property
    def world_data(self) -> dict[str, Any]:
        """Parameters of the world as the file gives them."""
        return {} if isinstance(self.file.world, str) else {k: v for k, v in self.file.world.items() if k != "type"}

    def other_world(self, data: dict[str, Any], seed: int) -> World:
        """A world of another type and parameters in the place of the scenario's; what cannot be is refused."""
        return plan_world(data, seed, self.folder)

    def world_with(self, changes: dict[str, Any]) -> dict[str, Any]:
        """Type and parameters of the world after changes; a `type` among them is another world by itself."""
        return dict(changes) if "type" in changes else {"type": self.world_type, **self.world_data, **changes}


def more_changes(before: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Changes of the world one after the other: a new `type` forgets what was before."""
    return dict(more) if "type" in more else {**before, **more}


def load_scenario(path: Path | str) -> Scenario:
    """Read and check a scenario file; a bare name is one of the built-in scenarios."""
    path = scenario_path(path)
    return read_scenario(read_text(path), str(path), path.parent, path.stem)


def read_scenario(text: str, source: str = "scenario", folder: Path | None = None, name: str | None = None) -> Scenario:
    """Check a scenario given as text; relative paths in it start from the folder."""
    data, lines = parse_yaml(text, source)
    return _scenario(data, SourceLocation(source, (), lines), folder, name or source, text)


def as_scenario(scenario: Scenario | Path | str) -> Scenario:
    """A scenario, or the one of a built-in name or of a file."""
    if isinstance(scenario, Scenario):
        return scenario
    if isinstance(scenario, str) and "\n" in scenario.strip():
        raise ScenarioError(
            "a simulation takes a scenario, the name of a built-in one or the path of a file, and this is the text of "
            "one; read it with volery.read_scenario(text)"
        )
    if not isinstance(scenario, str | Path):
        raise ScenarioError(
            f"a simulation takes a scenario, the name of a built-in one or the path of a file, not {scenario!r:.60}; "
            "built-in are " + ", ".join(built_in_scenarios())
        )
    return load_scenario(scenario)


def _scenario(data: Any, place: SourceLocation, folder: Path | None, name: str, text: str) -> Scenario:
    file = build(ScenarioFile, data, place)
    world = plan_world(file.world, file.seed, folder, place.at("world"))
    at = place.at("robots")
    robots = {n: plan_robot(n, d, at.at(n), folder) for n, d in file.robots.items()}
    engines = _settings("engines", file.engines, place)
    protocols = _settings("protocols", file.protocols, place)
    agents = _settings("agents", file.agents, place)
    return Scenario(name, file, world, robots, engines, protocols, agents, folder, text)


def _settings(kind: str, entries: dict[str, Any], place: SourceLocation) -> dict[str, Any]:
    """Settings of engines, protocols or missions by name."""
    at = place.at(kind)
    return {n: build(_find(kind, n, at.at(n)).Settings, d, at.at(n)) for n, d in entries.items()}


def plan_world(data: Any, seed: int, folder: Path | None = None, place: SourceLocation | None = None) -> World:
    """The world, with the scenario's seed unless it has its own; paths start from the folder."""
    place = place or SourceLocation(path=("world",))
    data = {"type": data} if isinstance(data, str) else data
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise place.error("a world is a name, or a mapping with a 'type' and its parameters")
    cls = _find("worlds", data["type"], place.at("type"))
    values = {k: v for k, v in data.items() if k != "type"}
    fields = cls.__dataclass_fields__
    if "seed" in fields:
        values.setdefault("seed", seed)
    if "path" in fields and folder is not None and isinstance(values.get("path"), str):
        values["path"] = str(folder / values["path"])
    return _placed(lambda: build(cls, values, place), place)


def plan_robot(name: str, data: Any, place: SourceLocation | None = None, folder: Path | None = None) -> RobotPlan:
    """Check a robot's entry; the same for scenario files and for robots that come later."""
    place = place or SourceLocation(path=("robots", name))
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise place.error(f"robot name '{name}': use letters, digits, '_' and '-', starting with a letter")
    entry = build(RobotEntry, {"type": data} if isinstance(data, str) else data, place)
    try:
        file = load_robot_file(entry.type, folder)
        description = file.description()
    except (RobotError, ScenarioError) as error:
        raise place.at("type").error(str(error)) from None
    for joint in entry.joints:
        _placed(lambda joint=joint: description.joint(joint), place.at("joints").at(joint))
    engine = entry.physics or file.physics
    options = _find("engines", engine, place.at("physics")).Options
    motion = None if entry.motion is None else build(options, entry.motion, place.at("motion"))
    merged = _merge(file.sensors, entry.sensors)
    at = place.at("sensors")
    sensors = {n: _sensor(d, at.at(n), description) for n, d in merged.items()}
    plain = {"type": data} if isinstance(data, str) else dict(data)
    return RobotPlan(name, entry, file, engine, motion, sensors, plain)


def _merge(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The robot file's sensors with the scenario's changes; YAML reads a bare `off` as false."""
    merged = dict(base)
    for name, change in changes.items():
        if change is False or change == "off":
            merged.pop(name, None)
        elif isinstance(change, dict) and isinstance(merged.get(name), dict) and "type" not in change:
            merged[name] = {**merged[name], **change}
        else:
            merged[name] = change
    return merged


def _sensor(data: Any, place: SourceLocation, description: Any) -> tuple[type[Sensor], SensorConfig]:
    data = {"type": data} if isinstance(data, str) else data
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise place.error("a sensor is a mapping with a 'type' and its parameters")
    cls = _find("sensors", data["type"], place.at("type"))
    values = {k: v for k, v in data.items() if k != "type"}
    config = _placed(lambda: build(cls.Config, values, place), place)
    _placed(lambda: config.mount.resolve(description), place.at("mount"))
    return cls, config


def _find(kind: str, name: str, place: SourceLocation) -> Any:
    return _placed(lambda: registry.find(kind, name), place)


def _placed(make: Any, place: SourceLocation) -> Any:
    """Run, and give an error without a place the place it happened at."""
    try:
        return make()
    except VoleryError as error:
        if place.file and str(error).startswith(place.file):
            raise
        raise place.error(str(error)) from None
