"""Drones of the fleet engine among things: flying, standing, landing, crashing."""

import numpy as np
import pytest

from volery.core.frames import matrix_from_quat, quat_from_euler, quat_from_vector, quat_multiply
from volery.core.geometry import Mesh
from volery.core.parallel import set_threads, threads
from volery.core.state import decode, encode
from volery.errors import CommandError, RobotError, VoleryError
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.drones import Drones
from volery.physics.multirotor.fleet import FleetEngine, FleetSettings
from volery.physics.multirotor.flock_step import FlockStep
from volery.physics.multirotor.parameters import airframe_of, body_of
from volery.robots.commands import Attitude, BodyVelocity, Motors, Pose, Velocity, Wrench
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.world.atmosphere import GRAVITY
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

STEP = 10_000_000


def scene_of(*placements):
    scene = Scene()
    for placement in placements:
        scene.add(placement)
    return scene


def plane(attitude=(0.0, 0.0, 0.0), size=50.0):
    corners = np.array([[-size, -size, 0], [size, -size, 0], [size, size, 0], [-size, size, 0]])
    R = matrix_from_quat(quat_from_euler(np.array(attitude)))
    mesh = Mesh(corners @ R.T, np.array([[0, 1, 2], [0, 2, 3]]), name="plane")
    return Placement("ground", (mesh,), np.eye(3, 4)[None])


class Flying:
    """A fleet engine over a scene, without a simulation round it."""

    def __init__(self, scene, settings=None, **robots):
        self.environment = Environment(scene)
        self.engine = FleetEngine(self.environment, settings or FleetSettings())
        self.robots, self.now = {}, 0
        for name, (file, p, q) in robots.items():
            robot = Robot(name, file.description(), file)
            robot.set_pose(np.array(p, float), np.array(q, float))
            self.engine.add(robot, None, 0)
            self.robots[name] = robot

    def run(self, seconds):
        """On by some time; all contacts that came by."""
        seen = []
        for _ in range(round(seconds * 100)):
            self.engine.advance(self.now, STEP)
            self.now += STEP
            seen += [(n, c) for n, r in self.robots.items() for c in r.contacts]
        return seen


LEVEL = (1.0, 0.0, 0.0, 0.0)
QUAD = load_robot_file("quad")


def energy(engine, name):
    i = engine.batch.rows[name]
    s, p = engine.batch.state[i], engine.batch.parameters[engine.batch.kind[i]]
    w = s["w_B"]
    inertia = p["inertia"]
    return 0.5 * p["mass"] * s["v_W"] @ s["v_W"] + 0.5 * w @ inertia @ w


# On the ground


def test_a_drone_stands_with_motors_off_takes_off_lands_and_rests():
    fleet = Flying(scene_of(plane()), a=(QUAD, (0, 0, 0.14), LEVEL))
    robot = fleet.robots["a"]
    fleet.run(1.0)
    assert robot.joint_velocities == pytest.approx(np.zeros(4))
    resting = robot.p_WB.copy()
    assert resting == pytest.approx([0, 0, 0.136], abs=1e-3)
    fleet.run(3.0)
    assert (robot.p_WB == resting).all() and (robot.v_WB_W == 0).all()
    impulse = sum(c.impulse_W for c in robot.contacts)
    assert impulse == pytest.approx([0, 0, body_of(robot.description).mass * GRAVITY * 0.01], rel=1e-3, abs=1e-5)
    fleet.engine.apply("a", Pose([0, 0, 2]))
    fleet.run(6.0)
    assert robot.p_WB == pytest.approx([0, 0, 2], abs=0.05)
    assert robot.contacts == ()
    fleet.engine.apply("a", Velocity([0, 0, -0.7]))
    seen = fleet.run(4.0)
    fleet.engine.apply("a", Motors([0, 0, 0, 0]))
    fleet.run(1.0)
    landed = robot.p_WB.copy()
    fleet.run(2.0)
    assert {c.other for _, c in seen} == {"ground"}
    assert not fleet.engine.crashed("a")
    assert (robot.p_WB == landed).all()
    assert landed[2] == pytest.approx(0.136, abs=1e-3)


