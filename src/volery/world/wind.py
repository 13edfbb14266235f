"""The wind as a field: one pure function of place, time and seed that physics, sensors and the viewer sample alike.

Turbulence is frozen (Taylor): a sum of random, divergence-free Fourier modes whose energy spectrum is the isotropic one
behind Dryden's, E(k) = 8/π σ²L (kL)⁴/(1+(kL)²)³. Every straight line through it shows Dryden's longitudinal spectrum
along the line and the transverse one across it. Scales and strengths follow MIL-F-8785C with the height above ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numba as nb
import numpy as np

from volery.core.config import Checked, param
from volery.core.noise import uniform_cell
from volery.errors import WorldError
from volery.world.atmosphere import dryden, dryden_modes

__all__ = ["Gust", "Thermal", "Wind"]

_LOWEST = 3.048
"""Below 10 ft turbulence stays as it is at 10 ft [m]."""
_LEVELS = _LOWEST * 200 ** (np.arange(9) / 8)
"""Heights up to 2000 ft [m] that have modes of their own. A scale that varied with height inside a mode would shear its
phase without bound far from home; two neighbouring levels blended with cos² + sin² = 1 keep variance and smoothness."""
_ALONG, _UP = 32, 16
"""Modes per level for the horizontal and for the vertical components: whole vector lanes."""
_KNOTS = np.geomspace(_LOWEST, 25_000.0, 64)
"""Heights at which the kernel's table of strengths is given [m]."""
_LEVEL_RATE = 8 / np.log(200)
_KNOT_RATE = 63 / np.log(25_000.0 / _LOWEST)
_REACH = 3.0
"""A thermal ends at this many radii, where its sinking ring is down to 0.1 %."""
_FAST = {"reassoc", "contract", "nsz", "arcp"}


@dataclass(frozen=True)
class Gust(Checked):
    """A 1−cosine gust: v = amplitude/2 · (1 + cos(2π s/length)) for |s| ≤ length/2, s from its moving centre."""

    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where its centre is at `time`, in W [m]."""
    time: float = param(0.0, low=-1e9, high=1e9)
    """[s]."""
    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Where the gust blows to, in W, of any length."""
    amplitude: float = param(5.0, low=0.0, high=200.0)
    """Peak velocity [m/s]."""
    length: float = param(50.0, above=0.0, high=1e5)
    """From calm to calm along its way [m]."""
    travel: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Which way the gust itself moves, in W, of any length."""
    speed: float = param(10.0, low=0.0, high=500.0)
    """How fast it moves [m/s]; 0: it stands, and robots fly through."""
    width: float = param(0.0, low=0.0, high=1e5)
    """Half width across its way, where it has faded to nothing [m]; 0: an endless front."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("direction", "travel"):
            if not np.linalg.norm(getattr(self, name)) > 0:
                raise WorldError(f"gust: {name} is a null vector; say which way")

    @property
    def row(self) -> list[float]:
        """Its numbers as the kernel wants them."""
        blow, way = (np.asarray(v) / np.linalg.norm(v) for v in (self.direction, self.travel))
        return [*self.position, self.time, *(self.amplitude * blow), *way, self.speed, self.length, self.width]


@dataclass(frozen=True)
class Thermal(Checked):
    """A column of rising air in a ring of sinking air that balances it (Gedeon), shaped in height after Allen 2006."""

    position: tuple[float, float] = (0.0, 0.0)
    """Centre in W [m]."""
    radius: float = param(80.0, low=1.0, high=5e3)
    """Where the air neither rises nor sinks [m]."""
    strength: float = param(3.0, low=-50.0, high=50.0)
    """Updraft at the centre where it is strongest, at 0.23 of the top [m/s]."""
    top: float = param(1500.0, low=10.0, high=2e4)
    """Height above ground of the mixed layer [m]; the updraft ends at 0.91 of it."""


