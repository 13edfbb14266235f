"""All robots of the engine in one model, each with its share of MuJoCo's arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import mujoco
import numpy as np

from volery.errors import RobotError
from volery.physics.contact import hook
from volery.physics.mujoco.template import ROOT, SERVO, Template, attach
from volery.robots.description import Description
from volery.world.atmosphere import GRAVITY

__all__ = ["Assembly", "Solver", "Span"]

_MEMORY = 1 << 26
"""For contacts and constraints [bytes]; pages that are never needed are never touched."""
_INTEGRATORS = {
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT,
}


@dataclass(frozen=True)
class Solver:
    """How the model is stepped."""

    step: float
    """[s]."""
    integrator: str
    noslip: int


@dataclass(frozen=True, eq=False)
class Span:
    """Where one robot's numbers are in the model."""

    body: int
    """Its root; the others follow in the description's order."""
    bodies: int
    q: slice
    """In qpos."""
    v: slice
    """In qvel, and all that goes by degrees of freedom."""
    act: slice
    """States of actuators."""
    free: bool
    joints: np.ndarray
    """Numbers of the description's joints that turn in the model, int64 [k]."""
    joint_q: np.ndarray
    """Their places in qpos, int64 [k]."""
    joint_v: np.ndarray
    """Their places in qvel, int64 [k]."""
    balls: tuple[tuple[int, int, np.ndarray], ...]
    """Ball joints: number of the body in the description, place in qpos, anchor in the body [m]."""
    motors: np.ndarray
    """Actuators of the robot's own file, int64."""
    servos: np.ndarray
    """The one added for each of `joints`, int64 [k]."""


class Assembly:
    """A compiled model of some robots. The order is that of their names, whoever came first: a run that is taken up
    again from a snapshot has the same model to the bit."""

    def __init__(self, robots: dict[str, tuple[Template, Description]], solver: Solver) -> None:
        self.solver = solver
        self.names = sorted(robots)
        spec = _empty(solver)
        hook.add_world(spec)
        for name in self.names:
            template = robots[name][0]
            attach(spec, template, f"{name}/")
        self._touching(spec, robots)
        try:
            self.model: mujoco.MjModel = spec.compile()
        except (ValueError, mujoco.FatalError) as error:
            raise RobotError(f"robots {', '.join(self.names)}: {' '.join(str(error).split())}") from None
        self.data = mujoco.MjData(self.model)
        self.spans = {name: _span(self.model, f"{name}/", *robots[name]) for name in self.names}
        self.owner = np.full(self.model.nbody, -1, np.int64)
        """Which robot each body belongs to, in the order of `names`; -1: the world."""
        for i, span in enumerate(self.spans.values()):
            self.owner[span.body : span.body + span.bodies] = i

    def carry_over(self, old: Assembly, names: Iterable[str]) -> None:
        """Take over the state of robots that were in an earlier model."""
        for name in names:
            here, there = self.spans[name], old.spans[name]
            self.data.qpos[here.q] = old.data.qpos[there.q]
            self.data.act[here.act] = old.data.act[there.act]
            for field in ("qvel", "qacc_warmstart"):
                getattr(self.data, field)[here.v] = getattr(old.data, field)[there.v]
            self.model.body_pos[here.body] = old.model.body_pos[there.body]
            self.model.body_quat[here.body] = old.model.body_quat[there.body]

    def _touching(self, spec: mujoco.MjSpec, robots: dict[str, tuple[Template, Description]]) -> None:
        """Contacts with the world, and between robots with the same hardness."""
        for name in self.names:
            for geom in robots[name][0].collides:
                item = spec.geom(f"{name}/{geom}")
                item.solref = hook.hardness(item, self.solver.step)
        moving = [f"{name}/{geom}" for name in self.names for geom in robots[name][0].moves]
        hook.add_pairs(spec, moving, self.solver.step)


def _empty(solver: Solver) -> mujoco.MjSpec:
    """A model without robots; the options of robots' files do not reach it."""
    spec = mujoco.MjSpec()
    spec.memory = _MEMORY
    option = spec.option
    option.timestep = solver.step
    option.gravity = [0.0, 0.0, -GRAVITY]
    option.integrator = _INTEGRATORS[solver.integrator]
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10.0
    option.noslip_iterations = solver.noslip
    # A robot that goes wild is dealt with alone, not by starting all of them over.
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    return spec


def _span(model: mujoco.MjModel, prefix: str, template: Template, description: Description) -> Span:
    root = model.body(prefix + (ROOT if template.whole else description.bodies[0])).id
    bodies = np.arange(root, root + len(description.bodies))
    inner = description.bodies[1:]
    if tuple(model.body(int(b)).name for b in bodies[1:]) != tuple(prefix + name for name in inner):
        raise RobotError(f"{template.path}: MuJoCo orders its bodies otherwise than they are described")
    joints = [j for j in range(model.njnt) if root <= model.jnt_bodyid[j] < root + len(bodies)]
    q = slice(int(model.jnt_qposadr[joints[0]]), 0) if joints else slice(0, 0)
    v = slice(int(model.jnt_dofadr[joints[0]]), 0) if joints else slice(0, 0)
    size = {0: (7, 6), 1: (4, 3)}
    sizes = [size.get(int(model.jnt_type[j]), (1, 1)) for j in joints]
    turning = [(i, j.name) for i, j in enumerate(description.joints) if _has(model, prefix + j.name)]
    ids = [model.joint(prefix + name).id for _, name in turning]
    own = [model.actuator(prefix + name).id for name in template.motors]
    servos = [model.actuator(prefix + SERVO + name).id for _, name in turning]
    return Span(
        body=root,
        bodies=len(bodies),
        q=slice(q.start, q.start + sum(s[0] for s in sizes)),
        v=slice(v.start, v.start + sum(s[1] for s in sizes)),
        act=_acts(model, own),
        free=template.free,
        joints=np.array([i for i, _ in turning], np.int64),
        joint_q=model.jnt_qposadr[ids].astype(np.int64),
        joint_v=model.jnt_dofadr[ids].astype(np.int64),
        balls=tuple(
            (int(model.jnt_bodyid[j]) - root, int(model.jnt_qposadr[j]), model.jnt_pos[j].copy())
            for j in joints
            if model.jnt_type[j] == 1
        ),
        motors=np.array(own, np.int64),
        servos=np.array(servos, np.int64),
    )


def _has(model: mujoco.MjModel, joint: str) -> bool:
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint) >= 0


def _acts(model: mujoco.MjModel, actuators: list[int]) -> slice:
    """The states of a robot's actuators lie side by side."""
    with_state = [a for a in actuators if model.actuator_actadr[a] >= 0]
    if not with_state:
        return slice(0, 0)
    start = int(model.actuator_actadr[with_state[0]])
    return slice(start, start + int(model.actuator_actnum[with_state].sum()))
