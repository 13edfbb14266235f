"""What a vehicle tells of itself: one function a message, from the simulation's truth and the robot's sensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import euler_from_quat, ned_from_enu, q_ned_frd_from_enu_flu
from volery.protocols.mavlink.dialect import mav
from volery.protocols.mavlink.earth import yaw_ned
from volery.protocols.mavlink.pilots import heading_of
from volery.protocols.mavlink.telemetry_sensors import SENSOR_MAKERS

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["MAKERS"]

_CAPABLE = (
    mav.MAV_PROTOCOL_CAPABILITY_MISSION_FLOAT | mav.MAV_PROTOCOL_CAPABILITY_MISSION_INT
    | mav.MAV_PROTOCOL_CAPABILITY_COMMAND_INT | mav.MAV_PROTOCOL_CAPABILITY_SET_POSITION_TARGET_LOCAL_NED
    | mav.MAV_PROTOCOL_CAPABILITY_SET_POSITION_TARGET_GLOBAL_INT | mav.MAV_PROTOCOL_CAPABILITY_SET_ATTITUDE_TARGET
    | mav.MAV_PROTOCOL_CAPABILITY_MAVLINK2 | mav.MAV_PROTOCOL_CAPABILITY_MISSION_FENCE
    | mav.MAV_PROTOCOL_CAPABILITY_MISSION_RALLY | mav.MAV_PROTOCOL_CAPABILITY_FLIGHT_TERMINATION
)  # fmt: skip
_VERSIONS = {"ardupilot": (4, 5, 7, 255), "px4": (1, 15, 0, 255)}
"""Of the firmware whose language is spoken."""
_HEALTHY = (
    mav.MAV_SYS_STATUS_SENSOR_3D_GYRO | mav.MAV_SYS_STATUS_SENSOR_3D_ACCEL | mav.MAV_SYS_STATUS_SENSOR_3D_MAG
    | mav.MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE | mav.MAV_SYS_STATUS_SENSOR_GPS
    | mav.MAV_SYS_STATUS_SENSOR_ATTITUDE_STABILIZATION | mav.MAV_SYS_STATUS_SENSOR_YAW_POSITION
    | mav.MAV_SYS_STATUS_SENSOR_Z_ALTITUDE_CONTROL | mav.MAV_SYS_STATUS_SENSOR_XY_POSITION_CONTROL
    | mav.MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS | mav.MAV_SYS_STATUS_AHRS | mav.MAV_SYS_STATUS_SENSOR_BATTERY
    | mav.MAV_SYS_STATUS_PREARM_CHECK | mav.MAV_SYS_STATUS_SENSOR_RC_RECEIVER
)  # fmt: skip
_ESTIMATES = 0x33F
"""Bits of estimators: attitude, velocities and positions, all of them good, relative and absolute."""


def battery_of(vehicle: MavlinkVehicle) -> tuple[float, float, float]:
    """Voltage [V], current [A] and share left, of the robot's sensor or its engine."""
    for sensor in vehicle.simulation.sensors[vehicle.name].values():
        if sensor.latest is not None and {"voltage", "charge", "power"} <= set(getattr(sensor, "noisy", ())):
            data = sensor.latest.data
            voltage = float(data["voltage"][0])
            return voltage, float(data["power"][0]) / max(voltage, 1e-3), float(data["charge"][0])
    pack = vehicle.robot.file.multirotor.battery if vehicle.robot.file and vehicle.robot.file.multirotor else None
    charge = getattr(vehicle.simulation.engine_of(vehicle.name), "charge", None)
    if pack is None or not callable(charge):
        return 16.0, vehicle.robot.power / 16.0, 1.0
    share = float(charge(vehicle.name))
    voltage = pack.cells * (pack.empty_voltage + (pack.full_voltage - pack.empty_voltage) * share)
    return voltage, vehicle.robot.power / voltage, share


