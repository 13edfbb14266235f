"""How unsure dead reckoning is: the covariance of its place and attitude, carried on from step to step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from volery.sensors.position import OdometryConfig

__all__ = ["first_covariance", "grown"]


def first_covariance(drift: OdometryConfig) -> np.ndarray:
    """Of place [m], attitude about the axes of the frame it counts in [rad], and the two scales of the run, at the
    beginning: only the scales are unsure. [8, 8]."""
    return np.diag([0.0] * 6 + [drift.distance_scale**2, drift.turn_scale**2])


def grown(
    P: np.ndarray, drift: OdometryConfig, R_OS: np.ndarray, step: np.ndarray, turn: np.ndarray, hertz: float
) -> tuple[np.ndarray, np.ndarray]:
    """The covariance after a step [m] and a turn [rad] in the sensor's axes, which R_OS turns into those it counts
    in; and that of the twist in those axes, [6, 6]. To first order in the errors, of which step and turn have none.

    hertz: steps a second."""
    F = np.eye(8)
    moved = R_OS @ step
    F[:3, 3:6] = -_cross(moved)
    F[:3, 6] = moved
    F[3:6, 7] = R_OS @ turn
    way, angle = float(np.linalg.norm(step)), float(np.linalg.norm(turn))
    place, heading = np.ones(3), np.ones(3)
    if drift.planar:
        place[2], heading[:2] = 0.0, 0.0
    of_step = np.diag(drift.distance_noise**2 * way * place)
    of_turn = np.diag((drift.turn_noise**2 * angle + drift.heading_noise**2 * way) * heading)
    Q = np.zeros((8, 8))
    Q[:3, :3] = R_OS @ of_step @ R_OS.T
    Q[3:6, 3:6] = R_OS @ of_turn @ R_OS.T
    twist = np.zeros((6, 6))
    twist[:3, :3] = (of_step + P[6, 6] * np.outer(step, step)) * hertz**2
    twist[3:, 3:] = (of_turn + P[7, 7] * np.outer(turn, turn)) * hertz**2
    return F @ P @ F.T + Q, twist


def _cross(v: np.ndarray) -> np.ndarray:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
