"""What every door for other systems' clients has in common: the contract that `volery run` keeps to."""

from __future__ import annotations

import logging
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from volery.bus.bus import Bus
from volery.bus.timing import LinkTiming
from volery.errors import VoleryError
from volery.loop import Loop
from volery.protocols.limits import Limits
from volery.sim import Simulation

__all__ = ["LOOPBACK", "Protocol", "warn_if_open"]

_log = logging.getLogger("volery")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that only this machine can reach."""
_SWITCH = 0.0005
"""How often Python hands over between threads [s]: 5 ms, its own choice, is half a step."""


class Protocol(ABC):
    """A door. It is made before the loop runs, by the thread that will run it; then come `attach`, `start` and, at the
    end, `close`. Its clients' requests go through `Simulation.ask` with the client as key, so they take turns."""

    Settings: ClassVar[type]
    """A dataclass: the protocol's entry under `protocols` in a scenario."""
    limits: Limits = Limits()
    """What its clients may take."""
    out: Path = Path("out")
    """Folder below which files lie that clients name: that of `--out`."""
    on_fault: Callable[[VoleryError], None] | None = None
    """Told at once, in any thread, if what a client has recorded cannot be written."""

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: Any) -> None:
        """Take the ports; nobody is let in yet."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        self.limits = getattr(settings, "limits", self.limits)

    def attach(self, bus: Bus) -> None:  # noqa: B027
        """Join the bus, if the protocol has topics too."""

    @abstractmethod
    def start(self) -> None:
        """Let clients in."""

    @property
    def timings(self) -> list[LinkTiming]:
        """How well its links keep time, if it has any that must."""
        return []

    @property
    def clients(self) -> int:
        """How many are connected now; 0 where a protocol has no connections."""
        return 0

    @abstractmethod
    def close(self) -> None:
        """Let clients go and give the ports back; may be called twice, and without `start`."""

    @staticmethod
    def share_the_processor() -> None:
        """Have threads of clients hand over to the loop quickly."""
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH))


def warn_if_open(name: str, host: str, can: str) -> None:
    """Say it if others than this machine can come in."""
    if host not in LOOPBACK:
        _log.warning("%s: listening at %s: whoever can reach it can %s", name, host, can)
