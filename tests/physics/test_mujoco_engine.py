"""The MuJoCo engine through the whole simulation: closed forms, commands, coming and going, snapshots, accidents."""

import mujoco
import numpy as np
import pytest

from mujoco_rig import BALL, G, entry, make, no_drag
from volery.core.frames import quat_from_axis_angle, quat_from_euler, quat_rotate
from volery.core.state import decode, encode, state_hash
from volery.errors import CommandError, RobotError, ScenarioError, UnknownNameError
from volery.robots.commands import Joints, Motors, Velocity, Wrench

HANGER = """<mujoco><worldbody><body name="hook"><geom type="sphere" size="0.05" mass="1"/>
  <body name="rope" pos="0 0 -0.2"><joint name="swing" type="hinge" axis="0 1 0" damping="0"/>
    <geom type="capsule" size="0.005" fromto="0 0 0 0 0 -1" mass="1e-6" contype="0" conaffinity="0"/>
    <body name="bob" pos="0 0 -1"><geom type="sphere" size="0.02" mass="2"/></body></body></body></worldbody>
  </mujoco>"""
ARM = """<mujoco><worldbody><body name="base"><freejoint/><geom type="box" size=".1 .1 .05" mass="5"/>
  <body name="upper" pos="0 0 .1"><joint name="shoulder" type="hinge" axis="0 1 0" range="-120 120"/>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 .4" mass="0.8"/>
    <body name="lower" pos="0 0 .4"><joint name="elbow" type="hinge" axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3" mass="0.5"/>
      <body name="hand" pos="0 0 .3"><joint name="reach" type="slide" axis="0 0 1" range="0 .2"/>
        <geom type="sphere" size=".03" mass="0.2"/></body></body></body></body></worldbody>
  <actuator><position name="hold" joint="elbow" kp="50" dampratio="1" ctrlrange="-2 2" forcerange="-20 20"/>
    <motor name="push" joint="reach" gear="2" ctrlrange="-15 15"/></actuator></mujoco>"""


def engine(simulation):
    return simulation.engines["mujoco"]


# Closed forms


def test_free_fall(tmp_path):
    file = no_drag(tmp_path, "ball")
    simulation = make(tmp_path, {"a": entry(file)}, ball=BALL.format(mass=2.0))
    simulation.run(100)
    robot = simulation.robots["a"]
    assert robot.v_WB_W == pytest.approx([0, 0, -G], abs=1e-9)
    # Semi-implicit Euler falls by half a step's speed more than the parabola.
    assert robot.p_WB[2] == pytest.approx(50 - G / 2 * (1 + 0.002), abs=1e-9)


def test_a_falling_ball_reaches_the_speed_at_which_drag_holds_its_weight(tmp_path):
    (tmp_path / "chute.yaml").write_text("model: ball.xml\ndrag_area: 0.5\n")
    simulation = make(tmp_path, {"a": entry("chute.yaml", z=600)}, ball=BALL.format(mass=2.0))
    simulation.run(400)
    air = simulation.environment.atmosphere.at(simulation.robots["a"].p_WB[2]).density
    assert -simulation.robots["a"].v_WB_W[2] == pytest.approx(np.sqrt(2 * 2.0 * G / (air * 0.5)), rel=1e-3)


def test_wind_carries_a_body_along(tmp_path):
    simulation = make(
        tmp_path, {"a": entry("ball.xml", z=500)}, "wind: {steady: [8, 0, 0]}", ball=BALL.format(mass=0.01)
    )
    simulation.run(300)
    assert simulation.robots["a"].v_WB_W[0] == pytest.approx(8.0, rel=0.02)


def test_a_hanging_weight_pulls_with_its_weight(tmp_path):
    (tmp_path / "hanger.yaml").write_text(
        "model: hanger.xml\nfixed: true\ndrag_area: 0.0\nsensors: {ft: {type: force_torque, mount: {site: bob}}}\n"
    )
    simulation = make(tmp_path, {"a": entry("hanger.yaml")}, hanger=HANGER)
    simulation.run(50)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([0, 0, 50])
    assert robot.wrenches[2, :3] == pytest.approx([0, 0, -2 * G], rel=1e-9, abs=1e-9)
    reading = {s: r for _, s, r in simulation.fresh}["ft"]
    assert reading.data["force"] == pytest.approx([0, 0, -2 * G], rel=1e-6, abs=1e-6)


