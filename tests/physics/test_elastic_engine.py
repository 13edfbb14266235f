"""Aircraft that bend in flight: trim, autopilot, commands, gusts, parts that come off, snapshots, the robot."""

import math
import time

import numpy as np
import pytest

from volery import _native
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.core.state import decode, encode
from volery.errors import CommandError, RobotError, ScenarioError, UnknownNameError
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.engine import ElasticEngine, ElasticSettings
from volery.physics.elastic.member import Course
from volery.physics.elastic.statics import trim
from volery.robots.commands import (
    Attitude,
    BodyVelocity,
    ControlGroup,
    Cruise,
    Joints,
    Motors,
    Pose,
    Release,
    Velocity,
    Wrench,
)  # fmt: skip
from volery.robots.kinds.airframe import Airframe
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.theses.aircraft import fly, gust_moments, rigid_glide_ratio, stiffened
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.wind import Thermal, Wind

TAIL = ("elevator_right", "elevator_left")
FILE = load_robot_file("elaha")
TEXT = """
seed: 3
step: 0.01
world: empty
wind: {{{wind}}}
engines: {{elastic: {{touch: {touch}}}}}
robots:
  one: {{type: elaha, position: [0, 0, {z}], attitude_deg: [0, 0, 40], sensors: {{scanner: off}}}}
  two: {{type: elaha, position: [0, 200, {z}], sensors: {{scanner: off}}, motion: {{airspeed: 26}}}}
"""


def make(z=20_000, wind="turbulence: severe", touch="false", both=True):
    text = TEXT.format(z=z, wind=wind, touch=touch)
    return Simulation(read_scenario(text if both else text.rsplit("\n", 2)[0] + "\n"))


class Rig:
    """One aircraft in the engine alone: no rays, no sensors."""

    def __init__(self, wind=None, z=20_000.0, heading=0.0, course=None):
        self.engine = ElasticEngine(Environment(Scene(), wind=wind or Wind()), ElasticSettings(touch=False))
        self.robot = Robot("one", FILE.description(), FILE)
        self.robot.set_pose(np.array([0.0, 0.0, z]), quat_from_euler(np.array([0.0, 0.0, heading])))
        self.engine.add(self.robot, course, 0)
        self.now = 0

    def tell(self, command):
        self.engine.apply("one", command)

    def run(self, steps):
        for _ in range(steps):
            self.engine.advance(self.now, 10_000_000)
            self.now += 10_000_000


def roll_pitch_yaw(robot):
    roll, down, yaw = euler_from_quat(robot.q_WB_wxyz)
    return roll, -down, yaw


def run_bytes(simulation, steps):
    out = []
    for _ in range(steps):
        simulation.step()
        out.append(encode({n: r.state() for n, r in simulation.robots.items()}))
    return out


# The robot


def test_bones_are_numbered_as_in_the_thesis():
    d = FILE.description()
    assert d.bodies[0] == "root" and d.bodies[1:11] == tuple(f"right_{k}" for k in range(1, 11))
    assert d.bodies[11:21] == tuple(f"left_{k}" for k in range(1, 11))
    assert d.bodies[21:23] == ("elevator_right", "elevator_left")
    assert len(d.bodies[1:23]) == 22


def test_the_skin_follows_the_bones():
    """Bones set root to tip as the platform's topic does: all bent by 4.5° up, the tip stands at 45°."""
    simulation = make(both=False)
    robot = simulation.robots["one"]
    bend = quat_from_euler(np.array([math.radians(4.5), 0.0, 0.0]))
    robot.joint_positions[:] = 0.0
    for bone in range(11, 21):
        robot.set_bone(bone, bend)
    robot.update()
    R = robot.X_WB[0, :, :3].T @ robot.X_WB[20, :, :3]
    assert math.degrees(math.atan2(R[2, 1], R[1, 1])) == pytest.approx(45.0)
    vertices = robot._skins[0][2]
    left, right = vertices[:, 1].argmax(), vertices[:, 1].argmin()
    assert vertices[left, 2] > 4.0 and abs(vertices[right, 2]) < 0.3


