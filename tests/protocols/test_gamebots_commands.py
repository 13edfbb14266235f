"""Every command of USARSim's protocol, as the manual and real clients write it, and what it does in the simulation."""

import math

import numpy as np
import pytest

from gamebots_rig import FLAT, WORLD, fields, floats, one, state, stepped, value
from volery.core.frames import euler_from_quat
from volery.robots.usarini_classes import CLASSES

ROBOT = "{ClassName USARBot.Everything} {Name R1}"
HERE = "INIT " + ROBOT + " {Location 0,0,0}"
SPIN = 0.7 / 0.1075
"""Fastest turning of the wheels [rad/s]."""


@pytest.fixture
def flat():
    with stepped(FLAT) as server:
        yield server


def enter(server, dialect="ut2004", init=HERE):
    raw = server.connect(dialect)
    server.say(raw, init)
    return raw


def yaw(server):
    return float(euler_from_quat(server.robot().q_WB_wxyz)[2])


def wheels(server):
    """Speeds of left and right wheels [rad/s]."""
    robot = server.robot()
    return [float(robot.joint_velocities[robot.description.joint(j)]) for j in ("LeftFWheel", "RightFWheel")]


def joint(server, name):
    robot = server.robot()
    return float(robot.joint_positions[robot.description.joint(name)])


# INIT


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("INIT {ClassName USARBot.P2AT} {Location 4.5,1.9,-0.2} {Name R1}", "\r\n"),
        ("INIT {ClassName USARBot.P2AT} {Name R1} {Location 4.5 1.9 -0.2}", "\n"),
        ("INIT {ClassName USARBot.P2AT}{Name R1}{Location 4.5, 1.9, -0.2}", "\n\r"),
        ("init {Classname usarbot.p2at} {NAME R1} {LOCATION 4,5 1,9 -0,2}", "\r"),
        ("INIT {ClassName P2AT} {Name R1} {Location 4.5,1.9,-0.2} {Team 3} {Rotation 0,0,0", "\r\n"),
    ],
)
def test_inits_of_real_clients(flat, line, end):
    raw = flat.connect()
    lines = flat.say(raw, line, end=end, steps=25)
    assert list(flat.simulation.robots) == ["R1"]
    assert flat.robot().p_WB[:2] == pytest.approx([4.5, -1.9], abs=0.01)
    assert any(line.startswith("STA {Type GroundVehicle}") for line in lines), "the first state is the acknowledgement"


@pytest.mark.parametrize(
    ("dialect", "rotation", "expected"),
    [("ut2003", "0,16384,0", -90.0), ("ut2004", "0,0,1.5708", -90.0), ("udk", "0,0,-0.7854", 45.0)],
)
def test_rotation_is_in_the_dialects_angles(flat, dialect, rotation, expected):
    enter(flat, dialect, f"INIT {ROBOT} {{Location 0,0,0}} {{Rotation {rotation}}}")
    assert math.degrees(yaw(flat)) == pytest.approx(expected, abs=0.1)


def test_locations_of_the_manual_are_in_unreal_units(flat):
    enter(flat, "ut2003", f"INIT {ROBOT} {{Location 140,-280,70}}")
    assert flat.robot().p_WB == pytest.approx([1.0, 2.0, 0.5], abs=0.01)


def test_heights_of_other_maps_are_lifted_to_the_ground(flat):
    enter(flat, init=f"INIT {ROBOT} {{Location 4.5,1.9,1.8}}")
    assert flat.robot().p_WB == pytest.approx([4.5, -1.9, 0.11], abs=0.02)


