"""PX4's door: the simulator's side of its SITL, MAVLink over TCP, in lockstep: each step waits for its controls."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.errors import BusError, SimulationError
from volery.protocols.firmware.actuators import Rotors, RoverActuators
from volery.protocols.firmware.door import FirmwareDoor, FirmwareSettings
from volery.protocols.firmware.link import FirmwareLink
from volery.sensors.range import Rangefinder
from volery.sim import Simulation

__all__ = ["Px4", "Px4Link", "Px4Settings"]

_PORTION = 4096
_GREETING = 5.0
"""Who has connected and says nothing of PX4's for so long is sent away [s of wall time]."""
_DOWN = -0.9
_TRUTH_US = 20_000.0
"""HIL_STATE_QUATERNION comes this often until it is asked for otherwise [µs]."""


@dataclass(frozen=True)
class Px4Settings(FirmwareSettings):
    """The entry `px4` under `protocols` in a scenario."""

    port: int = param(4560, low=0, high=65_535)
    """TCP port of the first robot; the next one's is one higher, as PX4's instances have it. 0: any that are free."""
    lockstep: bool = True
    """Whether each step waits for the firmware's controls."""
    rate: float = param(250.0, above=0.0, high=1000.0)
    """Of states, at most one a step; PX4 counts on 250 [Hz]."""
    gps_rate: float = param(10.0, above=0.0, high=100.0)
    """[Hz]."""
    slow_rate: float = param(50.0, above=0.0, high=400.0)
    """Of magnetometer, barometer and airspeed [Hz]."""
    start_time: float = param(1.0, above=0.0, high=1e9)
    """Time of the first state [s]: PX4 wants one above 0."""


class Px4Link(FirmwareLink):
    """One instance."""

    firmware = "px4"
    curve = 1.0
    settings: Px4Settings

    def __init__(self, simulation: Simulation, settings: Px4Settings, name: str, index: int) -> None:
        # Only now: pymavlink is an extra, and slow to import.
        from volery.protocols.px4 import wire

        super().__init__(simulation, settings, name, index)
        self.lockstep = settings.lockstep
        self._wire = wire
        port = settings.port + index if settings.port else 0
        self._server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._server.setblocking(False)
        try:
            self._server.bind((settings.host, port))
            self._server.listen(1)
        except OSError as error:
            self._server.close()
            raise SimulationError(f"px4: TCP port {port} of {settings.host} cannot be used: {error.strerror}") from None
        self.port: int = self._server.getsockname()[1]
        self._client: socket.socket | None = None
        self._begin()

    def _begin(self) -> None:
        """Before a firmware's first words."""
        self._frames = self._wire.Frames()
        self._packer = self._wire.mav.MAVLink(None, 42, 1)
        self._owed = False
        """Whether a state was told that has not been answered."""
        self._spoken = False
        """Whether it has sent controls."""
        self._greeted = False
        """Whether it has said anything that is PX4's."""
        self._since = self._told_at = time.monotonic()
        self._due = {"state": 0, "slow": 0, "gps": 0, "truth": 0}
        """When each comes next [ns of `elapsed_ns`]."""
        self._truth_us = _TRUTH_US
        self._left = b""

    @property
    def where(self) -> str:
        """Port, and how PX4 finds it."""
        return f"TCP port {self.port} (PX4's instance {self.index})"

    @property
    def ready(self) -> bool:
        """PX4 answers each state from when its estimator and mixer run; until then it only takes states."""
        if self._client is None or not self._greeted:
            return False
        if not self._spoken:
            # Nothing holds it yet: it must not be flooded.
            return time.monotonic() - self._told_at > self.simulation.clock.step_ns / SECOND
        return not (self.lockstep and self._owed)

    def may_step(self, wait: float) -> bool:
        """Read what has come before each step, not only while it is waited for."""
        if not self.lockstep or not self._spoken:
            self.poll(0.0)
        return super().may_step(wait)

    def poll(self, wait: float) -> None:
        """Let the firmware in, and take what it says."""
        if self._client is None:
            self._accept(wait)
            return
        if not select.select([self._client], [], [], wait)[0]:
            if not self._greeted and time.monotonic() - self._since > _GREETING:
                self._drop()
            return
        try:
            data = self._client.recv(_PORTION)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        try:
            for found in self._frames.take(data):
                self._take(found)
        except BusError:
            data = b""
        if not data:
            self._drop()

    def _accept(self, wait: float) -> None:
        if not select.select([self._server], [], [], wait)[0]:
            return
        with contextlib.suppress(OSError):
            self._client, _ = self._server.accept()
            self._client.setblocking(False)
            self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._begin()
            if self.met:
                self.restarted()
            self.send(self._wire.mav.MAVLink_heartbeat_message(0, 0, 0, 0, 0, 3))
            self.tell()

    def _drop(self) -> None:
        """The firmware is gone."""
        if self._client is not None:
            self._client.close()
        self._client = None
        self.outputs = np.zeros(16)

    def _take(self, found: Any) -> None:
        self._greeted = True
        if isinstance(found, self._wire.ActuatorControls):
            self._owed, self._spoken = False, True
            self.outputs = self._outputs(found.values)
        elif isinstance(found, self._wire.Wish) and found.message == 115 and np.isfinite(found.interval_us):
            self._truth_us = max(found.interval_us, 1000.0) if found.interval_us >= 0 else np.inf

    def _outputs(self, values: np.ndarray) -> np.ndarray:
        """Motors 0 to 1 come first on copters; rovers have throttle and steering, planes their surfaces first."""
        if isinstance(self.actuators, Rotors):
            return values
        if isinstance(self.actuators, RoverActuators):
            return np.array([values[1], values[0]])
        return np.array([values[0], values[1], values[2], values[3]])

    @property
    def time_us(self) -> int:
        """As PX4 is told [µs]."""
        return int(self.settings.start_time * 1e6) + self.feel.elapsed_ns // 1000

    def tell(self) -> None:
        """The state of now. In lockstep it is owed an answer."""
        if self._client is None or not self._is_due("state", 1.0 / self.settings.rate):
            return
        self._told_at = time.monotonic()
        wire, feel, at = self._wire, self.feel, self.time_us
        flies = self.actuators.kind == "plane"
        messages = [wire.sensor_of(feel, at, self._is_due("slow", 1.0 / self.settings.slow_rate), flies)]
        if self._is_due("gps", 1.0 / self.settings.gps_rate):
            messages = [wire.gps_of(feel, at), *self._distances(at), *messages]
        if self._is_due("truth", self._truth_us * 1e-6):
            messages.insert(0, wire.truth_of(feel, at))
        # The sensors come last: they set PX4's clock, and with it all else.
        self._owed = True
        for message in messages:
            self.send(message)

    def _is_due(self, what: str, interval: float) -> bool:
        now = self.feel.elapsed_ns
        if now < self._due[what]:
            return False
        self._due[what] = now + int(min(interval, 1e6) * SECOND) - self.simulation.clock.step_ns // 2
        return True

    def _distances(self, at: int) -> list[Any]:
        """Of rangefinders that look down."""
        found = []
        for number, sensor in enumerate(self.simulation.sensors[self.name].values()):
            if isinstance(sensor, Rangefinder) and sensor.latest is not None:
                down = float((self.robot.X_WB[0][:, :3].T @ sensor.X_WS[:, 0])[2])
                if down < _DOWN:
                    metres = float(sensor.latest.data["range"][0])
                    found.append(self._wire.distance_of(at, metres, number, sensor.config.max_range))
        return found

    def send(self, message: Any) -> None:
        """Tell the firmware; one that does not read is gone."""
        if self._client is None:
            return
        self._left += message.pack(self._packer)
        try:
            sent = self._client.send(self._left)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._drop()
            return
        self._left = self._left[sent:]
        if len(self._left) > 1 << 20:
            self._drop()

    def close(self) -> None:
        """Give the port back."""
        if self._client is not None:
            self._client.close()
        self._server.close()


