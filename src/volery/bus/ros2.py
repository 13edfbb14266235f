"""How a run shows itself to ROS 2: settings, and names of frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from volery.core.config import Checked, param
from volery.robots.robot import Robot
from volery.sensors.outputs import Output
from volery.sensors.sensor import Sensor

__all__ = ["BASE", "MAP", "ODOM", "FrameNames", "Ros2Config", "ros2_config"]

MAP, ODOM, BASE = "map", "odom", "base_link"
"""REP 105's names of W, of the frame that odometry counts in, and of a robot's root."""


@dataclass(frozen=True)
class Ros2Config(Checked):
    """Settings of what ROS 2 sees, under `protocols: {ros2: …}`."""

    truth_tf: bool = True
    """Whether map → odom is told so that robots are where they truly are; false: SLAM of yours owns it."""
    frames: Literal["prefixed", "plain"] = "prefixed"
    """prefixed: all robots on /tf, as in uav1/base_link. plain: base_link, odom and map as Nav2's configurations have
    them, each robot on topics of its own, /uav1/tf and /uav1/tf_static."""
    services: bool = True
    """Whether services and actions are answered."""
    description: bool = True
    """Whether robots are described on /uav1/robot_description, and their meshes served."""
    host: str = "127.0.0.1"
    """Where meshes are served, as others reach it."""
    port: int = param(7448, low=0, high=65_535)
    """TCP port at which meshes are served; 0: none are, and descriptions have boxes in their place."""


def ros2_config(scenario: _Planned) -> Ros2Config:
    """What a scenario says of it."""
    return scenario.protocols.get("ros2") or Ros2Config()


class _Planned(Protocol):
    """A scenario, which is above the bus and not imported here."""

    @property
    def protocols(self) -> dict[str, Any]: ...


class FrameNames:
    """Names of frames in messages."""

    def __init__(self, config: Ros2Config) -> None:
        self.plain = config.frames == "plain"

    def of(self, robot: str, name: str) -> str:
        """A frame that belongs to a robot."""
        return name if self.plain else f"{robot}/{name}"

    def odom(self, robot: str) -> str:
        """Where a robot's odometry counts from."""
        return self.of(robot, ODOM)

    def base(self, robot: str) -> str:
        """A robot's root."""
        return self.of(robot, BASE)

    def body(self, robot: Robot, number: int, sensors: dict[str, Sensor]) -> str:
        """A body of a robot; sensors: the robot's, whose names come first."""
        if number == 0:
            return self.base(robot.name)
        name = robot.description.bodies[number]
        taken = name in (MAP, ODOM, BASE) or name in sensors
        return self.of(robot.name, f"{name}_link" if taken else name)

    def sensor(self, sensor: Sensor) -> str:
        """A sensor."""
        return self.shown(sensor, sensor.frame_id)

    def output(self, sensor: Sensor, output: Output) -> str:
        """The frame in which an output's numbers hold, as the header names it."""
        own = self.sensor(sensor)
        frames = {"sensor": own, "optical": f"{own}_optical", "map": MAP}
        return {**frames, "odom": self.odom(sensor.robot.name)}[output.frame]

    def shown(self, sensor: Sensor, frame: str) -> str:
        """A frame that a sensor names itself, as this run shows it."""
        return frame.removeprefix(f"{sensor.robot.name}/") if self.plain else frame

    def rename(self, sensor: Sensor, message: Any) -> Any:
        """A message in which frames that a sensor named itself are as this run shows them."""
        if self.plain and hasattr(message, "child_frame_id"):
            message.child_frame_id = self.shown(sensor, message.child_frame_id)
        return message
