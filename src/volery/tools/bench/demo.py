"""`volery bench demo`: the demonstration, as fast as it goes without a page, and in real time with one open."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from volery.loop import steady_memory
from volery.scenario import load_scenario
from volery.sim import Simulation
from volery.tools.bench.browser import BrowserPage, chromium
from volery.tools.bench.timing import machine, summary

__all__ = ["run", "table"]

_BUDGET = {"headless_real_time": 2.0, "page_real_time": 1.0, "longest_step_ms": 50.0}
_SETTLED = 1.0
"""Simulated seconds that are not counted."""
_STATUS = re.compile(r"t +([\d.]+) s")


def run(quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Factors of real time."""
    scenario, seconds = ("blocks", 0.5) if quick else ("demo", 20.0)
    result = {
        "bench": "demo", "machine": machine(), "scenario": scenario, "budget": _BUDGET, "browser": chromium(),
        "headless": _headless(scenario, seconds), "read": _headless(scenario, seconds, read=True),
    }  # fmt: skip
    if chromium() is not None:
        result["page"] = _with_page(scenario, 2 if quick else 15)
    return result


def _headless(scenario: str, seconds: float, *, read: bool = False) -> dict[str, float]:
    """At full speed; read: every reading is looked at, as by a listener."""
    simulation = Simulation(load_scenario(scenario))
    times = []
    with steady_memory():
        while simulation.clock.now < _SETTLED + seconds:
            began, before = time.perf_counter(), time.process_time()
            simulation.step()
            if read:
                simulation.readings_bytes()
            if simulation.clock.now > _SETTLED:
                times.append((time.perf_counter() - began, time.process_time() - before))
    wall, processor = np.array(times).T
    found = {"real_time": round(seconds / wall.sum(), 3), "processor_s_per_s": round(processor.sum() / seconds, 3)}
    return {**found, **summary(wall), "longest_ms": round(1e3 * float(wall.max()), 2)}


def _with_page(scenario: str, lines: int) -> dict[str, float]:
    """In real time, beside a browser whose page shows it; by the lines a second that the run prints."""
    words = [sys.executable, "-u", "-m", "volery", "run", scenario, "--no-browser", "--no-bus"]
    process = subprocess.Popen(
        [*words, "--viewer", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        output = iter(process.stdout or ())
        address = next(line.split("viewer: ")[1].split()[0] for line in output if "viewer: " in line)
        with BrowserPage(address) as page:
            page.wait_until_it_moves()
            began = time.perf_counter()
            at = [(time.perf_counter() - began, now) for now in _times(output, began, lines)]
        (first, then), (last, end) = at[0], at[-1]
        return {"real_time": round((end - then) / (last - first), 3)}
    finally:
        process.terminate()
        process.wait()


def _times(output: Iterator[str], began: float, count: int) -> Iterator[float]:
    """Simulated times as they are printed; what was printed before is left out."""
    for line in output:
        found = _STATUS.match(line)
        if found and time.perf_counter() - began > _SETTLED:
            yield float(found[1])
            count -= 1
            if count == 0:
                return


def table(result: dict[str, Any]) -> str:
    """As text."""
    lines = [f"'{result['scenario']}' on {result['machine']['cores']} cores"]
    for kind, words in (("headless", "nobody looks"), ("read", "every reading is read")):
        own = result[kind]
        lines.append(
            f"{words:24} real time × {own['real_time']:6.2f}, processor {own['processor_s_per_s']:.2f} s/s, steps of "
            f"{own['median_ms']:.2f} ms (99 %: {own['p99_ms']:.1f}, longest {own['longest_ms']:.1f})"
        )
    if "page" in result:
        lines.append(f"{'a page is open':24} real time × {result['page']['real_time']:6.2f} of 1")
    else:
        lines.append("no Chromium here: the page was not measured")
    return "\n".join(lines)
