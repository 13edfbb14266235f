"""Every line of USARSim's manual, typed to every robot it is meant for: the motion that follows, or the answer."""

import math

import numpy as np
import pytest

from gamebots_rig import FLAT, fields, floats, one, state, stepped, value
from volery.core.frames import euler_from_quat

MANUAL = ("P2AT", "P2DX", "Rover", "USARBc", "USARCar")
"""Robots of the manual."""
GROUND = (*MANUAL, "P3AT", "Zerg", "Talon", "Kenaf")
RELATIVE = ("USARBc", "USARCar")
"""Robots whose camera turns from where it was told."""
ARENAS = {"yellow": "1200,345,-450", "orange": "312,-600,-305", "red": "200,600,-450"}
"""The manual's start places [Unreal units]."""
QUICK = {("P2AT", "ut2004"), ("USARBc", "udk"), ("USARCar", "ut2004"), ("Rover", "udk")}
"""Robots and later dialects that every run tries."""


def enter(server, kind, dialect="ut2003", where="0,0,30"):
    raw = server.connect(dialect)
    server.say(raw, f"INIT {{ClassName USARBot.{kind}}} {{Name R1}} {{Location {where}}}", steps=40)
    return raw


@pytest.fixture(scope="module", params=GROUND)
def driven(request):
    """A robot of the manual's dialect on flat ground, and its client."""
    with stepped(FLAT) as server:
        yield request.param, server, enter(server, request.param)


def yaw(server):
    return float(euler_from_quat(server.robot().q_WB_wxyz)[2])


