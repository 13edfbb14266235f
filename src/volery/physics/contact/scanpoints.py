"""Contact of a robot with what its scanner saw: points in, force and torque out. For physics in a process of its own.

Counting the points inside a robot and pushing in proportion, as the first such module did, makes a cube at rest creep:
the count jumps as points cross the skin, a voxel's layer is a depth in steps, points are not spread evenly over what
is touched, and without a memory friction only slows sliding down. Here instead

- the points are joined to the surface they were taken from (`scansurface`);
- the robot is soft and the world is rigid: the pressure at a place of the surface is `stiffness` times its depth below
  the robot's skin (`voxelmap`), integrated exactly over each patch (`scanpatch`). Force and torque are continuous in
  the pose, symmetric where robot and surface are, and at an edge the sum has the right direction by itself;
- friction has a memory: how far the robot was pushed along the surface since it got hold there, as a rigid displacement
  (six numbers, so it does not hang on which points were seen). It holds like a spring up to `grip`, then slips;
- the body is moved in short implicit steps against the newest scan, so a stiff contact is stable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery._native import contact
from volery.core.config import Checked, param
from volery.core.frames import matrix_from_quat
from volery.core.geometry import Mesh
from volery.errors import GeometryError
from volery.physics.contact.scansurface import heights_of, surface_of
from volery.physics.contact.voxelmap import voxel_map

__all__ = ["ScanBody", "ScanContact", "ScanMaterial", "Touch"]

_GRAVITY = 9.80665


@dataclass(frozen=True)
class ScanMaterial(Checked):
    """How a robot's skin yields and holds."""

    stiffness: float = param(1e9, above=0)
    """Pressure per depth [N/m³]. Soft robots roll off edges early: their weight rests before the edge, not on it."""
    damping: float = param(2.0, low=0.0)
    """Part of the pressure more per speed of approach [s/m]; a drop at v m/s keeps about 1 - v·damping of its speed."""
    friction: float = param(0.6, low=0.0)
    grip: float = param(1e-4, above=0)
    """How far it is pushed along the surface before it slips [m]."""
    step: float = param(1e-3, above=0, high=0.1)
    """Longest step of the motion [s]."""


@dataclass(eq=False)
class ScanBody:
    """A rigid robot and its motion. `B` is the frame of its mesh."""

    mass: float
    """[kg]."""
    inertia_B: np.ndarray
    """About its centre of mass, [3, 3] [kg m²]."""
    p_WB: np.ndarray
    q_WB_wxyz: np.ndarray
    v_WB_W: np.ndarray
    w_WB_W: np.ndarray
    com_B: np.ndarray
    """Centre of mass [m]."""


@dataclass(frozen=True, eq=False)
class Touch:
    """What a question gives."""

    points: int
    """Points of the scan inside the robot."""
    penetration: float
    """Depth of the deepest one [m]."""
    force_W: np.ndarray
    """On the robot [N]."""
    torque_W: np.ndarray
    """About its centre of mass [N m]."""


