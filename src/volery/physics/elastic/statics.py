"""Rest shapes, trimmed flight and small motions of an aircraft: Newton's method and differences on the step's code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np

from volery.errors import SimulationError
from volery.physics.elastic.craft import ElasticAircraft

__all__ = ["Trim", "eigenvalues", "frequencies", "rest_shape", "trim"]

_EPS = 1e-6


@dataclass(frozen=True)
class Trim:
    """Steady straight flight."""

    pitch: float
    """Of the body over the horizon [rad]."""
    slope: float
    """Of the way flown [rad]; below the horizon is negative."""
    flaps: np.ndarray
    """Of the controls [c] [rad]."""
    throttle: float
    """Of all propellers, 0 to 1."""
    qpos: np.ndarray
    """Of all springs, in the frame's order [k] [rad]."""
    residual: float
    """Largest acceleration that is left [m/s² or rad/s²]."""


def _newton(
    craft: ElasticAircraft,
    x: np.ndarray,
    forces: Callable[[np.ndarray], np.ndarray],
    scale: np.ndarray,
    rounds: int = 40,
) -> np.ndarray:
    """Find x with forces(x) = 0; steps are cut so that no spring turns by more than 0.2 rad at once."""
    for _ in range(rounds):
        f = forces(x)
        jacobian = np.empty((len(f), len(x)))
        for i in range(len(x)):
            moved = x.copy()
            moved[i] += _EPS * scale[i]
            jacobian[:, i] = (forces(moved) - f) / (_EPS * scale[i])
        dx = np.linalg.lstsq(jacobian * scale, -f, rcond=1e-10)[0] * scale
        dx *= min(1.0, 0.2 / max(np.abs(dx / scale).max(), 1e-12))
        x = x + dx
        if np.abs(dx / scale).max() < 1e-9:
            break
    return x


def rest_shape(craft: ElasticAircraft) -> np.ndarray:
    """Bend a clamped aircraft to where air, weight and pushes hold it; the angles of its springs [k] [rad]."""
    frame = craft.frame

    def forces(q: np.ndarray) -> np.ndarray:
        craft.qpos[frame.spring_q] = q
        return craft.settle()[frame.spring_v].copy()

    x = _newton(craft, craft.qpos[frame.spring_q].copy(), forces, np.ones(len(frame.spring_q)))
    forces(x)
    return x


def trim(
    craft: ElasticAircraft, speed: float, elevators: tuple[str, ...], climb: float = 0.0, power: bool = True
) -> Trim:
    """Find steady flight straight ahead (along W's x) at an airspeed and climb rate [m/s], in the craft's air.

    elevators: controls that balance it, turned alike. power: propellers give what is needed; else it glides, and the
    climb rate that is given is where the search begins.
    """
    frame = craft.frame
    tail = [craft.aircraft.control(name) for name in elevators]
    count = len(frame.spring_q)
    scale = np.ones(3 + count)
    x = np.concatenate([[0.05, 0.0, 0.3 if power else -0.05], craft.qpos[frame.spring_q]])
    angle = np.arcsin(climb / speed)

    def fly(x: np.ndarray) -> np.ndarray:
        slope = angle if power else x[2]
        pitch = x[0] + slope
        craft.qpos[3:7] = np.cos(pitch / 2), 0.0, -np.sin(pitch / 2), 0.0
        craft.qpos[frame.spring_q] = x[3:]
        craft.qvel[:] = 0.0
        craft.qvel[0], craft.qvel[2] = speed * np.cos(slope), speed * np.sin(slope)
        craft.flaps[tail] = x[1]
        craft.throttle[:] = craft.power_share[:] = max(x[2], 0.0) if power else 0.0
        force = craft.settle()
        # Forward, up, nose-up; side forces vanish by symmetry.
        return np.concatenate([[force[0], force[2], -force[4]], force[frame.spring_v]])

    x = _newton(craft, x, fly, scale)
    fly(x)
    left = float(np.abs(frame.data.qacc_smooth).max())
    if not left < 1e-3:
        raise SimulationError(
            f"no steady flight at {speed:g} m/s was found; {left:.2g} m/s² are left; try another speed"
        )
    if power and x[2] > 1.0:
        raise SimulationError(f"steady flight at {speed:g} m/s needs {100 * x[2]:.0f} % of the propellers' power")
    slope = angle if power else float(x[2])
    return Trim(float(x[0]) + slope, slope, craft.flaps.copy(), float(craft.throttle.mean()), x[3:].copy(), left)


def frequencies(craft: ElasticAircraft) -> np.ndarray:
    """Of small motions of a clamped aircraft at its present shape without air, lowest first [rad/s]."""
    frame = craft.frame
    craft.set_air(0.0, 0.0)
    mujoco.mj_forward(frame.model, frame.data)
    M = np.zeros((frame.model.nv, frame.model.nv))
    mujoco.mj_fullM(frame.model, frame.data, M)
    K = np.diag(frame.stiffness)
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))


def eigenvalues(craft: ElasticAircraft) -> np.ndarray:
    """Of small motions of a clamped aircraft about its present shape in its air, complex.

    States: angles and rates of the springs, both lags and the wake's downwash of every strip; the derivatives are
    those of the step."""
    frame, air = craft.frame, craft.air
    craft.settle()
    q0, lag0, induced0 = craft.qpos.copy(), air.lag.copy(), air.induced.copy()
    nv, ns = frame.model.nv, len(air.lag)
    late = 3 * ns if craft.wakes else 2 * ns

    def derivative(y: np.ndarray) -> np.ndarray:
        craft.qpos[:] = q0 + y[:nv]
        craft.qvel[:] = y[nv : 2 * nv]
        moved = np.append(y[2 * nv :], np.zeros(3 * ns - late)).reshape(3, ns)
        air.lag[:], air.induced[:] = lag0 + moved[:2].T, induced0 + moved[2]
        rates = craft.lag_rates(1e-7)
        return np.concatenate([y[nv : 2 * nv], frame.data.qacc_smooth, rates.T.ravel()[:late]])

    size = 2 * nv + late
    A = np.empty((size, size))
    for i in range(size):
        step = np.zeros(size)
        step[i] = 1e-5
        A[:, i] = (derivative(step) - derivative(-step)) / 2e-5
    craft.qpos[:], craft.qvel[:], air.lag[:], air.induced[:] = q0, 0.0, lag0, induced0
    return np.linalg.eigvals(A)
