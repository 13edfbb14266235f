"""A protocol of one's own: depth as NMEA 0183 sentences by TCP, and a sentence that steers.

out  $SDDPT,<depth [m]>,<offset of the keel [m]>*hh    once for each ping
in   $PSKIF,<speed ahead [m/s]>,<turn [rad/s]>*hh      answered by $PSKIF,ok*hh or $PSKIF,<why not>*hh
"""

import contextlib
import logging
import math
import socketserver
import threading
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

from volery import BodyVelocity, Checked, CommandError, Loop, Protocol, Simulation, VoleryError, param
from volery.protocols.protocol import warn_if_open

_log = logging.getLogger("volery")
_LONGEST = 82
"""Characters of a sentence."""


@dataclass(frozen=True)
class NmeaSettings(Checked):
    """The entry `nmea` under `protocols` in a scenario."""

    host: str = "127.0.0.1"
    port: int = param(10110, low=0, high=65_535)
    """0: any that is free."""
    robot: str = "skiff1"
    sensor: str = "echo"


def sentence(body: str) -> bytes:
    """A sentence with its checksum."""
    return f"${body}*{reduce(lambda a, b: a ^ b, body.encode(), 0):02X}\r\n".encode()


def body_of(line: bytes) -> list[str]:
    """The parts of a sentence; one that is damaged is refused."""
    text = line.decode("ascii", "replace").strip()
    body, star, _ = text[1:].rpartition("*")
    if not star or sentence(body).strip() != text.encode():
        raise CommandError("this is no sentence, or its checksum is wrong")
    return body.split(",")


class Nmea(Protocol):
    """A door for chart plotters and autopilots."""

    Settings: ClassVar[type] = NmeaSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: NmeaSettings) -> None:
        super().__init__(simulation, loop, settings)
        self._server = _Server((settings.host, settings.port), _Client, self)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        simulation.listeners.append(self._tell)
        warn_if_open("nmea", settings.host, "steer the boat")

    def start(self) -> None:
        """Let clients in."""
        self._thread.start()
        _log.info("nmea: TCP %s:%d", self.settings.host, self.port)

    def close(self) -> None:
        """Let clients go and give the port back."""
        if self._tell in self.simulation.listeners:
            self.simulation.listeners.remove(self._tell)
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()

    def steer(self, client: Any, speed: float, turn: float) -> None:
        """Have the loop tell the boat; waits until it was told."""
        if not (math.isfinite(speed) and math.isfinite(turn)):
            raise CommandError("speed and turn must be finite")
        command = BodyVelocity([speed, 0.0, 0.0], turn)
        self.simulation.ask(lambda: self.simulation.command(self.settings.robot, command), client).result(5.0)

    def _tell(self, simulation: Simulation) -> None:
        for robot, sensor, reading in simulation.fresh:
            if (robot, sensor) == (self.settings.robot, self.settings.sensor):
                line = sentence(f"SDDPT,{reading.data['range'][0]:.2f},0.0")
                for client in list(self._server.clients):
                    client.put(line)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: Any, door: Nmea) -> None:
        super().__init__(address, handler)
        self.door, self.clients = door, set()


class _Client(socketserver.StreamRequestHandler):
    """One connection, in a thread of its own."""

    def handle(self) -> None:
        """Answer sentence by sentence."""
        self.request.settimeout(None)
        self.server.clients.add(self)
        with contextlib.suppress(OSError):
            while line := self.rfile.readline(_LONGEST):
                self.put(sentence(f"PSKIF,{self._done(line)}"))
        self.server.clients.discard(self)

    def put(self, line: bytes) -> None:
        """Send; a client that reads nothing loses the connection, never the loop its time."""
        try:
            self.request.send(line, 0x40)  # MSG_DONTWAIT
        except OSError:
            self.server.clients.discard(self)

    def _done(self, line: bytes) -> str:
        try:
            kind, speed, turn = body_of(line)
            if kind != "PSKIF":
                raise CommandError(f"unknown sentence {kind}")
            self.server.door.steer(self, float(speed), float(turn))
        except (VoleryError, ValueError) as error:
            return str(error).replace(",", ";")[:60]
        return "ok"
