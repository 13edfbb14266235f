"""Turbulence in single flights: in each, every octave from 0.01 to 20 Hz holds what the specification says of it."""

from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

from volery.world.turbulence import scales, spectra
from volery.world.wind import Wind

SPEED, RATE, SECONDS = 24.5, 128, 1800
"""[m/s], [Hz], [s]. 128 Hz, so that eddies too small for 20 Hz do not fold down to it."""
EDGES = 0.01 * 2.0 ** np.arange(12)
"""Eleven octaves [Hz]."""
HEIGHTS = (100.0, 800.0, 20_000.0)
HANN = 35 / 18
"""A Hann window's neighbouring bins are not independent: variance of their sum over that of independent ones."""
RIPPLE = 0.02
"""What the field itself may deviate in an octave: each size is twice the one before."""
ODDS = 1e-6
"""That one right octave is called wrong."""


def flight(wind: Wind, height: float, heading: float, seconds: int = SECONDS) -> np.ndarray:
    """The air met along, across and above a straight way through it [n, 3] [m/s]."""
    e, n = np.array([np.cos(heading), np.sin(heading), 0.0]), np.array([-np.sin(heading), np.cos(heading), 0.0])
    way = np.arange(seconds * RATE)[:, None] * (SPEED / RATE) * e + [1234.5, -987.6, height]
    v = wind.velocity(way, 0)
    return np.column_stack([v @ e, v @ n, v[:, 2]])


def density(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz] and one-sided densities [m²/s²/Hz]."""
    window = np.hanning(len(v))[:, None]
    power = np.abs(np.fft.rfft(v * window, axis=0)) ** 2 * 2 / (RATE * (window**2).sum())
    return np.fft.rfftfreq(len(v), 1 / RATE), power


def octaves(found: np.ndarray, f: np.ndarray, height: float, spectrum: str) -> tuple[np.ndarray, np.ndarray]:
    """Found energies over the specification's, and degrees of freedom of that estimate, each [octave, component]."""
    sigma, scale = (a[0] for a in scales(height, "severe", spectrum))
    k = 2 * np.pi * f / SPEED
    along, across = spectra(k, sigma[0], scale[0], spectrum)
    right = np.column_stack([along, across, spectra(k, sigma[1], scale[1], spectrum)[1]]) * 2 * np.pi / SPEED
    bands = [(f >= a) & (f < b) for a, b in pairwise(EDGES)]
    ratio = np.array([found[band].sum(axis=0) / right[band].sum(axis=0) for band in bands])
    freedom = [2 / HANN * right[band].sum(axis=0) ** 2 / (right[band] ** 2).sum(axis=0) for band in bands]
    return ratio, np.array(freedom)


def chi_square(share: float, freedom: np.ndarray) -> np.ndarray:
    """Quantile of χ² over its degrees of freedom, after Wilson and Hilferty."""
    a = 2 / (9 * freedom)
    return (1 - a + NormalDist().inv_cdf(share) * np.sqrt(a)) ** 3


def misses(height: float, seed: int, spectrum: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Octaves of one flight outside of their bands, all ratios, and degrees of freedom."""
    wind = Wind(turbulence="severe", seed=seed, **({} if spectrum == "dryden" else {"spectrum": spectrum}))
    f, found = density(flight(wind, height, 0.7 * seed))
    ratio, freedom = octaves(found, f, height, spectrum)
    low = chi_square(ODDS / 2, freedom) * (1 - RIPPLE)
    high = chi_square(1 - ODDS / 2, freedom) * (1 + RIPPLE)
    out = [
        f"{spectrum} at {height:g} m, seed {seed}: {'uvw'[c]} from {EDGES[o]:.2f} Hz is {ratio[o, c]:.3f} of what is "
        f"right, not within {low[o, c]:.3f} to {high[o, c]:.3f}"
        for o, c in np.argwhere((ratio < low) | (ratio > high))
    ]
    return out, ratio, freedom


def hold(seeds: range, spectrum: str, height: float) -> None:
    flights = [misses(height, seed, spectrum) for seed in seeds]
    wrong = [line for flight, _, _ in flights for line in flight]
    assert not wrong, "\n".join(wrong)
    mean = np.mean([ratio for _, ratio, _ in flights], axis=0)
    # 10 %, or where so few waves pass that sixteen flights scatter more, five deviations of their mean
    bound = np.maximum(0.1, 5 * np.sqrt(2 / (len(flights) * flights[0][2])))
    assert (np.abs(mean - 1) < bound).all(), np.round(mean, 3)


@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize(("spectrum", "seeds"), [("dryden", range(2)), ("von_karman", range(2, 3))])
def test_every_octave_of_every_flight_holds(spectrum, seeds, height):
    hold(seeds, spectrum, height)


@pytest.mark.slow
@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("spectrum", ["dryden", "von_karman"])
def test_every_octave_of_sixteen_flights_holds(spectrum, height):
    hold(range(16), spectrum, height)
