"""`volery ros1`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import threading

from volery.bus.bus import DEFAULT_ENDPOINT, Bus, BusConfig
from volery.commands.start import Ending
from volery.errors import BusError
from volery.protocols.ros1.bridge import Bridge

__all__ = ["ros1"]

_OFTEN = 1.0
"""How often topics that came or went are looked for [s]."""


def ros1(options: argparse.Namespace) -> int:
    """Offer all topics of a bus to a ROS 1, and take from it what the bus wants."""
    with Bus(BusConfig(connect=options.connect or [DEFAULT_ENDPOINT], node="volery_ros1")) as bus:
        bridge = Bridge(bus, options.python, node=options.name, sim_time=options.sim_time)
        stopped = threading.Event()
        ending = Ending(stopped.set)
        try:
            bridge.follow()
            out, into = bridge.topics
            print(f"ROS 1 at {bridge.master}: {out} topics there, {into} from there; Ctrl-C ends", flush=True)
            while not stopped.wait(_OFTEN):
                if bridge.ended.is_set():
                    raise BusError("ROS 1: the node has ended; is the master gone?")
                bridge.follow()
        finally:
            ending.restore()
            bridge.close()
    return 0
