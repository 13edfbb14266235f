"""Every message of USARSim's protocol in each dialect, field by field, against what the simulation itself knows."""

import math

import numpy as np
import pytest

from gamebots_rig import WORLD, fields, floats, one, state, stepped, value
from volery.core.frames import euler_from_quat

INIT = "INIT {ClassName USARBot.Everything} {Start RobotStart1} {Name R1}"
LATER = ("ut2004", "udk")

ONE_BRACE = {
    "Sonar": ["Name F1 Range", "Name F2 Range"],
    "IR": ["Name IR1 Range"],
    "Encoder": ["Name ECLeft Tick", "Name ECRight Tick"],
    "Touch": ["Name Touch1 Touch"],
}
"""What older dialects tell in one line: the words before each value."""
SEPARATE = {
    "Odometry": "Name Pose",
    "INS": "Name Location Orientation",
    "GroundTruth": "Name Location Orientation",
    "GPS": "Name Latitude Longitude Fix Satellites",
    "Tachometer": "Name Vel Pos",
    "IMU": "Name XYZAcceleration AngularVel AngularAccel Rotation",
    "Accel": "Name Acceleration",
    "AcceleroMeter": "Name ProperAcceleration",
    "MagneticCompass": "Name MagneticAngle",
    "AltitudeSensor": "Name relativeAltitude absoluteAltitude",
    "HumanMotion": "Name Prob",
    "Sound": "Name Loudness Duration",
    "VictSensor": "Status",
    "CO2Sensor": "Name Gas Density",
    "RangeImager": "Name Resolution FOV Frames Frame",
}
"""Names of the segments after Type, in order."""
UNTIMED = {"Encoder", "Touch", "RFID", "VictSensor", "VictRFID", "HumanMotion", "Sound", "CO2Sensor"}


@pytest.fixture(scope="module")
def heard():
    """Lines of a second in each dialect of a robot with all sensors, and what the simulation knew."""
    out = {}
    for dialect in ("ut2003", "ut2004", "udk"):
        with stepped(WORLD) as server, server.connect(dialect) as raw:
            greeting = server.heard(raw)
            lines = server.say(raw, INIT, steps=100)
            out[dialect] = greeting, lines, _truth(server)
    return out


def _truth(server):
    robot, sensors = server.robot(), server.simulation.sensors["R1"]
    return {
        "p": robot.p_WB.copy(), "q": robot.q_WB_wxyz.copy(), "v": robot.v_WB_W.copy(),
        "now": server.simulation.clock.now, "data": {n: s.latest.data for n, s in sensors.items() if s.latest},
        "origin": server.door.speaking("ut2003").origin_W, "X": {n: s.X_WS for n, s in sensors.items()},
    }  # fmt: skip


def ours_in_uu(p_W, truth):
    """A place in the manual's units, whose zero is not ours."""
    x, y, z = np.asarray(p_W) - truth["origin"]
    return [140 * x, -140 * y, 140 * z]


def last(lines, *parts):
    return one(lines[::-1], *parts)


# Greeting and STA


def test_the_greeting(heard):
    assert heard["ut2003"][0] == []
    for dialect in LATER:
        assert heard[dialect][0] == ["NFO {Gametype BotDeathMatch} {Level DM-arena_yellow} {TimeLimit 0}"]


def test_sta_of_the_manual(heard):
    _, lines, truth = heard["ut2003"]
    verb, pairs = fields(state(lines))
    assert verb == "STA"
    assert [k for k, _ in pairs] == [
        *("Time", "Camera", "Attitude", "Location", "Velocity", "LightToggle", "LightIntensity", "Battery")
    ]
    told = dict(pairs)
    assert float(told["Time"]) == pytest.approx(truth["now"], abs=0.005)
    assert floats(told["Location"]) == pytest.approx(ours_in_uu(truth["p"], truth), abs=0.01)
    pitch, yaw, roll = floats(told["Attitude"])
    assert all(a == int(a) and 0 <= a < 65536 for a in (pitch, yaw, roll))
    assert yaw == pytest.approx(49152, abs=30), "facing north is a quarter turn to the left"
    assert floats(told["Camera"]) == pytest.approx([0, 0, 0], abs=65536)
    assert told["LightToggle"] == "False" and told["LightIntensity"] == "100" and told["Battery"] == "100"


