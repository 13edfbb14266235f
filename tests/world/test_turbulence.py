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


SPAN = 20.0
"""Of the wing that feels the gradients [m]."""
STRIPS = np.linspace(-9.0, 9.0, 10)
"""Across it [m]."""
EDGE = np.pi / (4 * SPAN)
"""Where the specification's gradients end [rad/m]: 0.15 Hz here."""


def rolling(k: np.ndarray, sigma: float, scale: float, spectrum: str) -> np.ndarray:
    """Exact spectrum of Σ y·w / Σ y² over the strips in isotropic air, one-sided, at wave numbers along the flight."""
    power, length = (5 / 2, scale) if spectrum == "dryden" else (7 / 3, 1.339 * scale)
    aside = np.geomspace(1e-6, 1e2, 4000)[:, None]
    gain = (STRIPS * np.sin(aside * STRIPS)).sum(axis=1, keepdims=True) / (STRIPS**2).sum()
    x = (k**2 + aside**2) * length**2
    plane = x * (1 + x) ** -power
    share = np.trapezoid(plane * gain**2, aside, axis=0) / np.trapezoid(plane, aside, axis=0)
    return spectra(k, sigma, scale, spectrum)[1] * share


def specified(k: np.ndarray, sigma: float, scale: float, spectrum: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Spectra of p, q and r of MIL-F-8785C."""
    across = spectra(k, sigma, scale, spectrum)[1]
    p = sigma**2 / scale * 0.8 * (np.pi * scale / (4 * SPAN)) ** (1 / 3) / (1 + (k / EDGE) ** 2)
    return p, k**2 * across / (1 + (k / EDGE) ** 2), k**2 * across / (1 + (0.75 * k / EDGE) ** 2)


@pytest.mark.parametrize("spectrum", ["dryden", "von_karman"])
def test_gradients_over_the_span_are_those_of_isotropic_air_and_of_the_specification(spectrum):
    """Roll rates of gusts are exact, and in the specification's band near its formula, which is a fit for any spectrum.
    Pitch and yaw rates are slopes of w and v along the way."""
    wind, rate, far = Wind(turbulence="severe", spectrum=spectrum, seed=5), 64, 1.0
    way = np.arange(SECONDS // 2 * rate) * (SPEED / rate)
    line = np.column_stack([way, 0 * way, 0 * way + 800.0])
    w = np.column_stack([wind.velocity(line + [0, y, 0], 0)[:, 2] for y in STRIPS])
    slope = (wind.velocity(line + [far, 0, 0], 0) - wind.velocity(line - [far, 0, 0], 0)) / (2 * far)
    rates = np.column_stack([w @ STRIPS / (STRIPS**2).sum(), slope[:, 2], slope[:, 1]])
    window = np.hanning(len(way))[:, None]
    found = np.abs(np.fft.rfft(rates * window, axis=0)) ** 2 * 2 / (rate * (window**2).sum())
    f = np.fft.rfftfreq(len(way), 1 / rate)
    band = (f >= EDGES[0]) & (f < EDGES[-3])
    k = 2 * np.pi * f[band] / SPEED
    sigma, scale = (float(a[0, 0]) for a in scales(800.0, "severe", spectrum))
    steep = k**2 * spectra(k, sigma, scale, spectrum)[1] * (np.sin(k * far) / (k * far)) ** 2
    exact = np.column_stack([rolling(k, sigma, scale, spectrum), steep, steep]) * 2 * np.pi / SPEED
    for a, b in pairwise(EDGES[:9]):
        own = (f[band] >= a) & (f[band] < b)
        freedom = 2 / HANN * exact[own].sum(axis=0) ** 2 / (exact[own] ** 2).sum(axis=0)
        ratio = found[band][own].sum(axis=0) / exact[own].sum(axis=0)
        assert (ratio > chi_square(ODDS / 2, freedom) * 0.95).all(), (a, ratio)
        assert (ratio < chi_square(1 - ODDS / 2, freedom) * 1.05).all(), (a, ratio)
    formula = np.column_stack(specified(k, sigma, scale, spectrum)) * 2 * np.pi / SPEED
    valid = k < EDGE
    of_it = np.sqrt(found[band][valid].sum(axis=0) / formula[valid].sum(axis=0))
    most = (1.2, 1.25, 1.2) if spectrum == "dryden" else (1.5, 1.25, 1.2)
    assert (of_it > 0.85).all() and (of_it < most).all(), of_it
