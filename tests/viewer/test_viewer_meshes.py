"""Meshes for the page: every world's triangles come through, levels are lighter, neighbours meet, skins bend."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from volery.bus.frames import unpack
from volery.core.frames import quat_from_euler, rigid_inverse
from volery.core.geometry import Mesh, box, grid, sphere
from volery.core.material import Material
from volery.errors import RobotError
from volery.registry import find
from volery.robots.description import Skin, load_description
from volery.robots.kinematics import compose, skin_vertices
from volery.robots.robot import Robot
from volery.viewer.levels import levels_of
from volery.viewer.meshes import MeshRegistry
from volery.viewer.page_materials import page_material, srgb
from volery.viewer.pieces import know_far, piece_of

WORLDS = {
    "arena yellow": ("arena", {"colour": "yellow"}),
    "arena orange": ("arena", {"colour": "orange"}),
    "arena red": ("arena", {"colour": "red"}),
    "blocks": ("blocks", {"variety": True}),
    "cave": ("cave", {"seed": 5}),
    "empty": ("empty", {}),
    "forest": ("forest", {"seed": 1}),
    "hills": ("hills", {"hilliness": 25.0}),
    "ruin": ("ruin", {}),
    "silo": ("silo", {}),
    "terrain": ("terrain", {}),
    "warehouse": ("warehouse", {}),
}


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """A world by its name in WORLDS."""
    picture = tmp_path_factory.mktemp("terrain") / "heights.png"
    y, x = np.mgrid[:300, :300]
    Image.fromarray((20_000 + 4000 * np.sin(x / 29) + 3000 * np.cos(y / 17)).astype(np.uint16)).save(picture)

    def made(name):
        kind, data = WORLDS[name]
        extra = {"path": str(picture), "high": 400.0} if kind == "terrain" else {}
        return find("worlds", kind)(**data, **extra)

    return made


def shown(frame):
    """Header, corners [m, 3, 3] [m], their normals and colours."""
    header, arrays = unpack(frame.data)
    centre, half = np.array(header["centre"]), np.array(header["half"])
    position = centre + half * arrays["position"] / 32767
    index = arrays["index"].astype(np.int64).reshape(-1, 3)
    return header, position[index], arrays["normal"][index] / 127.0, arrays["colour"][index]


def area(corners):
    a, b, c = np.moveaxis(np.asarray(corners, float), 1, 0)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def in_order(mesh, primitives):
    """Faces of a mesh as the page has them: by primitive, each in the mesh's own order."""
    kinds = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    heads = [page_material(m).header() for m in mesh.materials]
    rows = [np.flatnonzero(np.array([h.items() <= p.items() for h in heads])[kinds]) for p in primitives]
    for p, row in zip(primitives, rows, strict=True):
        assert p["count"] == 3 * len(row)
    assert [p["first"] for p in primitives] == np.cumsum([0, *(p["count"] for p in primitives)])[:-1].tolist()
    return np.concatenate(rows), kinds


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_comes_through(name, make):
    world, meshes = make(name), MeshRegistry()
    placements = world.generate((0, 0))
    assert placements
    for mesh in {m: None for p in placements for m in p.meshes}:
        check_full(mesh, meshes.frames(mesh)[0])


