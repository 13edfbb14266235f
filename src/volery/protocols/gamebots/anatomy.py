"""What a robot is made of, as CONF and GEO tell it: mass, size, wheels, and the parts that are moved one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from volery.robots.description import Description, load_spec
from volery.robots.robot import Robot

__all__ = ["Anatomy", "anatomy_of"]


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Numbers of a robot at rest, in its root's axes (forward, left, up)."""

    mass: float
    """[kg]."""
    size: np.ndarray
    """Length, width, height [m]."""
    lowest: float
    """The lowest point, below the origin [m, negative]."""
    reach: float
    """From the origin to the farthest corner seen from above [m]."""
    centre: np.ndarray
    """Of mass [m]."""
    wheels: tuple[str, ...]
    """Joints that are driven, left ones first."""
    steered: dict[str, tuple[str, ...]]
    """Joints that steer, `front` and `rear`."""
    flippers: tuple[str, ...]
    others: tuple[str, ...]
    """Joints of arms and cameras, root to tip."""
    radius: float
    """Of the wheels [m]; 0: none."""
    separation: float
    """Between left and right wheels as turning feels it, sliding tyres included [m]: yaw rate = r Δω / separation."""
    base: float
    """Between front and rear wheels [m]."""
    spin: float
    """Fastest turning of the wheels [rad/s]."""
    torque: float
    """Strongest effort of a wheel [N m]."""
    steering: float
    """Most that an axle is steered [rad]."""
    torques: dict[str, float]
    """Strongest effort of each joint with a motor [N m or N]."""


def anatomy_of(robot: Robot) -> Anatomy:
    """The anatomy of a robot."""
    description = robot.description
    drive = robot.file.drive if robot.file is not None else None
    mass, centre, torques = _masses(description.path)
    low, high, reach = _bounds(description)
    wheels = (*drive.left, *drive.right) if drive else ()
    rest = Robot("anatomy", description).X_WB[:, :, 3]
    places = {j.name: rest[j.body] for j in description.joints}
    steered = {
        "front": tuple(drive.steer_front) if drive else (),
        "rear": tuple(drive.steer_rear) if drive else (),
    }
    taken = {*wheels, *steered["front"], *steered["rear"]}
    flippers = tuple(j.name for j in description.joints if j.name.lower().endswith("flipper") and j.name not in taken)
    moved = tuple(
        n
        for n in torques
        if n not in taken and n not in flippers and not any(w in n.lower() for w in ("wheel", "flipper"))
    )
    xs = [places[w][0] for w in wheels]
    return Anatomy(
        mass, high - low, float(low[2]), reach, centre, wheels, steered, flippers, moved,
        radius=drive.radius if drive else 0.0, separation=drive.track * drive.scrub if drive else 0.0,
        base=float(max(xs) - min(xs)) if xs else 0.0, spin=drive.top_speed / drive.radius if drive else 0.0,
        torque=max((torques.get(w, 0.0) for w in wheels), default=0.0),
        steering=drive.top_steer if drive and drive.steers else 0.0, torques=torques,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _masses(path: Path) -> tuple[float, np.ndarray, dict[str, float]]:
    """Mass [kg], centre of mass in the root's frame [m], and the strongest effort of each joint with a motor."""
    import mujoco

    model = load_spec(path).compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    root = 1 if model.nbody > 1 else 0
    R, p = data.xmat[root].reshape(3, 3), data.xpos[root]
    centre = R.T @ (data.subtree_com[root] - p)
    torques = {}
    for a in range(model.nu):
        if model.actuator_trntype[a] == int(mujoco.mjtTrn.mjTRN_JOINT):
            limited = bool(model.actuator_forcelimited[a])
            most = float(np.abs(model.actuator_forcerange[a]).max()) if limited else 0.0
            torques[model.joint(int(model.actuator_trnid[a, 0])).name] = most
    return float(model.body_subtreemass[root]), centre, torques


@lru_cache(maxsize=64)
def _bounds(description: Description) -> tuple[np.ndarray, np.ndarray, float]:
    """Lowest and highest corner of all that is seen, and the reach from above."""
    probe = Robot("anatomy", description)
    points = [m.vertices @ probe.X_WB[b, :, :3].T + probe.X_WB[b, :, 3] for b, m in description.shapes.items()]
    points += [skin.mesh.vertices for skin in description.skins]
    every = np.concatenate(points)
    return every.min(axis=0), every.max(axis=0), float(np.hypot(every[:, 0], every[:, 1]).max())
