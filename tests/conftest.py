"""What all tests share."""

import ctypes
import gc
import signal
import sys
from pathlib import Path

import pytest

from volery._logs import CALM

# A shell that starts the tests in the background has them ignore Ctrl-C, and so all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


QUICK = Path(__file__).parent / "quick.txt"
"""The files of `make check`, each with what it took when it was measured [s of one core]."""
VARIANTS = Path(__file__).parent / "variants.txt"
"""Variants of tests with parameters that take long: the first ones are enough for `make test`."""


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="only the files that tests/quick.txt lists")


def quick_files():
    """Files that take seconds, by name."""
    lines = (line.split() for line in QUICK.read_text().splitlines() if line and not line.startswith("#"))
    return {name: float(seconds) for seconds, name in lines}


def pytest_ignore_collect(collection_path, config):
    """With --quick nothing else is even imported."""
    if config.getoption("quick") and collection_path.name.startswith("test_"):
        return collection_path.name not in quick_files() or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Long variants are marked slow; a path of a test says which module it is of, wherever that lies."""
    long = set(VARIANTS.read_text().splitlines()[1:])
    for item in items:
        if f"{item.path.stem}::{item.name}" in long:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="module")
def memory_given_back():
    """Worlds of a module's tests go back to the system: to start a program out of a process of gigabytes takes long."""
    yield
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True)
def log_from_anew():
    """What one test logged may be logged by the next again at once."""
    CALM.clear()
