"""Signs of life, as in USARSim: sound, motion of warm bodies, and breath. Sources are what stands in the scene: things
whose materials emit sound, or have the temperature of a body."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.robots.robot import Robot
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.environment import Environment

__all__ = ["Co2", "Co2Config", "HumanMotion", "HumanMotionConfig", "Seeker", "Sound", "SoundConfig", "Source", "sees"]

_FAINTEST = 1e-12
"""Intensity of 0 dB [W/m²]."""
_SKIN = 0.05
"""No microphone is nearer than this to a source [m]."""


class Source(NamedTuple):
    """Something in the scene that a sensor listens to or looks for."""

    key: str
    """Name of the object, and which instance of it."""
    row: int
    p_W: np.ndarray
    """Middle of the faces that matter [m]."""
    strength: float


def sees(sensor: Sensor, p_W: np.ndarray, targets: np.ndarray, rows: np.ndarray, channel: str | None) -> np.ndarray:
    """Which targets [n, 3] W [m] on instances `rows` [n] are in line of sight from p_W, bool [n]."""
    distance = np.linalg.norm(targets - p_W, axis=1)
    seen = distance < 1e-6
    far = np.flatnonzero(~seen)
    if len(far):
        scene = sensor.environment.scene
        hits = scene.cast(
            p_W, targets[far] - p_W, max_range=np.minimum(distance[far], scene.horizon), channel=channel,
            ignore=sensor.robot.name,
        )  # fmt: skip
        seen[far] = (hits.row < 0) | (hits.row == rows[far])
    return seen


def _middle(mesh: Mesh, wanted: list[bool]) -> np.ndarray:
    """Middle by area of the faces whose material is wanted, in the mesh's frame [m]."""
    index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    corners = mesh.vertices[mesh.faces[np.array(wanted)[index]]].astype(np.float64)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    weight = area if area.sum() > 0 else np.ones(len(area))
    return (corners.mean(axis=1) * weight[:, None]).sum(axis=0) / weight.sum()


