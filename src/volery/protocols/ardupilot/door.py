"""ArduPilot's door: its SITL flies and drives robots over UDP, in lockstep: its frames drive the simulation's steps."""

from __future__ import annotations

import contextlib
import math
import select
import socket
import time
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.core.frames import euler_from_quat
from volery.errors import BusError, SimulationError
from volery.protocols.ardupilot.wire import Servos, airsim_of, airsim_servos_of, json_of, servos_of
from volery.protocols.firmware.actuators import Rotors, RoverActuators
from volery.protocols.firmware.door import FirmwareDoor, FirmwareSettings
from volery.protocols.firmware.link import FirmwareLink
from volery.protocols.firmware.ranges import RangeReadings
from volery.sim import Simulation

__all__ = ["ArduPilot", "ArduPilotLink", "ArduPilotSettings"]

_LONGEST = 2048
_AT_ONCE = 64
"""Datagrams that are read at a time."""
_QUIET = 0.5
"""Another source is listened to only if the firmware has been silent for so long [s of wall time]."""
_REORDERED = 8
"""A frame that is older by no more than this came late by the way; older ones are of a firmware that began anew."""
_MOST_STEPS = 1000


@dataclass(frozen=True)
class ArduPilotSettings(FirmwareSettings):
    """The entry `ardupilot` under `protocols` in a scenario."""

    port: int = param(9002, low=0, high=65_535)
    """UDP port of the first robot; the next one's is `spacing` higher, as ArduPilot's instances have it. 0: any."""
    spacing: int = param(10, low=1, high=1000)
    dialect: Literal["json", "airsim"] = "json"
    """json for `--model JSON`; airsim for `--model airsim-copter` and `airsim-rover`."""
    answers: str = "127.0.0.1"
    """airsim: address of the firmware."""
    answer_port: int = param(9003, low=0, high=65_535)
    """airsim: port at which the first firmware reads states; the next one's is `spacing` higher."""


