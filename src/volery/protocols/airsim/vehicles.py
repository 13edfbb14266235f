"""What all vehicles share: where they began, what they felt and touched, and what is known of them without waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from volery.core.frames import quat_conjugate, quat_rotate
from volery.errors import SimulationError
from volery.protocols.airsim.cameras import VehicleCameras
from volery.protocols.airsim.ned import (
    frd,
    geo_map,
    ned,
    quaternion_enu,
    quaternion_map,
    quaternion_ned,
    to_enu,
    vector_map,
)
from volery.protocols.airsim.settings import VehicleSettings
from volery.protocols.airsim.settings_parts import SensorSettings
from volery.protocols.airsim.vehicle_setup import robot_entry, sensor_key
from volery.robots.robot import Contact, Robot
from volery.sensors.sensor import Reading

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Felt", "Snapshot", "Vehicle"]

_APART_NS = 500_000_000
"""A thing that was not touched for so long is hit anew."""


class Felt(NamedTuple):
    """A reading and where its sensor and vehicle were."""

    reading: Reading
    X_WS: np.ndarray
    q_WB_wxyz: np.ndarray


class Snapshot:
    """A vehicle at the end of a step; other threads read it."""

    def __init__(self, now_ns: int, robot: Robot, home_W: np.ndarray, before: Snapshot | None) -> None:
        self.now_ns = now_ns
        self.p_WB, self.q_WB_wxyz = robot.p_WB.copy(), robot.q_WB_wxyz.copy()
        self.v_WB_W, self.w_WB_W = robot.v_WB_W.copy(), robot.w_WB_W.copy()
        self.turning = robot.joint_velocities.copy()
        """Speeds of all joints."""
        self.home_W = home_W
        self.before = None if before is None else (before.now_ns, before.v_WB_W, before.w_WB_W)
        self._kinematics: dict[str, Any] | None = None
        self._geo: dict[str, float] | None = None

    def pose(self) -> dict[str, Any]:
        """AirSim's Pose, from the vehicle's own zero."""
        state = self.kinematics()
        return {"position": state["position"], "orientation": state["orientation"]}

    def geo(self, door: AirSim) -> dict[str, float]:
        """AirSim's GeoPoint."""
        if self._geo is None:
            self._geo = geo_map(door.geo(self.p_WB))
        return self._geo

    def in_body(self, v_W: np.ndarray) -> np.ndarray:
        """A vector of W in the body's axes, forward, right, down."""
        return frd(quat_rotate(quat_conjugate(self.q_WB_wxyz), v_W))

    def kinematics(self) -> dict[str, Any]:
        """AirSim's KinematicsState, from the vehicle's own zero."""
        if self._kinematics is None:
            a = alpha = np.zeros(3)
            if self.before is not None and self.now_ns > self.before[0]:
                dt = (self.now_ns - self.before[0]) * 1e-9
                a, alpha = (self.v_WB_W - self.before[1]) / dt, (self.w_WB_W - self.before[2]) / dt
            self._kinematics = {
                "position": vector_map(ned(self.p_WB - self.home_W)),
                "orientation": quaternion_map(quaternion_ned(self.q_WB_wxyz)),
                "linear_velocity": vector_map(ned(self.v_WB_W)),
                "angular_velocity": vector_map(self.in_body(self.w_WB_W)),
                "linear_acceleration": vector_map(ned(a)),
                "angular_acceleration": vector_map(self.in_body(alpha)),
            }
        return self._kinematics


