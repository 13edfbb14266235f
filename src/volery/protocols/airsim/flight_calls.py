"""Calls that fly: each begins a task, and is answered when the task ends."""

from __future__ import annotations

import math
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.errors import SimulationError
from volery.protocols.airsim import manoeuvres as m
from volery.protocols.airsim.arguments import (
    YawMode,
    drivetrain,
    finite,
    finite_vector,
    many,
    mapping,
    number,
    numbers,
    rpc,
    text,
    whole,
    yaw_mode,
)
from volery.protocols.airsim.drone import AirSimDrone, neutral_rc
from volery.protocols.airsim.ned import flu, to_enu
from volery.protocols.airsim.paths import PERIOD, lookahead_of
from volery.protocols.airsim.steering import Nose, heading

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

_TAKEOFF = 2.0
"""Height of a takeoff [m]."""
_GENTLE = 0.5
"""Speed of takeoff and of the way home [m/s]."""
_STANDS = 0.05
_KEEP = YawMode(True, 0.0)
_FASTEST = 30.0
"""A velocity beyond this is refused [m/s]."""


def _at(drone: AirSimDrone, ned_point: np.ndarray | list[float]) -> np.ndarray:
    """A point from a drone's own zero, in W."""
    return drone.home_W + to_enu(np.asarray(ned_point, float))


def _checked_speed(speed: float) -> float:
    if not 0.0 < speed <= _FASTEST:
        raise SimulationError(f"a velocity of {speed:g} m/s must be above 0 and at most {_FASTEST:g}")
    return speed


def _way(
    door: AirSim, drone: AirSimDrone, points: np.ndarray, speed: float, timeout: float, ahead: bool, mode: YawMode,
    lookahead: float, adaptive: float,
) -> Future[Any]:  # fmt: skip
    """Fly through points, from the drone's own zero, NED [n, 3]."""
    if ahead and mode.is_rate:
        raise SimulationError("ForwardOnly needs a yaw angle: yaw_mode.is_rate must be false on a path")
    if lookahead == 0.0 or (lookahead > 0.0 and lookahead < max(speed * PERIOD, 0.5)):
        raise SimulationError(f"lookahead {lookahead:g} m is too small: -1 chooses it, else at least 0.5 m")
    window = lookahead if lookahead > 0.0 else lookahead_of(speed, adaptive > 0.0)
    _refuse_far(points)
    way = m.OnWay(drone, _at(drone, points), speed, window, Nose(mode, ahead), timeout, adaptive)
    return drone.begin(way, door.caller)


def _refuse_far(points: np.ndarray) -> None:
    if not np.isfinite(points).all() or np.abs(points).max(initial=0.0) > 1e5:
        raise SimulationError("a point to fly to is NaN or farther than 100 km")


def _over(duration: float, result: bool = True) -> Future[Any] | None:
    """The answer of a command without time."""
    if duration > 0.0:
        return None
    future: Future[Any] = Future()
    future.set_result(result)
    return future


# Up, down and home


@rpc("takeoff", number, text)
def takeoff(door: AirSim, timeout: float, vehicle: str) -> Future[Any]:
    """Straight up by 2 m."""
    drone = door.drone(vehicle)
    speed = float(np.linalg.norm(drone.robot.v_WB_W))
    if speed > _STANDS and drone.flying and not drone.cannot_fly():
        raise SimulationError(f"cannot take off: the vehicle is moving at {speed:.2f} m/s")
    goal = drone.robot.p_WB + [0.0, 0.0, _TAKEOFF]
    return drone.begin(m.OnWay(drone, goal[None], _GENTLE, 0.75, Nose(_KEEP, False), timeout), door.caller)


@rpc("land", number, text)
def land(door: AirSim, timeout: float, vehicle: str) -> Future[Any]:
    """Down to the ground."""
    drone = door.drone(vehicle)
    return drone.begin(m.Landing(drone, timeout), door.caller)


@rpc("goHome", number, text)
def go_home(door: AirSim, timeout: float, vehicle: str) -> Future[Any]:
    """Back to the drone's zero."""
    return _way(door, door.drone(vehicle), np.zeros((1, 3)), _GENTLE, timeout, False, _KEEP, -1.0, 1.0)


