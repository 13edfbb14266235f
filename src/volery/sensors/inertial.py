"""What a flight controller feels: specific force and turning, the Earth's magnetic field, pressure and airspeed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery._native import sensors as native
from volery.core.clock import SECOND
from volery.core.config import param
from volery.core.geodesy import Origin
from volery.sensors.mounted import Mounted
from volery.sensors.outputs import Fields, Output
from volery.sensors.sensor import Reading, Sensor, SensorConfig
from volery.world.atmosphere import GAS, GRAVITY, Atmosphere, geopotential

__all__ = [
    "Airspeed",
    "AirspeedConfig",
    "Barometer",
    "BarometerConfig",
    "Imu",
    "ImuConfig",
    "Magnetometer",
    "MagnetometerConfig",
    "dipole_field",
    "pressure_altitude",
]

_LOWEST, _HIGHEST = -2000.0, 32_000.0
_EARTH = 6_356_766.0


@dataclass(frozen=True)
class ImuConfig(SensorConfig):
    """Parameters of an inertial measurement unit. Bias, walk and density are the noise of its two arrays."""

    gravity: float = param(GRAVITY, low=0.0, high=100.0)
    """Of the world, downwards [m/s²]."""
    g_sensitivity: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=-1e3, high=1e3)
    """What specific force along each axis adds to the rate about it [(rad/s) / (m/s²)]."""
    force_range: float | None = param(None, above=0)
    """Largest specific force shown, ± per axis [m/s²]; by default any."""
    rate_range: float | None = param(None, above=0)
    """Largest rate shown, ± per axis [rad/s]; by default any."""


class Imu(Mounted):
    """Reading: specific_force [3] [m/s²] and angular_velocity [3] [rad/s], both in the sensor's axes S.

    The specific force is what an integrating accelerometer gives: its mean since the last reading, in the axes halfway
    between; at rest +g upwards. The lever arm of the mount is in it, and so is the motion of joints and bones between
    root and sensor. The rate is that of now. The Earth's own turning is left out.
    """

    Config: ClassVar[type[SensorConfig]] = ImuConfig
    noisy: ClassVar[tuple[str, ...]] = ("specific_force", "angular_velocity")
    keeps: ClassVar[tuple[str, ...]] = (*Mounted.keeps, "_last_ns", "_last_R", "_last_v")
    config: ImuConfig

    def prepare(self) -> None:
        """Begin without a last reading."""
        super().prepare()
        self._last_ns: int | None = None
        self._last_R, self._last_v = np.eye(3), np.zeros(3)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Difference the velocity of the mount since the last reading."""
        X = self.X_WS
        R, (v, w) = np.ascontiguousarray(X[:, :3]), self.motion(X, now_ns)
        if self._last_ns is None:
            self._last_ns, self._last_R, self._last_v = now_ns, R, v
        dt, force = (now_ns - self._last_ns) / SECOND, np.empty(3)
        native.specific_force(self._last_R, R, self._last_v, v, dt, self.config.gravity, force)
        self._last_ns, self._last_R, self._last_v = now_ns, R, v
        rate = R.T @ w + np.array(self.config.g_sensitivity) * force
        return {"specific_force": force, "angular_velocity": rate}

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """Beyond its range a sensor shows the end of it."""
        for array, most in (("specific_force", self.config.force_range), ("angular_velocity", self.config.rate_range)):
            if most is not None:
                data[array] = np.clip(data[array], -most, most)

    def outputs(self) -> list[Output]:
        """An Imu message, without orientation."""
        return [Output("", "sensor_msgs/msg/Imu", self._told, view="arrow", path="linear_acceleration")]

    def _told(self, reading: Reading) -> Fields:
        return {
            "orientation_covariance": _UNMEASURED,
            "angular_velocity": reading.data["angular_velocity"],
            "angular_velocity_covariance": np.diag(self.variance("angular_velocity", reading)),
            "linear_acceleration": reading.data["specific_force"],
            "linear_acceleration_covariance": np.diag(self.variance("specific_force", reading)),
        }


_UNMEASURED = np.array([-1.0, *np.zeros(8)])
"""ROS's way to say that a quantity is not measured."""


_IGRF_2020 = np.array([-1450.9e-9, 4652.5e-9, -29_404.8e-9])
"""g11, h11, g10 of the 13th generation at 2020.0 [T]: the dipole along ECEF x, y, z."""
_IGRF_RADIUS = 6_371_200.0


def dipole_field(p_E: np.ndarray) -> np.ndarray:
    """The Earth's field as a tilted dipole [T], at Earth-fixed points [m] and in those axes, [..., 3].

    Within some 10 % of strength and 10° of direction of the true field over most of the Earth (worse in the South
    Atlantic and near the poles): enough to test filters, not to find a place's declination.
    """
    r = np.linalg.norm(p_E, axis=-1, keepdims=True)
    out = p_E / r
    along = np.sum(out * _IGRF_2020, axis=-1, keepdims=True)
    return (_IGRF_RADIUS / r) ** 3 * (3 * along * out - _IGRF_2020)


@dataclass(frozen=True)
class MagnetometerConfig(SensorConfig):
    """Parameters of a magnetometer."""

    field: tuple[float, float, float] | None = param(None, low=-1e3, high=1e3)
    """Field of the world in W (east, north, up) [T]; by default a dipole's at the sky's latitude and longitude."""
    hard_iron: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=-1e3, high=1e3)
    """Field of the robot's own magnets, in the sensor's axes [T]."""


