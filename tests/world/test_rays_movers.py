"""Rays and what moves: packets that pass all movers by leave them out, and nothing that could be met is missed."""

import numpy as np
import pytest

from volery.core.geometry import box, sphere
from volery.world.scene.scene import Scene
from volery.world.world import Placement

FAR_HOME = np.array([100_000.0, -40_000.0, 300.0])


def pose(rng, p, scale):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return np.concatenate([q * scale, p[:, None]], axis=1)


def scene_of(rng, count, origin, moving):
    scene = Scene()
    meshes = box((0.4, 0.2, 0.1)), sphere(0.3, segments=12)
    scene.add(Placement("wall", (box((1.0, 60.0, 60.0)),), np.c_[np.eye(3), origin + [25.0, 0.0, 0.0]]))
    for n in range(count):
        X = pose(rng, origin + rng.uniform(-15, 15, 3), rng.uniform(0.5, 3.0, 3))
        scene.add(Placement(f"mover{n}", (meshes[n % 2],), X), moving=moving, group=f"robot{n % 3}" if moving else None)
    return scene


@pytest.mark.parametrize("count", [0, 1, 7, 60, 90])
@pytest.mark.parametrize("origin", [np.zeros(3), FAR_HOME])
def test_movers_are_met_as_if_they_stood(count, origin):
    rng = np.random.default_rng(count)
    seed = rng.integers(1 << 30)
    moving, standing = (scene_of(np.random.default_rng(seed), count, origin, kind) for kind in (True, False))
    origins = origin + rng.uniform(-3, 3, (4000, 3))
    directions = rng.normal(size=(4000, 3))
    a, b = (scene.cast(origins, directions, max_range=80.0) for scene in (moving, standing))
    np.testing.assert_array_equal(a.distance, b.distance)
    np.testing.assert_array_equal(a.object, b.object)
    assert count == 0 or np.isfinite(a.distance).mean() > 0.05


def test_a_sensor_inside_its_robot_sees_the_others_alone():
    rng = np.random.default_rng(5)
    scene = scene_of(rng, 40, np.zeros(3), True)
    # The rays begin inside a large body of their own.
    scene.add(Placement("own body", (sphere(5.0),), np.eye(3, 4)), group="robot0")
    directions = rng.normal(size=(4000, 3))
    hits = scene.cast(np.zeros(3), directions, max_range=80.0, ignore="robot0")
    for n in range(0, 40, 3):
        scene.remove(f"mover{n}")
    scene.remove("own body")
    without = scene.cast(np.zeros(3), directions, max_range=80.0)
    np.testing.assert_array_equal(hits.distance, without.distance)
    np.testing.assert_array_equal(hits.object, without.object)


def test_a_mover_that_bends_is_met_where_it_is_now():
    scene = Scene()
    bent = scene.add(Placement("wing", (box((0.2, 2.0, 0.1)),), np.eye(3, 4)), moving=True, deforms=True)
    ray = np.array([[5.0, 0.0, 4.0]]), np.array([[-1.0, 0.0, 0.0]])
    assert np.isinf(scene.cast(*ray).distance).all()
    bent.deform(bent.meshes[0].vertices + np.array([0, 0, 4.0], np.float32))
    np.testing.assert_allclose(scene.cast(*ray).distance, [4.9], atol=1e-5)
