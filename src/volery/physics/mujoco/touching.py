"""What robots touched within a step: contacts of all substeps, one for each body and thing, impulses added."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from volery import _native
from volery.physics.contact.world import ContactWorld
from volery.physics.mujoco.library import library_path
from volery.robots.robot import Contact

__all__ = ["Touching"]


class Touching:
    """Adds up contacts over the substeps of a step."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, owner: np.ndarray, world: ContactWorld) -> None:
        """owner [nbody]: number of the robot a body belongs to, -1 for the world."""
        self._data, self._world, self._owner = data, world, owner
        bodies = model.geom_bodyid.astype(np.int64)
        self._native = _native.mujoco.Touching(model, data, library_path(), bodies, owner)

    def clear(self) -> None:
        """A new step begins."""
        _native.mujoco.clear_touching(self._native)

    def add(self, dt: float) -> None:
        """Take in the contacts of a substep of dt [s]; there is one at least."""
        if not self._native.found:
            self._native.find_contacts(self._data.contact)
        _native.mujoco.add_touching(self._native, self._world.native, self._data.ncon, dt)

    def contacts(self, names: list[str], roots: np.ndarray, bodies: list[tuple[str, ...]],
                 object_name: Callable[[int], str]) -> dict[str, list[Contact]]:  # fmt: skip
        """Contacts of each robot, deepest first: names of robots, their root bodies, their bodies' names."""
        found: dict[str, list[Contact]] = {}
        touched = np.zeros(self._native.count, _native.mujoco.Touched)
        _native.mujoco.copy_touching(self._native, touched)
        p_W, normal_W, impulse_W = (touched[name].copy() for name in ("p_W", "normal_W", "impulse_W"))
        pairs = zip(*(touched[name].tolist() for name in ("body", "other", "depth")), strict=True)
        for i, (body, other, depth) in enumerate(pairs):
            robot = int(self._owner[body])
            thing = object_name(other) if other >= 0 else names[-1 - other]
            part = bodies[robot][body - roots[robot]]
            contact = Contact(thing, part, p_W[i], normal_W[i], depth, impulse_W[i])
            found.setdefault(names[robot], []).append(contact)
        for contacts in found.values():
            contacts.sort(key=lambda c: (-c.depth, c.body, c.other))
        return found
