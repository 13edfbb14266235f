"""Robots of the MuJoCo engine in the world: resting, sliding, colliding; and drones that fly in it."""

import numpy as np
import pytest

from mujoco_rig import BALL, BRICK, G, entry, make, no_drag
from volery.core.state import decode, encode
from volery.errors import CommandError
from volery.robots.commands import Joints, Motors, Pose, Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation

# The world


FELT = "{hit: {type: collision, rate: 2.5}}"


def on_ground(tmp_path, robots, extra="", **models):
    for name, text in models.items():
        (tmp_path / f"{name}.xml").write_text(text)
    text = "step: 0.01\nworld: {type: blocks, count: 0}\n" + extra + "\nrobots:\n"
    text += "".join(f"  {n}: {d}\n" for n, d in robots.items())
    return Simulation(read_scenario(text, folder=tmp_path))


def ground_friction(simulation):
    return next(m.friction for o in simulation.scene.objects.values() for mesh in o.meshes for m in mesh.materials)


def test_a_brick_dropped_comes_to_rest_on_the_ground_and_says_what_it_touches(tmp_path):
    sensors = "{hit: {type: collision, rate: 5}}"
    simulation = on_ground(tmp_path, {"a": entry("brick.xml", z=0.8, sensors=sensors)}, brick=BRICK)
    simulation.run(200)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([0, 0, 0.25], abs=2e-4)
    assert np.abs(robot.v_WB_W).max() < 1e-6 and np.abs(robot.w_WB_W).max() < 1e-6
    (contact,) = robot.contacts
    assert contact.other in simulation.scene.objects and contact.body == "brick"
    assert contact.normal_W == pytest.approx([0, 0, 1], abs=1e-6)
    assert contact.impulse_W == pytest.approx([0, 0, 10 * G * 0.01], rel=1e-3, abs=1e-4)
    reading = simulation.sensors["a"]["hit"].latest.data
    assert reading["name"].tolist() == [contact.other] and reading["count"].tolist() == [1]


def test_a_stack_of_bricks_rests(tmp_path):
    robots = {f"b{i}": entry("brick.xml", x=0.02 * i, z=0.25 + 0.501 * i) for i in range(4)}
    simulation = on_ground(tmp_path, robots, brick=BRICK)
    simulation.run(300)
    before = np.array([r.p_WB for r in simulation.robots.values()])
    simulation.run(100)
    after = np.array([r.p_WB for r in simulation.robots.values()])
    assert after[:, 2] == pytest.approx(0.25 + 0.5 * np.arange(4), abs=2e-3)
    assert np.abs(after - before).max() < 1e-3
    lowest, next_up = simulation.robots["b0"], simulation.robots["b1"]
    weight = {c.other: c.impulse_W[2] / 0.01 for c in lowest.contacts}
    assert weight.pop("b1") == pytest.approx(-30 * G, rel=0.01)
    assert sum(weight.values()) == pytest.approx(40 * G, rel=0.01)
    assert {c.other for c in next_up.contacts} == {"b0", "b2"}


def test_a_sliding_brick_stops_after_the_right_distance(tmp_path):
    simulation = on_ground(tmp_path, {"a": entry(no_drag(tmp_path, "brick"), z=0.25)}, brick=BRICK)
    simulation.run(50)
    start = simulation.robots["a"].p_WB.copy()
    simulation.place("a", start, np.array([1.0, 0, 0, 0]), np.array([2.0, 0, 0]))
    simulation.run(150)
    way = simulation.robots["a"].p_WB[0] - start[0]
    assert way == pytest.approx(2.0**2 / (2 * 0.5 * ground_friction(simulation) * G), rel=0.01)


def test_robots_of_other_engines_are_things_to_hit(tmp_path):
    simulation = on_ground(
        tmp_path, {"wall": "{type: brick.xml, position: [1.5, 0, 0.25]}", "a": entry("ball.xml", z=0.2, sensors=FELT)},
        brick=BRICK, ball=BALL.format(mass=1),
    )  # fmt: skip
    simulation.place("a", np.array([0, 0, 0.25]), np.array([1.0, 0, 0, 0]), np.array([4.0, 0, 0]))
    hit, felt = set(), []
    for _ in range(80):
        simulation.step()
        hit |= {c.other for c in simulation.robots["a"].contacts}
        felt += [name for *_, reading in simulation.fresh for name in reading.data["name"]]
        assert simulation.robots["a"].p_WB[0] < 1.5 - 0.25 - 0.05
    # The sensor remembers a blow that is long over when it is read.
    assert "wall" in hit and felt.count("wall") == 1
    assert simulation.robots["wall"].p_WB == pytest.approx([1.5, 0, 0.25])


