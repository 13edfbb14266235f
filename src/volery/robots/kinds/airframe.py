"""Where the parts of an aircraft are at rest: bones, what weighs on them, and their inertia."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from volery.core.frames import matrix_from_quat, quat_from_euler, quat_multiply
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.kinds.build import Shape

__all__ = ["Airframe", "Bone", "Lump"]


@dataclass(frozen=True)
class Bone:
    """A rigid piece of the wing; its origin is its inner end, on the elastic axis."""

    name: str
    side: int
    """-1 right, 1 left."""
    number: int
    """From the root, 1 and up; 0: the piece that belongs to the root."""
    start: float
    """Where it begins along the beam [m]."""
    length: float
    """[m]."""
    slope: float
    """How steeply it rises outward at rest [rad]."""
    sweep: float
    """How far it runs aft [rad]."""
    p_R: np.ndarray
    """Of its origin in the root's frame [m]."""

    @property
    def R_RB(self) -> np.ndarray:
        """Its axes in the root's frame [3, 3]; a bone's own y is along the beam, to the left."""
        aft, up = self.side * self.sweep, self.side * self.slope
        ca, sa, cu, su = math.cos(aft), math.sin(aft), math.cos(up), math.sin(up)
        return np.array([[ca, -sa * cu, sa * su], [sa, ca * cu, -ca * su], [0.0, su, cu]])

    @property
    def q_RB(self) -> np.ndarray:
        """The same as a quaternion."""
        aft, up = 0.5 * self.side * self.sweep, 0.5 * self.side * self.slope
        turn, rise = [math.cos(aft), 0.0, 0.0, math.sin(aft)], [math.cos(up), math.sin(up), 0.0, 0.0]
        return quat_multiply(np.array(turn), np.array(rise))

    @property
    def out_B(self) -> np.ndarray:
        """From its inner to its outer end, in its own frame [m]."""
        return np.array([0.0, self.side * self.length, 0.0])


