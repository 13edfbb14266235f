"""What rescue arenas are made of, in the sizes of the standard test methods: panels, ramps, stairs, step fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from volery.core.geometry import Mesh, box, cylinder, merge
from volery.core.material import Material
from volery.world.generate.parts import (
    CONCRETE,
    GLASS,
    MIRROR,
    STEEL,
    WOOD,
    boxes,
    curtain,
    lattice,
    rock,
    rolls,
    tube,
    turn,
    wall,
    wedge,
)

__all__ = ["BOARDS", "CELL", "DECK", "LOOSE", "TILES", "deck", "loose", "panel", "post", "tile"]

CELL = 1.2
"""Edge of a maze cell [m]."""
DECK = 1.2
"""Height of the second level [m]."""
_TILE = 1.18
"""Edge of what is laid into a cell [m]."""
_RISE = 0.339
"""Of a full ramp over a cell [m]: 16°."""

_BOARD = Material("board", (0.5, 0.36, 0.2), label="wall", reflectivity=0.5, texture="wood")
_POST = Material("post", (0.55, 0.43, 0.27), label="floor", reflectivity=0.5, texture="wood")
_CARPET = Material("carpet", (0.1, 0.1, 0.16), label="floor", reflectivity=0.15, friction=1.0)
_CARTON = Material("cardboard", (0.36, 0.25, 0.14), label="box", reflectivity=0.45, texture="cardboard")
_BRICK = Material("brick", (0.4, 0.13, 0.07), label="debris", reflectivity=0.4, texture="brick")
_RUBBLE = Material("rubble", (0.33, 0.31, 0.28), label="rubble", reflectivity=0.35, texture="concrete")
_RUST = Material("rust", (0.2, 0.09, 0.04), label="rubble", reflectivity=0.25, texture="metal")
_BARREL = Material("barrel", (0.05, 0.15, 0.35), label="barrel", roughness=0.5, reflectivity=0.4, texture="metal")
_MDF = Material("board_mdf", (0.42, 0.33, 0.24), label="wall", reflectivity=0.5, texture="cardboard")
_WHITE = Material("board_white", (0.62, 0.62, 0.58), label="wall", reflectivity=0.5, roughness=0.6)
_GREY = Material("board_grey", (0.36, 0.38, 0.4), label="wall", reflectivity=0.5, texture="concrete")
_PAPER = Material("paper", (0.8, 0.79, 0.74), label="wall", reflectivity=0.5)
_CLOTH = Material("cloth", (0.16, 0.2, 0.3), label="wall", reflectivity=0.5, texture="cloth")
_BLIND = Material("blind", (0.66, 0.64, 0.56), label="wall", reflectivity=0.5)
_WARNING = Material("warning_sign", (0.8, 0.6, 0.02), label="wall", reflectivity=0.5)
_BLACK = Material("sign_black", (0.03, 0.03, 0.03), label="wall", reflectivity=0.5)
BOARDS = {
    "board": _BOARD, "board_mdf": _MDF, "board_white": _WHITE, "board_grey": _GREY, "board_paper": _MDF,
    "board_cloth": _BOARD, "board_blind": _WHITE, "board_sign": _GREY,
}  # fmt: skip
"""Plain panels and what they are of; a laser sees them all alike."""
_PAINT = {"yellow": (0.7, 0.5, 0.02), "orange": (0.75, 0.22, 0.01), "red": (0.55, 0.02, 0.02)}


@cache
def panel(kind: str, height: float) -> Mesh:
    """A wall panel of one cell along x: of BOARDS, window, glass, mirror, fence, or ragged0 to ragged3."""
    w = CELL
    frame = boxes([[w / 2, 0, 0.03], [w / 2, 0, height - 0.03]], (w, 0.03, 0.06), WOOD)
    if kind in BOARDS:
        return _board(kind, height)
    if kind == "window":
        return wall(w, height, 0.01, _BOARD, ((0.35, 0.85, 0.45 * height, 0.8 * height),))
    if kind == "glass":
        return merge([wall(w, height, 0.006, GLASS), frame], "glass")
    if kind == "mirror":
        sheets = [wall(w, height, 0.004, MIRROR).moved(p=(0, y, 0)) for y in (-0.007, 0.007)]
        return merge([wall(w, height, 0.01, _BOARD), *sheets, frame], "mirror")
    if kind == "fence":
        ends = boxes([[x, 0, height / 2] for x in (0.015, w - 0.015)], (0.03, 0.03, height), STEEL)
        return merge([lattice(w, height, 0.06, 0.004, STEEL), ends], "fence")
    draw = rolls(int(kind[-1]), 0x4A66)
    x = np.linspace(0, w, 17)
    slope = np.interp(x, [0, w], draw.uniform(0.45, 1.0, 2)) * height
    top = np.clip(slope + draw.uniform(-0.09, 0.09, 17), 0.2, height)
    return curtain(np.column_stack([x, 0 * x]), np.zeros(17), top, 0.1, CONCRETE)


@cache
def _board(kind: str, height: float) -> Mesh:
    """A plain panel: what is stapled or hung on it is as thin as paper, so that it changes no way."""
    w, board = CELL, wall(CELL, height, 0.01, BOARDS[kind])
    if kind == "board_paper":
        sheets = [[0.3, s * 0.0065, 0.62 * height] for s in (-1, 1)] + [
            [0.8, s * 0.0065, 0.5 * height] for s in (-1, 1)
        ]
        return merge([board, boxes(sheets, (0.21, 0.002, 0.297), _PAPER)], kind)
    if kind == "board_cloth":
        folds = [[x, s * 0.008, 0.56 * height] for x in np.arange(0.15, w - 0.1, 0.1) for s in (-1, 1)]
        return merge([board, boxes(folds, (0.085, 0.006, 0.8 * height), _CLOTH)], kind)
    if kind == "board_blind":
        slats = [[w / 2, s * 0.009, z] for z in np.arange(0.45, 0.92, 0.05) * height for s in (-1, 1)]
        return merge([board, boxes(slats, (0.8, 0.006, 0.035), _BLIND)], kind)
    if kind == "board_sign":
        plates = boxes([[w / 2, s * 0.0075, 0.7 * height] for s in (-1, 1)], (0.36, 0.004, 0.36), _WARNING)
        bars = boxes([[w / 2, s * 0.0105, 0.7 * height + z] for s in (-1, 1) for z in (0.04, -0.1)],
                     [[0.05, 0.002, 0.18], [0.05, 0.002, 0.05]] * 2, _BLACK)  # fmt: skip
        return merge([board, plates, bars], kind)
    return board


@cache
def post(colour: str, height: float) -> Mesh:
    """The post between panels, painted in the arena's colour."""
    paint = Material(f"{colour}_paint", _PAINT[colour], label="wall", roughness=0.6, reflectivity=0.5)
    return box((0.05, 0.05, height), materials=(paint,)).moved(p=(0, 0, height / 2))


