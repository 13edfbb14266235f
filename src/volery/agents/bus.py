"""Bodies on the bus: robots of a simulation in another process, or on another machine, by ROS 2 topics over Zenoh."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from volery.agents.agent import heading
from volery.agents.events import KinematicsPerception, LidarPerception, Perception, PosePerception, StatePerception
from volery.agents.influences import Influence, Land
from volery.agents.piloted import Flown, PilotedBody
from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.subscriber import Message
from volery.core.clock import SECOND, nanoseconds
from volery.core.frames import quat_from_euler, quat_rotate
from volery.errors import SimulationError
from volery.robots.commands import Pose, Velocity

__all__ = ["BusBody", "BusWorld", "robots_on"]

_PATIENCE = 20.0
"""For the first word of a robot, and for a step [s of wall time]."""
_FEET = 0.14
"""Of a drone's origin over the ground when it stands [m]."""
_SETTLED_NS = SECOND
"""A landing does not end sooner [ns]."""
_STEP = "simulation_interfaces/srv/StepSimulation"
_ODOMETRY = "/ground_truth/odom"


def robots_on(bus: Bus) -> list[str]:
    """Names of the robots that somebody tells the place of."""
    told = [t.topic for t in bus.topics() if t.topic.endswith(_ODOMETRY) and t.publishers]
    return sorted(topic.removesuffix(_ODOMETRY).strip("/") for topic in told)


class BusBody(PilotedBody):
    """A multirotor that takes `cmd_vel`, `goal_pose` and `motors`. It feels no touches: it knows that it has landed
    by sinking no further."""

    def __init__(self, bus: Bus, name: str, lidar: str = "lidar") -> None:
        """lidar: name of the robot's lidar, which must tell points in W (`frame: world`); empty: it has none."""
        super().__init__(name)
        self._odometry = bus.subscribe(f"/{name}{_ODOMETRY}", "nav_msgs/msg/Odometry")
        self._cloud = bus.subscribe(f"/{name}/{lidar}/points", "sensor_msgs/msg/PointCloud2") if lidar else None
        self._velocity = bus.advertise(f"/{name}/cmd_vel", "geometry_msgs/msg/Twist")
        self._goal = bus.advertise(f"/{name}/goal_pose", "geometry_msgs/msg/PoseStamped")
        self._motors = bus.advertise(f"/{name}/motors", "std_msgs/msg/Float64MultiArray")
        self._motion: tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None = None
        """Time [ns], place [m], attitude, velocity [m/s] and turning [rad/s], the last two in W."""
        self._first: np.ndarray | None = None
        self._points: tuple[int, np.ndarray] | None = None
        self._since_ns = 0

    @property
    def stamp_ns(self) -> int:
        """Simulated time of what it knows of itself; -1: nothing yet."""
        newest = self._odometry.latest()
        return -1 if newest is None or newest.stamp_ns is None else newest.stamp_ns

    def perceive(self) -> list[Perception]:
        """What has been told of it last; then it goes on with what it is doing."""
        self._look()
        now_ns = self.now_ns
        self.control()
        assert self._motion is not None
        _, p, q, v, w = self._motion
        felt: list[Perception] = [StatePerception(now_ns, self._resting, False, self._resting)]
        if self._points is not None:
            felt.append(LidarPerception(*self._points))
        return [*felt, PosePerception(now_ns, p, q), KinematicsPerception(now_ns, v, w)]

    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence."""
        super().apply(influence)
        self._since_ns = self.now_ns

    def close(self) -> None:
        """Leave the bus."""
        for part in (self._odometry, self._cloud, self._velocity, self._goal, self._motors):
            if part is not None:
                part.close()

    @property
    def now_ns(self) -> int:
        """Simulated time [ns]."""
        return self._known()[0]

    @property
    def p_W(self) -> np.ndarray:
        """Where it is, [3] [m]."""
        return self._known()[1]

    @property
    def v_W(self) -> np.ndarray:
        """How fast, [3] [m/s]."""
        return self._known()[3]

    @property
    def turn(self) -> tuple[float, float]:
        """Heading [rad] and how fast it turns [rad/s]."""
        _, _, q, _, w = self._known()
        return heading(q), float(w[2])

    @property
    def touches(self) -> bool:
        """Whether it sinks no further, though it has been told to for a while."""
        return isinstance(self._doing, Land) and self.now_ns - self._since_ns > _SETTLED_NS

    @property
    def height(self) -> float:
        """Of its feet over what its lidar has hit below, else over the ground that it started from [m]."""
        p = self.p_W
        below = p[2] if self._first is None else self._first[2] - _FEET
        if self._points is not None and len(self._points[1]):
            points = self._points[1]
            near = points[np.hypot(*(points[:, :2] - p[:2]).T) < 0.7]
            below = max(below, float(near[near[:, 2] < p[2], 2].max(initial=-np.inf)))
        return max(float(p[2]) - below - _FEET, 0.0)

    def command(self, command: Flown) -> None:
        """Tell its autopilot."""
        now = self.now_ns
        if isinstance(command, Velocity):
            yaw = self.turn[0]
            east, north, up = command.v_W.tolist()
            ahead = [east * np.cos(yaw) + north * np.sin(yaw), north * np.cos(yaw) - east * np.sin(yaw), up]
            self._velocity.put(m.twist(ahead, [0.0, 0.0, 0.0]), now)
        elif isinstance(command, Pose):
            yaw = self.turn[0] if command.yaw is None else command.yaw
            self._goal.put(m.pose_stamped(now, "map", command.p_WB, quat_from_euler(np.array([0.0, 0.0, yaw]))), now)
        else:
            self._motors.put(m.floats(command.values), now)

    def _known(self) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if self._motion is None:
            self._look()
        assert self._motion is not None
        return self._motion

    def _look(self) -> None:
        """Read what has come; the first word is waited for."""
        newest = self._odometry.latest() or self._odometry.wait_next(_PATIENCE)
        if newest is None:
            raise SimulationError(f"nobody on the bus tells where robot '{self.name}' is")
        if self._motion is None or newest.stamp_ns != self._motion[0]:
            self._motion = _motion_of(newest)
            if self._first is None:
                self._first = self._motion[1]
        scan = None if self._cloud is None else self._cloud.latest()
        if scan is not None and (self._points is None or scan.stamp_ns != self._points[0]):
            self._points = (scan.stamp_ns or 0, _points_of(scan.value, self.name))


def _motion_of(message: Message) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """ROS has velocities in the body's axes."""
    pose, twist = message.value.pose.pose, message.value.twist.twist
    p = np.array([pose.position.x, pose.position.y, pose.position.z])
    q = np.array([pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z])
    v_B = np.array([twist.linear.x, twist.linear.y, twist.linear.z])
    w_B = np.array([twist.angular.x, twist.angular.y, twist.angular.z])
    return message.stamp_ns or 0, p, q, quat_rotate(q, v_B), quat_rotate(q, w_B)