class Seeker(Sensor):
    """A sensor that looks for sources; a subclass says how strong a material is."""

    def __init__(
        self, name: str, config: SensorConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        self._known: WeakKeyDictionary[Mesh, tuple[np.ndarray, float] | None] = WeakKeyDictionary()

    @abstractmethod
    def strength(self, material: Material) -> float:
        """How much of a source a material is; 0: none."""

    def sources(self) -> list[Source]:
        """All that stands in the scene now, the robot's own parts left out."""
        scene = self.environment.scene
        own = scene.group(self.robot.name)
        found = []
        for name, item in scene.objects.items():
            for kind, mesh in enumerate(item.meshes):
                known = self._of(mesh)
                if known is None or scene.rows.group[item.first_row] == own:
                    continue
                for i in np.flatnonzero(item.body.kinds == kind):
                    X = item.X_WO[i]
                    found.append(
                        Source(f"{name}/{i}", item.first_row + int(i), X[:, :3] @ known[0] + X[:, 3], known[1])
                    )
        return found

    def _of(self, mesh: Mesh) -> tuple[np.ndarray, float] | None:
        """Middle [m] and strength of the sources in a mesh."""
        if mesh not in self._known:
            index = (0,) if mesh.face_material is None else np.unique(mesh.face_material)
            power = [self.strength(m) if i in index else 0.0 for i, m in enumerate(mesh.materials)]
            self._known[mesh] = (_middle(mesh, [p > 0 for p in power]), sum(power)) if any(power) else None
        return self._known[mesh]


@dataclass(frozen=True)
class SoundConfig(SensorConfig):
    """Parameters of a sound sensor."""

    range: float = param(4000.0, above=0, high=1e5)
    """Nothing farther is heard [m]."""
    threshold: float = param(1e-12, above=0, high=1.0)
    """Faintest intensity heard [W/m²]; 1e-12 is 0 dB."""
    wall_loss: float = param(6.0206, low=0.0, high=200.0)
    """What a source out of sight loses [dB]; by default as if twice as far, after USARSim."""
    channel: str | None = None
    """What stands in the way: a channel of the scenario; by default all."""


class Sound(Seeker):
    """The loudest source, which falls with the distance squared: I = P / (4π d²).

    Reading: intensity [1] [W/m²]; level [1] [dB] that follows from it; duration [1] for which this source has been the
    loudest without a break [s]; direction [3] to it, a unit vector in the sensor's axes; delay [1] of its way [s].
    In silence intensity, duration, direction and delay are 0 and the level is −inf.
    """

    Config: ClassVar[type[SensorConfig]] = SoundConfig
    noisy: ClassVar[tuple[str, ...]] = ("intensity", "duration", "direction")
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
            clear = sees(self, X[:, 3], to[audible] + X[:, 3], rows, self.config.channel)
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
        """Decibels of what was heard."""
        with np.errstate(divide="ignore"):
            data["level"] = 10 * np.log10(np.maximum(data["intensity"], 0.0) / _FAINTEST)

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        return {**super().state(), "heard": self._heard, "since_ns": self._since_ns}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self._heard, self._since_ns = state["heard"], state["since_ns"]


@dataclass(frozen=True)
class HumanMotionConfig(SensorConfig):
    """Parameters of a pyroelectric sensor."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    range: float = param(10.0, above=0, high=1e4)
    """[m]."""
    fov_deg: float = param(60.0, above=0, high=360.0)
    """Whole angle of the cone round the sensor's x [deg]."""
    coldest: float = param(304.0, low=0.0, high=2000.0)
    """Of a body [K]."""
    hottest: float = param(315.0, low=0.0, high=2000.0)
    """Of a body [K]."""
    gain: float = param(1.0, low=0.0)
    reference_speed: float = param(0.5, above=0)
    """[m/s]."""
    reference_amplitude: float = param(0.2, above=0)
    """[m]."""
    window: float = param(2.0, above=0, high=60.0)
    """Time over which the amplitude is taken [s]."""
    channel: str | None = None
    """What stands in the way: a channel of the scenario; by default all."""


class HumanMotion(Seeker):
    """Motion of warm bodies in sight: the likeliest of p = gain · (1 − d/range) · (v/reference_speed) ·
    (A/reference_amplitude), within 0 to 1.

    d is the distance, v the speed since the last reading, A the farthest from its mean place over the window, all of
    the middle of the body's warm faces. USARSim's own formula was never published; this one is ours.

    Reading: probability [1].
    """

    Config: ClassVar[type[SensorConfig]] = HumanMotionConfig
    noisy: ClassVar[tuple[str, ...]] = ("probability",)
    config: HumanMotionConfig

    def __init__(
        self, name: str, config: HumanMotionConfig, robot: Robot, environment: Environment,
        generator: np.random.Generator,
    ) -> None:  # fmt: skip
        super().__init__(name, config, robot, environment, generator)
        self._tracks: dict[str, np.ndarray] = {}

    def strength(self, material: Material) -> float:
        """1 for what is as warm as a body."""
        return float(self.config.coldest <= material.temperature <= self.config.hottest)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Follow every warm body, then judge those in sight."""
        c, X, now = self.config, self.X_WS, now_ns / SECOND
        sources = self.sources()
        before, self._tracks = self._tracks, {}
        chance = np.zeros(len(sources))
        for i, s in enumerate(sources):
            old = before.get(s.key, np.empty((0, 4)))
            track = np.vstack([old[old[:, 0] >= now - c.window - 1e-9], [now, *s.p_W]])
            self._tracks[s.key] = track
            chance[i] = self._chance(track, s.p_W - X[:, 3], X[:, 0])
        likely = np.flatnonzero(chance > 0)
        if len(likely):
            rows = np.array([sources[i].row for i in likely])
            chance[likely] *= sees(self, X[:, 3], np.array([sources[i].p_W for i in likely]), rows, c.channel)
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

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        return {**super().state(), "tracks": {k: v.copy() for k, v in self._tracks.items()}}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self._tracks = {k: v.copy() for k, v in state["tracks"].items()}


@dataclass(frozen=True)
class Co2Config(SensorConfig):
    """Parameters of a CO₂ sensor."""

    background: float = param(420e-6, low=0.0, high=1.0)
    """Share of the air by volume."""
    breath: float = param(5e-6, low=0.0)
    """CO₂ that one body gives off [m³/s]."""
    diffusivity: float = param(0.01, above=0)
    """Of still air in a room, eddies included [m²/s]."""


class Co2(Seeker):
    """Reading: density [1], the share of CO₂ in the air by volume: background + Σ breath / (4π · diffusivity · d) over
    all warm bodies, which is steady spreading in open, still air. Ours; USARSim's is not known."""

    Config: ClassVar[type[SensorConfig]] = Co2Config
    noisy: ClassVar[tuple[str, ...]] = ("density",)
    config: Co2Config

    def strength(self, material: Material) -> float:
        """1 for what is as warm as a body."""
        return float(304.0 <= material.temperature <= 315.0)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """What all bodies add here."""
        p = self.X_WS[:, 3]
        distance = [max(float(np.linalg.norm(s.p_W - p)), _SKIN) for s in self.sources()]
        share = sum(self.config.breath / (4 * np.pi * self.config.diffusivity * d) for d in distance)
        return {"density": np.array([min(self.config.background + share, 1.0)])}
