"""Embree 4 out of the `embreex` wheel: where its libraries are, and the one device that hierarchies are built on.

The wheel's Python part is never imported: the native core finds the functions by their symbols.
"""

from __future__ import annotations

from functools import cache
from importlib import util
from pathlib import Path

from volery._native import rays
from volery.errors import LibraryError, RayError

__all__ = ["NO_ID", "shared_device"]

NO_ID = 0xFFFFFFFF
"""Of a mask: everything is seen."""


def _wheel_libraries() -> tuple[Path, Path]:
    """Paths of the TBB and Embree libraries inside the wheel."""
    spec = util.find_spec("embreex")
    if spec is None or spec.origin is None:
        raise LibraryError("the package 'embreex' is not installed: rays cannot be cast; run: pip install embreex")
    package = Path(spec.origin).parent
    for folder in (package.parent / "embreex.libs", package / ".dylibs", package):
        embree, tbb = sorted(folder.glob("*embree4*")), sorted(folder.glob("*tbb*"))
        if embree and tbb:
            return tbb[0], embree[0]
    raise LibraryError(
        f"no Embree 4 library in the package 'embreex' at {package}; run: pip install embreex==4.4.0.post1"
    )


@cache
def load() -> None:
    """Open Embree, once in a process."""
    tbb, embree = _wheel_libraries()
    try:
        rays.load_embree(str(tbb), str(embree))
    except RuntimeError as error:
        raise LibraryError(str(error)) from None


_devices: dict[int, rays.Device] = {}


def shared_device(threads: int = 0) -> rays.Device:
    """The one device with so many building threads (0: all cores), kept for the life of the process: others beside it,
    or one after it, would each keep a thread busy doing nothing."""
    if threads < 0:
        raise RayError(f"threads = {threads}: must be 0 (all cores) or more")
    load()
    device = _devices.get(threads)
    if device is None:
        device = _devices[threads] = rays.Device(threads)
    return device
