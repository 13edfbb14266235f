"""The native core's kernels of worlds: what they say of arguments that do not fit, and what they keep from."""

from itertools import pairwise

import numpy as np
import pytest

from volery import _native

generate = _native.generate


def capsule():
    made = np.zeros(1, generate.CaveCapsule)
    made["a"], made["b"] = (0, 0, 0), (5, 0, 0)
    made["r_a"] = made["r_b"] = 2.0
    made["width"] = 1.25
    return made


def field(low=-20.0, high=20.0):
    return generate.cave_field(capsule(), np.full(3, low), np.full(3, high), 3)


def test_rays_in_a_tunnel_meet_its_walls_and_end_without_any():
    assert 0.8 < generate.cave_cast(field(), np.zeros(3), np.array([0.0, 1.0, 0.0])) < 3.0
    assert generate.cave_cast(field(), np.full(3, np.nan), np.array([0.0, 1.0, 0.0])) == 0.0, "nothing is free there"


def test_lattice_points_outside_of_the_box_are_rock():
    line = np.array([-1e300, -21.0, 0.0, 21.0, np.nan])
    sampled = generate.cave_sample(field(), line, line, np.array([0.0]), 0.5)
    assert sampled[2, 2, 0] > 0
    assert np.count_nonzero(sampled > -generate.BAND) == 1


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("capsules", lambda: generate.cave_field(np.zeros((1, 9)), np.zeros(3), np.ones(3), 1)),
        ("high", lambda: field(1.0, -1.0)),
        ("high", lambda: field(-1e9, 1e9)),
        ("cases", lambda: generate.march(np.zeros((4, 4, 4)), np.full((256, 16), 24, np.int8), 1.0)),
        ("rays", lambda: generate.find_drips(field(), np.zeros((2, 3)), np.ones(1, int), 1, 0.0, drips(9))),
        ("out", lambda: generate.find_drips(field(), np.zeros((2, 3)), np.ones(2, int), 1, 9.0, drips(0))),
        ("y", lambda: generate.nearest_sites(np.zeros(2), np.zeros(1), *[np.zeros(1)] * 3, np.zeros(2))),
        ("faces", lambda: generate.piece_areas(np.zeros((3, 3), np.float32), np.array([[0, 1, 3]], np.uint32))),
        ("faces", lambda: thin(np.zeros((2, 3), np.float32), np.array([[0, 1, 0]], np.uint32), 1.0)),
        ("radii", lambda: generate.wood_tubes(np.zeros((1, 2, 3)), np.zeros((2, 2, 1)), np.zeros((3, 2)))),
        ("points", lambda: generate.wood_tubes(np.zeros((1, 1, 3)), np.zeros((1, 1, 1)), np.zeros((3, 2)))),
    ],
)
def test_what_does_not_fit_is_named(name, call):
    with pytest.raises((TypeError, ValueError), match=f"^{name}"):
        call()


def leaves(count):
    """Flat leaves in a row, each a unit square of four corners."""
    square = np.array([[0, 0, 0], [0.5, 0.5, 0], [1, 0, 0], [0.5, -0.5, 0]], np.float32)
    vertices = np.concatenate([square + (2 * i, 0, 0) for i in range(count)]).astype(np.float32)
    faces = (4 * np.arange(count)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3).astype(np.uint32)
    return vertices, faces


def thin(vertices, faces, share, growth=1.0, stoutness=1.0, spindles=False):
    normals = np.tile(np.float32([0, 0, 1]), (len(vertices), 1))
    materials = (np.arange(len(faces)) // 2 % 200).astype(np.uint8)
    return generate.thin_pieces(vertices, faces, normals, materials, share, growth, stoutness, spindles)


def areas(vertices, faces):
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def test_leaves_that_stay_are_the_same_at_every_level_and_grow_round_their_middle():
    vertices, faces = leaves(160)
    assert generate.piece_areas(vertices, faces) == pytest.approx(np.full(160, 0.5))
    kept = []
    for level in range(1, 5):
        growth = 2.0 ** (0.5 * level)
        v, f, n, materials = thin(vertices, faces, 0.5**level, growth)
        assert len(f) == len(materials) == pytest.approx(160 / 2**level, abs=2)
        assert np.allclose(n, (0, 0, 1))
        assert areas(v, f) == pytest.approx(0.5 * (1.07 * growth) ** 2, rel=1e-5)
        kept.append(set(materials.tolist()))
    assert all(coarse <= fine for fine, coarse in pairwise(kept))


def test_twigs_keep_their_length_and_get_thicker():
    points = np.array([[[0, 0, 0], [0, 0, 1], [0, 0, 2.0]]])
    a = np.arange(6) * (np.pi / 3)
    corners = np.stack([np.cos(a), np.sin(a)], axis=1)
    v, f, n = generate.wood_tubes(points, np.full((1, 3, 1), 0.01), corners)
    assert np.linalg.norm(v[:, :2], axis=1) == pytest.approx(np.full(18, 0.01), rel=1e-5)
    outward = np.einsum("ij,ij->i", np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]]), n[f[:, 0]])
    assert np.all(outward > 0)
    thick, _, _, _ = generate.thin_pieces(v, f, n, np.zeros(len(f), np.uint8), 1.0, 1.0, 3.0, False)
    assert thick[:, 2] == pytest.approx(v[:, 2], abs=1e-6)
    assert np.linalg.norm(thick[:, :2], axis=1) == pytest.approx(np.full(18, 0.03), rel=0.04)
    spindle, one, _, _ = generate.thin_pieces(v, f, n, np.zeros(len(f), np.uint8), 1.0, 1.0, 1.0, True)
    assert len(one) == 1 and np.ptp(spindle[:, 2]) == pytest.approx(2.0, rel=0.02)


def drips(count):
    return np.empty(count, generate.Drip)
