"""Depth of field against the thin lens, and both eyes of a pair at one instant."""

import numpy as np
import pytest

from camera_rig import NIGHT, make
from volery.core import geometry
from volery.core.material import Material
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.world.scene.scene import Scene
from volery.world.world import Placement

WIDTH, FOV, CHIP, F_NUMBER = 160, 20.0, 0.036, 1.4
FOCAL = WIDTH / 2 / np.tan(np.radians(FOV / 2))
"""[pixels]."""
OPENING = FOCAL / WIDTH * CHIP / F_NUMBER
"""Diameter of the lens's opening [m]."""


def edge(away, focus, number=F_NUMBER, **more):
    """Mean row of a picture of a shining plate whose edge is in the middle, so far away; 1 on the plate."""
    scene = Scene()
    glow = Material("glow", (1, 1, 1), emission=0.5)
    scene.add(Placement.one("plate", geometry.box((0.01, 20, 40)).of(glow), (away + 0.005, 10, 0)))
    camera = make(
        scene, sky=NIGHT, width=WIDTH, height=24, fov_deg=FOV, outputs=("radiance", "depth_planar"), blur_samples=64,
        f_number=number, focus=focus, chip_width=CHIP, **more,
    )  # fmt: skip
    data = camera.sense(0)
    assert np.nanmin(data["depth_planar"]) == pytest.approx(away, abs=1e-3), "measures are those of the lens's middle"
    row = data["radiance"].mean(axis=(0, 2))
    return row / row[:10].mean()


def spread(row):
    """Standard deviation of an edge [pixels]."""
    step = -np.diff(row)
    at = np.arange(len(step))
    return np.sqrt((step * (at - (step * at).sum()) ** 2).sum())


@pytest.mark.parametrize("quality", ["plain", "default"])
@pytest.mark.parametrize(("away", "focus"), [(2.0, 4.0), (6.0, 3.0), (2.0, 1000.0)])
def test_an_edge_out_of_focus_is_as_wide_as_a_thin_lens_makes_it(away, focus, quality):
    radius = FOCAL * OPENING / 2 * abs(1 / away - 1 / focus)
    # An even disc of light has half its radius for a spread along one axis.
    assert spread(edge(away, focus, quality=quality)) == pytest.approx(radius / 2, rel=0.06)


def test_what_is_in_focus_is_sharp_and_a_pinhole_sees_all_sharp():
    for row in (edge(3.0, 3.0), edge(2.0, 4.0, number=0.0)):
        assert ((row > 0.02) & (row < 0.98)).sum() <= 1


def test_zoom_makes_the_opening_and_so_the_blur_larger():
    wide, near = spread(edge(2.0, 4.0)), spread(edge(2.0, 4.0, zoom=2.0))
    assert near / wide == pytest.approx(4.0, rel=0.1)


PAIR = """
seed: 1
step: 0.01
world: {type: warehouse, seed: 1}
robots:
  uav1:
    type: quad
    physics: kinematic
    position: [-22, -6, 2]
    sensors:
      scanner: off
      pair: {type: camera, width: 32, height: 24, rate: 25, baseline: 0.12, outputs: [rgb, depth]}
      one: {type: camera, width: 32, height: 24, rate: 25, outputs: [depth]}
      other: {type: camera, width: 32, height: 24, rate: 25, outputs: [depth], mount: {position: [0, -0.12, 0]}}
    motion: {speed: 6, path: [[-22, -6, 2], [0, -6, 3]]}
"""


def test_both_eyes_of_a_pair_see_one_instant():
    """In flight, the right eye of a pair sees to the bit what a camera mounted there sees at the same stamp."""
    simulation, seen = Simulation(read_scenario(PAIR)), {"pair": [], "one": [], "other": []}
    for _ in range(14):
        simulation.step()
        for _, name, reading in simulation.fresh:
            if name in seen:
                seen[name].append(reading)
    assert len(seen["pair"]) >= 3
    for pair, one, other in zip(*seen.values(), strict=True):
        assert pair.stamp_ns == one.stamp_ns == other.stamp_ns
        assert np.array_equal(pair.data["depth"], one.data["depth"])
        assert np.abs(pair.data["depth_right"] - other.data["depth"]).max() < 1e-4


def test_the_eyes_of_the_ducted_fan_look_at_the_same_instants():
    simulation, stamps = Simulation(load_scenario("boiler")), {"left": [], "right": []}
    for _ in range(20):
        simulation.step()
        for _, name, reading in simulation.fresh:
            if name in stamps:
                stamps[name].append(reading.stamp_ns)
    assert len(stamps["left"]) >= 3 and stamps["left"] == stamps["right"]
