"""The camera's light against closed forms: Lambert, shadows, sky, mirrors, glass, fog, lamps of its own, leaves.

All are told in linear light (the output `radiance`): 1 is a white surface in the sun of a clear noon.
"""

import sys
from dataclasses import replace

import numpy as np
import pytest

from camera_rig import NIGHT, NOON, make, pinhole_rays
from volery.core import geometry
from volery.core.frames import transform
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.core.rng import generator
from volery.render import denoise
from volery.render.lens import lens_of, project
from volery.render.scene import RenderScene
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.world import Placement

GREY = Material("grey", (0.5, 0.4, 0.3))
BLACK = Material("black", (0.0, 0.0, 0.0))
CLEAR_AIR = 1 / 2500.0
DUSK = replace(NOON, start="2024-06-21T18:50:00+00:00")
"""The sun is just below the horizon: no shadow, and sky enough."""
MORNING = replace(NOON, start="2024-06-21T08:00:00+00:00")
"""The sun stands in the east, 30° to 40° high."""
DOWN = (0, np.pi / 2 - 1e-6, 0)


def open_plane(sky, up=1.0):
    """Light of sun and sky on a surface that lies open, by integrals over the sky's gradient."""
    light, sun = sky.light(0), sky.sun(0).direction
    return light.sun * max(sun[2], 0.0) * up + 0.8 * light.zenith + 0.2 * light.horizon


def air(distance, sky, direction):
    """What of light is kept, and what the air adds, on a clear day."""
    keep = np.exp(-CLEAR_AIR * distance)[..., None]
    near = np.maximum(direction @ sky.sun(0).direction, 0.0)[..., None]
    glow = 0.05 * near**4 + 0.1 * near**16
    return keep, (1 - keep) * (sky.light(0).horizon + glow * sky.light(0).sun)


def plane(scene, material=GREY, size=400.0):
    return scene.add(Placement.one("ground", geometry.plane(size).of(material)))


def quad(corners, material):
    """Two triangles."""
    return Mesh(np.array(corners, np.float32), np.array([[0, 1, 2], [0, 2, 3]], np.uint32), (material,))


# Lambert


@pytest.mark.parametrize("quality", ["plain", "fast", "default", "best"])
@pytest.mark.parametrize("sky", [NOON, MORNING, DUSK], ids=["noon", "morning", "dusk"])
def test_an_open_plane_has_the_radiance_of_lambert(quality, sky):
    scene = Scene()
    plane(scene)
    camera = make(scene, (0, 0, 5), DOWN, sky=sky, outputs=("radiance", "depth"), quality=quality)
    data = camera.sense(0)
    rays = pinhole_rays(64, 48, np.pi / 2) @ camera.X_WC[:, :3].T
    keep, added = air(data["depth"], sky, rays)
    expected = np.array(GREY.colour) * open_plane(sky) * keep + added
    ratio = data["radiance"] / expected
    if quality == "best":
        # Rays find the sky by lot: the mean is exact, and what is left of the noise is small.
        assert ratio.mean(axis=(0, 1)) == pytest.approx(np.ones(3), abs=8e-3) and ratio.std() < 0.06
    else:
        assert np.abs(ratio - 1).max() < 2e-4


def lit_and_shadowed(mesh, p, rpy, sky, at, **parameters):
    """Radiance with the sun free and with a small moving thing before it, which takes nothing from the sky's maps."""
    scene = Scene()
    plane(scene, BLACK)
    scene.add(Placement.one("it", mesh))
    camera = make(scene, p, rpy, sky=sky, outputs=("radiance",), width=33, height=33, fov_deg=20.0, **parameters)
    free = camera.sense(0)["radiance"][16, 16]
    sun = sky.sun(0).direction
    kite = scene.add(Placement.one("kite", geometry.sphere(0.5, 24), np.array(at) + 30.0 * sun), moving=True)
    assert kite.body.moving
    return free, camera.sense(0)["radiance"][16, 16], camera


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 50.0])
def test_the_suns_share_falls_with_the_cosine(tilt_deg):
    """A board that leans to the east, seen from its front: lit less shadowed is colour · sun · cos."""
    sky, tilt = MORNING, np.radians(tilt_deg)
    normal = np.array([np.sin(tilt), 0, np.cos(tilt)])
    along, across = np.array([np.cos(tilt), 0, -np.sin(tilt)]), np.array([0, 1.0, 0])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [np.array([0, 0, 30]) + 3 * a * along + 3 * b * across for a, b in signs]
    eye = np.array([0, 0, 30]) + 4 * normal
    free, dark, _ = lit_and_shadowed(quad(corners, GREY), eye, (0, np.pi / 2 - tilt, np.pi), sky, (0, 0, 30))
    cos = normal @ sky.sun(0).direction
    assert cos > 0.4
    expected = np.array(GREY.colour) * sky.light(0).sun * cos * np.exp(-CLEAR_AIR * 4)
    assert (free - dark) / expected == pytest.approx(np.ones(3), abs=2e-3)


