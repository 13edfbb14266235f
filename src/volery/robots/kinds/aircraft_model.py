"""MJCF of an `aircraft` block: bones on springs, tail surfaces, and the shapes that one sees and touches."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np

from volery.core.frames import quat_conjugate, quat_multiply
from volery.robots.kinds.aircraft import Aircraft, Propeller, Surface
from volery.robots.kinds.airframe import Airframe, Bone, Lump
from volery.robots.kinds.boom import add_boom
from volery.robots.kinds.build import Shape
from volery.robots.kinds.springs import wing_springs
from volery.robots.kinds.wing_skin import add_skin

__all__ = ["TOUCH", "aircraft_mjcf", "joint_name"]

TOUCH = "touch_"
"""Names of shapes that touch things begin with this."""
_WHITE, _DARK, _BLADE = "0.72 0.72 0.70 1", "0.035 0.035 0.04 1", "0.10 0.10 0.11 1"
_BLUR = "0.85 0.85 0.87 0.15"
"""What a turning propeller veils; the rest of the light passes."""
_THIN = 0.008
"""Thickness of tail surfaces [m]."""


def joint_name(kind: str, bone: str) -> str:
    """Of a spring: kind is 'bend', 'twist' or 'edge'."""
    return f"{kind}_{bone}"


def aircraft_mjcf(aircraft: Aircraft, name: str, released: Collection[str] = (), skin: bool = True) -> str:
    """The model as a text; bones in `released` have come off, with all further out, and are bodies of their own."""
    airframe = Airframe(aircraft)
    model = ET.Element("mujoco", model=name)
    ET.SubElement(model, "compiler", angle="radian", autolimits="true", eulerseq="XYZ")
    world = ET.SubElement(model, "worldbody")
    root = ET.SubElement(world, "body", name="root")
    ET.SubElement(root, "freejoint", name="flight")
    ET.SubElement(root, "site", name="centre")
    _inertial(root, airframe.loads("root"))
    bodies = {"root": root}
    for side in aircraft.sides:
        half = airframe.half(side)
        _touch(root, half[0], aircraft)
        for inner, bone in pairwise(half):
            parent = world if bone.name in released else bodies[inner.name]
            bodies[bone.name] = _bone(parent, inner, bone, airframe, free=bone.name in released)
    ends = {boom.name: add_boom(root, boom, _DARK) for boom in aircraft.booms}
    for surface in aircraft.surfaces:
        boom = next((b for b in aircraft.booms if b.name == surface.on), None)
        at = np.array(surface.position)
        if boom is not None:
            at = at - boom.position + [boom.length - 0.5 * boom.element, 0.0, 0.0]
        _surface(ends.get(surface.on, root), surface, at)
    parts: list[tuple[Any, Any]] = [
        *((_shape, s) for s in aircraft.shapes),
        *((_propeller, p) for p in aircraft.propellers),
    ]
    for draw, part in parts:
        holder = airframe.holder(part.position)
        draw(bodies[holder.name if holder else "root"], part, holder)
    if skin:
        add_skin(model, airframe)
    return ET.tostring(model, encoding="unicode")


def _numbers(*values: float) -> str:
    return " ".join(f"{v:.12g}" for v in values)


def _inertial(body: ET.Element, lumps: list[Lump]) -> None:
    whole = Lump.of_all(lumps)
    i = whole.inertia
    full = _numbers(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
    ET.SubElement(body, "inertial", pos=_numbers(*whole.p), mass=_numbers(whole.mass), fullinertia=full)


def _bone(parent: ET.Element, inner: Bone, bone: Bone, airframe: Airframe, free: bool) -> ET.Element:
    wing = airframe.aircraft.wing
    at = inner.R_RB @ inner.out_B if inner.number == 0 else inner.out_B
    turn = bone.q_RB if inner.number == 0 else quat_multiply(quat_conjugate(inner.q_RB), bone.q_RB)
    body = ET.SubElement(parent, "body", name=bone.name, pos=_numbers(*at), quat=_numbers(*turn))
    if free:
        ET.SubElement(body, "freejoint", name=f"flight_{bone.name}")
    else:
        for spring in wing_springs(wing, bone):
            ET.SubElement(
                body, "joint", name=joint_name(spring.kind, bone.name), axis=_numbers(*spring.axis),
                stiffness=_numbers(spring.stiffness), damping=_numbers(wing.damping * spring.stiffness),
                range="-1.5 1.5", limited="false",
            )  # fmt: skip
    _inertial(body, airframe.loads(bone.name))
    _touch(body, bone, airframe.aircraft)
    return body


def _touch(body: ET.Element, bone: Bone, aircraft: Aircraft) -> None:
    """A flat box that touches things where the skin is."""
    wing = aircraft.wing
    share = (bone.start + bone.length / 2) / (wing.span / 2)
    chord = wing.chord_at(share)
    origin = bone.p_R if bone.number == 0 else np.zeros(3)
    R = bone.R_RB if bone.number == 0 else np.eye(3)
    p = origin + R @ (0.5 * bone.out_B + np.array([(wing.at("axis", share) - 0.5) * chord, 0, 0]))
    tall = 0.35 * wing.section.thickness * chord
    name = f"{TOUCH}{bone.name}" + (f"_{'right' if bone.side < 0 else 'left'}" if bone.number == 0 else "")
    ET.SubElement(
        body, "geom", name=name, type="box", size=_numbers(chord / 2, bone.length / 2, tall), pos=_numbers(*p),
        group="3", mass="0", friction="0.5 0.005 0.0001",
    )  # fmt: skip


def _surface(holder: ET.Element, surface: Surface, at: np.ndarray) -> None:
    """A flat plate whose axis lies along its body's y, or z if it stands."""
    out = {"right": (0, -1, 0), "left": (0, 1, 0), "up": (0, 0, 1), "down": (0, 0, -1)}[surface.side]
    stands = surface.side in ("up", "down")
    body = ET.SubElement(holder, "body", name=surface.name, pos=_numbers(*at))
    if surface.range_deg > 0:
        most = math.radians(surface.range_deg)
        axis = (0, 0, -1) if stands else (0, -1, 0)
        ET.SubElement(body, "joint", name=surface.name, axis=_numbers(*axis), range=_numbers(-most, most))
    middle = 0.5 * surface.span * np.array(out, float) + [(surface.axis - 0.5) * surface.chord, 0, 0]
    half = [surface.chord / 2, _THIN, surface.span / 2] if stands else [surface.chord / 2, surface.span / 2, _THIN]
    x, y, z = (2 * h for h in half)
    inertia = max(surface.mass, 1e-3) / 12 * np.array([y * y + z * z, z * z + x * x, x * x + y * y])
    ET.SubElement(
        body, "inertial", pos=_numbers(*middle), mass=_numbers(max(surface.mass, 1e-3)), diaginertia=_numbers(*inertia)
    )
    size, place = _numbers(*half), _numbers(*middle)
    ET.SubElement(body, "geom", type="box", size=size, pos=place, rgba=_WHITE, contype="0", conaffinity="0", mass="0")
    ET.SubElement(body, "geom", name=f"{TOUCH}{surface.name}", type="box", size=size, pos=place, group="3", mass="0")


