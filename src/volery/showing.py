"""What people look at a simulation with: its picture and its page. What makes them is above the simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from volery.errors import SimulationError

if TYPE_CHECKING:
    from volery.notebook import NotebookPage
    from volery.sim import Simulation

__all__ = ["Showing"]


class Showing:
    """The part of a simulation that people look at it with."""

    closed = False
    """Whether `close` was called."""
    _shown: NotebookPage | None = None

    def show(self, *, speed: float | Literal["max"] = 1.0, port: int | None = None, browser: bool = True) -> str:
        """Serve the live page in the background, as `volery run` does, and return its address.

        The page follows every `run` and `step`. In a notebook it is answered between cells, too; elsewhere it waits
        for the next `run`. Shown again, it is the same page.

        speed: factor of real time that `run` keeps to from now on, or "max"; the page can change it.
        port: the first that is tried, by default that of `volery run`; 0: any free one.
        browser: whether to open the page, if there is a desktop."""
        from volery.notebook import NotebookPage

        if self.closed:
            raise SimulationError("this simulation is closed; show it before, or make another one")
        if self._shown is None:
            self._shown = NotebookPage(cast("Simulation", self), speed=speed, port=port, browser=browser)
        return self._shown.url

    def picture(
        self, *, width: int = 640, height: int = 400, fov_deg: float = 75.0, quality: str = "default"
    ) -> np.ndarray:
        """The first robot from behind and above: RGB, uint8 [height, width, 3]. The run does not notice.

        fov_deg: horizontal field of view [degrees]; quality: plain, default or best, as a camera has it."""
        from volery.notebook import picture

        return picture(cast("Simulation", self), width, height, fov_deg, quality)

    def _repr_png_(self) -> bytes:
        """The picture that a notebook shows for a simulation."""
        from volery.notebook import png

        return png(self.picture())
