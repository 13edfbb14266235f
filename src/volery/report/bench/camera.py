"""`volery bench camera`: the UEds thesis' matrix of picture sizes, worlds and drones, and ten drones at work."""

from __future__ import annotations

from volery.report.bench.sensing import WORLDS, matrix, real_time_factor
from volery.report.bench.timing import machine
from volery.world.native import threads

__all__ = ["run", "table"]

_SIZES = ((32, 32), (128, 128), (640, 480), (1280, 720), (1920, 1080))


def _camera(width: int, height: int) -> str:
    return f"{{type: camera, width: {width}, height: {height}, rate: 10, outputs: [rgb, depth, labels]}}"


def run(*, quick: bool = False, peers: bool = True) -> dict:
    """Measure; quick: two sizes in one world. No renderer of another library is measured yet."""
    sizes = _SIZES[:2] if quick else _SIZES
    worlds = ("warehouse",) if quick else WORLDS
    counts = (1, 2) if quick else (1, 2, 5, 10)
    rounds = 1 if quick else 3
    size = (128, 128) if quick else (640, 480)
    by_size = {w: matrix({f"{a}x{b}": _camera(a, b) for a, b in sizes}, w, 1, rounds) for w in worlds}
    return {
        "bench": "camera",
        "machine": machine(),
        "threads": threads(),
        "outputs": "rgb, depth and labels",
        "by_size": by_size,
        "by_drones": {w: {str(c): matrix({"ms": _camera(*size)}, w, c, rounds)["ms"] for c in counts} for w in worlds},
        "drones_size": f"{size[0]}x{size[1]}",
        "ten_drones_real_time_factor": real_time_factor(worlds[-1], counts[-1], _camera(*size), 0.1 if quick else 1.0),
    }


def table(result: dict) -> str:
    """The result for people."""
    lines = [f"{result['outputs']}: milliseconds (pictures/s)"]
    for world, rows in result["by_size"].items():
        lines.append(f"{world:10} " + ", ".join(f"{s}: {r['ms']:.1f} ({r['per_s']:g})" for s, r in rows.items()))
    for world, rows in result["by_drones"].items():
        drones = ", ".join(f"{c}: {r['ms']:.0f} ms" for c, r in rows.items())
        lines.append(f"{world}, drones with {result['drones_size']}: {drones}")
    lines.append(f"most drones at 10 Hz: real time × {result['ten_drones_real_time_factor']:g}")
    return "\n".join(lines)
