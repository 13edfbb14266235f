"""The built worlds: same bytes always, free starts, names and labels that others look for, absurd values refused."""

from __future__ import annotations

import hashlib
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from volery.core.geometry import box
from volery.errors import VoleryError
from volery.world.generate.airbase import Airbase
from volery.world.generate.arena import Arena
from volery.world.generate.arena_maze import carve, steps_from
from volery.world.generate.arena_parts import CELL, TILES, panel, tile
from volery.world.generate.blocks import Blocks, Empty
from volery.world.generate.boiler import Boiler
from volery.world.generate.parts import CONCRETE, GLASS, MIRROR, boxes, curtain, lattice, rock, rolls, wall, wedge
from volery.world.generate.ruin import Ruin
from volery.world.generate.silo import Silo
from volery.world.generate.streets import Streets
from volery.world.generate.victims import KINDS, figure
from volery.world.generate.warehouse import Warehouse

MAKERS = {
    "airbase": lambda seed: Airbase(seed=seed, runway=600.0),
    "blocks": lambda seed: Blocks(seed=seed, variety=True),
    "yellow": lambda seed: Arena(seed=seed, colour="yellow"),
    "orange": lambda seed: Arena(seed=seed, colour="orange"),
    "red": lambda seed: Arena(seed=seed, colour="red"),
    "warehouse": lambda seed: Warehouse(seed=seed, gates=6),
    "ruin": lambda seed: Ruin(seed=seed),
    "silo": lambda seed: Silo(seed=seed),
    "boiler": lambda seed: Boiler(seed=seed),
    "streets": lambda seed: Streets(seed=seed),
}


def digest(world):
    h = hashlib.sha256()
    for p in world.generate((0, 0)):
        h.update(p.name.encode())
        h.update(p.X_WO.tobytes() + p.kinds.tobytes())
        for m in p.meshes:
            h.update(m.vertices.tobytes() + m.faces.tobytes() + repr(m.materials).encode())
            h.update(b"" if m.face_material is None else m.face_material.tobytes())
    return h.hexdigest()


def corners(placements):
    """Every vertex of every instance in the world, with the label of the mesh's first material [m]."""
    out = []
    for p in placements:
        for X, k in zip(p.X_WO, p.kinds, strict=True):
            out.append(p.meshes[k].vertices @ X[:, :3].T + X[:, 3])
    return np.concatenate(out)


def triangles(placements, near=(0, 0, 0), reach=np.inf):
    """Corners of every triangle in the world, of instances within reach [m] of a column, shape [n, 3, 3]."""
    out = []
    for p in placements:
        for X, k in zip(p.X_WO, p.kinds, strict=True):
            m = p.meshes[k]
            size = np.linalg.norm(m.bounds, axis=1).max() * np.linalg.norm(X[:, :3], axis=0).max()
            if np.hypot(*(X[:2, 3] - near[:2])) < reach + size:
                out.append((m.vertices @ X[:, :3].T + X[:, 3])[m.faces])
    return np.concatenate(out)


def hits(tris, origin, direction):
    """Distances along a ray to all triangles it meets (Möller and Trumbore 1997)."""
    a, e1, e2 = tris[:, 0], tris[:, 1] - tris[:, 0], tris[:, 2] - tris[:, 0]
    n = np.cross(direction, e2)
    det = np.einsum("ij,ij->i", e1, n)
    ok = np.abs(det) > 1e-12
    inv = np.where(ok, 1 / np.where(ok, det, 1), 0)
    s = origin - a
    u = np.einsum("ij,ij->i", s, n) * inv
    q = np.cross(s, e1)
    v, t = q @ direction * inv, np.einsum("ij,ij->i", e2, q) * inv
    return np.sort(t[ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)])


def labels(placements):
    return {m.label_name for p in placements for mesh in p.meshes for m in mesh.materials}


@pytest.mark.parametrize("name", MAKERS)
def test_same_seed_gives_same_bytes_in_threads_and_another_seed_differs(name):
    make = MAKERS[name]
    first = digest(make(7))
    shared = make(7)
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda k: digest(shared if k % 2 else make(7)), range(6)))
    assert set(again) == {first}
    assert digest(make(8)) != first


