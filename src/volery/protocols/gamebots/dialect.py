"""The three dialects: units, axes, angles and numbers on the wire. The only place where they meet ours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler, quat_from_matrix
from volery.protocols.gamebots.grammar import written

__all__ = ["DIALECTS", "Dialect", "DialectName"]

DialectName = Literal["ut2003", "ut2004", "udk"]
DIALECTS: tuple[DialectName, ...] = ("ut2003", "ut2004", "udk")
_TURN = 65_536
"""Unreal's units of a full turn."""


@dataclass(frozen=True)
class Dialect:
    """How one port speaks.

    ut2003: Unreal's units, x forward, y right, z up (left-handed), angles in 65536ths of a turn in the order pitch,
    yaw, roll. ut2004 and udk: metres, x forward, y right, z down, angles in radians in the order roll, pitch, yaw.
    The world's x is ours; its y and, but for ut2003, its z are turned round.
    """

    name: DialectName = "ut2004"
    uu: float = 140.0
    """Unreal's units per metre, for ut2003."""
    origin_W: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the wire's (0, 0, 0) lies in W [m]."""

    @property
    def old(self) -> bool:
        """Whether it is the manual's."""
        return self.name == "ut2003"

    @property
    def udk(self) -> bool:
        """Whether it is the last one's."""
        return self.name == "udk"

    @property
    def period(self) -> float:
        """Of state messages [s]."""
        return 0.1 if self.udk else 0.2

    # Lengths and places

    def length(self, metres: float, decimals: int | None = None) -> str:
        """A length."""
        if self.old:
            return written(metres * self.uu, 2 if decimals is None else decimals)
        return written(metres, 4 if decimals is None else decimals)

    def metres(self, value: float) -> float:
        """A length that came [m]."""
        return value / self.uu if self.old else value

    def vector(self, v: Sequence[float] | np.ndarray, decimals: int | None = None) -> str:
        """A difference of two points of W, or a point in a body's axes [m]: three numbers."""
        x, y, z = (float(c) for c in v)
        return ",".join(self.length(c, decimals) for c in (x, -y, z if self.old else -z))

    def point(self, p_W: Sequence[float] | np.ndarray, decimals: int | None = None) -> str:
        """A point of W [m]: three numbers."""
        return self.vector(np.asarray(p_W, float) - self.origin_W, decimals)

    def place(self, values: Sequence[float]) -> np.ndarray:
        """A point of W that came [m]; what is missing is 0."""
        return self.shift(values) + self.origin_W

    def shift(self, values: Sequence[float]) -> np.ndarray:
        """A difference of two points of W that came, or a point in a body's axes [m]; what is missing is 0."""
        x, y, z = (*values, 0.0, 0.0, 0.0)[:3]
        return np.array([x, -y, z if self.old else -z]) / (self.uu if self.old else 1.0)

    # Angles

    def angle(self, radians: float, decimals: int = 4) -> str:
        """An angle; its sense is the caller's."""
        return written(radians * _TURN / (2 * math.pi), 0) if self.old else written(radians, decimals)

    def radians(self, value: float) -> float:
        """An angle that came [rad]."""
        return value * 2 * math.pi / _TURN if self.old else value

    def turned(self, rpy: Iterable[float], decimals: int = 4, positive: bool = False) -> str:
        """Roll, pitch and yaw [rad] of an FLU body against FLU axes; positive: from 0 to a full turn."""
        roll, pitch, yaw = (float(a) for a in rpy)
        angles = [-pitch, -yaw, roll] if self.old else [roll, -pitch, -yaw]
        if self.old:
            return ",".join(self.heading(a) for a in angles)
        if positive:
            angles = [a % (2 * math.pi) for a in angles]
        return ",".join(self.angle(a, decimals) for a in angles)

    def heading(self, radians: float) -> str:
        """A direction, which in ut2003 is never negative."""
        return str(int(self.angle(radians)) % _TURN) if self.old else written(radians)

    def attitude(self, q_wxyz: np.ndarray, decimals: int = 4, positive: bool = False) -> str:
        """An attitude as angles."""
        return self.turned(euler_from_quat(q_wxyz), decimals, positive)

    def facing(self, R: np.ndarray) -> str:
        """A rotation [3, 3] as angles."""
        return self.attitude(quat_from_matrix(np.ascontiguousarray(R)))

    def rpy(self, values: Sequence[float]) -> np.ndarray:
        """Roll, pitch, yaw [rad] in our sense of angles that came; what is missing is 0."""
        a, b, c = (self.radians(v) for v in (*values, 0.0, 0.0, 0.0)[:3])
        roll, pitch, yaw = (c, a, b) if self.old else (a, b, c)
        return np.array([roll, -pitch, -yaw])

    def quaternion(self, values: Sequence[float]) -> np.ndarray:
        """The attitude of angles that came (w, x, y, z)."""
        return quat_from_euler(self.rpy(values))

    def matrix(self, values: Sequence[float]) -> np.ndarray:
        """The rotation of angles that came, [3, 3]."""
        return matrix_from_quat(self.quaternion(values))

    # Times

    def time(self, now_ns: int) -> str:
        """Simulated seconds."""
        return written(now_ns * 1e-9, 4 if self.udk else 2)
