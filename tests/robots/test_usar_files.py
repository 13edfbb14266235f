"""Lines of USARSim's own files, as the manual and the last server have them, unchanged: what robots become of them."""

import math

import numpy as np
import pytest

from gamebots_rig import FLAT, fields, floats, one, state, stepped, value
from volery.errors import RobotError
from volery.robots.library import load_robot_file

CORKY = """
[USARBot.USARBC]
bDebug=False
msgTimer=0.500000
bAbsoluteCamera=False
bSpeedControl=True
MinOut=-20.000000
MaxOut=20.000000
Kp=0.2
Ki=0.8
Kd=0
CameraFov=60
Sensors=(SensorClass=class'USARBot.RangeSensor',SenName="Front",Position=(X=-80,Y=0,Z=50),Direction=(Pitch=0,Yaw=32768,Roll=0))
Sensors=(SensorClass=class'USARBot.RangeSensor',SenName="Right",Position=(X=0,Y=-40,Z=50),Direction=(Pitch=0,Yaw=-16384,Roll=0))
Camera=(ItemClass=class'USARBot.Sensor',ItemName="Camera",Parent="CameraTilt",Position=(X=13,Y=0,Z=0))
HeadLight=(ItemClass=class'USARBot.USARHeadLight',ItemName="HeadLight",Position=(X=-77,Y=0,Z=20),Direction=(Yaw=32768))
[USARBot.RangeSensor]
HiddenSensor=True
MaxRange=1000.000000
Noise=0.05
OutputCurve=(Points=((InVal=0.000000,OutVal=0.000000),(InVal=1000.000000,OutVal=1000.000000)))
"""
UDK = """
[USARUtility.UnitsConverter]
C_MeterToUU=250
[USARSensor.Sensor]
bWithTimeStamp=true
ScanInterval=.1
Noise=0.001
[USARSensor.RangeScanner]
MaxRange=4.0
MinRange=0.1
ScanInterval=0.2
Resolution=0.157
ScanFov=3.14
[USARSensor.SICK]
ScanFov=3.14159
Resolution=0.01745
MaxRange=20.000000
[USARSensor.INS]
ScanInterval=0.2
Precision=500
[USARSensor.Encoder]
Resolution=0.01745
[USARSensor.Battery]
maxEnergy=500000.0
batteryLife=1000.0
[USARBot.GPSSensor]
ZeroZeroLocation=(LatitudeDegree=39,LatitudeMinute=8.0273,LongitudeDegree=-77,LongitudeMinute=12.998)
[USARBot.USARVehicle]
msgTimer=0.05
[USARBot.P3AT]
AddParts=(ItemClass=class'USARSensor.GroundTruth',ItemName="GndTruth",Position=(X=0,Y=0.0,Z=0),Direction=(x=0.0,y=0.0,z=0.0))
;AddParts=(ItemClass=class'USARSensor.Odometry',ItemName="NotThis")
AddParts=(ItemClass=class'USARSensor.Odometry',ItemName="Odometer",Position=(X=0,Y=0.0,Z=0))
AddParts=(ItemClass=class'USARSensor.INS',ItemName="InsTest",Position=(X=0,Y=0.0,Z=-0.2))
AddParts=(ItemClass=class'USARSensor.SICK',ItemName="lms200",Position=(X=0.2085,Y=0.0,Z=-0.2),Direction=(x=0.0,y=0.0,z=0.0))
AddParts=(ItemClass=class'USARSensor.Tachometer',ItemName="TachTest")
AddParts=(ItemClass=class'USARSensor.Encoder',ItemName="W1")
AddParts=(ItemClass=class'USARSensor.Encoder',ItemName="W2")
AddParts=(ItemClass=class'USARSensor.Battery',ItemName="battery",Position=(X=0.15,Y=0.0,Z=-0.20))
AddParts=(ItemClass=class'USARActuator.CamPackage',ItemName="Pan",Position=(X=0.1,Y=0,Z=-0.4))
AddParts=(ItemClass=class'USARActuator.GripperEffector',ItemName="Hand",Position=(X=0.3))
AddParts=(ItemClass=class'USARSensor.GPSSensor',ItemName="GndTruth")
Colour=(R=1)
[USARActuator.CamPackage]
AddParts=(ItemClass=class'USARSensor.USARCamera',ItemName="Eye",Parent="Top",Position=(X=0.05,Y=0,Z=-0.1))
[USARBot.NoSuchRobot]
AddParts=(ItemClass=class'USARSensor.GroundTruth',ItemName="G")
"""


@pytest.fixture
def corky(tmp_path):
    (tmp_path / "usar.ini").write_text(CORKY)
    return f"{tmp_path}/usar.ini"


