"""Drones of many episodes in one world: rows of the fleet engine's tables, which neither see nor touch each other."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from volery.core.frames import matrix_from_quat
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.fleet import FleetSettings
from volery.physics.multirotor.flock_step import FlockStep
from volery.physics.multirotor.outcome import outcomes
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.physics.multirotor.tables import REFERENCE
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sim import Simulation

__all__ = ["Flock"]

_WILD = 200.0
"""A drone that spins faster is of no use to anybody, and soon the step is too long for it [rad/s]."""
_LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


class Flock:
    """n drones of one kind. What a drone does is the same to the bit however many others there are."""

    def __init__(
        self, count: int, robot: str, world: dict[str, Any] | str, *, period: float, step: float, touch: bool,
        seed: int = 0, patch: float = 60.0,
    ) -> None:  # fmt: skip
        """period: between two steps of the flock [s]; step: longest one of physics [s]; touch: whether drones touch the
        world; seed: of the world; patch: of an endless one as much as is within so far of its spawn place is there
        [m]."""
        streaming = {"visible": patch, "ahead": 0.0, "detail": [], "background": False}
        scenario = {"seed": seed, "step": period, "world": world, "streaming": streaming}
        self.simulation = Simulation(read_scenario(json.dumps(scenario), "learn"))
        """The world, its air and its clock; no robot is in it but while a picture is taken."""
        self.environment, self.scene = self.simulation.environment, self.simulation.scene
        file = load_robot_file(robot)
        self.figure = Robot("drone", file.description(), file)
        """What a picture shows of a drone."""
        airframe, bumpers = airframe_of(self.figure), bumpers_of(self.figure) if touch else ()
        self.batch = Batch()
        for i in range(count):
            self.batch.add(f"drone{i}", airframe, bumpers)
        self._fresh = self.batch.state[0].copy()
        settings = FleetSettings(step=step, touch=touch, meet=False)
        self._sky = FlockStep(self.environment, settings, ContactWorld(self.scene))
        self.touched, self.wild = np.zeros((2, count), np.bool_)
        """Which drones touched something in the last step, and which spun beyond all use, [n]."""
        self.look()

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def parameters(self) -> np.void:
        """Of the drones' kind; see physics/multirotor/tables.py."""
        return self.batch.parameters[0]

    def place(self, row: int, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_WB_W: np.ndarray, w_WB_W: np.ndarray) -> None:
        """Begin anew with a drone: position [m], attitude, velocities in W [m/s, rad/s], its rotors as for hovering.

        Call `look` when all are placed."""
        self.batch.state[row], self.batch.reference[row] = self._fresh, np.zeros((), REFERENCE)
        self.batch.place(row, p_WB, q_WB_wxyz, v_WB_W, w_WB_W)
        self.batch.hover(row)
        self.touched[row] = False

    def advance(self) -> None:
        """All drones on by one period. A wild one is put back to where it was, at rest: all numbers stay good."""
        clock, before = self.simulation.clock, self.p_WB
        entries = self._sky.advance(self.batch, clock.now_ns, clock.step_ns, set())
        clock.advance()
        self.touched[:] = False
        self.touched[entries["drone"]] = True
        self.look()
        # Not below, rather than above: NaN is wild too
        self.wild = ~(np.abs(self.w_WB_W).max(axis=1) < _WILD)
        for row in np.flatnonzero(self.wild):
            self.place(int(row), before[row], _LEVEL, np.zeros(3), np.zeros(3))
        if self.wild.any():
            self.look()

    def look(self) -> None:
        """Read where all drones are."""
        out, _ = outcomes(self.batch)
        self.p_WB, self.q_WB_wxyz = out["p_WB"], out["q_WB"]
        """Positions [n, 3] [m] and attitudes [n, 4] of the roots."""
        self.v_WB_W, self.w_WB_W = out["v_WB_W"], out["w_WB_W"]
        """Their velocities [n, 3] [m/s] and angular velocities [n, 3] [rad/s]."""
        self.R_WB = matrix_from_quat(self.q_WB_wxyz)
        """Their axes, [n, 3, 3]."""

    @property
    def heading(self) -> np.ndarray:
        """Where noses point to, from east to north, [n] [rad]."""
        return np.arctan2(self.R_WB[:, 1, 0], self.R_WB[:, 0, 0])
