"""The example of a plug-in, built and installed by pip into a folder of its own, for the time of a module's tests."""

import importlib
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from volery import registry

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "plugin"


def install(folder):
    """Build a copy of the package and put it into a folder; where that is."""
    copy, site = folder / "package", folder / "site"
    shutil.copytree(EXAMPLE, copy)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    # By the setuptools that is here, so that no package index is needed.
    command += ["--no-build-isolation", "--target", str(site), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return site


def volery(site, *arguments, cwd=None):
    """`volery` in a process of its own, with the plug-in or (None) without."""
    path = {} if site is None else {"PYTHONPATH": str(site)}
    environment = {**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **path}
    return subprocess.run(
        [sys.executable, "-m", "volery", *arguments], env=environment, cwd=cwd, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip


@contextmanager
def within(site):
    """This process finds what is installed in a folder, as if it had been there from the start."""
    own = {kind: dict(registry._table(kind)) for kind in registry.KINDS}
    sys.path.insert(0, str(site))
    _look_again(own)
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name in [n for n in sys.modules if n.partition(".")[0] == "skiff"]:
            del sys.modules[name]
        _look_again(own)


def _look_again(own):
    """Have the registry find what is installed now, beside what it knew before: tests add names of their own."""
    importlib.invalidate_caches()
    registry._table.cache_clear()
    for kind, names in own.items():
        for name, where in names.items():
            if not registry.knows(kind, name):
                registry.add(kind, name, where)