@pytest.mark.parametrize("name", MAKERS)
def test_bounded_worlds_have_one_chunk_and_are_quick(name):
    world = MAKERS[name](1)
    world.generate((0, 0))
    start = time.perf_counter()
    assert world.generate((0, 0))
    assert time.perf_counter() - start < 1.0
    assert world.generate((0, 1)) == [] and world.chunk_size is None


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("seed", [0, 5])
def test_the_start_is_free_and_above_ground(name, seed):
    world = MAKERS[name](seed)
    start, reach = np.array(world.spawn()), 0.2
    tris = triangles(world.generate((0, 0)), start, reach)
    near = (tris.min(axis=1) < start + reach).all(axis=1) & (tris.max(axis=1) > start - reach).all(axis=1)
    for d in np.random.Generator(np.random.Philox(3)).normal(size=(40, 3)):
        t = hits(tris[near], start, d / np.linalg.norm(d)) if near.any() else []
        assert len(t) == 0 or t[0] > reach
    assert len(hits(tris, start, np.array([1e-4, 2e-4, -1.0]))), "nothing to land on"


@pytest.mark.parametrize("name", MAKERS)
def test_names_are_unique_and_materials_physical(name):
    placements = MAKERS[name](0).generate((0, 0))
    names = [p.name for p in placements]
    assert len(set(names)) == len(names)
    for m in {m for p in placements for mesh in p.meshes for m in mesh.materials}:
        assert m.label, m.name
        assert all(0 <= c <= 1 for c in m.colour) and 0 <= m.reflectivity <= 1
        assert m.transparency + m.mirror <= 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Blocks(count=-1),
        lambda: Blocks(count=9000),
        lambda: Blocks(size=1e9),
        lambda: Blocks(size=30.0, clear=400.0, count=5),
        lambda: Empty(size=0.0),
        lambda: Empty(size=float("nan")),
        lambda: Arena(colour="green"),
        lambda: Arena(columns=10**9),
        lambda: Arena(rows=0),
        lambda: Arena(traps=2.0),
        lambda: Warehouse(length=1e6),
        lambda: Warehouse(fill=-0.1),
        lambda: Silo(height=8.0, platforms=10),
        lambda: Silo(radius=0.0),
        lambda: Ruin(rocks=10**9),
        lambda: Ruin(wall_thickness=-1.0),
    ],
)
def test_absurd_parameters_are_refused(make):
    with pytest.raises(VoleryError):
        make().generate((0, 0))


def test_blocks_have_the_names_airsim_clients_look_for():
    placements = Blocks().generate((0, 0))
    names = [p.name for p in placements]
    assert {"Ground", "OrangeBall", "PulsingCone"} <= set(names)
    for pattern in (r"TemplateCube_Rounded_\d+", r"Cone_\d+", r"Cylinder[\w]*", r"Sphere_\d+"):
        assert any(re.fullmatch(pattern, n) for n in names), pattern
    assert all(len(p.X_WO) == 1 for p in placements)


@pytest.mark.parametrize("count", [0, 1, 60, 150])
def test_blocks_are_as_many_as_asked(count):
    placements = Blocks(count=count).generate((0, 0))
    assert len(placements) == 3 + 12 + count


@pytest.mark.parametrize("seed", range(4))
def test_blocks_keep_the_start_clear_and_stand_on_the_ground(seed):
    world = Blocks(seed=seed, count=120, clear=25.0, variety=True)
    blocks = [p for p in world.generate((0, 0)) if p.name != "Ground"]
    v = corners(blocks)
    assert np.hypot(v[:, 0], v[:, 1]).min() > world.clear
    assert v[:, 2].min() > -1e-4 and v[:, 2].max() <= 15.0
    for axis in ((1.0, 0, 0), (0, 1.0, 0)):
        t = hits(triangles(blocks), np.array([0, 0, 1.0]), np.array(axis))
        assert abs(t[0] - (world.clear + 13)) < 0.5, "a wall of cubes straight ahead"


@pytest.mark.parametrize("seed", range(3))
def test_lanes_stay_free_as_far_as_blocks_stand(seed):
    world = Blocks(seed=seed, lanes=12.0, count=80)
    blocks = [p for p in world.generate((0, 0)) if p.name != "Ground"]
    v = corners(blocks)
    far = np.abs(v).max(axis=1) > world.clear + 8
    inside = far & (np.abs(v[:, :2]).max(axis=1) < world.size / 2)
    assert np.abs(v[inside, :2]).min() > world.lanes / 2
    # AirSim's path.py flies 125 m north, 130 m west, and back, at 5 m
    t = hits(triangles(blocks), np.array([0, 0, 1.0]), np.array([0, 1.0, 0]))
    assert abs(t[0] - (world.size / 2 + 58)) < 0.5, "the wall ahead stands beyond"
    assert [name for name, _ in world.lights()] == ["PointLight_1", "PointLight_2"]