def test_a_cantilever_feels_the_torque_about_its_own_origin(tmp_path):
    beam = """<mujoco><worldbody><body name="wall"><geom size=".05" mass="1"/><body name="beam" pos="0.5 0 0">
      <geom size=".05" pos="0.3 0 0" mass="2"/></body></body></worldbody></mujoco>"""
    (tmp_path / "beam.yaml").write_text("model: beam.xml\nfixed: true\n")
    simulation = make(tmp_path, {"a": entry("beam.yaml")}, beam=beam)
    simulation.run(2)
    # The weight at +x turns its support about +y.
    assert simulation.robots["a"].wrenches[1] == pytest.approx([0, 0, -2 * G, 0, 0.3 * 2 * G, 0], rel=1e-9, abs=1e-9)


def test_a_pendulum_swings_with_its_period(tmp_path):
    file = no_drag(tmp_path, "hanger", fixed="true")
    simulation = make(tmp_path, {"a": entry(file, joints="{swing: 0.05}")}, hanger=HANGER)
    angles = []
    for _ in range(1000):
        simulation.step()
        angles.append(simulation.robots["a"].joint_positions[0])
    a = np.array(angles)
    down = np.flatnonzero((a[:-1] > 0) & (a[1:] <= 0))
    times = 0.01 * (down + a[down] / (a[down] - a[down + 1]))
    # Inertia of the bob about the hinge: m l² + 2/5 m r²
    period = 2 * np.pi * np.sqrt((1 + 0.4 * 0.02**2) / G) * (1 + 0.05**2 / 16)
    assert np.diff(times).mean() == pytest.approx(period, rel=1e-4)
    assert np.abs(a[-250:]).max() == pytest.approx(0.05, rel=0.01)


def test_two_balls_collide_and_keep_their_momentum(tmp_path):
    heavy, light = no_drag(tmp_path, "heavy", "heavy.yaml"), no_drag(tmp_path, "light", "light.yaml")
    simulation = make(
        tmp_path,
        {"a": entry(heavy, x=-1), "b": entry(light, x=1)},
        heavy=BALL.format(mass=3),
        light=BALL.format(mass=1),
    )
    for name, v in (("a", 2.0), ("b", -4.0)):
        robot = simulation.robots[name]
        simulation.place(name, robot.p_WB, robot.q_WB_wxyz, np.array([v, 0, 0]))
    touched = []
    for _ in range(60):
        simulation.step()
        touched += simulation.robots["a"].contacts
        for contact in simulation.robots["b"].contacts:
            assert contact.other == "a" and contact.body == "ball"
            assert contact.normal_W[0] == pytest.approx(1.0)
    a, b = simulation.robots["a"].v_WB_W, simulation.robots["b"].v_WB_W
    assert 3 * a[0] + b[0] == pytest.approx(3 * 2.0 - 4.0, abs=1e-9)
    assert b[0] > a[0]
    assert {c.other for c in touched} == {"b"}
    # The impulses that were reported are the change of momentum.
    assert sum(c.impulse_W[0] for c in touched) == pytest.approx(3 * (a[0] - 2.0), rel=1e-9)


