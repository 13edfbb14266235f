"""A recording as pages see it: its world and robots made again from the scenario in it, moved as they moved.

Nothing is simulated and no rays are cast: what robots felt comes from the recorded topics.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from itertools import takewhile
from pathlib import Path
from typing import Any, cast

import numpy as np

from volery.bus.frames import unpack
from volery.bus.poses import POSES, Poses, Roster
from volery.bus.publisher import Publisher
from volery.bus.record import recording_info
from volery.bus.replay import Replayer
from volery.bus.run_publisher import CHANGES
from volery.bus.running import Running
from volery.bus.types import decode
from volery.core.clock import SECOND
from volery.core.frames import quat_from_euler, transform
from volery.core.rng import Generators
from volery.core.state import decode as decode_state
from volery.errors import BusError, VoleryError
from volery.events import RunEvent, event_of
from volery.robots.commands import Command
from volery.robots.robot import Contact, Robot
from volery.scenario import RobotPlan, more_changes, plan_robot, plan_world, read_scenario
from volery.sensors.sensor import Sensor
from volery.world.environment import Environment, Spot
from volery.world.scene.scene import Scene

__all__ = ["Replayed"]

_ODOMETRY, _JOINTS = "/ground_truth/odom", "/joint_states"
_PARTS = ("wind", "sky", "weather", "atmosphere")


class _Time:
    """The recording's clock."""

    def __init__(self, replayer: Replayer, step_ns: int) -> None:
        self._replayer = replayer
        self.step_ns = step_ns

    @property
    def now_ns(self) -> int:
        """Time in the recording [ns]."""
        return self._replayer.now_ns

    @property
    def steps(self) -> int:
        """Steps made until now."""
        return self.now_ns // self.step_ns


