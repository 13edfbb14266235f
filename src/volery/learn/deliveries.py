"""A swarm that brings parcels among blocks: several agents at once, as PettingZoo's parallel environments are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import seeding

from volery.core.config import SourceLocation, build, param
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.errors import CommandError, LibraryError, SimulationError, UnknownNameError
from volery.learn.pictures import chase
from volery.learn.simulated import SimulatedConfig, checked, made, restarted, silent
from volery.learn.task import box
from volery.robots.commands import BodyVelocity
from volery.robots.robot import Robot

try:
    from pettingzoo import ParallelEnv
except ImportError:
    raise LibraryError("DeliverySwarm needs PettingZoo; install it with: pip install volery[learn]") from None

__all__ = ["DeliverySwarm", "DeliverySwarmConfig"]

_STEP = 0.02
"""Of the simulation [s]."""
_PRIZE = 10.0
_UP = 3.0
"""Height at which drones begin, and to which they bring parcels [m]."""
_CLEAR = 2.5
"""Nothing is nearer to a target [m]."""
_ALONG = 4.0
"""Between bases [m]."""
_ALOFT = 200.0
"""So far over its base waits a drone whose agent has ended [m]."""
_LEVEL = np.array([1.0, 0.0, 0.0, 0.0])

Dicts = dict[str, Any]


@dataclass(frozen=True)
class DeliverySwarmConfig(SimulatedConfig):
    """Parameters of the swarm."""

    drones: int = param(4, low=1, high=100)
    robot: str = "simpleflight"
    seconds: float = param(60.0, above=0, high=3600.0)
    period: float = param(0.1, low=0.02, high=1.0)
    reach: float = param(30.0, low=10.0, high=500.0)
    """Targets are at most so far from the middle of the bases, east and north [m]."""
    blocks: int = param(20, low=0, high=1000)
    world_seed: int = param(1, low=0, high=2**53)
    """Of the blocks; episodes differ in the targets."""
    near: float = param(1.5, above=0, high=10.0)
    """A target or base is reached from so far [m]."""
    others: int = param(2, low=0, high=20)
    """The nearest drones, of which each drone knows place and velocity."""
    beams: int = param(24, low=4, high=1000)
    """Of each drone's lidar, level and all round."""
    sight: float = param(15.0, above=0, high=200.0)
    """Its reach [m]."""
    speed: tuple[float, float, float] = param((4.0, 4.0, 2.0), above=0, high=50.0)
    """Most of an action: forward, left, up by the heading [m/s]."""
    yaw_rate: float = param(1.5, above=0, high=20.0)
    """Most of an action [rad/s]."""


