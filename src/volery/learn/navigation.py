"""The task of navigation: through a wood, or another world, to a goal, by a depth picture or a lidar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium.spaces import Box, Dict

from volery.core.config import Checked, param
from volery.core.frames import quat_from_euler
from volery.errors import WorldError
from volery.learn.actions import ActionConfig
from volery.learn.batched_rays import BatchedRays, depth_camera, lidar
from volery.learn.flock import Flock
from volery.learn.task import Task, TaskConfig, Verdict, box, fitted
from volery.world.generate.hills import Hills

__all__ = ["Navigation", "NavigationConfig", "VisionConfig"]

_PRIZE = 10.0
_DEEP = 10.0
"""Nowhere inside a thing is its surface farther away [m]."""
_SPEED, _SPIN = 20.0, 30.0
"""Most that is observed [m/s, rad/s]."""


@dataclass(frozen=True)
class VisionConfig(Checked):
    """What drones see by."""

    kind: Literal["depth", "lidar"] = "depth"
    size: tuple[int, int] = param((64, 64), low=1, high=4096)
    """Width and height of a depth picture [pixels], or columns and lines of a lidar."""
    reach: float = param(20.0, above=0, high=1000.0)
    """[m]."""
    fov_deg: float = param(90.0, above=0, high=170.0)
    """Of a depth picture from side to side, of a lidar from its lowest line to its highest [degrees]."""

    def on(self, flock: Flock) -> BatchedRays:
        """The rays of a flock."""
        if self.kind == "depth":
            return depth_camera(flock, self.size, self.fov_deg, self.reach)
        return lidar(flock, self.size[1], self.size[0], self.reach, self.fov_deg)


def _velocity() -> ActionConfig:
    return ActionConfig("velocity")


@dataclass(frozen=True)
class NavigationConfig(TaskConfig):
    """Parameters of the task."""

    seconds: float = param(30.0, above=0, high=3600.0)
    period: float = param(0.1, low=0.001, high=1.0)
    action: ActionConfig = field(default_factory=_velocity)
    world: dict[str, Any] = field(default_factory=lambda: {"type": "forest"})
    """Type and parameters of a world, as in a scenario."""
    world_seed: int = param(1, low=0, high=2**53)
    """Of the world; episodes differ in where they begin and end."""
    patch: float = param(45.0, low=5.0, high=1000.0)
    """Episodes begin and end at most so far from the world's spawn place, east and north [m]."""
    distance: tuple[float, float] = param((15.0, 30.0), above=0, high=2000.0)
    """From the begin to the goal, least and most [m]."""
    altitude: float = param(2.0, low=0.0, high=1000.0)
    """Of begin and goal over the ground [m]."""
    ceiling: float = param(6.0, above=0, high=1000.0)
    """Higher over the ground than this the episode is lost [m]."""
    clear: float = param(1.2, above=0, high=10.0)
    """Nothing is nearer to begin and goal [m]."""
    near: float = param(1.0, above=0, high=100.0)
    """The goal is reached from so far [m]."""
    sight: VisionConfig = field(default_factory=VisionConfig)


