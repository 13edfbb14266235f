"""MAVLink's door to a simulation: every robot a vehicle of its own, for ground stations and programs, over UDP."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import ScenarioError, UnknownNameError
from volery.loop import Loop
from volery.protocols.protocol import Protocol, warn_if_open
from volery.protocols.udp.datagrams import address_of
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Mavlink", "MavlinkSettings"]

_log = logging.getLogger("volery")
_MOST = 250
"""Vehicles: MAVLink's systems are numbered 1 to 255, and stations are 255."""
_BEAT = 1.0
"""Between two heartbeats [s of wall time]: stations time out in it, even while the simulation is held."""


@dataclass(frozen=True)
class MavlinkSettings(Checked):
    """The entry `mavlink` under `protocols` in a scenario."""

    autopilot: Literal["ardupilot", "px4"] = "ardupilot"
    """Whose modes, parameters and habits are spoken."""
    host: str = "127.0.0.1"
    """Address of ours to listen at; who can reach it can fly."""
    port: int = param(18_570, low=0, high=65_535)
    """Of the first vehicle, the next one's is one higher; 0: any that are free."""
    stations: tuple[str, ...] = ("127.0.0.1:14550",)
    """HOST:PORT of ground stations that all vehicles tell from the beginning."""
    program: str = "127.0.0.1:14540"
    """HOST:PORT that the first vehicle tells too, the next one's port is one higher; empty: none."""
    robots: tuple[str, ...] = ()
    """Robots that are vehicles, numbered from `system` on in this order; none: all that can be."""
    system: int = param(1, low=1, high=_MOST)
    """MAVLink's number of the first vehicle."""
    altitude: float = param(0.0, low=-1e4, high=1e6)
    """Of the world's origin above the sea [m]; latitude and longitude are the sky's. A robot with a `gps` uses its."""
    ground: bool = True
    """Whether drones that hover without a path at the start are put on the ground below, to be armed there."""
    pictures: str = ""
    """Folder for what cameras take when they are triggered; none: pictures are only counted."""
    parameters: dict[str, float] = field(default_factory=dict)
    """Values of parameters by the autopilot's names, for all vehicles."""


class Mavlink(Protocol):
    """The vehicles. Their sockets have threads of their own; all else is done by the loop."""

    Settings: ClassVar[type] = MavlinkSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: MavlinkSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        # Only now: pymavlink is an extra, and slow to import.
        from volery.protocols.mavlink.vehicle import MavlinkVehicle

        super().__init__(simulation, loop, settings)
        self._make = MavlinkVehicle
        for name in settings.robots:
            if name not in simulation.robots:
                raise UnknownNameError("robot", name, simulation.robots)
        self._stations = [address_of(s) for s in settings.stations]
        self._program = address_of(settings.program) if settings.program else None
        self.vehicles: dict[str, MavlinkVehicle] = {}
        self._systems: dict[str, int] = {}
        self._closed = threading.Event()
        try:
            self._follow()
            if not self.vehicles:
                raise ScenarioError("mavlink: no robot here can be a vehicle: it takes one that flies or drives")
        except BaseException:
            self._close_wires()
            raise
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)
        self._heart = threading.Thread(target=self._beat, name="mavlink/heart", daemon=True)
        warn_if_open("MAVLink", settings.host, "fly these vehicles")

    def start(self) -> None:
        """Send heartbeats, by which stations find the vehicles."""
        self._heart.start()
        told = ", ".join(self.settings.stations) or "nobody unasked"
        _log.info("MAVLink: %s as %s; telling %s", ", ".join(self.vehicles), self.settings.autopilot, told)

    def close(self) -> None:
        """Give the ports back; vehicles stay as they are."""
        self._closed.set()
        for calls, mine in ((self.simulation.controllers, self._control), (self.simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)
        if self._heart.ident is not None:
            self._heart.join(timeout=2.0)
        self._close_wires()

    def _close_wires(self) -> None:
        for vehicle in self.vehicles.values():
            if vehicle.wire is not None:
                vehicle.wire.close()

    # Robots come and go, and a reset makes them anew

    def _follow(self) -> None:
        robots = self.simulation.robots
        for name in [n for n, v in self.vehicles.items() if robots.get(n) is not v.robot]:
            vehicle = self.vehicles[name]
            if name not in robots and vehicle.wire is not None:
                vehicle.wire.close()
                vehicle.wire = None
            self.vehicles = {n: v for n, v in self.vehicles.items() if n != name}
            if name in robots:
                self._add(name, vehicle)
        for name in self.settings.robots or list(robots):
            if name in robots and name not in self.vehicles and self._can_be(name):
                self._add(name, None)

    def _can_be(self, name: str) -> bool:
        from volery.protocols.mavlink.pilots import is_vehicle

        if is_vehicle(self.simulation, name):
            return len(self._systems) < _MOST or name in self._systems
        if name in self.settings.robots:
            raise ScenarioError(f"mavlink: robot '{name}' neither flies nor drives by itself, so it is no vehicle")
        return False

    def _add(self, name: str, before: MavlinkVehicle | None) -> None:
        """before: the vehicle that a reset has made anew, whose socket goes on."""
        from volery.protocols.mavlink.wire import MavlinkSocket

        number = self._systems.setdefault(name, len(self._systems))
        if self.settings.ground:
            self._put_down(name)
        vehicle = self._make(self.simulation, self.settings, name, (self.settings.system + number - 1) % _MOST + 1)
        if before is not None and before.wire is not None:
            vehicle.wire, before.wire = before.wire, None
            vehicle.wire.handler = vehicle.inbox.post
        else:
            port = self.settings.port + number if self.settings.port else 0
            vehicle.wire = MavlinkSocket(self.settings.host, port, vehicle.system, vehicle.inbox.post)
            program = [] if self._program is None else [(self._program[0], self._program[1] + number)]
            vehicle.wire.start([*self._stations, *program])
            _log.info("MAVLink: %s is system %d at UDP port %d", name, vehicle.system, vehicle.wire.port)
        self.vehicles = {**self.vehicles, name: vehicle}

    def _put_down(self, name: str) -> None:
        """A drone that only hovers starts on the ground, as real ones do."""
        from volery.protocols.mavlink.pilots import clearance

        simulation, robot = self.simulation, self.simulation.robots[name]
        plan = simulation.scenario.robots.get(name)
        flies = robot.file is not None and (robot.file.multirotor is not None or robot.file.craft is not None)
        if not flies or (plan is not None and plan.motion is not None) or np.linalg.norm(robot.v_WB_W) > 0.05:
            return
        height = clearance(simulation, robot)
        if height is not None and height > 0.005:
            simulation.place(name, robot.p_WB - [0.0, 0.0, height], robot.q_WB_wxyz)

    # The loop, and the heart

    def _control(self, simulation: Simulation) -> None:
        self._follow()
        for vehicle in self.vehicles.values():
            vehicle.control(simulation.clock.step_ns * 1e-9)

    def _listen(self, simulation: Simulation) -> None:
        for name, vehicle in self.vehicles.items():
            if simulation.robots.get(name) is vehicle.robot:
                vehicle.inbox.step()
                vehicle.streams.step()

    def _beat(self) -> None:
        while True:
            for vehicle in self.vehicles.values():
                vehicle.beat()
            if self._closed.wait(_BEAT):
                return
