"""Rotations and other people's frames: published vectors, group axioms, round trips, gimbal lock."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from volery.core import frames as f

check = settings(deadline=None, database=None, derandomize=True, max_examples=150)

angles = st.floats(-np.pi, np.pi)
vectors = arrays(np.float64, 3, elements=st.floats(-1e4, 1e4))
rpys = st.tuples(angles, st.floats(-np.pi / 2, np.pi / 2), angles).map(np.array)


@st.composite
def quats(draw):
    q = draw(arrays(np.float64, 4, elements=st.floats(-1, 1)).filter(lambda a: np.linalg.norm(a) > 1e-3))
    return q / np.linalg.norm(q)


def same_rotation(a, b, tolerance=1e-9):
    return np.abs(f.matrix_from_quat(a) - f.matrix_from_quat(b)).max() < tolerance


def axis_matrix(axis, angle):
    """A turn about one coordinate axis, written out by hand."""
    c, s = np.cos(angle), np.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def unreal_matrix(pitch, yaw, roll):
    """FRotationMatrix of Unreal Engine: its rows are the images of the axes."""
    (sp, sy, sr), (cp, cy, cr) = np.sin(np.radians([pitch, yaw, roll])), np.cos(np.radians([pitch, yaw, roll]))
    return np.array(
        [
            [cp * cy, cp * sy, sp],
            [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp],
            [-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp],
        ]
    )


# Published vectors


def test_mavros_vector_enu_to_ned():
    assert f.ned_from_enu([1, 2, 3]).tolist() == [2, 1, -3]
    assert f.enu_from_ned([2, 1, -3]).tolist() == [1, 2, 3]


def test_mavros_vector_flu_to_frd():
    assert f.frd_from_flu([1, 2, 3]).tolist() == [1, -2, -3]
    assert f.flu_from_frd([1, -2, -3]).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "enu_yaw, ned_yaw",
    [(0, 90), (90, 0), (180, -90), (-90, 180), (45, 45), (30, 60)],
    ids=["east", "north", "west", "south", "north-east", "30 deg north of east"],
)
def test_heading_counts_clockwise_from_north_in_ned(enu_yaw, ned_yaw):
    q = f.q_ned_frd_from_enu_flu(f.quat_from_euler(np.radians([0, 0, enu_yaw])))
    assert same_rotation(q, f.quat_from_euler(np.radians([0, 0, ned_yaw])))


def test_level_body_facing_north_is_the_identity_in_ned():
    q = f.q_ned_frd_from_enu_flu(f.quat_from_euler([0, 0, np.pi / 2]))
    np.testing.assert_allclose(q, [1, 0, 0, 0], atol=1e-12)


def test_nose_up_is_positive_pitch_in_ned_and_negative_in_enu():
    nose_up = f.quat_from_euler(np.radians([0, -20, 90]))
    assert f.quat_rotate(nose_up, [1, 0, 0])[2] > 0
    np.testing.assert_allclose(np.degrees(f.euler_from_quat(f.q_ned_frd_from_enu_flu(nose_up))), [0, 20, 0], atol=1e-9)


def test_right_side_down_is_positive_roll_in_both():
    banked = f.quat_from_euler(np.radians([15, 0, 90]))
    assert f.quat_rotate(banked, [0, -1, 0])[2] < 0
    np.testing.assert_allclose(np.degrees(f.euler_from_quat(f.q_ned_frd_from_enu_flu(banked))), [15, 0, 0], atol=1e-9)


@given(quats(), vectors)
@check
def test_ned_attitude_turns_the_same_vectors(q, v_B):
    in_ned = f.quat_rotate(f.q_ned_frd_from_enu_flu(q), f.frd_from_flu(v_B))
    np.testing.assert_allclose(in_ned, f.ned_from_enu(f.quat_rotate(q, v_B)), atol=1e-7)


@given(*[st.floats(-180, 180)] * 3)
@check
def test_rotator_agrees_with_unreals_rotation_matrix(pitch, yaw, roll):
    mirror = np.diag([1.0, -1.0, 1.0])
    expected = mirror @ unreal_matrix(pitch, yaw, roll).T @ mirror
    np.testing.assert_allclose(f.matrix_from_quat(f.quat_from_rotator([pitch, yaw, roll])), expected, atol=1e-12)


def test_unreal_positions_are_left_handed_centimetres():
    assert f.unreal_from_enu([1, 2, 3]).tolist() == [100, -200, 300]
    assert f.enu_from_unreal([100, -200, 300]).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "rpy, rotator",
    [((0, -30, 0), (30, 0, 0)), ((0, 0, 40), (0, -40, 0)), ((25, 0, 0), (0, 0, 25))],
    ids=["nose up is positive pitch", "left turn is negative yaw", "right side down is positive roll"],
)
def test_rotator_signs(rpy, rotator):
    np.testing.assert_allclose(f.rotator_from_quat(f.quat_from_euler(np.radians(rpy))), rotator, atol=1e-9)


# Round trips


@given(vectors)
@check
def test_vectors_survive_every_frame_and_back(v):
    np.testing.assert_array_equal(f.enu_from_ned(f.ned_from_enu(v)), v)
    np.testing.assert_array_equal(f.flu_from_frd(f.frd_from_flu(v)), v)
    np.testing.assert_allclose(f.enu_from_unreal(f.unreal_from_enu(v)), v, rtol=1e-15)


@given(quats())
@check
def test_attitudes_survive_every_frame_and_back(q):
    assert same_rotation(f.q_enu_flu_from_ned_frd(f.q_ned_frd_from_enu_flu(q)), q)
    assert same_rotation(f.q_ned_frd_from_enu_flu(f.q_enu_flu_from_ned_frd(q)), q)
    assert same_rotation(f.quat_from_rotator(f.rotator_from_quat(q)), q, 5e-6)
    assert same_rotation(f.quat_from_euler(f.euler_from_quat(q)), q, 5e-6)
    assert same_rotation(f.quat_from_matrix(f.matrix_from_quat(q)), q)


@given(rpys.filter(lambda rpy: abs(rpy[1]) < np.pi / 2 - 1e-2))
@check
def test_euler_angles_survive_away_from_gimbal_lock(rpy):
    turn = (f.euler_from_quat(f.quat_from_euler(rpy)) - rpy + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(turn, 0, atol=1e-9)


@given(rpys)
@check
def test_euler_order_is_yaw_then_pitch_then_roll(rpy):
    R = axis_matrix("z", rpy[2]) @ axis_matrix("y", rpy[1]) @ axis_matrix("x", rpy[0])
    np.testing.assert_allclose(f.matrix_from_quat(f.quat_from_euler(rpy)), R, atol=1e-12)


@given(st.sampled_from("xyz"), angles)
@check
def test_axis_angle_agrees_with_matrices_written_by_hand(axis, angle):
    vector = 7.0 * np.eye(3)["xyz".index(axis)]
    R = f.matrix_from_quat(f.quat_from_axis_angle(vector, angle))
    np.testing.assert_allclose(R, axis_matrix(axis, angle), atol=1e-12)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 1)])
def test_matrix_of_a_half_turn_gives_its_quaternion_back(axis):
    q = f.quat_from_axis_angle(np.array(axis, float), np.pi)
    found = f.quat_from_matrix(f.matrix_from_quat(q))
    assert np.isfinite(found).all()
    assert same_rotation(found, q)


# Gimbal lock


@given(angles, angles, st.sampled_from([-1, 1]))
@check
def test_at_gimbal_lock_roll_is_zero_and_the_rotation_is_kept(roll, yaw, sign):
    q = f.quat_from_euler([roll, sign * np.pi / 2, yaw])
    found = f.euler_from_quat(q)
    assert found[0] == 0
    assert found[1] == pytest.approx(sign * np.pi / 2, abs=1e-5)
    assert same_rotation(f.quat_from_euler(found), q, 5e-6)


@given(angles, angles, st.floats(-8, -1), st.sampled_from([-1, 1]))
@check
def test_close_to_gimbal_lock_the_rotation_is_kept(roll, yaw, power, sign):
    q = f.quat_from_euler([roll, sign * (np.pi / 2 - 10**power), yaw])
    found = f.euler_from_quat(q)
    assert np.isfinite(found).all()
    assert same_rotation(f.quat_from_euler(found), q, 5e-6)


def test_rotator_straight_up_keeps_its_rotation():
    up = f.quat_from_rotator([90, 35, 10])
    np.testing.assert_allclose(f.quat_rotate(up, [1, 0, 0]), [0, 0, 1], atol=1e-12)
    assert same_rotation(f.quat_from_rotator(f.rotator_from_quat(up)), up, 5e-6)


# Group axioms


@given(quats(), quats(), quats())
@check
def test_multiplication_is_associative(a, b, c):
    left = f.quat_multiply(f.quat_multiply(a, b), c)
    np.testing.assert_allclose(left, f.quat_multiply(a, f.quat_multiply(b, c)), atol=1e-12)


@given(quats())
@check
def test_conjugate_is_the_inverse_and_one_is_neutral(q):
    one = np.array([1.0, 0, 0, 0])
    np.testing.assert_allclose(f.quat_multiply(q, f.quat_conjugate(q)), one, atol=1e-12)
    np.testing.assert_array_equal(f.quat_multiply(one, q), q)
    np.testing.assert_array_equal(f.quat_multiply(q, one), q)


@given(quats(), quats(), vectors)
@check
def test_product_turns_first_by_the_right_then_by_the_left(a, b, v):
    twice = f.quat_rotate(a, f.quat_rotate(b, v))
    np.testing.assert_allclose(f.quat_rotate(f.quat_multiply(a, b), v), twice, atol=1e-7)
    np.testing.assert_allclose(f.matrix_from_quat(a) @ f.matrix_from_quat(b) @ v, twice, atol=1e-7)


@given(quats())
@check
def test_matrices_are_rotations(q):
    R = f.matrix_from_quat(q)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1)


@given(quats(), st.floats(1e-3, 1e3))
@check
def test_a_rotation_has_one_name(q, scale):
    named = f.quat_normalise(q * scale)
    assert np.linalg.norm(named) == pytest.approx(1)
    assert named[0] >= 0
    np.testing.assert_allclose(f.quat_normalise(-q * scale), named, atol=1e-12)


@pytest.mark.parametrize("q", [(0, 1, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1), (0, -0.6, 0.8, 0)])
def test_a_half_turn_has_one_name_too(q):
    np.testing.assert_array_equal(f.quat_normalise(q), f.quat_normalise(-np.array(q, float)))


# Batches


def test_every_function_gives_for_a_batch_what_it_gives_one_by_one():
    rng = np.random.default_rng(3)
    q = f.quat_normalise(rng.normal(size=(4, 5, 4)))
    p = f.quat_normalise(rng.normal(size=(4, 5, 4)))
    v = rng.normal(size=(4, 5, 3))
    for function, arguments in [
        (f.quat_multiply, (q, p)),
        (f.quat_rotate, (q, v)),
        (f.quat_from_axis_angle, (v, v[..., 0])),
        (f.quat_from_euler, (v,)),
        (f.euler_from_quat, (q,)),
        (f.matrix_from_quat, (q,)),
        (f.quat_from_matrix, (f.matrix_from_quat(q),)),
        (f.transform, (q, v)),
        (f.q_ned_frd_from_enu_flu, (q,)),
        (f.rotator_from_quat, (q,)),
        (f.quat_from_rotator, (v,)),
    ]:
        whole = function(*arguments)
        for i, j in [(0, 0), (3, 4), (2, 1)]:
            np.testing.assert_allclose(whole[i, j], function(*[a[i, j] for a in arguments]), atol=1e-14)


def test_one_quaternion_turns_many_vectors_and_many_turn_one():
    q = f.quat_from_axis_angle([0, 0, 1], np.array([0, np.pi / 2]))
    np.testing.assert_allclose(f.quat_rotate(q, [1, 0, 0]), [[1, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(f.quat_rotate(q[1], [[1, 0, 0], [0, 1, 0]]), [[0, 1, 0], [-1, 0, 0]], atol=1e-12)


def test_transform_stacks_rotation_and_place():
    X = f.transform(f.quat_from_axis_angle([0, 0, 1], np.pi / 2), [1, 2, 3])
    np.testing.assert_allclose(X @ [1, 0, 0, 1], [1, 3, 3], atol=1e-12)
