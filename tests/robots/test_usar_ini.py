"""Robots and sensors from configuration: files like usar.ini, and `build` blocks. Noise and curves as USARSim's."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from usar_rig import drive, run, simulate, tilt
from volery.core.geometry import box
from volery.core.material import Material
from volery.errors import RobotError, ScenarioError, VoleryError
from volery.robots.commands import Joints
from volery.robots.kinds.build_model import mjcf_of
from volery.robots.library import load_robot_file
from volery.robots.usarini import UsarIni, number, parse_ini, parse_value, short_name, truth
from volery.robots.usarini_robots import built_from_ini, ini_name
from volery.robots.usarini_sensors import KINDS, Units, sensor_of
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.world import Placement

BOT = """
; a robot of one's own, in metres: x forward, y right, z down
[USARBot.MyBot]
msgTimer=0.2
ChassisSize=(X=0.40,Y=0.26,Z=0.12)
ChassisMass=8
MotorTorque=8
MaxSpeed=12
JointParts=(PartName="LeftFWheel",PartClass=class'USARModels.MyTire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,bSuspensionLocked=False,ParentPos=(X=0.13,Y=-0.17,Z=0.02))
JointParts=(PartName="RightFWheel",PartClass=class'USARModels.MyTire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,bSuspensionLocked=False,ParentPos=(X=0.13,Y=0.17,Z=0.02))
JointParts=(PartName="LeftRWheel",PartClass=class'USARModels.MyTire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,bSuspensionLocked=False,ParentPos=(X=-0.13,Y=-0.17,Z=0.02))
JointParts=(PartName="RightRWheel",PartClass=class'USARModels.MyTire',JointClass=class'KCarWheelJoint',bSteeringLocked=True,bSuspensionLocked=False,ParentPos=(X=-0.13,Y=0.17,Z=0.02))
JointParts=(PartName="CameraPan",PartClass=class'USARModels.Pan',JointClass=class'KHinge',Parent="",ParentPos=(X=0.15,Y=0,Z=-0.1),ParentAxis2=(Z=-1))
Sensors=(ItemClass=class'USARBot.MySonar',ItemName="F1",Position=(X=0.2,Y=-0.05,Z=0.0),Direction=(X=0,Y=0,Z=-0.17))
+Sensors=(ItemClass=class'USARBot.SICKLMS',ItemName="Scanner1",Position=(X=0.15,Y=0,Z=-0.15),Direction=(Yaw=16384,Pitch=0,Roll=0))
Sensors=(ItemClass=class'USARBot.Nonsense',ItemName="Lost")
Camera=(ItemClass=class'USARBot.RobotCamera',ItemName="Camera",Parent="CameraPan",Position=(X=0.05,Y=0,Z=0))

[USARModels.MyTire]
Radius=0.09
Width=0.06
Mass=0.7

[USARBot.MySonar]
Base=SonarSensor
MaxRange=3.0
MinRange=0.1
ScanInterval=0.1
Noise=0.05
OutputCurve=(Points=((InVal=0.0,OutVal=0.0),(InVal=3.0,OutVal=2.7)))
"""


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "usar.ini").write_text(BOT)
    return f"{tmp_path}/usar.ini#MyBot"


# The grammar


def test_values_are_structures_lists_and_text():
    assert parse_value('(X=1.5,Y=-2,Name="a, b",In=(1,2,(Z=3)))') == {
        "x": "1.5", "y": "-2", "name": "a, b", "in": ["1", "2", {"z": "3"}],
    }  # fmt: skip
    assert parse_value(" 0.20 ; seconds") == "0.20"
    assert parse_value("(X=1,Y=2") == {"x": "1", "y": "2"}, "a bracket that is never closed ends with the line"
    assert parse_value("()") == []


def test_sections_are_found_with_and_without_package_and_keys_repeat():
    ini = parse_ini("[USARBot.P2AT]\nSensors=1\nsensors=2\n+SENSORS=3\nlost line\n[usarbot.p2at]\nX=4\n")
    section = ini.find("p2at")
    assert section.all("Sensors") == ["1", "2", "3"] and section.last("x") == "4"
    assert len(ini.notes) == 1 and "usar.ini:5" in ini.notes[0]
    assert parse_ini("Key=1").notes, "a key before all sections is noted"


def test_numbers_truths_and_names_are_read_as_unreal_reads_them():
    assert [number(v) for v in ("1.5f", "-.5e1x", "1,00", "abc", None)] == [1.5, -5.0, 1.0, 0.0, 0.0]
    assert truth("True") and truth(" true ") and not truth("False") and truth(None, True)
    assert short_name("class'USARBot.SonarSensor'") == "sonarsensor" and short_name("(X=1)") == ""
    assert ini_name("a/b.ini#X") == ("a/b.ini", "X") and ini_name("a#b.xml") == ("", "")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("[]()=,;\"' \n\tXYZabc+-.0123456789#{}/\\é\x00"), max_size=300))
def test_no_text_stops_the_reader(text):
    ini = parse_ini(text)
    assert isinstance(ini, UsarIni)
    for section in ini.sections.values():
        for kind in KINDS.values():
            sensor_of(kind, section, Units())


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_damage_to_a_good_file_does_more_than_a_clear_error(data, tmp_path_factory):
    text = BOT
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        what = data.draw(st.sampled_from(["cut", "twice", "letter"]))
        length = data.draw(st.integers(1, 40))
        if what == "cut":
            text = text[:at] + text[at + length :]
        elif what == "twice":
            text = text[: at + length] + text[at:]
        else:
            text = text[:at] + data.draw(st.sampled_from("()=,\"'[]0-.9eX")) + text[at + 1 :]
    path = tmp_path_factory.getbasetemp() / "damaged.ini"
    path.write_text(text)
    try:
        file = load_robot_file(f"{path}#MyBot")
        mjcf_of(built_from_ini(path, "MyBot"), "damaged")
    except VoleryError as error:
        assert str(error)
    else:
        assert file.sensors is not None


# Robots


def test_a_robot_from_an_ini_file_drives(bot):
    file = load_robot_file(bot)
    assert file.drive.kind == "skid" and file.drive.left == ["LeftFWheel", "LeftRWheel"]
    assert (file.drive.radius, file.drive.track) == pytest.approx((0.09, 0.34))
    simulation = simulate(bot, z=0.115)
    drive(simulation, 0.4, seconds=1.5)
    robot = simulation.robot("bot")
    before = robot.p_WB.copy()
    run(simulation, 2.0)
    assert robot.p_WB[0] - before[0] == pytest.approx(0.8, rel=0.02)
    assert np.abs(tilt(simulation)).max() < 1.0
    simulation.command("bot", Joints(positions={"CameraPan": 0.5}))
    run(simulation, 1.0)
    assert robot.joint_positions[robot.description.joint("CameraPan")] == pytest.approx(0.5, abs=0.02)


def test_places_and_directions_turn_from_their_axes_into_ours(bot):
    sensors = load_robot_file(bot).sensors
    assert sensors["F1"]["mount"]["position"] == pytest.approx([0.2, 0.05, 0.0])
    assert sensors["F1"]["mount"]["attitude_deg"] == pytest.approx([0, 0, math.degrees(0.17)])
    assert sensors["Scanner1"]["mount"]["position"] == pytest.approx([0.15, 0, 0.15])
    assert sensors["Scanner1"]["mount"]["attitude_deg"] == pytest.approx([0, 0, -90]), "65536ths, clockwise"
    assert sensors["Camera"]["mount"]["site"] == "CameraPan"
    assert "Lost" not in sensors


def test_unreal_units_of_2003_are_scaled_and_z_is_up(tmp_path):
    (tmp_path / "old.ini").write_text(
        "[Volery]\nUnrealUnits=140\n[USARBot.P2DX]\n"
        "Sensors=(ItemClass=class'USARBot.RangeSensor',ItemName=\"F1\",Position=(X=20.18,Y=-35.11,Z=14),"
        "Direction=(Yaw=-16384))\n[USARBot.RangeSensor]\nMaxRange=1000\nNoise=0.05\n"
    )
    file = load_robot_file(f"{tmp_path}/old.ini#P2DX")
    sonar = file.sensors["F1"]
    assert sonar["mount"]["position"] == pytest.approx([0.1441, 0.2508, 0.1], abs=1e-4)
    assert sonar["mount"]["attitude_deg"] == pytest.approx([0, 0, 90])
    assert sonar["max_range"] == pytest.approx(1000 / 140)
    assert file.model == "p2dx.xml", "a robot that comes along, with other sensors"
    assert list(file.sensors) == ["F1"]


def test_names_that_are_not_there_are_told(tmp_path):
    (tmp_path / "usar.ini").write_text("[USARBot.MyBott]\nmsgTimer=1\n")
    with pytest.raises(RobotError, match="no section 'MyBot', did you mean"):
        load_robot_file(f"{tmp_path}/usar.ini#MyBot")
    with pytest.raises(RobotError, match="has no JointParts"):
        load_robot_file(f"{tmp_path}/usar.ini#MyBott")
    with pytest.raises(RobotError, match="does not exist"):
        load_robot_file(f"{tmp_path}/other.ini#X")


BUILD = """
about: "built without a model file"
physics: mujoco
build:
  chassis:
    - {size: [0.40, 0.26, 0.10], position: [0, 0, 0.04], mass: 7, colour: [0.05, 0.25, 0.5]}
  parts:
    - {name: Pan, position: [0.12, 0, 0.14], joint: hinge, axis: [0, 0, 1], range: [-120, 120], motor: {torque: 2},
       shapes: [{size: [0.06, 0.06, 0.05], mass: 0.2}]}
  wheels:
    - {name: Left, position: [0.08, 0.17, 0], radius: 0.10, mass: 0.8, suspension: {stiffness: 8000, damping: 120}}
    - {name: Right, position: [0.08, -0.17, 0], radius: 0.10, mass: 0.8, suspension: {stiffness: 8000, damping: 120}}
    - {name: Castor, position: [-0.15, 0, -0.06], radius: 0.04, width: 0.03, mass: 0.2, castor: 0.03}
sensors:
  laser: {type: laser, model: hokuyo, mount: {position: [0.15, 0, 0.12]}}
  eye: {type: rangefinder, mount: {site: Pan}}
"""


def test_a_robot_from_a_build_block_drives_and_turns(tmp_path):
    (tmp_path / "mine.yaml").write_text(BUILD)
    name = f"{tmp_path}/mine.yaml"
    drive_block = load_robot_file(name).drive
    assert (drive_block.kind, drive_block.left, drive_block.right) == ("differential", ["Left"], ["Right"])
    simulation = simulate(name)
    drive(simulation, 0.4, seconds=1.5)
    robot = simulation.robot("bot")
    before = robot.p_WB.copy()
    run(simulation, 2.0)
    assert robot.p_WB[0] - before[0] == pytest.approx(0.8, rel=0.02)
    drive(simulation, 0.0, 0.8, seconds=3.0)
    assert robot.w_WB_W[2] == pytest.approx(0.8, rel=0.05)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: Right", "name: Left", "taken twice"),
        ("mass: 7,", "mass: 0,", "needs at least one shape, and mass"),
        ("range: [-120, 120]", "range: [20, -20]", "empty range"),
        ("axis: [0, 0, 1]", "axis: [0, 0, 0]", "without direction"),
        ("castor: 0.03", "castor: 0.03, steer_deg: 20", "neither steered nor sprung"),
        ("name: Castor,", "name: Castor, parent: Pann,", "hangs on 'Pann'"),
        ("radius: 0.10", "radus: 0.10", "did you mean 'radius'"),
        ("about:", "model: x.xml\nabout:", "either a 'model' or one block that makes a model"),
    ],
)
def test_a_bad_build_block_is_refused_with_a_reason(tmp_path, old, new, said):
    (tmp_path / "bad.yaml").write_text(BUILD.replace(old, new, 1))
    with pytest.raises((RobotError, ScenarioError), match=said):
        load_robot_file(f"{tmp_path}/bad.yaml").description()


# Every class of their sensors makes one of ours


@pytest.mark.parametrize("name", KINDS)
def test_every_class_becomes_a_sensor_that_runs(name, tmp_path):
    keys = (
        "MaxRange=4\nMinRange=0.1\nScanInterval=0.1\nResolution=0.05\nScanFov=3.1\nFov=1.0\nNoise=0.02\nBeamAngle=0.3\n"
    )
    keys += "OutputCurve=(Points=((InVal=0,OutVal=0.1),(InVal=10,OutVal=10.1)))\nDiameter=0.02\n"
    keys += "HorizontalFOV=0.8\n"
    item = f"Sensors=(ItemClass=class'USARBot.{name}',ItemName=\"S\",Position=(X=0.2,Z=-0.3))"
    (tmp_path / "all.ini").write_text(f"[USARBot.P2DX]\n{item}\n[USARBot.{name}]\n{keys}")
    simulation = simulate(f"{tmp_path}/all.ini#P2DX", sensors=("S",))
    run(simulation, 0.3)
    sensor = simulation.sensor("bot", "S")
    assert sensor.latest is not None or not sensor.enabled
    if "rate" in load_robot_file(f"{tmp_path}/all.ini#P2DX").sensors["S"]:
        assert sensor.config.rate == pytest.approx(10.0)


def wall_ahead(tmp_path, item_class, keys, distance=2.0):
    """A sensor of P2DX that looks at a wall, from the middle of the robot."""
    (tmp_path / "one.ini").write_text(
        f"[USARBot.P2DX]\nSensors=(ItemClass=class'USARBot.{item_class}',ItemName=\"S\",Position=(Z=-0.5))\n"
        f"[USARBot.{item_class}]\n{keys}\n"
    )
    wall = box((0.1, 12.0, 3.0), materials=(Material("wall"),))
    entry = f'{{type: "{tmp_path}/one.ini#P2DX", physics: kinematic, position: [0, 0, 0.1]}}'
    simulation = Simulation(read_scenario(f"seed: 5\nstep: 0.01\nworld: empty\nrobots: {{bot: {entry}}}"))
    simulation.scene.add(Placement.one("wall", wall, (distance + 0.05, 0, 1.5)))
    return simulation


def readings(simulation, count):
    sensor, out = simulation.sensor("bot", "S"), []
    while len(out) < count:
        simulation.step()
        out += [r.data["range"] for name, _, r in simulation.fresh if name == "bot"]
    assert sensor.latest is not None
    return np.array(out)


def test_sonar_noise_is_uniform_and_relative(tmp_path):
    simulation = wall_ahead(tmp_path, "RangeSensor", "MaxRange=5\nScanInterval=0.01\nNoise=0.05")
    r = readings(simulation, 3000)[:, 0]
    assert r.min() >= 2.0 * 0.95 - 1e-4 and r.max() <= 2.0 * 1.05 + 1e-4
    assert r.mean() == pytest.approx(2.0, abs=3 * 0.1 / math.sqrt(3 * 3000))
    assert r.std() == pytest.approx(0.1 / math.sqrt(3), rel=0.04)
    # A uniform law: the shares of ten equal bins are alike.
    shares = np.histogram(r, bins=10, range=(1.9, 2.1))[0] / len(r)
    assert np.abs(shares - 0.1).max() < 4 * math.sqrt(0.09 / 3000)


def test_laser_noise_grows_with_the_distance(tmp_path):
    keys = "MaxRange=20\nResolution=0.2\nScanFov=2.0\nScanInterval=0.01\nNoise=0.02"
    r = readings(wall_ahead(tmp_path, "SICKLMS", keys), 800)
    angles = -1.0 + 0.2 * np.arange(r.shape[1])
    true = 2.0 / np.cos(angles)
    assert r.mean(axis=0) == pytest.approx(true, rel=0.002)
    assert r.std(axis=0) == pytest.approx(0.02 * true / math.sqrt(3), rel=0.1)


def test_the_output_curve_comes_after_the_noise(tmp_path):
    points = "OutputCurve=(Points=((InVal=0,OutVal=0),(InVal=2,OutVal=1),(InVal=4,OutVal=4)))"
    simulation = wall_ahead(tmp_path, "RangeSensor", f"MaxRange=5\nScanInterval=0.01\nNoise=0.05\n{points}")
    r = readings(simulation, 3000)[:, 0]
    felt = np.interp(r, [0, 1, 4], [0, 2, 4])
    assert felt.std() == pytest.approx(0.1 / math.sqrt(3), rel=0.04)
    below, above = r[r < 1.0], r[r > 1.0]
    # The curve is half as steep below 2 m and one and a half times above.
    assert (1.0 - below.min(), above.max() - 1.0) == pytest.approx((0.05, 0.15), rel=0.05)


def test_a_manual_laser_scans_when_told(tmp_path):
    simulation = wall_ahead(tmp_path, "SICKLMS", "ScanInterval=0\nbPitch=True\nbYaw=False")
    sensor = simulation.sensor("bot", "S")
    assert sensor.config.plane == "pitch" and sensor.config.mode == "manual"
    simulation.run(5)
    assert sensor.latest is None
    simulation.operate("bot", "S", "scan")
    simulation.step()
    assert sensor.latest is not None
