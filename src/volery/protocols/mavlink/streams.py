"""Which messages each peer is sent, and how often: simulated time, since sensors go by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from volery.core.clock import SECOND
from volery.protocols.mavlink.dialect import AUTOPILOT, CAMERA, GIMBAL, mav
from volery.protocols.mavlink.telemetry import MAKERS
from volery.protocols.mavlink.wire import Peer

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Streams"]

_ID = {name: number for number, name in ((c.id, c.msgname) for c in mav.mavlink_map.values())}
_DEFAULT = {
    "SYS_STATUS": 1.0, "EXTENDED_SYS_STATE": 2.0, "GPS_RAW_INT": 2.0, "GLOBAL_POSITION_INT": 5.0, "ATTITUDE": 10.0,
    "ATTITUDE_QUATERNION": 10.0, "LOCAL_POSITION_NED": 5.0, "VFR_HUD": 5.0, "ALTITUDE": 2.0, "BATTERY_STATUS": 1.0,
    "HOME_POSITION": 0.5, "MISSION_CURRENT": 1.0, "SYSTEM_TIME": 1.0, "NAV_CONTROLLER_OUTPUT": 1.0,
    "SERVO_OUTPUT_RAW": 1.0, "RC_CHANNELS": 1.0, "EKF_STATUS_REPORT": 1.0, "ESTIMATOR_STATUS": 1.0,
    "FENCE_STATUS": 1.0, "MOUNT_STATUS": 1.0, "GIMBAL_DEVICE_ATTITUDE_STATUS": 2.0, "GIMBAL_MANAGER_STATUS": 0.5,
    "POSITION_TARGET_LOCAL_NED": 1.0, "VIBRATION": 0.5,
}  # fmt: skip
"""What is sent unasked [Hz]."""
_ONE_SIDED = {"EKF_STATUS_REPORT": False, "MOUNT_STATUS": False, "ESTIMATOR_STATUS": True, "ALTITUDE": True}
"""Messages of one autopilot only: whether it is PX4."""
_GROUPS = {
    mav.MAV_DATA_STREAM_RAW_SENSORS: ("RAW_IMU", "SCALED_PRESSURE", "HIGHRES_IMU"),
    mav.MAV_DATA_STREAM_EXTENDED_STATUS: (
        "SYS_STATUS", "MISSION_CURRENT", "GPS_RAW_INT", "NAV_CONTROLLER_OUTPUT", "FENCE_STATUS",
    ),
    mav.MAV_DATA_STREAM_RC_CHANNELS: ("SERVO_OUTPUT_RAW", "RC_CHANNELS"),
    mav.MAV_DATA_STREAM_RAW_CONTROLLER: (),
    mav.MAV_DATA_STREAM_POSITION: ("GLOBAL_POSITION_INT", "LOCAL_POSITION_NED"),
    mav.MAV_DATA_STREAM_EXTRA1: ("ATTITUDE", "ATTITUDE_QUATERNION"),
    mav.MAV_DATA_STREAM_EXTRA2: ("VFR_HUD",),
    mav.MAV_DATA_STREAM_EXTRA3: (
        "SYSTEM_TIME", "BATTERY_STATUS", "EKF_STATUS_REPORT", "MOUNT_STATUS", "VIBRATION", "DISTANCE_SENSOR",
        "GIMBAL_DEVICE_ATTITUDE_STATUS",
    ),
}  # fmt: skip
"""ArduPilot's groups of REQUEST_DATA_STREAM; 0 is all."""
_COMPONENTS = {
    **dict.fromkeys(
        ("CAMERA_INFORMATION", "CAMERA_SETTINGS", "STORAGE_INFORMATION", "CAMERA_CAPTURE_STATUS"), CAMERA
    ),
    "GIMBAL_DEVICE_ATTITUDE_STATUS": GIMBAL, "GIMBAL_DEVICE_INFORMATION": GIMBAL,
}  # fmt: skip
"""Who says what, if it is not the autopilot."""


class Streams:
    """The streams of one vehicle."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self._vehicle = vehicle
        self._makers = {_ID[n]: m for n, m in MAKERS.items() if _ONE_SIDED.get(n, vehicle.px4) == vehicle.px4}
        self._names = {number: name for name, number in _ID.items() if number in self._makers}
        self._usual = {_ID[n]: round(SECOND / hz) for n, hz in _DEFAULT.items() if _ID[n] in self._makers}
        self._begun: set[Peer] = set()

    def step(self) -> None:
        """After a step: send all that is due; each message is made once for all."""
        now, made = self._vehicle.simulation.clock.now_ns, {}
        for peer in self._vehicle.wire.peers if self._vehicle.wire is not None else ():
            if peer not in self._begun:
                self._begun.add(peer)
                peer.intervals = {**self._usual, **peer.intervals}
            for number, interval in peer.intervals.items():
                due = peer.due.get(number, now)
                if now < due and due - now <= interval:
                    continue
                peer.due[number] = max(due + interval, now + 1) if now - due < interval else now + interval
                if number not in made:
                    made[number] = self._make(number)
                for message in made[number]:
                    self._vehicle.send(message, self._component(number), peer)

    def ask(self, peer: Peer, number: int, interval_us: float) -> bool:
        """SET_MESSAGE_INTERVAL: 0 as usual, -1 never; whether there is such a message."""
        if number == mav.MAVLINK_MSG_ID_HEARTBEAT:
            return True
        if number not in self._makers or interval_us < -1:
            return False
        peer.due.pop(number, None)
        if interval_us == 0:
            interval_us = self._usual.get(number, -1000) / 1000
        intervals = dict(peer.intervals)
        if interval_us < 0:
            intervals.pop(number, None)
        else:
            intervals[number] = max(round(interval_us * 1000), self._vehicle.simulation.clock.step_ns)
        peer.intervals = intervals
        return True

    def ask_group(self, peer: Peer, group: int, rate: float) -> None:
        """REQUEST_DATA_STREAM, the older way: a rate for a group [Hz], 0 for none."""
        for name in (n for g, names in _GROUPS.items() if group in (0, g) for n in names):
            self.ask(peer, _ID[name], 1e6 / rate if rate > 0 else -1)

    def interval_us(self, peer: Peer, number: int) -> int:
        """MESSAGE_INTERVAL: -1 not sent, 0 not known."""
        if number not in self._makers:
            return 0
        return peer.intervals[number] // 1000 if number in peer.intervals else -1

    def tell(self, number: int, peer: Peer | None) -> bool:
        """Send a message now; whether there is such a one here."""
        made = self._make(number) if number in self._makers else []
        for message in made:
            self._vehicle.send(message, self._component(number), peer)
        return bool(made)

    def _make(self, number: int) -> list[Any]:
        found = self._makers[number](self._vehicle)
        return [] if found is None else found if isinstance(found, list) else [found]

    def _component(self, number: int) -> int:
        return _COMPONENTS.get(self._names[number], AUTOPILOT)
