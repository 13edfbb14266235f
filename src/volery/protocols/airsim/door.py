"""AirSim's door to a simulation: its clients fly, drive and look here, unchanged, on TCP port 41451."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from volery.core.config import Checked, param
from volery.core.geodesy import Origin
from volery.core.yaml import read_text
from volery.errors import ScenarioError, SimulationError
from volery.loop import Loop
from volery.protocols.airsim import methods as _methods  # noqa: F401 (all methods are known from here on)
from volery.protocols.airsim.arguments import Method
from volery.protocols.airsim.cameras import VehicleCameras
from volery.protocols.airsim.car import Car
from volery.protocols.airsim.detection import Filters
from volery.protocols.airsim.drone import AirSimDrone
from volery.protocols.airsim.images import ImageRequests
from volery.protocols.airsim.ned import to_enu
from volery.protocols.airsim.objects import SceneObjects
from volery.protocols.airsim.recording import Recording
from volery.protocols.airsim.settings import (
    SettingsFile,
    VehicleSettings,
    default_settings,
    find_settings,
    read_settings,
)
from volery.protocols.airsim.sunlight import Sunlight
from volery.protocols.airsim.vehicles import Vehicle
from volery.protocols.airsim.wire import Caller, RpcServer
from volery.protocols.files import ClientFiles
from volery.protocols.limits import Limits
from volery.protocols.protocol import Protocol, warn_if_open
from volery.sim import Simulation

__all__ = ["AirSim", "AirSimSettings"]

_log = logging.getLogger("volery")
T = TypeVar("T")
_VEHICLES: dict[str, type[Vehicle]] = {"drone": AirSimDrone, "car": Car, "eye": Vehicle}


@dataclass(frozen=True)
class AirSimSettings(Checked):
    """The entry `airsim` under `protocols` in a scenario."""

    host: str = "127.0.0.1"
    """Address to listen at; who can reach it can fly."""
    port: int = param(41451, low=0, high=65_535)
    """0: any that is free."""
    settings: str = ""
    """Path of an AirSim settings.json; empty: here or in Documents/AirSim, else one drone with all sensors; `none`:
    no file is looked for."""
    crash_speed: float | None = param(0.0, low=0.0, high=1e3)
    """A drone that strikes something faster crashes: its motors stop until a reset [m/s]. 0: never, as in AirSim, whose
    motors go on; null: as the engine's own setting says. Counts for all drones of engine `fleet`."""
    limits: Limits = field(default_factory=Limits)
    """What clients may take."""


