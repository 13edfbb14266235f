"""Steered wheels, in front, behind or both: angle and speed of each so that all roll about one centre (Ackermann)."""

from __future__ import annotations

import math

import numpy as np

from volery.errors import RobotError
from volery.robots.description import Description
from volery.robots.kinds.drive import Drive
from volery.robots.kinematics import compose

__all__ = ["Steering"]

_STRAIGHT = 1e-6
"""Curvature below which it is straight on [1/m]."""


class Steering:
    """Where a robot's wheels stand, and what follows from it. Angles are positive to the left."""

    def __init__(self, drive: Drive, description: Description) -> None:
        self._drive = drive
        at = _places(description)
        self._wheel = {j: at[description.joints[description.joint(j)].body] for j in (*drive.left, *drive.right)}
        self._front = {j: at[description.joints[description.joint(j)].body] for j in drive.steer_front}
        self._rear = {j: at[description.joints[description.joint(j)].body] for j in drive.steer_rear}
        steer = [description.joints[description.joint(j)] for j in (*drive.steer_front, *drive.steer_rear)]
        self._range = {j.name: (j.low, j.high) for j in steer}
        self._steers = {j: self._steered(j, description) for j in self._wheel}
        fixed = [p for j, p in self._wheel.items() if not self._steers[j]]
        unsteered = float(np.mean([p[0] for p in fixed])) if fixed else 0.0
        self.front = float(np.mean([p[0] for p in self._front.values()])) if self._front else unsteered
        """Where the front axle is ahead of the origin [m]."""
        self.rear = float(np.mean([p[0] for p in self._rear.values()])) if self._rear else unsteered
        """Where the rear axle is [m]."""
        if self.front - self.rear < 1e-3:
            raise RobotError("drive: the front wheels that steer must stand ahead of the rear ones")

    def angles(self, v: float, yaw_rate: float) -> tuple[float, float]:
        """Angles of front and rear axle [rad] to turn left at a rate [rad/s] while going ahead at v [m/s]."""
        most = self._drive.top_steer
        if abs(v) < 1e-4:
            return 0.0, 0.0
        share = 1.0 / (bool(self._front) + bool(self._rear))
        angle = math.atan(share * (self.front - self.rear) * yaw_rate / v)
        angle = min(max(angle, -most), most)
        return angle if self._front else 0.0, -angle if self._rear else 0.0

    def joints(self, v: float, front: float, rear: float) -> tuple[dict[str, float], dict[str, float]]:
        """Speeds of the wheels [rad/s] and angles of the steering joints [rad] for axle angles, at v ahead [m/s]."""
        most = self._drive.top_steer
        front = min(max(front, -most), most) if self._front else 0.0
        rear = min(max(rear, -most), most) if self._rear else 0.0
        curvature = (math.tan(front) - math.tan(rear)) / (self.front - self.rear)
        omega = v / self._drive.radius
        if abs(curvature) < _STRAIGHT:
            turned = {**dict.fromkeys(self._front, front), **dict.fromkeys(self._rear, rear)}
            return dict.fromkeys(self._wheel, omega), turned
        y = 1.0 / curvature
        x = self.front - y * math.tan(front)
        turned = {j: math.atan((p[0] - x) / (y - p[1])) for j, p in {**self._front, **self._rear}.items()}
        turned = {j: min(max(a, self._range[j][0]), self._range[j][1]) for j, a in turned.items()}
        speeds = {j: omega * math.hypot(p[0] - x, y - p[1]) / abs(y) for j, p in self._wheel.items()}
        return speeds, turned

    def by_sides(self, v: float, yaw_rate: float) -> tuple[dict[str, float], dict[str, float]]:
        """The same for a motion that the wheels of each side are told, which may be turning on the spot.

        All wheels stand square to the way to one centre, on the line of those that do not steer, or half-way between
        two axles that do; a wheel that cannot stand so far round slides a little."""
        if abs(yaw_rate) < _STRAIGHT * max(abs(v), 1.0):
            return self.joints(v, 0.0, 0.0)
        x = self.rear if not self._rear else self.front if not self._front else 0.5 * (self.front + self.rear)
        y = v / yaw_rate
        turned, speeds = {}, {}
        for j, p in {**self._front, **self._rear}.items():
            # Forwards or backwards: the nearer of the two.
            angle = math.atan((p[0] - x) / (y - p[1])) if abs(y - p[1]) > 1e-9 else math.copysign(math.pi / 2, yaw_rate)
            turned[j] = min(max(angle, self._range[j][0]), self._range[j][1])
        for j, p in self._wheel.items():
            rolling = math.copysign(1.0, y - p[1]) if self._steers[j] else (y - p[1]) / math.hypot(p[0] - x, y - p[1])
            speeds[j] = rolling * yaw_rate * math.hypot(p[0] - x, y - p[1]) / self._drive.radius
        fastest = max(abs(s) for s in speeds.values()) * self._drive.radius
        share = min(1.0, self._drive.top_speed / max(fastest, 1e-9))
        return {j: share * s for j, s in speeds.items()}, turned

    def _steered(self, wheel: str, description: Description) -> bool:
        """Whether a wheel's body, or one that carries it, is turned by a steering joint."""
        joints = (*self._drive.steer_front, *self._drive.steer_rear)
        bodies = {description.joints[description.joint(j)].body for j in joints}
        body = description.joints[description.joint(wheel)].body
        while body >= 0:
            if body in bodies:
                return True
            body = int(description.parent[body])
        return False


def _places(description: Description) -> np.ndarray:
    """Of each body in the root's frame at rest, [b, 3] [m]."""
    X = np.empty_like(description.X_PB)
    for b, parent in enumerate(description.parent):
        if parent < 0:
            X[b] = np.eye(3, 4)
        else:
            compose(X[parent], description.X_PB[b], X[b])
    return X[:, :, 3]
