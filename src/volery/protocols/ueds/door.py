"""UEds's door to a simulation: its clients fly and look here, unchanged, on TCP ports 8551 (or 8000) and 4000 up."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.core.requests import Requests
from volery.errors import ScenarioError, SimulationError, VoleryError
from volery.loop import Loop
from volery.protocols.limits import Limits
from volery.protocols.protocol import Protocol, warn_if_open
from volery.protocols.ueds import drone_calls, drone_calls14, game_calls
from volery.protocols.ueds.codec import reply
from volery.protocols.ueds.comings import Comings
from volery.protocols.ueds.configs import PictureSetup
from volery.protocols.ueds.drone import UedsDrone
from volery.protocols.ueds.game import Game
from volery.protocols.ueds.intime import LATEST, LateError, in_time
from volery.protocols.ueds.levels import NAMES
from volery.protocols.ueds.messages import Table
from volery.protocols.ueds.objects import ClientObjects
from volery.protocols.ueds.pictures import Eyes, Studio
from volery.protocols.ueds.stencils import Stencils
from volery.protocols.ueds.sweep import Sweep
from volery.protocols.ueds.wire import Port, UedsSockets
from volery.robots.library import load_robot_file
from volery.sim import Simulation

__all__ = ["Ueds", "UedsSettings"]

_log = logging.getLogger("volery")
_MOST_DRONES = 1000
_MOST_SAID = 200
_PROMPT = 0.3
"""How long an answer waits for what is done anyway [s]."""
_WIDEST = 5.0
"""No part of a robot is farther from its middle [m]."""


@dataclass(frozen=True)
class UedsSettings(Checked):
    """The entry `ueds` under `protocols` in a scenario."""

    host: str = "127.0.0.1"
    """Address to listen at; who can reach it can fly."""
    port: int = param(8551, low=0, high=65_535)
    """Of the game mode; 0: any that is free."""
    thesis_port: int | None = param(8000, low=0, high=65_535)
    """Of the game mode in the thesis's dialect; none: not served."""
    drone_port: int = param(4000, low=0, high=65_535)
    """Of the first drone; the next ones count up, and pass over ports that are in use. 0: any that are free."""
    api: Literal["0.11", "0.13", "0.14"] = "0.11"
    """Version that is spoken and claimed: clients leave if it is not theirs."""
    world: str = param("", choices=("", *NAMES))
    """Level at the start, by UEds's name; empty: the scenario's world."""
    fps: float = param(1000.0, low=0.0, high=1e6)
    """Frames per second that are claimed, since clients slow down by them; 0: steps per second that are made."""
    collisions: bool = True
    """Whether moves stop at what is in the way, if clients want that."""
    thesis_rays: Literal["drone", "world"] = "drone"
    """Axes of rays in the thesis's dialect: clients before 9 February 2024 want `world`."""
    channel: str = "without_drones"
    """Channel of the scenario that shows all but drones, for drones that do not see each other."""
    sensors: dict[str, Any] = field(default_factory=dict)
    """Sensors of ours that every drone carries besides, as in a scenario, for topics on the bus."""
    limits: Limits = field(default_factory=lambda: Limits(connections=4096, per_source=64, bytes_per_client=2 << 20))
    """What clients may take; `per_source` is for each port."""