def _place(position: tuple[float, float, float], bone: Bone | None) -> tuple[np.ndarray, np.ndarray]:
    """Where something given in the root's frame at rest is in the frame of its holder, and the root's axes there."""
    if bone is None:
        return np.array(position), np.eye(3)
    return bone.R_RB.T @ (np.array(position) - bone.p_R), bone.R_RB.T


def _shape(body: ET.Element, shape: Shape, bone: Bone | None) -> None:
    x, y, z = shape.size
    size = {"box": (x / 2, y / 2, z / 2), "sphere": (x / 2,)}.get(shape.kind)
    if size is None:
        size = (x / 2, max((z - x if shape.kind == "capsule" else z) / 2, 1e-4))
    at, _ = _place(shape.position, bone)
    same: dict[str, Any] = {"type": shape.kind, "size": _numbers(*size), "pos": _numbers(*at), "mass": "0"}
    same["euler"] = _numbers(*(math.radians(a) for a in shape.attitude_deg))
    ET.SubElement(body, "geom", rgba=_numbers(*shape.colour, 1.0), contype="0", conaffinity="0", **same)
    if shape.solid:
        number = sum(1 for g in body.iter("geom") if g.get("name", "").startswith(f"{TOUCH}shape"))
        name = f"{TOUCH}shape{number}_{body.get('name')}"
        ET.SubElement(body, "geom", name=name, group="3", friction="0.4 0.005 0.0001", **same)


def _about(axis: int, angle: float) -> np.ndarray:
    q = np.zeros(4)
    q[0], q[1 + axis] = math.cos(angle / 2), math.sin(angle / 2)
    return q


def _propeller(body: ET.Element, propeller: Propeller, bone: Bone | None) -> None:
    at, _ = _place(propeller.position, bone)
    r = propeller.radius
    quiet: dict[str, Any] = {"contype": "0", "conaffinity": "0", "mass": "0", "rgba": _DARK}
    ET.SubElement(
        body, "geom", type="capsule", fromto=_numbers(*(at - [0.25 * r, 0, 0]), *at), size=_numbers(0.075 * r), **quiet
    )
    ET.SubElement(
        body, "geom", type="ellipsoid", pos=_numbers(*(at + [0.05 * r, 0, 0])),
        size=_numbers(0.14 * r, 0.075 * r, 0.075 * r), **{**quiet, "rgba": _WHITE},
    )  # fmt: skip
    for turn in (0.4, 0.4 + math.pi):
        for near, far, wide, pitch in ((0.06, 0.35, 0.045, 0.9), (0.35, 0.7, 0.055, 0.5), (0.7, 1.0, 0.035, 0.3)):
            middle, c, s = 0.5 * (near + far) * r, math.cos(turn), math.sin(turn)
            # Along the blade's y, then turned about it: steep at the hub, flat at the end.
            ET.SubElement(
                body, "geom", type="box", pos=_numbers(*(at + [0.05 * r, middle * c, middle * s])),
                quat=_numbers(*quat_multiply(_about(0, turn), _about(1, pitch))),
                size=_numbers(0.007 * r, 0.5 * (far - near) * r, wide * r), **{**quiet, "rgba": _BLADE},
            )  # fmt: skip
    ET.SubElement(
        body, "geom", type="cylinder", pos=_numbers(*(at + [0.05 * r, 0, 0])), size=_numbers(r, 0.002 * r),
        euler=_numbers(0, math.pi / 2, 0), **{**quiet, "rgba": _BLUR},
    )  # fmt: skip
    ET.SubElement(body, "site", name=propeller.name, pos=_numbers(*at))
