"""BBWander: behaviours that all have their say, and the robot does the mean of what they want.

A behaviour looks at the robot and gives a weight and a wish: how much it matters now, ahead and turn. Nothing is
remembered but which way the robot last turned, so that it does not tremble in a corner.
"""

from __future__ import annotations

from robots import Robot, run


def fuzzy(value: float, low: float, high: float) -> float:
    """0 below low, 1 above high, and between in between."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


class BBWander:
    """Go straight where there is room, keep off what is near, turn away from what is ahead."""

    def __init__(self) -> None:
        self._side = 1.0

    def __call__(self, robot: Robot) -> None:
        """One thought."""
        wishes = [self.straight(robot), self.keep_off(robot), self.turn_away(robot)]
        total = sum(weight for weight, _, _ in wishes)
        robot.move(*(sum(wish[0] * wish[i] for wish in wishes) / total for i in (1, 2)))

    def straight(self, robot: Robot) -> tuple[float, float, float]:
        """Ahead, the faster the more room there is."""
        return 0.2, fuzzy(robot.nearest(-30, 30), 0.3, 1.5), 0.0

    def keep_off(self, robot: Robot) -> tuple[float, float, float]:
        """Away from the nearer side."""
        left, right = robot.nearest(25, 95), robot.nearest(-95, -25)
        return 1.0 - fuzzy(min(left, right), 0.25, 0.6), 0.3, 0.5 if left > right else -0.5

    def turn_away(self, robot: Robot) -> tuple[float, float, float]:
        """Turn on the spot until the way is free."""
        blocked = 1.0 - fuzzy(robot.nearest(-35, 35), 0.45, 0.8)
        if blocked == 0.0:
            self._side = 1.0 if robot.nearest(35, 90) > robot.nearest(-90, -35) else -1.0
        return 4.0 * blocked, -0.1, 0.7 * self._side


if __name__ == "__main__":
    run(BBWander())