class Mode:
    """A game mode's server: its dialect, and the drones that speak it."""

    def __init__(self, door: Ueds, number: int, game: Table, drone: Table) -> None:
        self.door = door
        self._drone_table = drone
        self.drones: dict[int, tuple[UedsDrone, Port]] = {}
        """By port."""
        self.port = door.wire.open(number, partial(door.answer, self), game, careful=True)

    def ports(self) -> list[int]:
        """Of its drones, in the order in which they came."""
        return list(self.drones)

    def spawn(self, location: tuple[float, float, float], robot: str) -> tuple[int, Future[None]]:
        """A drone more: its port, and what is done when it is in the simulation."""
        door = self.door
        with door.lock:
            drone = door.new_drone(location, robot)
            port = door.open_drone(partial(door.answer, drone), self._drone_table)
            self.drones = {**self.drones, port.number: (drone, port)}
            return port.number, door.comings.come(drone)

    def remove(self, number: int) -> Future[None]:
        """Take a drone away: its port closes at once. What is done when it is out of the simulation."""
        with self.door.lock:
            if number not in self.drones:
                raise SimulationError(f"there is no drone at port {number}")
            drone, port = self.drones[number]
            self.drones = {n: d for n, d in self.drones.items() if n != number}
            self.door.wire.shut(port)
            return self.door.comings.go(drone)