class Vehicle:
    """A vehicle that clients know by name."""

    api_stays = False
    """Whether a reset leaves control with the clients."""

    def __init__(self, door: AirSim, settings: VehicleSettings) -> None:
        self.door = door
        self.settings = settings
        self.name = settings.name
        self.home_W = door.origin_W + to_enu(np.array(settings.position))
        self.entry = robot_entry(settings, self.home_W, door.settings, door.step)
        self.sensors: dict[str, SensorSettings] = {s.name: s for s in settings.sensors}
        self.cameras = VehicleCameras(settings, door.settings)
        self.api = False
        self.felt: dict[str, Felt] = {}
        self.echoes: dict[str, tuple[int, Any, np.ndarray]] = {}
        """Newest measurement of echo sensors: when, what, and from where."""
        self.hits = 0
        """How often it began to touch something."""
        self.touched = 0
        """Steps in which it touched something."""
        self.told = 0
        """Of those, how many a client has been told of."""
        self.contact: tuple[int, Contact, np.ndarray] | None = None
        """When it last touched something, what, and where it was itself."""
        self.trace: tuple[tuple[Any, ...], float] | None = ((1.0, 0.0, 0.0, 1.0), 1.0) if settings.trace else None
        self._last_touch: dict[str, int] = {}
        self._kinds = {sensor_key(s.name): s for s in settings.sensors}
        self.snapshot: Snapshot = None  # type: ignore[assignment]

    @property
    def robot(self) -> Robot:
        """The robot that it is."""
        return self.door.simulation.robot(self.name)

    def spawn(self) -> None:
        """Enter the world at the start."""
        self.door.simulation.spawn(self.name, self.entry)
        self.felt, self.echoes, self.contact, self._last_touch = {}, {}, None, {}
        self.snapshot = None  # type: ignore[assignment]
        self.told = self.touched
        self.look()

    def respawn(self) -> None:
        """Back to the start, as new."""
        self.door.simulation.remove(self.name)
        self.api = self.api and self.api_stays
        self.spawn()

    def set_api(self, on: bool) -> None:
        """Give control to clients or take it away."""
        if on and not self.settings.api_always:
            return
        self.api = on

    def arm(self, on: bool) -> bool:
        """Let motors turn, or stop them; whether that was done."""
        return True

    def control(self) -> None:
        """Command the robot for the step that begins."""

    def look(self) -> None:
        """Take over where it is now."""
        self.snapshot = Snapshot(self.door.simulation.clock.now_ns, self.robot, self.home_W, self.snapshot)

    def notice(self) -> None:
        """After a step: what it touched."""
        contacts = self.robot.contacts
        if not contacts or not self.settings.collisions:
            return
        relevant = [c for c in contacts if self.counts(c)]
        if not relevant:
            return
        now = self.door.simulation.clock.now_ns
        for contact in relevant:
            if now - self._last_touch.get(contact.other, -_APART_NS) >= _APART_NS:
                self.hits += 1
            self._last_touch[contact.other] = now
        hardest = max(relevant, key=lambda c: float(np.dot(c.impulse_W, c.impulse_W)))
        self.contact = (now, hardest, self.robot.p_WB.copy())
        self.touched += 1

    def counts(self, contact: Contact) -> bool:
        """Whether a contact is a collision."""
        return True

    def feel(self, key: str, reading: Reading) -> None:
        """Keep a reading of the step."""
        if key in self._kinds:
            kind = self._kinds[key]
            X = self.door.simulation.sensor(self.name, key).X_WS if kind.type in (6, 8) else np.eye(3, 4)
            self.felt[kind.name] = Felt(reading, X, self.robot.q_WB_wxyz.copy())

    def sensor(self, kind: int, name: str, what: str) -> SensorSettings:
        """The first sensor of a type, or the one of a name."""
        own = [s for s in self.sensors.values() if s.type == kind]
        found = next((s for s in own if not name or s.name == name), None)
        if found is None:
            known = ", ".join(s.name for s in own) or "none"
            raise SimulationError(f"No {what} with name '{name}' exists on vehicle '{self.name}'; known: {known}")
        return found

    def place(
        self, p_ned: np.ndarray, q_ned: np.ndarray, v_W: np.ndarray | None = None, w_W: np.ndarray | None = None
    ) -> None:
        """Put it elsewhere, from its own zero; what is NaN or not given stays."""
        robot = self.robot
        here = ned(robot.p_WB - self.home_W)
        p = np.where(np.isnan(p_ned), here, p_ned)
        q = robot.q_WB_wxyz if np.isnan(q_ned).any() else quaternion_enu(q_ned)
        v = robot.v_WB_W.copy() if v_W is None else v_W
        w = robot.w_WB_W.copy() if w_W is None else w_W
        self.door.simulation.place(self.name, self.home_W + to_enu(p), q, v, w)
        self.look()
