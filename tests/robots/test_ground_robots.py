"""Robots on wheels and the things they push, through the whole simulation: closed forms, ramps, steps, debris."""

import numpy as np
import pytest

from volery.core.clock import nanoseconds
from volery.core.frames import euler_from_quat
from volery.core.geometry import box
from volery.core.material import Material
from volery.errors import ScenarioError
from volery.physics.contact.hook import hardness
from volery.robots.commands import BodyVelocity, Joints, Motors, Pose
from volery.robots.description import load_spec
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.generate.arena import Arena
from volery.world.generate.arena_parts import LOOSE, loose
from volery.world.generate.parts import wedge
from volery.world.world import Placement

ROBOTS = ("skid", "diff")
BARE = "laser: off, imu: off, odometry: off"
GROUND = Material("test_ground", friction=0.8)


def simulate(
    kind, things=(), *, position=(0.0, 0.0), z=None, attitude=(0, 0, 0), motion="", sensors=BARE, more="", world="empty"
):
    """A robot on level ground with things that stand there, after it has settled."""
    z = load_robot_file(kind).drive.radius + 0.001 if z is None else z
    entry = f"type: {kind}, physics: mujoco, position: [{position[0]}, {position[1]}, {z}], {motion}"
    simulation = Simulation(
        read_scenario(f"""
seed: 1
step: 0.01
world: {world}
robots:
  ugv: {{{entry} attitude_deg: {list(attitude)}, sensors: {{{sensors}}}}}
{more}
""")
    )
    for thing in things:
        simulation.scene.add(thing)
    run(simulation, 0.3)
    return simulation


