"""The cave: connected, without seams, the same in any order, and what it says about itself is true."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from volery.errors import VoleryError
from volery.world.generate.cave import Cave
from volery.world.generate.cave_paths import STEP, region
from volery.world.generate.cave_surface import Field, march

SMALL = {"chunk_size": 25.0, "cell": 15.0, "depth": 30.0, "levels": 2, "chamber": (2.0, 4.0)}


def fingerprint(placements):
    h = hashlib.sha256()
    for p in placements:
        h.update(p.name.encode() + p.X_WO.tobytes() + p.kinds.tobytes())
        for m in p.meshes:
            h.update(m.vertices.tobytes() + m.faces.tobytes())
            h.update(b"" if m.normals is None else m.normals.tobytes())
            h.update(b"" if m.face_material is None else m.face_material.tobytes())
    return h.hexdigest()


def walls(cave, keys):
    """World vertices, normals and faces of the walls of several chunks, not welded."""
    found = [p for key in keys for p in cave.generate(key) if p.name == "cave"]
    starts = np.cumsum([0] + [len(p.meshes[0].vertices) for p in found])
    v = np.concatenate([p.meshes[0].vertices.astype(float) + p.X_WO[0, :, 3] for p in found])
    n = np.concatenate([p.meshes[0].normals for p in found])
    f = np.concatenate([p.meshes[0].faces.astype(int) + s for p, s in zip(found, starts, strict=False)])
    return v, n, f


def flood(free, start):
    """Lattice points reached from start through free ones."""
    padded = np.pad(free, 1)
    reached = np.zeros_like(padded)
    steps = np.array([s for a in padded.strides for s in (a, -a)]) // padded.itemsize
    front = np.array([np.ravel_multi_index(np.array(start) + 1, padded.shape)])
    while len(front):
        front = np.unique(front[padded.ravel()[front] & ~reached.ravel()[front]])
        reached.ravel()[front] = True
        front = (front[:, None] + steps).ravel()
    return reached[1:-1, 1:-1, 1:-1]


def eroded(free, radius):
    """Points whose whole ball of so many lattice steps is free."""
    out = np.zeros_like(free)
    r = radius
    core = (slice(r, -r),) * 3
    out[core] = True
    for i, j, k in np.ndindex(2 * r + 1, 2 * r + 1, 2 * r + 1):
        if (i - r) ** 2 + (j - r) ** 2 + (k - r) ** 2 <= r * r:
            nx, ny, nz = free.shape
            out[core] &= free[i : nx - 2 * r + i, j : ny - 2 * r + j, k : nz - 2 * r + k]
    return out


def test_same_bytes_in_any_order_and_thread():
    keys = [(0, 0), (-1, 0), (1, -2), (0, 1), (40, 3)]
    first = {key: fingerprint(Cave(seed=3, **SMALL).generate(key)) for key in keys}
    again = Cave(seed=3, **SMALL)
    assert {key: fingerprint(again.generate(key)) for key in keys[::-1]} == first
    region.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda key: fingerprint(Cave(seed=3, **SMALL).generate(key)), keys))
    assert made == [first[key] for key in keys]
    assert fingerprint(Cave(seed=4, **SMALL).generate((0, 0))) != first[0, 0]


@pytest.mark.parametrize("corner", [(0, 0), (4000, -4000)])
def test_chunks_meet_without_a_gap(corner):
    # With chunks of half a region, the inner seams are also borders of regions.
    cave = Cave(seed=1, **{**SMALL, "chunk_size": 30.0})
    keys = [(corner[0] + i, corner[1] + j) for i in range(2) for j in range(2)]
    v, n, f = walls(cave, keys)
    place, first, weld = np.unique(v, axis=0, return_index=True, return_inverse=True)
    weld = weld.ravel()
    assert len(place) < len(v)
    assert np.array_equal(n, n[first][weld])
    f = weld[f]
    edges = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]) @ [len(place), 1]
    back = np.concatenate([f[:, [1, 0]], f[:, [2, 1]], f[:, [0, 2]]]) @ [len(place), 1]
    open_ = np.setxor1d(edges, back) // len(place)
    low = np.array(corner) * cave.chunk_size
    on_border = (place[open_, :2] == low) | (place[open_, :2] == low + 2 * cave.chunk_size)
    assert len(open_) > 0 and on_border.any(axis=1).all()


def test_marching_cubes_closes_every_surface():
    rng = np.random.Generator(np.random.Philox(key=1))
    d = np.full((24, 24, 24), -1.0)
    d[3:-3, 3:-3, 3:-3] = rng.normal(size=(18, 18, 18))
    _, _, f = march(d, 1.0)
    edges = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]).astype(int) @ [1 << 20, 1]
    back = np.concatenate([f[:, [1, 0]], f[:, [2, 1]], f[:, [0, 2]]]).astype(int) @ [1 << 20, 1]
    assert len(np.unique(edges)) == len(edges)
    assert np.array_equal(np.sort(edges), np.sort(back))


def test_the_search_never_climbs_and_neighbours_share_gates():
    net = Cave(seed=5).network
    regions = {(i, j): region(net, i, j) for i in range(-1, 2) for j in range(-1, 2)}
    number, joined = {}, []
    for r in regions.values():
        assert (r.nodes[r.edges[:, 0], 2] >= r.nodes[r.edges[:, 1], 2]).all()
        ids = [number.setdefault(tuple(p), len(number)) for p in r.nodes]
        joined += [(ids[a], ids[b]) for a, b in r.edges]
        for (a, b), w in zip(r.edges, r.worms, strict=True):
            assert np.array_equal(w[[0, -1]], r.nodes[[a, b]])
            assert np.linalg.norm(np.diff(w, axis=0), axis=1).max() < 1.3 * STEP
    # Twelve inner borders, each with a gate that two regions know by the same coordinates.
    assert len(number) == sum(len(r.nodes) for r in regions.values()) - 12
    reached, more = {0}, True
    while more:
        found = {b for a, b in joined if a in reached} | {a for a, b in joined if b in reached}
        more = bool(found - reached)
        reached |= found
    assert len(reached) == len(number)


@pytest.mark.parametrize("seed", [0, 1])
def test_every_chamber_is_reachable_for_a_ball(seed):
    cave = Cave(seed=seed, **SMALL)
    net, step = cave.network, 0.25
    home = region(net, 0, 0)
    low, high = np.array([-35.0, -35.0, -cave.depth - 1.0]), np.array([35.0, 35.0, 1.0])
    capsules = np.concatenate([r.capsules for r in net.regions(low[:2], high[:2])])
    field = Field(capsules, low - 4.0, high + 4.0, net.seed)
    first = np.round(low / step).astype(int)
    free = field.sample(first, tuple(np.round((high - low) / step).astype(int)), step) > 0.0
    ball = eroded(free, round(0.5 / step))
    at = np.round(home.nodes / step).astype(int) - first
    reached = flood(ball, at[0])
    assert reached[tuple(at.T)].all()
    assert 0.02 < free.mean() < 0.6


@pytest.mark.parametrize("seed", range(6))
def test_a_ball_passes_along_the_narrowest_axis(seed):
    cave = Cave(seed=seed, radius=(1.5, 1.5), chamber=(1.5, 6.0))
    axis = np.concatenate(region(cave.network, 0, 0).worms)
    d = np.random.Generator(np.random.Philox(key=2)).normal(size=(40, 3))
    ball = 0.5 * d / np.linalg.norm(d, axis=1, keepdims=True)
    assert cave.distance((axis[:, None] + ball).reshape(-1, 3)).min() > 0.0


def test_walls_agree_with_distance_and_face_the_free_space():
    cave = Cave(seed=2)
    v, n, f = walls(cave, [(0, 0)])
    # A vertex lies between a free and a solid lattice point. Without interpolation half of them would be off by more
    # than 0.2 voxels; with it only the finest waves of the rock are missed.
    off = np.abs(cave.distance(v))
    assert off.max() < cave.voxel and np.median(off) < 0.1 * cave.voxel
    a, b, c = (v[f[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    agree = np.einsum("ij,ij->i", face, n[f].mean(axis=1)) > 0
    assert agree.mean() > 0.995
    assert (cave.distance(v + 0.3 * n) > 0).mean() > 0.99
    assert (cave.distance(v - 0.3 * n) < 0).mean() > 0.99
    middle = v[(np.abs(v[:, :2] - 25.0) < 22.0).all(axis=1)]
    probe = (v + 0.3 * n)[(np.abs(v[:, :2] - 25.0) < 20.0).all(axis=1)][::50]
    near = np.sqrt(((probe[:, None] - middle) ** 2).sum(axis=2)).min(axis=1)
    assert len(probe) > 100
    assert np.percentile(np.abs(cave.distance(probe) - near), 98) < 0.2


def test_spawn_is_free_and_the_path_leads_on():
    for seed in range(3):
        cave = Cave(seed=seed)
        assert np.linalg.norm(cave.spawn()[:2]) < 2 * cave.cell
        assert cave.spawn() == tuple(cave.path[0])
        assert cave.distance(cave.path).min() > 0.5
        assert np.linalg.norm(np.diff(cave.path, axis=0), axis=1).max() < 1.3 * STEP
        assert np.linalg.norm(cave.path[-1] - cave.path[0]) > cave.cell


def test_dripstone_hangs_in_the_cave_and_keeps_off_the_axis():
    cave = Cave(seed=7)
    names = set()
    for key in ((0, 0), (1, 0), (-1, 1)):
        low = np.array(key) * cave.chunk_size
        near = cave.network.regions(low, low + cave.chunk_size)
        axis = np.concatenate([w for r in near for w in r.worms])
        between = np.concatenate([0.5 * (w[1:] + w[:-1]) for r in near for w in r.worms])
        (stones,) = [p for p in cave.generate(key) if p.name == "dripstone"]
        assert np.abs(cave.distance(stones.X_WO[:, :, 3])).max() < 0.1
        for X, kind in zip(stones.X_WO, stones.kinds, strict=True):
            v = stones.meshes[kind].vertices @ X[:, :3].T + X[:, 3]
            v = v[cave.distance(v) > 0][::2]
            for line in (axis, between):
                close = line[(np.abs(line - X[:, 3]) < 12.0).all(axis=1)]
                assert np.sqrt(((v[:, None] - close) ** 2).sum(axis=2)).min(initial=9.0) > 0.5
        names |= {stones.meshes[k].name for k in stones.kinds}
    assert names == {"stalactite", "stalagmite", "column"}
    assert all(m.closed for m in stones.meshes)
    assert not [p for p in Cave(seed=7, dripstone=0.0).generate((0, 0)) if p.name == "dripstone"]


def test_lamps_are_shared_and_sit_on_the_wall():
    cave = Cave(seed=7)
    lamps = [p for key in ((0, 0), (1, 0)) for p in cave.generate(key) if p.name == "lamp"]
    assert lamps[0].meshes[0] is lamps[1].meshes[0]
    assert any(m.emission > 0 for m in lamps[0].meshes[0].materials)
    X = np.concatenate([p.X_WO for p in lamps])
    assert np.abs(cave.distance(X[:, :, 3])).max() < 0.1
    assert cave.distance(X[:, :, 3] + 0.3 * X[:, :, 2]).min() > 0.0
    few = [p for p in Cave(seed=7, lamp_spacing=24.0).generate((0, 0)) if p.name == "lamp"]
    assert len(few[0].X_WO) < 0.6 * len(lamps[0].X_WO)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chunk_size": 0.0},
        {"voxel": 1e-4},
        {"voxel": 0.1, "chunk_size": 200.0},
        {"depth": -5.0},
        {"levels": 10**9},
        {"levels": 8, "depth": 30.0},
        {"radius": (3.0, 2.0)},
        {"radius": (0.2, 2.0)},
        {"chamber": (2.0, 1e9)},
        {"openness": 1.5},
        {"seed": 2**70},
        {"cell": float("nan")},
        {"dripstone": -1.0},
        {"lamp_spacing": 0.0},
    ],
)
def test_absurd_parameters_are_refused(wrong):
    with pytest.raises(VoleryError):
        Cave(**wrong)
