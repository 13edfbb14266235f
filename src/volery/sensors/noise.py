"""The one noise pipeline: a sensor's author writes the ideal reading, this makes it real. Everything is seeded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.core.deferred import Deferred
from volery.errors import ScenarioError, SimulationError

__all__ = ["Noise", "NoiseState"]


@dataclass(frozen=True)
class Noise(Checked):
    """What happens to an array of readings, in this order: relative, absolute and white noise, bias and walk, curve,
    quantisation, dropout, fault. Units are those of the reading; what is not finite (no echo, no fix) stays so."""

    curve: tuple[tuple[float, float], ...] = param((), low=-1e12, high=1e12)
    """Distortion: piecewise-linear from felt to shown value, as USARSim's OutputCurve; held at its ends."""
    kind: Literal["gaussian", "uniform"] = "gaussian"
    """Shape of relative, absolute and density noise; uniform: the numbers are half widths."""
    relative: float = param(0.0, low=0.0, high=10.0)
    """Noise in proportion to the value."""
    absolute: float = param(0.0, low=0.0)
    """Noise per reading."""
    density: float = param(0.0, low=0.0)
    """White noise per √Hz, as data sheets give it; the reading's share is density · √rate."""
    bias: float = param(0.0, low=-1e12, high=1e12)
    """A constant added."""
    bias_spread: float = param(0.0, low=0.0)
    """Standard deviation of a further bias that is drawn once per run and element (row of a list that varies)."""
    walk: float = param(0.0, low=0.0)
    """Random walk of the bias per √s."""
    quantum: float = param(0.0, low=0.0)
    """Step of the output; 0: none."""
    dropout: float = param(0.0, low=0.0, high=1.0)
    """Chance that an element is lost; it reads NaN."""
    fault: Literal["none", "stuck", "dead"] = "none"
    """stuck: the first reading for ever; dead: NaN."""

    def __post_init__(self) -> None:
        super().__post_init__()
        inputs = [x for x, _ in self.curve]
        if any(b <= a for a, b in pairwise(inputs)):
            raise ScenarioError("noise curve: the true values must rise from point to point")

    @cached_property
    def silent(self) -> bool:
        """Whether it changes nothing."""
        return self == Noise()

    def variance(self, value: np.ndarray, rate: float, seconds: float) -> np.ndarray:
        """Variance of a reading about its mean, over runs, element by element: white noise, the spread of the bias and
        its walk until now, and the step of the output. A constant bias, a curve and faults are no part of it.

        rate: readings a second [Hz]; seconds: since the run began."""
        spread = self.absolute**2 + self.density**2 * rate
        finite = np.where(np.isfinite(value), np.asarray(value, float), 0.0)
        white = spread + (self.relative * finite) ** 2
        # Half widths, if it is uniform.
        white = white / 3 if self.kind == "uniform" else white
        return white + self.bias_spread**2 + self.walk**2 * max(seconds, 0.0) + self.quantum**2 / 12


def _made(value: np.ndarray | Deferred[np.ndarray]) -> np.ndarray:
    """A copy of what may still have to be made."""
    return (value.result() if isinstance(value, Deferred) else value).copy()


def _whole_steps(value: np.ndarray, quantum: float) -> np.ndarray:
    """Rounded to multiples of a step; where the step is too fine for a double, left as it is."""
    with np.errstate(over="ignore"):
        steps = np.round(value / quantum)
    return np.where(np.isfinite(steps), steps * quantum, value)


