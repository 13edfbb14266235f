"""Fair timing on a shared machine: candidates take turns, each is primed before it is timed, and spread is reported."""

from __future__ import annotations

import functools
import os
import platform
import time
from collections.abc import Callable
from importlib import metadata

import numpy as np

__all__ = ["Sample", "machine", "resident_megabytes", "round_robin", "summary", "take_turns", "timed"]

Sample = Callable[[], object]

_SLOW = 1.0
"""What takes so long needs no priming [s]."""


def timed(sample: Sample) -> float:
    """Seconds of a call, after one untimed that warms its caches; what is slow is called only once."""
    for _ in range(2):
        began = time.perf_counter()
        sample()
        seconds = time.perf_counter() - began
        if seconds > _SLOW:
            break
    return seconds


def round_robin(candidates: dict[str, Sample], rounds: int) -> dict[str, np.ndarray]:
    """Seconds per call, [rounds] for each candidate, taking turns."""
    return take_turns({name: functools.partial(timed, sample) for name, sample in candidates.items()}, rounds)


def take_turns(candidates: dict[str, Callable[[], float]], rounds: int, most: float = np.inf) -> dict[str, np.ndarray]:
    """Seconds that candidates say they took, [rounds] each, less once one has used up its share of `most` seconds."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, candidate in candidates.items():
            if sum(times[name]) < most:
                times[name].append(candidate())
    return {name: np.array(t) for name, t in times.items()}


def summary(seconds: np.ndarray) -> dict[str, float]:
    """Least, median and 99th percentile in milliseconds."""
    low, middle, high = (float(v) for v in np.percentile(seconds * 1e3, [0, 50, 99]))
    return {"min_ms": round(low, 4), "median_ms": round(middle, 4), "p99_ms": round(high, 4)}


_PACKAGES = ("volery", "numpy", "embreex", "mujoco-core", "pybullet", "open3d", "trimesh")


def machine() -> dict[str, object]:
    """What the numbers were measured on."""
    versions = {name: version for name in _PACKAGES if (version := _version(name)) is not None}
    return {"cpu": _cpu(), "cores": os.cpu_count(), "python": platform.python_version(), "versions": versions}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def resident_megabytes() -> float:
    """Memory this process holds [MB], where the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return float("nan")


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
