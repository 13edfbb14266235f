"""The kernels of pictures: what they refuse, that threads change nothing, and closed forms."""

import numpy as np
import pytest

from camera_rig import make
from volery._native import core, render
from volery.core import geometry
from volery.core.material import Material
from volery.render.measures import Measures
from volery.render.scene import RenderScene
from volery.render.visibility.clusters import Clusters
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene
from volery.world.world import Placement

GREY = Material("grey", (0.5, 0.5, 0.5), texture="rock")
GLOW = Material("glow", (1.0, 0.8, 0.6), emission=300.0)
MIRROR = Material("mirror", (0.9, 0.9, 0.9), mirror=0.8)
LEAF = Material("leaf", (0.1, 0.6, 0.1), label="leaf", solid=False)


@pytest.fixture
def scene():
    """Ground, a lamp, a mirror, leaves and something that moves before the lamp."""
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(80.0).of(GREY)))
    scene.add(Placement.one("lamp", geometry.sphere(0.1, 16).of(GLOW), (4, 1, 3)))
    scene.add(Placement.one("mirror", geometry.box((0.1, 3, 3)).of(MIRROR), (9, 3, 1)))
    scene.add(Placement.one("kite", geometry.box((0.5, 0.5, 0.1)).of(GREY), (4.5, 0.5, 1.5)), moving=True)
    sheet = geometry.Mesh(np.array([[0.0, -1, 0], [0, 1, 0], [0.5, 0, 2]]), np.array([[0, 1, 2]]), materials=(LEAF,))
    scene.add(Placement.one("leaf", sheet, (6, -2, 0)))
    return scene


def rays_into(scene, count=100):
    directions = np.tile(np.array([[1.0, 0.0, 0.0]], np.float32), (count, 1))
    hits = Hits(scene, count)
    origin, far = np.zeros((1, 3), np.float32), np.array([100.0], np.float32)
    scene.cast_pattern(origin, directions, np.eye(3), np.array([0.0, 3.0, 1.0]), far, hits)
    return origin, directions, hits


def traced(scene, row=None, primitive=None):
    origin, directions, h = rays_into(scene)
    found = h.distance, h.row if row is None else row, h.primitive if primitive is None else primitive, h.normal, h.back
    return render.TracedRays(origin, directions, np.eye(3), np.array([0.0, 3.0, 1.0]), np.zeros(3), *found)


def air():
    light = np.ones(3)
    return render.Air(np.array([0.0, 0.0, 1.0]), light, light, light, 0.0, 0.0, 0.0, 0.01, 0.0)


def noise():
    return render.NoiseVolume(np.zeros(render.NOISE_EDGE**3, np.float32))


@pytest.mark.parametrize("quality", ["plain", "fast", "default", "best"])
def test_threads_change_nothing(scene, quality, monkeypatch):
    monkeypatch.setattr("volery.render.denoise._oidn", lambda: None)
    outputs = ("rgb", "radiance", "depth", "normals", "flow")
    images = []
    before = core.threads()
    try:
        for count in (1, 2, 4):
            core.set_threads(count)
            eye = make(scene, (0, 0, 1.5), (0, 0.1, 0.1), outputs=outputs, quality=quality, width=90, height=70)
            eye.sense(0)
            images.append(eye.sense(10**8))
    finally:
        core.set_threads(before)
    for name in outputs:
        assert all(np.array_equal(images[0][name], other[name], equal_nan=True) for other in images[1:]), name
    assert images[0]["radiance"].std() > 0.01


@pytest.mark.parametrize(
    ("row", "primitive", "words"),
    [(10_000, 0, "row: is no instance"), (None, 10_000, "primitive: is no triangle")],
)
def test_what_no_ray_can_have_met_is_refused(scene, row, primitive, words):
    RenderScene.of(scene).sync(scene)
    surfaces = RenderScene.of(scene).surfaces
    n = 100
    given = (None if x is None else np.full(n, x, np.int32) for x in (row, primitive))
    with pytest.raises(ValueError, match=words):
        render.shade_plain(surfaces, traced(scene, *given), air(), noise(), np.empty((n, 3), np.float32))


