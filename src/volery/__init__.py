"""Volery: simulation and visualisation of robots, aerial ones first."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


def _keep_kernels_somewhere() -> None:
    """Without a writable folder for its cache numba stops with an error: give it one if the usual places are not."""
    places = (Path(__file__).parent, Path.home() / ".cache", Path.home())
    if "NUMBA_CACHE_DIR" not in os.environ and not any(os.access(p, os.W_OK) for p in places if p.exists()):
        folder = Path(tempfile.gettempdir()) / f"volery-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
        folder.mkdir(mode=0o700, exist_ok=True)
        os.environ["NUMBA_CACHE_DIR"] = str(folder)


_keep_kernels_somewhere()

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
