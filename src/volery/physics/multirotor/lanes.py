# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A block: up to LANES drones of one kind and level side by side, so that one instruction moves several of them.

It is one array, column after column, LANES numbers each: first the columns of the state, then those of the reference
(see layout.py), then what is only needed within a step. Kernels go over lanes in their innermost loops, without
branches that differ between lanes and without sums across them, so a drone's numbers do not depend on its neighbours.
"""

from __future__ import annotations

import math
from typing import Final

import numba as nb

from volery.physics.multirotor import layout as at

__all__ = ["BLOCK", "LANES", "load", "store"]

LANES: Final = 8
Y: Final = LANES
"""From the first to the second part of a vector."""
Z: Final = 2 * LANES

POS: Final = LANES * at.POS
VEL: Final = LANES * at.VEL
QUAT: Final = LANES * at.QUAT
SPIN: Final = LANES * at.SPIN
RPM: Final = LANES * at.RPM
TURN: Final = LANES * at.TURN
PID_P: Final = LANES * at.PID
"""Of position: last error, 3, and integral, 3; then likewise of velocity, attitude and rate."""
PID_V: Final = PID_P + 6 * LANES
PID_Q: Final = PID_V + 6 * LANES
PID_W: Final = PID_Q + 6 * LANES
CHARGE: Final = LANES * at.CHARGE
POWER: Final = LANES * at.POWER

_REFERENCE: Final = LANES * at.STATE
REF_P: Final = _REFERENCE + LANES * at.REF_P
REF_V: Final = _REFERENCE + LANES * at.REF_V
REF_A: Final = _REFERENCE + LANES * at.REF_A
REF_YAW: Final = _REFERENCE + LANES * at.REF_YAW
REF_YAW_RATE: Final = _REFERENCE + LANES * at.REF_YAW_RATE
REF_Q: Final = _REFERENCE + LANES * at.REF_Q
REF_RATES: Final = _REFERENCE + LANES * at.REF_RATES
REF_THROTTLE: Final = _REFERENCE + LANES * at.REF_THROTTLE
REF_GROUP: Final = _REFERENCE + LANES * at.REF_GROUP
REF_MOTORS: Final = _REFERENCE + LANES * at.REF_MOTORS
REF_TURNS: Final = _REFERENCE + LANES * at.REF_TURNS
PUSH: Final = _REFERENCE + LANES * at.PUSH
DRIFT: Final = _REFERENCE + LANES * at.DRIFT

_WORK: Final = _REFERENCE + LANES * at.REFERENCE
WIND: Final = _WORK
"""[m/s] in W, 3."""
AIR: Final = _WORK + 3 * LANES
"""Density over that at which the thrust holds."""
GROUND: Final = _WORK + 4 * LANES
"""z of the ground below [m]."""
COS: Final = _WORK + 5 * LANES
"""Of the heading wanted."""
SIN: Final = _WORK + 6 * LANES
R: Final = _WORK + 7 * LANES
"""R_WB row by row, 9."""
WANT_V: Final = _WORK + 16 * LANES
"""Velocity that is wanted [m/s] in W, 3."""
WANT_A: Final = _WORK + 19 * LANES
"""Acceleration that is wanted [m/s²] in W, 3."""
UP: Final = _WORK + 22 * LANES
"""Unit vector along which the rotors are to push, in W, 3."""
RATE: Final = _WORK + 25 * LANES
"""Body rates that are wanted [rad/s], 3."""
GROUP: Final = _WORK + 28 * LANES
"""Roll, pitch, yaw [share of throttle], 3."""
THROTTLE: Final = _WORK + 31 * LANES
GOAL: Final = _WORK + 32 * LANES
"""Throttle, then speed [rpm], that each motor strives for, 8."""
EARLY: Final = _WORK + 40 * LANES
"""Force [N], torque [N m] in B and sum of speeds [rpm] of all rotors at the begin of a step in the reference air, 7."""
MID: Final = _WORK + 47 * LANES
"""Half way."""
LATE: Final = _WORK + 54 * LANES
"""At the end."""
BLOCK: Final = _WORK + 61 * LANES
"""Numbers of a block."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def load(b, l, s, c, wind, air, ground) -> None:  # noqa: E741
    """Put a drone into a lane: state s, reference c, wind [3], share of air, z of the ground."""
    for k in range(at.STATE):
        b[LANES * k + l] = s[k]
    for k in range(at.REFERENCE):
        b[_REFERENCE + LANES * k + l] = c[k]
    for k in range(at.ROTORS):
        b[GOAL + LANES * k + l] = 0.0
    for k in range(3):
        b[WIND + LANES * k + l] = wind[k]
    b[AIR + l], b[GROUND + l] = air, ground
    b[COS + l], b[SIN + l] = math.cos(c[at.REF_YAW]), math.sin(c[at.REF_YAW])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def store(b, l, s, c) -> None:  # noqa: E741
    """Take a drone out of a lane again: its state, and its reference as far as that moves on by itself."""
    for k in range(at.STATE):
        s[k] = b[LANES * k + l]
    for k in range(at.ROTORS):
        turn = s[at.TURN + k]
        s[at.TURN + k] = turn - 2.0 * math.pi * math.floor(turn / (2.0 * math.pi))
    for k in range(3):
        c[at.REF_P + k] = b[REF_P + LANES * k + l]