class Replayed:
    """What stands for the simulation in a replay. Fed by the replayer's thread; others `ask`."""

    def __init__(self, replayer: Replayer) -> None:
        info = recording_info(replayer.path)
        if "scenario" not in info or "about" not in info:
            raise BusError(f"{replayer.path} does not hold its scenario: it was not recorded by Volery")
        about = json.loads(info["about"])
        folder = Path(about["folder"]) if about["folder"] else None
        self.seed = int(about["seed"])
        self.scenario = read_scenario(info["scenario"], str(replayer.path), folder, about["name"])
        self.scene = Scene()
        self.environment = Environment(self.scene)
        self.clock = _Time(replayer, round(self.scenario.file.step * SECOND))
        self.streamer = None
        self.engines: dict[str, Any] = {}
        self.listeners: list[Callable[[Any], None]] = []
        self.events: list[RunEvent] = []
        self.fresh: list[Any] = []
        self.robots: dict[str, Robot] = {}
        self.sensors: dict[str, dict[str, Sensor]] = {}
        self._replayer = replayer
        self._lock = threading.RLock()
        self._newest: tuple[dict[str, Any], dict[str, np.ndarray]] | None = None
        """The last recorded frame of poses."""
        self._framed = POSES in replayer.index.topics
        self._generators = Generators(self.seed)
        self._changes = [(m.stamp_ns, *_unpacked(m.data, m.message_type)) for m in self._recorded_changes()]
        """Time [ns], step and events of all that changed what is there."""
        self._done = 0
        """Changes that have happened by now."""
        self.reset()
        replayer.on_seek = self._seek
        replayer.bus.tap(self._take, (POSES, CHANGES, f"/*{_ODOMETRY}", f"/*{_JOINTS}"))

    def ask(self, request: Callable[[], Any], client: Hashable = None) -> Future[Any]:
        """Run a function while nothing changes."""
        future: Future[Any] = Future()
        try:
            with self._lock:
                future.set_result(request())
        except Exception as error:
            future.set_exception(error)
        return future

    def poses(self, roster: Roster) -> Poses:
        """Where all bodies are now: as recorded, or as far as odometry and joints tell."""
        present = roster.take(cast(Running, self))
        if self._newest is None:
            return present
        header, arrays = self._newest
        rows: dict[str, tuple[int, int, Any]] = {}
        first = 0
        for name, bodies in header["robots"]:
            rows[name] = (len(rows), first, bodies)
            first += bodies
        X_recorded = transform(arrays["q"].astype(float), arrays["p"])
        X_WB, velocity, at = present.X_WB.copy(), present.velocity.copy(), 0
        for r, (name, bodies) in enumerate(present.robots):
            row, first, count = rows.get(name, (0, 0, -1))
            if count == bodies:
                X_WB[at : at + bodies] = X_recorded[first : first + bodies]
                velocity[r] = arrays["velocity"][row]
            at += bodies
        aim = arrays["aim"] if len(arrays["aim"]) == len(present.aim) else present.aim
        return Poses(
            present.version, self.clock.now_ns, present.robots, X_WB, velocity, _contacts(header, arrays),
            tuple(_spots(arrays)), np.asarray(aim, float),
        )  # fmt: skip

    # What the recording tells

    def _take(self, publisher: Publisher, stamp_ns: int, data: bytes | memoryview) -> None:
        """A message is being replayed."""
        topic, kind = publisher.topic, publisher.message_type
        with self._lock:
            if topic == POSES:
                self._newest = unpack(bytes(decode(data, kind).data))
            elif topic == CHANGES:
                step, _ = _unpacked(data, kind)
                self._change_until(sum(other <= step for _, other, _ in self._changes))
            elif not self._framed:
                self._move(topic.split("/")[1], topic, decode(data, kind))
            # After a jump robots are where they began, until their poses of there have come.
            if self._newest is not None or not self._framed:
                for listener in self.listeners:
                    listener(self)
                self.events = []

    def _move(self, name: str, topic: str, message: Any) -> None:
        robot = self.robots.get(name)
        if robot is None:
            return
        if topic.endswith(_ODOMETRY):
            p, q = message.pose.pose.position, message.pose.pose.orientation
            robot.set_pose(np.array([p.x, p.y, p.z]), np.array([q.w, q.x, q.y, q.z]))
        elif len(message.position) == len(robot.joint_positions):
            robot.joint_positions = np.array(message.position, float)
        robot.update()

    def _seek(self, now_ns: int) -> None:
        """Bring robots and world to where they were at a time [ns]."""
        with self._lock:
            self._newest = None
            before = takewhile(lambda change: change[0] < now_ns, self._changes)
            self._change_until(len(list(before)))
            self.events = []

    def _recorded_changes(self) -> list[Any]:
        index = self._replayer.index
        return list(index.messages(index.find(index.start_ns), (CHANGES,)))

    def _change_until(self, count: int) -> None:
        """Have just the first so many changes done; robots that are not concerned stay the same."""
        if count < self._done:
            self._done = 0
            self.reset()
        for _, _, events in self._changes[self._done : count]:
            for event in events:
                self.events.append(event)
                # One may fail, such as a file of a robot that is no longer there: the rest can be shown.
                with contextlib.suppress(VoleryError):
                    event.redo(self)
        self._done = count

    # Events; see `volery.events.Reenacting`

    def command(self, robot: str, command: Command) -> None:
        """Robots move as they were recorded."""

    def operate(self, robot: str, sensor: str, control: str, *arguments: Any, **options: Any) -> None:
        """What sensors told was recorded."""

    def place(self, robot: str, p_WB: Any, q_WB_wxyz: Any, v_W: Any = None, w_W: Any = None) -> None:
        """Robots are where they were recorded."""

    def alter(self, change: str, *arguments: Any) -> None:
        """Things of the world stay as the scenario has them."""

    def spawn(self, name: str, data: dict[str, Any] | str) -> None:
        """A robot came."""
        self._spawn(plan_robot(name, data, folder=self.scenario.folder))

    def remove(self, name: str) -> None:
        """A robot was taken out."""
        self.robots.pop(name, None)
        self.sensors.pop(name, None)
        self.environment.lights.pop(name, None)

    def change_world(self, **parameters: Any) -> None:
        """The world is another."""
        self._remake_world(more_changes(self._world_changes, parameters))

    def set(self, path: str, value: Any) -> None:
        """A parameter changed; those of the world and of the air can be seen."""
        keys = path.split(".")
        if keys[0] == "world" and len(keys) == 2:
            self._remake_world({**self._world_changes, keys[1]: value})
        elif keys[0] == "environment" and len(keys) == 3:
            self._set_environment({keys[1]: {keys[2]: value}})

    def reset(self) -> None:
        """The run began anew."""
        self.robots, self.sensors, self.environment.lights = {}, {}, {}
        for part in _PARTS:
            setattr(self.environment, part, getattr(self.scenario.file, part))
        self._make_world({})
        for plan in self.scenario.robots.values():
            self._spawn(plan)
        self._spawn_movables()

    def restore(self, state: dict[str, Any]) -> None:
        """The run went on from a state."""
        self.robots, self.sensors, self.environment.lights = {}, {}, {}
        self._make_world(state["world"])
        self.environment.restore(state["environment"])
        for name, data in state["plans"]:
            self._spawn(plan_robot(name, data, folder=self.scenario.folder))
            self.robots[name].restore(state["robots"][name])

    def _set_environment(self, parts: dict[str, dict[str, Any]]) -> None:
        state = self.environment.state()
        for name, values in parts.items():
            state.get(name, {}).update(values)
        self.environment.restore(state)

    # Parts

    def _make_world(self, changes: dict[str, Any]) -> None:
        self._world_changes = dict(changes)
        data = self.scenario.world_with(changes)
        if getattr(self, "_world_data", None) != data:
            self._world_data, self.world = data, plan_world(data, self.seed, self.scenario.folder)
            self.scene.dark = self.world.dark

    def _remake_world(self, changes: dict[str, Any]) -> None:
        for name in self.world.movables():
            self.remove(name)
        self._make_world(changes)
        self._spawn_movables()

    def _spawn(self, plan: RobotPlan) -> None:
        robot = Robot(plan.name, plan.file.description(), plan.file)
        position = plan.entry.position or self.world.spawn()
        robot.set_pose(np.array(position), quat_from_euler(np.radians(plan.entry.attitude_deg)))
        for joint, value in plan.entry.joints.items():
            robot.set_joint(joint, value)
        robot.update()
        self.robots[plan.name] = robot
        self.sensors[plan.name] = {
            name: cls(name, config, robot, self.environment, self._generators.named(f"{plan.name}/{name}"))
            for name, (cls, config) in plan.sensors.items()
        }

    def _spawn_movables(self) -> None:
        for name, data in self.world.movables().items():
            self._spawn(plan_robot(name, data, folder=self.scenario.folder))


def _unpacked(data: bytes | memoryview, kind: str) -> tuple[int, list[RunEvent]]:
    packed = decode_state(bytes(decode(data, kind).data))
    return packed["step"], [event_of(kind, arguments) for kind, arguments in packed["events"]]


def _contacts(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> tuple[tuple[str, Contact], ...]:
    rows = zip(header["contacts"], arrays["contact_p"], arrays["impulse"].astype(float), strict=True)
    return tuple((robot, Contact(other, "", p, np.zeros(3), 0.0, impulse)) for (robot, other), p, impulse in rows)


def _spots(arrays: dict[str, np.ndarray]) -> list[Spot]:
    rows = zip(arrays["spot_p"], arrays["spot_ahead"].astype(float), arrays["spot_light"].astype(float), strict=True)
    return [Spot(p, ahead, light[:3], float(light[3])) for p, ahead, light in rows]
