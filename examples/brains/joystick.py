"""Joystick: drive with a gamepad or joystick that Linux shows as /dev/input/js0; button 1 stops."""

from __future__ import annotations

import os
import struct

from robots import Robot, run

DEVICE = "/dev/input/js0"
EVENT = struct.Struct("IhBB")
"""Time [ms], value, kind, number."""
BUTTON, AXIS = 1, 2


class Joystick:
    """Moves the robot as the stick is held: axis 1 forwards, axis 0 to the side."""

    def __init__(self, device: str = DEVICE, dead: float = 0.08) -> None:
        """dead: how far from the middle the stick may rest and still count as let go."""
        self._file = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
        self._rest = b""
        self._dead = dead
        self.axes: dict[int, float] = {}

    def __call__(self, robot: Robot) -> None:
        """Take what the stick did, and move."""
        self.read()
        robot.move(-self._axis(1), -self._axis(0))

    def read(self) -> None:
        """All events that wait."""
        while True:
            try:
                data = os.read(self._file, EVENT.size * 64)
            except BlockingIOError:
                return
            if not data:
                return
            self._rest += data
            whole = len(self._rest) // EVENT.size * EVENT.size
            for _, value, kind, number in EVENT.iter_unpack(self._rest[:whole]):
                if kind & AXIS:
                    self.axes[number] = value / 32767
                elif kind & BUTTON and value and number == 1:
                    self.axes.clear()
            self._rest = self._rest[whole:]

    def _axis(self, number: int) -> float:
        value = self.axes.get(number, 0.0)
        return 0.0 if abs(value) < self._dead else max(-1.0, min(1.0, value))


if __name__ == "__main__":
    run(Joystick())