def test_sta_of_ut2004(heard):
    _, lines, truth = heard["ut2004"]
    pairs = fields(state(lines))[1]
    assert [k for k, _ in pairs] == [
        *("Type", "Time", "FrontSteer", "RearSteer", "LightToggle", "LightIntensity", "Battery", "View")
    ]
    told = dict(pairs)
    assert told["Type"] == "GroundVehicle" and told["View"] == "-1" and told["FrontSteer"] == "0.0000"
    assert float(told["Time"]) == pytest.approx(truth["now"]) and 1198 <= int(told["Battery"]) <= 1200


def test_sta_of_udk(heard):
    _, lines, _ = heard["udk"]
    pairs = fields(state(lines))[1]
    names = ("Time", "Battery", "Type", "LightToggle", "LightIntensity", "FrontSteer", "RearSteer")
    assert [k for k, _ in pairs] == [*names]


def test_state_comes_at_the_period_of_the_dialect_in_simulated_time(heard):
    for dialect, period in (("ut2003", 0.2), ("ut2004", 0.2), ("udk", 0.1)):
        times = [float(value(line, "Time")) for line in heard[dialect][1] if line.startswith("STA")]
        assert len(times) == round(1.0 / period)
        assert np.diff(times) == pytest.approx(period, abs=1e-6)


# SEN


def test_older_dialects_tell_all_sonars_encoders_and_switches_in_one_line(heard):
    for dialect in ("ut2003", "ut2004"):
        for kind, words in ONE_BRACE.items():
            kind = "Range" if dialect == "ut2003" and kind == "Sonar" else kind
            pairs = fields(last(heard[dialect][1], f"{{Type {kind}}}"))[1]
            if dialect == "ut2004" and kind in ("Sonar", "IR"):
                assert pairs.pop(0)[0] == "Time", "clients look for the type in the third place"
            assert pairs[0] == ("Type", kind)
            assert [" ".join(f"{k} {v}".split()[:-1]) for k, v in pairs[1:]] == words


def test_udk_tells_each_by_itself(heard):
    lines = heard["udk"][1]
    for kind, names, key in (
        ("Sonar", ("F1", "F2"), "Range"), ("IR", ("IR1",), "Range"), ("Encoder", ("W1", "W2"), "Tick"),
        ("Touch", ("Touch1",), "Touch"),
    ):  # fmt: skip
        for name in names:
            pairs = fields(last(lines, f"{{Type {kind}}}", f"{{Name {name}}}"))[1]
            assert [k for k, _ in pairs] == ["Time", "Type", "Name", key]


@pytest.mark.parametrize("dialect", ["ut2003", "ut2004", "udk"])
@pytest.mark.parametrize("kind", SEPARATE)
def test_segments_and_where_time_stands(heard, dialect, kind):
    sent = "Acoustic" if kind == "Sound" and dialect == "udk" else kind
    pairs = fields(last(heard[dialect][1], f"{{Type {sent}}}"))[1]
    timed = dialect == "udk" or (dialect == "ut2004" and kind not in UNTIMED)
    body = {"Acoustic": "Name Direction Volume Duration Delay"}.get(sent, SEPARATE[kind])
    if (dialect, kind) == ("ut2004", "VictSensor"):
        body = "Name Status"
    assert [k for k, _ in pairs] == [*(["Time"] if timed else []), "Type", *body.split()]


def test_rfid_never_begins_with_time(heard):
    for _, lines, _ in heard.values():
        assert last(lines, "{Type RFID}").startswith("SEN {Type RFID} {Name RFID}")


def test_scanners_tell_right_to_left(heard):
    for dialect in LATER:
        _, lines, truth = heard[dialect]
        pairs = dict(fields(last(lines, "{Type RangeScanner}", "{Name Scanner1}"))[1])
        ranges = np.array(floats(pairs["Range"]))
        assert len(ranges) == 181
        assert (float(pairs["Resolution"]), float(pairs["FOV"])) == (0.0175, 3.1416)
        assert ranges == pytest.approx(truth["data"]["Scanner1"]["range"], abs=0.0051 if dialect == "udk" else 1e-4)
        line = last(lines, "{Type RangeScanner}", "{Name Scanner1}")
        assert len(line) < 4096 and len(pairs["Range"]) < 2048
        assert "{Name Scanner2}" in last(lines, "{Type IRScanner}")


