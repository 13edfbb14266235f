"""`volery bench physics`: steps per second of drones and wheeled robots, fleets, and how true contact is."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from volery.core.clock import SECOND
from volery.core.parallel import threads
from volery.physics.multirotor.fleet import FleetSettings
from volery.robots.commands import BodyVelocity
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.bench.accuracy import accuracy
from volery.tools.bench.multirotor import STEP_NS, drones, fleet, flown
from volery.tools.bench.near import near_scene
from volery.tools.bench.physics_peers import bullet_quads, bullet_skid, installed, pyflyt_quads, solid_triangles
from volery.tools.bench.timing import machine
from volery.world.wind import Wind

__all__ = ["run", "table"]

_FLEETS = (1, 10, 1000, 10_000)
_GROUND = """
seed: 1
step: 0.01
world: {world}
streaming: {{visible: 60, ahead: 0, background: false}}
"""
_TURNS = ((0.43, 0.0), (0.27, 0.4), (0.32, 0.0), (0.27, -0.4), (-0.32, 0.0))
"""Speed [m/s] and yaw rate [rad/s], a second each."""
_NEAR = 15.0
"""PyBullet gets the world's triangles within this distance of the spawn place [m]."""
_BUDGET = {"one_drone_steps_per_s": 200_000, "fleet_drone_steps_per_s": 1_000_000, "wind_ns_per_point": 2000}
_AIRS = {
    "steady": Wind(steady=(8.0, 3.0, 0.0)),
    "dryden": Wind(steady=(8.0, 3.0, 0.0), turbulence="severe"),
    "von_karman": Wind(steady=(8.0, 3.0, 0.0), turbulence="severe", spectrum="von_karman"),
    "dryden_log_shear": Wind(steady=(8.0, 3.0, 0.0), turbulence="severe", shear="log"),
}
_STRIPS = 40
"""Points of a wing, asked for together."""