def test_velocities_are_those_of_the_origin_in_the_world(tmp_path):
    off = """<mujoco><worldbody><body name="b"><freejoint/><geom size=".1" pos="0.5 0 0" mass="1"/></body></worldbody>
      </mujoco>"""
    simulation = make(tmp_path, {"a": entry(no_drag(tmp_path, "off"))}, off=off)
    q = quat_from_euler(np.array([0.3, -0.4, 1.0]))
    v, w = np.array([1.0, 2.0, 3.0]), np.array([0.2, -0.1, 0.5])
    simulation.place("a", [0, 0, 50], q, v, w)
    before = simulation.robots["a"].p_WB.copy()
    simulation.step()
    robot = simulation.robots["a"]
    # A sphere spins on unchanged; the origin circles round the centre of mass, which falls.
    assert robot.w_WB_W == pytest.approx(w, abs=1e-9)
    arm = quat_rotate(robot.q_WB_wxyz, np.array([0.5, 0, 0]))
    centre = v + np.cross(w, quat_rotate(q, np.array([0.5, 0, 0]))) - np.array([0, 0, G * 0.01])
    assert robot.v_WB_W == pytest.approx(centre - np.cross(w, arm), abs=2e-4)
    assert (robot.p_WB - before) / 0.01 == pytest.approx(0.5 * (v + robot.v_WB_W), abs=2e-2)


# Commands


def arm_in_air(tmp_path, **more):
    (tmp_path / "arm.yaml").write_text("model: arm.xml\nfixed: true\n")
    return make(tmp_path, {"arm": entry("arm.yaml", **more)}, arm=ARM)


def test_joints_go_where_they_are_told_with_and_without_motors_of_the_file(tmp_path):
    simulation = arm_in_air(tmp_path)
    simulation.command("arm", Joints(positions={"shoulder": 0.7, "elbow": -0.5, "reach": 0.1}))
    simulation.run(150)
    robot = simulation.robots["arm"]
    # The shoulder's own servo is stiff, the elbow's is the file's, which gives way to the weight: kp 50 N m/rad
    lean = robot.joint_positions[0]
    assert lean == pytest.approx(0.7, abs=0.01)
    sag = (0.5 * 0.15 + 0.2 * 0.4) * G * np.sin(lean + robot.joint_positions[1]) / 50
    assert robot.joint_positions[1] == pytest.approx(-0.5 + sag, abs=2e-3)
    # A slide with a servo of 10 Hz sinks by g/ω².
    sunk = G * np.cos(lean + robot.joint_positions[1]) / (2 * np.pi * 10) ** 2
    assert robot.joint_positions[2] == pytest.approx(0.1 - sunk, abs=1e-5)
    assert np.abs(robot.joint_velocities).max() < 1e-3
    assert robot.joint_efforts[1] == pytest.approx(50 * (-0.5 - robot.joint_positions[1]), abs=1e-3)


def test_joints_turn_at_speeds_and_push_with_efforts(tmp_path):
    simulation = arm_in_air(tmp_path)
    simulation.command("arm", Joints(velocities={"shoulder": 0.5}, efforts={"reach": 4.0}))
    simulation.run(80)
    robot = simulation.robots["arm"]
    # The servo gives way to the weight of the arm: 1000 times its inertia per speed that is missing.
    assert robot.joint_velocities[0] == pytest.approx(0.5, abs=0.01)
    assert robot.joint_efforts[2] == pytest.approx(4.0)
    assert robot.joint_positions[2] == pytest.approx(0.2, abs=5e-3)
    assert robot.power == pytest.approx(np.abs(robot.joint_efforts * robot.joint_velocities).sum())
    # A joint that is told another thing leaves the first, the others keep what they had.
    simulation.command("arm", Joints(positions={"shoulder": 0.2}))
    simulation.run(100)
    assert simulation.robots["arm"].joint_positions[0] == pytest.approx(0.2, abs=0.01)
    assert simulation.robots["arm"].joint_efforts[2] == pytest.approx(4.0)


def test_motors_take_shares_of_their_ranges(tmp_path):
    simulation = arm_in_air(tmp_path)
    simulation.command("arm", Joints(positions={"shoulder": 0.2, "elbow": 1.0, "reach": 0.1}))
    simulation.run(10)
    simulation.command("arm", Motors([0.25, 1.0]))
    simulation.run(200)
    robot = simulation.robots["arm"]
    assert robot.joint_positions[0] == pytest.approx(0.2, abs=0.01)
    assert robot.joint_efforts[2] == pytest.approx(2 * 15.0)
    assert robot.joint_efforts[1] == pytest.approx(50 * (0.5 - robot.joint_positions[1]), abs=0.05)
    with pytest.raises(CommandError, match="2 motors"):
        simulation.command("arm", Motors([0.1]))


