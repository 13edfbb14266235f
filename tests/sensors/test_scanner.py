"""The scanner against closed forms: every ray's occupancy, and its point to a millimetre."""

import numpy as np
import pytest

from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_euler, transform
from volery.core.rng import generator
from volery.errors import ScenarioError, UnknownNameError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.sensors.scanner import FACES, FREE, OCCUPIED, UNVISITED, Scanner, ScannerConfig
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

MILLIMETRE = 1e-3
SIDES = [(axis, sign) for axis in range(3) for sign in (1, -1)]


def make(scene, p, rpy=(0.0, 0.0, 0.0), robot_type="probe", name="uav1", **parameters):
    robot = Robot(name, load_robot_file(robot_type).description())
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy)))
    robot.show(scene)
    return Scanner("scanner", ScannerConfig(**parameters), robot, Environment(scene), generator(0, name))


def expected_rays(per_edge, resolution, R, p):
    """Origins and directions of a box scan in W, written independently of the scanner."""
    steps = [(i - per_edge // 2) * resolution for i in range(per_edge)]
    origins, directions = [], []
    for axis, sign in SIDES:
        for a in steps:
            for b in steps:
                o, d = np.zeros(3), np.zeros(3)
                o[(axis + 1) % 3], o[(axis + 2) % 3], d[axis] = a, b, sign
                origins.append(R @ o + p)
                directions.append(R @ d)
    return np.array(origins), np.array(directions)


def box_entry(origins, directions, size, X_WO):
    """Distance to a solid box by slabs: to its skin from outside, to its far skin from inside; inf for a miss."""
    R, p = X_WO[:, :3], X_WO[:, 3]
    o, d = (origins - p) @ R, directions @ R
    with np.errstate(divide="ignore", invalid="ignore"):
        t1, t2 = (-size / 2 - o) / d, (size / 2 - o) / d
    parallel_out = (np.abs(d) < 1e-12) & (np.abs(o) > size / 2)
    low = np.where(np.abs(d) < 1e-12, -np.inf, np.minimum(t1, t2)).max(axis=1)
    high = np.where(np.abs(d) < 1e-12, np.inf, np.maximum(t1, t2)).min(axis=1)
    miss = parallel_out.any(axis=1) | (low > high) | (high < 0)
    inside = (low < 0) & ~miss
    return np.where(miss, np.inf, np.where(inside, high, low)), inside


def check(data, origins, directions, distance, length, inside=None):
    occupied = distance <= length
    unsure = np.abs(distance - length) < MILLIMETRE
    assert ((data["occupancy"] == np.where(occupied, OCCUPIED, FREE)) | unsure).all()
    points = origins + directions * np.where(occupied, distance, length)[:, None]
    assert np.abs(data["points"] - points).max() < MILLIMETRE
    if inside is not None:
        assert (data["inside"] == (inside & occupied)).all()


def test_a_full_box_scan_has_15606_rays_in_six_faces():
    scene = Scene()
    scanner = make(scene, (0, 0, 10))
    assert len(scanner) == 15_606 == 6 * 51 * 51
    assert len(FACES) == 6


@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.4, -0.3, 1.1), (np.pi, 0, 0), (0, np.pi / 2, 0.2), (-2.0, 1.2, -2.9)])
def test_box_scan_over_flat_ground_at_any_attitude(rpy):
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    p = np.array([3.3, -7.1, 6.0])
    data = make(scene, p, rpy).sense(0)
    R = matrix_from_quat(quat_from_euler(np.array(rpy, float)))
    origins, directions = expected_rays(51, 1.0, R, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -origins[:, 2] / directions[:, 2]
    # Rays that start on the plane itself have no one right answer.
    clear = np.abs(origins[:, 2]) > MILLIMETRE
    distance = np.where((np.abs(directions[:, 2]) > 1e-9) & (t > 0), t, np.inf)
    for key in data:
        data[key] = data[key][clear]
    check(data, origins[clear], directions[clear], distance[clear], 25.0)
    assert clear.sum() > 10_000


def test_ground_scan_sees_a_cone_as_a_height_map():
    """The thesis' figure 37: a cone under the robot."""
    segments, radius, height = 48, 12.0, 9.0
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    scene.add(Placement.one("cone", geometry.cone(radius, height, segments)))
    scanner = make(scene, (1.7, -2.3, 30.0), (0.5, 0.3, 2.0), form="ground")
    data = scanner.sense(0)
    assert len(scanner) == 51 * 51
    x, y, z = data["points"].T
    # The faceted cone exactly: the lowest of its side planes.
    middle = (np.arange(segments) + 0.5) * 2 * np.pi / segments
    reach = (x[:, None] * np.cos(middle) + y[:, None] * np.sin(middle)).max(axis=1)
    exact = np.maximum(0.0, height * (1 - reach / (radius * np.cos(np.pi / segments))))
    assert (data["occupancy"] == OCCUPIED).all()
    assert np.abs(z - exact).max() < MILLIMETRE
    assert exact.max() > 8.0 and (exact == 0).sum() > 1000
    grid = data["points"].reshape(51, 51, 3)
    assert np.allclose(grid[:, 0, 0], 1.7 + np.arange(-25, 26), atol=1e-6)
    assert np.allclose(grid[0, :, 1], -2.3 + np.arange(-25, 26), atol=1e-6)


@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.3, 0.5, -0.8)])
def test_box_scan_of_a_rotated_box(rpy):
    size = np.array([9.0, 6.0, 14.0])
    X = transform(quat_from_euler(np.array([0.4, -0.7, 1.3])), np.array([8.3, -4.1, 2.9]))
    scene = Scene()
    scene.add(Placement("box", (geometry.box(size),), X))
    p = np.array([-3.0, 1.0, 0.5])
    data = make(scene, p, rpy).sense(0)
    origins, directions = expected_rays(51, 1.0, matrix_from_quat(quat_from_euler(np.array(rpy, float))), p)
    distance, inside = box_entry(origins, directions, size, X)
    check(data, origins, directions, distance, 25.0, inside)
    assert 300 < (data["occupancy"] == OCCUPIED).sum() < 10_000
    assert data["inside"].any()


