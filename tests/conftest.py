"""What all tests share."""

import ctypes
import gc
import signal
import sys

import pytest

from volery._logs import CALM

# A shell that starts the tests in the background has them ignore Ctrl-C, and so all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