class DeliverySwarm(ParallelEnv):  # type: ignore[misc]
    """Agents `drone_0` and so on, each with a parcel: to its target 3 m over the ground, and back to its base.

    Action [4], -1 to 1: velocity forward, left, up by the heading, and turning. Observation [9 + 6·others + beams],
    vectors forward, left, up by the heading: way to the target or, when the parcel is there, to the base (3) [m],
    velocity (3) [m/s], turning (1) [rad/s], height (1) [m], parcel on board (1); of the nearest other drones that still
    fly, the way to them (3) [m] and their velocity against one's own (3) [m/s], zeros where there is none; ranges of
    the lidar, its reach where nothing is [m]. Drones are seen by the lidar, too.

    Reward of a step: metres that the place to go to came nearer; 10 for the parcel, 10 for coming home, which ends the
    agent's episode with success; −10 for touching anything, which ends it too. A drone whose agent has ended is taken
    up, out of the others' way."""

    metadata: ClassVar[dict[str, Any]] = {"name": "volery_delivery_swarm_v0", "render_modes": ["rgb_array"]}

    def __init__(self, *, render_mode: str | None = None, **settings: Any) -> None:
        """settings: of DeliverySwarmConfig."""
        self.render_mode = render_mode
        self.config = c = build(DeliverySwarmConfig, settings, SourceLocation(path=("DeliverySwarm",)))
        self.possible_agents = [f"drone_{i}" for i in range(c.drones)]
        self.agents: list[str] = []
        self._per_action = c.per_action(_STEP)
        self._bases = np.array([[0.0, _ALONG * (i - (c.drones - 1) / 2), _UP] for i in range(c.drones)])
        self.simulation = made(self._scenario())
        self._action = Box(-1.0, 1.0, (4,), np.float32)
        far = 4.0 * c.reach
        state = box((3, far), (3, 20.0), (1, 30.0), (1, 100.0), (1, 1.0), *[(3, far), (3, 40.0)] * c.others)
        ranges = np.full(c.beams, c.sight, np.float32)
        self._seen = Box(np.append(state.low, 0.0 * ranges), np.append(state.high, ranges), dtype=np.float32)
        self._draw: np.random.Generator | None = None
        self._goals, self._carries, self._off = self._bases.copy(), np.ones(c.drones, bool), np.zeros(c.drones)
        self._touched = np.zeros(c.drones, bool)
        self._steps = 0

    def observation_space(self, agent: str) -> Box:
        """The same for all."""
        return self._seen

    def action_space(self, agent: str) -> Box:
        """The same for all."""
        return self._action

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Dicts, Dicts]:
        """Begin anew: all at their bases, with new targets; the same seed gives the same bytes."""
        if seed is not None or self._draw is None:
            self._draw = seeding.np_random(seed)[0]
        restarted(self.simulation, self._draw)
        self.agents, self._steps = list(self.possible_agents), 0
        self._carries[:], self._touched[:] = True, False
        for i, name in enumerate(self.agents):
            self._goals[i] = self._target(self._draw)
            yaw = float(self._draw.uniform(-np.pi, np.pi))
            self.simulation.place(name, self._bases[i], quat_from_euler(np.array([0.0, 0.0, yaw])))
        self._sense()
        self._off = self._distances()
        return self._observations(), {name: {"success": False} for name in self.agents}

    def step(self, actions: dict[str, np.ndarray]) -> tuple[Dicts, Dicts, Dicts, Dicts, Dicts]:
        """One action of each agent that still flies."""
        if not self.agents:
            raise SimulationError("no agent flies; call reset() first")
        told = self._checked(actions)
        for name, a in told.items():
            self.simulation.command(name, BodyVelocity(a[:3] * self.config.speed, float(a[3]) * self.config.yaw_rate))
        self._touched[:] = False
        for _ in range(self._per_action):
            self.simulation.step()
            self._touched |= [bool(self.simulation.robots[n].contacts) for n in self.possible_agents]
        self._steps += 1
        return self._judge()

    def render(self) -> np.ndarray | None:
        """The swarm from behind its first drone, if the render mode is rgb_array."""
        if self.render_mode is None:
            return None
        first = self.simulation.robots[self.possible_agents[0]]
        about = self.simulation.environment, self.config.picture, self.simulation.clock.now_ns
        return chase(*about, first.p_WB, float(euler_from_quat(first.q_WB_wxyz)[2]), 6.0)

    def close(self) -> None:
        """Nothing is open."""

    def _scenario(self) -> Dicts:
        c = self.config
        lidar = {
            "type": "lidar", "elevations_deg": [0.0], "columns": c.beams, "min_range": 0.01, "max_range": c.sight,
            "rate": 1.0 / c.period, "mount": {"site": "centre"},
        }  # fmt: skip
        robot = {"type": c.robot, "physics": "fleet", "sensors": {**silent(c.robot), "lidar": lidar}}
        robots = {
            name: {**robot, "position": p.tolist()} for name, p in zip(self.possible_agents, self._bases, strict=True)
        }
        size = max(4.0 * c.reach, 60.0)
        world = {"type": "blocks", "seed": c.world_seed, "size": size, "count": c.blocks, "clear": 10.0}
        engines = {"fleet": {"step": 0.002, "crash_speed": 0}}
        return {"step": _STEP, "world": world, "robots": robots, "engines": engines}

    def _checked(self, actions: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Actions of all agents that fly, before any is told."""
        for name in actions:
            if name not in self.possible_agents:
                raise UnknownNameError("agent", name, self.possible_agents)
        missing = [name for name in self.agents if name not in actions]
        if missing:
            raise CommandError(f"no action of {', '.join(missing)}; each agent that flies needs one; nothing was done")
        return {name: checked(actions[name], self._action) for name in self.agents}

    def _target(self, draw: np.random.Generator) -> np.ndarray:
        """A free place in the air, away from the bases [m]."""
        for _ in range(1000):
            p = np.array([*draw.uniform(-self.config.reach, self.config.reach, 2), _UP])
            _, distance, _ = self.simulation.scene.closest_point(p[None], max_distance=_CLEAR)
            if np.isinf(distance[0]) and np.linalg.norm(p - self._bases, axis=1).min() > 6.0:
                return p
        raise SimulationError("there is no free air for a target; ask for fewer blocks, or a larger reach")

    def _judge(self) -> tuple[Dicts, Dicts, Dicts, Dicts, Dicts]:
        c, off = self.config, self._distances()
        late = self._steps * c.period >= c.seconds - 1e-9
        rewards, ends, cuts, infos, away = {}, {}, {}, {}, []
        for name in self.agents:
            i = self.possible_agents.index(name)
            reached = bool(off[i] < c.near) and not self._touched[i]
            home = reached and not self._carries[i]
            rewards[name] = float(self._off[i] - off[i] + _PRIZE * reached - _PRIZE * self._touched[i])
            ends[name] = bool(home or self._touched[i])
            cuts[name] = late and not ends[name]
            infos[name] = {"success": home, "delivered": not self._carries[i] or reached}
            if reached and self._carries[i]:
                self._carries[i], self._goals[i] = False, self._bases[i]
            if ends[name]:
                away.append(i)
        self._off = self._distances()
        seen = self._observations()
        for i in away:
            self.simulation.place(self.possible_agents[i], self._bases[i] + [0.0, 0.0, _ALOFT], _LEVEL)
        self.agents = [name for name in self.agents if not (ends[name] or cuts[name])]
        return seen, rewards, ends, cuts, infos

    def _robots(self) -> list[Robot]:
        return [self.simulation.robots[name] for name in self.possible_agents]

    def _distances(self) -> np.ndarray:
        return np.linalg.norm(self._goals - [r.p_WB for r in self._robots()], axis=1)

    def _sense(self) -> None:
        """Lidars see from where drones have just been placed."""
        for name in self.possible_agents:
            self.simulation.sensor(name, "lidar").update(self.simulation.clock.now_ns, self.simulation.clock.step_ns)

    def _observations(self) -> dict[str, np.ndarray]:
        return {name: self._observe(self.possible_agents.index(name)) for name in self.agents}

    def _observe(self, i: int) -> np.ndarray:
        c, robots = self.config, self._robots()
        own, yaw = robots[i], float(euler_from_quat(robots[i].q_WB_wxyz)[2])
        flying = [r for r in robots if r is not own and r.name in self.agents]
        flying.sort(key=lambda r: (float(np.linalg.norm(r.p_WB - own.p_WB)), r.name))
        vectors = [self._goals[i] - own.p_WB, own.v_WB_W]
        vectors += [v for r in flying[: c.others] for v in (r.p_WB - own.p_WB, r.v_WB_W - own.v_WB_W)]
        vectors += [np.zeros(3)] * (2 + 2 * c.others - len(vectors))
        turned = _by_heading(np.array(vectors), yaw)
        reading = self.simulation.sensor(own.name, "lidar").latest
        assert reading is not None
        ranges = np.nan_to_num(reading.data["range"], nan=c.sight, posinf=c.sight)
        numbers = [own.w_WB_W[2], own.p_WB[2], float(self._carries[i])]
        whole = np.concatenate([turned[:2].ravel(), numbers, turned[2:].ravel(), ranges])
        return np.clip(whole, self._seen.low, self._seen.high).astype(np.float32)


def _by_heading(vectors_W: np.ndarray, yaw: float) -> np.ndarray:
    """Vectors [k, 3] forward, left, up by a heading [rad]."""
    c, s = np.cos(yaw), np.sin(yaw)
    return vectors_W @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
