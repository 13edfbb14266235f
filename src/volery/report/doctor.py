"""Is this machine ready? Each part is tried, not just looked up."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from volery.errors import VoleryError

__all__ = ["Finding", "diagnose"]


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    what: str
    good: bool
    text: str
    needed: bool = True


def diagnose() -> list[Finding]:
    """All findings, in the order in which one would mend things."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("Python", _python),
        ("processor", _processor),
        ("rays (Embree)", _rays),
        ("compiled kernels (numba)", _kernels),
        ("robot models (MuJoCo)", _models),
    ]
    findings = [_try(what, check) for what, check in checks]
    peers = [(name, find_spec(name) is not None) for name in ("pybullet", "open3d")]
    return findings + [
        Finding(f"peer {name}", found, "installed" if found else "not installed; only benchmarks use it", needed=False)
        for name, found in peers
    ]


def _try(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, check())
    except (VoleryError, ImportError, OSError) as error:
        return Finding(what, False, str(error))


def _python() -> str:
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        raise VoleryError(f"{platform.python_version()}; Volery needs 3.11 to 3.13")
    return platform.python_version()


def _processor() -> str:
    from volery.world.native import WIDTH

    return f"{platform.machine()}, {os.cpu_count()} cores, packets of {WIDTH} rays"


def _rays() -> str:
    from volery.core.geometry import plane
    from volery.world.scene import Scene
    from volery.world.world import Placement

    scene = Scene()
    scene.add(Placement.one("ground", plane(10.0)))
    distance = float(scene.cast([0.1, 0.2, 3.0], np.array([[0.0, 0.0, -1.0]])).distance[0])
    if abs(distance - 3.0) > 1e-5:
        raise VoleryError(f"a ray of 3 m was measured as {distance} m; reinstall the package 'embreex'")
    return "a ray of 3 m is 3 m"


def _kernels() -> str:
    import numba

    from volery.world.rays import cast_rays

    began = time.perf_counter()
    _rays()
    seconds = time.perf_counter() - began
    cache = cast_rays.stats.cache_path
    writable = os.access(cache, os.W_OK) or os.access(Path(cache).parent, os.W_OK)
    state = "kept" if writable else "NOT kept, every start compiles: set NUMBA_CACHE_DIR to a writable folder"
    return (
        f"numba {numba.__version__}, {numba.get_num_threads()} threads, warm cast {seconds * 1e3:.1f} ms, cache {state}"
    )


def _models() -> str:
    import mujoco

    from volery.robots.library import load_robot_file

    bodies = load_robot_file("quad").description().bodies
    return f"MuJoCo {mujoco.__version__}, 'quad' has {len(bodies)} bodies"
