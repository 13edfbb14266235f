"""The wind as a field: one pure function of place, time and seed that physics, sensors and the viewer sample alike.

Turbulence is frozen (Taylor): eddies of all sizes from 0.1 m on, on hashed lattices without end. Every straight line
through it shows Dryden's or von Kármán's longitudinal spectrum along the line and the transverse one across it, in each
single flight. Scales and strengths follow MIL-F-8785C with the height above ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from volery._native import world as _native
from volery.core.config import Checked, param
from volery.errors import WorldError
from volery.world.turbulence import Spectrum, eddy_sizes, eddy_strengths, scales

__all__ = ["Gust", "Thermal", "Wind"]

_LAYERS = _native.WIND_LOWEST * _native.WIND_LAYER_SPAN ** (np.arange(_native.WIND_LAYERS) / (_native.WIND_LAYERS - 1))
"""Heights up to 2000 ft [m] that have eddies of their own where the mean wind changes with height: it would tear eddies
apart without bound. Two neighbouring layers, blended so that the squares of their shares add to one, keep variance."""
_KNOTS = np.geomspace(_native.WIND_LOWEST, _native.WIND_HIGHEST, _native.WIND_KNOTS)
"""Heights at which the kernel's table of strengths is given [m]."""
_REACH = 3.0
"""A thermal ends at this many radii, where its sinking ring is down to 0.1 %."""
_AS_SAID = np.empty(0)
"""The ground of the kernel's shape."""


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
    def row(self) -> tuple[Any, ...]:
        """Its numbers as the kernel wants them, a row of `_native.WindGust`."""
        blow, way = (np.asarray(v) / np.linalg.norm(v) for v in (self.direction, self.travel))
        return self.position, self.time, self.amplitude * blow, way, self.speed, self.length, self.width


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
    spectrum: Spectrum = "dryden"
    """Of the turbulence: Dryden's, or von Kármán's, which has more of the small eddies (k^−5/3, not k^−2)."""
    turbulence_factor: float = param(1.0, low=0.0, high=10.0)
    """On every turbulent velocity."""
    evolution: float = param(0.0, low=0.0, high=5.0)
    """Eddies of size τ also change by themselves, at evolution·σ/L·(L/τ)^⅔ [rad/s]; 0: frozen, only carried."""
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
        base = _AS_SAID if ground is None else np.ascontiguousarray(ground, np.float64)
        if ground is not None:
            if base.shape not in ((1,), (len(p),)):
                raise WorldError(f"wind: ground has shape {base.shape}; expected [{len(p)}]")
            base = np.ascontiguousarray(np.broadcast_to(base, len(p)))
        out = np.empty((len(p), 3))
        _native.wind_velocity(self._field, p, base, t_ns * 1e-9, out)
        return out

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_field"}

    @cached_property
    def _field(self) -> _native.WindField:
        """The wind as the kernel takes it."""
        strengths = eddy_strengths(_KNOTS, self.turbulence, self.spectrum) * np.float32(self.turbulence_factor)
        gusts = np.array([g.row for g in self.gusts], _native.WindGust)
        thermals = np.array([(*t.position, t.radius, t.strength, t.top) for t in self.thermals], _native.WindThermal)
        return _native.wind_field(self._shape, strengths, self._layers(), gusts, thermals)

    @cached_property
    def _shape(self) -> np.ndarray:
        shape = np.zeros(1, _native.WindShape)
        for name in ("steady", "reference_height", "roughness", "exponent", "gradient_height", "ground", "seed"):
            shape[name] = getattr(self, name)
        shape["shear"] = _native.Shear[self.shear].value
        shape["thermal_cell"] = 1000.0 / np.sqrt(self.thermal_density) if self.thermal_density > 0 else 0.0
        for name in ("radius", "strength", "top"):
            shape[f"thermal_{name}"] = getattr(self.thermal, name)
        return shape

    def _layers(self) -> np.ndarray:
        """What carries and changes the eddies: at all heights alike one layer, without turbulence none."""
        if self.turbulence == "none":
            return np.zeros(0, _native.WindLayer)
        alike = self.shear == "none" and self.evolution == 0.0
        heights = _LAYERS[:1] if alike else _LAYERS
        layers = np.zeros(len(heights), _native.WindLayer)
        sigma, scale = (a[:, :1] for a in scales(heights, self.turbulence, self.spectrum))
        turnover = self.evolution * self.turbulence_factor * sigma / scale * (scale / eddy_sizes()) ** (2 / 3)
        layers["rate"] = turnover / (np.pi / 2)  # A drawing gives way to the next in a quarter of a turn
        layers["flow"] = [np.array(self.steady) * _native.wind_mean_factor(self._shape, h) for h in heights]
        return layers
