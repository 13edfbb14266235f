"""How much is left in a robot's battery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.errors import ScenarioError
from volery.sensors.outputs import Fields, Output
from volery.sensors.sensor import Reading, Sensor, SensorConfig

__all__ = ["Battery", "BatteryConfig"]

_NOTHING = 1e-9
"""A draw below this counts as none [W]."""


@dataclass(frozen=True)
class BatteryConfig(SensorConfig):
    """Parameters of a battery. By default USARSim's: 1 MJ that last 1200 s."""

    rate: float = param(10.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    capacity: float = param(1e6, above=0)
    """[J]."""
    charge: float = param(1.0, low=0.0, high=1.0)
    """Share that is there at the start."""
    idle: float = param(1e6 / 1200, low=0.0)
    """Power drawn whatever the robot does [W]."""
    full_voltage: float = param(12.6, above=0, high=1e5)
    """Without load, full [V]."""
    empty_voltage: float = param(10.5, low=0.0, high=1e5)
    """Without load, empty [V]; linear between."""
    resistance: float = param(0.0, low=0.0, high=1e3)
    """Inner [Ω]."""
    window: float = param(10.0, above=0, high=1e5)
    """Time over which the draw is averaged to tell what is left [s]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.empty_voltage > self.full_voltage:
            raise ScenarioError(
                f"battery: empty_voltage {self.empty_voltage:g} V is above full_voltage {self.full_voltage:g} V"
            )


class Battery(Sensor):
    """Reading: charge [1], share left; energy [1] left [J]; power [1] drawn [W]; voltage [1] at the poles [V];
    remaining [1] time at the recent draw [s], inf at none. The draw is `idle` and the robot's `power` [W], if an
    engine tells it. An empty one stops the robot's motors."""

    Config: ClassVar[type[SensorConfig]] = BatteryConfig
    noisy: ClassVar[tuple[str, ...]] = ("charge", "voltage", "power")
    keeps: ClassVar[tuple[str, ...]] = ("_energy", "_mean", "_told", "_last_ns")
    config: BatteryConfig

    def prepare(self) -> None:
        """Charge it."""
        self._energy = self.config.capacity * self.config.charge
        self._mean = self._told = 0.0
        """Draw of late [W], and for how long it is known [s]."""
        self._last_ns: int | None = None

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Take what was drawn since the last reading."""
        c = self.config
        power = c.idle + self.robot.power
        dt = 0.0 if self._last_ns is None else (now_ns - self._last_ns) / SECOND
        self._last_ns = now_ns
        self._energy = min(max(self._energy - power * dt, 0.0), c.capacity)
        self.robot.powered = self._energy > 0
        power = power if self._energy > 0 else 0.0
        self._told += dt
        weight = 1.0 if self._told <= dt else max(dt / self._told, -np.expm1(-dt / c.window))
        self._mean += (power - self._mean) * weight
        remaining = 0.0 if self._energy <= 0 else self._energy / self._mean if self._mean > _NOTHING else np.inf
        share = self._energy / c.capacity
        values = {"charge": share, "energy": self._energy, "power": power, "remaining": remaining}
        return {**{k: np.array([v]) for k, v in values.items()}, "voltage": np.array([self._voltage(share, power)])}

    def _voltage(self, share: float, power: float) -> float:
        """Under load: V = E − R·P/V, the upper root; half of E where the battery cannot give as much."""
        c = self.config
        free = c.empty_voltage + (c.full_voltage - c.empty_voltage) * share
        return 0.5 * (free + np.sqrt(max(free * free - 4 * c.resistance * power, 0.0)))

    def outputs(self) -> list[Output]:
        """A BatteryState."""
        return [Output("", "sensor_msgs/msg/BatteryState", self._told_fields, view="series", path="percentage")]

    def _told_fields(self, reading: Reading) -> Fields:
        d, c = {k: float(v[0]) for k, v in reading.data.items()}, self.config
        charge = c.capacity / 3600 / c.full_voltage
        return {
            "voltage": d["voltage"], "temperature": np.nan, "charge": charge * d["charge"], "capacity": charge,
            "current": -d["power"] / d["voltage"] if d["voltage"] else 0.0, "design_capacity": charge,
            "percentage": d["charge"], "power_supply_status": 2, "power_supply_health": 1, "present": True,
        }  # fmt: skip