INI = """
[USARBot.MyBot]
ChassisSize=(X=0.40,Y=0.26,Z=0.12)
ChassisMass=8
MotorTorque=8
MaxSpeed=12
JointParts=(PartName="LeftFWheel",PartClass=class'M.Tire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,ParentPos=(X=0.13,Y=-0.17,Z=0.02))
JointParts=(PartName="RightFWheel",PartClass=class'M.Tire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,ParentPos=(X=0.13,Y=0.17,Z=0.02))
JointParts=(PartName="LeftRWheel",PartClass=class'M.Tire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,ParentPos=(X=-0.13,Y=-0.17,Z=0.02))
JointParts=(PartName="RightRWheel",PartClass=class'M.Tire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,ParentPos=(X=-0.13,Y=0.17,Z=0.02))
Sensors=(ItemClass=class'USARBot.SonarSensor',ItemName="Nose",Position=(X=0.2,Y=-0.05,Z=0.0),Direction=(X=0,Y=0,Z=-0.17))
[M.Tire]
Radius=0.09
"""


def test_a_robot_of_a_usar_ini_enters_by_its_class(tmp_path):
    (tmp_path / "usar.ini").write_text(INI)
    with stepped(FLAT, classes={"MyBot": f"{tmp_path}/usar.ini#MyBot"}) as server:
        raw = enter(server, init="INIT {ClassName USARBot.MyBot} {Name R1} {Location 0,0,0}")
        lines = server.say(raw, "DRIVE {Left 4} {Right 4}", steps=200)
        assert server.robot().p_WB[0] > 0.3
        assert one(lines, "{Type Sonar} {Name Nose Range")
        geo = one(server.say(raw, "GETGEO {Type Sonar}"), "GEO")
        assert "Location 0.2000,-0.0500,0.0000 Orientation 0.0000,0.0000,-0.1700" in geo, "as the file has it"
        assert value(one(server.say(raw, "GETGEO {Type Robot}"), "GEO"), "WheelRadius") == "0.0900"


def test_start_wins_over_location_and_names_have_no_case():
    with stepped(WORLD) as server:
        enter(server, init=f"INIT {ROBOT} {{Location 1,2,3}} {{Start robotstart3}}")
        assert server.robot().p_WB[:2] == pytest.approx(server.door.starts[2].p_W[:2], abs=0.01)


def test_without_a_place_robots_take_free_start_poses():
    with stepped(WORLD) as server:
        for _ in range(3):
            server.say(server.connect(), "INIT {ClassName USARBot.P2AT}")
        assert list(server.simulation.robots) == ["P2AT", "P2AT_2", "P2AT_3"]
        for i, robot in enumerate(server.simulation.robots.values()):
            assert robot.p_WB[:2] == pytest.approx(server.door.starts[i].p_W[:2], abs=0.01)


@pytest.mark.parametrize(
    "line",
    [
        "INIT {ClassName USARBot.NoSuchThing}",
        "INIT",
        "INIT {ClassName USARBot.P2AT} {Location 1e30,0,0}",
        "INIT {ClassName USARBot.P2AT} {Start RobotStart1}",
    ],
)
def test_what_cannot_be_is_met_with_silence(line):
    with stepped(WORLD) as server:
        server.say(server.connect(), "INIT {ClassName USARBot.P2AT} {Start RobotStart1} {Name first}")
        raw = server.connect()
        server.heard(raw)
        assert server.say(raw, line, "DRIVE {Left 1} {Right 1}", steps=30) == []
        assert list(server.simulation.robots) == ["first"]
        lines = server.say(raw, "INIT {ClassName USARBot.P2DX} {Start RobotStart2} {Name second}", steps=30)
        assert one(lines, "STA") and list(server.simulation.robots) == ["first", "second"], "and one may try again"