def _points_of(cloud: Any, name: str) -> np.ndarray:
    """Points in W, [n, 3] [m]; beams without return are left out."""
    if cloud.header.frame_id != "map":
        frame = cloud.header.frame_id
        raise SimulationError(f"the lidar of robot '{name}' tells points in '{frame}': give it `frame: world`")
    kinds = {7: "f4", 8: "f8"}
    places = {field.name: (field.offset, kinds[field.datatype]) for field in cloud.fields if field.name in "xyz"}
    count = int(cloud.width) * int(cloud.height)
    data = np.frombuffer(bytes(cloud.data), np.uint8).reshape(count, int(cloud.point_step))
    wanted = [places[axis] for axis in "xyz"]
    axes = [np.ascontiguousarray(data[:, at : at + int(kind[1])]).view(kind)[:, 0] for at, kind in wanted]
    points = np.stack(axes, axis=1).astype(float)
    return points[np.isfinite(points).all(axis=1)]


class BusWorld:
    """The clock of a simulation on the bus, held between steps: for the strategy `FixedStep`.

    What a body is told reaches it before the step that follows or during it: steps are exact, but a run is not the same
    to the last bit."""

    def __init__(self, bus: Bus, bodies: Sequence[BusBody]) -> None:
        """bodies: of which the newest word is waited for after each step."""
        self._bus, self._bodies = bus, list(bodies)
        self._trigger("pause")
        self._step(1)
        first = self._now()
        self._step(1)
        self._step_ns = self._now() - first
        self._first_ns = self._now()

    @property
    def now_ns(self) -> int:
        """Simulated time since the beginning [ns]."""
        return self._now() - self._first_ns

    def advance(self, seconds: float) -> None:
        """Let so much time pass, in whole steps, and wait until all bodies know what came of it."""
        target = self._now() + nanoseconds(seconds)
        self._step(max(round(nanoseconds(seconds) / self._step_ns), 1))
        self._await(target - self._step_ns // 2)

    def release(self) -> None:
        """Let the clock go on by itself."""
        self._trigger("resume")

    def _now(self) -> int:
        return min(body.stamp_ns for body in self._bodies)

    def _trigger(self, what: str) -> None:
        answer = self._bus.call(f"/volery/{what}", "std_srvs/srv/Trigger", timeout=_PATIENCE)
        if not answer.success:
            raise SimulationError(f"the simulation did not {what}: {answer.message}")

    def _step(self, steps: int) -> None:
        before = self._now()
        answer = self._bus.call("/volery/step_simulation", _STEP, {"steps": steps}, timeout=_PATIENCE)
        if answer.result.result != 1:
            raise SimulationError(f"the simulation did not step: {answer.result.error_message}")
        self._await(before + 1)

    def _await(self, least_ns: int) -> None:
        end = time.monotonic() + _PATIENCE
        while self._now() < least_ns:
            if time.monotonic() > end:
                raise SimulationError("the bus did not tell where the robots are after a step")
            time.sleep(0.0005)