class Magnetometer(Sensor):
    """Reading: field [3] [T] in the sensor's axes. The world's field is everywhere that of its origin."""

    Config: ClassVar[type[SensorConfig]] = MagnetometerConfig
    noisy: ClassVar[tuple[str, ...]] = ("field",)
    config: MagnetometerConfig
    _place: Origin | None = None

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The world's field in the sensor's axes, and the robot's own."""
        return {"field": self._field_W() @ self.X_WS[:, :3] + np.array(self.config.hard_iron)}

    def _field_W(self) -> np.ndarray:
        if self.config.field is not None:
            return np.array(self.config.field)
        sky = self.environment.sky
        place = Origin(sky.latitude, sky.longitude)
        if place != self._place:
            self._place, self._cached = place, dipole_field(place.p_EW) @ place.R_EW
        return self._cached

    def outputs(self) -> list[Output]:
        """A MagneticField."""
        return [Output("", "sensor_msgs/msg/MagneticField", self._told, view="arrow", path="magnetic_field")]

    def _told(self, reading: Reading) -> Fields:
        covariance = np.diag(self.variance("field", reading))
        return {"magnetic_field": reading.data["field"], "magnetic_field_covariance": covariance}


@dataclass(frozen=True)
class BarometerConfig(SensorConfig):
    """Parameters of a barometer."""

    altitude: float = param(0.0, low=-500.0, high=9000.0)
    """Height of the world's origin above the sea [m]."""
    qnh: float = param(101_325.0, low=80_000.0, high=120_000.0)
    """Pressure at sea level that the shown altitude counts on [Pa]."""


def pressure_altitude(pressure: np.ndarray, sea_level: float) -> np.ndarray:
    """Geometric height above the sea [m] at which the standard atmosphere has a pressure [Pa], to 32 km."""
    ratio = np.maximum(pressure, 1.0) / sea_level
    exponent = GAS * 0.0065 / GRAVITY
    tropopause = (216.65 / 288.15) ** (1 / exponent)
    top = tropopause * np.exp(-GRAVITY * 9000.0 / (GAS * 216.65))
    h = 288.15 / 0.0065 * (1 - ratio**exponent)
    h = np.where(ratio < tropopause, 11e3 - GAS * 216.65 / GRAVITY * np.log(ratio / tropopause), h)
    h = np.where(ratio < top, 20e3 + 216.65 / 0.001 * ((ratio / top) ** (-GAS * 0.001 / GRAVITY) - 1), h)
    return _EARTH * h / (_EARTH - h)


def _air(atmosphere: Atmosphere, z: float) -> tuple[float, float, float]:
    """Temperature [K], pressure [Pa] and density [kg/m³] at a height above the sea [m]; held beyond −2 to 32 km."""
    air = atmosphere.at(np.clip(geopotential(z), _LOWEST, _HIGHEST))
    return float(air.temperature), float(air.pressure), float(air.density)


class Barometer(Sensor):
    """Reading: pressure [1] [Pa], altitude [1] above the sea that it stands for [m], temperature [1] [K]."""

    Config: ClassVar[type[SensorConfig]] = BarometerConfig
    noisy: ClassVar[tuple[str, ...]] = ("pressure", "temperature")
    config: BarometerConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Static pressure and temperature of the air here."""
        temperature, pressure, _ = _air(self.environment.atmosphere, self.X_WS[2, 3] + self.config.altitude)
        return {"pressure": np.array([pressure]), "temperature": np.array([temperature])}

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """Altitude from the pressure as it was felt."""
        data["altitude"] = pressure_altitude(data["pressure"], self.config.qnh)

    def outputs(self) -> list[Output]:
        """A FluidPressure."""
        return [Output("", "sensor_msgs/msg/FluidPressure", self._told, view="series", path="fluid_pressure")]

    def _told(self, reading: Reading) -> Fields:
        variance = self.variance("pressure", reading)[0]
        return {"fluid_pressure": reading.data["pressure"][0], "variance": variance}


@dataclass(frozen=True)
class AirspeedConfig(SensorConfig):
    """Parameters of a pitot tube that looks along the sensor's x."""

    altitude: float = param(0.0, low=-500.0, high=9000.0)
    """Height of the world's origin above the sea [m]."""


class Airspeed(Mounted):
    """Reading: pressure [1], dynamic, of the tube [Pa]; true [1] and indicated [1] airspeed [m/s] that follow from it;
    velocity [3] of the sensor through the air, in its axes [m/s]. Air from behind gives 0; no compressibility."""

    Config: ClassVar[type[SensorConfig]] = AirspeedConfig
    noisy: ClassVar[tuple[str, ...]] = ("pressure", "velocity")
    config: AirspeedConfig
    _density = 1.225

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Motion against the wind here and now."""
        X = self.X_WS
        wind = self.environment.wind.velocity(X[:, 3][None], now_ns)[0]
        velocity = (self.motion(X, now_ns)[0] - wind) @ X[:, :3]
        self._density = _air(self.environment.atmosphere, X[2, 3] + self.config.altitude)[2]
        pressure = 0.5 * self._density * max(velocity[0], 0.0) ** 2
        return {"pressure": np.array([pressure]), "velocity": velocity}

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """Airspeeds from the pressure as it was felt; a negative one shows a negative speed."""
        felt = np.sign(data["pressure"]) * np.sqrt(2 * np.abs(data["pressure"]))
        data["true"], data["indicated"] = felt / np.sqrt(self._density), felt / np.sqrt(1.225)

    def outputs(self) -> list[Output]:
        """The velocity through the air as a twist."""
        kind = "geometry_msgs/msg/TwistStamped"
        return [
            Output("", kind, lambda r: {"twist": {"linear": r.data["velocity"]}}, view="arrow", path="twist.linear")
        ]