def test_the_manuals_scanner_tells_where_it_is(heard):
    _, lines, truth = heard["ut2003"]
    pairs = fields(last(lines, "{Type RangeScanner}", "{Name Scanner1}"))[1]
    assert [k for k, _ in pairs] == ["Type", "Name", "Location", "Data"]
    where, word, turn = pairs[2][1].split()
    assert word == "Rotation" and len(turn.split(",")) == 3
    x, y, z = truth["X"]["Scanner1"][:, 3]
    assert floats(where) == pytest.approx(ours_in_uu((x, y, z), truth), abs=0.3)
    assert np.array(floats(pairs[3][1])) / 140 == pytest.approx(truth["data"]["Scanner1"]["range"], abs=1e-3)


def test_a_scanner_that_waits_says_nothing(heard):
    for _, lines, _ in heard.values():
        assert not any("Scanner3" in line for line in lines)


@pytest.mark.parametrize("dialect", LATER)
def test_values_are_those_of_the_sensors(heard, dialect):
    _, lines, truth = heard[dialect]
    data, digits = truth["data"], 0.006 if dialect == "udk" else 2e-4
    sonar = last(lines, "{Type Sonar}", "Name F1")
    told = (
        float(sonar.split("Name F1 Range ")[1].split("}")[0]) if dialect == "ut2004" else float(value(sonar, "Range"))
    )
    assert told == pytest.approx(float(data["F1"]["range"][0]), abs=1e-4)
    place = data["GroundTruth"]["position"]
    assert floats(value(last(lines, "{Type GroundTruth}"), "Location")) == pytest.approx(
        [place[0], -place[1], -place[2]], abs=6e-4
    )
    turn = euler_from_quat(data["GroundTruth"]["attitude"])
    assert floats(value(last(lines, "{Type GroundTruth}"), "Orientation")) == pytest.approx(
        [turn[0], -turn[1], -turn[2]], abs=6e-4
    )
    ins = data["INS"]["position"]
    assert floats(value(last(lines, "{Type INS}"), "Location")) == pytest.approx([ins[0], -ins[1], -ins[2]], abs=digits)
    assert ins == pytest.approx(truth["p"], abs=0.02), "it counts in the world, from where the robot entered"
    angles = floats(value(last(lines, "{Type INS}"), "Orientation"))
    assert all(0 <= a <= 6.29 for a in angles) and angles[2] == pytest.approx(3 * math.pi / 2, abs=0.01)
    gps = dict(fields(last(lines, "{Type GPS}"))[1])
    degrees, minutes, north = gps["Latitude"].split(",")
    assert int(degrees) + float(minutes) / 60 == pytest.approx(math.degrees(data["GPS"]["geodetic"][0]), abs=2e-6)
    assert north == "N" and gps["Longitude"].endswith(",W") and gps["Fix"] == "1"
    proper = floats(value(last(lines, "{Type AcceleroMeter}"), "ProperAcceleration"))
    assert proper[2] == pytest.approx(-9.81, abs=0.3), "down is positive, and what holds the robot points up"
    assert value(last(lines, "{Type MagneticCompass}"), "MagneticAngle")


def test_clouds_and_victims_nearby(heard):
    _, lines, truth = heard["ut2004"]
    cloud = last(lines, "{Type PCL}", "{Name Cloud}").rsplit("{", 1)[1].rstrip("}")
    points = np.array([floats(p) for p in cloud.split(";")])
    assert 16 < len(points) <= 256 and points.shape[1] == 3 and np.isfinite(points).all()
    tags = fields(last(lines, "{Type VictRFID}"))[1]
    assert [k for k, _ in tags[:2]] == ["Type", "Name"]
    assert {k for k, _ in tags[2:]} <= {"ID", "Status", "Location"}
    assert sum(k == "Location" for k, _ in tags) == len(truth["data"]["VictRFID"]["level"])
    assert float(value(last(lines, "{Type CO2Sensor}"), "Density")) > 4e-4


def test_packages_tell_their_links(heard):
    pairs = fields(last(heard["ut2004"][1], "MISSTA"))[1]
    assert [k for k, _ in pairs] == ["Time", "Name", "Link", "Value", "Torque", "Link", "Value", "Torque"]
    assert pairs[1] == ("Name", "CameraPanTilt") and [v for k, v in pairs if k == "Link"] == ["1", "2"]
    pairs = fields(last(heard["udk"][1], "ASTA"))[1]
    assert [k for k, _ in pairs] == ["Time", "Name", "Link", "Value", "Link", "Value"]
    assert not any(line.startswith(("MISSTA", "ASTA")) for line in heard["ut2003"][1])