def test_a_leaf_against_the_sun_shines_by_what_it_lets_through():
    """Seen from below: transparency is that of its brightest colour."""
    leaf = Material("leaf", (0.05, 0.1, 0.02), label="leaf", solid=False, transparency=0.2, roughness=1.0)
    corners = [(-2, -2, 10), (2, -2, 10), (2, 2, 10), (-2, 2, 10)]
    free, dark, _ = lit_and_shadowed(quad(corners, leaf), (0, 0, 5), (0, -np.pi / 2 + 1e-6, 0), NOON, (0, 0, 10))
    sun = NOON.sun(0).direction
    expected = 0.2 * np.array([0.5, 1.0, 0.2]) * NOON.light(0).sun * sun[2] * np.exp(-CLEAR_AIR * 5)
    assert (free - dark) / expected == pytest.approx(np.ones(3), abs=5e-3)


def test_ground_that_is_named_after_leaves_lets_no_light_through():
    scene = Scene()
    leaf = Material("oak leaf", (0.05, 0.1, 0.02), label="leaf", solid=False, transparency=0.2)
    litter = Material("leaf litter", (0.2, 0.1, 0.05), label="ground")
    for i, kind in enumerate((leaf, litter)):
        scene.add(Placement.one(f"it{i}", geometry.box((1, 1, 1)).of(kind), (5.0 * i, 0, 0)))
    make(scene, outputs=("rgb",)).sense(0)
    table = RenderScene.of(scene).materials
    thin = {m.name: table["thin"][i] for i, m in enumerate(scene.materials.all)}
    assert thin["oak leaf"] == pytest.approx(2.0) and thin["leaf litter"] == 0.0


def test_tables_let_go_of_meshes_that_went():
    scene = Scene()
    camera = make(scene, outputs=("rgb",))
    stays = scene.add(Placement.one("stays", geometry.box((1, 1, 1)), (5, 0, 0)))
    for i in range(5):
        scene.add(Placement.one("goes", geometry.box((1, 1, 1 + i)), (5, 3, 0)))
        camera.sense(i)
        scene.remove("goes")
        camera.sense(i)
        assert len(RenderScene.of(scene)._held) == len(stays.meshes)


# Shadows


@pytest.mark.parametrize(("quality", "moving", "within"), [
    ("fast", False, 0.08), ("default", False, 0.08), ("default", True, 0.02), ("best", False, 0.025),
])  # fmt: skip
def test_a_shadows_edge_lies_where_the_sun_puts_it(quality, moving, within):
    """A slab of 2 m, 3 m high: the edges of its shadow on the ground, seen from 6 m above, in the morning. Maps look
    one texel of 4 cm aside, which a low sun stretches; rays are exact."""
    scene, sky = Scene(), MORNING
    plane(scene)
    scene.add(Placement.one("slab", geometry.box((2, 2, 0.01)), (12, 0, 3)), moving=moving)
    sun = sky.sun(0).direction
    shift = -3.0 * sun[:2] / sun[2]
    middle = np.array([12, 0]) + shift
    camera = make(scene, (*middle, 6), DOWN, sky=sky, outputs=("radiance",), quality=quality, width=401, height=401,
                  fov_deg=40.0)  # fmt: skip
    image = camera.sense(0)["radiance"][..., 1]
    per_pixel = 2 * 6 * np.tan(np.radians(20)) / 401
    for line in (image[190:211].mean(axis=0), image[:, 190:211].mean(axis=1)):
        for half in (line[200:], line[200::-1]):
            edge = round(1.0 / per_pixel)
            # Between what is 30 cm inside of the edge and 30 cm outside of it; the sun's disc makes it 3 cm soft.
            inside, outside = half[round(0.7 / per_pixel)], half[round(1.3 / per_pixel)]
            assert inside < 0.6 * outside
            crossing = np.flatnonzero(half > 0.5 * (inside + outside))[0]
            assert crossing * per_pixel == pytest.approx(edge * per_pixel, abs=within)


# The sky


