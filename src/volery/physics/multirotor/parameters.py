"""From a robot's file and model to the row of numbers that the kernels fly with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from volery.errors import RobotError
from volery.physics.multirotor.tables import PARAMETERS
from volery.robots.description import Description, load_spec
from volery.robots.kinds.multirotor import Cascade, CollisionSphere, Drag, Multirotor, PowerPack, SimpleFlight
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

__all__ = ["MultirotorModel", "RigidBody", "airframe_of", "body_of", "bumpers_of", "shown_rotors"]

_FOOT_DIRECTIONS = np.array([(x, y, -1.0) for x in (-0.7, 0.7) for y in (-0.7, 0.7)])


@dataclass(frozen=True, eq=False)
class RigidBody:
    """A model as one rigid body, in the root's frame, its joints at rest."""

    mass: float
    """[kg]."""
    centre: np.ndarray
    """Centre of mass [m], [3]."""
    inertia: np.ndarray
    """About it [kg m²], [3, 3]."""
    feet: tuple[tuple[np.ndarray, float], ...]
    """Spheres (centre [m], radius [m]) on which it stands."""


@dataclass(frozen=True, eq=False)
class MultirotorModel:
    """All the numbers of a multirotor. `effect` is what one rpm² of each rotor does: force and torque about the centre
    of mass in B, [6, n]."""

    mass: float
    inertia: np.ndarray
    effect: np.ndarray
    tau: float
    least_rpm: float
    most_rpm: float
    control: Cascade = field(default_factory=Cascade)
    simple_flight: SimpleFlight | None = None
    """Flies instead of `control`."""
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    drag: Drag = field(default_factory=Drag)
    air_density: float = 1.225
    gravity: float = GRAVITY
    original: bool = False
    """Step as the MRS simulator does: rotor speeds stay as they are within a step, and stopped rotors idle."""
    floor: float = -np.inf
    """z of a plane that stops drones dead [m]."""
    ground_radius: float = 0.0
    """Radius of a rotor near the ground [m]; 0: no ground effect."""
    ground_effect: float = 1.0
    hub: float = 0.0
    """Height of the rotors over the centre of mass [m]."""
    shaft: float = 0.0
    """Power drawn by a rotor over rpm³ [W]."""
    idle_power: float = 0.0
    battery: PowerPack | None = None
    ways: tuple[float, ...] = ()
    """Of each rotor: 1 it turns counter-clockwise seen from above, −1 clockwise."""
    shown: tuple[int, ...] = ()
    """Rotors in the order of the joints that show them."""

    def row(self, bumper: float = 0.0) -> np.ndarray:
        """Everything as the kernels want it, a table of one row; bumper: radius of the sphere round all that touches
        [m]."""
        p, n = np.zeros(1, PARAMETERS), self.effect.shape[1]
        p["mass"], p["gravity"], p["rotors"], p["reach"] = self.mass, self.gravity, n, bumper
        p["inertia"], p["inverse_inertia"], p["centre"] = self.inertia, np.linalg.inv(self.inertia), self.centre
        p["drag_area"] = 0.5 * self.air_density * np.array(self.drag.area)
        p["drag_linear"], p["rotor_drag"] = self.drag.linear, self.drag.rotor / (n * self.hover_rpm)
        p["faces"] = self.drag.faces
        p["tau"], p["least_rpm"], p["most_rpm"] = self.tau, self.least_rpm, self.most_rpm
        p["original"], p["floor"], p["stopped_rpm"] = self.original, self.floor, self.least_rpm * self.original
        p["near_ground"], p["hub"] = self.ground_effect * (self.ground_radius / 4) ** 2, self.hub
        p["air_density"], p["shaft"], p["idle_power"] = self.air_density, self.shaft, self.idle_power
        p["way"][0, : len(self.ways)], p["shown"][0, : len(self.shown)] = self.ways, self.shown
        p["lift"], p["effect"][0, :, :n], p["mix"][0, :n] = self.effect[2].sum(), self.effect, self.mixer
        self._put_battery(p)
        self._put_loops(p)
        if self.simple_flight is not None:
            self._put_simple_flight(p, self.simple_flight)
        return p

    @property
    def hover_rpm(self) -> float:
        """Of the rotors on average (root of the mean square)."""
        return float(np.sqrt(self.mass * self.gravity / self.effect[2].sum()))

    @property
    def mixer(self) -> np.ndarray:
        """Throttle per roll, pitch, yaw and throttle, [n, 4]: the direction of the pseudo-inverse, each motor pulling
        its whole weight; in the last column the shares that hover without turning."""
        A = np.vstack([self.effect[3:], self.effect[2]])
        # Rows by their own size, lest the matrix be ill-conditioned
        size = np.abs(A).max(axis=1)
        M = np.linalg.pinv(A / size[:, None])
        M[:, 2] = np.where(np.abs(M[:, 2]) > 0.01, np.sign(M[:, 2]), 0.0)
        pair = M[:, :2] / size[:2]
        M[:, :2] = pair / np.linalg.norm(pair, axis=1, keepdims=True)
        squares = np.linalg.lstsq(A, np.array([0.0, 0.0, 0.0, 1.0]), rcond=None)[0]
        share = np.sqrt(np.maximum(squares, 0.0) / squares.mean())
        # Rounding must not make a symmetric airframe lean
        M[:, 3] = np.where(np.abs(share - 1.0) < 1e-9, 1.0, share)
        return M

    def _put_battery(self, p: np.ndarray) -> None:
        b = self.battery
        if b is not None:
            p["full_voltage"], p["empty_voltage"] = b.cells * b.full_voltage, b.cells * b.empty_voltage
            p["resistance"], p["capacity"] = b.resistance, 3600.0 * b.capacity

    def _put_loops(self, p: np.ndarray) -> None:
        c = self.control
        for i, loop in enumerate((c.position, c.velocity, c.attitude)):
            p["kp"][0, i], p["kd"][0, i], p["ki"][0, i] = loop.kp, loop.kd, loop.ki
            p["most"][0, i], p["windup"][0, i] = loop.most or np.inf, loop.windup
        p["most_yaw_rate"] = c.most_yaw_rate
        gain: Any = c.rate_gain
        if gain is None:
            # Torque per share of throttle at hover: 2·rpm·(most − least) for each rotor's rpm², through the mixer
            slope = 2.0 * self.hover_rpm * (self.most_rpm - self.least_rpm)
            torque = np.diag(self.effect[3:] @ self.mixer[:, :3]) * slope
            gain = np.array(c.rate_bandwidth) * np.diag(self.inertia) / np.maximum(torque, 1e-12)
        p["rate_kp"], p["rate_kd"] = gain, np.array(gain) * c.rate_lead

    def _put_simple_flight(self, p: np.ndarray, c: SimpleFlight) -> None:
        p["simple"], p["tilted"] = True, c.tilted_axes
        for i, loop in enumerate((c.position, c.velocity, c.level, c.rate)):
            p["axis_kp"][0, i], p["axis_ki"][0, i], p["axis_kd"][0, i] = loop.kp, loop.ki, loop.kd
        p["most_rates"], p["most_tilt"], p["most_speed"] = c.most_rates, c.most_tilt, c.most_speed
        p["leak"], p["least_control"], p["least_turning"] = c.leak, c.least_throttle, c.least_turning
        most = float(self.effect[2].sum()) * self.most_rpm**2 / self.mass
        # Acceleration per error of velocity, near hover: by tilting, and by half a throttle per unit of output
        slope = np.array(c.velocity.kp) * [self.gravity * c.most_tilt, self.gravity * c.most_tilt, most / 2]
        p["lead"] = np.where(slope > 0.0, 1.0 / np.maximum(slope, 1e-9), 0.0)
        # Its mixer only has signs: each rotor does its whole share of rolling and pitching
        mix = p["mix"][0, :, :2]
        mix /= np.maximum(np.abs(mix).max(axis=0), 1e-12)


