"""A camera on a probe in a scene, and the rays that its pixels stand for."""

from dataclasses import replace

import numpy as np

from volery.core.frames import quat_from_euler
from volery.core.rng import generator
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig
from volery.world.environment import Environment
from volery.world.sky import Sky
from volery.world.weather import Weather

NOON = Sky(start="2024-06-21T12:00:00+00:00", latitude=23.44, longitude=0.0)
"""The sun stands within a degree of the zenith."""

NIGHT = replace(NOON, start="2024-06-21T00:00:00+00:00")


def make(scene, p=(0, 0, 0), rpy=(0, 0, 0), robot_type="probe", name="uav1", sky=NOON, weather=None, **parameters):
    robot = Robot(name, load_robot_file(robot_type).description())
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    robot.update()
    if robot_type != "probe":
        robot.show(scene)
    wanted = ("depth", "depth_planar", "labels", "instances")
    parameters = {"auto_exposure": False, "width": 64, "height": 48, "outputs": wanted, **parameters}
    environment = Environment(scene, sky=sky, weather=weather or Weather())
    return Camera("camera", CameraConfig(**parameters), robot, environment, generator(0, name))


def pinhole_rays(width, height, fov):
    """Unit directions [h, w, 3] in the camera's frame, written independently of the camera."""
    focal = width / 2 / np.tan(fov / 2)
    rays = np.empty((height, width, 3))
    for v in range(height):
        for u in range(width):
            d = np.array([focal, width / 2 - u - 0.5, height / 2 - v - 0.5])
            rays[v, u] = d / np.linalg.norm(d)
    return rays