def test_udk_volunteers_the_camera_and_its_bare_head(heard):
    lines = heard["udk"][1]
    assert lines[0].startswith("CONF {Type Camera} {Name Camera} {TextureOffsetX 0}")
    assert fields(last(lines, "SEN", "{Type Camera}"))[1][1:] == [("Type", "Camera"), ("Name", "Camera")]
    assert sum("{Type Camera}" in line and line.startswith("SEN") for line in lines) == 10
    for dialect in ("ut2003", "ut2004"):
        assert not any("{Type Camera}" in line for line in heard[dialect][1])


def test_intervals_of_sensors(heard):
    for dialect, kind, count in (
        ("ut2004", "Sonar", 5), ("ut2004", "RangeScanner", 5), ("ut2004", "Odometry", 5), ("udk", "Odometry", 10),
        ("udk", "GroundTruth", 5), ("udk", "Touch", 10), ("udk", "Acoustic", 1), ("udk", "INS", 5),
    ):  # fmt: skip
        found = [line for line in heard[dialect][1] if f"{{Type {kind}}}" in line]
        assert len(found) == count, (dialect, kind)


# CONF and GEO


@pytest.fixture(scope="module", params=["ut2003", "ut2004", "udk"])
def asked(request):
    with stepped(WORLD) as server, server.connect(request.param) as raw:
        server.say(raw, INIT)
        yield server, raw, server.door.speaking(request.param)


def ask(asked, text, *parts):
    server, raw, _ = asked
    return one(server.say(raw, text), *parts)


def test_robot_conf_and_geo(asked):
    d = asked[2]
    pairs = fields(ask(asked, "GETCONF {Type Robot}", "CONF "))[1]
    assert [k for k, _ in pairs] == [
        *("Name", "Type", "SteeringType", "Mass", "MaxSpeed", "MaxTorque", "MaxFrontSteer", "MaxRearSteer")
    ]
    told = dict(pairs)
    assert (told["Name"], told["Type"], told["SteeringType"]) == ("Everything", "GroundVehicle", "SkidSteered")
    assert float(told["Mass"]) == pytest.approx(14.0, abs=0.01)
    assert told["MaxSpeed"] == d.angle(0.7 / 0.1075)
    pairs = fields(ask(asked, "getgeo {type robot}", "GEO "))[1]
    names = ("Type", "Name", "Dimensions", "COG", "WheelRadius", "WheelSeparation", "WheelBase")
    assert [k for k, _ in pairs] == [*names]
    told = dict(pairs)
    assert (told["WheelRadius"], told["WheelSeparation"]) == (d.length(0.1075), d.length(0.4 * 1.845))
    assert told["WheelBase"] == d.length(0.268)


def test_every_name_of_a_sen_line_can_be_asked_for(asked):
    server, raw, dialect = asked
    lines = server.say(raw, "GETSTARTPOSES", steps=100)
    names = set()
    for line in lines:
        if line.startswith("SEN") and "NoVictims" not in line and "PCL" not in line:
            kind = value(line, "Type")
            grouped = [v.split()[0] for k, v in fields(line)[1] if k == "Name"]
            names |= {(kind, n) for n in grouped}
    assert len(names) > 20
    for kind, name in sorted(names):
        conf = one(server.say(raw, f"GETCONF {{Type {kind}}} {{Name {name}}}"), "CONF ")
        geo = one(server.say(raw, f"GETGEO {{Type {kind}}} {{Name {name}}}"), "GEO ")
        pairs = fields(conf)[1]
        assert pairs[:2] == [("Type", kind), ("Name", name)] and len(pairs) > 2, conf
        assert f"Name {name}" in geo and "Location" in geo and "Orientation" in geo
        if dialect.udk:
            assert [k for k, _ in fields(geo)[1]] == ["Type", "Name", "Location", "Orientation", "Mount"]


