"""Levels of detail: what is small in a picture is shown roughly, and the picture shows as much of everything."""

import numpy as np
import pytest

from camera_rig import make
from volery.core.geometry import box
from volery.core.material import Material
from volery.render.quality import Quality
from volery.render.visibility.visibility import Visibility
from volery.tools.bench.sensing import world
from volery.world.generate.detail import thinned
from volery.world.generate.trees import tree_models
from volery.world.generate.undergrowth import undergrowth_models
from volery.world.scene.scene import Scene
from volery.world.world import Placement

PLACES = [((0.0, 0.0, 2.0), 0.3), ((0.0, 0.0, 12.0), 2.0), ((0.0, 0.0, 45.0), -1.0)]
"""Height over the spawn place, and direction: under, in and over the crowns."""


@pytest.fixture(scope="module")
def forest():
    return world("forest")


def labels(forest, place, yaw, size, quality):
    eye = np.array(forest.world.spawn()) + np.array(place) - (0, 0, 2)
    pitch = 0.0 if place[2] < 40 else 0.4
    shape = {"width": size, "height": size * 3 // 4}
    camera = make(forest.scene, eye, (0.0, pitch, yaw), outputs=("labels",), quality=quality, range=300.0, **shape)
    return camera.sense(0)["labels"]


def shares(picture):
    numbers, counts = np.unique(picture, return_counts=True)
    return dict(zip(numbers.tolist(), (counts / picture.size).tolist(), strict=True))


@pytest.mark.parametrize("quality", ["plain", "default"])
@pytest.mark.parametrize("place,yaw", PLACES)
def test_a_forest_covers_as_much_of_a_picture_as_by_many_rays(forest, place, yaw, quality, monkeypatch):
    drawn = shares(labels(forest, place, yaw, 160, quality))
    monkeypatch.setattr(Visibility, "draw", lambda *_: None)
    cast = shares(labels(forest, place, yaw, 640, quality))
    for label in drawn.keys() | cast.keys():
        assert abs(drawn.get(label, 0.0) - cast.get(label, 0.0)) < 0.02, (label, drawn, cast)


def test_levels_get_coarser_and_cover_as_much():
    """Of leaves as of straws: the area of all pieces together stays, their number halves."""
    for mesh in [undergrowth_models()["ferns"][0], undergrowth_models()["grass"][0]]:
        whole = area(mesh)
        for level, coarser in enumerate(mesh.levels[1:4], 1):
            assert len(coarser.faces) < 0.65**level * len(mesh.faces)
            assert 0.6 < area(coarser) / whole < 1.1
            assert np.abs(coarser.bounds - mesh.bounds).max() < 0.35 * np.ptp(mesh.bounds, axis=0).max()


def area(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()


def test_details_grow_from_level_to_level():
    for model in tree_models():
        details = [level.detail for level in model.lods]
        assert details[0] == 0.0 and (np.diff(details) > 0).all()
        assert model.lods[0].levels == list(model.lods)


def test_a_thing_without_levels_is_its_own():
    mesh = box((1, 1, 1), materials=(Material("grey", (0.5, 0.5, 0.5)),))
    assert mesh.levels == [mesh] and thinned(mesh, 0) is mesh


def test_best_pictures_show_all_but_what_is_below_a_pixel():
    assert Quality.of("best").detail <= 1.0


def test_levels_move_and_are_painted_with_their_mesh():
    mesh = undergrowth_models()["ferns"][0]
    moved = mesh.moved(p=(1.0, 2.0, 3.0), scale=2.0)
    assert len(moved.levels) == len(mesh.levels)
    for own, other in zip(moved.levels, mesh.levels, strict=True):
        assert np.allclose(own.vertices, 2.0 * other.vertices + (1, 2, 3), atol=1e-5)
        assert own.detail == pytest.approx(2.0 * other.detail)
    red = Material("red", (1.0, 0.0, 0.0))
    assert all(set(level.materials) == {red} for level in mesh.of(*[red] * len(mesh.materials)).levels)


def test_a_far_instance_is_drawn_by_fewer_triangles():
    """Seen from far away, few clusters of a tree are drawn; near it, all of those in view."""
    scene = Scene()
    tree = max(tree_models(), key=lambda m: len(m.lods[0].faces)).lods[0]
    scene.add(Placement("tree", (tree,), np.eye(4)[:3]))
    drawn = []
    for away in (15.0, 150.0):
        camera = make(scene, (-away, 0, 8), outputs=("labels",), width=320, height=240, quality="default")
        camera.sense(0)
        drawn.append(camera._frames.visibility.clusters_drawn)
    assert drawn[1] < 0.1 * drawn[0]
