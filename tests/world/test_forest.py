"""The forest is a pure function of place, meets itself at its seams, and stands as a wood should."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from volery.errors import ScenarioError
from volery.world.generate.forest import Forest
from volery.world.generate.hills import Hills
from volery.world.generate.scatter import prune, prune_halo, sample
from volery.world.generate.species import AGES, SPECIES
from volery.world.generate.trees import tree_models
from volery.world.generate.undergrowth import undergrowth_models

KEYS = [(0, 0), (1, 0), (-3, 2), (7, -5), (2000, -2000)]
FOREST = Forest(seed=5)


def digest(placements):
    """All bytes of a chunk."""
    h = hashlib.sha256()
    for p in placements:
        h.update(p.name.encode() + p.X_WO.tobytes() + p.kinds.tobytes())
        for m in p.meshes:
            h.update(m.name.encode() + repr(m.materials).encode())
            for a in (m.vertices, m.faces, m.normals, m.face_material):
                h.update(b"" if a is None else a.tobytes())
    return h.hexdigest()


def named(placements, name):
    return next(p for p in placements if p.name == name)


def rim(forest, key, side):
    """World coordinates and normals of the ground's vertices on one edge of a chunk, in order."""
    ground = forest.generate_far(key)[0] if isinstance(forest, Forest) else forest.generate(key)[0]
    mesh = ground.meshes[0]
    n = round(len(mesh.vertices) ** 0.5)
    v = (mesh.vertices.astype(np.float64) + ground.X_WO[0, :, 3]).reshape(n, n, 3)
    normal = mesh.normals.reshape(n, n, 3)
    return {"east": (v[-1], normal[-1]), "west": (v[0], normal[0]), "north": (v[:, -1], normal[:, -1]),
            "south": (v[:, 0], normal[:, 0])}[side]  # fmt: skip


def test_the_same_bytes_in_any_order_and_from_threads():
    first = {key: digest(FOREST.generate(key)) for key in KEYS}
    again = {key: digest(Forest(seed=5).generate(key)) for key in reversed(KEYS)}
    with ThreadPoolExecutor(4) as pool:
        threaded = dict(zip(KEYS * 2, pool.map(lambda k: digest(FOREST.generate(k)), KEYS * 2), strict=True))
    assert first == again == threaded
    assert len(set(first.values())) == len(KEYS)


def test_another_seed_is_another_forest():
    a, b = FOREST.generate((0, 0)), replace(FOREST, seed=6).generate((0, 0))
    assert digest(a[:1]) != digest(b[:1])
    assert not np.array_equal(named(a, "trees").X_WO, named(b, "trees").X_WO)


def test_models_are_the_same_objects_everywhere():
    known = {id(m) for t in tree_models() for m in t.lods} | {id(m) for ms in undergrowth_models().values() for m in ms}
    for key in KEYS[:3]:
        for placement in Forest(seed=key[0] + 10).generate(key)[1:]:
            assert {id(m) for m in placement.meshes} <= known


@pytest.mark.parametrize("forest", [FOREST, Hills(seed=2, ground_spacing=0.7), Hills(seed=2, chunk_size=33.3)])
@pytest.mark.parametrize("key", [(0, 0), (-1, -1), (2000, -2000)])
def test_chunks_meet_without_a_gap(forest, key):
    i, j = key
    for a, b, there in (("east", "west", (i + 1, j)), ("north", "south", (i, j + 1))):
        (p, n), (q, m) = rim(forest, key, a), rim(forest, there, b)
        assert np.abs(p - q).max() <= (0.0 if forest.chunk_size == 50.0 else 1e-5)
        assert np.array_equal(p[:, 2], q[:, 2])
        assert np.abs(n - m).max() < 1e-6


def test_the_ground_is_where_height_says():
    p, _ = rim(FOREST, (3, 1), "west")
    assert np.abs(FOREST.height(p[:, 0], p[:, 1]) - p[:, 2]).max() < 1e-5
    assert np.ptp(p[:, 2]) > 0.5
    assert np.abs(Forest(hilliness=0.0, roughness=0.0).height(np.arange(99.0), 3.0)).max() == 0.0


