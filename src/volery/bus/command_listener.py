"""From the bus to a simulation: commands on each robot's topics, given to the robot between two steps."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np

from volery.bus.bus import Bus
from volery.bus.running import Running
from volery.bus.subscriber import Message, Subscriber
from volery.core.frames import euler_from_quat
from volery.errors import CommandError, VoleryError
from volery.robots.commands import BodyVelocity, Bones, Command, Joints, Motors, Pose, Wrench

__all__ = ["CommandListener"]

_log = logging.getLogger("volery")


def _twist(message: Any) -> Command:
    linear, angular = message.linear, message.angular
    return BodyVelocity(np.array([linear.x, linear.y, linear.z]), angular.z)


def _stamped_twist(message: Any) -> Command:
    return _twist(message.twist)


def _pose(message: Any) -> Command:
    p, q = message.pose.position, message.pose.orientation
    turned = np.array([q.w, q.x, q.y, q.z])
    # ROS messages that were never filled in have a quaternion of zeros: keep the heading.
    yaw = float(euler_from_quat(turned)[2]) if np.linalg.norm(turned) > 0.5 else None
    return Pose(np.array([p.x, p.y, p.z]), yaw)


def _joints(message: Any) -> Command:
    names = list(message.name)
    parts = [dict(zip(names, map(float, a), strict=True)) if len(a) else {} for a in
             (message.position, message.velocity, message.effort)]  # fmt: skip
    if sum(bool(p) for p in parts) != 1:
        raise CommandError("joint_command: give positions, velocities or efforts, one value for each name")
    return Joints(*parts)


def _bones(message: Any) -> Command:
    turns, shifts = {}, {}
    for name, X in zip(message.joint_names, message.transforms, strict=True):
        q, p = X.rotation, X.translation
        turns[name] = [q.w, q.x, q.y, q.z] if any((q.w, q.x, q.y, q.z)) else [1.0, 0.0, 0.0, 0.0]
        shifts[name] = [p.x, p.y, p.z]
    return Bones(turns, shifts)


def _motors(message: Any) -> Command:
    return Motors(np.array(message.data))


def _wrench(message: Any) -> Command:
    f, t = message.force, message.torque
    return Wrench(np.array([f.x, f.y, f.z]), np.array([t.x, t.y, t.z]))


_COMMANDS: tuple[tuple[str, str, Callable[[Any], Command]], ...] = (
    ("cmd_vel", "geometry_msgs/msg/Twist", _twist),
    ("cmd_vel", "geometry_msgs/msg/TwistStamped", _stamped_twist),
    ("goal_pose", "geometry_msgs/msg/PoseStamped", _pose),
    ("joint_command", "sensor_msgs/msg/JointState", _joints),
    ("bone_command", "sensor_msgs/msg/MultiDOFJointState", _bones),
    ("motors", "std_msgs/msg/Float64MultiArray", _motors),
    ("wrench", "geometry_msgs/msg/Wrench", _wrench),
)
"""Topics of a robot: type and what becomes of a message. ROS 2 went from bare to stamped velocities: both are heard."""


class CommandListener:
    """A listener of a simulation that keeps one subscription for each command of each robot."""

    def __init__(self, simulation: Running, bus: Bus) -> None:
        self._bus = bus
        self._subscribers: dict[str, list[Subscriber]] = {}
        self._said: set[str] = set()
        self(simulation)

    def __call__(self, simulation: Running) -> None:
        """Follow robots that come and go."""
        if self._subscribers.keys() == simulation.robots.keys():
            return
        for name in self._subscribers.keys() - simulation.robots.keys():
            for subscriber in self._subscribers.pop(name):
                subscriber.close()
        for name in simulation.robots.keys() - self._subscribers.keys():
            self._subscribers[name] = [
                self._bus.subscribe(f"/{name}/{topic}", kind, on_message=self._teller(simulation, name, read))
                for topic, kind, read in _COMMANDS
            ]

    def close(self) -> None:
        """Stop listening."""
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.close()
        self._subscribers = {}

    def _teller(self, simulation: Running, robot: str, read: Callable[[Any], Command]) -> Callable[[Message], None]:
        def tell(message: Message) -> None:
            try:
                command = read(message.value)
            except (VoleryError, ValueError) as error:
                self._say_once(message.topic, error)
                return
            topic = message.topic
            # Of what waits for the loop only the newest counts: a flood on a topic is one command a step.
            asked = simulation.ask(lambda: simulation.command(robot, command), topic, newest=topic)
            asked.add_done_callback(lambda future: self._check(topic, future))

        return tell

    def _check(self, topic: str, future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self._say_once(topic, error)

    def _say_once(self, topic: str, error: BaseException) -> None:
        text = f"{topic}: {error}"
        if text not in self._said and len(self._said) < 1000:
            self._said.add(text)
            _log.warning("refused: %s", text)
