"""From a simulation to the bus: clock, transforms, states and readings, each only if someone listens."""

from __future__ import annotations

from functools import partial

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.poses import PosesTopic
from volery.bus.publisher import Publisher
from volery.bus.readings import Output, array_output, outputs_of, sensor_frame
from volery.bus.running import Running
from volery.core.frames import matrix_from_quat, rigid_inverse
from volery.core.state import encode
from volery.robots.kinematics import compose
from volery.robots.robot import Robot
from volery.sensors.camera import Camera
from volery.sensors.sensor import Reading, Sensor

__all__ = ["CHANGES", "EVENTS", "Outlet"]

EVENTS = "/volery/events"
"""What came from outside and changed the run, as `Simulation.events` has it, packed."""
CHANGES = "/volery/changes"
"""Those of the events that change what is there, not only what robots do: few, so that a replay knows them all."""

_DEEDS = ("command", "operate", "place")
"""Events that change no more than what a robot does or where it is."""
_REMAKES = ("set", "reset", "restore")
"""Events after which a sensor of the same name may be another."""
_OPTICAL = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0]])
"""ROS's camera frame (z ahead, x right, y down) in ours (x ahead, y left, z up)."""


class Outlet:
    """A listener of a simulation. Robots that come and go bring and take their topics."""

    def __init__(self, simulation: Running, bus: Bus) -> None:
        self.bus = bus
        self.steps = 0
        """Steps published: time may go back when a run is restored, these do not."""
        self._clock = bus.advertise("/clock", "rosgraph_msgs/msg/Clock", shared=True)
        self._tf = bus.advertise("/tf", "tf2_msgs/msg/TFMessage", depth=100, shared=True)
        self._events = bus.advertise(EVENTS, "std_msgs/msg/UInt8MultiArray", depth=1000)
        self._changes = bus.advertise(CHANGES, "std_msgs/msg/UInt8MultiArray", depth=1000)
        self._poses = PosesTopic(bus)
        self._states: dict[str, tuple[Publisher, Publisher]] = {}
        self._sensors: dict[tuple[str, str], list[tuple[Output, Publisher]]] = {}
        self._unknown: set[tuple[str, str]] = set()
        """Sensors of which no reading has told yet what arrays they have."""
        self._follow(simulation)

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made."""
        self.steps += 1
        self._follow(simulation)
        if any(kind in _REMAKES for kind, _ in simulation.events):
            self._renew(simulation)
        now = simulation.clock.now_ns
        if self._clock.wanted:
            self._clock.put(m.clock(now), now)
        if simulation.events:
            self._tell_events(simulation.events, now)
        if self._tf.wanted and simulation.robots:
            self._tf.put(m.transforms(self._frames(simulation, now)), now)
        self._poses(simulation)
        for name, (odometry, joints) in self._states.items():
            robot = simulation.robots[name]
            if odometry.wanted:
                odometry.put(_odometry(robot, now), now)
            if joints.wanted:
                joints.put(_joints(robot, now), now)
        for robot, sensor, reading in simulation.fresh:
            self._tell(robot, simulation.sensors[robot][sensor], reading)

    def close(self) -> None:
        """End all topics."""
        for name in list(self._states):
            self._forget(name)
        self._clock.close()
        self._tf.close()
        self._events.close()
        self._changes.close()
        self._poses.close()

    def _tell_events(self, events: list[tuple[str, list]], now: int) -> None:
        if self._events.wanted:
            self._events.put(m.packed(encode({"step": self.steps, "events": events})), now)
        changes = [event for event in events if event[0] not in _DEEDS]
        if changes and self._changes.wanted:
            self._changes.put(m.packed(encode({"step": self.steps, "events": changes})), now)

    def _follow(self, simulation: Running) -> None:
        if self._states.keys() == simulation.robots.keys():
            return
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
                self._advertise(sensor, outputs_of(sensor))

    def _renew(self, simulation: Running) -> None:
        """Sensors that were made anew may have other topics."""
        for (robot, name), made in list(self._sensors.items()):
            sensor = simulation.sensors[robot][name]
            outputs = outputs_of(sensor)
            topics = [(o.suffix, o.message_type) for o in outputs]
            if outputs and topics != [(o.suffix, o.message_type) for o, _ in made]:
                for _, publisher in made:
                    publisher.close()
                self._advertise(sensor, outputs)

    def _advertise(self, sensor: Sensor, outputs: list[Output]) -> None:
        key = (sensor.robot.name, sensor.name)
        if outputs:
            self._unknown.discard(key)
        else:
            self._unknown.add(key)
        base = f"/{sensor.robot.name}/{sensor.name}"
        made = [(o, self.bus.advertise(f"{base}/{o.suffix}".rstrip("/"), o.message_type)) for o in outputs]
        self._sensors[key] = made

    def _forget(self, name: str) -> None:
        for publisher in self._states.pop(name):
            publisher.close()
        for key in [k for k in self._sensors if k[0] == name]:
            self._unknown.discard(key)
            for _, publisher in self._sensors.pop(key):
                publisher.close()

    def _tell(self, robot: str, sensor: Sensor, reading: Reading) -> None:
        key = (robot, sensor.name)
        if key in self._unknown:
            self._unknown.discard(key)
            self._advertise(sensor, [array_output(*item) for item in reading.data.items()])
        for output, publisher in self._sensors[key]:
            if publisher.wanted:
                make = partial(output.make, sensor, reading, sensor_frame(sensor))
                publisher.put_made(make, reading.stamp_ns)

    @staticmethod
    def _frames(simulation: Running, now: int) -> list:
        """Every body of every robot in its parent, and every sensor in its robot's root."""
        found = []
        for name, robot in simulation.robots.items():
            found += _bodies(robot, now)
            X_RW = rigid_inverse(robot.X_WB[0])
            for sensor in simulation.sensors[name].values():
                frame = sensor_frame(sensor)
                X_WS = sensor.X_WC if isinstance(sensor, Camera) else sensor.X_WS
                found.append(m.transform(now, name, frame, _composed(X_RW, X_WS)))
                if isinstance(sensor, Camera):
                    found.append(m.transform(now, frame, f"{frame}_optical", _OPTICAL))
        return found


def _bodies(robot: Robot, now: int) -> list:
    bodies, parent = robot.description.bodies, robot.description.parent
    names = [robot.name, *(f"{robot.name}/{b}" for b in bodies[1:])]
    found = [m.transform(now, "map", robot.name, robot.X_WB[0])]
    for b in range(1, len(bodies)):
        X = _composed(rigid_inverse(robot.X_WB[parent[b]]), robot.X_WB[b])
        found.append(m.transform(now, names[parent[b]], names[b], X))
    return found


def _composed(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    out = np.empty((3, 4))
    compose(A, np.ascontiguousarray(B), out)
    return out


def _odometry(robot: Robot, now: int) -> object:
    R = matrix_from_quat(robot.q_WB_wxyz)
    v_B, w_B = robot.v_WB_W @ R, robot.w_WB_W @ R
    return m.odometry(now, "map", robot.name, robot.p_WB, robot.q_WB_wxyz, v_B, w_B)


def _joints(robot: Robot, now: int) -> object:
    names = [j.name for j in robot.description.joints]
    return m.joint_state(now, robot.name, names, robot.joint_positions, robot.joint_velocities, robot.joint_efforts)
