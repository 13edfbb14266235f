"""Ground and models from files: exact seams, georeference, holes, streaming, and clear errors for broken files."""

import json
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from volery.errors import ScenarioError, WorldError
from volery.world.generate.meshfile import MeshFile
from volery.world.generate.terrain import Terrain, fill_voids
from volery.world.generate.terrain_tiles import ByteCache, TerrainTiles
from volery.world.geotiff import open_geotiff

UTM = (1024, 1, 1025, 1, 3072, 32633)
DEGREES = (1024, 2, 1025, 1, 2048, 4326)
FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def hills(rows: int, cols: int) -> np.ndarray:
    y, x = np.mgrid[:rows, :cols]
    return (50 + 20 * np.sin(x / 9) + 15 * np.cos(y / 7) + 0.1 * x).astype(np.float32)


def write_tiff(
    path: Path, a: np.ndarray, *, corner=None, pixel=(1.0, 1.0), keys=UTM, nodata=None, tile=None, skip=()
) -> Path:
    """A little-endian GeoTIFF by hand: one strip raw, or deflated tiles with predictor 2 or 3."""
    blocks, extra = [a.tobytes()], {278: ("I", [a.shape[0]])}
    if tile:
        padded = np.pad(a, [(0, -s % tile) for s in a.shape], mode="edge")
        squares = [
            padded[r : r + tile, c : c + tile]
            for r in range(0, len(padded), tile)
            for c in range(0, padded.shape[1], tile)
        ]
        blocks = [b"" if i in skip else zlib.compress(_predict(s)) for i, s in enumerate(squares)]
        extra = {322: ("I", [tile]), 323: ("I", [tile]), 259: ("H", [8]), 317: ("H", [3 if a.dtype.kind == "f" else 2])}
    tags = {256: ("I", [a.shape[1]]), 257: ("I", [a.shape[0]]), 258: ("H", [a.dtype.itemsize * 8]), 277: ("H", [1])}
    tags |= {262: ("H", [1]), 339: ("H", [{"u": 1, "i": 2, "f": 3}[a.dtype.kind]])} | extra
    if corner:
        tags |= {33550: ("d", [*pixel, 0.0]), 33922: ("d", [0, 0, 0, *corner, 0])}
        tags[34735] = (
            "H",
            [1, 1, 0, len(keys) // 2, *(v for k, n in zip(keys[::2], keys[1::2], strict=True) for v in (k, 0, 1, n))],
        )
    if nodata is not None:
        tags[42113] = ("s", str(nodata).encode() + b"\0")
    at, body = 8, b""
    offsets = []
    for block in blocks:
        offsets.append(at + len(body))
        body += block
    tags[324 if tile else 273], tags[325 if tile else 279] = ("I", offsets), ("I", [len(b) for b in blocks])
    codes = {"H": 3, "I": 4, "d": 12, "s": 2}
    entries, heap, heap_at = b"", b"", at + len(body) + 2 + 12 * len(tags) + 4
    for tag, (code, values) in sorted(tags.items()):
        raw = values if code == "s" else struct.pack(f"<{len(values)}{code}", *values)
        value = raw.ljust(4, b"\0") if len(raw) <= 4 else struct.pack("<I", heap_at + len(heap))
        heap += raw if len(raw) > 4 else b""
        entries += struct.pack("<HHI", tag, codes[code], len(values)) + value
    directory = struct.pack("<H", len(tags)) + entries + b"\0\0\0\0" + heap
    path.write_bytes(b"II*\0" + struct.pack("<I", at + len(body)) + body + directory)
    return path


def _predict(a: np.ndarray) -> bytes:
    if a.dtype.kind == "f":
        planes = np.ascontiguousarray(a.astype(">f4")).view(np.uint8).reshape(*a.shape, 4).transpose(0, 2, 1)
        planes = np.ascontiguousarray(planes).reshape(len(a), -1)
        return np.diff(planes, axis=1, prepend=np.uint8(0)).tobytes()
    return np.diff(a, axis=1, prepend=a.dtype.type(0)).tobytes()


def fingerprint(placements: list) -> bytes:
    parts = [
        (
            p.X_WO.tobytes(),
            p.kinds.tobytes(),
            *((m.vertices.tobytes(), m.faces.tobytes(), m.normals.tobytes()) for m in p.meshes),
        )
        for p in placements
    ]
    return repr(parts).encode()


def in_world(placement, mesh=0, instance=0) -> np.ndarray:
    X = placement.X_WO[instance]
    return placement.meshes[mesh].vertices.astype(np.float64) @ X[:, :3].T + X[:, 3]


@pytest.fixture(scope="module")
def png(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("png") / "hills.png"
    h = hills(300, 400)
    Image.fromarray(((h - h.min()) / np.ptp(h) * 65535).astype(np.uint16)).save(path)
    return path


def test_png_of_8_and_16_bit_span_black_to_white(tmp_path):
    ramp = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (64, 1))
    for bits, pixels in ((16, ramp), (8, (ramp >> 8).astype(np.uint8))):
        Image.fromarray(pixels).save(tmp_path / "r.png")
        world = Terrain(tmp_path / "r.png", low=10, high=30, spacing=2.0)
        z = world.height(np.array([-63.0, 63.0]), np.zeros(2))
        assert z == pytest.approx([10, 30], abs=1e-3), bits
    Image.fromarray(np.zeros((8, 8, 3), np.uint8)).save(tmp_path / "rgb.png")
    with pytest.raises(WorldError, match="grey"):
        Terrain(tmp_path / "rgb.png").generate((0, 0))


def test_row_zero_is_north(tmp_path):
    a = np.zeros((40, 40), np.uint8)
    a[0:10, 20:] = 255
    Image.fromarray(a).save(tmp_path / "n.png")
    z = Terrain(tmp_path / "n.png").height(np.array([15.0, 15.0, -15.0]), np.array([15.0, -15.0, 15.0]))
    assert z.tolist() == [100, 0, 0]


def test_neighbouring_chunks_meet_to_the_last_bit_far_from_home(tmp_path):
    h = hills(64, 90_000)
    path = write_tiff(tmp_path / "long.tif", h, corner=(500_000.0, 5_000_000.0), pixel=(2.3, 2.3))
    world = Terrain(path, chunk_size=33.3, resolution=1.1)
    i = int(90_000 // world.chunk_size)
    (a,), (b,) = world.generate((i, 0)), world.generate((i + 1, 0))
    va, vb = in_world(a), in_world(b)
    border = (i + 1) * world.chunk_size
    ea, eb = va[va[:, 0] == border], vb[vb[:, 0] == border]
    assert len(ea) > 20 and ea.tobytes() == eb.tobytes()
    na, nb = (p.meshes[0].normals[v[:, 0] == border] for p, v in ((a, va), (b, vb)))
    assert na.tobytes() == nb.tobytes(), "a shading seam"
    assert np.abs(a.meshes[0].vertices).max() < 200, "vertices must stay near their frame"


def test_mesh_follows_the_raster_and_faces_up(png):
    world = Terrain(png, high=60.0, chunk_size=50.0)
    (part,) = world.generate((1, -1))
    v = in_world(part)
    assert v[:, 2] == pytest.approx(world.height(v[:, 0], v[:, 1]), abs=1e-3)
    mesh = part.meshes[0]
    t = mesh.vertices[mesh.faces]
    assert (np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])[:, 2] > 0).all() and (mesh.normals[:, 2] > 0).all()
    assert world.generate((50, 0)) == []
    assert world.spawn()[2] == pytest.approx(2 + float(world.height(np.zeros(1), np.zeros(1))[0]))