def _driven(world: str, seconds: float) -> tuple[dict[str, Any], Simulation, np.ndarray]:
    """A skid-steered robot driven about in a world: what its engine takes, and where it began."""
    simulation = Simulation(read_scenario(_GROUND.format(world=world)))
    spawn = np.array(simulation.world.spawn())
    depth = float(simulation.scene.cast(spawn, np.array([[0.0, 0.0, -1.0]])).distance[0])
    sensors = dict.fromkeys(load_robot_file("skid").sensors, "off")
    simulation.spawn("ugv", {"type": "skid", "position": (spawn - [0, 0, depth - 0.2]).tolist(), "sensors": sensors})
    simulation.run(100)
    start, engine = simulation.robot("ugv").p_WB.copy(), simulation.engines["mujoco"]
    own, used, steps, way = engine.settings.step, 0.0, 0, 0.0
    advance = engine.advance

    def timed(now_ns: int, step_ns: int) -> None:
        nonlocal used
        began = time.process_time()
        advance(now_ns, step_ns)
        used += time.process_time() - began

    engine.advance = timed  # type: ignore[method-assign]
    while used < seconds:
        if steps % 100 == 0:
            v, rate = _TURNS[steps // 100 % len(_TURNS)]
            simulation.command("ugv", BodyVelocity([v, 0.0, 0.0], rate))
        before = simulation.robot("ugv").p_WB.copy()
        simulation.step()
        way += float(np.linalg.norm(simulation.robot("ugv").p_WB - before))
        steps += 1
    count = steps * STEP_NS / SECOND / own
    result = {
        "step_s": own, "steps_per_s": round(count / used), "us_per_step": round(used / count * 1e6, 1),
        "real_time": round(steps * STEP_NS / SECOND / used, 1), "way_m": round(way, 2),
    }  # fmt: skip
    return result, simulation, start


def _ground(world: str, seconds: float, peers: bool) -> dict[str, Any]:
    ours, simulation, start = _driven(world, seconds)
    if peers and installed("pybullet"):
        vertices, faces = solid_triangles(near_scene(simulation, _NEAR))
        rate = bullet_skid(vertices, faces, start + [0.0, 0.0, 0.1], seconds)
        ours["pybullet_triangles"] = len(faces)
        ours["pybullet_steps_per_s"] = round(rate)
        ours["times_faster_than_pybullet"] = round(ours["steps_per_s"] / rate, 2)
    return ours


def _quads(seconds: float, peers: bool) -> dict[str, Any]:
    """One and a hundred quadrotors that hold their places, in each engine and in peers."""
    out: dict[str, Any] = {}
    for count in (1, 100):
        rows: dict[str, Any] = {}
        for name in ("mujoco", "fleet"):
            engine = drones(name, count)
            rows[name] = flown(partial(_advance, engine), engine.settings.step, count, seconds)
        if peers and installed("pybullet"):
            rows["pybullet"] = bullet_quads(count, seconds)
        if peers and installed("PyFlyt"):
            rows["pyflyt"] = pyflyt_quads(count, seconds)
        for row in rows.values():
            row["drone_seconds_per_cpu_s"] = round(row["drone_steps_per_cpu_s"] * row["step_s"], 1)
        out[str(count)] = rows
    return out


def _wind(seconds: float) -> dict[str, dict[str, float]]:
    """What the air at the strips of a wing costs by processor time, at 100 m and, where there is no shear, at 20 km."""
    out: dict[str, dict[str, float]] = {}
    for name, air in _AIRS.items():
        for height in (100.0, 20_000.0) if air.shear == "none" else (100.0,):
            p = np.column_stack([np.zeros(_STRIPS), np.linspace(-15, 15, _STRIPS), np.full(_STRIPS, height)])
            air.velocity(p, 0)
            steps, began = 0, time.process_time()
            while (used := time.process_time() - began) < 0.3 * seconds:
                p[:, 0] += 0.05
                air.velocity(p, steps)
                steps += 1
            per = used / (steps * _STRIPS)
            out[f"{name} at {height:g} m"] = {"points_per_s": round(1 / per), "ns_per_point": round(1e9 * per, 1)}
    return out


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a few tenths of a second each."""
    seconds = 0.3 if quick else 2.0
    return {
        "bench": "physics",
        "machine": machine(),
        "threads": threads(),
        "quadrotors": _quads(seconds, peers),
        "fleet": {str(n): flown(fleet(n)[1], FleetSettings().step, n, seconds) for n in _FLEETS[: 3 if quick else 4]},
        "skid": {world: _ground(world, seconds, peers) for world in ("forest", "cave")},
        "wind": _wind(seconds),
        "accuracy": accuracy(quick=quick, peers=peers),
        "budget": _BUDGET,
    }


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{'quadrotors':20} {'steps per CPU s':>16} {'of [ms]':>8} {'drone-s per CPU s':>18}"]
    for count, rows in result["quadrotors"].items():
        for name, r in rows.items():
            more = f"  without {r['without']}" if "without" in r else ""
            lines.append(
                f"{count + ' in ' + name:20} {r['drone_steps_per_cpu_s']:16,} {1e3 * r['step_s']:8.3g} "
                f"{r['drone_seconds_per_cpu_s']:18,}{more}"
            )
    lines.append(f"{'fleet, tables alone':20} {'steps per CPU s':>16} {'per wall s':>12} {'× real time':>12}")
    for count, r in result["fleet"].items():
        lines.append(f"{count:>20} {r['drone_steps_per_cpu_s']:16,} {r['drone_steps_per_s']:12,} {r['real_time']:12g}")
    for world, r in result["skid"].items():
        more = f", {r['times_faster_than_pybullet']:g}× PyBullet" if "times_faster_than_pybullet" in r else ""
        lines.append(f"skid-steered in the {world}: {r['us_per_step']:g} µs a step of {r['step_s'] * 1e3:g} ms{more}")
    for air, r in result["wind"].items():
        lines.append(f"wind, {air}: {r['ns_per_point']:g} ns a point, {r['points_per_s']:,} points per CPU s")
    return "\n".join([*lines, *_accuracy_lines(result["accuracy"])])


def _accuracy_lines(rows: dict[str, dict[str, float]]) -> list[str]:
    names = {
        "drop_rest_mm": "rest after a drop [mm]", "slide_m": "stop of a slide [m]", "tip_45_s": "tip over an edge [s]",
        "roll_vz_m_s": "rolling: most vz [m/s]", "roll_side_mm": "rolling: aside [mm]",
    }  # fmt: skip
    lines = [f"{'contact':24}" + "".join(f"{name:>14}" for name in rows)]
    return lines + [f"{text:24}" + "".join(f"{row[key]:14.5g}" for row in rows.values()) for key, text in names.items()]


def _advance(engine: Any, now_ns: int) -> None:
    engine.advance(now_ns, STEP_NS)