class Px4(FirmwareDoor):
    """One robot for each instance."""

    Settings: ClassVar[type] = Px4Settings
    link_type: type[FirmwareLink] = Px4Link
    name: ClassVar[str] = "PX4"
    longest: ClassVar[float] = 0.004

    def launch(self, link: FirmwareLink) -> tuple[list[str], dict[str, str], dict[str, str]]:
        """Instance, airframe, and where each rotor sits."""
        environment = {"PX4_SIM_MODEL": "none_iris", "PX4_SYS_AUTOSTART": "10016", "PX4_SIM_HOSTNAME": "127.0.0.1"}
        environment |= {f"PX4_PARAM_{n}": f"{v:g}" for n, v in parameters_of(link)}
        return ["-i", str(link.index), "-d"], environment, {}


def parameters_of(link: FirmwareLink) -> list[tuple[str, float]]:
    """PX4's geometry of a multirotor, in the order of its airframe: places forward and right [m], and which way each
    rotor turns (positive: counter-clockwise)."""
    actuators = link.actuators
    if not isinstance(actuators, Rotors):
        return []
    robot = link.simulation.robots[link.name]
    assert robot.file is not None and robot.file.multirotor is not None
    rotors = robot.file.multirotor.rotors
    found: list[tuple[str, float]] = [("CA_ROTOR_COUNT", float(len(rotors)))]
    for k, number in enumerate(actuators.fit.order):
        x, y, _ = rotors[number].hub(robot.description)
        way = 1.0 if actuators.fit.layout.motors[k][1] == "ccw" else -1.0
        found += [(f"CA_ROTOR{k}_PX", round(float(x), 4)), (f"CA_ROTOR{k}_PY", round(float(-y), 4))]
        found += [(f"CA_ROTOR{k}_KM", 0.05 * way), (f"PWM_MAIN_FUNC{k + 1}", 101.0 + k)]
    return found
