"""Drawing triangles shows a camera what rays would."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery._native.render import View
from volery.core.geometry import Mesh, box, sphere
from volery.core.material import Material
from volery.core.parallel import set_threads, threads
from volery.render.lens import lens_of, pattern_of
from volery.render.rays import Rays
from volery.render.scene import RenderScene
from volery.render.visibility import visibility
from volery.render.visibility.visibility import Visibility
from volery.world.cast.hits import Hits
from volery.world.scene.floating_origin import CELL_SIZE
from volery.world.scene.scene import Scene
from volery.world.world import Placement

GREY = Material("grey", (0.5, 0.5, 0.5))
SIZE = (72, 40)


def turned(rng, scale=(1.0, 1.0, 1.0)):
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    return q * scale


def soup(rng, count):
    """Triangles of all sizes, before, behind and across the eye."""
    middle = rng.uniform(-6, 6, (count, 1, 3))
    corners = middle + rng.standard_normal((count, 3, 3)) * rng.uniform(0.02, 4.0, (count, 1, 1))
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3), materials=(GREY,))


def scene_of(rng, count=60):
    scene = Scene()
    scene.define_channel("some", ["soup*"])
    # In the middle of a cube of 1 km (world/scene/floating_origin.py), where float32 rays are exact to micrometres.
    far = rng.integers(-100, 100, 3) * CELL_SIZE
    pose = lambda scale: np.concatenate([turned(rng, scale), (far + rng.uniform(-4, 4, 3))[:, None]], axis=1)  # noqa: E731
    scene.add(Placement("soup", (soup(rng, count),), pose((1.0, 1.0, 1.0))))
    ball = sphere(1.0, 24, materials=(GREY,))
    scene.add(Placement("balls", (ball,), np.stack([pose(rng.uniform(0.2, 2.0, 3)) for _ in range(4)])))
    scene.add(Placement("mine", (box((1, 1, 1), materials=(GREY,)),), pose((1.0, -1.0, 0.5))), group="me")
    scene.add(Placement("other", (box((1, 2, 1), materials=(GREY,)),), pose((1.0, 1.0, 1.0))), group="other")
    return scene, far


def both(scene, place, R, *, channel=None, ignore=None, reach=50.0, rows=slice(0, SIZE[1])):
    """Hits of the same rays, drawn and cast."""
    lens = lens_of("pinhole", *SIZE, np.radians(80.0))
    pattern = pattern_of(lens, reach, band=SIZE[1])
    inside = (pattern.pixel >= rows.start * SIZE[0]) & (pattern.pixel < rows.stop * SIZE[0])
    directions, far, pixel = pattern.directions[inside], pattern.far[inside], pattern.pixel[inside]
    view = View(R, place, lens.focal, *SIZE, rows.start, rows.stop)
    RenderScene.of(scene).sync(scene)
    sight = Visibility(scene, scene.channel(channel), detail=0.0)
    rays = Rays(np.zeros((1, 3), np.float32), directions, far, R, place, scene.group(ignore), 0, 0, view, pixel)
    drawn, cast = Hits(scene, len(far)), Hits(scene, len(far))
    sight.find(rays, drawn, coherent=True)
    sight.find(rays._replace(view=None), cast, coherent=True)
    return drawn, cast


def assert_same(drawn, cast, least=0.995):
    """The same but where a ray goes along an edge."""
    same = (drawn.row == cast.row) & (drawn.primitive == cast.primitive)
    assert same.mean() > least
    seen = same & (cast.row >= 0)
    if seen.any():
        assert np.isclose(drawn.distance[seen], cast.distance[seen], rtol=1e-3, atol=1e-4).mean() > least
        assert (drawn.back[seen] == cast.back[seen]).mean() > least
        assert np.median(np.abs(drawn.distance[seen] - cast.distance[seen])) < 1e-5
    assert np.allclose(drawn.normal[seen], cast.normal[seen], atol=1e-3)
    assert np.isinf(drawn.distance[drawn.row < 0]).all() and not drawn.normal[drawn.row < 0].any()


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_any_triangles_are_seen_as_by_rays(seed):
    rng = np.random.default_rng(seed)
    scene, far = scene_of(rng)
    R = turned(rng)
    R[:, 0] *= np.sign(np.linalg.det(R))
    assert_same(*both(scene, far, np.ascontiguousarray(R)))


@pytest.mark.parametrize("about", [{"channel": "some"}, {"ignore": "me"}, {"reach": 3.0}, {"rows": slice(12, 29)}])
def test_channels_own_parts_reach_and_parts_of_a_picture(about):
    rng = np.random.default_rng(5)
    scene, far = scene_of(rng)
    drawn, cast = both(scene, far, np.eye(3), **about)
    assert_same(drawn, cast)
    assert 0.02 < (drawn.row >= 0).mean()


def test_what_hides_more_changes_nothing(monkeypatch):
    """Clusters behind others are left out in rounds; the picture is that of a single round."""
    scene, far = scene_of(np.random.default_rng(2), count=4000)
    once, cast = both(scene, far, np.eye(3))
    monkeypatch.setattr(visibility, "_FIRST_ROUND", 2)
    rounds, _ = both(scene, far, np.eye(3))
    for name in ("distance", "row", "primitive", "normal", "back"):
        assert np.array_equal(getattr(once, name), getattr(rounds, name)), name
    assert_same(once, cast)


def test_threads_change_nothing():
    scene, far = scene_of(np.random.default_rng(3), count=3000)
    before = threads()
    try:
        set_threads(1)
        one, _ = both(scene, far, np.eye(3))
        set_threads(before)
        all_, _ = both(scene, far, np.eye(3))
    finally:
        set_threads(before)
    for name in ("distance", "row", "primitive", "normal", "back"):
        assert np.array_equal(getattr(one, name), getattr(all_, name)), name


def test_neighbours_leave_no_gap():
    """A closed ball from inside: every ray meets it."""
    scene = Scene()
    scene.add(Placement("ball", (sphere(5.0, 96, materials=(GREY,)),), np.eye(4)[:3]))
    drawn, _ = both(scene, np.array([0.3, -0.2, 1.0]), np.eye(3))
    assert (drawn.row >= 0).all() and drawn.back.all()


def test_what_comes_goes_moves_and_bends_is_seen():
    scene = Scene()
    X = np.eye(4)[:3].copy()
    X[0, 3] = 4.0
    scene.add(Placement("box", (box((1, 1, 1), materials=(GREY,)),), X), moving=True)
    sheet = Mesh(np.array([[9, -9, -9], [9, 9, -9], [9, 0, 9]], float), np.array([[0, 1, 2]]), materials=(GREY,))
    bent = scene.add(Placement("sheet", (sheet,), np.eye(4)[:3]), deforms=True)
    middle = SIZE[1] // 2 * SIZE[0] + SIZE[0] // 2

    def depth():
        drawn, cast = both(scene, np.zeros(3), np.eye(3))
        assert_same(drawn, cast, 0.99)
        pattern = pattern_of(lens_of("pinhole", *SIZE, np.radians(80.0)), 50.0, band=SIZE[1])
        i = int(np.flatnonzero(pattern.pixel == middle)[0])
        return float(drawn.distance[i] * pattern.directions[i, 0])

    assert depth() == pytest.approx(3.5, rel=1e-5)
    X[0, 3] = 7.0
    scene.objects["box"].move(X)
    assert depth() == pytest.approx(6.5, rel=1e-5)
    scene.remove("box")
    assert depth() == pytest.approx(9.0, rel=1e-5)
    bent.deform(np.array([[5, -9, -9], [5, 9, -9], [5, 0, 9]], float))
    assert depth() == pytest.approx(5.0, rel=1e-5)
    scene.add(Placement("again", (box((2, 2, 2), materials=(GREY,)),), X))
    scene.remove("sheet")
    assert depth() == pytest.approx(6.0, rel=1e-5)