def test_same_bytes_in_any_order_and_from_threads(png, tmp_path):
    keys = [(i, j) for i in range(-4, 4) for j in range(-3, 3)]
    first = Terrain(png, chunk_size=50.0)
    expected = {k: fingerprint(first.generate(k)) for k in keys}
    second = Terrain(png, chunk_size=50.0)
    order = [keys[i] for i in np.random.default_rng(0).permutation(len(keys))]
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(order, pool.map(lambda k: fingerprint(second.generate(k)), order), strict=True))
    assert found == expected
    materials = [w.generate((0, 0))[0].meshes[0].face_material for w in (first, Terrain(png, chunk_size=50.0, seed=9))]
    assert not np.array_equal(*materials), "the seed strews the patches"


def test_projected_georeference(tmp_path):
    path = write_tiff(tmp_path / "u.tif", hills(100, 200), corner=(500_000.0, 5_400_000.0), pixel=(5.0, 5.0))
    world = Terrain(path, datum=50.0)
    assert world.origin == ("projected", 500_500.0, 5_399_750.0, 32633)
    assert np.array_equal(world.pixels_to_metres, [[5, 0], [0, -5]])
    h = hills(100, 200)
    assert world.height(np.array([-497.5]), np.array([247.5]))[0] == pytest.approx(h[0, 0] - 50, abs=1e-4)


