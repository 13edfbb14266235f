"""The topic names of the MRS multirotor simulator and its hardware interface, beside our own, for every multirotor.

Under /multirotor_simulator/<uav>/ (FlightForge's node is called unreal_simulator):

out  imu Imu, rangefinder Range          at every reading of the robot's first sensor of that kind
     odom Odometry                       at every step; frame simulator_origin, twist in the axes of <uav>/fcu
in   actuators_cmd, control_group_cmd, attitude_rate_cmd, attitude_cmd, acceleration_hdg_rate_cmd,
     acceleration_hdg_cmd, velocity_hdg_rate_cmd, velocity_hdg_cmd, position_cmd        mrs_msgs/HwApi…Cmd
     tracker_cmd mrs_msgs/TrackerCommand: velocity and acceleration to have on the way, for positions and velocities

Once a step /multirotor_simulator/uav_poses PoseArray, and on /tf map → simulator_origin → <uav>/fcu. Under
/<uav>/hw_api/: imu, distance_sensor, odometry, ground_truth, position PointStamped, orientation QuaternionStamped,
velocity and angular_velocity Vector3Stamped, and the same commands (there `actuator_cmd`). A robot that hears nothing
for a second of simulated time holds its place, stops accelerating, or lets its rotors idle, depending on what it was
told last. The thesis's own topics, /<uav>/rgbd/image_raw/compressed and /<uav>/lidar/points, are ours for sensors of
these names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.conversion import output_message
from volery.bus.mrs_api import HwApi
from volery.bus.publisher import Publisher
from volery.bus.running import Running
from volery.bus.subscriber import Message, Subscriber
from volery.bus.types import message_class
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat, matrix_from_quat
from volery.errors import VoleryError
from volery.robots.commands import (
    Acceleration,
    Attitude,
    Command,
    ControlGroup,
    Motors,
    Pose,
    Rates,
    Velocity,
)
from volery.robots.kinds.multirotor import Multirotor
from volery.robots.robot import Robot
from volery.sensors.inertial import Imu
from volery.sensors.outputs import Output
from volery.sensors.range import Rangefinder
from volery.sensors.sensor import Reading

__all__ = ["MrsNames"]

_ORIGIN = "simulator_origin"
_SILENCE = SECOND
"""After so long without a command a drone looks after itself [ns]."""
_STATES = {
    "odometry": "nav_msgs/msg/Odometry",
    "ground_truth": "nav_msgs/msg/Odometry",
    "position": "geometry_msgs/msg/PointStamped",
    "orientation": "geometry_msgs/msg/QuaternionStamped",
    "velocity": "geometry_msgs/msg/Vector3Stamped",
    "angular_velocity": "geometry_msgs/msg/Vector3Stamped",
}
_SENSORS = {
    Imu: ("imu", "imu", "sensor_msgs/msg/Imu"),
    Rangefinder: ("rangefinder", "distance_sensor", "sensor_msgs/msg/Range"),
}
"""Names under the simulator's node and under hw_api, and the message."""


@dataclass
class _Uav:
    """What is kept of one drone."""

    api: HwApi
    publishers: dict[str, Publisher] = field(default_factory=dict)
    subscribers: list[Subscriber] = field(default_factory=list)
    on_the_way: tuple[np.ndarray, np.ndarray] = (np.zeros(3), np.zeros(3))
    """Velocity [m/s] and acceleration [m/s²] that the last tracker command told."""
    last: Command | None = None
    told_ns: int = 0
    """When the last command came, in simulated time."""