def heap(tmp_path):
    robots = {f"b{i}": entry("brick.xml", x=0.1 * i, y=0.05 * i, z=0.3 + 0.6 * i) for i in range(3)}
    return on_ground(tmp_path, robots, brick=BRICK)


def test_snapshots_in_the_middle_of_a_heap_go_on_with_the_same_bytes(tmp_path):
    simulation = heap(tmp_path)
    simulation.run(30)
    state = decode(encode(simulation.state()))
    simulation.run(60)
    again = heap(tmp_path)
    again.run(3)
    again.restore(state)
    again.run(60)
    assert again.state_hash() == simulation.state_hash()


def test_a_robot_that_comes_does_not_disturb_a_heap(tmp_path):
    alone, busy = heap(tmp_path), heap(tmp_path)
    alone.run(30)
    busy.run(30)
    busy.spawn("aa", {"type": "brick.xml", "physics": "mujoco", "position": [8, 0, 0.4]})
    alone.run(100)
    busy.run(100)
    for name in alone.robots:
        # In contact sums are rounded in another order: the last bit may differ.
        assert busy.robots[name].p_WB == pytest.approx(alone.robots[name].p_WB, abs=1e-9)


# Drones


def quad(**more):
    return entry("quad", sensors="{scanner: off}", **more)


def test_a_drone_hovers_where_it_is_put_and_its_rotors_turn(tmp_path):
    simulation = make(tmp_path, {"a": quad(z=20)})
    simulation.run(300)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([0, 0, 20], abs=0.02)
    assert np.abs(robot.v_WB_W).max() < 0.01
    assert (np.abs(robot.joint_velocities) > 300).all() and robot.power > 20
    # What the body exerts on the world: nothing; what the air carries: the weight.
    assert np.abs(robot.wrenches[0]).max() < 1e-6
    assert robot.contacts == ()


def test_a_drone_flies_alike_in_both_engines(tmp_path):
    def flown(physics):
        text = f"step: 0.01\nwind: {{steady: [3, 0, 0]}}\nrobots:\n  a: {quad(z=20).replace('mujoco', physics)}\n"
        simulation = Simulation(read_scenario(text))
        simulation.command("a", Pose([2, -1, 22], 0.8))
        out = []
        for _ in range(400):
            simulation.step()
            out.append(simulation.robots["a"].p_WB)
        return np.array(out)

    here, there = flown("mujoco"), flown("fleet")
    assert np.abs(here - there).max() < 0.05
    assert here[-1] == pytest.approx([2, -1, 22], abs=0.2)


def test_a_drone_on_the_ground_stands_until_told_and_lands_again(tmp_path):
    simulation = make(tmp_path, {"a": quad(z=0.137)})
    simulation.run(100)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([0, 0, 0.136], abs=3e-3)
    assert not robot.joint_velocities.any() and robot.contacts
    simulation.command("a", Pose([0, 0, 2]))
    simulation.run(500)
    assert simulation.robots["a"].p_WB == pytest.approx([0, 0, 2], abs=0.1)
    simulation.command("a", Velocity([0, 0, -0.4]))
    simulation.run(800)
    robot = simulation.robots["a"]
    assert robot.p_WB[2] == pytest.approx(0.136, abs=0.02) and robot.contacts


def test_two_drones_that_collide_push_each_other_alike(tmp_path):
    simulation = make(tmp_path, {"a": quad(x=-0.5), "b": quad(x=0.5)})
    for name, v in (("a", 3.0), ("b", -1.0)):
        robot = simulation.robots[name]
        simulation.place(name, robot.p_WB, robot.q_WB_wxyz, np.array([v, 0, 0]))
        simulation.command(name, Motors([0, 0, 0, 0]))
    before = sum(simulation.robots[n].v_WB_W for n in "ab")
    pushed = {"a": np.zeros(3), "b": np.zeros(3)}
    for _ in range(30):
        simulation.step()
        for name in "ab":
            pushed[name] += sum((c.impulse_W for c in simulation.robots[name].contacts), np.zeros(3))
    after = sum(simulation.robots[n].v_WB_W for n in "ab")
    assert pushed["a"][0] < -1.0
    assert pushed["a"] == pytest.approx(-pushed["b"], abs=1e-12)
    # Of the centres of mass but for the spin of the origins about them, and what the air takes.
    assert after[0] == pytest.approx(before[0], abs=0.1)


def test_a_drone_with_a_path_starts_at_its_first_corner(tmp_path):
    simulation = make(tmp_path, {"a": quad(motion="{path: [[5, 5, 9], [9, 5, 9]], speed: 1}")})
    simulation.run(200)
    assert simulation.robots["a"].p_WB == pytest.approx([6.5, 5, 9], abs=0.4), "it begins at rest"
    with pytest.raises(CommandError, match=r"takes Pose, .*, not Joints"):
        simulation.command("a", Joints(velocities={"spin_fl": 1.0}))
