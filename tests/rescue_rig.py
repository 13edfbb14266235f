"""Sensors of rescue, and people for them."""

import numpy as np

from volery.core import geometry
from volery.core.frames import quat_from_euler
from volery.core.rng import generator
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.world.environment import Environment
from volery.world.world import Placement


def make(cls, config, scene, p=(0, 0, 0), rpy=(0, 0, 0), robot_type="probe", name="uav1", environment=None):
    robot = Robot(name, load_robot_file(robot_type).description())
    robot.show(scene)
    sensor = cls("sensor", config, robot, environment or Environment(scene), generator(0, f"{name}/sensor"))
    put(sensor, p, rpy)
    return sensor


def put(sensor, p, rpy=(0, 0, 0)):
    sensor.robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    sensor.robot.update()


def read(sensor, now_ns=0):
    sensor.measure(now_ns)
    return sensor._waiting.pop().data


def ball(scene, name, material, p, radius=0.2):
    return scene.add(Placement.one(name, geometry.sphere(radius, 16, materials=(material,)), p), moving=True)
