"""ROS 2 from outside: an independent implementation of rmw_zenoh's wire speaks with ours; every message round-trips."""

import subprocess
import sys

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import decode, encode, message_class, type_hash
from volery.scenario import read_scenario
from volery.sim import Simulation

EVERYTHING = """
seed: 1
world: blocks
robots:
  uav1:
    type: quad
    physics: kinematic
    position: [0, 0, 5]
    sensors:
      scanner: {type: scanner, rate: 10}
      lidar: {type: lidar, rate: 10, lines: 4, columns: 64}
      cam: {type: camera, rate: 10, width: 32, height: 24, baseline: 0.1,
            outputs: [rgb, depth, depth_planar, labels, instances, normals, flow, infrared, events]}
      fish: {type: camera, rate: 10, width: 16, height: 16, projection: fisheye, fov_deg: 180}
      airspeed: airspeed
      barometer: barometer
      battery: battery
      co2: co2
      collision: collision
      contact: contact
      force_torque: force_torque
      gps: gps
      ground_truth: ground_truth
      human_motion: human_motion
      imu: imu
      laser: laser
      magnetometer: magnetometer
      motion_capture: motion_capture
      odometry: odometry
      rangefinder: rangefinder
      rfid: rfid
      sonar: sonar
      sound: sound
      victim: {type: victim, rate: 10}
      victim_tag: victim_tag
      wheel_encoder: wheel_encoder
"""

# The other side, in a process of its own: it has one session for all, at a port fixed when it starts.
PEER = """
import sys, time
from zenoh_ros2_sdk import ROS2Publisher, ROS2Subscriber
port, kind = int(sys.argv[1]), sys.argv[2]
definition = sys.stdin.read()
def heard(message):
    stamp = getattr(getattr(message, "header", None), "stamp", None)
    print("heard", getattr(message, "data", "") if stamp is None else f"{stamp.sec}.{stamp.nanosec:09d}", flush=True)
subscriber = ROS2Subscriber("/to_ros", kind, callback=heard, msg_definition=definition, type_hash=sys.argv[3],
                            router_port=port)
print("ready", flush=True)
if kind == "std_msgs/msg/String":
    publisher = ROS2Publisher("/from_ros", kind, msg_definition=definition, type_hash=sys.argv[3], router_port=port)
    for i in range(100):
        publisher.publish(data=f"number {i}")
        time.sleep(0.1)
time.sleep(60)
"""


@pytest.fixture
def bus_and_port():
    port = free_port()
    with Bus(BusConfig(listen=[f"tcp/127.0.0.1:{port}"])) as bus:
        yield bus, port


