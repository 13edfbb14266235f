"""Headlights: where they shine, what they tell, and what a camera sees by them."""

import numpy as np
import pytest

from volery.core import geometry
from volery.core.frames import quat_from_euler
from volery.core.material import Material
from volery.core.rng import generator
from volery.errors import CommandError, ScenarioError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sensors.camera import Camera, CameraConfig
from volery.sensors.headlight import Headlight, HeadlightConfig
from volery.sim import Simulation
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.sky import Sky
from volery.world.world import Placement

NIGHT = Sky(start="2024-06-20T23:00:00+00:00")


def make(cls, config, environment, p=(0, 0, 0), rpy=(0, 0, 0), name="uav1"):
    robot = Robot(name, load_robot_file("probe").description())
    robot.show(environment.scene)
    sensor = cls("sensor", config, robot, environment, generator(0, f"{name}/sensor"))
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    robot.update()
    return sensor


def test_a_headlight_shines_where_its_mount_points_and_tells_its_state():
    mount = Mount(position=(0.2, 0, 0), attitude_deg=(0, 30, 0))
    config = HeadlightConfig(light=8.0, colour=(1.0, 0.5, 0.25), cone_deg=60.0, intensity=0.5, mount=mount)
    lamp = make(Headlight, config, Environment(Scene()), (1, 2, 3), (0, 0, np.pi / 2))
    spot = lamp.spot()
    assert spot.p_W == pytest.approx([1, 2.2, 3])
    assert spot.ahead_W == pytest.approx([0, np.cos(np.pi / 6), -0.5])
    assert spot.light == pytest.approx([4.0, 2.0, 1.0]) and spot.cosine == pytest.approx(np.cos(np.pi / 6))
    data = lamp.sense(0)
    assert data["lit"].tolist() == [True] and data["intensity"].tolist() == [0.5]
    lamp.dim(1.0)
    assert lamp.spot().light == pytest.approx([8.0, 4.0, 2.0])
    lamp.switch(False)
    assert lamp.spot() is None and lamp.environment.spots() == [] and not lamp.sense(0)["lit"][0]
    lamp.toggle()
    assert lamp.sense(0)["lit"][0]
    lamp.toggle()
    assert not lamp.sense(0)["lit"][0]
    for bad in (-0.1, 1.1, np.nan):
        with pytest.raises(CommandError, match=r"0 to 1|finite"):
            lamp.dim(bad)
    assert lamp.intensity == 1.0


def test_a_robot_takes_its_light_with_it():
    text = "{step: 0.01, world: blocks, robots: {a: {type: probe, sensors: {lamp: {type: headlight}}}}}"
    sim = Simulation(read_scenario(text))
    assert len(sim.environment.spots()) == 1
    sim.remove("a")
    assert sim.environment.spots() == []
    sim.reset()
    assert len(sim.environment.spots()) == 1


def wall(distance=4.0):
    """A wall across x at night, in grey of 0.5."""
    scene = Scene()
    grey = Material("grey", (0.5, 0.5, 0.5))
    scene.add(Placement.one("wall", geometry.box((1, 60, 60), materials=(grey,)), (distance + 0.5, 0, 0)))
    return Environment(scene, sky=NIGHT)


def light_on(environment, lamp, p=(0, 0, 0.3)):
    """Light that a lamp adds to what another robot's camera at p sees, [n, 3], as on grey of 0.5; and where, [n, 3]."""
    config = CameraConfig(outputs=("radiance", "depth"), width=32, height=24, fov_deg=80.0, quality="fast")
    camera = make(Camera, config, environment, p, name="watcher")
    dark = camera.sense(0)
    assert dark["radiance"].max() < 1e-3
    lamp.switch(True)
    data = camera.sense(0)
    ways = np.empty((32 * 24, 3))
    ways[camera._optics.pattern.pixel] = camera._optics.pattern.directions
    points = camera.X_WC[:, 3] + data["depth"].reshape(-1, 1) * (ways @ camera.X_WC[:, :3].T)
    return (data["radiance"] - dark["radiance"]).reshape(-1, 3) / 0.5, points


def test_a_wall_in_the_cone_is_lit_by_the_square_of_the_distance_and_the_cosine():
    """Lambert: light · cos(incidence) / d², seen through the air between the wall and another robot's camera."""
    around = wall()
    lamp = make(Headlight, HeadlightConfig(light=8.0, cone_deg=60.0, lit=False), around, (0, 0.5, 0), name="bearer")
    light, points = light_on(around, lamp)
    to = points - [0, 0.5, 0]
    away = np.linalg.norm(to, axis=1)
    cosine = to[:, 0] / away
    rim = np.cos(np.pi / 6)
    inside, outside = cosine > rim + 0.21 * (1 - rim), cosine < rim - 1e-3
    assert inside.sum() > 200 and outside.sum() > 50
    seen = np.exp(-np.linalg.norm(points - [0, 0, 0.3], axis=1) / 2500.0)
    expected = (cosine / away**2 * seen)[:, None] * 8.0 * np.array([1.0, 0.95, 0.85])
    assert light[inside] == pytest.approx(expected[inside], rel=0.01)
    assert np.abs(light[outside]).max() < 1e-6
    lamp.dim(0.25)
    dimmed, _ = light_on_again(around, lamp)
    assert dimmed[inside] == pytest.approx(0.25 * light[inside], rel=1e-3)


def light_on_again(environment, lamp):
    for name in [n for n in environment.scene.objects if n.startswith("watcher")]:
        environment.scene.remove(name)
    lamp.switch(False)
    return light_on(environment, lamp)


def test_a_screen_throws_a_shadow_in_the_light():
    around = wall()
    lamp = make(Headlight, HeadlightConfig(light=8.0, cone_deg=120.0, lit=False), around, (0, 0, 0), name="bearer")
    around.scene.add(Placement.one("screen", geometry.box((0.02, 0.5, 0.5)), (2.0, 1.0, 0)))
    light, points = light_on(around, lamp, (0, -1.0, 0.3))
    on_wall = np.abs(points[:, 0] - 4.0) < 0.01
    # The screen reaches from y = 0.75 to 1.25 at half the way: its shadow is twice as large
    y, z = points[:, 1], points[:, 2]
    shadow = on_wall & (np.abs(y - 2.0) < 0.45) & (np.abs(z) < 0.45)
    beside = on_wall & (np.abs(y + 2.0) < 0.45) & (np.abs(z) < 0.45)
    assert shadow.sum() > 3 and beside.sum() > 3
    assert np.abs(light[shadow]).max() < 1e-6 < 0.1 < light[beside].min()


@pytest.mark.parametrize("bad", [{"intensity": 1.5}, {"light": -1.0}, {"cone_deg": 0.0}, {"colour": (2.0, 0.0, 0.0)}])
def test_absurd_parameters_are_refused(bad):
    with pytest.raises(ScenarioError):
        HeadlightConfig(**bad)