@pytest.mark.parametrize(
    ("name", "number"), [("Point1", 1), ("Vehicle1", 1), ("RobotStart3x", 1), ("Vehicle4", 4), ("vehicle19", 3)]
)
def test_start_poses_of_other_maps_are_the_nearest_free_ones_and_the_log_says_which(name, number, caplog):
    with stepped(WORLD) as server:
        lines = server.say(server.connect(), f"INIT {{ClassName USARBot.P3AT}} {{Name R1}} {{Start {name}}}", steps=25)
        assert one(lines, "STA ")
        pose = server.door.starts[number - 1]
        assert server.robot().p_WB[:2] == pytest.approx(pose.p_W[:2], abs=0.02)
        assert f"no start pose '{name}' here; {pose.name} is taken" in caplog.text
        server.say(server.connect(), f"INIT {{ClassName USARBot.P3AT}} {{Name R2}} {{Start {name}}}", steps=2)
        after = server.door.starts[number % 16]
        assert server.robot("R2").p_WB[:2] == pytest.approx(after.p_W[:2], abs=0.02), "the next one that is free"


def test_people_may_ask_to_be_told_why():
    with stepped(FLAT, errors=True) as server:
        raw = server.connect()
        told = one(server.say(raw, "INIT {ClassName USARBot.Nothing}"), "ERR")
        assert value(told, "Command") == "INIT" and "USARBot.P2AT" in value(told, "Reason")
        assert "INIT comes first" in one(server.say(raw, "DRIVE {Left 1}"), "ERR")
        assert "no such command" in one(server.say(raw, "HELLO {World 1}"), "ERR")
        assert "no client is known" in one(server.say(raw, "SETBALL"), "ERR")
        assert "walking people" in one(server.say(raw, "GOTO {Name x}"), "ERR")


def test_a_second_init_on_one_socket_is_ignored(flat):
    raw = enter(flat)
    flat.say(raw, "INIT {ClassName USARBot.P2DX} {Location 5,5,0}")
    assert list(flat.simulation.robots) == ["R1"]


def test_names_that_cannot_be_are_made_so(flat):
    raw = flat.connect()
    flat.say(raw, "INIT {ClassName USARBot.P2AT} {Location 0,0,0} {Name 1 R\u00f6bot/../x}")
    assert list(flat.simulation.robots) == ["R1_R_bot____x"]


def test_closing_the_socket_removes_the_robot(flat):
    raw = enter(flat)
    raw.close()
    flat.until(lambda: flat.door.wire.clients[0].gone)
    flat.step()
    assert not flat.simulation.robots and not flat.door.wire.clients and not flat.door.sessions


def test_a_reset_from_elsewhere_brings_robots_back(flat):
    raw = enter(flat)
    flat.simulation.reset()
    lines = flat.say(raw, "GETCONF {Type Robot}", steps=25)
    assert list(flat.simulation.robots) == ["R1"] and one(lines, "CONF ") and one(lines, "STA ")


# DRIVE


@pytest.mark.parametrize(
    ("dialect", "line", "left", "right"),
    [
        ("ut2003", "DRIVE {Left 1.0} {Right 1.0}", SPIN, SPIN),
        ("ut2003", "DRIVE {Left 0.5} {Right -0.5}", SPIN / 2, -SPIN / 2),
        ("ut2003", "DRIVE {Left 1.0}", SPIN, 0.0),
        ("ut2004", "DRIVE {Left 2.0} {Right 1.0}", 2.0, 1.0),
        ("ut2004", "Drive {Left 2.693878} {RIGHT 3.428571}", 2.693878, 3.428571),
        ("ut2004", "DRIVE {Left 100} {Right -50} {Normalized True}", SPIN, -SPIN / 2),
        ("ut2004", "DRIVE {Left 1,00} {Right 1,00}", 1.0, 1.0),
        ("ut2004", "DRIVE {Left 1e9} {Right -1e9}", SPIN, -SPIN),
        ("udk", "DRIVE {Left 2.0} {Right 1.0} {Normalized false}", 2.0, 1.0),
        ("udk", "DRIVE {Left 2.0}", 0.0, 0.0),
        ("udk", "DRIVE {Left 50} {Right 50} {Normalized true} {Light False}", SPIN / 2, SPIN / 2),
    ],
)
def test_wheels_turn_as_told(flat, dialect, line, left, right):
    raw = enter(flat, dialect)
    flat.say(raw, line, steps=100)
    assert wheels(flat) == pytest.approx([left, right], abs=0.25)