def walls(scene, count):
    """Black walls of 300 m along x = 0, and along y = 0, and ground."""
    plane(scene, Material("white", (0.8, 0.8, 0.8)), 600.0)
    if count > 0:
        scene.add(Placement.one("east", geometry.box((1, 600, 600)).of(BLACK), (0.5, 0, 0)))
    if count > 1:
        scene.add(Placement.one("north", geometry.box((600, 1, 600)).of(BLACK), (0, 0.5, 0)))


@pytest.mark.parametrize(("count", "share"), [(0, 1.0), (1, 0.5), (2, 0.25)])
@pytest.mark.parametrize(("quality", "within"), [("default", 0.01), ("best", 0.015)])
def test_before_a_wall_half_of_the_sky_is_seen_and_in_a_corner_a_quarter(count, share, quality, within):
    """The gradient depends on height alone, so the share of directions is the share of light. Rays know all of them,
    and that the walls are black; maps know four, and add what grey neighbours would send."""
    scene = Scene()
    walls(scene, count)
    if quality == "default":
        share += 0.2 * np.sqrt(share) * (1 - share)
    camera = make(scene, (-2.0, -2.0, 0.6), DOWN, sky=DUSK, outputs=("radiance",), quality=quality, fov_deg=60.0)
    keep, added = air(np.array([0.6]), DUSK, np.array([[0, 0, -1.0]]))
    light = (camera.sense(0)["radiance"].mean(axis=(0, 1)) - added[0]) / (0.8 * keep[0])
    assert (light / open_plane(DUSK))[1] == pytest.approx(share, abs=within)


def test_best_sees_the_light_that_a_wall_sends_on():
    """A floor 1 m before a sunlit wall 20 m wide and 10 m high: colour · light of the wall · its view factor."""
    seen = {}
    for name, colour in (("red", (0.8, 0.4, 0.2)), ("black", (0, 0, 0))):
        scene = Scene()
        plane(scene, Material("white", (0.8, 0.8, 0.8)))
        scene.add(Placement.one("wall", geometry.box((1, 20, 20)).of(Material(name, colour)), (-0.5, 0, 0)))
        camera = make(scene, (1.0, 0, 2), DOWN, sky=MORNING, outputs=("radiance",), quality="best", fov_deg=10.0)
        seen[name] = camera.sense(0)["radiance"].mean(axis=(0, 1))
    light = MORNING.light(0)
    standing = 0.1949 * light.horizon + 0.3051 * light.zenith
    on_wall = light.sun * MORNING.sun(0).direction[0] + standing + 0.5 * 0.2 * np.sqrt(0.5) * open_plane(MORNING)
    high, half, away = 10.0, 10.0, 1.0
    slant = np.hypot(high, away)
    factor = (np.arctan(half / away) - away / slant * np.arctan(half / slant)) / np.pi
    expected = 0.8 * np.array([0.8, 0.4, 0.2]) * on_wall * factor
    assert (seen["red"] - seen["black"]) / expected == pytest.approx(np.ones(3), abs=0.06)


def test_best_without_the_denoiser_of_others_smooths_by_itself_and_says_so_once(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "pyoidn", None)
    denoise._oidn.cache_clear()
    scene = Scene()
    walls(scene, 1)
    with caplog.at_level("INFO"):
        camera = make(scene, (-2.0, 0, 3), DOWN, sky=DUSK, outputs=("radiance",), quality="best", width=96, height=96)
        image = camera.sense(0)["radiance"]
        camera.sense(1)
    monkeypatch.undo()
    denoise._oidn.cache_clear()
    assert [r.message for r in caplog.records if "pyoidn" in r.message] == [caplog.records[-1].message]
    floor = image[60:, :, 1]
    # The light changes by little over the floor; what four rays found by lot would spread by a quarter.
    assert floor.std() / floor.mean() < 0.05
    assert floor.mean() / 0.8 / open_plane(DUSK)[1] == pytest.approx(0.5, abs=0.05)


def test_smoothing_keeps_edges_and_the_mean():
    """Two halves of different normal and light, with noise: each keeps its own light."""
    draw = generator(0, "noise")
    light = np.where(np.arange(80)[None, :, None] < 40, 0.2, 0.8) * draw.uniform(0.5, 1.5, (60, 80, 3))
    normal = np.zeros((60, 80, 3), np.float32)
    normal[:, :40, 0] = normal[:, 40:, 2] = 1.0
    albedo = np.full((60, 80, 3), 0.5, np.float32)
    out = denoise.smooth((light * albedo).astype(np.float32), albedo, normal, 5)
    for part, level in ((out[:, :40], 0.1), (out[:, 40:], 0.4)):
        assert part.mean() == pytest.approx(level, rel=0.04) and part.std() / level < 0.06
        assert np.abs(part[:, [0, -1]].mean() / level - 1) < 0.06


