"""Many drones as rows of tables: they come and go, are told what to do, and are kept and brought back."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from volery.core.frames import matrix_from_quat
from volery.errors import CommandError
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.orders import TAKES, order_of
from volery.physics.multirotor.parameters import Airframe
from volery.robots.commands import Command, Motors, Pose, Wrench
from volery.robots.multirotor import Bumper

__all__ = ["Batch"]

_LOOPS_OF = {  # first of the loops (position, velocity, attitude, rate) that a level runs
    at.POSITION: 0, at.VELOCITY_HEADING: 1, at.VELOCITY_RATE: 1, at.ACCELERATION_HEADING: 2, at.ACCELERATION_RATE: 2,
    at.ATTITUDE: 2, at.TILT_RATE: 2, at.BODY_RATE: 3,
}  # fmt: skip
_FIRST_LOOP = np.array([_LOOPS_OF.get(level, 4) for level in range(at.LEVELS)])
_TABLES = ("state", "reference", "level", "kind")


class Batch:
    """Rows 0 to n − 1 of `state`, `reference`, `level` and `kind` are the drones; `parameters` has a row per kind."""

    takes: ClassVar[tuple[type[Command], ...]] = (*TAKES, Wrench)

    def __init__(self, *, kick: bool = False) -> None:
        """kick: loops that begin count from an error of 0, as in the MRS simulator; else their first has no slope."""
        self._unseen = np.where(np.isnan(_FRESH), 0.0, _FRESH) if kick else _FRESH
        self.version = 0
        """Counts drones that came, went, or became others."""
        self.names: list[str] = []
        self.rows: dict[str, int] = {}
        self.state = np.zeros((8, at.STATE))
        self.reference = np.zeros((8, at.REFERENCE))
        self.level = np.zeros(8, np.int32)
        self.kind = np.zeros(8, np.int32)
        self.parameters = np.zeros((0, at.PARAMETERS))
        self.balls = np.zeros((0, 4))
        """Bumpers of all kinds: centre about the centre of mass in B [m], radius [m]."""
        self.ball_span = np.zeros((0, 2), np.int64)
        """Of each kind: first and number of its bumpers."""
        self.ball_bodies: list[str] = []
        """Whose contact each bumper reports; empty: the root's."""
        self._kinds: dict[tuple[Airframe, tuple[Bumper, ...]], int] = {}

    def __len__(self) -> int:
        return len(self.names)

    # Coming and going

    def add(self, name: str, airframe: Airframe, bumpers: tuple[Bumper, ...] = ()) -> int:
        """A drone's row; it is at the origin, level, its motors off."""
        i = len(self.names)
        self.version += 1
        if i == len(self.level):
            for table in _TABLES:
                old = getattr(self, table)
                setattr(self, table, np.concatenate([old, np.zeros_like(old)]))
        self.names.append(name)
        self.rows[name] = i
        self.state[i], self.reference[i] = 0.0, 0.0
        self.kind[i], self.level[i] = self._kind(airframe, bumpers), at.OFF
        self.state[i, at.QUAT] = 1.0
        self.state[i, at.PID : at.CHARGE] = self._unseen
        battery = airframe.battery
        self.state[i, at.CHARGE] = 0.0 if battery is None else 3600.0 * battery.capacity * battery.charge
        return i

    def remove(self, name: str) -> None:
        """Take a drone out; the last one takes its row."""
        self.version += 1
        i, last = self.rows.pop(name), len(self.names) - 1
        moved = self.names.pop()
        if i != last:
            self.names[i] = moved
            self.rows[moved] = i
            for table in _TABLES:
                getattr(self, table)[i] = getattr(self, table)[last]

    def tune(self, name: str, airframe: Airframe, bumpers: tuple[Bumper, ...] = ()) -> None:
        """Give a drone another airframe with as many rotors; it flies on, its battery as full as it was."""
        self.version += 1
        i = self.rows[name]
        share, old = self._share(i, airframe), int(self.kind[i])
        alone = np.count_nonzero(self.kind[: len(self.names)] == old) == 1
        if alone and (airframe, bumpers) not in self._kinds and self.ball_span[old, 1] == len(bumpers):
            # Nobody else has the old airframe: its row is used again, lest the tables grow with every change
            self._kinds = {key: k for key, k in self._kinds.items() if k != old} | {(airframe, bumpers): old}
            first, count = self.ball_span[old]
            self.parameters[old], self.balls[first : first + count] = _rows(airframe, bumpers)
        else:
            self.kind[i] = self._kind(airframe, bumpers)
        self.state[i, at.CHARGE] = share * self.parameters[self.kind[i], at.CAPACITY]

    def _share(self, i: int, airframe: Airframe) -> float:
        """How full the battery of a drone's new airframe is: as its old one, else as one at the start."""
        capacity = self.parameters[self.kind[i], at.CAPACITY]
        if capacity > 0:
            return float(self.state[i, at.CHARGE] / capacity)
        return 0.0 if airframe.battery is None else airframe.battery.charge

    # Motion

    def place(self, i: int, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_WB_W: np.ndarray, w_WB_W: np.ndarray) -> None:
        """Put a drone's root somewhere: position [m], attitude, velocities [m/s, rad/s] in W."""
        row, R = self.state[i], matrix_from_quat(q_WB_wxyz)
        arm = R @ self.parameters[self.kind[i], at.CENTRE : at.CENTRE + 3]
        row[at.POS : at.POS + 3] = p_WB + arm
        row[at.VEL : at.VEL + 3] = v_WB_W + np.cross(w_WB_W, arm)
        row[at.QUAT : at.QUAT + 4] = q_WB_wxyz
        row[at.SPIN : at.SPIN + 3] = R.T @ w_WB_W
        row[at.PID : at.CHARGE] = self._unseen

    def hover(self, i: int) -> None:
        """Stay where the root is, rotors at the speed for it."""
        p = self.parameters[self.kind[i]]
        count = int(p[at.COUNT])
        root = (
            self.state[i, at.POS : at.POS + 3]
            - matrix_from_quat(self.state[i, at.QUAT : at.QUAT + 4]) @ (p[at.CENTRE : at.CENTRE + 3])
        )
        self.state[i, at.RPM : at.RPM + count] = (
            np.sqrt(p[at.MASS] * p[at.GRAVITY] / p[at.LIFT]) * (p[at.MIX : at.BUMPER].reshape(at.ROTORS, 4)[:count, 3])
        )
        self.tell(i, Pose(root))

    def stop(self, i: int) -> None:
        """Motors off, at once."""
        self.state[i, at.RPM : at.RPM + at.ROTORS] = 0.0
        self.level[i] = at.OFF

    # Commands

    def tell(self, i: int, command: Command) -> None:
        """Give a drone a command; one it cannot follow is refused before anything changes. A crashed one stays down."""
        if isinstance(command, Wrench):
            self.reference[i, at.PUSH : at.PUSH + 6] = [*command.force_W, *command.torque_W]
            return
        level, values = self._values(i, command)
        if self.level[i] == at.CRASHED:
            return
        self._engage(i, level)
        row = self.reference[i]
        row[: at.PUSH] = 0.0
        row[at.DRIFT : at.DRIFT + 3] = 0.0
        for column, value in values.items():
            row[column : column + np.size(value)] = value

    def tell_all(self, level: int, values: dict[int, np.ndarray]) -> None:
        """Give all drones a command of one level, what it says by columns of the reference, [n] or [n, k] each; it is
        finite and within limits, as those of `tell` are. Crashed ones stay down."""
        n = len(self.names)
        told = np.flatnonzero(self.level[:n] != at.CRASHED)
        before, after = _FIRST_LOOP[self.level[told]], int(_FIRST_LOOP[level])
        for b in np.unique(before[before > after]):
            self.state[told[before == b], at.PID + 6 * after : at.PID + 6 * b] = self._unseen[: 6 * (b - after)]
        self.level[told] = level
        row = np.zeros((n, at.REFERENCE))
        row[:, at.PUSH : at.PUSH + 6] = self.reference[:n, at.PUSH : at.PUSH + 6]
        for column, value in values.items():
            row[:, column : column + (value.shape[1] if value.ndim > 1 else 1)] = value.reshape(n, -1)
        self.reference[told] = row[told]

    def follow(self, i: int, p_W: np.ndarray, v_W: np.ndarray) -> None:
        """Be on a path: at p_W [m] now, moving on at v_W [m/s], nose ahead; a stop keeps the heading."""
        if self.level[i] == at.CRASHED:
            return
        row = self.reference[i]
        flat = np.hypot(v_W[0], v_W[1]) > 1e-9
        yaw = np.arctan2(v_W[1], v_W[0]) if flat else row[at.REF_YAW]
        self._engage(i, at.POSITION)
        row[: at.PUSH] = 0.0
        row[at.REF_P : at.REF_P + 3], row[at.REF_V : at.REF_V + 3], row[at.DRIFT : at.DRIFT + 3] = p_W, v_W, v_W
        row[at.REF_YAW] = yaw

    def heading(self, i: int) -> float:
        """Where a drone's nose points to, from east to north [rad]."""
        w, x, y, z = self.state[i, at.QUAT : at.QUAT + 4].tolist()
        return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def _values(self, i: int, command: Command) -> tuple[int, dict[int, Any]]:
        """The level of a command, and what it says by column."""
        p = self.parameters[self.kind[i]]
        if isinstance(command, Motors) and (len(command.values) != int(p[at.COUNT]) or (command.values < 0).any()):
            raise CommandError(
                f"robot '{self.names[i]}' has {int(p[at.COUNT])} rotors, each of which takes 0 to 1; "
                f"got {command.values.tolist()}"
            )
        return order_of(command, p, self.heading(i))

    def _engage(self, i: int, level: int) -> None:
        """Change a drone's level; loops that begin to run begin afresh."""
        before, after = (_LOOPS_OF.get(int(x), 4) for x in (self.level[i], level))
        if after < before:
            self.state[i, at.PID + 6 * after : at.PID + 6 * before] = self._unseen[: 6 * (before - after)]
        self.level[i] = level

    # Keeping

    def keep(self) -> dict:
        """Plain data that `bring_back` takes."""
        n = len(self.names)
        return {
            "names": list(self.names), "state": self.state[:n].copy(), "reference": self.reference[:n].copy(),
            "level": self.level[:n].copy(),
        }  # fmt: skip

    def bring_back(self, kept: dict) -> None:
        """Continue where `keep` was called; the same drones are there, in whatever order."""
        self.version += 1
        names = list(kept["names"])
        n = len(names)
        self.kind[:n] = self.kind[[self.rows[name] for name in names]]
        self.names, self.rows = names, {name: i for i, name in enumerate(names)}
        self.state[:n], self.reference[:n], self.level[:n] = kept["state"], kept["reference"], kept["level"]

    def _kind(self, airframe: Airframe, bumpers: tuple[Bumper, ...]) -> int:
        """Number of the kind of such a drone; those of one airframe share it."""
        key = (airframe, bumpers)
        if key not in self._kinds:
            row, balls = _rows(airframe, bumpers)
            self._kinds[key] = len(self.parameters)
            self.parameters = np.vstack([self.parameters, row])
            self.ball_span = np.vstack([self.ball_span, [[len(self.balls), len(balls)]]])
            self.balls = np.vstack([self.balls, balls])
            self.ball_bodies += [b.body for b in bumpers]
        return self._kinds[key]


def _rows(airframe: Airframe, bumpers: tuple[Bumper, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Of a kind: its row of parameters, and its bumpers about the centre of mass, [n, 4]."""
    balls = np.array([[*(np.array(b.position) - airframe.centre), b.radius] for b in bumpers]).reshape(-1, 4)
    reach = float((np.linalg.norm(balls[:, :3], axis=1) + balls[:, 3]).max(initial=0.0))
    return airframe.row(reach), balls


_FRESH = np.tile([np.nan] * 3 + [0.0] * 3, 4)
"""Loops that have not seen an error yet."""
