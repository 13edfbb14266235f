"""Robots moved by FMUs of FMI 2 and 3: real ones, compiled here, beside the same equations in Python."""

import math
import sys

import numpy as np
import pytest

from fmu_rig import COMPILER, build, reference
from volery.core.frames import quat_from_euler
from volery.core.state import decode, encode
from volery.errors import CommandError, RobotError, VoleryError
from volery.robots.commands import ControlGroup, Cruise, Joints, Motors, Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation

pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
SPHERE = (
    "<mujoco><worldbody><body name='hull'><freejoint/><geom type='ellipsoid' size='1 0.6 0.2'/></body></worldbody>"
    "</mujoco>"
)
TRIM = 0.25
TRIMMED = f"trim: {{throttle: {TRIM}}}"
# 4·0.25 = 0.0025·20²
FRAMES = {2: "enu_flu", 3: "ned_frd"}


@pytest.fixture(scope="module")
def planes(tmp_path_factory):
    return {version: build(tmp_path_factory.mktemp(f"fmi{version}"), version) for version in FRAMES}


def robot_file(fmu, version, more=""):
    folder = fmu.parent
    (folder / "hull.xml").write_text(SPHERE)
    (folder / "glider.yaml").write_text(
        f"model: hull.xml\nphysics: fmu\nfmu: {{path: plane.fmu, frame: {FRAMES[version]}, cruise: 20, mass: 5, "
        f"{more or TRIMMED}}}\n"
    )
    return folder / "glider.yaml"


def flying(planes, version, more="", robot="position: [10, -5, 100], attitude_deg: [0, 0, 30]", block="", engine=0.01):
    kind = robot_file(planes[version], version, block)
    return Simulation(read_scenario(
        f"step: 0.02\nworld: empty\nengines: {{fmu: {{step: {engine}}}}}\n{more}\n"
        f"robots: {{one: {{type: {kind}, {robot}}}}}"
    ))  # fmt: skip


@pytest.mark.parametrize("version", [2, 3])
def test_it_flies_as_the_same_equations_in_python(planes, version):
    """Sticks after a second; place, attitude and velocity in W, from an FMU in either frame, with wind from aside."""
    wind = (2.0, -1.0, 0.5)
    simulation = flying(planes, version, f"wind: {{steady: {list(wind)}}}")
    robot = simulation.robots["one"]
    state = [10.0, -5.0, 100.0, 20.0, 0.0, math.radians(30), 0.0]
    turned = 0.0
    for sticks, steps in (((0.0, 0.0, TRIM), 50), ((0.2, 0.1, 0.6), 75), ((-0.3, -0.1, 0.2), 75)):
        if steps == 75:
            # A multirotor's pitch is nose down.
            simulation.command("one", ControlGroup(sticks[0], -sticks[1], 0.0, sticks[2]))
        simulation.run(steps)
        state = reference(state, sticks, wind, 0.01, 2 * steps)
        assert robot.p_WB == pytest.approx(state[:3], abs=1e-9)
        turned = max(turned, min(abs(state[6]), abs(state[4])))
        level = state[3] * math.cos(state[4])
        v = [level * math.cos(state[5]), level * math.sin(state[5]), state[3] * math.sin(state[4])]
        assert robot.v_WB_W == pytest.approx(np.add(v, wind), abs=1e-9)
        attitude = quat_from_euler(np.array([state[6], -state[4], state[5]]))
        assert robot.q_WB_wxyz == pytest.approx(attitude, abs=1e-9)
    assert turned > 0.05


@pytest.mark.parametrize("version", [2, 3])
def test_its_rates_are_those_of_its_attitude(planes, version):
    simulation = flying(planes, version)
    robot = simulation.robots["one"]
    simulation.command("one", ControlGroup(0.1, -0.2, 0.0, 0.4))
    simulation.run(60)
    before, w = robot.X_WB[0, :, :3].copy(), robot.w_WB_W.copy()
    simulation.run(1)
    turn = robot.X_WB[0, :, :3] @ before.T
    vector = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    assert vector / 0.02 == pytest.approx(0.5 * (w + robot.w_WB_W), abs=1e-3) and np.linalg.norm(w) > 0.1


