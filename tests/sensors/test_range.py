"""Rangefinder, sonar and USARSim's laser against closed forms."""

import math

import numpy as np
import pytest

from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.core.material import Material
from volery.core.rng import generator
from volery.errors import ScenarioError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.sensors.noise import Noise
from volery.sensors.range import (
    Rangefinder,
    RangefinderConfig,
    Sonar,
    SonarConfig,
    UsarLaser,
    UsarLaserConfig,
    cone,
)
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.world import Placement

MILLIMETRE = 1e-3
STEP = 10_000_000


def make(cls, scene, p=(0, 0, 0), rpy=(0, 0, 0), robot_type="probe", name="uav1", weather=None, **parameters):
    robot = Robot(name, load_robot_file(robot_type).description())
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    robot.update()
    if robot_type != "probe":
        # Probes only carry: several may stand in one place, unseen.
        robot.show(scene)
    environment = Environment(scene, weather=weather or Weather())
    return cls("range", cls.Config(**parameters), robot, environment, generator(0, name))


def wall_scene(distance, yaw=0.0, material=None):
    """A wide wall whose skin is `distance` from the origin, square to the x axis turned by yaw."""
    mesh = geometry.box((1, 400, 400))
    R = matrix_from_quat(quat_from_euler(np.array([0, 0, yaw])))
    scene = Scene()
    scene.add(
        Placement.one("wall", (mesh if material is None else mesh.of(material)).moved(R), R[:, 0] * (distance + 0.5))
    )
    return scene


@pytest.mark.parametrize("yaw", [0.0, 0.5, -1.1])
def test_a_rangefinder_tells_the_distance_ahead(yaw):
    reading = make(Rangefinder, wall_scene(12.0), rpy=(0, 0, yaw)).sense(0)["range"]
    assert reading.shape == (1,) and reading[0] == pytest.approx(12.0 / math.cos(yaw), abs=MILLIMETRE)


def test_a_rangefinder_looking_down_is_an_altimeter():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    mount = Mount(position=(0, 0, -0.2), attitude_deg=(0, 90, 0))
    assert make(Rangefinder, scene, (3, 4, 9.0), mount=mount).sense(0)["range"][0] == pytest.approx(8.8, abs=MILLIMETRE)


@pytest.mark.parametrize(("distance", "said", "clipped"), [(50.0, np.inf, 40.0), (0.3, -np.inf, 0.5)])
def test_nothing_and_too_near_are_told_apart(distance, said, clipped):
    scene = wall_scene(distance)
    assert make(Rangefinder, scene, min_range=0.5).sense(0)["range"][0] == said
    assert make(Rangefinder, scene, name="b", min_range=0.5, clip=True).sense(0)["range"][0] == clipped


def test_usarsims_infrared_sensor_looks_through_glass():
    scene = wall_scene(1.2)
    glass = Material("glass", transparency=0.9)
    scene.add(Placement.one("pane", geometry.box((0.01, 9, 9)).of(glass), (0.505, 0, 0)))
    about = {"min_range": 0.2, "max_range": 1.5}
    assert make(Rangefinder, scene, glass="pass", **about).sense(0)["range"][0] == pytest.approx(1.2, abs=MILLIMETRE)
    seen = make(Rangefinder, scene, name="b", glass="stop", **about).sense(0)["range"][0]
    assert seen == pytest.approx(0.5, abs=MILLIMETRE)


def test_dense_fog_blinds_a_rangefinder():
    scene = wall_scene(35.0)
    assert make(Rangefinder, scene).sense(0)["range"][0] == pytest.approx(35.0, abs=MILLIMETRE)
    foggy = make(Rangefinder, scene, weather=Weather(fog=1.0))
    assert np.mean([foggy.sense(k)["range"][0] == np.inf for k in range(20)]) > 0.9


def test_the_cone_fills_its_angle_evenly():
    d = cone(0.4, 10, 16).astype(float)
    off = np.arccos(np.clip(d[:, 0], -1, 1))
    assert d.shape == (161, 3) and off[0] == 0 and off.max() == pytest.approx(0.2, abs=1e-6)
    assert np.allclose(np.unique(np.round(off, 5)), np.arange(11) * 0.02, atol=1e-4)
    assert np.allclose(d[1:].mean(axis=0)[1:], 0, atol=1e-6)


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.6])
def test_a_sonar_hears_the_nearest_point_of_its_cone(tilt):
    half = 0.4
    sonar = make(Sonar, wall_scene(3.0, tilt), beam_angle=2 * half, cones=40, rays_per_cone=64)
    # The foot of the perpendicular if the cone holds it, else the rim nearest to it.
    exact = 3.0 / math.cos(max(tilt - half, 0.0))
    assert sonar.sense(0)["range"][0] == pytest.approx(exact, abs=2 * MILLIMETRE)


def test_a_sonar_hears_beside_its_axis_what_a_beam_misses():
    scene = wall_scene(4.0)
    scene.add(Placement.one("ball", geometry.sphere(0.2, 96), (2.0, 0.3, 0)))
    exact = math.hypot(2.0, 0.3) - 0.2
    assert make(Sonar, scene, cones=60, rays_per_cone=90).sense(0)["range"][0] == pytest.approx(
        exact, abs=2 * MILLIMETRE
    )
    assert make(Rangefinder, scene, name="b").sense(0)["range"][0] == pytest.approx(4.0, abs=MILLIMETRE)