def test_masses_agree_with_the_model():
    airframe = Airframe(FILE.aircraft)
    craft = ElasticAircraft(FILE.aircraft)
    assert craft.frame.model.body_mass.sum() == pytest.approx(airframe.mass, rel=1e-9)
    assert 50.0 < airframe.mass < 60.0


def test_bad_aircraft_are_refused(tmp_path):
    wing = "span: 10, chord: 1, bend_stiffness: 1000, twist_stiffness: 1000, mass: 1, inertia: 0.1"
    cases = {
        "wing: {span: 10}": "missing",
        f"wing: {{{wing}, centre: 0.9, axis: 0.1}}": "inertia",
        f"wing: {{{wing}, modules: [1]}}": "modules",
        f"wing: {{{wing}}}\n  pilot: {{pitch: {{elevato: 1}}}}": "elevato",
        f"wing: {{{wing}, chrd: 2}}": "did you mean 'chord'",
    }
    for block, said in cases.items():
        file = tmp_path / "craft.yaml"
        file.write_text(f"physics: elastic\naircraft:\n  {block}\n")
        with pytest.raises((RobotError, ScenarioError, UnknownNameError), match=said):
            load_robot_file(str(file))


def test_a_robot_without_an_aircraft_block_is_refused():
    with pytest.raises(RobotError, match="aircraft"):
        Simulation(read_scenario("robots: {a: {type: quad, physics: elastic}}"))


# Flight


def test_discs_by_momentum_theory():
    """Static: P = T·√(T/2ρA); in flight the ideal efficiency 2/(1 + √(1 + T/(½ρAV²)))."""
    disc_thrust, disc_power = _native.elastic.disc_thrust, _native.elastic.disc_power
    assert disc_thrust(1000.0, 0.0, 1.225, 1.0) == pytest.approx((2 * 1.225 * 1000.0**2) ** (1 / 3), rel=1e-9)
    thrust = disc_thrust(300.0, 25.0, 0.088, 2.0)
    ideal = 2 / (1 + math.sqrt(1 + thrust / (0.5 * 0.088 * 2.0 * 25.0**2)))
    assert thrust * 25.0 / 300.0 == pytest.approx(ideal, rel=1e-9)
    assert disc_power(thrust, 25.0, 0.088, 2.0) == pytest.approx(300.0, rel=1e-9)


@pytest.mark.parametrize(("rho", "speed"), [(0.0880, 24.6), (1.225, 6.6)])
def test_trim_is_steady(rho, speed):
    """Two seconds on from trim without a pilot, nothing has moved: step and statics are the same code."""
    lone = ElasticAircraft(FILE.aircraft, 0.0)
    lone.set_air(0.0, rho)
    found = trim(lone, speed, TAIL)
    craft = ElasticAircraft(FILE.aircraft, 0.002)
    craft.set_air(0.0, rho)
    craft.qpos[:], craft.qvel[:], craft.flaps[:] = lone.qpos, lone.qvel, found.flaps
    craft.throttle[:] = craft.power_share[:] = found.throttle
    craft.take_air(lone)
    shape = craft.qpos[craft.frame.spring_q].copy()
    for _ in range(200):
        assert craft.run(5)
    assert craft.qvel[0] == pytest.approx(speed, rel=1e-4) and abs(craft.qvel[2]) < 0.01
    assert craft.qpos[craft.frame.spring_q] == pytest.approx(shape, abs=1e-4)
    weight = Airframe(FILE.aircraft).mass * 9.80665
    assert craft.discs["thrust"].sum() == pytest.approx(weight / 33.0, rel=0.15)


def test_a_rigid_glide_is_as_the_textbook_has_it():
    """Stiffened a thousandfold: glide ratio by profile and induced drag, and speed by lift, over three speeds."""
    rigid = stiffened(FILE.aircraft, 1e3)
    rho, mass = 0.0880, Airframe(FILE.aircraft).mass
    for speed in (21.0, 24.5, 28.0):
        craft = ElasticAircraft(rigid, 0.0)
        craft.set_air(0.0, rho)
        slope = trim(craft, speed, TAIL, power=False).slope
        lift = mass * 9.80665 * math.cos(slope) / (0.5 * rho * speed**2 * 32.0)
        # The tail carries little; a rectangular wing of aspect ratio 32 has a span efficiency of 0.88.
        assert 1 / math.tan(-slope) == pytest.approx(rigid_glide_ratio(rigid, lift, 32.0, 0.88), rel=0.03)


