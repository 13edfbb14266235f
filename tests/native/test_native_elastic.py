"""The border of the elastic kernels: what does not fit is refused by name."""

import numpy as np
import pytest

from volery import _native
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.mujoco.library import library_path
from volery.robots.library import load_robot_file

AIRCRAFT = load_robot_file("elaha").aircraft


@pytest.fixture(scope="module")
def craft() -> ElasticAircraft:
    return ElasticAircraft(AIRCRAFT)


def flight(craft: ElasticAircraft, strips: np.ndarray, library: str | None = None) -> _native.elastic.Flight:
    frame = craft.frame
    return _native.elastic.Flight(frame.model, frame.data, library or library_path(), strips, frame.parts, 1.0, True)


def test_tables_that_do_not_fit_the_strips_are_named(craft: ElasticAircraft):
    parts = list(craft._parts)
    parts[1] = parts[1][:-1].copy()
    with pytest.raises(ValueError, match=r"^air: has"):
        _native.elastic.run(*parts, 1, 0.002, 0.0)
    parts = list(craft._parts)
    parts[3] = np.zeros(0)
    with pytest.raises(ValueError, match=r"^flaps"):
        _native.elastic.run(*parts, 1, 0.002, 0.0)
    parts = list(craft._parts)
    parts[2] = np.zeros(3)
    with pytest.raises(TypeError, match=r"^discs: expected rows of the fields"):
        _native.elastic.run(*parts, 1, 0.002, 0.0)


def test_numbers_outside_the_model_are_refused(craft: ElasticAircraft):
    for field, said in (("body", "a body that the model does not have"), ("part", "a part that there is not")):
        strips = craft.frame.strips.copy()
        strips[field][0] = 1000
        with pytest.raises(ValueError, match=said):
            flight(craft, strips)


def test_a_library_that_is_none_is_refused(craft: ElasticAircraft):
    with pytest.raises(ValueError, match="is no MuJoCo library"):
        flight(craft, craft.frame.strips, "/nowhere/libmujoco.so")


def test_a_flight_keeps_the_records_of_mujoco_alive():
    lone = ElasticAircraft(AIRCRAFT)
    parts = lone._parts
    del lone
    assert _native.elastic.run(*parts, 3, 0.002, 0.0)