def check_full(mesh, frame):
    header, corners, normals, colours = shown(frame)
    assert (header["level"], header["of"], header["id"]) == (0, frame.of, frame.of)
    order, kinds = in_order(mesh, header["primitives"])
    faces = mesh.faces[order]
    expected = mesh.vertices[faces].astype(float)
    size = mesh.bounds[1] - mesh.bounds[0]
    step = np.maximum(size / 32767, 1e-6)
    assert (np.abs(corners - expected) <= step * 0.51 + 1e-7 * np.abs(expected)).all()
    # Rounding moves corners by up to half a step: thin triangles change by that times their edges.
    edges = np.linalg.norm(expected - np.roll(expected, 1, axis=1), axis=2).sum(axis=1)
    assert (np.abs(area(corners) - area(expected)) <= edges * np.linalg.norm(step) + 1e-9).all()
    assert area(corners).sum() == pytest.approx(area(expected).sum(), rel=2e-3)
    lengths = np.linalg.norm(normals, axis=2)
    fine = area(expected) > 1e-9
    assert (np.abs(lengths[fine] - 1) < 0.02).all()
    if mesh.normals is not None:
        assert np.abs(normals - mesh.normals[faces]).max() < 1.01 / 127
    else:
        own = np.cross(expected[:, 1] - expected[:, 0], expected[:, 2] - expected[:, 0])[fine]
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        assert (np.einsum("fki,fi->fk", normals[fine], own) > np.cos(np.radians(36.0)) - 0.02).all()
    if not mesh.filled:
        exact = srgb(np.array([m.colour for m in mesh.materials]))[kinds[order]]
        assert (colours[:, :, :3] == exact[:, None]).all()
    assert (colours[:, :, 3] == 255).all()


@pytest.mark.parametrize("name", ["forest", "cave", "hills", "terrain", "ruin", "warehouse"])
def test_levels_are_lighter_and_keep_the_shape(name, make):
    world, meshes = make(name), MeshRegistry()
    placements = world.generate((0, 0))
    know_far(world, (0, 0), placements, meshes)
    many = 0
    for mesh in {m: None for p in placements for m in p.meshes}:
        frames = meshes.frames(mesh)
        counts = [f.triangles for f in frames]
        assert counts[0] == len(mesh.faces)
        assert all(b <= 0.7 * a for a, b in pairwise(counts)), (mesh.name, counts)
        assert len(frames) == 1 or min(counts) >= 10
        many += len(frames) > 2
        whole = area(mesh.vertices[mesh.faces]).sum()
        size = np.linalg.norm(mesh.bounds[1] - mesh.bounds[0])
        for frame in frames[1:]:
            header, corners, *_ = shown(frame)
            assert (header["of"], header["levels"]) == (frames[0].of, len(frames))
            # Of dead wood on the ground the small sticks go.
            least = 0.2 if {m.label_name for m in mesh.materials} == {"trunk"} else 0.4
            assert least * whole < area(corners).sum() < 2.0 * whole, (mesh.name, frame.level)
            assert np.abs(corners - np.clip(corners, *mesh.bounds)).max() < 0.2 * size
    assert many > 0 or name == "warehouse"


def test_a_forests_own_far_trees_are_used(make):
    world, meshes = make("forest"), MeshRegistry()
    placements = world.generate((0, 0))
    know_far(world, (0, 0), placements, meshes)
    near = next(p for p in placements if p.name == "trees")
    far = {level: next(p for p in world.generate_far((0, 0), level) if p.name == "trees") for level in (1, 2)}
    for k, mesh in enumerate(near.meshes):
        counts = [f.triangles for f in meshes.frames(mesh)]
        own = [len(far[level].meshes[k].faces) for level in (1, 2)]
        used = [n for n in own if n in counts]
        assert used, (mesh.name, counts, own)
    assert len(meshes.frames(near.meshes[0])) >= 3


@pytest.mark.parametrize("name", ["hills", "forest", "cave", "terrain"])
def test_neighbours_meet_at_every_level(name, make):
    world, meshes = make(name), MeshRegistry()
    size = world.chunk_size
    rims = []
    for key in ((0, 0), (1, 0)):
        ground = world.generate(key)[0]
        assert ground.meshes[0].filled
        own = []
        for frame in meshes.frames(ground.meshes[0]):
            _, corners, *_ = shown(frame)
            p_W = corners.reshape(-1, 3) @ ground.X_WO[0, :, :3].T + ground.X_WO[0, :, 3]
            own.append(np.unique(np.round(p_W[np.abs(p_W[:, 0] - size) < 1e-4], 5), axis=0))
        rims.append(own)
    assert len(rims[0]) > 2
    full = rims[0][0]
    assert len(full) > 30
    for rim in [*rims[0], *rims[1]]:
        gap = np.linalg.norm(rim[:, None] - full[None], axis=2)
        assert gap.min(axis=0).max() < 1e-3 and gap.min(axis=1).max() < 1e-3


