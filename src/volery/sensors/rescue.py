"""Signs of life, as in USARSim: sound, motion of warm bodies, and breath. Sources are what stands in the scene: things
whose materials emit sound, or have the temperature of a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.core.material import Material
from volery.errors import ScenarioError
from volery.sensors.outputs import Output, array_output
from volery.sensors.sensor import SensorConfig
from volery.sensors.sources import LineOfSightConfig, Seeker, Sighted

__all__ = ["BodyConfig", "Co2", "Co2Config", "HumanMotion", "HumanMotionConfig", "Sound", "SoundConfig"]

_FAINTEST = 1e-12
"""Intensity of 0 dB [W/m²]."""
_SKIN = 0.05
"""No microphone is nearer than this to a source [m]."""


@dataclass(frozen=True)
class SoundConfig(LineOfSightConfig):
    """Parameters of a sound sensor."""

    range: float = param(4000.0, above=0, high=1e5)
    """Nothing farther is heard [m]."""
    threshold: float = param(1e-12, above=0, high=1.0)
    """Faintest intensity heard [W/m²]; 1e-12 is 0 dB."""
    wall_loss: float = param(6.0206, low=0.0, high=200.0)
    """What a source out of sight loses [dB]; by default as if twice as far, after USARSim."""


class Sound(Seeker, Sighted):
    """The loudest source, which falls with the distance squared: I = P / (4π d²).

    Reading: intensity [1] [W/m²]; level [1] [dB] that follows from it; duration [1] for which this source has been the
    loudest without a break [s]; direction [3] to it, a unit vector in the sensor's axes; delay [1] of its way [s].
    In silence intensity, duration, direction and delay are 0 and the level is −inf.
    """

    Config: ClassVar[type[SensorConfig]] = SoundConfig
    noisy: ClassVar[tuple[str, ...]] = ("intensity", "duration", "direction")
    keeps: ClassVar[tuple[str, ...]] = ("_heard", "_since_ns")
    config: SoundConfig
    _heard = ""
    _since_ns = 0

    def strength(self, material: Material) -> float:
        """Sound power [W]."""
        return material.sound

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Listen to all sources and tell of the loudest."""
        X, sources = self.X_WS, self.sources()
        to = np.array([s.p_W for s in sources]).reshape(-1, 3) - X[:, 3]
        distance = np.linalg.norm(to, axis=1)
        power = np.array([s.strength for s in sources]) / (4 * np.pi * np.maximum(distance, _SKIN) ** 2)
        power[distance > self.config.range] = 0.0
        audible = np.flatnonzero(power >= self.config.threshold)
        if len(audible):
            rows = np.array([sources[i].row for i in audible])
            clear = self.sees(X[:, 3], to[audible] + X[:, 3], rows)
            power[audible[~clear]] *= 10 ** (-self.config.wall_loss / 10)
        best = int(np.argmax(power)) if len(power) and power.max() >= self.config.threshold else -1
        heard = sources[best].key if best >= 0 else ""
        if heard != self._heard:
            self._heard, self._since_ns = heard, now_ns
        if best < 0:
            return {k: np.zeros(n) for k, n in (("intensity", 1), ("duration", 1), ("direction", 3), ("delay", 1))}
        height = float(np.clip(X[2, 3], -2000.0, 32_000.0))
        return {
            "intensity": power[[best]],
            "duration": np.array([(now_ns - self._since_ns) / SECOND]),
            "direction": to[best] @ X[:, :3] / max(distance[best], 1e-9),
            "delay": distance[[best]] / self.environment.atmosphere.at(height).sound_speed,
        }

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """Decibels of what was heard; a direction has length 1, or 0 if there is none."""
        with np.errstate(divide="ignore"):
            data["level"] = 10 * np.log10(np.maximum(data["intensity"], 0.0) / _FAINTEST)
        length = np.linalg.norm(data["direction"])
        data["direction"] = data["direction"] / length if not length < 1e-9 else np.zeros(3)

    def outputs(self) -> list[Output]:
        """All arrays as numbers."""
        rest = [array_output(name) for name in ("intensity", "duration", "direction", "delay")]
        return [array_output("level", "series"), *rest]


@dataclass(frozen=True)
class BodyConfig(SensorConfig):
    """Parameters of a sensor that looks for warm bodies."""

    coldest: float = param(304.0, low=0.0, high=2000.0)
    """Of a body [K]."""
    hottest: float = param(315.0, low=0.0, high=2000.0)
    """Of a body [K]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.coldest > self.hottest:
            raise ScenarioError(f"bodies: coldest {self.coldest:g} K is above hottest {self.hottest:g} K")

    def warm(self, material: Material) -> float:
        """1 for what is as warm as a body, else 0."""
        return float(self.coldest <= material.temperature <= self.hottest)


@dataclass(frozen=True)
class HumanMotionConfig(BodyConfig, LineOfSightConfig):
    """Parameters of a pyroelectric sensor."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    range: float = param(10.0, above=0, high=1e4)
    """[m]."""
    fov_deg: float = param(60.0, above=0, high=360.0)
    """Whole angle of the cone round the sensor's x [deg]."""
    gain: float = param(1.0, low=0.0)
    reference_speed: float = param(0.5, low=1e-6)
    """[m/s]."""
    reference_amplitude: float = param(0.2, low=1e-6)
    """[m]."""
    window: float = param(2.0, above=0, high=60.0)
    """Time over which the amplitude is taken, at least since the last reading [s]."""