def test_a_position_motor_holds_the_pose_of_the_start(tmp_path):
    simulation = arm_in_air(tmp_path, joints="{elbow: 0.8}")
    simulation.run(2)
    assert simulation.robots["arm"].joint_positions[1] == pytest.approx(0.8, abs=0.01)


def test_bad_commands_are_refused_and_the_last_stays(tmp_path):
    simulation = arm_in_air(tmp_path)
    simulation.command("arm", Joints(positions={"shoulder": 0.3, "elbow": 0.0}))
    with pytest.raises(UnknownNameError, match="did you mean 'shoulder'"):
        simulation.command("arm", Joints(positions={"sholder": 0.1}))
    with pytest.raises(RobotError, match="outside"):
        simulation.command("arm", Joints(positions={"elbow": 0.5, "shoulder": 9.0}))
    with pytest.raises(CommandError, match="takes Joints, Motors, Wrench, not Velocity"):
        simulation.command("arm", Velocity([1, 0, 0]))
    with pytest.raises(CommandError, match="must be finite"):
        simulation.command("arm", Joints(positions={"elbow": np.nan}))
    simulation.run(150)
    assert simulation.robots["arm"].joint_positions[0] == pytest.approx(0.3, abs=0.01)
    assert simulation.robots["arm"].joint_positions[1] == pytest.approx(0.0, abs=0.05)


def test_a_push_acts_at_the_origin_of_its_body_until_it_ends(tmp_path):
    bar = """<mujoco><worldbody><body name="bar"><freejoint/><geom type="box" size="0.5 0.05 0.05" mass="2"/>
      <body name="end" pos="0.5 0 0"><geom size="0.01" mass="1e-6" contype="0" conaffinity="0"/></body></body>
      </worldbody></mujoco>"""
    simulation = make(tmp_path, {"a": entry(no_drag(tmp_path, "bar"))}, bar=bar)
    simulation.command("a", Wrench([0, 0, 2 * G]))
    simulation.command("a", Wrench([0, 0.02, 0], body="end"))
    simulation.run(20)
    robot = simulation.robots["a"]
    inertia = 2 * (1.0 + 0.01) / 12
    assert robot.v_WB_W == pytest.approx([0, 0.02 / 2 * 0.2, 0], abs=1e-4)
    assert robot.w_WB_W == pytest.approx([0, 0, 0.5 * 0.02 / inertia * 0.2], abs=1e-4)
    simulation.command("a", Wrench(body="end"))
    before = robot.w_WB_W.copy()
    simulation.run(20)
    assert simulation.robots["a"].w_WB_W[2] == pytest.approx(before[2], abs=1e-7)
    with pytest.raises(UnknownNameError, match="'end'"):
        simulation.command("a", Wrench([1, 0, 0], body="ennd"))


def test_a_path_needs_rotors_or_wheels(tmp_path):
    with pytest.raises(RobotError, match="neither rotors nor driven wheels"):
        make(tmp_path, {"a": entry("ball.xml", motion="{path: [[0, 0, 1], [5, 0, 1]]}")}, ball=BALL.format(mass=1))


# Robots that come and go


def thrown(tmp_path, **extra):
    robots = {"b": entry("arm.xml"), "d": entry("ball.xml", x=2.0), **extra}
    simulation = make(tmp_path, robots, arm=ARM, ball=BALL.format(mass=1))
    for name, spin in (("b", [1.0, 2.0, 0.5]), ("d", [0.0, 3.0, 1.0])):
        robot = simulation.robots[name]
        simulation.place(name, robot.p_WB, robot.q_WB_wxyz, np.array([0.5, 0.2, 4.0]), np.array(spin))
    simulation.command("b", Joints(velocities={"shoulder": 1.0}))
    return simulation


def trajectory(simulation, steps):
    out = []
    for _ in range(steps):
        simulation.step()
        out.append([encode(simulation.robots[n].state()) for n in ("b", "d")])
    return out