def test_degrees_become_metres_of_the_ellipsoid(tmp_path):
    arc = 1 / 3600
    for latitude, east, north in ((0.0, 111_319.49, 110_574.3), (45.0, 78_846.8, 111_131.8)):
        path = write_tiff(
            tmp_path / "d.tif", hills(60, 60), corner=(11.0, latitude + 30 * arc), pixel=(arc, arc), keys=DEGREES
        )  # fmt: skip
        world = Terrain(path, chunk_size=500.0)
        assert world.origin.kind == "geographic" and world.origin.y == pytest.approx(latitude)
        assert world.pixels_to_metres[0, 0] * 3600 == pytest.approx(east, rel=1e-5)
        assert world.pixels_to_metres[1, 1] * 3600 == pytest.approx(-north, rel=1e-5)


def test_pixel_is_point_and_feet(tmp_path):
    keys = (1024, 1, 1025, 2, 3076, 9002, 4099, 9002)
    tiff = open_geotiff(
        write_tiff(tmp_path / "f.tif", hills(20, 20), corner=(100.0, 200.0), pixel=(2.0, 2.0), keys=keys)
    )
    assert tiff.geo.affine == (2, 0, 99, 0, -2, 201) and tiff.geo.unit == 0.3048
    assert tiff.read()[3, 4] == pytest.approx(hills(20, 20)[3, 4] * 0.3048)


@pytest.mark.parametrize("dtype", ["<f4", "<i2", "<u2"])
def test_tiles_predictors_and_windows(tmp_path, dtype):
    h = hills(70, 90).astype(dtype)
    tiff = open_geotiff(write_tiff(tmp_path / "t.tif", h, tile=32, skip=(4,)))
    wanted = h.astype(np.float32)
    wanted[32:64, 32:64] = np.nan
    assert np.array_equal(tiff.read(), wanted, equal_nan=True)
    assert np.array_equal(tiff.read(20, 25, 30, 41), wanted[20:50, 25:66], equal_nan=True)


@pytest.mark.parametrize("compression", [None, "tiff_lzw", "tiff_adobe_deflate"])
def test_files_written_by_pillow(tmp_path, compression):
    h = hills(120, 77)
    for pixels in (h, (h * 100).astype(np.uint16), h.astype(np.uint8)):
        Image.fromarray(pixels).save(tmp_path / "p.tif", compression=compression)
        assert np.array_equal(open_geotiff(tmp_path / "p.tif").read(), pixels.astype(np.float32))


def test_voids_are_filled_smoothly_or_left_out(tmp_path):
    h = hills(128, 128)
    true = h.copy()
    h[50:62, 40:55] = -9999
    h[:, 100] = -32768
    path = write_tiff(tmp_path / "v.tif", h, corner=(0.0, 0.0), nodata=-9999)
    filled = Terrain(path, chunk_size=64.0)
    z = filled.raster.window(0, 0, 128, 128)
    assert np.isfinite(z).all() and np.abs(z - true).max() < 12 and np.abs(np.diff(z[50:62], axis=1)).max() < 6
    assert len(filled.generate((0, 0))[0].meshes[0].faces) == 2 * 64 * 64
    holed = Terrain(path, chunk_size=64.0, voids="leave").generate((-1, 0))[0]
    v = in_world(holed)
    assert not ((v[:, 0] > -23.4) & (v[:, 0] < -9.6) & (v[:, 1] > 2.6) & (v[:, 1] < 13.4)).any()
    assert 0 < len(holed.meshes[0].faces) < 2 * 64 * 64
    assert np.isnan(fill_voids(np.full((5, 7), np.nan, np.float32))).all()


@pytest.fixture
def tiles(tmp_path) -> tuple[Path, np.ndarray]:
    """3 × 3 GeoTIFF tiles that overlap by one pixel, one of them missing."""
    h = hills(301, 301)
    folder = tmp_path / "tiles"
    folder.mkdir()
    for i in range(3):
        for j in range(3):
            if (i, j) != (0, 2):
                part = np.ascontiguousarray(h[100 * i : 100 * i + 101, 100 * j : 100 * j + 101])
                corner = (600_000.0 + 200 * j, 5_000_000.0 - 200 * i)
                write_tiff(folder / f"t{i}{j}.tif", part, corner=corner, pixel=(2.0, 2.0), tile=32)
    return folder, h