@dataclass(frozen=True)
class Wind(Checked):
    """Steady wind, shear, turbulence, gusts and thermals, added. Velocities say where the air goes, in W (ENU)."""

    steady: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=-150.0, high=150.0)
    """Mean velocity of the air at `reference_height` [m/s]."""
    shear: Literal["none", "log", "power"] = "none"
    """How the mean grows with height: not, as ln(h/roughness), or as h^exponent."""
    reference_height: float = param(10.0, low=0.1, high=1e4)
    """[m] above ground."""
    roughness: float = param(0.05, low=1e-5, high=5.0)
    """Roughness length [m]: 0.0002 sea, 0.03 grass, 0.5 suburb, 1 forest."""
    exponent: float = param(0.143, low=0.0, high=1.0)
    """Of the power law."""
    gradient_height: float = param(300.0, low=1.0, high=5e3)
    """Above this the mean grows no further [m]."""
    ground: float = param(0.0, low=-1e4, high=1e4)
    """z of the ground [m], unless `velocity` is told better."""
    turbulence: Literal["none", "light", "moderate", "severe"] = "none"
    """Severity in the sense of MIL-F-8785C."""
    turbulence_factor: float = param(1.0, low=0.0, high=10.0)
    """On every turbulent velocity."""
    evolution: float = param(0.0, low=0.0, high=5.0)
    """Eddies of wave number k also change by themselves, at evolution·σ/L·(kL)^⅔ [rad/s]; 0: frozen, only carried."""
    gusts: tuple[Gust, ...] = ()
    thermals: tuple[Thermal, ...] = ()
    thermal_density: float = param(0.0, low=0.0, high=100.0)
    """Thermals strewn by the seed over the endless plane [1/km²]."""
    thermal: Thermal = Thermal()
    """What those are like on average: radii vary by ±25 %, strengths by ±50 %."""
    seed: int = param(0, low=-(2**63), high=2**63 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shear == "log" and self.roughness >= self.reference_height:
            raise WorldError(f"wind: roughness {self.roughness:g} m must be below the reference_height")
        if self.shear != "none" and self.reference_height > self.gradient_height:
            raise WorldError(f"wind: reference_height {self.reference_height:g} m must not be above gradient_height")
        most = 1e6 / (2 * _REACH * 1.25 * self.thermal.radius) ** 2
        if self.thermal_density > most:
            raise WorldError(f"wind: {self.thermal_density:g} thermals/km² overlap; of this radius at most {most:.3g}")

    def velocity(self, p_W: np.ndarray, t_ns: int, ground: np.ndarray | None = None) -> np.ndarray:
        """Velocity of the air in W [m/s], shape [n, 3], at points p_W [m], shape [n, 3], and a time [ns].

        ground: z of the ground under each point [m], shape [n], if it is known; else the field `ground` for all.
        """
        p = np.ascontiguousarray(p_W, np.float64)
        if p.ndim != 2 or p.shape[1] != 3:
            raise WorldError(f"wind: points have shape {p.shape}; expected [n, 3]")
        base = np.ascontiguousarray([self.ground] if ground is None else ground, np.float64)
        if base.shape not in ((1,), (len(p),)):
            raise WorldError(f"wind: ground has shape {base.shape}; expected [{len(p)}]")
        out = np.empty((len(p), 3))
        _velocity(p, t_ns * 1e-9, base, *self._tables, out)
        return out

    @cached_property
    def _tables(self) -> tuple:
        """Everything the kernel needs, as arrays."""
        kind = {"none": 0.0, "log": 1.0, "power": 2.0}[self.shear]
        shear = (kind, self.roughness, self.reference_height, self.exponent, self.gradient_height)
        reference = self.reference_height / self.roughness
        log = (1 / self.roughness, 1 / np.log(reference) if reference > 1 else 0.0)
        mean = np.array([*self.steady, *shear, *log])
        sigma = dryden(_KNOTS, self.turbulence)[0] * self.turbulence_factor
        gusts = np.array([g.row for g in self.gusts]).reshape(-1, 13)
        thermals = np.array([[*t.position, t.radius, t.strength, t.top] for t in self.thermals]).reshape(-1, 5)
        cell = 1000.0 / np.sqrt(self.thermal_density) if self.thermal_density > 0 else 0.0
        strewn = np.array([cell, self.thermal.radius, self.thermal.strength, self.thermal.top])
        return mean, sigma, *self._modes(mean), gusts, thermals, strewn, np.int64(self.seed)

    def _modes(self, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Per level, waves [5, m]: three of cycles/m, phase [cycles], rate [cycles/s]; and unit-variance amplitudes."""
        if self.turbulence == "none":
            return np.zeros((len(_LEVELS), 5, 0)), np.zeros((len(_LEVELS), 3, 0))
        sigma, scale = dryden(_LEVELS, self.turbulence)
        waves, amplitudes = [], []
        for level, h in enumerate(_LEVELS):
            rng = np.random.Generator(np.random.Philox(key=[self.seed & (2**64 - 1), level]))
            flow = mean[:3] * _mean_factor(h, mean)
            for count, axes, column in ((_ALONG, [0, 1], 0), (_UP, [2], 1)):
                k, across, phase = dryden_modes(rng, count)
                a = np.zeros((3, count))
                a[axes] = across[axes] / np.sqrt(0.5 * (across[axes] ** 2).sum(axis=1, keepdims=True))
                turnover = self.evolution * self.turbulence_factor * sigma[level, column] / scale[level, column]
                rate = turnover * np.linalg.norm(k, axis=0) ** (2 / 3) - flow @ k / scale[level, column]
                waves.append(np.vstack([k / scale[level, column], phase, rate]) / (2 * np.pi))
                amplitudes.append(a)
        return tuple(np.array([np.hstack(p[i : i + 2]) for i in range(0, len(p), 2)]) for p in (waves, amplitudes))


@nb.njit(cache=True, nogil=True)
def _mean_factor(h: float, mean: np.ndarray) -> float:
    """Mean wind at height h as a multiple of that at the reference height."""
    roughness, reference, top = mean[4], mean[5], mean[7]
    if mean[3] == 1.0:
        return np.log(max(min(h, top), roughness) * mean[8]) * mean[9]
    if mean[3] == 2.0:
        return (max(min(h, top), 0.0) / reference) ** mean[6]
    return 1.0


@nb.njit(cache=True, nogil=True, fastmath=_FAST, inline="always")
def _sine(turns: float) -> float:
    """sin(2π·turns) within 3e-7, without branches so that modes run in vector lanes."""
    r = turns - np.rint(turns)
    y = r * r
    p = 67.03803359005194 + y * (-38.06362849245706 + y * 12.073662319674575)
    return r * (0.25 - y) * (25.132735125106645 + y * (-64.83461680043479 + y * p))


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def _level(p, n, level, wave, phase, a) -> tuple[float, float, float]:  # noqa: ANN001
    """The modes of one level at point n, of unit variance. Whole arrays: slices would cost more than the modes."""
    x, y, z = p[n, 0], p[n, 1], p[n, 2]
    east = north = up = 0.0
    for m in range(_ALONG):
        s = _sine(wave[level, 0, m] * x + wave[level, 1, m] * y + wave[level, 2, m] * z + phase[level, m])
        east += a[level, 0, m] * s
        north += a[level, 1, m] * s
    for m in range(_ALONG, _ALONG + _UP):
        up += a[level, 2, m] * _sine(
            wave[level, 0, m] * x + wave[level, 1, m] * y + wave[level, 2, m] * z + phase[level, m]
        )
    return east, north, up


@nb.njit(cache=True, nogil=True)
def _blend(h: float, sigma: np.ndarray) -> tuple[int, float, float, float, float]:
    """Lower of the two levels at height h, and the weights [m/s] of lower and upper: horizontal, then vertical."""
    # Written so that NaN is the ground: an index made of NaN would be anywhere in memory
    rise = np.log(h / _LOWEST) if h > _LOWEST else 0.0
    knot = min(rise * _KNOT_RATE, 62.999999)
    k = int(knot)
    f = knot - k
    along = (1.0 - f) * sigma[k, 0] + f * sigma[k + 1, 0]
    upward = (1.0 - f) * sigma[k, 1] + f * sigma[k + 1, 1]
    place = min(rise * _LEVEL_RATE, 8.0)
    level = min(int(place), 7)
    below, above = _sine(0.25 - 0.25 * (place - level)), _sine(0.25 * (place - level))
    return level, along * below, along * above, upward * below, upward * above


@nb.njit(cache=True, nogil=True)
def _add_turbulence(p, ground, t, sigma, wave, a, out) -> None:  # noqa: ANN001
    phase = wave[:, 3] + wave[:, 4] * t
    phase -= np.floor(phase)
    level, s = np.empty(len(p), np.int64), np.empty((len(p), 4))
    # Two passes: the logarithm of one point then runs beside that of the next, not before its modes
    for n in range(len(p)):
        h = p[n, 2] - ground[n if len(ground) > 1 else 0]
        level[n], s[n, 0], s[n, 1], s[n, 2], s[n, 3] = _blend(h, sigma)
    for n in range(len(p)):
        u1, v1, w1 = _level(p, n, level[n], wave, phase, a)
        u2, v2, w2 = _level(p, n, level[n] + 1, wave, phase, a)
        out[n, 0] += s[n, 0] * u1 + s[n, 1] * u2
        out[n, 1] += s[n, 0] * v1 + s[n, 1] * v2
        out[n, 2] += s[n, 2] * w1 + s[n, 3] * w2


@nb.njit(cache=True, nogil=True)
def _gust(p, n, t, g, i) -> float:  # noqa: ANN001
    """Share of gust i's amplitude at point n, 0 to 1."""
    dx, dy, dz = p[n, 0] - g[i, 0], p[n, 1] - g[i, 1], p[n, 2] - g[i, 2]
    along = dx * g[i, 7] + dy * g[i, 8] + dz * g[i, 9]
    s = along - g[i, 10] * (t - g[i, 3])
    if abs(s) >= 0.5 * g[i, 11]:
        return 0.0
    share = 0.5 + 0.5 * np.cos(2 * np.pi * s / g[i, 11])
    if g[i, 12] > 0.0:
        aside = np.sqrt(max(dx * dx + dy * dy + dz * dz - along * along, 0.0))
        share *= 0.5 + 0.5 * np.cos(np.pi * min(aside / g[i, 12], 1.0))
    return share


@nb.njit(cache=True, nogil=True)
def _updraft(q: float, rise: float) -> float:
    """Share of a thermal's strength at q = (r/radius)² and at height rise·top."""
    if q >= _REACH * _REACH or rise <= 0.0 or rise >= 1 / 1.1:
        return 0.0
    return np.cbrt(rise) * (1.0 - 1.1 * rise) / 0.45767 * np.exp(-q) * (1.0 - q)


@nb.njit(cache=True, nogil=True)
def _strewn_updraft(x: float, y: float, h: float, strewn: np.ndarray, seed: int) -> float:
    """[m/s] of the one thermal of this cell of the plane, which lies wholly inside its cell."""
    cell = strewn[0]
    i, j = int(np.floor(x / cell)), int(np.floor(y / cell))
    reach = _REACH * strewn[1] * (0.75 + 0.5 * uniform_cell(seed, i, j, 71))
    dx = x - i * cell - reach - (cell - 2 * reach) * uniform_cell(seed, i, j, 72)
    dy = y - j * cell - reach - (cell - 2 * reach) * uniform_cell(seed, i, j, 73)
    q = (dx * dx + dy * dy) / (reach * reach) * (_REACH * _REACH)
    if q >= _REACH * _REACH:
        return 0.0
    return strewn[2] * (0.5 + uniform_cell(seed, i, j, 74)) * _updraft(q, h / strewn[3])


@nb.njit(cache=True, nogil=True)
def _velocity(p, t, ground, mean, sigma, wave, a, gusts, thermals, strewn, seed, out) -> None:  # noqa: ANN001
    """The whole field at points p [m] and time t [s], into out."""
    for n in range(len(p)):
        h = p[n, 2] - ground[n if len(ground) > 1 else 0]
        factor = _mean_factor(h, mean)
        u, v, w = mean[0] * factor, mean[1] * factor, mean[2] * factor
        for i in range(len(gusts)):
            share = _gust(p, n, t, gusts, i)
            u, v, w = u + share * gusts[i, 4], v + share * gusts[i, 5], w + share * gusts[i, 6]
        for i in range(len(thermals)):
            dx, dy, radius = p[n, 0] - thermals[i, 0], p[n, 1] - thermals[i, 1], thermals[i, 2]
            w += thermals[i, 3] * _updraft((dx * dx + dy * dy) / (radius * radius), h / thermals[i, 4])
        if strewn[0] > 0.0:
            w += _strewn_updraft(p[n, 0], p[n, 1], h, strewn, seed)
        out[n, 0], out[n, 1], out[n, 2] = u, v, w
    if wave.shape[2] > 0:
        _add_turbulence(p, ground, t, sigma, wave, a, out)
