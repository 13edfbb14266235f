"""The MRS simulator's topics: what its hardware interface sends and receives."""

import threading

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.mrs import MrsNames
from volery.bus.types import decode, message_class
from volery.core.frames import matrix_from_quat
from volery.physics.multirotor.tables import Level
from volery.robots.commands import Pose
from volery.scenario import read_scenario
from volery.sim import Simulation

SCENARIO = """
world: {type: blocks, count: 0}
robots:
  uav1: {type: x500, position: [1, 2, 30]}
  uav2: {type: f550, position: [9, 2, 30]}
  rover: {type: skid, position: [20, 0, 0.2], sensors: {laser: off, imu: off, odometry: off}}
"""
NODE, API = "/multirotor_simulator/uav1", "/uav1/hw_api"


@pytest.fixture
def both():
    """The simulator, and a second bus in place of the control stack."""
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address], node="control")) as control:
        simulation = Simulation(read_scenario(SCENARIO))
        names = MrsNames(simulation, bus)
        simulation.listeners.append(names)
        yield simulation, names, control


def command(kind, **fields):
    cls = message_class(f"mrs_msgs/msg/{kind}")
    first = {"stamp": m.time(0)} if "stamp" in cls.__dataclass_fields__ else {"header": m.header(0, "")}
    return cls(**first, **fields)


def send(control, topic, message, done, simulation):
    publisher = control.advertise(topic, message.__msgtype__)
    eventually(lambda: publisher.wanted)

    def stepped():
        publisher.put(message, 0)
        simulation.step()
        return done()

    eventually(stepped)
    publisher.close()


def level(simulation, name="uav1"):
    batch = simulation.engines["fleet"].batch
    return int(batch.level[batch.rows[name]])


def test_states_and_readings_go_out(both):
    simulation, _, control = both
    kinds = {
        f"{NODE}/odom": "nav_msgs/msg/Odometry",
        f"{NODE}/imu": "sensor_msgs/msg/Imu",
        f"{NODE}/rangefinder": "sensor_msgs/msg/Range",
        f"{API}/odometry": "nav_msgs/msg/Odometry",
        f"{API}/ground_truth": "nav_msgs/msg/Odometry",
        f"{API}/imu": "sensor_msgs/msg/Imu",
        f"{API}/distance_sensor": "sensor_msgs/msg/Range",
        f"{API}/position": "geometry_msgs/msg/PointStamped",
        f"{API}/orientation": "geometry_msgs/msg/QuaternionStamped",
        f"{API}/velocity": "geometry_msgs/msg/Vector3Stamped",
        f"{API}/angular_velocity": "geometry_msgs/msg/Vector3Stamped",
        "/multirotor_simulator/uav_poses": "geometry_msgs/msg/PoseArray",
    }
    heard = {topic: control.subscribe(topic, kind) for topic, kind in kinds.items()}
    simulation.command("uav1", Pose([1.3, 2, 30.2], 1.0))
    simulation.run(50)

    def all_heard():
        simulation.step()
        return all(h.latest() is not None for h in heard.values())

    eventually(all_heard)
    simulation.step()
    told = {}

    def settled():
        told.update({topic: h.latest().value for topic, h in heard.items()})
        return told[f"{NODE}/odom"].header.stamp == m.time(simulation.clock.now_ns)

    eventually(settled)
    odom = told[f"{NODE}/odom"]
    robot, R = simulation.robots["uav1"], matrix_from_quat(simulation.robots["uav1"].q_WB_wxyz)
    assert (odom.header.frame_id, odom.child_frame_id) == ("simulator_origin", "uav1/fcu")
    assert odom.pose.pose.position == m.point(robot.p_WB)
    assert odom.twist.twist.linear == m.vector(robot.v_WB_W @ R)
    assert told[f"{API}/angular_velocity"].header.frame_id == "uav1/fcu"
    poses = told["/multirotor_simulator/uav_poses"].poses
    assert len(poses) == 2, "the rover is no multirotor"
    assert poses[1].position.x == pytest.approx(9.0, abs=0.1)
    assert told[f"{NODE}/rangefinder"].range == pytest.approx(30.5, abs=1.5)
    assert told[f"{NODE}/imu"].linear_acceleration.z == pytest.approx(9.8, abs=4.0)


def vector(x, y, z):
    return m.vector([x, y, z])


