"""`volery report elaha`: the evaluation of the ELAHA platform's thesis made again, and its aircraft in a gust.

Here it is measured; `elaha_sections` puts it into tables and drawings, with what the thesis says beside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.types import encode, message_class
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.bench import bus
from volery.tools.bench.timing import machine
from volery.tools.theses.aircraft import Flown, gust_moments
from volery.tools.theses.elaha_cube import CASES, measures, run_cube
from volery.tools.theses.elaha_frames import frames
from volery.tools.theses.elaha_query import single_query
from volery.tools.theses.elaha_scans import (
    Scanned,
    ScanSite,
    about,
    cone_heights,
    places,
    scan_cone,
    scan_place,
    scan_ruin,
)

__all__ = ["GUSTS", "Evaluation", "cdr_sizes", "evaluate", "numbers", "rise"]

GUSTS = (25.0, 50.0, 100.0, 150.0)
"""Lengths of gusts [m]."""
_BONES = 22
_RAYS = 51 * 51


@dataclass(frozen=True)
class Evaluation:
    """Everything that was measured."""

    quick: bool
    machine: dict[str, Any]
    frames: dict[str, Any]
    cone: Scanned
    ruin: Scanned
    surfaces: list[tuple[ScanSite, Scanned]]
    query: dict[str, Any]
    cubes: dict[str, dict[str, np.ndarray]]
    bus: dict[str, Any]
    gusts: dict[float, dict[str, Flown]]


def evaluate(*, quick: bool = False, say: Callable[[str], None] = lambda _: None) -> Evaluation:
    """Measure all of it. quick: small parts, to see that it works; say: is told what is measured next."""
    say("frames")
    found = frames(1, 20) if quick else frames()
    say("scans")
    coarse = 6 if quick else 1
    cone, ruin = scan_cone(coarse), scan_ruin(coarse)
    world = Simulation(read_scenario("world: ruin\nseed: 1")).world
    chosen = places(world)[-1:] if quick else places(world)
    surfaces = [(place, scan_place(place, coarse)) for place in chosen]
    say("contact")
    query = single_query(20 if quick else 200)
    cubes = {case: run_cube(case, 0.45 if quick else None) for case in CASES}
    say("the bus")
    load = bus.run(quick=quick, peers=not quick)
    say("gusts")
    seconds, lengths = (5.0, GUSTS[1:2]) if quick else (12.0, GUSTS)
    gusts = {length: gust_moments(length=length, seconds=seconds) for length in lengths}
    return Evaluation(quick, machine(), found, cone, ruin, surfaces, query, cubes, load, gusts)


def rise(flown: Flown) -> float:
    """Of the bending moment at the root in a gust, over that of steady flight [N m]."""
    return float(flown.root_moment.max() - flown.root_moment[100])


def cdr_sizes() -> dict[str, int]:
    """Bytes of the parts of an update as they go over the bus here, by the names of the benchmark."""
    cloud = {name: np.zeros(_RAYS, np.float32) for name in ("x", "y", "z", "occupancy")}
    wrench = message_class("geometry_msgs/msg/Wrench")(m.vector(np.zeros(3)), m.vector(np.zeros(3)))
    parts = {
        "pose": [m.point(np.zeros(3)), m.quaternion([1.0, 0.0, 0.0, 0.0])],
        "bones": [m.floats(np.zeros((_BONES, 2)))],
        "scan": [m.cloud(0, "map", cloud)] * 6,
        "wrench": [wrench],
    }
    return {name: sum(len(encode(message)) for message in own) for name, own in parts.items()}


def numbers(found: Evaluation) -> dict[str, Any]:
    """As plain data, without pictures."""
    x, y, z = np.moveaxis(found.cone.points[0], -1, 0)
    return {
        "report": "elaha", "quick": found.quick, "machine": found.machine, "frames": found.frames,
        "cone": {**about(found.cone), "worst_mm": 1e3 * float(np.abs(z - cone_heights(x, y)).max())},
        "ruin": about(found.ruin),
        "surfaces": {place.name: {**place._asdict(), **about(scan)} for place, scan in found.surfaces},
        "query": found.query,
        "cubes": {case: measures(series) for case, series in found.cubes.items()},
        "bus": {**found.bus, "cdr_bytes": cdr_sizes()},
        "gusts": {f"{length:g}": {name: rise(f) for name, f in own.items()} for length, own in found.gusts.items()},
    }  # fmt: skip
