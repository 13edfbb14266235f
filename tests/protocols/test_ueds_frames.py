"""Unreal's frames, proved with vectors: what stands where is met by the right ray, pixel and move."""

import numpy as np
import pytest

from ueds_rig import LIDAR, RGB, Client, rays, served
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.protocols.ueds import configs, lidar, unreal
from volery.protocols.ueds.sweep import Sweep
from volery.scenario import read_scenario
from volery.sim import Simulation

MIRROR = np.diag([1.0, -1.0, 1.0])
EMPTY = """
world: empty
seed: 1
step: 0.01
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
"""
HIGH = 3000.0
"""Far above the ground [cm]."""


@pytest.fixture(scope="module")
def server():
    with served(world=EMPTY) as running:
        yield running


@pytest.fixture
def drone(server):
    game = Client(server.door.port)
    (port,) = game.ok(3).take("i")
    client = Client(port)
    client.ok(3, "3d?", 0.0, 0.0, HIGH, False)
    yield client
    client.close()
    game.ok(4, "i", port)
    game.close()


@pytest.fixture
def cube(server):
    """Puts a cube of some size [m] at a place from the drone's, in W."""
    made = []

    def put(p, size=0.5):
        made.append(f"mark{len(made)}")
        X = np.column_stack([np.eye(3) * size, np.array(p) + [0.0, 0.0, HIGH / 100]])
        server.ask(lambda: server.simulation.alter("make", made[-1], "Cube", X))

    yield put
    for name in made:
        server.ask(lambda name=name: server.simulation.alter("destroy", name))


def axes(pitch, yaw, roll):
    """Forward, right and up of a rotator in Unreal's world, as the specification writes them out."""
    p, y, r = np.radians([pitch, yaw, roll])
    cp, sp, cy, sy, cr, sr = np.cos(p), np.sin(p), np.cos(y), np.sin(y), np.cos(r), np.sin(r)
    return np.array([
        [cp * cy, cp * sy, sp], [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp],
        [-(cr * sp * cy + sr * sy), sr * cy - cr * sp * sy, cr * cp],
    ])  # fmt: skip


def test_rotators_are_those_of_the_specification():
    for rotator in np.random.default_rng(1).uniform([-89, -180, -180], [89, 180, 180], (200, 3)):
        forward, right, up = axes(*rotator)
        R = unreal.rotation_of(tuple(rotator))
        assert MIRROR @ R @ MIRROR == pytest.approx(np.column_stack([forward, right, up]), abs=1e-12)
        # As the ROS clients make them: pitch and yaw negated, roll kept.
        rpy = np.radians([rotator[2], -rotator[0], -rotator[1]])
        assert matrix_from_quat(quat_from_euler(rpy)) == pytest.approx(R, abs=1e-12)


def test_places_are_mirrored_centimetres():
    assert unreal.where(np.array([1.0, 2.0, 3.0])) == (100.0, -200.0, 300.0)
    assert unreal.place_of((100.0, -200.0, 300.0)).tolist() == [1.0, 2.0, 3.0]


def test_where_the_robot_is(server, drone):
    drone.ok(8, "6d?", 100.0, 200.0, HIGH, 10.0, 90.0, 20.0, False)
    robot = next(iter(server.simulation.robots.values()))
    assert robot.p_WB.tolist() == [1.0, -2.0, 30.0]
    forward, right, up = axes(10.0, 90.0, 20.0) @ MIRROR
    R = matrix_from_quat(robot.q_WB_wxyz)
    assert R[:, 0] == pytest.approx(forward) and R[:, 1] == pytest.approx(-right) and R[:, 2] == pytest.approx(up)


