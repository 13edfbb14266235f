"""What has to be settled before numpy and the native core are loaded.

On a processor that is too old, loading the core would end the process. And numpy and its linear algebra choose among
instructions when they are loaded: those of AVX-512 give other last digits than those of AVX2, which all have.
"""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from pathlib import Path

__all__ = ["choose_instructions", "core_problem", "processor_problem", "refuse"]

_NEEDED = ("avx2", "bmi1", "bmi2", "f16c", "fma", "movbe")
"""Of x86-64-v3, as Linux names them."""
_CPUINFO = Path("/proc/cpuinfo")
_PACKAGE = Path(__file__).parent
_SOURCES = (".cpp", ".hpp", ".txt")


def processor_problem() -> str | None:
    """What this processor lacks, as a sentence; None: nothing, or it is not known."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return None
    try:
        with _CPUINFO.open(encoding="ascii", errors="replace") as lines:
            flags = next((line.split(":", 1)[1].split() for line in lines if line.startswith("flags")), None)
    except OSError:
        return None
    missing = [] if flags is None else [name for name in _NEEDED if name not in flags]
    if not missing:
        return None
    return (
        f"Volery needs a processor with AVX2 (x86-64-v3, 2013 or newer), and this one lacks {', '.join(missing)}: "
        "use another machine, or give the virtual machine its host's processor"
    )


def core_problem() -> str | None:
    """Whether the core of a checkout is missing or older than its sources, as a sentence; None: it is not."""
    sources = _PACKAGE.parent.parent / "native"
    if not (sources / "CMakeLists.txt").exists():
        return None
    built = max((file.stat().st_mtime for file in _PACKAGE.glob("_native*.so")), default=None)
    if built is None:
        return f"the native core of this checkout is not built; run: make native (in {sources.parent})"
    newest = max(file.stat().st_mtime for file in sources.rglob("*") if file.suffix in _SOURCES)
    if newest > built:
        return f"the native core is older than its sources; run: make native (in {sources.parent})"
    return None


def refuse() -> None:
    """End a command with one sentence, or raise ImportError, if the core cannot be loaded."""
    problem = processor_problem() or core_problem()
    if problem is None:
        return
    if Path(sys.argv[0]).name in ("volery", "-m"):
        sys.exit(f"volery: {problem}")
    raise ImportError(problem)


def choose_instructions() -> None:
    """Let numpy compute the same last digits on every processor; if it is loaded already, it stays as it is."""
    if "numpy" in sys.modules or platform.machine().lower() not in ("x86_64", "amd64"):
        return
    version = tuple(int(part) for part in metadata.version("numpy").split(".")[:2])
    names = "X86_V4 AVX512_ICL AVX512_SPR" if version >= (2, 4) else "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_ICL"
    os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", names)
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
