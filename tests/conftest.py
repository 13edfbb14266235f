"""What all tests share."""

import ctypes
import gc
import sys

import pytest


@pytest.fixture(autouse=True, scope="module")
def memory_given_back():
    """Worlds of a module's tests go back to the system: to start a program out of a process of gigabytes takes long."""
    yield
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
