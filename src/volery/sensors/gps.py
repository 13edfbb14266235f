"""A satellite receiver: which satellites are in sight, what fix they give, and where it says one is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.core.clock import SECOND, nanoseconds
from volery.core.config import param
from volery.core.geodesy import Origin, gps_satellites
from volery.sensors.mounted import Mounted
from volery.sensors.outputs import Fields, Output
from volery.sensors.sensor import Reading, SensorConfig

__all__ = ["Gps", "GpsConfig"]


@dataclass(frozen=True)
class GpsConfig(SensorConfig):
    """Parameters of a satellite receiver."""

    rate: float = param(10.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    latitude: float | None = param(None, low=-90.0, high=90.0)
    """Of the world's origin, north [deg]; by default the sky's."""
    longitude: float | None = param(None, low=-180.0, high=180.0)
    """Of the world's origin, east [deg]; by default the sky's."""
    altitude: float = param(0.0, low=-1e4, high=1e6)
    """Of the world's origin above the ellipsoid [m]."""
    mask_deg: float = param(5.0, low=0.0, high=90.0)
    """Satellites lower than this are not used [deg]."""
    blockable: bool = True
    """Whether things hide satellites that stand behind them."""
    channel: str | None = None
    """Which things do: a channel of the scenario; by default all."""
    worst_dop: float = param(20.0, above=0)
    """No fix where satellites stand so badly that the dilution of position is above this."""
    range_error: float = param(0.0, low=0.0, high=1e4)
    """Standard deviation of the error of each satellite's range [m]; the geometry makes the position's from it."""
    correlation: float = param(0.0, low=0.0)
    """Time in which those errors wander (Gauss–Markov) [s]; 0: anew each reading."""
    acquire: float = param(0.0, low=0.0, high=1e6)
    """From satellites in sight again to the next fix [s]; the run starts with one."""
    outage_rate: float = param(0.0, low=0.0)
    """Chance of an outage per second [1/s]."""
    outage_time: float = param(5.0, low=0.0, high=1e6)
    """How long one lasts [s]."""


_NO_SIGHT = np.zeros((0, 3))


