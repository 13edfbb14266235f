"""What must hold after a soak."""

from __future__ import annotations

import itertools
from pathlib import Path
from statistics import median
from typing import Any

from volery.bus.record import read_recording

__all__ = ["verdict"]

_STEP_NS = 20_000_000
_GROWTH = 0.06
"""Memory may be so much more at the end than after the beginning, as a share; forests differ from place to place."""
_LEAST_GROWTH = 60.0
"""What counts as nothing [MB]."""
_ROBOTS = 20
_MORE = 12
"""Threads and files that may be open more at the end."""


def verdict(soak: Any) -> dict[str, Any]:
    """Numbers of the soak, and `problems`: what did not hold."""
    problems = list(soak.problems)
    if soak.server.process.returncode != 0 or "end at" not in soak.server.text:
        problems.append(f"the run ended with code {soak.server.process.returncode}: {soak.server.text[-600:]}")
    if "Traceback" in soak.server.text:
        problems.append(f"a traceback: {soak.server.text[soak.server.text.index('Traceback') :][:1500]}")
    found = {
        "minutes": round(soak.seconds / 60, 2),
        "faults": soak.told,
        "clients": {
            kind: {"exchanges": c.exchanges, "starts": c.starts, "longest_silence_s": round(c.longest, 1)}
            for kind, c in soak.clients.items()
        },
        **_flat(soak.server.series, problems),
        "recordings": {p.name: _recording(p, problems) for p in sorted(soak.out.glob("*.mcap"))},
    }
    return {**found, "problems": problems, "series": soak.server.series}


def _flat(series: list[tuple[float, float, int, int]], problems: list[str]) -> dict[str, Any]:
    """Whether memory, threads and files stayed as they were after the first third."""
    third = len(series) // 3
    if third < 3:
        problems.append("too short to see whether memory stays flat")
        return {}
    early, late = series[third : 2 * third], series[-third:]
    found: dict[str, Any] = {}
    for i, name in ((1, "memory_mb"), (2, "threads"), (3, "open_files")):
        before, after = (median(row[i] for row in part) for part in (early, late))
        found[name] = {"middle_third": round(before, 1), "last_third": round(after, 1)}
        most = before + (max(_GROWTH * before, _LEAST_GROWTH) if i == 1 else _MORE)
        if after > most:
            problems.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return found


def _recording(path: Path, problems: list[str]) -> dict[str, Any]:
    """Whether a recording can be read whole, and has every step from its beginning to its end."""
    clock, messages, robots = [], 0, set()
    for message in read_recording(path):
        messages += 1
        if message.topic == "/clock":
            clock.append(message.stamp_ns)
        if message.topic.endswith("/odom"):
            robots.add(message.topic)
    gaps = sum(b - a != _STEP_NS for a, b in itertools.pairwise(clock))
    if len(robots) < _ROBOTS:
        problems.append(f"{path.name}: {len(robots)} robots, not {_ROBOTS}")
    if len(clock) < 50 or gaps:
        problems.append(f"{path.name}: {len(clock)} steps with {gaps} gaps")
    seconds = (clock[-1] - clock[0]) / 1e9 if clock else 0.0
    return {"messages": messages, "seconds": round(seconds, 2), "gaps": gaps, "robots": len(robots)}
