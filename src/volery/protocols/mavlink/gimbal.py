"""The gimbal: pan and tilt of the robot's camera, held level and to the north as asked, or on a place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import quat_from_euler
from volery.protocols.mavlink.dialect import AUTOPILOT, GIMBAL, mav
from volery.protocols.mavlink.earth import yaw_ned
from volery.protocols.mavlink.pilots import heading_of, wrap
from volery.sensors.camera import Camera

if TYPE_CHECKING:
    from volery.protocols.mavlink.commands import MavCommand
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Gimbal"]

_CAN = (
    mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_NEUTRAL | mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_PITCH_AXIS
    | mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_YAW_AXIS | mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_YAW_FOLLOW
    | mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_YAW_LOCK | mav.GIMBAL_MANAGER_CAP_FLAGS_CAN_POINT_LOCATION_GLOBAL
)  # fmt: skip


class Gimbal:
    """Where the camera looks: pitch up and yaw clockwise [rad], from the nose, or from north when locked."""

    def __init__(self, vehicle: MavlinkVehicle, camera: Camera) -> None:
        self._vehicle, self._camera = vehicle, camera
        self.pitch = self.yaw = 0.0
        self.lock = False
        self._rates = (0.0, 0.0)
        self._roi_W: np.ndarray | None = None
        self._told: tuple[float, float] | None = None
        self._used = False

    def perform(self, o: MavCommand) -> bool:
        """A command; whether it was done."""
        if o.command == mav.MAV_CMD_DO_MOUNT_CONTROL:
            if int(o.z) == mav.MAV_MOUNT_MODE_MAVLINK_TARGETING:
                return self.point(math.radians(o.p1), math.radians(o.p3), lock=False)
            return self.point(0.0, 0.0, lock=False)
        if o.command == mav.MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW:
            lock = bool(int(o.x) & mav.GIMBAL_MANAGER_FLAGS_YAW_LOCK)
            angles = (math.radians(o.p1), math.radians(o.p2), math.radians(o.p3), math.radians(o.p4))
            return self.steer(*angles, lock=lock)
        if o.command in (mav.MAV_CMD_DO_SET_ROI, mav.MAV_CMD_DO_SET_ROI_LOCATION):
            self._roi_W = self._vehicle.earth.place(o.frame, *o.place, o.z, self._vehicle.robot)
            self._used = True
        elif o.command == mav.MAV_CMD_DO_SET_ROI_NONE:
            return self.point(0.0, 0.0, lock=False)
        return True

    def point(self, pitch: float, yaw: float, *, lock: bool) -> bool:
        """Look there [rad]."""
        return self.steer(pitch, yaw, math.nan, math.nan, lock=lock)

    def steer(self, pitch: float, yaw: float, pitch_rate: float, yaw_rate: float, *, lock: bool) -> bool:
        """Look there [rad], or turn at rates [rad/s]; NaN: not told."""
        told = (pitch, yaw, pitch_rate, yaw_rate)
        if any(map(math.isinf, told)) or all(map(math.isnan, told)):
            return False
        if lock != self.lock:
            nose = yaw_ned(heading_of(self._vehicle.robot))
            self.yaw = wrap(self.yaw + (nose if lock else -nose))
        self.lock, self._roi_W, self._used = lock, None, True
        self.pitch = self.pitch if math.isnan(pitch) else pitch
        self.yaw = self.yaw if math.isnan(yaw) else wrap(yaw)
        self._rates = (0.0 if math.isnan(pitch_rate) else pitch_rate, 0.0 if math.isnan(yaw_rate) else yaw_rate)
        return True

    def step(self) -> None:
        """Turn the camera; a locked yaw and a place are held while the robot turns. The mount's pitch is steadied."""
        if not self._used:
            return
        vehicle = self._vehicle
        dt = vehicle.simulation.clock.step_ns * 1e-9
        nose = yaw_ned(heading_of(vehicle.robot))
        if self._roi_W is not None:
            east, north, up = self._roi_W - self._camera.X_WS[:, 3]
            self.pitch, self.yaw, self.lock = math.atan2(up, math.hypot(east, north)), math.atan2(east, north), True
        else:
            c = self._camera.config
            low, high = (math.radians(a) for a in c.tilt_range_deg)
            self.pitch = min(max(self.pitch + self._rates[0] * dt, low), high)
            self.yaw = wrap(self.yaw + self._rates[1] * dt)
        pan, tilt = self._aim(nose)
        if self._told is None or abs(pan - self._told[0]) + abs(tilt - self._told[1]) > 1e-3:
            vehicle.simulation.operate(vehicle.name, self._camera.name, "aim", pan, tilt)
            self._told = (pan, tilt)

    def _aim(self, nose: float) -> tuple[float, float]:
        """Pan to the left and tilt up against the mount [deg] that look there from the robot's attitude of now."""
        level = wrap(self.yaw if self.lock else self.yaw + nose)
        flat = math.cos(self.pitch)
        way_W = np.array([flat * math.sin(level), flat * math.cos(level), math.sin(self.pitch)])
        x, y, z = self._camera.X_WS[:, :3].T @ way_W
        return math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y)))

    # What it tells of itself

    def _from_nose(self) -> float:
        return wrap(self.yaw - yaw_ned(heading_of(self._vehicle.robot))) if self.lock else self.yaw

    def heartbeat(self) -> Any:
        """Of the component."""
        return mav.MAVLink_heartbeat_message(
            mav.MAV_TYPE_GIMBAL, mav.MAV_AUTOPILOT_INVALID, 0, 0, mav.MAV_STATE_ACTIVE, 3
        )

    def information(self) -> Any:
        """GIMBAL_MANAGER_INFORMATION."""
        return mav.MAVLink_gimbal_manager_information_message(self._vehicle.now_ms, _CAN, GIMBAL, *self._ranges())

    def _ranges(self) -> tuple[float, ...]:
        """Roll, pitch and yaw, least and most [rad]."""
        c = self._camera.config
        low, high = (math.radians(a) for a in c.tilt_range_deg)
        left, right = (-math.radians(a) for a in c.pan_range_deg)
        return 0.0, 0.0, low, high, right, left

    def status(self) -> Any:
        """GIMBAL_MANAGER_STATUS: whoever asks has it."""
        flags = mav.GIMBAL_MANAGER_FLAGS_YAW_LOCK if self.lock else 0
        return mav.MAVLink_gimbal_manager_status_message(
            self._vehicle.now_ms, flags, GIMBAL, self._vehicle.system, AUTOPILOT, 0, 0
        )

    def device(self) -> Any:
        """GIMBAL_DEVICE_INFORMATION."""
        name = self._camera.name.encode("ascii", "replace")
        return mav.MAVLink_gimbal_device_information_message(
            self._vehicle.now_ms, b"Volery", name, name, 1, 1, self._vehicle.system, _CAN & 0xFFFF, 0, *self._ranges()
        )

    def attitude(self) -> Any:
        """GIMBAL_DEVICE_ATTITUDE_STATUS."""
        flags = mav.GIMBAL_DEVICE_FLAGS_ROLL_LOCK | mav.GIMBAL_DEVICE_FLAGS_PITCH_LOCK
        flags |= mav.GIMBAL_DEVICE_FLAGS_YAW_LOCK if self.lock else 0
        q = quat_from_euler(np.array([0.0, self.pitch, self.yaw])).tolist()
        return mav.MAVLink_gimbal_device_attitude_status_message(0, 0, self._vehicle.now_ms, flags, q, 0.0, 0.0, 0.0, 0)

    def mount(self) -> Any:
        """MOUNT_STATUS: the older message, in hundredths of a degree."""
        pitch, yaw = (round(math.degrees(a) * 100) for a in (self.pitch, self._from_nose()))
        return mav.MAVLink_mount_status_message(0, 0, pitch, 0, yaw)
