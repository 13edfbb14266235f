"""One robot flown by one firmware: what both sides have said, and how long the firmware has been silent."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from volery.protocols.firmware.actuators import Actuators, actuators_of
from volery.protocols.firmware.feel import Feel
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.protocols.firmware.door import FirmwareSettings

__all__ = ["FirmwareLink"]

_log = logging.getLogger("volery")
_PAUSED = 0.5
"""If nobody asked for so long whether a step may be made, the simulation was held [s of wall time]."""


class FirmwareLink(ABC):
    """The way to one firmware. All its methods are called by the loop; none waits for longer than it is told."""

    firmware = "firmware"
    """As it is written in scenarios."""
    lockstep = True
    """Whether each step waits for the firmware."""
    curve = 0.0
    """Of the motors' thrust, such that the firmware's defaults fit; see `Rotors`."""

    def __init__(self, simulation: Simulation, settings: FirmwareSettings, name: str, index: int) -> None:
        self.simulation, self.settings, self.name, self.index = simulation, settings, name, index
        self.robot = simulation.robots[name]
        self.start_W = self.robot.p_WB.copy(), self.robot.q_WB_wxyz.copy()
        """Where it began: place and attitude."""
        curve = self.curve if settings.curve is None else settings.curve
        self.actuators = self.make_actuators(curve)
        self.feel = Feel(simulation, name, settings.altitude)
        self.outputs = np.zeros(16)
        """What the firmware says last: -1 to 1, motors 0 to 1."""
        self.heard = False
        """Whether the firmware has spoken since it was last missed."""
        self.met = False
        """Whether it ever has."""
        self._waits_since = self._asked = time.monotonic()
        self._said = False

    def make_actuators(self, curve: float) -> Actuators:
        """What the firmware moves; curve: of the motors' thrust."""
        return actuators_of(self.simulation, self.name, self.firmware, curve)

    # What a firmware's own way is

    @property
    @abstractmethod
    def where(self) -> str:
        """What it is waited for at, and how it is started."""

    @abstractmethod
    def poll(self, wait: float) -> None:
        """Read what has come, waiting for it no longer than so [s]."""

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether the firmware has said what it wants for the next step."""

    @abstractmethod
    def tell(self) -> None:
        """After a step: say what is felt."""

    def close(self) -> None:  # noqa: B027
        """Give ports back."""

    # What all have in common

    def may_step(self, wait: float) -> bool:
        """Whether this robot can go on; waits for its firmware no longer than so [s]."""
        now = time.monotonic()
        if now - self._asked > _PAUSED:
            self._waits_since += now - self._asked
        self._asked = now
        if not self.ready:
            self.poll(0.0 if self.gone else wait)
        if self.ready:
            self._found()
            return True
        if time.monotonic() - self._waits_since > self.settings.patience:
            self._missed()
        return self._said and self.settings.silent == "go_on"

    @property
    def gone(self) -> bool:
        """Whether it is silent, and the simulation goes on without it."""
        return self._said and self.settings.silent == "go_on"

    def _found(self) -> None:
        if self._said and self.met:
            _log.info("%s: the firmware of '%s' is back", self.firmware, self.name)
        elif not self.met:
            _log.info("%s: '%s' is flown by its firmware", self.firmware, self.name)
        self.met = self.heard = True
        self._said, self._waits_since = False, self._asked

    def _missed(self) -> None:
        if self._said:
            return
        self._said, self.heard = True, False
        what = "is silent" if self.met else "has not come"
        then = "the simulation waits" if self.settings.silent == "wait" else "the simulation goes on, motors off"
        _log.warning("%s: the firmware of '%s' %s; %s for it at %s", self.firmware, self.name, what, then, self.where)

    def control(self) -> None:
        """Before a step: move what the firmware wants moved."""
        if self.gone:
            self.actuators.stop()
        elif self.heard:
            self.actuators.drive(self.outputs)

    def look(self) -> None:
        """After a step."""
        self.feel.look()
        self.tell()

    def again(self) -> None:
        """A reset has made the robot anew."""
        self.robot = self.simulation.robots[self.name]
        self.actuators.forget()
        self.feel.begin()

    def restarted(self) -> None:
        """The firmware began anew: its robot begins anew too, if that is asked for."""
        _log.info("%s: the firmware of '%s' has restarted", self.firmware, self.name)
        self.outputs = np.zeros(16)
        if self.settings.restart == "place":
            self.simulation.place(self.name, *self.start_W)
            self.actuators.forget()
            self.feel.begin()