class HumanMotion(Seeker, Sighted):
    """Motion of warm bodies in sight: the likeliest of p = gain · (1 − d/range) · (v/reference_speed) ·
    (A/reference_amplitude), within 0 to 1.

    d is the distance, v the speed since the last reading, A the farthest from its mean place over the window, all of
    the middle of the body's warm faces. USARSim's own formula was never published; this one is ours.

    Reading: probability [1].
    """

    Config: ClassVar[type[SensorConfig]] = HumanMotionConfig
    noisy: ClassVar[tuple[str, ...]] = ("probability",)
    keeps: ClassVar[tuple[str, ...]] = ("_tracks",)
    config: HumanMotionConfig

    def prepare(self) -> None:
        """Begin without tracks."""
        super().prepare()
        self._tracks: dict[str, np.ndarray] = {}

    def strength(self, material: Material) -> float:
        """1 for what is as warm as a body."""
        return self.config.warm(material)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Follow every warm body, then judge those in sight."""
        c, X, now = self.config, self.X_WS, now_ns / SECOND
        sources = self.sources()
        before, self._tracks = self._tracks, {}
        chance = np.zeros(len(sources))
        for i, s in enumerate(sources):
            old = before.get(s.key, np.empty((0, 4)))
            recent = old[old[:, 0] >= now - c.window - 1e-9]
            track = np.vstack([recent if len(recent) else old[-1:], [now, *s.p_W]])
            self._tracks[s.key] = track
            chance[i] = self._chance(track, s.p_W - X[:, 3], X[:, 0])
        likely = np.flatnonzero(chance > 0)
        if len(likely):
            rows = np.array([sources[i].row for i in likely])
            chance[likely] *= self.sees(X[:, 3], np.array([sources[i].p_W for i in likely]), rows)
        return {"probability": np.array([chance.max(initial=0.0)])}

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """With noise it is still a probability."""
        data["probability"] = np.clip(data["probability"], 0.0, 1.0)

    def _chance(self, track: np.ndarray, to: np.ndarray, ahead: np.ndarray) -> float:
        c, d = self.config, float(np.linalg.norm(to))
        if len(track) < 2 or track[-1, 0] <= track[-2, 0] or d >= c.range:
            return 0.0
        if to @ ahead < d * np.cos(np.radians(c.fov_deg) / 2) - 1e-12:
            return 0.0
        places = track[:, 1:]
        speed = np.linalg.norm(places[-1] - places[-2]) / (track[-1, 0] - track[-2, 0])
        amplitude = np.linalg.norm(places - places.mean(axis=0), axis=1).max()
        p = c.gain * (1 - d / c.range) * (speed / c.reference_speed) * (amplitude / c.reference_amplitude)
        return float(np.clip(p, 0.0, 1.0))

    def outputs(self) -> list[Output]:
        """The probability as a number."""
        return [array_output("probability", "series")]


@dataclass(frozen=True)
class Co2Config(BodyConfig):
    """Parameters of a CO₂ sensor."""

    background: float = param(420e-6, low=0.0, high=1.0)
    """Share of the air by volume."""
    breath: float = param(5e-6, low=0.0)
    """CO₂ that one body gives off [m³/s]."""
    diffusivity: float = param(0.01, low=1e-6)
    """Of still air in a room, eddies included [m²/s]."""


class Co2(Seeker):
    """Reading: density [1], the share of CO₂ in the air by volume: background + Σ breath / (4π · diffusivity · d) over
    all warm bodies, which is steady spreading in open, still air. Ours; USARSim's is not known."""

    Config: ClassVar[type[SensorConfig]] = Co2Config
    noisy: ClassVar[tuple[str, ...]] = ("density",)
    config: Co2Config

    def strength(self, material: Material) -> float:
        """1 for what is as warm as a body."""
        return self.config.warm(material)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """What all bodies add here."""
        p = self.X_WS[:, 3]
        distance = [max(float(np.linalg.norm(s.p_W - p)), _SKIN) for s in self.sources()]
        share = sum(self.config.breath / (4 * np.pi * self.config.diffusivity * d) for d in distance)
        return {"density": np.array([min(self.config.background + share, 1.0)])}

    def outputs(self) -> list[Output]:
        """The density as a number."""
        return [array_output("density", "series")]
