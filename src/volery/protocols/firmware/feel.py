"""What the sensors of a flight controller in the middle of a robot would feel, in the frames of all firmwares: north-
east-down, body forward-right-down. Only here they meet ours; each firmware adds noise of its own."""

from __future__ import annotations

import numpy as np

from volery._native import sensors as native
from volery.core.clock import SECOND
from volery.core.frames import (
    frd_from_flu,
    matrix_from_quat,
    ned_from_enu,
    q_ned_frd_from_enu_flu,
    quat_conjugate,
    quat_rotate,
)
from volery.core.geodesy import Origin
from volery.robots.robot import Robot
from volery.sensors.gps import Gps
from volery.sensors.inertial import dipole_field
from volery.sim import Simulation
from volery.world.atmosphere import GRAVITY, geopotential

__all__ = ["Feel", "origin_of"]


def origin_of(simulation: Simulation, name: str, altitude: float) -> Origin:
    """The world's place on Earth: that of the robot's own receiver, else the sky's."""
    gps = next((s for s in simulation.sensors[name].values() if isinstance(s, Gps)), None)
    if gps is not None:
        return gps.origin
    sky = simulation.environment.sky
    return Origin(sky.latitude, sky.longitude, altitude)


class Feel:
    """Of one robot; `look` after every step."""

    def __init__(self, simulation: Simulation, name: str, altitude: float) -> None:
        """altitude: of the world's origin above the sea [m], if the robot has no receiver."""
        self._simulation, self._name = simulation, name
        self.origin = origin_of(simulation, name, altitude)
        self._field_W = dipole_field(self.origin.p_EW) @ self.origin.R_EW
        self.elapsed_ns = 0
        """Time since the door opened; a reset of the simulation does not set it back."""
        self.begin()

    def begin(self) -> None:
        """The robot was put elsewhere, or made anew: no motion led here."""
        self._now_ns = self._simulation.clock.now_ns
        robot = self.robot
        self._R, self._v = matrix_from_quat(robot.q_WB_wxyz), robot.v_WB_W.copy()
        self.force_frd = frd_from_flu(self._R.T @ np.array([0.0, 0.0, GRAVITY]))
        """Specific force, its mean over the last step [m/s²], [3]."""

    @property
    def robot(self) -> Robot:
        """As it is now, also after a reset."""
        return self._simulation.robots[self._name]

    def look(self) -> None:
        """Take the motion of the last step."""
        now_ns, robot = self._simulation.clock.now_ns, self.robot
        if now_ns <= self._now_ns:
            self.begin()
            return
        dt_ns, force = now_ns - self._now_ns, np.empty(3)
        R, v = matrix_from_quat(robot.q_WB_wxyz), robot.v_WB_W.copy()
        native.specific_force(self._R, R, self._v, v, dt_ns / SECOND, GRAVITY, force)
        self._now_ns, self._R, self._v = now_ns, R, v
        self.elapsed_ns += dt_ns
        self.force_frd = frd_from_flu(force)

    @property
    def seconds(self) -> float:
        """`elapsed_ns` in seconds."""
        return self.elapsed_ns / SECOND

    @property
    def gyro_frd(self) -> np.ndarray:
        """Turning [rad/s], [3]."""
        return frd_from_flu(self._R.T @ self.robot.w_WB_W)

    @property
    def p_ned(self) -> np.ndarray:
        """Place from the world's origin [m], [3]."""
        return ned_from_enu(self.robot.p_WB)

    @property
    def v_ned(self) -> np.ndarray:
        """Velocity over ground [m/s], [3]."""
        return ned_from_enu(self._v)

    @property
    def q_ned_wxyz(self) -> np.ndarray:
        """Attitude: body forward-right-down in north-east-down, [4]."""
        return q_ned_frd_from_enu_flu(self.robot.q_WB_wxyz)

    @property
    def field_frd(self) -> np.ndarray:
        """The Earth's field, a dipole's [T], [3]."""
        return frd_from_flu(self._R.T @ self._field_W)

    @property
    def wind_W(self) -> np.ndarray:
        """Where the robot is [m/s], in W, [3]."""
        return self._simulation.environment.wind.velocity(self.robot.p_WB[None], self._now_ns)[0]

    @property
    def airspeed(self) -> float:
        """Along the nose [m/s]; never below 0."""
        air = quat_rotate(quat_conjugate(self.robot.q_WB_wxyz), self._v - self.wind_W)
        return max(float(air[0]), 0.0)

    @property
    def altitude(self) -> float:
        """Above the sea [m]."""
        return float(self.robot.p_WB[2]) + self.origin.altitude

    def geodetic(self) -> tuple[float, float, float]:
        """Latitude, longitude [deg], height [m]."""
        latitude, longitude, height = self.origin.geodetic(self.robot.p_WB)
        return float(np.degrees(latitude)), float(np.degrees(longitude)), float(height)

    def air(self) -> tuple[float, float, float]:
        """Temperature [°C], pressure [Pa] and density [kg/m³] where it is."""
        found = self._simulation.environment.atmosphere.at(np.clip(geopotential(self.altitude), -2000.0, 32_000.0))
        return float(found.temperature) - 273.15, float(found.pressure), float(found.density)