def test_a_glide_in_the_step_comes_to_the_trimmed_one():
    rigid = FILE.with_block("aircraft", stiffened(FILE.aircraft, 100.0))
    lone = ElasticAircraft(rigid.aircraft, 0.0)
    lone.set_air(0.0, 0.0880)
    slope = trim(lone, 24.5, TAIL, power=False).slope
    craft = ElasticAircraft(rigid.aircraft, 0.002)
    craft.set_air(0.0, 0.0880)
    craft.qpos[:], craft.qvel[:], craft.flaps[:] = lone.qpos, lone.qvel, lone.flaps
    craft.take_air(lone)
    for _ in range(400):
        assert craft.run(5)
    assert -craft.qvel[2] / craft.qvel[0] == pytest.approx(math.tan(-slope), rel=0.02)


def test_altitude_speed_and_heading_are_flown_to():
    rig = Rig()
    rig.tell(Cruise(altitude=20_005.0, heading=math.radians(25.0)))
    rig.run(3500)
    assert rig.robot.p_WB[2] == pytest.approx(20_005.0, abs=1.5)
    assert math.degrees(roll_pitch_yaw(rig.robot)[2]) == pytest.approx(25.0, abs=2.0)
    assert np.linalg.norm(rig.robot.v_WB_W) == pytest.approx(24.5, abs=0.6)


def test_it_rides_out_turbulence_and_a_thermal():
    """A quarter minute of severe air at 20 km and a thermal below: height, speed and shape stay within bounds."""
    severe = fly(FILE, Wind(turbulence="severe", seed=4), 20_000.0, 15.0)
    assert np.abs(severe.p_W[:, 2] - 20_000.0).max() < 120.0, "the air itself rises by metres a second"
    assert np.degrees(np.abs(severe.tip)).max() < 60.0 and severe.airspeed.min() > 14.0
    lift = Wind(thermals=(Thermal(position=(120.0, 0.0), radius=60.0, strength=2.0, top=1500.0),))
    risen = fly(FILE, lift, 600.0, 22.0)
    assert risen.p_W[:, 2].max() > 601.0


def test_turbulence_excites_the_second_bending_and_the_imu():
    """At 20 km eddies of ten metres and less are there: the root's moment peaks at the second bending, 2.2 Hz, and the
    body is shaken above 1 Hz. Densities are means of windows of ten seconds."""
    flown = fly(FILE, Wind(turbulence="severe", seed=4), 20_000.0, 30.0)
    shaken = np.diff(flown.p_W[:, 2], 2) / 0.01**2
    window = np.hanning(1024)
    f = np.fft.rfftfreq(1024, 0.01)

    def density(x: np.ndarray) -> np.ndarray:
        parts = [(x[i : i + 1024] - x[i : i + 1024].mean()) * window for i in range(400, len(x) - 1024, 256)]
        return np.mean([np.abs(np.fft.rfft(p)) ** 2 for p in parts], axis=0) * 2 / (100 * (window**2).sum())

    moment, above = density(flown.root_moment), f > 1.5
    assert 1.9 < f[above][np.argmax(moment[above])] < 2.5
    assert np.sqrt(moment[(f > 1.8) & (f < 2.6)].sum() * f[1]) > 2.0, "[N m]; waves too long gave 0.02"
    assert np.sqrt(density(shaken)[(f > 1) & (f < 20)].sum() * f[1]) > 0.1, "[m/s²]; waves too long gave 0.007"


def test_a_gust_bends_the_soft_wing_and_spares_its_root():
    """A gust of 3 m/s over 50 m: the moment at the root rises less than in the wing that is thirty times as stiff."""
    soft, stiff = gust_moments(seconds=7.0).values()
    rise = [f.root_moment.max() - f.root_moment[100] for f in (soft, stiff)]
    assert rise[0] < 0.75 * rise[1]
    assert np.degrees(np.ptp(soft.tip)) > 4.0 > 1.0 > np.degrees(np.ptp(stiff.tip))


