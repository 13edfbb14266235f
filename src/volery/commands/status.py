"""How a run goes, on the terminal: a line that stays in its place, or plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from volery.core.clock import SECOND
from volery.sensors.sensor import Reading
from volery.sim import Simulation

__all__ = ["Status"]

_TERMINAL, _ELSEWHERE = 0.25, 1.0
"""Between two lines [s of wall time]."""


class Status:
    """A listener that tells time, pace, robots and clients; `verbose`: also where robots are and what they sense."""

    def __init__(self, simulation: Simulation, clients: Callable[[], int], verbose: bool) -> None:
        """clients: how many there are at all doors and pages."""
        self._clients, self._verbose = clients, verbose
        self._wall, self._sim_ns = time.monotonic(), simulation.clock.now_ns
        self._live: Live | None = None
        if sys.stdout.isatty():
            self._live = Live(console=Console(), auto_refresh=False, transient=True)
            self._live.start()
        self._period = _ELSEWHERE if self._live is None else _TERMINAL
        simulation.listeners.append(self)

    def __call__(self, simulation: Simulation) -> None:
        """Tell, if it is time to."""
        now = time.monotonic()
        if now - self._wall < self._period:
            return
        factor = (simulation.clock.now_ns - self._sim_ns) / SECOND / (now - self._wall)
        self._wall, self._sim_ns = now, simulation.clock.now_ns
        text = "\n  ".join([self._line(simulation, factor), *(_robots(simulation) if self._verbose else ())])
        if self._live is None:
            print(text, flush=True)  # noqa: T201
        else:
            self._live.update(Text(text), refresh=True)

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()

    def _line(self, simulation: Simulation, factor: float) -> str:
        count, clients = len(simulation.robots), self._clients()
        parts = [f"t {simulation.clock.now:8.2f} s", f"real time × {factor:.2f}"]
        parts.append(f"{count} robot{'' if count == 1 else 's'}")
        if clients:
            parts.append(f"{clients} client{'' if clients == 1 else 's'}")
        return "  ".join(parts)


def _robots(simulation: Simulation) -> list[str]:
    """A line about each robot."""
    lines = []
    for name, robot in simulation.robots.items():
        x, y, z = robot.p_WB
        sensed = (f"{s}: {_summary(sensor.latest)}" for s, sensor in simulation.sensors[name].items())
        lines.append("  ".join([f"{name} at ({x:.1f}, {y:.1f}, {z:.1f})", *sensed]))
    return lines


def _summary(reading: Reading | None) -> str:
    """A reading in a few words; a picture that was not drawn yet is not drawn for this."""
    if reading is None:
        return "no reading yet"
    if not reading.ready:
        return "a picture, not drawn yet"
    if "occupancy" in reading.data:
        occupancy = reading.data["occupancy"]
        return f"{len(occupancy)} rays, {np.count_nonzero(occupancy == 1)} occupied"
    return ", ".join(f"{key} {list(np.shape(value))}" for key, value in reading.data.items())
