"""Rescue arenas in the spirit of the NIST reference arenas: yellow, orange and red mazes with victims to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.world.generate.arena_hall import hall
from volery.world.generate.arena_maze import RAMPS, carve, corner_heights, join, off_the_ways, steps_from
from volery.world.generate.arena_parts import BOARDS, CELL, DECK, LOOSE, deck, loose, panel, post, tile
from volery.world.generate.parts import flat_ground, rolls, turn
from volery.world.generate.victims import BOX_HEAD, KINDS, SHELTERS, STATES, Victim, animated, figure, shelter
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Arena"]

_Cell = tuple[int, int]
_GROUND = Material("hall_floor", (0.3, 0.29, 0.27), label="ground", reflectivity=0.35, texture="concrete")
_FLOORS: dict[str, dict[str, float]] = {
    "yellow": {"": 0.7, "ridge": 0.3},
    "orange": {"": 0.25, "half_flat": 0.25, "half_hill": 0.25, "half_diagonal": 0.25},
    "red": {
        "": 0.2, "rubble0": 0.1, "rubble1": 0.1, "rubble2": 0.1, "rubble3": 0.1, "full_flat": 0.08, "full_hill": 0.08,
        "full_diagonal": 0.08, "steep_ramp": 0.05, "pipe_step": 0.06, "hanging": 0.05,
    },
}  # fmt: skip
"""Share of each kind of floor tile by colour, '' is the bare floor: in yellow of straight lanes; in orange of cells
that can be gone round, ramps lie in the others; in red of all cells."""
_RAISED = 0.5
"""Share of the corners that ramps raise, of those that may be."""
_WALL = 0.04
"""Debris keeps so far from the middle of a wall [m]."""
_FLAT = "pipe"
"""Debris that lies in lanes as well, since wheels go over it and no robot hangs on it."""
_TRIES = 200
"""How often a free place is looked for before debris is piled up."""
_LOOKS = (0.34, 0.18, 0.14, 0.1, 0.08, 0.06, 0.05, 0.05)
"""Share of each of BOARDS."""
_LOOPS = {"yellow": 0.12, "orange": 0.25, "red": 0.45}
"""Share of the maze's walls that are taken out again."""