# Mirrors and glass


def test_a_mirror_shows_the_mirrored_position():
    """Mirror in the plane x = 3, a lamp behind the camera at (-2, 1, 0.5): it appears at (8, 1, 0.5)."""
    scene = Scene()
    glow = Material("glow", (1, 0.02, 0.02), emission=0.9)
    scene.add(Placement.one("mirror", geometry.box((0.1, 8, 8)).of(Material("m", (1, 1, 1), mirror=1.0)), (3.05, 0, 0)))
    scene.add(Placement.one("ball", geometry.sphere(0.3, 48).of(glow), (-2, 1, 0.5)))
    data = make(scene, sky=NIGHT, outputs=("radiance", "depth_planar"), width=320, height=240).sense(0)
    image = data["radiance"][..., 0]
    rows, columns = np.nonzero(image > 0.4)
    seen = np.array([columns.mean() + 0.5, rows.mean() + 0.5])
    expected = project(lens_of("pinhole", 320, 240, np.pi / 2), np.array([[8.0, 1, 0.5]]))[0]
    assert seen == pytest.approx(expected, abs=0.4)
    # A radius of 0.3 at 8: the area of its picture.
    assert len(rows) == pytest.approx(np.pi * (160 * 0.3 / 8) ** 2, rel=0.1)
    # As far as the way of the light, its own light is weakened by the air alone.
    way = np.hypot(np.hypot(8, 1), 0.5) - 0.3
    assert image[rows, columns].max() == pytest.approx(0.9 * np.exp(-CLEAR_AIR * way), rel=2e-3)
    assert np.allclose(data["depth_planar"], 3.0, atol=1e-5)


@pytest.mark.parametrize("panes", [1, 2])
def test_glass_lets_its_share_through(panes):
    """Straight on, each surface sends 4 % back and lets its transparency times its colour through."""
    scene = Scene()
    pane = Material("pane", (0.9, 1.0, 0.9), transparency=0.8, roughness=1.0)
    wall = Material("wall", (1.0, 1.0, 1.0), emission=0.5)
    scene.add(Placement.one("wall", geometry.box((1, 9, 9)).of(wall), (6.5, 0, 0)))
    for k in range(panes):
        x = 2.0 + k
        corners = [(x, -2, -2), (x, 2, -2), (x, 2, 2), (x, -2, 2)]
        scene.add(Placement.one(f"pane{k}", quad(corners, pane)))
    image = make(scene, sky=NIGHT, outputs=("radiance",), width=33, height=33, fov_deg=5.0).sense(0)["radiance"]
    expected = 0.5 * (0.96 * 0.8 * np.array([0.9, 1.0, 0.9])) ** panes * np.exp(-CLEAR_AIR * 6)
    assert image[16, 16] == pytest.approx(expected, rel=5e-3)


# Air, and the camera's own lamp


