"""Which topics each kind of sensor speaks on, and how its readings become messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.types import message_class
from volery.core.frames import matrix_from_quat
from volery.sensors.battery import Battery
from volery.sensors.camera import Camera
from volery.sensors.encode import encode as encode_picture
from volery.sensors.gps import Gps
from volery.sensors.inertial import Airspeed, Barometer, Imu, Magnetometer
from volery.sensors.lidar import Lidar
from volery.sensors.position import GroundTruth, MotionCapture, Odometry, WheelEncoder
from volery.sensors.range import Rangefinder, Sonar, UsarLaser
from volery.sensors.scanner import FACES, Scanner
from volery.sensors.sensor import Reading, Sensor
from volery.sensors.touch import ContactSwitch, ForceTorque

__all__ = ["Output", "array_output", "face_output", "outputs_of", "sensor_frame"]

Make = Callable[[Any, Reading, str], Any]
"""From sensor, reading and frame to a message."""
_NINE = np.zeros(9)
_UNKNOWN = np.array([-1.0, *np.zeros(8)])
"""ROS's way to say that a quantity is not measured."""


@dataclass(frozen=True)
class Output:
    """One topic of a sensor."""

    suffix: str
    """After /robot/sensor; empty: the sensor's name is the topic."""
    message_type: str
    make: Make


def sensor_frame(sensor: Sensor) -> str:
    """Name of the sensor's frame in /tf."""
    return f"{sensor.robot.name}/{sensor.name}"


def outputs_of(sensor: Sensor) -> list[Output]:
    """The topics of a sensor; one that is not known here gives each of its arrays as plain numbers."""
    for kind in type(sensor).__mro__:
        if kind in _OUTPUTS:
            found = _OUTPUTS[kind]
            return found(sensor) if callable(found) else found
    return [array_output(*item) for item in (sensor.latest.data.items() if sensor.latest else ())]


def array_output(name: str, array: np.ndarray) -> Output:
    """An array of a reading as plain numbers, or as a JSON list of texts."""
    if array.dtype.kind == "U":
        return Output(name, "std_msgs/msg/String", lambda s, r, f: m.text(json.dumps(r.data[name].tolist())))
    return Output(name, "std_msgs/msg/Float64MultiArray", lambda s, r, f: m.floats(r.data[name]))


# Inertial and position


def _imu(sensor: Imu, r: Reading, frame: str) -> Any:
    return message_class("sensor_msgs/msg/Imu")(
        header=m.header(r.stamp_ns, frame),
        orientation=m.quaternion((1.0, 0.0, 0.0, 0.0)),
        orientation_covariance=_UNKNOWN,
        angular_velocity=m.vector(r.data["angular_velocity"]),
        angular_velocity_covariance=_NINE,
        linear_acceleration=m.vector(r.data["specific_force"]),
        linear_acceleration_covariance=_NINE,
    )


def _field(sensor: Magnetometer, r: Reading, frame: str) -> Any:
    kind = message_class("sensor_msgs/msg/MagneticField")
    return kind(m.header(r.stamp_ns, frame), m.vector(r.data["field"]), _NINE)


def _pressure(sensor: Sensor, r: Reading, frame: str) -> Any:
    kind = message_class("sensor_msgs/msg/FluidPressure")
    return kind(header=m.header(r.stamp_ns, frame), fluid_pressure=float(r.data["pressure"][0]), variance=0.0)


def _airspeed(sensor: Airspeed, r: Reading, frame: str) -> Any:
    return m.twist_stamped(r.stamp_ns, frame, r.data["velocity"])


def _fix(sensor: Gps, r: Reading, frame: str) -> Any:
    latitude, longitude, altitude = r.data["geodetic"]
    status = message_class("sensor_msgs/msg/NavSatStatus")(status=0 if r.data["fix"][0] else -1, service=1)
    return message_class("sensor_msgs/msg/NavSatFix")(
        header=m.header(r.stamp_ns, frame),
        status=status,
        latitude=float(np.degrees(latitude)),
        longitude=float(np.degrees(longitude)),
        altitude=float(altitude),
        position_covariance=_NINE,
        position_covariance_type=0,
    )


def _gps_velocity(sensor: Gps, r: Reading, frame: str) -> Any:
    return m.twist_stamped(r.stamp_ns, "map", r.data["velocity"])


def _truth(sensor: GroundTruth, r: Reading, frame: str) -> Any:
    d = r.data
    R = matrix_from_quat(d["attitude"])
    return m.odometry(
        r.stamp_ns, "map", frame, d["position"], d["attitude"], d["velocity"] @ R, d["angular_velocity"] @ R
    )


def _reckoned(sensor: Odometry, r: Reading, frame: str) -> Any:
    d = r.data
    parts = (d["position"], d["attitude"], d["velocity"], d["angular_velocity"])
    return m.odometry(r.stamp_ns, f"{sensor.robot.name}/odom", frame, *parts)


