"""The few numbers that stand for each benchmark, with the peers of the same run beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["HEADLINES", "Headline", "headlines"]

Result = dict[str, Any]


def _none(result: Result) -> dict[str, float]:
    return {}


@dataclass(frozen=True)
class Headline:
    """One number of a benchmark."""

    bench: str
    label: str
    unit: str
    value: Callable[[Result], float]
    peers: Callable[[Result], dict[str, float]] = _none
    """How many times faster than each peer of the same run."""
    budget: Callable[[Result], float | None] = lambda result: None
    more: bool = False
    """Whether more is better."""


def _rays(pattern: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def peers(result: Result) -> dict[str, float]:
        found = {name: own.get(pattern, {}) for name, own in result["peers"].items()}
        return {name: own["times_faster"] for name, own in found.items() if "times_faster" in own}

    return (lambda r: r["patterns"][pattern]["median_ms"]), peers


def _sensing(world: str, by: str, size: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def peers(result: Result) -> dict[str, float]:
        return result["worlds"][world].get("beside", {}).get(f"by_{by}", {}).get(size, {}).get("times_faster", {})

    return (lambda r: r["worlds"][world][f"by_{by}_ms"][size]), peers


def _whole_forest(result: Result) -> dict[str, Any]:
    """A LiDAR that tells distances alone, as libraries do that were given every triangle of the forest."""
    return result["worlds"]["forest"].get("whole_beside", {}).get("by_rays", {}).get("8192", {})


def _drone_peers(result: Result) -> dict[str, float]:
    rows = {peer: own for peer, own in result["peers"].items() if isinstance(own, dict)}
    return {peer: own["1"]["times_more_simulated_time"] for peer, own in rows.items() if "1" in own}


def _fastest(count: str, way: str) -> Callable[[Result], float]:
    return lambda r: max(row["drone_steps_per_s"] for row in r["quad"][count][way].values())


def _learned(kind: str) -> Callable[[Result], float]:
    """Of the largest vector that was measured."""

    def value(result: Result) -> float:
        rows = list(result[kind].values())[-1]
        return max(row["steps_per_s"] for row in rows.values())

    return value


def _bus_peers(result: Result) -> dict[str, float]:
    rows = result["at_100_hz"]
    ours = rows["bus"]["scan_median_ms"]
    return {name: row["scan_median_ms"] / ours for name, row in rows.items() if name != "bus"}


def _scanner_peers(result: Result) -> dict[str, float]:
    return {name: own["times_faster"] for name, own in result["peers"].items() if "times_faster" in own}


def _pybullet(result: Result) -> dict[str, float]:
    own = result["skid"]["forest"]
    return {"pybullet": own["times_faster_than_pybullet"]} if "times_faster_than_pybullet" in own else {}


HEADLINES = [
    Headline(
        "start", "warm start to the first step", "s", lambda r: r["warm"]["first_step_s"], _none,
        lambda r: r["budget"]["first_step_s"],
    ),
    Headline(
        "start", "warm start to the first picture", "s", lambda r: r["warm"]["first_picture_s"], _none,
        lambda r: r["budget"]["first_picture_s"],
    ),
    Headline(
        "start", "warm start to a page that moves", "s", lambda r: r["warm"]["moving_page_s"], _none,
        lambda r: r["budget"]["moving_page_s"],
    ),
    Headline(
        "demo", "the demonstration at full speed", "× real time", lambda r: r["headless"]["real_time"], _none,
        lambda r: r["budget"]["headless_real_time"], more=True,
    ),
    Headline(
        "demo", "longest step of the demonstration", "ms", lambda r: r["headless"]["longest_ms"], _none,
        lambda r: r["budget"]["longest_step_ms"],
    ),
    Headline("rays", "box of 15,606 rays, trees", "ms", *_rays("box 15606")),
    Headline("rays", "LiDAR of 8,192 rays, trees", "ms", *_rays("lidar 8192")),
    Headline("rays", "640×480 rays, trees", "ms", *_rays("camera 640x480")),
    Headline(
        "scanner", "full box scan of a moving robot", "ms", lambda r: r["median_ms"], _scanner_peers,
        lambda r: r["budget_ms"],
    ),
    Headline(
        "lidar", "LiDAR sensor of 8,192 rays, whole forest", "ms", _sensing("forest", "rays", "8192")[0], _none,
        lambda r: 8.0,
    ),
    Headline(
        "lidar", "the same, distances alone", "ms", lambda r: _whole_forest(r).get("plain_ms", float("nan")),
        lambda r: _whole_forest(r).get("plain_times_faster", {}),
    ),
    Headline("camera", "RGB and depth 640×480, forest", "ms", *_sensing("forest", "size", "640x480")),
    Headline("camera", "RGB and depth 640×480, warehouse", "ms", *_sensing("warehouse", "size", "640x480")),
    Headline(
        "worlds", "nine forest chunks of 50 m", "s", lambda r: r["forest_3x3"]["median_s"], _none,
        lambda r: r["budget"]["forest"],
    ),
    Headline(
        "worlds", "nine cave chunks of 50 m", "s", lambda r: r["cave_3x3_smooth_normals"]["median_s"], _none,
        lambda r: r["budget"]["cave"],
    ),
    Headline(
        "worlds", "longest stall in flight at 20 m/s", "ms", lambda r: r["flight_20_m_s"]["longest_stall_ms"], _none,
        lambda r: r["budget"]["stall_ms"],
    ),
    Headline(
        "multirotor", "one drone, kernel", "steps/s", _fastest("1", "kernel"), _none,
        lambda r: r["budget"]["one_drone_steps_per_s"], more=True,
    ),
    Headline("multirotor", "one drone, engine", "steps/s", _fastest("1", "engine"), _drone_peers, more=True),
    Headline(
        "multirotor", "10,000 drones", "drone-steps/s", _fastest("10000", "tables"), _none,
        lambda r: r["budget"]["ten_thousand_drones_steps_per_s"], more=True,
    ),
    Headline(
        "physics", "skid-steered rover in the forest", "µs/step", lambda r: r["skid"]["forest"]["us_per_step"],
        _pybullet,
    ),
    Headline(
        "bus", "250 KB between processes at 100 Hz", "ms", lambda r: r["at_100_hz"]["bus"]["scan_median_ms"], _bus_peers
    ),
    Headline(
        "ueds", "small calls of UEds's server", "calls/s",
        lambda r: next(iter(r["worlds"].values()))["small_call"]["per_s"], more=True,
    ),
    Headline("learn", "drones of the hover environment", "steps/s", _learned("hover"), more=True),
    Headline("learn", "drones in the forest with depth 64×64", "steps/s", _learned("depth_64x64"), more=True),
]  # fmt: skip


def headlines(benches: dict[str, Result]) -> list[dict[str, Any]]:
    """Those whose benchmark was run and has the number: `label`, `unit`, `value`, `peers`, `budget` and `more`."""
    out = []
    for line in HEADLINES:
        result = benches.get(line.bench, {})
        try:
            value, peers, budget = float(line.value(result)), line.peers(result), line.budget(result)
        except (KeyError, IndexError, StopIteration):
            # A quick run has fewer parts, and one that failed has none.
            continue
        out.append({
            "bench": line.bench, "label": line.label, "unit": line.unit, "value": value,
            "peers": {name: round(float(times), 2) for name, times in peers.items()}, "budget": budget,
            "more": line.more,
        })  # fmt: skip
    return out
