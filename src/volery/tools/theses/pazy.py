"""The Pazy wing of the third Aeroelastic Prediction Workshop in the elastic engine's own code, and what is known of it.

Structure: the workshop's beam of the wing with skin (Riso and Cesnik), nodes of mass and elements of stiffness on a
line at 44 % of the chord. Experiments: Technion. Computations: UM/NAST, with strips and with a vortex lattice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.statics import eigenvalues, frequencies, rest_shape
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Station, Wing
from volery.robots.kinds.build import Shape
from volery.tools.theses.wings import loaded_tip, tip_of

__all__ = [
    "FLUTTER", "GROUND_VIBRATION", "HALF_SPAN", "LOADED_TIP", "WIND_TIP", "Hump", "pazy", "pazy_frequencies",
    "pazy_hump", "pazy_lift_slopes", "pazy_loaded_tip", "pazy_wind_tip",
]  # fmt: skip

GROUND_VIBRATION = {"bending 1": 4.26, "bending 2": 28.5, "twist 1": 42.0, "bending 3": 81.5}
"""Technion's test [Hz]."""
LOADED_TIP = {1.0: (21.10, 20.01), 2.0: (37.70, 36.02), 3.0: (50.01, 47.17)}
"""By the mass that hangs from the tip [kg]: how far it goes, in the test and by UM/NAST [% of the half span]."""
WIND_TIP = {20.0: (6.80, 5.90), 30.0: (14.41, 13.77), 40.0: (25.62, 25.07)}
"""By airspeed [m/s], root at 7 degrees: the tip in the tunnel and by UM/NAST with a vortex lattice [%]."""
FLUTTER = {3.0: (49.0, (48.2, 56.4)), 5.0: (43.0, (41.4, 47.2)), 7.0: (38.0, (37.2, 41.5))}
"""Hump mode by angle of the root [degrees]: where it began in the tunnel, speed rising; from where to where it is
unstable by UM/NAST [m/s]."""
LIFT_SLOPE = ((0.0, 5.606), (0.115, 5.570), (0.229, 5.447), (0.344, 5.145), (0.421, 4.696), (0.478, 3.998))
"""Of the rigid wing along the half span [m, 1/rad], by the vortex lattice of Technion."""

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


class Hump(NamedTuple):
    """Speeds between which the second bending and twisting feed each other; NaN: outside of those tried."""

    onset: float
    """[m/s]."""
    offset: float
    frequency: float
    """Where it begins [Hz]."""


def pazy(bones: int = 14, halves: str = "left") -> Aircraft:
    """The wing with skin; halves: alone, or 'both', which is what the tunnel's wall makes of it."""
    wing = Wing(
        span=2 * HALF_SPAN, chord=_CHORD, bend_stiffness=4.475, twist_stiffness=6.51, edge_stiffness=2997.0, mass=0.54,
        inertia=2.875e-4, axis=_AXIS, centre=_AXIS + 0.000913 / _CHORD, bones=bones, halves=cast(Any, halves),
        section=AirfoilSection(drag=0.0, stall_deg=180.0), stations=_stations(),
    )  # fmt: skip
    shapes = []
    for side in {"left": (1,), "right": (-1,), "both": (1, -1)}[halves]:
        shapes += [
            Shape("box", (0.0827, 0.020, 0.020), (0.00081, side * 0.53206, 0.0), mass=0.025448, solid=False),
            Shape("box", (0.1841, 0.011, 0.011), (-0.00509, side * 0.55313, 0.0), mass=0.043156, solid=False),
        ]
    return Aircraft(wing, shapes=shapes)


