"""Is this machine ready? Each part is tried, not just looked up, and what is wrong comes with what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from volery.errors import VoleryError
from volery.report import doctor_parts as parts
from volery.report import doctor_system as system

__all__ = ["Finding", "diagnose"]

_NEEDED: list[tuple[str, Callable[[], str]]] = [
    ("Python", system.python),
    ("packages", system.packages),
    ("processor", system.processor),
    ("disk", system.disk),
    ("rays (Embree)", parts.rays),
    ("native core", parts.kernels),
    ("robot models (MuJoCo)", parts.models),
    ("bus (Zenoh)", parts.bus),
    ("page of the viewer", parts.page),
    ("a step of a simulation", parts.step),
]
"""What must work, in the order in which one would mend things."""
_OPTIONAL: list[tuple[str, Callable[[], str]]] = [
    ("memory", system.memory),
    ("ports", system.ports),
    ("browser", system.browser),
    ("ROS 1", system.ros1),
    ("extras", system.extras),
    ("peers of benchmarks", system.peers),
]


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    what: str
    good: bool
    text: str
    """What was found; what is wrong, and what to do."""
    needed: bool = True
    """Whether nothing works without it."""


def diagnose() -> list[Finding]:
    """All findings."""
    needed = [_try(what, check, True) for what, check in _NEEDED]
    return needed + [_try(what, check, False) for what, check in _OPTIONAL]


def _try(what: str, check: Callable[[], str], needed: bool) -> Finding:
    try:
        return Finding(what, True, check(), needed)
    except VoleryError as error:
        return Finding(what, False, str(error), needed)
    except Exception as error:  # whatever a broken library raises is a finding
        hint = f"reinstall the package '{error.name}'" if isinstance(error, ImportError) and error.name else "reinstall"
        return Finding(what, False, f"{type(error).__name__}: {error}; {hint}", needed)
