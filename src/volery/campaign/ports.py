"""Ports of a run's own: blocks of a machine's ports, each held by one run at a time, of whatever campaign."""

from __future__ import annotations

import os
import socket

from volery.errors import CampaignError

__all__ = ["PortBlock"]

_FIRST, _SIZE, _BLOCKS = 10_000, 64, 340
"""Below those that the system gives to who asks for any."""
_GUARDS = 32_100
"""Who holds block i listens here, i higher."""


class PortBlock:
    """Ports in a row on loopback. Each block has a guard: a port at which its holder listens and nobody else can."""

    def __init__(self, count: int) -> None:
        """count: how many are needed."""
        self._guards: list[socket.socket] = []
        self._taken = 0
        self._blocks = count // _SIZE + 1
        places = _BLOCKS - self._blocks
        # Runs begin their search at different places, so that they seldom meet.
        start = os.getpid() * 7 % places
        for i in range(places):
            self._first = _FIRST + (start + i) % places * _SIZE
            if self._hold((start + i) % places):
                return
        raise CampaignError(f"no {count} free ports from {_FIRST} on; use fewer --jobs")

    def take(self, count: int) -> int:
        """The first of so many ports in a row that nobody has taken yet."""
        first = self._first + self._taken
        self._taken += count
        if self._taken > self._blocks * _SIZE:
            raise CampaignError(f"a run needs more than its {self._blocks * _SIZE} ports")
        return first

    def close(self) -> None:
        """Give them back."""
        for guard in self._guards:
            guard.close()
        self._guards = []

    def _hold(self, place: int) -> bool:
        for i in range(self._blocks):
            guard = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self._guards.append(guard)
            try:
                guard.bind(("127.0.0.1", _GUARDS + place + i))
                guard.listen(1)
            except OSError:
                self.close()
                return False
        return True
