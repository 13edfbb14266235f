"""Aircraft of JSBSim in our worlds, beside JSBSim alone, driven by its own interface."""

import math
import sys
import warnings

import numpy as np
import pytest

from volery.core.geodesy import Origin
from volery.core.state import decode, encode
from volery.errors import CommandError, RobotError, VoleryError
from volery.robots.commands import BodyVelocity, ControlGroup, Cruise, Joints, Motors, Pose
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation

jsbsim = pytest.importorskip("jsbsim")
FOOT = 0.3048
STEP = 0.005
EARTH = Origin(47.0, 8.5)


def flying(more="", robot="position: [0, 0, 900]", kind="c172", step=0.01):
    text = f"step: {step}\nsky: {{latitude: 47.0, longitude: 8.5}}\n{more or 'world: empty'}\n"
    return Simulation(read_scenario(f"{text}robots: {{one: {{type: {kind}, {robot}}}}}"))


@pytest.fixture
def at_centre(tmp_path):
    """The same aircraft with its root at the centre of mass, as JSBSim tells places."""
    source = load_robot_file("c172").source
    folder = source.rpartition("/")[0]
    with open(source) as file:
        text = file.read().replace("origin: [1.155, 0, 0.9]", "origin: null").replace("model: ", f"model: {folder}/")
    (tmp_path / "light.yaml").write_text(text)
    return str(tmp_path / "light.yaml")


def alone(tmp_path):
    """JSBSim by itself in the same place, trimmed at the same speed: nose to the east, 900 m up."""
    jsbsim.FGJSBBase().debug_lvl = 0
    fdm = jsbsim.FGFDMExec(None)
    fdm.set_debug_level(0)
    fdm.set_output_path(str(tmp_path))
    fdm.set_dt(STEP)
    fdm.load_model("c172x")
    fdm["fcs/mixture-cmd-norm"] = 0.9
    fdm["gear/gear-cmd-norm"] = 1.0
    fdm["ic/lat-geod-deg"], fdm["ic/long-gc-deg"], fdm["ic/h-sl-ft"] = 47.0, 8.5, 900.0 / FOOT
    fdm["ic/h-sl-ft"] += 900.0 / FOOT - fdm["ic/geod-alt-ft"]
    fdm["ic/psi-true-deg"], fdm["ic/vt-fps"], fdm["ic/gamma-deg"] = 90.0, 55.0 / FOOT, 0.0
    fdm["propulsion/set-running"] = -1
    assert fdm.run_ic()
    fdm.do_trim(1)
    return fdm


