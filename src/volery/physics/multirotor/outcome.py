"""What came out of a step, as robots tell it: motion of their roots, and what they touched."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery import _native
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.tables import OUTCOME
from volery.robots.robot import Contact, Robot

__all__ = ["outcomes", "touched"]


def outcomes(batch: Batch, most: float = np.inf) -> tuple[np.ndarray, bool]:
    """What robots tell of all drones now, and whether all are nearer, slower and spin less than `most` [m, m/s,
    rad/s]."""
    out = np.empty(len(batch), OUTCOME)
    return out, _native.multirotor.outcomes(batch.state, batch.parameters, most, out)


def touched(
    log: np.ndarray, batch: Batch, robots: dict[str, Robot], world: ContactWorld
) -> dict[int, tuple[Contact, ...]]:
    """Contacts by row of the drone, from a log of them: one for each thing and body."""
    merged: dict[tuple[int, str, str], list[Any]] = {}
    for entry in log:
        i, other = int(entry["drone"]), int(entry["other"])
        thing = world.object_name(other) if other >= 0 else batch.names[-1 - other]
        body = batch.bumper_bodies[entry["bumper"]] or robots[batch.names[i]].description.bodies[0]
        deepest = [entry["p_W"].copy(), entry["normal_W"].copy(), entry["depth"]]
        known = merged.setdefault((i, thing, body), [*deepest, np.zeros(3)])
        if entry["depth"] > known[2]:
            known[:3] = deepest
        known[3] = known[3] + entry["impulse_W"]
    found: dict[int, tuple[Contact, ...]] = {}
    for (i, thing, body), (p_W, normal_W, depth, impulse_W) in merged.items():
        contact = Contact(thing, body, p_W, normal_W, float(depth), impulse_W)
        found[i] = (*found.get(i, ()), contact)
    return found
