"""USARSim's robots through the whole simulation: closed forms of driving, ramps, steps, step fields, flips, parts."""

import mujoco
import numpy as np
import pytest

from usar_rig import GROUND, drive, energy, run, simulate, slope, step_at, step_field, tilt, yaw_rate
from volery.core.geometry import box
from volery.errors import CommandError, RobotError
from volery.robots.commands import BodyVelocity, Flip, Joints, Pose, Steer, Wheels, command_of
from volery.robots.description import load_spec
from volery.robots.kinds.drive import Drive
from volery.robots.kinds.steering import Steering
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.world import Placement

SKID = ("p2at", "p3at", "zerg", "talon", "kenaf")
DIFFERENTIAL = ("p2dx", "corky")
STEERED = ("usarcar", "rover")
WHEELED = (*SKID, *DIFFERENTIAL, *STEERED)


def joint(simulation, name):
    robot = simulation.robot("bot")
    return robot.description.joint(name)


# What they are


@pytest.mark.parametrize(
    ("kind", "mass", "wheel"),
    [("p2at", 14.0, 0.1075), ("p2dx", 9.0, 0.095), ("p3at", 11.9, 0.098), ("talon", 52.0, 0.11), ("kenaf", 24.0, 0.07)],
)
def test_masses_and_wheels_are_those_of_the_specification(kind, mass, wheel):
    file = load_robot_file(kind)
    model = load_spec(file.description().path).compile()
    assert model.body_subtreemass[1] == pytest.approx(mass, abs=0.05)
    assert file.drive.radius == pytest.approx(wheel)


def test_sonars_of_the_p2at_are_where_its_configuration_has_them():
    sensors = load_robot_file("p2at").sensors
    assert sensors["F1"]["mount"] == {"position": [0.145, 0.13, 0.0], "attitude_deg": [0, 0, 90]}
    assert sensors["F4"]["mount"]["position"] == [0.24, 0.025, 0.0]
    assert sensors["R8"]["mount"] == {"position": [-0.145, 0.13, 0.0], "attitude_deg": [0, 0, 90]}
    assert len([n for n in sensors if n[0] in "FR" and n[1:].isdigit()]) == 16


@pytest.mark.parametrize("kind", WHEELED)
def test_it_stands_still_on_its_wheels_and_gains_no_energy(kind):
    simulation = simulate(kind)
    run(simulation, 1.5)
    robot = simulation.robot("bot")
    before, had = robot.p_WB.copy(), energy(simulation)
    assert robot.p_WB[2] == pytest.approx(robot.file.drive.radius, abs=2.5e-3)
    assert np.abs(tilt(simulation)).max() < 0.6
    run(simulation, 2.0)
    assert np.linalg.norm(robot.p_WB - before) < 5e-4
    assert energy(simulation) < had + 1e-3


@pytest.mark.parametrize("kind", WHEELED)
def test_springs_and_sensors_are_there_and_the_robot_can_be_taken_up_again(kind):
    simulation = simulate(kind, sensors=load_robot_file(kind).sensors)
    drive(simulation, 0.2, 0.1, seconds=0.5)
    middle = simulation.state()
    run(simulation, 0.3)
    first = simulation.state_hash()
    simulation.restore(middle)
    run(simulation, 0.3)
    assert simulation.state_hash() == first


# Closed forms of driving


@pytest.mark.parametrize("kind", (*SKID, *DIFFERENTIAL))
def test_straight_is_wheel_speed_times_radius_times_time(kind):
    simulation = simulate(kind)
    spec, robot = load_robot_file(kind).drive, simulation.robot("bot")
    omega = min(4.0, 0.8 * spec.top_speed / spec.radius)
    simulation.command("bot", Wheels(omega, omega))
    run(simulation, 1.5)
    before = robot.p_WB.copy()
    run(simulation, 3.0)
    assert robot.p_WB[0] - before[0] == pytest.approx(3.0 * omega * spec.radius, rel=0.01)
    assert abs(robot.p_WB[1] - before[1]) < 0.01


@pytest.mark.parametrize("kind", DIFFERENTIAL)
@pytest.mark.parametrize(("left", "right"), [(-2.0, 2.0), (2.0, 4.0), (3.0, 1.0)])
def test_a_differential_robot_turns_by_the_difference_of_its_wheels(kind, left, right):
    simulation = simulate(kind)
    spec = load_robot_file(kind).drive
    simulation.command("bot", Wheels(left, right))
    run(simulation, 2.0)
    assert yaw_rate(simulation, 3.0) == pytest.approx(spec.radius * (right - left) / spec.track, rel=0.015)


