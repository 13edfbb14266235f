"""A wall follower: the wall stays on the right, at one distance, round corners and into dead ends and out of them."""

from __future__ import annotations

from robots import Robot, run

DISTANCE = 0.45
"""Between the robot's middle and the wall [m]."""


class WallFollower:
    """Steers by the distance to the right, and by how it changes."""

    def __init__(self, distance: float = DISTANCE) -> None:
        self._distance = distance
        self._before: float | None = None

    def __call__(self, robot: Robot) -> None:
        """One thought."""
        wall, ahead = robot.nearest(-110, -40), robot.nearest(-25, 25)
        nearer = 0.0 if self._before is None else wall - self._before
        self._before = wall
        if ahead < self._distance + 0.15:
            robot.move(0.0, 0.5)  # a corner: turn left until the way is free
        elif wall > 2.0 * self._distance:
            robot.move(0.35, -0.35)  # the wall ends: round its end
        else:
            off = self._distance - wall
            robot.move(0.5, max(-0.4, min(0.4, 1.0 * off - 4.0 * nearer)))


if __name__ == "__main__":
    run(WallFollower())