def _tracked(sensor: MotionCapture, r: Reading, frame: str) -> Any:
    return m.pose_stamped(r.stamp_ns, "map", r.data["position"], r.data["attitude"])


def _encoder(sensor: WheelEncoder, r: Reading, frame: str) -> Any:
    d = r.data
    names = sensor.config.joints or [j.name for j in sensor.robot.description.joints]
    return m.joint_state(r.stamp_ns, frame, names, d["angle"], d["speed"], np.zeros(0))


# Ranges


def _range(sensor: Rangefinder | Sonar, r: Reading, frame: str) -> Any:
    c, light = sensor.config, isinstance(sensor, Rangefinder)
    return message_class("sensor_msgs/msg/Range")(
        header=m.header(r.stamp_ns, frame),
        radiation_type=1 if light else 0,
        field_of_view=0.0 if light else float(c.beam_angle),
        min_range=float(c.min_range),
        max_range=float(c.max_range),
        range=float(r.data["range"][0]),
        variance=0.0,
    )


def _laser(sensor: UsarLaser, r: Reading, frame: str) -> Any:
    c, ranges = sensor.config, r.data["range"].astype(np.float32)
    step = c.resolution
    half = step * (len(ranges) - 1) / 2
    return message_class("sensor_msgs/msg/LaserScan")(
        header=m.header(r.stamp_ns, frame),
        angle_min=-half,
        angle_max=half,
        angle_increment=step,
        time_increment=0.0,
        scan_time=1.0 / c.rate,
        range_min=float(c.min_range),
        range_max=float(c.max_range),
        ranges=ranges,
        intensities=np.zeros(0, np.float32),
    )


def _points(sensor: Lidar, r: Reading, frame: str) -> Any:
    d = r.data
    world = d["points"].dtype == np.float64
    x, y, z = np.asarray(d["points"], np.float32).T
    fields = {"x": x, "y": y, "z": z, "intensity": d["intensity"].astype(np.float32)}
    fields |= {"range": d["range"].astype(np.float32), "ring": d["ring"].astype(np.uint16)}
    return m.cloud(r.stamp_ns, "map" if world else frame, {**fields, "time": d["time"].astype(np.float32)})


def face_output(index: int) -> Make:
    """A face of a box scan: 16 bytes a point, where a ray ended and whether on something (1) or free (0)."""

    def make(sensor: Scanner, r: Reading, frame: str) -> Any:
        n = len(r.data["occupancy"]) // 6
        part = slice(index * n, (index + 1) * n)
        x, y, z = r.data["points"][part].astype(np.float32).T
        occupancy = r.data["occupancy"][part].astype(np.float32)
        return m.cloud(r.stamp_ns, "map", {"x": x, "y": y, "z": z, "occupancy": occupancy})

    return make


def _scan(sensor: Scanner, r: Reading, frame: str) -> Any:
    x, y, z = r.data["points"].astype(np.float32).T
    return m.cloud(r.stamp_ns, "map", {"x": x, "y": y, "z": z, "occupancy": r.data["occupancy"].astype(np.float32)})


def _scanner(sensor: Scanner) -> list[Output]:
    whole = Output("points", _CLOUD, _scan)
    if sensor.config.form not in ("box", "face"):
        return [whole]
    return [whole, *(Output(name, _CLOUD, face_output(i)) for i, name in enumerate(FACES))]


# Cameras

_ENCODINGS = {"rgb": "rgb8", "radiance": "32FC3", "depth": "32FC1", "depth_planar": "32FC1", "labels": "32SC1",
              "instances": "32SC1", "normals": "32FC3", "flow": "32FC2", "infrared": "32FC1"}  # fmt: skip
_TOPICS = {"rgb": "image_raw", "depth_planar": "depth/image_raw", "depth": "range/image_raw"}


def _raw(array: str, encoding: str) -> Make:
    return lambda s, r, f: m.image(r.stamp_ns, f"{f}_optical", r.data[array], encoding)


def _jpeg(array: str) -> Make:
    return lambda s, r, f: m.compressed(r.stamp_ns, f"{f}_optical", "jpeg", encode_picture(r.data[array]))


def _camera_info(sensor: Camera, r: Reading, frame: str) -> Any:
    return _projection(sensor, r, frame, 0.0)


def _right_info(sensor: Camera, r: Reading, frame: str) -> Any:
    """The right eye in the frame of the left one, as ROS's stereo tools expect it."""
    return _projection(sensor, r, frame, sensor.config.baseline)