def _sys_status(v: MavlinkVehicle) -> Any:
    voltage, current, share = battery_of(v)
    healthy = _HEALTHY & ~(mav.MAV_SYS_STATUS_PREARM_CHECK if v.crashed else 0)
    return mav.MAVLink_sys_status_message(
        _HEALTHY, _HEALTHY, healthy, 200, min(round(voltage * 1000), 65_535), min(round(current * 100), 32_767),
        round(share * 100), 0, 0, 0, 0, 0, 0,
    )  # fmt: skip


def _battery(v: MavlinkVehicle) -> Any:
    voltage, current, share = battery_of(v)
    cells = [min(round(voltage * 1000), 65_534)] + [65_535] * 9
    return mav.MAVLink_battery_status_message(
        0, 0, 1, 32_767, cells, min(round(current * 100), 32_767), -1, -1, round(share * 100)
    )


def _extended(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_extended_sys_state_message(mav.MAV_VTOL_STATE_UNDEFINED, v.landed_state)


def _heading_cdeg(v: MavlinkVehicle) -> int:
    return round(math.degrees(yaw_ned(heading_of(v.robot))) % 360.0 * 100) % 36_000


def _relative(v: MavlinkVehicle) -> float:
    """Height over home [m]."""
    return v.earth.geodetic(v.robot.p_WB)[2] - v.earth.geodetic(v.earth.home_W)[2]


def _global_position(v: MavlinkVehicle) -> Any:
    latitude, longitude, height = v.earth.whole(v.robot.p_WB)
    speed = [_short(x * 100) for x in ned_from_enu(v.robot.v_WB_W)]
    return mav.MAVLink_global_position_int_message(
        v.now_ms, latitude, longitude, height, round(_relative(v) * 1000), *speed, _heading_cdeg(v)
    )


def _short(x: float) -> int:
    return round(min(max(x, -32_767.0), 32_767.0))


def _local_position(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_local_position_ned_message(
        v.now_ms, *v.earth.local(v.robot.p_WB).tolist(), *ned_from_enu(v.robot.v_WB_W).tolist()
    )


def _angles(v: MavlinkVehicle) -> np.ndarray:
    """Roll, pitch, yaw as NED has them [rad]."""
    return euler_from_quat(q_ned_frd_from_enu_flu(v.robot.q_WB_wxyz))


def _attitude(v: MavlinkVehicle) -> Any:
    rates = v.earth.in_body(v.robot, v.robot.w_WB_W).tolist()
    return mav.MAVLink_attitude_message(v.now_ms, *_angles(v).tolist(), *rates)


def _quaternion(v: MavlinkVehicle) -> Any:
    q = q_ned_frd_from_enu_flu(v.robot.q_WB_wxyz).tolist()
    rates = v.earth.in_body(v.robot, v.robot.w_WB_W).tolist()
    return mav.MAVLink_attitude_quaternion_message(v.now_ms, *q, *rates)


def _odometry(v: MavlinkVehicle) -> Any:
    nothing = [math.nan] + [0.0] * 20
    return mav.MAVLink_odometry_message(
        v.simulation.clock.now_ns // 1000, mav.MAV_FRAME_LOCAL_NED, mav.MAV_FRAME_BODY_FRD,
        *v.earth.local(v.robot.p_WB).tolist(), q_ned_frd_from_enu_flu(v.robot.q_WB_wxyz).tolist(),
        *v.earth.in_body(v.robot, v.robot.v_WB_W).tolist(), *v.earth.in_body(v.robot, v.robot.w_WB_W).tolist(),
        nothing, nothing,
    )  # fmt: skip


def _hud(v: MavlinkVehicle) -> Any:
    robot = v.robot
    ground = math.hypot(robot.v_WB_W[0], robot.v_WB_W[1])
    wind = v.simulation.environment.wind
    air = float(np.linalg.norm(robot.v_WB_W - np.array(wind.steady)))
    height = v.earth.geodetic(robot.p_WB)[2]
    return mav.MAVLink_vfr_hud_message(
        air, ground, _heading_cdeg(v) // 100, round(100 * _throttle(v)), height, float(robot.v_WB_W[2])
    )


def _throttle(v: MavlinkVehicle) -> float:
    """Mean of the motors, 0 to 1."""
    outputs = motor_outputs(v)
    return sum(outputs) / len(outputs) if outputs else 0.0


def motor_outputs(v: MavlinkVehicle) -> list[float]:
    """Speed of each motor as a share of its most, 0 to 1; none where it is not known."""
    file, robot = v.robot.file, v.robot
    if file is None or file.multirotor is None:
        return []
    most = file.multirotor.most_rpm * 2 * math.pi / 60
    found = []
    for rotor in file.multirotor.rotors:
        joints = [i for i, j in enumerate(robot.description.joints) if robot.description.bodies[j.body] == rotor.body]
        found.append(min(abs(float(robot.joint_velocities[joints[0]])) / most, 1.0) if joints else 0.0)
    return found


def _servos(v: MavlinkVehicle) -> Any:
    pwm = [1000 + round(1000 * x) for x in motor_outputs(v)][:8]
    return mav.MAVLink_servo_output_raw_message(
        v.simulation.clock.now_ns // 1000 & 0xFFFFFFFF, 0, *pwm, *[0] * (8 - len(pwm))
    )


def _rc(v: MavlinkVehicle) -> Any:
    sticks = v.sticks
    raw = [1500, 1500, 1500, 1500] if sticks is None else [
        round(1500 + 500 * x) for x in (sticks[1], -sticks[0], sticks[2], sticks[3])
    ]  # fmt: skip
    return mav.MAVLink_rc_channels_message(v.now_ms, 4, *raw, *[65_535] * 14, 255)


def _altitude(v: MavlinkVehicle) -> Any:
    height = v.earth.geodetic(v.robot.p_WB)[2]
    clear = v.pilot.height if v.pilot.flies else 0.0
    local = -float(v.earth.local(v.robot.p_WB)[2])
    return mav.MAVLink_altitude_message(
        v.simulation.clock.now_ns // 1000, height, height, local, _relative(v), height - clear, clear
    )


def _home(v: MavlinkVehicle) -> Any:
    home = v.earth.home_W
    local = v.earth.local(home).tolist()
    now = v.simulation.clock.now_ns // 1000
    return mav.MAVLink_home_position_message(*v.earth.whole(home), *local, [1.0, 0.0, 0.0, 0.0], 0.0, 0.0, 0.0, now)


def _gps_origin(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_gps_global_origin_message(*v.earth.whole(v.earth.start_W), v.simulation.clock.now_ns // 1000)


def _mission_current(v: MavlinkVehicle) -> Any:
    mode = 1 if v.mission.active else 2
    current = min(v.mission.current, max(len(v.plans.mission) - 1, 0))
    return mav.MAVLink_mission_current_message(current, v.mission.count, v.mission.state, mode)


def _system_time(v: MavlinkVehicle) -> Any:
    unix = v.simulation.environment.sky.time(v.simulation.clock.now_ns).timestamp()
    return mav.MAVLink_system_time_message(round(unix * 1e6), v.now_ms)


def _target(v: MavlinkVehicle) -> np.ndarray | None:
    return v.target.p_W if v.target is not None and v.target.p_W is not None else None


def _navigation(v: MavlinkVehicle) -> Any:
    roll, pitch, yaw = np.degrees(_angles(v)).tolist()
    goal = _target(v)
    way = np.zeros(3) if goal is None else np.nan_to_num(goal - v.robot.p_WB)
    bearing = round(math.degrees(math.atan2(way[0], way[1])))
    distance = min(round(math.hypot(way[0], way[1])), 65_535)
    return mav.MAVLink_nav_controller_output_message(
        roll, pitch, round(yaw), bearing, distance, float(way[2]), 0.0, 0.0
    )


def _position_target(v: MavlinkVehicle) -> Any:
    goal = _target(v)
    if goal is None or not np.isfinite(goal).all():
        return None
    return mav.MAVLink_position_target_local_ned_message(
        v.now_ms, mav.MAV_FRAME_LOCAL_NED, 0xFF8, *v.earth.local(goal).tolist(), 0, 0, 0, 0, 0, 0, 0, 0
    )


def _ekf(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_ekf_status_report_message(_ESTIMATES, 0.01, 0.01, 0.01, 0.01, 0.0)


def _estimator(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_estimator_status_message(
        v.simulation.clock.now_ns // 1000, _ESTIMATES, 0.01, 0.01, 0.01, 0.01, 0.0, 0.0, 0.1, 0.1
    )


def _fence(v: MavlinkVehicle) -> Any:
    f = v.fence
    if not f.active:
        return None
    return mav.MAVLink_fence_status_message(int(bool(f.breached)), min(f.count, 65_535), f.breached, f.since_ms)


def _version(v: MavlinkVehicle) -> Any:
    major, minor, patch, kind = _VERSIONS[v.settings.autopilot]
    encoding = mav.MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE if v.px4 else (
        mav.MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_C_CAST | mav.MAV_PROTOCOL_CAPABILITY_PARAM_FLOAT
    )  # fmt: skip
    version = major << 24 | minor << 16 | patch << 8 | kind
    return mav.MAVLink_autopilot_version_message(
        _CAPABLE | encoding, version, 0, 0, 0, list(b"volery\0\0"), [0] * 8, [0] * 8, 0, 0, v.system
    )


def _heartbeat(v: MavlinkVehicle) -> Any:
    return v.heartbeat()


def _of_camera(name: str) -> Callable[[MavlinkVehicle], Any]:
    return lambda v: None if v.camera is None else getattr(v.camera, name)()


def _of_gimbal(name: str) -> Callable[[MavlinkVehicle], Any]:
    return lambda v: None if v.gimbal is None else getattr(v.gimbal, name)()


MAKERS: dict[str, Callable[[MavlinkVehicle], Any]] = {
    "HEARTBEAT": _heartbeat, "SYS_STATUS": _sys_status, "BATTERY_STATUS": _battery, "EXTENDED_SYS_STATE": _extended,
    "GLOBAL_POSITION_INT": _global_position, "LOCAL_POSITION_NED": _local_position, "ATTITUDE": _attitude,
    "ATTITUDE_QUATERNION": _quaternion, "ODOMETRY": _odometry, "VFR_HUD": _hud, "SERVO_OUTPUT_RAW": _servos,
    "RC_CHANNELS": _rc, "ALTITUDE": _altitude, "HOME_POSITION": _home, "GPS_GLOBAL_ORIGIN": _gps_origin,
    "MISSION_CURRENT": _mission_current, "SYSTEM_TIME": _system_time, "NAV_CONTROLLER_OUTPUT": _navigation,
    "POSITION_TARGET_LOCAL_NED": _position_target, "EKF_STATUS_REPORT": _ekf, "ESTIMATOR_STATUS": _estimator,
    "FENCE_STATUS": _fence, "AUTOPILOT_VERSION": _version,
    "CAMERA_INFORMATION": _of_camera("information"), "CAMERA_SETTINGS": _of_camera("settings"),
    "STORAGE_INFORMATION": _of_camera("storage"), "CAMERA_CAPTURE_STATUS": _of_camera("status"),
    "CAMERA_IMAGE_CAPTURED": _of_camera("captured"),
    "GIMBAL_MANAGER_INFORMATION": _of_gimbal("information"), "GIMBAL_MANAGER_STATUS": _of_gimbal("status"),
    "GIMBAL_DEVICE_ATTITUDE_STATUS": _of_gimbal("attitude"), "GIMBAL_DEVICE_INFORMATION": _of_gimbal("device"),
    "MOUNT_STATUS": _of_gimbal("mount"), **SENSOR_MAKERS,
}  # fmt: skip
"""Makers of messages by name; None: this vehicle has nothing to tell."""
