"""ArduPilot's door: a stand-in that behaves as its SITL flies squares in lockstep, dies, comes back, and is not fooled."""

import socket
import struct
import time

import numpy as np
import pytest

from autopilot_rig import WORLD, Flight, corners, free_ports, same


def flown(speedup, *words, until=None, world=WORLD, **settings):
    """The true track of one flight by the stand-in."""
    with Flight("ardupilot", world, port=free_ports(), **settings) as flight:
        more = [] if until is None else ["--until", until]
        client = flight.client("ardupilot_standin.py", flight.door.links["uav1"].port, "--speedup", speedup, *words, *more)
        out = client.communicate(timeout=120)[0]
        return flight.path(), out


def test_a_square_is_flown_and_the_copter_lands():
    track, out = flown(0, "--leg", 4)
    assert "landed" in out and corners(track)
    assert track[:, 3].max() - track[0, 3] == pytest.approx(4.0, abs=0.4)
    assert np.hypot(*(track[-1, 1:3] - track[0, 1:3])) < 0.3 and track[-1, 3] < track[0, 3] + 0.05


def test_speedup_changes_nothing():
    """To the last bit, not only to a centimetre."""
    slow, _ = flown(1, until=3.5)
    fast, _ = flown(5, until=3.5)
    assert len(slow) > 1300 and same(slow, fast) < 1e-9
    assert slow[-1, 3] > slow[0, 3] + 1.0