def test_turning_right_is_positive_on_the_wire(flat):
    raw = enter(flat)
    lines = flat.say(raw, "DRIVE {Left 3} {Right 0}", steps=150)
    assert yaw(flat) < -0.2
    orientation = floats(value(one(lines[::-1], "GroundTruth"), "Orientation"))
    assert orientation[2] > 0.2
    pose = floats(value(one(lines[::-1], "Odometry"), "Pose"))
    assert pose[2] > 0.2 and pose[1] > 0.0


def test_sides_that_are_not_named_keep_what_they_had(flat):
    raw = enter(flat)
    flat.say(raw, "DRIVE {Left 2} {Right 2}", steps=2)
    flat.say(raw, "DRIVE {Right 0}", steps=60)
    assert wheels(flat) == pytest.approx([2.0, 0.0], abs=0.25)


def test_light_in_any_case(flat):
    raw = enter(flat)
    lines = flat.say(raw, "DRIVE {Light True}", steps=25)
    assert value(state(lines), "LightToggle") == "True"
    lines = flat.say(raw, "DRIVE {Light false}", steps=25)
    assert value(state(lines), "LightToggle") == "False"


def test_flip_puts_a_robot_back_on_its_wheels(flat):
    raw = enter(flat, init="INIT {ClassName USARBot.P2AT} {Name R1} {Location 0,0,-0.4} {Rotation 3.14159,0,0}")
    flat.step(100)
    up = flat.robot().X_WB[0, 2, 2]
    assert up < 0.5, "it lies on its back or side"
    flat.say(raw, "DRIVE {Flip true}", steps=400)
    assert flat.robot().X_WB[0, 2, 2] > 0.9


def test_joints_one_by_one(flat):
    raw = enter(flat)
    flat.say(raw, "DRIVE {Name CameraPan} {Order 0} {Value 0.5}", steps=150)
    assert joint(flat, "CameraPan") == pytest.approx(-0.5, abs=0.03), "to the right"
    flat.say(raw, "DRIVE {Name camerapan} {Order 10} {Value -0.25}", steps=150)
    assert joint(flat, "CameraPan") == pytest.approx(-0.25, abs=0.05)
    flat.say(raw, "DRIVE {Name CameraPan} {Value 99}", steps=300)
    high = flat.robot().description.joints[flat.robot().description.joint("CameraPan")].high
    assert joint(flat, "CameraPan") == pytest.approx(-high, abs=0.05), "to the end of its range"
    flat.say(raw, "DRIVE {Name LeftFWheel} {Order 1} {Value 3}", steps=60)
    assert wheels(flat)[0] == pytest.approx(3.0, abs=0.4)
    flat.say(raw, "DRIVE {Name LeftFWheel} {Order 3}", steps=60)
    assert wheels(flat)[0] == pytest.approx(0.0, abs=0.2)
    before = joint(flat, "LeftFWheel")
    flat.say(raw, "DRIVE {Name LeftFWheel} {Order 2} {Value 9}", steps=100)
    assert joint(flat, "LeftFWheel") > before + 0.05, "a torque turns it"


def test_angles_of_joints_in_the_manuals_units(flat):
    raw = enter(flat, "ut2003")
    flat.say(raw, "DRIVE {Name CameraPan} {Order 0} {Value 8192}", steps=200)
    assert joint(flat, "CameraPan") == pytest.approx(-math.pi / 4, abs=0.03)
    flat.say(raw, "CAMERA {Rotation 4096,57344,0} {Order 0} {Zoom 0}", steps=500)
    assert joint(flat, "CameraPan") == pytest.approx(math.pi / 4, abs=0.05), "57344 is an eighth of a turn to the left"
    assert joint(flat, "CameraTilt") == pytest.approx(-math.pi / 8, abs=0.05), "up"
    camera = floats(value(state(flat.say(raw, "GETSTARTPOSES", steps=25)), "Camera"))
    assert camera[0] == pytest.approx(4096, abs=500) and camera[1] == pytest.approx(57344, abs=500)


