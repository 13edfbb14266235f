"""Many drones as rows of tables: they come and go, are told what to do, and are kept and brought back."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from volery.core.frames import matrix_from_quat
from volery.errors import CommandError, SimulationError
from volery.physics.flightpath import Moment
from volery.physics.multirotor.orders import TAKES, order_of
from volery.physics.multirotor.parameters import MultirotorModel
from volery.physics.multirotor.tables import BUMPER, PARAMETERS, REFERENCE, STATE, Level, grown
from volery.robots.commands import Command, Motors, Pose, Wrench
from volery.robots.kinds.multirotor import CollisionSphere

__all__ = ["Batch"]

_LOOPS_OF = {
    Level.POSITION: 0, Level.VELOCITY_HEADING: 1, Level.VELOCITY_RATE: 1, Level.ACCELERATION_HEADING: 2,
    Level.ACCELERATION_RATE: 2, Level.ATTITUDE: 2, Level.TILT_RATE: 2, Level.BODY_RATE: 3,
}  # fmt: skip
_TURN, _TURN_SHARE, _MOST_LEAD = 2.0, 0.8, 0.5
"""A path's direction is turned to without jumps: so fast by what is missing [1/s], at most at this share of what the
autopilot turns at, and never so far ahead of the nose [rad]."""
_WHOLE = np.dtype((np.void, REFERENCE.itemsize))
_FIRST_LOOP = np.array([_LOOPS_OF.get(level, 4) for level in Level])
"""Of the loops (position, velocity, attitude, rate) the first that a level runs."""


class Batch:
    """Rows 0 to n − 1 of `state` and `reference` are the drones; `parameters` has a row per kind."""

    takes: ClassVar[tuple[type[Command], ...]] = (*TAKES, Wrench)

    def __init__(self, *, kick: bool = False) -> None:
        """kick: loops that begin count from an error of 0, as in the MRS simulator; else their first has no slope."""
        self._unseen = 0.0 if kick else np.nan
        """Last error of loops that have not seen one yet."""
        self.version = 0
        """Counts drones that came, went, or became others."""
        self.names: list[str] = []
        self.rows: dict[str, int] = {}
        self.state, self.reference = np.zeros(8, STATE), np.zeros(8, REFERENCE)
        self.parameters = np.zeros(0, PARAMETERS)
        self.bumpers = np.zeros(0, BUMPER)
        """Of all kinds, those of a kind one after the other."""
        self.bumper_bodies: list[str] = []
        """Whose contact each bumper reports; empty: the root's."""
        self._kinds: dict[tuple[MultirotorModel, tuple[CollisionSphere, ...]], int] = {}

    def __len__(self) -> int:
        return len(self.names)

    @property
    def level(self) -> np.ndarray:
        """At which each drone is told what to do."""
        return self.reference["level"]

    @property
    def kind(self) -> np.ndarray:
        """Row of the parameters of each drone."""
        return self.state["kind"]

    def of(self, i: int) -> np.void:
        """Parameters of a drone."""
        return self.parameters[self.state["kind"][i]]

    # Coming and going

    def add(self, name: str, airframe: MultirotorModel, bumpers: tuple[CollisionSphere, ...] = ()) -> int:
        """A drone's row; it is at the origin, level, its motors off."""
        i = len(self.names)
        self.version += 1
        if i == len(self.state):
            self.state, self.reference = grown(self.state, i), grown(self.reference, i)
        self.names.append(name)
        self.rows[name] = i
        self.reference[i] = _NOTHING
        self.state[i] = np.zeros((), STATE)
        row = self.state[i]
        row["kind"], row["q_WB"], row["loop_error"] = self._kind(airframe, bumpers), [1.0, 0.0, 0.0, 0.0], self._unseen
        battery = airframe.battery
        row["charge"] = 0.0 if battery is None else 3600.0 * battery.capacity * battery.charge
        return i

    def remove(self, name: str) -> None:
        """Take a drone out; the last one takes its row."""
        self.version += 1
        i, last = self.rows.pop(name), len(self.names) - 1
        moved = self.names.pop()
        if i != last:
            self.names[i] = moved
            self.rows[moved] = i
            self.state[i], self.reference[i] = self.state[last], self.reference[last]

    def tune(self, name: str, airframe: MultirotorModel, bumpers: tuple[CollisionSphere, ...] = ()) -> None:
        """Give a drone another airframe with as many rotors; it flies on, its battery as full as it was."""
        self.version += 1
        i = self.rows[name]
        share, old = self._share(i, airframe), int(self.kind[i])
        alone = np.count_nonzero(self.kind[: len(self.names)] == old) == 1
        if alone and (airframe, bumpers) not in self._kinds and self.parameters["bumpers"][old] == len(bumpers):
            # Nobody else has the old airframe: its row is used again, lest the tables grow with every change
            self._kinds = {key: k for key, k in self._kinds.items() if k != old} | {(airframe, bumpers): old}
            first = int(self.parameters["first_bumper"][old])
            row, self.bumpers[first : first + len(bumpers)] = _rows(airframe, bumpers, first)
            self.parameters[old] = row[0]
        else:
            self.kind[i] = self._kind(airframe, bumpers)
        self.state["charge"][i] = share * self.of(i)["capacity"]

    def _share(self, i: int, airframe: MultirotorModel) -> float:
        """How full the battery of a drone's new airframe is: as its old one, else as one at the start."""
        capacity = self.of(i)["capacity"]
        if capacity > 0:
            return float(self.state["charge"][i] / capacity)
        return 0.0 if airframe.battery is None else airframe.battery.charge

    # Motion

    def place(self, i: int, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_WB_W: np.ndarray, w_WB_W: np.ndarray) -> None:
        """Put a drone's root somewhere: position [m], attitude, velocities [m/s, rad/s] in W."""
        row, R = self.state[i], matrix_from_quat(q_WB_wxyz)
        arm = R @ self.of(i)["centre"]
        row["p_W"], row["v_W"] = p_WB + arm, v_WB_W + np.cross(w_WB_W, arm)
        row["q_WB"], row["w_B"] = q_WB_wxyz, R.T @ w_WB_W
        row["loop_error"], row["loop_sum"] = self._unseen, 0.0

    def hover(self, i: int) -> None:
        """Stay where the root is, rotors at the speed for it."""
        p, row = self.of(i), self.state[i]
        row["rpm"] = np.sqrt(p["mass"] * p["gravity"] / p["lift"]) * p["mix"][:, 3]
        self.tell(i, Pose(row["p_W"] - matrix_from_quat(row["q_WB"]) @ p["centre"]))

    def stop(self, i: int) -> None:
        """Motors off, at once."""
        self.state["rpm"][i] = 0.0
        self.level[i] = Level.OFF

    # Commands

    def tell(self, i: int, command: Command) -> None:
        """Give a drone a command; one it cannot follow is refused before anything changes. A crashed one stays down."""
        if isinstance(command, Wrench):
            self.state["force_W"][i], self.state["torque_W"][i] = command.force_W, command.torque_W
            return
        level, values = self._values(i, command)
        if self.level[i] != Level.CRASHED:
            self._order(i, level, values)

    def tell_all(self, level: Level, values: dict[str, np.ndarray]) -> None:
        """Give all drones a command of one level, what it says by fields of the reference, [n] or [n, k] each; it is
        finite and within limits, as those of `tell` are. Crashed ones stay down."""
        n = len(self.names)
        told = np.flatnonzero(self.level[:n] != Level.CRASHED)
        before, after = _FIRST_LOOP[self.level[told]], _FIRST_LOOP[level]
        for b in np.unique(before[before > after]):
            self._begin(told[before == b], after, b)
        rows = np.zeros(n, REFERENCE)
        rows["level"] = level
        for name, value in values.items():
            rows[name] = value
        # Whole rows: numpy would copy field by field.
        self.reference.view(_WHOLE)[told] = rows.view(_WHOLE)[told]

    def follow(self, i: int, now: Moment) -> None:
        """Be on a path, nose ahead; a stop keeps the heading."""
        if self.level[i] == Level.CRASHED:
            return
        row = self.reference[i]
        yaw, rate = float(row["yaw"]), 0.0
        if math.hypot(now.v_W[0], now.v_W[1]) > 1e-6:
            turn = math.remainder(math.atan2(now.v_W[1], now.v_W[0]) - yaw, math.tau)
            most = _TURN_SHARE * float(self.of(i)["most_yaw_rate"])
            # With more to turn than it has strength for, an attitude loop tilts too little
            lead = abs(math.remainder(yaw - self.heading(i), math.tau))
            rate = min(max(_TURN * turn, -most), most) * max(1.0 - lead / _MOST_LEAD, 0.0)
        told = {"p_W": now.p_W, "v_W": now.v_W, "a_W": now.push_W, "yaw": yaw, "yaw_rate": rate}
        more = {"drift_W": now.v_W, "rise_W": now.a_W, "surge_W": now.surge_W, "jerk_W": now.jerk_W}
        self._order(i, Level.POSITION, told | more)

    def heading(self, i: int) -> float:
        """Where a drone's nose points to, from east to north [rad]."""
        w, x, y, z = self.state["q_WB"][i].tolist()
        return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def _values(self, i: int, command: Command) -> tuple[Level, dict[str, Any]]:
        """The level of a command, and what it says by field."""
        p = self.of(i)
        if isinstance(command, Motors) and (len(command.values) != p["rotors"] or (command.values < 0).any()):
            raise CommandError(
                f"robot '{self.names[i]}' has {p['rotors']} rotors, each of which takes 0 to 1; "
                f"got {command.values.tolist()}"
            )
        return order_of(command, p, self.heading(i))

    def _order(self, i: int, level: Level, values: dict[str, Any]) -> None:
        """Change what a drone is told; loops that begin to run begin afresh."""
        before, after = _FIRST_LOOP[self.level[i]], _FIRST_LOOP[level]
        if after < before:
            self._begin(i, after, before)
        self.reference[i] = _NOTHING
        row = self.reference[i]
        row["level"] = level
        for name, value in values.items():
            row[name] = value

    def _begin(self, rows: int | np.ndarray, first: int, end: int) -> None:
        """Let loops of drones begin afresh."""
        self.state["loop_error"][rows, first:end] = self._unseen
        self.state["loop_sum"][rows, first:end] = 0.0

    # Keeping

    def keep(self) -> dict[str, Any]:
        """Plain data that `bring_back` takes."""
        n = len(self.names)
        tables = {
            name: {f: table[f][:n].copy() for f in table.dtype.names or ()} for name, table in self._tables().items()
        }
        return {"names": list(self.names), **tables}

    def bring_back(self, kept: dict[str, Any]) -> None:
        """Continue where `keep` was called; the same drones are there, in whatever order."""
        self.version += 1
        names = list(kept["names"])
        n = len(names)
        if sorted(names) != sorted(self.names):
            raise SimulationError("this snapshot is damaged: it tells of other drones than there are")
        kinds = self.kind[[self.rows[name] for name in names]]
        self.names, self.rows = names, {name: i for i, name in enumerate(names)}
        for name, table in self._tables().items():
            for f, values in kept[name].items():
                table[f][:n] = values
        self.kind[:n] = kinds

    def _tables(self) -> dict[str, np.ndarray]:
        return {"state": self.state, "reference": self.reference}

    def _kind(self, airframe: MultirotorModel, bumpers: tuple[CollisionSphere, ...]) -> int:
        """Number of the kind of such a drone; those of one airframe share it."""
        key = (airframe, bumpers)
        if key not in self._kinds:
            row, balls = _rows(airframe, bumpers, len(self.bumpers))
            self._kinds[key] = len(self.parameters)
            self.parameters, self.bumpers = grown(self.parameters, row), grown(self.bumpers, balls)
            self.bumper_bodies += [b.body for b in bumpers]
        return self._kinds[key]


def _rows(airframe: MultirotorModel, bumpers: tuple[CollisionSphere, ...], first: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a kind: its row of parameters, and its bumpers about the centre of mass, the first of which has a number."""
    balls = np.zeros(len(bumpers), BUMPER)
    balls["p_B"] = np.array([b.position for b in bumpers]).reshape(-1, 3) - airframe.centre
    balls["radius"] = [b.radius for b in bumpers]
    row = airframe.row(float((np.linalg.norm(balls["p_B"], axis=1) + balls["radius"]).max(initial=0.0)))
    row["first_bumper"], row["bumpers"] = first, len(bumpers)
    return row, balls


_NOTHING = np.zeros((), REFERENCE)
"""What a drone is told before it is told something."""
