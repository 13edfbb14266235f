"""The border of the kernels of robots' poses."""

import numpy as np
import pytest

from volery import _native
from volery.robots.kinematics import compose, turned


def test_poses_compose_in_place_and_in_any_layout():
    rng = np.random.default_rng(2)
    A, B = rng.normal(size=(3, 4)), np.asfortranarray(rng.normal(size=(3, 4)))
    expected = A[:, :3] @ B
    expected[:, 3] += A[:, 3]
    out = np.empty((3, 4))
    compose(A, B, out)
    assert out == pytest.approx(expected, abs=1e-14)
    compose(A, B, A)
    assert (A == out).all()


def test_a_turn_is_found_up_to_half_a_turn():
    for angle in (0.0, 1e-9, 0.4, 3.0):
        c, s = np.cos(angle), np.sin(angle)
        X = np.array([[c, -s, 0.0, 5.0], [s, c, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0]])
        assert turned(np.eye(3, 4), X) == pytest.approx([0.0, 0.0, angle], abs=1e-12)


def test_children_before_parents_and_bones_that_are_not_there_are_refused():
    poses = np.tile(np.eye(3, 4), (2, 1, 1))
    joints = np.zeros(0, _native.robots.Joint)
    root = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="parents come before"):
        _native.robots.body_poses(*root, np.array([-1, 1], np.int32), poses, joints, np.zeros(0), poses, poses.copy())
    with pytest.raises(ValueError, match="positions: has 1 rows"):
        _native.robots.body_poses(*root, np.array([-1, 0], np.int32), poses, joints, np.zeros(1), poses, poses.copy())
    rest, bones = np.zeros((1, 3), np.float32), np.array([[0, 2, 0, 0]], np.int32)
    with pytest.raises(ValueError, match="a body that there is not"):
        _native.robots.skin_vertices(rest, bones, np.zeros((1, 4)), poses, poses, rest.copy())