class MrsNames:
    """A listener of a simulation that speaks for its multirotors under the MRS system's names."""

    def __init__(self, simulation: Running, bus: Bus, node: str = "multirotor_simulator") -> None:
        self.refused = 0
        """Messages that could not be followed."""
        self._simulation, self._bus, self._node = simulation, bus, f"/{node}"
        self._uavs: dict[str, _Uav] = {}
        self._poses = bus.advertise(f"{self._node}/uav_poses", "geometry_msgs/msg/PoseArray")
        self._follow(simulation)

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made, and look after drones that hear nothing."""
        self._follow(simulation)
        now = simulation.clock.now_ns
        for name, uav in self._uavs.items():
            robot = simulation.robots[name]
            self._put_states(uav, robot, now)
            uav.api(now)
            if uav.last is not None and now - uav.told_ns >= _SILENCE:
                command, uav.last = _alone(uav.last, robot), None
                uav.api.silent()
                # Between two steps, so that it is recorded like a command from outside
                act = partial(self._simulation.command, name, command)
                self._simulation.ask(partial(self._try, act))
        for name, sensor, reading in simulation.fresh:
            if name in self._uavs:
                self._put_reading(name, simulation.sensors[name][sensor], reading)
        self._put_frames(simulation, now)
        if self._poses.wanted:
            robots = [simulation.robots[name] for name in self._uavs]
            poses = [m.pose(r.p_WB, r.q_WB_wxyz) for r in robots]
            self._poses.put(message_class("geometry_msgs/msg/PoseArray")(m.header(now, _ORIGIN), poses), now)

    def close(self) -> None:
        """End all topics."""
        for name in list(self._uavs):
            self._forget(name)
        self._poses.close()

    # Drones that come and go

    def _follow(self, simulation: Running) -> None:
        for name in self._uavs.keys() - simulation.robots.keys():
            self._forget(name)
        for name, robot in simulation.robots.items():
            if name not in self._uavs and _rotors(robot) is not None:
                self._uavs[name] = self._begin(robot)

    def _begin(self, robot: Robot) -> _Uav:
        name = robot.name
        uav = _Uav(HwApi(self._simulation, robot, self._node, self._bus))
        node, api = f"{self._node}/{name}", f"/{name}/hw_api"
        kinds = {f"{node}/odom": "nav_msgs/msg/Odometry", **{f"{api}/{n}": kind for n, kind in _STATES.items()}}
        for short, long, kind in _SENSORS.values():
            kinds[f"{node}/{short}"] = kinds[f"{api}/{long}"] = kind
        uav.publishers = {topic: self._bus.advertise(topic, kind) for topic, kind in kinds.items()}
        for topic, (kind, read) in _COMMANDS.items():
            named = "actuator_cmd" if topic == "actuators_cmd" else topic
            for path in (f"{node}/{topic}", f"{api}/{named}"):
                uav.subscribers.append(self._listen(path, kind, name, read, guarded=path.startswith(api)))
        uav.subscribers.append(self._listen(f"{node}/tracker_cmd", "TrackerCommand", name, None))
        return uav

    def _forget(self, name: str) -> None:
        uav = self._uavs.pop(name)
        parts: list[Publisher | Subscriber | HwApi] = [*uav.publishers.values(), *uav.subscribers, uav.api]
        for part in parts:
            part.close()

    # Out

    def _put_states(self, uav: _Uav, robot: Robot, now: int) -> None:
        node, api = f"{self._node}/{robot.name}", f"/{robot.name}/hw_api"
        for topic in (f"{node}/odom", f"{api}/odometry", f"{api}/ground_truth"):
            self._put(uav, topic, lambda: _odometry(robot, now), now)
        self._put(uav, f"{api}/position", lambda: _stamped("Point", now, m.point(robot.p_WB)), now)
        self._put(uav, f"{api}/orientation", lambda: _stamped("Quaternion", now, m.quaternion(robot.q_WB_wxyz)), now)
        self._put(uav, f"{api}/velocity", lambda: _stamped("Vector3", now, m.vector(robot.v_WB_W)), now)
        turned = robot.w_WB_W @ matrix_from_quat(robot.q_WB_wxyz)
        self._put(
            uav, f"{api}/angular_velocity", lambda: _stamped("Vector3", now, m.vector(turned), f"{robot.name}/fcu"), now
        )

    def _put_frames(self, simulation: Running, now: int) -> None:
        """Where the frames of these messages are, on the same /tf as all others, if there is one."""
        tf = self._bus.publishers.get("/tf")
        if tf is None or not tf.wanted or not self._uavs:
            return
        found = [m.transform(now, "map", _ORIGIN, np.eye(3, 4))]
        found += [m.transform(now, _ORIGIN, f"{name}/fcu", simulation.robots[name].X_WB[0]) for name in self._uavs]
        tf.put(m.transforms(found), now)

    def _put_reading(self, name: str, sensor: Any, reading: Reading) -> None:
        for kind, (short, long, _) in _SENSORS.items():
            first: Any = next((s for s in self._simulation.sensors[name].values() if isinstance(s, kind)), None)
            if first is not None and sensor is first:
                output: Output = sensor.outputs()[0]
                for topic in (f"{self._node}/{name}/{short}", f"/{name}/hw_api/{long}"):
                    told = lambda: output_message(output, reading, f"{name}/fcu")  # noqa: B023, E731 (called at once)
                    self._put(self._uavs[name], topic, told, reading.stamp_ns)

    @staticmethod
    def _put(uav: _Uav, topic: str, make: Callable[[], Any], stamp_ns: int) -> None:
        if uav.publishers[topic].wanted:
            uav.publishers[topic].put(make(), stamp_ns)

    # In

    def _listen(
        self, path: str, kind: str, name: str, read: Callable[..., Any] | None, guarded: bool = False
    ) -> Subscriber:
        """guarded: only a drone that is armed and in offboard follows."""

        def take(message: Message) -> None:
            def act() -> None:
                uav = self._uavs.get(name)
                if uav is not None and (uav.api.obeys or not guarded):
                    self._tell(name, message.value, read)

            self._simulation.ask(lambda: self._try(act), path, newest=path)

        return self._bus.subscribe(path, f"mrs_msgs/msg/{kind}", depth=8, on_message=take)

    def _tell(self, name: str, message: Any, read: Callable[..., Any] | None) -> None:
        uav = self._uavs.get(name)
        if uav is None:
            return
        if read is None:
            uav.on_the_way = _on_the_way(message)
            return
        command = read(message, _rotors(self._simulation.robots[name]))
        if isinstance(command, Pose):
            command = replace(command, v_W=uav.on_the_way[0], a_W=uav.on_the_way[1])
        elif isinstance(command, Velocity):
            command = replace(command, a_W=uav.on_the_way[1])
        self._simulation.command(name, command)
        uav.last, uav.told_ns = command, self._simulation.clock.now_ns

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (VoleryError, ValueError):
            self.refused += 1


def _rotors(robot: Robot) -> Multirotor | None:
    return None if robot.file is None else robot.file.multirotor


def _odometry(robot: Robot, now: int) -> Any:
    R = matrix_from_quat(robot.q_WB_wxyz)
    fcu = f"{robot.name}/fcu"
    return m.odometry(now, _ORIGIN, fcu, robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W @ R, robot.w_WB_W @ R)


def _stamped(kind: str, now: int, value: Any, frame: str = _ORIGIN) -> Any:
    return message_class(f"geometry_msgs/msg/{kind}Stamped")(m.header(now, frame), value)


def _on_the_way(message: Any) -> tuple[np.ndarray, np.ndarray]:
    flat, up = message.use_velocity_horizontal != 0, message.use_velocity_vertical != 0
    v = _xyz(message.velocity) * [flat, flat, up]
    return v, _xyz(message.acceleration) * (message.use_acceleration != 0)


def _alone(last: Command, robot: Robot) -> Command:
    """What a drone does that hears nothing any more."""
    heading = float(euler_from_quat(robot.q_WB_wxyz)[2])
    if isinstance(last, Pose):
        return Pose(robot.p_WB, heading)
    if isinstance(last, Velocity):
        return Velocity() if last.yaw is None else Velocity(yaw=heading)
    if isinstance(last, Acceleration):
        return Acceleration() if last.yaw is None else Acceleration(yaw=heading)
    if isinstance(last, Attitude):
        return Attitude([np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)], 0.0)
    if isinstance(last, Rates):
        return Rates(np.zeros(3), 0.0)
    return Motors(np.zeros_like(last.values)) if isinstance(last, Motors) else ControlGroup()


def _xyz(v: Any) -> np.ndarray:
    return np.array([v.x, v.y, v.z])


def _attitude(c: Any, rotors: Multirotor) -> Command:
    q = c.orientation
    return Attitude([q.w, q.x, q.y, q.z], rotors.thrust_at(c.throttle))


_COMMANDS: dict[str, tuple[str, Callable[[Any, Multirotor], Command]]] = {
    "actuators_cmd": ("HwApiActuatorCmd", lambda c, r: Motors(c.motors)),
    "control_group_cmd": ("HwApiControlGroupCmd", lambda c, r: ControlGroup(c.roll, c.pitch, c.yaw, c.throttle)),
    "attitude_rate_cmd": ("HwApiAttitudeRateCmd", lambda c, r: Rates(_xyz(c.body_rate), r.thrust_at(c.throttle))),
    "attitude_cmd": ("HwApiAttitudeCmd", _attitude),
    "acceleration_hdg_rate_cmd": (
        "HwApiAccelerationHdgRateCmd", lambda c, r: Acceleration(_xyz(c.acceleration), c.heading_rate)),
    "acceleration_hdg_cmd": (
        "HwApiAccelerationHdgCmd", lambda c, r: Acceleration(_xyz(c.acceleration), yaw=c.heading)),
    "velocity_hdg_rate_cmd": ("HwApiVelocityHdgRateCmd", lambda c, r: Velocity(_xyz(c.velocity), c.heading_rate)),
    "velocity_hdg_cmd": ("HwApiVelocityHdgCmd", lambda c, r: Velocity(_xyz(c.velocity), yaw=c.heading)),
    "position_cmd": ("HwApiPositionCmd", lambda c, r: Pose(_xyz(c.position), c.heading)),
}  # fmt: skip