def test_a_robot_inside_a_box_is_told_so_by_every_ray_that_starts_there():
    """The ELAHA platform was blind inside objects."""
    size = np.array([60.0, 60.0, 60.0])
    X = transform(quat_from_euler(np.array([0.1, 0.2, 0.3])), np.zeros(3))
    scene = Scene()
    scene.add(Placement("box", (geometry.box(size),), X))
    p = np.array([1.0, 2.0, -3.0])
    data = make(scene, p, (0.0, 0.0, 0.4), range=100.0, extent=20.0).sense(0)
    origins, directions = expected_rays(41, 1.0, matrix_from_quat(quat_from_euler(np.array([0, 0, 0.4]))), p)
    distance, inside = box_entry(origins, directions, size, X)
    check(data, origins, directions, distance, 100.0, inside)
    assert data["inside"].all() and (data["occupancy"] == OCCUPIED).all()


def test_a_single_ray_looks_forward():
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((1, 50, 50)), (20.5, 0, 0)))
    scanner = make(scene, (0, 0, 0), form="ray")
    data = scanner.sense(0)
    assert len(scanner) == 1
    assert np.allclose(data["points"], [[20.0, 0, 0]], atol=MILLIMETRE)
    scanner.robot.set_pose(np.zeros(3), quat_from_euler(np.array([0, 0, np.pi])))
    scanner.robot.update()
    data = scanner.sense(0)
    assert data["occupancy"][0] == FREE
    assert np.allclose(data["points"], [[-500.0, 0, 0]], atol=MILLIMETRE)


@pytest.mark.parametrize("parts", [6, 12])
def test_face_scan_fills_the_box_part_by_part(parts):
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    scanner = make(scene, (0, 0, 5), form="face", parts=parts)
    whole = make(scene, (0, 0, 5), form="box", name="uav2", channel=None)
    for step in range(parts):
        data = scanner.sense(step)
        visited = data["occupancy"] != UNVISITED
        border = round(len(scanner) * (step + 1) / parts - 0.01)
        assert visited[:border].all() and not visited[border:].any()
        assert np.isnan(data["points"][~visited]).all()
    complete = whole.sense(0)
    scanner_sees = scanner.sense(parts)
    # The two robots stand in the same place and see each other alike.
    assert (scanner_sees["occupancy"] == complete["occupancy"]).mean() > 0.999


