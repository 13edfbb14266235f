"""Booms of an `aircraft` block: beams that run aft from the fuselage, bend and twist, and carry the tail."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

from volery.core.config import Checked, param

__all__ = ["Boom", "add_boom"]


@dataclass(frozen=True)
class Boom(Checked):
    """A round tube along the body's -x; surfaces that are `on` it stand on its end."""

    name: str
    length: float = param(above=0.0, high=100.0)
    """[m]."""
    bend_stiffness: float = param(above=0.0, high=1e12)
    """EI, all ways [N m²]."""
    twist_stiffness: float = param(above=0.0, high=1e12)
    """GJ [N m²]."""
    mass: float = param(above=0.0, high=1e4)
    """[kg/m]."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of its fore end, which the fuselage holds [m]."""
    radius: float = param(0.04, above=0.0, high=10.0)
    """[m]."""
    bones: int = param(4, low=1, high=30)
    """Springs are in the middle of as many even lengths."""
    damping: float = param(0.0, low=0.0, high=1.0)
    """Moment per rate over moment per angle [s]."""

    @property
    def element(self) -> float:
        """Length of beam between two springs [m]."""
        return self.length / self.bones

    @property
    def held(self) -> float:
        """Mass of the piece that is one with the fuselage [kg]."""
        return 0.5 * self.element * self.mass


def add_boom(root: ET.Element, boom: Boom, colour: str) -> ET.Element:
    """Give an aircraft's root the bones of a boom; the outermost is returned."""
    x, y, z = boom.position
    _tube(root, boom, (x, y, z), 0.5 * boom.element, colour)
    parent, at = root, (x - 0.5 * boom.element, y, z)
    for number in range(1, boom.bones + 1):
        length = boom.element * (0.5 if number == boom.bones else 1.0)
        body = ET.SubElement(parent, "body", name=f"{boom.name}_{number}", pos=_numbers(*at))
        springs = (("pitch", "0 1 0", boom.bend_stiffness), ("yaw", "0 0 1", boom.bend_stiffness),
                   ("roll", "1 0 0", boom.twist_stiffness))  # fmt: skip
        # The order turns round from bone to bone, as along the wing.
        for kind, axis, stiffness in springs if number % 2 else springs[::-1]:
            k = stiffness / boom.element
            ET.SubElement(
                body, "joint", name=f"{kind}_{boom.name}_{number}", axis=axis, stiffness=_numbers(k),
                damping=_numbers(boom.damping * k), range="-1.5 1.5", limited="false",
            )  # fmt: skip
        mass = boom.mass * length
        across, along = mass * (length**2 / 12 + boom.radius**2 / 2), mass * boom.radius**2
        ET.SubElement(
            body, "inertial", pos=_numbers(-0.5 * length, 0, 0), mass=_numbers(mass),
            diaginertia=_numbers(along, across, across),
        )  # fmt: skip
        _tube(body, boom, (0.0, 0.0, 0.0), length, colour)
        parent, at = body, (-length, 0.0, 0.0)
    return parent


def _tube(body: ET.Element, boom: Boom, start: tuple[float, float, float], length: float, colour: str) -> None:
    x, y, z = start
    ET.SubElement(
        body, "geom", type="capsule", fromto=_numbers(x, y, z, x - length, y, z), size=_numbers(boom.radius),
        rgba=colour, contype="0", conaffinity="0", mass="0",
    )  # fmt: skip


def _numbers(*values: float) -> str:
    return " ".join(f"{v:.12g}" for v in values)