def test_robots_that_come_and_go_leave_the_others_as_they_are_to_the_bit(tmp_path):
    alone = trajectory(thrown(tmp_path), 60)
    simulation = thrown(tmp_path)
    busy = trajectory(simulation, 20)
    simulation.spawn("c", {"type": "arm.xml", "physics": "mujoco", "position": [20, 0, 50]})
    simulation.spawn("a", {"type": "ball.xml", "physics": "mujoco", "position": [30, 0, 50]})
    busy += trajectory(simulation, 20)
    assert simulation.robots["c"].p_WB[2] < 50
    simulation.remove("c")
    busy += trajectory(simulation, 20)
    assert busy == alone


def test_snapshot_restore_continue_equals_continue(tmp_path):
    simulation = thrown(tmp_path)
    simulation.run(15)
    simulation.spawn("a", {"type": "arm.xml", "physics": "mujoco", "position": [0.3, 0.1, 55]})
    simulation.command("a", Wrench([1, 2, 3]))
    simulation.run(10)
    simulation.command("d", Wrench([0, 0, 1]))
    state = decode(encode(simulation.state()))
    ahead = trajectory(simulation, 30)
    end = simulation.state_hash()
    again = thrown(tmp_path)
    again.restore(state)
    assert again.state_hash() == state_hash(state)
    assert trajectory(again, 30) == ahead
    assert again.state_hash() == end


def test_the_same_run_gives_the_same_bytes_and_two_runs_do_not_mix(tmp_path):
    one, other = thrown(tmp_path), thrown(tmp_path)
    first = []
    for _ in range(30):
        first += trajectory(one, 1)
        other.step()
    assert trajectory(thrown(tmp_path), 30) == first
    assert one.state_hash() == other.state_hash()


def test_a_teleport_is_exact_and_starts_at_rest(tmp_path):
    simulation = thrown(tmp_path)
    simulation.run(20)
    q = quat_from_axis_angle(np.array([0, 0, 1.0]), 0.4)
    simulation.place("b", np.array([7.0, 8.0, 60.0]), q)
    assert simulation.robots["b"].p_WB == pytest.approx([7, 8, 60])
    simulation.step()
    robot = simulation.robots["b"]
    assert robot.p_WB == pytest.approx([7, 8, 60], abs=2e-3)
    assert robot.q_WB_wxyz == pytest.approx(q, abs=1e-3)
    assert np.abs(robot.joint_velocities).max() < 0.05


def test_a_fixed_robot_stays_where_it_is_put(tmp_path):
    simulation = arm_in_air(tmp_path)
    simulation.run(5)
    simulation.place("arm", np.array([3.0, 0, 70.0]), np.array([1.0, 0, 0, 0]))
    state = decode(encode(simulation.state()))
    simulation.run(20)
    assert simulation.robots["arm"].p_WB == pytest.approx([3, 0, 70])
    again = arm_in_air(tmp_path)
    again.restore(state)
    again.run(20)
    assert again.state_hash() == simulation.state_hash()


def test_the_foot_of_a_fixed_robot_does_not_count_as_touching(tmp_path):
    (tmp_path / "arm.yaml").write_text("model: arm.xml\nfixed: true\n")
    simulation = make(tmp_path, {"arm": entry("arm.yaml", z=0.02)}, arm=ARM)
    simulation.run(5)
    assert simulation.robots["arm"].contacts == ()


def test_joints_and_balls_show_in_the_poses_of_bodies(tmp_path):
    chain = """<mujoco><worldbody><body name="top"><geom size=".05" mass="1"/><body name="link" pos="0 0 -.1">
      <joint name="swivel" type="ball" pos="0 0 .1"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0" mass=".3"/>
      <body name="end" pos=".3 0 0"><joint name="turn" type="hinge" axis="1 0 0" ref="30"/>
      <geom type="box" size=".02 .1 .02" mass=".1"/></body></body></body></worldbody></mujoco>"""
    simulation = make(tmp_path, {"a": entry(no_drag(tmp_path, "chain", fixed="true"))}, chain=chain)
    simulation.command("a", Joints(velocities={"turn": 2.0}))
    simulation.run(40)
    robot, assembly = simulation.robots["a"], engine(simulation)._model.assembly
    mujoco.mj_kinematics(assembly.model, assembly.data)
    first = assembly.spans["a"].body
    assert robot.X_WB[:, :, 3] == pytest.approx(assembly.data.xpos[first:], abs=1e-9)
    assert robot.X_WB[:, :, :3].reshape(-1, 9) == pytest.approx(assembly.data.xmat[first:], abs=1e-9)
    assert abs(robot.X_WB[1, 0, 2]) > 0.1


