"""The Pazy wing of the third Aeroelastic Prediction Workshop in the elastic engine's own code, and what is known of it.

Structure: the workshop's beam of the wing with skin (Riso and Cesnik), nodes of mass and elements of stiffness on a line
at 44 % of the chord. Experiments: Technion. Computations: UM/NAST, with strips and with a vortex lattice.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.statics import eigenvalues, frequencies, rest_shape
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Station, Wing
from volery.robots.kinds.build import Shape
from volery.tools.theses.wings import tip_of

__all__ = ["HALF_SPAN", "pazy"]

HALF_SPAN = 0.549843728
"""[m]."""
_CHORD, _AXIS = 0.0989, 0.44096
_NODES = (*(0.03824999845 * k for k in range(14)), 0.530718683, HALF_SPAN)
"""Ends of the elements [m]."""
_BEND = (
    5.247435, 4.504485, 4.478229, 4.474384, 4.474813, 4.474929, 4.474929, 4.474929, 4.474929, 4.474886, 4.474718,
    4.476184, 4.489165, 4.548200, 4.770380,
)  # fmt: skip
"""EI out of plane, of the elements from the root [N m²]."""
_TWIST = (*(7.582597,) * 4, *(6.511830,) * 4, *(6.515836,) * 4, *(7.118926,) * 2, 17.373073)
"""GJ [N m²]."""
_COUPLED = (*(-0.09330800,) * 4, *(-0.00004227,) * 4, *(0.00102012,) * 4, *(0.08097807,) * 2, 1.394558)
"""Bending up and twisting nose up [N m²]."""
_EDGE = (
    3014.48, 2982.13, 2989.43, 2994.08, 2996.97, 2998.61, 2999.44, 2999.43, 2998.72, 2997.15, 2994.55, 2990.39,
    2984.09, 2969.89, 3077.79,
)  # fmt: skip
"""EI in the plane of the chord where nothing pulls along the span [N m²]: K44 - K14²/K11 of the workshop's tables."""


def pazy(bones: int = 15, halves: str = "left") -> Aircraft:
    """The wing with skin, clamped at its root in tests; halves: of the tunnel's wall, or with a mirror in its place."""
    # Nodes 2 to 14 weigh 20.68 g each, 1.9 mm inboard and 0.91 mm aft of the line; node 15 and the tip rod differ.
    start, end = _NODES[1] - 0.021, _NODES[13] + 0.01725
    rows = [Station(at=0.0, mass=0.54, inertia=2.875e-4)]
    for k, (a, b) in enumerate(zip(_NODES, _NODES[1:], strict=False)):
        for y in (a + 1e-9, b - 1e-9):
            rows.append(Station(
                at=min(max(y / HALF_SPAN, 0.0), 1.0), bend_stiffness=_BEND[k], twist_stiffness=_TWIST[k],
                edge_stiffness=_EDGE[k], bend_twist=_COUPLED[k],
            ))  # fmt: skip
    for y, mass, inertia in ((start, 1e-3, 1e-6), (start, 0.54073, 2.8748e-4), (end, 0.54073, 2.8748e-4), (end, 1e-3, 1e-6)):
        rows.append(Station(at=y / HALF_SPAN, mass=mass, inertia=inertia))
    rows.sort(key=lambda r: r.at)
    wing = Wing(
        span=2 * HALF_SPAN, chord=_CHORD, bend_stiffness=4.475, twist_stiffness=6.51, edge_stiffness=2997.0, mass=0.54,
        inertia=2.875e-4, axis=_AXIS, centre=_AXIS + 0.000913 / _CHORD, bones=bones, halves=halves,
        section=AirfoilSection(drag=0.0, stall_deg=180.0), stations=rows[1:],
    )  # fmt: skip
    sides = {"left": (1,), "right": (-1,), "both": (1, -1)}[halves]
    lumps = []
    for side in sides:
        lumps += [
            Shape("box", (0.0827, 0.020, 0.020), (0.00081, side * 0.53206, 0.0), mass=0.025448, solid=False),
            Shape("box", (0.1841, 0.011, 0.011), (-0.00509, side * 0.55313, 0.0), mass=0.043156, solid=False),
        ]
    return Aircraft(wing, shapes=lumps)
