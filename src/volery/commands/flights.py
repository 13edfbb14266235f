"""`volery run --log FILE`: flights that were flown before, in the scene beside the one of now and the planned path."""

# ruff: noqa: T201

from __future__ import annotations

from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.flightlog import FlightLog, read_flight
from volery.bus.publisher import Publisher
from volery.bus.types import message_class
from volery.core.clock import SECOND
from volery.core.paths import distance_to_path
from volery.sim import Simulation

__all__ = ["ShownFlights"]

_COLOURS = ((1.0, 0.2, 0.8, 1.0), (0.3, 0.9, 1.0, 1.0), (0.7, 1.0, 0.2, 1.0))
_PLANNED = (1.0, 0.85, 0.2, 0.9)
_OWNER = "flights"


class ShownFlights:
    """Logs as lines with a point that flies along them in the simulation's time, and each on a topic /log/<file>."""

    def __init__(self, simulation: Simulation, bus: Bus | None, files: list[str]) -> None:
        """files: paths, each with '#topic' behind it if it is a recording with several flights."""
        self._simulation = simulation
        self.logs = [read_flight(*_parts(file)) for file in files]
        self._publishers: list[Publisher] = []
        """One for each log; none without a bus."""
        if bus is not None:
            self._publishers = [_publisher(bus, log, i) for i, log in enumerate(self.logs)]
        self._draw()
        simulation.listeners.append(self)

    def __call__(self, simulation: Simulation) -> None:
        """Move the points; tell topics that somebody listens to, once a second."""
        now = simulation.clock.now_ns
        for i, log in enumerate(self.logs):
            spot = log.at(now / SECOND)
            simulation.environment.drawings.add(
                "points", spot, _COLOURS[i % len(_COLOURS)], 12.0, now + simulation.clock.step_ns, owner=f"{_OWNER}/{i}"
            )
        if now % SECOND < simulation.clock.step_ns:
            for publisher, log in zip(self._publishers, self.logs, strict=False):
                if publisher.wanted:
                    publisher.put(_path(log, now), now)

    def close(self) -> None:
        """End it, and say how far the logs were from what was planned."""
        if self in self._simulation.listeners:
            self._simulation.listeners.remove(self)
        for publisher in self._publishers:
            publisher.close()
        for log in self.logs:
            for name, way in self._planned().items():
                off = distance_to_path(log.p_W, way)
                print(f"log {log.name}: {log.times[-1]:.1f} s, off the planned path of {name} by {off.mean():.3f} m "
                      f"on average, {off.max():.3f} m at most", flush=True)  # fmt: skip

    def _draw(self) -> None:
        drawings = self._simulation.environment.drawings
        for i, log in enumerate(self.logs):
            colour = _COLOURS[i % len(_COLOURS)]
            drawings.add("line", log.thin(), colour, 3.0, owner=_OWNER)
            drawings.add("text", log.p_W[:1], colour, 14.0, words=[log.name], owner=_OWNER)
        for way in self._planned().values():
            drawings.add("line", way, _PLANNED, 2.0, owner=_OWNER)

    def _planned(self) -> dict[str, np.ndarray]:
        """Paths of the scenario's robots that have one."""
        plans = self._simulation.scenario.robots
        paths = {name: getattr(plan.motion, "path", ()) for name, plan in plans.items()}
        return {name: np.array(path, float) for name, path in paths.items() if len(path) > 1}


def _parts(file: str) -> tuple[str, str]:
    path, _, topic = file.partition("#")
    return path, topic


def _publisher(bus: Bus, log: FlightLog, i: int) -> Publisher:
    stem = "".join(c if c.isalnum() and c.isascii() else "_" for c in log.name.split(".")[0])
    return bus.advertise(f"/log/flight{i + 1}_{stem}", "nav_msgs/msg/Path")


def _path(log: FlightLog, now_ns: int) -> Any:
    poses = [m.pose_stamped(now_ns, "map", p, (1.0, 0.0, 0.0, 0.0)) for p in log.thin(500)]
    return message_class("nav_msgs/msg/Path")(header=m.header(now_ns, "map"), poses=poses)
