"""The delta arm: its geometry, its forces, its closed chains in MuJoCo, and what it does to its robot."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from links_rig import OBJ, PLATE
from volery.errors import CommandError, RobotError
from volery.robots.commands import Joints, Pose, Press, Reach
from volery.robots.description import load_spec
from volery.robots.kinds.delta import Delta
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation

ARM = Delta()
ANGLES = st.lists(st.floats(ARM.low, ARM.high), min_size=3, max_size=3).map(np.array)


def some_angles(count=2000, seed=1):
    return np.random.default_rng(seed).uniform(ARM.low, ARM.high, (count, 3))


# Geometry


@given(ANGLES)
def test_kinematics_round_trip(theta):
    assert np.abs(ARM.angles(ARM.place(theta)) - theta).max() < 1e-9


def test_round_trip_of_many_places_at_once_and_of_other_lengths():
    rng = np.random.default_rng(2)
    for base, tool, upper, fore in ((0.2, 0.05, 0.3, 0.8), (0.03, 0.03, 0.1, 0.2), (0.05, 0.06, 0.07, 0.3)):
        arm = Delta(base=base, tool=tool, upper=upper, fore=fore, stick=0.0)
        theta = rng.uniform(arm.low, arm.high, (4, 500, 3))
        p = arm.place(theta)
        assert p.shape == theta.shape
        assert np.abs(arm.angles(p) - theta).max() < 1e-9
        assert np.abs(arm.place(arm.angles(p)) - p).max() < 1e-9


def test_forearms_keep_their_length():
    theta = some_angles()
    p = ARM.place(theta) - [0, 0, ARM.stick]
    phi = np.radians([0, 120, 240])
    joint = p[:, None, :] + ARM.tool * np.stack([np.cos(phi), np.sin(phi), 0 * phi], axis=1)
    assert np.linalg.norm(ARM.elbows(theta) - joint, axis=-1) == pytest.approx(ARM.fore, abs=1e-12)


def test_turning_the_motors_round_turns_the_place():
    theta = some_angles(50)
    c, s = -0.5, np.sqrt(0.75)
    turned = ARM.place(theta) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]).T
    assert np.abs(ARM.place(np.roll(theta, 1, axis=1)) - turned).max() < 1e-12


@pytest.mark.parametrize(
    ("place", "why"),
    [((0, 0, 0.9), "too short"), ((0.3, 0, 0.25), "too short"), ((0, 0, 0.185), "beyond"), ((np.nan, 0, 0), "finite")],
)
def test_what_it_cannot_reach_is_refused(place, why):
    with pytest.raises(RobotError, match=why):
        ARM.angles([ARM.place(np.zeros(3)), np.array(place)])


def test_lengths_that_never_meet_are_refused():
    with pytest.raises(RobotError, match="do not meet"):
        Delta(base=0.1, upper=0.1, fore=0.1)
    with pytest.raises(RobotError, match="further in"):
        Delta(base=0.02, tool=0.08)
    with pytest.raises(RobotError, match="home"):
        Delta(home=1.4)


def test_jacobian_is_the_derivative_of_the_place():
    theta, h = some_angles(200), 1e-6
    for i in range(3):
        step = h * np.eye(3)[i]
        numeric = (ARM.place(theta + step) - ARM.place(theta - step)) / (2 * h)
        assert np.abs(ARM.jacobian(theta)[..., i] - numeric).max() < 1e-8


def test_torques_and_forces_are_each_others_inverse_and_do_the_same_work():
    theta = some_angles(200)
    force = np.random.default_rng(3).normal(size=(200, 3))
    torque = ARM.torques(theta, force)
    assert np.abs(ARM.force(theta, torque) - force).max() < 1e-9
    rate = np.random.default_rng(4).normal(size=(200, 3))
    v = np.einsum("nij,nj->ni", ARM.jacobian(theta), rate)
    assert np.sum(torque * rate, axis=1) == pytest.approx(np.sum(force * v, axis=1))


# The model


@pytest.fixture
def plate(tmp_path):
    (tmp_path / "plate.xml").write_text(PLATE)
    path = tmp_path / "plate.yaml"
    path.write_text(
        "model: plate.xml\nphysics: mujoco\ndrag_area: 0\ndelta: {attitude_deg: [180, 0, 0], arm: {damping: 0}}"
    )
    return path


def model_of(path, gravity=0.0, step=0.0005, fixed=False):
    spec = load_spec(path)
    if fixed:
        spec.delete(spec.worldbody.first_body().joints[0])
    spec.option.gravity, spec.option.timestep = [0, 0, -gravity], step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    model = spec.compile()
    return model, mujoco.MjData(model)


def set_chain(model, data, theta, rate=(0, 0, 0)):
    """Put the arm at angles and speeds of its motors, all of the chain with them."""
    h = 1e-6 * np.array(rate, float)
    before, now, after = (ARM.chain(np.array(theta) + k * h) for k in (-1, 0, 1))
    for name, value in now.items():
        joint = model.joint(name)
        data.qpos[joint.qposadr[0]] = value
        data.qvel[joint.dofadr[0]] = (after[name] - before[name]) / 2e-6


def tip_and_angles(model, data):
    q = {n: data.qpos[model.joint(n).qposadr[0]] for n in ARM.chain(np.zeros(3))}
    return np.array([q[f"delta_{a}"] for a in "xyz"]), np.array([q[f"delta_arm{i}"] for i in (1, 2, 3)])


def test_the_chain_is_closed_wherever_the_motors_are(plate):
    model, data = model_of(plate)
    for theta in some_angles(30):
        set_chain(model, data, theta)
        mujoco.mj_forward(model, data)
        assert data.nefc >= 9
        assert np.abs(data.efc_pos[:9]).max() < 1e-12
        tool = data.site_xpos[model.site("tool").id]
        assert tool == pytest.approx(ARM.place(theta) * [1, -1, -1], abs=1e-12)


def test_a_free_robot_with_a_moving_arm_keeps_momentum_and_energy(plate):
    model, data = model_of(plate)
    set_chain(model, data, np.full(3, 0.4), (2.0, -1.0, 1.5))
    data.qvel[:6] = (0.1, 0.2, 0.0, 0.3, 0.0, 0.2)

    def whole():
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        momentum = model.body_subtreemass[1] * data.subtree_linvel[1]
        return float(data.energy[1]), momentum, data.subtree_angmom[1].copy()

    energy, momentum, spin = whole()
    base = data.qvel[:3].copy()
    mujoco.mj_step(model, data, 500)
    after = whole()
    assert np.linalg.norm(data.qvel[:3] - base) > 0.002, "the arm moves the robot"
    assert after[0] == pytest.approx(energy, rel=2e-4)
    assert np.abs(after[1] - momentum).max() < 1e-5 * np.linalg.norm(momentum) + 1e-6
    assert np.abs(after[2] - spin).max() < 1e-6
    tip, theta = tip_and_angles(model, data)
    assert np.abs(ARM.place(theta) - tip).max() < 1e-5, "the chain stays closed"


def test_energy_is_kept_with_gravity_while_the_arm_swings(plate):
    """The plate is held: a falling one would show the integrator, not the arm."""
    model, data = model_of(plate, 9.81, 0.0002, fixed=True)
    set_chain(model, data, (0.3, 0.1, 0.2))
    mujoco.mj_forward(model, data)
    start, swing, lost = data.energy.sum(), [], []
    for _ in range(300):
        mujoco.mj_step(model, data)
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        swing.append(data.energy[1])
        lost.append(abs(data.energy.sum() - start))
    assert max(swing) > 0.005
    assert max(lost) < 0.01 * max(swing)


def test_torques_of_the_motors_carry_weight_and_a_load(plate):
    """At rest the closed form's torques hold the model still: forces and the chains agree."""
    model, data = model_of(plate, 9.81, fixed=True)
    theta, load_W = np.array([0.5, 0.2, 0.7]), np.array([0.6, -0.4, -1.0])
    set_chain(model, data, theta)
    down = np.diag([1.0, -1.0, -1.0])
    torque = ARM.weight_torques(theta, down @ model.opt.gravity) - ARM.torques(theta, down @ load_W)
    for i in range(3):
        data.ctrl[model.actuator(f"delta_motor{i + 1}").id] = torque[i]
    data.xfrc_applied[model.body("delta_tip").id, :3] = load_W
    mujoco.mj_forward(model, data)
    arms = [model.joint(f"delta_arm{i}").dofadr[0] for i in (1, 2, 3)]
    assert np.abs(data.qacc[arms]).max() < 0.1, "against some 500 rad/s² without"
    data.ctrl[:] = 0
    mujoco.mj_forward(model, data)
    assert np.abs(data.qacc[arms]).max() > 50