@pytest.mark.parametrize("kind", ["quad", "hexa", "octo"])
def test_rest_on_a_slope_without_creeping(kind):
    file, slope = load_robot_file(kind), 0.3
    tilt = quat_from_euler(np.array([slope, 0.0, 0.0]))
    up = matrix_from_quat(tilt)[:, 2]
    fleet = Flying(scene_of(plane((slope, 0, 0))), a=(file, 0.32 * up, tilt))
    fleet.engine.apply("a", Motors(np.zeros(len(file.multirotor.rotors))))
    fleet.run(3.0)
    before = fleet.robots["a"].p_WB.copy()
    fleet.run(5.0)
    assert (fleet.robots["a"].p_WB == before).all()
    assert not fleet.engine.crashed("a")


def test_a_slope_steeper_than_friction_lets_it_slide():
    slope = 0.5
    tilt = quat_from_euler(np.array([slope, 0.0, 0.0]))
    start = 0.137 * matrix_from_quat(tilt)[:, 2]
    fleet = Flying(scene_of(plane((slope, 0, 0))), FleetSettings(friction=0.25), a=(QUAD, start, tilt))
    fleet.run(0.2)
    before = fleet.robots["a"].v_WB_W
    fleet.run(0.4)
    gained = np.linalg.norm(fleet.robots["a"].v_WB_W - before) / 0.4
    assert gained == pytest.approx(GRAVITY * (np.sin(slope) - 0.8 * 0.25 * np.cos(slope)), rel=0.02)


def test_falling_upside_down_it_crashes_tumbles_and_comes_to_rest():
    turned = quat_from_euler(np.array([2.6, 0.4, 0.0]))
    fleet = Flying(scene_of(plane()), a=(QUAD, (0, 0, 4), turned))
    fleet.engine.apply("a", Motors([0, 0, 0, 0]))
    seen = fleet.run(1.2)
    assert fleet.engine.crashed("a")
    first = next(c for _, c in seen)
    assert first.other == "ground" and first.normal_W == pytest.approx([0, 0, 1]) and first.impulse_W[2] > 1.0
    assert first.p_W[2] == pytest.approx(0.0, abs=0.1)
    last = np.inf
    for _ in range(8):
        fleet.run(1.0)
        now = energy(fleet.engine, "a")
        assert now <= last + 1e-9
        last = now
    assert last == 0.0
    assert 0.0 < fleet.robots["a"].p_WB[2] < 0.4
    fleet.engine.apply("a", Pose([0, 0, 3]))
    fleet.run(1.0)
    assert fleet.robots["a"].p_WB[2] < 0.4
    # Placed anew it is whole again
    fleet.robots["a"].set_pose(np.array([0.0, 0, 3]), np.array(LEVEL))
    fleet.engine.place("a")
    fleet.run(2.0)
    assert fleet.robots["a"].p_WB == pytest.approx([0, 0, 3], abs=0.05)


def test_impulse_of_an_impact_is_the_change_of_momentum():
    fleet = Flying(scene_of(plane()), FleetSettings(restitution=0.5), a=(QUAD, (0, 0, 3), LEVEL))
    fleet.engine.apply("a", Motors([0, 0, 0, 0]))
    robot, mass = fleet.robots["a"], body_of(fleet.robots["a"].description).mass
    before = robot.v_WB_W
    while not fleet.run(0.01):
        before = robot.v_WB_W
    given = sum(c.impulse_W for c in robot.contacts)
    assert given[2] == pytest.approx(mass * (robot.v_WB_W[2] - before[2] + GRAVITY * 0.01), rel=0.02)
    assert robot.v_WB_W[2] > 0


# Other drones


