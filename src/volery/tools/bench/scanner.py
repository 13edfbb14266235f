"""`volery bench scanner`: milliseconds of a full box scan by a robot that flies through the wood."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.core.parallel import threads
from volery.core.rng import generator
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.scanner import Scanner, ScannerConfig
from volery.tools.bench.peers import build_peers, installed_peers
from volery.tools.bench.rays import RaySet, Walker, embree_cast, sensor_cast
from volery.tools.bench.scenes import box_rays, plain_forest
from volery.tools.bench.timing import machine, round_robin, summary
from volery.world.environment import Environment

__all__ = ["run", "table"]

_BUDGET_MS = 3.0


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a small scene and few steps, to see that it works."""
    forest = plain_forest(300, 2000) if quick else plain_forest()
    scene = forest.scene()
    robot = Robot("uav1", load_robot_file("quad").description())
    robot.show(scene)
    scanner = Scanner("scanner", ScannerConfig(), robot, Environment(scene), generator(0, "scanner"))
    walker = Walker()

    def scan() -> dict[str, Any]:
        robot.set_pose(walker.position(), np.array([1.0, 0.0, 0.0, 0.0]))
        robot.update()
        return scanner.sense(0)

    rays = RaySet(*box_rays(), 25.0)
    rounds = 30 if quick else 300
    times = round_robin({"scan": scan, "bare": embree_cast(scene, rays)}, rounds)
    near = forest.near(25.0)
    result: dict[str, Any] = {
        "bench": "scanner",
        "machine": machine(),
        "threads": threads(),
        "triangles": forest.triangles,
        "rays": len(scanner),
        "steps": rounds,
        **summary(times["scan"]),
        "rays_per_s": round(len(scanner) / float(np.median(times["scan"]))),
        "ratio_to_bare_embree": round(float(np.median(times["bare"]) / np.median(times["scan"])), 3),
        "budget_ms": _BUDGET_MS,
    }
    ours = sensor_cast(near.scene(), rays, Walker())
    casts, errors = build_peers(*near.flat(), installed_peers() if peers else [])
    result["peers"] = {name: {"error": error} for name, error in errors.items()}
    for name, cast in casts.items():
        origins = rays.origins + np.array([0, 0, 6], np.float32)
        pair = round_robin({"ours": ours, "peer": lambda: cast(origins, rays.directions, 25.0)}, 2)  # noqa: B023
        result["peers"][name] = {"times_faster": round(float(pair["peer"].min() / pair["ours"].min()), 2)}
    return result


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"full box scan of {result['rays']} rays, robot moved each step, {result['triangles'] / 1e6:.1f} M triangles: "
        f"min {result['min_ms']:.2f}, median {result['median_ms']:.2f}, p99 {result['p99_ms']:.2f} ms "
        f"over {result['steps']} steps (budget {result['budget_ms']:g} ms)",
        f"{result['rays_per_s'] / 1e6:.2f} Mrays/s, {result['ratio_to_bare_embree']:.2f} of a bare Embree loop",
    ]
    for name, r in result["peers"].items():
        lines.append(f"{name}: {r['error']}" if "error" in r else f"faster than {name}: {r['times_faster']:g}×")
    return "\n".join(lines)