def _step_field(kind: str, unit: float, variant: int) -> Mesh:
    """A pallet of 10 × 10 posts of 10 cm, of heights up to four units [m]: flat, hill or diagonal."""
    draw = rolls(variant, 0x57E9)
    i, j = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
    ridge = {"flat": 0 * i + 1.0, "hill": 4 - np.abs(i - 4.5) * 0.8, "diagonal": 4 - np.abs(i - j) * 0.6}[kind]
    level = np.clip(np.round(ridge + draw.uniform(-1, 1, (10, 10))), 0, 4) + 0.5
    high = (level * unit).ravel()
    xy = np.stack([i.ravel(), j.ravel()], axis=1) * 0.1 - 0.45
    dark = draw.random(100) < 0.5
    centres, sizes = np.column_stack([xy, high / 2]), np.column_stack([np.full((100, 2), 0.098), high])
    posts = [boxes(centres[s], sizes[s], m) for s, m in ((dark, _POST), (~dark, WOOD))]
    edge = [[s * 0.545, 0, 0.025] for s in (-1, 1)], [[0, s * 0.545, 0.025] for s in (-1, 1)]
    frame = [boxes(edge[0], (0.09, _TILE, 0.05), WOOD), boxes(edge[1], (1.0, 0.09, 0.05), WOOD)]
    return merge([*posts, *frame], f"step_field_{kind}")


def _ridge() -> Mesh:
    """Two half ramps back to back, each 0.6 m long and rising 0.17 m along x."""
    half = wedge(CELL / 2, _TILE, _RISE / 2, _POST)
    return merge([half.moved(turn(a), (x, 0, 0)) for a, x in ((0.0, -CELL / 4), (np.pi, CELL / 4))], "ridge")


