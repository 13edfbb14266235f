"""The keys of settings.json by which the firmware of a vehicle is reached."""

from __future__ import annotations

from dataclasses import dataclass

from volery.protocols.airsim.settings_values import Values

__all__ = ["FIRMWARES", "FirmwareKeys", "firmware_keys"]

FIRMWARES = {"px4multirotor": "px4", "arducopter": "ardupilot", "ardurover": "ardupilot"}
"""By VehicleType in small letters."""


@dataclass(frozen=True)
class FirmwareKeys:
    """How a vehicle's firmware is reached."""

    firmware: str
    """px4 or ardupilot."""
    port: int
    """Of ours: TCP for PX4, UDP for ArduPilot."""
    answers: str = "127.0.0.1"
    answer_port: int = 9003
    """Where ArduPilot reads states."""
    host: str = "127.0.0.1"
    lockstep: bool = True


def firmware_keys(kind: str, values: Values) -> FirmwareKeys | None:
    """Those of a vehicle's section; None: the built-in controller moves it."""
    firmware = FIRMWARES.get(kind.lower())
    if firmware is None:
        return None
    host = values.text("LocalHostIp", "127.0.0.1")
    if firmware == "px4":
        if values.flag("UseSerial", False):
            raise values.error("UseSerial", "boards on serial lines are not flown here; set it to false for PX4's SITL")
        if not values.flag("UseTcp", True):
            raise values.error("UseTcp", "PX4's SITL speaks TCP to simulators; set it to true")
        port = values.whole("TcpPort", 4560, 1, 65_535)
        return FirmwareKeys(firmware, port, host=host, lockstep=values.flag("LockStep", True))
    control = values.whole("ControlPort", 9002, 1, 65_535)
    answers, port = values.text("UdpIp", "127.0.0.1"), values.whole("UdpPort", 9003, 1, 65_535)
    return FirmwareKeys(firmware, control, answers, port, host)
