"""One aircraft in flight: its frame, the air round it, its wake, flaps and propellers; no commands, no robot."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from volery import _native
from volery.errors import RobotError
from volery.physics.elastic.frame import StructuralFrame
from volery.physics.elastic.strength import Strength
from volery.physics.elastic.strips import strips_of
from volery.physics.mujoco.library import library_path
from volery.robots.kinds.aircraft import Aircraft
from volery.world.atmosphere import GRAVITY

__all__ = ["ElasticAircraft", "Surround"]


class Surround:
    """The air at the strips, and the wake that they leave in it; s of them."""

    def __init__(self, count: int) -> None:
        self.rows = np.zeros(count, _native.elastic.StripAir)
        """What the kernels work on; the rest are views of it."""
        self.wind, self.rho = self.rows["wind_W"], self.rows["rho"]
        """[s, 3] in W [m/s]; [s] [kg/m³]."""
        self.lag, self.induced, self.tilt = (self.rows[n] for n in ("lag", "induced", "tilt"))
        """Upwash that has become circulation [s, 2], downwash that lessens lift [s], and that tilts it [s] [m/s]."""
        self.circulation = self.rows["circulation"]
        """[s] [m²/s]."""
        self.gust = self.rows["gust"]
        """Wind that has become circulation, by terms of Wagner's and of Küssner's function [s, 4, 3] [m/s]."""
        self.met = False
        """Whether there has been wind, so that what changes it is a gust."""


class ElasticAircraft:
    """An aircraft that bends. Arrays are fresh or views as said; everything in W, SI."""

    def __init__(
        self, aircraft: Aircraft, step: float = 0.002, *, fixed: bool = False, touch: bool = False, wakes: bool = True,
        gravity: float = GRAVITY,
    ) -> None:  # fmt: skip
        """step: of the solver [s], 0 for statics; fixed: clamped at the root; wakes: strips feel what they shed."""
        self.aircraft, self.step, self.wakes = aircraft, step, wakes
        self.strips = strips_of(aircraft)
        self.flaps = np.zeros(len(aircraft.controls))
        """Angles of the controls now [c] [rad]."""
        self.air = Surround(len(self.strips))
        self._options: dict[str, Any] = {"fixed": fixed, "touch": touch, "gravity": gravity}
        self._make(())

    def _make(self, released: tuple[str, ...]) -> None:
        self.frame = StructuralFrame(self.aircraft, self.strips, self.step, released=released, **self._options)
        self._strength = Strength(self.frame) if self.aircraft.wing.breaks else None
        old: np.ndarray | None = getattr(self, "discs", None)
        self.discs = self.frame.discs()
        self.throttle, self.power_share = self.discs["throttle"], self.discs["share"]
        """What propellers are told and do, 0 to 1; views of `discs`."""
        if old is not None:
            self.throttle[:], self.power_share[:] = old["throttle"], old["share"]
        self._flight = _native.elastic.Flight(
            self.frame.model, self.frame.data, library_path(), self.frame.strips, self.frame.parts,
            self.aircraft.drag_area, self.wakes,
        )  # fmt: skip

    @property
    def released(self) -> tuple[str, ...]:
        """Bones that have come off, with all further out."""
        return self.frame.released

    @property
    def qpos(self) -> np.ndarray:
        """MuJoCo's, a view."""
        return self.frame.data.qpos

    @property
    def qvel(self) -> np.ndarray:
        """MuJoCo's, a view."""
        return self.frame.data.qvel

    def set_step(self, step: float) -> None:
        """Solve in steps of so many seconds."""
        if step != self.step:
            self.step = step
            self.frame.set_step(step)

    def places(self) -> np.ndarray:
        """Leading edges of the strips now [s, 3] [m]: where they meet gusts."""
        mujoco.mj_kinematics(self.frame.model, self.frame.data)
        out = np.empty((len(self.strips), 3))
        _native.elastic.places(self._flight, out)
        return out

    def set_air(self, wind: np.ndarray | float, rho: np.ndarray | float) -> None:
        """Wind at the strips [s, 3] [m/s] and density [s] [kg/m³], until the next time."""
        self.air.wind[:] = wind
        self.air.rho[:] = rho
        if not self.air.met:
            self.air.met, self.air.gust[:] = True, self.air.wind[:, None]

    def take_air(self, other: ElasticAircraft) -> None:
        """Fly on in the wake that another of the same aircraft has left in calm air."""
        for name in ("lag", "induced", "tilt", "circulation"):
            self.air.rows[name] = other.air.rows[name]

    def run(self, count: int, wake: float | None = None) -> bool:
        """So many steps; whether the motion is sound. wake: how long it goes on for at their beginning [s]; none: for
        as long as they last."""
        ahead = count * self.step if wake is None else wake
        return _native.elastic.run(*self._parts, count, self.step, ahead)  # type: ignore[call-arg]

    def settle(self) -> np.ndarray:
        """Forces on all degrees of freedom once the wake has settled [v]; a view of MuJoCo's."""
        _native.elastic.settle(*self._parts)
        return self.frame.data.qfrc_smooth

    def lag_rates(self, dt: float) -> np.ndarray:
        """How fast both lags and the downwash change now, by a step of dt [s], [s, 3] [m/s²]; fills MuJoCo's
        qacc_smooth too."""
        out = np.empty((len(self.strips), 3))
        _native.elastic.lag_rates(*self._parts, dt, out)  # type: ignore[call-arg]
        return out

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self._flight, self.air.rows, self.discs, self.flaps, self.frame.pushes

    def spring_moments(self) -> np.ndarray:
        """What each spring of the frame carries [k] [N m]: bending at an inner end is positive tip up."""
        frame = self.frame
        return frame.stiffness * self.qpos[frame.spring_q] + frame.damping * self.qvel[frame.spring_v]

    def break_overloaded(self) -> str | None:
        """Let the wing come apart where it carries most of what it stands, if that is more; the bone that came off."""
        bone = self._strength.breaking(self.spring_moments()) if self._strength else None
        if bone is not None:
            self.release(bone)
        return bone

    def release(self, bone: str) -> None:
        """Let a bone and all further out come off; both parts fly on from where they are, wakes included."""
        if bone not in self.aircraft.module_bones():
            known = ", ".join(self.aircraft.module_bones()) or "none"
            raise RobotError(f"bone '{bone}' is not where the wing can come apart; those are: {known}")
        if bone in self.released:
            raise RobotError(f"bone '{bone}' has come off already")
        old = self.frame
        pose, twist = _pose_twist(old, old.body[bone])
        self._make(tuple(sorted((*self.released, bone), key=self.aircraft.module_bones().index)))
        new = self.frame
        for name, b in old.body.items():
            joints = range(old.model.body_jntadr[b], old.model.body_jntadr[b] + old.model.body_jntnum[b])
            if name != bone:
                for j in joints:
                    _carry(old, new, old.model.joint(j).name)
        at, dof = new.model.joint(f"flight_{bone}").qposadr[0], new.model.joint(f"flight_{bone}").dofadr[0]
        new.data.qpos[at : at + 7], new.data.qvel[dof : dof + 6] = pose, twist

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        data, air = self.frame.data, self.air
        return {
            "released": list(self.released), "qpos": data.qpos.copy(), "qvel": data.qvel.copy(),
            "warm": data.qacc_warmstart.copy(), "lag": air.lag.copy(), "gust": air.gust.copy(), "met": air.met,
            "induced": air.induced.copy(), "tilt": air.tilt.copy(),
            "circulation": air.circulation.copy(), "flaps": self.flaps.copy(), "throttle": self.throttle.copy(),
            "power": self.power_share.copy(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        if tuple(state["released"]) != self.released:
            self._make(tuple(state["released"]))
        data, air = self.frame.data, self.air
        air.met = state["met"]
        for array, name in (
            (data.qpos, "qpos"), (data.qvel, "qvel"), (data.qacc_warmstart, "warm"), (air.lag, "lag"),
            (air.gust, "gust"), (air.induced, "induced"), (air.tilt, "tilt"), (air.circulation, "circulation"),
            (self.flaps, "flaps"), (self.throttle, "throttle"), (self.power_share, "power"),
        ):  # fmt: skip
            array[:] = state[name]


def _pose_twist(frame: StructuralFrame, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a body, as the coordinates of a free joint have them: velocity in W, angular velocity in the body's axes."""
    model, data = frame.model, frame.data
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    found = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, found, 0)
    R = data.xmat[body].reshape(3, 3)
    return np.concatenate([data.xpos[body], data.xquat[body]]), np.concatenate([found[3:], R.T @ found[:3]])


def _carry(old: StructuralFrame, new: StructuralFrame, joint: str) -> None:
    """Position and velocity of a joint from one frame into another."""
    here, there = new.model.joint(joint), old.model.joint(joint)
    size = {0: (7, 6)}.get(int(here.type[0]), (1, 1))
    for field, start, count in (("qpos", "qposadr", size[0]), ("qvel", "dofadr", size[1])):
        a, b = getattr(here, start)[0], getattr(there, start)[0]
        getattr(new.data, field)[a : a + count] = getattr(old.data, field)[b : b + count]