def ball_file(tmp_path, mass):
    """A drone that touches with one sphere about its centre of mass."""
    (tmp_path / f"ball{mass}.xml").write_text(
        f'<mujoco><worldbody><body name="base"><freejoint/><geom type="sphere" size="0.3" mass="{mass}"/></body>'
        "</worldbody></mujoco>"
    )
    rotors = "".join(
        f"    - {{position: [{x}, {y}, 0], spin: {spin}}}\n"
        for x, y, spin in ((0.2, -0.2, "ccw"), (-0.2, 0.2, "ccw"), (0.2, 0.2, "cw"), (-0.2, -0.2, "cw"))
    )
    path = tmp_path / f"ball{mass}.yaml"
    path.write_text(
        f"model: ball{mass}.xml\nmultirotor:\n  rotors:\n{rotors}"
        "  most_thrust: 20\n  ground_effect: 0\n  bumpers: [{radius: 0.3}]\n"
    )
    return load_robot_file(str(path))


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_collision_of_two_drones_keeps_momentum(tmp_path, restitution):
    light, heavy = ball_file(tmp_path, 1.0), ball_file(tmp_path, 3.0)
    settings = FleetSettings(restitution=restitution, friction=0.0)
    fleet = Flying(Scene(), settings, a=(light, (-1, 0, 50), LEVEL), b=(heavy, (1, 0.1, 50), LEVEL))
    for name, v in (("a", [4.0, 0, 0]), ("b", [-2.0, 0, 0])):
        fleet.robots[name].set_twist(np.array(v), np.zeros(3))
        fleet.engine.place(name)
        fleet.engine.apply(name, Motors([0, 0, 0, 0]))
        fleet.engine.batch.stop(fleet.engine.batch.rows[name])
    seen = fleet.run(0.6)
    assert {(n, c.other) for n, c in seen} == {("a", "b"), ("b", "a")}
    a, b = fleet.robots["a"].v_WB_W, fleet.robots["b"].v_WB_W
    assert a + 3 * b == pytest.approx([4 - 6, 0, -4 * GRAVITY * 0.6], rel=1e-9, abs=1e-9)
    n = next(c for who, c in seen if who == "a").normal_W
    # They met at 6 m/s along x; only the part along the normal is turned round
    assert (a - b) @ n == pytest.approx(-restitution * 6.0 * n[0], rel=1e-6, abs=1e-9)
    assert fleet.engine.crashed("a") and fleet.engine.crashed("b")
    whole = [sum(c.impulse_W for who, c in seen if who == name) for name in ("a", "b")]
    assert whole[0] == pytest.approx(-whole[1], abs=1e-12)
    assert np.linalg.norm(whole[0]) == pytest.approx(0.75 * (1 + restitution) * 6.0 * abs(n[0]), rel=1e-6)


def test_slow_drones_bump_and_fly_on():
    fleet = Flying(Scene(), a=(QUAD, (-1, 0, 50), LEVEL), b=(QUAD, (1, 0, 50), LEVEL))
    fleet.engine.apply("a", Velocity([0.6, 0, 0]))
    seen = fleet.run(6.0)
    assert seen and not fleet.engine.crashed("a") and not fleet.engine.crashed("b")
    fleet.engine.apply("a", Pose([-1, 0, 50]))
    fleet.run(10.0)
    assert fleet.robots["a"].p_WB == pytest.approx([-1, 0, 50], abs=0.1)
    assert fleet.robots["b"].p_WB == pytest.approx([1, 0, 50], abs=0.1)


# The engine itself


def test_commands():
    fleet = Flying(Scene(), a=(QUAD, (0, 0, 50), LEVEL))
    robot, engine = fleet.robots["a"], fleet.engine
    engine.apply("a", BodyVelocity([1.0, 0, 0], 0.5))
    fleet.run(4.0)
    assert np.linalg.norm(robot.v_WB_W) == pytest.approx(1.0, abs=0.1)
    assert robot.w_WB_W[2] == pytest.approx(0.5, abs=0.02)
    share = body_of(robot.description).mass * GRAVITY / (4 * QUAD.multirotor.most_thrust) / np.cos(0.2)
    engine.apply("a", Attitude(quat_from_euler(np.array([0.0, 0.2, 0.0])), share * 1.225 / 1.219))
    fleet.run(1.5)
    nose = matrix_from_quat(robot.q_WB_wxyz)
    assert np.arctan2(nose[0, 2], nose[2, 2]) == pytest.approx(0.2, abs=0.05)
    engine.apply("a", Pose([0, 0, 50], 0.0))
    engine.apply("a", Wrench([1.0, 0, 0]))
    fleet.run(20.0)
    assert robot.p_WB == pytest.approx([0, 0, 50], abs=0.15)
    assert matrix_from_quat(robot.q_WB_wxyz)[0, 2] < -0.03
    with pytest.raises(CommandError, match="4 rotors"):
        engine.apply("a", Motors([0.5] * 3))
    with pytest.raises(CommandError, match="rigid"):
        engine.apply("a", Wrench([0, 0, 1], body="rotor_fl"))
    with pytest.raises(CommandError, match="finite"):
        Velocity([np.nan, 0, 0])
    fleet.run(1.0)
    assert robot.p_WB == pytest.approx([0, 0, 50], abs=0.15)