def test_tile_folder_equals_one_file(tiles, tmp_path):
    folder, h = tiles
    whole = write_tiff(tmp_path / "whole.tif", h, corner=(600_000.0, 5_000_000.0), pixel=(2.0, 2.0))
    one, many = Terrain(whole, chunk_size=64.0), TerrainTiles(folder, chunk_size=64.0)
    assert one.origin == many.origin
    keys = [(i, j) for i in range(-5, 5) for j in range(-5, 5)]
    same = [k for k in keys if not (k[0] >= 1 and k[1] >= 1)]
    assert all(fingerprint(one.generate(k)) == fingerprint(many.generate(k)) for k in same)
    assert many.generate((3, 3)) == [] and one.generate((3, 3)), "a missing tile is a hole"
    streamed = TerrainTiles(whole, chunk_size=64.0)
    assert fingerprint(streamed.generate((2, 2))) == fingerprint(one.generate((2, 2)))


def test_png_tiles_by_name(tmp_path):
    h = (hills(120, 120) * 400).astype(np.uint16)
    for i in range(2):
        for j in range(3):
            Image.fromarray(h[60 * i : 60 * i + 60, 40 * j : 40 * j + 40]).save(tmp_path / f"map_x{j}_y{i}.png")
    world = TerrainTiles(tmp_path, low=0, high=65.535)
    assert world.raster.shape == (120, 120)
    assert np.allclose(world.raster.window(0, 0, 120, 120), h / 1000, atol=1e-4)


def test_cache_keeps_its_bound_and_old_pages_come_back(tmp_path):
    cache = ByteCache(1000)
    for i in range(50):
        assert cache.get(i, lambda i=i: np.full(30, i, np.float64))[0] == i
        assert cache.bytes <= 1000
    assert cache.get(49, lambda: pytest.fail("was forgotten"))[0] == 49
    assert cache.get(0, lambda: np.zeros(30))[0] == 0
    assert len(cache.get("big", lambda: np.zeros(500))) == 500 and cache.bytes <= 1000

    h = hills(3000, 3000)
    world = TerrainTiles(write_tiff(tmp_path / "b.tif", h, tile=256), cache_megabytes=9.0, chunk_size=50.0)
    before = fingerprint(world.generate((0, 0)))
    for i in range(-29, 29, 2):
        world.generate((i, i))
        assert world.raster.cache.bytes <= 9e6
    assert fingerprint(world.generate((0, 0))) == before


def test_misfit_tiles_are_refused(tiles, tmp_path):
    folder, h = tiles
    write_tiff(folder / "z.tif", h, corner=(600_000.7, 5_000_000.0), pixel=(2.0, 2.0))
    with pytest.raises(WorldError, match=r"z\.tif.*pixel grid"):
        TerrainTiles(folder)
    (tmp_path / "none").mkdir()
    with pytest.raises(WorldError, match=r"0 \.tif or \.png"):
        TerrainTiles(tmp_path / "none")


def test_absurd_terrain_is_refused_before_memory_is_eaten(png, tmp_path):
    with pytest.raises(WorldError, match="cannot be read"):
        Terrain(tmp_path / "missing.png")
    with pytest.raises(ScenarioError, match="chunk_size"):
        Terrain(png, chunk_size=0.0)
    with pytest.raises(WorldError, match="at most 2048"):
        Terrain(png, resolution=0.001)
    with pytest.raises(WorldError, match="max_megabytes"):
        Terrain(write_tiff(tmp_path / "big.tif", hills(600, 600)), max_megabytes=1.0)
    huge = bytearray(write_tiff(tmp_path / "huge.tif", hills(10, 10)).read_bytes())
    for tag, value in ((256, 2_000_000), (257, 2_000_000)):
        at = huge.index(struct.pack("<HHI", tag, 4, 1))
        huge[at + 8 : at + 12] = struct.pack("<I", value)
    (tmp_path / "huge.tif").write_bytes(huge)
    with pytest.raises(WorldError, match="1 blocks of 200000"):
        Terrain(tmp_path / "huge.tif")
    head = bytearray(png.read_bytes())
    head[16:24] = struct.pack(">II", 1_000_000, 1_000_000)
    (tmp_path / "huge.png").write_bytes(head)
    with pytest.raises(WorldError, match="cut it into tiles"):
        Terrain(tmp_path / "huge.png")


