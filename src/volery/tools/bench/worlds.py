"""`volery bench worlds`: how fast worlds are made, and whether a fast flight ever waits for them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from volery.core.clock import SECOND
from volery.loop import steady_memory
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.bench.timing import machine, resident_megabytes
from volery.world.generate.cave import Cave
from volery.world.generate.forest import Forest
from volery.world.scene.scene import Scene
from volery.world.world import Placement, World

__all__ = ["generation", "run", "table"]

_FLIGHT = """
seed: 1
step: 0.01
world: forest
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {{path: [[0, 3, 30], [{far}, 3, 30]], speed: 20, loop: false}}
    sensors: {{imu: off, gps: off}}
"""
_BUDGET = {"forest": 0.35, "cave": 1.0, "stall_ms": 20.0}


def _make(scene: Scene, world: World, keys: list[tuple[int, int]]) -> tuple[float, float]:
    """Seconds to generate chunks on all cores, build their hierarchies and make them visible, in place of what was: by
    the clock on the wall, and of all threads' processor time."""
    for name in list(scene.objects):
        scene.remove(name)

    def prepare(key: tuple[int, int]) -> list[Placement]:
        placements = [replace(p, name=f"{key}/{p.name}") for p in world.generate(key)]
        for placement in placements:
            for mesh in placement.meshes:
                scene.meshes.entry(mesh)
        return placements

    began, spent = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for placements in pool.map(prepare, keys):
            for placement in placements:
                scene.add(placement)
    scene.cast([0.0, 0.0, 1.0], np.array([[0.0, 0.0, -1.0]]))
    return time.perf_counter() - began, time.process_time() - spent


def _block(i: int, j: int) -> list[tuple[int, int]]:
    return [(i + a, j + b) for a in range(3) for b in range(3)]


def _measure(world: World, rounds: int) -> dict[str, Any]:
    """3×3 chunks: the first time, models included, then elsewhere with the models there, as in a flight."""
    scene = Scene()
    first = _make(scene, world, _block(0, 0))
    times = [_make(scene, world, _block(10 * (n + 1), -7 * n)) for n in range(rounds)]
    unique = {id(m): len(m.faces) for o in scene.objects.values() for m in o.meshes}
    shown = sum(len(o.meshes[k].faces) for o in scene.objects.values() for k in o.body.kinds)
    return {
        "first_s": round(first[0], 3),
        "first_processor_s": round(first[1], 3),
        "median_s": round(float(np.median([wall for wall, _ in times])), 3),
        "median_processor_s": round(float(np.median([spent for _, spent in times])), 3),
        "instances": sum(len(o.X_WO) for o in scene.objects.values()),
        "unique_triangles": sum(unique.values()),
        "instanced_triangles": shown,
    }


@contextmanager
def _foremost() -> Iterator[str]:
    """Run this thread before all others where that is permitted, so that other programs are not taken for stalls."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except (AttributeError, PermissionError):
        yield "usual"
        return
    try:
        yield "real-time"
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _flight(seconds: float) -> dict[str, Any]:
    """A straight flight at 20 m/s in real time, 100 steps a second: what chunks cost the loop."""
    simulation = Simulation(read_scenario(_FLIGHT.format(far=20 * seconds + 1000)))
    streamer: Any = simulation.streamer
    waits: list[float] = []
    follow = streamer.follow

    def timed(positions: list[Any]) -> None:
        began = time.perf_counter()
        follow(positions)
        simulation.scene.cell(positions[0])
        waits.append(time.perf_counter() - began)

    streamer.follow = timed
    made, began = streamer.made, time.perf_counter()
    steps = int(seconds * 100)
    with steady_memory(), _foremost() as priority:
        for step in range(steps):
            simulation.step()
            if step == steps // 10:
                # By now all models have been met.
                before = resident_megabytes()
            time.sleep(max(0.0, began + (step + 1) * 0.01 - time.perf_counter()))
    waits_ms = np.array(waits) * 1e3
    return {
        "simulated_s": round(simulation.clock.now_ns / SECOND, 2),
        "wall_s": round(time.perf_counter() - began, 2),
        "chunks_per_s": round((streamer.made - made) / seconds, 2),
        "longest_stall_ms": round(float(waits_ms.max()), 2),
        "priority": priority,
        "p99_stall_ms": round(float(np.percentile(waits_ms, 99)), 3),
        "memory_mb": round(resident_megabytes()),
        "memory_growth_mb": round(resident_megabytes() - before, 1),
    }


def generation(rounds: int) -> dict[str, dict[str, Any]]:
    """What 3×3 chunks of 50 m cost in each of the thesis' worlds."""
    return {
        "forest_3x3": _measure(Forest(seed=1), rounds),
        "cave_3x3_smooth_normals": _measure(Cave(seed=1), rounds),
        "cave_3x3_flat_normals": _measure(Cave(seed=1, smooth=False), rounds),
    }


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: few rounds and a short flight. Nothing here has a peer."""
    rounds = 1 if quick else 5
    return {
        "bench": "worlds",
        "machine": machine(),
        **generation(rounds),
        "flight_20_m_s": _flight(5.0 if quick else 600.0),
        "budget": _BUDGET,
    }


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"{'3×3 chunks of 50 m':26} {'first':>8} {'warm':>8} {'instances':>10} {'unique':>10} {'shown triangles':>16}"
    ]
    for name in ("forest_3x3", "cave_3x3_smooth_normals", "cave_3x3_flat_normals"):
        r = result[name]
        lines.append(
            f"{name:26} {r['first_s']:6.2f} s {r['median_s']:6.3f} s {r['instances']:10} "
            f"{r['unique_triangles']:10} {r['instanced_triangles']:16}"
        )
    f = result["flight_20_m_s"]
    lines.append(
        f"flight at 20 m/s for {f['simulated_s']:g} s: {f['chunks_per_s']:g} chunks/s, longest stall "
        f"{f['longest_stall_ms']:g} ms, p99 {f['p99_stall_ms']:g} ms, "
        f"memory {f['memory_mb']} MB ({f['memory_growth_mb']:+g})"
    )
    return "\n".join(lines)
