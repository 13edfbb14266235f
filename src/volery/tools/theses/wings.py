"""Wings of the literature in the elastic engine's own code, and what is known of them; sources in docs/elastic.md."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import mujoco
import numpy as np

from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.statics import Trim, eigenvalues, frequencies, rest_shape, trim
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Flap, Propeller, Wing
from volery.robots.kinds.build import Shape

__all__ = [
    "ELASTICA", "HALE_TIPS", "Onset", "beam", "flutter", "goland", "hale", "hale_frequencies", "hale_tip", "helios",
    "helios_trim", "loaded_tip", "tip_of", "validation",
]  # fmt: skip

ELASTICA = {
    0.5: (0.16214, 0.01592), 1.0: (0.30172, 0.05643), 2.0: (0.49346, 0.16064), 5.0: (0.71379, 0.38763),
    10.0: (0.81061, 0.55500),
}  # fmt: skip
"""Cantilever under a dead load P at its tip, by P·L²/EI: how far the tip goes up and back, in lengths."""
HALE_TIPS = {
    (2.0, 0.0): (15.599, 3.326), (4.0, 0.0): (14.870, 5.508), (2.0, 9.754): (15.983, 0.682),
    (4.0, 9.754): (15.550, 3.671),
}  # fmt: skip
"""Tip of the HALE wing at 25 m/s (y, z [m]) by angle [degrees] and gravity [m/s²]: SHARPy's tests, a vortex lattice."""
_THIN = AirfoilSection(drag=0.0, stall_deg=180.0)


class Onset(NamedTuple):
    """Where a wing becomes unstable; NaN: not in the range."""

    flutter: float
    """[m/s]."""
    frequency: float
    """Of flutter [rad/s]."""
    divergence: float
    """[m/s]."""


def hale(bones: int = 11, halves: str = "left", edge: float | None = None, factor: float = 1.0) -> Aircraft:
    """Half wing of Patil, Hodges and Cesnik (2001), or both halves; factor: on its stiffness."""
    return Aircraft(Wing(
        span=32.0, chord=1.0, bend_stiffness=2e4 * factor, twist_stiffness=1e4 * factor, edge_stiffness=edge,
        mass=0.75, inertia=0.1, axis=0.5, centre=0.5, bones=bones, halves=cast(Any, halves), section=_THIN,
    ))  # fmt: skip


def goland(bones: int = 11) -> Aircraft:
    """Goland's half wing, its inertia taken about the elastic axis."""
    return Aircraft(Wing(
        span=12.192, chord=1.8288, bend_stiffness=9.77e6, twist_stiffness=0.987e6, mass=35.71, inertia=8.64,
        axis=0.33, centre=0.43, bones=bones, halves="left", section=_THIN,
    ))  # fmt: skip


def beam(length: float, stiffness: float, bones: int = 11) -> Aircraft:
    """A bare cantilever to the left [m, N m²]."""
    return Aircraft(Wing(
        span=2 * length, chord=0.1, bend_stiffness=stiffness, twist_stiffness=stiffness, mass=1.0, inertia=0.01,
        axis=0.5, centre=0.5, bones=bones, halves="left", section=_THIN,
    ))  # fmt: skip


def helios(payload: float, factor: float = 1.0) -> Aircraft:
    """The flying wing of Patil and Hodges after Helios, with a payload in its middle pod [kg]; factor: on stiffness."""
    flap = Flap("flap", 0.0, 1.0, effect=(1.0 / (2 * math.pi), -0.25))
    motors = [
        Propeller(f"motor{i}", (0.0, y, 0.0), power=3000.0, mass=0.0) for i, y in enumerate((-24, -12, 0, 12, 24))
    ]
    pods = [Shape("box", (0.3, 0.3, 1.8), (0.0, y, -0.915), mass=m)
            for y, m in ((0.0, 27.23 + payload), (-24.384, 22.7), (24.384, 22.7))]  # fmt: skip
    wing = Wing(
        span=73.152, chord=2.438, bend_stiffness=1.0331e6 * factor, twist_stiffness=1.653e5 * factor, mass=8.929,
        inertia=4.15, axis=0.25, centre=0.25, bones=12, dihedral=[(2 / 3, 10.0)], flaps=[flap],
        section=AirfoilSection(drag=0.01, moment=0.025, stall_deg=30.0),
    )  # fmt: skip
    return Aircraft(wing, propellers=motors, shapes=pods, speed=12.19)


def helios_trim(payload: float) -> Trim:
    """Its level flight at 12.19 m/s at sea level, in pure strip theory as in the paper."""
    craft = ElasticAircraft(helios(payload), 0.0, wakes=False)
    craft.set_air(0.0, 1.225)
    return trim(craft, 12.19, ("flap",))


def tip_of(craft: ElasticAircraft) -> tuple[np.ndarray, np.ndarray]:
    """Where the left tip is now [3] [m], and its axes [3, 3], in W."""
    frame, wing = craft.frame, craft.aircraft.wing
    mujoco.mj_kinematics(frame.model, frame.data)
    mujoco.mj_comPos(frame.model, frame.data)
    body = frame.body[f"left_{wing.bones}"]
    R = frame.data.xmat[body].reshape(3, 3).copy()
    return frame.data.xpos[body] + R[:, 1] * wing.element / 2, R