class Ueds(Protocol):
    """UEds's and FlightForge's servers: drones that clients move, with lidars, cameras and worlds."""

    Settings: ClassVar[type] = UedsSettings

    def __init__(self, simulation: Simulation, loop: Loop, settings: UedsSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        self._began = time.monotonic()
        self._steps: list[tuple[float, int]] = [(self._began, simulation.clock.steps)]
        self.has_channel = settings.channel in simulation.scenario.file.channels
        self.sweep = Sweep(simulation.scene)
        self.stencils = Stencils(simulation.scene)
        self.modes: list[Mode] = []
        self.lock = threading.RLock()
        """Held by who lets drones come and go."""
        self.comings = Comings(self)
        self._soon = Requests()
        self._poked = False
        self.eyes = Eyes(simulation.environment, simulation.seed)
        self.objects = ClientObjects(self)
        self.game = Game(self)
        self._count = 0
        self._spawned = 0
        self._said: set[str] = set()
        self._check_robots()
        if settings.world:
            self.game.switch_now(settings.world)
        else:
            simulation.stream_world()
            self.game.find_origin()
        self._warm()
        self.studio = Studio(simulation.ask, self.now)
        self.wire = UedsSockets(settings.host, self.limits, self._forget, simulation.gate)
        try:
            self._open()
        except BaseException:
            self.close()
            raise
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)

    def _open(self) -> None:
        settings = self.settings
        major, minor = map(int, settings.api.split("."))
        version = (major, minor)
        drone = drone_calls14.table() if version >= (0, 14) else drone_calls.modern(version)
        self._serve("port", settings.port, game_calls.modern(version), drone)
        if settings.thesis_port is not None:
            self._serve("thesis_port", settings.thesis_port, game_calls.thesis(), drone_calls.thesis())
        self.port, *old = [mode.port.number for mode in self.modes]
        self.thesis_port: int | None = old[0] if old else None
        warn_if_open("UEds", settings.host, "fly here")
        also = f", and the thesis's dialect at {self.thesis_port}" if old else ""
        _log.info("UEds: API %s at %s:%d%s", settings.api, settings.host, self.port, also)

    def _serve(self, key: str, number: int, game: Table, drone: Table) -> None:
        try:
            self.modes.append(Mode(self, number, game, drone))
        except SimulationError as error:
            raise SimulationError(
                f"{error}; is another simulator running? Choose another with `{key}` under `protocols: ueds:` in a "
                "scenario (0: any that is free)"
            ) from None

    def _check_robots(self) -> None:
        """Sensors of the settings are refused now rather than with the first drone."""
        from volery.scenario import plan_robot

        try:
            plan_robot("uav1", {"type": "x500", "physics": "kinematic", "sensors": self.sensors_of("x500")})
        except VoleryError as error:
            raise ScenarioError(f"protocols.ueds.sensors: {error}") from None

    def _warm(self) -> None:
        """Make what a first request would wait for."""
        self.game.warm()
        drone = self.new_drone(self.game.origin(), "x500")
        drone.enter()
        drone.go(tuple(x + 1.0 for x in drone.location), (0.0, 0.0, 0.0), True)
        drone.scan("label")
        drone.range()
        drone.camera = PictureSetup(width=16, height=16)
        for outputs in (("rgb",), ("depth_planar",), ("labels", "instances")):
            drone.see(outputs[0], outputs).result()
        self.eyes.forget(drone.name)
        self.simulation.remove(drone.name)
        self.stencils.drones.clear()
        self._count = self._spawned = 0

    def start(self) -> None:
        """Let clients in."""
        self.share_the_processor()
        self.wire.start()

    @property
    def paused(self) -> bool:
        """Whether no steps are made, so that nothing is to be waited for."""
        return self.loop is None or self.loop.paused

    @property
    def clients(self) -> int:
        """How many are connected now."""
        return len(self.wire.guests)

    def close(self) -> None:
        """Let clients go; drones stay as they are."""
        for calls, mine in ((self.simulation.controllers, self._control), (self.simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)
        self.wire.close()
        self.studio.close()

    # Requests; by clients' threads

    def answer(
        self, subject: Mode | UedsDrone, table: Table, number: int, values: tuple[Any, ...], client: Hashable
    ) -> bytes:
        """The reply to a request of a client, in time."""
        message = table.get(number)
        if message is None:
            return reply(number, False)
        code = number if message.code is None else message.code
        try:
            if message.where == "now":
                return reply(code, True, message.act(subject, *values))
            if message.where == "sure":
                return reply(code, True, self._sure(*message.act(subject, *values)))
            began = time.monotonic()
            if message.before is not None:
                values = message.before(subject, *values)
            if isinstance(subject, UedsDrone) and not subject.entered:
                with self.wire.away():
                    subject.inside.wait(_PROMPT)
            act = partial(message.act, subject, *values)
            ask = self.soon if message.where == "soon" else self.simulation.ask
            with self.wire.away():
                body = in_time(lambda work: ask(work, client), act, seconds=LATEST - (time.monotonic() - began))
            return reply(code, True, body)
        except LateError as error:
            _log.debug("UEds: %s: %s", message.name, error)
        except VoleryError as error:
            self._say_once(logging.INFO, f"UEds: {message.name} refused: {error}")
        except Exception as error:
            self._say_once(logging.ERROR, f"UEds: {message.name} failed: {type(error).__name__}: {error}")
        return reply(code, False, message.failed)

    def _sure(self, body: bytes, done: Future[None]) -> bytes:
        """The reply to what the loop will do anyway, after a short wait for it, or the error that it ended with."""
        with self.wire.away(), contextlib.suppress(TimeoutError, CancelledError):
            done.result(_PROMPT)
        return body

    def _say_once(self, level: int, words: str) -> None:
        """A client may ask for the same a thousand times a second."""
        if words not in self._said and len(self._said) < _MOST_SAID:
            self._said.add(words)
            _log.log(level, "%s", words)

    def now(self) -> float:
        """Seconds of the server's own clock, which clients compare with theirs."""
        return time.monotonic() - self._began

    def fps(self) -> float:
        """Frames per second that clients are told."""
        if self.settings.fps > 0.0:
            return self.settings.fps
        (t0, n0), (t1, n1) = self._steps[0], self._steps[-1]
        return (n1 - n0) / (t1 - t0) if t1 > t0 else 0.0

    def soon(self, work: Callable[[], Any], client: Hashable) -> Future[Any]:
        """Have the loop do something that takes no time, even in the middle of a picture; clients take turns."""
        future = self._soon.ask(work, client)
        self._poke()
        return future

    def _poke(self) -> None:
        """Have the loop look at what is to be done soon; once for all who ask."""
        if not self._poked:
            self._poked = True
            self.simulation.ask(self._answer_soon)

    def _answer_soon(self) -> None:
        self._poked = False
        self._soon.answer()
        if self._soon.waiting:
            self._poke()

    def sure(self, work: Callable[[], None], what: str) -> Future[None]:
        """Have the loop do something that is done even if the client leaves; of several of a kind the last is done."""
        return self.simulation.ask(work, self, newest=what)

    def _forget(self, client: Hashable) -> None:
        """A client has left: what it asked for is not done."""
        self._soon.forget(client)
        self.simulation.forget_requests(client)

    # Drones; by the loop

    def new_drone(self, location: tuple[float, float, float], robot: str) -> UedsDrone:
        """A drone that is not in the world yet."""
        if sum(len(mode.drones) for mode in self.modes) >= _MOST_DRONES:
            raise SimulationError(f"there are {_MOST_DRONES} drones; remove some first")
        index = self._spawned
        number, ours = index + 1, {d.name for mode in self.modes for d, _ in mode.drones.values()}
        # One of ours that is on its way out is gone when this one comes.
        while (name := f"uav{number}") in ours or (name in self.simulation.robots and name not in self._leaving):
            number += 1
        self._spawned += 1
        return UedsDrone(self, f"uav{number}", index, location, robot)

    def open_drone(self, answer: Callable[..., Any], table: Table) -> Port:
        """A port for a new drone: the next that is free."""
        if self.settings.drone_port == 0:
            return self.wire.open(0, answer, table)
        while (number := self.settings.drone_port + self._count) <= 65_535:
            self._count += 1
            try:
                return self.wire.open(number, answer, table)
            except SimulationError:
                continue
        raise SimulationError("there is no free port for a drone")

    def take_out(self, drone: UedsDrone) -> None:
        """A drone goes, which clients do not know any more; for the loop."""
        if drone.entered and drone.name in self.simulation.robots:
            self.simulation.remove(drone.name)
        self.stencils.drones.pop(drone.name, None)
        self.studio.forget(drone.name)
        self.eyes.forget(drone.name)

    def lose(self, drone: UedsDrone, error: Exception) -> None:
        """A drone could not be let in: it goes again."""
        _log.error("UEds: %s cannot come in: %s", drone.name, error)
        for mode in self.modes:
            for number, (other, _) in mode.drones.items():
                if other is drone:
                    mode.remove(number)

    def remove_all(self) -> None:
        """All drones go, and ports count from the first again; any thread may call."""
        with self.lock:
            for mode in self.modes:
                for number in mode.ports():
                    mode.remove(number)
            self._count = self._spawned = 0

    @property
    def _leaving(self) -> set[str]:
        """Names of our drones that are still in the simulation but not for long."""
        return self.comings.leaving

    def has(self, drone: UedsDrone) -> bool:
        """Whether a drone is still there."""
        return any(drone is other for mode in self.modes for other, _ in mode.drones.values())

    def alone(self, drone: UedsDrone, reach: float) -> bool:
        """Whether no other robot is within a distance of a drone [m]; all robots of names like drones' count."""
        own = self.simulation.robot(drone.name).p_WB
        others = (r for name, r in self.simulation.robots.items() if name != drone.name)
        return all(float(np.linalg.norm(r.p_WB - own)) > reach + _WIDEST for r in others)

    def through(self, name: str) -> set[str]:
        """Robots that a drone does not meet."""
        drones = (d for mode in self.modes for d, _ in mode.drones.values())
        return {name} if self.game.mutual else {d.name for d in drones if d.entered} | {name}

    def sensors_of(self, robot: str) -> dict[str, Any]:
        """Of a robot's own sensors none, but those of the settings."""
        return {**dict.fromkeys(load_robot_file(robot).sensors, "off"), **self.settings.sensors}

    def _control(self, simulation: Simulation) -> None:
        for mode in self.modes:
            for drone, _ in mode.drones.values():
                if drone.entered and drone.name not in simulation.robots:
                    # The simulation was reset from elsewhere: no drone is forgotten.
                    drone.enter()
        self.game.follow()
        self.comings.follow()

    def _listen(self, simulation: Simulation) -> None:
        now = time.monotonic()
        if now - self._steps[-1][0] >= 0.25:
            self._steps = [*self._steps[-4:], (now, simulation.clock.steps)]
