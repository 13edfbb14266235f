"""`volery bench multirotor`: steps per second of position-controlled drones, by number and threads, against peers.

Three ways: `kernel`, the compiled flight alone; `tables`, with air, ground, and who meets whom; `engine`, as a
simulation calls it, with a Robot for every drone. Every drone has its autopilot, motors, drag and RK4 at every step.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from volery import _native, registry
from volery.core.clock import SECOND
from volery.core.parallel import set_threads, threads
from volery.physics.contact.world import ContactWorld
from volery.physics.engine import Engine
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.fleet import FleetSettings
from volery.physics.multirotor.flock_step import FlockStep
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.physics.multirotor.tables import AIR
from volery.robots.commands import Pose
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.tools.bench.physics_peers import installed, pyflyt_quads, rotorpy_quads
from volery.tools.bench.timing import machine
from volery.world.environment import Environment
from volery.world.scene.scene import Scene

__all__ = ["STEP_NS", "drones", "fleet", "flown", "run", "table"]

STEP_NS = 10_000_000
"""Step of the simulation; engines cut it into steps of their own."""
_COUNTS = (1, 10, 1000, 10_000)
_ROUNDS = 5
_BUDGET = {"one_drone_steps_per_s": 500_000, "ten_thousand_drones_steps_per_s": 5_000_000}
Advance = Callable[[int], object]


def _places(count: int) -> np.ndarray:
    """Two metres apart in free air, [n, 3] [m]."""
    side, i = int(np.ceil(np.sqrt(count))), np.arange(count)
    return np.column_stack([2.0 * (i % side), 2.0 * (i // side), np.full(count, 10.0)])


def drones(engine: str, count: int, kind: str = "quad") -> Engine:
    """An engine alone with drones that fly half a metre and hold their places."""
    made = registry.find("engines", engine)(Environment(Scene()), None)
    file = load_robot_file(kind)
    description = file.description()
    for i, p in enumerate(_places(count)):
        robot = Robot(f"uav{i}", description, file)
        robot.set_pose(p, np.array([1.0, 0.0, 0.0, 0.0]))
        made.add(robot, None, 0)
        made.apply(robot.name, Pose(p + [0.5, 0.0, 0.5]))
    return made


def fleet(count: int, kind: str = "quad") -> tuple[Batch, Advance]:
    """The fleet engine's tables alone, without a Robot for every drone, and what moves them on from a time."""
    settings, scene, batch = FleetSettings(), Scene(), Batch()
    sky = FlockStep(Environment(scene), settings, ContactWorld(scene))
    file = load_robot_file(kind)
    robot = Robot("uav", file.description(), file)
    airframe, bumpers, still = airframe_of(robot), bumpers_of(robot), np.zeros(3)
    for i, p in enumerate(_places(count)):
        row = batch.add(f"uav{i}", airframe, bumpers)
        batch.place(row, p, np.array([1.0, 0.0, 0.0, 0.0]), still, still)
        batch.hover(row)
        batch.tell(row, Pose(p + [0.5, 0.0, 0.5]))
    return batch, lambda now_ns: sky.advance(batch, now_ns, STEP_NS, set())


def _kernel(count: int, kind: str) -> Advance:
    """The compiled flight alone, in calm air."""
    batch, _ = fleet(count, kind)
    step, air = FleetSettings().step, np.zeros(count, AIR)
    air["share"], air["ground"] = 1.0, -np.inf
    tables = np.arange(count), batch.state, batch.reference, batch.parameters, air
    return lambda _: _native.multirotor.fly(*tables, step, round(STEP_NS / SECOND / step))


def flown(advance: Advance, own: float, count: int, seconds: float) -> dict[str, Any]:
    """Steps of drones per second of the wall clock, since a fleet may use several cores, and of the processor."""
    clocks, now = (time.perf_counter, time.process_time), 0
    for _ in range(3):
        advance(now)
        now += STEP_NS
    steps, began = 0, [clock() for clock in clocks]
    while steps < 3 or clocks[0]() - began[0] < seconds:
        advance(now)
        now += STEP_NS
        steps += 1
    wall, used = (clock() - t for clock, t in zip(clocks, began, strict=True))
    each = count * steps * STEP_NS / SECOND / own
    return {
        "step_s": own,
        "drone_steps_per_s": round(each / wall),
        "drone_steps_per_cpu_s": round(each / used),
        "real_time": round(steps * STEP_NS / SECOND / wall, 3),
    }