@pytest.mark.parametrize(("dialect", "turning"), [("ut2004", 0.5), ("udk", math.degrees(0.5))])
def test_flying(flat, dialect, turning):
    init = "INIT {ClassName USARBot.AirRobot} {Name R1} {Location 0,0,-2}"
    raw = enter(flat, dialect, init)
    lines = flat.say(raw, f"DRIVE {{AltitudeVelocity 0.5}} {{RotationalVelocity {turning}}}", steps=200)
    robot = flat.robot()
    assert robot.p_WB[2] > 2.3 and robot.w_WB_W[2] == pytest.approx(-0.5, abs=0.1), "clockwise"
    assert value(state(lines), "Type") == "AerialVehicle"
    flat.say(raw, "DRIVE {LateralVelocity 1} {RotationalVelocity 0} {AltitudeVelocity 0}", steps=200)
    right = -robot.X_WB[0, :, 1]
    assert flat.robot().v_WB_W @ right == pytest.approx(1.0, abs=0.2)
    assert "{Minutes" in one(lines, "MissionTime")


def test_steered_wheels(flat):
    raw = enter(flat, init="INIT {ClassName USARBot.Rover} {Name R1} {Location 0,0,0}")
    lines = flat.say(raw, "DRIVE {Speed 4} {FrontSteer 0.3} {RearSteer -0.3}", steps=200)
    told = state(lines)
    assert float(value(told, "FrontSteer")) == pytest.approx(0.3, abs=0.06)
    assert float(value(told, "RearSteer")) == pytest.approx(-0.3, abs=0.06)
    assert yaw(flat) < -0.2, "to the right"
    conf = one(flat.say(raw, "GETCONF {Type Robot}"), "CONF ")
    assert value(conf, "SteeringType") == "AckermanSteered" and float(value(conf, "MaxRearSteer")) > 0
    flat.say(raw, "DRIVE {Propeller 1}", "DRIVE {AltitudeVelocity 1}", steps=2)


def test_wheels_by_number(flat):
    raw = enter(flat)
    flat.say(raw, "DRIVE {WheelNumber 0} {WheelSpeed 2} {WheelNumber 2} {WheelSpeed 1}", steps=60)
    assert wheels(flat) == pytest.approx([2.0, 1.0], abs=0.4)
    flat.say(raw, "DRIVE {WheelNumber 99} {WheelSpeed 2}", steps=2)


def test_flippers_together(flat):
    raw = enter(flat, init="INIT {ClassName USARBot.Kenaf} {Name R1} {Location 0,0,0}")
    lines = flat.say(raw, "MULTIDRIVE {FLFlipper 0.6} {FRFlipper 0.6} {RLFlipper 0.3} {RRFlipper 0.3}", steps=200)
    told = state(lines)
    assert [float(value(told, f)) for f in ("FLFlipper", "FRFlipper")] == pytest.approx([0.6, 0.6], abs=0.1)
    assert [float(value(told, f)) for f in ("RLFlipper", "RRFlipper")] == pytest.approx([0.3, 0.3], abs=0.1)


# Packages


@pytest.mark.parametrize(
    "line",
    [
        "MISPKG {Name CameraPanTilt} {Link 1} {Value 0.4} {Order 0} {Link 2} {Value 0.2} {Order 0}",
        "MISPKG {Name CameraPanTilt} {Rotation 0,0.2,0.4} {Order 0}",
        "ACT {Name CameraPanTilt} {Link 0} {Value 0.4} {Link 1} {Value 0.2}",
    ],
)
def test_links_of_packages(flat, line):
    raw = enter(flat)
    lines = flat.say(raw, line, steps=200)
    assert joint(flat, "CameraPan") == pytest.approx(-0.4, abs=0.03)
    assert abs(joint(flat, "CameraTilt")) == pytest.approx(0.2, abs=0.03)
    told = [float(v) for k, v in fields(one(lines[::-1], "MISSTA"))[1] if k == "Value"]
    assert told == pytest.approx([0.4, 0.2], abs=0.04)
    flat.say(raw, "MISPKG {Name Nothing} {Link 1}", "ACT {Name CameraPanTilt} {Link 7} {Value 1}", steps=2)


