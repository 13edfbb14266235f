"""Frames as ROS 2 wants them: one tree, latched where nothing moves, odometry that drifts, descriptions that agree."""

import subprocess
import sys
import time
import urllib.request

import mujoco
import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from bus_rig import eventually, free_port
from volery.bus.bus import Bus, BusConfig
from volery.bus.description import robot_urdf
from volery.bus.record import Recorder, read_recording
from volery.bus.ros2 import Ros2Config
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import decode, type_hash
from volery.core.frames import matrix_from_quat, rigid_inverse
from volery.protocols.ros2.meshes import MeshServer
from volery.scenario import read_scenario
from volery.sim import Simulation

ROBOTS = """
seed: 4
step: 0.02
world: empty
robots:
  uav1:
    type: x500
    position: [1, 2, 3]
    sensors:
      lidar: {type: lidar, rate: 10, lines: 2, columns: 8, mount: {position: [0, 0, 0.1]}}
      cam: {type: camera, rate: 5, width: 16, height: 12, mount: {attitude_deg: [0, 20, 0]}}
  rover1:
    type: diff
    position: [5, 5, 0.3]
    attitude_deg: [0, 0, 90]
    physics: kinematic
    motion: {path: [[5, 5, 0.3], [5, 12, 0.3], [9, 12, 0.3]], speed: 2}
    sensors:
      odometry: {type: odometry, rate: 50, delay: 0.1, turn_scale: 0.05, distance_scale: 0.05, distance_noise: 0.05,
                 mount: {position: [0.1, 0, 0.2]}}
"""


def recorded(tmp_path, scenario=ROBOTS, steps=150, late=0, **settings):
    """A recording of a run, and the simulation at its end. late: so many steps are made before it begins."""
    path, simulation = tmp_path / "run.mcap", Simulation(read_scenario(scenario))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus, Ros2Config(**settings)))
        simulation.run(late)
        with Recorder(bus, path):
            simulation.run(steps)
    return path, simulation


class Tree:
    """What tf2 would know at the end of a recording: for each frame its parent, and where it is in it."""

    def __init__(self, path, topics=("/tf", "/tf_static")):
        self.parents, self.poses, self.stamps = {}, {}, {}
        for message in read_recording(path, list(topics)):
            for t in decode(message.data, message.message_type).transforms:
                child, parent = t.child_frame_id, t.header.frame_id
                assert self.parents.setdefault(child, parent) == parent, f"{child} has two parents"
                stamp = t.header.stamp.sec * 10**9 + t.header.stamp.nanosec
                if topics[-1] == message.topic or stamp >= self.stamps.get(child, -1):
                    q, p = t.transform.rotation, t.transform.translation
                    X = np.column_stack([matrix_from_quat(np.array([q.w, q.x, q.y, q.z])), [p.x, p.y, p.z]])
                    self.poses[child], self.stamps[child] = X, stamp

    def root(self, frame):
        """Where a frame hangs, and its pose there; a loop would never end, so it is counted."""
        X = np.eye(3, 4)
        for _ in range(50):
            if frame not in self.parents:
                return frame, X
            P = self.poses[frame]
            X, frame = np.column_stack([P[:, :3] @ X[:, :3], P[:, :3] @ X[:, 3] + P[:, 3]]), self.parents[frame]
        raise AssertionError("a loop")

    @property
    def roots(self):
        return {self.root(frame)[0] for frame in self.parents}


def test_all_frames_form_one_tree_that_is_true(tmp_path):
    path, simulation = recorded(tmp_path)
    tree = Tree(path)
    assert tree.roots == {"map"}
    for robot in simulation.robots.values():
        own = simulation.sensors[robot.name]
        late = 5 if robot.name == "rover1" else 0
        for name in ["base_link", *robot.description.bodies[1:], *own]:
            assert f"{robot.name}/{name}" in tree.parents or f"{robot.name}/{name}_link" in tree.parents
        if not late:
            for name, sensor in own.items():
                assert tree.root(f"uav1/{name}")[1] == pytest.approx(sensor.X_WF, abs=1e-6)
    assert tree.parents["uav1/cam_optical"] == "uav1/cam" and tree.parents["uav1/base_link"] == "uav1/odom"
    assert {t for t in tree.parents if t.endswith("/odom")} == {"uav1/odom", "rover1/odom"}