def test_face_scan_keeps_old_points_in_world_coordinates_while_the_robot_moves():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(4000.0)))
    scanner = make(scene, (0, 0, 5), form="face")
    first = scanner.sense(0)["points"][: 51 * 51].copy()
    scanner.robot.set_pose(np.array([100.0, 0, 5]), np.array([1.0, 0, 0, 0]))
    scanner.robot.update()
    second = scanner.sense(1)["points"]
    assert (second[: 51 * 51] == first).all()
    assert second[51 * 51 : 2 * 51 * 51, 0].min() > 70


@pytest.mark.parametrize(("align", "expected"), [("world", 0.0), ("heading", 0.6), ("body", None)])
def test_alignment_of_the_rays(align, expected):
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    data = make(scene, (0, 0, 8), (0.3, -0.2, 0.6), form="ground", align=align).sense(0)
    grid = data["points"].reshape(51, 51, 3)
    step = grid[1, 25] - grid[0, 25]
    if expected is None:
        assert abs(np.linalg.norm(step[:2]) - 1) > 1e-3
    else:
        assert np.arctan2(step[1], step[0]) == pytest.approx(expected, abs=1e-6)
        assert np.linalg.norm(step) == pytest.approx(1.0, abs=1e-5)


def test_resolution_and_extent_are_parameters():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    scanner = make(scene, (0, 0, 2), resolution=0.5, extent=4.0, form="ground")
    x = np.unique(np.round(scanner.sense(0)["points"][:, 0], 6))
    assert np.allclose(x, np.arange(-4, 4.01, 0.5))


def test_a_channel_chooses_which_objects_are_seen():
    scene = Scene()
    scene.define_channel("ground_only", ["ground*"])
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    scene.add(Placement.one("roof", geometry.box((400, 400, 1)), (0, 0, 3.5)))
    seen = make(scene, (0, 0, 10), form="ground").sense(0)
    assert np.allclose(seen["points"][:, 2], 4.0, atol=MILLIMETRE)
    through = make(scene, (0, 0, 10), form="ground", name="b", channel="ground_only").sense(0)
    assert np.allclose(through["points"][:, 2], 0.0, atol=MILLIMETRE)


def test_a_scanner_looks_through_its_own_robot_but_sees_others():
    scene = Scene()
    scanner = make(scene, (0, 0, 10), robot_type="quad", resolution=0.05, extent=0.4, range=5.0)
    assert (scanner.sense(0)["occupancy"] == FREE).all()
    make(scene, (0, 0, 8), robot_type="quad", name="uav2")
    below = scanner.sense(0)
    z_neg = below["occupancy"].reshape(6, -1)[FACES.index("z_neg")]
    assert 20 < (z_neg == OCCUPIED).sum() < 200
    assert (below["occupancy"].reshape(6, -1)[: FACES.index("z_neg")] == FREE).all()
    selfish = make(scene, (0, 0, 20), robot_type="quad", name="uav3", sees_self=True, extent=0.4, resolution=0.05)
    assert (selfish.sense(0)["occupancy"] == OCCUPIED).any()


def test_mounts_move_and_turn_the_scanner():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    mount = Mount(position=(0, 0, 1.5), attitude_deg=(0, 90, 0))
    data = make(scene, (0, 0, 8), form="ray", mount=mount).sense(0)
    assert np.allclose(data["points"], [[0, 0, 0]], atol=MILLIMETRE)


@pytest.mark.parametrize(
    "parameters",
    [
        {"resolution": -1.0},
        {"resolution": 0.0},
        {"resolution": 1e-9},
        {"extent": float("nan")},
        {"rate": 0.0},
        {"form": "sphere"},
        {"parts": 7},
        {"range": -5.0},
    ],
)
def test_absurd_parameters_are_refused(parameters):
    with pytest.raises(ScenarioError):
        ScannerConfig(**parameters)


def test_an_unknown_channel_is_refused():
    with pytest.raises(UnknownNameError, match="unknown channel 'grund'"):
        make(Scene(), (0, 0, 0), channel="grund")