def test_a_push_holds_the_robot_off_by_the_closed_form():
    fleet = Flying(Scene(), a=(QUAD, (0, 0, 50), LEVEL))
    fleet.engine.apply("a", Motors([0, 0, 0, 0]))
    fleet.engine.batch.stop(0)
    mass = body_of(fleet.robots["a"].description).mass
    fleet.engine.apply("a", Wrench([0, 0, mass * GRAVITY]))
    fleet.run(0.02)
    s, body = fleet.engine.batch.state[0], body_of(fleet.robots["a"].description)
    # The push acts at the root's origin: the centre of mass stays, but the lever turns it
    assert s["v_W"] == pytest.approx(np.zeros(3), abs=1e-9)
    turn = mass * GRAVITY * body.centre[0] * 0.02 / body.inertia[1, 1]
    assert s["w_B"][1] == pytest.approx(turn, rel=0.01)


@pytest.mark.parametrize("kind", ["quad", "hexa", "octo"])
def test_every_model_holds_its_place_in_turbulent_wind(kind):
    simulation = Simulation(
        read_scenario(
            "world: {type: blocks, count: 0}\nwind: {steady: [4, -2, 0], turbulence: light}\nrobots:\n"
            f"  a: {{type: {kind}, physics: fleet, position: [0, 0, 20], sensors: {{scanner: off}}}}\n"
        )
    )
    simulation.run(1000)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([0, 0, 20], abs=0.5)
    assert robot.power > 100
    assert robot.contacts == ()


def test_the_path_of_the_built_in_scenario_is_flown():
    text = load_scenario("blocks").file
    motion = text.robots["uav1"]["motion"]
    simulation = Simulation(
        read_scenario(
            f"seed: 1\nworld: blocks\nrobots:\n  uav1: {{type: quad, physics: fleet, motion: {motion},"
            " sensors: {scanner: off}}\n"
        )
    )
    robot = simulation.robots["uav1"]
    corners = np.array(motion["path"], float)
    assert robot.p_WB == pytest.approx(corners[0])
    near = np.full(len(corners), np.inf)
    for _ in range(6200):
        simulation.step()
        assert robot.contacts == ()
        near = np.minimum(near, np.linalg.norm(corners - robot.p_WB, axis=1))
    assert (near < 0.3).all()
    assert not simulation.engines["fleet"].crashed("uav1")


def test_drones_come_and_go_and_the_rest_flies_on():
    fleet = Flying(Scene(), **{f"d{i}": (QUAD, (3.0 * i, 0, 50), LEVEL) for i in range(5)})
    for i in range(5):
        fleet.engine.apply(f"d{i}", Pose([3.0 * i, 0, 50.0 + i]))
    fleet.run(0.5)
    for name in ("d1", "d4"):
        fleet.engine.remove(name)
        del fleet.robots[name]
    fleet.run(8.0)
    for name, i in (("d0", 0), ("d2", 2), ("d3", 3)):
        assert fleet.robots[name].p_WB == pytest.approx([3.0 * i, 0, 50.0 + i], abs=0.1)


def test_order_of_robots_does_not_matter_after_restore():
    names = [f"d{i}" for i in range(6)]
    make = lambda order: Flying(scene_of(plane()), **{n: (QUAD, (0.5 * int(n[1]), 0, 1.5), LEVEL) for n in order})  # noqa: E731
    fleet = make(names)
    fleet.run(0.3)
    state = decode(encode(fleet.engine.state()))
    ends = []
    for other in (fleet, make(names[::-1])):
        other.engine.restore(state)
        other.now = fleet.now if other is fleet else 300_000_000
        other.run(1.0)
        ends.append(encode({n: [r.p_WB, r.q_WB_wxyz, r.v_WB_W] for n, r in other.robots.items()}))
    assert ends[0] == ends[1]