def test_odometry_drifts_and_the_truth_makes_up_for_it(tmp_path):
    """map → odom → base_link is where the robot was when its odometry was read, though odom → base_link is not."""
    truth, simulation = {}, Simulation(read_scenario(ROBOTS))
    simulation.listeners.append(lambda s: truth.update({s.clock.now_ns: s.robots["rover1"].X_WB[0].copy()}))
    file = tmp_path / "run.mcap"
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus))
        with Recorder(bus, file):
            simulation.run(200)
    tree = Tree(file)
    stamp = tree.stamps["rover1/base_link"]
    assert stamp == tree.stamps["rover1/odom"] == 200 * 20_000_000 - 100_000_000
    assert tree.root("rover1/base_link")[1] == pytest.approx(truth[stamp], abs=1e-6)
    reckoned, began = tree.poses["rover1/base_link"], truth[20_000_000]
    gone = rigid_inverse(began)[:, :3] @ truth[stamp][:, 3] + rigid_inverse(began)[:, 3]
    assert np.linalg.norm(reckoned[:, 3] - gone) > 0.1, "it drifts"
    told = [decode(m.data, m.message_type) for m in read_recording(file, ["/rover1/odom"])][-1]
    assert (told.header.frame_id, told.child_frame_id) == ("rover1/odom", "rover1/base_link")
    p = told.pose.pose.position
    assert [p.x, p.y, p.z] == pytest.approx(reckoned[:, 3], abs=1e-6)
    assert 1.0 < np.hypot(told.twist.twist.linear.x, told.twist.twist.linear.y) < 3.0
    assert told.pose.covariance[0] > 0 and told.pose.covariance[35] > 0


def test_without_the_truth_each_robot_is_a_tree_that_slam_may_hang_up(tmp_path):
    path, _ = recorded(tmp_path, truth_tf=False)
    tree = Tree(path)
    assert tree.roots == {"uav1/odom", "rover1/odom"}
    assert "map" not in tree.parents.values()
    # What SLAM would tell makes it one tree, with every frame in it.
    tree.parents |= dict.fromkeys(("uav1/odom", "rover1/odom"), "map")
    tree.poses |= {odom: np.eye(3, 4) for odom in ("uav1/odom", "rover1/odom")}
    assert tree.roots == {"map"}


@pytest.mark.parametrize("truth", [True, False])
def test_plain_names_are_those_of_nav2(tmp_path, truth):
    path, _ = recorded(tmp_path, frames="plain", truth_tf=truth)
    for robot in ("uav1", "rover1"):
        tree = Tree(path, (f"/{robot}/tf", f"/{robot}/tf_static"))
        assert tree.roots == {"map" if truth else "odom"} and tree.parents["base_link"] == "odom"
    frames = {m.topic: decode(m.data, m.message_type) for m in read_recording(path)}
    assert frames["/uav1/lidar/points"].header.frame_id == "lidar"
    assert frames["/uav1/cam/camera_info"].header.frame_id == "cam_optical"
    assert frames["/rover1/odom"].child_frame_id == "base_link"
    assert frames["/rover1/odometry"].child_frame_id == "odometry"
    assert not {"/tf", "/tf_static"} & frames.keys()


def test_a_recording_that_begins_late_has_what_is_latched(tmp_path):
    path, _ = recorded(tmp_path, late=30, steps=20)
    first = {}
    for message in read_recording(path):
        first.setdefault(message.topic, message.stamp_ns)
    assert first["/tf_static"] == first["/uav1/robot_description"] == first["/clock"] == 31 * 20_000_000
    assert Tree(path).roots == {"map"}


def test_what_is_offered_is_in_the_recording(tmp_path):
    from rosbags.interfaces import QosDurability, QosReliability
    from rosbags.rosbag2 import Reader

    path, _ = recorded(tmp_path, steps=5)
    with Reader(path) as reader:
        offered = {c.topic: c.ext.offered_qos_profiles for c in reader.connections}
    for topic, (qos,) in offered.items():
        latched = topic.endswith(("tf_static", "robot_description"))
        wanted = QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE
        assert qos.durability == wanted and qos.reliability == QosReliability.RELIABLE, topic
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        channels = {c.topic: c.metadata for c in reader.get_summary().channels.values()}
    assert channels["/tf"]["topic_type_hash"] == type_hash("tf2_msgs/msg/TFMessage")


LATE = """
import sys, time
from zenoh_ros2_sdk import ROS2Subscriber
from zenoh_ros2_sdk.qos import QosDurability, QosProfile
port, topic, hash_ = int(sys.argv[1]), sys.argv[2], sys.argv[3]
qos = QosProfile(durability=QosDurability.TRANSIENT_LOCAL, history_depth=1)
subscriber = ROS2Subscriber(topic, "std_msgs/msg/String", lambda m: print(m.data, flush=True), type_hash=hash_,
                            msg_definition="string data\\n", router_port=port, qos=qos)
time.sleep(20)
"""


def test_who_comes_late_hears_what_is_latched():
    """By an independent client, which asks as rmw_zenoh's subscribers do."""
    port = free_port()
    with Bus(BusConfig(listen=[f"tcp/127.0.0.1:{port}"])) as bus:
        publisher = bus.advertise("/told", "std_msgs/msg/String", depth=1, latched=True)
        from volery.bus import messages as m

        publisher.put(m.text("first"), 1)
        publisher.put(m.text("still true"), 2)
        time.sleep(0.2)
        words = [sys.executable, "-c", LATE, str(port), "/told", type_hash("std_msgs/msg/String")]
        client = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            assert client.stdout.readline() == "still true\n"
        finally:
            client.kill()
            client.wait()
            client.stdout.close()
        ours = bus.subscribe("/told", "std_msgs/msg/String", latched=True)
        assert ours.wait_next(5).value.data == "still true"


