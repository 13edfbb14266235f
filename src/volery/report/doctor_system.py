"""What the doctor looks at round Volery: Python, packages, processor, disk, ports, and what is optional."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import sys
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import volery
from volery.errors import LibraryError

__all__ = [
    "browser", "disk", "extras", "memory", "packages", "peers", "ports", "processor", "python", "ros1",
]  # fmt: skip

_PORTS = {
    7447: "bus", 8808: "viewer", 41451: "AirSim", 3000: "USARSim", 8551: "UEds", 8000: "UEds of the thesis",
}  # fmt: skip
_LEAST_DISK, _LITTLE_MEMORY = 200e6, 2e9
"""Recordings and a forest need more than this [bytes]."""
_EXTRAS = {
    "pyoidn": "best pictures: pip install 'volery[best]'", "ray": "campaigns on clusters: pip install 'volery[ray]'",
    "gymnasium": "learning: pip install 'volery[learn]'",
}  # fmt: skip


def python() -> str:
    """The interpreter."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 14):
        raise LibraryError(f"{platform.python_version()}; Volery needs 3.11 to 3.14: install one of them")
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
    """The kind of processor; one without AVX2 cannot get here (see _ready.py)."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        raise LibraryError(f"{platform.machine()}: there is no wheel of Embree for it; use an x86-64 machine")
    return f"{platform.machine()}, {os.cpu_count()} cores, AVX2"


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