@pytest.mark.parametrize(("tilt", "heard"), [(0.3, True), (0.4, False)])
def test_a_slanting_wall_sends_the_echo_elsewhere(tilt, heard):
    """Rim at 0.1745 rad, incidence at most 0.1745 rad: walls tilted by less than the sum are heard."""
    sonar = make(Sonar, wall_scene(2.0, tilt), max_incidence=0.1745)
    said = sonar.sense(0)["range"][0]
    assert (said < 2.2) if heard else (said == 5.0)


def test_two_drones_hear_each_other_and_not_themselves():
    scene = Scene()
    one = make(Sonar, scene, (0, 0, 5), robot_type="quad", name="uav1")
    assert one.sense(0)["range"][0] == 5.0
    two = make(Sonar, scene, (2, 0, 5), (0, 0, math.pi), robot_type="quad", name="uav2")
    for sonar in (one, two):
        assert 1.2 < sonar.sense(0)["range"][0] < 2.0
    assert make(Sonar, scene, (0, 0, 50), robot_type="quad", name="uav3", sees_self=True).sense(0)["range"][0] < 5.0


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        ({"model": "sick"}, 181),
        ({"model": "hokuyo"}, 229),
        ({"model": "generic"}, 21),
        ({"fov": 3.14159, "resolution": 0.0174533}, 181),
        ({"fov": 1.0, "resolution": 0.3}, 4),
        ({"fov": 0.0}, 1),
    ],
)
def test_the_laser_has_usarsims_count_of_beams(parameters, count):
    assert len(make(UsarLaser, Scene(), **parameters).sense(0)["range"]) == count


def test_the_laser_scans_from_right_to_left_and_clips():
    laser = make(UsarLaser, wall_scene(3.0, yaw=0.4), max_range=6.0)
    angle = -math.pi / 2 + np.arange(181) * math.radians(1)
    with np.errstate(divide="ignore"):
        exact = 3.0 / np.cos(angle - 0.4)
    exact = np.where((exact > 0) & (exact < 6.0), exact, 6.0)
    said = laser.sense(0)["range"]
    assert np.abs(said - exact).max() < MILLIMETRE
    assert said[160] < said[20] == 6.0


def test_a_laser_in_the_pitch_plane_scans_from_low_to_high():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(400.0)))
    laser = make(UsarLaser, scene, (0, 0, 2.0), plane="pitch", fov=math.pi, resolution=math.pi / 4, clip=False)
    assert laser.sense(0)["range"] == pytest.approx([2.0, 2 * math.sqrt(2), np.inf, np.inf, np.inf], abs=MILLIMETRE)


def test_a_manual_laser_scans_once_per_command():
    laser = make(UsarLaser, wall_scene(3.0), mode="manual", buffer=9)
    times = range(0, 100 * STEP, STEP)
    assert sum(len(laser.update(t, STEP)) for t in times) == 0
    laser.scan()
    kept = laser.state()
    assert [len(laser.update(t, STEP)) for t in times[3:6]] == [1, 0, 0]
    assert laser.latest.stamp_ns == times[3]
    laser.restore(kept)
    assert [len(laser.update(t, STEP)) for t in times[7:9]] == [1, 0]
    automatic = make(UsarLaser, wall_scene(3.0), rate=10.0)
    assert sum(len(automatic.update(t, STEP)) for t in times) == 10
    automatic.scan()
    assert [len(automatic.update(t, STEP)) for t in (103 * STEP, 104 * STEP)] == [1, 0], "one besides its own"


def test_noise_as_usarsim_writes_it():
    noise = {"range": Noise(relative=0.05, kind="uniform")}
    laser = make(UsarLaser, wall_scene(3.0), noise=noise, fov=1e-3, resolution=1e-6)
    said = laser.update(0, 1)[0].data["range"]
    assert np.abs(said / 3.0 - 1).max() <= 0.05 + 1e-6 and said.std() == pytest.approx(0.15 / math.sqrt(3), rel=0.1)


@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        (RangefinderConfig, {"min_range": 50.0}),
        (RangefinderConfig, {"max_range": -1.0}),
        (RangefinderConfig, {"glass": "melt"}),
        (SonarConfig, {"beam_angle": 4.0}),
        (SonarConfig, {"cones": 1000, "rays_per_cone": 1000}),
        (SonarConfig, {"max_incidence": 0.0}),
        (SonarConfig, {"rays_per_cone": 0}),
        (UsarLaserConfig, {"resolution": 0.0}),
        (UsarLaserConfig, {"resolution": 1e-7}),
        (UsarLaserConfig, {"fov": 7.0}),
        (UsarLaserConfig, {"model": "sck"}),
        (UsarLaserConfig, {"mode": "sometimes"}),
        (UsarLaserConfig, {"min_range": 20.0}),
        (UsarLaserConfig, {"max_range": float("nan")}),
    ],
)
def test_absurd_parameters_are_refused(config, parameters):
    with pytest.raises(ScenarioError):
        config(**parameters)