@pytest.fixture
def udk(tmp_path):
    (tmp_path / "DefaultUSAR.ini").write_text(UDK)
    return f"{tmp_path}/DefaultUSAR.ini"


@pytest.mark.parametrize("name", ["USARBC", "USARBc", "Corky", "USARBot.USARBC"])
def test_corky_of_the_manual_by_all_its_names(corky, name):
    file = load_robot_file(f"{corky}#{name}")
    assert list(file.sensors) == ["Front", "Right", "Camera", "HeadLight"]
    assert file.drive is not None and "Corky" not in file.sensors


def test_corky_looks_along_minus_x_in_its_file(corky):
    sensors = load_robot_file(f"{corky}#USARBC").sensors
    assert sensors["Front"]["type"] == "sonar" and sensors["Front"]["cones"] == 0, "one ray"
    assert sensors["Front"]["mount"]["position"] == pytest.approx([80 / 140, 0, 50 / 140])
    assert sensors["Front"]["mount"]["attitude_deg"] == pytest.approx([0, 0, 0])
    assert sensors["Right"]["mount"]["position"] == pytest.approx([0, -40 / 140, 50 / 140])
    assert sensors["Right"]["mount"]["attitude_deg"] == pytest.approx([0, 0, -90])
    assert sensors["Front"]["max_range"] == pytest.approx(1000 / 140)
    assert sensors["Front"]["noise"]["range"]["relative"] == 0.05
    assert sensors["Camera"]["type"] == "camera" and sensors["Camera"]["fov_deg"] == 60.0
    assert sensors["Camera"]["mount"]["site"] == "CameraTilt"


def test_keys_of_the_robot_are_rules_of_its_client(corky):
    file = load_robot_file(f"{corky}#USARBC")
    rules = file.usar
    assert (rules.message_period, rules.absolute_camera, rules.speed_control) == (0.5, False, True)
    assert rules.most_torque == 20.0 and file.drive.integral == pytest.approx(4.0), "Ki / Kp"


def test_corky_of_a_file_drives_and_tells_what_the_file_says(corky):
    with stepped(FLAT, classes={"USARBC": f"{corky}#USARBC"}) as server:
        raw = server.connect("ut2003")
        server.say(raw, "INIT {ClassName USARBot.USARBC} {Name R1} {Location 0,0,30}", steps=30)
        lines = server.say(raw, "DRIVE {Left 1.0} {Right 1.0}", steps=200)
        assert server.robot().p_WB[0] > 1.0
        times = [float(value(line, "Time")) for line in lines if line.startswith("STA")]
        assert np.diff(times) == pytest.approx(0.5)
        sonars = [v.split()[0] for k, v in fields(one(lines, "{Type Range}"))[1] if k == "Name"]
        assert sonars == ["Front", "Right"]
        for _ in range(2):
            lines = server.say(raw, "CAMERA {Rotation 0,4096,0} {Order 0}", steps=200)
        assert floats(value(state(lines), "Camera"))[1] == pytest.approx(8192, abs=300)


def test_without_speed_control_wheels_are_told_torques(tmp_path):
    (tmp_path / "usar.ini").write_text(CORKY.replace("bSpeedControl=True", "bSpeedControl=False"))
    with stepped(FLAT, classes={"USARBC": f"{tmp_path}/usar.ini#USARBC"}) as server:
        raw = server.connect("ut2003")
        server.say(raw, "INIT {ClassName USARBot.USARBC} {Name R1} {Location 0,0,30}", steps=30)
        server.say(raw, "DRIVE {Left 0.2} {Right 0.2}", steps=50)
        robot = server.robot()
        efforts = [robot.joint_efforts[robot.description.joint(j)] for j in ("LeftWheel", "RightWheel")]
        assert efforts == pytest.approx([4.0, 4.0], abs=0.1), "a fifth of 20 N m"
        before = robot.v_WB_W[0]
        server.step(50)
        assert robot.v_WB_W[0] > before + 0.2, "it goes on speeding up"


