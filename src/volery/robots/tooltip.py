"""The tip of a robot's tool: the site `tool` of its model, where it is, and what presses on it."""

from __future__ import annotations

import numpy as np

from volery.errors import RobotError
from volery.robots.robot import Robot

__all__ = ["ToolTip"]


class ToolTip:
    """Of one robot. Forces are those that its engine tells as contacts of the body that has the site."""

    def __init__(self, robot: Robot, site: str = "tool") -> None:
        if site not in robot.description.sites:
            raise RobotError(f"robot '{robot.name}' has no tool: its model has no site '{site}'")
        self.robot = robot
        found = robot.description.sites[site]
        self._number, self._X_BT = found.body, found.X_BS
        self.body = robot.description.bodies[found.body]
        """Name of the body that it is part of."""

    @property
    def p_WT(self) -> np.ndarray:
        """Where it is [m], [3]."""
        return self.robot.X_WS(self._number, self._X_BT)[:, 3].copy()

    def force_W(self, dt: float) -> np.ndarray:
        """What presses on it, as a mean over the last step of dt [s]: [3] [N]."""
        pressed = [c.impulse_W for c in self.robot.contacts or () if c.body == self.body]
        return np.sum(pressed, axis=0) / dt if pressed else np.zeros(3)

    def touches(self) -> bool:
        """Whether it touches anything."""
        return any(c.body == self.body for c in self.robot.contacts or ())