@pytest.mark.parametrize("kind", ["x500", "p3at", "quad_delta", "talon", "elaha"])
def test_a_description_moves_as_the_robot_does(kind):
    """Read by MuJoCo, a robot's URDF has every frame where the robot has it, wherever its joints are."""
    simulation = Simulation(read_scenario(f"world: empty\nrobots:\n  r: {{type: {kind}, position: [0, 0, 5]}}\n"))
    robot = simulation.robots["r"]
    text = robot_urdf(robot, simulation.sensors["r"], set(), Ros2Config(port=0))
    text = text.replace("</robot>", '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco></robot>')
    model = mujoco.MjModel.from_xml_string(_weighty(text))
    data, random = mujoco.MjData(model), np.random.default_rng(3)
    names = {name: i for i, name in enumerate(robot.description.bodies)}
    for _ in range(3):
        for i, joint in enumerate(robot.description.joints):
            low, high = np.clip([joint.low, joint.high], -2, 2)
            robot.joint_positions[i] = random.uniform(low, high)
            data.joint(joint.name).qpos = robot.joint_positions[i]
        robot.update()
        mujoco.mj_kinematics(model, data)
        for name, b in names.items():
            if b > 0:
                body = next(data.body(n) for n in (name, f"{name}_link") if _has(model, n))
                X = np.column_stack([body.xmat.reshape(3, 3), body.xpos])
                R, p = robot.X_WB[0][:, :3], robot.X_WB[0][:, 3]
                own = robot.X_WB[b]
                assert X == pytest.approx(np.column_stack([R.T @ own[:, :3], R.T @ (own[:, 3] - p)]), abs=1e-6)


def _has(model, name):
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) >= 0


def _weighty(urdf):
    """MuJoCo wants masses where something moves; kinematics do not."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    urdf = urdf.replace("</link>", f"{mass}</link>")
    import re

    return re.sub(r"<link name=(\"[^\"]*\")/>", rf"<link name=\1>{mass}</link>", urdf)


def test_meshes_are_served():
    simulation = Simulation(read_scenario("world: empty\nrobots: {r: {type: x500, position: [0, 0, 5]}}\n"))
    server = MeshServer("127.0.0.1", 0, lambda: list(simulation.robots.values()))
    try:
        text = robot_urdf(simulation.robots["r"], {}, set(), Ros2Config(port=server.port))
        found = [part.split('"')[0] for part in text.split('filename="')[1:]]
        assert found and all(where.startswith(f"http://127.0.0.1:{server.port}/x500/") for where in found)
        with urllib.request.urlopen(found[0], timeout=5) as answer:
            data = answer.read()
        count = int.from_bytes(data[80:84], "little")
        assert len(data) == 84 + 50 * count and count > 10
        for wrong in ("/x500/0-99.stl", "/nobody/0-0.stl", "/../etc/passwd"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"http://127.0.0.1:{server.port}{wrong}", timeout=5)
    finally:
        server.close()


def test_every_picture_has_its_camera_info_beside_it():
    simulation = Simulation(read_scenario(
        "world: empty\nrobots:\n  r:\n    type: quad\n    sensors: {scanner: off, c: {type: camera, baseline: 0.1, "
        "width: 8, height: 6, outputs: [rgb, depth_planar, depth, labels]}}\n"
    ))  # fmt: skip
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        RunPublisher(simulation, bus)
        topics = {topic for topic in bus.publishers if topic.startswith("/r/c/")}
    pictures = {t for t in topics if t.endswith("image_raw")}
    assert len(pictures) == 8
    assert {t.removesuffix("image_raw") + "camera_info" for t in pictures} <= topics


def test_bare_and_stamped_velocities_are_heard():
    from volery.bus import messages as m
    from volery.bus.command_listener import CommandListener

    simulation = Simulation(read_scenario("world: empty\nrobots: {r: {type: x500, position: [0, 0, 5]}}\n"))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(CommandListener(simulation, bus))
        bare = bus.advertise("/r/cmd_vel", "geometry_msgs/msg/Twist", shared=True)
        eventually(lambda: bare.wanted)
        bare.put(m.twist([1, 0, 0], [0, 0, 0]), 1)
        eventually(lambda: _run(simulation).v_WB_W[0] > 0.7, 10)
        bare.close()
        stamped = bus.advertise("/r/cmd_vel", "geometry_msgs/msg/TwistStamped", shared=True)
        eventually(lambda: stamped.wanted)
        stamped.put(m.twist_stamped(1, "base_link", [-1, 0, 0]), 2)
        eventually(lambda: _run(simulation).v_WB_W[0] < -0.7, 10)


def _run(simulation):
    simulation.run(10)
    return simulation.robots["r"]