def _opens_or_says_why(path: Path) -> None:
    try:
        Terrain(path, chunk_size=10.0).generate((0, 0))
    except WorldError:
        pass


@FUZZ
@given(data=st.data())
def test_broken_rasters_give_only_world_errors(data, tmp_path, png):
    tiff = write_tiff(tmp_path / "s.tif", hills(40, 40), corner=(5.0, 5.0), nodata=-1, tile=16).read_bytes()
    raw = bytearray(
        data.draw(st.sampled_from([tiff, png.read_bytes()[:4000], tiff[-400:], b"II*\0\x08\0\0\0" + bytes(64)]))
    )
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(max(0, len(raw) - 500), len(raw) - 1) | st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    path = tmp_path / "fuzz.bin"
    path.write_bytes(bytes(raw[: data.draw(st.just(len(raw)) | st.integers(0, len(raw)))]))
    _opens_or_says_why(path)


@FUZZ
@given(st.binary(max_size=300), st.sampled_from([b"", b"II*\0", b"MM\0*", b"II+\0\x08\0\0\0", b"\x89PNG\r\n\x1a\n"]))
def test_random_bytes_give_only_world_errors(tmp_path, body, head):
    path = tmp_path / "fuzz.bin"
    path.write_bytes(head + body)
    _opens_or_says_why(path)


# Models


@pytest.fixture(scope="module")
def village(tmp_path_factory) -> Path:
    """A GLB with one red house thrice (once mirrored) and a green ball."""
    scene = trimesh.Scene()
    house = trimesh.creation.box((2, 4, 6))
    red = trimesh.visual.material.PBRMaterial(name="brick", baseColorFactor=[200, 20, 10, 255], roughnessFactor=0.7)
    house.visual = trimesh.visual.TextureVisuals(material=red)
    scene.add_geometry(house, node_name="a", geom_name="house")
    for name, shift, flip in (("b", 20.0, 1.0), ("c", 40.0, -1.0)):
        X = np.diag([flip, 1.0, 1.0, 1.0])
        X[0, 3] = shift
        scene.graph.update(frame_to=name, matrix=X, geometry="house")
    ball = trimesh.creation.icosphere(radius=1.0)
    ball.visual.vertex_colors = [0, 128, 0, 255]
    scene.add_geometry(ball, node_name="d", geom_name="ball")
    path = tmp_path_factory.mktemp("glb") / "village.glb"
    path.write_bytes(scene.export(file_type="glb"))
    return path


def test_glb_keeps_instances_colours_and_turns_upright(village):
    world = MeshFile(village, scale=2.0)
    parts = {p.name: p for p in world.generate((0, 0))}
    house, ball = parts["village/house"], parts["village/ball"]
    assert len(house.X_WO) == 3 and len(house.meshes) == 2 and sorted(house.kinds) == [0, 0, 1]
    assert house.meshes[0].materials[0].colour == pytest.approx((200 / 255, 20 / 255, 10 / 255), abs=1e-6)
    assert house.meshes[0].materials[0].label_name == "brick"
    assert ball.meshes[0].materials[0].colour[1] > 0.4 > ball.meshes[0].materials[0].colour[0]
    extent = np.ptp(in_world(house), axis=0)
    assert extent == pytest.approx([4, 12, 8], abs=1e-5), "glTF's y is up"
    assert world.generate((1, 0)) == [] and world.generate((0, 0))[0].meshes[0] is world.generate((0, 0))[0].meshes[0]
    for k, X in zip(house.kinds, house.X_WO, strict=True):
        mesh = house.meshes[k]
        t = mesh.vertices[mesh.faces].astype(np.float64) @ X[:, :3].T
        volume = np.einsum("ij,ij->i", t[:, 0], np.cross(t[:, 1], t[:, 2])).sum() / 6
        assert volume == pytest.approx(2 * 4 * 6 * 8), "faces must show outward, mirrored or not"