def test_order_of_rays():
    setup = configs.LidarSetup(across=5, down=3, left=90.0, right=45.0, up=30.0, below=60.0)
    found = lidar.rays_of(setup).reshape(5, 3, 3)
    h = np.degrees(np.arctan2(found[:, 1, 1], found[:, 1, 0]))
    assert h == pytest.approx([-90.0, -56.25, -22.5, 11.25, 45.0]), "left to right, both ends included"
    assert np.degrees(np.arcsin(found[2, :, 2])) == pytest.approx([-60.0, -15.0, 30.0]), "from below to up"


def lidar_setup(
    across=1, down=1, length=2000.0, offset=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0), fov=(0.0, 0.0, 0.0, 0.0)
):
    return (False, False, length, across, down, 10.0, *offset, *rotation, *fov, False)


def ahead(client, **setup):
    """Distance that the one ray straight ahead of the lidar finds [cm]."""
    client.ok(11, LIDAR, *lidar_setup(**setup))
    _, found = rays(client.ok(9))
    assert len(found) == 1 and found[0][1:] == pytest.approx((2000.0, 0.0, 0.0), abs=1e-9)
    return found[0][0]


def test_rays_to_the_right_meet_what_is_to_the_right(drone, cube):
    cube([0.0, -5.0, 0.0])
    drone.ok(11, LIDAR, *lidar_setup(across=5, fov=(180.0, 180.0, 0.0, 0.0)))
    _, found = rays(drone.ok(9))
    assert [r[0] > 0 for r in found] == [False, False, False, True, False]
    assert found[3][0] == pytest.approx(475.0, abs=0.1) and found[3][1:] == pytest.approx((0.0, 2000.0, 0.0), abs=1e-6)


def test_a_drone_that_turns_clockwise_looks_to_the_right(drone, cube):
    cube([0.0, -5.0, 0.0])
    assert ahead(drone) == -1.0
    drone.ok(7, "3d", 0.0, 90.0, 0.0)
    assert ahead(drone) == pytest.approx(475.0, abs=0.1)
    drone.ok(7, "3d", 0.0, -90.0, 0.0)
    assert ahead(drone) == -1.0


def test_a_raised_nose_looks_up(drone, cube):
    cube([0.0, 0.0, 6.0])
    drone.ok(7, "3d", 90.0, 0.0, 0.0)
    assert ahead(drone) == pytest.approx(575.0, abs=0.1)


def test_offsets_to_y_lie_on_the_right(drone, cube):
    cube([5.0, -2.0, 1.0], 0.4)
    assert ahead(drone) == -1.0
    assert ahead(drone, offset=(50.0, 200.0, 100.0)) == pytest.approx(430.0, abs=0.1)


@pytest.mark.parametrize("rpy", [(0, 0, 40), (0, 25, 0), (0, -30, 70), (20, 35, -60), (-50, 10, 120)])
def test_what_the_ros_client_sends_turns_the_lidar_as_in_ros(drone, cube, rpy):
    """It sends (-pitch, yaw, roll) of a right-handed attitude."""
    R = matrix_from_quat(quat_from_euler(np.radians(np.array(rpy, float))))
    cube(R[:, 0] * 8.0, 0.3)
    roll, pitch, yaw = map(float, rpy)
    assert ahead(drone, rotation=(-pitch, yaw, roll)) == pytest.approx(790.0, abs=16.0)


def test_roll_of_a_lidar_turns_its_rays_as_in_ros(drone, cube):
    R = matrix_from_quat(quat_from_euler(np.radians([90.0, 0.0, 0.0])))
    # To the left of the sensor, which lies on its side: above the drone.
    cube(R @ [0.0, 5.0, 0.0], 0.4)
    drone.ok(11, LIDAR, *lidar_setup(across=3, rotation=(0.0, 0.0, 90.0), fov=(90.0, 90.0, 0.0, 0.0)))
    _, found = rays(drone.ok(9))
    assert [r[0] > 0 for r in found] == [True, False, False]