def test_streets_are_free_up_to_the_walls_at_their_ends():
    world = Streets(seed=1)
    things = [p for p in world.generate((0, 0)) if not p.name.startswith(("Ground", "Road", "Paint"))]
    v = corners(things)
    middle = np.abs((v[:, :2] + [world.east / 2, world.north / 2]) % [world.east, world.north]
                    - [world.east / 2, world.north / 2])  # fmt: skip
    walls = np.concatenate([corners([p]) for p in things if p.name.startswith("Wall")])
    on_road = (middle < world.width / 2 - 0.01).any(axis=1)
    assert len(v[on_road]) <= len(walls), "nothing but those walls stands on a street"
    for x in (-130.0, 0.0):
        t = hits(triangles(things), np.array([x, -60.0, 1.0]), np.array([0, 1.0, 0]))
        assert abs(t[0] - (1.5 * 125 + 60 - 0.5)) < 0.1
    over = v[(middle < world.width / 2 + world.pavement - 0.01).any(axis=1)]
    assert over[:, 2].max() <= 2.5 + 1e-6, "over streets there is nothing"
    roofs = corners([p for p in things if p.name.startswith("House")])
    assert 7.0 < roofs[:, 2].max() < 10.0


def test_blocks_do_not_overlap_between_groups():
    blocks = [
        p for p in Blocks(seed=2, count=100).generate((0, 0)) if p.name.startswith(("Cone", "Cylinder", "Sphere"))
    ]
    low = np.array([corners([p]).min(axis=0) for p in blocks])
    high = np.array([corners([p]).max(axis=0) for p in blocks])
    over = (low[:, None] < high[None] - 1e-3).all(axis=2) & (low[None] < high[:, None] - 1e-3).all(axis=2)
    assert over.sum() == len(blocks), "a block overlaps another"


@pytest.mark.parametrize("nx, ny", [(1, 1), (2, 9), (12, 7)])
def test_a_maze_reaches_every_cell_and_is_closed(nx, ny):
    across_x, across_y = carve(nx, ny, 0.0, rolls(3, 1))
    assert (steps_from((0, 0), across_x, across_y) >= 0).all()
    assert across_x[[0, -1]].all() and across_y[:, [0, -1]].all()
    opened = (~across_x).sum() + (~across_y).sum()
    assert opened == nx * ny - 1, "without loops a maze is a tree"


@pytest.mark.parametrize("colour", ["yellow", "orange", "red"])
@pytest.mark.parametrize("size", [(7, 6), (10, 8), (20, 15)])
def test_victims_are_reachable_apart_and_warm(colour, size):
    arena = Arena(colour=colour, columns=size[0], rows=size[1], seed=4)
    steps = steps_from((0, 0), *arena._maze)
    assert [v.kind for v in arena.victims] == list(KINDS)
    assert len({v.p[:2] for v in arena.victims}) == 4
    for v in arena.victims:
        cell = tuple(np.floor(np.array(v.p[:2]) / CELL + np.array(size) / 2).astype(int))
        assert steps[cell] >= 2
        assert {m.temperature for m in figure(v.kind, v.state).materials} == {306.0}
    names = {p.name for p in arena.generate((0, 0))}
    assert {v.name for v in arena.victims} <= names


def test_every_arena_has_glass_mirrors_and_fences_that_behave_as_such():
    placements = Arena(colour="yellow", traps=0.6).generate((0, 0))
    assert {"wall_glass", "wall_mirror", "wall_fence", "wall_window"} <= {p.name for p in placements}
    assert GLASS.transparency == 0.9 and GLASS.label == "glass" and MIRROR.mirror == 1.0
    fence = panel("fence", 1.2)
    corner = fence.vertices[fence.faces].astype(float)
    free = sum(
        len(hits(corner, np.array([x, -1.0, z]), np.array([0.0, 1.0, 0.0]))) == 0
        for x in np.linspace(0.1, 1.1, 15)
        for z in np.linspace(0.1, 1.1, 15)
    )
    assert 120 < free < 225, "most thin beams pass a fence, some meet a bar"