COMMANDS = {
    "actuators_cmd": (command("HwApiActuatorCmd", motors=np.full(4, 0.4, np.float32)), Level.ACTUATORS),
    "control_group_cmd": (command("HwApiControlGroupCmd", roll=0.01, pitch=0.0, yaw=0.0, throttle=0.5), Level.GROUP),
    "attitude_rate_cmd": (command("HwApiAttitudeRateCmd", body_rate=vector(0.1, 0, 0), throttle=0.5), Level.BODY_RATE),
    "attitude_cmd": (command("HwApiAttitudeCmd", orientation=m.quaternion([1, 0, 0, 0]), throttle=0.5), Level.ATTITUDE),
    "acceleration_hdg_rate_cmd": (
        command("HwApiAccelerationHdgRateCmd", acceleration=vector(0, 1, 0), heading_rate=0.2),
        Level.ACCELERATION_RATE),
    "acceleration_hdg_cmd": (
        command("HwApiAccelerationHdgCmd", acceleration=vector(0, 1, 0), heading=0.2), Level.ACCELERATION_HEADING),
    "velocity_hdg_rate_cmd": (
        command("HwApiVelocityHdgRateCmd", velocity=vector(1, 0, 0), heading_rate=0.2), Level.VELOCITY_RATE),
    "velocity_hdg_cmd": (command("HwApiVelocityHdgCmd", velocity=vector(1, 0, 0), heading=0.2), Level.VELOCITY_HEADING),
    "position_cmd": (command("HwApiPositionCmd", position=m.point([3, 2, 31]), heading=0.5), Level.POSITION),
}  # fmt: skip


def test_every_level_is_told_under_both_names(both):
    simulation, names, control = both
    for topic, (message, wanted) in COMMANDS.items():
        other = "actuator_cmd" if topic == "actuators_cmd" else topic
        for path in (f"{NODE}/{topic}", f"{API}/{other}"):
            simulation.place("uav1", np.array([1.0, 2, 30]), np.array([1.0, 0, 0, 0]))
            simulation.engines["fleet"].batch.stop(0)
            send(control, path, message, lambda w=wanted: level(simulation) == w, simulation)
    assert names.refused == 0
    row = simulation.engines["fleet"].batch.reference[0]
    assert row["p_W"] == pytest.approx([3, 2, 31]) and row["yaw"] == 0.5


def test_throttles_are_the_originals(both):
    simulation, _, control = both
    send(control, f"{NODE}/attitude_cmd", COMMANDS["attitude_cmd"][0], lambda: level(simulation) == Level.ATTITUDE,
         simulation)  # fmt: skip
    assert simulation.engines["fleet"].batch.reference["throttle"][0] == pytest.approx(0.5, rel=1e-12)


def test_a_tracker_command_feeds_forward(both):
    simulation, names, control = both
    kind = message_class("mrs_msgs/msg/TrackerCommand")
    state = message_class("mrs_msgs/msg/MpcPredictionFullState")
    none, zero = np.zeros(0), vector(0, 0, 0)
    prediction = state(m.header(0, ""), 0, [], [], [], [], [], [], [], none, none, none, none, 0, 0)
    values = {name: 0 for name in kind.__dataclass_fields__ if name.startswith(("use_", "heading", "throttle"))}
    message = kind(
        **{**values, "use_velocity_horizontal": 1, "use_acceleration": 1},
        header=m.header(0, ""), position=m.point([0, 0, 0]), velocity=vector(1, 2, 3),
        acceleration=vector(0.1, 0.2, 0.3),
        jerk=zero, snap=zero, full_state_prediction=prediction, orientation=m.quaternion([1, 0, 0, 0]),
        attitude_rate=m.point([0, 0, 0]), disable_position_gains=False, disable_antiwindups=False,
    )  # fmt: skip
    send(control, f"{NODE}/tracker_cmd", message, lambda: names._uavs["uav1"].on_the_way[0].any(), simulation)
    row = simulation.engines["fleet"].batch.reference[0]
    send(control, f"{NODE}/position_cmd", COMMANDS["position_cmd"][0], lambda: row["yaw"] == 0.5, simulation)
    assert row["v_W"] == pytest.approx([1, 2, 0])
    assert row["a_W"] == pytest.approx([0.1, 0.2, 0.3])


def test_a_drone_that_hears_nothing_for_a_second_stops(both):
    simulation, _, control = both
    message = command("HwApiVelocityHdgCmd", velocity=vector(2, 0, 0), heading=0.3)
    done = lambda: level(simulation) == Level.VELOCITY_HEADING  # noqa: E731
    send(control, f"{NODE}/velocity_hdg_cmd", message, done, simulation)
    simulation.run(90)
    assert simulation.robots["uav1"].v_WB_W[0] > 1.0
    simulation.run(400)
    assert np.linalg.norm(simulation.robots["uav1"].v_WB_W) < 0.1
    assert level(simulation) == Level.VELOCITY_HEADING


