"""Slider: two sliders in the terminal, for the speed and for turning. Arrows move them, space sets both to 0."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from robots import Robot, run

STEP = 0.1
KEYS = {"\x1b[A": (STEP, 0.0), "\x1b[B": (-STEP, 0.0), "\x1b[C": (0.0, -STEP), "\x1b[D": (0.0, STEP)}
"""Up, down, right and left."""


class Slider:
    """Moves the robot as the sliders stand."""

    def __init__(self, keys: int = 0, show: bool = True) -> None:
        """keys: where keys are read from, by default the terminal; show: whether the sliders are drawn."""
        self._keys, self._show = keys, show
        self.ahead = self.turn = 0.0

    def __call__(self, robot: Robot) -> None:
        """Take the keys that were pressed, and move."""
        while select.select([self._keys], [], [], 0)[0]:
            pressed = os.read(self._keys, 64).decode(errors="replace")
            if not pressed:
                break
            self.press(pressed)
        robot.move(self.ahead, self.turn)
        if self._show:
            ahead = robot.nearest(-20, 20)
            sys.stdout.write(f"\rahead {_bar(self.ahead)}  turn {_bar(-self.turn)}  free {ahead:5.2f} m ")
            sys.stdout.flush()

    def press(self, pressed: str) -> None:
        """Move the sliders; unknown keys do nothing."""
        for key, (ahead, turn) in KEYS.items():
            count = pressed.count(key)
            self.ahead = max(-1.0, min(1.0, round(self.ahead + count * ahead, 3)))
            self.turn = max(-1.0, min(1.0, round(self.turn + count * turn, 3)))
        if " " in pressed:
            self.ahead = self.turn = 0.0


def _bar(value: float) -> str:
    marks = ["-"] * 21
    marks[10], marks[10 + round(10 * value)] = "|", "#"
    return "[" + "".join(marks) + "]"


@contextmanager
def single_keys() -> Iterator[None]:
    """Have the terminal give keys at once, and as it was afterwards."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(0)
    tty.setcbreak(0)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


if __name__ == "__main__":
    with single_keys():
        run(Slider())
