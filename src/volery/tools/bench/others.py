"""What else ran on the machine while something was measured: wall times of a busy machine are no claims."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

__all__ = ["Others", "words"]

_BUSY = 0.1
"""Share of the processor that others may take of a machine that counts as free."""


class Others:
    """Begin when measuring begins, and ask `found` at its end."""

    def __init__(self, stat: Path = Path("/proc/stat")) -> None:
        self._stat = stat
        self._load = _load()
        self._before = (*_ticks(stat), _own())

    def found(self) -> dict[str, Any]:
        """`load_before` (processes that wanted to run in the minute before), `others_share` of the processor that other
        programs took meanwhile (NaN where the system does not tell), and whether that makes the machine `busy`."""
        busy, everything = _ticks(self._stat)
        second = os.sysconf("SC_CLK_TCK")
        used, passed = (busy - self._before[0]) / second, (everything - self._before[1]) / second
        share = max(used - (_own() - self._before[2]), 0.0) / passed if passed > 0.0 else float("nan")
        crowded = self._load / (os.cpu_count() or 1) > 0.5
        return {
            "load_before": round(self._load, 2), "others_share": round(share, 3), "busy": share > _BUSY or crowded,
        }  # fmt: skip


def words(found: dict[str, Any]) -> str:
    """For people."""
    said = (
        f"While this was measured, other programs took {100.0 * found['others_share']:.0f} % of the processor; load in "
        f"the minute before: {found['load_before']:g}."
    )
    return said + (" The machine was busy: wall times are not for claims." if found["busy"] else "")


def _load() -> float:
    try:
        return os.getloadavg()[0]
    except OSError:
        return float("nan")


def _own() -> float:
    """Processor time of this process and of children that have ended [s]."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _ticks(stat: Path) -> tuple[int, int]:
    """Ticks of all cores in which somebody ran, and all ticks."""
    try:
        cells = [int(cell) for cell in stat.read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    except (OSError, ValueError, IndexError):
        return 0, 0
    return sum(cells) - cells[3] - cells[4], sum(cells)
