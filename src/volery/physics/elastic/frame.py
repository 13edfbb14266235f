"""An aircraft's model in MuJoCo, with the arrays that the step works on; made anew when a part comes off."""

from __future__ import annotations

import mujoco
import numpy as np

from volery import _native
from volery.errors import RobotError
from volery.physics.contact import hook
from volery.physics.elastic.strips import Strips
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.kinds.aircraft_model import TOUCH, aircraft_mjcf
from volery.robots.kinds.airframe import Airframe
from volery.world.atmosphere import GRAVITY

__all__ = ["StructuralFrame"]

_MEMORY = 1 << 25
"""For contacts and constraints [bytes]."""


class StructuralFrame:
    """A compiled aircraft. The root is body 1; parts that have come off follow as further free bodies."""

    def __init__(
        self, aircraft: Aircraft, strips: Strips, step: float, *, fixed: bool = False, released: tuple[str, ...] = (),
        touch: bool = False, gravity: float = GRAVITY,
    ) -> None:  # fmt: skip
        """step: of the solver [s]; 0: for statics and eigenvalues; fixed: the root is clamped to the world."""
        self.aircraft, self.released, self.fixed, self.touches = aircraft, released, fixed, touch
        spec = _spec(aircraft, released, step, fixed, touch, gravity)
        try:
            self.model: mujoco.MjModel = spec.compile()
        except (ValueError, mujoco.FatalError) as error:
            raise RobotError(f"aircraft: {' '.join(str(error).split())}") from None
        self.data = mujoco.MjData(self.model)
        self.set_step(step)
        model = self.model
        names = [model.body(b).name for b in range(model.nbody)]
        self.body = {name: b for b, name in enumerate(names)}
        self.parts = np.array([self.body["root"], *(self.body[n] for n in released)], np.int64)
        """First body of each part that flies by itself."""
        springs = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE]
        self.springs = tuple(model.joint(j).name for j in springs)
        self.spring_q = model.jnt_qposadr[springs].astype(np.int64)
        self.spring_v = model.jnt_dofadr[springs].astype(np.int64)
        self.stiffness = model.jnt_stiffness[springs].copy()
        self.damping = model.dof_damping[self.spring_v].copy()
        self.strips = self._numbered(strips)
        """`Strip` [s], with the numbers of bodies and parts in this model."""
        self.pushes = np.zeros((model.nbody, 6))

    def set_step(self, step: float) -> None:
        """Solve in steps of so many seconds; springs get the armature that keeps them stable."""
        model = self.model
        model.opt.timestep = step or 1e-3
        hinges = model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE
        model.dof_armature[model.jnt_dofadr[hinges]] = model.jnt_stiffness[hinges] * step**2 / 4

    def part_of(self, body: int) -> int:
        """Which of `parts` a body belongs to."""
        return int(np.flatnonzero(self.parts == self.model.body_rootid[body])[0])

    def discs(self) -> np.ndarray:
        """The propellers at rest, `Disc` [p]."""
        airframe, propellers = Airframe(self.aircraft), self.aircraft.propellers
        discs = np.zeros(len(propellers), _native.elastic.Disc)
        for disc, p in zip(discs, propellers, strict=True):
            bone = airframe.holder(p.position)
            at = np.array(p.position, float)
            disc["body"] = self.body[bone.name if bone else "root"]
            disc["p_B"] = bone.R_RB.T @ (at - bone.p_R) if bone else at
            disc["area"], disc["most"], disc["lag"] = np.pi * p.radius**2, p.power * p.efficiency, p.lag
        return discs

    def _numbered(self, strips: Strips) -> np.ndarray:
        rows = strips.rows.copy()
        rows["body"] = [self.body[n] for n in strips.bodies]
        rows["part"] = [self.part_of(b) for b in rows["body"].tolist()]
        return rows


def _spec(
    aircraft: Aircraft, released: tuple[str, ...], step: float, fixed: bool, touch: bool, gravity: float
) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_string(aircraft_mjcf(aircraft, "aircraft", released, skin=False))
    spec.memory = _MEMORY
    option = spec.option
    option.gravity = [0.0, 0.0, -gravity]
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    option.cone, option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    for surface in aircraft.surfaces:
        if surface.range_deg > 0:
            # Servos are stiff: a surface stands as it was told, and its joint only shows it.
            spec.delete(spec.joint(surface.name))
    if fixed:
        spec.delete(spec.joint("flight"))
    for geom in list(spec.geoms):
        if touch and geom.name.startswith(TOUCH):
            geom.contype = geom.conaffinity = 0
        else:
            spec.delete(geom)
    if touch:
        hook.add_world(spec)
        hook.add_pairs(spec, [g.name for g in spec.geoms if g.name.startswith(TOUCH)], step)
    return spec
