"""Spectra of turbulence, and how strong eddies of each size must be so that air has them.

The kernel gives eddies whose vector potential is noise under a Gaussian of deviation τ (nearly: a cubic B-spline). The
potential of both Dryden's and von Kármán's isotropic fields falls as (1 + k²L²)^−(b + 5/2), b = 1/2 and 1/3, which is
a sum of Gaussians: ∫ s^(b + 5/2) e^−s e^(−s·k²L²) dln s, s = (τ/L)². A size's share of the variance is then s^b e^−s
Δln s / Γ(b), and every line through the air, along and across, has the specification's spectrum.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from volery._native import world as _native
from volery.world.atmosphere import dryden, von_karman

__all__ = ["Spectrum", "eddy_sizes", "eddy_strengths", "scales", "spectra"]

Spectrum = Literal["dryden", "von_karman"]


class _Law(NamedTuple):
    power: float
    """b."""
    stretch: float
    """Length in the potential over the specification's scale L."""
    fit: tuple[float, float, float]
    """Polynomial in s: the B-spline against the Gaussian; spectra then hold within 0.04 % as sizes get dense."""


_LAWS = {
    "dryden": _Law(1 / 2, 1.0, (1.0491, -0.1244, 0.0174)),
    "von_karman": _Law(1 / 3, 1.339, (1.0317, -0.1185, 0.0173)),
}
_LARGEST = 12.0
"""Sizes of a greater s have no share (their e^−s)."""
_REST = 1.1
"""The smallest size has the share of all that are smaller, and this much more: it ends later than they would begin."""


def scales(height: np.ndarray | float, severity: str, spectrum: Spectrum) -> tuple[np.ndarray, np.ndarray]:
    """Strengths σ [m/s] and scales L [m], each [n, 2] (level, vertical), at heights above ground [m]."""
    return (dryden if spectrum == "dryden" else von_karman)(height, severity)


def spectra(k: np.ndarray, sigma: float, scale: float, spectrum: Spectrum) -> tuple[np.ndarray, np.ndarray]:
    """The specification's spectra along and across a line at wave numbers k [rad/m], one-sided [m²/s² per rad/m]."""
    unit = sigma**2 * scale / np.pi
    x = (_LAWS[spectrum].stretch * scale * np.asarray(k)) ** 2
    if spectrum == "dryden":
        return 2 * unit / (1 + x), unit * (1 + 3 * x) / (1 + x) ** 2
    return 2 * unit / (1 + x) ** (5 / 6), unit * (1 + 8 / 3 * x) / (1 + x) ** (11 / 6)


def eddy_sizes() -> np.ndarray:
    """τ of each size that the kernel has [m], rising."""
    return _native.EDDY_SMALLEST * 2.0 ** np.arange(_native.EDDY_SIZES)


def eddy_strengths(height: np.ndarray, severity: str, spectrum: Spectrum) -> np.ndarray:
    """Deviation of the velocity [m/s] of each size, [n, 2, sizes], at heights above ground [m], shape [n].

    In single precision, which also hides in what digits two machines' powers and exponentials differ.
    """
    law = _LAWS[spectrum]
    sigma, scale = scales(height, severity, spectrum)
    s = (eddy_sizes() / (law.stretch * scale[:, :, None])) ** 2
    share = s**law.power * np.exp(-s) * math.log(4.0) / math.gamma(law.power) * np.polynomial.Polynomial(law.fit)(s)
    share[:, :, 0] *= 1 + _REST / (4 ** (law.power + 0.5) - 1)
    return (sigma[:, :, None] * np.sqrt(np.where(s < _LARGEST, share, 0.0))).astype(np.float32)
