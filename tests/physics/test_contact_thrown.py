"""Two hundred bodies thrown at 15 m/s in real worlds: none gets into the rock at any time, none is lost."""

import numpy as np
import pytest

from contact_rig import STEP, Rig, mesh_asset
from volery.core.geometry import Mesh, box
from volery.world.generate.arena import Arena
from volery.world.generate.cave import Cave
from volery.world.scene.scene import Scene
from volery.world.world import Placement

WAYS = np.array(
    [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)], float
)
CHECK = 25
"""Steps from one look to the next: 50 ms."""


def bodies(count, rng):
    """Balls, capsules, cylinders, boxes, ellipsoids and convex meshes, 5 to 20 cm to each side."""
    geoms = []
    for i in range(count):
        a, b, c = rng.uniform(0.05, 0.2, 3)
        kind = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh")[i % 6]
        shape = 'mesh="m"' if kind == "mesh" else f'size="{a} {b} {c}"'
        geoms.append(f'type="{kind}" {shape} density="300" friction=".8 .01 .001"')
    return geoms


def stone():
    """A convex mesh with corners in all directions."""
    directions = WAYS / np.linalg.norm(WAYS, axis=1, keepdims=True)
    return Mesh(directions * (0.17, 0.12, 0.09), [[0, 1, 2]])


def scattered(count, free, apart=0.5):
    """So many of the free places [n, 3], none nearer than `apart` [m] to another."""
    found = np.zeros((0, 3))
    for p in free:
        if len(found) == 0 or np.linalg.norm(found - p, axis=1).min() > apart:
            found = np.vstack([found, p])
            if len(found) == count:
                return found
    raise AssertionError(f"the world is too full: room for {len(found)}")


def in_rock(scene, points):
    """Which points see mostly backs of surfaces."""
    hits = scene.cast(np.repeat(points, len(WAYS), axis=0), np.tile(WAYS, (len(points), 1)), max_range=200.0)
    seen = np.isfinite(hits.distance).reshape(len(points), -1)
    backs = (hits.back.astype(bool).reshape(len(points), -1) & seen).sum(axis=1)
    return backs > 0.5 * np.maximum(seen.sum(axis=1), 1)


def throw(scene, places, seconds, seed=1):
    """Throw a body from each place; returns the rig and which were ever in rock."""
    rng = np.random.default_rng(seed)
    geoms = bodies(len(places), rng)
    turns = rng.normal(size=(len(places), 4))
    rig = Rig(scene, geoms, places, turns / np.linalg.norm(turns, axis=1, keepdims=True), assets=mesh_asset(stone()))
    way = rng.normal(size=(len(places), 3))
    velocity = rig.data.qvel.reshape(-1, 6)
    velocity[:, :3] = way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(5.0, 15.0, (len(places), 1))
    velocity[:, 3:] = rng.uniform(-5, 5, (len(places), 3))
    ever = np.zeros(len(places), bool)
    for _ in range(round(seconds / STEP) // CHECK):
        rig.step(CHECK)
        p = rig.data.qpos.reshape(-1, 7)[:, :3]
        assert np.isfinite(rig.data.qpos).all()
        ever |= in_rock(scene, p)
    return rig, ever


@pytest.fixture(scope="module")
def cave():
    world = Cave(seed=4)
    scene = Scene()
    i, j = np.floor(np.array(world.spawn()[:2]) / world.chunk_size).astype(int)
    for key in ((a, b) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1)):
        for placement in world.generate(key):
            scene.add(_renamed(placement, key))
    rng = np.random.default_rng(0)
    middle = np.array([(i + 0.5) * world.chunk_size, (j + 0.5) * world.chunk_size])
    near = world.path[(np.abs(world.path[:, :2] - middle) < 0.6 * world.chunk_size).all(axis=1)]

    p = near[rng.integers(len(near), size=3000)] + rng.uniform(-1.5, 1.5, (3000, 3))
    return scene, scattered(200, p[world.distance(p) > 0.5])


@pytest.fixture(scope="module")
def arena():
    world = Arena(seed=2)
    scene = Scene()
    for placement in world.generate((0, 0)):
        scene.add(placement)
    rng = np.random.default_rng(0)
    x, y, _ = world.spawn()
    # A hall round it, so that nothing rolls off the end of the ground.
    for name, size, place in (("west", (1, 24, 6), (-12, 0, 3)), ("east", (1, 24, 6), (12, 0, 3)),
                              ("south", (24, 1, 6), (0, -12, 3)), ("north", (24, 1, 6), (0, 12, 3)),
                              ("lid", (26, 26, 1), (0, 0, 6))):  # fmt: skip
        scene.add(Placement.one(name, box(size), np.add((x, y, 0), place)))
    p = np.column_stack([rng.uniform(-6, 6, (5000, 2)) + (x, y), rng.uniform(0.4, 2.0, 5000)])
    return scene, scattered(200, p[scene.closest_point(p, max_distance=5.0)[1] > 0.4])


def _renamed(placement, key):
    return Placement(f"{key}/{placement.name}", placement.meshes, placement.X_WO, placement.kinds)


def check_cave(cave, seconds, seed):
    scene, places = cave
    assert not in_rock(scene, places).any()
    rig, ever = throw(scene, places, seconds, seed)
    assert not ever.any(), f"in rock: {np.flatnonzero(ever)} of kinds {np.flatnonzero(ever) % 6}"
    p = rig.data.qpos.reshape(-1, 7)[:, :3]
    assert (np.linalg.norm(p - places, axis=1) < 80.0).all() and p[:, 2].min() > -60.0
    assert rig.world.lost == (0, 0)
    return rig


def check_arena(arena, seconds, seed):
    scene, places = arena
    rig, ever = throw(scene, places, seconds, seed)
    assert not ever.any(), f"in walls: {np.flatnonzero(ever)} of kinds {np.flatnonzero(ever) % 6}"
    p = rig.data.qpos.reshape(-1, 7)[:, :3]
    assert p[:, 2].min() > 0.02 and np.abs(p - places.mean(axis=0)).max() < 20.0
    return rig


def test_a_cave_holds_what_is_thrown_in_it(cave):
    first = check_cave(cave, 1.5, seed=1).data.qpos.tobytes()
    assert throw(*cave, 1.5, seed=1)[0].data.qpos.tobytes() == first, "not the same twice"


def test_an_arena_holds_what_is_thrown_in_it(arena):
    check_arena(arena, 2.0, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_cave_holds_for_a_minute(cave, seed):
    rig = check_cave(cave, 60.0, seed)
    speed = np.linalg.norm(rig.data.qvel.reshape(-1, 6)[:, :3], axis=1)
    assert np.mean(speed < 0.1) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_an_arena_holds_for_a_minute(arena, seed):
    check_arena(arena, 60.0, seed)
