"""The native core's kernels of the page: closed forms, and what they say of meshes that are broken."""

import numpy as np
import pytest

from volery import _native

viewer = _native.viewer

TRIANGLE = np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 0]], np.float32)
FACE = np.array([[0, 1, 2]], np.uint32)


def test_places_that_are_the_same_are_one():
    assert viewer.weld(TRIANGLE).tolist() == [0, 1, 2, 0]
    assert viewer.areas(TRIANGLE, FACE).tolist() == [3.0]
    assert viewer.components(FACE, 4).tolist() == [0, 0, 0, 3]


def test_two_triangles_of_a_square_have_their_rim_round_it():
    out = np.zeros(5, bool)
    viewer.rims(np.array([[0, 1, 2], [0, 2, 3], [0, 2, 4]], np.uint32), out)
    assert out.all()
    closed = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], np.uint32)
    viewer.rims(closed, out)
    assert not out.any()


def test_vertices_without_a_place_become_a_cluster_like_others():
    broken = np.array([[0, 0, 0], [np.nan, 0, 0], [np.inf, 1e38, 0]], np.float32)
    clusters, count = viewer.cluster(broken, FACE, np.zeros(3, bool), np.zeros(3, np.float32), 0.5)
    assert count == clusters.max() + 1 <= 3


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("faces", lambda wrong: viewer.areas(TRIANGLE, wrong)),
        ("faces", lambda wrong: viewer.components(wrong, 4)),
        ("faces", lambda wrong: viewer.rims(wrong, np.zeros(4, bool))),
        ("faces", lambda wrong: viewer.crease_normals(TRIANGLE, wrong, viewer.weld(TRIANGLE), 0.8)),
        ("faces", lambda wrong: viewer.coarse_faces(wrong, np.zeros(4, np.int32))),
        ("corners", lambda wrong: viewer.blend(wrong.ravel(), np.zeros((1, 3)), 4)),
        ("corners", lambda wrong: viewer.part(wrong.ravel(), np.zeros(3, np.int64), 4)),
    ],
)
def test_faces_that_name_no_vertex_are_refused(name, call):
    with pytest.raises(ValueError, match=f"^{name}"):
        call(np.array([[0, 1, 4]], np.uint32))
    with pytest.raises(ValueError, match=f"^{name}"):
        call(np.array([[0, 1, 2**32 - 1]], np.uint32))


def test_clusters_beyond_the_count_are_refused():
    with pytest.raises(ValueError, match=r"^clusters"):
        viewer.means(np.zeros((2, 3)), np.array([0, 2], np.int32), 2)
    with pytest.raises(ValueError, match=r"^clusters"):
        viewer.solve_clusters(
            TRIANGLE, FACE, np.array([0, 1, -1, 0], np.int32), np.zeros((2, 3)), np.zeros(2, bool), 1.0
        )