def test_what_makes_no_sense_is_counted_and_robots_come_and_go(both):
    simulation, names, control = both
    bad = command("HwApiAttitudeRateCmd", body_rate=vector(np.nan, 0, 0), throttle=0.5)
    send(control, f"{NODE}/attitude_rate_cmd", bad, lambda: names.refused > 0, simulation)
    assert level(simulation) == Level.POSITION
    simulation.remove("uav2")
    simulation.spawn("uav3", {"type": "robofly", "position": [0, 9, 30]})
    simulation.step()
    odom = control.subscribe("/multirotor_simulator/uav3/odom", "nav_msgs/msg/Odometry")

    def heard():
        simulation.step()
        return odom.latest() is not None

    eventually(heard)
    assert set(names._uavs) == {"uav1", "uav3"}
    names.close()


def test_a_drone_is_armed_takes_off_and_is_disarmed():
    """As the MRS system does it: it waits for the interface, arms, enters offboard, and commands under hw_api."""
    simulation = Simulation(read_scenario(
        "world: empty\nstep: 0.01\nrobots: {uav1: {type: x500, position: [0, 0, 0.3], physics: fleet}}\n"
    ))  # fmt: skip
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        names = MrsNames(simulation, bus)
        simulation.listeners.append(names)
        heard, done = {}, threading.Event()
        bus.tap(lambda p, stamp, data: heard.update({p.topic: decode(data, p.message_type)}), ("/uav1/hw_api/*",))

        def run():
            while not done.is_set():
                simulation.step()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            eventually(lambda: "/uav1/hw_api/status" in heard and "/uav1/hw_api/capabilities" in heard, 20)
            assert heard["/uav1/hw_api/connected"] is not None
            assert not heard["/uav1/hw_api/status"].armed and heard["/uav1/hw_api/capabilities"].accepts_position_cmd
            climb = bus.advertise("/uav1/hw_api/velocity_hdg_cmd", "mrs_msgs/msg/HwApiVelocityHdgCmd")
            eventually(lambda: climb.wanted)

            def command():
                kind = message_class("mrs_msgs/msg/HwApiVelocityHdgCmd")
                climb.put(kind(m.header(0, ""), m.vector([0, 0, 1.0]), 0.0), 0)
                return simulation.robots["uav1"].p_WB[2]

            for _ in range(20):
                command()
            refused = bus.call("/uav1/hw_api/offboard", "std_srvs/srv/Trigger")
            assert not refused.success and "not armed" in refused.message
            assert simulation.robots["uav1"].p_WB[2] < 0.5, "nobody armed it"
            assert bus.call("/uav1/hw_api/arming", "std_srvs/srv/SetBool", {"data": True}).success
            assert bus.call("/uav1/hw_api/offboard", "std_srvs/srv/Trigger").success
            eventually(lambda: command() > 2.0, 30)
            status = heard["/uav1/hw_api/status"]
            assert status.armed and status.offboard
            gnss, altitude = heard["/uav1/hw_api/gnss"], heard["/uav1/hw_api/altitude"]
            assert gnss.latitude == pytest.approx(simulation.environment.sky.latitude, abs=1e-3)
            assert altitude.amsl == pytest.approx(simulation.robots["uav1"].p_WB[2], abs=2.0)
            assert heard["/uav1/hw_api/rtk"].fix_type.fix_type == 5 and heard["/uav1/hw_api/gnss_status"].fix_type == 3
            assert heard["/uav1/hw_api/mag_heading"].value == pytest.approx(90.0, abs=5.0)
            heavy = bus.call("/multirotor_simulator/uav1/set_mass", "mrs_msgs/srv/Float64Srv", {"value": 2.5})
            assert heavy.success and simulation.robots["uav1"].file.multirotor.mass == 2.5
            assert bus.call("/multirotor_simulator/uav1/set_ground_z", "mrs_msgs/srv/Float64Srv", {"value": -1}).success
            eventually(lambda: not heard["/uav1/hw_api/status"].offboard, 30)
            assert bus.call("/uav1/hw_api/arming", "std_srvs/srv/SetBool", {"data": False}).success
            eventually(lambda: simulation.robots["uav1"].p_WB[2] < 0.5, 30)
        finally:
            done.set()
            thread.join(20)
            names.close()
