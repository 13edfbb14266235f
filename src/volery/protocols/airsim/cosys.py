"""What Cosys-AirSim has beside: echoes, GPU lidars, instances and layers of annotation, lights, raw physics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat
from volery.core.patterns import TextPattern
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import (
    Kinematics,
    NedPose,
    finite,
    finite_pose,
    finite_vector,
    flag,
    kinematics,
    mapping,
    numbers,
    rpc,
    text,
    whole,
)
from volery.protocols.airsim.codec import PackedValue, floats, packed_list, packed_map
from volery.protocols.airsim.drone import AirSimDrone
from volery.protocols.airsim.echo import Echo, Echoes
from volery.protocols.airsim.ned import flu, frd, pose_map, to_enu, vector_map
from volery.protocols.airsim.object_calls import get_pose, set_light
from volery.protocols.airsim.palette import instance_colours
from volery.protocols.airsim.sensor_calls import Cloud, relative_pose
from volery.protocols.airsim.state_calls import set_kinematics, true_kinematics
from volery.protocols.airsim.textures import mean_colour
from volery.protocols.airsim.vehicle_setup import mounted_pose, sensor_key, sensor_mount
from volery.protocols.airsim.vehicles import Vehicle
from volery.robots.commands import Wrench

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

_ECHO_ROW = 6
"""Numbers of a point in an echo's cloud."""
_BRIGHTEST = 5000.0
"""Unreal's intensity of a lamp as it was made."""


# Echoes and lidars


@rpc("getEchoData", text, text)
def echo(door: AirSim, name: str, vehicle: str) -> PackedValue:
    """What an echo sensor hears now."""
    found = door.vehicle(vehicle)
    sensor = found.sensor(7, name, "echo sensor")
    when, echoes, X_WS = _listen(door, found, sensor.name)
    local = frd((echoes.points_W - X_WS[:, 3]) @ X_WS[:, :3])
    rows = np.column_stack([local, echoes.attenuation, echoes.distance, echoes.bounces])
    return packed_map({
        "time_stamp": door.stamp(when), "point_cloud": floats(rows), "pose": relative_pose(sensor),
        "groundtruth": door.objects.names_of(echoes.objects), "passive_beacons_point_cloud": [],
        "passive_beacons_groundtruth": [],
    })  # fmt: skip


def _listen(door: AirSim, vehicle: Vehicle, name: str) -> tuple[int, Echoes, np.ndarray]:
    """The newest measurement of an echo sensor; a new one if it is time."""
    sensor, now = vehicle.sensors[name], door.simulation.clock.now_ns
    last = vehicle.echoes.get(name)
    maker = Echo(sensor)
    if last is not None and now - last[0] < 1e9 / maker.rate:
        return last
    X = mounted_pose(sensor, vehicle.robot)
    vehicle.echoes[name] = (now, maker.listen(door.simulation.scene, X, vehicle.name), X)
    return vehicle.echoes[name]


