"""Vehicles of AirSim that a firmware flies: PX4Multirotor, ArduCopter and ArduRover, by the keys of settings.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from volery.loop import Loop
from volery.protocols.airsim.firmware_keys import FirmwareKeys
from volery.protocols.ardupilot.door import ArduPilot, ArduPilotLink, ArduPilotSettings
from volery.protocols.firmware.actuators import Actuators, RoverActuators
from volery.protocols.firmware.door import FirmwareDoor
from volery.protocols.px4.door import Px4, Px4Settings
from volery.robots.commands import Command
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["open_firmware"]

_PATIENCE = 3.0


def open_firmware(door: AirSim, name: str, keys: FirmwareKeys) -> FirmwareDoor:
    """The door for one vehicle that has entered the world."""
    simulation, loop = door.simulation, door.loop
    if keys.firmware == "px4":
        px4 = Px4Settings(
            robots=(name,), host=keys.host, port=keys.port, lockstep=keys.lockstep, silent="go_on", patience=_PATIENCE,
            restart="stay", ground=False, altitude=door.settings.origin[2],
        )  # fmt: skip
        return Px4(simulation, loop, px4)
    ardupilot = ArduPilotSettings(
        robots=(name,), host=keys.host, port=keys.port, dialect="airsim", answers=keys.answers,
        answer_port=keys.answer_port, silent="go_on", patience=_PATIENCE, restart="stay", ground=False,
        altitude=door.settings.origin[2],
    )  # fmt: skip
    if door.settings.vehicles[name].kind == "car":
        return _CarDoor(door, simulation, loop, ardupilot)
    return ArduPilot(simulation, loop, ardupilot)


class _CarActuators(RoverActuators):
    """AirSim's car, whose pedals and wheel the firmware has."""

    def __init__(self, door: AirSim, simulation: Simulation, name: str) -> None:
        Actuators.__init__(self, simulation, name)
        self._door, self.steered = door, True

    def commands(self, outputs: np.ndarray) -> list[Command]:
        """Steering to the right, and throttle; the car turns them into torques of its wheels."""
        from volery.protocols.airsim.car import CarControls

        steering, throttle = (float(x) for x in np.clip(outputs[:2], -1.0, 1.0))
        self._door.car(self.name).controls = CarControls(throttle, steering, 1.0 if throttle == 0.0 else 0.0)
        return []


class _CarLink(ArduPilotLink):
    """ArduRover's."""

    airsim: ClassVar[AirSim]

    def make_actuators(self, curve: float) -> Actuators:
        """Those of AirSim's car."""
        return _CarActuators(self.airsim, self.simulation, self.name)


class _CarDoor(ArduPilot):
    """ArduPilot's door for one of AirSim's cars."""

    def __init__(self, door: AirSim, simulation: Simulation, loop: Loop, settings: ArduPilotSettings) -> None:
        self.link_type = type("_Link", (_CarLink,), {"airsim": door})
        super().__init__(simulation, loop, settings)
