"""`volery bench lidar`: the UEds thesis' matrix of rays, worlds and drones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.parallel import threads
from volery.tools.bench.sensing import COUNTS, WORLDS, Beside, both, measure, together, world
from volery.tools.bench.tables import cells_table, peer_lines
from volery.tools.bench.timing import machine

if TYPE_CHECKING:
    from volery.sim import Simulation

__all__ = ["run", "table"]

_RAYS = {16: (16, 1), 128: (16, 8), 1024: (16, 64), 8192: (16, 512), 65_536: (64, 1024), 262_144: (128, 2048)}
"""Rays of a sweep: lines × columns."""
_FAR = 100.0
"""[m]."""
_SMALL = {"rangefinder": {}, "sonar": {}, "lidar": {"lines": 16, "columns": 8, "max_range": _FAR}}
"""Small sensors, as many drones carry them."""
_MANY = 50
_LARGE = ("open3d",)
"""Libraries that hold the forty million triangles of a whole forest in one flat mesh."""


def _lidar(rays: int) -> dict[str, Any]:
    lines, columns = _RAYS[rays]
    return {"lines": lines, "columns": columns, "max_range": _FAR, "min_range": 0.0}


def _request(rays: int) -> dict[str, Any]:
    lines, columns = _RAYS[rays]
    return {"lines": lines, "columns": columns, "far": _FAR}


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: two sizes in a small part of one world."""
    sizes = (16, 1024) if quick else tuple(_RAYS)
    counts = (1, 2) if quick else COUNTS
    rounds, each = (2, 1024) if quick else (10, 8192)
    worlds = {"warehouse": 10.0} if quick else WORLDS
    result: dict[str, Any] = {
        "bench": "lidar",
        "machine": machine(),
        "threads": threads(),
        "drones_rays": each,
        "worlds": {},
    }
    for name, distance in worlds.items():
        simulation = world(name)
        eye, around = np.array(simulation.world.spawn()), simulation.environment
        ours: dict[str, Any] = {
            **both("by_rays", {str(n): measure(around, eye, 1, "lidar", _lidar(n), rounds) for n in sizes}),
            **both("by_drones", {str(c): measure(around, eye, c, "lidar", _lidar(each), rounds) for c in counts}),
        }
        ours["many_small"] = {k: together(around, eye, _MANY, k, c, rounds) for k, c in _SMALL.items()}
        result["worlds"][name] = ours
        if peers:
            with Beside(simulation, distance, "lidar") as beside:
                ours["beside"] = {
                    "by_rays": {
                        str(n): beside.compare(1, _lidar(n), _request(n), rounds, plain=_exact(n)) for n in sizes
                    },
                    "by_drones": {str(counts[-1]): beside.compare(counts[-1], _lidar(each), _request(each), rounds)},
                    "same_distance_share": beside.agreement(_exact(each), _request(each), "range"),
                    **beside.about,
                }
            if np.isfinite(distance) and not quick:
                ours["whole_beside"] = _whole(simulation, rounds)
    return result


def _whole(simulation: Simulation, rounds: int) -> dict[str, Any]:
    """One drone in the whole world, as a run has it, beside libraries that can hold all of its triangles."""
    with Beside(simulation, np.inf, "lidar", _LARGE) as beside:
        cell = beside.compare(1, _lidar(8192), _request(8192), rounds, plain=_exact(8192))
        share = beside.agreement(_exact(8192), _request(8192), "range")
        return {"by_rays": {"8192": cell}, "by_drones": {}, "same_distance_share": share, **beside.about}


def _exact(rays: int) -> dict[str, Any]:
    """A lidar that notices all and stops at glass, as a plain ray does."""
    return {**_lidar(rays), "sensitivity": 0.0, "glass": "stop"}


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"milliseconds of a sweep, the whole sensor path, {result['threads']} threads",
        *cells_table("rays", {w: r["by_rays_ms"] for w, r in result["worlds"].items()}),
        *cells_table(
            f"drones, {result['drones_rays']} each", {w: r["by_drones_ms"] for w, r in result["worlds"].items()}
        ),
    ]
    for name, r in result["worlds"].items():
        small = ", ".join(f"{k} {m['together_ms']:.2f} ms ({m['times_faster']:g}×)" for k, m in r["many_small"].items())
        lines.append(f"{name}, {_MANY} drones together (and how many times faster than one by one): {small}")
    for name, r in result["worlds"].items():
        for beside in ("beside", "whole_beside"):
            if beside in r:
                lines += peer_lines(name, "rays", r[beside], "same_distance_share")
    return "\n".join(lines)
