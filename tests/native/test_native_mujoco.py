"""Kernels between the halves of MuJoCo's step, against closed forms, and what they refuse."""

import mujoco
import numpy as np
import pytest

from volery import _native
from volery.physics.mujoco.library import library_path

_BALL = "<body pos='0 0 5'><freejoint/><geom size='.1' mass='2'/></body>"
_NONE = np.zeros(0, _native.mujoco.DraggedBody), np.zeros(0, _native.mujoco.PushedBody)


def made(xml: str, size: str = "") -> tuple[mujoco.MjModel, mujoco.MjData, _native.mujoco.Step]:
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{size}<worldbody>{xml}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    return model, data, _native.mujoco.Step(model, data, library_path())


def test_a_step_in_halves_is_mujocos_own():
    _, data, step = made(_BALL)
    model, other, _ = made(_BALL)
    for _ in range(50):
        _native.mujoco.begin(step)
        _native.mujoco.push(step, *_NONE, 0.002)
        assert _native.mujoco.finish(step)
        mujoco.mj_step(model, other)
    assert (data.qpos == other.qpos).all() and data.qpos[2] < 5.0


def test_a_fall_ends_at_the_speed_where_drag_is_the_weight():
    model, data, step = made(_BALL)
    dragged = np.zeros(1, _native.mujoco.DraggedBody)
    dragged["body"], dragged["areas"], dragged["density"] = 1, 0.05, 1.2
    for _ in range(5000):
        _native.mujoco.begin(step)
        _native.mujoco.push(step, dragged, _NONE[1], model.opt.timestep)
        _native.mujoco.finish(step)
    assert data.qvel[2] == pytest.approx(-np.sqrt(2 * 2 * 9.81 / (1.2 * 0.05)), rel=1e-3)


def test_a_push_beside_the_centre_of_mass_turns():
    _, data, step = made("<body><freejoint/><geom size='.1' mass='2' pos='0 .5 0'/></body>")
    pushed = np.zeros(1, _native.mujoco.PushedBody)
    pushed["body"], pushed["force_W"], pushed["torque_W"] = 1, (3.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    _native.mujoco.begin(step)
    _native.mujoco.push(step, _NONE[0], pushed, 0.002)
    assert data.xfrc_applied[1] == pytest.approx([3.0, 0.0, 0.0, 0.0, 0.0, 1.0 + 0.5 * 3.0])


def test_motion_that_blew_up_is_told_of():
    _, data, step = made(_BALL)
    _native.mujoco.begin(step)
    data.qvel[0] = 1e7
    assert not _native.mujoco.finish(step)
    for qpos, qvel, right in (([1.0], [np.nan], False), ([np.inf], [0.0], False), ([1e8], [9e5], True)):
        assert _native.mujoco.sound(np.array(qpos), np.array(qvel)) is right


def test_an_error_of_mujoco_is_an_exception_and_the_process_goes_on():
    chain = "<body pos='0 0 .1'><joint axis='0 1 0'/><geom size='.05'/>" * 40 + "</body>" * 40
    model, data, step = made(chain, "<size memory='8K'/>")
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"MuJoCo: .*out of memory"):
            _native.mujoco.begin(step)
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_step1(model, data)


def test_what_the_model_does_not_have_is_refused():
    _, _, step = made(_BALL)
    for name, rows in (("dragged", _NONE[0]), ("pushed", _NONE[1])):
        other = np.zeros(1, rows.dtype)
        other["body"] = 7
        both = (other, _NONE[1]) if name == "dragged" else (_NONE[0], other)
        with pytest.raises(ValueError, match=f"{name}: a body"):
            _native.mujoco.push(step, *both, 0.002)
    with pytest.raises(ValueError, match="no free joint"):
        _native.mujoco.Span(step, 1, 1, 4, 0, *(np.zeros(0, np.int64) for _ in range(3)))
    with pytest.raises(ValueError, match="joint_q: has 0 rows"):
        _native.mujoco.Span(step, 1, 1, 0, 0, np.zeros(1, np.int64), *(np.zeros(0, np.int64) for _ in range(2)))
    flying = np.zeros(1, _native.mujoco.FlyingBody)
    flying["body"], flying["v"] = 1, 1
    with pytest.raises(ValueError, match="flying"):
        _native.mujoco.push_flying(step, flying, np.zeros((1, 6)))
    with pytest.raises(TypeError, match="dragged: expected rows of the fields areas"):
        _native.mujoco.push(step, np.zeros(3), _NONE[1], 0.002)


def test_a_step_keeps_model_and_data_alive():
    step = made(_BALL)[2]
    for _ in range(10):
        _native.mujoco.begin(step)
        assert _native.mujoco.finish(step)
