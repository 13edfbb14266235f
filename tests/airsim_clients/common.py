"""What the client scripts share; they run in the environment of a client, without Volery."""

import sys
import time

PORT = int(sys.argv[1])


def near(value, wanted, within, what=""):
    """Fail unless a number is near another."""
    assert abs(value - wanted) <= within, f"{what}: {value} is not within {within} of {wanted}"


def vector(v):
    """A Vector3r as a list."""
    return [v.x_val, v.y_val, v.z_val]


def distance(a, b):
    """Between two lists of numbers."""
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


def wait_for(condition, seconds=90.0):
    """Wait until something is so; kernels may have to be compiled first."""
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
