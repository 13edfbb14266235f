"""Where MuJoCo's own library is, which the native core calls."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mujoco

from volery.errors import LibraryError

__all__ = ["library_path"]


@cache
def library_path() -> str:
    """The library that Python's module `mujoco` has loaded."""
    folder = Path(mujoco.__file__).parent
    found = sorted([*folder.glob("libmujoco*"), *folder.glob("mujoco.dll")])
    if not found:
        raise LibraryError(f"no MuJoCo library in {folder}; run: pip install 'mujoco-core>=4.0.1,<5'")
    return str(found[0])
