"""An environment round a whole simulation: robots of any engine, with their sensors, as a scenario has them."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box

from volery.core.config import Checked, SourceLocation, build, param
from volery.core.frames import euler_from_quat
from volery.errors import CommandError, SimulationError
from volery.learn.pictures import chase
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sim import Simulation

__all__ = ["SimulatedConfig", "SimulatedEnv", "checked", "made", "restarted", "silent"]


@dataclass(frozen=True)
class SimulatedConfig(Checked):
    """What all of them have."""

    seconds: float = param(30.0, above=0, high=3600.0)
    """An episode is cut off after so long [s]."""
    period: float = param(0.05, low=0.001, high=1.0)
    """Between two actions [s]: a whole number of steps of the simulation."""
    picture: tuple[int, int] = param((320, 240), low=16, high=4096)
    """Width and height of what `render` gives [pixels]."""

    def per_action(self, step: float) -> int:
        """Steps of the simulation, of `step` seconds each, for each action."""
        count = round(self.period / step)
        if count < 1 or abs(count * step - self.period) > 1e-9:
            raise SimulationError(f"period {self.period:g} s: must be a multiple of the simulation's step, {step:g} s")
        return count


class SimulatedEnv(gymnasium.Env):
    """One robot, `bot`, in a simulation of its own. Subclasses write a scenario, and what begins, is told, seen and
    counts. `info` has `success`."""

    Config: ClassVar[type[SimulatedConfig]] = SimulatedConfig
    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 20}  # type: ignore[misc]
    observation_space: Box
    action_space: Box
    step_s: ClassVar[float] = 0.01
    """Step of the simulation [s]."""
    away: ClassVar[float] = 2.5
    """Of the picture's camera [m]."""

    def __init__(self, *, render_mode: str | None = None, **settings: Any) -> None:
        """settings: of the Config."""
        self.render_mode = render_mode
        self.config = build(self.Config, settings, SourceLocation(path=(type(self).__name__,)))
        self._per_action = self.config.per_action(self.step_s)
        self.metadata = {**self.metadata, "render_fps": round(1.0 / self.config.period)}  # type: ignore[misc]
        self.simulation = made({"step": self.step_s, **self.scenario()})
        self.last = np.zeros(4)
        """The last action."""
        self._steps = -1

    @property
    def robot(self) -> Robot:
        """The robot of this episode."""
        return self.simulation.robots["bot"]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin anew; the same seed gives the same bytes."""
        super().reset(seed=seed)
        restarted(self.simulation, self.np_random)
        self.last, self._steps = np.zeros(self.action_space.shape), 0
        self.begin(self.np_random)
        return self._observed(), {"success": False}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One action, -1 to 1."""
        if self._steps < 0:
            raise SimulationError("the environment was not reset yet; call reset() first")
        self.last = checked(action, self.action_space)
        self.tell(self.last)
        for _ in range(self._per_action):
            self.simulation.step()
            self.watch()
        self._steps += 1
        reward, terminated, success = self.judge()
        late = self._steps * self.config.period >= self.config.seconds - 1e-9
        ends = bool(terminated), bool(late and not terminated)
        return self._observed(), float(reward), *ends, {"success": bool(success)}

    def render(self) -> np.ndarray | None:
        """A picture from behind, if the render mode is rgb_array."""
        if self.render_mode is None:
            return None
        about = self.simulation.environment, self.config.picture, self.simulation.clock.now_ns
        return chase(*about, self.robot.p_WB, float(euler_from_quat(self.robot.q_WB_wxyz)[2]), self.away)

    def _observed(self) -> np.ndarray:
        return np.clip(self.observe(), self.observation_space.low, self.observation_space.high).astype(np.float32)

    @abstractmethod
    def scenario(self) -> dict[str, Any]:
        """What the simulation is made of, without its step; a robot `bot` is in it."""

    @abstractmethod
    def begin(self, draw: np.random.Generator) -> None:
        """The simulation is at its beginning: put things where the episode wants them."""

    @abstractmethod
    def tell(self, action: np.ndarray) -> None:
        """Command the robot."""

    def watch(self) -> None:
        """After each step of the simulation; by default nothing."""

    @abstractmethod
    def observe(self) -> np.ndarray:
        """What is seen now; it is kept within the space."""

    @abstractmethod
    def judge(self) -> tuple[float, bool, bool]:
        """Reward of the last action, whether the episode has ended by what happened, and whether the task is done."""


def made(scenario: dict[str, Any]) -> Simulation:
    """A simulation from plain data."""
    return Simulation(read_scenario(json.dumps(scenario), "learn"))


def restarted(simulation: Simulation, draw: np.random.Generator) -> None:
    """Back to the beginning, with a seed out of `draw` for sensors and all other chance."""
    simulation.seed = int(draw.integers(2**62))
    simulation.reset()


def silent(robot: str) -> dict[str, str]:
    """The sensors of a robot's file, all off, for a robot's entry in a scenario."""
    return dict.fromkeys(load_robot_file(robot).sensors, "off")


def checked(action: np.ndarray, space: Box) -> np.ndarray:
    """An action within limits, float64; what is no number is refused."""
    array = np.asarray(action, np.float64)
    if array.shape != space.shape or not np.isfinite(array).all():
        raise CommandError(
            f"an action must be finite numbers of shape {list(space.shape)}, got {action!r}; nothing was done"
        )
    return np.clip(array, space.low, space.high)