def depth(client, rotation=(0.0, 0.0, 0.0), offset=(0.0, 0.0, 0.0)):
    client.ok(13, RGB, False, *offset, *rotation, 90.0, 40, 20, *[False] * 4, 0.0, 0.0)
    for _ in range(20):
        status, reply = client.call(24)
        _, data = reply.bytes(2)
        if status:
            return np.frombuffer(data, "<f2").astype(float).reshape(20, 40)
    raise AssertionError("no picture")


def test_pictures_show_what_is_to_the_right_on_the_right(drone, cube):
    cube([5.0, -2.5, 1.25])
    row, column = np.argwhere(depth(drone) < 1000.0).mean(axis=0)
    # f = 20 pixels, middle at (20, 10): 2.5 m to the right and 1.25 m up at 5 m.
    assert column == pytest.approx(29.5, abs=1.0) and row == pytest.approx(4.5, abs=1.0)


def test_depth_is_along_the_axis(drone, cube):
    cube([5.0, -2.5, 1.25])
    assert depth(drone).min() == pytest.approx(475.0, abs=1.0)


def test_cameras_turn_as_unreal_turns_them(drone, cube):
    cube([0.0, -5.0, 0.0])
    picture = depth(drone, rotation=(0.0, 90.0, 0.0))
    assert picture[10, 20] == pytest.approx(475.0, abs=1.0)
    assert depth(drone, rotation=(0.0, -90.0, 0.0)).min() > 3000.0


def test_moves_stop_where_the_cube_is(drone, cube):
    cube([0.0, -5.0, 0.0], 2.0)
    x, y, z, hit, *impact = drone.ok(3, "3d?", 0.0, 2000.0, HIGH, True).take("3d?3d")
    assert hit and (x, z) == (0.0, HIGH)
    assert impact[1] == pytest.approx(400.0, abs=0.2) and 350.0 < y < 400.0
    assert not drone.ok(3, "3d?", 0.0, -2000.0, HIGH, True).take("3d?3d")[3]


@pytest.mark.parametrize(("kind", "half_span"), [("fixedwing", 0.95), ("flyingwing", 0.65)])
def test_a_wing_stops_where_its_tip_meets_something(kind, half_span):
    text = f"world: empty\nseed: 1\nrobots: {{w: {{type: {kind}, position: [0, 0, 5], physics: kinematic}}}}"
    simulation = Simulation(read_scenario(text))
    wall = np.hstack([np.diag([4.0, 0.2, 4.0]), [[0.0], [3.0], [5.0]]])
    simulation.alter("make", "wall", "Cube", wall)
    robot, sweep = simulation.robot("w"), Sweep(simulation.scene)
    swept = sweep.move(robot, np.array([0.0, 2.8, 5.0]), np.array([1.0, 0, 0, 0]), {"w"})
    assert swept.hit and swept.p_WB[1] == pytest.approx(2.9 - half_span, abs=0.08)
    assert swept.impact_W[1] == pytest.approx(2.9, abs=0.05)
    ahead = sweep.move(robot, np.array([1.0, 0.0, 5.0]), np.array([1.0, 0, 0, 0]), {"w"})
    assert not ahead.hit


def test_a_thin_wall_is_not_passed_at_any_speed(server, drone):
    X = np.column_stack([np.diag([0.02, 8.0, 8.0]), [50.0, 0.0, HIGH / 100]])
    server.ask(lambda: server.simulation.alter("make", "wall", "Cube", X))
    try:
        x, *_, hit = drone.ok(3, "3d?", 20_000.0, 0.0, HIGH, True).take("3d?")
        assert hit and 4900.0 < x < 5000.0
    finally:
        server.ask(lambda: server.simulation.alter("destroy", "wall"))


def test_moves_that_cannot_be_checked_in_time_are_refused(drone):
    assert not drone.call(3, "3d?", 300_000.0, 0.0, HIGH, True)[0]
    assert drone.ok(2).take("3d") == (0.0, 0.0, HIGH)
    assert drone.ok(3, "3d?", 300_000.0, 0.0, HIGH, False).take("3d") == (300_000.0, 0.0, HIGH)
