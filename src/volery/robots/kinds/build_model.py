"""MJCF of a `build` block."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

from volery.robots.kinds.build import Build, Part, Shape, Wheel
from volery.world.atmosphere import GRAVITY

__all__ = ["mjcf_of"]

_DARK, _RUBBER = "0.035 0.035 0.04 1", "0.022 0.022 0.022 1"
_TREAD = 0.4
"""Share of a wheel's width that holds the ground."""
_ARMATURE = 0.3
"""Of motors, in multiples of a wheel's own inertia."""
_SERVO = 2 * math.pi * 4.0
"""Bandwidth of motors that hold a joint [rad/s]."""


def mjcf_of(build: Build, name: str) -> str:
    """The model of a robot as a text."""
    root = ET.Element("mujoco", model=name)
    # Upper case: about fixed axes, which is what roll, pitch and yaw mean here.
    ET.SubElement(root, "compiler", angle="degree", autolimits="true", eulerseq="XYZ")
    world = ET.SubElement(root, "worldbody")
    base = ET.SubElement(world, "body", name="base")
    ET.SubElement(base, "freejoint", name="root")
    ET.SubElement(base, "site", name="centre")
    actuators = ET.SubElement(root, "actuator")
    excludes = ET.SubElement(root, "contact")
    bodies = {"base": base}
    for shape in build.chassis:
        _shape(base, shape)
    for part in build.parts:
        bodies[part.name] = _part(bodies[part.parent], part, actuators)
    load = _sprung(build)
    for wheel in build.wheels:
        _wheel(bodies[wheel.parent], wheel, load, actuators)
        if wheel.parent != "base" or wheel.castor:
            ET.SubElement(excludes, "exclude", body1="base", body2=wheel.name)
    return ET.tostring(root, encoding="unicode")


def _sprung(build: Build) -> float:
    """What each sprung wheel carries [N], if all carry the same."""
    mass = sum(s.mass for s in build.chassis) + sum(s.mass for p in build.parts for s in p.shapes)
    return mass * GRAVITY / max(len(build.wheels), 1)


def _numbers(*values: float) -> str:
    return " ".join(f"{v:.9g}" for v in values)


def _shape(body: ET.Element, shape: Shape) -> None:
    x, y, z = shape.size
    if shape.kind == "box":
        size = _numbers(x / 2, y / 2, z / 2)
    elif shape.kind == "sphere":
        size = _numbers(x / 2)
    else:
        long = z - x if shape.kind == "capsule" else z
        size = _numbers(x / 2, max(long / 2, 1e-4))
    touch = "1" if shape.solid else "0"
    ET.SubElement(
        body, "geom", type=shape.kind, size=size, pos=_numbers(*shape.position), mass=_numbers(shape.mass),
        euler=_numbers(*shape.attitude_deg), rgba=_numbers(*shape.colour, 1.0), contype=touch,
        conaffinity=touch, friction="0.6 0.005 0.0001",
    )  # fmt: skip


def _part(parent: ET.Element, part: Part, actuators: ET.Element) -> ET.Element:
    body = ET.SubElement(parent, "body", name=part.name, pos=_numbers(*part.position))
    ET.SubElement(body, "site", name=f"{part.name}_site")
    if part.joint != "fixed":
        inertia = sum(s.mass * sum(a * a for a in s.size) / 12 for s in part.shapes)
        mass = sum(s.mass for s in part.shapes)
        felt = mass if part.joint == "slide" else max(inertia, 1e-4)
        limits: dict[str, Any] = {} if part.range is None else {"range": _numbers(*part.range)}
        ET.SubElement(
            body, "joint", name=part.name, type=part.joint, axis=_numbers(*part.axis), damping=_numbers(felt),
            armature=_numbers(felt), **limits,
        )  # fmt: skip
        if part.motor is not None:
            stiff = 4 * felt * _SERVO**2
            ET.SubElement(
                actuators, "position", name=part.name, joint=part.name, kp=_numbers(stiff),
                kv=_numbers(4 * felt * _SERVO), forcerange=_numbers(-part.motor.torque, part.motor.torque),
            )  # fmt: skip
    for shape in part.shapes:
        _shape(body, shape)
    return body


