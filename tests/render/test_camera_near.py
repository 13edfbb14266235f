"""What surfaces look like near by: lamps mirrored by what is glossy, rock without sun, grain that does not repeat."""

from dataclasses import replace

import numpy as np
import pytest

from camera_rig import NIGHT, make
from volery.core import geometry
from volery.core.material import Material
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.scene.scene import Scene
from volery.world.world import Placement

LAMP = Material("lamp", (1, 1, 1), label="lamp", emission=50.0)


def floor(roughness, quality, texture=""):
    """Light of a floor at night, 1.5 m below the eye, and depth along the axis; a lamp hangs 4 m ahead, 3 m up."""
    scene = Scene()
    grey = Material("grey", (0.2, 0.2, 0.2), label="ground", roughness=roughness, texture=texture)
    scene.add(Placement.one("floor", geometry.box((40, 40, 1)).of(grey), (0, 0, -0.5)))
    scene.add(Placement.one("lamp", geometry.sphere(0.05, 8).of(LAMP), (4, 0, 3)))
    about = {"width": 96, "height": 96, "outputs": ("radiance", "depth_planar"), "quality": quality}
    data = make(scene, (0, 0, 1.5), (0, np.radians(40), 0), sky=NIGHT, **about).sense(0)
    return data["radiance"].mean(axis=2), data["depth_planar"]


@pytest.mark.parametrize("quality", ["default", "best"])
def test_a_glossy_floor_mirrors_a_lamp_where_a_mirror_would(quality):
    (rough, depth), (glossy, _) = floor(1.0, quality), floor(0.2, quality)
    more = glossy - rough
    row, column = np.unravel_index(more.argmax(), more.shape)
    # A mirror shows the lamp 3 m below the floor: its ray meets the floor a third of the way, 4/3 m ahead.
    ahead = np.array([4 / 3, -1.5]) @ np.array([np.cos(np.radians(40)), -np.sin(np.radians(40))])
    assert depth[row, column] == pytest.approx(ahead, abs=0.12)
    assert column == pytest.approx(48, abs=3)
    assert more[row, column] > 0.5 * rough[row, column] and abs(more[:, :8]).max() < 0.1 * more.max()
    assert more.min() > -0.02 * rough.max()


@pytest.mark.parametrize(("filled", "lit"), [(True, False), (False, True)])
def test_no_sun_comes_out_of_rock(filled, lit):
    """The back of a cave's ceiling is earth, which the sun does not shine into; a sheet has two sides."""
    scene, flat = Scene(), geometry.plane(30.0)
    ceiling = replace(flat, faces=flat.faces[:, ::-1], normals=None, filled=filled)
    scene.add(Placement.one("ceiling", ceiling, (0, 0, 0)))
    radiance = make(scene, (0, 0, 5), (0, np.radians(90), 0), outputs=("radiance",)).sense(0)["radiance"]
    assert bool(radiance.mean() > 0.3) is lit and bool(radiance.mean() < 0.2) is not lit


@pytest.mark.parametrize("quality", ["plain", "default", "best"])
def test_a_world_without_daylight_is_black_but_for_its_lamps(quality):
    size = "width: 32, height: 24, mount: {position: [1, 0, 0]}"
    eye = f"{{type: camera, {size}, quality: {quality}, outputs: [radiance]}}"
    robot = f"uav1: {{type: quad, physics: kinematic, sensors: {{scanner: off, eye: {eye}}}}}"
    sim = Simulation(read_scenario(f"world: {{type: cave, lamp_spacing: 900}}\nrobots: {{{robot}}}"))
    sim.step()
    assert sim.scene.dark
    assert sim.sensors["uav1"]["eye"].sense(0)["radiance"].max() < 1e-6


def test_the_grain_of_flat_ground_does_not_repeat():
    """Seen from above, 0.1 m a pixel: moved by the 10 m after which the noise repeats along its own axes, or by more,
    it is not like itself."""
    scene = Scene()
    grass = Material("turf", (0.1, 0.15, 0.05), label="ground", texture="grass")
    scene.add(Placement.one("ground", geometry.box((400, 400, 1)).of(grass), (0, 0, -0.5)))
    about = {"width": 400, "height": 400, "fov_deg": float(np.degrees(2 * np.arctan(20 / 60)))}
    camera = make(scene, (0, 0, 60), (0, np.radians(90), 0), outputs=("radiance",), quality="default", **about)
    light = camera.sense(0)["radiance"].mean(axis=2)
    assert light.std() > 0.05 * light.mean()
    for shift in range(60, 301, 10):
        for one, other in ((light[:, :-shift], light[:, shift:]), (light[:-shift], light[shift:])):
            assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.45
