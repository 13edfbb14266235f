"""The rest of the MRS system's hardware interface for one drone: what it can, how it is, who holds it, and what its
satellites and compass say; services arming and offboard, set_mass and set_ground_z.

A drone that stands is disarmed, as the original's, and obeys commands under hw_api only once it is armed and in
offboard; one that hovers when the run begins is both. Without commands for a second it leaves offboard. Values are
free of noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.bus.bus import Bus
from volery.bus.conversion import message_of
from volery.bus.publisher import Publisher
from volery.bus.running import Running
from volery.bus.services import Answer, ServiceServer
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat
from volery.core.geodesy import Origin
from volery.errors import VoleryError
from volery.robots.commands import Motors
from volery.robots.robot import Robot

__all__ = ["HwApi"]

_PERIOD_NS = SECOND // 10
"""Between two of its messages in simulated time [ns]."""
_STANDS = 0.6
"""A root so near above something stands on it [m]."""
_FIX_3D, _RTK_FIX = 3, 5
_TOPICS = {
    "status": "mrs_msgs/msg/HwApiStatus",
    "connected": "std_msgs/msg/Empty",
    "capabilities": "mrs_msgs/msg/HwApiCapabilities",
    "gnss": "sensor_msgs/msg/NavSatFix",
    "gnss_status": "mrs_msgs/msg/GpsInfo",
    "rtk": "mrs_msgs/msg/RtkGps",
    "altitude": "mrs_msgs/msg/HwApiAltitude",
    "mag_heading": "mrs_msgs/msg/Float64Stamped",
    "magnetic_field": "sensor_msgs/msg/MagneticField",
    "rc_channels": "mrs_msgs/msg/HwApiRcChannels",
    "battery_state": "sensor_msgs/msg/BatteryState",
}
_MODES = ("actuator", "attitude", "attitude_rate", "control_group", "acceleration_hdg_rate", "acceleration_hdg",
          "velocity_hdg_rate", "velocity_hdg", "position")  # fmt: skip
_GIVES = ("ground_truth", "gnss", "gnss_status", "rtk", "imu", "distance_sensor", "altitude", "magnetometer_heading",
          "rc_channels", "battery_state", "position", "orientation", "velocity", "angular_velocity", "odometry",
          "magnetic_field")  # fmt: skip


@dataclass
class HwApi:
    """Of one drone. `obeys` says whether commands count."""

    simulation: Running
    robot: Robot
    node: str
    """Such as /multirotor_simulator."""
    bus: Bus
    armed: bool = False
    offboard: bool = False
    publishers: dict[str, Publisher] = field(default_factory=dict)
    services: list[ServiceServer] = field(default_factory=list)
    _told_ns: int = -_PERIOD_NS

    def __post_init__(self) -> None:
        hits = self.simulation.environment.scene.cast(
            self.robot.p_WB, np.array([[0.0, 0.0, -1.0]]), max_range=_STANDS, ignore=self.robot.name
        )
        self.armed = self.offboard = not bool(hits.hit[0])
        root = f"/{self.robot.name}/hw_api"
        self.publishers = {f"{root}/{n}": self.bus.advertise(f"{root}/{n}", kind) for n, kind in _TOPICS.items()}
        own = f"{self.node}/{self.robot.name}"
        self.services = [
            self._serve(f"{root}/arming", "std_srvs/srv/SetBool", lambda r: self._arm(bool(r.data))),
            self._serve(f"{root}/offboard", "std_srvs/srv/Trigger", lambda r: self._enter()),
            self._serve(f"{own}/set_mass", "mrs_msgs/srv/Float64Srv", lambda r: self._set("mass", r.value)),
            self._serve(f"{own}/set_ground_z", "mrs_msgs/srv/Float64Srv", lambda r: self._set("floor", r.value)),
        ]

    @property
    def obeys(self) -> bool:
        """Whether commands under hw_api are followed."""
        return self.armed and self.offboard

    def silent(self) -> None:
        """No command came for a second."""
        self.offboard = False

    def __call__(self, now_ns: int) -> None:
        """Tell all of it, ten times a second."""
        if 0 <= now_ns - self._told_ns < _PERIOD_NS:
            return
        self._told_ns = now_ns
        for topic, publisher in self.publishers.items():
            fields = self._fields(topic.rsplit("/", 1)[1], now_ns) if publisher.wanted else None
            if fields is not None:
                publisher.put(message_of(publisher.message_type, fields, now_ns, f"{self.robot.name}/fcu"), now_ns)

    def close(self) -> None:
        """End it all."""
        parts: list[Publisher | ServiceServer] = [*self.publishers.values(), *self.services]
        for part in parts:
            part.close()

    # Services, in the loop

    def _serve(self, name: str, kind: str, work: Callable[[Any], str]) -> ServiceServer:
        def take(request: Any, answer: Answer) -> None:
            def act() -> None:
                try:
                    answer({"success": True, "message": work(request)})
                except VoleryError as error:
                    answer({"success": False, "message": str(error)})

            self.simulation.ask(act, name)

        return self.bus.serve(name, kind, take)

    def _arm(self, armed: bool) -> str:
        self.armed = armed
        if not armed:
            self.offboard = False
            self.simulation.command(self.robot.name, Motors(np.zeros(len(self._rotors))))
        return "armed" if armed else "disarmed"

    @property
    def _rotors(self) -> Any:
        block: Any = None if self.robot.file is None else self.robot.file.multirotor
        return block.rotors

    def _enter(self) -> str:
        if not self.armed:
            raise VoleryError("cannot switch to offboard, not armed")
        self.offboard = True
        return "offboard set"

    def _set(self, what: str, value: float) -> str:
        path = f"robots.{self.robot.name}.multirotor.mass" if what == "mass" else "engines.fleet.floor"
        self.simulation.set(path, float(value))
        return f"{path} is {value:g}"

    # What it tells

    def _fields(self, topic: str, now_ns: int) -> dict[str, Any] | None:
        robot, stamp = self.robot, {"stamp": now_ns}
        if topic == "connected":
            return {}
        if topic == "status":
            mode = "OFFBOARD" if self.offboard else "MANUAL"
            return {**stamp, "connected": True, "armed": self.armed, "offboard": self.offboard, "mode": mode}
        if topic == "capabilities":
            can = {f"accepts_{mode}_cmd": True for mode in _MODES} | {f"produces_{name}": True for name in _GIVES}
            can["produces_battery_state"] = self._battery() is not None
            return {**stamp, "api_name": "Volery", **can}
        if topic == "rc_channels":
            return {**stamp, "channels": [0.0] * 9}
        if topic == "battery_state":
            return self._battery()
        if topic in ("mag_heading", "magnetic_field"):
            return self._compass(topic)
        return self._place(topic, robot, stamp)

    def _place(self, topic: str, robot: Robot, stamp: dict[str, Any]) -> dict[str, Any]:
        sky = self.simulation.environment.sky
        latitude, longitude, height = Origin(sky.latitude, sky.longitude).geodetic(robot.p_WB)
        degrees = {"latitude": float(np.degrees(latitude)), "longitude": float(np.degrees(longitude))}
        if topic == "altitude":
            return {**stamp, "amsl": float(height)}
        if topic == "gnss_status":
            speed = float(np.hypot(*robot.v_WB_W[:2]))
            where = {"lat": degrees["latitude"], "lon": degrees["longitude"], "alt": float(height)}
            sure = {"fix_type": _FIX_3D, "satellites_visible": 12, "eph": 1, "epv": 1}
            return {**stamp, **where, **sure, "vel": speed, "alt_ellipsoid": float(height)}
        place = {**degrees, "altitude": float(height)}
        if topic == "rtk":
            return {"gps": place, "status": {"status": 2, "service": 1}, "fix_type": {"fix_type": _RTK_FIX}}
        return {**place, "status": {"status": 0, "service": 1}}

    def _compass(self, topic: str) -> dict[str, Any]:
        if topic == "mag_heading":
            # From north, clockwise [deg], as compasses tell it.
            heading = 90.0 - float(np.degrees(euler_from_quat(self.robot.q_WB_wxyz)[2]))
            return {"value": heading % 360.0}
        reading = self._reading("field")
        return {"magnetic_field": [0.0, 0.0, 0.0] if reading is None else reading["field"]}

    def _battery(self) -> dict[str, Any] | None:
        for sensor in self.simulation.sensors[self.robot.name].values():
            for output in sensor.outputs() or ():
                if output.type == _TOPICS["battery_state"] and sensor.latest is not None:
                    return dict(output.make(sensor.latest))
        return None

    def _reading(self, array: str) -> Any:
        for sensor in self.simulation.sensors[self.robot.name].values():
            if sensor.latest is not None and sensor.latest.ready and array in sensor.latest:
                return sensor.latest
        return None
