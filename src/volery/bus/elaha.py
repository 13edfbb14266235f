"""The topic names of the ELAHA platform for one robot, beside our own: what its MATLAB models spoke.

out  /PlanePosition Point, /PlaneOrientation Quaternion, /TrafoToCollision Transform     at every step
     /ScannerFaceXPos … /ScannerFaceZNeg PointCloud2                                       at every box scan
     /UE4Online Bool                                                                       once a second
in   /NewPlanePosition Point, /NewPlaneOrientation Quaternion                              put the robot there
     /NewBonePositions Float64MultiArray [b, 2]: bend and twist [rad] of bones 1 … b
     /Joystick Joy: axes forward, left, up, turn, -1 to 1                                  a velocity
     /Thermal Float64MultiArray: x, y [m], strength [m/s], radius [m]                      a column of rising air
     /Vector Float64MultiArray: x, y, z, dx, dy, dz [m]                                    kept for the viewer
     /MatlabOnline Bool                                                                    the other side's heartbeat
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.conversion import message_of
from volery.bus.publisher import Publisher
from volery.bus.running import Running
from volery.bus.subscriber import Message, Subscriber
from volery.bus.types import message_class
from volery.core.frames import quat_from_vector, quat_multiply
from volery.errors import VoleryError
from volery.robots.commands import BodyVelocity
from volery.sensors.scanner import FACES, Scanner, face_cloud
from volery.sensors.sensor import Reading
from volery.world.wind import Thermal

__all__ = ["ElahaNames"]

_ALIVE = 2.0
"""The other side counts as there for so long after a heartbeat [s]."""
_SPEED, _TURN = 10.0, 1.0
"""Of a full stick [m/s, rad/s]."""


class ElahaNames:
    """A listener of a simulation that speaks for one robot under the platform's own names."""

    def __init__(self, simulation: Running, bus: Bus, robot: str) -> None:
        self.robot = robot
        self.refused = 0
        """Messages that could not be followed."""
        self.vectors: list[np.ndarray] = []
        """What was asked to be drawn: from and along [m], [6]."""
        self._simulation = simulation
        self._last_matlab = -np.inf
        self._next_beat = 0.0
        self._out: dict[str, Publisher] = {
            name: bus.advertise(f"/{name}", kind)
            for name, kind in {
                "PlanePosition": "geometry_msgs/msg/Point",
                "PlaneOrientation": "geometry_msgs/msg/Quaternion",
                "TrafoToCollision": "geometry_msgs/msg/Transform",
                "UE4Online": "std_msgs/msg/Bool",
                **{_face_name(face): "sensor_msgs/msg/PointCloud2" for face in FACES},
            }.items()
        }
        inputs: dict[str, tuple[str, Callable[[Any], None]]] = {
            "NewPlanePosition": ("geometry_msgs/msg/Point", self._set_position),
            "NewPlaneOrientation": ("geometry_msgs/msg/Quaternion", self._set_attitude),
            "NewBonePositions": ("std_msgs/msg/Float64MultiArray", self._set_bones),
            "Joystick": ("sensor_msgs/msg/Joy", self._steer),
            "Thermal": ("std_msgs/msg/Float64MultiArray", self._add_thermal),
            "Vector": ("std_msgs/msg/Float64MultiArray", self._add_vector),
        }
        self._in = [
            bus.subscribe(f"/{name}", kind, depth=8, on_message=self._asking(act))
            for name, (kind, act) in inputs.items()
        ]
        self._in.append(bus.subscribe("/MatlabOnline", "std_msgs/msg/Bool", on_message=self._beat))

    @property
    def matlab_online(self) -> bool:
        """Whether the other side has given a sign of life lately."""
        return time.monotonic() - self._last_matlab < _ALIVE

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made."""
        now, robot = simulation.clock.now_ns, simulation.robots.get(self.robot)
        if time.monotonic() >= self._next_beat:
            self._next_beat = time.monotonic() + 1.0
            self._put("UE4Online", lambda: message_class("std_msgs/msg/Bool")(data=True), now)
        if robot is None:
            return
        self._put("PlanePosition", lambda: m.point(robot.p_WB), now)
        self._put("PlaneOrientation", lambda: m.quaternion(robot.q_WB_wxyz), now)
        self._put("TrafoToCollision", lambda: m.transform(now, "map", self.robot, robot.X_WB[0]).transform, now)
        for name, sensor, reading in simulation.fresh:
            found = simulation.sensors[name][sensor]
            if name == self.robot and isinstance(found, Scanner) and found.config.form in ("box", "face"):
                self._put_faces(reading)

    def close(self) -> None:
        """End all topics."""
        parts: list[Publisher | Subscriber] = [*self._out.values(), *self._in]
        for part in parts:
            part.close()

    def _put_faces(self, reading: Reading) -> None:
        for i, face in enumerate(FACES):
            self._put(_face_name(face), partial(_face, reading, i), reading.stamp_ns)

    def _put(self, name: str, make: Callable[[], Any], stamp_ns: int) -> None:
        if self._out[name].wanted:
            self._out[name].put(make(), stamp_ns)

    def _asking(self, act: Callable[[Any], None]) -> Callable[[Message], None]:
        """Have the loop do it between two steps; what cannot be done is counted."""

        def guarded(value: Any) -> None:
            try:
                act(value)
            except (VoleryError, ValueError, IndexError):
                self.refused += 1

        def take(message: Message) -> None:
            try:
                value = message.value
                self._simulation.ask(lambda: guarded(value), message.topic)
            except VoleryError:
                self.refused += 1

        return take

    def _beat(self, message: Message) -> None:
        self._last_matlab = message.received

    def _set_position(self, p: Any) -> None:
        robot = self._simulation.robots[self.robot]
        self._simulation.place(self.robot, np.array([p.x, p.y, p.z]), robot.q_WB_wxyz)

    def _set_attitude(self, q: Any) -> None:
        robot = self._simulation.robots[self.robot]
        self._simulation.place(self.robot, robot.p_WB, np.array([q.w, q.x, q.y, q.z]))

    def _set_bones(self, message: Any) -> None:
        """Bend about x (the span bends up), then twist about y, of each bone after the root."""
        robot = self._simulation.robots[self.robot]
        angles = np.asarray(message.data, float).reshape(-1, 2)
        for i, (bend, twist) in enumerate(angles, start=1):
            turn = quat_multiply(quat_from_vector(np.array([bend, 0, 0])), quat_from_vector(np.array([0, twist, 0])))
            robot.set_bone(i, turn)

    def _steer(self, joy: Any) -> None:
        axes = np.clip(np.resize(np.append(joy.axes, np.zeros(4)), max(len(joy.axes), 4))[:4], -1.0, 1.0)
        self._simulation.command(self.robot, BodyVelocity(_SPEED * axes[:3], float(_TURN * axes[3])))

    def _add_thermal(self, message: Any) -> None:
        x, y, strength, radius = np.asarray(message.data, float)
        environment = self._simulation.environment
        thermal = Thermal(position=(float(x), float(y)), strength=float(strength), radius=float(radius))
        environment.wind = replace(environment.wind, thermals=(*environment.wind.thermals, thermal))

    def _add_vector(self, message: Any) -> None:
        self.vectors = [*self.vectors[-99:], np.asarray(message.data, float).reshape(6)]


def _face(reading: Reading, index: int) -> Any:
    return message_of("sensor_msgs/msg/PointCloud2", face_cloud(reading, index), reading.stamp_ns, "map")


def _face_name(face: str) -> str:
    axis, side = face.split("_")
    return f"ScannerFace{axis.upper()}{side.capitalize()}"