@pytest.mark.parametrize("version", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_it_flies_where_it_is_told_and_along_a_path(planes, version):
    simulation = flying(planes, version)
    robot = simulation.robots["one"]
    simulation.command("one", Cruise(altitude=112.0, airspeed=22.0, heading=-0.5))
    simulation.run(3000)
    assert robot.p_WB[2] == pytest.approx(112.0, abs=0.5)
    assert np.linalg.norm(robot.v_WB_W) == pytest.approx(22.0, abs=0.2)
    assert math.atan2(robot.v_WB_W[1], robot.v_WB_W[0]) == pytest.approx(-0.5, abs=0.02)
    corners = np.array([[0, 0, 50], [400, 0, 50], [400, 400, 60]], float)
    simulation = flying(planes, version, robot="motion: {path: [[0, 0, 50], [400, 0, 50], [400, 400, 60]]}")
    robot, near = simulation.robots["one"], np.full(3, np.inf)
    for _ in range(90):
        simulation.run(50)
        near = np.minimum(near, np.linalg.norm(corners - robot.p_WB, axis=1))
    assert (near[1:] < 60.0).all()  # 20 m/s at 30° of bank: 71 m of radius


@pytest.mark.parametrize("version", [2, 3])
def test_snapshot_restore_continue_equals_continue(planes, version):
    """FMI 2's keeps its own state; FMI 3's is run again with what it was told."""
    more = "wind: {steady: [2, 0, 0], turbulence: light}"
    simulation = flying(planes, version, more)
    simulation.command("one", Cruise(altitude=110.0, heading=1.0))
    simulation.run(80)
    state = decode(encode(simulation.state()))
    assert bool(state["engines"]["fmu"]["one"]["unit"]) == (version == 2)
    simulation.run(60)
    end = simulation.state_hash()
    other = flying(planes, version, more)
    for one in (simulation, other):
        one.restore(state)
        one.run(60)
        assert one.state_hash() == end


def test_a_teleport_starts_it_anew_where_it_was_put(planes):
    simulation = flying(planes, 3)
    simulation.run(20)
    simulation.place(
        "one", [100, 50, 70], quat_from_euler(np.array([0, 0, 1.0])), [15 * math.cos(1), 15 * math.sin(1), 0]
    )
    robot = simulation.robots["one"]
    assert robot.p_WB == pytest.approx([100, 50, 70]) and np.linalg.norm(robot.v_WB_W) == pytest.approx(15.0)
    simulation.run(50)
    assert robot.p_WB == pytest.approx(reference([100, 50, 70, 15, 0, 1.0, 0], (0, 0, TRIM), (0, 0, 0), 0.01, 100)[:3])


def test_one_that_cannot_be_told_where_it_starts_is_carried_there(planes):
    """Its place, told by variables of other names, begins at 0 in a frame of its own: north, east, down."""
    other = ", ".join(f"start_{n}: wind_z" for n in ("x", "y", "z", "yaw"))
    block = f"{TRIMMED}, inputs: {{{other}}}, parameters: {{start_speed: 20}}"
    simulation = flying(planes, 3, block=block)
    robot = simulation.robots["one"]
    assert robot.p_WB == pytest.approx([10, -5, 100])
    simulation.run(50)
    expected = reference([10, -5, 100, 20, 0, math.radians(30), 0], (0, 0, TRIM), (0, 0, 0), 0.01, 100)
    assert robot.p_WB == pytest.approx(expected[:3], abs=1e-6)


def test_what_stands_in_its_way_ends_the_flight(planes, caplog):
    simulation = flying(planes, 2, robot="position: [0, 0, 50]")
    wall = np.array([[1, 0, 0, 30], [0, 4, 0, 0], [0, 0, 8, 50]], float)
    simulation.alter("make", "wall", "Cube", wall)
    simulation.run(200)
    robot = simulation.robots["one"]
    assert 27.5 < robot.p_WB[0] < 30.5 and "has run into wall" in caplog.text and not robot.v_WB_W.any()


@pytest.mark.parametrize(("version", "words"), [(2, "failed in its step"), (3, "has ended")])
def test_an_fmu_that_fails_says_so_by_name(planes, version, words):
    simulation = flying(planes, version, robot="position: [0, 0, -49], attitude_deg: [0, 0, 0]")
    simulation.command("one", ControlGroup(0, 0.5, 0, 0.3))
    with pytest.raises(VoleryError, match=f"robot 'one'.*{words}"):
        simulation.run(300)


def test_errors_say_what_is_wrong(planes, tmp_path, monkeypatch):
    for block, words in (
        ("inputs: {aileron: roll_stick}", "unknown variable 'aileron'"),
        ("inputs: {roll_stick: rol_stick}", "unknown meaning of an input 'rol_stick', did you mean 'roll_stick'"),
        ("outputs: {x: 'joint:arm'}", "unknown joint 'arm'"),
        ("trim: {flaps: 1}", "trim has no 'flaps'"),
    ):
        with pytest.raises(VoleryError, match=words):
            flying(planes, 2, block=block)
    with pytest.raises(RobotError, match="no 'fmu' block"):
        Simulation(read_scenario("robots: {one: {type: x500, physics: fmu}}"))
    simulation = flying(planes, 2)
    for command in (Velocity([3, 0, 0]), Joints({"a": 1.0}), Motors([0.5, 0.5])):
        with pytest.raises(CommandError):
            simulation.command("one", command)
    broken = robot_file(planes[2], 2)
    text = broken.read_text()
    (broken.parent / "none.yaml").write_text(text.replace("plane.fmu", "none.fmu"))
    (broken.parent / "broken.yaml").write_text(text.replace("plane.fmu", "hull.xml"))
    for name, words in (("none", "there is no FMU at"), ("broken", "cannot be read")):
        with pytest.raises(VoleryError, match=words):
            Simulation(read_scenario(f"robots: {{one: {{type: {broken.parent / name}.yaml}}}}"))
    monkeypatch.setitem(sys.modules, "fmpy", None)
    with pytest.raises(VoleryError, match=r"pip install 'volery\[fmu\]'"):
        flying(planes, 2)
