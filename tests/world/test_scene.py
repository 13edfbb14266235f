"""The world that rays see, against closed forms and brute force."""

import gc
import importlib.util
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

from volery._native.rays import InstanceGeometry, TopScene, TriangleScene
from volery.core.frames import matrix_from_quat, quat_from_axis_angle
from volery.core.geometry import Mesh, box, cone, grid, merge, plane, sphere
from volery.core.material import Material
from volery.core.parallel import set_threads
from volery.core.parallel import threads as thread_count
from volery.errors import GeometryError, LibraryError, RayError, UnknownNameError
from volery.world.cast import embree
from volery.world.scene.instances import RowRanges
from volery.world.scene.scene import Scene
from volery.world.world import Placement, poses

ROCK, MOSS, GLASS = Material("rock"), Material("moss", label="plant"), Material("glass")
DOWN = np.array([[0.0, 0.0, -1.0]])
TURN = matrix_from_quat(quat_from_axis_angle(np.array([1.0, 2.0, 3.0]), 0.8))


def pose(p=(0, 0, 0), R=None, scale=1.0):
    """One place [3, 4]: scaled along its own axes, then turned, then shifted."""
    linear = (np.eye(3) if R is None else np.asarray(R)) * np.asarray(scale)
    return np.concatenate([linear, np.reshape(p, (3, 1)).astype(float)], axis=1)


def scene_of(*placements, **about):
    scene = Scene()
    for placement in placements:
        scene.add(placement, **about)
    return scene


def one(name, mesh, X):
    return Placement(name, (mesh,), np.asarray(X, float))


