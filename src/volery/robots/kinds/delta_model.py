"""The delta arm as a MuJoCo model with closed chains, and how it is put on a robot.

A forearm is drawn as its two rods but moves as one: in a parallelogram both point the same way. They also keep the
platform from turning, so it slides along x, y and z of the plate, and each forearm's end is tied to it by a `connect`.
Bodies <prefix>_plate, _upper1…3, _fore1…3, _platform and _tip; joints _arm1…3 (motor angles), _swing1…3 and _lean1…3
(forearms), _x, _y, _z (the tip in D); actuators _motor1…3; site `tool` at the tip, its z out of the plate. The tip is a
body of its own, so that a force sensor on `tool` feels what the stick passes on to the platform.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from volery.core.frames import quat_from_euler
from volery.errors import RobotError

if TYPE_CHECKING:
    from volery.robots.kinds.delta import Delta, DeltaMount

__all__ = ["put_delta_on"]

_METAL, _CARBON, _TIP = "0.45 0.46 0.48 1", "0.03 0.03 0.035 1", "0.85 0.25 0.05 1"
_STIFF: dict[str, Any] = {"solref": "0.004 1", "solimp": "0.9999 0.9999 0.001"}
"""How hard the chains are closed."""
_TIP_SHARE = 0.25
"""Of the tool's mass that is in its stick."""
_BODIES = ("plate", "upper1", "fore1", "upper2", "fore2", "upper3", "fore3", "platform", "tip")


def put_delta_on(host: mujoco.MjSpec, mount: DeltaMount, *, solid: bool = True) -> None:
    """Put an arm on a robot's model; what would touch within the robot does not. solid: whether its tip touches."""
    root = host.worldbody.first_body()
    if root is None:
        raise RobotError("delta: the robot's model has no body to put the arm on")
    bodies = [b.name for b in host.bodies if b.name and b.name != "world"]
    body = host.body(mount.body) if mount.body else root
    if body is None:
        raise RobotError(f"delta: the robot's model has no body '{mount.body}'; it has {', '.join(bodies)}")
    if any(s.name == "tool" for s in host.sites):
        raise RobotError("delta: the robot's model has a site 'tool' already; a robot has one tool")
    frame = body.add_frame(pos=list(mount.position), quat=quat_from_euler(np.radians(mount.attitude_deg)).tolist())
    host.attach(mujoco.MjSpec.from_string(_mjcf(mount.arm)), prefix=f"{mount.prefix}_", frame=frame)
    host.body(f"{mount.prefix}_tip").add_site(name="tool")
    if not solid:
        for geom in host.body(f"{mount.prefix}_tip").geoms:
            geom.contype, geom.conaffinity = 0, 0
    own = [f"{mount.prefix}_{name}" for name in _BODIES]
    pairs = [(a, b) for a in own for b in bodies] + [(a, b) for i, a in enumerate(own) for b in own[:i]]
    for a, b in pairs:
        host.add_exclude(bodyname1=a, bodyname2=b)


def _mjcf(arm: Delta) -> str:
    """The arm alone, D at its origin, all motors at home."""
    root = ET.Element("mujoco", model="delta")
    ET.SubElement(root, "compiler", angle="radian", autolimits="true")
    plate = ET.SubElement(ET.SubElement(root, "worldbody"), "body", name="plate")
    actuators, ties = ET.SubElement(root, "actuator"), ET.SubElement(root, "equality")
    r, thick = arm.base, 0.15 * arm.base
    _inertial(plate, arm.plate_mass, (0, 0, 0), 0.25 * r * r, 0.25 * r * r, 0.5 * r * r)
    _geom(plate, "cylinder", _METAL, size=_n(r, thick / 2), pos=_n(0, 0, -thick))
    for i in range(3):
        _arm(plate, arm, i)
        ET.SubElement(
            actuators, "motor", name=f"motor{i + 1}", joint=f"arm{i + 1}",
            ctrlrange=_n(-arm.torque, arm.torque),
        )  # fmt: skip
        ends: dict[str, Any] = {"body1": f"fore{i + 1}", "body2": "platform"}
        ET.SubElement(ties, "connect", name=f"tie{i + 1}", **ends, anchor=_n(arm.fore, 0, 0), **_STIFF)
    _tool(plate, arm)
    return ET.tostring(root, encoding="unicode")