def test_commands_of_all_levels():
    rig = Rig()
    robot, craft = rig.robot, rig.engine.craft("one")
    rig.tell(BodyVelocity([26.0, 0.0, 0.3], yaw_rate=0.05))
    rig.run(700)
    assert robot.v_WB_W[2] > 0.1 and roll_pitch_yaw(robot)[2] > math.radians(5.0)
    rig.tell(Attitude(quat_from_euler(np.array([0.1, -0.03, 0.0])), 0.5))
    rig.run(700)
    assert roll_pitch_yaw(robot)[0] == pytest.approx(0.1, abs=0.08)
    assert craft.throttle == pytest.approx([0.5, 0.5])
    rig.tell(ControlGroup(roll=0.0, pitch=0.1, yaw=0.0, throttle=0.4))
    rig.run(30)
    assert craft.flaps[4] == pytest.approx(0.1 * math.radians(20.0), abs=1e-6), "nose down"
    rig.tell(Joints(positions={"rudder": 0.05}))
    rig.tell(Motors([0.2, 0.6]))
    rig.run(30)
    assert robot.joint_positions[robot.description.joint("rudder")] == pytest.approx(0.05)
    assert craft.discs["thrust"][1] > craft.discs["thrust"][0]
    rig.tell(Velocity([20.0, 15.0, 0.0]))
    rig.run(1800)
    assert math.degrees(math.atan2(robot.v_WB_W[1], robot.v_WB_W[0])) == pytest.approx(36.9, abs=8.0)


def test_keys_made_for_drones_do_not_slow_it_down():
    rig = Rig(z=100.0)
    rig.run(1)
    pilot = rig.engine.member("one").pilot
    for forward, airspeed in ((3.0, None), (7.5, 7.5), (0.0, None)):
        rig.tell(BodyVelocity([forward, 0.0, 0.0]))
        assert pilot.goal.airspeed == airspeed


def test_commands_that_cannot_be_are_refused():
    simulation = make(wind="", both=False)
    for command, said in (
        (Motors([0.5]), "2 motors"), (Joints(positions={"rudder": 2.0}), "outside"),
        (Joints(velocities={"rudder": 1.0}), "positions only"),
    ):  # fmt: skip
        with pytest.raises(CommandError, match=said):
            simulation.command("one", command)
    with pytest.raises(UnknownNameError, match="rudder"):
        simulation.command("one", Joints(positions={"ruder": 0.1}))
    with pytest.raises(RobotError, match="left_4"):
        simulation.command("one", Release("left_5"))
    with pytest.raises(CommandError, match="curl"):
        Cruise(curl=2.0)


def test_a_path_is_flown_and_a_point_is_circled():
    path = [(0.0, 0.0, 1000.0), (150.0, 0.0, 1000.0), (350.0, 200.0, 1000.0)]
    rig = Rig(Wind(steady=(1.5, 0.0, 0.0)), 1000.0, course=Course(path))
    near = np.inf
    for _ in range(40):
        rig.run(100)
        near = min(near, np.linalg.norm(rig.robot.p_WB[:2] - [250.0, 100.0]))
    assert near < 35.0, "a third of the tightest turn"
    ahead = rig.robot.v_WB_W[:2] / np.linalg.norm(rig.robot.v_WB_W[:2])
    centre = rig.robot.p_WB + 135.0 * np.array([-ahead[1], ahead[0], 0.0])
    rig.tell(Pose(centre))
    rig.run(1200)
    assert np.linalg.norm(rig.robot.p_WB[:2] - centre[:2]) == pytest.approx(135.0, abs=35.0)


def test_a_push_turns_it():
    rig = Rig()
    rig.tell(Wrench([0.0, 0.0, -60.0], body="left_10"))
    rig.run(100)
    assert roll_pitch_yaw(rig.robot)[0] < -0.02, "the left end went down"


# Parts that come off