def _stations() -> list[Station]:
    """Elements of stiffness as steps; nodes 2 to 14, of 20.68 g each, spread over their lengths."""
    places = [y / HALF_SPAN for y in _NODES]
    rows = [
        Station(at=at, bend_stiffness=bend, twist_stiffness=twist, edge_stiffness=edge, bend_twist=coupled)
        for ends, bend, twist, edge, coupled in zip(pairwise(places), _BEND, _TWIST, _EDGE, _COUPLED, strict=True)
        for at in ends
    ]
    # Their masses are 1.9 mm inboard of them and 0.9 mm aft; node 15 and the rod at the tip are shapes.
    start, end = ((y - 0.00188) / HALF_SPAN for y in (0.5 * _NODES[1], _NODES[13] + 0.5 * _NODES[1]))
    heavy, light = (0.54073, 2.8748e-4), (1e-3, 1e-6)
    for at, (mass, inertia) in ((start, light), (start, heavy), (end, heavy), (end, light)):
        rows.append(Station(at=at, mass=mass, inertia=inertia))
    return sorted(rows, key=lambda row: row.at)


def pazy_frequencies() -> np.ndarray:
    """First and second bending, first twist, third bending [Hz]."""
    craft = ElasticAircraft(pazy(), 0.0, fixed=True, gravity=0.0)
    return frequencies(craft)[:4] / (2 * math.pi)


def pazy_loaded_tip(mass: float) -> float:
    """How far a mass that hangs from the tip takes it [% of the half span]."""
    return 100 * loaded_tip(pazy(), 9.80665 * mass)[0][2] / HALF_SPAN


def pazy_wind_tip(degrees: float, speeds: Sequence[float]) -> np.ndarray:
    """How far the tip goes up in the tunnel [% of the half span]."""
    tunnel = _Tunnel(degrees)
    return np.array([tunnel.blow(speed) for speed in speeds])


def pazy_hump(degrees: float, speeds: Sequence[float], bones: int = 14) -> Hump:
    """Where it flutters about the shape that it takes in the tunnel's wind, between speeds that are tried [m/s]."""
    tunnel, found = _Tunnel(degrees, bones), []
    for speed in speeds:
        tunnel.blow(speed)
        all_of = eigenvalues(tunnel.craft)
        humps = all_of[(all_of.imag > 2 * math.pi * 20) & (all_of.imag < 2 * math.pi * 40)]
        found.append(humps[np.argmax(humps.real)])
    onset = offset = frequency = math.nan
    for (a, before), (b, after) in pairwise(zip(speeds, found, strict=True)):
        share = before.real / (before.real - after.real)
        if before.real <= 0.0 < after.real:
            onset, frequency = a + share * (b - a), (before + share * (after - before)).imag / (2 * math.pi)
        elif before.real > 0.0 >= after.real:
            offset = a + share * (b - a)
    return Hump(onset, offset, frequency)


def pazy_lift_slopes() -> tuple[np.ndarray, np.ndarray]:
    """Places along the left half [m] and local lift slope there [1/rad], of the wing as it is at rest."""
    tunnel = _Tunnel(2.0, 30)
    craft = tunnel.craft
    craft.set_air(tunnel.wind(1.0), 1e-6)
    craft.settle()
    slope = craft.air.circulation / (craft.frame.strips["half_chord"] * math.radians(2.0))
    left = craft.places()[:, 1] > 0.0
    return craft.places()[left, 1], slope[left]


class _Tunnel:
    """The wing at a wall in a wind at sea level, without weight: it stands upright there."""

    def __init__(self, degrees: float, bones: int = 14) -> None:
        self.angle = math.radians(degrees)
        self.craft = ElasticAircraft(pazy(bones, "both"), 0.0, fixed=True, gravity=0.0)

    def wind(self, speed: float) -> np.ndarray:
        return speed * np.array([-math.cos(self.angle), 0.0, math.sin(self.angle)])

    def blow(self, speed: float) -> float:
        """Let it rest in a wind [m/s]; how far up its tip is [% of the half span]."""
        self.craft.set_air(self.wind(speed), 1.225)
        rest_shape(self.craft)
        return float(100 * tip_of(self.craft)[0][2] / HALF_SPAN)