def _projection(sensor: Camera, r: Reading, frame: str, baseline: float) -> Any:
    c = sensor.config
    fov = np.radians(c.fov_deg)
    focal = sensor.zoom * (c.width / 2 / np.tan(fov / 2) if c.projection == "pinhole" else c.width / fov)
    k = np.array([focal, 0, (c.width - 1) / 2, 0, focal, (c.height - 1) / 2, 0, 0, 1.0])
    p = np.array([focal, 0, k[2], -focal * baseline, 0, focal, k[5], 0, 0, 0, 1.0, 0])
    roi = message_class("sensor_msgs/msg/RegionOfInterest")(0, 0, 0, 0, False)
    model = "plumb_bob" if c.projection == "pinhole" else "equidistant"
    return message_class("sensor_msgs/msg/CameraInfo")(
        header=m.header(r.stamp_ns, f"{frame}_optical"), height=c.height, width=c.width, distortion_model=model,
        d=np.zeros(5 if model == "plumb_bob" else 4), k=k, r=np.eye(3).reshape(-1), p=p, binning_x=0, binning_y=0,
        roi=roi,
    )  # fmt: skip


def _camera(sensor: Camera) -> list[Output]:
    found = [Output("camera_info", "sensor_msgs/msg/CameraInfo", _camera_info)]
    if sensor.config.baseline > 0:
        found.append(Output("right/camera_info", "sensor_msgs/msg/CameraInfo", _right_info))
    for eye in ("", "_right") if sensor.config.baseline > 0 else ("",):
        for name in sensor.config.outputs:
            if name == "events":
                found.append(array_output(f"events{eye}", np.zeros((0, 4))))
                continue
            topic = _TOPICS.get(name, f"{name}/image_raw")
            topic = f"right/{topic}" if eye else topic
            found.append(Output(topic, "sensor_msgs/msg/Image", _raw(name + eye, _ENCODINGS[name])))
            if name == "rgb":
                found.append(Output(f"{topic}/compressed", "sensor_msgs/msg/CompressedImage", _jpeg(name + eye)))
    return found


# The rest


def _battery(sensor: Battery, r: Reading, frame: str) -> Any:
    d, c = {k: float(v[0]) for k, v in r.data.items()}, sensor.config
    charge = c.capacity / 3600 / c.full_voltage
    return message_class("sensor_msgs/msg/BatteryState")(
        header=m.header(r.stamp_ns, frame), voltage=d["voltage"], temperature=float("nan"),
        current=-d["power"] / d["voltage"] if d["voltage"] else 0.0, charge=charge * d["charge"], capacity=charge,
        design_capacity=charge, percentage=d["charge"], power_supply_status=2, power_supply_health=1,
        power_supply_technology=0, present=True, cell_voltage=np.zeros(0, np.float32),
        cell_temperature=np.zeros(0, np.float32), location="", serial_number="",
    )  # fmt: skip


def _touch(sensor: ContactSwitch, r: Reading, frame: str) -> Any:
    return message_class("std_msgs/msg/Bool")(data=bool(r.data["touch"][0]))


def _wrench(sensor: ForceTorque, r: Reading, frame: str) -> Any:
    return m.wrench_stamped(r.stamp_ns, frame, r.data["force"], r.data["torque"])


_CLOUD = "sensor_msgs/msg/PointCloud2"
_OUTPUTS: dict[type[Sensor], list[Output] | Callable[[Any], list[Output]]] = {
    Airspeed: [Output("", "geometry_msgs/msg/TwistStamped", _airspeed)],
    Barometer: [Output("", "sensor_msgs/msg/FluidPressure", _pressure)],
    Battery: [Output("", "sensor_msgs/msg/BatteryState", _battery)],
    Camera: _camera,
    ContactSwitch: [Output("", "std_msgs/msg/Bool", _touch)],
    ForceTorque: [Output("", "geometry_msgs/msg/WrenchStamped", _wrench)],
    Gps: [
        Output("fix", "sensor_msgs/msg/NavSatFix", _fix),
        Output("velocity", "geometry_msgs/msg/TwistStamped", _gps_velocity),
    ],
    GroundTruth: [Output("", "nav_msgs/msg/Odometry", _truth)],
    Imu: [Output("", "sensor_msgs/msg/Imu", _imu)],
    Lidar: [Output("points", _CLOUD, _points)],
    Magnetometer: [Output("", "sensor_msgs/msg/MagneticField", _field)],
    MotionCapture: [Output("", "geometry_msgs/msg/PoseStamped", _tracked)],
    Odometry: [Output("", "nav_msgs/msg/Odometry", _reckoned)],
    Rangefinder: [Output("", "sensor_msgs/msg/Range", _range)],
    Scanner: _scanner,
    Sonar: [Output("", "sensor_msgs/msg/Range", _range)],
    UsarLaser: [Output("scan", "sensor_msgs/msg/LaserScan", _laser)],
    WheelEncoder: [Output("", "sensor_msgs/msg/JointState", _encoder)],
}
