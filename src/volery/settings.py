"""What of a run can be changed while it runs, by path: wind and weather, the world's parameters, streaming, engines,
and each robot's sensors and blocks of its kinds. Paths are the keys of a scenario, such as
robots.uav1.sensors.lidar.rate.

Every change is checked whole before anything happens, and is part of snapshots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from datetime import timedelta
from typing import Any, Protocol

from volery.core.clock import Clock
from volery.core.config import SourceLocation, build
from volery.core.properties import Node, changed, group, leaf, plain, tree
from volery.errors import ScenarioError, SimulationError, UnknownNameError
from volery.physics.engine import Engine
from volery.robots.kind import RobotKind
from volery.robots.library import RobotFile
from volery.robots.robot import Robot
from volery.sensors.noise import Noise
from volery.sensors.renew import renewed, sensors_of_today
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.chunks import Streamer, Streaming
from volery.world.environment import Environment
from volery.world.sky import Sky
from volery.world.world import World

__all__ = ["Settings", "of_today", "run_of_today"]

_SKY_PARTS = ("wind", "sky", "weather", "atmosphere")
_HOUR = "environment.time_of_day"
_FROM_START = "decided when the run starts"
_NAMED = "files are named by the scenario"


class Configurable(Protocol):
    """What is needed of a simulation, which is above this and not imported."""

    clock: Clock
    environment: Environment
    robots: dict[str, Robot]
    sensors: dict[str, dict[str, Sensor]]
    engines: dict[str, Engine]

    @property
    def world(self) -> World:
        """What stands."""
        ...

    @property
    def streamer(self) -> Streamer | None:
        """Of an endless world."""
        ...

    def engine_of(self, robot: str) -> Engine:
        """The engine that moves a robot."""
        ...

    def remake_world(self, parameters: dict[str, Any]) -> None:
        """Make the world anew with other parameters."""
        ...

    def stream_world(self) -> None:
        """Bring an endless world up to date with where robots are."""
        ...


class Settings:
    """The parameters of a run as a tree, and the one way to change them."""

    def __init__(self, run: Configurable, streaming: Streaming) -> None:
        self._run = run
        self._first_streaming = streaming
        self._parts: dict[str, Callable[[list[str], Any, SourceLocation], None]] = {
            "environment": self._set_environment,
            "world": self._set_world,
            "streaming": self._set_streaming,
            "engines": self._set_engine,
            "robots": self._set_robot,
        }
        self.reset()

    def reset(self) -> None:
        """Forget all changes, as the scenario starts again."""
        self._stream(self._first_streaming)
        self._sensors: dict[str, dict[str, SensorConfig]] = {}
        self._blocks: dict[str, dict[str, RobotKind]] = {}
        self._engines: dict[str, Any] = {}

    def forget(self, robot: str) -> None:
        """Forget the changes of a robot that is gone."""
        self._sensors.pop(robot, None)
        self._blocks.pop(robot, None)

    def set(self, path: str, value: Any) -> None:
        """Change a parameter now; a wrong path or value is an error, and nothing changes."""
        part, *keys = str(path).split(".")
        if part not in self._parts:
            raise UnknownNameError("property", str(path), self._parts)
        if not keys:
            raise SimulationError(f"'{path}' is a group of properties; set one of them, such as {path}.…")
        try:
            self._parts[part](keys, value, SourceLocation(path=(part,)))
        except ScenarioError as error:
            raise SimulationError(str(error)) from None

    # The tree

    def tree(self) -> list[Node]:
        """All parameters as nodes; see `volery.core.properties`."""
        return self.view()()

    def view(self) -> Callable[[], list[Node]]:
        """What makes the tree of this moment, later and in any thread: the loop only gathers what it is made of."""
        run, hour, streaming = self._run, self._hour(), self.streaming
        parts = [(name, getattr(run.environment, name)) for name in _SKY_PARTS]
        world, engines = run.world, [(name, e.settings, e.changeable) for name, e in run.engines.items()]
        robots = [self._gathered(name) for name in run.robots]

        def make() -> list[Node]:
            around = tree(world, "world", "world", {"path": _NAMED})
            air = [hour, *(tree(part, name, f"environment.{name}") for name, part in parts)]
            return [
                group("environment", "environment", "air, light and weather", air),
                around | {"doc": f"{around['doc']} A change makes the world anew."},
                tree(streaming, "streaming", "streaming", {"background": _FROM_START}),
                group("engines", "engines", "what moves robots", [_engine_node(*engine) for engine in engines]),
                group("robots", "robots", "what robots carry", [_robot_node(*robot) for robot in robots]),
            ]

        return make

    def _hour(self) -> Node:
        time = self._run.environment.sky.time(self._run.clock.now_ns)
        hours = time.hour + time.minute / 60 + time.second / 3600
        doc = "Hour of the day now, by the clock of the sky's `start` [h]."
        return leaf("time_of_day", _HOUR, "number", round(hours, 3), doc, unit="h", low=0.0, high=24.0)

    def _gathered(self, name: str) -> tuple[Any, ...]:
        """What `_robot_node` wants."""
        file = self._run.robots[name].file
        sensors = [(key, s.config, _noisy(s)) for key, s in self._run.sensors[name].items()]
        return name, file, sensors, {key: self._fixed(name, block) for key, block in _tunable(file).items()}

    def _fixed(self, robot: str, block: RobotKind) -> Mapping[str, str] | str:
        """Why a block of a robot's file, or some of its fields, cannot change."""
        if not isinstance(block, self._run.engine_of(robot).tunes(robot)):
            return "the engine that moves this robot does not move it by these"
        return dict.fromkeys(block.from_start, _FROM_START)

    # Changing

    def _set_environment(self, keys: list[str], value: Any, place: SourceLocation) -> None:
        env, known = self._run.environment, (*_SKY_PARTS, "time_of_day")
        if keys == ["time_of_day"]:
            env.sky = self._sky_at(value, place.at("time_of_day"))
            return
        part = _found("property of the environment", keys, known)
        old, rest, inner = getattr(env, part), keys[1:], place.at(part)
        setattr(env, part, changed(old, rest, value, inner) if rest else build(type(old), plain(value), inner))

    def _sky_at(self, hour: Any, place: SourceLocation) -> Sky:
        """The sky of the same day with this hour now."""
        if isinstance(hour, bool) or not isinstance(hour, int | float) or not 0 <= hour <= 24:
            raise place.error(f"{hour!r} is no hour of the day, 0 to 24")
        sky, now_ns = self._run.environment.sky, self._run.clock.now_ns
        now = sky.time(now_ns)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        start = midnight + timedelta(hours=float(hour)) - timedelta(microseconds=now_ns // 1000)
        return replace(sky, start=start.isoformat())

    def _set_world(self, keys: list[str], value: Any, place: SourceLocation) -> None:
        new = changed(self._run.world, keys, value, place)
        if keys[0] == "path":
            # Whoever may turn knobs may not read any file of this machine
            raise place.at("path").error(_NAMED)
        self._run.remake_world({keys[0]: plain(getattr(new, keys[0]))})

    def _set_streaming(self, keys: list[str], value: Any, place: SourceLocation) -> None:
        new = changed(self.streaming, keys, value, place)
        if new.background != self.streaming.background:
            raise place.at("background").error(_FROM_START)
        self._stream(new)
        self._run.stream_world()

    def _stream(self, streaming: Streaming) -> None:
        self.streaming = streaming
        if self._run.streamer is not None:
            self._run.streamer.change(streaming)

    def _set_engine(self, keys: list[str], value: Any, place: SourceLocation) -> None:
        name = _found("engine of this run", keys, self._run.engines)
        engine = self._run.engines[name]
        _need(keys, 2, place)
        new = changed(engine.settings, keys[1:], value, place.at(name))
        if keys[1] not in engine.changeable:
            raise place.at(name).at(keys[1]).error(_FROM_START)
        engine.change(new)
        self._engines[name] = new

    def _set_robot(self, keys: list[str], value: Any, place: SourceLocation) -> None:
        name = _found("robot", keys, self._run.robots)
        _need(keys, 3, place)
        kind, inner = keys[1], place.at(name).at(keys[1])
        if kind == "sensors":
            self._set_sensor(name, keys[2:], value, inner)
        elif kind in _tunable(self._run.robots[name].file):
            self._set_block(name, kind, keys[2:], value, inner)
        else:
            known = [node["name"] for node in _robot_node(*self._gathered(name))["items"]]
            raise UnknownNameError(f"property of robot '{name}'", kind, known)

    def _set_sensor(self, robot: str, keys: list[str], value: Any, place: SourceLocation) -> None:
        sensors = self._run.sensors[robot]
        name = _found(f"sensor of robot '{robot}'", keys, sensors)
        _need(keys, 2, place)
        sensor = sensors[name]
        config = changed(_with_noise(sensor.config, _noisy(sensor)), keys[1:], value, place.at(name))
        noise = {array: n for array, n in config.noise.items() if not n.silent or array in sensor.config.noise}
        config = replace(config, noise=noise)
        sensors[name] = renewed(sensor, config)
        self._sensors.setdefault(robot, {})[name] = config

    def _set_block(self, robot: str, kind: str, keys: list[str], value: Any, place: SourceLocation) -> None:
        block = _tunable(self._run.robots[robot].file)[kind]
        why = self._fixed(robot, block)
        why = why if isinstance(why, str) else why.get(keys[0], "")
        new = changed(block, keys, value, place)
        if why:
            raise place.at(keys[0]).error(why)
        self._tune(robot, kind, new)

    def _tune(self, robot: str, kind: str, block: RobotKind) -> None:
        found = self._run.robots[robot]
        before = found.file
        assert before is not None, "only robots of a file have blocks"
        found.file = before.with_block(kind, block)
        try:
            self._run.engine_of(robot).tune(robot)
        except Exception:
            # Too weak to lift it, for one
            found.file = before
            raise
        self._blocks.setdefault(robot, {})[kind] = block

    # Snapshots

    def state(self) -> dict[str, Any]:
        """What differs from the scenario, as plain data; the environment and the world keep their own."""
        return {
            "streaming": asdict(self.streaming),
            "engines": {n: asdict(s) for n, s in self._engines.items()},
            "blocks": {n: {k: asdict(b) for k, b in own.items()} for n, own in self._blocks.items()},
            "sensors": {n: {s: asdict(c) for s, c in own.items()} for n, own in self._sensors.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Bring back the changes of a `state`; robots and engines have just been made, as the scenario says."""
        run = self._run
        self.reset()
        self._stream(build(Streaming, state["streaming"], SourceLocation(path=("streaming",))))
        for name, data in state["engines"].items():
            self._engines[name] = build(type(run.engines[name].settings), data, SourceLocation(path=("engines", name)))
            run.engines[name].change(self._engines[name])
        for name, blocks in state["blocks"].items():
            for kind, data in blocks.items():
                block = _tunable(run.robots[name].file)[kind]
                self._tune(name, kind, build(type(block), data, SourceLocation(path=("robots", name, kind))))
        for name, own in state["sensors"].items():
            for key, data in own.items():
                sensor = run.sensors[name][key]
                config = build(type(sensor.config), data, SourceLocation(path=("robots", name, key)))
                made = type(sensor)(key, config, sensor.robot, sensor.environment, sensor.generator)
                made.on_operated = sensor.on_operated
                run.sensors[name][key] = made
                self._sensors.setdefault(name, {})[key] = config


def of_today(state: Any) -> Any:
    """The `settings` of a snapshot; older ones kept the blocks of one kind under a key of its own."""
    if not isinstance(state, dict) or "blocks" in state or not isinstance(state.get("multirotors"), dict):
        return state
    kept = {key: value for key, value in state.items() if key != "multirotors"}
    return {**kept, "blocks": {name: {"multirotor": block} for name, block in state["multirotors"].items()}}


def run_of_today(state: Any) -> Any:
    """A snapshot of a run, with what its parts have had since it was taken; what is no such thing is left as it is."""
    if not isinstance(state, dict):
        return state
    parts = {"settings": of_today, "sensors": sensors_of_today, "environment": Environment.of_today}
    return {**state, **{name: read(state[name]) for name, read in parts.items() if name in state}}


def _engine_node(name: str, settings: Any, changeable: tuple[str, ...]) -> Node:
    fixed = {f.name: _FROM_START for f in fields(settings) if f.name not in changeable}
    return tree(settings, name, f"engines.{name}", fixed)


def _tunable(file: RobotFile | None) -> dict[str, RobotKind]:
    """The blocks of a robot's file whose parameters stand among the settings."""
    return {} if file is None else {name: block for name, block in file.blocks.items() if block.tunable}


def _robot_node(
    name: str, file: RobotFile | None, sensors: list[Any], fixed: Mapping[str, Mapping[str, str] | str]
) -> Node:
    path = f"robots.{name}"
    nodes = [tree(_with_noise(config, noisy), key, f"{path}.sensors.{key}") for key, config, noisy in sensors]
    items = [group("sensors", f"{path}.sensors", "", nodes)] if nodes else []
    items += [tree(block, kind, f"{path}.{kind}", fixed[kind]) for kind, block in _tunable(file).items()]
    return group(name, path, file.about if file is not None else "", items)


def _noisy(sensor: Sensor) -> list[str]:
    """The arrays of a sensor's readings that can have noise."""
    told = sensor.latest.data if sensor.latest is not None else sensor.noisy
    return [array for array in sensor.noisy if array in told]


def _with_noise(config: SensorConfig, noisy: list[str]) -> SensorConfig:
    """A sensor's config with a silent noise for each array that can have one."""
    return replace(config, noise={**{array: Noise() for array in noisy}, **config.noise})


def _found(kind: str, keys: list[str], known: Any) -> str:
    if keys[0] not in known:
        raise UnknownNameError(kind, keys[0], known)
    return keys[0]


def _need(keys: list[str], count: int, place: SourceLocation) -> None:
    if len(keys) < count:
        path = ".".join(map(str, (*place.path, *keys)))
        raise SimulationError(f"'{path}' is a group of properties; set one of them, such as {path}.…")
