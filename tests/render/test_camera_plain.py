"""Plain pictures that are drawn straight into their pixels are those of rays."""

import numpy as np
import pytest

from camera_rig import NOON, make
from volery._native.render import passing
from volery.core import geometry
from volery.core.material import Material
from volery.core.parallel import set_threads, threads
from volery.render import frame
from volery.render.renderer import Renderer
from volery.render.visibility.visibility import Visibility
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.world import Placement

GREY = Material("grey", (0.5, 0.4, 0.3))
LAMP = Material("lamp", (0.9, 0.9, 0.5), emission=2.0)
LEAF = Material("leaf", (0.1, 0.6, 0.1), label="leaf", solid=False)
EARTH, SAND = Material("earth", (0.4, 0.2, 0.1), label="ground"), Material("sand", (0.9, 0.8, 0.5), label="ground")


def at(x, y, z):
    return np.concatenate([np.eye(3), [[x], [y], [z]]], axis=1)


def ground():
    """Smooth ground of two kinds, whose colours run into each other."""
    x, y = np.meshgrid(np.linspace(0, 60, 31), np.linspace(-30, 30, 31), indexing="ij")
    vertices = np.stack([x, y, -2 + 0.4 * np.sin(x) * np.cos(y)], axis=2).reshape(-1, 3)
    corner = (np.arange(30)[:, None] * 31 + np.arange(30)).ravel()
    faces = np.concatenate(
        [np.stack([corner, corner + 31, corner + 32], 1), np.stack([corner, corner + 32, corner + 1], 1)]
    )
    normals = np.tile(np.array([[0.0, 0.0, 1.0]]), (len(vertices), 1)) + 0.2 * np.sin(vertices)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    kinds = (np.arange(len(faces)) // 7 % 2).astype(np.uint16)
    return geometry.Mesh(vertices, faces, normals=normals, face_material=kinds, materials=(EARTH, SAND))


@pytest.fixture
def scene():
    """Flat and smooth, one kind and several, shining, thin, from inside and from outside, and much sky."""
    scene = Scene()
    scene.add(Placement("ground", (ground(),), at(0, 0, 0)))
    scene.add(Placement("ball", (geometry.sphere(1.5, 40, materials=(GREY,)),), at(6, 1, 0)))
    scene.add(Placement("box", (geometry.box((1, 1, 2), materials=(GREY,)),), at(5, -2, 0)), moving=True)
    scene.add(Placement("lamp", (geometry.box((0.5, 0.5, 0.5), materials=(LAMP,)),), at(4, 0, 1)))
    sheet = geometry.Mesh(np.array([[0.0, -1, 0], [0, 1, 0], [0.5, 0, 2]]), np.array([[0, 1, 2]]), materials=(LEAF,))
    scene.add(Placement("leaf", (sheet,), at(5, 3, -1)))
    return scene


def never(*_):
    raise AssertionError("rays were cast")


def picture(scene, monkeypatch, *, drawn, **parameters):
    with monkeypatch.context() as patch:
        if drawn:
            patch.setattr(Renderer, "paint", never)
        else:
            patch.setattr(Visibility, "draw", lambda *_: None)
        asked = {"outputs": ("radiance",), "quality": "plain", "width": 300, "height": 200, "sky": NOON, **parameters}
        return make(scene, (0, 0, 0), (0.1, 0.05, 0.2), **asked).sense(0)


def radiance(scene, monkeypatch, **parameters):
    return picture(scene, monkeypatch, **parameters)["radiance"]


@pytest.mark.parametrize(
    "about", [{}, {"weather": Weather(fog=0.4)}, {"headlight": 3.0}, {"range": 6.0}, {"fov_deg": 140.0}, {"zoom": 4.0}]
)
def test_what_is_drawn_is_what_rays_see(scene, monkeypatch, about):
    drawn, cast = (radiance(scene, monkeypatch, drawn=way, **about) for way in (True, False))
    # Rays and drawing may choose another triangle where a pixel is on an edge.
    off = np.abs(drawn - cast).max(axis=2) > 2e-4 * max(1.0, cast.max())
    assert off.mean() < 1e-3
    assert cast.std() > 0.02


def test_measures_that_are_drawn_along_are_those_of_rays(scene, monkeypatch):
    outputs = ("rgb", "depth", "depth_planar", "labels", "instances", "infrared")
    drawn, cast = (
        picture(scene, monkeypatch, drawn=way, outputs=outputs, range=40.0, weather=Weather()) for way in (True, False)
    )
    for name in ("depth", "depth_planar"):
        off = ~np.isclose(drawn[name], cast[name], rtol=1e-5)
        assert off.mean() < 1e-3 and np.isinf(drawn[name]).any() and np.isfinite(drawn[name]).any()
    for name in ("labels", "instances", "infrared"):
        assert (drawn[name] != cast[name]).mean() < 1e-3 and len(np.unique(drawn[name])) > 1
    # Without the picture there is another way to them.
    alone = picture(scene, monkeypatch, drawn=True, outputs=outputs[1:], range=40.0)
    np.testing.assert_allclose(alone["depth"], drawn["depth"], rtol=1e-6)
    assert np.array_equal(alone["labels"], drawn["labels"])


def test_pictures_in_parts_and_by_any_threads_are_the_same(scene, monkeypatch):
    whole = radiance(scene, monkeypatch, drawn=True)
    before = threads()
    try:
        set_threads(1)
        assert np.array_equal(radiance(scene, monkeypatch, drawn=True), whole)
    finally:
        set_threads(before)
    monkeypatch.setattr(frame, "_AT_ONCE", 300 * 64)
    assert np.array_equal(radiance(scene, monkeypatch, drawn=True), whole)


def test_a_reading_is_not_overwritten_by_the_next(scene):
    eye = make(scene, outputs=("radiance", "rgb"), quality="plain")
    first = eye.sense(0)
    kept = {name: array.copy() for name, array in first.items()}
    scene.remove("ball")
    assert not np.array_equal(eye.sense(1)["radiance"], kept["radiance"])
    assert all(np.array_equal(first[name], array) for name, array in kept.items())


def test_light_that_passes_air():
    depths = np.linspace(0, 30, 4000).astype(np.float32)
    assert max(abs(passing(d) - np.exp(-float(d))) for d in depths) < 1e-5
