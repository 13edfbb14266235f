"""The vectorised environments as stable-baselines3 wants them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from volery.errors import LibraryError
from volery.learn.task import Observations
from volery.learn.vector import DroneVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise LibraryError("volery.learn.sb3 needs stable-baselines3; install it with: pip install volery[train]") from None

__all__ = ["Sb3VecEnv"]


class Sb3VecEnv(VecEnv):  # type: ignore[misc]
    """n drones of one task. Episodes that end begin anew at once; the last observation is in `terminal_observation`."""

    def __init__(self, num_envs: int, *, task: str = "hover", render_mode: str | None = None, **settings: Any) -> None:
        """As DroneVectorEnv."""
        self.envs = DroneVectorEnv(
            num_envs, task=task, render_mode=render_mode, autoreset_mode=AutoresetMode.SAME_STEP, **settings
        )
        self._actions: np.ndarray = np.zeros(self.envs.action_space.shape or ())
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Observations:
        """Begin all episodes, by the seeds that `seed` has set."""
        seeds = [None if s is None else int(s) for s in self._seeds]
        self._reset_seeds()
        return self.envs.reset(seed=seeds)[0]

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions [n, size]."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Do them."""
        seen, reward, terminated, truncated, info = self.envs.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            infos[i] = {
                "terminal_observation": info["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i]),
                "is_success": bool(info["final_info"]["success"][i]),
            }
        return seen, reward.astype(np.float32), ended, infos

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture of each drone."""
        return self.envs.render() or [None] * self.num_envs

    def close(self) -> None:
        """Let go."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for all."""
        found = getattr(self.envs, attr_name)
        return [found for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """All rows share their attributes: refused."""
        raise AttributeError(f"the drones of one environment share '{attr_name}'; make another environment instead")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method of the whole; its answer for each."""
        found = getattr(self.envs, method_name)(*args, **kwargs)
        return [found for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None is."""
        return [False for _ in self._get_indices(indices)]
