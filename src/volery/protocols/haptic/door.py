"""A hand that feels: the force on a robot's tool goes out to a haptic device, where its handle is comes in."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.publisher import Publisher
from volery.bus.subscriber import Message, Subscriber
from volery.bus.timing import LinkTiming
from volery.core.clock import nanoseconds
from volery.core.config import param
from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler
from volery.errors import RobotError, ScenarioError, UnknownNameError
from volery.loop import Loop
from volery.protocols.protocol import Protocol
from volery.protocols.udp.end import End, EndSettings
from volery.robots.commands import Pose, Reach
from volery.robots.robot import Robot
from volery.robots.tooltip import ToolTip
from volery.sim import Simulation

__all__ = ["Haptic", "HapticSettings"]

_log = logging.getLogger("volery")


@dataclass(frozen=True)
class HapticSettings(EndSettings):
    """The entry `haptic` under `protocols` in a scenario."""

    port: int = param(9890, low=0, high=65_535)
    """Where datagrams of the device are taken; 0: any that is free."""
    rate: float = param(500.0, low=1.0, high=1e4)
    """Forces a second [Hz of simulated time]; the simulation's step must be as short."""
    robot: str = ""
    """Whose tool is felt; none: the first robot that has one."""
    moves: Literal["arm", "robot"] = "arm"
    """What the handle moves: the tip of the delta arm, or the robot itself."""
    scale: float = param(1.0, above=0.0, high=1e4)
    """Way of the tool or robot for each metre of the handle."""
    force_scale: float = param(1.0, low=0.0, high=1e4)
    """Force on the hand for each newton on the tool."""


class Haptic(Protocol):
    """One device. Its axes are the robot's, level: x ahead, y left, z up; its middle is where the reference was when it
    came. A device that falls silent leaves the reference where it is."""

    Settings: ClassVar[type] = HapticSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: HapticSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        if simulation.clock.step_ns > nanoseconds(1.0 / settings.rate):
            raise ScenarioError(
                f"haptic: {settings.rate:g} forces a second need a step of at most {1 / settings.rate:g} s; the "
                f"scenario's is {simulation.clock.step_ns / 1e9:g} s"
            )
        self.name = settings.robot or _first_with_tool(simulation)
        if self.name not in simulation.robots:
            raise UnknownNameError("robot", self.name, simulation.robots)
        self._hand = _Hand(simulation, self.name, settings)
        self.unreachable = 0
        """References that the arm does not get to; the last that it does holds."""
        self._publisher: Publisher | None = None
        self._subscriber: Subscriber | None = None
        self._from_topic: np.ndarray | None = None
        self.end = End(f"{self.name}/haptic", settings, 3)
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._tell)
        _log.info("haptic device of %s: UDP %s:%d", self.name, settings.host, self.end.port)

    def start(self) -> None:
        """Listen to the device."""
        self.end.start()

    @property
    def timings(self) -> list[LinkTiming]:
        """Of the device's link."""
        return [self.end.timing]

    def attach(self, bus: Bus) -> None:
        """The same on topics: /robot/haptic/force out and /robot/haptic/reference in."""
        self._publisher = bus.advertise(f"/{self.name}/haptic/force", "geometry_msgs/msg/WrenchStamped")
        self._subscriber = bus.subscribe(
            f"/{self.name}/haptic/reference", "geometry_msgs/msg/PointStamped", on_message=self._hear
        )

    def close(self) -> None:
        """Give the port back and end the topics."""
        if self._control in self.simulation.controllers:
            self.simulation.controllers.remove(self._control)
            self.simulation.listeners.remove(self._tell)
        self.end.close()
        for part in (self._publisher, self._subscriber):
            if part is not None:
                part.close()

    def _hear(self, message: Message) -> None:
        p = message.value.point
        found = np.array([p.x, p.y, p.z])
        if np.isfinite(found).all():
            self._from_topic = found

    def _control(self, simulation: Simulation) -> None:
        if self.name not in simulation.robots:
            return
        began = self.end.heard_ns is None or self.end.gone
        handle, lost = self.end.look(simulation.clock.now_ns)
        if lost:
            _log.warning("haptic device of %s: nothing came for %g s; the reference stays", self.name,
                         self.settings.timeout)  # fmt: skip
        if handle is None and self._from_topic is not None:
            handle, self._from_topic = self._from_topic, None
            began = self._hand.middle is None
        if handle is None:
            return
        if began:
            self._hand.grasp(handle)
        try:
            simulation.command(self.name, self._hand.wanted(handle))
        except RobotError:
            self.unreachable += 1

    def _tell(self, simulation: Simulation) -> None:
        if self.name not in simulation.robots:
            return
        clock = simulation.clock
        self.end.tell(clock.now_ns, clock.step_ns, lambda: self._hand.felt(clock.step_ns / 1e9))
        if self._publisher is not None and self._publisher.wanted:
            force = self._hand.felt(clock.step_ns / 1e9)[:3]
            self._publisher.put(m.wrench_stamped(clock.now_ns, self.name, force, np.zeros(3)), clock.now_ns)