class Navigation(Task):
    """Observation: `depth` [height, width] (along the axis) or `lidar` [lines, columns] (along the beams), float32 [m],
    the reach where nothing is; and `state` [15]: way to the goal (3) [m] and velocity (3) [m/s], both forward, left,
    up by the heading; the drone's z axis by the heading (3), angular velocity about up (1) [rad/s], height over the
    ground (1) [m], last action (4).

    Reward of a step: metres that the goal came nearer, 10 for reaching it, −10 for touching anything and for flying
    above the ceiling; all three end the episode. Success: the goal is reached."""

    Config: ClassVar = NavigationConfig
    config: NavigationConfig

    def __init__(self, config: NavigationConfig, flock: Flock) -> None:
        super().__init__(config, flock)
        self.sight, reach = config.sight.on(flock), config.sight.reach
        limits = (3, 4.0 * config.patch), (3, _SPEED), (3, 1.0), (1, _SPIN), (1, 10.0 * config.ceiling)
        self._state = box(*limits, (self.actions.size, 1.0))
        seen = Box(0.0, reach, self.sight.shape, np.float32)
        self.observation_space = Dict({config.sight.kind: seen, "state": self._state})
        self.places = _places(config, flock)
        """Where episodes may begin and end, [k, 3] [m]."""
        self._goals, self._off = np.zeros((len(flock), 3)), np.zeros(len(flock))

    @classmethod
    def made(cls, config: NavigationConfig, count: int) -> Navigation:
        """In its world, as much of it as is seen from the patch."""
        step: dict[str, Any] = {"period": config.period, "step": config.physics_step}
        about: dict[str, Any] = {"seed": config.world_seed, "patch": 1.5 * config.patch + config.sight.reach}
        return cls(config, Flock(count, config.robot, config.world, **step, touch=True, **about))

    def begin(self, row: int, draw: np.random.Generator) -> None:
        """At rest in a free place, nose about to the goal."""
        p, goal = _pair(self.places, self.config.distance, draw)
        self._goals[row] = goal
        yaw = np.arctan2(*(goal - p)[[1, 0]]) + draw.uniform(-0.5, 0.5)
        self.flock.place(row, p, quat_from_euler(np.array([0.0, 0.0, yaw])), np.zeros(3), np.zeros(3))

    def arrange(self, rows: np.ndarray) -> None:
        """Remember how far it is."""
        self._off[rows] = np.linalg.norm(self._goals[rows] - self.flock.p_WB[rows], axis=1)

    def observe(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """See the class."""
        f = self.flock
        c, s = np.cos(f.heading[rows]), np.sin(f.heading[rows])
        vectors = self._goals[rows] - f.p_WB[rows], f.v_WB_W[rows], f.R_WB[rows][:, :, 2]
        turned = [np.stack([c * a[:, 0] + s * a[:, 1], c * a[:, 1] - s * a[:, 0], a[:, 2]], axis=1) for a in vectors]
        numbers = f.w_WB_W[rows][:, 2:], self.height(rows)[:, None], self.last[rows]
        state = fitted(self._state, np.concatenate([*turned, *numbers], axis=1))
        return {self.config.sight.kind: self.sight.measure(rows), "state": state}

    def height(self, rows: np.ndarray) -> np.ndarray:
        """Of drones over the ground, [m] [m]."""
        p = self.flock.p_WB[rows]
        return p[:, 2] - _ground(self.flock, p[:, 0], p[:, 1])

    def judge(self) -> Verdict:
        """See the class."""
        off = np.linalg.norm(self._goals - self.flock.p_WB, axis=1)
        reward, self._off = self._off - off, off
        lost = self.flock.touched | (self.height(np.arange(len(self.flock))) > self.config.ceiling)
        reached = (off < self.config.near) & ~lost
        return Verdict(reward + _PRIZE * reached - _PRIZE * lost, lost | reached, reached)

    def goal(self, row: int) -> np.ndarray:
        """Where it is to go."""
        return self._goals[row]


def _ground(flock: Flock, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Height of the ground at places [n] [m]; 0 in worlds that are not hilly."""
    world = flock.simulation.world
    return world.height(x, y) if isinstance(world, Hills) else np.zeros(len(x))


def _places(config: NavigationConfig, flock: Flock) -> np.ndarray:
    """Places on a grid of 2 m in the patch with nothing near them, [k, 3] [m]."""
    spawn = np.array(flock.simulation.world.spawn())
    along = np.arange(-config.patch, config.patch + 1e-9, 2.0)
    x, y = (a.ravel() for a in np.meshgrid(spawn[0] + along, spawn[1] + along, indexing="ij"))
    p = np.stack([x, y, _ground(flock, x, y) + config.altitude], axis=1)
    # From far enough that the inside of a large thing, which counts as negative, is known as such
    _, distance, _ = flock.scene.closest_point(p, max_distance=config.clear + _DEEP)
    free = p[distance >= config.clear]
    apart = np.linalg.norm(free[:, None] - free[None], axis=2)
    partner = ((apart >= config.distance[0]) & (apart <= config.distance[1])).any(axis=1)
    if not partner.any():
        raise WorldError(
            f"navigation: no two places of the patch are free within {config.clear:g} m and "
            f"{config.distance[0]:g} to {config.distance[1]:g} m apart; choose a larger patch, or a smaller clear"
        )
    return free[partner]


def _pair(
    places: np.ndarray, distance: tuple[float, float], draw: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Two of the places, so far apart."""
    p = places[draw.integers(len(places))]
    apart = np.linalg.norm(places - p, axis=1)
    partners = places[(apart >= distance[0]) & (apart <= distance[1])]
    return p, partners[draw.integers(len(partners))]