@pytest.mark.parametrize("kind", SKID)
@pytest.mark.parametrize(("v", "rate"), [(0.0, 0.6), (0.2, 0.4)])
def test_a_skid_steered_robot_turns_on_the_radius_it_is_told(kind, v, rate):
    simulation = simulate(kind)
    drive(simulation, v, rate, seconds=2.0)
    # Sliding tyres: within a tenth of what the measured `scrub` foretells.
    assert yaw_rate(simulation, 4.0) == pytest.approx(rate, rel=0.10)
    robot = simulation.robot("bot")
    assert np.hypot(*robot.v_WB_W[:2]) == pytest.approx(abs(v), abs=0.03)


def test_steered_wheels_all_roll_about_one_centre():
    file = load_robot_file("rover")
    steering = Steering(file.drive, file.description())
    speeds, angles = steering.joints(0.3, 0.3, -0.3)
    half = (steering.front - steering.rear) / 2
    y = half / np.tan(0.3)
    for side, where in (("Left", 0.21), ("Right", -0.21)):
        assert angles[f"{side}FWheel_steer"] == pytest.approx(np.arctan(half / (y - where)))
        assert angles[f"{side}RWheel_steer"] == pytest.approx(-np.arctan(half / (y - where)))
        assert speeds[f"{side}MWheel"] == pytest.approx(0.3 / file.drive.radius * (y - where) / y)
    crab_speeds, crab = steering.joints(0.3, 0.2, 0.2)
    assert set(crab.values()) == {0.2} and len(set(crab_speeds.values())) == 1, "both axles alike: it goes aslant"


@pytest.mark.parametrize("kind", STEERED)
@pytest.mark.parametrize("front", [0.2, -0.35])
def test_a_steered_robot_turns_on_the_circle_of_its_wheels(kind, front):
    simulation = simulate(kind)
    file = load_robot_file(kind)
    steering, rear = Steering(file.drive, file.description()), -front if file.drive.steer_rear else 0.0
    simulation.command("bot", Steer(4.0, front, rear))
    run(simulation, 2.0)
    curvature = (np.tan(front) - np.tan(rear)) / (steering.front - steering.rear)
    # The car's sprung tyres slip a little under the side load.
    assert yaw_rate(simulation, 3.0) == pytest.approx(4.0 * file.drive.radius * curvature, rel=0.08)


@pytest.mark.parametrize("kind", STEERED)
def test_a_steered_robot_goes_to_a_place(kind):
    simulation = simulate(kind)
    simulation.command("bot", Pose([2.0, 1.5, 0.0], yaw=0.0))
    run(simulation, 15.0)
    assert np.hypot(*(simulation.robot("bot").p_WB[:2] - [2.0, 1.5])) < 0.15


@pytest.mark.parametrize("kind", ("p2at", "p2dx", "usarcar"))
def test_the_stopping_distance_is_that_of_the_deceleration(kind):
    simulation = simulate(kind)
    spec, robot = load_robot_file(kind).drive, simulation.robot("bot")
    v = 0.6
    drive(simulation, v, seconds=3.0)
    before = robot.p_WB.copy()
    drive(simulation, 0.0, seconds=2.0)
    way = np.linalg.norm(robot.p_WB - before)
    # v²/2a, of which the speed loop makes up to a fifth shorter; friction alone would need v²/2µg = 23 mm.
    assert 0.75 * v * v / (2 * spec.acceleration) < way < 1.1 * v * v / (2 * spec.acceleration)


def test_locked_wheels_stop_by_friction():
    simulation = simulate("p2at")
    spec, robot = load_robot_file("p2at").drive, simulation.robot("bot")
    v = 0.65
    drive(simulation, v, seconds=3.0)
    before = robot.p_WB.copy()
    simulation.command("bot", Joints(velocities=dict.fromkeys((*spec.left, *spec.right), 0.0)))
    run(simulation, 1.5)
    # v²/2µg with µ = 0.8; the wheels need a moment to lock, and tyres give a little.
    assert robot.p_WB[0] - before[0] == pytest.approx(v * v / (2 * 0.8 * 9.81), rel=0.3)
    assert np.linalg.norm(robot.v_WB_W) < 0.01


