"""An aircraft's model in MuJoCo, with the arrays that the step works on; made anew when a part comes off."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import mujoco
import numpy as np

from volery.errors import LibraryError, RobotError
from volery.physics.contact import hook
from volery.physics.elastic.flight import Bodies, Discs, Functions, Sections
from volery.physics.elastic.strips import Strips
from volery.robots.aircraft import Aircraft
from volery.robots.airframe import Airframe
from volery.robots.airmodel import TOUCH, aircraft_mjcf
from volery.world.atmosphere import GRAVITY

__all__ = ["Frame"]

_MEMORY = 1 << 25
"""For contacts and constraints [bytes]."""
_CALLED = ("mj_fwdPosition", "mj_fwdVelocity", "mj_factorM", "mj_fwdAcceleration", "mj_fwdConstraint", "mj_Euler")


class Frame:
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
        model, data = self.model, self.data
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
        self.functions = Functions(*_addresses(), model._address, data._address)
        self.bodies = _bodies(model, data)
        self.sections = self._sections(strips)
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

    def discs(self, throttle: np.ndarray, state: np.ndarray) -> Discs:
        """The propellers, with arrays that hold what they are told and do [p]."""
        airframe, propellers = Airframe(self.aircraft), self.aircraft.propellers
        body, place = [], []
        for p in propellers:
            bone = airframe.holder(p.position)
            body.append(self.body[bone.name if bone else "root"])
            at = np.array(p.position, float)
            place.append(bone.R_RB.T @ (at - bone.p_R) if bone else at)
        return Discs(
            np.array(body, np.int64), np.array(place, float).reshape(-1, 3),
            np.array([np.pi * p.radius**2 for p in propellers], float),
            np.array([p.power * p.efficiency for p in propellers], float),
            np.array([p.lag for p in propellers], float), throttle, state, np.zeros(len(propellers)),
        )  # fmt: skip

    def _sections(self, strips: Strips) -> Sections:
        body = np.array([self.body[n] for n in strips.bodies], np.int64)
        group = np.array([self.part_of(b) for b in body.tolist()], np.int64)
        return Sections(
            body, strips.p_B, strips.R_BS, strips.half_chord, strips.length, strips.ends_B, strips.profile,
            strips.control, group,
        )  # fmt: skip


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


@cache
def _addresses() -> tuple[int, ...]:
    """Of MuJoCo's functions, in the order of `Functions`."""
    folder = Path(mujoco.__file__).parent
    for path in sorted([*folder.glob("libmujoco*"), *folder.glob("mujoco.dll")]):
        try:
            library = ctypes.CDLL(str(path))
            return tuple(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in _CALLED)
        except (OSError, AttributeError):
            continue
    raise LibraryError(f"no MuJoCo library with {_CALLED[0]} in {folder}; run: pip install 'mujoco-core>=4.0.1,<5'")


def _bodies(model: mujoco.MjModel, data: mujoco.MjData) -> Bodies:
    last = np.full(model.nbody, -1, np.int64)
    for b in range(1, model.nbody):
        own = int(model.body_dofnum[b])
        last[b] = model.body_dofadr[b] + own - 1 if own else last[model.body_parentid[b]]
    return Bodies(
        data.xpos, data.xmat, data.xipos, data.cvel, data.subtree_com, model.body_rootid, model.body_parentid,
        model.body_dofadr, model.body_dofnum, model.dof_parentid, last, data.cdof, data.cdof_dot, data.qvel, data.M,
        model.M_rowadr, model.M_rownnz, data.xfrc_applied, data.qfrc_applied, np.zeros((model.nbody, 6)),
    )  # fmt: skip