def test_materials_that_were_not_told_are_refused(scene):
    with pytest.raises(ValueError, match="materials: there is none"):
        render.shade_plain(
            render.SurfaceTable(scene.tables), traced(scene), air(), noise(), np.empty((100, 3), np.float32)
        )


def test_arguments_that_do_not_fit_are_named(scene):
    RenderScene.of(scene).sync(scene)
    surfaces = RenderScene.of(scene).surfaces
    with pytest.raises(ValueError, match=r"colour: has 3 rows; expected 100"):
        render.shade_plain(surfaces, traced(scene), air(), noise(), np.empty((3, 3), np.float32))
    with pytest.raises(TypeError, match=r"colour: expected float32 \[\*, 3\], got float64"):
        render.shade_plain(surfaces, traced(scene), air(), noise(), np.empty((100, 3)))
    with pytest.raises(ValueError, match="chosen: there is no such ray"):
        render.SurfacePoints(surfaces, traced(scene), np.array([100]))
    with pytest.raises(ValueError, match="top, bottom"):
        render.View(np.eye(3), np.zeros(3), 10.0, 20, 10, 5, 11)
    with pytest.raises(ValueError, match="values: has 7 rows"):
        render.NoiseVolume(np.zeros(7, np.float32))
    with pytest.raises(ValueError, match="normals: one for each vertex"):
        surfaces.set_corners(0, np.zeros((1, 3), np.float32), np.zeros((0, 3), np.float32))


def test_a_buffer_that_nothing_was_drawn_into_and_pixels_out_of_view_are_refused(scene):
    Clusters.of(scene).synced(scene)
    buffer = render.VisibilityBuffer(Clusters.of(scene).table)
    _, directions, h = rays_into(scene)
    far, out = np.full(100, 50.0, np.float32), (h.distance, h.row, h.primitive, h.normal, h.back)
    with pytest.raises(ValueError, match="nothing was drawn"):
        buffer.resolve(directions, far, np.zeros(100, np.int32), *out)
    with pytest.raises(ValueError, match="nothing was drawn"):
        shade_drawn(scene, buffer, ())
    buffer.draw(render.View(np.eye(3), np.zeros(3), 10.0, 20, 10, 0, 10), 50.0, 1, -1, 1.5, 256)
    with pytest.raises(ValueError, match="pixel: is not in the view"):
        buffer.resolve(directions, far, np.full(100, 200, np.int32), *out)
    with pytest.raises(ValueError, match="normals and flow need rays"):
        shade_drawn(scene, buffer, ("normals",))


def shade_drawn(scene, buffer, outputs):
    surfaces, linear = RenderScene.of(scene).surfaces, np.empty((200, 3), np.float32)
    measures = Measures.of(outputs, 200)
    render.shade_drawn(buffer, surfaces, air(), noise(), np.zeros(3), 9.0, linear, measures.native)


def test_a_shadow_falls_where_something_is_before_the_light(scene):
    RenderScene.of(scene).sync(scene)
    points = render.SurfacePoints(RenderScene.of(scene).surfaces, traced(scene), np.array([0]))
    assert points.point[0] == pytest.approx([8.95, 3.0, 1.0], abs=1e-5)
    assert points.normal[0] == pytest.approx([-1, 0, 0])
    cell = scene.cell(np.zeros(3)).rays
    points.ask_place(cell, np.array([2.0, 3.0, 1.0]), standing=True)
    assert not points.blocked[0]
    light = np.zeros((1, 3), np.float32)
    points.add_lamp(np.array([2.0, 3.0, 1.0]), np.array([1.0, 2.0, 4.0]), light)
    square = 6.95**2
    assert light[0] == pytest.approx(np.array([1, 2, 4]) * (1 / square + 0.2 / (square + 9)), rel=1e-5)
    scene.add(Placement.one("wall", geometry.box((0.1, 2, 2)).of(GREY), (5, 3, 1)))
    cell = scene.cell(np.zeros(3)).rays
    points.ask_place(cell, np.array([2.0, 3.0, 1.0]), standing=True)
    assert points.blocked[0]
    points.ask_place(cell, np.array([2.0, 3.0, 1.0]), standing=False)
    assert not points.blocked[0]


