"""Pictures of a robot from behind, by the same camera that robots carry."""

from __future__ import annotations

import numpy as np

from volery.core.frames import quat_from_euler
from volery.core.rng import generator
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig
from volery.world.environment import Environment

__all__ = ["chase"]


def chase(
    environment: Environment, size: tuple[int, int], now_ns: int, p_W: np.ndarray, yaw: float, away: float = 2.5
) -> np.ndarray:
    """What a camera sees, uint8 [height, width, 3], that follows a place p_W [m], `away` behind it [m] by a heading
    [rad] and a little above; size: width and height. It comes nearer where something is in between."""
    back = np.array([-np.cos(yaw), -np.sin(yaw), 0.35])
    way = back / np.linalg.norm(back)
    start = p_W + 0.4 * away * way
    free = float(environment.scene.cast(start, way[None], max_range=away).distance[0])
    eye = Robot("picture", load_robot_file("probe").description())
    q = quat_from_euler(np.array([0.0, np.arctan2(way[2], np.hypot(way[0], way[1])), yaw]))
    eye.set_pose(start + min(0.6 * away, 0.8 * free) * way, q)
    eye.update()
    config = CameraConfig(outputs=("rgb",), width=size[0], height=size[1], fov_deg=75.0)
    return Camera("picture", config, eye, environment, generator(0, "picture")).sense(now_ns)["rgb"]
