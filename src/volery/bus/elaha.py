"""The ELAHA platform's 21 topics for one robot, beside our own: what its MATLAB models spoke. `TOPICS` lists them."""

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
from volery.bus.elaha_topics import TOPICS, face_name
from volery.bus.publisher import Publisher
from volery.bus.running import Running
from volery.bus.subscriber import Message, Subscriber
from volery.bus.types import message_class
from volery.core.frames import quat_from_vector, quat_multiply, rigid_inverse
from volery.errors import RobotError, VoleryError
from volery.events import Commanded
from volery.robots.commands import BodyVelocity
from volery.robots.description import Description
from volery.robots.robot import Robot
from volery.sensors.scanner import FACES, Scanner, face_cloud
from volery.sensors.sensor import Reading
from volery.world.wind import Thermal

__all__ = ["ElahaNames"]

_ALIVE = 2.0
"""The other side counts as there for so long after a heartbeat [s]."""
_SPEED, _TURN = 10.0, 1.0
"""Of a full stick [m/s, rad/s]."""
_OWNER = "elaha/"
_RINGS = 7
_RED, _BLUE, _YELLOW = (0.9, 0.15, 0.1, 1.0), (0.1, 0.4, 0.95, 1.0), (0.95, 0.75, 0.1, 0.8)


