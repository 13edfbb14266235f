"""Lamps: where their shadows lie and how bright they are, against closed forms; what is kept of their maps."""

import numpy as np
import pytest

from camera_rig import NIGHT, make
from volery.core import geometry
from volery.core.frames import transform
from volery.core.material import Material
from volery.core.parallel import set_threads, threads
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.world.scene.scene import Scene
from volery.world.world import Placement

GREY = Material("grey", (0.5, 0.4, 0.3))
GLOW = Material("glow", (1.0, 0.8, 0.6), emission=300.0)
DOWN = (0, np.pi / 2 - 1e-6, 0)
LAMP = np.array([1.0, 0.3, 4.0])
RADIUS = 0.05


@pytest.fixture(autouse=True)
def light_as_rays_find_it(monkeypatch):
    """Quality best without its smoothing, which depends on what is installed and softens edges."""
    monkeypatch.setattr("volery.render.film.denoise", lambda sun, around, albedo, normal: sun + around)


def room(slab=(0.0, 0.0, 2.0), moving=False):
    """A floor, a small lamp 4 m above it, and a slab of 1 m between them."""
    scene = Scene()
    scene.add(Placement.one("floor", geometry.plane(60.0).of(GREY)))
    scene.add(Placement.one("lamp", geometry.sphere(RADIUS, 48).of(GLOW), LAMP))
    item = scene.add(Placement.one("slab", geometry.box((1, 1, 0.01)).of(GREY), slab), moving=moving)
    return scene, item


def power():
    """Emission times area over π, over what a display shows of it (render/lamps.py)."""
    return GLOW.emission * np.array(GLOW.colour) * 4 * RADIUS**2 / 2.5


@pytest.mark.parametrize(("quality", "moving", "within"), [
    ("fast", False, 0.05), ("default", False, 0.05), ("default", True, 0.02), ("best", False, 0.02),
])  # fmt: skip
def test_a_lamps_shadow_lies_where_the_lamp_puts_it(quality, moving, within):
    """The slab is half-way between floor and lamp: its shadow is 2 m wide, its middle mirrored at the slab's."""
    scene, _ = room(moving=moving)
    eye, size = (-LAMP[0], -LAMP[1], 1.5), 401
    look = make(scene, eye, DOWN, sky=NIGHT, outputs=("radiance",), quality=quality, width=size, height=size)
    image = look.sense(0)["radiance"][..., 1]
    per_pixel = 2 * eye[2] / size
    for line in (image[190:211].mean(axis=0), image[:, 190:211].mean(axis=1)):
        for half in (line[200:], line[200::-1]):
            inside, outside = half[round(0.8 / per_pixel)], half[round(1.2 / per_pixel)]
            assert inside < 0.6 * outside
            crossing = np.flatnonzero(half > 0.5 * (inside + outside))[0]
            assert crossing * per_pixel == pytest.approx(1.0, abs=within)


@pytest.mark.parametrize("quality", ["fast", "default", "best"])
def test_a_lamp_lights_by_cosine_and_square_of_the_distance(quality):
    """All of the floor that is in the picture and not in the shadow, also on the edges of the lamp's cube."""
    scene, _ = room((30.0, 30.0, 2.0))
    look = make(scene, (*LAMP[:2], 3.5), DOWN, sky=NIGHT, outputs=("radiance",), quality=quality, fov_deg=130.0)
    image = look.sense(0)["radiance"]
    h, w = image.shape[:2]
    v, u = np.mgrid[:h, :w] + 0.5
    scale = 3.5 * np.tan(np.radians(65)) / (w / 2)
    aside = ((u - w / 2) ** 2 + (v - h / 2) ** 2) * scale**2
    square = aside + LAMP[2] ** 2
    share = LAMP[2] / square**1.5 + 0.2 / (square + 9.0)
    keep = np.exp(-np.sqrt(aside + 3.5**2) / 2500.0)
    expected = np.array(GREY.colour) * power() * (share * keep)[..., None]
    assert np.abs(image / expected - 1).max() < 0.02


