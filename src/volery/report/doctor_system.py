"""What the doctor looks at round Volery: Python, packages, processor, disk, caches, ports, and what is optional."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import volery
from volery.errors import LibraryError

__all__ = [
    "browser", "disk", "extras", "kernel_cache", "memory", "packages", "peers", "ports", "processor", "python", "ros1",
    "stale_kernels",
]  # fmt: skip

_PACKAGE = Path(volery.__file__).parent
_PORTS = {
    7447: "bus", 8808: "viewer", 41451: "AirSim", 3000: "USARSim", 8551: "UEds", 8000: "UEds of the thesis",
}  # fmt: skip
_LEAST_DISK, _LITTLE_MEMORY = 200e6, 2e9
"""Kernels and recordings need more than this [bytes]."""
_EXTRAS = {
    "pyoidn": "best pictures: pip install 'volery[best]'", "ray": "campaigns on clusters: pip install 'volery[ray]'",
    "gymnasium": "learning: pip install 'volery[learn]'",
}  # fmt: skip


def python() -> str:
    """The interpreter."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        raise LibraryError(f"{platform.python_version()}; Volery needs 3.11 to 3.13: install one of them")
    return f"{platform.python_version()} at {sys.executable}"


def packages() -> str:
    """Whether what Volery needs is installed, in versions that it can use."""
    try:
        wanted = [r for r in metadata.requires("volery") or [] if "extra ==" not in r]
    except metadata.PackageNotFoundError:
        raise LibraryError("volery itself is not installed, only found: pip install -e . in its folder") from None
    wrong = [problem for requirement in wanted if (problem := _problem(requirement))]
    if wrong:
        raise LibraryError(f"{'; '.join(wrong)}: pip install --force-reinstall volery, or make clean and make run")
    return f"volery {volery.__version__} and the {len(wanted)} that it needs"


def _problem(requirement: str) -> str:
    """What is wrong with a package, such as 'numpy is 1.26, >=2.0 is needed'; or nothing."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    name = match.group() if match else requirement
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name} is missing"
    for sign, limit in re.findall(r"(==|>=|<)\s*([0-9][^,;\s]*)", requirement):
        have, need = _numbers(version), _numbers(limit)
        if not {"==": version == limit, ">=": have >= need, "<": have < need}[sign]:
            return f"{name} is {version}, {sign}{limit} is needed"
    return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def processor() -> str:
    """The kind of processor."""
    from volery.world.native import WIDTH

    if platform.machine().lower() not in ("x86_64", "amd64"):
        raise LibraryError(f"{platform.machine()}: there is no wheel of Embree for it; use an x86-64 machine")
    return f"{platform.machine()}, {os.cpu_count()} cores, packets of {WIDTH} rays"


def memory() -> str:
    """How much memory is free, where the system tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            free = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return "not known here"
    if free < _LITTLE_MEMORY:
        raise LibraryError(f"{free / 1e9:.1f} GB free; a forest needs about 1 GB: end other programs first")
    return f"{free / 1e9:.1f} GB free"


def disk() -> str:
    """Room where runs write: here, and in the folder for temporary files."""
    found = []
    for place in dict.fromkeys((Path.cwd(), Path(tempfile.gettempdir()))):
        free = shutil.disk_usage(place).free
        if free < _LEAST_DISK:
            raise LibraryError(f"only {free / 1e6:.0f} MB are free at {place}: make room, or set TMPDIR elsewhere")
        found.append(f"{free / 1e9:.0f} GB at {place}")
    return ", ".join(found) + " free"


def kernel_cache() -> str:
    """Whether compiled kernels can be kept; a file is really written."""
    from volery.world.rays import cast_rays

    folder = Path(cast_rays.stats.cache_path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise LibraryError(
            f"{folder} cannot be written ({error.strerror}), so every start would compile for minutes: set "
            "NUMBA_CACHE_DIR to a folder that can"
        ) from None
    kept = len(list(folder.glob("*.nbi")))
    return f"{folder}, {kept} kernels of rays kept" if kept else f"{folder}, empty: the first run compiles for minutes"


def stale_kernels() -> str:
    """Whether kernels of a checkout are older than their sources, which numba does not notice."""
    script = _PACKAGE.parent.parent / "scripts" / "fresh-kernels"
    if not script.exists() or "NUMBA_CACHE_DIR" in os.environ:
        return "none in an installed package"
    if subprocess.run([script, "--check"], capture_output=True).returncode != 0:
        raise LibraryError(f"sources of kernels have changed since they were compiled: {script}")
    return "none"


def ports() -> str:
    """Whether the usual ports are free; each is bound for a moment."""
    taken = []
    for port, what in _PORTS.items():
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                taken.append(f"{port} ({what})")
    if taken:
        raise LibraryError(f"{', '.join(taken)} taken, by another run perhaps: end it, or choose other ports")
    return f"{', '.join(map(str, _PORTS))} are free"


def browser() -> str:
    """A browser for the page."""
    names = ("chromium", "chromium-browser", "google-chrome", "firefox", "xdg-open", "open")
    found = [name for name in names if shutil.which(name)]
    if not found:
        raise LibraryError("none here: open the address that `volery run` prints from elsewhere, by `ssh -L` perhaps")
    return found[0]


def ros1() -> str:
    """A ROS 1 for `volery ros1`; ROS 2 needs nothing here."""
    if shutil.which("roscore") is None:
        raise LibraryError("not installed; only `volery ros1` needs it: apt install python3-rospy")
    return "roscore is there"


def extras() -> str:
    """Packages that some commands can use."""
    missing = [how for name, how in _EXTRAS.items() if find_spec(name) is None]
    if missing:
        raise LibraryError("not installed: " + "; ".join(missing))
    return ", ".join(_EXTRAS)


def peers() -> str:
    """Other libraries that benchmarks measure beside ours."""
    missing = [name for name in ("pybullet", "open3d") if find_spec(name) is None]
    if missing:
        raise LibraryError(f"{', '.join(missing)} not installed; only benchmarks use them: pip install 'volery[peers]'")
    return "pybullet, open3d"
