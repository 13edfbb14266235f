"""`volery bench learn`: steps per second of the environments for learning, alone, in vectors, and with depth or lidar.

A step is one action of one drone: 20 ms of flight in ten steps of physics for hovering, 100 ms in fifty and a picture
or a sweep for navigation. Episodes that end are begun anew within the measurement. Environments are found by their
registered names, as a user finds them.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import numpy as np

from volery.core.parallel import set_threads, threads
from volery.errors import LibraryError
from volery.tools.bench.physics_peers import installed
from volery.tools.bench.timing import machine

__all__ = ["run", "table"]

_HOVER, _FOREST = "volery.learn:volery/Hover-v0", "volery.learn:volery/ForestNavigation-v0"
_LIDAR = {"kind": "lidar", "size": (64, 16), "fov_deg": 30.0}
_NAMES = {"hover": "hover", "depth_64x64": "forest, depth 64×64", "lidar_16x64": "forest, lidar 16×64"}
_ROUNDS = 5
_PEERS = {
    "PyFlyt": ("PyFlyt.gym_envs", "PyFlyt/QuadX-Hover-v4"),
    "gym-pybullet-drones": ("gym_pybullet_drones", "hover-aviary-v0"),
}
"""Modules that register the others' hovering, and its name."""


def _gymnasium() -> Any:
    if not installed("gymnasium"):
        raise LibraryError("bench learn needs Gymnasium; install it with: pip install volery[learn]")
    return import_module("gymnasium")


def _stepping(env: Any, shape: tuple[int, ...], seconds: float, count: int) -> dict[str, Any]:
    """Steps of drones per second of the wall clock and of the processor, with actions near hovering."""
    actions = 0.3 * np.random.Generator(np.random.Philox(1)).uniform(-1.0, 1.0, (64, *shape)).astype(np.float32)
    clocks, steps = (time.perf_counter, time.process_time), 0
    for k in range(3):
        env.step(actions[k])
    began = [clock() for clock in clocks]
    while steps < 3 or clocks[0]() - began[0] < seconds:
        env.step(actions[steps % len(actions)])
        steps += 1
    wall, used = (clock() - t for clock, t in zip(clocks, began, strict=True))
    return {"steps_per_s": round(count * steps / wall), "steps_per_cpu_s": round(count * steps / used)}


def _vector(name: str, count: int, seconds: float, **settings: Any) -> dict[str, Any]:
    """On one thread and on all, taking turns; the best of the rounds, since the machine may be shared."""
    env = _gymnasium().make_vec(name, num_envs=count, vectorization_mode="vector_entry_point", **settings)
    env.reset(seed=1)
    most = threads()
    found: dict[str, Any] = {}
    try:
        for _ in range(_ROUNDS):
            for number in sorted({1, most}):
                set_threads(number)
                row = _stepping(env, env.action_space.shape, seconds / _ROUNDS, count)
                best = found.setdefault(f"{number}_threads", row)
                if row["steps_per_s"] > best["steps_per_s"]:
                    found[f"{number}_threads"] = row
    finally:
        set_threads(most)
        env.close()
    return found


class _Restarting:
    """One environment as a vector's row: it begins anew when an episode ends."""

    def __init__(self, env: Any) -> None:
        self._env = env
        env.reset(seed=1)

    def step(self, action: np.ndarray) -> None:
        _, _, terminated, truncated, _ = self._env.step(action)
        if terminated or truncated:
            self._env.reset()


def _single(name: str, seconds: float) -> dict[str, Any]:
    env = _gymnasium().make(name)
    try:
        return _stepping(_Restarting(env), env.action_space.shape, seconds, 1)
    finally:
        env.close()


def _peers(seconds: float) -> dict[str, Any]:
    """Others' hovering, one drone in one process, where they are installed; their steps have other lengths."""
    found: dict[str, Any] = {}
    for name, (module, env) in _PEERS.items():
        if not installed(module.partition(".")[0]):
            found[name] = "not installed"
            continue
        try:
            import_module(module)
            found[name] = _single(env, seconds)
        except Exception as error:
            found[name] = f"does not work here: {type(error).__name__}: {error}"
    return found


def _pixels(rows: dict[str, Any], rays: int) -> dict[str, Any]:
    return {key: {**row, "rays_per_s": row["steps_per_s"] * rays} for key, row in rows.items()}


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a few tenths of a second each."""
    seconds = 0.5 if quick else 5.0
    hover, depth = ((1, 64), (4,)) if quick else ((1, 64, 1024), (16, 64))
    return {
        "bench": "learn",
        "machine": machine(),
        "threads": threads(),
        "hover_alone": _single(_HOVER, seconds),
        "hover": {str(n): _vector(_HOVER, n, seconds) for n in hover},
        "depth_64x64": {str(n): _pixels(_vector(_FOREST, n, seconds), 64 * 64) for n in depth},
        "lidar_16x64": {str(n): _pixels(_vector(_FOREST, n, seconds, sight=_LIDAR), 16 * 64) for n in depth},
        "peers": _peers(seconds) if peers else {},
    }


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{'environment':24} {'drones':>7} {'threads':>8} {'steps/s':>11} {'per CPU s':>11}"]
    row = result["hover_alone"]
    lines.append(f"{'hover, gymnasium.make':24} {1:7} {'':8} {row['steps_per_s']:11,} {row['steps_per_cpu_s']:11,}")
    for kind, name in _NAMES.items():
        for count, rows in result[kind].items():
            for key, row in rows.items():
                number = key.split("_")[0]
                lines.append(f"{name:24} {count:>7} {number:>8} {row['steps_per_s']:11,} {row['steps_per_cpu_s']:11,}")
    for name, row in result["peers"].items():
        if isinstance(row, str):
            lines.append(f"{name}: {row}")
            continue
        lines.append(f"{name + ', hover':24} {1:7} {'':8} {row['steps_per_s']:11,} {row['steps_per_cpu_s']:11,}")
    return "\n".join(lines)