def moved(server, raw, line, steps=150):
    """How far the robot comes ahead [m], and how far it turns to the left [rad], by a line and a second and a half."""
    server.say(raw, "DRIVE {Left 0} {Right 0}", steps=200)
    p, before, turned = server.robot().p_WB.copy(), yaw(server), 0.0
    ahead = np.array([math.cos(before), math.sin(before)])
    server.say(raw, line)
    for _ in range(steps // 10):
        now = yaw(server)
        server.step(10)
        turned += (yaw(server) - now + math.pi) % (2 * math.pi) - math.pi
    return float((server.robot().p_WB - p)[:2] @ ahead), turned


# DRIVE {Left} {Right}, of every robot with wheels


@pytest.mark.parametrize(("left", "right", "way"), [(1.0, 1.0, 1.0), (-1.0, -1.0, -1.0), (0.5, 0.5, 0.5)])
def test_both_sides_alike_go_ahead_and_back(driven, left, right, way):
    _, server, raw = driven
    drive = server.robot().file.drive
    ahead, turned = moved(server, raw, f"DRIVE {{Left {left}}} {{Right {right}}}")
    v, a = drive.top_speed * abs(way), drive.acceleration
    speeding = min(v / a, 1.5)
    reached = a * speeding**2 / 2 + v * (1.5 - speeding)
    assert ahead == pytest.approx(math.copysign(reached, way), rel=0.2), "at full speed after speeding up"
    assert abs(turned) < 0.1


@pytest.mark.parametrize(("left", "right", "sense"), [(-1.0, 1.0, 1), (1.0, -1.0, -1), (0.2, 1.0, 1), (1.0, 0.2, -1)])
def test_a_side_that_is_faster_turns_it_to_the_other(driven, left, right, sense):
    _, server, raw = driven
    turned = moved(server, raw, f"DRIVE {{Left {left}}} {{Right {right}}}")[1]
    assert turned * sense > 0.25


@pytest.mark.parametrize(
    ("kind", "dialect"),
    [
        pytest.param(kind, dialect, marks=() if (kind, dialect) in QUICK else pytest.mark.slow)
        for kind in GROUND
        for dialect in ("ut2004", "udk")
    ],
)
def test_the_same_in_later_dialects(kind, dialect):
    with stepped(FLAT) as server:
        raw = enter(server, kind, dialect, "0,0,-0.2")
        spin = 0.6 * server.robot().file.drive.top_speed / server.robot().file.drive.radius
        ahead, _ = moved(server, raw, f"DRIVE {{Left {spin}}} {{Right {spin}}}")
        assert ahead > 0.2
        right = moved(server, raw, f"DRIVE {{Left {spin}}} {{Right {-spin}}}")[1]
        assert right < -0.25, "clockwise"
        told = moved(server, raw, "DRIVE {Left 60} {Right 60} {Normalized True}")[0]
        assert told == pytest.approx(ahead, rel=0.1), "60 per cent"


def test_the_first_example_of_the_manual_drives_the_car():
    with stepped(FLAT) as server:
        raw = server.connect("ut2003")
        server.say(raw, "INIT {ClassName USARBot.USARCar} {Name R1} {Location 4.5,1.9,1.8}", steps=40)
        ahead, _ = moved(server, raw, "DRIVE {Left 1.0} {Right 1.0}")
        assert ahead > 1.0


@pytest.mark.parametrize("kind", ["Rover", "USARCar"])
def test_steered_wheels_stand_round_the_middle_of_the_turn(kind):
    with stepped(FLAT) as server:
        raw = enter(server, kind)
        server.say(raw, "DRIVE {Left 0.5} {Right 1.0}", steps=150)
        robot, drive = server.robot(), server.robot().file.drive
        inner, outer = (float(robot.joint_positions[robot.description.joint(j)]) for j in drive.steer_front)
        assert inner > outer > 0.05, "the inner one farther, as Ackermann has it"
        if drive.steer_rear:
            behind = [float(robot.joint_positions[robot.description.joint(j)]) for j in drive.steer_rear]
            assert max(behind) < -0.05
        before = yaw(server)
        server.step(100)
        radius = 0.5 * drive.track * (0.5 + 1.0) / (1.0 - 0.5)
        rate = 0.75 * drive.top_speed / radius
        assert (yaw(server) - before) % (2 * math.pi) == pytest.approx(rate, rel=0.35)


def test_light_and_flip(driven):
    _, server, raw = driven
    on = state(server.say(raw, "DRIVE {Light true}", steps=25))
    assert value(on, "LightToggle") == "True" and value(on, "LightIntensity") == "100"
    assert value(state(server.say(raw, "DRIVE {Light false}", steps=25)), "LightToggle") == "False"
    server.say(raw, "DRIVE {Flip true}", steps=100)
    assert server.robot().X_WB[0, 2, 2] > 0.95, "one on its wheels stays there"


def test_wheels_one_by_one(driven):
    """All of one side, since those of a track cannot turn alone."""
    _, server, raw = driven
    robot = server.robot()
    wheels = robot.file.drive.left
    i = robot.description.joint(wheels[0])

    def told(words, steps=60):
        server.say(raw, *(f"DRIVE {{Name {w}}} {words}" for w in wheels), steps=steps)
        return float(robot.joint_velocities[i])

    server.say(raw, "DRIVE {Left 0} {Right 0}", steps=200)
    assert told("{Order 1} {Value 16384}") == pytest.approx(math.pi / 2, abs=0.5), "a quarter turn per second"
    assert abs(told("{Order 3}")) < 0.3
    before = robot.joint_positions[i]
    told("{Order 2} {Value 6}")
    assert robot.joint_positions[i] > before + 0.02
    server.say(raw, "DRIVE {Left 0} {Right 0}", steps=60)


def test_steering_one_by_one():
    with stepped(FLAT) as server:
        raw = enter(server, "USARCar")
        server.say(raw, "DRIVE {Name LeftFWheel} {Steer 4096}", steps=150)
        robot = server.robot()
        assert robot.joint_positions[robot.description.joint("LeftFWheel_steer")] == pytest.approx(
            -math.pi / 8, abs=0.04
        )


@pytest.mark.parametrize("kind", ["Rover", "USARCar"])
def test_the_form_of_steered_robots(kind):
    with stepped(FLAT) as server:
        raw = enter(server, kind)
        ahead, turned = moved(server, raw, "DRIVE {Speed 0.5} {FrontSteer 3000} {RearSteer 0}", 200)
        assert ahead > 0.2 and turned < -0.1, "to the right"


# CAMERA


@pytest.mark.parametrize("kind", MANUAL)
def test_the_camera_turns_to_where_or_by_what_it_is_told(kind):
    with stepped(FLAT) as server:
        raw = enter(server, kind)
        for _ in range(2):
            lines = server.say(raw, "CAMERA {Rotation 0,4096,0} {Order 0}", steps=200)
        pitch, turned, _ = floats(value(state(lines), "Camera"))
        expected = 8192 if kind in RELATIVE else 4096
        assert turned == pytest.approx(expected, abs=250) and (pitch + 1000) % 65536 < 2000
        lines = server.say(raw, "CAMERA {Rotation 2048,0,0} {Order 0} {Zoom 0}", steps=200)
        pitch, turned, _ = floats(value(state(lines), "Camera"))
        assert pitch == pytest.approx(2048, abs=400)
        assert turned == pytest.approx(8192 if kind in RELATIVE else 0, abs=250) or turned > 65286
        server.say(raw, "CAMERA {Zoom 4551}")
        conf = one(server.say(raw, "GETCONF {Type Camera}"), "CONF ")
        assert float(value(conf, "CameraFov")) == pytest.approx(4551, abs=2), "25 degrees"


# What the client is told


@pytest.mark.parametrize("kind", MANUAL)
def test_messages_have_the_fields_of_the_manual(kind):
    with stepped(FLAT) as server:
        raw = enter(server, kind)
        lines = server.say(raw, "GETSTARTPOSES", steps=120)
        assert [k for k, _ in fields(state(lines))[1]] == [
            *("Time", "Camera", "Attitude", "Location", "Velocity", "LightToggle", "LightIntensity", "Battery")
        ]
        sonars = fields(one(lines, "SEN {Type Range}"))[1][1:]
        assert all(k == "Name" and v.split()[1] == "Range" and float(v.split()[2]) > 0 for k, v in sonars)
        assert len(sonars) == {"P2AT": 16, "P2DX": 8, "Rover": 2, "USARBc": 5, "USARCar": 4}[kind]
        assert 0.0 <= float(value(one(lines, "{Type HumanMotion}"), "Prob")) <= 1.0
        assert [k for k, _ in fields(one(lines, "{Type Sound}"))[1]] == ["Type", "Name", "Loudness", "Duration"]


@pytest.mark.parametrize("kind", ["P2AT", "P2DX"])
def test_a_scan_is_taken_when_told(kind):
    with stepped(FLAT) as server:
        raw = enter(server, kind)

        def scans(*texts):
            lines = server.say(raw, *texts, steps=5)
            return [line for line in lines if "{Type RangeScanner}" in line]

        while scans():
            pass
        assert len(fields(scans("SENSOR {Scan true}")[0])[1][-1][1].split(",")) == 181


def test_ranges_and_noise_of_the_manual():
    with stepped(FLAT) as server:
        raw = enter(server, "P2AT")
        conf = one(server.say(raw, "GETCONF {Type Sonar} {Name F1}"), "CONF ")
        assert float(value(conf, "MaxRange")) == pytest.approx(1000.0)
        for name, share in (("F1", 0.05), ("Scanner1", 0.001)):
            noise = server.simulation.sensor("R1", name).config.noise["range"]
            assert (noise.kind, noise.relative) == ("uniform", share)


# Where robots begin


@pytest.mark.parametrize("kind", MANUAL)
@pytest.mark.parametrize("colour", ARENAS)
def test_start_places_of_the_manual_are_at_the_entrance(colour, kind):
    with stepped(f"world: {{type: arena, colour: {colour}}}\nseed: 101\nstep: 0.01\n") as server:
        raw = enter(server, kind, where=ARENAS[colour])
        robot, start = server.robot(), server.door.starts[0]
        assert np.hypot(*(robot.p_WB[:2] - start.p_W[:2])) < 0.05
        assert robot.p_WB[2] == pytest.approx(start.p_W[2] + robot.file.drive.radius, abs=0.01), "on the floor"
        assert robot.X_WB[0, 2, 2] > 0.99
        told = floats(value(state(server.say(raw, "GETSTARTPOSES", steps=25)), "Location"))
        assert told[:2] == pytest.approx(floats(ARENAS[colour])[:2], abs=5.0), "in the manual's own numbers"


# Nothing is dropped in silence: the log names all that is


@pytest.mark.parametrize(
    ("kind", "line", "why"),
    [
        ("P2AT", "DRIVE {Speed 1} {FrontSteer 0} {RearSteer 0}", "no wheels that are steered"),
        ("P2AT", "DRIVE {AltitudeVelocity 1}", "does not fly"),
        ("P2AT", "DRIVE {Propeller 1}", "no propeller"),
        ("P2AT", "DRIVE {Name Nothing} {Value 1}", "no joint 'Nothing'"),
        ("P2AT", "DRIVE {Lft 1}", "names nothing that is known"),
        ("P2AT", "DRIVE", "names nothing that is known"),
        ("P2AT", "SENSOR {Scan false}", "takes {Scan true}"),
        ("USARBc", "SENSOR {Scan true}", "no laser"),
        ("P2AT", "MULTIDRIVE {FLFlipper 1}", "no joint 'FLFlipper'"),
        ("P2AT", "MISPKG {Name Arm} {Link 1} {Value 1}", "no package 'Arm'"),
        ("Zerg", "CAMERA {Rotation 0,1,0}", "no joint 'CameraPan'"),
        ("P2AT", "CAMERA", "names nothing"),
        ("P2AT", "SET {Type Odometry} {Name Odometry} {Opcode JUMP}", "cannot 'jump'"),
        ("P2AT", "PAUSE {Time 1}", "iterative"),
    ],
)
def test_what_is_not_done_is_logged(kind, line, why, caplog):
    caplog.set_level("INFO", "volery")
    with stepped(FLAT) as server:
        raw = enter(server, kind, "ut2004", "0,0,-0.2")
        server.say(raw, line, steps=2)
    assert f"{line.split()[0]} was dropped" in caplog.text and why in caplog.text