def test_a_module_comes_off_and_both_parts_fly_on():
    simulation = make(wind="", both=False)
    robot, engine = simulation.robots["one"], simulation.engines["elastic"]
    simulation.run(20)
    before, root = robot.X_WB.copy(), robot.p_WB.copy()
    momentum = _momentum(engine.craft("one"))
    simulation.command("one", Release("left_7"))
    after = _momentum(engine.craft("one"))
    assert after == pytest.approx(momentum, rel=1e-9), "nothing is pushed by letting go"
    simulation.run(1)
    assert robot.X_WB[17:21, :, 3] == pytest.approx(before[17:21, :, 3] + robot.p_WB - root, abs=0.02)
    simulation.run(200)
    apart = np.linalg.norm(robot.X_WB[17, :, 3] - robot.X_WB[16, :, 3])
    assert apart > 1.0, "the end of the wing is on its own"
    chain = np.linalg.norm(robot.X_WB[18, :, 3] - robot.X_WB[17, :, 3])
    assert chain == pytest.approx(1.6, rel=1e-6), "what came off holds together"
    assert np.isfinite(robot.p_WB).all() and not engine.recoveries
    with pytest.raises(RobotError, match="already"):
        simulation.command("one", Release("left_7"))
    simulation.command("one", Release("right_7"))
    simulation.run(100)
    assert engine.craft("one").released == ("right_7", "left_7")


def _momentum(craft):
    import mujoco

    model, data = craft.frame.model, craft.frame.data
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    return sum(model.body_subtreemass[b] * data.subtree_linvel[b] for b in craft.frame.parts)


# Bytes


def test_the_same_commands_give_the_same_bytes():
    def told():
        simulation = make()
        simulation.command("one", Cruise(heading=1.0, curl=0.3))
        return simulation

    first = run_bytes(told(), 25)
    assert run_bytes(told(), 25) == first


def test_a_snapshot_holds_wakes_lags_and_what_came_off():
    simulation = make()
    simulation.command("one", Cruise(heading=1.0))
    simulation.command("two", Release("right_4"))
    simulation.run(25)
    state = decode(encode(simulation.state()))
    ahead = run_bytes(simulation, 30)
    other = make()
    other.run(3)
    other.restore(state)
    assert run_bytes(other, 30) == ahead
    assert other.state_hash() == simulation.state_hash()


def test_aircraft_do_not_change_each_other():
    alone, together = make(both=False), make()
    alone.run(30)
    together.run(30)
    assert encode(alone.robots["one"].state()) == encode(together.robots["one"].state())


# The ground


def test_it_comes_to_rest_on_the_ground():
    """Let go 0.3 m over a plane without speed: the fuselage and wing carry it, and contacts are told."""
    text = TEXT.format(z=0.8, wind="", touch="true").rsplit("\n", 2)[0]
    text = text.replace("attitude_deg: [0, 0, 40]", "motion: {flying: false}")
    simulation = Simulation(read_scenario(text))
    robot = simulation.robots["one"]
    simulation.command("one", Motors([0.0, 0.0]))
    simulation.run(350)
    assert robot.contacts and -0.1 < robot.p_WB[2] < 0.7
    assert np.linalg.norm(robot.v_WB_W) < 0.2
    impulse = sum(c.impulse_W for c in robot.contacts)[2] / 0.01
    assert impulse == pytest.approx(Airframe(FILE.aircraft).mass * 9.80665, rel=0.3)


# Long ones


@pytest.mark.slow
def test_thirty_minutes_of_turbulence_under_the_autopilot():
    """Severe Dryden air at 20 km (2.4 m/s; by the specification the moderate one is calm there): no motion blows up, it
    flies and is never bent beyond what the wing is made for, 45° a half. It cannot keep its height: long waves of that
    air sink by up to 7.5 m/s, more than its motors climb; but it comes back. Ten times as fast as real time, by
    processor time."""
    began = time.process_time()
    flown = fly(FILE, Wind(turbulence="severe", seed=11), 20_000.0, 1800.0)
    assert time.process_time() - began < 180.0
    assert np.abs(flown.p_W[:, 2] - 20_000.0).max() < 500.0
    assert 14.0 < flown.airspeed.min() and flown.airspeed.max() < 40.0
    assert np.degrees(np.abs(flown.tip)).max() < 45.0
