"""The threads of the native core."""

from __future__ import annotations

from volery._native import core
from volery.errors import RayError

__all__ = ["set_threads", "threads"]


def threads() -> int:
    """How many threads kernels run on."""
    return core.threads()


def set_threads(count: int) -> None:
    """Choose how many threads kernels run on; results do not depend on it."""
    if not 1 <= count <= core.most_threads():
        raise RayError(f"threads = {count}: must be 1 to {core.most_threads()}")
    core.set_threads(count)