class Gps(Mounted):
    """Reading: position [3] in W [m]; velocity [3] in W [m/s]; geodetic [3]: latitude, longitude [rad], height above
    the ellipsoid [m], that follow from it; fix [1]: 0 none, 2 without height, 3 full; satellites [1] in use; dop [2]:
    dilution of precision, level and vertical; covariance [3, 3] of the position in W [m²], by errors of ranges,
    geometry and noise. Without a fix position, velocity, geodetic and covariance are NaN; without height, their parts
    of it."""

    Config: ClassVar[type[SensorConfig]] = GpsConfig
    noisy: ClassVar[tuple[str, ...]] = ("position", "velocity")
    keeps: ClassVar[tuple[str, ...]] = (*Mounted.keeps, "_lost_ns", "_outage_ns", "_last_ns", "_range_errors")
    config: GpsConfig

    def prepare(self) -> None:
        """Refuse a channel that nobody defined, and begin with a fix."""
        super().prepare()
        self.environment.scene.channel(self.config.channel)
        self._origin: Origin | None = None
        self._lost_ns: int | None = None
        self._outage_ns = -1
        self._last_ns: int | None = None
        self._elapsed: float | None = None
        self._range_errors: np.ndarray | None = None
        self._seen = np.zeros(24, np.bool_)
        self._sight = _NO_SIGHT

    @property
    def origin(self) -> Origin:
        """Where the world's origin lies on Earth."""
        sky, config = self.environment.sky, self.config
        latitude = sky.latitude if config.latitude is None else config.latitude
        longitude = sky.longitude if config.longitude is None else config.longitude
        here = Origin(latitude, longitude, config.altitude)
        if self._origin != here:
            self._origin = here
        return self._origin

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Exact place and velocity, if enough satellites are in sight."""
        X = self.X_WS
        self._look(X[:, 3], now_ns)
        dop = self._dop()
        fix = 0 if len(self._sight) < 3 else 2 if len(self._sight) == 3 else 3
        if np.hypot(dop[0], 0.0 if fix == 2 else dop[1]) > self.config.worst_dop:
            fix = 0
        if not self._locked(fix, now_ns):
            fix = 0
        position, velocity = X[:, 3].copy(), self.motion(X, now_ns)[0]
        if fix == 0:
            position[:], velocity[:] = np.nan, np.nan
        elif fix == 2:
            position[2] = velocity[2] = np.nan
        return {
            "position": position, "velocity": velocity, "fix": np.array([fix], np.int8),
            "satellites": np.array([len(self._sight)], np.int32), "dop": dop,
        }  # fmt: skip

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """The errors of ranges as errors of place, then latitude and longitude of that place."""
        if self.config.range_error > 0.0:
            errors = self._wander()
            if data["fix"][0] > 0:
                place = np.linalg.pinv(self._design()) @ errors[self._seen]
                data["position"] = data["position"] + np.append(place[:2], place[2] if data["fix"][0] == 3 else 0.0)
        data["covariance"] = self._covariance(data)
        shown = np.where(np.isnan(data["position"]) & (np.arange(3) == 2), 0.0, data["position"])
        data["geodetic"] = self.origin.geodetic(shown)
        if np.isnan(data["position"][2]):
            data["geodetic"][2] = np.nan

    def _covariance(self, data: dict[str, np.ndarray]) -> np.ndarray:
        """Of the position in W [m²], [3, 3]."""
        found, fix = np.full((3, 3), np.nan), int(data["fix"][0])
        if fix == 0:
            return found
        level = 2 if fix == 2 else 3
        A, noise = self._design(), self.config.noise.get("position")
        found[:level, :level] = self.config.range_error**2 * np.linalg.inv(A.T @ A)[:level, :level]
        if noise is not None:
            seconds = 0.0 if self._last_ns is None else self._last_ns / SECOND
            spread = noise.variance(data["position"], self.config.rate, seconds)
            found[:level, :level] += np.diag(spread[:level])
        return found

    def _look(self, p: np.ndarray, now_ns: int) -> None:
        """Which satellites are in sight, and their directions in W."""
        to = self.origin.enu(gps_satellites(now_ns / SECOND)) - p
        to /= np.linalg.norm(to, axis=1, keepdims=True)
        self._seen = to[:, 2] > np.sin(np.radians(self.config.mask_deg))
        scene = self.environment.scene
        if self.config.blockable and self._seen.any():
            far = p + 0.9 * scene.horizon * to[self._seen]
            blocked = scene.occluded(p, far, channel=self.config.channel, ignore=self.robot.name)
            self._seen[self._seen] = ~blocked
        self._elapsed = None if self._last_ns is None else (now_ns - self._last_ns) / SECOND
        self._last_ns = now_ns
        if self._out(now_ns):
            self._seen[:] = False
        self._sight = to[self._seen]

    def _out(self, now_ns: int) -> bool:
        """Whether an outage lasts or begins."""
        if self.config.outage_rate > 0.0 and self._elapsed is not None:
            begins = self.generator.random() < -np.expm1(-self.config.outage_rate * self._elapsed)
            if begins and now_ns >= self._outage_ns:
                self._outage_ns = now_ns + nanoseconds(self.config.outage_time)
        return now_ns < self._outage_ns

    def _locked(self, fix: int, now_ns: int) -> bool:
        """A fix that was lost comes back some time after the satellites do."""
        if fix == 0:
            self._lost_ns = now_ns
            return False
        return self._lost_ns is None or now_ns - self._lost_ns >= nanoseconds(self.config.acquire)

    def _design(self) -> np.ndarray:
        """How ranges depend on place (without height if there are only three) and clock."""
        level = 2 if len(self._sight) == 3 else 3
        return np.column_stack([self._sight[:, :level], np.ones(len(self._sight))])

    def _dop(self) -> np.ndarray:
        if len(self._sight) < 3:
            return np.full(2, np.inf)
        A = self._design()
        normal = A.T @ A
        if np.linalg.cond(normal) > 1e12:
            return np.full(2, np.inf)
        spread = np.diag(np.linalg.inv(normal))
        return np.array([np.hypot(*np.sqrt(spread[:2])), np.sqrt(spread[2]) if len(spread) == 4 else np.inf])

    def _wander(self) -> np.ndarray:
        """Errors of all ranges now [m], [24]."""
        fresh = self.config.range_error * self.generator.standard_normal(24)
        if self._range_errors is None or self.config.correlation == 0.0 or self._elapsed is None:
            self._range_errors = fresh
        else:
            keep = np.exp(-self._elapsed / self.config.correlation)
            self._range_errors = keep * self._range_errors + np.sqrt(1 - keep**2) * fresh
        return self._range_errors

    def outputs(self) -> list[Output]:
        """The fix, and the velocity in W."""
        velocity = Output(
            "velocity", "geometry_msgs/msg/TwistStamped", lambda r: {"twist": {"linear": r.data["velocity"]}}, "map",
            "arrow", "twist.linear",
        )  # fmt: skip
        return [Output("fix", "sensor_msgs/msg/NavSatFix", _fix), velocity]


def _fix(reading: Reading) -> Fields:
    latitude, longitude, altitude = reading.data["geodetic"]
    place = {"latitude": np.degrees(latitude), "longitude": np.degrees(longitude), "altitude": altitude}
    fix, covariance = int(reading.data["fix"][0]), np.nan_to_num(reading.data["covariance"])
    if fix == 2:
        # Nothing is known of the height: a kilometre either way.
        covariance[2, 2] = 1e6
    known = {"position_covariance": covariance, "position_covariance_type": 3 if fix else 0}
    return {"status": {"status": 0 if fix else -1, "service": 1}, **place, **known}
