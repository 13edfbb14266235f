"""Betaflight's door: its SITL flies a multirotor over UDP. Its default build is not lockstep: runs are in real time."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.errors import BusError, RobotError, SimulationError
from volery.protocols.betaflight.wire import motors_of, raw_motors_of, state_of, sticks_of, sticks_to
from volery.protocols.firmware.actuators import Rotors
from volery.protocols.firmware.door import FirmwareDoor, FirmwareSettings
from volery.protocols.firmware.link import FirmwareLink
from volery.sim import Simulation

__all__ = ["Betaflight", "BetaflightLink", "BetaflightSettings"]

_LONGEST = 512
_AT_ONCE = 64
_SILENT = 0.3
"""Without motors for so long the firmware is silent [s of wall time]."""
_BEFORE = 1.0
"""Between two motions by which a firmware that has not come is looked for [s of wall time]."""
_STILL = 1.0
"""A time that does not go on [s]."""
_HASTE = 0.9
"""Share of a step's length that must have passed since the state before."""
_GAZEBO = (1, 2, 3, 0)
"""Betaflight's number of each motor of Gazebo's order: front right, rear left, front left, rear right."""


@dataclass(frozen=True)
class BetaflightSettings(FirmwareSettings):
    """The entry `betaflight` under `protocols` in a scenario. Betaflight's ports are compiled in; a second robot needs
    a build with others, whose first port is `spacing` higher."""

    port: int = param(9001, low=0, high=65_532)
    """UDP port at which pulses of all motors come; the packet for Gazebo comes one higher. 0: any that are free."""
    spacing: int = param(10, low=4, high=1000)
    firmware: str = "127.0.0.1"
    """Address of the firmware."""
    state_port: int = param(9003, low=1, high=65_534)
    """At which the firmware takes states; it takes sticks one higher."""
    clock: Literal["wall", "simulation"] = "wall"
    """wall: the time in states stands still, and the firmware goes by the wall clock; simulation: it takes the
    quotient of simulated and wall time between any two states for its speed, which leaps on a machine that is busy."""
    older: bool = False
    """Whether the firmware is of version 4.5 or older: yaw gyroscope, places and the packet for Gazebo as it has them.
    Of the packets of motors, the one of pulses counts if it comes."""
    sticks_port: int = param(0, low=0, high=65_535)
    """UDP port of ours whose packets of sticks are passed on, while the simulation runs; 0: none, as radios' bridges
    send to the firmware themselves."""


class BetaflightLink(FirmwareLink):
    """One firmware."""

    firmware = "betaflight"
    lockstep = False
    curve = 1.0
    settings: BetaflightSettings

    def __init__(self, simulation: Simulation, settings: BetaflightSettings, name: str, index: int) -> None:
        super().__init__(simulation, settings, name, index)
        if not isinstance(self.actuators, Rotors):
            raise RobotError(f"robot '{name}' is no multirotor: Betaflight flies nothing else here")
        first = settings.port + settings.spacing * index if settings.port else 0
        self._sockets: list[socket.socket] = []
        try:
            self._raw = self._bound(first)
            self._gazebo = self._bound(first + 1 if first else 0)
            sticks = settings.sticks_port
            self._sticks = self._bound(sticks + settings.spacing * index) if sticks else None
        except BaseException:
            self.close()
            raise
        self.ports = tuple(s.getsockname()[1] for s in self._sockets)
        self._to = (settings.firmware, settings.state_port + settings.spacing * index)
        self._heard_at = 0.0
        self._raw_at = 0.0
        self._told_at = 0.0
        _, *place = self.feel.geodetic()[::-1]
        self._start = place[0], place[1]

    def _bound(self, port: int) -> socket.socket:
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sockets.append(own)
        own.setblocking(False)
        try:
            own.bind((self.settings.host, port))
        except OSError as error:
            raise SimulationError(
                f"betaflight: UDP port {port} of {self.settings.host} cannot be used: {error.strerror}"
            ) from None
        return own

    @property
    def where(self) -> str:
        """Its ports and ours."""
        return f"UDP ports {self.ports[0]} and {self.ports[1]}; states go to {self._to[0]}:{self._to[1]}"

    @property
    def ready(self) -> bool:
        """Whether its motors came lately: it is not lockstep, and no step waits for its own answer."""
        return time.monotonic() - self._heard_at < _SILENT

    def may_step(self, wait: float) -> bool:
        """Read what has come before each step, not only while it is waited for."""
        self.poll(0.0)
        if not self.ready and time.monotonic() - self._told_at > (0.01 if self.met else _BEFORE):
            # It speaks only when it is spoken to.
            self.tell()
        return super().may_step(wait) and self._in_time(wait)

    def _in_time(self, wait: float) -> bool:
        """Lost time is not made up for: the firmware counts by the wall clock."""
        left = self._told_at + _HASTE * self.simulation.clock.step_ns / SECOND - time.monotonic()
        if left > 0.0:
            time.sleep(min(left, wait))
        return left <= wait

    def poll(self, wait: float) -> None:
        """Take the newest motors."""
        for own in select.select(self._sockets, [], [], wait)[0]:
            for _ in range(_AT_ONCE):
                try:
                    data, sender = own.recvfrom(_LONGEST)
                except OSError:
                    break
                with contextlib.suppress(BusError):
                    self._take(own, data, sender)

    def _take(self, own: socket.socket, data: bytes, sender: Any) -> None:
        if own is self._sticks:
            self.stick(sticks_of(data))
            return
        if sender[0] != self._to[0]:
            return
        now = time.monotonic()
        if own is self._raw:
            motors = raw_motors_of(data)
            self._raw_at = now
        else:
            motors = motors_of(data)
            if now - self._raw_at < _SILENT:
                return
            if self.settings.older:
                motors = motors[list(np.argsort(_GAZEBO))]
        self._heard_at = now
        self.outputs[: len(motors)] = motors

    def stick(self, channels: list[int]) -> None:
        """Pass sticks on: pulses [µs] in the firmware's order of channels."""
        self._send(sticks_to(self.feel.seconds, channels), 1)

    def tell(self) -> None:
        """The state."""
        self._told_at = time.monotonic()
        seconds = self.feel.seconds if self.settings.clock == "simulation" else _STILL
        self._send(state_of(self.feel, seconds, self._start, self.settings.older), 0)

    def _send(self, data: bytes, beside: int) -> None:
        with contextlib.suppress(OSError):
            self._raw.sendto(data, (self._to[0], self._to[1] + beside))

    def close(self) -> None:
        """Give the ports back."""
        for own in self._sockets:
            own.close()


class Betaflight(FirmwareDoor):
    """One robot, or several for builds with ports of their own."""

    Settings: ClassVar[type] = BetaflightSettings
    link_type: type[FirmwareLink] = BetaflightLink
    name: ClassVar[str] = "Betaflight"
    longest: ClassVar[float] = 0.0025

    def launch(self, link: FirmwareLink) -> tuple[list[str], dict[str, str], dict[str, str]]:
        """Its outputs go to loopback."""
        return ["--ip", "127.0.0.1"], {}, {}