@dataclass(frozen=True)
class Lump:
    """Mass [kg], its centre [3] [m] and inertia about that centre [3, 3] [kg m²], in one frame."""

    mass: float
    p: np.ndarray
    inertia: np.ndarray

    @staticmethod
    def of_all(lumps: list[Lump]) -> Lump:
        """What several weigh together."""
        mass = sum(k.mass for k in lumps)
        p: np.ndarray = sum((k.mass * k.p for k in lumps), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for k in lumps:
            r = k.p - p
            inertia += k.inertia + k.mass * (r @ r * np.eye(3) - np.outer(r, r))
        return Lump(mass, p, inertia)

    def seen_from(self, p: np.ndarray, R: np.ndarray) -> Lump:
        """In a frame at p with axes R [3, 3], both given in the present frame."""
        return Lump(self.mass, R.T @ (self.p - p), R.T @ self.inertia @ R)


class Airframe:
    """An aircraft's geometry and masses at rest, in the root's frame."""

    def __init__(self, aircraft: Aircraft) -> None:
        self.aircraft = aircraft

    @cached_property
    def bones(self) -> dict[str, Bone]:
        """All bones of the wing by name, right half before left, root to tip."""
        return {b.name: b for side in self.aircraft.sides for b in self.half(side)[1:]}

    def half(self, side: int) -> list[Bone]:
        """Bones of one half, the root's own piece first."""
        wing = self.aircraft.wing
        borders = [0.0, *((k + 0.5) * wing.element for k in range(wing.bones)), wing.span / 2]
        bones, p = [], np.zeros(3)
        for number, (start, end) in enumerate(pairwise(borders)):
            shares = start / borders[-1], end / borders[-1]
            slope, sweep = wing.dihedral_over(*shares), wing.sweep_over(*shares)
            name = self.aircraft.bone_name(side, number)
            bone = Bone(name, side, number, start, end - start, slope, sweep, p)
            bones.append(bone)
            p = p + bone.R_RB @ bone.out_B
        return bones

    def pieces(self) -> list[Bone]:
        """All that is wing, the root's pieces included."""
        return [b for side in self.aircraft.sides for b in self.half(side)]

    def holder(self, position: tuple[float, float, float]) -> Bone | None:
        """The bone that carries what is at a place of the root's frame at rest; None: the root."""
        side, number = self.aircraft.bone_at(position[1])
        return self.half(side)[number] if number else None

    def lump(self, bone: Bone) -> Lump:
        """What a piece of wing weighs, in its own frame."""
        wing = self.aircraft.wing
        if wing.stations:
            pieces = wing.pieces(bone.start, bone.start + bone.length)
            return Lump.of_all([self._slab(bone, y, length) for y, length in pieces])
        share = (bone.start + bone.length / 2) / (wing.span / 2)
        offset = (wing.axis - wing.centre) * wing.chord_at(share)
        mass = wing.mass * bone.length
        pitch = (wing.inertia - wing.mass * offset**2) * bone.length
        across = mass * bone.length**2 / 12 * (1 + 1e-6) + 1e-6 * pitch
        middle = np.array([offset, bone.side * bone.length / 2, 0.0])
        return Lump(mass, middle, np.diag([across, pitch, mass * bone.length**2 / 12 + pitch]))

    def _slab(self, bone: Bone, y: float, length: float) -> Lump:
        """A thin piece of a bone at a place of the beam [m]."""
        wing = self.aircraft.wing
        share = y / (wing.span / 2)
        offset = (wing.at("axis", share) - wing.at("centre", share)) * wing.chord_at(share)
        mass = wing.at("mass", share) * length
        pitch = wing.at("inertia", share) * length - mass * offset**2
        middle = np.array([offset, bone.side * (y - bone.start), 0.0])
        return Lump(mass, middle, np.diag([1e-6 * pitch, pitch, pitch]))

    def loads(self, name: str) -> list[Lump]:
        """All that weighs on a bone ('root' or one of the wing), in its own frame."""
        craft = self.aircraft
        lumps = [_moved(self.lump(b), b) for b in self.pieces() if b.number == 0] if name == "root" else []
        things = [(p.position, _ball(p.mass, 0.1 * p.radius)) for p in craft.propellers]
        things += [(s.position, _shape_lump(s)) for s in craft.shapes]
        things += [(_aft(b.position, 0.25 * b.element), _rod(b.held, 0.5 * b.element)) for b in craft.booms]
        for position, lump in things:
            bone = self.holder(position)
            if lump.mass > 0.0 and (bone.name if bone else "root") == name:
                at = Lump(lump.mass, lump.p + np.array(position), lump.inertia)
                lumps.append(at.seen_from(bone.p_R, bone.R_RB) if bone else at)
        if name != "root":
            lumps.append(self.lump(self.bones[name]))
        return lumps

    @cached_property
    def mass(self) -> float:
        """Of the whole aircraft [kg]."""
        own = sum(k.mass for name in ("root", *self.bones) for k in self.loads(name))
        tail = sum(s.mass for s in self.aircraft.surfaces)
        return own + tail + sum(b.mass * b.length - b.held for b in self.aircraft.booms)


def _moved(lump: Lump, bone: Bone) -> Lump:
    """From a bone's frame into the root's."""
    R = bone.R_RB
    return Lump(lump.mass, bone.p_R + R @ lump.p, R @ lump.inertia @ R.T)


def _ball(mass: float, radius: float) -> Lump:
    return Lump(mass, np.zeros(3), 0.4 * mass * radius**2 * np.eye(3))


def _aft(position: tuple[float, float, float], distance: float) -> tuple[float, float, float]:
    return (position[0] - distance, position[1], position[2])


def _rod(mass: float, length: float) -> Lump:
    """A thin one along x."""
    return Lump(mass, np.zeros(3), mass * length**2 / 12 * np.diag([1e-6, 1.0, 1.0]))


def _shape_lump(shape: Shape) -> Lump:
    """Of a solid of even density, about its own middle, along the axes of its parent."""
    x, y, z = shape.size
    if shape.kind == "sphere":
        inertia = 0.1 * x * x * np.ones(3)
    elif shape.kind == "box":
        inertia = np.array([y * y + z * z, z * z + x * x, x * x + y * y]) / 12
    else:
        # A capsule counts as a cylinder of its whole length: the difference is small for long ones.
        inertia = np.array([x * x / 16 + z * z / 12, x * x / 16 + z * z / 12, x * x / 8])
    R = matrix_from_quat(quat_from_euler(np.radians(shape.attitude_deg)))
    return Lump(shape.mass, np.zeros(3), shape.mass * R @ np.diag(inertia) @ R.T)
