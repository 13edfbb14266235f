"""A stereo pair against geometry, and through the block matcher that a user would run on it."""

import numpy as np
import pytest

from camera_rig import make
from volery.core import geometry
from volery.core.material import Material
from volery.core.rng import generator
from volery.robots.commands import BodyVelocity
from volery.sim import Simulation
from volery.world.chunks import Streamer, Streaming
from volery.world.generate.forest import Forest
from volery.world.scene.scene import Scene
from volery.world.world import Placement

cv2 = pytest.importorskip("cv2", reason="opencv-python-headless is in the extra `test`")

WIDTH, HEIGHT, BASELINE = 480, 360, 0.5
FOCAL = WIDTH / 2
"""[pixels], of 90°."""


def blocks(scene):
    """Ground, a back wall and blocks in rough materials between 3 m and 14 m."""
    draw = generator(5, "stereo")
    textures = ("rock", "soil", "bark", "brick", "grass")
    scene.add(
        Placement.one(
            "ground", geometry.box((60, 60, 1)).of(Material("g", (0.3, 0.25, 0.2), texture="soil")), (0, 0, -2)
        )
    )
    scene.add(
        Placement.one(
            "back", geometry.box((1, 60, 30)).of(Material("w", (0.4, 0.4, 0.4), texture="rock")), (14.5, 0, 0)
        )
    )
    for i in range(14):
        kind = Material(f"m{i % 5}", tuple(draw.uniform(0.25, 0.7, 3)), texture=textures[i % 5])
        place = (draw.uniform(4, 12), draw.uniform(-7, 7), draw.uniform(-1.5, 1.5))
        scene.add(Placement.one(f"block{i}", geometry.box(draw.uniform(0.8, 2.0, 3)).of(kind), place))


def pair(scene, p=(0, 0, 0), rpy=(0, 0, 0), **parameters):
    size = {"width": WIDTH, "height": HEIGHT, "baseline": BASELINE}
    return make(scene, p, rpy, outputs=("rgb", "depth_planar"), exposure=1.0, **size, **parameters).sense(0)


def matched_depth(data):
    """Depth [m] by OpenCV's semi-global matcher; NaN where it finds none."""
    left, right = (cv2.cvtColor(data["rgb" + eye], cv2.COLOR_RGB2GRAY) for eye in ("", "_right"))
    matcher = cv2.StereoSGBM_create(
        minDisparity=0, numDisparities=96, blockSize=5, P1=8 * 25, P2=32 * 25, uniquenessRatio=10, speckleWindowSize=60,
        speckleRange=2, disp12MaxDiff=1,
    )  # fmt: skip
    disparity = matcher.compute(left, right).astype(float) / 16.0
    with np.errstate(divide="ignore"):
        return np.where(disparity > 0.5, FOCAL * BASELINE / disparity, np.nan)


def error(data, most):
    """Share of pixels with a match, median of |depth − truth| / truth over them, and by how many pixels disparities
    are too large in the median."""
    truth, depth = data["depth_planar"].astype(float), matched_depth(data)
    valid = np.isfinite(depth) & (truth < most)
    valid[:, :96] = False
    shift = FOCAL * BASELINE * np.median(1 / depth[valid] - 1 / truth[valid])
    return valid.mean(), np.median(np.abs(depth - truth)[valid] / truth[valid]), shift


def test_the_pair_is_rectified_and_its_disparity_is_focal_times_baseline_over_depth():
    """Each pixel of the left picture, moved left by f·b/Z, has the depth of the right one: same rows, parallel axes,
    the second eye to the right."""
    scene = Scene()
    blocks(scene)
    data = pair(scene)
    left, right = data["depth_planar"], data["depth_planar_right"]
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    there = columns + 0.5 - FOCAL * BASELINE / left
    inside = there > 1
    seen = right[rows[inside], np.floor(there[inside]).astype(int)]
    same = np.abs(seen / left[inside] - 1) < 0.02
    # The rest is hidden from one eye, or lies on an edge.
    assert same.mean() > 0.93


@pytest.mark.parametrize("quality", ["fast", "default"])
def test_a_block_matcher_finds_the_depth_of_blocks_again(quality):
    scene = Scene()
    blocks(scene)
    found, wrong, shift = error(pair(scene, quality=quality), 20.0)
    assert found > 0.5 and wrong < 0.05 and abs(shift) < 0.25


def test_a_block_matcher_finds_the_depth_of_the_forest_again():
    world, scene = Forest(), Scene()
    x, y, _ = world.spawn()
    place = np.array([x, y, float(np.ravel(world.height(x, y))[0]) + 1.5])
    Streamer(scene, world, Streaming()).follow([place])
    data = pair(scene, place, (0, 0.1, 0.8))
    found, wrong, shift = error(data, 25.0)
    # Thin things before others look wider to a matcher of blocks than they are, so it takes more for near.
    assert found > 0.25 and wrong < 0.05 and abs(shift) < 0.4


def test_both_eyes_see_the_same_place_in_the_same_light():
    """A wall without grain: the two pictures differ by nothing but the air between, so exposure must be shared."""
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((1, 400, 400)).of(Material("w", (0.4, 0.4, 0.4))), (8.5, 0, 0)))
    scene.add(
        Placement.one("lamp", geometry.box((0.1, 0.5, 6)).of(Material("l", (1, 1, 1), emission=0.9)), (4, 3.75, 0))
    )
    data = pair(scene, auto_exposure=True)
    both = (data["rgb"], data["rgb_right"])
    middle = [image[170:190, 300:400].astype(int).mean() for image in both]
    assert middle[0] == pytest.approx(middle[1], abs=1.0)


def test_both_eyes_of_the_boiler_see_one_instant():
    """Two cameras of one rate, on a craft that turns: their pictures are of the same steps, and of the pose then."""
    with Simulation("boiler") as simulation:
        simulation.command("mav1", BodyVelocity([0.3, 0.0, 0.0], 0.8))
        stamps = {"left": [], "right": []}
        for _ in range(60):
            simulation.step()
            for _, name, reading in simulation.fresh:
                if name in stamps:
                    stamps[name].append(reading.stamp_ns)
        assert len(stamps["left"]) == 12 and stamps["left"] == stamps["right"]