def _ways(count: int, kind: str) -> dict[str, Advance]:
    engine = drones("fleet", count, kind)
    return {
        "kernel": _kernel(count, kind),
        "tables": fleet(count, kind)[1],
        "engine": lambda now_ns: engine.advance(now_ns, STEP_NS),
    }


def _measure(count: int, seconds: float, kind: str = "quad") -> dict[str, Any]:
    """Each way on one thread and on all, taking turns; the best of the rounds, since the machine may be shared."""
    ways, most = _ways(count, kind), threads()
    found: dict[str, Any] = {}
    try:
        for _ in range(_ROUNDS):
            for number in sorted({1, most}):
                set_threads(number)
                for name, advance in ways.items():
                    row = flown(advance, FleetSettings().step, count, seconds / _ROUNDS)
                    best = found.setdefault(name, {}).setdefault(f"{number}_threads", row)
                    if row["drone_steps_per_s"] > best["drone_steps_per_s"]:
                        found[name][f"{number}_threads"] = row
    finally:
        set_threads(most)
    return found


def _same_bytes(count: int) -> bool:
    """Whether a fleet's state after a second is the same on one thread and on all."""
    hashes, most = set(), threads()
    try:
        for number in {1, most}:
            set_threads(number)
            batch, advance = fleet(count)
            for k in range(100):
                advance(k * STEP_NS)
            hashes.add(hashlib.sha256(batch.state.tobytes()).hexdigest())
    finally:
        set_threads(most)
    return len(hashes) == 1


def _peers(ours: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Drone-seconds per second of the processor, since peers have other steps; ours through the engine."""
    found: dict[str, Any] = {}
    for name, package, measure in (("rotorpy", "rotorpy", rotorpy_quads), ("pyflyt", "PyFlyt", pyflyt_quads)):
        if not installed(package):
            found[name] = "not installed"
            continue
        rows = {}
        for count in (1, 10):
            row = measure(count, seconds)
            mine = ours[str(count)]["engine"]["1_threads"]
            lead = mine["drone_steps_per_cpu_s"] / row["drone_steps_per_cpu_s"]
            row["times_more_steps"] = round(lead, 1)
            row["times_more_simulated_time"] = round(lead * mine["step_s"] / row["step_s"], 1)
            rows[str(count)] = row
        found[name] = rows
    return found


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a few tenths of a second each."""
    seconds = 0.3 if quick else 2.5
    counts = _COUNTS[: 3 if quick else 4]
    by_count = {str(n): _measure(n, seconds) for n in counts}
    return {
        "bench": "multirotor",
        "machine": machine(),
        "threads": threads(),
        "quad": by_count,
        "airframes": {k: _measure(1000, seconds, k)["kernel"] for k in ("x500", "f550", "naki")},
        "same_bytes_on_all_threads": _same_bytes(1000),
        "peers": _peers(by_count, seconds) if peers else {},
        "budget": _BUDGET,
    }


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{'drones':>8} {'way':8} {'threads':>8} {'drone-steps/s':>14} {'per CPU s':>14} {'× real time':>12}"]
    for count, ways in result["quad"].items():
        for name, rows in ways.items():
            for key, r in rows.items():
                lines.append(
                    f"{count:>8} {name:8} {key.split('_')[0]:>8} {r['drone_steps_per_s']:14,} "
                    f"{r['drone_steps_per_cpu_s']:14,} {r['real_time']:12g}"
                )
    for kind, rows in result["airframes"].items():
        best = max(r["drone_steps_per_s"] for r in rows.values())
        lines.append(f"1,000 {kind}: {best:,} drone-steps/s in the kernel")
    lines.append(f"same bytes on one thread and on all: {result['same_bytes_on_all_threads']}")
    for name, rows in result["peers"].items():
        if isinstance(rows, str):
            lines.append(f"{name}: {rows}")
            continue
        lines += [
            f"{name}, {n}: {r['drone_steps_per_cpu_s']:,} steps of {1e3 * r['step_s']:g} ms per CPU s; "
            f"ours {r['times_more_steps']:g}× the steps, {r['times_more_simulated_time']:g}× the simulated time"
            for n, r in rows.items()
        ]
    return "\n".join(lines)