@rpc("hover", text)
def hover(door: AirSim, vehicle: str) -> bool:
    """Stop and stay."""
    drone = door.drone(vehicle)
    drone.cancel()
    if drone.flying:
        drone.hold()
    return not drone.cannot_fly()


# By velocity


def _by_velocity(
    door: AirSim, vehicle: str, v_ned: list[float], duration: float, ahead: bool, mode: YawMode, *,
    z: float | None = None, body: bool = False,
) -> Future[Any]:  # fmt: skip
    drone = door.drone(vehicle)
    if (over := _over(duration, z is None or body)) is not None:
        drone.cancel()
        return over
    v = to_enu(np.array(v_ned))
    if body:
        yaw = heading(drone.robot)
        c, s = math.cos(yaw), math.sin(yaw)
        v = np.array([c * v_ned[0] + s * v_ned[1], s * v_ned[0] - c * v_ned[1], -v_ned[2]])
    if np.linalg.norm(v) > _FASTEST:
        raise SimulationError(f"a velocity of {np.linalg.norm(v):g} m/s is more than {_FASTEST:g}")
    height = None if z is None else float(_at(drone, [0.0, 0.0, z])[2])
    return drone.begin(m.AtVelocity(drone, v, duration, Nose(mode, ahead), height), door.caller)


@rpc("moveByVelocity", finite, finite, finite, number, drivetrain, yaw_mode, text)
def by_velocity(
    door: AirSim, vx: float, vy: float, vz: float, t: float, ahead: bool, mode: YawMode, v: str
) -> Future[Any]:
    """At a velocity, NED."""
    return _by_velocity(door, v, [vx, vy, vz], t, ahead, mode)


@rpc("moveByVelocityZ", finite, finite, finite, number, drivetrain, yaw_mode, text)
def by_velocity_z(
    door: AirSim, vx: float, vy: float, z: float, t: float, ahead: bool, mode: YawMode, v: str
) -> Future[Any]:
    """At a level velocity and a height."""
    return _by_velocity(door, v, [vx, vy, 0.0], t, ahead, mode, z=z)


@rpc("moveByVelocityBodyFrame", finite, finite, finite, number, drivetrain, yaw_mode, text)
def by_own_velocity(
    door: AirSim, vx: float, vy: float, vz: float, t: float, ahead: bool, mode: YawMode, v: str
) -> Future[Any]:
    """At a velocity by the heading at the start."""
    return _by_velocity(door, v, [vx, vy, vz], t, ahead, mode, body=True)


@rpc("moveByVelocityZBodyFrame", finite, finite, finite, number, drivetrain, yaw_mode, text)
def by_own_velocity_z(
    door: AirSim, vx: float, vy: float, z: float, t: float, ahead: bool, mode: YawMode, v: str
) -> Future[Any]:
    """At a level velocity by the heading at the start, and a height."""
    return _by_velocity(door, v, [vx, vy, 0.0], t, ahead, mode, z=z, body=True)


# To places


@rpc("moveToPosition", finite, finite, finite, finite, number, drivetrain, yaw_mode, finite, finite, text)
def to_position(
    door: AirSim, x: float, y: float, z: float, speed: float, timeout: float, ahead: bool, mode: YawMode,
    lookahead: float, adaptive: float, vehicle: str,
) -> Future[Any]:  # fmt: skip
    """To a point."""
    drone = door.drone(vehicle)
    return _way(door, drone, np.array([[x, y, z]]), _checked_speed(speed), timeout, ahead, mode, lookahead, adaptive)


@rpc("moveToGPS", finite, finite, finite, finite, number, drivetrain, yaw_mode, finite, finite, text)
def to_gps(
    door: AirSim, latitude: float, longitude: float, altitude: float, speed: float, timeout: float, ahead: bool,
    mode: YawMode, lookahead: float, adaptive: float, vehicle: str,
) -> Future[Any]:  # fmt: skip
    """To a place on Earth."""
    drone = door.drone(vehicle)
    p_W = door.place_of(latitude, longitude, altitude)
    goal = to_enu(p_W - drone.home_W)[None]
    return _way(door, drone, goal, _checked_speed(speed), timeout, ahead, mode, lookahead, adaptive)