class ElahaNames:
    """A listener of a simulation that speaks for one robot under the platform's own names."""

    def __init__(self, simulation: Running, bus: Bus, robot: str) -> None:
        self.robot = robot
        self.refused = 0
        """Messages that could not be followed."""
        self.vectors: list[np.ndarray] = []
        """What was asked to be drawn in W: from and along [m], [6]."""
        self._riding = np.zeros((0, 6))
        """What was asked to be drawn on the robot, in its axes."""
        self._stick = np.zeros(4)
        self._thermals: tuple[Thermal, ...] | None = None
        self._simulation = simulation
        self._last_matlab = -np.inf
        self._next_beat = 0.0
        self._out: dict[str, Publisher] = {
            name: bus.advertise(f"/{name}", row.type) for name, row in TOPICS.items() if row.out
        }
        acts: dict[str, Callable[[Any], None]] = {
            "NewPlanePosition": self._set_position,
            "NewPlaneOrientation": self._set_attitude,
            "NewBonePositions": self._set_bones,
            "Thermal": self._add_thermal,
            "Vector": self._add_vector,
            "vector_elaha": self._set_riding,
        }
        self._in = [
            bus.subscribe(f"/{name}", TOPICS[name].type, depth=8, on_message=self._asking(act))
            for name, act in acts.items()
        ]
        self._in.append(bus.subscribe("/MatlabOnline", TOPICS["MatlabOnline"].type, on_message=self._beat))

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
        self._draw_thermals()
        if robot is None:
            return
        self._follow_stick(simulation)
        self._draw_riding(robot)
        self._put("PositionSimulation", lambda: m.point(robot.p_WB), now)
        self._put("Joystick", self._joy, now)
        self._put("PlanePosition", lambda: m.point(robot.p_WB), now)
        self._put("PlaneOrientation", lambda: m.quaternion(robot.q_WB_wxyz), now)
        self._put("TrafoToCollision", lambda: m.transform(now, "map", self.robot, robot.X_WB[0]).transform, now)
        for name, sensor, reading in simulation.fresh:
            found = simulation.sensors[name][sensor]
            if name == self.robot and isinstance(found, Scanner) and found.config.form in ("box", "face"):
                self._put_faces(reading)
                X_BW, size = rigid_inverse(robot.X_WB[0]), 2.0 * found.config.extent
                self._put("TrafoPCToCollision", partial(_transform, reading, self.robot, X_BW), reading.stamp_ns)
                self._put("volume", partial(m.vector, [size] * 3), reading.stamp_ns)

    def close(self) -> None:
        """End all topics."""
        parts: list[Publisher | Subscriber] = [*self._out.values(), *self._in]
        for part in parts:
            part.close()

    def _put_faces(self, reading: Reading) -> None:
        for i, face in enumerate(FACES):
            self._put(face_name(face), partial(_face, reading, i), reading.stamp_ns)

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
        """Bend up, then twist about y, of each bone after the root: about +x on the left, about −x on the right."""
        robot = self._simulation.robots[self.robot]
        angles = np.asarray(message.data, float).reshape(-1, 2)
        sides = _sides(robot.description)
        turns = [
            quat_multiply(quat_from_vector(np.array([side * bend, 0, 0])), quat_from_vector(np.array([0, twist, 0])))
            for side, (bend, twist) in zip(sides[1:], angles, strict=False)
        ]
        if len(angles) >= len(sides) or not np.isfinite(angles).all():
            raise RobotError(f"robot '{self.robot}' has {len(sides) - 1} bones after the root, not {len(angles)}")
        for i, turn in enumerate(turns, start=1):
            robot.set_bone(i, turn)

    def _follow_stick(self, simulation: Running) -> None:
        """What keys or gamepad of the page say of the robot; it holds until they say something else."""
        for event in simulation.events:
            if isinstance(event, Commanded) and event.robot == self.robot and isinstance(event.command, BodyVelocity):
                told = event.command
                self._stick = np.clip(np.append(told.v_B / _SPEED, told.yaw_rate / _TURN), -1.0, 1.0)

    def _joy(self) -> Any:
        axes, buttons = self._stick.astype(np.float32), np.zeros(0, np.int32)
        return message_class("sensor_msgs/msg/Joy")(m.header(self._simulation.clock.now_ns, ""), axes, buttons)

    def _add_thermal(self, message: Any) -> None:
        x, y, strength, radius = np.asarray(message.data, float)
        environment = self._simulation.environment
        thermal = Thermal(position=(float(x), float(y)), strength=float(strength), radius=float(radius))
        environment.wind = replace(environment.wind, thermals=(*environment.wind.thermals, thermal))

    def _add_vector(self, message: Any) -> None:
        self.vectors = [*self.vectors[-99:], _six(message)]
        ends = np.array([[v[:3], v[:3] + v[3:]] for v in self.vectors])
        self._draw("vector", "arrows", ends, _RED)

    def _set_riding(self, message: Any) -> None:
        """Arrows on the robot, all there are: six numbers each, none clears them."""
        told = np.asarray(message.data, float)
        self._riding = np.zeros((0, 6)) if not len(told) else _six(message, -1)

    def _draw_riding(self, robot: Robot) -> None:
        if not len(self._riding):
            self._simulation.environment.drawings.clear(f"{_OWNER}riding")
            return
        R, p = robot.X_WB[0, :, :3], robot.X_WB[0, :, 3]
        starts = self._riding[:, :3] @ R.T + p
        ends = np.stack([starts, starts + self._riding[:, 3:] @ R.T], axis=1)
        self._draw("riding", "arrows", ends, _BLUE)

    def _draw_thermals(self) -> None:
        """Rings where the air neither rises nor sinks, and an arrow of a tenth of the top for each 1 m/s."""
        wind = self._simulation.environment.wind
        if wind.thermals is self._thermals:
            return
        self._thermals = wind.thermals
        self._simulation.environment.drawings.clear(f"{_OWNER}thermal")
        angle = np.linspace(0.0, 2 * np.pi, 49)
        for thermal in wind.thermals:
            x, y = thermal.position
            for height in np.linspace(0.0, 0.91 * thermal.top, _RINGS):
                ring = [x + thermal.radius * np.cos(angle), y + thermal.radius * np.sin(angle),
                        np.full_like(angle, wind.ground + height)]  # fmt: skip
                self._add_drawing("thermal", "line", np.stack(ring, axis=1), _YELLOW)
            low = wind.ground + 0.23 * thermal.top
            up = np.array([[x, y, low], [x, y, low + 0.1 * thermal.top * thermal.strength]])
            self._add_drawing("thermal", "arrows", up, _YELLOW)

    def _draw(self, what: str, kind: str, points: np.ndarray, colour: tuple[float, ...]) -> None:
        self._simulation.environment.drawings.clear(_OWNER + what)
        self._add_drawing(what, kind, points, colour)

    def _add_drawing(self, what: str, kind: str, points: np.ndarray, colour: tuple[float, ...]) -> None:
        self._simulation.environment.drawings.add(kind, points.reshape(-1, 3), colour, 3.0, owner=_OWNER + what)


def _six(message: Any, count: int = 1) -> np.ndarray:
    """Finite numbers, six to an arrow."""
    found = np.asarray(message.data, float).reshape(count, 6)
    if not np.isfinite(found).all():
        raise ValueError("an arrow that is not finite")
    return found[0] if count == 1 else found


def _sides(description: Description) -> np.ndarray:
    """1 for bodies on the left of the root at rest, −1 on the right, 1 in the middle, [b]."""
    X = np.zeros((len(description.bodies), 3, 4))
    for b, above in enumerate(description.parent):
        P = description.X_PB[b]
        X[b] = (
            P
            if above < 0
            else np.column_stack([X[above, :, :3] @ P[:, :3], X[above, :, :3] @ P[:, 3] + X[above, :, 3]])
        )
    return np.where(X[:, 1, 3] < -1e-6, -1.0, 1.0)


def _transform(reading: Reading, robot: str, X: np.ndarray) -> Any:
    return m.transform(reading.stamp_ns, "map", robot, X).transform


def _face(reading: Reading, index: int) -> Any:
    return message_of("sensor_msgs/msg/PointCloud2", face_cloud(reading, index), reading.stamp_ns, "map")
