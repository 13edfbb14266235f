"""What an agent may say to a drone: numbers of -1 to 1, as commands of the fleet's autopilot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from gymnasium.spaces import Box

from volery.core.config import Checked, param
from volery.errors import CommandError
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.tables import ROTORS, Level

__all__ = ["ActionConfig", "Actions"]


@dataclass(frozen=True)
class ActionConfig(Checked):
    """How actions are understood."""

    kind: Literal["rates", "motors", "velocity"] = "rates"
    """rates: thrust (0 to twice the weight) and turning about forward, left, up. motors: throttle of each rotor, idle
    to most. velocity: forward, left, up, by the heading, and turning about up; the autopilot sees to it."""
    rates: tuple[float, float, float] = param((6.0, 6.0, 2.0), above=0, high=50.0)
    """Most of turning, at actions of kind rates [rad/s]."""
    speed: tuple[float, float, float] = param((3.0, 3.0, 1.5), above=0, high=50.0)
    """Most forward, left and up, at actions of kind velocity [m/s]."""
    yaw_rate: float = param(1.5, above=0, high=20.0)
    """Most of turning, at actions of kind velocity [rad/s]."""


class Actions:
    """Of drones of one kind."""

    def __init__(self, config: ActionConfig, parameters: np.void) -> None:
        """parameters: of the drones' kind."""
        self.config, self._p = config, parameters
        self.size = int(parameters["rotors"]) if config.kind == "motors" else 4
        """Numbers of an action."""
        self.space = Box(-1.0, 1.0, (self.size,), np.float32)

    def checked(self, actions: np.ndarray, count: int) -> np.ndarray:
        """Actions [n, size] within limits, float64; what is no number is refused."""
        array = np.asarray(actions, np.float64)
        if array.shape != (count, self.size) or not np.isfinite(array).all():
            raise CommandError(
                f"actions must be finite numbers of shape [{count}, {self.size}], got {array.shape}"
                f"{'' if np.isfinite(array).all() else ' with NaN or infinity'}; nothing was done"
            )
        return np.clip(array, -1.0, 1.0)

    def tell(self, batch: Batch, actions: np.ndarray) -> None:
        """Tell all drones; actions [n, size], checked."""
        c = self.config
        if c.kind == "motors":
            motors = np.zeros((len(actions), ROTORS))
            motors[:, : self.size] = 0.5 * (actions + 1.0)
            batch.tell_all(Level.ACTUATORS, {"motors": motors})
        elif c.kind == "velocity":
            v, turn = actions[:, :3] * c.speed, actions[:, 3] * c.yaw_rate
            along = np.ones(len(actions))
            batch.tell_all(Level.VELOCITY_RATE, {"v_W": v, "yaw_rate": turn, "along": along})
        else:
            rates = actions[:, 1:] * c.rates
            batch.tell_all(Level.BODY_RATE, {"w_B": rates, "throttle": self._throttle(actions[:, 0])})

    def _throttle(self, lift: np.ndarray) -> np.ndarray:
        """Of all rotors for a thrust of 1 + lift weights, [n]; no more than they give."""
        p = self._p
        least, most = p["least_rpm"], p["most_rpm"]
        weight = p["mass"] * p["gravity"] / (p["lift"] * most**2)
        rpm = np.sqrt(np.clip(weight * (1.0 + lift), 0.0, 1.0)) * most
        return np.maximum((rpm - least) / (most - least), 0.0)