def run(simulation, seconds):
    simulation.run(nanoseconds(seconds) // simulation.clock.step_ns)


def drive(simulation, v, yaw_rate=0.0, seconds=1.0):
    simulation.command("ugv", BodyVelocity([v, 0.0, 0.0], yaw_rate))
    run(simulation, seconds)


def yaw_rate(simulation, seconds):
    """Mean rate of turning [rad/s]."""
    robot = simulation.robot("ugv")
    angles = [euler_from_quat(robot.q_WB_wxyz)[2]]
    for _ in range(int(seconds * 20)):
        run(simulation, 0.05)
        angles.append(euler_from_quat(robot.q_WB_wxyz)[2])
    angles = np.unwrap(angles)
    return (angles[-1] - angles[0]) / seconds


def block_at(x, height, length=4.0):
    """A block across the way, from x on."""
    return Placement.one("block", box((length, 4.0, height), materials=(GROUND,)), (x + length / 2, 0, height / 2))


def slope(degrees, length, x=0.0):
    """A ramp up along +x that begins at x."""
    return Placement.one(
        "slope", wedge(length, 4.0, length * np.tan(np.radians(degrees)), GROUND), (x + length / 2, 0, 0)
    )


# The robots themselves


@pytest.mark.parametrize(("kind", "mass", "size"), [("skid", 14.0, (0.5, 0.49)), ("diff", 9.0, (0.44, 0.38))])
def test_size_and_mass_are_those_of_the_pioneers(kind, mass, size):

    description = load_robot_file(kind).description()
    assert load_spec(description.path).compile().body_subtreemass[1] == pytest.approx(mass, abs=0.01)
    robot = Robot("ugv", description)
    corners = np.concatenate(
        [m.vertices @ robot.X_WB[b][:, :3].T + robot.X_WB[b][:, 3] for b, m in description.shapes.items()]
    )
    assert np.ptp(corners, axis=0)[:2] == pytest.approx(size, abs=0.06)
    assert corners[:, 2].min() == pytest.approx(-load_robot_file(kind).drive.radius, abs=0.002)


@pytest.mark.parametrize("kind", ROBOTS)
def test_it_stands_still_on_its_wheels(kind):
    simulation = simulate(kind)
    run(simulation, 1.0)
    robot = simulation.robot("ugv")
    before = robot.p_WB.copy()
    assert robot.p_WB[2] == pytest.approx(robot.file.drive.radius, abs=1e-3)
    assert np.abs(euler_from_quat(robot.q_WB_wxyz)).max() < 4e-3
    run(simulation, 2.0)
    assert np.linalg.norm(robot.p_WB - before) < 1e-4


# Closed forms


@pytest.mark.parametrize("kind", ROBOTS)
def test_straight_is_wheel_speed_times_radius_times_time(kind):
    simulation = simulate(kind)
    robot, spec = simulation.robot("ugv"), load_robot_file(kind).drive
    simulation.command("ugv", Joints(velocities=dict.fromkeys((*spec.left, *spec.right), 4.0)))
    run(simulation, 1.0)
    before = robot.p_WB.copy()
    run(simulation, 5.0)
    assert robot.p_WB - before == pytest.approx([4.0 * spec.radius * 5.0, 0.0, 0.0], rel=0.01, abs=0.005)


@pytest.mark.parametrize("kind", ROBOTS)
@pytest.mark.parametrize("v", [0.5, -0.4])
def test_a_commanded_speed_is_driven(kind, v):
    simulation = simulate(kind)
    drive(simulation, v, seconds=1.5)
    before = simulation.robot("ugv").p_WB.copy()
    run(simulation, 3.0)
    assert simulation.robot("ugv").p_WB[0] - before[0] == pytest.approx(3.0 * v, rel=0.01)


@pytest.mark.parametrize(("v", "rate"), [(0.0, 0.5), (0.0, -1.2), (0.5, 0.6), (-0.3, 0.4)])
def test_the_differential_robot_turns_as_its_wheels_say(v, rate):
    simulation = simulate("diff")
    drive(simulation, v, rate, seconds=3.0)
    # Tyres with a width and a castor that trails hold back a little.
    assert yaw_rate(simulation, 4.0) == pytest.approx(rate, rel=0.015)


@pytest.mark.parametrize(("v", "rate"), [(0.0, 0.3), (0.0, -0.6), (0.0, 0.9), (0.3, 0.3), (0.2, -0.5)])
def test_the_skid_steered_robot_turns_as_calibrated(v, rate):
    simulation = simulate("skid")
    drive(simulation, v, rate, seconds=2.0)
    assert yaw_rate(simulation, 6.0) == pytest.approx(rate, rel=0.05)


def test_odometry_of_wheels_agrees_with_where_the_robot_is():
    simulation = simulate("diff", sensors="laser: off, imu: off")
    simulation.sensor("ugv", "odometry").reset()
    start = simulation.robot("ugv").p_WB.copy()
    drive(simulation, 0.5, 0.3, seconds=5.0)
    said = simulation.sensor("ugv", "odometry").latest.data["position"]
    assert np.hypot(*(said - (simulation.robot("ugv").p_WB - start))[:2]) < 0.04


# Ground that is not level


@pytest.mark.parametrize("kind", ROBOTS)
def test_it_climbs_a_ramp_of_15_degrees_at_its_speed(kind):
    simulation = simulate(kind, [slope(15.0, 4.0, x=0.6)])
    drive(simulation, 0.4, seconds=4.0)
    robot = simulation.robot("ugv")
    pitch = np.degrees(euler_from_quat(robot.q_WB_wxyz)[1])
    assert pitch == pytest.approx(-15.0, abs=0.5), "it is on the ramp, nose up"
    before = robot.p_WB.copy()
    run(simulation, 2.0)
    assert np.linalg.norm(robot.p_WB - before) == pytest.approx(0.8, rel=0.02)


@pytest.mark.parametrize("kind", ROBOTS)
def test_a_wall_stops_it(kind):
    simulation = simulate(kind, [block_at(1.0, 1.0)])
    drive(simulation, 0.4, seconds=6.0)
    robot = simulation.robot("ugv")
    assert robot.p_WB[0] < 1.0 and robot.p_WB[2] < 0.2, "neither through nor up"
    assert any(c.other == "block" for c in robot.contacts)


@pytest.mark.parametrize("kind", ROBOTS)
def test_it_stands_on_a_slope_of_10_degrees(kind):
    x, radius = 2.0, load_robot_file(kind).drive.radius
    z = x * np.tan(np.radians(10)) + radius / np.cos(np.radians(10)) + 0.002
    simulation = simulate(kind, [slope(10.0, 6.0)], position=(x, 0.0), z=z, attitude=(0, -10, 0))
    run(simulation, 2.0)
    before = simulation.robot("ugv").p_WB.copy()
    run(simulation, 5.0)
    assert np.linalg.norm(simulation.robot("ugv").p_WB - before) / 5.0 < 0.3e-3


@pytest.mark.parametrize(("kind", "height"), [("skid", 0.04), ("diff", 0.015)])
def test_it_rolls_over_a_step_that_is_low(kind, height):
    simulation = simulate(kind, [block_at(0.8, height)])
    drive(simulation, 0.4, seconds=6.0)
    robot = simulation.robot("ugv")
    assert robot.p_WB[0] > 1.2 and robot.p_WB[2] == pytest.approx(robot.file.drive.radius + height, abs=3e-3)


@pytest.mark.parametrize(("kind", "height"), [("skid", 0.15), ("diff", 0.12)])
def test_it_is_stopped_by_a_step_higher_than_its_wheels_radius(kind, height):
    simulation = simulate(kind, [block_at(0.8, height)])
    drive(simulation, 0.4, seconds=6.0)
    assert simulation.robot("ugv").p_WB[0] < 0.8


# Commands


@pytest.mark.parametrize("kind", ROBOTS)
def test_it_goes_to_a_pose(kind):
    simulation = simulate(kind)
    simulation.command("ugv", Pose([1.0, -0.8, 0.0], yaw=1.0))
    run(simulation, 14.0)
    robot = simulation.robot("ugv")
    assert np.hypot(*(robot.p_WB[:2] - [1.0, -0.8])) < 0.06
    assert euler_from_quat(robot.q_WB_wxyz)[2] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("kind", ROBOTS)
def test_it_follows_a_path(kind):
    path = "motion: {path: [[0, 0, 0], [2, 0, 0], [2, 1.5, 0]], speed: 0.5, loop: false},"
    simulation = simulate(kind, motion=path)
    furthest = 0.0
    for _ in range(120):
        run(simulation, 0.1)
        x, y, _ = simulation.robot("ugv").p_WB
        furthest = max(furthest, min(abs(y), abs(x - 2.0)))
    assert furthest < 0.3
    assert np.hypot(*(simulation.robot("ugv").p_WB[:2] - [2.0, 1.5])) < 0.06


def test_motors_are_shares_of_the_wheels_top_speed():
    simulation = simulate("skid")
    simulation.command("ugv", Motors([0.25] * 4))
    run(simulation, 1.0)
    before = simulation.robot("ugv").p_WB.copy()
    run(simulation, 2.0)
    # The model's ctrlrange is ±12 rad/s; a motor without a driver gives way a little.
    assert simulation.robot("ugv").p_WB[0] - before[0] == pytest.approx(0.25 * 12 * 0.1075 * 2, rel=0.02)


def test_the_same_run_twice_and_over_a_snapshot():
    def make():
        more = "  stone: {type: brick, position: [0.6, 0.05, 0.036]}"
        simulation = simulate("skid", more=more, sensors="imu: off")
        drive(simulation, 0.4, 0.1, seconds=2.0)
        return simulation

    first, second = make(), make()
    assert first.state_hash() == second.state_hash()
    middle = first.state()
    run(first, 1.0)
    second.restore(middle)
    run(second, 1.0)
    assert first.state_hash() == second.state_hash()


# Things that are pushed


@pytest.mark.parametrize("kind", LOOSE)
def test_loose_things_are_those_that_arenas_strew(kind):
    shape = next(iter(load_robot_file(kind).description().shapes.values()))
    fixed = loose(kind)
    assert shape.bounds == pytest.approx(fixed.bounds, abs=2e-3)
    assert shape.materials == fixed.materials


def test_a_material_that_the_model_does_not_have_is_named(tmp_path):
    models = load_robot_file("brick").source.rsplit("/", 1)[0]
    (tmp_path / "odd.yaml").write_text(f"model: {models}/brick.xml\nmaterials: [{{name: brik}}]\n")
    with pytest.raises(ScenarioError, match="unknown material 'brik', did you mean 'brick'"):
        read_scenario("robots: {stone: odd.yaml}", folder=tmp_path)


def test_what_a_model_says_of_its_softness_is_kept():
    spec = load_spec(load_robot_file("skid").description().path)
    assert hardness(spec.geom("tread_fl"), 0.002) == [0.03, 1.0]
    assert hardness(spec.geom("tread_fl"), 0.02) == [0.04, 1.0], "never harder than the step allows"
    assert hardness(spec.geom("hull"), 0.002) == [0.004, 1.0]


def test_a_robot_pushes_a_brick_and_its_lidar_sees_where_it_is():
    eye = "laser: off, imu: off, eye: {type: lidar, model: utm30, frame: world, min_range: 0.03, motion: false, "
    eye += "mount: {position: [0.27, 0, -0.06]}}"
    more = "  stone: {type: brick, position: [0.8, 0, 0.036], attitude_deg: [0, 0, 90]}"
    simulation = simulate("skid", sensors=eye, more=more)

    def seen():
        points = simulation.sensor("ugv", "eye").latest.data["points"]
        near = points[np.abs(points[:, 1]) < 0.1]
        return float(np.nanmin(near[:, 0]))

    run(simulation, 0.2)
    assert seen() == pytest.approx(0.8 - 0.0575, abs=0.01)
    drive(simulation, 0.3, seconds=5.0)
    stone = simulation.robot("stone")
    assert stone.p_WB[0] > 1.2, "it was pushed"
    drive(simulation, -0.3, seconds=2.0)
    drive(simulation, 0.0, seconds=0.5)
    assert abs(stone.p_WB[1]) < 0.1 and stone.p_WB[2] == pytest.approx(0.035, abs=2e-3)
    corners = simulation.robot("stone").X_WB[0]
    reach = np.abs(corners[0, :3]) @ [0.12, 0.0575, 0.035]
    assert seen() == pytest.approx(stone.p_WB[0] - reach, abs=0.02)


def test_a_robot_that_pushes_feels_the_friction_of_what_it_pushes():
    simulation = simulate("skid", more="  cart: {type: carton, position: [0.7, 0, 0.126]}")
    drive(simulation, 0.3, seconds=3.0)
    impulses = []
    for _ in range(100):
        simulation.step()
        impulses.append(sum((c.impulse_W for c in simulation.robot("ugv").contacts if c.other == "cart"), np.zeros(3)))
    # µ is the product of both surfaces' coefficients; the hull's own friction presses the box down.
    ground = simulation.scene.objects["Ground"].meshes[0].materials[0].friction
    force = np.mean(impulses, axis=0) / 0.01
    assert -force[0] == pytest.approx(0.5 * ground * (3.0 * 9.80665 + force[2]), rel=0.03)
    assert simulation.robot("cart").p_WB[0] > 1.0


def test_a_pile_of_bricks_stays():
    layers = [f"  b{n}: {{type: brick, position: [2, 0, {0.035 + 0.07 * n + 0.0005 * n}]}}" for n in range(5)]
    simulation = simulate("diff", more="\n".join(layers))
    run(simulation, 1.0)
    before = np.array([simulation.robot(f"b{n}").p_WB for n in range(5)])
    run(simulation, 3.0)
    after = np.array([simulation.robot(f"b{n}").p_WB for n in range(5)])
    assert np.abs(after - before).max() < 1e-3
    assert after[:, 2] == pytest.approx(0.035 + 0.07 * np.arange(5), abs=2e-3)


# Debris of arenas

ARENA = "{type: arena, colour: yellow, movable: true, debris_count: 12}"


def test_debris_enters_as_bodies_and_comes_to_rest():
    simulation = simulate("skid", world=ARENA, position=(-5.4, -4.2), sensors=BARE)
    pieces = {n: r for n, r in simulation.robots.items() if n != "ugv"}
    places = simulation.world.movables()
    assert len(pieces) == 12 and list(pieces) == list(places)
    assert next(iter(simulation.robots)) == "ugv", "the scenario's robots come first"
    run(simulation, 1.0)
    for name, piece in pieces.items():
        moved = np.linalg.norm((piece.p_WB - places[name]["position"])[:2])
        # A pipe may roll; nothing flies off.
        assert moved < (0.3 if "pipe" in name else 0.01) and 0.0 < piece.p_WB[2] < 0.5, name
        assert np.linalg.norm(piece.v_WB_W) < (0.2 if "pipe" in name else 0.01), name


def test_debris_is_made_anew_with_the_world_and_by_reset():
    simulation = simulate("skid", world=ARENA, position=(-5.4, -4.2))
    before = {n: r.p_WB.copy() for n, r in simulation.robots.items() if n != "ugv"}
    simulation.change_world(debris_count=3)
    assert len(simulation.robots) == 4
    simulation.change_world(movable=False)
    assert list(simulation.robots) == ["ugv"]
    assert any(n.startswith("debris_") for n in simulation.scene.objects)
    simulation.reset()
    assert {n for n in simulation.robots if n != "ugv"} == set(before)


def test_debris_survives_a_snapshot():
    first = simulate("skid", world=ARENA, position=(-5.4, -4.2))
    first.change_world(debris_count=5)
    first.remove(next(n for n in first.robots if n != "ugv"))
    run(first, 0.2)
    second = simulate("skid", world=ARENA, position=(-5.4, -4.2))
    second.restore(first.state())
    assert list(second.robots) == list(first.robots)
    run(first, 0.3)
    run(second, 0.3)
    assert first.state_hash() == second.state_hash()


@pytest.mark.parametrize("colour", ["yellow", "orange", "red"])
def test_debris_does_not_overlap(colour):
    arena = Arena(colour=colour, movable=True, debris_count=40)
    pieces = [(np.array(d["position"]), loose(d["type"]).bounds[1]) for d in arena.movables().values()]
    # Elsewhere only as many as leave the ways open.
    assert len(pieces) == 40 if colour == "red" else 0 < len(pieces) <= 40
    for i, (p, a) in enumerate(pieces):
        for q, b in pieces[:i]:
            aside = np.hypot(*(p - q)[:2]) >= np.hypot(*a[:2]) + np.hypot(*b[:2]) - 1e-9
            above = abs(p[2] - q[2]) >= a[2] + b[2] - 1e-9
            assert aside or above
