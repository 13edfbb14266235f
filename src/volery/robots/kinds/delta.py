"""The delta arm: three motors move a tool that never turns. Geometry, and forces by virtual work.

Frame D sits in the middle of the base plate, z out of it to where the tool is. Arm i lies in the half plane at angle
φ_i = 0, 120, 240° about z. A motor's angle θ is 0 where its upper arm lies in the plate, and positive towards the tool.
Arrays may have any number of leading axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError
from volery.robots.kind import RobotKind

if TYPE_CHECKING:
    import mujoco

__all__ = ["Delta", "DeltaMount"]

_PHI = np.radians([0.0, 120.0, 240.0])
_U = np.stack([np.cos(_PHI), np.sin(_PHI), np.zeros(3)], axis=1)
"""Outward direction of each arm, [3, 3]."""
_V = np.stack([-np.sin(_PHI), np.cos(_PHI), np.zeros(3)], axis=1)
"""Axis of each elbow, across the arm, [3, 3]."""
_Z = np.array([0.0, 0.0, 1.0])
_LEAST = 1e-6
"""A Jacobian whose lengths are smaller than this share of the forearm is singular."""


@dataclass(frozen=True)
class Delta(Checked):
    """Lengths and masses of a delta arm."""

    base: float = param(0.055, above=0.0, high=10.0)
    """From the middle of the plate to each motor's axis [m]."""
    tool: float = param(0.025, above=0.0, high=10.0)
    """From the middle of the platform to where forearms meet it [m]."""
    upper: float = param(0.085, above=0.0, high=10.0)
    """Length of an upper arm [m]."""
    fore: float = param(0.17, above=0.0, high=10.0)
    """Length of a forearm [m]."""
    stick: float = param(0.1, low=0.0, high=10.0)
    """From the platform out to the tip of the tool, along z [m]."""
    low: float = param(-0.5, low=-1.5, high=1.5)
    """Least angle of a motor [rad]."""
    high: float = param(1.3, low=-1.5, high=1.5)
    """Largest angle of a motor [rad]."""
    home: float = param(0.35, low=-1.5, high=1.5)
    """Angle of all motors at rest [rad]."""
    plate_mass: float = param(0.12, above=0.0, high=1e3)
    """Of the plate with its motors [kg]."""
    upper_mass: float = param(0.02, above=0.0, high=1e3)
    """Of an upper arm [kg]."""
    fore_mass: float = param(0.012, above=0.0, high=1e3)
    """Of a forearm, both of its rods [kg]."""
    tool_mass: float = param(0.04, above=0.0, high=1e3)
    """Of the platform with its stick [kg]."""
    torque: float = param(1.5, above=0.0, high=1e4)
    """Most of a motor [N m]."""
    armature: float = param(4e-4, low=0.0, high=1e3)
    """Inertia of a motor behind its gear [kg m²]."""
    damping: float = param(0.002, low=0.0, high=1e3)
    """Friction of a motor [N m s/rad]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.home < self.high:
            raise RobotError(f"delta: home {self.home:g} must lie between low {self.low:g} and high {self.high:g}")
        if self.base - self.tool + self.upper * min(np.cos(self.low), np.cos(self.high)) <= 0.0:
            raise RobotError(
                f"delta: between {self.low:g} and {self.high:g} rad the elbows come further in than the platform's "
                "joints; make base larger than tool, or the range smaller"
            )
        farthest = self.base + self.upper - self.tool
        if farthest >= self.fore:
            raise RobotError(
                f"delta: forearms of {self.fore:g} m do not meet when the upper arms lie flat; they must be longer "
                f"than base + upper - tool = {farthest:g} m"
            )

    @property
    def mass(self) -> float:
        """Of all of it [kg]."""
        return self.plate_mass + 3 * (self.upper_mass + self.fore_mass) + self.tool_mass

    # Places

    def elbows(self, theta: np.ndarray) -> np.ndarray:
        """Where the elbows are in D, [..., 3] angles to [..., 3 arms, 3] [m]."""
        c, s = np.cos(theta)[..., None], np.sin(theta)[..., None]
        return (self.base + self.upper * c) * _U + self.upper * s * _Z

    def place(self, theta: np.ndarray) -> np.ndarray:
        """Where the tip is in D at motor angles [..., 3]: [..., 3] [m]."""
        theta = _finite(theta, "angles")
        # The platform's middle is as far from each of these as a forearm is long.
        S = self.elbows(theta) - self.tool * _U
        a, b = S[..., 1, :] - S[..., 0, :], S[..., 2, :] - S[..., 0, :]
        n = np.cross(a, b)
        nn = np.sum(n * n, axis=-1, keepdims=True)
        aa, bb = (np.sum(x * x, axis=-1, keepdims=True) for x in (a, b))
        middle = np.cross(aa * b - bb * a, n) / (2.0 * nn)
        left = self.fore**2 - np.sum(middle * middle, axis=-1, keepdims=True)
        if (left < 0.0).any():
            worst = theta.reshape(-1, 3)[np.argmin(left.reshape(-1))]
            raise RobotError(f"delta: at angles {_say(worst)} rad the forearms do not meet; they are too short")
        return S[..., 0, :] + middle + np.sqrt(left / nn) * n + self.stick * _Z

    def angles(self, p_DT: np.ndarray) -> np.ndarray:
        """Motor angles [..., 3] [rad] that bring the tip to places in D, [..., 3] [m]; elbows outwards."""
        p_DT = _finite(p_DT, "a place")
        p = p_DT - self.stick * _Z
        x, y = p @ _U.T - (self.base - self.tool), p @ _V.T
        z = np.broadcast_to(p[..., 2:3], x.shape)
        r2 = x * x + z * z
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (self.upper**2 + r2 + y * y - self.fore**2) / (2.0 * self.upper * np.sqrt(r2))
        far = ~(np.abs(cosine) <= 1.0)
        theta = np.arctan2(z, x) - np.arccos(np.where(far, 0.0, cosine))
        theta = (theta + np.pi) % (2 * np.pi) - np.pi
        self._check_reach(p_DT, far, theta)
        return theta

    def _check_reach(self, p_DT: np.ndarray, far: np.ndarray, theta: np.ndarray) -> None:
        """Refuse places that an arm does not get to, or only beyond the range of its motor."""
        bad = far | (theta < self.low - 1e-9) | (theta > self.high + 1e-9)
        if not bad.any():
            return
        row, arm = np.argwhere(bad.reshape(-1, 3))[0]
        where, angle = p_DT.reshape(-1, 3)[row], theta.reshape(-1, 3)[row, arm]
        why = (
            f"arm {arm + 1} is too short or too long for it" if far.reshape(-1, 3)[row, arm]
            else f"motor {arm + 1} would have to turn to {angle:.3f} rad, beyond {self.low:g} to {self.high:g}"
        )  # fmt: skip
        near, out = self.place(np.full(3, self.low))[2], self.place(np.full(3, self.high))[2]
        raise RobotError(
            f"delta: the tool cannot reach {_say(where)} m in the arm's frame: {why}; "
            f"straight ahead it reaches from {near:.3f} to {out:.3f} m"
        )

    # Forces

    def jacobian(self, theta: np.ndarray) -> np.ndarray:
        """J of v_T = J·θ', [..., 3] angles to [..., 3, 3] [m/rad]."""
        theta = _finite(theta, "angles")
        p = self.place(theta) - self.stick * _Z
        rod = self.elbows(theta) - self.tool * _U - p[..., None, :]
        lever = self.upper * (-np.sin(theta)[..., None] * _U + np.cos(theta)[..., None] * _Z)
        gain = np.sum(rod * lever, axis=-1)
        if (np.abs(np.linalg.det(rod / self.fore)) < _LEAST).any():
            raise RobotError("delta: the forearms lie in one plane, where the tool's motion is not determined")
        return np.linalg.solve(rod, gain[..., None] * np.eye(3))

    def torques(self, theta: np.ndarray, force_D: np.ndarray) -> np.ndarray:
        """Motor torques [..., 3] [N m] with which the tool presses on something with a force [..., 3] [N] in D."""
        return np.einsum("...ji,...j->...i", self.jacobian(theta), _finite(force_D, "a force"))

    def force(self, theta: np.ndarray, torques: np.ndarray) -> np.ndarray:
        """Force [..., 3] [N] in D with which the tool presses when motors give torques [..., 3] [N m], at rest."""
        J, torques = self.jacobian(theta), _finite(torques, "torques")
        if (np.abs(np.linalg.det(J)) < (_LEAST * self.upper) ** 3).any():
            raise RobotError("delta: an arm is stretched out: its motor holds any force, so torques do not tell it")
        return np.linalg.solve(np.swapaxes(J, -1, -2), torques[..., None])[..., 0]

    def weight_torques(self, theta: np.ndarray, g_D: np.ndarray) -> np.ndarray:
        """Motor torques [..., 3] [N m] that carry the arm's own weight; g_D: gravity in D [..., 3] [m/s²]."""
        theta, g_D = _finite(theta, "angles"), _finite(g_D, "gravity")
        lever = self.upper * (-np.sin(theta)[..., None] * _U + np.cos(theta)[..., None] * _Z)
        own = (self.upper_mass + self.fore_mass) / 2.0 * np.sum(lever * g_D[..., None, :], axis=-1)
        carried = (self.tool_mass + 1.5 * self.fore_mass) * g_D
        return -own - np.einsum("...ji,...j->...i", self.jacobian(theta), carried)

    # The whole chain, for models with all of its joints

    def chain(self, theta: np.ndarray, prefix: str = "delta") -> dict[str, float]:
        """Positions of all joints of the model at motor angles [3]: what a robot must be put at, motors and all."""
        theta = np.asarray(theta, float)
        p = self.place(theta)
        rods = self.forearm_angles(theta) - self.forearm_angles(np.full(3, self.home))
        rods[:, 0] -= theta - self.home
        found = {f"{prefix}_{a}": float(v) for a, v in zip("xyz", p, strict=True)}
        for i in range(3):
            found[f"{prefix}_arm{i + 1}"] = float(theta[i])
            found[f"{prefix}_swing{i + 1}"], found[f"{prefix}_lean{i + 1}"] = (float(v) for v in rods[i])
        return found

    def forearm_angles(self, theta: np.ndarray) -> np.ndarray:
        """Of each forearm: its angle in the plane of its arm, as θ, and its lean out of that plane, [3, 2] [rad]."""
        p = self.place(theta) - self.stick * _Z
        rod = p + self.tool * _U - self.elbows(theta)
        out, across = np.sum(rod * _U, axis=1), np.sum(rod * _V, axis=1)
        return np.stack([np.arctan2(rod[:, 2], out), np.arcsin(across / self.fore)], axis=1)


@dataclass(frozen=True)
class DeltaMount(RobotKind):
    """A delta arm on a body of the robot's model."""

    mobile: ClassVar[bool] = False
    edits_model: ClassVar[bool] = True
    arm: Delta = Delta()
    body: str = ""
    """Of the robot's model; empty: its root."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of the plate's middle in that body [m]."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw of D in that body [degrees]; (0, 90, 0) has the tool ahead, (180, 0, 0) below."""
    prefix: str = "delta"
    """Names of its bodies and joints begin with it."""

    def put_on(self, spec: mujoco.MjSpec, others: Mapping[str, RobotKind]) -> None:
        """Put the arm on. Its tip is solid, but for that of a craft, which feels surfaces by the law of its `tool`."""
        from volery.robots.kinds.delta_model import put_delta_on

        put_delta_on(spec, self, solid=getattr(others.get("craft"), "tool", None) is None)


def _finite(value: np.ndarray, what: str) -> np.ndarray:
    array = np.asarray(value, float)
    if array.shape[-1:] != (3,) or not np.isfinite(array).all():
        raise RobotError(f"delta: {what} must be finite numbers of shape [..., 3], got {value!r}")
    return array


def _say(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{v:.3f}" for v in values) + ")"