# In a simulation


def flying():
    robot = "uav: {type: quad_delta, position: [0, 0, 3], sensors: {force: {rate: 100}}}"
    return Simulation(read_scenario(f"world: empty\nrobots:\n  {robot}\n"))


def tool_in_arm(simulation):
    robot = simulation.robots["uav"]
    names = [j.name for j in robot.description.joints]
    return np.array([robot.joint_positions[names.index(f"delta_{a}")] for a in "xyz"])


def arm_of(simulation):
    return simulation.robots["uav"].file.delta.arm


def test_the_arm_reaches_while_its_robot_hovers_and_the_robot_feels_it():
    simulation = flying()
    simulation.command("uav", Pose(np.array([0.0, 0, 3.0]), 0.0))
    simulation.run(300)
    robot = simulation.robots["uav"]
    rest = robot.p_WB.copy()
    assert tool_in_arm(simulation) == pytest.approx(arm_of(simulation).place(np.full(3, 0.35)), abs=2e-3), "held"
    goal = np.array([0.04, -0.03, 0.31])
    simulation.command("uav", Reach(goal))
    moved = 0.0
    for _ in range(300):
        simulation.step()
        moved = max(moved, float(np.linalg.norm(robot.p_WB - rest)))
    assert tool_in_arm(simulation) == pytest.approx(goal, abs=1e-3)
    assert 1e-3 < moved < 0.1, "it is pushed, and comes back"
    X = robot.X_WB[robot.description.site("tool").body]
    plate = robot.X_WB[robot.description.body("delta_plate")]
    assert X[:, 3] == pytest.approx(plate[:, 3] + plate[:, :3] @ goal, abs=1e-3)
    with pytest.raises(RobotError, match="cannot reach"):
        simulation.command("uav", Reach(np.array([0, 0, 1.0])))
    simulation.run(5)
    assert tool_in_arm(simulation) == pytest.approx(goal, abs=1e-3), "the last one stays"