class NoiseState:
    """A noise at work on one array of a sensor, with what it remembers."""

    def __init__(self, noise: Noise, rate: float, generator: np.random.Generator) -> None:
        self.noise = noise
        self.generator = generator
        self._rate = rate
        self._bias: np.ndarray | None = None
        self._stuck: np.ndarray | Deferred[np.ndarray] | None = None

    def apply(self, ideal: np.ndarray, elapsed: float | None = None) -> np.ndarray:
        """The reading with noise, as float64; elapsed: since the reading before [s], by default one period."""
        if self.noise.silent:
            return ideal
        return self._failed(self._disturbed(ideal, self.generator, lambda shape: self._drift(shape, elapsed)))

    def later(
        self, ideal: Callable[[], np.ndarray], shape: tuple[int, ...], elapsed: float | None, own: np.random.Generator
    ) -> Callable[[], np.ndarray]:
        """As `apply`, for an array of a shape that is not there yet, as work for later, in any order of readings: bias
        and walk, which go on from reading to reading, are drawn now; all else comes from a generator of its own."""
        if self.noise.silent:
            return ideal
        bias = self._drift(shape, elapsed)
        made = Deferred(lambda: self._disturbed(ideal(), own, lambda _: bias))
        if self.noise.fault == "stuck":
            first = self._stuck = made if self._stuck is None else self._stuck
            return lambda: _made(first)
        return lambda: self._failed(made.result())

    def _disturbed(
        self, ideal: np.ndarray, generator: np.random.Generator, drift: Callable[[tuple[int, ...]], np.ndarray | float]
    ) -> np.ndarray:
        """All but faults."""
        noise, value = self.noise, np.asarray(ideal, np.float64)
        value = value + self._white(value, generator)
        value = value + drift(value.shape)
        if noise.curve:
            value = np.where(np.isfinite(value), np.interp(value, *np.array(noise.curve).T), value)
        if noise.quantum > 0:
            value = _whole_steps(value, noise.quantum)
        if noise.dropout > 0:
            value = np.where(generator.random(value.shape) < noise.dropout, np.nan, value)
        return value

    def _white(self, value: np.ndarray, generator: np.random.Generator) -> np.ndarray | float:
        noise = self.noise
        spread = noise.absolute**2 + noise.density**2 * self._rate
        if spread == 0.0 and noise.relative == 0.0:
            return 0.0
        if noise.kind == "uniform":
            draw = generator.uniform(-1.0, 1.0, (2, *value.shape))
        else:
            draw = generator.standard_normal((2, *value.shape))
        finite = np.where(np.isfinite(value), value, 0.0)
        return draw[0] * noise.relative * finite + draw[1] * np.sqrt(spread)

    def _drift(self, shape: tuple[int, ...], elapsed: float | None) -> np.ndarray | float:
        noise, elapsed = self.noise, 1 / self._rate if elapsed is None else elapsed
        if noise.walk == 0.0 and noise.bias_spread == 0.0:
            return noise.bias
        if self._bias is None or self._bias.shape[1:] != shape[1:]:
            self._bias = np.zeros((0, *shape[1:]))
        elif noise.walk > 0.0:
            step = noise.walk * np.sqrt(elapsed)
            self._bias = self._bias + step * self.generator.standard_normal(self._bias.shape)
        # Lists of what is in sight grow and shrink: a row keeps its bias, a new one draws its own.
        count = shape[0] if shape else 1
        if count > len(self._bias):
            fresh = self.generator.standard_normal((count - len(self._bias), *shape[1:]))
            self._bias = np.concatenate([self._bias, noise.bias_spread * fresh])
        return self._bias[:count].reshape(shape) + noise.bias

    def _failed(self, value: np.ndarray) -> np.ndarray:
        if self.noise.fault == "dead":
            return np.full_like(value, np.nan)
        if self.noise.fault == "stuck":
            stuck = None if self._stuck is None else _made(self._stuck)
            self._stuck = value.copy() if stuck is None or stuck.shape != value.shape else stuck
            return self._stuck.copy()
        return value

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back; the generator belongs to the run."""
        return {"bias": self._bias, "stuck": None if self._stuck is None else _made(self._stuck)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for kept in ("bias", "stuck"):
            if state[kept] is not None and not (
                isinstance(state[kept], np.ndarray) and state[kept].dtype == np.float64
            ):
                raise SimulationError(f"this snapshot is damaged: the {kept} of a noise is no array of numbers")
        self._bias, self._stuck = state["bias"], state["stuck"]