# Accidents


def test_a_motion_that_blows_up_is_stopped_and_harms_nobody_else(tmp_path, caplog):
    alone = trajectory(thrown(tmp_path), 40)
    simulation = thrown(tmp_path, z=entry("ball.xml", x=90.0))
    quiet = trajectory(simulation, 10)
    simulation.command("z", Wrench([0, 0, 1e30]))
    quiet += trajectory(simulation, 15)
    robot = simulation.robots["z"]
    assert engine(simulation).recoveries == {"z": 1}
    assert np.isfinite(robot.p_WB).all() and abs(robot.p_WB[2] - 50) < 2
    engine(simulation)._model.assembly.data.qvel[engine(simulation)._model.assembly.spans["z"].v.start] = np.nan
    quiet += trajectory(simulation, 15)
    assert engine(simulation).recoveries == {"z": 2}
    assert np.isfinite(simulation.robots["z"].p_WB).all()
    assert quiet == alone
    assert sum("blew up" in r.message for r in caplog.records) == 1


# Models that cannot be taken


def test_broken_models_are_refused_with_their_place(tmp_path):
    bare = """<mujoco><worldbody><body name="ghost"><geom size=".1" mass="0" contype="0" conaffinity="0"/>
      </body></worldbody></mujoco>"""
    with pytest.raises(RobotError, match=r"bare\.xml.*mass and inertia of moving bodies.*'ghost'.*line 1"):
        make(tmp_path, {"a": entry("bare.xml")}, bare=bare)
    lost = (
        BALL.format(mass=1)
        .replace('type="sphere" size="0.1"', 'type="mesh" mesh="shell"')
        .replace("<worldbody>", '<asset><mesh name="shell" file="nowhere.stl"/></asset><worldbody>')
    )
    with pytest.raises(ScenarioError, match=r"lost\.xml.*nowhere\.stl"):
        make(tmp_path, {"a": entry("lost.xml")}, lost=lost)
    with pytest.raises(ScenarioError, match="did you mean 'shoulder'"):
        make(tmp_path, {"a": entry("arm.xml", joints="{sholder: 0.1}")}, arm=ARM)
    flex = """<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/>
      <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01"/></body></worldbody>
      </mujoco>"""
    with pytest.raises((RobotError, ScenarioError), match="flex"):
        make(tmp_path, {"a": entry("flex.xml")}, flex=flex)