def test_full_brakes_throw_the_short_p2dx_on_its_nose():
    simulation = simulate("p2dx")
    drive(simulation, 1.0, seconds=3.0)
    simulation.command("bot", Joints(velocities={"LeftWheel": 0.0, "RightWheel": 0.0}))
    run(simulation, 0.2)
    assert tilt(simulation)[1] > 15.0


# Ground that is not level


@pytest.mark.parametrize("kind", WHEELED)
def test_it_climbs_a_ramp_of_16_degrees_at_its_speed(kind):
    simulation = simulate(kind, slope(16.0))
    v = min(0.4, 0.8 * load_robot_file(kind).drive.top_speed)
    drive(simulation, v, seconds=1.9 / v)
    assert tilt(simulation)[1] == pytest.approx(-16.0, abs=1.2), "it is on the ramp, nose up"
    before = simulation.robot("bot").p_WB.copy()
    run(simulation, 1.5)
    assert np.linalg.norm(simulation.robot("bot").p_WB - before) == pytest.approx(1.5 * v, rel=0.04)


@pytest.mark.parametrize(
    "kind", [k if k in ("p2at", "rover") else pytest.param(k, marks=pytest.mark.slow) for k in WHEELED]
)
def test_it_stays_on_a_slope_where_it_stopped(kind):
    simulation = simulate(kind, slope(16.0))
    v = min(0.3, 0.8 * load_robot_file(kind).drive.top_speed)
    drive(simulation, v, seconds=1.9 / v)
    drive(simulation, 0.0, seconds=3.0)
    assert tilt(simulation)[1] == pytest.approx(-16.0, abs=1.2)
    before = simulation.robot("bot").p_WB.copy()
    run(simulation, 60.0)
    assert np.linalg.norm(simulation.robot("bot").p_WB - before) < 1e-3


def test_the_p2dx_spins_and_stops_as_the_real_one():
    """Makers' data: 300 degrees per second; from there and from full speed it stands within a second."""
    simulation = simulate("p2dx")
    robot, spin = simulation.robot("bot"), 1.6 / 0.095
    simulation.command("bot", Wheels(-spin, spin))
    run(simulation, 2.0)
    assert np.degrees(yaw_rate(simulation, 1.0)) == pytest.approx(300.0, rel=0.02)
    simulation.command("bot", Wheels())
    run(simulation, 1.1)
    assert abs(robot.w_WB_W[2]) < 0.05
    simulation.command("bot", Wheels(spin, spin))
    run(simulation, 2.0)
    assert np.hypot(*robot.v_WB_W[:2]) == pytest.approx(1.6, rel=0.02)
    simulation.command("bot", Wheels())
    run(simulation, 1.1)
    assert np.linalg.norm(robot.v_WB_W) < 0.05 and abs(tilt(simulation)[1]) < 1.0


@pytest.mark.parametrize("kind", WHEELED)
def test_it_does_not_climb_a_slope_of_45_degrees(kind):
    simulation = simulate(kind, slope(45.0))
    v = min(0.4, 0.8 * load_robot_file(kind).drive.top_speed)
    drive(simulation, v, seconds=6.0)
    robot = simulation.robot("bot")
    # Tyres of µ 0.8 … 1.08 on the slope hold up to 39 … 47°; what comes up partly slides back or tips over.
    assert robot.p_WB[0] < 1.4 and robot.p_WB[2] < 0.55
    assert robot.X_WB[:, 2, 3].min() > 0.0


@pytest.mark.parametrize("share", [0.5, 0.8, 1.0])
def test_the_rocker_bogie_climbs_a_step_of_one_wheel_radius(share):
    radius = load_robot_file("rover").drive.radius
    simulation = simulate("rover", step_at(0.9, share * radius))
    drive(simulation, 0.3, seconds=10.0)
    robot = simulation.robot("bot")
    assert robot.p_WB[0] > 1.3, "all six wheels are up"
    assert robot.p_WB[2] == pytest.approx(radius * (1 + share), abs=3e-3)


def test_a_plain_robot_of_that_wheel_does_not():
    radius = load_robot_file("p2at").drive.radius
    simulation = simulate("p2at", step_at(0.9, radius))
    drive(simulation, 0.3, seconds=10.0)
    assert simulation.robot("bot").p_WB[0] < 1.1