def test_the_last_servers_robot_with_all_its_sensors(udk, caplog):
    caplog.set_level("INFO", "volery")
    file = load_robot_file(f"{udk}#P3AT")
    names = ["GndTruth", "Odometer", "InsTest", "lms200", "TachTest", "W1", "W2", "battery", "Eye", "GndTruth_2"]
    assert list(file.sensors) == names
    own = file.sensors
    assert (own["lms200"]["max_range"], own["lms200"]["resolution"]) == (20.0, 0.01745)
    assert own["lms200"]["rate"] == 5.0 and own["lms200"]["min_range"] == 0.1, "from the class above"
    assert own["lms200"]["noise"]["range"]["relative"] == 0.001, "and from that of all sensors"
    assert own["lms200"]["mount"]["position"] == pytest.approx([0.2085, 0, 0.2]), "metres"
    assert own["InsTest"]["distance_scale"] == pytest.approx(0.001)
    assert own["W1"]["joints"] == ["LeftFWheel"] and own["W2"]["joints"] == ["RightFWheel"]
    assert own["W1"]["ticks"] == 360 and len(own["TachTest"]["joints"]) == 4
    assert own["Odometer"]["wheels"] == ["LeftFWheel", "RightFWheel"]
    assert (own["battery"]["capacity"], own["battery"]["idle"]) == (5e5, 500.0)
    assert own["Eye"]["mount"]["position"] == pytest.approx([0.15, 0, 0.5]), "of a package, on the robot"
    assert own["GndTruth_2"]["latitude"] == pytest.approx(39 + 8.0273 / 60)
    assert own["GndTruth_2"]["longitude"] == pytest.approx(-77 - 12.998 / 60)
    assert file.usar.message_period == 0.05, "of all robots"


def test_what_is_not_known_is_named_with_file_and_line(udk, caplog):
    caplog.set_level("INFO", "volery")
    load_robot_file(f"{udk}#P3AT")
    lines = UDK.splitlines()

    def told(words, where):
        number = next(i for i, row in enumerate(lines, 1) if where in row)
        return any(f"DefaultUSAR.ini:{number}: " in m and words in m for m in caplog.messages)

    assert told("'Hand' of 'USARBot.P3AT' is of class 'grippereffector', which is not known", '"Hand"')
    assert told("'campackage', which is not known; left out, but for what it carries", '"Pan"')
    assert told("there is an item 'GndTruth' already; this one is 'GndTruth_2'", 'GPSSensor\',ItemName="GndTruth"')
    assert told("key 'colour' of section [USARBot.P3AT] is not known", "Colour")
    with pytest.raises(RobotError, match=rf"DefaultUSAR.ini:{lines.index('[USARBot.NoSuchRobot]') + 1}: .*NoSuchRobot"):
        load_robot_file(f"{udk}#NoSuchRobot")


def test_every_key_of_a_sensors_section_is_read_or_named(tmp_path, caplog):
    (tmp_path / "a.ini").write_text(
        "[USARBot.P2AT]\nSensors=(ItemClass=class'USARBot.SonarSensor',ItemName=\"F1\")\n"
        "[USARBot.SonarSensor]\nHiddenSensor=True\nMaxRange=3\nMaxRnge=4\n"
    )
    sensors = load_robot_file(f"{tmp_path}/a.ini#P2AT").sensors
    assert sensors["F1"]["max_range"] == 3.0
    [message] = [m for m in caplog.messages if "not known" in m]
    assert "a.ini:6: key 'maxrnge'" in message and "maxrange" in message


def test_the_files_robot_is_told_in_the_last_dialect(udk):
    with stepped(FLAT, classes={"P3AT": f"{udk}#P3AT"}) as server:
        raw = server.connect("udk")
        server.say(raw, "INIT {ClassName USARBot.P3AT} {Name R1} {Start Point1}", steps=30)
        lines = server.say(raw, "DRIVE {Left 3} {Right 3}", steps=200)
        for kind, name in (
            ("GroundTruth", "GndTruth"), ("INS", "InsTest"), ("Tachometer", "TachTest"), ("Encoder", "W1"),
            ("Encoder", "W2"), ("RangeScanner", "lms200"), ("Odometry", "Odometer"),
        ):  # fmt: skip
            assert one(lines, "SEN", f"{{Type {kind}}}", f"{{Name {name}}}")
        spins = floats(value(one(lines[::-1], "TachTest"), "Vel"))
        assert spins == pytest.approx([3.0] * 4, abs=0.3)
        x, _, theta = floats(value(one(lines[::-1], "Odometer"), "Pose"))
        assert x == pytest.approx(server.robot().p_WB[0] - server.door.starts[0].p_W[0], abs=0.05)
        assert abs(theta) < 0.1
        assert math.isclose(float(value(state(lines), "Battery")), 998.0, abs_tol=5.0)


def test_a_whole_file_takes_the_place_of_robots_of_the_same_class(udk):
    with stepped(FLAT, ini=udk) as server:
        raw = server.connect("udk")
        server.say(raw, "INIT {ClassName USARBot.P3AT} {Name R1} {Start Vehicle1}", steps=30)
        assert "Eye" in server.simulation.sensors["R1"]
        other = server.connect("udk")
        server.say(other, "INIT {ClassName USARBot.Zerg} {Name R2} {Start RobotStart2}", steps=2)
        assert "VictSensor" in server.simulation.sensors["R2"], "those that it does not name stay ours"
