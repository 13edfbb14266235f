"""Calls about where vehicles are, what they touched, and the air round them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import quat_rotate
from volery.protocols.airsim.arguments import (
    GeoPoint,
    Kinematics,
    NedPose,
    flag,
    geo_point,
    kinematics,
    pose,
    rpc,
    text,
)
from volery.protocols.airsim.ned import flu, geo_map, ned, quaternion_enu, to_enu, vector_map
from volery.protocols.airsim.vehicles import Vehicle
from volery.world.atmosphere import GRAVITY, geopotential

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim


def collision_map(door: AirSim, vehicle: Vehicle, *, told: bool) -> dict[str, Any]:
    """AirSim's CollisionInfo; told: whether this is the answer that clears it."""
    touched, contact = vehicle.touched, vehicle.contact
    fresh = touched > vehicle.told
    if told:
        vehicle.told = touched
    if contact is None:
        zero = vector_map([0.0, 0.0, 0.0])
        return {
            "has_collided": False, "penetration_depth": 0.0, "time_stamp": 0, "normal": zero, "impact_point": zero,
            "position": zero, "object_name": "", "object_id": -1, "collision_count": vehicle.hits,
        }  # fmt: skip
    when, what, p_WB = contact
    return {
        "has_collided": fresh,
        "penetration_depth": float(what.depth),
        "time_stamp": door.stamp(when),
        "normal": vector_map(ned(what.normal_W)),
        "impact_point": vector_map(ned(what.p_W - vehicle.home_W)),
        "position": vector_map(ned(p_WB - vehicle.home_W)),
        "object_name": what.other,
        "object_id": door.objects.ids.of(what.other),
        "collision_count": vehicle.hits,
    }


@rpc("getMultirotorState", text, where="now")
def multirotor_state(door: AirSim, vehicle: str) -> dict[str, Any]:
    """All about a drone."""
    drone = door.drone(vehicle)
    snapshot = drone.snapshot
    why = drone.cannot_fly()
    return {
        "collision": collision_map(door, drone, told=False),
        "kinematics_estimated": snapshot.kinematics(),
        "gps_location": snapshot.geo(door),
        "timestamp": door.stamp(snapshot.now_ns),
        "landed_state": int(drone.flying),
        "rc_data": drone.rc,
        "ready": not why,
        "ready_message": why,
        "can_arm": drone.api,
    }


@rpc("getRotorStates", text, where="now")
def rotor_states(door: AirSim, vehicle: str) -> dict[str, Any]:
    """Thrust, torque and speed of each rotor."""
    drone = door.drone(vehicle)
    snapshot, block = drone.snapshot, drone.robot.file.multirotor  # type: ignore[union-attr]
    assert block is not None, "drones fly by rotors"
    rotors = []
    for speed, rotor in zip(snapshot.turning.tolist(), block.rotors, strict=False):
        share = (abs(speed) * 60.0 / (2 * math.pi) / block.most_rpm) ** 2
        thrust = share * block.most_thrust
        way = -1.0 if rotor.spin == "ccw" else 1.0
        rotors.append({"thrust": thrust, "torque_scaler": way * thrust * block.torque_ratio, "speed": abs(speed)})
    return {"rotors": rotors, "timestamp": door.stamp(snapshot.now_ns)}


@rpc("simGetVehiclePose", text, where="now")
def vehicle_pose(door: AirSim, vehicle: str) -> dict[str, Any]:
    """Where a vehicle is, from its own zero."""
    return door.vehicle(vehicle).snapshot.pose()


@rpc("simSetVehiclePose", pose, flag, text, newest=True)
def set_vehicle_pose(door: AirSim, where: NedPose, ignore_collision: bool, vehicle: str) -> None:
    """Put a vehicle elsewhere, from its own zero."""
    found = door.vehicle(vehicle)
    if not ignore_collision:
        _refuse_blocked(door, found, where)
    found.place(where.p, where.q_wxyz)


def _refuse_blocked(door: AirSim, vehicle: Vehicle, where: NedPose) -> None:
    """Without `ignore_collision` a vehicle stops at the first thing on the way, as a swept move does."""
    robot = vehicle.robot
    goal = vehicle.home_W + to_enu(np.where(np.isnan(where.p), ned(robot.p_WB - vehicle.home_W), where.p))
    way = goal - robot.p_WB
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return
    hits = door.simulation.scene.cast(robot.p_WB, way[None], max_range=length, ignore=vehicle.name)
    if hits.hit[0]:
        stop = robot.p_WB + way * max(float(hits.distance[0]) - 0.5, 0.0) / length
        where.p[:] = ned(stop - vehicle.home_W)


@rpc("simGetGroundTruthKinematics", text, where="now")
def true_kinematics(door: AirSim, vehicle: str) -> dict[str, Any]:
    """The true state of motion."""
    return door.vehicle(vehicle).snapshot.kinematics()


@rpc("simSetKinematics", kinematics, flag, text, newest=True)
def set_kinematics(door: AirSim, state: Kinematics, ignore_collision: bool, vehicle: str) -> None:
    """Set the state of motion."""
    found = door.vehicle(vehicle)
    q = found.robot.q_WB_wxyz if np.isnan(state.pose.q_wxyz).any() else quaternion_enu(state.pose.q_wxyz)
    found.place(*state.pose, to_enu(state.v), quat_rotate(q, flu(state.w_B)))


@rpc("simGetGroundTruthEnvironment", text, where="now")
def true_environment(door: AirSim, vehicle: str) -> dict[str, Any]:
    """The air round a vehicle."""
    found = door.vehicle(vehicle)
    p_W = found.snapshot.p_WB
    geodetic = door.geo(p_W)
    air = door.simulation.environment.atmosphere.at(np.clip(geopotential(geodetic[2]), -2000.0, 32_000.0))
    return {
        "position": vector_map(ned(p_W - found.home_W)),
        "geo_point": geo_map(geodetic),
        "gravity": vector_map([0.0, 0.0, GRAVITY]),
        "air_pressure": float(air.pressure),
        "temperature": float(air.temperature),
        "air_density": float(air.density),
    }


@rpc("simGetCollisionInfo", text, where="now")
def collision(door: AirSim, vehicle: str) -> dict[str, Any]:
    """What a vehicle last touched; asking clears it."""
    return collision_map(door, door.vehicle(vehicle), told=True)


@rpc("simTestLineOfSightToPoint", geo_point, text)
def sees_point(door: AirSim, point: GeoPoint, vehicle: str) -> bool:
    """Whether nothing stands between a vehicle and a place on Earth."""
    found = door.vehicle(vehicle)
    return _clear(door, found.robot.p_WB, door.place_of(*point), found.name)


@rpc("simTestLineOfSightBetweenPoints", geo_point, geo_point)
def sees_between(door: AirSim, one: GeoPoint, other: GeoPoint) -> bool:
    """Whether nothing stands between two places on Earth."""
    return _clear(door, door.place_of(*one), door.place_of(*other), None)


def _clear(door: AirSim, a: np.ndarray, b: np.ndarray, ignore: str | None) -> bool:
    distance = float(np.linalg.norm(b - a))
    if distance < 1e-6:
        return True
    scene = door.simulation.scene
    # Beyond the horizon of rays nothing stands in the way.
    reach = min(1.0, 0.99 * scene.horizon / distance)
    return not bool(scene.occluded(a, a + reach * (b - a), ignore=ignore)[0])