@pytest.mark.parametrize("kind", ["obj", "stl", "ply"])
def test_large_coordinates_lose_nothing(tmp_path, kind):
    box = trimesh.creation.box((1, 2, 3))
    box.apply_translation([500_000.0, 5_400_000.0, 300.0] if kind != "stl" else [4096.0, 8192.0, 0.0])
    path = tmp_path / f"far.{kind}"
    path.write_bytes(box.export(file_type=kind) if kind != "obj" else box.export(file_type=kind, digits=4).encode())
    (part,) = MeshFile(path).generate((0, 0))
    tolerance = 0.5 if kind == "ply" else 1e-3  # trimesh writes PLY corners as float32
    assert in_world(part).min(axis=0) == pytest.approx(box.bounds[0], abs=tolerance)
    assert np.abs(part.meshes[0].vertices).max() < 2
    home = MeshFile(path, home="centre", position=(1.0, 2.0, 3.0), yaw=np.pi / 2)
    if kind != "ply":
        assert home.bounds == pytest.approx(np.array([[0.0, 1.5, 3.0], [2.0, 2.5, 6.0]]), abs=1e-3)


def test_face_colours_and_textures_become_materials(tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=4)
    ball.visual.face_colors = np.random.default_rng(0).integers(0, 255, (len(ball.faces), 4), np.uint8) | [0, 0, 0, 255]
    (tmp_path / "many.ply").write_bytes(ball.export(file_type="ply"))
    mesh = MeshFile(tmp_path / "many.ply").generate((0, 0))[0].meshes[0]
    assert 20 < len(mesh.materials) <= 256 and len(np.unique(mesh.face_material)) == len(mesh.materials)
    quad = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    image = Image.fromarray(
        np.repeat(np.array([[255, 0, 0], [0, 0, 255]], np.uint8), 32, axis=0)[:, None].repeat(64, 1)
    )
    paint = trimesh.visual.material.PBRMaterial(baseColorTexture=image)
    quad.visual = trimesh.visual.TextureVisuals(uv=[[0, 0], [1, 0], [1, 1], [0, 1]], material=paint)
    (tmp_path / "quad.glb").write_bytes(trimesh.Scene(quad).export(file_type="glb"))
    mesh = MeshFile(tmp_path / "quad.glb", up="z").generate((0, 0))[0].meshes[0]
    low, high = (
        mesh.colours[part] for part in (abs(mesh.vertices[:, 1] - 0.25) < 0.2, abs(mesh.vertices[:, 1] - 0.75) < 0.2)
    )
    assert len(low) and len(high)
    assert np.allclose(low, [0, 0, 1], atol=0.01), "the lower half of the picture is below"
    assert np.allclose(high, [1, 0, 0], atol=0.01)


def test_broken_models_are_refused(village, tmp_path):
    with pytest.raises(WorldError, match="cannot be read"):
        MeshFile(tmp_path / "missing.glb")
    (tmp_path / "model.max").write_bytes(b"x")
    with pytest.raises(WorldError, match=r"\.glb, \.gltf"):
        MeshFile(tmp_path / "model.max")
    (tmp_path / "cut.glb").write_bytes(village.read_bytes()[:3000])
    with pytest.raises(WorldError, match=r"cut\.glb"):
        MeshFile(tmp_path / "cut.glb").generate((0, 0))
    (tmp_path / "greedy.ply").write_bytes(
        b"ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\nend_header\n"
    )
    with pytest.raises(WorldError, match="claims"):
        MeshFile(tmp_path / "greedy.ply")
    loop = {"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {"children": [0]}]}
    (tmp_path / "loop.gltf").write_text(json.dumps(loop))
    with pytest.raises(WorldError, match="loop"):
        MeshFile(tmp_path / "loop.gltf")
    zeros = {"asset": {"version": "2.0"}, "accessors": [{"count": 10**12, "componentType": 5126, "type": "VEC3"}]}
    (tmp_path / "zeros.gltf").write_text(json.dumps(zeros))
    with pytest.raises(WorldError, match="without data"):
        MeshFile(tmp_path / "zeros.gltf")
    with pytest.raises(WorldError, match="max_megabytes"):
        MeshFile(village, max_megabytes=0.001)


@FUZZ
@given(data=st.data())
def test_broken_models_give_only_world_errors(data, tmp_path, village):
    ball = trimesh.creation.icosphere(subdivisions=1)
    kind = data.draw(st.sampled_from(["glb", "stl", "ply", "obj"]))
    source = village.read_bytes() if kind == "glb" else ball.export(file_type=kind)
    raw = bytearray(source.encode() if isinstance(source, str) else source)
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, min(400, len(raw) - 1)) | st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255))
    path = tmp_path / f"fuzz.{kind}"
    path.write_bytes(bytes(raw[: data.draw(st.just(len(raw)) | st.integers(0, len(raw)))]))
    try:
        MeshFile(path).generate((0, 0))
    except WorldError:
        pass