def test_thousands_of_drones_without_robots_on_one_and_two_threads():
    robot = Robot("a", QUAD.description(), QUAD)
    airframe = airframe_of(robot)
    before, ends = threads(), []
    for count in (1, before):
        set_threads(count)
        batch, sky = Batch(), FlockStep(Environment(Scene()), FleetSettings(touch=False), None)
        rng = np.random.default_rng(3)
        for i in range(2000):
            row = batch.add(f"d{i}", airframe)
            batch.place(row, rng.uniform(-50, 50, 3), np.array(LEVEL), np.zeros(3), np.zeros(3))
            batch.hover(row)
            batch.tell(row, Pose(rng.uniform(-50, 50, 3)))
        for k in range(20):
            sky.advance(batch, k * STEP, STEP, set())
        ends.append(batch.state[:2000].tobytes())
    set_threads(before)
    assert ends[0] == ends[1]


def test_robots_without_rotors_or_with_wrong_ones_are_refused(tmp_path):
    engine = FleetEngine(Environment(Scene()))
    probe = load_robot_file("probe")
    with pytest.raises(RobotError, match="multirotor"):
        engine.add(Robot("p", probe.description(), probe), None, 0)
    (tmp_path / "quad.xml").write_text((QUAD.description().path).read_text())
    text = "model: quad.xml\nmultirotor:\n  most_thrust: {most}\n  rotors:\n" + "".join(
        f"    - {{{{body: rotor_{n}, spin: {s}}}}}\n"
        for n, s in (("fr", "ccw"), ("rl", "ccw"), ("fl", "{spin}"), ("rr", "{spin}"))
    )
    path = tmp_path / "q.yaml"
    for most, spin, error in ((2.0, "cw", "weighs"), (9.0, "ccw", "independently"), (9.0, "up", "not one of")):
        path.write_text(text.format(most=most, spin=spin))
        with pytest.raises(VoleryError, match=error):
            file = load_robot_file(str(path))
            engine.add(Robot("p", file.description(), file), None, 0)
    path.write_text(text.format(most=9.0, spin="cw").replace("rotor_fr", "rotor_xx"))
    with pytest.raises(RobotError, match="multirotor: unknown body 'rotor_xx', did you mean"):
        load_robot_file(str(path)).description()
    assert len(engine.batch) == 0


def test_drones_for_other_engines_have_the_same_autopilot():
    """The wrench of `Drones` holds a body up that a plain integrator moves."""
    robot = Robot("a", QUAD.description(), QUAD)
    robot.set_pose(np.array([0, 0, 5.0]), np.array(LEVEL))
    drones, body = Drones(Environment(Scene())), body_of(robot.description)
    drones.add(robot)
    index, calm = drones.index(["a"]), np.zeros((1, 3))
    drones.apply("a", Pose([0.5, 0, 5.5]))
    fleet = Flying(Scene(), a=(QUAD, (0, 0, 5), LEVEL))
    fleet.engine.apply("a", Pose([0.5, 0, 5.5]))
    batch = Batch()
    batch.place(batch.add("a", airframe_of(robot)), robot.p_WB, robot.q_WB_wxyz, np.zeros(3), np.zeros(3))
    s, dt, inverse = batch.state[0], 0.001, np.linalg.inv(body.inertia)
    for _ in range(2000):
        R = matrix_from_quat(s["q_WB"])
        w = s["w_B"].copy()
        p, v = s["p_W"] - R @ body.centre, s["v_W"] - R @ np.cross(w, body.centre)
        f = drones.wrenches(index, p[None], s["q_WB"][None], v[None], w[None], calm, dt)[0]
        s["v_W"] += dt * (R @ f[:3] / body.mass - [0, 0, GRAVITY])
        s["w_B"] += dt * inverse @ (f[3:] - np.cross(w, body.inertia @ w))
        s["p_W"] += dt * s["v_W"]
        s["q_WB"] = quat_multiply(s["q_WB"], quat_from_vector(dt * s["w_B"]))
    fleet.run(2.0)
    p_WB = s["p_W"] - matrix_from_quat(s["q_WB"]) @ body.centre
    assert p_WB == pytest.approx(fleet.robots["a"].p_WB, abs=0.01)
    state = decode(encode(drones.state()))
    ask = lambda: drones.wrenches(index, p[None], s["q_WB"][None], v[None], w[None], calm, dt)  # noqa: E731
    first = ask()
    drones.restore(state)
    assert (ask() == first).all()