def airframe_of(robot: Robot) -> MultirotorModel:
    """The airframe of a robot: rotors from its file, mass and inertia from its model; the same object for all alike."""
    block = robot.file.multirotor if robot.file is not None else None
    if block is None:
        raise RobotError(
            f"robot '{robot.name}' has no rotors: its file has no 'multirotor' block; choose other physics for it"
        )
    return _airframe(robot.description, block)


@lru_cache(maxsize=64)
def _airframe(description: Description, block: Multirotor) -> MultirotorModel:
    body = body_of(description)
    if block.mass is not None:
        body = replace(body, mass=block.mass, inertia=body.inertia * (block.mass / body.mass))
    lift = block.most_thrust / block.most_rpm**2
    hubs = np.array([rotor.hub(description) for rotor in block.rotors]) - body.centre
    axes = np.array([np.array(r.axis) / np.linalg.norm(r.axis) for r in block.rotors])
    ways = np.array([1.0 if r.spin == "ccw" else -1.0 for r in block.rotors])
    # A rotor that turns counter-clockwise twists its robot clockwise
    twist = -ways[:, None] * block.torque_ratio * axes
    effect = lift * np.vstack([axes.T, (np.cross(hubs, axes) + twist).T])
    _check(description.source, block, body, effect)
    shaft = lift * block.torque_ratio * (2 * np.pi / 60) / block.efficiency
    return MultirotorModel(
        mass=body.mass, inertia=body.inertia, effect=effect, tau=block.time_constant, least_rpm=block.idle_rpm,
        most_rpm=block.most_rpm, control=block.control, simple_flight=block.simple_flight, centre=body.centre,
        drag=block.drag,
        air_density=block.air_density, ground_radius=block.radius, ground_effect=block.ground_effect,
        hub=float(hubs[:, 2].mean()), shaft=shaft, idle_power=block.idle_power, battery=block.battery,
        ways=tuple(ways), shown=tuple(k for _, k in shown_rotors(description, block)),
    )  # fmt: skip