# SET


def answers(server, raw, line, steps=2):
    return [a for a in server.say(raw, line, steps=steps) if a.startswith("RES")]


def test_set_answers_in_ut2004_only(flat):
    for dialect in ("ut2004", "udk", "ut2003"):
        raw = flat.connect(dialect)
        place = 3 * len(flat.simulation.robots)
        flat.say(
            raw, f"INIT {{ClassName USARBot.Everything}} {{Location {place * (140 if dialect == 'ut2003' else 1)},0,0}}"
        )
        told = answers(flat, raw, "SET {Type Odometry} {Name Odometry} {Opcode RESET}")
        assert len(told) == (dialect == "ut2004")
        if told:
            names = [k for k, _ in fields(told[0])[1]]
            assert names == ["Time", "Type", "Name", "Status"] and value(told[0], "Status") == "OK"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("SET {Type Encoder} {Name ECLeft} {Opcode RESET}", "OK"),
        ("SET {Type Tachometer} {Opcode reset}", "OK"),
        ("SET {Type INS} {Name INS} {Opcode POSE} {Params 1,2,3,0,0,1.5}", "OK"),
        ("SET {Type INS} {Name INS} {Opcode POSE} {Params 1,2}", "Failed"),
        ("SET {Type RangeScanner} {Name Scanner3} {Opcode SCAN}", "OK"),
        ("SET {Type RangeScanner} {Name Scanner1} {Opcode SCAN}", "OK"),
        ("SET {Type RangeImager} {Name Kinect} {Opcode SCAN}", "OK"),
        ("SET {Type Joint} {Name CameraPan} {Opcode Angle} {Params 0.3}", "OK"),
        ("SET {Type Joint} {Name CameraPan} {Opcode 0} {Params 0.3,0}", "OK"),
        ("SET {Type Joint} {Name AllAngles} {Opcode Target} {Params 0.3,0.1}", "OK"),
        ("SET {Type Joint} {Name Nothing} {Opcode Angle} {Params 0.3}", "Failed"),
        ("SET {Type Joint} {Name CameraPan} {Opcode Stiffness} {Params 0.3}", "Failed"),
        ("SET {Type RFIDReleaser} {Name Gun} {Opcode Release}", "OK"),
        ("SET {Type RFID} {Name RFID} {Opcode Read} {Params 7}", "Failed"),
        ("SET {Type Gripper} {Name Grip} {Opcode CLOSE}", "Failed"),
        ("SET {Type {Odd} {Name } {Opcode}", "Failed"),
        ("SET", "Failed"),
    ],
)
def test_operations_and_their_status(flat, line, status):
    raw = enter(flat)
    flat.step(30)
    told = answers(flat, raw, line)
    assert [value(a, "Status") for a in told] == [status]


def test_zoom_is_a_field_of_view(flat):
    raw = enter(flat)
    told = answers(flat, raw, "SET {Type Camera} {Name Camera} {Opcode Zoom} {Params 0.5}")[0]
    assert [k for k, _ in fields(told)[1]] == ["Time", "Type", "Name", "FOV", "Status"]
    assert float(value(told, "FOV")) == pytest.approx(0.5, abs=1e-3)
    for wish, got in (("0", math.radians(50)), ("9", math.radians(120)), ("0.001", math.radians(20))):
        told = answers(flat, raw, f"SET {{Type Camera}} {{Opcode FOV}} {{Params {wish}}}")[0]
        assert float(value(told, "FOV")) == pytest.approx(got, abs=1e-3)