def test_the_differential_keeps_the_hull_at_the_mean_of_both_rockers():
    kerb = box((0.6, 4.0, 0.04), materials=(GROUND,))
    simulation = simulate("rover", Placement.one("kerb", kerb, (0.65, 2.05, 0.02)))
    drive(simulation, 0.2, seconds=1.2)
    robot = simulation.robot("bot")
    left, right = (robot.joint_positions[joint(simulation, f"{s}Rocker")] for s in ("Left", "Right"))
    assert left == pytest.approx(-right, abs=2e-3) and abs(left) > 0.03


@pytest.mark.parametrize("kind", ("talon", "kenaf"))
def test_tracks_climb_a_step_of_nine_centimetres_that_wheels_do_not(kind):
    height = 0.09 if kind == "talon" else 0.065
    simulation = simulate(kind, step_at(0.9, height))
    drive(simulation, 0.3, seconds=9.0)
    robot = simulation.robot("bot")
    assert robot.p_WB[0] > 1.4 and robot.p_WB[2] == pytest.approx(robot.file.drive.radius + height, abs=3e-3)


def test_tracks_climb_stairs_of_30_degrees():
    rise, going = 0.1, 0.1 / np.tan(np.radians(30))
    stairs = [
        Placement.one(
            f"stair_{n}", box((4.0, 2.0, rise * n), materials=(GROUND,)), (0.9 + (n - 1) * going + 2.0, 0, rise * n / 2)
        )
        for n in range(1, 6)
    ]
    simulation = simulate("talon", *stairs)
    drive(simulation, 0.3, seconds=12.0)
    robot = simulation.robot("bot")
    assert robot.p_WB[2] == pytest.approx(5 * rise + robot.file.drive.radius, abs=5e-3), "it is on the landing"


@pytest.mark.parametrize("angle", [1.5, 6.0, 12.0, 35.0])
def test_a_wheel_that_meets_a_kerb_aslant_does_not_pass_through_it(angle):
    turned, height = np.radians(angle), 0.06
    across = np.array([np.cos(turned), np.sin(turned), 0.0])
    R = np.column_stack([across, np.cross([0, 0, 1.0], across), [0, 0, 1.0]])
    middle = np.array([0.9 + 2 / np.cos(turned), 0.0, height / 2])
    mesh = box((4.0, 4.0, height), materials=(GROUND,)).moved(R)
    simulation = simulate("rover", Placement.one("kerb", mesh, tuple(middle)))
    drive(simulation, 0.3, seconds=4.0)
    robot = simulation.robot("bot")
    for name in ("LeftFWheel", "RightFWheel", "LeftMWheel", "RightMWheel"):
        hub = robot.X_WB[robot.description.body(name)][:, 3]
        if (hub - middle) @ across + 2.0 > 0.0:
            assert hub[2] > height + 0.06, f"{name} is on the block, not in it"


