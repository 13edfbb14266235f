"""Ways through rescue arenas: ramps meet, and a wheeled robot gets to every victim, found by rays through the world."""

import numpy as np
import pytest

from volery.world.generate.arena import Arena
from volery.world.generate.arena_maze import RAMPS, carve, corner_heights, join, off_the_ways, steps_from
from volery.world.generate.arena_parts import CELL, tile
from volery.world.generate.parts import rolls
from volery.world.scene.scene import Scene

CELL_OF_MAP = 0.05
CLEAR = 0.26
"""Half of a P2AT's width, and a centimetre [m]."""
EDGE = 0.055
"""Higher edges are gone round: a P2AT climbs 7 cm, and pipes of 5 cm [m]."""
NEAR = 1.0
"""From so near it looks a victim in the face [m]."""


def built(arena):
    scene = Scene()
    for placement in arena.generate((0, 0)):
        scene.add(placement)
    return scene


def passable(arena, scene):
    """Middles of a fine grid over the arena and its entrance, [nx, ny, 2] [m], and whether a P2AT can stand there."""
    half = 0.5 * CELL * np.array([arena.columns, arena.rows])
    x = np.arange(-half[0], half[0], CELL_OF_MAP) + 0.5 * CELL_OF_MAP
    y = np.arange(-half[1] - 1.5, half[1], CELL_OF_MAP) + 0.5 * CELL_OF_MAP
    xy = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    flat = xy.reshape(-1, 2)
    # From below the second level
    eyes = np.column_stack([flat, np.full(len(flat), 1.05)])
    height = 1.05 - scene.cast(eyes, np.tile([0.0, 0.0, -1.0], (len(eyes), 1)), max_range=2.0).distance
    height = np.where(np.isfinite(height), height, 0.0)
    _, walls, _ = scene.closest_point(np.column_stack([flat, height + 0.35]), max_distance=CLEAR)
    free = ~(walls < CLEAR).reshape(xy.shape[:2])
    return xy, free & ~near_edges(height.reshape(xy.shape[:2]))


def near_edges(height):
    """Where the ground steps, and all that is too near to it for wheels."""
    edge = np.zeros(height.shape, bool)
    for axis in (0, 1):
        step = np.abs(np.diff(height, axis=axis)) > EDGE
        for cells in ((slice(1, None), slice(None)), (slice(None, -1), slice(None))):
            edge[cells if axis == 0 else cells[::-1]] |= step
    out, reach = np.zeros(height.shape, bool), int(CLEAR / CELL_OF_MAP) + 1
    for i, j in np.argwhere(edge):
        a, b = max(i - reach, 0), max(j - reach, 0)
        near = np.indices(out[a : i + reach + 1, b : j + reach + 1].shape) + np.array([a - i, b - j])[:, None, None]
        out[a : i + reach + 1, b : j + reach + 1] |= np.hypot(*near) * CELL_OF_MAP < CLEAR
    return out


def flooded(free, start):
    """All that can be got to from a start, bool [nx, ny]."""
    reached = np.zeros(free.shape, bool)
    front = [start]
    reached[start] = True
    for i, j in front:
        for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= a < free.shape[0] and 0 <= b < free.shape[1] and free[a, b] and not reached[a, b]:
                reached[a, b] = True
                front.append((a, b))
    return reached