def test_trees_do_not_depend_on_the_chunks():
    fine = replace(FOREST, chunk_size=25.0)
    whole = named(FOREST.generate((1, -1)), "trees")
    pieces = [fine.generate_far((i, j), 0) for i in (2, 3) for j in (-2, -1)]
    X = np.concatenate([named(p, "trees").X_WO for p in pieces])
    meshes = [m for p in pieces for m in np.array(named(p, "trees").meshes, object)[named(p, "trees").kinds]]
    order, other = np.lexsort(whole.X_WO[:, :, 3].T), np.lexsort(X[:, :, 3].T)
    assert np.array_equal(whole.X_WO[order], X[other])
    assert all(whole.meshes[whole.kinds[a]] is meshes[b] for a, b in zip(order, other, strict=True))


def test_no_two_trees_overlap_even_across_seams():
    stands = [FOREST.trees(FOREST.box((i, j))) for i in (-1, 0) for j in (-1, 0)]
    x, y, scale = (np.concatenate([getattr(s.sites, k) for s in stands]) for k in ("x", "y", "scale"))
    space = np.array([tree_models()[k].age.space for s in stands for k in s.models]) * scale
    gap = np.hypot(x[:, None] - x, y[:, None] - y) + np.eye(len(x)) * 1e3
    assert (gap >= 0.5 * (space[:, None] + space)).all()


@pytest.mark.parametrize("seed", range(10))
def test_pruning_keeps_the_higher_rank_and_ignores_what_is_beyond_the_halo(seed):
    box, halo = (0.0, 0.0, 30.0, 30.0), prune_halo(4.0)
    near, far = (sample(seed, 0, 1.5, (-h, -h, 30 + h, 30 + h)) for h in (halo, halo + 20))
    kept = [s.only(prune(s, np.full(len(s), 4.0), s.draws[:, 5]) & s.within(box)) for s in (near, far)]
    assert np.array_equal(kept[0].x, kept[1].x)
    assert prune(near, np.full(len(near), 4.0), near.draws[:, 5])[near.draws[:, 5].argmax()]


def test_a_wood_has_about_a_hundred_trees_a_chunk_of_all_species():
    stands = [FOREST.trees(FOREST.box((i, j))) for i in range(-4, 4) for j in range(-4, 4)]
    assert 70 <= np.mean([len(s.sites) for s in stands]) <= 150
    models = [tree_models()[k] for s in stands for k in s.models]
    assert {m.species.name for m in models} == {s.name for s in SPECIES}
    assert {m.age.name for m in models} == {a.name for a in AGES}
    scale = np.concatenate([s.sites.scale for s in stands])
    assert scale.min() >= 0.5 and scale.max() <= 1.0 and np.ptp(scale) > 0.45
    yaw = np.concatenate([s.sites.yaw for s in stands])
    assert np.histogram(yaw, 8, (0, 2 * np.pi))[0].min() > len(yaw) / 16


def test_density_counts():
    counts = [len(replace(FOREST, density=d).trees((0, 0, 200, 200)).sites) for d in (0.0, 0.1, 0.4, 1.0)]
    assert counts[0] == 0 and counts[0] < counts[1] < counts[2] < counts[3]
    bare = replace(FOREST, density=0.0, undergrowth=0.0, rocks=0.0, dead_wood=0.0)
    assert [p.name for p in bare.generate((0, 0))] == ["ground"]


def test_clearings_nurseries_and_windfalls():
    box = (0.0, 0.0, 400.0, 400.0)
    shares = [len(replace(FOREST, clearings=c, nurseries=0.0).trees(box).sites) for c in (0.0, 0.4)]
    assert 0.4 < shares[1] / shares[0] < 0.8
    nursery = replace(FOREST, clearings=0.0, nurseries=0.9).trees(box)
    young = np.mean([tree_models()[k].age.name in ("sapling", "young") for k in nursery.models])
    assert young > 0.8
    storm = replace(FOREST, windfalls=0.9, dead_wood=1.0, clearings=0.0)
    ahead = named(storm.generate((0, 0)), "fallen trunks").X_WO[:, :2, 0]
    ahead = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    assert len(ahead) > 20 and np.linalg.norm(ahead.mean(axis=0)) > 0.8


