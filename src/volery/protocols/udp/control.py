"""Control from outside in plain numbers: six doubles of force and torque in, attitude and position out.

Any robot that its engine lets be pushed can be flown so, with contact and all, several at the same time, each at a port
of its own. A craft's own fans and vanes give what they can of it; another robot is pushed as if by a hand. When a
controller dies or is late, its robot does what the link's settings say.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from volery.bus.timing import LinkTiming
from volery.core.config import Checked, param
from volery.core.frames import euler_from_quat, quat_conjugate, quat_rotate
from volery.errors import ScenarioError, SimulationError, UnknownNameError
from volery.loop import Loop
from volery.physics.multirotor.parameters import body_of
from volery.protocols.protocol import Protocol
from volery.protocols.udp.end import End, EndSettings
from volery.protocols.udp.server import UdpLink
from volery.robots.commands import Effort, Motors, Pose, Wrench
from volery.robots.robot import Robot
from volery.sim import Simulation

__all__ = ["Control", "ControlLink", "ControlSettings"]

_log = logging.getLogger("volery")


@dataclass(frozen=True)
class ControlLink(EndSettings):
    """The link of one robot."""

    axes: Literal["body", "world"] = "body"
    """Of forces and torques: the robot's own, or W. They act at the root's origin."""
    gone: Literal["retreat", "hover", "release", "stop"] = "retreat"
    """What is done when the controller is gone. retreat: the push ends, and the robot's own autopilot backs off from
    where it points and hovers; hover: the same on the spot; release: the push ends; stop: the run ends."""
    retreat: float = param(0.5, low=0.0, high=100.0)
    """How far it backs off [m]."""
    rotors: bool = False
    """Whether the robot's own rotors and autopilot go on while it is pushed as if by a hand, a craft too."""


@dataclass(frozen=True)
class ControlSettings(Checked):
    """The entry `control` under `protocols` in a scenario."""

    links: dict[str, ControlLink] = field(default_factory=dict)
    """By robot."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.links:
            raise ScenarioError("control: name at least one robot under 'links', such as links: {uav1: {port: 9880}}")


class _WrenchLink(End):
    """A link with what its controller wants now."""

    settings: ControlLink
    wrench: np.ndarray | None = None
    """Force and torque [6]."""
    centre_B: np.ndarray | None = None
    """Centre of mass of a craft, whose own actuators give the force and torque [m]; None: it is pushed."""


def _state(robot: Robot) -> np.ndarray:
    """Position, attitude (w, x, y, z), velocity, angular velocity in W, [13]."""
    return np.concatenate([robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W])


class Control(Protocol):
    """All links. They are looked at by the loop at the beginning of each step, and told the state at its end."""

    Settings: ClassVar[type] = ControlSettings
    example: ClassVar[str] = "robots: {r1: {type: x500}}\nprotocols:\n  control: {links: {r1: {port: 9880}}}"
    """Shown by `volery list protocols control`."""

    @staticmethod
    def udp_link(port: int) -> UdpLink:
        """The way to physics elsewhere at a port, for `Simulation.connect`."""
        return UdpLink(port)

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: ControlSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        for name, link in settings.links.items():
            _check(simulation, name, link)
        self.ends: dict[str, _WrenchLink] = {}
        try:
            for name, link in settings.links.items():
                self.ends[name] = _WrenchLink(name, link, 6)
                self.ends[name].centre_B = _centre(simulation, name, link)
        except SimulationError:
            self._close_ends()
            raise
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._tell)
        for name, end in self.ends.items():
            where = end.settings.serial or f"UDP {end.settings.host}:{end.port}"
            _log.info("control of %s: six doubles at %s", name, where)

    def start(self) -> None:
        """Listen to controllers."""
        for end in self.ends.values():
            end.start()

    @property
    def timings(self) -> list[LinkTiming]:
        """Of all links."""
        return [end.timing for end in self.ends.values()]

    def close(self) -> None:
        """Give the ports back."""
        if self._control in self.simulation.controllers:
            self.simulation.controllers.remove(self._control)
            self.simulation.listeners.remove(self._tell)
        self._close_ends()

    def _close_ends(self) -> None:
        for end in self.ends.values():
            end.close()

    def _tell(self, simulation: Simulation) -> None:
        for name, end in self.ends.items():
            if name in simulation.robots:
                robot = simulation.robots[name]
                end.tell(simulation.clock.now_ns, simulation.clock.step_ns, partial(_state, robot))

    def _control(self, simulation: Simulation) -> None:
        now = simulation.clock.now_ns
        for name, end in self.ends.items():
            if name not in simulation.robots:
                continue
            robot, began = simulation.robots[name], end.heard_ns is None or end.gone
            wrench, lost = end.look(now)
            if wrench is not None:
                self._come(end, wrench, began)
            elif lost:
                self._leave(end, robot)
            if end.wrench is not None:
                self._push(end, robot)

    def _come(self, end: _WrenchLink, wrench: np.ndarray, began: bool) -> None:
        if began:
            _log.info("control of %s: the controller is there", end.name)
        if began and not end.settings.rotors and end.centre_B is None:
            self._stop_rotors(end.name)
        end.wrench = wrench

    def _push(self, end: _WrenchLink, robot: Robot) -> None:
        assert end.wrench is not None, "what is pushed has been told"
        force, torque = end.wrench[:3], end.wrench[3:]
        centre_B, body = end.centre_B, end.settings.axes == "body"
        gives = centre_B is not None
        if gives != body:
            turn = quat_conjugate(robot.q_WB_wxyz) if gives else robot.q_WB_wxyz
            force, torque = quat_rotate(turn, force), quat_rotate(turn, torque)
        told = Wrench(force, torque) if centre_B is None else Effort(force, torque - np.cross(centre_B, force))
        self.simulation.command(end.name, told)

    def _leave(self, end: _WrenchLink, robot: Robot) -> None:
        """The controller is dead or late."""
        end.wrench = None
        settings = end.settings
        text = f"control of {end.name}: nothing came for {settings.timeout:g} s"
        if settings.gone == "stop":
            raise SimulationError(f"{text}; the run ends, as `gone: stop` says")
        _log.warning("%s: %s", text, settings.gone)
        self.simulation.command(end.name, Wrench() if end.centre_B is None else Effort())
        if settings.gone != "release":
            yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
            back = settings.retreat if settings.gone == "retreat" else 0.0
            ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0])
            self.simulation.command(end.name, Pose(robot.p_WB - back * ahead, yaw))

    def _stop_rotors(self, name: str) -> None:
        file = self.simulation.robots[name].file
        block = None if file is None else file.multirotor
        if block is not None:
            self.simulation.command(name, Motors(np.zeros(len(block.rotors))))


def _centre(simulation: Simulation, name: str, link: ControlLink) -> np.ndarray | None:
    """Centre of mass in B of a robot whose own actuators are to give what is told [m]; None: it is pushed."""
    if link.rotors or Effort not in simulation.engine_of(name).understands(name):
        return None
    return body_of(simulation.robots[name].description).centre


def _check(simulation: Simulation, name: str, link: ControlLink) -> None:
    if name not in simulation.robots:
        raise UnknownNameError("robot", name, simulation.robots)
    known = simulation.engine_of(name).understands(name)
    if Wrench not in known:
        raise ScenarioError(
            f"control: the engine of robot '{name}' takes no forces; give it `physics: mujoco` or fleet"
        )
    if link.gone in ("retreat", "hover") and Pose not in known:
        raise ScenarioError(f"control: robot '{name}' cannot {link.gone} by itself; choose `gone: release` or stop")
