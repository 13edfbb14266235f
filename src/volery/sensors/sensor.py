"""What every sensor shares: the same knobs, the same reading, and one method for a sensor's author to write.

That is `sense` of a Sensor, or `rays` of a RaySensor, whose rays are cast together with those of all others in a step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND, Rate, nanoseconds
from volery.core.config import Checked, param
from volery.core.deferred import Deferred
from volery.errors import SimulationError, UnknownNameError, did_you_mean
from volery.robots.library import Mount
from volery.robots.robot import Robot
from volery.sensors.noise import Noise, NoiseState
from volery.sensors.outputs import Output, arrays_of
from volery.world.cast.batch import Casting, run_together
from volery.world.environment import Environment

__all__ = ["RaySensor", "Reading", "Sensor", "SensorConfig", "in_kind"]


@dataclass(frozen=True)
class SensorConfig(Checked):
    """The knobs all sensors have."""

    rate: float = param(100.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    phase: float = param(0.0, low=0)
    """Time of the first reading [s]."""
    delay: float = param(0.0, low=0, high=3600.0)
    """From measuring to being told [s]; the stamp is that of measuring."""
    buffer: int = param(1, low=1, high=100_000)
    """How many readings are kept."""
    drop: float = param(0.0, low=0.0, high=1.0)
    """Chance that a whole reading is lost."""
    noise: dict[str, Noise] = field(default_factory=dict)
    """Noise by array of the reading."""
    enabled: bool = True
    mount: Mount = field(default_factory=Mount)

    def derived(self) -> dict[str, float | str]:
        """What a page is told besides the fields, such as limits that follow from a model."""
        return {}


class Reading:
    """What a sensor felt at an instant: arrays by name in `data`, each also as `reading["rgb"]` and `reading.rgb`."""

    __slots__ = ("_data", "stamp_ns")

    def __init__(self, stamp_ns: int, data: dict[str, np.ndarray] | Deferred[dict[str, np.ndarray]]) -> None:
        self.stamp_ns = stamp_ns
        self._data = data

    @property
    def data(self) -> dict[str, np.ndarray]:
        """Arrays by name. Those of a picture may be drawn only now; any thread may ask."""
        if isinstance(self._data, Deferred):
            self._data = self._data.result()
        return self._data

    @property
    def ready(self) -> bool:
        """Whether `data` is there without a picture being drawn for it."""
        return not isinstance(self._data, Deferred) or self._data.done

    @property
    def time(self) -> float:
        """When it was measured, since the start [s]; exactly it is `stamp_ns`."""
        return self.stamp_ns / SECOND

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.data:
            raise UnknownNameError("array of this reading", name, self.data)
        return self.data[name]

    def __getattr__(self, name: str) -> np.ndarray:
        # What begins so is asked for by copies and notebooks, of readings that are not made yet, too.
        if not name.startswith("_") and name in self.data:
            return self.data[name]
        hint = "" if name.startswith("_") else f"{did_you_mean(name, self.data)}; it has {', '.join(self.data)}"
        raise AttributeError(f"this reading has no '{name}'{hint}")

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def keys(self) -> list[str]:
        """Names of its arrays."""
        return list(self.data)

    @property
    def _drawn(self) -> dict[str, np.ndarray]:
        """Its arrays if they have been made: to be looked at, a picture need not be drawn."""
        if isinstance(self._data, Deferred):
            return self._data.result() if self._data.done else {}
        return self._data

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._drawn]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._drawn)

    def __repr__(self) -> str:
        arrays = [f"{n} {a.dtype} {list(a.shape)}" for n, a in self._drawn.items()]
        return f"<Reading at {self.time:.3f} s: {', '.join(arrays) or 'not drawn yet'}>"

    def state(self) -> list[Any]:
        """Plain data that `of` takes back."""
        return [self.stamp_ns, dict(self.data)]

    @staticmethod
    def of(state: list[Any]) -> Reading:
        """The reading of a `state`."""
        stamp_ns, data = state
        if type(stamp_ns) is not int or not all(isinstance(a, np.ndarray) for a in data.values()):
            raise SimulationError("this snapshot is damaged: a reading has a whole time [ns] and arrays by name")
        return Reading(stamp_ns, dict(data))


class Sensor(ABC):
    """A sensor on a robot. Subclasses name their Config and the arrays that noise may touch, and write `sense`."""

    Config: ClassVar[type[SensorConfig]] = SensorConfig
    noisy: ClassVar[tuple[str, ...]] = ()
    keeps: ClassVar[tuple[str, ...]] = ()
    """Attributes of a subclass that a snapshot must hold; plain data and arrays."""
    reckons: ClassVar[bool] = False
    """Whether its readings say where its mount is by its own reckoning: position, attitude, velocity, angular_velocity,
    pose_covariance and twist_covariance, as those of `Odometry`."""
    on_operated: Callable[[Sensor, str, list[Any], dict[str, Any]], None] | None = None
    """Told of every control that was worked: name, arguments and options. Its run sets it."""
    _operating = False
    """Whether a control is at work."""

    def __init__(
        self, name: str, config: SensorConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        self.name = name
        self.config = config
        self.robot = robot
        self.environment = environment
        self.enabled = config.enabled
        self.recent: deque[Reading] = deque(maxlen=config.buffer)
        """Readings delivered, oldest first."""
        self._rate = Rate.of(config.rate, config.phase)
        self._delay_ns = nanoseconds(config.delay)
        self._body, self._X_BS = config.mount.resolve(robot.description)
        self._waiting: deque[Reading] = deque()
        self._measured_ns: int | None = None
        self._noises: dict[str, NoiseState] = {}
        for array, noise in config.noise.items():
            if array not in self.noisy:
                raise UnknownNameError(f"array of sensor '{name}' that can have noise", array, self.noisy)
            self._noises[array] = NoiseState(noise, config.rate, generator)
        self.generator = generator
        self.prepare()

    def __repr__(self) -> str:
        latest = "no reading yet" if self.latest is None else f"latest at {self.latest.time:.3f} s"
        state = latest if self.enabled else f"off, {latest}"
        return f"<{type(self).__name__} {self.name!r} of {self.robot.name!r}, {self.config.rate:g} Hz: {state}>"

    def prepare(self) -> None:  # noqa: B027
        """Make what a subclass needs and remembers; config, robot and environment are there. By default nothing."""

    def outputs(self) -> Sequence[Output] | None:
        """What it tells on the bus and the page; by default each array of its readings, known with the first of them.

        None: not known yet."""
        return None if self.latest is None else arrays_of(self.latest)

    def variance(self, array: str, reading: Reading) -> np.ndarray:
        """Variance of an array of a reading by its noise; 0 without."""
        value, noise = reading.data[array], self.config.noise.get(array)
        if noise is None:
            return np.zeros(np.shape(value))
        return noise.variance(value, self.config.rate, reading.time)

    @property
    def frame_id(self) -> str:
        """Name of its frame in /tf; those of the robot itself are odom and base_link."""
        taken = self.name in ("odom", "base_link")
        return f"{self.robot.name}/{self.name}{'_sensor' if taken else ''}"

    @property
    def body(self) -> int:
        """Number of the robot's body that carries it."""
        return self._body

    @property
    def X_BS(self) -> np.ndarray:
        """Its mount in that body, [3, 4]."""
        return self._X_BS

    @property
    def generator(self) -> np.random.Generator:
        """Where all chance of this sensor comes from."""
        return self._generator

    @generator.setter
    def generator(self, generator: np.random.Generator) -> None:
        self._generator = generator
        for noise in self._noises.values():
            noise.generator = generator

    @property
    def latest(self) -> Reading | None:
        """The newest reading delivered."""
        return self.recent[-1] if self.recent else None

    @property
    def X_WS(self) -> np.ndarray:
        """Pose of the sensor in W, [3, 4]."""
        return self.robot.X_WS(self._body, self._X_BS)

    @property
    def X_WF(self) -> np.ndarray:
        """Pose of its frame in W, [3, 4]: that of the mount, but for a device that turns against it."""
        return self.X_WS

    @property
    def pointing(self) -> tuple[float, float, float] | None:
        """Of a device that turns against its mount: to the left [rad], up [rad], and zoom."""
        return None

    def update(self, now_ns: int, step_ns: int) -> list[Reading]:
        """Measure if it is time, alone, and deliver what is due by now."""
        if self.due(now_ns, step_ns):
            self.measure(now_ns)
        return self.deliver(now_ns)

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether it is time to measure in the step that ends now."""
        return self.enabled and self._rate.due(now_ns, step_ns)

    def deliver(self, now_ns: int) -> list[Reading]:
        """Readings whose delay has passed by now."""
        delivered = []
        while self._waiting and self._waiting[0].stamp_ns + self._delay_ns <= now_ns:
            delivered.append(self._waiting.popleft())
        self.recent.extend(delivered)
        return delivered

    def measure(self, now_ns: int) -> None:
        """Take a reading, alone."""
        run_together(self.environment.scene, [self.measuring(now_ns)])

    def measuring(self, now_ns: int) -> Casting[None]:
        """Take a reading, with noise; a dropped one is measured all the same and then lost."""
        data = yield from self.sensing(now_ns)
        self._corrupt(data, now_ns)
        self.derive(data)
        self._send(Reading(now_ns, data))

    def _corrupt(self, data: dict[str, np.ndarray], now_ns: int) -> None:
        """Put the noise on."""
        # The loop's step may be longer than the sensor's period, and it may have been off: a bias walks all the while.
        elapsed = None if self._measured_ns is None else (now_ns - self._measured_ns) / SECOND
        self._measured_ns = now_ns
        for array, noise in self._noises.items():
            data[array] = in_kind(noise.apply(data[array], elapsed), data[array].dtype)

    def _send(self, reading: Reading) -> None:
        """Let the reading wait for its delivery, unless it is lost."""
        if self.config.drop == 0.0 or self.generator.random() >= self.config.drop:
            self._waiting.append(reading)

    def sensing(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The ideal reading, as work that may yield casts."""
        yield from ()
        return self.sense(now_ns)

    @abstractmethod
    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The ideal reading, as named arrays."""

    def derive(self, data: dict[str, np.ndarray]) -> None:  # noqa: B027
        """Fill in what follows from noisy arrays, such as a height from a pressure; by default nothing."""

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "enabled": self.enabled,
            "recent": [r.state() for r in self.recent],
            "waiting": [r.state() for r in self._waiting],
            "measured_ns": self._measured_ns,
            "noises": {n: s.state() for n, s in self._noises.items()},
            **{name.lstrip("_"): deepcopy(getattr(self, name)) for name in self.keeps},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.enabled = state["enabled"]
        self.recent = deque(map(Reading.of, state["recent"]), maxlen=self.config.buffer)
        self._waiting = deque(map(Reading.of, state["waiting"]))
        self._measured_ns = state["measured_ns"]
        for name, inner in state["noises"].items():
            self._noises[name].restore(inner)
        for name in self.keeps:
            setattr(self, name, deepcopy(state[name.lstrip("_")]))


class RaySensor(Sensor):
    """A sensor that casts rays. Subclasses write `rays` in place of `sense`."""

    @abstractmethod
    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The ideal reading, as named arrays; every `yield Cast(…)` goes on when the hits are there.

        Other sensors work in between: what the hits need must belong to this sensor alone."""

    def sensing(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The ideal reading, as work that yields casts."""
        return self.rays(now_ns)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The ideal reading, cast alone."""
        return run_together(self.environment.scene, [self.rays(now_ns)])[0]


def in_kind(value: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Noisy numbers in the type of the ideal ones; whole numbers are rounded and kept in range, what is lost is 0."""
    if kind.kind in "ui" and value.dtype != kind:
        limits = np.iinfo(kind)
        value = np.clip(np.rint(np.nan_to_num(value)), limits.min, limits.max)
    return value.astype(kind, copy=False) if kind.kind in "uif" else value
