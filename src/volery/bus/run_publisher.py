"""From a simulation to the bus: clock, frames, states, descriptions and readings, each only if someone listens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.conversion import output_message, outputs_of, topic_of
from volery.bus.description import robot_urdf
from volery.bus.odometry import true_odometry
from volery.bus.poses import PosesTopic
from volery.bus.publisher import Publisher
from volery.bus.ros2 import FrameNames, Ros2Config
from volery.bus.running import Running
from volery.bus.transforms import Transforms
from volery.core.state import encode
from volery.events import RunEvent
from volery.robots.robot import Robot
from volery.sensors.outputs import Output
from volery.sensors.sensor import Reading, Sensor

__all__ = ["CHANGES", "EVENTS", "RunPublisher"]

EVENTS = "/volery/events"
"""What came from outside and changed the run, as `Simulation.events` has it, packed."""
CHANGES = "/volery/changes"
"""Those of the events that change what is there, not only what robots do: few, so that a replay knows them all."""


class RunPublisher:
    """A listener of a simulation. Robots that come and go bring and take their topics."""

    def __init__(self, simulation: Running, bus: Bus, config: Ros2Config | None = None) -> None:
        self.bus = bus
        self.config = config or Ros2Config()
        self.steps = 0
        """Steps published: time may go back when a run is restored, these do not."""
        self._clock = bus.advertise("/clock", "rosgraph_msgs/msg/Clock", shared=True)
        self._names = FrameNames(self.config)
        self._transforms = Transforms(bus, self.config)
        self._events = bus.advertise(EVENTS, "std_msgs/msg/UInt8MultiArray", depth=1000)
        self._changes = bus.advertise(CHANGES, "std_msgs/msg/UInt8MultiArray", depth=1000)
        self._poses = PosesTopic(bus)
        self._states: dict[str, tuple[Publisher, Publisher]] = {}
        self._descriptions: dict[str, tuple[Robot, Publisher]] = {}
        self._sensors: dict[tuple[str, str], _SensorTopics] = {}
        self._follow(simulation)

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made."""
        self.steps += 1
        self._follow(simulation)
        if any(event.remakes for event in simulation.events):
            self._renew(simulation)
        now = simulation.clock.now_ns
        if self._clock.wanted:
            self._clock.put(m.clock(now), now)
        if simulation.events:
            self._tell_events(simulation.events, now)
        self._transforms(simulation)
        if self.config.description:
            self._describe(simulation)
        self._poses(simulation)
        for name, (odometry, joints) in self._states.items():
            robot = simulation.robots[name]
            if odometry.wanted:
                odometry.put(true_odometry(robot, now, self._names), now)
            if joints.wanted:
                joints.put(_joints(robot, now, self._names.base(name)), now)
        for name, sensor, reading in simulation.fresh:
            self._tell(simulation.sensors[name][sensor], reading)

    def close(self) -> None:
        """End all topics."""
        for name in list(self._states):
            self._forget(name)
        self._clock.close()
        self._transforms.close()
        self._events.close()
        self._changes.close()
        self._poses.close()

    def _tell_events(self, events: list[RunEvent], now: int) -> None:
        changes = [event for event in events if event.changes]
        for publisher, told in ((self._events, events), (self._changes, changes)):
            if told and publisher.wanted:
                publisher.put(m.packed(encode({"step": self.steps, "events": [e.plain() for e in told]})), now)

    def _follow(self, simulation: Running) -> None:
        if self._states.keys() != simulation.robots.keys():
            self._come_and_go(simulation)
        self._transforms.follow(simulation, self._optical())

    def _come_and_go(self, simulation: Running) -> None:
        for name in self._states.keys() - simulation.robots.keys():
            self._forget(name)
        for name in simulation.robots:
            if name in self._states:
                continue
            self._states[name] = (
                self.bus.advertise(f"/{name}/ground_truth/odom", "nav_msgs/msg/Odometry"),
                self.bus.advertise(f"/{name}/joint_states", "sensor_msgs/msg/JointState"),
            )
            for sensor in simulation.sensors[name].values():
                self._advertise(sensor)

    def _optical(self) -> dict[str, set[str]]:
        """Sensors by robot of which something is told in the frame of a picture."""
        found: dict[str, set[str]] = {}
        for (robot, name), told in self._sensors.items():
            if told.optical:
                found.setdefault(robot, set()).add(name)
        return found

    def _describe(self, simulation: Running) -> None:
        """Tell what robots look like that are new or were made anew."""
        for name, robot in simulation.robots.items():
            known = self._descriptions.get(name)
            if known is not None and known[0] is robot:
                continue
            topic = f"/{name}/robot_description"
            publisher = (
                self.bus.advertise(topic, "std_msgs/msg/String", depth=1, latched=True) if known is None else known[1]
            )
            self._descriptions[name] = (robot, publisher)
            optical = self._optical().get(name, set())
            publisher.put(
                m.text(robot_urdf(robot, simulation.sensors[name], optical, self.config)), simulation.clock.now_ns
            )

    def _renew(self, simulation: Running) -> None:
        """Sensors that were made anew may have other topics."""
        for robot, name in list(self._sensors):
            sensor = simulation.sensors[robot].get(name)
            if sensor is None:
                self._end(self._sensors.pop((robot, name)))
            elif sensor is not self._sensors[robot, name].sensor:
                self._advertise(sensor)

    def _advertise(self, sensor: Sensor) -> None:
        """Have the topics of a sensor; those that it had already go on."""
        key = (sensor.robot.name, sensor.name)
        told = outputs_of(sensor)
        before = self._sensors.get(key)
        if before is not None and (told is None or before.kinds == _kinds(sensor, told)):
            # One that does not know yet what it will tell is taken to tell the same as before.
            kept = before.topics if told is None else [(o, p) for o, (_, p) in zip(told, before.topics, strict=True)]
            self._sensors[key] = _SensorTopics(sensor, kept, before.known or told is not None)
            return
        if before is not None:
            self._end(before)
        made = [(output, self.bus.advertise(topic_of(sensor, output), output.type)) for output in told or ()]
        self._sensors[key] = _SensorTopics(sensor, made, told is not None)

    @staticmethod
    def _end(told: _SensorTopics) -> None:
        for _, publisher in told.topics:
            publisher.close()

    def _forget(self, name: str) -> None:
        for publisher in self._states.pop(name):
            publisher.close()
        if name in self._descriptions:
            self._descriptions.pop(name)[1].close()
        for key in [k for k in self._sensors if k[0] == name]:
            self._end(self._sensors.pop(key))

    def _tell(self, sensor: Sensor, reading: Reading) -> None:
        key = (sensor.robot.name, sensor.name)
        if not self._sensors[key].known:
            self._advertise(sensor)
        for output, publisher in self._sensors[key].topics:
            if publisher.wanted:
                publisher.put_made(partial(self._message, sensor, output, reading), reading.stamp_ns)

    def _message(self, sensor: Sensor, output: Output, reading: Reading) -> Any:
        message = output_message(output, reading, self._names.output(sensor, output))
        return self._names.rename(sensor, message)


@dataclass
class _SensorTopics:
    """What is told of a sensor."""

    sensor: Sensor
    topics: list[tuple[Output, Publisher]] = field(default_factory=list)
    known: bool = True
    """Whether it has said what it tells."""

    @property
    def optical(self) -> bool:
        """Whether anything of it is told in the frame of a picture."""
        return any(output.frame == "optical" for output, _ in self.topics)

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """Topics and types."""
        return [(publisher.topic, publisher.message_type) for _, publisher in self.topics]


def _kinds(sensor: Sensor, outputs: Sequence[Output]) -> list[tuple[str, str]]:
    return [(topic_of(sensor, output), output.type) for output in outputs]


def _joints(robot: Robot, now: int, frame: str) -> object:
    names = [j.name for j in robot.description.joints]
    return m.joint_state(now, frame, names, robot.joint_positions, robot.joint_velocities, robot.joint_efforts)
