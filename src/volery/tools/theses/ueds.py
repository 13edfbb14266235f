"""`volery report ueds`: chapter 5 of the UEds thesis made again: generation, cameras, lidars, drones, and the wire.

Everything is measured by the benchmarks of the same names; here it is put together, with what the thesis says beside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from volery.report.chart import short
from volery.tools.bench import camera, lidar, ueds, worlds
from volery.tools.bench.others import Others
from volery.tools.bench.timing import machine
from volery.tools.theses.chapter_page import ReportSection

__all__ = ["THESIS", "measure", "sections"]

THESIS = {"forest_3x3": 0.347, "cave_3x3_flat_normals": 0.965, "cave_3x3_smooth_normals": 6.519}
"""Seconds of the thesis' table, mean of five, on a laptop with a Core i7-13700HX and an RTX 4060."""
_CHUNKS = {
    "forest_3x3": "forest",
    "cave_3x3_flat_normals": "cave, normals not interpolated",
    "cave_3x3_smooth_normals": "cave, interpolated normals",
}
Cells = dict[str, dict[str, float]]
"""Milliseconds by row, then by world."""
_ROUNDS = 5
"""The thesis' number of repetitions."""


def measure(*, quick: bool = False, peers: bool = False, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All of the chapter. quick: small parts, to see that it works; peers: libraries that are installed, beside.

    say: is told what is measured next.
    """
    others = Others()
    say("generation of worlds")
    result: dict[str, Any] = {"report": "ueds", "machine": machine(), "quick": quick}
    result["generation"] = worlds.generation(1 if quick else _ROUNDS)
    for name, bench in {"camera": camera, "lidar": lidar, "ueds": ueds}.items():
        say("UEds's server" if name == "ueds" else f"{name}s")
        result[name] = bench.run(quick=quick, peers=peers)
    return {**result, "others": others.found()}


def sections(result: dict[str, Any]) -> list[ReportSection]:
    """The chapter's parts, with tables, charts and words."""
    return [
        _generation(result["generation"]),
        *_camera(result["camera"]),
        *_lidar(result["lidar"]),
        _wire(result["ueds"]),
        _published(result),
    ]


def _generation(cells: dict[str, dict[str, Any]]) -> ReportSection:
    rows = [
        [_CHUNKS[key], f"{own['first_s']:.3f}", f"{own['median_s']:.3f}", f"{own['median_processor_s']:.3f}",
         f"{THESIS[key]:.3f}",
         f"{THESIS[key] / own['median_s']:.2f}", f"{own['instances']:,}", f"{own['instanced_triangles']:,}"]
        for key in _CHUNKS if (own := cells[key])
    ]  # fmt: skip
    chart = {_CHUNKS[k]: {"here": cells[k]["median_s"], "thesis": THESIS[k]} for k in _CHUNKS}
    return ReportSection(
        "Generation of worlds",
        "Seconds until 3×3 chunks of 50 m can be seen: generated on all cores, hierarchies built, first ray cast. "
        "First: with all models to be made; then elsewhere, as in a flight (median).",
        "a table of means of five on a laptop with a Core i7-13700HX and an RTX 4060, chunks of the same size. The "
        "worlds look alike but are not the same, so the ratio says what to expect, not which generator is better.",
        ["3×3 chunks of 50 m", "first [s]", "here [s]", "processor [s]", "thesis [s]", "thesis / here", "instances",
         "triangles shown"],
        rows, ("seconds of 3×3 chunks (less is better)", chart, False),
    )  # fmt: skip


def _camera(result: dict[str, Any]) -> list[ReportSection]:
    what = f"{result['outputs']}, {result['threads']} threads, no GPU"
    by_size = _columns(result, "by_size_ms")
    by_drones = _columns(result, "by_drones_ms")
    size = result["drones_size"]
    return [
        _matrix(
            "Camera by resolution", "pixels", by_size, _columns(result, "by_size_processor_ms"),
            f"Frames a second of one drone's camera ({what}).",
            "bar charts without numbers, over 50 requests each; the axis for one drone reaches 120 frames/s, drawn by "
            "an RTX 4060. There is no GPU here, so large pictures are slower.", "frames/s of one drone",
            _peer_words(result, "size", "Beside Flightmare the thesis found UEds almost twice as fast at large sizes."),
        ),
        _matrix(
            "Camera by number of drones", "drones", by_drones,
            _columns(result, "by_drones_processor_ms"),
            f"Rounds a second in which every drone gets a picture of {size} ({what}).",
            "bar charts without numbers; the axis for several drones reaches 100 frames/s; twice Flightmare's.",
            f"pictures/s of each drone, {size}",
        ),
    ]  # fmt: skip


def _lidar(result: dict[str, Any]) -> list[ReportSection]:
    by_rays, by_drones = _columns(result, "by_rays_ms"), _columns(result, "by_drones_ms")
    rays = list(by_rays)[-1]
    slow, fast = max(by_rays[rays].values()), min(by_rays[rays].values())
    first = next(iter(by_rays.values()))
    falls = min(by_rays[rays][world] / first[world] for world in first)
    spread = f"; there the slowest world takes {slow / fast:.1f} times as long as the fastest" if len(first) > 1 else ""
    return [
        _matrix(
            "Lidar by number of rays", "rays", by_rays, _columns(result, "by_rays_processor_ms"),
            f"Scans a second of one drone, the whole sensor path, {result['threads']} threads. From the fewest rays to "
            f"{rays} a scan becomes {falls:,.0f} times as long or more{spread}.",
            "charts without numbers: the rate falls steeply with the number of rays and hardly depends on the world.",
            "scans/s of one drone", _peer_words(result, "rays", ""),
        ),
        _matrix(
            "Lidar by number of drones", "drones", by_drones,
            _columns(result, "by_drones_processor_ms"),
            f"Rounds a second in which every drone gets a scan of {result['drones_rays']} rays.",
            "charts without numbers, 8,192 rays for each drone.",
            f"scans/s of each drone, {result['drones_rays']} rays",
        ),
    ]  # fmt: skip


def _wire(result: dict[str, Any]) -> ReportSection:
    goals, rays = result["goals"], result["rays"]
    rows = [
        [world, what.replace("_", " "), f"{cell['per_s']:,.0f}", f"{cell['median_per_s']:,.0f}",
         f"{cell['processor_us']:,.0f}", f"{goals[what]:,}" if what in goals else "–"]
        for world, cells in result["worlds"].items() for what, cell in cells.items()
    ]  # fmt: skip
    chart = {
        w: {k.replace("_", " "): c["per_s"] for k, c in cells.items() if k.startswith(("cloud", "picture"))}
        for w, cells in result["worlds"].items()
    }
    return ReportSection(
        "Over the wire",
        "What one client gets on one connection from volery run ueds: pings, small calls (get location), poses that "
        f"are set and swept, clouds of {rays:,} rays that reach 10 m, as UEds sets its lidar up, and 100 m, and "
        "pictures of 640×480 as JPEG. Best and middle of some rounds: other work on the machine takes from both. "
        "Processor time is that of the server, all threads together. The chart has clouds and pictures.",
        "no such table; its figures above were taken over this wire. UEds's own client takes in 680–820 such clouds a "
        "second at most, as we measured it with a server that always sends the same one.",
        ["world", "what", "best /s", "middle /s", "processor [µs]", "wanted /s"], rows,
        ("a second on one connection", chart, False),
    )  # fmt: skip


def _published(result: dict[str, Any]) -> ReportSection:
    """What others have published, with their hardware, and the nearest of ours."""
    made, worlds = result["generation"], result["camera"]["worlds"]
    here = f"{result['machine']['cpu']}, {result['machine']['cores']} cores, no GPU"
    size = result["camera"]["drones_size"]
    ours = max(1000.0 / own["by_size_ms"][size] for own in worlds.values())
    laptop = "laptop, Core i7-13700HX, RTX 4060"
    rows = [
        ["UEds thesis", f"3×3 chunks, {_CHUNKS[k]}", f"{THESIS[k]:g} s", laptop, f"{made[k]['median_s']:g} s"]
        for k in _CHUNKS
    ]
    rows += [
        [
            "UEds thesis",
            "frames, one drone, smallest picture",
            "at most 120 /s (axis of a bar chart)",
            laptop,
            "table 2",
        ],
        ["UEds thesis", "frames, several drones, 640x480", "at most 100 /s (axis of a bar chart)", laptop, "table 3"],
        ["FlightForge, ICRA 2025", "–", "no number could be obtained", "–", "–"],
        ["Flightmare, CoRL 2020", "rendering", "up to 230 /s", "laptop with a GPU", f"{short(ours)} /s at {size}"],
        ["Flightmare, CoRL 2020", "physics, one drone", "up to 200,000 steps/s", "laptop", "volery bench multirotor"],
    ]
    return ReportSection(
        "Beside what others have published", f"Ours are of this run, on {here}. Numbers of other machines and other "
        "worlds say what to expect, not which program is better.",
        "its own comparison has UEds almost twice as fast as Flightmare at large pictures, and twice with several "
        "drones at 640×480, both on the same laptop.",
        ["who", "what", "published", "on", "here"], rows,
    )  # fmt: skip


def _columns(result: dict[str, Any], key: str) -> Cells:
    """What was measured in each world, by row."""
    cells = {world: own[key] for world, own in result["worlds"].items()}
    rows = next(iter(cells.values()))
    return {row: {world: own[row] for world, own in cells.items()} for row in rows}


def _matrix(
    title: str, what: str, cells: Cells, spent: Cells, words: str, thesis: str, unit: str, more: str = ""
) -> ReportSection:
    """A table of milliseconds and rates by row and world, and a chart of the rates."""
    names = list(next(iter(cells.values())))
    head = [what, *(f"{w} {unit}" for unit in ("[ms]", "processor [ms]", "[/s]") for w in names)]
    rows = [
        [row, *(f"{own[w]:,.2f}" for w in names), *(f"{spent[row][w]:,.2f}" for w in names),
         *(short(1000.0 / own[w]) for w in names)]
        for row, own in cells.items()
    ]  # fmt: skip
    rates = {row: {w: 1000.0 / ms for w, ms in own.items()} for row, own in cells.items()}
    return ReportSection(title, words, thesis, head, rows, (f"{unit} (more is better)", rates, False), more)


def _peer_words(result: dict[str, Any], by: str, before: str) -> str:
    """How many times faster we are than libraries that were measured beside, in words."""
    said = [before] if before else []
    for world, own in result["worlds"].items():
        for row, cell in own.get("beside", {}).get(f"by_{by}", {}).items():
            ratios = ", ".join(f"{name} {times:g}" for name, times in cell["times_faster"].items())
            said.append(f"{world}, {row}: times faster than {ratios}." if ratios else "")
    if before and not any("beside" in own for own in result["worlds"].values()):
        said.append("With --peers the libraries that are installed are measured on the same triangles.")
    return " ".join(filter(None, said))