@pytest.mark.parametrize("colour", ["yellow", "orange"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_a_p2at_gets_to_every_victim(colour, seed):
    arena = Arena(colour=colour, seed=seed)
    scene = built(arena)
    xy, free = passable(arena, scene)
    entrance = np.array(arena.starts[1][:2])
    start = tuple(int(i) for i in np.unravel_index(np.linalg.norm(xy - entrance, axis=2).argmin(), free.shape))
    reached = flooded(free, start)
    inside = xy[..., 1] > -0.5 * CELL * arena.rows
    assert reached[inside].mean() > 0.1
    for victim in arena.victims:
        assert np.linalg.norm(xy[reached] - victim.p[:2], axis=1).min() < NEAR, victim


def test_a_wall_across_the_way_is_noticed():
    """The flood itself: with the entrance's lane filled by debris that is piled up nobody gets in."""
    arena = Arena(colour="yellow", seed=1)
    xy, free = passable(arena, built(arena))
    corner = arena._middle((0, 0))[:2]
    free[np.abs(xy - corner).max(axis=2) < 0.62] = False
    entrance = np.array(arena.starts[1][:2])
    start = tuple(int(i) for i in np.unravel_index(np.linalg.norm(xy - entrance, axis=2).argmin(), free.shape))
    reached = flooded(free, start)
    assert all(np.linalg.norm(xy[reached] - v.p[:2], axis=1).min() > NEAR for v in arena.victims)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ramps_meet_wherever_one_passes(seed):
    arena = Arena(colour="orange", seed=seed, debris_count=0, victim_count=0)
    scene = built(arena)
    across_x, across_y = arena._maze
    stepped = {c for c, (kind, _) in arena._floor.items() if kind.startswith("half")} | set(arena._built)
    across = np.linspace(-0.5, 0.5, 11)
    sides = 0
    for c in np.ndindex(arena.columns, arena.rows):
        for (dx, dy), wall in (((1, 0), across_x[c[0] + 1, c[1]]), ((0, 1), across_y[c[0], c[1] + 1])):
            other = (c[0] + dx, c[1] + dy)
            if wall or c in stepped or other in stepped or other[0] >= arena.columns or other[1] >= arena.rows:
                continue
            edge = 0.5 * (arena._middle(c) + arena._middle(other))[:2]
            line = edge + across[:, None] * np.array([dy, dx])
            z = [_height(scene, line + s * 0.01 * np.array([dx, dy])) for s in (-1, 1)]
            assert np.abs(z[0] - z[1]).max() < 0.01, (c, other)
            sides += 1
    assert sides > 20
    assert sum(kind in {k for k, _ in RAMPS.values() if k} for kind, _ in arena._floor.values()) > 20


def _height(scene, xy):
    eyes = np.column_stack([xy, np.full(len(xy), 1.05)])
    return 1.05 - scene.cast(eyes, np.tile([0.0, 0.0, -1.0], (len(eyes), 1)), max_range=2.0).distance


@pytest.mark.parametrize("corners", sorted(c for c in RAMPS if any(c)))
def test_ramp_tiles_have_the_heights_of_their_corners_and_16_degrees(corners):
    kind, yaw = RAMPS[corners]
    c, s = np.cos(yaw), np.sin(yaw)
    mesh = tile(kind).moved(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
    v = mesh.vertices.astype(float)
    for raised, (x, y) in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        at = np.linalg.norm(v[:, :2] - 0.5 * CELL * np.array([x, y]), axis=1) < 1e-4
        assert v[at, 2].max() == pytest.approx(0.339 * raised, abs=1e-4)
    a, b, d = (v[mesh.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, d - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    top = normal[:, 2] > 0.1
    assert top.any() and np.degrees(np.arccos(np.clip(normal[top, 2], -1, 1))).max() < 16.1


def test_what_lies_off_the_ways_cuts_nothing_off():
    maze = carve(12, 9, 0.2, rolls(5, 1))
    shut = {(3, 3), (4, 3)}
    join(*maze, shut)
    aside = off_the_ways((0, 0), *maze, shut)
    assert aside.sum() > 10 and not aside[0, 0]
    full = shut | {tuple(c) for c in np.argwhere(aside)}
    steps = steps_from((0, 0), *maze, full)
    assert all(steps[c] >= 0 for c in np.ndindex(12, 9) if c not in full)


def test_level_cells_stay_level_and_walls_part_heights():
    maze = carve(8, 7, 0.3, rolls(2, 1))
    level = {(0, 0), (4, 4)}
    raised = corner_heights(*maze, level, 1.0, rolls(2, 2))
    assert not raised[0, 0].any() and not raised[4, 4].any() and raised.mean() > 0.4
    assert not corner_heights(*maze, level, 0.0, rolls(2, 2)).any()