def test_colours_differ_in_what_they_ask_of_a_robot():
    names = {c: {p.name for p in Arena(colour=c, seed=1).generate((0, 0))} for c in ("yellow", "orange", "red")}
    assert not names["yellow"] & {"deck", "stairs", "pancake", "full_ramp"}
    assert {"deck", "holed_deck", "stairs", "ramp_low", "ramp_high", "full_ramp"} <= names["orange"]
    assert {"deck", "stairs", "pancake"} <= names["red"] and any(n.startswith("rubble") for n in names["red"])


def test_the_way_up_leads_to_the_deck_without_a_gap():
    arena = Arena(colour="orange")
    placements = [p for p in arena.generate((0, 0)) if p.name in ("ramp_low", "ramp_high", "deck", "ground")]
    tris = triangles(placements)
    a, b = arena._middle((arena.columns - 5.45, arena.rows - 1)), arena._middle((arena.columns - 2.6, arena.rows - 1))
    z = np.array(
        [
            3 - hits(tris, np.array([x, a[1] + 0.013, 3.0]), np.array([0, 0, -1.0]))[0]
            for x in np.linspace(a[0], b[0], 60)
        ]
    )
    assert z[0] < 0.1 and abs(z[-1] - 1.2) < 1e-3
    assert np.diff(z).max() < 0.05 and np.diff(z).min() > -0.01


def test_debris_is_movable_on_request():
    fixed, moving = Arena(colour="red"), Arena(colour="red", movable=True)
    debris = moving.debris()
    assert len(debris) == 24 and all(p.name.startswith("debris_") and len(p.X_WO) == 1 for p in debris)
    assert not [p for p in moving.generate((0, 0)) if p.name.startswith("debris_")]
    assert len([p for p in fixed.generate((0, 0)) if p.name.startswith("debris_")]) == 24
    assert all(abs(corners([p])[:, 2].min()) < 1e-3 for p in debris), "debris lies on the floor"


@pytest.mark.parametrize("kind", ["half_flat", "half_hill", "half_diagonal", "full_flat", "full_hill", "full_diagonal"])
def test_step_fields_have_the_heights_of_the_standard(kind):
    unit = 0.05 if kind.startswith("half") else 0.1
    low, high = tile(kind).bounds
    assert high[2] <= 4.5 * unit + 1e-6 and np.allclose(high[:2] - low[:2], 1.18, atol=1e-3)


@pytest.mark.parametrize("kind", [k for k in TILES if k != "pancake"])
def test_tiles_fit_into_their_cell(kind):
    low, high = tile(kind).bounds
    assert (low[:2] > -0.75).all() and (high[:2] < 0.75).all() and low[2] > -0.15


def test_the_warehouse_is_instanced_and_full():
    placements = Warehouse().generate((0, 0))
    unique = sum(len(m.faces) for m in {id(m): m for p in placements for m in p.meshes}.values())
    shown = sum(len(p.meshes[k].faces) for p in placements for k in p.kinds)
    assert unique < 40_000 and shown > 20 * unique
    assert {"rack", "box", "lamp", "wall", "door", "marking", "vehicle", "extinguisher", "glass"} <= labels(placements)
    lamps = next(p for p in placements if p.name == "lamps")
    assert max(m.emission for m in lamps.meshes[0].materials) > 1
    goods = {f: len(next(p for p in Warehouse(fill=f).generate((0, 0)) if p.name == "goods").X_WO) for f in (0.2, 1.0)}
    assert 0.15 < goods[0.2] / goods[1.0] < 0.25


def test_everything_is_inside_the_hall():
    hall = Warehouse(length=30.0, width=18.0, height=8.0, gates=4)
    inside = [
        p for p in hall.generate((0, 0)) if p.name in ("goods", "racks", "lamps", "forklifts", "conveyor", "trusses")
    ]
    v = corners(inside)
    assert np.abs(v[:, 0]).max() < 15.0 and np.abs(v[:, 1]).max() < 9.0 and v[:, 2].max() < 8.1


@pytest.mark.parametrize("gates", [1, 7, 20])
def test_race_gates_can_be_flown_through_in_order(gates):
    hall = Warehouse(gates=gates, roof=False)
    placements = hall.generate((0, 0))
    assert hall.gate_poses.shape == (gates, 4)
    for x, y, z, yaw in hall.gate_poses:
        tris = triangles(placements, (x, y, z), 1.0)
        ahead = np.array([np.cos(yaw), np.sin(yaw), 1e-5])
        t = hits(tris, np.array([x, y, z]) - 0.8 * ahead, ahead)
        assert len(t) == 0 or t[0] > 1.4, "a gate is blocked"