def test_scans_on_demand(flat):
    raw = enter(flat)
    lines = flat.say(raw, "SET {Type RangeScanner} {Name Scanner3} {Opcode SCAN}", steps=60)
    assert sum("Scanner3" in line and line.startswith("SEN") for line in lines) == 1
    lines = flat.say(raw, "SET {Type RangeImager} {Name Kinect} {Opcode SCAN}", steps=1)
    flat.until(
        lambda: not next(i for i in flat.door.sessions[flat.client(raw)].bot.items if i.name == "Kinect").memory["busy"]
    )
    strips = [line for line in [*lines, *flat.heard(raw)] if "{Frames 20}" in line]
    assert [value(line, "Frame") for line in strips] == [str(k) for k in range(1, 21)]
    depths = [float(d) for line in strips for d in value(line, "Range").rstrip(",").split(",")]
    assert len(depths) == 40 * 40 and value(strips[0], "Range").endswith(",")
    assert max(depths) <= 20.0 and 0.2 < depths[-20] < 1.0, "the ground is near at the bottom, the sky far"


def test_the_manuals_scan(flat):
    raw = enter(flat, "ut2003")
    lines = flat.say(raw, "SENSOR {Scan true}", steps=60)
    flat.say(raw, "SENSOR {Scan false}", steps=3)
    assert sum("Scanner3" in line for line in lines) <= 1


def test_resets_begin_at_zero(flat):
    raw = enter(flat)
    flat.say(raw, "DRIVE {Left 3} {Right 3}", steps=100)
    flat.say(raw, "DRIVE {Left 0} {Right 0}", steps=60)
    lines = flat.say(raw, "GETSTARTPOSES", steps=25)
    assert abs(int(one(lines, "ECLeft").split("ECLeft Tick ")[1].split("}")[0])) > 50
    for kind in ("Encoder", "Odometry", "Tachometer"):
        flat.say(raw, f"SET {{Type {kind}}} {{Opcode RESET}}")
    flat.say(raw, "SET {Type INS} {Opcode POSE} {Params 10,20,-30,0,0,1.5}")
    lines = flat.say(raw, "GETSTARTPOSES", steps=25)
    assert abs(int(one(lines, "ECLeft").split("ECLeft Tick ")[1].split("}")[0])) < 3
    assert floats(value(one(lines, "Odometry"), "Pose")) == pytest.approx([0, 0, 0], abs=0.01)
    assert floats(value(one(lines, "Tachometer"), "Pos")) == pytest.approx([0, 0], abs=0.05)
    assert floats(value(one(lines, "INS"), "Location")) == pytest.approx([10, 20, -30], abs=0.01)
    assert floats(value(one(lines, "INS"), "Orientation"))[2] == pytest.approx(1.5, abs=0.01)


def test_tags_are_dropped_read_and_written(flat):
    raw = enter(flat)
    for status in ("OK", "OK", "Failed"):
        told = answers(flat, raw, "SET {Type RFIDReleaser} {Name Gun} {Opcode Release}")
        assert value(told[0], "Status") == status
        flat.say(raw, "DRIVE {Left 2} {Right 2}", steps=30)
    lines = flat.say(raw, "GETSTARTPOSES", steps=25)
    tags = [v for k, v in fields(one(lines[::-1], "{Type RFID}"))[1] if k == "ID"]
    assert sorted(tags) == ["1000", "1001"]
    told = answers(flat, raw, "SET {Type RFID} {Name RFID} {Opcode Write} {Params 1000 seen by R1}")[0]
    assert value(told, "Status") == "OK"
    told = answers(flat, raw, "SET {Type RFID} {Name RFID} {Opcode Read} {Params 1000}")[0]
    assert (value(told, "Mem"), value(told, "Status")) == ("seen by R1", "OK")
    assert "{Mem seen by R1}" in one(flat.say(raw, "GETSTARTPOSES", steps=25)[::-1], "{Type RFID}")