@pytest.mark.parametrize("kind", WHEELED)
@pytest.mark.parametrize("seconds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_random_step_fields_neither_swallow_nor_throw_it(kind, seconds):
    wander(kind, seconds, step_field(3))


def wander(kind, seconds, field):
    radius, top = load_robot_file(kind).drive.radius, load_robot_file(kind).drive.top_speed
    simulation = simulate(kind, field, z=radius + 0.15)
    robot, chance = simulation.robot("bot"), np.random.default_rng(7)
    run(simulation, 0.7)
    for _ in range(seconds):
        simulation.command("bot", BodyVelocity([chance.uniform(-top, top), 0, 0], chance.uniform(-1, 1)))
        for _ in range(10):
            run(simulation, 0.1)
            assert robot.X_WB[:, 2, 3].min() > 0.01, "no part's origin is below the ground"
            assert np.linalg.norm(robot.v_WB_W) < 4.0 and robot.p_WB[2] < 0.8
    assert not simulation.engines["mujoco"].recoveries
    simulation.command("bot", Joints(velocities=dict.fromkeys((*robot.file.drive.left, *robot.file.drive.right), 0.0)))
    run(simulation, 3.0)
    had = energy(simulation)
    run(simulation, 1.0)
    assert energy(simulation) < had + 0.02, "at rest it gains nothing"


@pytest.mark.parametrize("kind", ["p2at", "talon"])
def test_it_pushes_its_way_through_movable_debris_of_a_red_arena(kind):
    simulation = Simulation(
        read_scenario(
            "seed: 3\nstep: 0.01\nworld: {type: arena, colour: red, movable: true, animated: true, debris_count: 12}\n"
            f"robots: {{bot: {{type: {kind}}}}}"
        )
    )
    robot, chance = simulation.robot("bot"), np.random.default_rng(1)
    for _ in range(5):
        simulation.command("bot", BodyVelocity([chance.uniform(0.2, 0.6), 0, 0], chance.uniform(-0.8, 0.8)))
        run(simulation, 1.0)
        assert robot.X_WB[:, 2, 3].min() > 0.01 and np.linalg.norm(robot.v_WB_W) < 3.0
    assert not simulation.engines["mujoco"].recoveries


# Tipping over, and up again


def test_it_tips_over_on_a_bank_that_is_too_steep():
    def roll_after(degrees):
        bank = slope(degrees, length=4.0, x=-2.0)
        z = 2.0 * np.tan(np.radians(degrees)) + 0.115 / np.cos(np.radians(degrees))
        simulation = simulate("corky", bank, z=z + 0.06, attitude=(degrees, 0, 90))
        run(simulation, 2.0)
        return abs(tilt(simulation)[0])

    assert roll_after(20.0) == pytest.approx(20.0, abs=6.0)
    assert roll_after(60.0) > 75.0 or roll_after(60.0) < 20.0, "it has rolled away"


@pytest.mark.parametrize("kind", ("p2at", "p2dx", "zerg", "usarcar", "rover", "talon"))
@pytest.mark.parametrize("roll", [180, 95])
def test_flip_puts_it_on_its_wheels(kind, roll):
    simulation = simulate(kind, z=0.5, attitude=(roll, 0, 0))
    run(simulation, 1.5)
    lying = np.abs(tilt(simulation)).max()
    assert lying > 45.0
    simulation.command("bot", Flip())
    run(simulation, 4.0)
    assert np.abs(tilt(simulation)).max() < 8.0
    assert np.linalg.norm(simulation.robot("bot").v_WB_W) < 0.05, "and lets go"


def test_flip_survives_a_snapshot_and_a_bad_one_is_refused():
    simulation = simulate("p2at", z=0.4, attitude=(180, 0, 0))
    simulation.command("bot", Flip())
    run(simulation, 0.2)
    middle = simulation.state()
    run(simulation, 0.5)
    first = simulation.state_hash()
    simulation.restore(middle)
    run(simulation, 0.5)
    assert simulation.state_hash() == first
    with pytest.raises(CommandError, match="must be above 0"):
        Flip(torque=-1.0)


# Per joint, in all orders


def test_a_joint_goes_to_an_angle_at_a_speed_or_by_a_torque():
    simulation = simulate("p2at")
    robot = simulation.robot("bot")
    simulation.command("bot", Joints(positions={"CameraPan": 0.8, "CameraTilt": -0.3}))
    run(simulation, 1.0)
    assert robot.joint_positions[joint(simulation, "CameraPan")] == pytest.approx(0.8, abs=0.02)
    assert robot.joint_positions[joint(simulation, "CameraTilt")] == pytest.approx(-0.3, abs=0.03)
    simulation.command("bot", Joints(velocities={"CameraPan": -0.5}))
    run(simulation, 1.0)
    assert robot.joint_velocities[joint(simulation, "CameraPan")] == pytest.approx(-0.5, rel=0.02)
    wheels = (*robot.file.drive.left, *robot.file.drive.right)
    simulation.command("bot", Joints(efforts=dict.fromkeys(wheels, 0.5)))
    before = robot.p_WB[0]
    run(simulation, 1.0)
    assert robot.p_WB[0] - before > 0.2, "torques push it ahead"
    # Torques are cut at what the motors have: 6 N m on each wheel.
    simulation.command("bot", Joints(efforts=dict.fromkeys(wheels, 60.0)))
    run(simulation, 0.1)
    assert np.abs(robot.joint_efforts[[joint(simulation, w) for w in wheels]]).max() < 6.01


def test_one_wheel_of_a_steered_robot_is_steered_by_itself():
    simulation = simulate("usarcar")
    simulation.command("bot", Joints(positions={"LeftFWheel_steer": 0.4}))
    run(simulation, 1.0)
    robot = simulation.robot("bot")
    assert robot.joint_positions[joint(simulation, "LeftFWheel_steer")] == pytest.approx(0.4, abs=0.03)
    with pytest.raises(RobotError, match="outside"):
        simulation.command("bot", Joints(positions={"LeftFWheel_steer": 2.0}))


def test_flippers_lift_the_kenaf():
    simulation = simulate("kenaf")
    names = ("FLFlipper", "FRFlipper", "RLFlipper", "RRFlipper")
    simulation.command("bot", Joints(positions=dict.fromkeys(names, -0.6)))
    run(simulation, 2.0)
    robot = simulation.robot("bot")
    assert robot.p_WB[2] > load_robot_file("kenaf").drive.radius + 0.02


@pytest.mark.parametrize("kind", STEERED)
def test_wheels_of_each_side_turn_a_steered_robot_as_a_differential_one(kind):
    simulation = simulate(kind)
    spec = load_robot_file(kind).drive
    simulation.command("bot", Wheels(2.0, 4.0))
    run(simulation, 2.0)
    assert yaw_rate(simulation, 2.0) == pytest.approx(spec.radius * 2.0 / spec.track, rel=0.1)
    simulation.command("bot", Wheels(-3.0, 3.0))
    run(simulation, 2.0)
    before = simulation.robot("bot").p_WB.copy()
    assert yaw_rate(simulation, 2.0) > 0.5 * spec.radius * 6.0 / spec.track, (
        "wheels that cannot stand so far round slide"
    )
    assert np.linalg.norm(simulation.robot("bot").p_WB - before) < 0.6


def test_sides_and_steering_go_to_robots_that_have_them():
    with pytest.raises(CommandError, match="takes"):
        simulate("p2at").command("bot", Steer(1.0, 0.1))
    assert command_of("wheels", {"left": 1.0, "right": 2.0}).right == 2.0
    with pytest.raises(RobotError, match="belong together"):
        Drive(left=["a"], right=["b"], radius=0.1, track=0.3, kind="ackermann")


def test_battery_drains_faster_while_motors_work():
    simulation = simulate("p2at", slope(16.0, x=0.5), sensors=("Battery",))
    battery = simulation.sensor("bot", "Battery")

    def drained(seconds):
        before = battery.latest.data["energy"][0]
        run(simulation, seconds)
        return (before - battery.latest.data["energy"][0]) / seconds

    idle = drained(1.0)
    assert idle == pytest.approx(1e6 / 1200, rel=0.01)
    drive(simulation, 0.6, seconds=1.5)
    # Lifting 14 kg up 16° at 0.6 m/s takes 14 · 9.81 · sin 16° · 0.6 = 23 W at least.
    assert drained(1.0) > idle + 20.0


def test_camera_pans_with_its_joints_and_headlight_switches():
    simulation = simulate("p2at", sensors=("Camera", "HeadLight"))
    camera, light = simulation.sensor("bot", "Camera"), simulation.sensor("bot", "HeadLight")
    assert not camera.enabled and light.spot() is None
    simulation.command("bot", Joints(positions={"CameraPan": 1.0}))
    simulation.operate("bot", "HeadLight", "switch", True)
    simulation.operate("bot", "Camera", "set_zoom", 2.0)
    run(simulation, 1.0)
    yaw = np.arctan2(camera.X_WS[1, 0], camera.X_WS[0, 0])
    assert yaw == pytest.approx(1.0, abs=0.03)
    assert light.spot() is not None and camera.zoom == 2.0


# The air


def test_the_airrobot_flies_at_the_velocity_it_is_told():
    simulation = simulate("airrobot", z=1.5)
    simulation.command("bot", BodyVelocity([1.0, -0.5, 0.3], 0.0))
    run(simulation, 3.0)
    robot = simulation.robot("bot")
    assert robot.v_WB_W == pytest.approx([1.0, -0.5, 0.3], abs=0.1)
    simulation.command("bot", BodyVelocity([0.0, 0.0, 0.0], 0.4))
    run(simulation, 3.0)
    assert robot.w_WB_W[2] == pytest.approx(0.4, abs=0.05)


def test_models_have_no_contacts_within_themselves_at_rest():
    for kind in WHEELED:
        model = load_spec(load_robot_file(kind).description().path).compile()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        assert data.ncon == 0, kind