class AirSim(Protocol):
    """AirSim's RPC server: multirotors, cars and cameras for clients of AirSim and Cosys-AirSim."""

    Settings: ClassVar[type] = AirSimSettings

    def __init__(self, simulation: Simulation, loop: Loop, settings: AirSimSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        self.loop: Loop = loop
        self.settings = _read(settings.settings, simulation.scenario.folder)
        self._crash_speed: float | None = settings.crash_speed
        self.step = simulation.clock.step_ns * 1e-9
        self.epoch_ns = time.time_ns() - simulation.clock.now_ns
        """Wall time when the simulated clock was zero [ns]: AirSim's time stamps count from 1970."""
        self.origin_W = _ground(simulation)
        """World NED zero in W."""
        latitude, longitude, altitude = self.settings.origin
        self.earth = Origin(latitude, longitude, altitude)
        self.vehicles: dict[str, Vehicle] = {}
        self.outside = VehicleCameras(None, self.settings)
        """Cameras that stand in the world."""
        self.images = ImageRequests(self)
        self.objects = SceneObjects(self)
        self.filters = Filters()
        self.sunlight = Sunlight(self)
        self.recording = Recording(self)
        self.caller = Caller()
        """Who asked for what the loop does now."""
        self._working = threading.local()
        self._firmwares: list[Protocol] = []
        """Doors of vehicles that a firmware flies."""
        try:
            self._begin()
        except BaseException:
            self._close_firmwares()
            raise
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)
        host = self.settings.host or settings.host
        port = settings.port if self.settings.port is None else self.settings.port
        self.wire = RpcServer(self, host, port)
        self.port = self.wire.port
        warn_if_open("AirSim", host, "fly these vehicles")
        _log.info("AirSim: %s at %s:%d", ", ".join(self.vehicles), host, self.port)

    def _begin(self) -> None:
        """The world and the vehicles of the settings."""
        latitude, longitude, _ = self.settings.origin
        self.simulation.set("environment.sky.latitude", latitude)
        self.simulation.set("environment.sky.longitude", longitude)
        self.sunlight.off()
        if any(self.settings.wind):
            self.simulation.set("environment.wind.steady", to_enu(np.array(self.settings.wind)).tolist())
        if self.settings.clock_speed != 1.0 and self.loop.speed == 1.0:
            self.loop.speed = self.settings.clock_speed
        if self.settings.time_of_day is not None:
            self.sunlight.set(**self.settings.time_of_day)
        for vehicle in self.settings.vehicles.values():
            self.add(vehicle)
        self._light_up()
        marked = [v.name for v in self.settings.vehicles.values() if v.fpv]
        self._default = marked[0] if marked else min(self.vehicles)

    def _light_up(self) -> None:
        """Hang up the lamps that a world has for clients who look for them by name."""
        for name, p_W in self.simulation.world.lights():
            if name not in self.simulation.scene.objects:
                X = np.column_stack([np.eye(3), np.add(p_W, [0.0, 0.0, self.origin_W[2]])])
                self.simulation.alter("make", name, "PointLightBP", X)

    def start(self) -> None:
        """Let clients in."""
        self.share_the_processor()
        if self.settings.recording.enabled:
            self.recording.start()
        for door in self._firmwares:
            door.start()
        self.wire.start()

    @property
    def files(self) -> ClientFiles:
        """Where files lie that clients name."""
        return ClientFiles(self.out)

    @property
    def clients(self) -> int:
        """How many are connected now."""
        return len(self.wire.guests)

    def close(self) -> None:
        """Let clients go; vehicles stay as they are."""
        self.recording.stop(wait=True)
        for calls, mine in ((self.simulation.controllers, self._control), (self.simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)
        self.wire.close()
        self._close_firmwares()

    def _close_firmwares(self) -> None:
        for door in self._firmwares:
            door.close()

    # Vehicles

    def add(self, settings: VehicleSettings) -> Vehicle:
        """A vehicle more."""
        if settings.name in self.vehicles or settings.name in self.simulation.robots:
            raise SimulationError(f"there is already a vehicle '{settings.name}'; choose another name")
        vehicle = _VEHICLES[settings.kind](self, settings)
        vehicle.spawn()
        self.vehicles = {**self.vehicles, settings.name: vehicle}
        if settings.firmware is not None:
            # Only now: few need it, and PX4's needs an extra.
            from volery.protocols.airsim.firmwares import open_firmware

            self._firmwares.append(open_firmware(self, settings.name, settings.firmware))
        return vehicle

    def set_crash_speed(self) -> None:
        """Let drones that touch something go on, or not, as the settings say; once there is an engine for them."""
        engine, speed = self.simulation.engines.get("fleet"), self._crash_speed
        if engine is not None and speed is not None and engine.settings.crash_speed != speed:
            self.simulation.set("engines.fleet.crash_speed", speed)

    def vehicle(self, name: str) -> Vehicle:
        """A vehicle by name; no name means the one marked so, else the first by alphabet of those at the start."""
        vehicles = self.vehicles
        if name in vehicles:
            return vehicles[name]
        if name == "" and vehicles:
            return vehicles[self._default]
        raise SimulationError(f"Vehicle API for '{name}' is not available; vehicles: {', '.join(sorted(vehicles))}")

    def controlled(self, name: str) -> Vehicle:
        """A vehicle that can be controlled: cameras alone cannot."""
        vehicle = self.vehicle(name)
        if vehicle.settings.kind == "eye":
            raise SimulationError(f"Vehicle API for '{vehicle.name}' is not available: it is only a camera")
        return vehicle

    def drone(self, name: str) -> AirSimDrone:
        """A vehicle that flies."""
        vehicle = self.controlled(name)
        if not isinstance(vehicle, AirSimDrone):
            raise SimulationError(f"'{vehicle.name}' is a car: it does not fly")
        return vehicle

    def car(self, name: str) -> Car:
        """A vehicle that drives."""
        vehicle = self.controlled(name)
        if not isinstance(vehicle, Car):
            raise SimulationError(f"'{vehicle.name}' is a multirotor: it does not drive")
        return vehicle

    def reset(self) -> None:
        """All vehicles back to their start; things, weather, cameras and pause stay."""
        for vehicle in self.vehicles.values():
            vehicle.respawn()

    # Earth and time

    def geo(self, p_W: np.ndarray) -> np.ndarray:
        """Latitude, longitude [rad] and height [m] of a point in W."""
        return self.earth.geodetic(p_W - self.origin_W)

    def place_of(self, latitude: float, longitude: float, altitude: float) -> np.ndarray:
        """The point in W of a place on Earth, in degrees and metres."""
        geodetic = np.array([np.radians(latitude), np.radians(longitude), altitude])
        return self.origin_W + self.earth.enu_from_geodetic(geodetic)

    @property
    def now_ns(self) -> int:
        """AirSim's time stamp of now."""
        return self.stamp(self.simulation.clock.now_ns)

    def stamp(self, sim_ns: int) -> int:
        """AirSim's time stamp [ns] of a time of the simulation [ns]."""
        return self.epoch_ns + sim_ns

    def run_for(self, steps: int) -> Future[Any]:
        """Hold the clock, make exactly so many steps, and stay held."""
        self.loop.pause()
        return self.loop.step(steps)

    # The loop

    def perform(self, method: Method, values: list[Any], caller: Caller) -> Any:
        """Do what a client asked; in the loop, between two steps."""
        self.caller = caller
        return method.function(self, *values)

    def work(self, method: Method, values: list[Any], caller: Caller) -> Any:
        """Do long work that a client asked for; in a thread of its own. A method that yields gives way there."""
        self._working.caller, self._working.until = caller, time.monotonic() + self.limits.seconds_per_call
        result = method.function(self, *values)
        return self._pieces(result, caller, self._working.until) if isinstance(result, Generator) else result

    def _pieces(self, rest: Generator[Any, None, T], caller: Caller, until: float) -> Generator[None, None, T]:
        """Long work piece by piece, others' between."""
        while True:
            self._working.caller, self._working.until = caller, until
            try:
                next(rest)
            except StopIteration as end:
                return end.value
            self._left()
            yield

    def _left(self) -> float:
        """Time that is left for the work of this thread [s]; an error if there is none."""
        left = self._working.until - time.monotonic()
        if left <= 0.0:
            raise SimulationError(f"it takes longer than {self.limits.seconds_per_call:g} s; ask for less at a time")
        return left

    def in_loop(self, function: Callable[[], T]) -> T:
        """For methods that work outside the loop: have it do something when it is the client's turn."""
        caller = getattr(self._working, "caller", None)
        if caller is None:
            # Called by the loop's own thread.
            return function()
        return self.simulation.ask(function, caller).result(self._left())

    def _control(self, simulation: Simulation) -> None:
        if any(name not in simulation.robots for name in self.vehicles):
            self._come_back()
        self.sunlight.follow()
        for vehicle in self.vehicles.values():
            vehicle.control()

    def _come_back(self) -> None:
        """The simulation was reset from elsewhere: vehicles and lamps enter it again."""
        self._light_up()
        for name, vehicle in self.vehicles.items():
            if name in self.simulation.robots:
                self.simulation.remove(name)
            vehicle.api = vehicle.api and vehicle.api_stays
            vehicle.spawn()

    def _listen(self, simulation: Simulation) -> None:
        vehicles = self.vehicles
        for name, vehicle in vehicles.items():
            if name in simulation.robots:
                vehicle.look()
                vehicle.notice()
        for robot, sensor, reading in simulation.fresh:
            if robot in vehicles:
                vehicles[robot].feel(sensor, reading)
        self.recording.follow()
        self.objects.draw_traces()


def _read(path: str, folder: Path | None) -> SettingsFile:
    if path == "none":
        return default_settings()
    found = find_settings() if not path else Path(path)
    if found is None:
        return default_settings()
    if path and not found.is_absolute() and not found.is_file() and folder is not None:
        found = folder / found
    if not found.is_file():
        raise ScenarioError(f"AirSim settings {found} do not exist")
    if not path:
        _log.info("AirSim: settings from %s", found)
    return read_settings(read_text(found), str(found))


def _ground(simulation: Simulation) -> np.ndarray:
    """The ground below the world's place to start, where robots are not in the way."""
    start = np.array(simulation.world.spawn(), float)
    hits = simulation.scene.cast(start, np.array([[0.0, 0.0, -1.0]]), max_range=1000.0)
    return hits.points[0] if hits.hit[0] else start * [1.0, 1.0, 0.0]
