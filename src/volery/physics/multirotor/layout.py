"""Columns of the tables that the kernels share. A drone is a row of state and of reference; kinds of drones share a row
of parameters."""

from __future__ import annotations

from typing import Final

# Levels at which a drone is told what to do; each feeds the next ones, down to the motors.
OFF: Final = 0
"""Motors stopped: not told anything yet on the ground, empty, or crashed."""
POSITION: Final = 1
VELOCITY_HEADING: Final = 2
VELOCITY_RATE: Final = 3
ACCELERATION_HEADING: Final = 4
ACCELERATION_RATE: Final = 5
ATTITUDE: Final = 6
TILT_RATE: Final = 7
BODY_RATE: Final = 8
GROUP: Final = 9
ACTUATORS: Final = 10
CRASHED: Final = 11
"""As OFF, but it takes no command until it is placed anew."""
LEVELS: Final = 12

ROTORS: Final = 8
"""Room for rotors in a row."""

# State
POS: Final = 0
"""Of the centre of mass in W [m], 3."""
VEL: Final = 3
"""Of the centre of mass in W [m/s], 3."""
QUAT: Final = 6
"""q_WB_wxyz, 4."""
SPIN: Final = 10
"""Angular velocity in B [rad/s], 3."""
RPM: Final = 13
"""Of each rotor, 8."""
TURN: Final = 21
"""Angle of each rotor [rad], 8."""
PID: Final = 29
"""Last error (NaN: none yet) and integral, 3 each, of position, velocity, attitude and rate: 24."""
CHARGE: Final = 53
"""Left in the battery [A s]."""
POWER: Final = 54
"""Drawn now [W]."""
STATE: Final = 55

# Reference
REF_P: Final = 0
"""Of the root's origin [m], 3."""
REF_V: Final = 3
REF_A: Final = 6
"""Acceleration [m/s²], at TILT_RATE the direction to push to; 3."""
REF_YAW: Final = 9
REF_YAW_RATE: Final = 10
REF_Q: Final = 11
REF_RATES: Final = 15
REF_THROTTLE: Final = 18
REF_GROUP: Final = 19
"""Roll, pitch, yaw [share of throttle], 3."""
REF_MOTORS: Final = 22
"""Throttles, 8."""
REF_TURNS: Final = 30
"""1: REF_V is given in axes that turn with the heading."""
PUSH: Final = 31
"""Force and torque about the root's origin from outside, in W [N, N m], 6."""
DRIFT: Final = 37
"""Velocity at which REF_P itself moves on between two commands [m/s], 3."""
REFERENCE: Final = 40

# Parameters
MASS: Final = 0
GRAVITY: Final = 1
INERTIA: Final = 2
"""xx, yy, zz, xy, xz, yz about the centre of mass in B [kg m²], 6."""
INVERSE: Final = 8
"""Of the inertia, likewise, 6."""
CENTRE: Final = 14
"""Centre of mass in the root's frame [m], 3."""
AREA: Final = 17
"""½·ρ0·drag area [kg/m], 3."""
LINEAR: Final = 20
ROTOR_DRAG: Final = 23
"""Force per flow in the rotors' plane and per rpm of all rotors [N s/m]."""
TAU: Final = 24
LEAST: Final = 25
"""Idle speed [rpm]."""
MOST: Final = 26
"""[rpm]."""
COUNT: Final = 27
"""Of rotors."""
LIFT: Final = 28
"""Of all rotors along z [N/rpm²]."""
ORIGINAL: Final = 29
"""1: step by step as the MRS simulator does, rotor speeds held within a step; 0: they follow exactly."""
GROUND: Final = 30
"""(Radius of a rotor/4)²·strength of the ground effect [m²]."""
HUB: Final = 31
"""Height of the rotors over the centre of mass [m]."""
SHAFT: Final = 32
"""Power drawn by a rotor over rpm³ [W]."""
IDLE: Final = 33
"""Power drawn beside the rotors [W]."""
FULL: Final = 34
"""Voltage of the full battery [V]; 0: no battery."""
EMPTY: Final = 35
OHM: Final = 36
CAPACITY: Final = 37
"""[A s]."""
LOOPS: Final = 38
"""kp, kd, ki, most, windup of position, velocity, attitude: 15."""
YAW_RATE: Final = 53
RATE_KP: Final = 54
RATE_KD: Final = 57
EFFECT: Final = 60
"""Force and torque in B per rpm² of each rotor, 6 rows of 8."""
MIX: Final = 108
"""Throttle of each rotor per roll, pitch, yaw, throttle: 8 rows of 4."""
BUMPER: Final = 140
"""Radius of the sphere round all bumpers, about the centre of mass [m]."""
AIR: Final = 141
"""Density at which the thrust holds [kg/m³]."""
WAY: Final = 142
"""Which way each rotor turns, 1 counter-clockwise seen from above, −1 clockwise; 8."""
STOPPED: Final = 150
"""Speed of rotors that are told nothing [rpm]."""
FLOOR: Final = 151
"""z of a plane that stops drones dead [m]; −inf: none."""
SHOWN: Final = 152
"""Which rotor each joint that shows one shows, 8."""
PARAMETERS: Final = 160