def test_the_brightness_of_a_picture_is_its_geometric_mean():
    rng = np.random.default_rng(0)
    linear = rng.uniform(1e-3, 1e3, (31, 47, 3)).astype(np.float32)
    some = linear[::2, ::2, 1].astype(float) + 1e-5
    assert render.mean_brightness(linear) == pytest.approx(np.exp(np.log(some).mean()), rel=1e-12)


def test_rays_gather_in_their_pixels():
    rng = np.random.default_rng(1)
    width, height, over = 6, 5, 2
    colour = rng.random((width * height * over**2, 3)).astype(np.float32)
    order = rng.permutation(len(colour)).astype(np.int32)
    linear = np.zeros((width * height, 3), np.float32)
    render.gather_rays(colour, order, width, over, 0.5, 0, linear)
    fine = colour[order].reshape(height, over, width, over, 3)
    assert linear == pytest.approx(0.5 * fine.mean(axis=(1, 3)).reshape(-1, 3), rel=1e-5)
    with pytest.raises(ValueError, match="rays: there is no such ray"):
        render.gather_rays(colour, order + 1, width, over, 0.5, 0, linear)


def test_light_of_one_kind_stays_as_it_is_when_smoothed():
    light, normal = np.full((20, 300, 3), 0.4, np.float32), np.zeros((20, 300, 3), np.float32)
    albedo, out = np.full_like(light, 0.5), np.empty_like(light)
    render.smooth_light(light, albedo, normal, 5, out)
    assert out == pytest.approx(light, rel=1e-5)
    # What has another normal has no part in it.
    light[:, 150:], normal[:, 150:] = 4.0, [0, 0, 3.0]
    render.smooth_light(light, albedo, normal, 3, out)
    assert out == pytest.approx(light, rel=1e-3)


def sun_tile(scene, basis, level=0, number=0, detail=1.5, texel=0.1):
    RenderScene.of(scene).sync(scene)
    edge = render.shadow_map.EDGE
    pool = np.zeros((1, edge, edge), np.float32)
    key, place = np.array([[level, 0, 0]]), np.array([number])
    looks = Clusters.of(scene).synced(scene), RenderScene.of(scene).surfaces
    render.draw_sun_tiles(*looks, np.zeros(3), basis, texel, detail, key, place, pool)
    return pool[0]


def test_a_tile_of_a_shadow_map_is_what_parallel_rays_meet(scene):
    """From overhead and aslant, texel by texel; what moves is left out."""
    scene.add(Placement.one("block", geometry.box((3, 2, 1)).of(GREY), (5, 6, 0.5)))
    scene.add(Placement.one("ball", geometry.sphere(1.5, 40).of(GREY), (9, 10, 2)))
    for up in ((0.0, 0.0, 1.0), (0.5, -0.3, 0.8)):
        d = np.array(up) / np.linalg.norm(up)
        u = np.cross((0.0, 1.0, 0.0), d)
        u /= np.linalg.norm(u)
        basis = np.ascontiguousarray(np.stack([u, np.cross(d, u), d]))
        tile = sun_tile(scene, basis)
        n, border = render.shadow_map.EDGE, render.shadow_map.BORDER
        i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        place = (np.stack([i, j], axis=-1).reshape(-1, 2) - border + 0.5) * 0.1
        start = place @ basis[:2] + 40.0 * d
        hits = scene.cast(start, np.tile(-d, (len(start), 1)), max_range=200.0)
        stands = hits.object != scene.objects["kite"].number
        height = np.where(hits.hit, 40.0 - hits.distance, -np.inf).reshape(n, n)
        same = np.isclose(tile, height, atol=1e-3) | (np.isinf(tile) & np.isinf(height))
        assert same.reshape(-1)[stands].mean() > 0.995
        assert (tile > 0.5).any() and np.isfinite(tile).mean() > 0.5


def test_wrong_tiles_are_refused(scene):
    with pytest.raises(ValueError, match="tiles: there is no such level"):
        sun_tile(scene, np.eye(3), level=render.shadow_map.LEVELS)
    with pytest.raises(ValueError, match="numbers: there is no such tile"):
        sun_tile(scene, np.eye(3), number=1)
    with pytest.raises(ValueError, match="texel: must be above 0"):
        sun_tile(scene, np.eye(3), texel=0.0)
    with pytest.raises(TypeError, match="basis"):
        sun_tile(scene, np.eye(3, dtype=np.float32))
