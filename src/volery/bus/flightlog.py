"""Flights that were flown before, really or here: where a robot was and when, from CSV files and MCAP recordings."""

from __future__ import annotations

import csv
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mcap.exceptions import McapError
from mcap.reader import make_reader

from volery.bus.types import decode
from volery.core.clock import SECOND
from volery.errors import BusError

__all__ = ["FlightLog", "read_flight", "write_flight"]

_TIMES = ("t", "time", "timestamp", "stamp", "seconds", "%time")
_NED = ("north", "east", "down"), ("n", "e", "d")
_MOST = 5_000_000
"""Rows of a log."""
_PLACES = {
    "nav_msgs/msg/Odometry": lambda m: m.pose.pose.position,
    "geometry_msgs/msg/PoseStamped": lambda m: m.pose.position,
    "geometry_msgs/msg/PoseWithCovarianceStamped": lambda m: m.pose.pose.position,
    "geometry_msgs/msg/TransformStamped": lambda m: m.transform.translation,
    "geometry_msgs/msg/PointStamped": lambda m: m.point,
}


@dataclass(frozen=True, eq=False)
class FlightLog:
    """Places of one robot in the order of time."""

    name: str
    times: np.ndarray
    """Since the first, [n] [s]."""
    p_W: np.ndarray
    """[n, 3] [m]."""

    def at(self, seconds: float) -> np.ndarray:
        """Where it was then, [3] [m]; before and after it stays at the ends."""
        return np.array([np.interp(seconds, self.times, self.p_W[:, i]) for i in range(3)])

    def thin(self, most: int = 2000) -> np.ndarray:
        """At most so many of its places, for drawing."""
        return self.p_W[:: max(-(-len(self.p_W) // most), 1)]


def read_flight(path: Path | str, topic: str = "") -> FlightLog:
    """A log by its file's ending; topic: of a recording, else the first that tells places."""
    path = Path(path)
    if path.suffix.lower() == ".csv":
        return _read_csv(path)
    if path.suffix.lower() == ".mcap":
        return _read_mcap(path, topic)
    raise BusError(f"{path}: a flight log is a .csv or an .mcap file")


def write_flight(path: Path, times: np.ndarray, p_W: np.ndarray, more: dict[str, np.ndarray] | None = None) -> None:
    """Write a CSV that `read_flight` takes; more: further columns by name, [n] each."""
    columns = {"t": times, "x": p_W[:, 0], "y": p_W[:, 1], "z": p_W[:, 2], **(more or {})}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([f"{v:.6g}" for v in row] for row in zip(*columns.values(), strict=True))


def _log(name: str, times: np.ndarray, p_W: np.ndarray) -> FlightLog:
    good = np.isfinite(times) & np.isfinite(p_W).all(axis=1)
    times, p_W = times[good], p_W[good]
    if len(times) < 2:
        raise BusError(f"{name}: {len(times)} places with a time; a flight has at least two")
    order = np.argsort(times, kind="stable")
    return FlightLog(name, times[order] - times[order[0]], p_W[order])


def _read_csv(path: Path) -> FlightLog:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = (line for line in file if line.strip() and not line.startswith("#"))
            rows = csv.reader(lines)
            head = [h.strip().lower().replace(".", "_").replace(" ", "_") for h in next(rows, [])]
            body = [row for row, _ in zip(rows, range(_MOST), strict=False)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BusError(f"{path} cannot be read: {error}") from None
    t = next((head.index(n) for n in _TIMES if n in head), None)
    axes, signs = _axes(head)
    if t is None or axes is None:
        raise BusError(
            f"{path}: needs a column {', '.join(_TIMES[:3])} and columns x, y, z (or north, east, down); it has "
            f"{', '.join(head) or 'none'}"
        )
    values = np.array([[_number(row, i) for i in (t, *axes)] for row in body]).reshape(-1, 4)
    times = values[:, 0]
    return _log(path.name, times / _unit(times), values[:, 1:] * signs)


def _axes(head: list[str]) -> tuple[tuple[int, ...] | None, np.ndarray]:
    """Columns of east, north, up, and their signs."""
    for north, east, down in _NED:
        if {north, east, down} <= set(head):
            return (head.index(east), head.index(north), head.index(down)), np.array([1.0, 1.0, -1.0])
    rule: Callable[[str, str], bool]
    for rule in (lambda h, a: h == a, lambda h, a: h.endswith(f"_{a}") and "pos" in h, lambda h, a: h == f"p{a}"):
        found = [next((i for i, h in enumerate(head) if rule(h, a)), None) for a in "xyz"]
        if None not in found:
            return tuple(found), np.ones(3)  # type: ignore[arg-type]
    return None, np.ones(3)


def _unit(times: np.ndarray) -> float:
    """Ticks of a second: logs of middleware and autopilots count nano- or microseconds; none is slower than 0.01 Hz."""
    steps = np.diff(times[np.isfinite(times)])
    step = float(np.median(steps)) if len(steps) else 0.0
    return 1e9 if step > 2e6 else 1e6 if step > 100.0 else 1.0


def _number(row: list[str], i: int) -> float:
    try:
        return float(row[i])
    except (ValueError, IndexError):
        return np.nan


def _read_mcap(path: Path, topic: str) -> FlightLog:
    found: dict[str, list[tuple[float, Any]]] = {}
    try:
        with path.open("rb") as file:
            for schema, channel, message in make_reader(file).iter_messages(topics=[topic] if topic else None):
                kind = "" if schema is None else schema.name
                if kind not in _PLACES or (found and channel.topic not in found):
                    continue
                p = _PLACES[kind](decode(message.data, kind))
                found.setdefault(channel.topic, []).append((message.log_time / SECOND, (p.x, p.y, p.z)))
    except (OSError, McapError, struct.error) as error:
        # A damaged file shows as whatever mcap meets in it.
        raise BusError(f"{path} cannot be read: {error}") from None
    if not found:
        raise BusError(f"{path}: no topic{' ' + topic if topic else ''} tells places ({', '.join(_PLACES)})")
    name, rows = next(iter(found.items()))
    return _log(f"{path.name} {name}", np.array([t for t, _ in rows]), np.array([p for _, p in rows], float))