def test_instances_are_those_of_the_placements(make):
    world, meshes = make("forest"), MeshRegistry()
    placements = world.generate((-2, 3))
    origin = np.array([-100.0, 150.0, 0.0])
    header, arrays = unpack(piece_of((-2, 3), origin, placements, meshes).data)
    assert [(o["name"], o["count"]) for o in header["objects"]] == [(p.name, len(p.X_WO)) for p in placements]
    for entry, placement in zip(header["objects"], placements, strict=True):
        rows = slice(entry["first"], entry["first"] + entry["count"])
        numbers = np.array(header["meshes"])[arrays["kind"][rows]]
        assert numbers.tolist() == [meshes.number(placement.meshes[k]) for k in placement.kinds]
        X = arrays["X"][rows].astype(float)
        X[:, :, 3] += header["origin"]
        assert np.abs(X - placement.X_WO).max() < 1e-5


def test_surfaces_are_told_apart():
    kinds = {
        "leaf": Material("oak leaf", label="leaf", solid=False, transparency=0.2),
        "clear": Material("pane", label="glass", transparency=0.9),
        "mirror": Material("mirror", mirror=1.0),
        "lamp": Material("bulb", emission=3.0),
        "opaque": Material("meadow", label="grass"),
    }
    assert {page_material(m).surface: name for name, m in kinds.items()} == {name: name for name in kinds}
    water = Material("pond", label="water", solid=False, transparency=0.6)
    assert page_material(water).surface == "clear"
    mesh = box((1, 1, 1), materials=tuple(kinds.values()), face_material=np.arange(12) % 5)
    header, *_ = shown(MeshRegistry().frames(mesh)[0])
    assert {p["surface"] for p in header["primitives"]} == set(kinds)


def test_a_ball_is_round_and_a_box_has_edges():
    _, _, normals, _ = shown(MeshRegistry().frames(box((1, 1, 1)))[0])
    assert (np.abs(normals).max(axis=2) == 1.0).all()
    mesh = sphere(1.0, 48)
    frame = MeshRegistry().frames(mesh)[0]
    _, corners, normals, _ = shown(frame)
    assert np.abs(normals - corners).max() < 0.03
    assert len(unpack(frame.data)[1]["position"]) == len(mesh.vertices)


def test_thinned_leaves_cover_as_much_as_before():
    rng = np.random.default_rng(1)
    n = 3000
    middle = rng.normal(size=(n, 3))
    leaf = np.array([[-0.02, 0, 0], [0, 0.01, 0], [0.02, 0, 0], [0, -0.01, 0]])
    vertices = (middle[:, None] + leaf).reshape(-1, 3)
    faces = (np.arange(n) * 4)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    green = Material("green", label="leaf", solid=False, transparency=0.2)
    levels = levels_of(Mesh(vertices, faces.reshape(-1, 3), materials=(green,)))
    assert len(levels) == 4
    for level in levels:
        assert area(level.vertices[level.faces]).sum() == pytest.approx(n * 4e-4, rel=0.02)
    kept = [{tuple(np.round(v, 2)) for v in s.vertices.reshape(-1, 4, 3).mean(axis=1)} for s in levels]
    assert kept[3] <= kept[2] <= kept[1] <= kept[0]


def test_ground_blends_its_soils_and_flat_ground_stays_flat():
    red, blue = Material("red", (1.0, 0.0, 0.0)), Material("blue", (0.0, 0.0, 1.0))
    kind = (np.arange(2 * 40 * 40) % 1600 % 40 >= 20).astype(int)
    mesh = grid(np.zeros((41, 41)), 1.0, materials=(red, blue), face_material=kind)
    for frame in MeshRegistry().frames(mesh):
        _, corners, normals, colours = shown(frame)
        assert area(corners).sum() == pytest.approx(1600.0, rel=1e-6)
        assert np.allclose(normals, (0, 0, 1))
        border = np.abs(corners[:, :, 1] - 20) < 1e-6
        if frame.level == 0:
            assert border.any() and (colours[border][:, [0, 2]] > 100).all(), "red and blue are mixed there"
        assert (colours[corners[:, :, 1] < 10][:, :3] == (255, 0, 0)).all()


