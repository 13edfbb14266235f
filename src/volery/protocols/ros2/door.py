"""ROS 2 on the bus: services and actions as rmw_zenoh writes them, and meshes for robots' descriptions."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from volery.bus.bus import Bus
from volery.bus.ros2 import FrameNames, Ros2Config
from volery.errors import BusError
from volery.loop import Loop
from volery.protocols.protocol import Protocol, warn_if_open
from volery.protocols.ros2.answers import Desk
from volery.protocols.ros2.goto import Goto
from volery.protocols.ros2.meshes import MeshServer
from volery.protocols.ros2.parameters import RosParameters
from volery.protocols.ros2.robots import SensorTriggers
from volery.protocols.ros2.simulation import SimulationServices
from volery.sim import Simulation

__all__ = ["Ros2"]

_log = logging.getLogger("volery")


class Ros2(Protocol):
    """Opened with every bus; a scenario's `protocols: {ros2: …}` only changes its settings."""

    Settings: ClassVar[type] = Ros2Config
    settings: Ros2Config

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: Ros2Config) -> None:
        super().__init__(simulation, loop, settings)
        self._names = FrameNames(settings)
        self._desk: Desk | None = None
        self._parts: list[Any] = []
        self._robots: dict[str, tuple[Goto, SensorTriggers]] = {}
        self._meshes: MeshServer | None = None

    def attach(self, bus: Bus) -> None:
        """Answer services on this bus, if nobody else of the same name does."""
        if not self.settings.services or self.loop is None:
            return
        if bus.served("/volery/get_simulation_state"):
            _log.warning("ROS 2: another simulation answers services on this bus; this one does not")
            return
        self._desk = Desk(self.simulation, bus)
        self._parts = [
            SimulationServices(self.simulation, self.loop, self._desk),
            RosParameters(self.simulation, self.loop, self._desk),
        ]
        self.simulation.listeners.append(self)
        self._follow(self.simulation)

    def start(self) -> None:
        """Serve meshes."""
        host, port = self.settings.host, self.settings.port
        if not self.settings.description or port == 0:
            return
        try:
            self._meshes = MeshServer(host, port, lambda: list(self.simulation.robots.values()))
        except OSError as error:
            _log.info("ROS 2: meshes of robots are not served at %s:%d: %s", host, port, error.strerror)
            return
        warn_if_open("ROS 2", host, "see what robots look like")

    def __call__(self, simulation: Simulation) -> None:
        """Follow robots, and look after their goals."""
        self._follow(simulation)
        for goto, triggers in self._robots.values():
            goto(simulation)
            triggers(simulation)

    def close(self) -> None:
        """Answer no more."""
        if self in self.simulation.listeners:
            self.simulation.listeners.remove(self)
        for robot in list(self._robots):
            self._forget(robot)
        for part in self._parts:
            part.close()
        self._parts = []
        if self._desk is not None:
            self._desk.close()
        if self._meshes is not None:
            self._meshes.close()
        self._desk = self._meshes = None

    def _follow(self, simulation: Simulation) -> None:
        if self._desk is None or self._robots.keys() == simulation.robots.keys():
            return
        for name in self._robots.keys() - simulation.robots.keys():
            self._forget(name)
        for name in simulation.robots.keys() - self._robots.keys():
            try:
                goto = Goto(simulation, self._desk.bus, name, self._names)
                self._robots[name] = (goto, SensorTriggers(simulation, self._desk, name))
            except BusError as error:
                _log.warning("ROS 2: %s", error)

    def _forget(self, name: str) -> None:
        for part in self._robots.pop(name):
            part.close()
