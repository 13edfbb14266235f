"""Where things lie in the plain memory that the contact kernels share: records of 64-bit words and rows of numbers.

Kernels are cached on disk and called from C, so all they know comes through one address: that of a world's record.
"""

from __future__ import annotations

# A world's record, whole numbers: addresses of tables, then counts.
W_QUERY, W_CALLBACK = 0, 1
"""Embree's point query, and what it calls for each triangle."""
W_X, W_MESH, W_GROUP, W_OBJECT = 2, 3, 4, 27
"""By row: pose in W, mesh, group, object."""
W_VERTICES, W_FACES, W_MATERIAL, W_ALIKE, W_SIDE, W_ONE_SIDE = 5, 6, 7, 8, 9, 10
"""By mesh: addresses of corners, faces, material per face, what lies behind each face."""
W_FRICTION = 11
"""By material, float32: Coulomb coefficient; negative: not solid."""
W_OWN, W_GROUPS = 12, 13
"""By group, int8: 1 its surfaces are no part of the world; and how many groups there are."""
W_STANDING, W_MOVING = 14, 15
"""Slot → row of the standing and the moving part of the scene."""
W_CELLS, W_CELL_COUNT = 16, 17
W_SCRATCH = 18
W_GEOMS, W_LOG, W_PAIR, W_HULL, W_SLIP = 19, 20, 21, 22, 23
"""By geom of the bound model: how many; what it touched; its pair with the world; its polytope; its own friction."""
W_LOST_TRIANGLES, W_LOST_CONTACTS, W_ASKED = 24, 25, 26
"""How often a buffer was full, and how many questions were asked."""
WORLD_WORDS = 32

CELL_WORDS = 5
"""Of a cell: origin (three doubles), standing scene, moving scene."""

# A question, words and doubles side by side: what Embree's callback gets.
Q_WORLD, Q_ROWS, Q_TRIANGLES, Q_TAGS, Q_COUNT, Q_LOST, Q_ROW = 0, 1, 2, 3, 4, 5, 6
"""Q_ROW: the row whose pose seen from the shape is in Q_X."""
Q_RADIUS, Q_BOX, Q_P, Q_R, Q_X = 7, 8, 11, 14, 23
"""Radius and half extents of the shape, its centre and axes in W, a row's pose in the shape's frame (12 doubles)."""
QUESTION_WORDS = 36

MOST_TRIANGLES = 512
# A triangle in the shape's frame G, doubles.
T_NORMAL, T_ABOVE, T_EDGE, T_SOLID, T_FRICTION, T_NEAR = 9, 12, 13, 22, 23, 24
"""Corners (9); normal, towards the shape for a sheet (3); height of the shape's centre above the plane; unit vectors in
the plane across each edge, inwards (9); 1 if it has an inside behind it; friction; nearest its box comes, squared."""
TRIANGLE = 26
TAGS = 3
"""Row, primitive, and a number that orders triangles the same in every run (see order.py)."""

MOST_CONTACTS = 96
# A contact in the frame G: dist, position (3), normal from the world to the shape (3), triangle.
CONTACT = 8
KEPT = 8
"""Contacts handed on for one shape."""

# A geom's log: how many contacts, then four words for each: position in W and scene row.
LOG = 1 + 4 * KEPT

HASH = 4096
# First as Embree found them, then in order.
S_FOUND = 0
S_FOUND_TAGS = S_FOUND + (MOST_TRIANGLES + 1) * TRIANGLE
S_ORDER = S_FOUND_TAGS + MOST_TRIANGLES * TAGS
S_TRIANGLES = S_ORDER + 2 * MOST_TRIANGLES
S_TAGS = S_TRIANGLES + MOST_TRIANGLES * TRIANGLE
S_EDGES = S_TAGS + MOST_TRIANGLES * TAGS
S_MATES = S_EDGES + MOST_TRIANGLES * 3
S_HASH = S_MATES + MOST_TRIANGLES * 3
S_CONTACTS = S_HASH + HASH
S_QUESTION = S_CONTACTS + MOST_CONTACTS * CONTACT
S_BOX = S_QUESTION + QUESTION_WORDS
S_ASK = S_BOX + 4
SCRATCH_WORDS = S_ASK + 40
"""Room for one question and its answer [words of 8 bytes]."""

# What a callback must know of MuJoCo's own records: offsets of pointers in the model and in the data [bytes], and which
# worlds are alive.
M_TYPE, M_SIZE, M_PAIR_FRICTION, D_POSITION, D_AXES, D_USER, L_WORLDS, L_ALIVE = 0, 1, 2, 3, 4, 5, 6, 7
LAYOUT_WORDS = 8

PRE_CONTACT = 10
"""Doubles in a record that MuJoCo takes from a collision function: dist, position, normal, tangent."""

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = 2, 3, 4, 5, 6, 7
"""Shapes, as MuJoCo numbers them."""
