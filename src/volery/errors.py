"""Every exception Volery raises on purpose. A message says what, why, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "BusError",
    "CampaignError",
    "CommandError",
    "GeometryError",
    "LibraryError",
    "RayError",
    "RobotError",
    "ScenarioError",
    "SimulationError",
    "UnknownNameError",
    "ViewerError",
    "VoleryError",
    "WorldError",
    "did_you_mean",
]


_MOST_LISTED = 12
"""Names that an error shows."""
_LISTED = ("scenario", "world", "robot", "sensor", "engine", "agent", "protocol")
"""Kinds that `volery list` knows."""


class VoleryError(Exception):
    """The base of them all; the command line prints it without a traceback."""


class GeometryError(VoleryError):
    """A mesh or a pose that cannot be: wrong shape, NaN, an index out of range."""


class LibraryError(VoleryError):
    """A library that is needed is missing, or is not the one expected."""


class RayError(VoleryError):
    """Rays that cannot be cast, or an error reported by the ray tracer."""


class WorldError(VoleryError):
    """A world that cannot be made from its parameters or file."""


class RobotError(VoleryError):
    """A robot that cannot be read, or a joint, bone or mount that it does not have."""


class ScenarioError(VoleryError):
    """A scenario file that is broken; says file and line."""


class SimulationError(VoleryError):
    """Something asked of a running simulation that it cannot do."""


class BusError(VoleryError):
    """Something the bus cannot do: a topic that is taken, an address nobody answers at, bytes that are no message."""


class ViewerError(VoleryError):
    """The viewer cannot be served: no free port, an address that is not this machine's."""


class CampaignError(VoleryError):
    """A campaign that cannot be run: workers that do not start, a folder that another one writes to."""


class CommandError(SimulationError):
    """A command that a robot cannot follow, such as one with NaN; the last good one stays."""


class UnknownNameError(VoleryError):
    """A name that is not known; says which are."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        super().__init__(f"unknown {kind} '{name}'{did_you_mean(name, names)}; {_listed(kind, names)}")


def _listed(kind: str, names: list[str]) -> str:
    """Few names whole; of many, where they stand."""
    if len(names) <= _MOST_LISTED:
        return f"known: {', '.join(names) if names else 'none'}"
    shown = ", ".join(names[:_MOST_LISTED])
    where = f": volery list {kind}s" if kind in _LISTED else ""
    return f"known: {shown} … ({len(names)} in all{where})"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """', did you mean …?' for the nearest known name, or nothing."""
    near = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.55)
    return f", did you mean '{near[0]}'?" if near else ""