def shown_rotors(description: Description, block: Multirotor) -> list[tuple[int, int]]:
    """Joints that show rotors, in their order: number of the joint, and of the rotor."""
    rotor_of = {description.body(r.body): k for k, r in enumerate(block.rotors) if r.body}
    return [(j, rotor_of[joint.body]) for j, joint in enumerate(description.joints) if joint.body in rotor_of]


def body_of(description: Description) -> RigidBody:
    """A robot's model as one rigid body."""
    return _body(description.path, description.path.stat().st_mtime_ns)


def bumpers_of(robot: Robot) -> tuple[CollisionSphere, ...]:
    """What of a multirotor touches things: as its file says, else round each rotor, in the middle, and its feet."""
    block = None if robot.file is None else robot.file.multirotor
    assert block is not None, "only multirotors have bumpers"
    return block.bumpers or _bumpers(robot.description, block)


@lru_cache(maxsize=64)
def _bumpers(description: Description, block: Multirotor) -> tuple[CollisionSphere, ...]:
    hubs = [rotor.hub(description) for rotor in block.rotors]
    arm = min(float(np.linalg.norm(h[:2])) for h in hubs)
    round_rotors = [
        CollisionSphere(tuple(hub), block.radius, rotor.body) for hub, rotor in zip(hubs, block.rotors, strict=True)
    ]
    middle = CollisionSphere((0.0, 0.0, 0.0), max(0.5 * (arm - block.radius), 0.2 * arm))
    feet = [CollisionSphere(tuple(p), r) for p, r in body_of(description).feet]
    return (*round_rotors, middle, *feet)


@lru_cache(maxsize=64)
def _body(path: Path, _modified: int) -> RigidBody:
    model = load_spec(path).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    root = 1
    p, R = data.xpos[root], data.xmat[root].reshape(3, 3)
    mass = float(model.body_subtreemass[root])
    centre_W = data.subtree_com[root]
    inertia = np.zeros((3, 3))
    for b in range(1, model.nbody):
        arm = data.xipos[b] - centre_W
        turned = data.ximat[b].reshape(3, 3)
        inertia += turned @ np.diag(model.body_inertia[b]) @ turned.T
        inertia += model.body_mass[b] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return RigidBody(mass, R.T @ (centre_W - p), R.T @ inertia @ R, _feet(model, data, p, R))


def _feet(model: mujoco.MjModel, data: mujoco.MjData, p: np.ndarray, R: np.ndarray) -> tuple[Any, ...]:
    """The lowest spheres of the root's own shapes towards four sides: ends of capsules, spheres, corners of boxes."""
    spheres = []
    for g in range(model.ngeom):
        if model.geom_bodyid[g] != 1 or not (model.geom_contype[g] or model.geom_conaffinity[g]):
            continue
        X = data.geom_xmat[g].reshape(3, 3)
        for local, radius in _balls(int(model.geom_type[g]), model.geom_size[g]):
            spheres.append((R.T @ (data.geom_xpos[g] + X @ local - p), radius))
    chosen = {max(range(len(spheres)), key=lambda i: spheres[i][0] @ d + spheres[i][1] * np.linalg.norm(d), default=-1)
              for d in _FOOT_DIRECTIONS}  # fmt: skip
    return tuple(spheres[i] for i in sorted(chosen) if i >= 0)


def _balls(kind: int, size: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """Spheres (centre, radius) at the ends of a shape, in its own frame; other kinds have none."""
    types = mujoco.mjtGeom
    if kind == types.mjGEOM_SPHERE:
        return [(np.zeros(3), float(size[0]))]
    if kind == types.mjGEOM_CAPSULE:
        return [(np.array([0.0, 0.0, z]), float(size[0])) for z in (-size[1], size[1])]
    if kind == types.mjGEOM_BOX:
        r = 0.2 * float(size.min())
        inner = size - r
        return [(inner * (x, y, z), r) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return []


def _check(name: str, block: Multirotor, body: RigidBody, effect: np.ndarray) -> None:
    if np.linalg.matrix_rank(effect[2:] / np.abs(effect[2:]).max()) < 4:
        raise RobotError(f"{name}: its rotors cannot lift, roll, pitch and yaw it independently")
    most = effect[2].sum() * block.most_rpm**2
    if most <= body.mass * GRAVITY:
        raise RobotError(
            f"{name}: its rotors lift {most:.3g} N at most, but its model weighs {body.mass * GRAVITY:.3g} N"
        )
