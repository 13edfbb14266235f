"""One drone in one episode, as Gymnasium's environments are: a vector of one."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np

from volery.errors import SimulationError
from volery.learn.episodes import Episodes
from volery.learn.task import Observations

__all__ = ["DroneEnv"]

_ONE = np.array([0])


class DroneEnv(gymnasium.Env):
    """One drone and one of the tasks of drones. `info` has `success`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 50}  # type: ignore[misc]

    def __init__(self, *, task: str = "hover", render_mode: str | None = None, **settings: Any) -> None:
        """task: one of `episodes.TASKS`; settings: of the task's Config, such as `seconds`."""
        self.render_mode = render_mode
        self.episodes = Episodes(task, 1, settings)
        self.metadata = {**self.metadata, "render_fps": round(1.0 / self.episodes.config.period)}  # type: ignore[misc]
        self.observation_space = self.episodes.task.observation_space
        self.action_space = self.episodes.task.actions.space
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin anew; the same seed gives the same bytes."""
        super().reset(seed=seed)
        self.episodes.begin([0], [self.np_random])
        self._begun = True
        return self._observed(), {"success": False}

    def step(self, action: np.ndarray) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """One action, [size], -1 to 1."""
        if not self._begun:
            raise SimulationError("the environment was not reset yet; call reset() first")
        out = self.episodes.step(np.asarray(action)[None])
        terminated, truncated = bool(out.terminated[0]), bool(out.truncated[0])
        return self._observed(), float(out.reward[0]), terminated, truncated, {"success": bool(out.success[0])}

    def render(self) -> np.ndarray | None:
        """A picture from behind, if the render mode is rgb_array."""
        return None if self.render_mode is None else self.episodes.picture(0)

    def _observed(self) -> Observations:
        seen = self.episodes.observe(_ONE)
        return {name: part[0] for name, part in seen.items()} if isinstance(seen, dict) else seen[0]