def _wheel(parent: ET.Element, wheel: Wheel, load: float, actuators: ET.Element) -> None:
    inertia = 0.5 * wheel.mass * wheel.radius**2
    if wheel.castor:
        parent = _swivel(parent, wheel, inertia)
    place = (-wheel.castor, 0.0, 0.0) if wheel.castor else wheel.position
    body = ET.SubElement(parent, "body", name=wheel.name, pos=_numbers(*place))
    if wheel.suspension is not None:
        s = wheel.suspension
        ET.SubElement(
            body, "joint", name=f"{wheel.name}_spring", type="slide", axis="0 0 1", stiffness=_numbers(s.stiffness),
            range=_numbers(-s.travel, s.travel), damping=_numbers(s.damping), springref=_numbers(-load / s.stiffness),
        )  # fmt: skip
    if wheel.steer_deg:
        _steering(body, wheel, inertia, actuators)
    armature = inertia * (_ARMATURE if wheel.castor else 1 + _ARMATURE)
    ET.SubElement(body, "joint", name=wheel.name, axis="0 1 0", armature=_numbers(armature), damping=_numbers(inertia))
    _tread(body, wheel)
    if wheel.driven and not wheel.castor:
        m = wheel.motor
        ET.SubElement(
            actuators, "velocity", name=wheel.name, joint=wheel.name, kv=_numbers(2.0 * m.torque),
            ctrlrange=_numbers(-m.speed, m.speed), forcerange=_numbers(-m.torque, m.torque),
        )  # fmt: skip


def _swivel(parent: ET.Element, wheel: Wheel, inertia: float) -> ET.Element:
    """The fork of a castor, which turns about the upright."""
    fork = ET.SubElement(parent, "body", name=f"{wheel.name}_fork", pos=_numbers(*wheel.position))
    ET.SubElement(
        fork, "joint", name=f"{wheel.name}_steer", axis="0 0 1", damping=_numbers(inertia), armature=_numbers(inertia)
    )
    tall = _numbers(0.2 * wheel.radius, 0.15 * wheel.radius)
    ET.SubElement(
        fork, "geom", type="cylinder", size=tall, pos=_numbers(0, 0, 1.1 * wheel.radius), rgba=_DARK, contype="0",
        conaffinity="0", mass=_numbers(0.3 * wheel.mass),
    )  # fmt: skip
    return fork


def _steering(body: ET.Element, wheel: Wheel, inertia: float, actuators: ET.Element) -> None:
    name, most = f"{wheel.name}_steer", math.radians(wheel.steer_deg)
    ET.SubElement(
        body, "joint", name=name, axis="0 0 1", range=_numbers(-wheel.steer_deg, wheel.steer_deg),
        damping=_numbers(10 * inertia), armature=_numbers(2 * inertia),
    )  # fmt: skip
    stiff = 6 * inertia * _SERVO**2
    ET.SubElement(
        actuators, "position", name=name, joint=name, kp=_numbers(stiff), kv=_numbers(6 * inertia * _SERVO),
        ctrlrange=_numbers(-most, most),
    )  # fmt: skip


def _tread(body: ET.Element, wheel: Wheel) -> None:
    """What touches: narrow, so that a wheel turns about one line; a castor's is a ball, which swivels easily."""
    shape: dict[str, Any] = {"type": "sphere", "size": _numbers(wheel.radius)}
    if not wheel.castor:
        size = _numbers(wheel.radius, _TREAD * wheel.width / 2)
        shape = {"type": "cylinder", "size": size, "euler": "90 0 0"}
    ET.SubElement(
        body, "geom", name=f"{wheel.name}_tread", group="3", mass=_numbers(wheel.mass),
        friction=_numbers(wheel.tyre.friction, 0.005, 0.0001), solref=_numbers(wheel.tyre.softness, 1), **shape,
    )  # fmt: skip
    for share, more, colour in ((1.0, 0.0, _RUBBER), (0.62, 0.002, _DARK), (0.2, 0.01, "0.55 0.55 0.57 1")):
        ET.SubElement(
            body, "geom", type="cylinder", size=_numbers(share * wheel.radius, wheel.width / 2 + more),
            euler="90 0 0", rgba=colour, contype="0", conaffinity="0", mass="0",
        )  # fmt: skip
    ET.SubElement(
        body, "geom", type="box", size=_numbers(0.5 * wheel.radius, wheel.width / 2 + 0.003, 0.06 * wheel.radius),
        rgba="0.55 0.55 0.57 1", contype="0", conaffinity="0", mass="0",
    )  # fmt: skip