WALL = """
world: {{type: mesh, path: wall.obj}}
robots:
  arm: {{type: {robot}, position: [0, 0, 1], sensors: {{force: {{type: force_torque, mount: {{site: tool}}}}}}}}
"""


def before_a_wall(folder):
    """The arm on a post, its tip 3 cm before a wall."""
    (folder / "wall.obj").write_text(OBJ)
    (folder / "plate.xml").write_text(PLATE)
    (folder / "post.yaml").write_text(
        "model: plate.xml\nphysics: mujoco\nfixed: true\ndelta: {position: [0.2, 0, 0], attitude_deg: [0, 90, 0]}\n"
    )
    return Simulation(read_scenario(WALL.format(robot="post.yaml"), folder=folder))


def test_the_tool_presses_on_a_wall_with_the_force_it_is_told(tmp_path):
    simulation = before_a_wall(tmp_path)
    robot = simulation.robots["arm"]
    start = ARM.place(np.full(3, ARM.home))
    for force in (2.0, 5.0):
        press = Press(np.array([0, 0, force]), start, np.array([800.0, 800.0, 0.0]), np.array([8.0, 8.0, 20.0]))
        simulation.command("arm", press)
        simulation.run(150)
        felt = sum(c.impulse_W for c in robot.contacts if c.body == "delta_tip") / 0.01
        assert felt[0] == pytest.approx(-force, rel=0.02)
        reading = simulation.sensors["arm"]["force"].latest.data["force"]
        # In the tool's axes z is outwards; what the tip passes on to the platform, its own weight (along x) apart.
        assert reading[2] == pytest.approx(-force, rel=0.02)
        effort = np.array([robot.joint_efforts[robot.description.joint(f"delta_arm{i}")] for i in (1, 2, 3)])
        theta = np.array([robot.joint_positions[robot.description.joint(f"delta_arm{i}")] for i in (1, 2, 3)])
        g_D = np.array([9.80665, 0, 0])
        told = ARM.force(theta, effort - ARM.weight_torques(theta, g_D))
        assert told[2] == pytest.approx(force, rel=0.02), "the motors do it"
    with pytest.raises(CommandError, match="needs the place"):
        simulation.command("arm", Press(stiffness=np.array([1.0, 0, 0])))
    with pytest.raises(CommandError, match="must be 0 to"):
        Press(damping=np.array([-1.0, 0, 0]))


def test_motors_told_one_by_one_take_over_and_a_snapshot_goes_on(tmp_path):
    simulation = before_a_wall(tmp_path)
    goal = np.array([0.02, 0.01, 0.24])
    simulation.command("arm", Reach(goal))
    simulation.run(10)
    state = simulation.state()
    simulation.run(40)
    other = before_a_wall(tmp_path)
    other.restore(state)
    other.run(40)
    assert other.state_hash() == simulation.state_hash()
    angles = ARM.angles(np.array([0.0, 0.0, 0.22]))
    simulation.command("arm", Joints({f"delta_arm{i + 1}": float(a) for i, a in enumerate(angles)}))
    simulation.run(150)
    robot = simulation.robots["arm"]
    z = robot.joint_positions[robot.description.joint("delta_z")]
    assert z == pytest.approx(0.22, abs=0.01), "servos without weight compensation sag a little"
    simulation.command("arm", Reach(goal))
    simulation.run(150)
    found = [robot.joint_positions[robot.description.joint(f"delta_{a}")] for a in "xyz"]
    assert found == pytest.approx(goal, abs=1e-3)


def test_an_arm_that_does_not_fit_its_robot_is_refused(tmp_path):
    (tmp_path / "plate.xml").write_text(PLATE)
    path = tmp_path / "bad.yaml"
    path.write_text("model: plate.xml\ndelta: {body: nose}\n")
    with pytest.raises(RobotError, match="no body 'nose'"):
        load_robot_file(str(path)).description()
    path.write_text("model: plate.xml\ndelta: {arm: {fore: 0.05}}\n")
    with pytest.raises(Exception, match="do not meet"):
        load_robot_file(str(path))
