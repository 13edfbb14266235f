"""The native core's kernels of worlds: what they say of arguments that do not fit, and what they keep from."""

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
    ],
)
def test_what_does_not_fit_is_named(name, call):
    with pytest.raises((TypeError, ValueError), match=f"^{name}"):
        call()


def drips(count):
    return np.empty(count, generate.Drip)
