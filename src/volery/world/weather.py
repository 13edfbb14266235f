"""Fog, rain, snow and dust as levels from 0 to 1, and what they do to light, lasers and cameras.

A level sets a physical quantity, and that an extinction coefficient σ [1/m]: light keeps exp(−σ·r) of itself after r
metres. Coefficients of several kinds add. Per kind, with V the visibility [km] and λ the wavelength [nm]:

- fog: V falls evenly in log from 20 km (level 0) to 50 m (level 1). σ = 3.912/V · (λ/550)^−q with q(V) after Kim 2001.
- dust: V likewise from 20 km to 100 m. Grains are larger than the waves: σ = 3.912/V at every λ.
- rain: rate R = 100·level² mm/h; 1.076·R^0.67 dB/km (Carbonneau), the same at every λ.
- snow: rate S = 10·level² mm/h of water, dry; a·S^1.38 dB/km with a = 5.42e−5·λ + 5.4958776 (ITU-R P.1817).

False returns: a particle close to the sensor sends enough light back to count as a hit. Their number per metre of beam
is a share of σ, by the size of the particles (fog 0.2 %, dust 0.5 %, rain 1 %, snow 3 %), falling as 1/r² beyond 10 m.
The shares are a choice, not a measurement: they give 0.1 % of false hits in a cloudburst and 2 % in the worst snow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.core.config import Checked, param

__all__ = ["Weather"]

_CLEAR, _DENSE_FOG, _DENSE_DUST = 20_000.0, 50.0, 100.0
_KOSCHMIEDER = 3.912
"""−ln 0.02: contrast at the limit of sight."""
_DECIBELS_PER_KM = np.log(10) / 10_000
"""1 dB/km as an extinction [1/m]."""
_SHARES = {"fog": 0.002, "dust": 0.005, "rain": 0.01, "snow": 0.03}
_NEAR = 10.0
"""Up to here every particle is bright enough [m]."""


@dataclass(frozen=True)
class Weather(Checked):
    """What is in the air. All zero: clear, with nothing lost at all."""

    fog: float = param(0.0, low=0.0, high=1.0)
    rain: float = param(0.0, low=0.0, high=1.0)
    snow: float = param(0.0, low=0.0, high=1.0)
    dust: float = param(0.0, low=0.0, high=1.0)

    @property
    def rain_rate(self) -> float:
        """[mm/h]: 4 light (0.2), 25 heavy (0.5), 100 cloudburst (1)."""
        return 100.0 * self.rain**2

    @property
    def snow_rate(self) -> float:
        """[mm/h] of water: 0.4 light (0.2), 2.5 heavy (0.5), 10 extreme (1)."""
        return 10.0 * self.snow**2

    def extinctions(self, wavelength: float = 905.0) -> dict[str, float]:
        """Extinction by kind [1/m] for light of a wavelength [nm]."""
        snow = (5.42e-5 * wavelength + 5.4958776) * self.snow_rate**1.38
        return {
            "fog": _fog(self.fog, wavelength),
            "rain": 1.076 * self.rain_rate**0.67 * _DECIBELS_PER_KM,
            "snow": snow * _DECIBELS_PER_KM,
            "dust": _KOSCHMIEDER / _sight(self.dust, _DENSE_DUST) if self.dust > 0 else 0.0,
        }

    def extinction(self, wavelength: float = 905.0) -> float:
        """Extinction of a laser [1/m]; an echo from r metres comes back weakened by exp(−2·extinction·r)."""
        return float(sum(self.extinctions(wavelength).values()))

    @property
    def visibility(self) -> float:
        """How far a dark thing is seen against the sky [m]; infinite in clear air."""
        sigma = self.extinction(550.0)
        return float(_KOSCHMIEDER / sigma) if sigma > 0 else float("inf")

    @property
    def false_return_rate(self) -> float:
        """False hits per metre of a laser beam near the sensor [1/m]."""
        return float(sum(_SHARES[kind] * sigma for kind, sigma in self.extinctions().items()))

    def false_return(self, distance: np.ndarray | float) -> np.ndarray:
        """Chance that a beam meets a particle it takes for a hit before reaching this far [m], 0 to 1."""
        return -np.expm1(-self.false_return_rate * _bright_length(distance))

    def false_distance(self, chance: np.ndarray | float) -> np.ndarray:
        """Where the false hit of a beam is [m] for an even random number 0 to 1; infinite if there is none."""
        rate = self.false_return_rate
        if rate == 0:
            return np.full(np.shape(chance), np.inf)
        bright = -np.log1p(-np.asarray(chance, np.float64)) / rate
        with np.errstate(divide="ignore"):
            far = _NEAR**2 / np.maximum(2 * _NEAR - bright, 0.0)
        return np.where(bright <= _NEAR, bright, far)


def _bright_length(distance: np.ndarray | float) -> np.ndarray:
    """Metres of beam in which particles count: all of the first ten, then less by (10/r)², twenty in total."""
    r = np.asarray(distance, np.float64)
    return np.where(r <= _NEAR, r, 2 * _NEAR - _NEAR**2 / np.maximum(r, _NEAR))


def _sight(level: float, densest: float) -> float:
    """Visibility [m], even in log from clear to densest."""
    return _CLEAR * (densest / _CLEAR) ** level


def _fog(level: float, wavelength: float) -> float:
    if level <= 0:
        return 0.0
    km = _sight(level, _DENSE_FOG) / 1000
    q = 1.3 if km > 6 else 0.16 * km + 0.34 if km > 1 else max(km - 0.5, 0.0)
    return _KOSCHMIEDER / (1000 * km) * (wavelength / 550.0) ** -q