class ScanContact:
    """Contact of one robot, by its mesh, with the last scan."""

    def __init__(
        self, mesh: Mesh, resolution: float, material: ScanMaterial | None = None, voxel: float | None = None
    ) -> None:
        """mesh: closed, in B; resolution: distance of the scanner's rays [m]; voxel: edge [m], by default a twentieth
        of the mesh. The scan must be a box, and reach two rays or more beyond the robot, to see edges under it."""
        self.material = material or ScanMaterial()
        self.resolution = resolution
        self.voxels = voxel_map(mesh, voxel or float(np.ptp(mesh.bounds, axis=0).max()) / 20)
        self.friction_state = np.zeros(6)
        """How far the robot was pushed since it got hold: shift at the centre of mass [m] and turn [rad], in W."""
        self._points, self._occupancy = np.zeros((0, 3)), np.zeros(0, np.int8)
        self._patches: np.ndarray = np.zeros(0, contact.Patch)
        self._volume = 0.0

    def look(self, points: np.ndarray, occupancy: np.ndarray, X_WS: np.ndarray) -> None:
        """Take a scan in: points in W [6·n², 3] [m], occupancy [6·n²], in the scanner's order; X_WS: its pose then."""
        n = round((len(points) / 6) ** 0.5)
        if len(points) != 6 * n * n or len(occupancy) != len(points) or n < 3:
            raise GeometryError(f"a box scan has six faces of n × n points, n above 2; this has {len(points)} points")
        self._points, self._occupancy = np.ascontiguousarray(points, float), np.asarray(occupancy).astype(np.int8)
        self._patches = surface_of(heights_of(self._points, self._occupancy, X_WS), self.resolution)
        R, p = X_WS[:, :3], X_WS[:, 3]
        self._patches["corner"] = self._patches["corner"] @ R.T + p
        self._patches["normal"] = self._patches["normal"] @ R.T

    def ask(self, body: ScanBody) -> Touch:
        """Force and torque at this moment; nothing moves."""
        state, whole = self._state(body), self._whole(body)
        wrench = contact.push_of(self.voxels, self._patches, state, self._law(), self.friction_state, whole)
        return self._touch(body, wrench)

    def advance(self, body: ScanBody, dt: float) -> Touch:
        """Move the body on by dt [s] under gravity and contact; force and torque are the mean over that time."""
        count = max(1, int(np.ceil(dt / self.material.step - 1e-9)))
        state = self._state(body)
        mean, self._volume = contact.advance(
            self.voxels, self._patches, state, self._law(), self.friction_state, self._whole(body),
            self._way(body, dt), dt / count, count,
        )  # fmt: skip
        body.q_WB_wxyz, body.w_WB_W = state["q_WB"][0].copy(), state["w_WB_W"][0].copy()
        arm = matrix_from_quat(body.q_WB_wxyz) @ np.asarray(body.com_B, float)
        body.p_WB, body.v_WB_W = state["p_WC"][0] - arm, state["v_WC_W"][0] - np.cross(body.w_WB_W, arm)
        return self._touch(body, mean)

    def _law(self) -> np.ndarray:
        m = self.material
        return np.array([(m.stiffness, m.damping, m.friction, m.grip, _GRAVITY)], contact.ScanLaw)

    def _whole(self, body: ScanBody) -> float:
        """The volume by which the fineness goes: that of the last contact, or what carries the weight."""
        return max(self._volume, body.mass * _GRAVITY / self.material.stiffness)

    @staticmethod
    def _state(body: ScanBody) -> np.ndarray:
        """The body as the kernels know it, by its centre of mass."""
        state, com = np.zeros(1, contact.ScanBody), np.asarray(body.com_B, float)
        arm = matrix_from_quat(body.q_WB_wxyz) @ com
        state["mass"], state["inertia_B"], state["com_B"] = body.mass, body.inertia_B, com
        state["p_WC"], state["q_WB"] = body.p_WB + arm, body.q_WB_wxyz
        state["v_WC_W"], state["w_WB_W"] = body.v_WB_W + np.cross(body.w_WB_W, arm), body.w_WB_W
        return state

    def _way(self, body: ScanBody, dt: float) -> float:
        """How far a place of the robot may come within dt [s]."""
        reach = np.linalg.norm(np.abs(self.voxels.origin) + np.array(self.voxels.shape) * self.voxels.size)
        return float(dt * (np.linalg.norm(body.v_WB_W) + reach * np.linalg.norm(body.w_WB_W) + _GRAVITY * dt))

    def _touch(self, body: ScanBody, wrench: np.ndarray) -> Touch:
        R, p = matrix_from_quat(body.q_WB_wxyz), np.asarray(body.p_WB, float)
        points, deepest = contact.count_inside(self.voxels, self._points, self._occupancy, R, p)
        return Touch(points, deepest, wrench[:3].copy(), wrench[3:].copy())
