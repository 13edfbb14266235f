"""What clients of a door may take, in one place; each door has its own numbers, and a scenario may change them."""

from __future__ import annotations

from dataclasses import dataclass

from volery.core.config import Checked, param

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits(Checked):
    """The entry `limits` of a protocol in a scenario."""

    connections: int = param(256, low=1, high=100_000)
    """Most clients of the door at a time. When it is full, the client that has been silent longest makes room."""
    per_source: int = param(128, low=1, high=100_000)
    """Most of them from one address."""
    idle: float = param(60.0, above=0.0, high=1e6)
    """A client that has said nothing the protocol knows goes after so long; a UDP source that is silent for so
    long is told nothing more [s]."""
    keep_alive: float = param(30.0, low=1.0, high=1e5)
    """After so long a silence the system asks whether the other side is still there [s]."""
    bytes_per_client: int = param(4 << 20, low=1 << 10, high=1 << 30)
    """Most bytes of one client's unfinished messages; a request cannot be longer."""
    bytes_in_all: int = param(64 << 20, low=1 << 10, high=1 << 34)
    """Most bytes of all clients' unfinished messages; beyond, the client that holds most goes."""
    seconds_per_call: float = param(60.0, above=0.0, high=1e5)
    """Long work for one call, such as a grid of voxels, ends with an error after so long [s]."""
