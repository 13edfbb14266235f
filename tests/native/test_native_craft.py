"""The border of the kernels of crafts: what does not fit is refused by name."""

import numpy as np
import pytest

from volery import _native
from volery.physics.craft.thrust import fan_table, vane_table
from volery.robots.kinds.craft import Craft, Fan, Vanes

DUCT = Craft((Fan(40.0, 0.18, vanes=Vanes()),))
GAINS = np.zeros(1, _native.craft.Gains)


def test_fans_and_vanes_must_belong_together():
    vanes = vane_table(DUCT)
    vanes["fan"][3] = 1
    with pytest.raises(ValueError, match="vanes: a fan that the craft does not have"):
        _native.craft.Craft(GAINS, fan_table(DUCT), vanes)
    with pytest.raises(ValueError, match="fans: a craft has 1 to 8"):
        _native.craft.Craft(GAINS, np.zeros(9, _native.craft.Fan), vane_table(DUCT))
    with pytest.raises(TypeError, match="gains: expected rows of the fields mass"):
        _native.craft.Craft(fan_table(DUCT), fan_table(DUCT), vane_table(DUCT))


def test_arrays_of_a_flight_must_fit_and_are_not_copied():
    craft = _native.craft.Craft(GAINS, fan_table(DUCT), vane_table(DUCT))
    names = ("Reference", "Memory", "FanState", "Tool", "Tip", "Felt")
    reference, memory, fans, tool, tip, felt = (np.zeros(1, getattr(_native.craft, n)) for n in names)
    flight = _native.craft.Flight(craft, reference, memory, fans, np.zeros(8), tool, tip, felt)
    assert flight.level == _native.craft.Level.FLY
    flight.level = _native.craft.Level.GIVE
    assert flight.level == _native.craft.Level.GIVE
    with pytest.raises(ValueError, match="angles: has 7 rows"):
        _native.craft.Flight(craft, reference, memory, fans, np.zeros(7), tool, tip, felt)
    with pytest.raises(TypeError, match="tip: expected rows of the fields anchor_W"):
        _native.craft.Flight(craft, reference, memory, fans, np.zeros(8), tool, tool, felt)


def test_angles_that_are_no_numbers_give_no_lift():
    assert _native.craft.coefficients(float("nan"))[0] == 0.0
