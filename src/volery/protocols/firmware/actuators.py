"""From the outputs of a firmware to what moves a robot: rotors, wheels, or an aeroplane's surfaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np

from volery.errors import RobotError
from volery.protocols.firmware.layouts import Fit, fit
from volery.robots.commands import Command, Joints, Motors, Steer, Wheels
from volery.robots.kinds.drive import Drive
from volery.sim import Simulation

__all__ = ["Actuators", "PlaneActuators", "Rotors", "RoverActuators", "actuators_of"]

OUTPUTS = 4
"""An aeroplane's: ailerons, elevator, throttle, rudder."""


class Actuators(ABC):
    """Of one robot."""

    kind: str
    """copter, rover or plane."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation, self.name = simulation, name
        self._told: np.ndarray | None = None

    def drive(self, outputs: np.ndarray) -> None:
        """Outputs of the firmware, [n]: -1 to 1, motors 0 to 1. What is as it was is not told again."""
        if self._told is None or not np.array_equal(outputs, self._told):
            self._told = outputs.copy()
            for command in self.commands(outputs):
                self._simulation.command(self.name, command)

    def forget(self) -> None:
        """The robot was made anew or put elsewhere, and has forgotten what it was told."""
        self._told = None

    def stop(self) -> None:
        """What speed controllers do when no signal comes: nothing turns any more."""
        if self._told is not None and self._told.any():
            self.drive(np.zeros_like(self._told))

    @abstractmethod
    def commands(self, outputs: np.ndarray) -> list[Command]:
        """What the robot is told."""


class Rotors(Actuators):
    """A multirotor."""

    kind = "copter"

    def __init__(self, simulation: Simulation, name: str, firmware: str, curve: float) -> None:
        """curve: how a motor's thrust t follows its output u: t = (1 - curve)·u + curve·u²."""
        super().__init__(simulation, name)
        self.curve = curve
        self.fit: Fit = fit(firmware, simulation.robots[name])
        self._turn()

    def forget(self) -> None:
        """Propellers that were changed are changed on the new robot too."""
        super().forget()
        self._turn()

    def _turn(self) -> None:
        robot = self._simulation.robots[self.name]
        assert robot.file is not None and robot.file.multirotor is not None
        block = robot.file.multirotor
        now = fit_ways(self.fit, len(block.rotors))
        if self.fit.turned and [r.spin for r in block.rotors] != now:
            rotors = tuple(replace(r, spin=s) for r, s in zip(block.rotors, now, strict=True))
            robot.file = robot.file.with_block("multirotor", replace(block, rotors=rotors))
            self._simulation.engine_of(self.name).tune(self.name)

    def commands(self, outputs: np.ndarray) -> list[Command]:
        """Speeds such that the thrust follows the curve; an output of 0 is a motor at rest."""
        robot = self._simulation.robots[self.name]
        assert robot.file is not None and robot.file.multirotor is not None
        block = robot.file.multirotor
        u = np.clip(outputs[: len(block.rotors)], 0.0, 1.0)
        speed = np.sqrt((1.0 - self.curve) * u + self.curve * u * u) * block.most_rpm
        share = np.clip((speed - block.idle_rpm) / (block.most_rpm - block.idle_rpm), 0.0, 1.0)
        values = np.zeros(len(block.rotors))
        values[list(self.fit.order)] = share
        return [Motors(values)]


def fit_ways(found: Fit, count: int) -> list[str]:
    """Which way each rotor of the robot must turn for a firmware."""
    ways = [""] * count
    for rotor, (_, spin) in zip(found.order, found.layout.motors, strict=True):
        ways[rotor] = spin
    return ways


class RoverActuators(Actuators):
    """What drives: outputs are steering (to the right) and throttle, or throttles of the left and the right side."""

    kind = "rover"

    def __init__(self, simulation: Simulation, name: str, drive: Drive) -> None:
        super().__init__(simulation, name)
        self._drive = drive
        self.steered = drive.kind == "ackermann"
        """Whether the first output steers; false: each side has a throttle."""

    def commands(self, outputs: np.ndarray) -> list[Command]:
        """Full throttle is the top speed, full steering the most that wheels are steered."""
        first, second = (float(x) for x in np.clip(outputs[:2], -1.0, 1.0))
        fastest = self._drive.top_speed / self._drive.radius
        if self.steered:
            return [Steer(second * fastest, -first * self._drive.top_steer)]
        return [Wheels(first * fastest, second * fastest)]


class PlaneActuators(Actuators):
    """An aeroplane: outputs are ailerons (right wing down), elevator (nose up), throttle, rudder (nose right)."""

    kind = "plane"

    def commands(self, outputs: np.ndarray) -> list[Command]:
        """Each control gets its share of the stick, as the robot's own pilot gives it."""
        robot = self._simulation.robots[self.name]
        assert robot.file is not None and robot.file.aircraft is not None
        aircraft = robot.file.aircraft
        roll, pitch, throttle, yaw = (float(x) for x in np.clip(outputs[:OUTPUTS], -1.0, 1.0))
        angles = dict.fromkeys(aircraft.controls, 0.0)
        for stick, shares in ((roll, aircraft.pilot.roll), (pitch, aircraft.pilot.pitch), (-yaw, aircraft.pilot.yaw)):
            for name, share in shares.items():
                angles[name] += stick * share * float(aircraft.ranges[aircraft.control(name)])
        for name in angles:
            most = float(aircraft.ranges[aircraft.control(name)])
            angles[name] = min(max(angles[name], -most), most)
        motors = Motors(np.full(len(aircraft.propellers), max(throttle, 0.0)))
        return [Joints(positions=angles), motors]


def actuators_of(simulation: Simulation, name: str, firmware: str, curve: float) -> Actuators:
    """Those of a robot; an error if a firmware cannot fly or drive it."""
    robot = simulation.robots[name]
    takes = simulation.engine_of(name).understands(name)
    file = robot.file
    if file is not None and file.multirotor is not None and Motors in takes:
        return Rotors(simulation, name, firmware, curve)
    if file is not None and file.aircraft is not None and Joints in takes and Motors in takes:
        return PlaneActuators(simulation, name)
    if file is not None and file.drive is not None and (Wheels in takes or Steer in takes):
        return RoverActuators(simulation, name, file.drive)
    raise RobotError(
        f"robot '{name}' cannot be flown by {firmware}: it takes a multirotor, wheels with a `drive`, or an aeroplane, "
        "moved by physics that have forces, such as `physics: fleet` or `mujoco`"
    )