class _Hand:
    """Between the handle's axes and the robot's."""

    def __init__(self, simulation: Simulation, name: str, settings: HapticSettings) -> None:
        self._simulation, self._name, self._settings = simulation, name, settings
        self._robot: Robot | None = None
        self.middle: np.ndarray | None = None
        """Where the reference was when the handle came: in the arm's frame, or in W [m]."""
        self._start, self._yaw = np.zeros(3), 0.0
        block = self.robot.file.delta if self.robot.file is not None else None
        if settings.moves == "arm" and block is None:
            raise ScenarioError(f"haptic: robot '{name}' has no delta arm; set `moves: robot`")
        if settings.moves == "robot" and Pose not in simulation.engine_of(name).understands(name):
            raise ScenarioError(f"haptic: robot '{name}' does not go to places by itself; set `moves: arm`")
        self._R_DB = np.eye(3) if block is None else matrix_from_quat(quat_from_euler(np.radians(block.attitude_deg))).T
        self._prefix = "" if block is None else block.prefix

    @property
    def robot(self) -> Robot:
        """As it is now: a reset makes robots anew."""
        found = self._simulation.robots[self._name]
        if found is not self._robot:
            self._robot, self._tip, self.middle = found, ToolTip(found), None
        return found

    def grasp(self, handle: np.ndarray) -> None:
        """From here on the reference follows the handle; it does not jump."""
        robot = self.robot
        self._start, self._yaw = handle.copy(), self._heading()
        if self._settings.moves == "arm":
            joints = [robot.description.joint(f"{self._prefix}_{a}") for a in "xyz"]
            self.middle = robot.joint_positions[joints].copy()
        else:
            self.middle = robot.p_WB.copy()

    def wanted(self, handle: np.ndarray) -> Any:
        """The command for a place of the handle [3] [m]."""
        if self.middle is None:
            self.grasp(handle)
        assert self.middle is not None
        way = self._settings.scale * (handle - self._start)
        if self._settings.moves == "arm":
            return Reach(self.middle + self._R_DB @ way)
        return Pose(self.middle + _level(self._yaw) @ way, self._yaw)

    def felt(self, dt: float) -> np.ndarray:
        """Force for the hand [N], and the tip's place from the robot's root [m], in the handle's axes: [6]."""
        robot = self.robot
        R = _level(self._heading())
        force = self._settings.force_scale * (self._tip.force_W(dt) @ R)
        return np.concatenate([force, (self._tip.p_WT - robot.p_WB) @ R])

    def _heading(self) -> float:
        return float(euler_from_quat(self.robot.q_WB_wxyz)[2])


def _level(yaw: float) -> np.ndarray:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _first_with_tool(simulation: Simulation) -> str:
    for name, robot in simulation.robots.items():
        if "tool" in robot.description.sites:
            return name
    raise ScenarioError("haptic: no robot of the scenario has a tool, a site `tool` in its model")
