"""Meshes: closed primitives of the right volume that face outward, merging, and bad meshes refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core.geometry import Mesh, box, capsule, cone, cylinder, ellipsoid, grid, merge, plane, sphere
from volery.core.material import DEFAULT, Material
from volery.errors import GeometryError

check = settings(deadline=None, database=None, derandomize=True, max_examples=40)
lengths = st.floats(0.01, 100)

ROCK, MOSS, BARK = Material("rock"), Material("moss"), Material("bark")


def volume(mesh):
    """Signed: positive where the faces are counter-clockwise seen from outside."""
    a, b, c = np.moveaxis(mesh.vertices.astype(np.float64)[mesh.faces], 1, 0)
    return float(np.sum(a * np.cross(b, c)) / 6)


def face_normals(mesh):
    a, b, c = np.moveaxis(mesh.vertices.astype(np.float64)[mesh.faces], 1, 0)
    return np.cross(b - a, c - a)


def ring_share(segments):
    """Area of a regular polygon over that of its circle."""
    return segments * np.sin(2 * np.pi / segments) / (2 * np.pi)


SOLIDS = {
    "box": (box((2, 3, 4)), 24.0, 1e-6),
    "cylinder": (cylinder(1.5, 4.0, 48), np.pi * 1.5**2 * 4 * ring_share(48), 1e-5),
    "cone": (cone(1.5, 4.0, 48), np.pi * 1.5**2 * 4 / 3 * ring_share(48), 1e-5),
    "sphere": (sphere(2.0, 128), 4 / 3 * np.pi * 8, 2e-3),
    "ellipsoid": (ellipsoid((1, 2, 3), 128), 4 / 3 * np.pi * 6, 2e-3),
    "capsule": (capsule(0.5, 2.0, 128), np.pi * 0.25 * 2 + 4 / 3 * np.pi * 0.125, 2e-3),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solid_is_closed_and_has_its_volume_with_faces_outward(name):
    mesh, expected, tolerance = SOLIDS[name]
    assert mesh.closed
    assert mesh.name == name
    assert volume(mesh) == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("name", SOLIDS)
def test_every_face_of_a_convex_solid_looks_away_from_its_middle(name):
    mesh = SOLIDS[name][0]
    middle = mesh.vertices.astype(np.float64).mean(axis=0)
    centres = mesh.vertices.astype(np.float64)[mesh.faces].mean(axis=1)
    assert (np.sum(face_normals(mesh) * (centres - middle), axis=1) > 0).all()


@given(lengths, lengths, lengths)
@check
def test_box_of_any_size_has_its_volume_and_bounds(x, y, z):
    mesh = box((x, y, z))
    assert mesh.closed
    assert volume(mesh) == pytest.approx(x * y * z, rel=1e-5)
    np.testing.assert_allclose(mesh.bounds, [[-x / 2, -y / 2, -z / 2], [x / 2, y / 2, z / 2]], rtol=1e-6)


@given(st.integers(3, 40), lengths, lengths)
@check
def test_round_solids_of_any_number_of_segments_are_closed(segments, radius, height):
    for mesh in (cylinder(radius, height, segments), cone(radius, height, segments)):
        assert mesh.closed
        assert volume(mesh) > 0
    if segments >= 4:
        for mesh in (sphere(radius, segments), capsule(radius, height, segments)):
            assert mesh.closed
            assert volume(mesh) > 0


def test_solids_stand_where_their_words_say():
    np.testing.assert_allclose(SOLIDS["cone"][0].bounds[:, 2], [0, 4])
    np.testing.assert_allclose(SOLIDS["cylinder"][0].bounds[:, 2], [-2, 2])
    np.testing.assert_allclose(SOLIDS["capsule"][0].bounds[:, 2], [-1.5, 1.5])
    np.testing.assert_allclose(SOLIDS["ellipsoid"][0].bounds[1], [1, 2, 3], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(SOLIDS["sphere"][0].vertices, axis=1), 2, rtol=1e-6)


def test_plane_and_grid_are_open_and_face_up():
    hills = grid(np.random.default_rng(0).normal(size=(5, 7)), 0.5, (10.0, -3.0))
    for mesh in (plane(10.0), hills):
        assert not mesh.closed
        assert (face_normals(mesh)[:, 2] > 0).all()
    np.testing.assert_allclose(hills.bounds[:, :2], [[10, -3], [12, 0]])
    assert len(hills.faces) == 4 * 6 * 2


def test_grid_puts_heights_where_they_belong():
    heights = np.arange(6.0).reshape(2, 3)
    mesh = grid(heights, 2.0, (1.0, 5.0))
    for i in range(2):
        for j in range(3):
            corner = np.array([1 + 2 * i, 5 + 2 * j, heights[i, j]], np.float32)
            assert (mesh.vertices == corner).all(axis=1).any()


def test_mesh_with_a_hole_or_a_flipped_face_is_not_closed():
    cube = box((1, 1, 1))
    assert not Mesh(cube.vertices, cube.faces[:-1]).closed
    flipped = cube.faces.copy()
    flipped[3] = flipped[3, ::-1]
    assert not Mesh(cube.vertices, flipped).closed
    assert not Mesh(cube.vertices, np.concatenate([cube.faces, cube.faces[:1]])).closed


def test_closed_does_not_mind_doubled_corners_and_faces_without_area():
    cube = box((1, 1, 1))
    torn = Mesh(cube.vertices[cube.faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert torn.closed
    assert Mesh(cube.vertices, np.concatenate([cube.faces, [[0, 0, 1]]])).closed


# Moving and merging


def test_moved_scales_then_turns_then_shifts():
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    mesh = box((1, 1, 1)).moved(turn, (10, 0, 0), (2, 4, 6))
    np.testing.assert_allclose(mesh.bounds, [[8, -1, -3], [12, 1, 3]], atol=1e-6)
    assert volume(mesh) == pytest.approx(48)


@pytest.mark.parametrize("scale", [-1.0, (-1, 1, 1), (1, -2, 1), (-1, -1, 1), (-1, -2, -3)])
def test_mirrored_mesh_still_faces_outward(scale):
    assert volume(box((1, 2, 3)).moved(scale=scale)) == pytest.approx(6 * abs(np.prod(np.broadcast_to(scale, 3))))


def test_mesh_mirrored_by_its_matrix_still_faces_outward():
    assert volume(box((1, 2, 3)).moved(np.diag([1.0, -1, 1]))) == pytest.approx(6)


@pytest.mark.parametrize("scale", [2.0, (1, 2, 3), (-1, 2, 1)])
def test_smooth_normals_follow_when_a_mesh_is_moved(scale):
    ball = sphere(1.0, 16)
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    smooth = Mesh(ball.vertices, ball.faces, normals=ball.vertices).moved(turn, (5, 0, 0), scale)
    np.testing.assert_allclose(np.linalg.norm(smooth.normals, axis=1), 1, rtol=1e-5)
    flat = face_normals(smooth) / np.linalg.norm(face_normals(smooth), axis=1, keepdims=True)
    assert (np.sum(flat * smooth.normals[smooth.faces[:, 0]], axis=1) > 0.5).all()


def test_merge_keeps_the_material_of_every_face():
    rocks = box((1, 1, 1), materials=(ROCK,))
    half = np.arange(12) % 2
    mixed = box((2, 2, 2), materials=(MOSS, ROCK), face_material=half)
    whole = merge([rocks, mixed.moved(p=(5, 0, 0)), box((1, 1, 1), materials=(BARK,))])
    names = [whole.materials[i].name for i in whole.face_material]
    assert names == ["rock"] * 12 + [["moss", "rock"][i] for i in half] + ["bark"] * 12
    assert [m.name for m in whole.materials] == ["rock", "moss", "bark"]
    assert volume(whole) == pytest.approx(1 + 8 + 1, rel=1e-5)


def test_merge_keeps_smooth_normals_only_if_all_have_them():
    ball = sphere(1.0, 8)
    smooth = Mesh(ball.vertices, ball.faces, normals=ball.vertices)
    assert merge([smooth, smooth]).normals.shape == (2 * len(ball.vertices), 3)
    assert merge([smooth, ball]).normals is None


def test_merge_of_robust_and_quick_is_robust():
    assert merge([box((1, 1, 1), robust=False), box((1, 1, 1))]).robust
    assert not merge([box((1, 1, 1), robust=False)] * 2).robust


def test_merge_of_nothing_and_of_too_many_materials_is_refused():
    with pytest.raises(GeometryError, match="nothing to merge"):
        merge([])
    with pytest.raises(GeometryError, match="256 materials"):
        merge([box((1, 1, 1), materials=(Material(f"m{i}"),)) for i in range(300)])


def test_of_changes_the_material_and_keeps_the_triangles():
    cube = box((1, 1, 1))
    assert cube.materials == (DEFAULT,)
    assert cube.of(ROCK).materials == (ROCK,)
    np.testing.assert_array_equal(cube.of(ROCK).faces, cube.faces)


# Bad meshes

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    "vertices, faces, text",
    [
        ([], [[0, 1, 2]], "vertices have shape"),
        (np.zeros((3, 2)), [[0, 1, 2]], "vertices have shape"),
        (TRIANGLE, [], "faces have shape"),
        (TRIANGLE, np.zeros((0, 3), int), "faces have shape"),
        (TRIANGLE, [[0, 1]], "faces have shape"),
        (TRIANGLE, [[0, 1, 3]], "names vertex 3, but there are 3"),
        (TRIANGLE, [[0, 1, -1]], "names vertex -1, but there are 3"),
        ([[0, 0, np.nan], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "NaN or infinite"),
        ([[0, 0, np.inf], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "NaN or infinite"),
        (TRIANGLE, [[0, 1, 1.5]], "whole numbers"),
        (TRIANGLE, [[0, 1, np.nan]], "whole numbers"),
    ],
)
def test_bad_mesh_is_refused_with_its_name(vertices, faces, text):
    with pytest.raises(GeometryError, match=text) as caught:
        Mesh(vertices, faces, name="hut")
    assert "mesh 'hut'" in str(caught.value)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_vertex_too_large_for_single_precision_is_refused():
    with pytest.raises(GeometryError, match="NaN or infinite"):
        Mesh([[0, 0, 1e39], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


@pytest.mark.parametrize("index", [[0, 1], [2] * 12, [[0] * 12], np.full(12, 255)])
def test_face_materials_that_do_not_fit_are_refused(index):
    with pytest.raises(GeometryError, match="face_material must hold 12 indices below 2"):
        box((1, 1, 1), materials=(ROCK, MOSS), face_material=index)


def test_negative_face_material_is_refused():
    with pytest.raises(GeometryError, match="face_material must hold 12 indices"):
        box((1, 1, 1), materials=(ROCK, MOSS), face_material=[-1] * 12)


def test_normals_that_do_not_fit_are_refused():
    with pytest.raises(GeometryError, match="normals"):
        Mesh(TRIANGLE, [[0, 1, 2]], normals=np.ones((2, 3)))


def test_lists_and_doubles_become_the_arrays_that_kernels_take():
    mesh = Mesh(np.asfortranarray(TRIANGLE, np.float64), [[0, 1, 2]])
    assert mesh.vertices.flags.c_contiguous
    assert mesh.vertices.dtype == np.float32
    assert mesh.faces.dtype == np.uint32