def peer(port, kind, definition):
    process = subprocess.Popen(
        [sys.executable, "-c", PEER, str(port), kind, type_hash(kind)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdin.write(definition)
    process.stdin.close()
    assert process.stdout.readline() == "ready\n"
    return process


def test_an_independent_client_hears_us_and_we_hear_it(bus_and_port):
    bus, port = bus_and_port
    publisher = bus.advertise("/to_ros", "std_msgs/msg/String")
    subscriber = bus.subscribe("/from_ros", "std_msgs/msg/String", depth=10)
    process = peer(port, "std_msgs/msg/String", "string data\n")
    try:
        eventually(lambda: publisher.wanted, 15)
        publisher.put(m.text("hello from volery"), 1)
        assert process.stdout.readline() == "heard hello from volery\n"
        message = subscriber.wait_next(15)
        assert message.value.data.startswith("number ")
        rows = {row.topic: row for row in bus.topics()}
        assert rows["/to_ros"].publishers == ("volery",) and len(rows["/to_ros"].subscribers) == 1
        assert len(rows["/from_ros"].publishers) == 1
    finally:
        process.kill()
        process.wait()


def test_header_stamps_are_simulated_time(bus_and_port):
    bus, port = bus_and_port
    definition = (
        "builtin_interfaces/Time stamp\nstring frame_id\n" + "=" * 80 + "\nMSG: builtin_interfaces/Time\n"
        "int32 sec\nuint32 nanosec\n"
    )
    publisher = bus.advertise("/to_ros", "std_msgs/msg/Header")
    # The peer shows `header.stamp`; a bare Header has none, so what it is sent is checked by its own decoding below.
    process = peer(port, "std_msgs/msg/Header", definition)
    try:
        eventually(lambda: publisher.wanted, 15)
        publisher.put(m.header(12_500_000_000, "uav1/imu"), 12_500_000_000)
        assert process.stdout.readline().startswith("heard")
    finally:
        process.kill()
        process.wait()
    simulation = Simulation(read_scenario(EVERYTHING))
    subscriber = bus.subscribe("/uav1/imu", "sensor_msgs/msg/Imu", depth=100)
    simulation.listeners.append(RunPublisher(simulation, bus))
    eventually(lambda: bus.publishers["/uav1/imu"].wanted)
    simulation.run(20)
    eventually(lambda: subscriber.count == 20)
    for i in range(20):
        message = subscriber.wait_next(1.0)
        stamp = message.value.header.stamp
        assert stamp.sec * 10**9 + stamp.nanosec == message.stamp_ns == (i + 1) * 10_000_000


def test_every_message_round_trips():
    """All topics of a robot that carries every sensor: bytes to message to the same bytes, and nothing is empty."""
    simulation = Simulation(read_scenario(EVERYTHING))
    found = {}
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        bus.tap(lambda publisher, stamp, data: found.setdefault(publisher.topic, (publisher.message_type, bytes(data))))
        simulation.listeners.append(RunPublisher(simulation, bus))
        simulation.run(30)
        published = {topic for topic in bus.publishers if not topic.startswith("/volery")}
    assert published - found.keys() == set()
    kinds = {kind for kind, _ in found.values()}
    assert {"sensor_msgs/msg/Image", "sensor_msgs/msg/CameraInfo", "sensor_msgs/msg/LaserScan"} <= kinds
    for topic, (kind, data) in found.items():
        message = decode(data, kind)
        assert bytes(encode(message)) == data, topic
    left, right = (
        decode(found[f"/uav1/cam/{eye}camera_info"][1], found["/uav1/cam/camera_info"][0]) for eye in ("", "right/")
    )
    # A point 2 m ahead lies f·b/z pixels further left in the right eye.
    ahead = np.array([0.3, 0.1, 2.0, 1.0])
    (u, v, w), (u_right, v_right, _) = left.p.reshape(3, 4) @ ahead, right.p.reshape(3, 4) @ ahead
    assert (u - u_right) / w == pytest.approx(left.k[0] * 0.1 / 2.0) and v == v_right


def test_a_cloud_is_what_was_measured():
    fields = {"x": np.arange(5, dtype=np.float32), "y": np.zeros(5, np.float32), "z": np.ones(5, np.float32)}
    cloud = decode(
        bytes(encode(m.cloud(1, "map", {**fields, "ring": np.arange(5, dtype=np.uint16)}))),
        "sensor_msgs/msg/PointCloud2",
    )
    assert (cloud.width, cloud.height, cloud.point_step, cloud.row_step) == (5, 1, 16, 80)
    assert [(f.name, f.offset, f.datatype) for f in cloud.fields] == [
        ("x", 0, 7),
        ("y", 4, 7),
        ("z", 8, 7),
        ("ring", 12, 4),
    ]
    table = cloud.data.view(np.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("ring", "<u2"), ("", "V2")]))
    assert np.array_equal(table["x"], np.arange(5)) and np.array_equal(table["ring"], np.arange(5))
    with_nan = m.cloud(1, "map", {**fields, "x": np.full(5, np.nan, np.float32)})
    assert cloud.is_dense and not with_nan.is_dense


def test_frames_of_the_quaternion_and_of_optics():
    q = m.quaternion((0.5, 0.1, 0.2, 0.3))
    assert (q.w, q.x, q.y, q.z) == (0.5, 0.1, 0.2, 0.3)
    moved = m.transform(0, "a", "b", np.array([[0.0, 0, 1, 1], [-1, 0, 0, 2], [0, -1, 0, 3]]))
    r = moved.transform.rotation
    # The optical frame's z is our x: turning (0, 0, 1) by the quaternion gives (1, 0, 0).
    turned = [2 * (r.x * r.z + r.w * r.y), 2 * (r.y * r.z - r.w * r.x), 1 - 2 * (r.x**2 + r.y**2)]
    assert np.allclose(turned, [1, 0, 0])
    assert message_class("geometry_msgs/msg/Quaternion") is type(q)
