"""Forces from outside on the bodies of a model, substep by substep: the air, pushes of commands, rotors of drones."""

from __future__ import annotations

import numpy as np

from volery import _native
from volery.physics.mujoco.arms import Arms
from volery.physics.mujoco.assembly import Assembly
from volery.physics.mujoco.crafts import Crafts
from volery.physics.mujoco.flying import Flying
from volery.physics.mujoco.member import MujocoMember
from volery.physics.multirotor.air import AmbientAir

__all__ = ["OutsideForces"]


class OutsideForces:
    """Knows which bodies the air pulls at, and who pushes; wind is sampled once a step, at each body."""

    def __init__(
        self, air: AmbientAir, flying: Flying, crafts: Crafts, assembly: Assembly, members: dict[str, MujocoMember],
        step: _native.mujoco.Step,
    ) -> None:  # fmt: skip
        self._air, self._flying, self._crafts = air, flying, crafts
        self._assembly, self._step = assembly, step
        self._arms = Arms(assembly, {n: a for n in assembly.names if (a := members[n].arm) is not None}, step)
        model, data = assembly.model, assembly.data
        bodies, areas = [], []
        for name, span in assembly.spans.items():
            for i, area in enumerate(members[name].areas):
                if area.any() and model.body_weldid[span.body + i] != 0:
                    bodies.append(span.body + i)
                    areas.append(area)
        self._dragged = np.zeros(len(bodies), _native.mujoco.DraggedBody)
        """Bodies that the air pulls at, `DraggedBody` [n]."""
        self._dragged["body"], self._dragged["areas"] = bodies, np.array(areas, float).reshape(-1, 3)
        self._bodies, self._xipos = self._dragged["body"].copy(), data.xipos
        self.collect_pushes(members)

    def collect_pushes(self, members: dict[str, MujocoMember]) -> None:
        """Take over the wrenches that robots were told."""
        found = [(s.body + b, w) for n, s in self._assembly.spans.items() for b, w in members[n].all_pushes()]
        self._pushed = np.zeros(len(found), _native.mujoco.PushedBody)
        for row, (body, wrench) in zip(self._pushed, found, strict=True):
            row["body"], row["force_W"], row["torque_W"] = body, wrench[:3], wrench[3:]

    def sample(self, now_ns: int, step_ns: int) -> None:
        """The air at every body, for this step."""
        if len(self._bodies):
            p = self._xipos[self._bodies]
            self._dragged["wind_W"], self._dragged["density"] = self._air.wind(p, now_ns), self._air.density(p[:, 2])
        if self._flying.names:
            self._flying.sample(self._air, now_ns)
        self._crafts.sample(self._air, now_ns, step_ns)

    def push(self, dt: float) -> None:
        """Write all forces for the next dt [s]."""
        _native.mujoco.push(self._step, self._dragged, self._pushed, dt)
        if self._flying.names:
            self._flying.push(dt)
        if self._crafts:
            self._crafts.push(dt)
        if self._arms:
            self._arms.push()
