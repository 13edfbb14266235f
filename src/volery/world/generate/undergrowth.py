"""What stands and lies under the trees: grass, herbs, ferns, bushes, rocks, fallen trunks, stumps, sticks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from volery.core.geometry import Mesh, merge, sphere
from volery.core.material import Material
from volery.core.noise import fractal3, hash_cell
from volery.world.generate.branching import Limbs, ShootOrder, blades, branch, reach_out, tubes
from volery.world.generate.detail import linked, thinned
from volery.world.generate.simplify import simplified

__all__ = ["LOG_LENGTH", "undergrowth_models"]

LOG_LENGTH = 9.0
"""Of a fallen trunk at full scale [m]; it lies along x, centred."""

_Rng = np.random.Generator


def _lumps(p: np.ndarray, seed: int, octaves: int) -> np.ndarray:
    """Noise at points [n, 3], [n]."""
    return fractal3(p[:, 0], p[:, 1], p[:, 2], seed, octaves)


def _soft(name: str, label: str, *colours: tuple[float, float, float]) -> tuple[Material, ...]:
    about: dict[str, Any] = {
        "label": label,
        "solid": False,
        "transparency": 0.2,
        "reflectivity": 0.45,
        "texture": "leaf",
    }
    return tuple(Material(f"{name} {i}", c, **about) for i, c in enumerate(colours))


_GRASS = _soft("grass", "grass", (0.09, 0.14, 0.045), (0.12, 0.16, 0.06), (0.075, 0.115, 0.04), (0.19, 0.17, 0.085))
_HERB = _soft("herb", "leaf", (0.081, 0.115, 0.04), (0.091, 0.13, 0.045), (0.066, 0.095, 0.035))
_FERN = _soft("fern", "leaf", (0.087, 0.125, 0.04), (0.098, 0.14, 0.045))
_BUSH = _soft("bush", "leaf", (0.073, 0.105, 0.036), (0.084, 0.12, 0.042), (0.091, 0.13, 0.046))
_FLOWER = _soft("flower", "grass", (0.55, 0.55, 0.5), (0.5, 0.4, 0.05), (0.3, 0.12, 0.4))
_TWIG = Material("twig", (0.1, 0.075, 0.05), label="trunk", texture="bark")
_DEAD = Material("dead wood", (0.125, 0.1, 0.077), label="trunk", texture="bark")
_ROT = Material("rotten wood", (0.105, 0.08, 0.06), label="trunk", texture="wood")
_CUT = Material("split wood", (0.3, 0.2, 0.11), label="trunk", texture="wood")
_EARTH = Material("clod", (0.11, 0.075, 0.05), label="ground", texture="soil", reflectivity=0.3)
_MOSS = Material("moss", (0.045, 0.085, 0.02), label="rock", texture="grass", reflectivity=0.4)
_MOSSY = Material("mossy wood", (0.075, 0.088, 0.036), label="trunk", texture="grass", reflectivity=0.4)
_ROCK = Material("rock", (0.2, 0.19, 0.175), label="rock", texture="rock", reflectivity=0.35)


def _disc(rng: _Rng, n: int, radius: float) -> np.ndarray:
    """Points on the ground, evenly in a circle, shape [n, 3]."""
    r, a = radius * np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    return np.stack([r * np.cos(a), r * np.sin(a), np.full(n, -0.02)], axis=1)


def _level(a: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(a), np.sin(a), np.zeros_like(a)], axis=-1)


def _straws(foot: np.ndarray, height: np.ndarray, lean: np.ndarray, width: float, rng: _Rng) -> Mesh:
    """Bent blades of grass, three triangles each; lean: how far the tip hangs over [m]."""
    n = len(foot)
    a = rng.uniform(0, 2 * np.pi, n)
    out, side = _level(a), _level(a + np.pi / 2) * width
    up = np.array([0.0, 0.0, 1.0])
    middle = foot + out * (lean * 0.3)[:, None] + up * (height * 0.6)[:, None]
    tip = foot + out * lean[:, None] + up * height[:, None]
    vertices = np.stack([foot - side, foot + side, middle + side * 0.8, middle - side * 0.8, tip], axis=1)
    faces = (np.arange(n) * 5)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3], [3, 2, 4]])
    normals = np.repeat(out * -0.4 + up, 5, axis=0) / np.sqrt(1.16)
    tint = np.repeat(rng.choice(len(_GRASS), n, p=(0.4, 0.25, 0.25, 0.1)), 3)
    return Mesh(
        vertices.reshape(-1, 3), faces.reshape(-1, 3), _GRASS, tint, normals=normals, robust=False, name="straws"
    )


def _grass(rng: _Rng) -> Mesh:
    """A patch of tufts, 1.5 m across, with a flower here and there."""
    tufts = _disc(rng, 20, 0.75)
    foot = np.repeat(tufts, 11, axis=0)
    foot = foot + rng.normal(size=foot.shape) * (0.07, 0.07, 0.0)
    n = len(foot)
    straws = _straws(foot, rng.uniform(0.12, 0.42, n), rng.uniform(0.03, 0.22, n), 0.009, rng)
    heads = tufts[:3] + rng.normal(size=(3, 3)) * 0.1 + (0.0, 0.0, 0.36)
    colour = _FLOWER[int(rng.integers(len(_FLOWER)))]
    petals = np.repeat(heads, 5, axis=0)
    axis = _level(np.tile(np.arange(5) * 1.2566, 3))
    size = np.full(len(petals), 0.03)
    return merge([straws, blades(petals, axis, np.broadcast_to((0.0, 0.0, 1.0), axis.shape), size, size, (colour,))])


def _herbs(rng: _Rng) -> Mesh:
    """Low leafy cover such as bilberry or wood sorrel, 1.5 m across."""
    stems = np.repeat(_disc(rng, 34, 0.75), 8, axis=0)
    n = len(stems)
    base = stems + rng.normal(size=(n, 3)) * (0.06, 0.06, 0.0)
    base[:, 2] = rng.uniform(0.03, 0.26, n)
    axis = rng.normal(size=(n, 3)) * (1.0, 1.0, 0.4)
    up = rng.normal(size=(n, 3)) * 0.35 + (0.0, 0.0, 1.0)
    return blades(base, axis, up, rng.uniform(0.06, 0.12, n), rng.uniform(0.04, 0.07, n), _HERB)


def _ferns(rng: _Rng) -> Mesh:
    """Three ferns of arching fronds with leaflets on both sides."""
    parts = []
    s = np.linspace(0.08, 1.0, 17)
    for foot in _disc(rng, 3, 0.65):
        n = int(rng.integers(7, 10))
        a = np.arange(n) * 2 * np.pi / n + rng.normal(size=n) * 0.2
        size = rng.uniform(0.5, 0.9, n)[:, None]
        rise = size * (1.7 * s - 1.35 * s**2)
        stalk = foot + _level(a)[:, None] * (size * s)[..., None]
        stalk[..., 2] += rise
        along = np.gradient(stalk, axis=1)
        along /= np.linalg.norm(along, axis=2, keepdims=True)
        long = 0.19 * np.sin(np.pi * np.clip(s * 0.9 + 0.12, 0, 1)) * rng.uniform(0.85, 1.15, (n, len(s)))
        up = rng.normal(size=stalk.shape) * 0.2 + (0.0, 0.0, 1.0)
        for side in (-1.0, 1.0):
            axis = _level(a + side * np.pi / 2)[:, None] + along * 0.4
            flat = [v.reshape(-1, 3) for v in (stalk, axis, up)]
            parts.append(blades(flat[0], flat[1], flat[2], long.ravel(), long.ravel() * 0.3, _FERN, 0.05))
    return merge(parts)


def _bush(rng: _Rng) -> Mesh:
    """Many stems from one root, leaves on all of them."""
    stems = ShootOrder(1, 1.0, bend=(0.05, -0.02), wander=0.16, segments=6)
    n = 16
    lean = _level(rng.uniform(0, 2 * np.pi, n)) * rng.uniform(0.2, 1.0, (n, 1)) + (0.0, 0.0, 0.9)
    lean /= np.linalg.norm(lean, axis=1, keepdims=True)
    wood = reach_out(np.zeros((n, 3)), lean, rng.uniform(0.9, 1.7, n), np.full(n, 0.014), stems, rng)
    twigs = branch(wood, ShootOrder(7, 0.4, 0.2, (0.9, 0.6), wander=0.15, segments=2), rng)
    m = 1100
    base, along, _ = twigs.at(rng.integers(0, len(twigs.points), m), rng.random(m))
    axis = along * 0.5 + rng.normal(size=(m, 3)) * 0.6
    up = rng.normal(size=(m, 3)) * 0.45 + (0.0, 0.0, 1.0)
    size = rng.uniform(0.08, 0.14, m)
    return merge(
        [tubes(wood, 4, (_TWIG,)), tubes(twigs, 3, (_TWIG,)), blades(base, axis, up, size, size * 0.62, _BUSH)]
    )


def _rock(rng: _Rng) -> Mesh:
    """A weathered stone about 2 m across, sunk into the ground, mossy where it faces the sky."""
    ball = sphere(1.0, 36)
    v = ball.vertices.astype(np.float64)
    shift = rng.uniform(0, 100, 3)
    q = v + shift
    dent = np.abs(_lumps(q * 0.9, 11, 3)) * -0.9 + _lumps(q * 2.7, 12, 3) * 0.16
    for _ in range(5):
        cut = rng.normal(size=3)
        cut /= np.linalg.norm(cut)
        v -= np.maximum(v @ cut - rng.uniform(0.6, 0.85), 0.0)[:, None] * cut * 0.9
    v = v * (1.15 + dent[:, None]) * (1.0, rng.uniform(0.65, 0.95), rng.uniform(0.45, 0.75)) + (0, 0, 0.15)
    corner = v[ball.faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    facing = normal[:, 2] / (np.linalg.norm(normal, axis=1) + 1e-12) + rng.normal(size=len(normal)) * 0.12
    growth = _lumps(corner.mean(axis=1) * 1.3 + shift, 13, 2)
    return Mesh(
        v, ball.faces, (_ROCK, _MOSS), facing + growth > 0.8, normals=_smooth(v, ball.faces, normal), name="rock"
    )


def _smooth(vertices: np.ndarray, faces: np.ndarray, normal: np.ndarray) -> np.ndarray:
    total = np.stack([np.bincount(faces.ravel(), np.repeat(normal[:, k], 3), len(vertices)) for k in range(3)], axis=1)
    return total / (np.linalg.norm(total, axis=1, keepdims=True) + 1e-12)


def _stick(points: np.ndarray, radii: np.ndarray, sides: int, ends: Material, rng: _Rng) -> Mesh:
    """A closed piece of trunk, mossy on top, broken at both ends."""
    limb = Limbs(points[None], radii[None])
    ragged = 1.0 + 0.05 * rng.normal(size=(1, len(points), sides))
    tube = tubes(limb, sides, (_DEAD, _ROT, _MOSSY), ragged)
    assert tube.normals is not None, "tubes are smooth"
    up = tube.normals[tube.faces[::2, 0], 2] + rng.normal(size=len(tube.faces) // 2) * 0.35
    bark = np.where(up > 0.75, 2, rng.random(len(up)) < 0.3)
    body = Mesh(tube.vertices, tube.faces, tube.materials, np.repeat(bark, 2), tube.normals, name="log")
    i = np.arange(sides)
    caps = []
    for ring, first, turn in ((0, 0, -1), (-1, len(tube.vertices) - sides, 1)):
        rim = tube.vertices[first : first + sides]
        inward = points[ring + 1 if ring == 0 else -2] - points[ring]
        vertices = np.concatenate([rim, (points[ring] + inward * 0.05)[None]])
        fan = np.stack([i, (i + 1) % sides, np.full(sides, sides)], axis=1)[:, ::turn]
        out = np.broadcast_to(-inward / np.linalg.norm(inward), vertices.shape)
        caps.append(Mesh(vertices, fan, (ends,), normals=out))
    return merge([body, *caps], "log")


def _log(rng: _Rng) -> Mesh:
    """A fallen trunk with the stubs of its branches."""
    x = np.linspace(-0.5, 0.5, 46) * LOG_LENGTH
    bend = np.cumsum(rng.normal(size=(46, 2)) * 0.012, axis=0)
    points = np.concatenate([x[:, None], bend - bend.mean(axis=0)], axis=1)
    radii = np.linspace(0.27, 0.14, 46)
    stubs = branch(
        Limbs(points[None], radii[None]),
        ShootOrder(11, 0.13, 0.3, (1.1, 0.8), wander=0.15, thickness=0.04, segments=3),
        rng,
    )
    return merge([_stick(points, radii, 12, _CUT, rng), tubes(stubs, 4, (_DEAD,))], "log")


def _windfall(rng: _Rng) -> Mesh:
    """A trunk thrown by the wind, with the plate of its roots upright at one end."""
    n = 15
    a = np.arange(n) * 2 * np.pi / n + rng.normal(size=n) * 0.15
    out = np.stack([-0.15 * rng.random(n), np.cos(a), np.sin(a)], axis=1)
    foot = np.broadcast_to((-0.5 * LOG_LENGTH + 0.1, 0.0, 0.0), (n, 3))
    roots = ShootOrder(1, 1.0, bend=(0.0, -0.08), wander=0.2, segments=5)
    limbs = reach_out(foot, out, rng.uniform(0.7, 1.5, n), np.full(n, 0.09), roots, rng)
    clod = sphere(1.0, 20)
    v = clod.vertices * (1.0 + 0.5 * _lumps(clod.vertices * 1.7 + rng.uniform(0, 50), 5, 3))[:, None]
    earth = Mesh(v * (0.3, 0.85, 0.85) + foot[0], clod.faces, (_EARTH,), normals=clod.vertices)
    return merge([_log(rng), tubes(limbs, 5, (_ROT,)), earth], "windfall")


def _stump(rng: _Rng) -> Mesh:
    """What a saw left, with the flare of its roots."""
    z = np.array([-0.2, 0.0, 0.12, 0.3, rng.uniform(0.4, 0.7)])
    points = np.stack([np.zeros(5), np.zeros(5), z], axis=1)
    return _stick(points, np.array([0.55, 0.46, 0.37, 0.32, 0.3]), 14, _CUT, rng)


def _sticks(rng: _Rng) -> Mesh:
    """Fallen branches on a patch of 2 m."""
    n = 14
    a = rng.uniform(0, 2 * np.pi, n)
    fallen = ShootOrder(1, 1.0, bend=(0.0, -0.02), wander=0.09, segments=4)
    limbs = reach_out(_disc(rng, n, 1.0), _level(a), rng.uniform(0.4, 1.6, n), rng.uniform(0.008, 0.03, n), fallen, rng)
    return merge(
        [tubes(limbs, 4, (_DEAD,)), tubes(branch(limbs, ShootOrder(3, 0.4, 0.2, segments=2), rng), 3, (_DEAD,))]
    )


_MAKERS: dict[str, tuple[Callable[[_Rng], Mesh], int]] = {
    "grass": (_grass, 4),
    "herbs": (_herbs, 3),
    "ferns": (_ferns, 3),
    "bush": (_bush, 3),
    "rock": (_rock, 4),
    "log": (_log, 3),
    "windfall": (_windfall, 2),
    "stump": (_stump, 2),
    "sticks": (_sticks, 3),
}
_MANY_PIECES = {"grass": 7, "herbs": 7, "ferns": 8, "bush": 8, "sticks": 5}
"""Levels of detail of what is made of many small pieces."""
_SOLID = (0.08, 0.16, 0.32, 0.64)
"""Edges of the cubes that vertices of other things are joined in by coarser levels [m]."""
_lock = threading.Lock()
_models: dict[str, tuple[Mesh, ...]] = {}


def undergrowth_models() -> dict[str, tuple[Mesh, ...]]:
    """The variants of every kind by name, foot at the origin; made once in a process."""
    with _lock:
        if not _models:
            for k, (name, (make, count)) in enumerate(_MAKERS.items()):
                keys = (int(hash_cell(k, variant, 0, 2)) for variant in range(count))
                made = [make(np.random.Generator(np.random.Philox(key=key))) for key in keys]
                _models[name] = tuple(_in_levels(mesh, _MANY_PIECES.get(name, 0)) for mesh in made)
    return _models


def _in_levels(mesh: Mesh, count: int) -> Mesh:
    """The mesh with so many levels of detail of its pieces, or if that is 0 as one solid."""
    return simplified(mesh, _SOLID) if count == 0 else linked([thinned(mesh, level) for level in range(count)], mesh)
