"""What the doors for flight firmwares have in common: which robots they fly, waiting for them, and their beginning."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import RobotError, ScenarioError, UnknownNameError
from volery.loop import Loop
from volery.physics.multirotor.parameters import bumpers_of
from volery.protocols.firmware.launch import Programs
from volery.protocols.firmware.link import FirmwareLink
from volery.protocols.protocol import Protocol, warn_if_open
from volery.sim import Simulation

__all__ = ["FirmwareDoor", "FirmwareSettings"]

_log = logging.getLogger("volery")
_GLANCE = 0.004
"""How long firmwares are waited for before the loop answers requests again [s]."""
_FAR = 1000.0
_MOST = 100


@dataclass(frozen=True)
class FirmwareSettings(Checked):
    """What the entries `ardupilot`, `px4` and `betaflight` under `protocols` have in common."""

    robots: tuple[str, ...] = ()
    """Robots that are flown, the first by instance 0; none: all that can be."""
    host: str = "127.0.0.1"
    """Address of ours to listen at; who can reach it can fly."""
    silent: Literal["wait", "go_on"] = "wait"
    """What the simulation does while a firmware has not come or is silent."""
    patience: float = param(2.0, above=0.0, high=3600.0)
    """After so long it counts as silent, and that is said [s of wall time]."""
    restart: Literal["place", "stay"] = "place"
    """What the robot does when its firmware restarts: begin where it began, or stay where it is."""
    ground: bool = True
    """Whether drones that hover at the start are put on the ground below."""
    curve: float | None = param(None, low=0.0, high=1.0)
    """How the thrust t of a motor follows the firmware's output u: t = (1 - curve)·u + curve·u²; by default such that
    the firmware's own defaults fit."""
    altitude: float = param(0.0, low=-500.0, high=9000.0)
    """Of the world's origin above the sea [m]; latitude and longitude are the sky's. A robot with a `gps` uses its."""


class FirmwareDoor(Protocol):
    """The firmwares of a run. Their sockets are read by the loop itself, so that a run is the same at any speed."""

    Settings: ClassVar[type] = FirmwareSettings
    link_type: type[FirmwareLink]
    name: ClassVar[str]
    """Of the firmware, for people."""
    longest: ClassVar[float] = 0.005
    """Steps that are longer do not suit its loops [s]."""

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: FirmwareSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        self.links: dict[str, FirmwareLink] = {}
        self.program = ""
        """The firmware's program, to be started by `start`; only who starts the run may name one."""
        self.arguments: tuple[str, ...] = ()
        """More words for it."""
        self._programs: Programs | None = None
        self._since: tuple[float, int] | None = None
        try:
            self._take_robots()
        except BaseException:
            self._close_links()
            raise
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)
        if loop is not None:
            loop.holds.append(self.may_step)
        warn_if_open(self.name, settings.host, "fly these robots")

    def _take_robots(self) -> None:
        simulation, settings, reasons = self.simulation, self.settings, []
        for name in settings.robots:
            if name not in simulation.robots:
                raise UnknownNameError("robot", name, simulation.robots)
        for name in settings.robots or list(simulation.robots):
            if settings.ground:
                put_down(simulation, name)
            try:
                self.links[name] = self.link_type(simulation, settings, name, len(self.links))
            except RobotError as error:
                if settings.robots:
                    raise
                _log.info("%s: %s", self.name, error)
                reasons.append(str(error))
        if not self.links:
            why = "; ".join(reasons[:3]) or "there is none"
            raise ScenarioError(f"{self.name}: no robot here can be flown by it ({why}); add one such as x500")
        if len(self.links) > _MOST:
            raise ScenarioError(f"{self.name}: {len(self.links)} robots are more than {_MOST}; name fewer in `robots`")

    def start(self) -> None:
        """Let firmwares in; start the one that was named."""
        step = self.simulation.clock.step_ns / SECOND
        if step > self.longest:
            _log.warning(
                "%s: a step of %g s is too long for it to fly well; set `step: %g`", self.name, step, self.longest
            )
        for link in self.links.values():
            fit = getattr(link.actuators, "fit", None)
            if fit is not None and fit.turned:
                _log.info("%s: propellers of '%s' now turn as %s has them", self.name, link.name, fit.layout.name)
        if self.program:
            self._programs = Programs(Path(self.out) / self.name.lower(), self.program, self.arguments)
            for link in self.links.values():
                self._programs.start(link.name, *self.launch(link))
        for link in self.links.values():
            _log.info("%s: '%s' waits for its firmware at %s", self.name, link.name, link.where)

    def launch(self, link: FirmwareLink) -> tuple[list[str], dict[str, str], dict[str, str]]:
        """Words, environment and files (text by name) with which the program is started for a robot."""
        return [], {}, {}

    def close(self) -> None:
        """Give the ports back, and end what was started."""
        holds = [] if self.loop is None else self.loop.holds
        if self.may_step in holds:
            holds.remove(self.may_step)
        for calls, mine in (
            (self.simulation.controllers, self._control), (self.simulation.listeners, self._listen),
        ):  # fmt: skip
            if mine in calls:
                calls.remove(mine)
        self._close_links()
        if self._programs is not None:
            self._programs.close()

    def _close_links(self) -> None:
        for link in self.links.values():
            link.close()

    # The loop

    def may_step(self) -> bool:
        """Whether all firmwares have said what they want; waits a moment for those that have not."""
        end = time.monotonic() + _GLANCE
        links = [link for name, link in self.links.items() if name in self.simulation.robots]
        ready = all([link.may_step(max(end - time.monotonic(), 0.0)) for link in links])
        if self._programs is not None:
            self._programs.look()
        return ready and (not any(link.gone for link in links) or self._in_time())

    def _in_time(self) -> bool:
        """Without a firmware that keeps the pace a run goes on no faster than real time."""
        now_ns = self.simulation.clock.now_ns
        if self._since is None or not 0 <= now_ns - self._since[1] < SECOND:
            self._since = time.monotonic(), now_ns
        ahead = (now_ns - self._since[1]) / SECOND - (time.monotonic() - self._since[0])
        if ahead > 0.0:
            time.sleep(min(ahead, _GLANCE))
        return ahead <= _GLANCE

    def _control(self, simulation: Simulation) -> None:
        for name, link in self.links.items():
            if name in simulation.robots:
                if simulation.robots[name] is not link.robot:
                    link.again()
                    if self.settings.ground:
                        put_down(simulation, name)
                        link.feel.begin()
                link.control()

    def _listen(self, simulation: Simulation) -> None:
        for name, link in self.links.items():
            if simulation.robots.get(name) is link.robot:
                link.look()


def put_down(simulation: Simulation, name: str) -> None:
    """A multirotor that only hovers starts on the ground below, as real ones do."""
    robot = simulation.robots[name]
    if robot.file is None or robot.file.multirotor is None or np.linalg.norm(robot.v_WB_W) > 0.05:
        return
    hits = simulation.scene.cast(robot.p_WB, np.array([[0.0, 0.0, -1.0]]), max_range=_FAR, ignore=name)
    if not hits.hit[0]:
        return
    feet = -min(b.position[2] - b.radius for b in bumpers_of(robot))
    height = float(hits.distance[0]) - feet
    if height > 0.005:
        simulation.place(name, robot.p_WB - [0.0, 0.0, height], robot.q_WB_wxyz)
