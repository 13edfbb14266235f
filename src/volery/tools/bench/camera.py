"""`volery bench camera`: the UEds thesis' matrix of picture sizes, worlds and drones, and ten drones at work."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from volery.core.parallel import threads
from volery.tools.bench.sensing import COUNTS, WORLDS, Beside, both, measure, real_time_factor, world
from volery.tools.bench.tables import cells_table, peer_lines
from volery.tools.bench.timing import machine
from volery.world.environment import Environment

__all__ = ["CARGO", "run", "table"]

_SIZES = ((32, 32), (128, 128), (640, 480), (1280, 720), (1920, 1080))
CARGO = (
    "eye: {type: camera, width: 320, height: 240, rate: 10, outputs: [rgb, depth]}, "
    "lidar: {type: lidar, lines: 16, columns: 256, rate: 10, max_range: 100}"
)
"""What each drone of the fleet carries."""


def _camera(size: tuple[int, int], quality: str = "default") -> dict[str, Any]:
    return {"width": size[0], "height": size[1], "outputs": ["rgb", "depth_planar"], "quality": quality}


def _request(size: tuple[int, int]) -> dict[str, Any]:
    return {"width": size[0], "height": size[1]}


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: two sizes in a small part of one world."""
    sizes = _SIZES[:2] if quick else _SIZES
    counts = (1, 2) if quick else COUNTS
    rounds = 1 if quick else 3
    size = sizes[1] if quick else (640, 480)
    worlds = {"warehouse": 10.0} if quick else WORLDS
    names = [_name(s) for s in sizes]
    result: dict[str, Any] = {
        "bench": "camera",
        "machine": machine(),
        "threads": threads(),
        "outputs": "rgb and depth",
        "drones_size": _name(size),
        "fleet": counts[-1],
        "worlds": {},
    }
    for name, distance in worlds.items():
        simulation = world(name)
        eye, around = np.array(simulation.world.spawn()), simulation.environment
        taken = partial(_taken, around, eye, rounds)
        ours: dict[str, Any] = {
            **both("by_size", {n: taken(1, _camera(s)) for n, s in zip(names, sizes, strict=True)}),
            **both("plain_by_size", {n: taken(1, _camera(s, "plain")) for n, s in zip(names, sizes, strict=True)}),
            **both("by_drones", {str(c): taken(c, _camera(size)) for c in counts}),
            "fleet_real_time_factor": real_time_factor(name, counts[-1], CARGO, 0.1 if quick else 0.5),
        }
        result["worlds"][name] = ours
        if peers:
            with Beside(simulation, distance, "camera") as beside:
                ours["beside"] = {
                    "by_size": {
                        n: beside.compare(1, _camera(s), _request(s), rounds, _camera(s, "plain"))
                        for n, s in zip(names, sizes, strict=True)
                    },
                    "by_drones": {
                        str(counts[-1]): beside.compare(
                            counts[-1], _camera(size), _request(size), 1, _camera(size, "plain")
                        )
                    },
                    "same_depth_share": beside.agreement(_camera((128, 128)), _request((128, 128)), "depth_planar"),
                    **beside.about,
                }
    return result


def _taken(
    around: Environment, eye: np.ndarray, rounds: int, count: int, config: dict[str, Any]
) -> tuple[float, float]:
    return measure(around, eye, count, "camera", config, rounds)


def _name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    drones = f"drones, {result['drones_size']} each"
    lines = [
        f"milliseconds of a picture ({result['outputs']}), {result['threads']} threads",
        *cells_table("size", {w: r["by_size_ms"] for w, r in result["worlds"].items()}),
        *cells_table("plain", {w: r["plain_by_size_ms"] for w, r in result["worlds"].items()}),
        *cells_table(drones, {w: r["by_drones_ms"] for w, r in result["worlds"].items()}),
        f"{result['fleet']} drones, each with a 320x240 camera and a 4,096-ray lidar at 10 Hz: real time × "
        + ", ".join(f"{r['fleet_real_time_factor']:.3g} ({w})" for w, r in result["worlds"].items()),
    ]
    for name, r in result["worlds"].items():
        if "beside" in r:
            lines += peer_lines(name, "size", r["beside"], "same_depth_share")
    return "\n".join(lines)