@rpc("moveToZ", finite, finite, number, yaw_mode, finite, finite, text)
def to_z(
    door: AirSim, z: float, speed: float, timeout: float, mode: YawMode, lookahead: float, adaptive: float, vehicle: str
) -> Future[Any]:
    """To a height."""
    drone = door.drone(vehicle)
    here = to_enu(drone.robot.p_WB - drone.home_W)
    goal = np.array([[here[0], here[1], z]])
    return _way(door, drone, goal, _checked_speed(speed), timeout, False, mode, lookahead, adaptive)


@rpc("moveOnPath", many(finite_vector), finite, number, drivetrain, yaw_mode, finite, finite, text)
def on_path(
    door: AirSim, path: list[np.ndarray], speed: float, timeout: float, ahead: bool, mode: YawMode, lookahead: float,
    adaptive: float, vehicle: str,
) -> Future[Any] | None:  # fmt: skip
    """Through points."""
    drone = door.drone(vehicle)
    if not path:
        return _over(0.0)
    return _way(door, drone, np.array(path), _checked_speed(speed), timeout, ahead, mode, lookahead, adaptive)


# Turning


@rpc("rotateToYaw", finite, number, finite, text)
def to_yaw(door: AirSim, yaw: float, timeout: float, margin: float, vehicle: str) -> Future[Any]:
    """Turn on the spot to a heading [deg]."""
    drone = door.drone(vehicle)
    return drone.begin(m.ToYaw(drone, math.radians(yaw), math.radians(max(margin, 0.2)), timeout), door.caller)


@rpc("rotateByYawRate", finite, number, text)
def by_yaw_rate(door: AirSim, rate: float, duration: float, vehicle: str) -> Future[Any]:
    """Turn on the spot at a rate [deg/s]."""
    drone = door.drone(vehicle)
    return _over(duration) or drone.begin(m.Turning(drone, -math.radians(rate), duration), door.caller)


# By attitude, rates and motors


def _by_angles(door: AirSim, vehicle: str, roll: float, pitch: float, duration: float, **how: Any) -> Future[Any]:
    drone = door.drone(vehicle)
    if how.get("z") is not None:
        how["z"] = float(_at(drone, [0.0, 0.0, how["z"]])[2])
    return _over(duration) or drone.begin(m.ByAngles(drone, roll, pitch, duration, **how), door.caller)


@rpc("moveByRollPitchYawZ", finite, finite, finite, finite, number, text)
def by_angles_z(door: AirSim, roll: float, pitch: float, yaw: float, z: float, t: float, v: str) -> Future[Any]:
    """Hold angles and a height."""
    return _by_angles(door, v, roll, pitch, t, yaw=yaw, z=z)


@rpc("moveByRollPitchYawThrottle", finite, finite, finite, finite, number, text)
def by_angles_throttle(
    door: AirSim, roll: float, pitch: float, yaw: float, push: float, t: float, v: str
) -> Future[Any]:
    """Hold angles and a thrust."""
    return _by_angles(door, v, roll, pitch, t, yaw=yaw, throttle=push)


@rpc("moveByRollPitchYawrateThrottle", finite, finite, finite, finite, number, text)
def by_tilt_throttle(
    door: AirSim, roll: float, pitch: float, rate: float, push: float, t: float, v: str
) -> Future[Any]:
    """Hold roll and pitch, turn at a rate, with a thrust."""
    return _by_angles(door, v, roll, pitch, t, yaw_rate=rate, throttle=push)


@rpc("moveByRollPitchYawrateZ", finite, finite, finite, finite, number, text)
def by_tilt_z(door: AirSim, roll: float, pitch: float, rate: float, z: float, t: float, v: str) -> Future[Any]:
    """Hold roll and pitch, turn at a rate, at a height."""
    return _by_angles(door, v, roll, pitch, t, yaw_rate=rate, z=z)


