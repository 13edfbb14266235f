"""Many episodes stepped together, as Gymnasium's vector environments are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from volery.errors import SimulationError
from volery.learn.episodes import Episodes
from volery.learn.task import Observations

__all__ = ["DroneVectorEnv"]

Stepped = tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


class DroneVectorEnv(VectorEnv):
    """n drones in n episodes of one task: one call of the kernels flies them all, one batch of rays sees for them all.

    Row i of seed s is to the bit what the single environment of seed s + i is. `info` has `success` [n], and with the
    mode SAME_STEP `final_obs` and `final_info` of the episodes that have just ended, as Gymnasium's own have them."""

    def __init__(
        self, num_envs: int = 1, *, task: str = "hover", render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, **settings: Any,
    ) -> None:  # fmt: skip
        """task: one of `episodes.TASKS`; settings: of the task's Config, such as `seconds`."""
        if num_envs < 1:
            raise SimulationError(f"num_envs = {num_envs}: must be at least 1")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.mode = AutoresetMode(autoreset_mode)
        self.episodes = Episodes(task, num_envs, settings)
        fps = round(1.0 / self.episodes.config.period)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": fps, "autoreset_mode": self.mode}
        self.single_observation_space = self.episodes.task.observation_space
        self.single_action_space = self.episodes.task.actions.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._draws: list[np.random.Generator] = []
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all episodes anew, or those of a `reset_mask` [n] in the options. seed: row i has seed + i, or its own
        of a list; None: their generators go on."""
        mask = np.ones(self.num_envs, np.bool_)
        if options and options.get("reset_mask") is not None:
            mask = np.asarray(options["reset_mask"], np.bool_).reshape(self.num_envs)
        self._seed(seed, mask)
        self._begin(np.flatnonzero(mask))
        self._ended[mask] = False
        return self.episodes.observe(), self._info()

    def step(self, actions: np.ndarray) -> Stepped:
        """One action of each row, [n, size], -1 to 1."""
        if not self._draws:
            raise SimulationError("the environments were not reset yet; call reset() first")
        fresh = np.flatnonzero(self._ended) if self.mode is AutoresetMode.NEXT_STEP else np.zeros(0, int)
        reward, terminated, truncated, _ = self.episodes.step(actions)
        if len(fresh):
            self._begin(fresh)
            reward[fresh], terminated[fresh], truncated[fresh] = 0.0, False, False
        self._ended = terminated | truncated
        seen, info = self.episodes.observe(), self._info()
        if self.mode is AutoresetMode.SAME_STEP and self._ended.any():
            seen, info = self._same_step(seen, info)
        return seen, reward, terminated, truncated, info

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each row's drone, if the render mode is rgb_array."""
        if self.render_mode is None:
            return None
        return tuple(self.episodes.picture(row) for row in range(self.num_envs))

    def _same_step(self, last: Observations, info: dict[str, Any]) -> tuple[Observations, dict[str, Any]]:
        """Begin anew with what has just ended; the last observations go into the info."""
        rows = np.flatnonzero(self._ended)
        ended, final = self._ended.copy(), np.full(self.num_envs, None, object)
        for row in rows:
            final[row] = {n: a[row].copy() for n, a in last.items()} if isinstance(last, dict) else last[row].copy()
        told = {"final_obs": final, "_final_obs": ended, "final_info": info, "_final_info": ended}
        self._begin(rows)
        begun = self.episodes.observe(rows)
        if isinstance(last, dict):
            assert isinstance(begun, dict)
            return {name: _replaced(last[name], rows, begun[name]) for name in last}, {**self._info(), **told}
        assert isinstance(begun, np.ndarray)
        return _replaced(last, rows, begun), {**self._info(), **told}

    def _begin(self, rows: np.ndarray) -> None:
        self.episodes.begin(rows, [self._draws[i] for i in rows])

    def _info(self) -> dict[str, Any]:
        return {"success": self.episodes.success.copy(), "_success": np.ones(self.num_envs, np.bool_)}

    def _seed(self, seed: int | Sequence[int | None] | None, mask: np.ndarray) -> None:
        """Generators of the rows to reset."""
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        seeds = list(seeds) if seeds is not None else [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise SimulationError(f"{len(seeds)} seeds for {self.num_envs} environments; give one, or one for each")
        if not self._draws:
            self._draws = [seeding.np_random(s)[0] for s in seeds]
            return
        for i in np.flatnonzero(mask):
            if seeds[i] is not None:
                self._draws[i] = seeding.np_random(seeds[i])[0]


def _replaced(whole: np.ndarray, rows: np.ndarray, part: np.ndarray) -> np.ndarray:
    out = whole.copy()
    out[rows] = part
    return out