# The rest


def test_battery_that_ends(flat):
    raw = enter(flat, init="INIT " + ROBOT + " {Location 0,0,0} {Battery 2}")
    lines = flat.say(raw, "DRIVE {Left 3} {Right 3}", steps=50)
    assert 0 < int(value(state(lines), "Battery")) <= 2
    flat.step(300)
    flat.heard(raw)
    lines = flat.say(raw, "DRIVE {Left 3} {Right 3}", steps=60)
    assert lines and all(line.startswith("STA {") for line in lines), "only the state goes on"
    assert value(lines[-1], "Battery") == "0"
    assert wheels(flat) == pytest.approx([0, 0], abs=0.05)


def test_trails_are_drawn(flat):
    raw = enter(flat)
    flat.say(raw, "Trace {On true} {Interval 0.1} {Color Blue}", "DRIVE {Left 3} {Right 3}", steps=200)
    drawn = flat.simulation.environment.drawings.snapshot(flat.simulation.clock.now_ns)
    assert len(drawn) > 5 and all(d.owner == "trace/R1" and d.colour[2] == 1.0 for d in drawn)
    flat.say(raw, "Trace {On false}", steps=100)
    assert len(flat.simulation.environment.drawings.snapshot(flat.simulation.clock.now_ns)) == len(drawn)
    flat.say(raw, "Trace {On true} {Color Pink}", "Trace {Interval x}", steps=2)


def test_pause_is_for_those_who_allow_it(flat):
    raw = enter(flat)
    flat.say(raw, "PAUSE {Time 0.1}", steps=30)
    assert not flat.loop.paused
    with stepped(FLAT, iterative=True) as server:
        raw = enter(server)
        server.say(raw, "PAUSE {Time 0.1}", steps=5)
        assert not server.loop.paused
        server.step(10)
        assert server.loop.paused
        raw.send("DRIVE {Left 1} {Right 1}")
        server.answer(lambda: not server.loop.paused)  # any command lets it go on


def test_paused_servers_still_answer(flat):
    raw = enter(flat)
    flat.heard(raw)
    flat.loop.pause()
    raw.send("GETCONF {Type Robot}")
    lines = []
    flat.answer(lambda: lines.extend(flat.heard(raw)) or lines)
    assert one(lines, "CONF ")


def test_the_same_commands_in_the_same_steps_give_the_same_bytes():
    def run():
        with stepped(WORLD) as server:
            raw = enter(server, init="INIT {ClassName USARBot.P2AT} {Name R1} {Start RobotStart1}")
            lines = server.say(raw, "DRIVE {Left 3} {Right 2}", steps=120)
            return lines, server.simulation.state_hash()

    first, second = run(), run()
    assert first == second and len(first[0]) > 30
    assert np.isfinite(len(first[1]))


@pytest.mark.parametrize("name", sorted(set(CLASSES.values())))
def test_every_class_stands_for_a_robot_that_enters_and_tells_its_state(flat, name):
    class_name = next(c for c, robot in CLASSES.items() if robot == name)
    raw = flat.connect()
    lines = flat.say(raw, f"INIT {{ClassName USARBot.{class_name}}} {{Name R1}} {{Location 0,0,0}}", steps=60)
    told = state(lines)
    assert value(told, "Type") == ("AerialVehicle" if name == "airrobot" else "GroundVehicle")
    assert 0 < int(value(told, "Battery")) <= 99_999
    assert one(lines, "{Type GroundTruth}")
    conf = one(flat.say(raw, "GETCONF {Type Robot}"), "CONF ")
    assert value(conf, "Name") == class_name and float(value(conf, "Mass")) > 0.5
    assert flat.robot().X_WB[0, 2, 2] > 0.9, "it stands"