@rpc("getGPULidarData", text, text, where="now")
def gpu_lidar(door: AirSim, name: str, vehicle: str) -> PackedValue:
    """The newest sweep: x, y, z, colour of the instance (red·65536 + green·256 + blue), intensity, per point."""
    found = door.vehicle(vehicle)
    sensor = found.sensor(8, name, "GPU lidar")
    felt = found.felt.get(sensor.name)
    if felt is None:
        pose = pose_map(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        return packed_map({"time_stamp": 0, "point_cloud": [], "pose": pose})
    cloud = Cloud(door, found, sensor, felt)
    colours = instance_colours()[door.objects.instances.of_numbers(cloud.objects) % 32_768].astype(np.uint32)
    packed = (colours[:, 0] << 16) + (colours[:, 1] << 8) + colours[:, 2]
    there = np.isfinite(felt.reading.data["range"])[::-1]
    intensity = felt.reading.data["intensity"][::-1][there]
    rows = np.column_stack([cloud.points, packed, intensity])
    return packed_map({"time_stamp": cloud.stamp, "point_cloud": floats(rows), "pose": cloud.pose})


def _put_sensor(door: AirSim, kind: int, what: str, name: str, where: NedPose, vehicle: str) -> None:
    """Put a sensor elsewhere on its vehicle."""
    found = door.vehicle(vehicle)
    sensor = found.sensor(kind, name, what)
    roll, pitch, yaw = np.degrees(euler_from_quat(where.q_wxyz)).tolist()
    moved = replace(sensor, position=tuple(where.p.tolist()), attitude_deg=(roll, pitch, yaw))
    if kind != 7:
        mount = sensor_mount(moved)
        for key in ("position", "attitude_deg"):
            door.simulation.set(f"robots.{found.name}.sensors.{sensor_key(sensor.name)}.mount.{key}", mount[key])
    found.sensors[sensor.name] = moved


def _add_pose_setter(method: str, kind: int, what: str) -> None:
    def take(door: AirSim, name: str, where: NedPose, vehicle: str) -> None:
        _put_sensor(door, kind, what, name, where, vehicle)

    take.__doc__ = f"Put a {what} elsewhere on its vehicle."
    rpc(method, text, finite_pose, text)(take)


for _method, _kind, _what in (
    ("simSetLidarPose", 6, "lidar"), ("simSetGPULidarPose", 8, "GPU lidar"), ("simSetEchoPose", 7, "echo sensor"),
    ("simSetDistanceSensorPose", 5, "distance sensor"),
):  # fmt: skip
    _add_pose_setter(_method, _kind, _what)


@rpc("setEchoData", text, text, mapping)
def set_echo(door: AirSim, name: str, vehicle: str, data: dict[str, Any]) -> None:
    """Draw the points of an echo that a client made: rows of x, y, z in the sensor's axes, attenuation, way,
    bounces."""
    found = door.vehicle(vehicle)
    sensor = found.sensor(7, name, "echo sensor")
    values = np.array(numbers(data.get("point_cloud", [])))
    if len(values) % _ECHO_ROW or not np.isfinite(values).all():
        raise SimulationError(f"point_cloud has {len(values)} numbers: it must be rows of {_ECHO_ROW} finite ones")
    X_WS, local = mounted_pose(sensor, found.robot), flu(values.reshape(-1, _ECHO_ROW)[:, :3])
    until = door.simulation.clock.now_ns + SECOND
    if len(local):
        points = local @ X_WS[:, :3].T + X_WS[:, 3]
        drawings = door.simulation.environment.drawings
        drawings.add("points", points, (0.0, 1.0, 1.0, 1.0), 5.0, until, owner=f"echo/{found.name}/{sensor.name}")


@rpc("simGetInstanceSegmentationColorMap", where="work")
def colour_map(door: AirSim) -> PackedValue:
    """The colours of instances in the order of their numbers, as vectors of red, green, blue."""
    return packed_list([vector_map(row) for row in instance_colours().tolist()])


# Motion


@rpc("simGetPhysicsRawKinematics", text, where="now")
def raw_kinematics(door: AirSim, vehicle: str) -> dict[str, Any]:
    """The true state of motion."""
    return true_kinematics(door, vehicle)


@rpc("simSetPhysicsRawKinematics", kinematics, text)
def set_raw_kinematics(door: AirSim, state: Kinematics, vehicle: str) -> None:
    """Set the state of motion."""
    set_kinematics(door, state, True, vehicle)


@rpc("simSetExtForce", finite_vector)
def push(door: AirSim, force: np.ndarray) -> None:
    """Push all multirotors with a force, world NED [N], until told otherwise."""
    if np.linalg.norm(force) > 1e4:
        raise SimulationError(f"a force of {np.linalg.norm(force):g} N is more than 10000")
    for vehicle in door.vehicles.values():
        if isinstance(vehicle, AirSimDrone):
            vehicle.tell(Wrench(to_enu(force)))


@rpc("getComputerVisionState", text, where="now")
def eye_state(door: AirSim, vehicle: str) -> dict[str, Any]:
    """Where a camera without a vehicle is."""
    found = door.vehicle(vehicle)
    return {"kinematics_estimated": found.snapshot.kinematics(), "timestamp": door.stamp(found.snapshot.now_ns)}


# Instances and layers


@rpc("simListInstanceSegmentationObjects")
def instances(door: AirSim) -> list[str]:
    """Names in the order of their colours."""
    return door.objects.instances.names()


@rpc("simListInstanceSegmentationPoses", flag, flag)
def instance_poses(door: AirSim, in_ned: bool, visible: bool) -> list[dict[str, Any]]:
    """Poses in the same order."""
    return [get_pose(door, name, in_ned) for name in door.objects.instances.names()]


@rpc("simListSceneObjectsTags", text)
def tagged(door: AirSim, regex: str) -> list[tuple[str, str]]:
    """Names that a pattern fits, each with the class of what it is made of."""
    pattern, objects = TextPattern(regex), door.simulation.scene.objects
    return [(n, i.meshes[0].materials[0].label_name) for n, i in sorted(objects.items()) if pattern.fits(n)]


@rpc("simListAnnotationObjects", text)
def annotated(door: AirSim, layer: str) -> list[str]:
    """Things that have a colour in a layer."""
    return door.objects.layers.names(layer)


@rpc("simListAnnotationPoses", text, flag, flag)
def annotated_poses(door: AirSim, layer: str, in_ned: bool, visible: bool) -> list[dict[str, Any]]:
    """Their poses."""
    return [get_pose(door, name, in_ned) for name in door.objects.layers.names(layer)]


def _annotate(door: AirSim, layer: str, name: str, colour: tuple[int, int, int], regex: bool) -> bool:
    found = door.objects.named(name, regex)
    for one in found:
        door.objects.layers.set(layer, one, colour)
    return bool(found)


@rpc("simSetAnnotationObjectID", text, text, whole, flag)
def set_layer_id(door: AirSim, layer: str, name: str, number: int, regex: bool) -> bool:
    """Give things the colour of a number in a layer."""
    if not 0 <= number < 32_768:
        raise SimulationError(f"an id of {number}: must be 0 to 32767")
    red, green, blue = instance_colours()[number].tolist()
    return _annotate(door, layer, name, (red, green, blue), regex)


@rpc("simGetAnnotationObjectID", text, text)
def get_layer_id(door: AirSim, layer: str, name: str) -> int:
    """The number of a thing's colour in a layer; −1 if it has none."""
    colour = door.objects.layers.get(layer, name)
    if colour is None:
        return -1
    found = np.flatnonzero((instance_colours() == np.array(colour)).all(axis=1))
    return int(found[0]) if len(found) else -1


@rpc("simSetAnnotationObjectColor", text, text, whole, whole, whole, flag)
def set_layer_colour(door: AirSim, layer: str, name: str, r: int, g: int, b: int, regex: bool) -> bool:
    """Give things a colour in a layer, 0 to 255 each."""
    if not all(0 <= c <= 255 for c in (r, g, b)):
        raise SimulationError(f"a colour of {r}, {g}, {b}: each must be 0 to 255")
    return _annotate(door, layer, name, (r, g, b), regex)


@rpc("simGetAnnotationObjectColor", text, text)
def get_layer_colour(door: AirSim, layer: str, name: str) -> str:
    """A thing's colour in a layer, in words."""
    colour = door.objects.layers.get(layer, name)
    return "" if colour is None else "R={},G={},B={}".format(*colour)


@rpc("simSetAnnotationObjectValue", text, text, finite, flag)
def set_layer_value(door: AirSim, layer: str, name: str, value: float, regex: bool) -> bool:
    """Give things a grey in a layer, 0 to 1."""
    grey = round(min(max(value, 0.0), 1.0) * 255)
    return _annotate(door, layer, name, (grey, grey, grey), regex)


@rpc("simGetAnnotationObjectValue", text, text)
def get_layer_value(door: AirSim, layer: str, name: str) -> float:
    """A thing's grey in a layer; −1 if it has none."""
    colour = door.objects.layers.get(layer, name)
    return -1.0 if colour is None else colour[0] / 255.0


@rpc("simSetAnnotationObjectTextureByPath", text, text, text, flag, where="work")
def set_layer_texture(door: AirSim, layer: str, name: str, path: str, regex: bool) -> bool:
    """Give things the mean colour of a picture in a layer."""
    linear = mean_colour(door.files, path)
    if linear is None:
        return False
    red, green, blue = (round(255.0 * c ** (1 / 2.2)) for c in linear)

    def annotate() -> bool:
        done = _annotate(door, layer, name, (red, green, blue), regex)
        if done:
            door.objects.layers.textures[layer, name] = path
        return done

    return door.in_loop(annotate)


@rpc("simEnableAnnotationObjectTextureByPath", text, text, flag)
def enable_layer_texture(door: AirSim, layer: str, name: str, regex: bool) -> bool:
    """Take a thing's texture into use: here it always is."""
    return (layer, name) in door.objects.layers.textures


@rpc("simGetAnnotationObjectTexturePath", text, text)
def layer_texture(door: AirSim, layer: str, name: str) -> str:
    """The picture that a thing has in a layer."""
    return door.objects.layers.textures.get((layer, name), "")


# Lights


@rpc("simSetWorldLightIntensity", text, finite)
def world_light(door: AirSim, name: str, intensity: float) -> bool:
    """How strongly a lamp shines."""
    return set_light(door, name, intensity)


@rpc("simSetWorldLightVisibility", text, flag)
def world_light_on(door: AirSim, name: str, on: bool) -> bool:
    """Switch a lamp on or off."""
    return set_light(door, name, _BRIGHTEST if on else 0.0)


@rpc("simSetVehicleLightVisibility", text, text, flag)
def vehicle_light_on(door: AirSim, vehicle: str, light: str, on: bool) -> bool:
    """Vehicles have no lights here."""
    door.vehicle(vehicle)
    return False


@rpc("simSetVehicleLightIntensity", text, text, finite)
def vehicle_light(door: AirSim, vehicle: str, light: str, intensity: float) -> bool:
    """Vehicles have no lights here."""
    door.vehicle(vehicle)
    return False