class ArduPilotLink(FirmwareLink):
    """One instance."""

    firmware = "ardupilot"
    curve = 0.65
    settings: ArduPilotSettings

    def __init__(self, simulation: Simulation, settings: ArduPilotSettings, name: str, index: int) -> None:
        super().__init__(simulation, settings, name, index)
        self._ranges = RangeReadings(simulation, name)
        self._airsim = settings.dialect == "airsim"
        self._steps = 0
        """Steps that the newest frame still asks for."""
        self._count: int | None = None
        self._state = b""
        self._peer: tuple[Any, ...] | None = None
        self._peer_heard = 0.0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        port = settings.port + settings.spacing * index if settings.port else 0
        try:
            self._socket.bind((settings.host, port))
        except OSError as error:
            self._socket.close()
            raise SimulationError(
                f"ardupilot: UDP port {port} of {settings.host} cannot be used: {error.strerror}"
            ) from None
        self.port: int = self._socket.getsockname()[1]

    @property
    def where(self) -> str:
        """Port, and what ArduPilot is started with."""
        host = self.settings.host if self.settings.host != "0.0.0.0" else "127.0.0.1"
        model = f"--model airsim-{self.actuators.kind}" if self._airsim else f"--model JSON:{host} -I{self.index}"
        return f"UDP port {self.port} (ArduPilot with {model})"

    @property
    def ready(self) -> bool:
        """Whether its newest frame asks for a step."""
        return self._steps > 0

    def poll(self, wait: float) -> None:
        """Read frames until one asks for a step."""
        if not select.select([self._socket], [], [], wait)[0]:
            return
        came = []
        for _ in range(_AT_ONCE):
            try:
                came.append(self._socket.recvfrom(_LONGEST))
            except OSError:
                break
        known = any(sender == self._peer for _, sender in came)
        for data, sender in came:
            now = time.monotonic()
            if sender != self._peer and self._peer is not None and (known or now - self._peer_heard < _QUIET):
                continue
            with contextlib.suppress(BusError):
                servos = airsim_servos_of(data) if self._airsim else servos_of(data)
                self._take(servos, sender)
                self._peer, self._peer_heard = sender, now
                known = True

    def _take(self, servos: Servos, sender: tuple[Any, ...]) -> None:
        if servos.frame >= 0 and self._count is not None:
            if servos.frame == self._count:
                if self._steps == 0:
                    self._send(sender)
                return
            behind = self._count - servos.frame
            if 0 < behind <= _REORDERED and sender == self._peer:
                return
            if behind > 0:
                self.restarted()
        self._count = servos.frame
        self._steps = 1
        if not self._airsim:
            step = self.simulation.clock.step_ns / SECOND
            self._steps = min(max(1, round(1.0 / (servos.rate * step))), _MOST_STEPS)
        self.outputs = self._outputs(servos.pwm)

    def _outputs(self, pwm: np.ndarray) -> np.ndarray:
        """-1 to 1 and 0 to 1 of pulses, in the order in which the robot is moved; no pulse is rest."""
        p = pwm[:16].astype(float)
        share = np.where(p > 0, (p - 1000.0) / 1000.0, 0.0)
        either = np.where(p > 0, (p - 1500.0) / 500.0, 0.0)
        if isinstance(self.actuators, Rotors):
            return share
        if isinstance(self.actuators, RoverActuators):
            return either[[0, 2]]
        return np.array([either[0], either[1], share[2], either[3]])

    def tell(self) -> None:
        """Answer when all the steps of a frame are made."""
        if self._steps == 0:
            return
        self._steps -= 1
        if self._steps == 0:
            if self._airsim:
                self._state = airsim_of(self.feel, self._ranges.all(), self._ranges.fresh_points_frd())
            else:
                kind = self.actuators.kind
                ranges = self._ranges.all()
                self._state = json_of(self.feel, ranges, kind == "plane", kind == "rover")
            if self._peer is not None:
                self._send(self._peer)

    def _send(self, peer: tuple[Any, ...]) -> None:
        if self._airsim:
            peer = (self.settings.answers, self.settings.answer_port + self.settings.spacing * self.index)
        if self._state:
            with contextlib.suppress(OSError):
                self._socket.sendto(self._state, peer)

    def restarted(self) -> None:
        """A firmware that began anew is told nothing of before."""
        super().restarted()
        self._state, self._steps = b"", 0

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()


class ArduPilot(FirmwareDoor):
    """One robot for each instance."""

    Settings: ClassVar[type] = ArduPilotSettings
    link_type: type[FirmwareLink] = ArduPilotLink
    name: ClassVar[str] = "ArduPilot"
    longest: ClassVar[float] = 0.00138

    def launch(self, link: FirmwareLink) -> tuple[list[str], dict[str, str], dict[str, str]]:
        """Instance, model, home and frame."""
        feel = link.feel
        heading = 90.0 - math.degrees(float(euler_from_quat(link.robot.q_WB_wxyz)[2]))
        home = f"{feel.origin.latitude:.8f},{feel.origin.longitude:.8f},{feel.origin.altitude:.3f},{heading % 360:.2f}"
        lines = [f"{n} {v:g}" for n, v in parameters_of(link)]
        words = ["--model", "JSON:127.0.0.1", f"-I{link.index}", "--home", home, "--speedup", "1"]
        # All call the same station, which knows them by their numbers.
        words += ["--sysid", str(link.index + 1)]
        # Without words about them it waits for a station at a TCP port, and opens more, for everybody to come in.
        words += ["--serial0", "udpclient:127.0.0.1:14550", "--serial1", "none:", "--serial2", "none:"]
        return [*words, "--defaults", "volery.parm"], {}, {"volery.parm": "\n".join(lines) + "\n"}


def parameters_of(link: FirmwareLink) -> list[tuple[str, float]]:
    """What ArduPilot must be told about a robot; all else may stay as it is."""
    actuators = link.actuators
    if isinstance(actuators, Rotors):
        return list(actuators.fit.layout.parameters)
    if isinstance(actuators, RoverActuators) and not actuators.steered:
        return [("SERVO1_FUNCTION", 73), ("SERVO3_FUNCTION", 74)]
    return []
