"""Volery: simulation and visualisation of robots, aerial ones first."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import volery._logs  # noqa: F401 (calms floods of the log)
from volery._ready import choose_instructions, refuse

__version__ = "0.1.0"


refuse()
choose_instructions()

_PUBLIC = {
    "Simulation": "volery.sim",
    "Loop": "volery.loop",
    "Scene": "volery.world.scene",
    "Mesh": "volery.core.geometry",
    "Material": "volery.core.material",
    "Placement": "volery.world.world",
    "World": "volery.world.world",
    "load_scenario": "volery.scenario",
    "read_scenario": "volery.scenario",
    "VoleryError": "volery.errors",
}

__all__ = [*_PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import volery` stays light."""
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'volery' has no attribute '{name}'")