def _by_rates(
    door: AirSim, vehicle: str, rates: list[float], t: float, throttle: float | None, z: float | None
) -> Future[Any]:
    drone = door.drone(vehicle)
    height = None if z is None else float(_at(drone, [0.0, 0.0, z])[2])
    return _over(t) or drone.begin(m.ByRates(drone, flu(np.array(rates)), t, throttle, height), door.caller)


@rpc("moveByAngleRatesZ", finite, finite, finite, finite, number, text)
def by_rates_z(door: AirSim, roll: float, pitch: float, yaw: float, z: float, t: float, v: str) -> Future[Any]:
    """Turn about the body's axes, at a height."""
    return _by_rates(door, v, [roll, pitch, yaw], t, None, z)


@rpc("moveByAngleRatesThrottle", finite, finite, finite, finite, number, text)
def by_rates_throttle(
    door: AirSim, roll: float, pitch: float, yaw: float, push: float, t: float, v: str
) -> Future[Any]:
    """Turn about the body's axes, with a thrust."""
    return _by_rates(door, v, [roll, pitch, yaw], t, push, None)


@rpc("moveByMotorPWMs", finite, finite, finite, finite, number, text)
def by_motors(door: AirSim, fr: float, rl: float, fl: float, rr: float, t: float, v: str) -> Future[Any]:
    """Each motor by itself: front right, rear left, front left, rear right."""
    drone = door.drone(v)
    return _over(t) or drone.begin(m.ByMotors(drone, [fr, rl, fl, rr], t), door.caller)


# By remote control


@rpc("moveByManual", finite, finite, finite, number, drivetrain, yaw_mode, text)
def by_manual(
    door: AirSim, vx: float, vy: float, z: float, t: float, ahead: bool, mode: YawMode, v: str
) -> Future[Any]:
    """By the sticks, no faster and no lower than told."""
    drone = door.drone(v)
    lowest = float(_at(drone, [0.0, 0.0, z])[2])
    return _over(t) or drone.begin(drone.manual((vx, vy), lowest, t, ahead, mode), door.caller)


@rpc("moveByRC", mapping, text)
def by_rc(door: AirSim, data: dict[str, Any], vehicle: str) -> None:
    """Take the sticks as if from a transmitter."""
    rc = neutral_rc()
    for key in ("pitch", "roll", "throttle", "yaw", "left_z", "right_z"):
        rc[key] = min(max(finite(data.get(key, 0.0)), -1.0), 1.0)
    for key in ("timestamp", "switches"):
        rc[key] = whole(data.get(key, 0))
    rc["vendor_id"] = str(data.get("vendor_id", ""))[:100]
    rc["is_initialized"], rc["is_valid"] = bool(data.get("is_initialized")), bool(data.get("is_valid"))
    door.drone(vehicle).rc = rc


# Settings of the controller


_LOOPS = {
    "setAngleRateControllerGains": "rate", "setAngleLevelControllerGains": "level",
    "setVelocityControllerGains": "velocity", "setPositionControllerGains": "position",
}  # fmt: skip
"""The autopilot's loop of each call."""


def _add_gains(name: str, loop: str) -> None:
    def take(door: AirSim, kp: list[Any], ki: list[Any], kd: list[Any], vehicle: str) -> None:
        if any(len(k) != 3 or not np.isfinite(k).all() for k in (kp, ki, kd)):
            raise SimulationError("gains are three finite numbers each for kp, ki and kd")
        door.drone(vehicle).tune(loop, {"kp": kp, "ki": ki, "kd": kd})

    take.__doc__ = f"Set the gains of the loop of the {loop}: of roll, pitch and yaw, or of x, y and z."
    rpc(name, numbers, numbers, numbers, text)(take)


for _name, _loop in _LOOPS.items():
    _add_gains(_name, _loop)


@rpc("setSafety", whole, finite, whole, finite, finite_vector, finite, finite, finite, text)
def safety(door: AirSim, *values: Any) -> bool:
    """Keep limits of safety; they are not watched over."""
    door.drone(values[-1]).safety = values[:-1]
    return True
