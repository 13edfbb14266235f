"""Where things lie in the rows of numbers that the kernels of crafts share."""

from __future__ import annotations

# A fan: constants.
POS, AXIS, AREA, RADIUS, LEAST, MOST, LAG, RATIO, MOST_TILT, TILT_LAG, HUB = 0, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14
"""Place and axis in B (3 each), area of the disc, radius, least and most thrust, its time constant, reaction torque
over thrust with its sign; most tilt of the disc, its time constant, stiffness of the hub (0: it does not tilt)."""
FAN = 15

# A vane: constants.
V_FAN, V_POS, V_LIFT, V_AREA, V_MOST, V_LAG = 0, 1, 4, 7, 8, 9
"""Its fan, place and direction of lift in B (3 each), area, most angle, time constant."""
VANE = 10

# A reference: what a craft was told.
R_P, R_V, R_A, R_YAW, R_YAW_RATE, R_WAY, R_FORCE, R_SPEED, R_LEFT, R_TURN, R_THRUST, R_EFFORT, R_DRIFT = (
    0, 3, 6, 9, 10, 11, 14, 15, 16, 17, 21, 22, 28,
)  # fmt: skip
"""Place, velocity, acceleration in W (3 each), heading and its rate; a direction in W (3) along which the spring gives
no more than a force (below 0: none), the speed at which the place moves along it and how far it still has to go;
attitude (4) and thrust [N]; force and torque in B about the centre (6); how the place moves: not at all, at the
velocity, at one that turns with the heading, or along the direction."""
STAYS, DRIFTS, TURNS, LEADS = 0, 1, 2, 3
REFERENCE = 29

# Gains and the body.
G_MASS, G_K, G_D, G_MOST, G_TILT, G_ATT, G_YAW, G_OBS_F, G_OBS_T, G_CENTRE, G_J = 0, 1, 4, 7, 8, 9, 10, 11, 12, 13, 16
"""Mass, stiffness and damping along axes of W (3 each), most force, tangent of the most tilt, bandwidths of tilt and
heading, of observers of forces and torques, centre of mass in B (3), inertia about it in B (9)."""
GAINS = 25

# Memory of the autopilot.
M_DF, M_ZF, M_DT, M_ZT = 0, 3, 6, 9
"""Force in W and torque in B that nobody told of (3 each), each followed by the momentum that the rest explains (3)."""
MEMORY = 12

FLY, POINT, GIVE = 0, 1, 2
"""Levels: by impedance; an attitude with a thrust; force and torque."""

# A tool: constants.
T_RADIUS, T_K, T_N, T_LOSS, T_C, T_MASS, T_SHEAR, T_SHEAR_C, T_SLIDE, T_STICK, T_LAW = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
TOOL = 11

# Memory of a tool, and what it feels.
S_TOUCH, S_STUCK, S_ANCHOR, S_X, S_V = 0, 1, 2, 5, 8
"""1 while it touches; 1 while it holds; where its bristle stands in W (3); place and velocity of the virtual mass."""
TIP = 11
F_FORCE, F_NORMAL, F_DEPTH, F_ROW, F_AT = 0, 3, 6, 7, 8
"""Force on the tool in W (3), normal towards it (3), depth, row of the scene (-1: none), where it is pressed (3)."""
FELT = 11
