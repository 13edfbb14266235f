"""Noise and hashes: smooth everywhere, also far away and below zero, and without pattern."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core.noise import fractal2, fractal3, hash_cell, perlin2, perlin3, uniform_cell

check = settings(deadline=None, database=None, derandomize=True, max_examples=200)
places = st.floats(-1e5, 1e5)
seeds = st.integers(-(2**62), 2**62)


@given(places, places, seeds)
@check
def test_perlin2_is_continuous_and_within_its_range(x, y, seed):
    here = perlin2(x, y, seed)
    assert abs(here) <= 0.71
    for dx, dy in [(1e-5, 0), (0, 1e-5), (-1e-5, 1e-5)]:
        assert abs(perlin2(x + dx, y + dy, seed) - here) < 1e-4


@given(places, places, places, seeds)
@check
def test_perlin3_is_continuous_and_within_its_range(x, y, z, seed):
    here = perlin3(x, y, z, seed)
    assert abs(here) <= 1
    for d in 1e-5 * np.eye(3):
        assert abs(perlin3(x + d[0], y + d[1], z + d[2], seed) - here) < 1e-4


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), seeds)
@check
def test_noise_is_continuous_across_the_lines_of_its_grid(i, j, seed):
    assert abs(perlin2(i - 1e-9, j + 0.3, seed) - perlin2(i + 1e-9, j + 0.3, seed)) < 1e-7
    assert abs(perlin3(i + 0.4, j - 1e-9, 0.3, seed) - perlin3(i + 0.4, j + 1e-9, 0.3, seed)) < 1e-7
    assert perlin2(i, j, seed) == 0
    assert perlin3(i, j, -i, seed) == 0


@pytest.mark.parametrize("shift", [0.0, -5000.0, 1e5, -1e5, 1e6])
def test_slope_far_away_is_as_smooth_as_at_home(shift):
    x = shift + np.linspace(0, 8, 4001)
    values = fractal2(x, x * 0.5, seed=3, octaves=4)
    steps = np.abs(np.diff(values))
    assert steps.max() < 0.02
    # About (1 + 2 + 4 + 8) · 10 · 1.25 · 0.002² for four octaves; places rounded to single precision exceed it.
    assert np.abs(np.diff(values, 2)).max() < 7.5e-4
    assert np.ptp(values) > 0.2


@pytest.mark.parametrize("centre", [0.0, -3e4, 1e5])
def test_mean_is_near_zero_and_the_range_is_used(centre):
    rng = np.random.default_rng(0)
    p = centre + rng.uniform(-2000, 2000, (3, 40_000))
    flat, deep = fractal2(p[0], p[1], seed=1, octaves=1), fractal3(*p, seed=1, octaves=1)
    assert abs(flat.mean()) < 0.01
    assert abs(deep.mean()) < 0.01
    assert flat.max() > 0.55
    assert flat.min() < -0.55
    assert deep.max() > 0.6
    assert deep.min() < -0.6


def test_different_seeds_give_unlike_worlds():
    x, y, z = np.random.default_rng(1).uniform(-500, 500, (3, 20_000))
    for a, b in [(0, 1), (5, -5), (2**40, 2**40 + 8)]:
        assert abs(np.corrcoef(fractal2(x, y, a), fractal2(x, y, b))[0, 1]) < 0.05
        assert abs(np.corrcoef(fractal3(x, y, z, a), fractal3(x, y, z, b))[0, 1]) < 0.05


def test_negative_places_are_no_mirror_of_positive_ones():
    x, y = np.random.default_rng(2).uniform(1, 500, (2, 20_000))
    for sign in [(-1, 1), (1, -1), (-1, -1)]:
        other = fractal2(sign[0] * x, sign[1] * y, 7)
        assert abs(np.corrcoef(fractal2(x, y, 7), other)[0, 1]) < 0.05


def test_a_value_belongs_to_its_place_alone():
    x, y = np.random.default_rng(3).uniform(-1e5, 1e5, (2, 1000))
    whole = fractal2(x, y, 11, 3, 0.01)
    np.testing.assert_array_equal(fractal2(x[::-1], y[::-1], 11, 3, 0.01)[::-1], whole)
    assert fractal2(x[5], y[5], 11, 3, 0.01) == whole[5]


def test_fractal_adds_octaves_of_half_weight_and_double_frequency():
    x, y, z = 12.3, -4.56, 7.89
    flat = sum(0.5**o * perlin2(x * 0.3 * 2**o, y * 0.3 * 2**o, 9 + o) for o in range(3))
    deep = sum(0.5**o * perlin3(x * 0.3 * 2**o, y * 0.3 * 2**o, z * 0.3 * 2**o, 9 + o) for o in range(3))
    assert float(fractal2(x, y, 9, 3, 0.3)) == pytest.approx(flat, abs=1e-12)
    assert float(fractal3(x, y, z, 9, 3, 0.3)) == pytest.approx(deep, abs=1e-12)


def test_shapes_are_broadcast():
    assert fractal2(np.zeros((4, 1)), np.zeros(5), 0).shape == (4, 5)
    assert fractal3(np.zeros((4, 1)), np.zeros(5), 0.5, 0).shape == (4, 5)


# Hashes


def cells(count):
    return [(i, j, k) for i in range(-count, count) for j in range(-count, count) for k in (-1, 0, 1)]


def test_hash_bits_are_each_set_half_of_the_time():
    bits = np.array([hash_cell(5, *c) for c in cells(40)], np.uint64)
    share = [(bits >> np.uint64(b) & np.uint64(1)).mean() for b in range(64)]
    assert np.abs(np.array(share) - 0.5).max() < 0.02


def test_uniform_numbers_fill_every_bin_alike():
    values = np.array([uniform_cell(1, *c) for c in cells(40)])
    assert values.min() >= 0
    assert values.max() < 1
    counts = np.histogram(values, 50, (0, 1))[0]
    expected = len(values) / 50
    assert np.sum((counts - expected) ** 2 / expected) < 85.4  # chi squared of 49 at 0.1 %


def test_neighbouring_cells_and_seeds_are_uncorrelated():
    a = np.array([uniform_cell(1, *c) for c in cells(40)])
    for moved in [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]:
        b = np.array([uniform_cell(1 + moved[3], c[0] + moved[0], c[1] + moved[1], c[2] + moved[2]) for c in cells(40)])
        assert abs(np.corrcoef(a, b)[0, 1]) < 0.03


def test_one_bit_of_the_input_changes_half_of_the_output():
    changed = []
    for bit in range(0, 60, 3):
        for slot in range(4):
            a = [9, 1000, -77, 5]
            b = list(a)
            b[slot] ^= 1 << bit
            changed.append(bin(int(hash_cell(*a)) ^ int(hash_cell(*b))).count("1"))
    assert 30 < np.mean(changed) < 34
    assert min(changed) > 12


def test_no_two_cells_share_a_hash():
    assert len({int(hash_cell(0, *c)) for c in cells(40)}) == len(cells(40))