def _arm(plate: ET.Element, arm: Delta, i: int) -> None:
    """An upper arm with its forearm; x of each body along it, y across the arm's plane."""
    phi, thick = i * 2 * math.pi / 3, 0.06 * arm.upper
    place = _n(arm.base * math.cos(phi), arm.base * math.sin(phi), 0)
    shell = ET.SubElement(plate, "body", name=f"upper{i + 1}", pos=place, quat=_turned(phi, arm.home))
    ET.SubElement(
        shell, "joint", name=f"arm{i + 1}", axis="0 -1 0", range=_n(arm.low, arm.high), ref=_n(arm.home),
        armature=_n(arm.armature), damping=_n(arm.damping),
    )  # fmt: skip
    _rod(shell, arm.upper_mass, arm.upper)
    _geom(shell, "capsule", _METAL, fromto=_n(0, 0, 0, arm.upper, 0, 0), size=_n(thick))
    swing = arm.forearm_angles(np.full(3, arm.home))[i, 0] - arm.home
    rods = ET.SubElement(shell, "body", name=f"fore{i + 1}", pos=_n(arm.upper, 0, 0), quat=_turned(0.0, float(swing)))
    ET.SubElement(rods, "joint", name=f"swing{i + 1}", axis="0 -1 0")
    ET.SubElement(rods, "joint", name=f"lean{i + 1}", axis="0 0 1")
    _rod(rods, arm.fore_mass, arm.fore)
    half = 0.6 * arm.tool
    for y in (-half, half):
        _geom(rods, "capsule", _CARBON, fromto=_n(0, y, 0, arm.fore, y, 0), size=_n(0.5 * thick))


def _tool(plate: ET.Element, arm: Delta) -> None:
    reach, r = float(arm.place(np.full(3, arm.home))[2]), arm.tool
    body = ET.SubElement(plate, "body", name="platform", pos=_n(0, 0, reach - arm.stick))
    for axis, direction, ref in (("x", "1 0 0", 0.0), ("y", "0 1 0", 0.0), ("z", "0 0 1", reach)):
        ET.SubElement(body, "joint", name=axis, type="slide", axis=direction, ref=_n(ref))
    flat = (0.25 * r * r, 0.25 * r * r, 0.5 * r * r)
    _inertial(body, (1 - _TIP_SHARE) * arm.tool_mass, (0, 0, 0), *flat)
    _geom(body, "cylinder", _METAL, size=_n(r, 0.1 * r))
    tip, ball = ET.SubElement(body, "body", name="tip", pos=_n(0, 0, arm.stick)), 0.3 * r
    _inertial(tip, _TIP_SHARE * arm.tool_mass, (0, 0, -arm.stick / 2), *flat)
    if arm.stick > 2.5 * ball:
        _geom(tip, "capsule", _CARBON, fromto=_n(0, 0, -arm.stick, 0, 0, -1.5 * ball), size=_n(0.15 * r))
    _geom(tip, "sphere", _TIP, size=_n(ball), pos=_n(0, 0, -ball), name="tip")


def _rod(body: ET.Element, mass: float, length: float) -> None:
    """A thin rod along x."""
    across = length**2 / 12.0
    _inertial(body, mass, (length / 2, 0, 0), 1e-3 * across, across, across)


def _inertial(body: ET.Element, mass: float, at: tuple[Any, ...], xx: float, yy: float, zz: float) -> None:
    """Mass [kg] with squares of radii of gyration [m²]."""
    ET.SubElement(body, "inertial", mass=_n(mass), pos=_n(*at), diaginertia=_n(mass * xx, mass * yy, mass * zz))


def _geom(body: ET.Element, kind: str, colour: str, **shape: Any) -> None:
    ET.SubElement(body, "geom", type=kind, rgba=colour, contype="1", conaffinity="1", **shape)


def _turned(phi: float, theta: float) -> str:
    """Quaternion: about z by φ, then about -y by θ."""
    a, b = phi / 2, -theta / 2
    return _n(
        math.cos(a) * math.cos(b), -math.sin(a) * math.sin(b), math.cos(a) * math.sin(b), math.sin(a) * math.cos(b)
    )


def _n(*values: float) -> str:
    return " ".join(f"{v:.17g}" for v in values)