def _ramps(raised: tuple[float, ...], fold: int | None) -> Mesh:
    """A cell's floor between its corners, each 0 or 1 times the rise of a full ramp, counter-clockwise from the
    south-west: folded along the diagonal from a corner, or along both. All slopes are 16°, and edges meet those of the
    cells beside it."""
    xy = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [0, 0]]) * CELL / 2
    z = np.array([*raised, np.mean(raised)]) * _RISE
    v = np.concatenate([np.column_stack([xy, np.zeros(5)]), np.column_stack([xy, z])])
    top = [k + (5 if z[k] > 0 else 0) for k in range(5)]
    corners = [[k, (k + 1) % 4] for k in range(4)]
    if fold is None:
        faces = [[top[a], top[b], top[4]] for a, b in corners]
    else:
        a, b, c, d = (top[(fold + k) % 4] for k in range(4))
        faces = [[a, b, c], [a, c, d]]
    faces += [[0, 2, 1], [0, 3, 2]]
    faces += [f for a, b in corners for f in ([a, b, top[b]], [a, top[b], top[a]]) if len(set(f)) == 3]
    return Mesh(v, np.array(faces), (_POST,), name="ramps")


def _stairs() -> Mesh:
    """Five risers of 0.2 m over one cell, about 40°, rising along +x; the deck is the sixth."""
    k = np.arange(5)
    tread = CELL / 5
    centres = np.column_stack([-0.6 + (k + 0.5) * tread, 0 * k, 0.1 * (k + 1)])
    return boxes(centres, np.column_stack([0 * k + tread, 0 * k + _TILE, 0.2 * (k + 1)]), _POST)


def _rubble(variant: int, size: float = _TILE, height: float = 0.35) -> Mesh:
    """A heap of broken concrete, slabs and reinforcement bars on a square of `size` [m]."""
    draw = rolls(variant, 0x4BB1)
    parts = []
    for _ in range(int(16 * size * size)):
        xy = draw.uniform(-0.46, 0.46, 2) * size
        heap = height * max(0.0, 1 - 2 * float(np.linalg.norm(xy)) / size)
        r = draw.uniform(0.06, 0.2)
        stone = rock(int(draw.integers(6)), _RUBBLE, 0.5, 8, 5)
        R = turn(*draw.uniform(-3, 3, 3))
        parts.append(stone.moved(R, (*xy, heap + 0.3 * r), (r, r * 0.9, r * 0.65)))
    for _ in range(3):
        xy = draw.uniform(-0.25, 0.25, 2) * size
        R = turn(draw.uniform(0, 6), *draw.normal(0, 0.35, 2))
        parts.append(box((0.55, 0.35, 0.06), materials=(_RUBBLE,)).moved(R, (*xy, height * 0.8)))
        a = np.array([*xy, 0.1])
        bend = a + draw.uniform(-0.25, 0.25, 3) * (1, 1, 0) + (0, 0, height + 0.15)
        parts.append(tube(np.array([a, bend, bend + draw.uniform(-0.2, 0.2, 3)]), 0.008, _RUST, 6))
    return merge(parts, "rubble")


def _pancake() -> Mesh:
    """Floors dropped onto each other over two by two cells, with rubble between them."""
    parts = [_rubble(9, 2.2, 0.12)]
    for k, angles in enumerate(((0.03, 0.06, 0.05), (-0.06, -0.08, 0.1), (0.1, 0.12, -0.14))):
        R, p = turn(*angles), (0, 0, 0.42 + 0.4 * k)
        slab = box((2.1, 2.1, 0.1), materials=(CONCRETE,))
        parts += [slab.moved(R, p), _rubble(k, 1.6, 0.15).moved(p=(0, 0, 0.04)).moved(R, p)]
    parts.append(boxes([[x, y, 0.17] for x in (-0.8, 0.8) for y in (-0.8, 0.8)], (0.2, 0.2, 0.34), CONCRETE))
    return merge(parts, "pancake")


def _hanging() -> Mesh:
    """A confined space: posts hang like stalactites from a board on four legs."""
    field = _step_field("flat", 0.1, 5).moved(turn(0, 0, np.pi), (0, 0, 1.1))
    legs = boxes(np.array([[x, y, 0.55] for x in (-0.55, 0.55) for y in (-0.55, 0.55)]), (0.06, 0.06, 1.1), WOOD)
    return merge([field, legs], "hanging")


