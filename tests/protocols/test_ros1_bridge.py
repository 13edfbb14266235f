"""`volery ros1` with a real roscore, rostopic, and subscribers with ROS 1's own message classes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.command_listener import CommandListener
from volery.bus.mrs import MrsNames
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import encode, message_class
from volery.errors import BusError
from volery.loop import Loop, RealTimePace
from volery.protocols.ros1 import codec
from volery.protocols.ros1.bridge import Bridge, python_with_rospy
from volery.scenario import read_scenario
from volery.sim import Simulation

SCENARIO = """
world: {type: blocks, count: 20}
seed: 1
step: 0.01
robots:
  uav1:
    type: x500
    position: [0, 0, 3]
    sensors:
      lidar: {type: lidar, lines: 16, columns: 128, rate: 10, max_range: 40}
      rgbd: {type: camera, width: 32, height: 24, rate: 5, quality: fast}
"""
SUMS = {
    "sensor_msgs/msg/PointCloud2": "1158d486dd51d683ce2f1be655c3c181",
    "sensor_msgs/msg/CompressedImage": "8f7a12909da2c9d3332d540a0977563f",
    "sensor_msgs/msg/Range": "c005c34273dc426c67a020a87bc24148",
    "nav_msgs/msg/Odometry": "cd5e73d190d741a2f92e81eda573aca7",
    "rosgraph_msgs/msg/Clock": "a9c97c1d230cfc112e270351a944ee47",
    "tf2_msgs/msg/TFMessage": "94810edda583a504dfda3829e70d7eec",
    "geometry_msgs/msg/Twist": "9f195f881246fdfa2798d1d3eebca84a",
}
"""As every ROS 1 has them."""


# Bytes, without any ROS


@pytest.mark.parametrize("name", SUMS)
def test_types_are_those_of_ros_1(name):
    assert codec.kind_of(name).md5 == SUMS[name]


def test_messages_go_there_and_back():
    odometry = m.odometry(
        5_000_000_007, "map", "uav1", np.arange(3.0), np.array([1.0, 0, 0, 0]), np.ones(3), np.ones(3)
    )
    frames = m.transforms([m.transform(1, "map", "uav1", np.eye(3, 4))] * 2)
    header = m.header(3_000_000_001, "below")
    distance = message_class("sensor_msgs/msg/Range")(header, 1, 0.5, 0.25, 40.0, 2.5, 0.0)
    for message in (odometry, frames, distance, m.clock(12)):
        name = message.__msgtype__
        there = codec.to_ros1(bytes(encode(message)), name)
        assert there != bytes(encode(message))
        assert codec.to_bus(there, name) == bytes(encode(message))


def test_bytes_of_ros_1_are_as_its_own_serializer_writes_them():
    there = codec.to_ros1(bytes(encode(m.clock(5_000_000_007))), "rosgraph_msgs/msg/Clock")
    assert there.hex() == "0500000007000000"
    text = message_class("std_msgs/msg/String")("ab")
    assert codec.to_ros1(bytes(encode(text)), "std_msgs/msg/String").hex() == "020000006162"


def test_bytes_that_are_none_are_refused():
    with pytest.raises(BusError, match="not a sensor_msgs/msg/Imu"):
        codec.to_ros1(b"\x00\x01", "sensor_msgs/msg/Imu")
    with pytest.raises(BusError, match="ROS 1"):
        codec.to_bus(b"\xff\xff\xff\xff", "std_msgs/msg/String")


# With a real ROS 1


def ros(command):
    """A program of ROS 1, or a skip that says why."""
    if shutil.which(command) is None or subprocess.run(["/usr/bin/python3", "-c", "import rospy"]).returncode != 0:
        pytest.skip(f"{command} or rospy is not installed: scripts/setup test installs Debian's ROS 1")
    return command


@pytest.fixture(scope="module")
def master():
    port = free_port()
    core = subprocess.Popen(
        [ros("roscore"), "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "ROS_MASTER_URI": address, "ROS_IP": "127.0.0.1"}
    listed = ["rostopic", "list"]
    eventually(lambda: subprocess.run(listed, env=environment, capture_output=True).returncode == 0, 60)
    yield environment
    core.send_signal(signal.SIGINT)
    core.wait(30)


@pytest.fixture(scope="module")
def run(master):
    """A simulation on a bus of its own, and `volery ros1` beside it."""
    endpoint = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[endpoint])) as bus:
        simulation = Simulation(read_scenario(SCENARIO))
        simulation.listeners += [
            RunPublisher(simulation, bus),
            CommandListener(simulation, bus),
            MrsNames(simulation, bus),
        ]
        loop = Loop(simulation, RealTimePace(1.0))
        thread = threading.Thread(target=loop.run, daemon=True)
        thread.start()
        command = [sys.executable, "-m", "volery", "ros1", "--connect", endpoint]
        bridge = subprocess.Popen(command, env=master, stdout=subprocess.PIPE, text=True)
        assert "topics there" in bridge.stdout.readline()
        yield simulation
        bridge.send_signal(signal.SIGINT)
        assert bridge.wait(30) == 0
        loop.stop()
        thread.join(30)


def test_rostopic_sees_what_is_on_the_bus(master, run):
    listed = subprocess.run(["rostopic", "list", "-v"], env=master, capture_output=True, text=True, timeout=60).stdout
    published, subscribed = listed.split("Subscribed topics")
    for topic in (
        "/uav1/lidar/points [sensor_msgs/PointCloud2]",
        "/clock [rosgraph_msgs/Clock]",
        "/tf [tf2_msgs/TFMessage]",
    ):
        assert topic in published
    assert "/uav1/cmd_vel [geometry_msgs/Twist]" in subscribed
    assert "position_cmd [mrs_msgs/HwApiPositionCmd]" in subscribed and "/volery/" not in listed


def test_a_subscriber_of_ros_1_reads_clouds_pictures_and_states(master, run):
    script = str(Path(__file__).parent.parent / "ros1_clients" / "listen.py")
    done = subprocess.run(
        ["/usr/bin/python3", script, "60"], env=master, capture_output=True, text=True, timeout=120, check=True
    )
    told = json.loads(done.stdout)
    heard, frames = told["heard"], told["frames"]
    assert len(heard) == 6, f"only {sorted(heard)}"
    cloud = heard["/uav1/lidar/points"]
    assert cloud["width"] == 16 * 128 and cloud["frame"] == "uav1/lidar" and cloud["points"] > 500
    assert 0.5 < np.linalg.norm(cloud["first"][:3]) < 40.0
    picture = heard["/uav1/rgbd/image_raw/compressed"]
    assert picture["format"] == "jpeg" and picture["jpeg"] == "ffd8ff" and picture["size"] > 300
    assert heard["/multirotor_simulator/uav1/odom"]["child"] == "uav1/fcu"
    assert heard["/multirotor_simulator/uav1/odom"]["z"] == pytest.approx(3.0, abs=0.5)
    assert heard["/multirotor_simulator/uav1/rangefinder"]["range"] == pytest.approx(2.9, abs=0.5)
    assert heard["/multirotor_simulator/uav1/imu"]["z"] == pytest.approx(9.81, abs=0.5)
    assert heard["/clock"] == pytest.approx(heard["/multirotor_simulator/uav1/imu"]["stamp"], abs=30.0)
    assert frames["uav1/fcu"] == "simulator_origin" and frames["simulator_origin"] == "map"
    assert frames["uav1/lidar"] == "uav1/base_link" and frames["uav1/base_link"] == "uav1/odom"
    assert frames["uav1/odom"] == "map"


def test_rostopic_commands_a_drone(master, run):
    goal = "{pose: {position: {x: 1.5, y: -1.0, z: 4.0}, orientation: {w: 1.0}}}"
    subprocess.run(
        ["rostopic", "pub", "-1", "/uav1/goal_pose", "geometry_msgs/PoseStamped", goal], env=master, timeout=60,
        capture_output=True, check=True,
    )  # fmt: skip
    robot = run.robots["uav1"]
    eventually(lambda: np.linalg.norm(robot.p_WB - [1.5, -1.0, 4.0]) < 0.2, 60)


def test_services_of_the_bus_are_answered_in_ros_1(master, run):
    """By rospy's own client, with the sums of types that std_srvs has; its package need not be installed."""
    script = """
import struct, sys, genpy, rospy

class Answer(genpy.Message):
    _md5sum, _has_header, _full_text = "*", False, ""
    __slots__, _slot_types = ["success", "message"], ["bool", "string"]

    def deserialize(self, data):
        self.success, size = struct.unpack_from("<?I", data)
        self.message = data[5:5 + size].decode()
        return self

class Flag(genpy.Message):
    _md5sum, _has_header, _full_text = "*", False, ""
    __slots__, _slot_types = ["data"], ["bool"]

    def serialize(self, buffer):
        buffer.write(struct.pack("<?", self.data))

class Nothing(Flag):
    __slots__, _slot_types = [], []

    def serialize(self, buffer):
        pass

def kind(name, md5, request):
    ask = type(name + "Request", (request,), {"_type": "std_srvs/" + name + "Request", "__slots__": request.__slots__})
    tell = type(name + "Response", (Answer,), {"_type": "std_srvs/" + name + "Response", "__slots__": Answer.__slots__})
    about = {"_type": "std_srvs/" + name, "_md5sum": md5, "_request_class": ask, "_response_class": tell}
    return type(name, (), about)

SetBool = kind("SetBool", "09fb03525b03e7ea1fd3992bafd87e16", Flag)
Trigger = kind("Trigger", "937c9679a518e3a18d831e57125ea522", Nothing)
rospy.init_node("caller", disable_signals=True)
for name, kind, arguments in (("/uav1/hw_api/arming", SetBool, (False,)), ("/uav1/hw_api/offboard", Trigger, ()),
                              ("/uav1/hw_api/arming", SetBool, (True,)), ("/uav1/hw_api/offboard", Trigger, ())):
    rospy.wait_for_service(name, 40)
    answer = rospy.ServiceProxy(name, kind)(*arguments)
    sys.stdout.write("%s %s\\n" % (answer.success, answer.message))
rospy.signal_shutdown("done")
"""
    words = ["/usr/bin/python3", "-c", script]
    done = subprocess.run(words, env=master, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == [
        "True disarmed", "False cannot switch to offboard, not armed", "True armed", "True offboard set",
    ]  # fmt: skip


def test_robots_that_come_and_go_bring_and_take_their_topics(master, run):
    def topics():
        return subprocess.run(["rostopic", "list"], env=master, capture_output=True, text=True, timeout=60).stdout

    run.ask(lambda: run.spawn("uav7", {"type": "x500", "position": [5, 5, 3]})).result(30)
    eventually(lambda: "/uav7/imu" in topics(), 60)
    run.ask(lambda: run.remove("uav7")).result(30)
    eventually(lambda: "/uav7/" not in topics(), 60)


def test_without_a_master_it_says_so(monkeypatch):
    ros("roscore")
    monkeypatch.setenv("ROS_MASTER_URI", f"http://127.0.0.1:{free_port()}")
    with Bus(BusConfig(listen=[f"tcp/127.0.0.1:{free_port()}"])) as bus, pytest.raises(BusError, match="start roscore"):
        Bridge(bus)


def test_without_rospy_it_says_so():
    with pytest.raises(BusError, match="python3-rospy"):
        python_with_rospy("/bin/false")
