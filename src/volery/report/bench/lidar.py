"""`volery bench lidar`: the UEds thesis' matrix of rays, worlds and drones."""

from __future__ import annotations

from volery.report.bench.rays import against_peers, ray_sets
from volery.report.bench.scenes import plain_forest
from volery.report.bench.sensing import WORLDS, matrix
from volery.report.bench.timing import machine
from volery.world.native import threads

__all__ = ["run", "table"]

_RAYS = {16: (16, 1), 128: (16, 8), 1024: (16, 64), 8192: (16, 512), 65_536: (64, 1024), 262_144: (128, 2048)}
"""Rays of a sweep: lines × columns."""


def _lidar(rays: int) -> str:
    lines, columns = _RAYS[rays]
    return f"{{type: lidar, model: vlp16, lines: {lines}, columns: {columns}, rate: 10, max_range: 100}}"


def run(*, quick: bool = False, peers: bool = True) -> dict:
    """Measure; quick: two sizes in one world."""
    sizes = (16, 1024) if quick else tuple(_RAYS)
    worlds = ("warehouse",) if quick else WORLDS
    counts = (1, 2) if quick else (1, 2, 5, 10)
    rounds = 2 if quick else 10
    rays = ray_sets()
    result = {
        "bench": "lidar",
        "machine": machine(),
        "threads": threads(),
        "by_rays": {w: matrix({str(n): _lidar(n) for n in sizes}, w, 1, rounds) for w in worlds},
        "by_drones_8192": {
            w: {str(c): matrix({"ms": _lidar(8192)}, w, c, rounds)["ms"] for c in counts} for w in worlds
        },
        "peers": {},
    }
    if peers:
        result["peers"] = against_peers(
            plain_forest(300, 2000) if quick else plain_forest(), {"lidar 8192": rays["lidar 8192"]}
        )
    return result


def table(result: dict) -> str:
    """The result for people."""
    lines = [f"{'rays':>8} " + " ".join(f"{w:>14}" for w in result["by_rays"])]
    for size in next(iter(result["by_rays"].values())):
        cells = " ".join(f"{rows[size]['ms']:9.2f} ms  " for rows in result["by_rays"].values())
        lines.append(f"{size:>8} {cells}")
    for world, rows in result["by_drones_8192"].items():
        lines.append(f"{world}, 8192 rays a drone: " + ", ".join(f"{c}: {r['ms']:.1f} ms" for c, r in rows.items()))
    for peer, patterns in result["peers"].items():
        found = patterns.get("error") or f"{patterns['lidar 8192']['times_faster']:g}×"
        lines.append(f"faster than {peer} (plain forest, 8192 rays): {found}")
    return "\n".join(lines)