def test_a_mesh_that_is_not_convex_is_noted(tmp_path, caplog):
    # A thin corner of two boards, as a mesh: its hull is a thick wedge.
    board = [(0, 0), (1, 0), (1, 0.05), (0.05, 0.05), (0.05, 1), (0, 1)]
    corners = " ".join(f"{x} {y} {z}" for z in (0, 0.2) for x, y in board)
    sides = [(i, (i + 1) % 6, i + 6) for i in range(6)] + [((i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    caps = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    faces = sides + caps + [(a + 6, c + 6, b + 6) for a, b, c in caps]
    listed = " ".join(f"{a} {b} {c}" for a, b, c in faces)
    text = f"""<mujoco><asset><mesh name="corner" vertex="{corners}" face="{listed}"/></asset><worldbody>
      <body name="b"><freejoint/><geom type="mesh" mesh="corner"/></body></worldbody></mujoco>"""
    make(tmp_path, {"a": entry("corner.xml"), "b": entry("corner.xml", x=5)}, corner=text)
    notes = [r.getMessage() for r in caplog.records if "not convex" in r.message]
    assert len(notes) == 1 and "corner.xml: mesh 'corner'" in notes[0]
    hull, own = 1 - 0.5 * 0.95**2, 0.05 + 0.95 * 0.05
    assert f"{hull / own:.1f} times" in notes[0]


def test_a_refused_robot_leaves_the_engine_as_it_was(tmp_path):
    simulation = thrown(tmp_path)
    simulation.run(3)
    before = simulation.state_hash()
    (tmp_path / "bare.xml").write_text(
        '<mujoco><worldbody><body name="g"><geom size=".1" mass="0"/></body></worldbody></mujoco>'
    )
    with pytest.raises(RobotError):
        simulation.spawn("x", {"type": "bare.xml", "physics": "mujoco"})
    assert simulation.state_hash() == before
    simulation.step()
    assert set(simulation.robots) == {"b", "d"}


def test_files_of_all_kinds_are_attached_twice_without_a_clash(tmp_path):
    rich = """<mujoco><compiler angle="radian"/><option timestep="0.1" gravity="0 0 5" integrator="RK4"/>
      <default><geom rgba="1 0 0 1"/><joint damping="0.1"/><default class="d"><geom size=".05"/></default></default>
      <asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="t"/>
        <mesh name="tetra" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/></asset>
      <worldbody><geom type="plane" size="5 5 .1"/><light pos="0 0 3"/><camera name="c" pos="0 0 1"/>
        <body name="base" pos="0 0 3"><freejoint/><geom type="mesh" mesh="tetra" material="m"/>
          <site name="s" pos=".1 0 0"/>
          <body name="l" pos="0 .2 0"><joint name="jl" axis="1 0 0"/><geom class="d"/><site name="sl"/></body>
          <body name="r" pos="0 -.2 0"><joint name="jr" axis="1 0 0"/><geom class="d"/></body></body></worldbody>
      <tendon><spatial name="rope" range="0 1"><site site="s"/><site site="sl"/></spatial></tendon>
      <equality><joint joint1="jl" joint2="jr"/></equality><contact><exclude body1="l" body2="r"/></contact>
      <actuator><motor name="ml" joint="jl" ctrlrange="-1 1"/></actuator><sensor><jointpos joint="jl"/></sensor>
      <keyframe><key name="home" qpos="0 0 1 1 0 0 0 0 0"/></keyframe></mujoco>"""
    simulation = make(tmp_path, {"a": entry("rich.xml"), "b": entry("rich.xml", x=3)}, rich=rich)
    simulation.command("a", Motors([0.5]))
    simulation.run(30)
    a, b = simulation.robots["a"], simulation.robots["b"]
    assert a.joint_positions[0] != 0.0 and a.joint_positions[0] == pytest.approx(a.joint_positions[1], rel=0.05)
    assert np.abs(b.joint_positions).max() < 0.02
    # The file's own gravity, step and ground are not taken over.
    assert b.v_WB_W[2] == pytest.approx(-G * 0.3, rel=0.02)


def test_a_model_of_all_that_is_under_its_world_moves_as_one(tmp_path):
    many = """<mujoco><worldbody><geom type="box" size=".2 .2 .05" mass="3"/>
      <body name="left" pos="0 .3 0"><joint name="l" axis="0 1 0"/><geom size=".05" mass=".5"/></body>
      <body name="right" pos="0 -.3 0"><joint name="r" axis="0 1 0"/><geom size=".05" mass=".5"/></body></worldbody>
      </mujoco>"""
    simulation = make(tmp_path, {"a": entry(no_drag(tmp_path, "many"))}, many=many)
    simulation.run(50)
    assert simulation.robots["a"].v_WB_W[2] == pytest.approx(-G * 0.5, rel=1e-6)


def test_a_drawn_out_step_is_cut_evenly(tmp_path):
    simulation = make(
        tmp_path, {"a": entry(no_drag(tmp_path, "ball"))}, "engines: {mujoco: {step: 0.003}}", ball=BALL.format(mass=1)
    )
    simulation.run(10)
    assert engine(simulation)._model.solver.step == pytest.approx(0.0025)
    assert simulation.robots["a"].v_WB_W[2] == pytest.approx(-G * 0.1)