def test_fallen_trunks_lie_beside_trees_not_through_them():
    storm = replace(FOREST, windfalls=0.5, dead_wood=1.0)
    logs = named(storm.generate((0, 1)), "fallen trunks").X_WO
    stand = storm.trees((-20.0, 30.0, 70.0, 120.0)).sites
    s = np.linspace(-4.5, 4.5, 61)
    along = logs[:, None, :2, 3] + s[:, None] * logs[:, None, :2, 0]
    gap = np.hypot(along[..., 0, None] - stand.x, along[..., 1, None] - stand.y)
    assert gap.min() > 0.3


def test_things_stand_on_the_ground():
    for placement in FOREST.generate((2, 2))[1:]:
        p = placement.X_WO[:, :, 3]
        off = p[:, 2] - FOREST.height(p[:, 0], p[:, 1])
        assert np.abs(off).max() < (2.0 if placement.name == "fallen trunks" else 1e-9)
        assert (p[:, :2] >= 100.0).all() and (p[:, :2] < 150.0).all()


@pytest.mark.parametrize("seed", range(6))
def test_spawn_is_free_and_above_ground(seed):
    forest = Forest(seed=seed, density=1.0)
    x, y, z = forest.spawn()
    near = forest.trees((x - 4, y - 4, x + 4, y + 4)).sites
    assert (np.hypot(near.x - x, near.y - y) >= 3.0).all()
    assert z == pytest.approx(float(forest.height(x, y)) + 2.0)
    assert forest.free(x, y, 3.0)
    stand = forest.trees((0.0, 0.0, 50.0, 50.0)).sites
    assert not forest.free(stand.x[0] + 0.5, stand.y[0], 1.0)


def test_far_chunks_show_the_same_trees_coarser():
    near = named(FOREST.generate((0, 0)), "trees")
    for level, share in ((1, 0.5), (2, 0.15)):
        ground, far = FOREST.generate_far((0, 0), level)
        assert ground.name == "ground" and np.array_equal(far.X_WO, near.X_WO)
        size = [sum(len(p.meshes[k].faces) for k in p.kinds) for p in (near, far)]
        assert size[1] < share * size[0]


def test_tree_models_are_detailed_and_labelled():
    for model in tree_models():
        full, *coarser = (len(m.faces) for m in model.lods)
        assert full > coarser[0] > coarser[1]
        if model.age.name in ("grown", "old"):
            assert 15_000 <= full <= 50_000
        for mesh in model.lods:
            assert not mesh.robust
            assert {m.label: m.solid for m in mesh.materials} == {"trunk": True, "leaf": False}
        low, high = model.lods[0].bounds
        assert low[2] < 0 and 0.7 < high[2] / (model.species.height * model.age.height) < 1.2


def test_trees_stand_in_all_quarter_turns_so_that_their_boxes_are_tight():
    X = named(FOREST.generate((0, 0)), "trees").X_WO[:, :, :3]
    R = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert np.abs(R - np.round(R)).max() < 1e-12
    assert len(np.unique(np.round(R[:, :2, 0]), axis=0)) == 4


def test_no_limb_sticks_far_out_of_a_crown():
    for model in tree_models():
        v = model.lods[0].vertices
        r = np.hypot(v[:, 0], v[:, 1])
        assert r.max() < 1.17 * np.percentile(r, 95) + 0.3, model.lods[0].name


def test_wood_faces_outwards():
    for mesh in [m.lods[0] for m in tree_models()[::3]] + [undergrowth_models()["log"][0]]:
        wood = np.array([m.label == "trunk" for m in mesh.materials])[mesh.face_material]
        a, b, c = (mesh.vertices[mesh.faces[wood, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        agree = np.einsum("ni,ni->n", normal, mesh.normals[mesh.faces[wood, 0]])
        assert np.mean(agree[np.linalg.norm(normal, axis=1) > 1e-6] > 0) > 0.98


@pytest.mark.parametrize(
    "bad",
    [
        {"density": -0.1}, {"density": 7.0}, {"chunk_size": 0.0}, {"chunk_size": 1e6}, {"octaves": 10**9},
        {"octaves": 0}, {"ground_spacing": 1e-6}, {"hilliness": float("nan")}, {"frequency": -1.0},
        {"undergrowth": 100.0}, {"clearings": 1.0}, {"seed": -1}, {"rocks": "many"},
    ],
)  # fmt: skip
def test_absurd_parameters_are_refused(bad):
    with pytest.raises(ScenarioError, match=next(iter(bad))):
        Forest(**bad)