def test_numbers_stay_and_frames_are_made_once():
    meshes, mesh = MeshRegistry(), sphere(1.0)
    number = meshes.number(mesh)
    frames = meshes.frames(mesh)
    assert meshes.frames(mesh) is frames and frames[0].of == number == meshes.number(mesh)
    ids = [unpack(f.data)[0]["id"] for f in frames]
    assert len(set(ids)) == len(ids) and ids[0] == number
    assert meshes.number(sphere(1.0)) not in ids


def wing(bones):
    """A chain of bones along y with a skin blended between neighbours, three rows of vertices to a bone."""
    y = np.linspace(0, bones, 3 * bones + 1)
    n = len(y)
    vertices = np.stack(np.broadcast_arrays(np.array([-0.3, 0.3])[:, None], y, 0.0), axis=-1).reshape(-1, 3)
    i = np.arange(n - 1)
    faces = np.concatenate([np.stack([i, i + n, i + n + 1], 1), np.stack([i, i + n + 1, i + 1], 1)])
    at = np.tile(np.clip(y - 0.5, 0, bones - 1), 2)
    low = np.minimum(at.astype(int), bones - 2)
    index = np.stack([low, low + 1, 0 * low, 0 * low], axis=1).astype(np.int32)
    share = at - low
    weights = np.stack([1 - share, share, 0 * share, 0 * share], axis=1)
    bind = np.tile(np.eye(3, 4), (bones, 1, 1))
    bind[:, 1, 3] = -np.arange(bones)
    return Skin(Mesh(vertices, faces, name="wing"), index, weights, bind)


def test_skins_bend_as_robots_do(tmp_path):
    bones = 12
    body = "".join(
        f'<body name="b{i}" pos="0 {1 if i else 0} 0">' + ("<freejoint/>" if i == 0 else "") + '<geom size=".01"/>'
        for i in range(bones)
    )
    path = tmp_path / "wing.xml"
    path.write_text(f"<mujoco><worldbody>{body}{'</body>' * bones}</worldbody></mujoco>")
    robot, skin = Robot("wing", load_description(path)), wing(bones)
    robot.set_pose(np.array([3.0, -2, 20]), quat_from_euler(np.array([0.2, -0.1, 1.0])))
    for i in range(1, bones):
        robot.set_bone(i, quat_from_euler(np.array([0.12, 0.05 * np.sin(i), 0.02])))
    robot.update()
    X_RB, expected = np.empty_like(robot.X_WB), np.empty_like(skin.mesh.vertices)
    for b in range(bones):
        compose(rigid_inverse(robot.X_WB[0]), robot.X_WB[b], X_RB[b])
    skin_vertices(skin.mesh.vertices, skin.bones, skin.weights, skin.X_BR_bind, X_RB, expected)
    expected = expected @ robot.X_WB[0][:, :3].T + robot.X_WB[0][:, 3]
    header, arrays = unpack(MeshRegistry().frames(skin)[0].data)
    v = np.array(header["centre"]) + np.array(header["half"]) * arrays["position"] / 32767
    assert (arrays["weights"].sum(axis=1) == 255).all()
    assert arrays["X_BR_bind"].shape == (bones, 3, 4)
    moved = np.zeros_like(v)
    for k in range(4):
        bone, share = arrays["bones"][:, k], arrays["weights"][:, k] / 255.0
        bind, X = arrays["X_BR_bind"][bone], robot.X_WB[bone]
        local = np.einsum("nij,nj->ni", bind[:, :, :3], v) + bind[:, :, 3]
        moved += share[:, None] * (np.einsum("nij,nj->ni", X[:, :, :3], local) + X[:, :, 3])
    gap = np.linalg.norm(moved[:, None] - expected[None], axis=2)
    assert gap.min(axis=1).max() < 1e-3 and gap.min(axis=0).max() < 1e-3


def test_a_skin_of_too_many_bones_is_refused():
    with pytest.raises(RobotError, match="at most 256"):
        MeshRegistry().frames(wing(300))
