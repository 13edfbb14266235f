# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""What came out of a step, as robots tell it: motion of their roots, and what they touched."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.control import rotation
from volery.physics.multirotor.spin import SPIN, spin_of
from volery.robots.robot import Contact, Robot

__all__ = ["OUTCOME", "outcomes", "touched"]

OUTCOME = 13 + SPIN
"""Numbers of a drone: position [m] (3), attitude (4), velocity, angular velocity in W (3, 3), rotors (see spin.py)."""


def outcomes(batch: Batch) -> np.ndarray:
    """What robots tell of all drones now, [n, OUTCOME]."""
    out = np.empty((len(batch), OUTCOME))
    _outcomes(batch.state, batch.kind, batch.parameters, out)
    return out


@nb.njit(cache=True, nogil=True)
def _outcomes(S, kind, P, out) -> None:
    for i in range(len(out)):
        s, c, o = S[i], P[kind[i]], out[i]
        R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
        # The one name of a rotation: its first part other than 0 is positive
        sign = 1.0
        for k in range(4):
            if s[at.QUAT + k] != 0.0:
                sign = 1.0 if s[at.QUAT + k] > 0.0 else -1.0
                break
        a, b, e = s[at.SPIN], s[at.SPIN + 1], s[at.SPIN + 2]
        m0, m1, m2 = c[at.CENTRE], c[at.CENTRE + 1], c[at.CENTRE + 2]
        # Velocity of the centre of mass against the root, in B
        u0, u1, u2 = b * m2 - e * m1, e * m0 - a * m2, a * m1 - b * m0
        for k in range(3):
            o[k] = s[at.POS + k] - (R[3 * k] * m0 + R[3 * k + 1] * m1 + R[3 * k + 2] * m2)
            o[7 + k] = s[at.VEL + k] - (R[3 * k] * u0 + R[3 * k + 1] * u1 + R[3 * k + 2] * u2)
            o[10 + k] = R[3 * k] * a + R[3 * k + 1] * b + R[3 * k + 2] * e
        for k in range(4):
            o[3 + k] = sign * s[at.QUAT + k] + 0.0
        spin_of(s, c, o[13:])


def touched(
    log: np.ndarray, batch: Batch, robots: dict[str, Robot], world: ContactWorld
) -> dict[int, tuple[Contact, ...]]:
    """Contacts by row of the drone, from the entries of a log (see bump.py): one for each thing and body."""
    merged: dict[tuple[int, str, str], list] = {}
    for entry in log:
        i, other, ball = int(entry[0]), int(entry[1]), int(entry[2])
        thing = world.object_name(other) if other >= 0 else batch.names[-1 - other]
        body = batch.ball_bodies[ball] or robots[batch.names[i]].description.bodies[0]
        known = merged.setdefault((i, thing, body), [entry[3:6].copy(), entry[6:9].copy(), entry[9], np.zeros(3)])
        if entry[9] > known[2]:
            known[:3] = entry[3:6].copy(), entry[6:9].copy(), entry[9]
        known[3] = known[3] + entry[10:13]
    found: dict[int, tuple[Contact, ...]] = {}
    for (i, thing, body), (p_W, normal_W, depth, impulse_W) in merged.items():
        contact = Contact(thing, body, p_W, normal_W, float(depth), impulse_W)
        found[i] = (*found.get(i, ()), contact)
    return found