def test_confs_of_scanner_sonar_and_camera(asked):
    d = asked[2]
    pairs = fields(ask(asked, "GETCONF {Type RangeScanner} {Name Scanner1}", "CONF"))[1]
    assert pairs == [
        ("Type", "RangeScanner"), ("Name", "Scanner1"), ("MaxRange", d.length(20.0)), ("MinRange", d.length(0.1)),
        ("Resolution", d.angle(math.radians(1))), ("Fov", d.angle(math.pi)), ("Panning", "False"), ("Tilting", "False"),
    ]  # fmt: skip
    pairs = fields(ask(asked, "GETCONF {Type Sonar}", "CONF"))[1]
    assert [v for k, v in pairs if k == "Name"] == ["F1", "F2"], "one line for all"
    beam = "beamAngle" if d.udk else "BeamAngle"
    names = (
        "Name",
        "MaxRange",
        "MinRange",
        "ScanInterval",
        beam,
        "maxAngleOfIncidence",
        "tracesPerCone",
        "numberOfCones",
    )
    assert [k for k, _ in pairs[1:9]] == [*names]
    pairs = dict(fields(ask(asked, "GETCONF {Type Camera} {Name Camera}", "CONF"))[1])
    assert (pairs["TextureResolutionX"], pairs["TextureResolutionY"]) == ("320", "240")
    wide = "50.0000" if d.udk else d.angle(math.radians(50))
    assert pairs["CameraDefFov"] == pairs["CameraFov"] == wide


def test_geo_of_sonars_is_where_they_sit(asked):
    d = asked[2]
    geo = ask(asked, "GETGEO {Type Sonar} {Name F1}", "GEO")
    place, turn = d.vector((0.145, 0.13, 0.0)), d.turned((0.0, 0.0, math.pi / 2))
    if d.udk:
        assert dict(fields(geo)[1])["Location"] == place and dict(fields(geo)[1])["Orientation"] == turn
        assert value(geo, "Mount") == "Everything"
    else:
        assert f"{{Name F1 Location {place} Orientation {turn} Mount HARD}}" in geo
        camera = ask(asked, "GETGEO {Type Camera}", "GEO")
        assert camera.endswith("Mount CameraTilt}")


def test_packages_can_be_asked_for(asked):
    udk = asked[2].udk
    pairs = fields(ask(asked, "GETCONF {Type MisPkg} {Name CameraPanTilt}", "CONF"))[1]
    assert [k for k, _ in pairs[1:7]] == ["Name", "Link", "MaxRotationSpeed", "MaxTorque", "MinRange", "MaxRange"]
    pairs = fields(ask(asked, "GETCONF {Type Actuator}", "CONF"))[1]
    assert [k for k, _ in pairs[1:7]] == ["Name", "Link", "JointType", "MaxTorque", "MinValue", "MaxValue"]
    pairs = fields(ask(asked, "GETGEO {Type MisPkg}", "GEO"))[1]
    parent = "Parent" if udk else "ParentLink"
    assert [k for k, _ in pairs] == ["Type", "Name", *["Link", parent, "Location", "Orientation"] * 2]
    assert [v for k, v in pairs if k == parent] == ["-1", "1"]


def test_what_is_not_there_is_echoed_or_not_answered(asked):
    server, raw, dialect = asked
    for verb in ("CONF", "GEO"):
        lines = server.say(raw, f"GET{verb} {{Type RFIDGun}} {{Name {{x}} Nobody}}")
        found = [line for line in lines if line.startswith(verb)]
        assert found == ([] if dialect.udk else [f"{verb} {{Type RFIDGun}}"])
        lines = server.say(raw, f"GET{verb} {{Type RFIDGun}} {{Name Nobody}}")
        found = [line for line in lines if line.startswith(verb)]
        assert found == ([] if dialect.udk else [f"{verb} {{Type RFIDGun}} {{Name Nobody}}"])


def test_start_poses_and_path_nodes(asked):
    server, raw, dialect = asked
    pairs = fields(one(server.say(raw, "GETSTARTPOSES"), "NFO {StartPoses"))[1]
    assert pairs[0] == ("StartPoses", "16")
    words = f"{pairs[1][0]} {pairs[1][1]}".split()
    assert words[::3] == [f"RobotStart{i}" for i in range(1, 17)]
    p = server.door.starts[0].p_W
    assert words[1] == dialect.point(p) and words[2] == dialect.turned((0.0, 0.0, math.pi / 2))
    assert "{PathNodes 16}" in one(server.say(raw, "GETPATHNODES"), "NFO")
    near = one(server.say(raw, f"GETCLOSESTPATHNODE {{Location {words[4]}}}"), "NFO")
    assert value(near, "Pathnode") == "PathNode_1" and value(near, "Location") == words[4]
