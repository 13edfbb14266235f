"""A simulation before people's eyes: its picture, and its live page while a script or a notebook steps it."""

from __future__ import annotations

import argparse
import asyncio
import io
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from PIL import Image

from volery.commands.look import overview
from volery.commands.show import Viewer, has_desktop
from volery.commands.traffic import Traffic
from volery.errors import SimulationError
from volery.loop import FastPace, Loop, RealTimePace
from volery.report.picture import picture as still
from volery.viewer.live import Attached
from volery.viewer.server import DEFAULT_PORT

if TYPE_CHECKING:
    from volery.sim import Simulation

__all__ = ["NotebookPage", "picture", "png"]

_BETWEEN = 0.03
"""How often a notebook looks between cells for what the page asks [s]."""
_OUT = Path("out")
"""Folder of snapshots and recordings that the page asks for."""
_OPTIONS = {"no_bus": True, "record": None, "elaha": None, "mrs": False, "topics": None}
"""Of `volery run` for a page that no other process has to do with."""


def picture(simulation: Simulation, width: int, height: int, fov_deg: float, quality: str) -> np.ndarray:
    """The first robot from behind and above, RGB, uint8 [height, width, 3]; fov_deg: horizontal [degrees]."""
    now_ns, fov = simulation.clock.now_ns, float(np.radians(fov_deg))
    return still(simulation.environment, now_ns, overview(simulation), "colour", width, height, fov, quality)


def png(image: np.ndarray) -> bytes:
    """A picture, uint8 [h, w, 3], as the bytes of a PNG."""
    out = io.BytesIO()
    Image.fromarray(image).save(out, "png")
    return out.getvalue()


class NotebookPage:
    """The page of a simulation whose steps somebody else makes. It belongs to the thread that makes them."""

    def __init__(
        self, simulation: Simulation, *, speed: float | Literal["max"], port: int | None, browser: bool
    ) -> None:
        self._simulation = simulation
        self._loop = Loop(simulation, FastPace() if speed == "max" else RealTimePace(_factor(speed)))
        self._server = Viewer(port=DEFAULT_PORT if port is None else port)
        try:
            self._traffic = Traffic(simulation, argparse.Namespace(**_OPTIONS), shown=True)
            record = None if self._traffic.bus is None else self._traffic.record
            self._server.attach(Attached(simulation, self._traffic.bus, self._loop, out=_OUT, record=record))
        except BaseException:
            self._server.close()
            raise
        self._between = _answering(simulation)
        if browser and has_desktop():
            self._server.show(_OUT)

    @property
    def url(self) -> str:
        """Address of the page; the part after # is its secret."""
        return self._server.url

    def run(self, steps: int) -> None:
        """Make so many steps at the page's pace; it may hold the clock meanwhile."""
        clock = self._simulation.clock
        self._loop.pace.restart()
        self._loop.run(clock.now_ns + steps * clock.step_ns)

    def close(self) -> None:
        """End the page and its topics; a recording that the page began is finished."""
        if self._between is not None:
            self._between.cancel()
        self._server.close()
        self._traffic.close()


def _factor(speed: object) -> float:
    if isinstance(speed, bool) or not isinstance(speed, int | float):
        raise SimulationError(f"show(speed={speed!r}): must be a factor of real time, such as 1.0, or 'max'")
    return float(speed)


def _answering(simulation: Simulation) -> asyncio.Task[None] | None:
    """In a notebook cells run inside an event loop: what the page asks is answered there, by the same thread."""
    try:
        return asyncio.get_running_loop().create_task(_answer(simulation))
    except RuntimeError:
        return None


async def _answer(simulation: Simulation) -> None:
    while True:
        simulation.answer_requests()
        await asyncio.sleep(_BETWEEN)