def motion_of(fdm):
    """Place, attitude matrix, velocity and angular velocity in W of JSBSim's own, by its own matrices."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        R_EB = np.asarray(fdm.get_propagate().get_Tec2b()).T
        R_NB = np.asarray(fdm.get_propagate().get_Tl2b()).T
    v_N = [fdm[f"velocities/v-{n}-fps"] * FOOT for n in ("north", "east", "down")]
    place = [fdm["position/lat-geod-rad"], fdm["position/long-gc-rad"], fdm["position/geod-alt-ft"] * FOOT]
    w_B = [fdm[f"velocities/{n}-rad_sec"] for n in "pqr"]
    R_WB = EARTH.R_EW.T @ R_EB
    return EARTH.enu_from_geodetic(np.array(place)), R_WB @ np.diag([1, -1, -1]), R_WB @ R_NB.T @ v_N, R_WB @ w_B


def airspeed(simulation):
    return simulation.engines["jsbsim"].fdm("one")["velocities/vt-fps"] * FOOT


def test_trim_equals_that_of_jsbsim_alone(tmp_path):
    own, fdm = alone(tmp_path), flying().engines["jsbsim"].fdm("one")
    for name in ("aero/alpha-rad", "attitude/theta-rad", "attitude/phi-rad", "fcs/throttle-cmd-norm",
                 "fcs/pitch-trim-cmd-norm", "fcs/elevator-pos-rad", "fcs/aileron-cmd-norm",
                 "propulsion/engine/propeller-rpm", "propulsion/engine/thrust-lbs", "inertia/weight-lbs"):  # fmt: skip
        assert fdm[name] == pytest.approx(own[name], rel=1e-6, abs=1e-6), name
    assert fdm["aero/alpha-rad"] > 0.01 and fdm["fcs/throttle-cmd-norm"] > 0.3


def test_step_response_equals_that_of_jsbsim_alone(tmp_path, at_centre):
    """Half a second as trimmed, then sticks and throttle: at every step within a millionth of what it comes to."""
    own, simulation = alone(tmp_path), flying(kind=at_centre)
    robot = simulation.robots["one"]
    aileron, elevator = (own[f"fcs/{n}-cmd-norm"] for n in ("aileron", "elevator"))
    for step in range(500):
        if step == 50:
            simulation.command("one", ControlGroup(aileron + 0.1, elevator - 0.05, 0.05, 0.9))
            own["fcs/aileron-cmd-norm"], own["fcs/elevator-cmd-norm"] = aileron + 0.1, elevator - 0.05
            own["fcs/rudder-cmd-norm"], own["fcs/throttle-cmd-norm"] = 0.05, 0.9
        simulation.step()
        own.run(), own.run()
        p, R, v, w = motion_of(own)
        assert np.abs(robot.p_WB - p).max() < 1e-6 * 275
        assert np.abs(robot.X_WB[0, :, :3] - R).max() < 1e-6
        assert np.abs(robot.v_WB_W - v).max() < 1e-6 * 55
        assert np.abs(robot.w_WB_W - w).max() < 1e-6
    assert own["attitude/phi-rad"] > 0.4 and p[1] < -3.0


def test_a_gps_receiver_tells_the_place_that_jsbsim_has(at_centre):
    simulation = flying(robot="position: [0, 0, 900], sensors: {gps: {type: gps, rate: 100}}", kind=at_centre)
    simulation.run(300)
    fdm = simulation.engines["jsbsim"].fdm("one")
    place = [fdm["position/lat-geod-rad"], fdm["position/long-gc-rad"], fdm["position/geod-alt-ft"] * FOOT]
    fix = simulation.sensors["one"]["gps"].latest.data["geodetic"]
    assert fix[:2] == pytest.approx(place[:2], abs=1e-11) and fix[2] == pytest.approx(place[2], abs=1e-6)


def test_wind_and_air_are_those_of_the_world():
    simulation = flying("world: empty\nwind: {steady: [-8, 5, 0]}\natmosphere: {sea_level_pressure: 98000}")
    robot, fdm = simulation.robots["one"], simulation.engines["jsbsim"].fdm("one")
    start = robot.v_WB_W
    assert start == pytest.approx([55 - 8, 5, 0], abs=0.01)
    simulation.run(200)
    assert airspeed(simulation) == pytest.approx(55.0, abs=0.1)
    assert robot.v_WB_W == pytest.approx(start, abs=0.3)
    air = simulation.environment.atmosphere.at(900.0)
    assert fdm["atmosphere/P-psf"] * 47.88026 == pytest.approx(float(air.pressure), rel=2e-4)
    assert fdm["atmosphere/rho-slugs_ft3"] * 515.3788 == pytest.approx(float(air.density), rel=2e-4)


def test_it_flies_where_it_is_told_and_surfaces_are_seen_to_move():
    simulation = flying()
    robot = simulation.robots["one"]
    simulation.command("one", Cruise(altitude=940.0, airspeed=58.0, heading=1.0))
    simulation.run(300)
    aileron = robot.description.joint("aileron_l")
    assert abs(robot.joint_positions[aileron] + robot.joint_positions[robot.description.joint("aileron_r")]) < 0.05
    propeller = robot.joint_velocities[robot.description.joint("propeller")]
    assert 150.0 < propeller < 320.0  # rad/s: 1,430 to 3,060 a minute
    simulation.run(3700)
    assert robot.p_WB[2] == pytest.approx(940.0, abs=3.0)
    assert airspeed(simulation) == pytest.approx(58.0, abs=0.5)
    assert math.atan2(robot.v_WB_W[1], robot.v_WB_W[0]) == pytest.approx(1.0, abs=0.03)


@pytest.mark.slow
def test_a_path_is_flown_and_a_place_is_circled():
    path = "motion: {path: [[0, 0, 900], [1500, 0, 900], [1500, 1500, 920], [0, 1500, 900]], airspeed: 55}"
    simulation = flying(robot=path, step=0.05)
    robot = simulation.robots["one"]
    near = np.full(4, np.inf)
    corners = np.array([[0, 0, 900], [1500, 0, 900], [1500, 1500, 920], [0, 1500, 900]])
    for _ in range(110):
        simulation.run(20)
        near = np.minimum(near, np.linalg.norm(corners - robot.p_WB, axis=1))
    assert (near[1:] < 320.0).all()  # 55 m/s at 30° of bank: 534 m of radius
    simulation.command("one", Pose([0, 0, 910]))
    simulation.run(1600)
    away = []
    for _ in range(80):
        simulation.run(20)
        away.append(np.hypot(*robot.p_WB[:2]))
    assert max(away) < 1100 and min(away) > 400


def test_it_stands_on_the_ground_of_the_world_and_rolls_when_told():
    """The ground is a slab 30 m up, and the wheels carry the weight."""
    simulation = flying(robot="position: [0, 0, 31.4], motion: {flying: false}")
    slab = np.array([[400, 0, 0, 0], [0, 60, 0, 0], [0, 0, 1, 29.5]], float)
    simulation.alter("make", "slab", "Cube", slab)
    robot = simulation.robots["one"]
    simulation.place("one", [0, 0, 31.4], [1, 0, 0, 0])
    simulation.command("one", Motors([0.0]))
    simulation.run(300)
    assert 31.0 < robot.p_WB[2] < 31.6 and abs(robot.v_WB_W[2]) < 0.02
    weight = simulation.engines["jsbsim"].fdm("one")["inertia/weight-lbs"] * 4.4482216
    push = robot.contacts[0]
    assert push.other == "slab" and push.impulse_W[2] / 0.01 == pytest.approx(weight, rel=0.05)
    simulation.command("one", Motors([1.0]))
    simulation.run(500)
    assert robot.v_WB_W[0] > 6.0 and abs(robot.p_WB[2] - 31.2) < 0.3


def test_what_stands_in_its_way_ends_the_flight(caplog):
    simulation = flying()
    wall = np.array([[1, 0, 0, 200], [0, 3, 0, 4], [0, 0, 20, 900]], float)
    simulation.alter("make", "wall", "Cube", wall)
    robot = simulation.robots["one"]
    simulation.run(600)
    assert 195.0 < robot.p_WB[0] < 201.0 and not robot.v_WB_W.any()
    assert "has flown into wall" in caplog.text
    simulation.place("one", [300, 0, 900], [1, 0, 0, 0], [55, 0, 0])
    simulation.run(100)
    assert robot.p_WB[0] > 350.0


def test_snapshot_restore_continue_equals_continue():
    simulation = flying("world: empty\nwind: {steady: [3, 1, 0], turbulence: light}")
    simulation.command("one", Cruise(altitude=930, heading=0.5))
    simulation.run(150)
    simulation.set("robots.one.jsbsim.flaps", 0.5)
    simulation.run(50)
    state = decode(encode(simulation.state()))
    simulation.run(100)
    end = simulation.state_hash()
    simulation.restore(state)
    simulation.run(100)
    assert simulation.state_hash() == end
    other = flying("world: empty\nwind: {steady: [3, 1, 0], turbulence: light}")
    other.restore(state)
    other.run(100)
    assert other.state_hash() == end


def test_flaps_are_changed_while_it_flies():
    simulation = flying()
    fdm, robot = simulation.engines["jsbsim"].fdm("one"), simulation.robots["one"]
    simulation.run(10)
    before = robot.v_WB_W[2]
    simulation.set("robots.one.jsbsim.flaps", 1.0)
    simulation.run(300)
    assert fdm["fcs/flap-pos-deg"] > 10 and robot.joint_positions[robot.description.joint("flap_l")] > 0.17
    assert robot.v_WB_W[2] > before + 0.5  # balloons


def test_commands_that_an_aeroplane_cannot_follow_are_refused():
    simulation = flying()
    for command, words in (
        (Motors([0.5, 0.5]), "1 throttles"), (Cruise(airspeed=5.0), "cannot fly at 5"), (Joints({}), "takes Cruise"),
    ):  # fmt: skip
        with pytest.raises(CommandError, match=words):
            simulation.command("one", command)
    # Keys ask for what a drone could do: it goes on.
    simulation.command("one", BodyVelocity([1.0, 0, 0]))
    simulation.run(300)
    assert airspeed(simulation) == pytest.approx(55.0, abs=1.5)


def test_errors_say_what_is_missing(monkeypatch, at_centre):
    with pytest.raises(RobotError, match="no 'jsbsim' block"):
        flying(robot="position: [0, 0, 900], physics: jsbsim", kind="x500")
    with pytest.raises(RobotError, match="no steady level flight of 'c172x' at 20 m/s"):
        flying(robot="position: [0, 0, 900], motion: {airspeed: 20}")
    with open(at_centre) as file:
        text = file.read()
    with open(at_centre, "w") as file:
        file.write(text.replace("aircraft: c172x", "aircraft: c172q"))
    with pytest.raises(RobotError, match="unknown aircraft of JSBSim 'c172q', did you mean 'c172"):
        flying(kind=at_centre)
    with open(at_centre, "w") as file:
        file.write(text.replace("elevator: fcs/", "elevatr: fcs/"))
    with pytest.raises(VoleryError, match="unknown joint 'elevatr'"):
        flying(kind=at_centre)
    monkeypatch.setitem(sys.modules, "jsbsim", None)
    with pytest.raises(VoleryError, match=r"pip install 'volery\[jsbsim\]'"):
        flying()