def rays(seed, count, radius=10.0):
    """Rays from a shell towards its middle region."""
    rng = np.random.default_rng(seed)
    origins = rng.normal(size=(count, 3))
    origins *= radius / np.linalg.norm(origins, axis=1, keepdims=True)
    directions = rng.uniform(-2, 2, (count, 3)) - origins
    return origins, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def slab(origins, directions, half):
    """Distance and outward normal of rays that meet an upright box about the origin; infinite where they miss."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-half - origins) / directions, (half - origins) / directions
    near, far = np.minimum(a, b), np.maximum(a, b)
    enter, leave = near.max(axis=1), far.min(axis=1)
    axis = np.where(enter > 0, near.argmax(axis=1), far.argmin(axis=1))
    distance = np.where(enter > 0, enter, leave)
    met = (enter <= leave) & (leave > 0)
    normal = np.zeros_like(origins)
    side = np.sign(directions[np.arange(len(axis)), axis]) * np.where(enter > 0, -1, 1)
    normal[np.arange(len(axis)), axis] = side
    return np.where(met, distance, np.inf), normal, met


# Closed forms of cast


def test_ray_onto_a_plane_tells_everything_about_the_hit():
    scene = scene_of(one("ground", plane(100.0, materials=(MOSS,)), pose((0, 0, 2))))
    hits = scene.cast([3.0, 4.0, 7.0], [[0, 0, -2.0], [0, 0, 1.0], [3, 0, -4]])
    np.testing.assert_allclose(hits.distance, [5, np.inf, 6.25])
    np.testing.assert_allclose(hits.points[[0, 2]], [[3, 4, 2], [6.75, 4, 2]], atol=1e-6)
    assert np.isnan(hits.points[1]).all()
    np.testing.assert_array_equal(hits.normal, [[0, 0, 1], [0, 0, 0], [0, 0, 1]])
    assert hits.hit.tolist() == [True, False, True]
    assert hits.names == ["ground", None, "ground"]
    assert hits.labels == ["plant", None, "plant"]
    assert hits.object.tolist() == [scene.objects["ground"].number, -1, scene.objects["ground"].number]
    assert hits.material[1] == -1
    assert scene.materials.all[hits.material[0]] is MOSS
    assert hits.primitive[1] == -1
    assert set(hits.primitive[[0, 2]]) <= {0, 1}
    assert not hits.back.any()
    assert len(hits) == 3


def test_plane_from_below_shows_its_back():
    hits = scene_of(one("ground", plane(10.0), pose())).cast([1.0, 2.0, -3.0], [[0, 0, 1.0]])
    assert hits.distance[0] == pytest.approx(3, abs=1e-5)
    assert hits.back[0]
    np.testing.assert_array_equal(hits.normal[0], [0, 0, 1])


CASES = {
    "upright": pose((0.3, -0.2, 0.1)),
    "turned": pose((0.3, -0.2, 0.1), TURN),
    "scaled": pose((0, 0, 0.5), None, 1.7),
    "stretched": pose((0.1, 0, 0), None, (0.5, 1.5, 2.0)),
    "turned and stretched": pose((0.1, 0.2, 0.3), TURN, (0.5, 1.5, 2.0)),
    "mirrored": pose((0.1, 0.2, 0.3), TURN, (-1.0, 1.0, 1.0)),
    "mirrored and stretched": pose((0.1, 0.2, 0.3), TURN, (-0.5, 1.5, 2.0)),
    "point reflected": pose((0, 0, 0), None, (-1.0, -1.0, -1.0)),
}


@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
@pytest.mark.parametrize("case", CASES)
def test_box_at_any_pose_agrees_with_the_slab_formula(case, moving):
    X = CASES[case]
    scene = scene_of(one("box", box((2, 2, 2)), X), moving=moving)
    origins, directions = rays(1, 600)
    hits = scene.cast(origins, directions)
    inverse = np.linalg.inv(X[:, :3])
    local_o, local_d = (origins - X[:, 3]) @ inverse.T, directions @ inverse.T
    distance, normal, met = slab(local_o, local_d, np.ones(3))
    edge = np.sort(np.abs(local_o + local_d * np.where(met, distance, 0)[:, None]), axis=1)[:, 1] > 0.9999
    np.testing.assert_array_equal(hits.hit[~edge], met[~edge])
    sure = met & ~edge
    assert sure.sum() > 100
    np.testing.assert_allclose(hits.distance[sure], distance[sure], atol=2e-5)
    np.testing.assert_allclose(hits.points[sure], (origins + directions * distance[:, None])[sure], atol=2e-5)
    expected = normal @ inverse
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(hits.normal[sure], expected[sure], atol=1e-5)
    assert not hits.back[sure].any()


def test_sphere_agrees_with_its_formula_within_the_tolerance_of_its_facets():
    scene = scene_of(one("ball", sphere(2.0, 128), pose((1, 2, 3))))
    origins, directions = rays(2, 1000)
    origins += [1, 2, 3]
    hits = scene.cast(origins, directions)
    b = np.sum((origins - [1, 2, 3]) * directions, axis=1)
    square = b**2 - np.sum((origins - [1, 2, 3]) ** 2, axis=1) + 4
    head_on = square > 1
    assert head_on.sum() > 300
    assert hits.hit[head_on].all()
    assert not hits.hit[square < 0].any()
    np.testing.assert_allclose(hits.distance[head_on], (-b - np.sqrt(np.abs(square)))[head_on], atol=4e-3)
    outward = (hits.points[head_on] - [1, 2, 3]) / 2
    assert (np.sum(outward * hits.normal[head_on], axis=1) > 0.999).all()


def test_primitive_is_the_triangle_that_was_hit():
    mesh = grid(np.random.default_rng(0).normal(size=(6, 6)), 1.0)
    centres = mesh.vertices.astype(float)[mesh.faces].mean(axis=1)
    hits = scene_of(one("hills", mesh, pose())).cast(
        centres + np.array([0, 0, 20]), np.repeat(DOWN, len(centres), axis=0)
    )
    np.testing.assert_array_equal(hits.primitive, np.arange(len(mesh.faces)))
    np.testing.assert_allclose(hits.points, centres, atol=2e-5)


def test_material_is_that_of_the_triangle():
    mesh = merge([box((1, 1, 1), materials=(ROCK,)), box((1, 1, 1), materials=(MOSS,)).moved(p=(3, 0, 0))])
    scene = scene_of(one("glass", plane(50.0, materials=(GLASS,)), pose((0, 0, -5))), one("two", mesh, pose()))
    hits = scene.cast([[0.1, 0.2, 9], [3.1, 0.2, 9], [8, 0, 9]], np.repeat(DOWN, 3, axis=0))
    assert [scene.materials.all[i].name for i in hits.material] == ["rock", "moss", "glass"]
    assert hits.labels == ["rock", "plant", "glass"]


@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
def test_instance_array_of_two_kinds_finds_each_instance(moving):
    k = 40
    rng = np.random.default_rng(4)
    kinds = rng.integers(0, 2, k)
    scale = rng.uniform(0.5, 2, k)
    p = np.stack([np.arange(k) * 10.0, rng.uniform(-3, 3, k), rng.uniform(-3, 3, k)], axis=1)
    meshes = (box((2, 2, 2), materials=(ROCK,)), cone(1.0, 1.0, materials=(MOSS,)))
    wood = Placement("wood", meshes, poses(p, rng.uniform(0, 6, k), scale), kinds)
    scene = scene_of(one("first", plane(4.0), pose((0, 0, -50))), wood, moving=moving)
    hits = scene.cast(p + np.array([0, 0, 30]), np.repeat(DOWN, k, axis=0))
    # Straight above the middle: the box's roof is 1 up, the cone's tip 1 up.
    np.testing.assert_allclose(hits.distance, 30 - scale, atol=1e-4)
    assert [scene.materials.all[i] for i in hits.material] == [(ROCK, MOSS)[i] for i in kinds]
    assert set(hits.names) == {"wood"}
    np.testing.assert_array_equal(hits.row - scene.objects["wood"].first_row, np.arange(k))


def test_nearest_of_static_and_moving_wins_either_way():
    scene = scene_of(one("wall", box((1, 1, 1)), pose((0, 0, 0))))
    scene.add(one("car", box((1, 1, 1)), pose((3, 0, 0))), moving=True)
    hits = scene.cast([[9, 0.1, 0.2], [-9, 0.1, 0.2]], [[-1.0, 0, 0], [1, 0, 0]])
    assert hits.names == ["car", "wall"]
    np.testing.assert_allclose(hits.distance, [5.5, 8.5], atol=1e-5)


@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
@pytest.mark.parametrize("case", CASES)
def test_ray_that_starts_inside_finds_the_back_face_and_says_so(case, moving):
    X = CASES[case]
    scene = scene_of(one("room", box((2, 2, 2)), X), moving=moving)
    directions = np.random.default_rng(5).normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    start = X @ [0.3, -0.2, 0.5, 1]
    hits = scene.cast(start, directions)
    inverse = np.linalg.inv(X[:, :3])
    distance, _, _ = slab(np.tile([0.3, -0.2, 0.5], (200, 1)), directions @ inverse.T, np.ones(3))
    assert hits.hit.all()
    assert hits.back.all()
    np.testing.assert_allclose(hits.distance, distance, atol=2e-5)
    assert (np.sum(hits.normal * directions, axis=1) > 0).all()


def test_directions_of_any_length_are_taken():
    scene = scene_of(one("ground", plane(10.0), pose()))
    for length in (1e-300, 1e-30, 1.0, 1e30, 1e300):
        hits = scene.cast([0.5, 0.25, 4.0], DOWN * length)
        assert hits.distance[0] == pytest.approx(4, abs=1e-5)


def test_range_ends_the_ray():
    scene = scene_of(one("ground", plane(10.0), pose()))
    assert not scene.cast([0, 0, 4.0], DOWN, max_range=3.99).hit[0]
    assert scene.cast([0, 0, 4.0], DOWN, max_range=4.01).hit[0]
    each = scene.cast([0.1, 0, 4.0], np.repeat(DOWN, 3, axis=0), max_range=np.array([3.0, 5.0, 1.0]))
    assert each.hit.tolist() == [False, True, False]


def test_range_of_each_ray_is_kept_when_the_batch_spans_cells():
    scene = scene_of(one("ground", plane(20_000.0), pose()))
    origins = np.array([[0, 0, 4.0], [3000, 10, 4], [0, 5, 4], [3000, 20, 4]])
    hits = scene.cast(origins, np.repeat(DOWN, 4, axis=0), max_range=np.array([3.0, 5.0, 5.0, 3.0]))
    assert hits.hit.tolist() == [False, True, True, False]


def test_no_rays_and_an_empty_scene_are_no_trouble():
    scene = Scene()
    assert len(scene.cast(np.empty((0, 3)), np.empty((0, 3)))) == 0
    assert scene.cast([0, 0, 1.0], DOWN).names == [None]
    assert scene.occluded([0, 0, 1.0], [0, 0, -1.0]).tolist() == [False]
    nearest, distance, number = scene.closest_point([[0, 0, 1.0]])
    assert np.isnan(nearest).all()
    assert distance.tolist() == [np.inf]
    assert number.tolist() == [-1]


@pytest.mark.parametrize("count", [1, 7, 8, 9, 15, 16, 17, 127, 128, 129, 1000])
def test_any_number_of_rays_fills_its_packets(count):
    scene = scene_of(one("ground", plane(100.0), pose()))
    height = np.linspace(1, 2, count)
    hits = scene.cast(np.stack([0.1 * height, height, height], axis=1), np.repeat(DOWN, count, axis=0))
    np.testing.assert_allclose(hits.distance, height, atol=1e-6)


# Watertight


@pytest.mark.parametrize("X", [pose(), pose((3, 1, 2), TURN), pose((0, 0, 0), None, (1, 2, 0.5))])
def test_rays_through_shared_edges_and_corners_never_slip_through(X):
    heights = np.random.default_rng(6).uniform(-0.2, 0.2, (21, 21))
    mesh = grid(heights, 1.0, (-10.0, -10.0))
    v = mesh.vertices.astype(float)
    inner = v[(np.abs(v[:, :2]) < 9.5).all(axis=1)]
    f = mesh.faces
    middles = np.concatenate([(v[f[:, a]] + v[f[:, b]]) / 2 for a, b in ((0, 1), (1, 2), (2, 0))])
    middles = middles[(np.abs(middles[:, :2]) < 9.4).all(axis=1)]
    targets = np.concatenate([inner, middles])
    targets = targets @ X[:, :3].T + X[:, 3]
    scene = scene_of(one("ground", mesh, X))
    normal = np.linalg.inv(X[:, :3]).T @ [0, 0, 1]
    normal /= np.linalg.norm(normal)
    for tilt in ([0, 0, 0], [0.3, 0.2, 0], [-0.11, 0.37, 0.05]):
        step = -(normal + tilt)
        hits = scene.cast(targets - 8 * step, np.tile(step, (len(targets), 1)))
        assert hits.hit.all()
        np.testing.assert_allclose(hits.distance, 8 * np.linalg.norm(step), atol=1e-3)


def test_rays_from_within_a_closed_mesh_never_get_out():
    ball = sphere(1.0, 24)
    scene = scene_of(one("ball", ball, pose((5, 5, 5), TURN)))
    v = ball.vertices.astype(float)
    a, b, c = (v[ball.faces[:, k]] for k in range(3))
    aims = np.concatenate([v, (a + b) / 2, (b + c) / 2, (c + a) / 2]) @ TURN.T
    hits = scene.cast([5.0, 5, 5], aims)
    assert hits.hit.all()
    assert hits.back.all()


# Groups and channels


def robot_scene():
    """A robot of nested shells on the ground, beside a wall."""
    scene = scene_of(one("ground", plane(100.0), pose()))
    for k in range(5):
        scene.add(one(f"uav1/shell{k}", sphere(0.2 + 0.1 * k, 16), pose((0, 0, 5))), moving=True, group="uav1")
    scene.add(one("uav2/body", box((1, 1, 1)), pose((4, 0, 5))), moving=True, group="uav2")
    return scene


def test_own_body_is_passed_through_also_where_surfaces_are_nested():
    scene = robot_scene()
    hits = scene.cast([0, 0, 5.0], [[0.01, 0.02, -1], [1, 0.01, 0.02], [0, 0, 1]], ignore="uav1")
    assert hits.names == ["ground", "uav2/body", None]
    assert not hits.back.any()
    np.testing.assert_allclose(hits.distance[:2], [5, 3.5], atol=0.01)


def test_own_body_in_front_of_the_sensor_is_passed_through():
    hits = robot_scene().cast([-3.0, 0.013, 5.017], [[1.0, 0, 0]], ignore="uav1")
    assert hits.names == ["uav2/body"]
    assert hits.distance[0] == pytest.approx(6.5, abs=1e-5)


def test_other_robots_and_unowned_sensors_see_the_body():
    scene = robot_scene()
    for ignore in (None, "uav2", "nobody"):
        hits = scene.cast([-3.0, 0.013, 5.017], [[1.0, 0, 0]], ignore=ignore)
        assert hits.names == ["uav1/shell4"]
    inside = scene.cast([0, 0, 5.0], [[0.01, 0.02, -1]])
    assert inside.names == ["uav1/shell0"]
    assert inside.back[0]


def test_ignored_robot_does_not_occlude_and_is_not_closest():
    scene = robot_scene()
    assert scene.occluded([0, 0, 5.0], [0, 0.1, 1.0]).tolist() == [True]
    assert scene.occluded([0, 0, 5.0], [0, 0.1, 1.0], ignore="uav1").tolist() == [False]
    assert scene.occluded([0, 0, 5.0], [0, 0.1, -1.0], ignore="uav1").tolist() == [True]
    assert scene.occluded([0, 0, 5.0], [9, 0.1, 5.0], ignore="uav1").tolist() == [True]
    _, distance, number = scene.closest_point([[0, 0, 5.0]], ignore="uav1")
    assert distance[0] == pytest.approx(3.5, abs=1e-5)
    assert scene.object_name(number[0]) == "uav2/body"


def test_owned_object_is_ignored_even_if_it_was_not_said_to_move():
    scene = scene_of(one("ground", plane(100.0), pose()))
    scene.add(one("base/mast", box((1, 1, 1)), pose((0, 0, 2))), group="base")
    assert scene.cast([0.1, 0.2, 5.0], DOWN, ignore="base").names == ["ground"]
    assert scene.cast([0.1, 0.2, 5.0], DOWN).names == ["base/mast"]


def test_another_robot_that_touches_the_own_body_is_seen():
    scene = Scene()
    scene.add(one("own", box((1, 1, 1)), pose((0, 0, 0.5))), moving=True, group="own")
    scene.add(one("carrier", box((4, 4, 1)), pose((0, 0, -0.5))), moving=True, group="carrier")
    hits = scene.cast([0.1, 0.2, 0.5], DOWN, ignore="own")
    assert hits.distance[0] == pytest.approx(0.5, abs=1e-5)
    assert not hits.back[0]


def test_channels_show_only_their_objects():
    scene = Scene()
    scene.define_channel("all")
    scene.define_channel("solid", ["ground", "rock*"])
    scene.define_channel("none", [])
    scene.add(one("ground", plane(100.0), pose()))
    scene.add(one("rock7", box((1, 1, 1)), pose((0, 0, 1))), moving=True)
    scene.add(one("leaf", box((1, 1, 1)), pose((0, 0, 4))), moving=True)
    start = [0.1, 0.2, 9.0]
    seen = {c: scene.cast(start, DOWN, channel=c).names[0] for c in (None, "all", "solid", "none")}
    assert seen == {None: "leaf", "all": "leaf", "solid": "rock7", "none": None}
    assert scene.occluded([0.1, 0.2, 9], [0.1, 0.2, 3.0], channel="solid").tolist() == [False]
    assert scene.occluded([0.1, 0.2, 9], [0.1, 0.2, 3.0]).tolist() == [True]
    _, distance, number = scene.closest_point([[0, 0, 4.0]], channel="solid")
    assert distance[0] == pytest.approx(2.5)
    assert scene.object_name(number[0]) == "rock7"


def test_an_object_in_no_channel_is_still_seen_without_one():
    scene = Scene()
    with pytest.raises(RayError, match="at most"):
        for i in range(40):
            scene.define_channel(f"c{i}", ["nothing"])
    scene.add(one("ground", plane(10.0), pose()))
    assert scene.cast([0, 0, 1.0], DOWN).hit[0]
    assert not scene.cast([0, 0, 1.0], DOWN, channel="c0").hit[0]


# Occlusion


def test_occluded_agrees_with_cast():
    scene = scene_of(one("a", sphere(1.0, 16), pose((1, 0, 0), TURN, (1, 2, 0.5))), one("b", cone(1.0, 2.0), pose()))
    scene.add(one("c", box((1, 1, 1)), pose((-1, 0, 1), TURN)), moving=True)
    origins, directions = rays(7, 800)
    length = np.random.default_rng(8).uniform(5, 15, 800)
    hits = scene.cast(origins, directions)
    clear = np.abs(hits.distance - length) > 1e-3
    expected = hits.distance < length
    found = scene.occluded(origins, origins + directions * length[:, None])
    np.testing.assert_array_equal(found[clear], expected[clear])
    assert 0.1 < expected.mean() < 0.9


def test_one_origin_sees_many_targets_and_many_see_one():
    scene = scene_of(one("wall", box((1, 4, 4)), pose()))
    there = [[5, 0, 0.1], [-2, 0, 0.1], [-5, 5, 0]]
    assert scene.occluded([-5, 0, 0], there).tolist() == [True, False, False]
    assert scene.occluded(there, [-5, 0, 0]).tolist() == [True, False, False]
    assert scene.occluded([-5, 0, 0], [5, 0, 0.1]).tolist() == [True]


def test_occlusion_works_where_the_batch_spans_cells():
    scene = scene_of(one("a", box((1, 4, 4)), pose()), one("b", box((1, 4, 4)), pose((5000, 0, 0))))
    origins = np.array([[-3, 0, 0.1], [4997, 0, 0.1], [4997, 9, 0.1], [-3, 9, 0.1]])
    assert scene.occluded(origins, origins + np.array([6, 0, 0])).tolist() == [True, True, False, False]


# Closest point


def brute_force(points, corners):
    """Distance [n] of points [n, 3] to triangles [m, 3, 3]: over the face where that is possible, else to an edge."""
    best = np.full(len(points), np.inf)
    for i in range(3):
        a, b = corners[:, i], corners[:, (i + 1) % 3]
        along = b - a
        t = np.einsum("nmk,mk->nm", points[:, None] - a, along) / np.sum(along * along, axis=1)
        feet = a + np.clip(t, 0, 1)[..., None] * along
        best = np.minimum(best, np.linalg.norm(points[:, None] - feet, axis=2).min(axis=1))
    a, b, c = np.moveaxis(corners, 1, 0)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    height = np.einsum("nmk,mk->nm", points[:, None] - a, normal)
    feet = points[:, None] - height[..., None] * normal
    over = np.ones(height.shape, bool)
    for u, v in ((a, b), (b, c), (c, a)):
        over &= np.einsum("nmk,mk->nm", np.cross(v - u, feet - u), normal) >= 0
    return np.minimum(best, np.where(over, np.abs(height), np.inf).min(axis=1))


def winding(points, corners):
    """Times the triangles go round each point, by solid angles (Van Oosterom and Strackee)."""
    a, b, c = np.moveaxis(corners[None] - points[:, None, None], 2, 0)
    la, lb, lc = (np.linalg.norm(x, axis=2) for x in (a, b, c))
    top = np.sum(a * np.cross(b, c), axis=2)
    dots = [np.sum(x * y, axis=2) for x, y in ((a, b), (b, c), (c, a))]
    return np.arctan2(top, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb).sum(axis=1) / (2 * np.pi)


def lump(seed, segments=14):
    """A closed, not convex, random mesh."""
    ball = sphere(1.0, segments)
    radius = np.random.default_rng(seed).uniform(0.4, 1.6, len(ball.vertices))
    return Mesh(ball.vertices * radius[:, None], ball.faces)


def corners_of(mesh, X):
    return mesh.vertices.astype(float)[mesh.faces] @ X[:, :3].T + X[:, 3]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
def test_closest_point_of_a_random_closed_mesh_agrees_with_brute_force(case, moving):
    mesh, X = lump(len(case)), CASES[case]
    scene = scene_of(one("lump", mesh, X), moving=moving)
    points = np.random.default_rng(9).uniform(-2.5, 2.5, (300, 3))
    nearest, distance, number = scene.closest_point(points)
    corners = corners_of(mesh, X)
    expected = brute_force(points, corners)
    np.testing.assert_allclose(np.abs(distance), expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(nearest - points, axis=1), expected, atol=1e-5)
    assert brute_force(nearest, corners).max() < 1e-5
    assert set(number) == {scene.objects["lump"].number}
    inside = np.abs(winding(points, corners)) > 0.5
    sure = expected > 1e-3
    np.testing.assert_array_equal((distance < 0)[sure], inside[sure])
    assert 5 < inside.sum() < 250


def test_closest_point_among_many_instances_agrees_with_brute_force():
    rng = np.random.default_rng(10)
    meshes = (lump(1, 8), box((1, 2, 1)))
    kinds = rng.integers(0, 2, 12)
    X = poses(rng.uniform(-6, 6, (12, 3)), rng.uniform(0, 6, 12), rng.uniform(0.5, 1.5, 12))
    X[3, :, :3] = TURN * [0.5, 1.0, 2.0]
    scene = scene_of(Placement("field", meshes, X, kinds), one("flat", plane(3.0), pose((0, 0, -7), TURN)))
    scene.add(one("car", meshes[0], pose((0, 0, 4), TURN, (1, -1, 2))), moving=True)
    parts = [corners_of(meshes[k], x) for k, x in zip(kinds, X, strict=True)]
    parts += [corners_of(plane(3.0), pose((0, 0, -7), TURN)), corners_of(meshes[0], pose((0, 0, 4), TURN, (1, -1, 2)))]
    points = rng.uniform(-8, 8, (400, 3))
    _, distance, number = scene.closest_point(points)
    each = np.stack([brute_force(points, part) for part in parts])
    np.testing.assert_allclose(np.abs(distance), each.min(axis=0), atol=1e-5)
    owner = np.array(["field"] * 12 + ["flat", "car"])[each.argmin(axis=0)]
    clear = np.diff(np.sort(each, axis=0)[:2], axis=0)[0] > 1e-4
    assert [scene.object_name(n) for n in number[clear]] == owner[clear].tolist()


def test_closest_point_on_an_open_mesh_has_no_inside():
    _, distance, _ = scene_of(one("ground", plane(10.0), pose())).closest_point([[0, 0, -2.0], [0, 0, 2.0]])
    np.testing.assert_allclose(distance, [2, 2])


def test_closest_point_beyond_the_reach_is_nothing():
    scene = scene_of(one("ball", box((2, 2, 2)), pose()))
    nearest, distance, number = scene.closest_point([[5, 0, 0.0], [2, 0, 0]], max_distance=2.0)
    assert distance.tolist() == [np.inf, 1.0]
    assert np.isnan(nearest[0]).all()
    assert number.tolist() == [-1, scene.objects["ball"].number]


@pytest.mark.parametrize("far", [0.0, 1e5, 1e6])
def test_closest_point_far_from_home_is_exact(far):
    base = np.array([far, -far, far / 100]) + 0.123456
    X = pose(base, TURN, 1.5)
    scene = scene_of(one("lump", lump(3), X))
    points = base + np.random.default_rng(11).uniform(-3, 3, (200, 3))
    _, distance, _ = scene.closest_point(points)
    expected = brute_force(points - base, corners_of(lump(3), pose((0, 0, 0), TURN, 1.5)))
    np.testing.assert_allclose(np.abs(distance), expected, atol=2e-4)


# Far from the origin


@pytest.mark.parametrize("far", [1e5, 1e6], ids=["100 km", "1000 km"])
@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
def test_range_far_from_home_is_right_to_two_millimetres(far, moving):
    base = np.array([far + 0.123456, -far - 0.654321, 1234.567891])
    scene = scene_of(one("box", box((2, 2, 2)), pose(base, TURN)), moving=moving)
    origins, directions = rays(12, 400, radius=60.0)
    hits = scene.cast(base + origins, directions)
    distance, _, met = slab(origins @ TURN, directions @ TURN, np.ones(3))
    at = np.sort(np.abs(origins @ TURN + (directions @ TURN) * np.where(met, distance, 0)[:, None]), axis=1)
    sure = met & (at[:, 1] < 0.99)
    assert sure.sum() > 50
    assert hits.hit[sure].all()
    np.testing.assert_allclose(hits.distance[sure], distance[sure], atol=2e-3)
    np.testing.assert_allclose(hits.points[sure], (base + origins + directions * distance[:, None])[sure], atol=2e-3)


@pytest.mark.parametrize("far", [0.0, 1e5, 1e6])
def test_batch_spread_over_many_cells_hits_each_thing_to_two_millimetres(far):
    rng = np.random.default_rng(13)
    p = far + rng.uniform(-4000, 4000, (200, 3)) * [1, 1, 0.02]
    scene = scene_of(Placement("posts", (box((2, 2, 2)),), poses(p)))
    lift = rng.uniform(5, 300, 200)
    hits = scene.cast(p + np.stack([0.1 + 0 * lift, 0.2 + 0 * lift, lift], axis=1), np.repeat(DOWN, 200, axis=0))
    order = hits.row - scene.objects["posts"].first_row
    own = order == np.arange(200)
    assert own.mean() > 0.95  # a few stand above one another
    np.testing.assert_allclose(hits.distance[own], (lift - 1)[own], atol=2e-3)
    assert len(scene._cells) > 20


@pytest.mark.parametrize("far", [0.0, 1e5, 1e6])
def test_rays_across_a_cell_border_do_not_jump(far):
    border = np.round(far / 1024) * 1024 + 512
    scene = scene_of(one("wall", box((1, 40, 40)), pose((border + 20.0, far, far))))
    starts = border + np.array([-5, -1e-3, -1e-6, 0, 1e-6, 1e-3, 5])
    origins = np.stack([starts, np.full(7, far + 0.5), np.full(7, far + 0.25)], axis=1)
    hits = scene.cast(origins, np.tile([1.0, 0, 0], (7, 1)))
    np.testing.assert_allclose(hits.distance, border + 19.5 - starts, atol=2e-3)
    back = scene.cast(origins + np.array([60, 0, 0]), np.tile([-1.0, 0, 0], (7, 1)))
    np.testing.assert_allclose(back.distance, starts + 60 - border - 20.5, atol=2e-3)


def test_range_of_a_kilometre_across_cells_is_right_to_two_millimetres():
    base = np.array([1e5 + 0.1, 1e5 + 0.2, 0.3])
    scene = scene_of(one("ball", sphere(3.0, 64), pose(base)))
    directions = np.random.default_rng(14).normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    near = scene.cast(base - 10 * directions, directions).distance.astype(float)
    far = scene.cast(base - 2000 * directions, directions).distance.astype(float)
    np.testing.assert_allclose(far - near, 1990, atol=2e-3)


def test_things_beyond_the_horizon_come_into_sight_when_they_move_near():
    scene = Scene(horizon=1000.0)
    item = scene.add(one("car", box((2, 2, 2)), pose((9000, 0, 0))), moving=True)
    assert not scene.cast([0, 0.1, 0.2], [[1.0, 0, 0]]).hit[0]
    item.move(pose((500, 0, 0)))
    assert scene.cast([0, 0.1, 0.2], [[1.0, 0, 0]]).distance[0] == pytest.approx(499)
    item.move(pose((9000, 0, 0)))
    assert not scene.cast([0, 0.1, 0.2], [[1.0, 0, 0]]).hit[0]
    assert scene.cast([8990, 0.1, 0.2], [[1.0, 0, 0]]).distance[0] == pytest.approx(9)


# Change


def test_moved_object_is_hit_where_it_is_now():
    scene = scene_of(one("ground", plane(100.0), pose()))
    car = scene.add(one("car", box((1, 1, 1)), pose((0, 0, 5))), moving=True)
    post = scene.add(one("post", box((1, 1, 1)), pose((9, 0, 5))))
    for height in (5.0, 3.0, 8.0):
        car.move(pose((0, 0, height)))
        post.move(pose((9, 0, height + 1), TURN))
        hits = scene.cast([[0.1, 0.2, 20], [9, 0, 20]], np.repeat(DOWN, 2, axis=0))
        assert hits.names == ["car", "post"]
        assert hits.distance[0] == pytest.approx(19.5 - height)
        assert scene.closest_point([[0, 0, height]])[1][0] == pytest.approx(-0.5)
    car.move(pose((50, 0, 5)))
    assert scene.cast([0.1, 0.2, 20], DOWN).names == ["ground"]


def test_instance_array_moves_as_a_whole():
    start = poses(np.array([[0, 0, 0], [10.0, 0, 0]]))
    scene = scene_of(Placement("pair", (box((1, 1, 1)),), start), moving=True)
    above = np.array([[0.1, 0.2, 9], [10.1, 0.2, 9], [20.1, 0.2, 9]])
    assert scene.cast(above, np.repeat(DOWN, 3, axis=0)).hit.tolist() == [True, True, False]
    scene.objects["pair"].move(poses(np.array([[10.0, 0, 1], [20.0, 0, 2]])))
    np.testing.assert_allclose(scene.cast(above, np.repeat(DOWN, 3, axis=0)).distance, [np.inf, 7.5, 6.5])


def test_removed_object_is_gone_from_every_question():
    scene = scene_of(one("ground", plane(100.0), pose()))
    scene.add(one("car", box((1, 1, 1)), pose((0, 0, 5))), moving=True)
    assert scene.cast([0.1, 0.2, 20], DOWN).names == ["car"]
    scene.remove("car")
    assert scene.cast([0.1, 0.2, 20], DOWN).names == ["ground"]
    assert scene.occluded([0.1, 0.2, 20], [0.1, 0.2, 1.0]).tolist() == [False]
    assert scene.closest_point([[0, 0, 5.0]])[1].tolist() == [5]


@pytest.mark.parametrize("moving", [False, True], ids=["static", "moving"])
def test_places_of_removed_objects_are_used_again_without_mixing_things_up(moving):
    rng = np.random.default_rng(15)
    scene = Scene()
    meshes = [box((1, 1, 1), materials=(ROCK,)), box((1, 1, 2), materials=(MOSS,)), cone(0.5, 1.5, materials=(GLASS,))]
    alive = {}
    for step in range(150):
        if alive and rng.random() < 0.45:
            name = rng.choice(sorted(alive))
            scene.remove(name)
            del alive[name]
        else:
            name, kind, count = f"t{step}", int(rng.integers(3)), int(rng.integers(1, 4))
            p = rng.uniform(-500, 500, (count, 3)) * [1, 1, 0.01]
            scene.add(Placement(name, (meshes[kind],), poses(p)), moving=moving)
            alive[name] = (kind, p)
        if step % 10 or not alive:
            continue
        names = [n for n, (_, p) in alive.items() for _ in p]
        tops = np.array([0.5, 1.0, 1.5])[[k for k, p in alive.values() for _ in p]]
        materials = [("rock", "moss", "glass")[k] for k, p in alive.values() for _ in p]
        p = np.concatenate([p for _, p in alive.values()])
        hits = scene.cast(p + np.array([0, 0, 40]), np.repeat(DOWN, len(p), axis=0))
        assert hits.names == names
        np.testing.assert_allclose(hits.distance, 40 - tops, atol=1e-4)
        assert [scene.materials.all[i].name for i in hits.material] == materials
    assert len(scene.rows.X) <= 512


def test_object_can_be_replaced_by_another_of_its_name_between_two_casts():
    scene = scene_of(one("thing", box((1, 1, 1)), pose()))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)
    scene.remove("thing")
    scene.add(one("thing", box((1, 1, 3)), pose()))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(7.5, abs=1e-5)
    scene.add(one("brief", box((9, 9, 9)), pose()))
    scene.remove("brief")
    assert scene.cast([0.1, 0.2, 9], DOWN).names == ["thing"]


def test_one_mesh_shown_by_many_objects_is_built_once():
    cube = box((1, 1, 1))
    scene = scene_of(*(one(f"b{i}", cube, pose((3 * i, 0, 0))) for i in range(5)))
    assert len(scene.meshes) == 1
    for i in range(4):
        scene.remove(f"b{i}")
    assert scene.cast([12.1, 0.2, 9], DOWN).names == ["b4"]


def test_deformed_mesh_is_hit_where_it_is_now():
    cube = box((1, 1, 1))
    scene = Scene()
    body = scene.add(one("body", cube, pose((0, 0, 1))), moving=True, deforms=True)
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(7.5, abs=1e-5)
    for scale in (3.0, 0.5, 2.0):
        body.deform(cube.vertices * np.float32(scale))
        assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8 - scale / 2)
        assert scene.closest_point([[0, 0, 1.0]])[1][0] == pytest.approx(-scale / 2)
        assert scene.cast([1.4, 0.2, 9], DOWN).hit[0] == (scale == 3.0)


def test_bad_vertices_leave_a_deforming_mesh_as_it_was():
    cube = box((1, 1, 1))
    scene = Scene()
    body = scene.add(one("body", cube, pose()), moving=True, deforms=True)
    for bad in (cube.vertices[:-1], np.full((8, 3), np.nan), [[0.0, 0, 0]]):
        with pytest.raises(GeometryError, match="'body': vertices must be finite, of shape"):
            body.deform(bad)
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)


def test_handle_of_a_removed_object_cannot_disturb_the_one_that_took_its_place():
    scene = Scene()
    old = scene.add(one("old", box((1, 1, 1)), pose()), moving=True, deforms=True)
    scene.remove("old")
    scene.add(one("new", box((1, 1, 1)), pose((5, 0, 0))), moving=True)
    with pytest.raises(GeometryError, match="'old' is no longer in the scene"):
        old.move(pose((5, 0, 3)))
    with pytest.raises(GeometryError, match="'old' is no longer in the scene"):
        old.deform(old.meshes[0].vertices)
    hits = scene.cast([[5.1, 0.2, 9], [0.1, 0.2, 9]], np.repeat(DOWN, 2, axis=0))
    assert hits.names == ["new", None]


# Threads and memory


@pytest.fixture
def threads():
    before = thread_count()
    yield set_threads
    set_threads(before)


def test_any_number_of_threads_gives_the_same_bytes(threads):
    scene = robot_scene()
    scene.add(Placement("wood", (lump(1), cone(0.5, 3.0)), poses(np.random.default_rng(16).uniform(-20, 20, (60, 3)))))
    origins, directions = rays(17, 5000, radius=15.0)
    origins[::7] += [2000, 0, 0]
    answers = []
    for count in (1, 2, 4, 2):
        threads(count)
        hits = scene.cast(origins, directions, ignore="uav1")
        parts = [hits.distance, hits.row, hits.primitive, hits.normal, hits.back]
        parts += [scene.occluded(origins, origins + 12 * directions), *scene.closest_point(origins[:500] / 4)]
        answers.append([np.ascontiguousarray(a).tobytes() for a in parts])
    assert answers[0] == answers[1] == answers[2] == answers[3]


@pytest.mark.parametrize("count", [0, -1, 10_000])
def test_impossible_number_of_threads_is_refused(count):
    with pytest.raises(RayError, match=f"threads = {count}: must be 1 to"):
        set_threads(count)


def test_ten_thousand_meshes_come_and_go_and_memory_stays_flat():
    scene = scene_of(one("ground", plane(1000.0), pose()))
    shape = sphere(1.0, 8)

    def pass_through(count):
        for start in range(0, count, 100):
            for i in range(100):
                mesh = Mesh(shape.vertices * (1 + i / 100), shape.faces)
                scene.add(one(f"m{i}", mesh, pose((3 * i, 0, 1))), moving=i % 2 == 0)
            hits = scene.cast([[3 * (start // 100 % 100) + 0.01, 0.02, 9]], DOWN)
            assert hits.names != ["ground"]
            scene.closest_point([[0, 0, 1.0]])
            for i in range(100):
                scene.remove(f"m{i}")
            scene.cast([0, 0, 9.0], DOWN)
        gc.collect()
        return psutil.Process().memory_info().rss

    before = pass_through(2000)
    after = pass_through(10_000)
    assert after - before < 12e6
    assert len(scene.meshes) == 1
    assert scene.meshes._ranges.end <= 256


def test_scenes_that_come_and_go_give_their_memory_back():
    ball = sphere(1.0, 64)

    def pass_through(count):
        for _ in range(count):
            scene_of(one("a", Mesh(ball.vertices, ball.faces), pose())).cast([0, 0, 9.0], DOWN)
        gc.collect()
        return psutil.Process().memory_info().rss

    before = pass_through(30)
    assert pass_through(150) - before < 12e6


def test_ranges_join_again_and_never_overlap():
    rng = np.random.default_rng(18)
    ranges, held = RowRanges(), {}
    for _ in range(2000):
        if held and rng.random() < 0.5:
            start = list(held)[rng.integers(len(held))]
            ranges.give(start, held.pop(start))
        else:
            count = int(rng.integers(1, 6))
            start = ranges.take(count)
            assert all(start + count <= s or s + c <= start for s, c in held.items())
            held[start] = count
    for start, count in held.items():
        ranges.give(start, count)
    end = ranges.end
    assert ranges.take(end) == 0
    assert ranges.end == end


# Errors


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_pose_that_is_not_finite_is_refused_and_the_object_stays(bad):
    with pytest.raises(GeometryError, match="'car': a pose is NaN or infinite"):
        one("car", box((1, 1, 1)), pose((0, bad, 0)))
    scene = scene_of(one("car", box((1, 1, 1)), pose()), moving=True)
    with pytest.raises(GeometryError, match="'car': a pose is NaN or infinite; the object stays where it was"):
        scene.objects["car"].move(pose((0, 0, bad)))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)


@pytest.mark.parametrize("scale", [0.0, (1, 0, 1)])
def test_pose_that_flattens_is_refused_and_the_object_stays(scale):
    with pytest.raises(GeometryError, match="'car': a pose has no volume"):
        one("car", box((1, 1, 1)), pose((0, 0, 0), None, scale))
    scene = scene_of(one("car", box((1, 1, 1)), pose()), moving=True)
    with pytest.raises(GeometryError, match="'car': a pose has no volume"):
        scene.objects["car"].move(pose((0, 0, 5), None, scale))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)
    np.testing.assert_array_equal(scene.objects["car"].X_WO[0], pose())


@pytest.mark.parametrize("shape", [(3, 3), (4,), (2, 3, 4), (1, 2, 4), (8, 4), (0, 3, 4)])
def test_pose_of_the_wrong_shape_is_refused_and_the_object_stays(shape):
    scene = scene_of(one("car", box((1, 1, 1)), pose()), moving=True)
    with pytest.raises(GeometryError, match="'car': poses have shape"):
        scene.objects["car"].move(np.ones(shape))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)


def test_pose_with_a_fourth_row_is_taken():
    whole = np.concatenate([pose((0, 0, 2)), [[0, 0, 0, 1.0]]])
    scene = scene_of(one("car", box((1, 1, 1)), whole), moving=True)
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(6.5, abs=1e-5)
    scene.objects["car"].move(np.concatenate([pose((0, 0, 3)), [[0, 0, 0, 1.0]]]))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(5.5, abs=1e-5)


@pytest.mark.parametrize("X", [np.ones((2, 4)), np.ones(12), np.empty((0, 3, 4)), np.ones((1, 5, 4))])
def test_placement_of_the_wrong_shape_is_refused(X):
    with pytest.raises(GeometryError, match="poses have shape"):
        one("car", box((1, 1, 1)), X)


@pytest.mark.parametrize("kinds", [[0], [0, 2], [0, -1], [[0, 1]]])
def test_kinds_that_do_not_fit_are_refused(kinds):
    with pytest.raises(GeometryError, match="kinds must be 2 indices of the 2 meshes"):
        Placement("a", (box((1, 1, 1)), plane(1.0)), poses(np.zeros((2, 3))), np.array(kinds))


def test_name_that_is_taken_is_refused():
    scene = scene_of(one("car", box((1, 1, 1)), pose()))
    with pytest.raises(GeometryError, match="already an object 'car'; remove it first"):
        scene.add(one("car", plane(1.0), pose()))
    assert scene.cast([0.1, 0.2, 9], DOWN).distance[0] == pytest.approx(8.5, abs=1e-5)


def test_unknown_names_get_a_did_you_mean():
    scene = scene_of(one("ground", plane(1.0), pose()))
    with pytest.raises(UnknownNameError, match="unknown object 'grund', did you mean 'ground'"):
        scene.remove("grund")
    with pytest.raises(UnknownNameError, match="unknown channel 'x'; known: none"):
        scene.cast([0, 0, 1.0], DOWN, channel="x")


def test_channel_defined_after_objects_is_refused():
    with pytest.raises(RayError, match="before objects are added"):
        scene_of(one("ground", plane(1.0), pose())).define_channel("late")


@pytest.mark.parametrize(
    "origins, directions, text",
    [
        ([np.nan, 0, 0], DOWN, "NaN or infinite"),
        ([0, 0, np.inf], DOWN, "NaN or infinite"),
        ([0, 0, 0], [[0, np.nan, 1]], "NaN or infinite"),
        ([0, 0, 0], [[0, 0, 1], [0, 0, 0]], "no length"),
        ([0, 0], DOWN, "shape"),
        ([0, 0, 0], [[1, 0]], "shape"),
        (np.zeros((2, 3)), np.ones((3, 3)), "2 origins for 3 directions"),
        (np.zeros((2, 2, 3)), DOWN, "shape"),
    ],
)
def test_bad_rays_are_refused(origins, directions, text):
    scene = scene_of(one("ground", plane(1.0), pose()))
    with pytest.raises(RayError, match=text):
        scene.cast(origins, directions)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf, 20_001.0, [1.0, 2.0], [1.0, -2.0, 3.0], []])
def test_bad_range_is_refused(bad):
    scene = scene_of(one("ground", plane(1.0), pose()))
    with pytest.raises(RayError, match="max_range must be above 0"):
        scene.cast([0, 0, 1.0], np.repeat(DOWN, 3, axis=0), max_range=bad)


@pytest.mark.parametrize(
    "origins, targets, text",
    [
        ([0, 0, np.nan], [[1, 0, 0]], "NaN"),
        ([0, 0, 0], [[1, 0, np.inf]], "NaN or infinite"),
        ([1, 0, 0], [[1, 0, 0]], "no length"),
        (np.zeros((2, 3)), np.ones((3, 3)), "2 origins for 3 targets"),
        ([0, 0], [[1, 0, 0]], "shape"),
    ],
)
def test_bad_lines_of_sight_are_refused(origins, targets, text):
    scene = scene_of(one("ground", plane(1.0), pose()))
    with pytest.raises(RayError, match=text):
        scene.occluded(origins, targets)


def test_bad_points_and_reach_are_refused():
    scene = scene_of(one("ground", plane(1.0), pose()))
    with pytest.raises(RayError, match="NaN or infinite"):
        scene.closest_point([[0, np.nan, 0]])
    with pytest.raises(RayError, match="shape"):
        scene.closest_point([[0, 0]])
    for reach in (np.nan, -1.0, 0.0):
        with pytest.raises(RayError, match="max_distance"):
            scene.closest_point([[0, 0, 1.0]], max_distance=reach)


@pytest.mark.parametrize("horizon", [0.0, -5.0, np.nan, np.inf])
def test_bad_horizon_is_refused(horizon):
    with pytest.raises(RayError, match="horizon"):
        Scene(horizon=horizon)


def test_negative_number_of_building_threads_is_refused():
    with pytest.raises(RayError, match="threads = -1"):
        Scene(build_threads=-1)


# The Embree library


@pytest.fixture
def fresh_library(monkeypatch):
    """Forget the library and the device that are loaded, before and after."""
    monkeypatch.setattr(embree, "_devices", {})
    embree.load.cache_clear()
    yield
    embree.load.cache_clear()


def test_absent_embreex_is_told_in_one_sentence(fresh_library, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LibraryError, match="'embreex' is not installed: rays cannot be cast; run: pip install embreex"):
        Scene()


def test_package_without_a_library_is_told(fresh_library, monkeypatch, tmp_path):
    origin = SimpleNamespace(origin=str(tmp_path / "embreex" / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: origin)
    with pytest.raises(LibraryError, match="no Embree 4 library in the package 'embreex'"):
        Scene()


def test_library_that_cannot_be_loaded_is_told(fresh_library, monkeypatch, tmp_path):
    for name in ("libembree4.so.4", "libtbb.so.12"):
        (tmp_path / name).write_bytes(b"not a library")
    origin = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: origin)
    with pytest.raises(LibraryError, match=r"cannot be loaded .* reinstall the package 'embreex'"):
        Scene()


def test_library_that_lacks_a_function_is_told(fresh_library, monkeypatch):
    tbb, _ = embree._wheel_libraries()
    monkeypatch.setattr(embree, "_wheel_libraries", lambda: (tbb, tbb))
    with pytest.raises(LibraryError, match="lacks 'rtcNewDevice'; run: pip install embreex"):
        Scene()


def test_library_works_again_after_it_was_missing(fresh_library, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LibraryError):
        Scene()
    monkeypatch.undo()
    assert scene_of(one("ground", plane(1.0), pose())).cast([0, 0, 1.0], DOWN).hit[0]


def test_what_embree_cannot_take_is_told():
    device = embree.shared_device()
    triangle = np.eye(3, dtype=np.float32), np.array([[0, 1, 2]], np.uint32)
    with pytest.raises(ValueError, match="faces: a corner is no vertex"):
        TriangleScene(device, triangle[0], triangle[1] + 1, robust=False, deforms=False)
    scene = TriangleScene(device, *triangle, robust=False, deforms=False)
    with pytest.raises(ValueError, match="vertices: has 2 rows; expected 3"):
        scene.deform(triangle[0][:2])
    with pytest.raises(ValueError, match="kinds: there is no such scene"):
        InstanceGeometry(device, [scene], np.ones(1, np.int32), np.eye(3, 4, dtype=np.float32)[None], 1)
    top = TopScene(device)
    with pytest.raises(ValueError, match="slot: is free"):
        top.detach(3)
