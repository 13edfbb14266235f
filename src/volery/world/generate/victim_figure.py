"""Figures of people from the places of their joints: heads with faces, clothes, hands and shoes; all of it is warm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.core.geometry import Mesh, box, capsule, ellipsoid, merge
from volery.core.material import Material
from volery.world.generate.parts import along

__all__ = ["LOOKS", "Joint", "Look", "body"]

Joint = tuple[float, float, float]
_Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """Colours of a person."""

    skin: _Colour
    shirt: _Colour
    trousers: _Colour
    hair: _Colour


LOOKS = {
    "surface": Look((0.54, 0.32, 0.22), (0.06, 0.13, 0.26), (0.17, 0.13, 0.085), (0.05, 0.03, 0.02)),
    "trapped": Look((0.62, 0.42, 0.33), (0.4, 0.38, 0.33), (0.05, 0.08, 0.2), (0.24, 0.14, 0.06)),
    "void": Look((0.3, 0.17, 0.11), (0.1, 0.25, 0.13), (0.16, 0.16, 0.18), (0.02, 0.015, 0.012)),
    "entombed": Look((0.54, 0.32, 0.22), (0.45, 0.08, 0.07), (0.05, 0.08, 0.2), (0.12, 0.06, 0.02)),
}
"""By the kind of place a person is found in; those of robots/models/people are the same."""


def _warm(name: str, colour: _Colour, **more: float | str) -> Material:
    return Material(name, colour, label="victim", temperature=306.0, **{"reflectivity": 0.4, **more})  # type: ignore[arg-type]


_EYE, _IRIS = _warm("eye", (0.82, 0.8, 0.76)), _warm("iris", (0.06, 0.04, 0.03))
_MOUTH, _SHOES = _warm("mouth", (0.36, 0.12, 0.1)), _warm("shoes", (0.04, 0.035, 0.03))


def _limb(a: np.ndarray, b: np.ndarray, radius: float, material: Material) -> Mesh:
    """A round limb between two joints [m]."""
    span = np.subtract(b, a)
    length = float(np.linalg.norm(span))
    return capsule(radius, length, 12, materials=(material,)).moved(along(span), np.add(a, b) / 2)


def _ball(p: np.ndarray, radii: tuple[float, float, float], material: Material, segments: int = 12) -> Mesh:
    return ellipsoid(radii, segments, materials=(material,)).moved(p=p)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def _head(p: np.ndarray, up: np.ndarray, back: np.ndarray, face: Material, hair: Material) -> list[Mesh]:
    """A head whose face looks away from `back`; up: to its crown."""
    ahead = -_unit(back)
    up = _unit(up - (up @ ahead) * ahead)
    left = np.cross(up, ahead)

    def at(x: float, y: float, z: float) -> np.ndarray:
        return p + x * ahead + y * left + z * up

    parts = [
        _ball(p, (0.095, 0.0855, 0.109), face, 16), _ball(at(-0.025, 0, 0), (0.094, 0.0873, 0.1067), hair, 16),
        _ball(at(-0.004, 0, 0.031), (0.089, 0.088, 0.086), hair, 16),
        _ball(at(0.094, 0, -0.008), (0.0145,) * 3, face), _ball(at(0.0915, 0, 0.012), (0.011,) * 3, face),
        _limb(at(0.0838, -0.019, -0.047), at(0.0838, 0.019, -0.047), 0.0065, _MOUTH),
    ]  # fmt: skip
    for s in (-1, 1):
        parts += [
            _ball(at(0.0757, s * 0.032, 0.02), (0.0135,) * 3, _EYE),
            _ball(at(0.0822, s * 0.0315, 0.0195), (0.0085,) * 3, _IRIS),
            _ball(at(-0.005, s * 0.083, 0.0), (0.02, 0.02, 0.026), face),
            _limb(at(0.0825, s * 0.018, 0.043), at(0.073, s * 0.047, 0.041), 0.0045, hair),
        ]
    return parts


def _hand(elbow: np.ndarray, hand: np.ndarray, skin: Material) -> list[Mesh]:
    """A palm, four fingers and a thumb along the forearm."""
    ahead = _unit(hand - elbow)
    across = _unit(np.cross(ahead, [0.3, 1.0, 0.2]))
    parts = [_ball(hand, (0.04, 0.04, 0.051), skin)]
    for i in range(4):
        off = (i - 1.5) * 0.019 * across
        tip = hand + 1.25 * off + (0.098 - abs(i - 1.5) * 0.006) * ahead
        parts.append(_limb(hand + off + 0.02 * ahead, tip, 0.0095, skin))
    thumb = hand + 0.062 * across + 0.045 * ahead + 0.015 * np.cross(ahead, across)
    return [*parts, _limb(hand + 0.03 * across, thumb, 0.011, skin)]


def _torso(hip: np.ndarray, chest: np.ndarray, side: np.ndarray, shirt: Material, trousers: Material) -> list[Mesh]:
    """From the hips, wider to the shoulders."""
    up, low = _unit(chest - hip), hip + 0.35 * (chest - hip)
    flank = [_limb(low + s * 0.03 * side, chest + s * 0.062 * side - 0.035 * up, 0.106, shirt) for s in (-1.0, 1.0)]
    shoulders = [chest + s * 0.178 * side - 0.006 * up for s in (-1.0, 1.0)]
    return [
        _limb(hip + 0.12 * (chest - hip), chest, 0.108, shirt), *flank, _limb(shoulders[0], shoulders[1], 0.07, shirt),
        _limb(hip - 0.055 * side, hip + 0.055 * side, 0.112, trousers),
    ]  # fmt: skip


def body(joints: dict[str, Joint], look: Look, face: Material, back: Joint) -> Mesh:
    """A person from the places of hip, chest and head, of knees and feet, elbows and hands [m]; back: where the back
    of the head looks to."""
    at = {name: np.array(p, float) for name, p in joints.items()}
    skin = _warm("skin", look.skin, reflectivity=0.5)
    shirt = _warm("shirt", look.shirt, reflectivity=0.3, texture="cloth")
    trousers = _warm("trousers", look.trousers, reflectivity=0.3, texture="cloth")
    hair = _warm("hair", look.hair, reflectivity=0.2)
    hip, chest, head, side = at["hip"], at["chest"], at["head"], at["side"]
    parts = [*_torso(hip, chest, side, shirt, trousers), _limb(chest, chest + 0.9 * (head - chest), 0.045, skin)]
    parts += _head(head, head - chest, np.array(back, float), face, hair)
    for s, name in ((1, "left"), (-1, "right")):
        elbow, hand = at[f"{name}_elbow"], at[f"{name}_hand"]
        parts += [_limb(chest + 0.17 * s * side, elbow, 0.05, shirt), _limb(elbow, hand, 0.036, skin)]
        parts += _hand(elbow, hand, skin)
        if f"{name}_knee" in at:
            knee, foot = at[f"{name}_knee"], at[f"{name}_foot"]
            parts += [_limb(hip + 0.09 * s * side, knee, 0.08, trousers), _limb(knee, foot, 0.06, trousers)]
            toe = foot + [0.06, 0.0, 0.0]
            parts.append(_ball(toe, (0.132, 0.047, 0.046), _SHOES))
            parts.append(box((0.252, 0.086, 0.02), materials=(_SHOES,)).moved(p=toe - [0.0, 0.0, 0.03]))
    return merge(parts, "victim")