def test_no_surface_shades_itself():
    """Spheres and leaning walls round a lamp: what faces it and nothing hides is as bright by maps as by rays."""
    scene = Scene()
    scene.add(Placement.one("lamp", geometry.sphere(RADIUS, 24).of(GLOW), LAMP))
    scene.add(Placement.one("hall", geometry.box((24, 20, 12)).of(GREY), (2.0, 1.0, 5.0)))
    scene.add(Placement.one("ball", geometry.sphere(1.5, 64).of(GREY), (6.0, 2.0, 2.0)))
    seen = {
        quality: make(scene, (-6, -3, 5), (0, 0.15, 0.3), sky=NIGHT, outputs=("radiance",), quality=quality, width=256,
                      height=192).sense(0)["radiance"][..., 1]
        for quality in ("default", "best")
    }  # fmt: skip
    # Only the rim of the ball and of its shadow may differ: four rays a pixel there, soft texels here.
    differ = np.abs(seen["default"] / seen["best"] - 1) > 0.05
    assert differ.mean() < 0.02


@pytest.mark.parametrize("quality", ["fast", "default"])
def test_a_moved_slab_takes_its_shadow_along(quality):
    scene, slab = room()
    look = {"p": (-3, 0, 3), "rpy": (0, 0.7, 0), "sky": NIGHT, "outputs": ("radiance",), "quality": quality}
    camera = make(scene, **look)
    before = camera.sense(0)["radiance"]
    slab.move(transform(np.array([1.0, 0, 0, 0]), np.array([-0.5, 0.2, 2.0])))
    moved = camera.sense(0)["radiance"]
    assert (moved != before).any()
    assert np.array_equal(moved, make(room((-0.5, 0.2, 2.0))[0], **look).sense(0)["radiance"])
    scene.remove("slab")
    assert (camera.sense(0)["radiance"] > 1.5 * before).any()


def test_only_tiles_that_see_a_change_are_made_again():
    scene, slab = room()
    camera = make(scene, (0, 0, 3), DOWN, sky=NIGHT, outputs=("rgb",))
    camera.sense(0)
    maps = ShadowMaps.of(scene)
    tiles = maps._lamps
    held = len(tiles)
    slab.move(transform(np.array([1.0, 0, 0, 0]), np.array([0.1, 0.0, 2.0])))
    camera._frames.renderer.sync()
    with maps.of_version(scene.version):
        pass
    assert 0 < len(tiles) < held
    scene.add(Placement.one("far", geometry.box((1, 1, 1)).of(GREY), (300.0, 0, 0)))
    left = len(tiles)
    camera._frames.renderer.sync()
    with maps.of_version(scene.version):
        pass
    assert len(tiles) == left


def test_light_of_lamps_depends_neither_on_threads_nor_on_what_was_seen_before():
    look = {"p": (-3, 0, 3), "rpy": (0, 0.7, 0), "sky": NIGHT, "outputs": ("radiance",), "width": 160, "height": 120}
    most, images = threads(), []
    try:
        for count in (1, most):
            set_threads(count)
            scene, _ = room()
            images.append(make(scene, **look).sense(0)["radiance"])
            other = {**look, "p": (4, 4, 1), "rpy": (0, 0.2, -2.0)}
            scene, _ = room()
            make(scene, name="other", **other).sense(0)
            images.append(make(scene, **look).sense(0)["radiance"])
    finally:
        set_threads(most)
    assert all(np.array_equal(images[0], image) for image in images[1:])


def test_a_lamp_that_moves_is_followed_by_rays():
    scene = Scene()
    scene.add(Placement.one("floor", geometry.plane(60.0).of(GREY)))
    lamp = scene.add(Placement.one("lamp", geometry.sphere(RADIUS, 24).of(GLOW), LAMP), moving=True)
    camera = make(scene, (0, 0, 3), DOWN, sky=NIGHT, outputs=("radiance",), width=65, height=65)
    first = camera.sense(0)["radiance"][32, 32, 1]
    lamp.move(transform(np.array([1.0, 0, 0, 0]), np.array([0.0, 0.0, 6.0])))
    second = camera.sense(0)["radiance"][32, 32, 1]
    square = np.array([LAMP @ LAMP, 36.0])
    share = np.array([4.0, 6.0]) / square**1.5 + 0.2 / (square + 9.0)
    assert second / first == pytest.approx(share[1] / share[0], rel=0.01)
    assert len(ShadowMaps.of(scene)._lamps) == 0