@pytest.mark.parametrize("fog", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("distance", [5.0, 40.0, 160.0])
def test_light_is_lost_in_fog_by_beer_and_lambert(fog, distance):
    """Two walls that shine differently: what they differ by is lost as exp(−β·r)."""
    weather, seen = Weather(fog=fog), {}
    for emission in (0.2, 0.8):
        scene = Scene()
        wall = Material("wall", (1, 1, 1), emission=emission)
        scene.add(Placement.one("wall", geometry.box((1, 400, 400)).of(wall), (distance + 0.5, 0, 0)))
        camera = make(scene, weather=weather, outputs=("radiance",), width=33, height=33, fov_deg=2.0)
        seen[emission] = camera.sense(0)["radiance"][16, 16]
    kept = (seen[0.8] - seen[0.2]) / 0.6
    assert kept == pytest.approx(np.full(3, np.exp(-(CLEAR_AIR + weather.extinction(550.0)) * distance)), rel=2e-3)


@pytest.mark.parametrize("quality", ["plain", "fast"])
def test_a_headlight_falls_with_the_square_of_the_distance(quality):
    colour = np.array(GREY.colour)
    for distance in (0.5, 1.0, 4.0, 20.0):
        scene = Scene()
        scene.add(Placement.one("wall", geometry.box((1, 400, 400)).of(GREY), (distance + 0.5, 0, 0)))
        image = make(scene, sky=NIGHT, headlight=3.0, outputs=("radiance", "depth"), quality=quality).sense(0)
        cos = distance / image["depth"][..., None]
        expected = colour * 3.0 * cos / image["depth"][..., None] ** 2 * np.exp(-CLEAR_AIR * image["depth"][..., None])
        assert np.abs(image["radiance"] / expected - 1).max() < 5e-3 + 2e-4 * distance**2


@pytest.mark.parametrize(("quality", "within"), [("fast", 1e-6), ("default", 1e-6), ("best", 6e-3)])
def test_a_closed_room_is_dark(quality, within):
    """The middle of a wall is black. In the last half metre before a corner the sky's maps leak a little, which rays of
    the best quality pick up from everywhere."""
    scene = Scene()
    scene.add(Placement.one("room", geometry.box((10, 10, 10)).of(GREY)))
    inside = make(scene, outputs=("radiance",), quality=quality, fov_deg=50.0).sense(0)
    assert inside["radiance"].max() < within


# What stands and is moved all the same


def slab_scene(x):
    scene = Scene()
    plane(scene)
    for k in range(12):
        scene.add(Placement.one(f"post{k}", geometry.box((0.3, 0.3, 4)), (8 * k, -15, 2)))
    slab = scene.add(Placement.one("slab", geometry.box((3, 3, 0.2)), (x, 0, 4)))
    return scene, slab


@pytest.mark.parametrize("quality", ["fast", "default"])
def test_a_standing_thing_that_is_moved_takes_its_shadow_along(quality):
    scene, slab = slab_scene(5.0)
    look = {"p": (-3, 0, 7), "rpy": (0, 0.5, 0), "outputs": ("rgb",), "quality": quality}
    camera = make(scene, **look)
    before = camera.sense(0)["rgb"]
    for x in (9.0, 2.0):
        slab.move(transform(np.array([1.0, 0, 0, 0]), np.array([x, 0, 4])))
        moved = camera.sense(0)["rgb"]
        assert np.array_equal(moved, make(slab_scene(x)[0], **look).sense(0)["rgb"])
        assert (moved != before).any()
    slab.move(transform(np.array([1.0, 0, 0, 0]), np.array([5.0, 0, 4])))
    assert np.array_equal(camera.sense(0)["rgb"], before)
    scene.remove("slab")
    assert (camera.sense(0)["rgb"] != before).any()


def test_only_what_a_change_touches_is_looked_at_again():
    scene, slab = slab_scene(5.0)
    camera = make(scene, (-3, 0, 7), (0, 0.5, 0), outputs=("rgb",), width=640, height=480)
    camera.sense(0)
    maps = ShadowMaps.of(scene)

    def held():
        return sum(int((tiles._keys[:, 0] >= 0).sum()) for tiles in (maps._sun, maps._sky))

    all_ = held()
    slab.move(transform(np.array([1.0, 0, 0, 0]), np.array([5.5, 0, 4])))
    camera._frames.renderer.sync()
    with maps.of_version(scene.version):
        pass
    assert 0.3 * all_ < held() < all_
    version = scene.version
    kite = scene.add(Placement.one("kite", geometry.box((1, 1, 1)), (0, 0, 30)), moving=True)
    camera.sense(0)
    full = held()
    kite.move(transform(np.array([1.0, 0, 0, 0]), np.array([3.0, 0, 30])))
    camera._frames.renderer.sync()
    with maps.of_version(scene.version):
        pass
    # What moves by itself has no part in the maps.
    assert held() == full and scene.version == version + 1


def test_plain_pictures_have_no_shadows_and_no_lamps():
    """A closed room is as light as open ground, a mirror shows its own colour, and the sky neither sun nor clouds."""
    scene = Scene()
    plane(scene)
    roof = geometry.box((50, 50, 0.5)).of(replace(GREY, mirror=0.9))
    open_ = make(scene, (0, 0, 2), DOWN, outputs=("radiance",), quality="plain").sense(0)["radiance"]
    scene.add(Placement("roof", (roof,), np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5]])))
    under = make(scene, (0, 0, 2), DOWN, outputs=("radiance",), quality="plain").sense(0)["radiance"]
    assert np.array_equal(open_, under)
    over = make(scene, (0, 0, 7.25), DOWN, outputs=("radiance",), quality="plain").sense(0)["radiance"]
    assert np.allclose(over, open_, rtol=1e-4)
    up = make(scene, (0, 0, 20), (0, -np.pi / 2, 0), outputs=("radiance",), quality="plain").sense(0)["radiance"]
    assert up.max() < 2.0 and np.abs(np.diff(up[24, :, 2])).max() < 0.02