def loaded_tip(aircraft: Aircraft, load: float) -> tuple[np.ndarray, float]:
    """Where a clamped beam's tip rests under a dead load up [N], [3] [m], and how far it has turned [rad]."""
    craft = ElasticAircraft(aircraft, 0.0, fixed=True, gravity=0.0)
    frame, force = craft.frame, np.array([0.0, 0.0, load])
    body = frame.body[f"left_{aircraft.wing.bones}"]
    before = np.zeros(3)
    for _ in range(60):
        p, R = tip_of(craft)
        frame.pushes[body] = np.concatenate([force, np.cross(p - frame.data.xipos[body], force)])
        if np.abs(p - before).max() < 1e-10 * aircraft.wing.span:
            break
        before = p
        rest_shape(craft)
    return p, math.atan2(R[2, 1], R[1, 1])


def hale_frequencies(bones: int = 11) -> tuple[np.ndarray, np.ndarray]:
    """First bending, second, first twist, first fore-and-aft, third bending [rad/s]: found, and of the beam itself."""
    found = frequencies(ElasticAircraft(hale(bones, edge=4e6), 0.0, fixed=True, gravity=0.0))[:5]
    roots = np.array([1.87510407, 4.69409113, 7.85475744])
    bend = (roots / 16.0) ** 2 * math.sqrt(2e4 / 0.75)
    edge = (roots[0] / 16.0) ** 2 * math.sqrt(4e6 / 0.75)
    return found, np.array([bend[0], bend[1], math.pi / 32 * math.sqrt(1e4 / 0.1), edge, bend[2]])


def hale_tip(degrees: float, gravity: float) -> np.ndarray:
    """Rest of the HALE wing's tip at 25 m/s, both halves, the body pitched up; in the body [3] [m]."""
    craft = ElasticAircraft(hale(10, "both", edge=5e6), 0.0, fixed=True, gravity=gravity)
    a = math.radians(degrees)
    craft.set_air(25.0 * np.array([-math.cos(a), 0.0, math.sin(a)]), 0.08891)
    rest_shape(craft)
    return tip_of(craft)[0]


def flutter(aircraft: Aircraft, speeds: Iterable[float], rho: float) -> Onset:
    """The first unstable speeds of a clamped wing in pure strip theory, between those that are tried."""
    craft = ElasticAircraft(aircraft, 0.0, fixed=True, gravity=0.0, wakes=False)
    onset, before = Onset(math.nan, math.nan, math.nan), None
    for speed in speeds:
        craft.set_air(np.array([-speed, 0.0, 0.0]), rho)
        found = eigenvalues(craft)
        swings = found[found.imag > 0.5]
        worst = swings[np.argmax(swings.real)]
        creeps = found[np.abs(found.imag) < 1e-6].real.max()
        if before is not None:
            past, swing, creep = before
            if math.isnan(onset.flutter) and worst.real > 0.0 >= swing.real:
                share = -swing.real / (worst.real - swing.real)
                at = past + share * (speed - past)
                onset = onset._replace(flutter=at, frequency=swing.imag + share * (worst.imag - swing.imag))
            if math.isnan(onset.divergence) and creeps > 1e-6 >= creep:
                onset = onset._replace(divergence=past - creep / (creeps - creep) * (speed - past))
        before = speed, worst, creeps
    return onset


def validation() -> list[tuple[str, float, float]]:
    """Name, reference and found of every case, for the page."""
    rows = []
    for alpha, (up, back) in ELASTICA.items():
        tip, _ = loaded_tip(hale(), alpha * 2e4 / 16.0**2)
        rows += [
            (f"elastica {alpha:g}, up / L", up, tip[2] / 16.0),
            (f"elastica {alpha:g}, back / L", back, 1 - tip[1] / 16.0),
        ]
    tip, turn = loaded_tip(beam(5.0, 9.346e6), 6e5)
    rows += [("Géradin–Cardona, up [m]", 2.159, tip[2]), ("Géradin–Cardona, back [m]", 0.596, 5.0 - tip[1])]
    rows.append(("Géradin–Cardona, turn [rad]", 0.672, turn))
    found, known = hale_frequencies()
    names = ("bending 1", "bending 2", "twist 1", "fore and aft 1", "bending 3")
    rows += [(f"HALE {n} [rad/s]", k, f) for n, k, f in zip(names, known, found, strict=True)]
    onset = flutter(hale(), np.arange(30.0, 39.0, 0.5), 0.0889)
    rows += [("HALE flutter [m/s]", 32.21, onset.flutter), ("HALE flutter [rad/s]", 22.61, onset.frequency)]
    rows.append(("HALE divergence [m/s]", 37.29, onset.divergence))
    for (degrees, gravity), (y, z) in HALE_TIPS.items():
        tip = hale_tip(degrees, gravity)
        name = f"HALE tip, {degrees:g}°, {'with' if gravity else 'no'} weight"
        rows += [(f"{name}, y [m]", y, tip[1]), (f"{name}, z [m]", z, tip[2])]
    for payload, pitch, flap in ((0.0, 3.07, 5.96), (226.8, 4.92, 0.44)):
        trimmed = helios_trim(payload)
        rows.append((f"Helios, {payload:g} kg, angle of attack [°]", pitch, math.degrees(trimmed.pitch)))
        rows.append((f"Helios, {payload:g} kg, flap [°]", flap, math.degrees(trimmed.flaps[0])))
    for rho, speed in ((1.225, 137.2), (1.02, math.nan)):
        onset = flutter(goland(), np.arange(125.0, 160.0, 2.0), rho)
        rows += [(f"Goland flutter, {rho:g} kg/m³ [m/s]", speed, onset.flutter)]
    return rows