def test_the_silo_has_a_free_shaft_a_hatch_and_cracks_on_its_wall():
    for top in ("open", "hatch"):
        silo = Silo(top=top, cracks=5, platforms=0)
        tris = triangles(silo.generate((0, 0)))
        middle, aside = (
            hits(tris, np.array(p), np.array([0.0, 0.0, 1.0])) for p in ((0.3, 0.2, 2.0), (3.0, -2.0, 2.0))
        )
        assert len(middle) == 0, "the way out is barred"
        assert (len(aside) > 0) == (top == "hatch")
        for crack in silo.marks:
            p = np.array(crack.points)
            assert np.allclose(np.hypot(p[:, 0], p[:, 1]), silo.radius, atol=0.01)
    assert "crack" in labels(silo.generate((0, 0))) and len(silo.marks) == 5


def test_the_ruin_has_thin_walls_water_and_a_torn_tower():
    ruin = Ruin(seed=1)
    placements = ruin.generate((0, 0))
    assert {"water", "rock", "wall", "ground"} <= labels(placements)
    water = next(p for p in placements if p.name == "water")
    assert not water.meshes[0].materials[0].solid
    x, y, z = water.X_WO[0, :, 3]
    edge = np.linspace(-17, 17, 80)
    ring = np.concatenate([[(a, s * 17) for a in edge] + [(s * 17, a) for a in edge] for s in (-1, 1)]) + np.array(
        [x, y]
    )
    assert ruin.ground(ring[:, 0], ring[:, 1]).min() > z, "the sheet of water ends under the ground"
    assert ruin.ground(np.array([x]), np.array([y]))[0] < z - 1.0
    thin = triangles([p for p in placements if p.name == "thin_wall_1"])
    t = hits(thin, np.array([12.0 - 6.9, -25.0, 0.6]), np.array([0.0, 1.0, 0.0]))
    assert len(t) == 2 and abs(t[1] - t[0] - ruin.wall_thickness) < 1e-4
    tower = corners([p for p in placements if p.name == "tower"])
    west = tower[(tower[:, 0] < 22 - 3.5)][:, 2].max()
    assert tower[:, 2].max() > 0.6 * ruin.tower_height > 2 * west


@pytest.mark.parametrize("make", [lambda: wedge(2, 1, 0.5, CONCRETE), lambda: rock(3, CONCRETE, facets=4)])
def test_solid_parts_are_closed_and_face_outwards(make):
    mesh = make()
    assert mesh.closed and volume(mesh) > 0


def test_curtains_are_closed_and_hold_their_volume():
    path = np.column_stack([np.linspace(0, 4, 9), np.zeros(9)])
    mesh = curtain(path, np.zeros(9), np.full(9, 2.0), 0.1, CONCRETE)
    assert mesh.closed and abs(volume(mesh) - 0.8) < 1e-4


def test_walls_leave_their_openings_free():
    mesh = wall(4.0, 3.0, 0.2, CONCRETE, ((1.0, 2.0, 0.0, 2.0), (3.0, 3.5, 1.0, 1.5)))
    assert abs(volume(mesh) - 0.2 * (12 - 2 - 0.25)) < 1e-4
    tris = mesh.vertices[mesh.faces].astype(float)
    through = np.array([0.0, 1.0, 0.0])
    assert len(hits(tris, np.array([1.51, -1, 1.03]), through)) == 0
    assert len(hits(tris, np.array([0.51, -1, 1.03]), through)) == 2


def test_many_boxes_are_as_many_single_ones():
    centres, sizes = np.array([[0, 0, 0], [3.0, 1, 2]]), np.array([[1, 2, 3], [0.5, 0.5, 0.5]])
    mesh = boxes(centres, sizes, CONCRETE)
    assert len(mesh.faces) == 24 and abs(volume(mesh) - 6.125) < 1e-5
    assert np.allclose(mesh.vertices[8:], box(sizes[1]).vertices + centres[1])


def test_a_lattice_has_its_size():
    low, high = lattice(2.0, 1.0, 0.1, 0.01, CONCRETE).bounds
    assert np.allclose(high - low, [2.01, 0.01, 1.01])


def volume(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