@dataclass(frozen=True, eq=False)
class Arena(Checked, World):
    """A rescue arena: maze walls on cells of 1.2 m, centred on the origin, entered through its south-west corner.

    Yellow is a flat maze with a few ridges; orange adds ramps of 16° that cross and meet, half-cubic step fields, and a
    second level with stairs, a ramp and a hole; red has rubble, full-cubic step fields, pipes, confined spaces and
    floors fallen onto each other. In yellow and orange a wheeled robot such as the P2AT can get to every victim: what
    it cannot drive over lies in cells that no way leads through, victims as well, as long as there are enough of them.

    Some walls fool robots. Glass has transparency 0.9 and the label 'glass': a camera sees through it, and a laser's
    light passes it with that share and meets what is behind, so a beam returns from the one or the other. A mirror
    has mirror 1: camera and laser see what it reflects, the laser at the length of the whole broken path. A grid
    fence is real bars of 4 mm, so that thin beams mostly pass and a depth camera errs at its edges.
    """

    seed: int = 0
    colour: Literal["yellow", "orange", "red"] = "yellow"
    columns: int = param(10, low=7, high=60)
    """Cells along x."""
    rows: int = param(8, low=6, high=60)
    """Cells along y."""
    wall_height: float = param(1.2, low=0.6, high=4.0)
    """Height of the panels [m]; 2.4 keeps aerial robots in."""
    traps: float = param(0.12, low=0.0, high=1.0)
    """Share of panels that are glass, mirror, fence or window."""
    victim_count: int = param(4, low=0, high=24)
    """Victims, by turns on the surface, trapped, in a void and entombed."""
    debris_count: int = param(24, low=0, high=500)
    """Movable pieces of debris on the bare floor; in yellow and orange as many of them as find room, none piled up."""
    movable: bool = False
    """True: physics moves the debris, so that robots push it; False: it lies fixed."""
    animated: bool = False
    """True: victims who notice anything move: they wave, groan, turn their heads; False: all lie still."""
    hall: bool = False
    """True: it stands in a hall without daylight, whose lamps leave the far end dark; False: under the sky."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole arena, in the one chunk there is."""
        if key != (0, 0):
            return []
        ground = Placement.one("ground", flat_ground(40 + CELL * max(self.columns, self.rows), _GROUND))
        around = hall(0.5 * CELL * self.columns, 0.5 * CELL * self.rows) if self.hall else ()
        loose_ = [] if self.movable else self.debris()
        return [ground, *around, *self._walls(), *self._tiles(), *self._people(), *loose_]

    @property
    def dark(self) -> bool:  # type: ignore[override]
        """Whether no daylight comes in."""
        return self.hall

    def spawn(self) -> tuple[float, float, float]:
        """In the first cell [m]."""
        return self.starts[0][:3]

    @property
    def starts(self) -> tuple[tuple[float, float, float, float], ...]:
        """Poses x, y, z [m] and yaw [rad] for robots: in the first cell, then in front of the entrance."""
        (x, y, _), ahead = self._middle((0, 0)), np.pi / 2
        outside = [(float(x + dx), float(y - 1.5 * CELL), 0.3, ahead) for dx in (0.0, CELL, 2 * CELL)]
        return ((float(x), float(y), 0.3, ahead), *outside)

    @cached_property
    def victims(self) -> tuple[Victim, ...]:
        """The ground truth of who is to be found: far from the start, each with its back to a wall."""
        draw = rolls(self.seed, 0x71C7)
        out = []
        for n, cell in enumerate(self._victim_cells):
            kind, state = KINDS[n % 4], STATES[int(draw.integers(3))]
            height = BOX_HEAD if kind == "entombed" else 0.0
            p = self._middle(cell, height)
            out.append(Victim(f"victim_{n + 1}", tuple(p.tolist()), self._open_side(cell), kind, state))
        return tuple(out)

    def debris(self) -> list[Placement]:
        """Movable pieces, each a Placement of its own named debris_…, lying on the bare floor."""
        return [
            Placement(f"debris_{kind}_{n + 1}", (loose(kind),), poses(p[None], yaw))
            for n, (kind, p, yaw) in enumerate(self._strewn)
        ]

    def movables(self) -> dict[str, dict[str, Any]]:
        """The debris as robots, if it is to be moved, and victims that are in motion."""
        people = {
            v.name: {"type": animated(v.kind, v.state), "position": p.tolist(), "attitude_deg": [0.0, 0.0, turned]}
            for v in self.victims
            for p, turned in [(self._figure_place(v), float(np.degrees(v.yaw)))]
            if self._moves(v)
        }
        return people | {
            f"debris_{kind}_{n + 1}": {"type": kind, "position": p.tolist(), "attitude_deg": [0.0, 0.0, turned]}
            for n, (kind, p, yaw) in enumerate(self._strewn if self.movable else ())
            for turned in [float(np.degrees(yaw))]
        }

    @cached_property
    def _strewn(self) -> tuple[tuple[str, np.ndarray, float], ...]:
        """Kind, centre [m] and yaw [rad] of each piece of debris: clear of walls, and of each other or piled up."""
        draw = rolls(self.seed, 0xDEB5)
        bare = [c for c, (kind, _) in self._floor.items() if not kind and c not in self._victim_cells and c != (0, 0)]
        aside = [c for c in bare if self.colour == "red" or self._aside[c]]
        out: list[tuple[str, np.ndarray, float]] = []
        taken = np.zeros((0, 4))
        for _ in range(self.debris_count if bare else 0):
            kind = LOOSE[int(draw.choice(len(LOOSE), p=[0.35, 0.2, 0.2, 0.1, 0.1, 0.05]))]
            p, high = self._room(kind, bare if kind == _FLAT else aside, taken, draw)
            if high > 0.0 and self.colour != "red":
                kind = _FLAT
                p, high = self._room(kind, bare, taken, draw)
                if high > 0.0:
                    break
            low, top = loose(kind).bounds
            p[2] = high - low[2]
            taken = np.vstack([taken, [p[0], p[1], np.hypot(*top[:2]), p[2] + top[2]]])
            out.append((kind, p, float(draw.uniform(0, 2 * np.pi))))
        return tuple(out)

    def _room(
        self, kind: str, spots: list[_Cell], taken: np.ndarray, draw: np.random.Generator
    ) -> tuple[np.ndarray, float]:
        """A place for a piece [m], and how high it comes to lie on others, if there is no room beside them [m]."""
        high = np.inf
        reach, p = float(np.hypot(*loose(kind).bounds[1][:2])), np.zeros(3)
        for _ in range(_TRIES if spots else 0):
            p = self._middle(spots[int(draw.integers(len(spots)))])
            p[:2] += draw.uniform(-1.0, 1.0, 2) * (CELL / 2 - _WALL - reach)
            under = taken[np.hypot(*(taken[:, :2] - p[:2]).T) < taken[:, 2] + reach]
            high = float(under[:, 3].max(initial=0.0))
            if high == 0.0:
                break
        return p, high

    def _middle(self, cell: tuple[float, float], z: float = 0.0) -> np.ndarray:
        """The middle of a cell at height z; half cells are its borders [m]."""
        i, j = cell
        return np.array([(i + 0.5 - self.columns / 2) * CELL, (j + 0.5 - self.rows / 2) * CELL, z])

    @cached_property
    def _maze(self) -> tuple[np.ndarray, np.ndarray]:
        """Walls across x, bool [columns + 1, rows], and across y, bool [columns, rows + 1]."""
        across_x, across_y = carve(self.columns, self.rows, _LOOPS[self.colour], rolls(self.seed, 0x3A2E))
        across_y[0, 0] = False
        nx, ny = self.columns, self.rows
        if self.colour != "yellow":
            across_x[nx - 5 : nx, ny - 1] = False
            across_x[nx - 2, ny - 2] = False
            across_y[nx - 3 : nx - 1, ny - 1] = False
            across_y[nx - 3, ny - 3 : ny - 1] = False
        if self.colour == "red":
            across_x[nx - 1, :2] = False
            across_y[nx - 2 :, 1] = False
        join(across_x, across_y, self._steep)
        return across_x, across_y

    @cached_property
    def _steep(self) -> frozenset[_Cell]:
        """Cells of the ways up to the second level."""
        return frozenset(c for c, (kind, _) in self._built.items() if kind in ("stairs", "ramp_low", "ramp_high"))

    @cached_property
    def _aside(self) -> np.ndarray:
        """Cells that can be gone round, bool [columns, rows]."""
        return off_the_ways((0, 0), *self._maze, self._steep)

    @cached_property
    def _built(self) -> dict[_Cell, tuple[str, float]]:
        """Cells of the second level and of the pancake collapse: what is there, and its yaw [rad]."""
        nx, ny = self.columns, self.rows
        if self.colour == "yellow":
            return {}
        up = {
            (nx - 3, ny - 3): ("stairs", np.pi / 2),
            (nx - 5, ny - 1): ("ramp_low", 0.0),
            (nx - 4, ny - 1): ("ramp_high", 0.0),
        }
        decks = {(i, j): ("deck", 0.0) for i in (nx - 3, nx - 2) for j in (ny - 2, ny - 1)}
        decks[nx - 2, ny - 2] = ("holed_deck", 0.0)
        fallen = {(i, j): ("", 0.0) for i in (nx - 2, nx - 1) for j in (0, 1)} if self.colour == "red" else {}
        return {**up, **decks, **fallen}

    @cached_property
    def _floor(self) -> dict[_Cell, tuple[str, float]]:
        """Tile and yaw [rad] of every cell that is not built over; victims have a bare floor."""
        draw = rolls(self.seed, 0xF1)
        kinds, shares = zip(*_FLOORS[self.colour].items(), strict=True)
        drawn = draw.choice(len(kinds), (self.columns, self.rows), p=shares)
        turns = rolls(self.seed, 0x711E).integers(4, size=(self.columns, self.rows)) * (np.pi / 2)
        bare = {(0, 0), *self._victim_cells}
        cells = [c for c in np.ndindex(self.columns, self.rows) if c not in self._built]
        floor = {c: ("" if c in bare else kinds[drawn[c]], float(turns[c])) for c in cells}
        if self.colour == "yellow":
            return {c: self._ridge(c) if kind else ("", 0.0) for c, (kind, _) in floor.items()}
        if self.colour == "orange":
            fields = {c: laid for c, laid in floor.items() if laid[0] and self._aside[c]}
            raised = corner_heights(*self._maze, {*bare, *fields, *self._built}, _RAISED, draw)
            return {c: fields.get(c) or RAMPS[tuple(raised[c].tolist())] for c in cells}
        return floor

    def _ridge(self, cell: _Cell) -> tuple[str, float]:
        """A ridge across a straight lane; the bare floor in any other cell."""
        east, north, west, south = self._sides(cell)
        if east == west and north == south and east != north:
            return "ridge", 0.0 if north else np.pi / 2
        return "", 0.0

    @cached_property
    def _victim_cells(self) -> tuple[_Cell, ...]:
        """Cells for victims: off the ways and dead ends first, far from the start and from each other."""
        steps = steps_from((0, 0), *self._maze, self._steep)
        across_x, across_y = self._maze
        walls = across_x[:-1].astype(int) + across_x[1:] + across_y[:, :-1] + across_y[:, 1:]
        worth = steps + 4 * (walls == 3) - 100 * (walls == 0) - 500 * ~self._aside - 1000 * (steps < 3)
        for c in self._built:
            worth[c] = -1000
        cells: list[_Cell] = []
        for _ in range(self.victim_count):
            cell = np.unravel_index(int(np.argmax(worth)), worth.shape)
            cells.append((int(cell[0]), int(cell[1])))
            away = np.abs(np.indices(worth.shape) - np.reshape(cell, (2, 1, 1))).sum(axis=0)
            worth = worth - np.where(away == 0, 10_000, np.maximum(0, 4 - away) * 5)
        return tuple(cells)

    def _open_side(self, cell: _Cell) -> float:
        """Yaw from a wall of the cell to its open side [rad]."""
        sides = self._sides(cell)
        free = [k for k in range(4) if not sides[k]]
        backed = [k for k in free if sides[(k + 2) % 4]]
        return float(([*backed, *free] or [0])[0] * np.pi / 2)

    def _sides(self, cell: _Cell) -> tuple[bool, bool, bool, bool]:
        """Whether there are walls east, north, west and south of a cell."""
        i, j = cell
        across_x, across_y = self._maze
        return (
            bool(across_x[i + 1, j]), bool(across_y[i, j + 1]), bool(across_x[i, j]), bool(across_y[i, j])
        )  # fmt: skip

    def _walls(self) -> Iterator[Placement]:
        """Panels by kind, and the posts between them."""
        across_x, across_y = self._maze
        corner = self._middle((-0.5, -0.5))
        x, y = np.argwhere(across_x), np.argwhere(across_y)
        at = np.concatenate([x, y])
        p = corner + np.column_stack([at * CELL, np.zeros(len(at))])
        yaw = np.repeat([np.pi / 2, 0.0], [len(x), len(y)])
        kinds = self._panel_kinds(len(at))
        for kind in dict.fromkeys(kinds):
            chosen = kinds == kind
            yield Placement(f"wall_{kind}", (panel(str(kind), self.wall_height),), poses(p[chosen], yaw[chosen]))
        nodes = np.unique(np.concatenate([x, y, x + np.array([0, 1]), y + np.array([1, 0])]), axis=0)
        p = corner + np.column_stack([nodes * CELL, np.zeros(len(nodes))])
        yield Placement("posts", (post(self.colour, self.wall_height + 0.03),), poses(p))

    def _panel_kinds(self, count: int) -> np.ndarray:
        draw = rolls(self.seed, 0x9A)
        plain = np.array(["board"] if self.colour != "red" else ["board", "ragged0", "ragged1", "ragged2", "ragged3"])
        kinds = plain[draw.integers(len(plain), size=count)]
        odd = draw.random(count) < self.traps
        kinds = np.where(odd, np.array(["glass", "mirror", "fence", "window"])[draw.integers(4, size=count)], kinds)
        looks = rolls(self.seed, 0xB0A).choice(list(BOARDS), count, p=_LOOKS)
        return np.where(kinds == "board", looks, kinds)

    def _tiles(self) -> Iterator[Placement]:
        """What lies in the cells and the second level, by kind."""
        laid = [(kind, c, yaw) for c, (kind, yaw) in {**self._floor, **self._built}.items()]
        for kind in sorted({k for k, _, _ in laid if k}):
            mesh = deck(kind == "holed_deck") if kind in ("deck", "holed_deck") else tile(kind)
            cells = [(self._middle(c), a) for k, c, a in laid if k == kind]
            yield Placement(kind, (mesh,), poses(np.array([p for p, _ in cells]), np.array([a for _, a in cells])))
        if self.colour == "red":
            yield Placement.one("pancake", tile("pancake"), self._middle((self.columns - 1.5, 0.5)))
        if self.colour != "yellow":
            yield self._parapet()

    def _parapet(self) -> Placement:
        """Fences along the outer edge of the second level."""
        nx, ny = self.columns, self.rows
        north = [self._middle((i, ny - 0.53), DECK) for i in (nx - 3.5, nx - 2.5)]
        east = [self._middle((nx - 1.53, j), DECK) for j in (ny - 2.5, ny - 1.5)]
        yaw = np.array([0, 0, 1, 1]) * np.pi / 2
        return Placement("parapet", (panel("fence", 0.9),), poses(np.array(north + east), yaw))

    def _people(self) -> Iterator[Placement]:
        """The figures of victims and what encloses them."""
        for v in self.victims:
            lift = np.array([0.0, 0.0, BOX_HEAD if v.kind == "entombed" else 0.0])
            p = self._figure_place(v)
            if not self._moves(v):
                yield _one(v.name, figure(v.kind, v.state), p, v.yaw)
            if v.kind in SHELTERS:
                yield _one(f"{v.name}_shelter", shelter(v.kind), p - lift, v.yaw)

    def _moves(self, victim: Victim) -> bool:
        return self.animated and bool(animated(victim.kind, victim.state))

    @staticmethod
    def _figure_place(victim: Victim) -> np.ndarray:
        """Origin of a victim's figure [m]."""
        back = turn(victim.yaw) @ np.array([-0.35 if victim.kind == "entombed" else 0.0, 0.0, 0.0])
        return np.array(victim.p) + back


def _one(name: str, mesh: Mesh, p: np.ndarray, yaw: float) -> Placement:
    return Placement(name, (mesh,), poses(p[None], yaw))
