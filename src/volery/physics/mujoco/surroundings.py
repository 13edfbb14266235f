"""Forces from outside on the bodies of a model, substep by substep: the air, pushes of commands, rotors of drones."""

from __future__ import annotations

import numpy as np

from volery.physics.mujoco.air import add_drag, add_pushes
from volery.physics.mujoco.arms import Arms
from volery.physics.mujoco.assembly import Assembly
from volery.physics.mujoco.crafts import Crafts
from volery.physics.mujoco.flying import Flying
from volery.physics.mujoco.member import Member
from volery.physics.multirotor.air import Air

__all__ = ["Surroundings"]


class Surroundings:
    """Knows which bodies the air pulls at, and who pushes; wind is sampled once a step, at each body."""

    def __init__(
        self, air: Air, flying: Flying, crafts: Crafts, assembly: Assembly, members: dict[str, Member]
    ) -> None:
        self._air, self._flying, self._crafts = air, flying, crafts
        self._assembly = assembly
        self._arms = Arms(assembly, {n: a for n in assembly.names if (a := members[n].arm) is not None})
        model, data = assembly.model, assembly.data
        bodies, areas = [], []
        for name, span in assembly.spans.items():
            for i, area in enumerate(members[name].areas):
                if area.any() and model.body_weldid[span.body + i] != 0:
                    bodies.append(span.body + i)
                    areas.append(area)
        self._bodies = np.array(bodies, np.int64)
        self._areas = np.array(areas, float).reshape(-1, 3)
        self._wind, self._density = np.zeros((len(bodies), 3)), np.zeros(len(bodies))
        self._static = model.body_mass, data.cvel, data.subtree_com, model.body_rootid, data.xipos, data.xmat
        self._out, self._xpos, self._xipos = data.xfrc_applied, data.xpos, data.xipos
        self._pushed, self._pushes = np.zeros(0, np.int64), np.zeros((0, 6))
        self.collect_pushes(members)

    def collect_pushes(self, members: dict[str, Member]) -> None:
        """Take over the wrenches that robots were told."""
        found = [(s.body + b, w) for n, s in self._assembly.spans.items() for b, w in members[n].all_pushes()]
        self._pushed = np.array([b for b, _ in found], np.int64)
        self._pushes = np.array([w for _, w in found], float).reshape(-1, 6)

    def sample(self, now_ns: int, step_ns: int) -> None:
        """The air at every body, for this step."""
        if len(self._bodies):
            p = self._xipos[self._bodies]
            self._wind, self._density = self._air.wind(p, now_ns), self._air.density(p[:, 2])
        if self._flying.names:
            self._flying.sample(self._air, now_ns)
        self._crafts.sample(self._air, now_ns, step_ns)

    def push(self, dt: float) -> None:
        """Write all forces for the next dt [s]."""
        self._out[:] = 0.0
        if len(self._bodies):
            add_drag(self._bodies, self._areas, self._density, self._wind, *self._static, dt, self._out)
        if len(self._pushed):
            add_pushes(self._pushed, self._pushes, self._xpos, self._xipos, self._out)
        if self._flying.names:
            self._flying.push(dt)
        self._crafts.push(dt)
        self._arms.push()