def _pipe_step() -> Mesh:
    """A step of 20 cm with a pipe along its edge."""
    step = box((0.7, _TILE, 0.2), materials=(_POST,)).moved(p=(0.24, 0, 0.1))
    pipe = tube(np.array([[-0.13, -0.57, 0.19], [-0.13, 0.57, 0.19]]), 0.05, STEEL)
    return merge([step, pipe], "pipe_step")


def _ramp_high() -> Mesh:
    """The upper half of the ramp to the deck, on a solid base."""
    slope = wedge(CELL, _TILE, DECK / 2, _POST).moved(p=(0, 0, DECK / 2))
    return merge([slope, boxes((0, 0, DECK / 4), (CELL, _TILE, DECK / 2), WOOD)], "ramp_high")


def _cinder_block() -> Mesh:
    """A concrete block of 0.4 × 0.2 × 0.2 m with two cavities."""
    across = boxes([[x, 0, 0] for x in (-0.185, 0.0, 0.185)], (0.03, 0.14, 0.2), _RUBBLE)
    sides = boxes([[0, y, 0] for y in (-0.085, 0.085)], (0.4, 0.03, 0.2), _RUBBLE)
    return merge([across, sides], "cinder")


TILES: dict[str, Callable[[], Mesh]] = {
    "ridge": _ridge,
    "full_ramp": lambda: _ramps((0, 1, 1, 0), 0),
    "crossing": lambda: _ramps((1, 0, 1, 0), None),
    "corner_up": lambda: _ramps((1, 0, 0, 0), 0),
    "corner_down": lambda: _ramps((0, 1, 1, 1), 0),
    "raised": lambda: _ramps((1, 1, 1, 1), 0),
    "stairs": _stairs,
    "ramp_low": lambda: wedge(CELL, _TILE, DECK / 2, _POST),
    "ramp_high": _ramp_high,
    "steep_ramp": lambda: wedge(_TILE, _TILE, 0.9, _CARPET),
    "pipe_step": _pipe_step,
    "hanging": _hanging,
    "pancake": _pancake,
    **{f"half_{k}": partial(_step_field, k, 0.05, 1) for k in ("flat", "hill", "diagonal")},
    **{f"full_{k}": partial(_step_field, k, 0.1, 2) for k in ("flat", "hill", "diagonal")},
    **{f"rubble{k}": partial(_rubble, k) for k in range(4)},
}
"""What can lie in a cell, centred on its floor; ramps and stairs rise along +x."""


@cache
def tile(kind: str) -> Mesh:
    """The mesh of one of TILES."""
    return TILES[kind]()


@cache
def deck(holed: bool = False) -> Mesh:
    """One cell of the second level, its top at DECK, its origin on the ground below; with a hole of half its width."""
    legs = boxes(np.array([[x, y, 0.54] for x in (-0.56, 0.56) for y in (-0.56, 0.56)]), (0.06, 0.06, 1.08), WOOD)
    top = wall(CELL, CELL, 0.12, _POST, ((0.3, 0.9, 0.3, 0.9),) if holed else ())
    return merge([top.moved(turn(0, 0, -np.pi / 2), (-0.6, -0.6, DECK - 0.06)), legs], "deck")


_LOOSE: dict[str, Callable[[], Mesh]] = {
    "brick": lambda: box((0.24, 0.115, 0.07), materials=(_BRICK,), name="brick"),
    "block": lambda: box((0.3, 0.1, 0.1), materials=(WOOD,), name="block"),
    "pipe": lambda: cylinder(0.025, 0.6, 12, materials=(STEEL,), name="pipe").moved(turn(0, np.pi / 2)),
    "carton": lambda: box((0.35, 0.28, 0.25), materials=(_CARTON,), name="carton"),
    "cinder": _cinder_block,
    "barrel": lambda: cylinder(0.15, 0.6, 20, materials=(_BARREL,), name="barrel"),
}
LOOSE = tuple(_LOOSE)
"""Kinds of movable debris."""


@cache
def loose(kind: str) -> Mesh:
    """A piece of movable debris, centred on its origin."""
    return _LOOSE[kind]()
