"""Draw the pictures of the reference's component pages: scripts/component_pictures.py [KIND-NAME ...].

Worlds from their start, scenarios behind their first robot, robots from ahead, and what cameras and lidars saw.
Without names, only those that are missing. They go to docs/images/components.
"""

from __future__ import annotations

import sys

import numpy as np
from component_pages import KINDS, PICTURES
from PIL import Image

from volery.commands.look import overview
from volery.errors import VoleryError
from volery.report.component import names_of
from volery.report.picture import camera_pose, picture
from volery.scenario import read_scenario
from volery.sim import Simulation

_SIZE, _FOV = (480, 270), np.radians(70.0)
_SEEN = """
seed: 5
world: {type: warehouse, seed: 1}
robots:
  r1: {type: x500, position: [19, -6.7, 2.5], attitude_deg: [0, 0, 180], sensors: {mine: {type: %s}}}
"""
_FROM = {"arena": ((-9.0, -6.5, 6.0), 38.0, -32.0)}
"""Where a world is seen from, if its start shows little of it: place [m], yaw and pitch [degrees]."""
_CAMERAS = {"camera"}
_CLOUDS = {"lidar": "points", "scanner": "points"}


def draw(kind: str, name: str) -> np.ndarray | None:
    """A picture of a component; None: there is nothing to be seen of it."""
    if kind == "scenarios":
        with Simulation(name) as simulation:
            if not simulation.robots:
                return _of_world(simulation)
            if name.startswith("elaha"):
                # Its wing is 16 m wide.
                where = simulation.robot("elaha").p_WB + [-14.0, -12.0, 7.0]
                return _shot(simulation, camera_pose(where, np.radians(40.0), np.radians(-18.0)))
            return _shot(simulation, overview(simulation))
    if kind == "worlds":
        with Simulation(read_scenario(f"seed: 1\nworld: {name}\n")) as simulation:
            return _of_world(simulation)
    if kind == "robots":
        return _of_robot(name)
    if kind == "sensors" and name in _CAMERAS | set(_CLOUDS):
        return _of_sensor(name)
    return None


def _shot(simulation: Simulation, X_WC: np.ndarray) -> np.ndarray:
    return picture(simulation.environment, simulation.clock.now_ns, X_WC, "colour", *_SIZE, float(_FOV), "default")


def _of_world(simulation: Simulation) -> np.ndarray:
    """Along the way with the longest view from the start."""
    if simulation.scenario.world_type in _FROM:
        place, yaw, pitch = _FROM[simulation.scenario.world_type]
        return _shot(simulation, camera_pose(np.array(place), np.radians(yaw), np.radians(pitch)))
    start = np.array(simulation.world.spawn(), float) + [0.0, 0.0, 0.5]
    yaws = np.radians(np.arange(0, 360, 15.0))
    ways = np.stack([np.cos(yaws), np.sin(yaws), np.zeros_like(yaws)], axis=1)
    far = np.minimum(simulation.scene.cast(start, ways, max_range=60.0).distance, 60.0)
    best = float(yaws[int(np.argmax(np.convolve(np.tile(far, 3), np.ones(3), "same")[len(far) : 2 * len(far)]))])
    return _shot(simulation, camera_pose(start, best, np.radians(-6.0)))


def _of_robot(name: str) -> np.ndarray:
    """From ahead on the left, above, as near as it fits; on open ground."""
    with Simulation(
        read_scenario(f"world: empty\nrobots: {{r1: {{type: {name}, position: [0, 0, 3]}}}}\n")
    ) as simulation:
        scene = simulation.scene
        middle = np.array([0.0, 0.0, 3.0])
        a, b = np.meshgrid(np.radians(np.arange(0, 360, 3.0)), np.radians(np.arange(-88, 89, 4.0)))
        rays = np.stack([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)], axis=-1).reshape(-1, 3)
        # From outside inwards: how far its surface is from its middle.
        hits = np.array([scene.cast(middle + 40.0 * r, -r[None], max_range=45.0).distance[0] for r in rays])
        on = np.isfinite(hits) & (hits < 39.99)
        places = middle + rays[on] * (40.0 - hits[on, None])
        places = places[places[:, 2] > 0.02]
        if len(places):
            middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
            size = float(np.linalg.norm(places - middle, axis=1).max())
        else:
            size = 0.5
        away = 1.45 * size / np.tan(0.5 * _FOV * _SIZE[1] / _SIZE[0])
        yaw, pitch = np.radians(215.0), np.radians(-24.0)
        look = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
        return _shot(simulation, camera_pose(middle - away * look, float(yaw), float(pitch)))


def _of_sensor(name: str) -> np.ndarray:
    """What it saw in an aisle of the warehouse: a picture, or points over a dark one."""
    with Simulation(read_scenario(_SEEN % name)) as simulation:
        simulation.run(seconds=0.2)
        reading = simulation.sensor("r1", "mine").latest
        assert reading is not None
        if name in _CAMERAS:
            return np.asarray(
                Image.fromarray(reading["rgb"]).resize((480, 480 * reading["rgb"].shape[0] // reading["rgb"].shape[1]))
            )
        sensor = simulation.sensor("r1", "mine")
        X_WS = sensor.X_WS
        points = reading[_CLOUDS[name]].reshape(-1, 3).astype(float)
        points = points[np.isfinite(points).all(axis=1)] @ X_WS[:, :3].T + X_WS[:, 3]
        X_WC = camera_pose(np.array([23.5, -6.7, 4.2]), np.pi, np.radians(-12.0))
        image = (0.35 * _shot(simulation, X_WC)).astype(np.uint8)
        local = (points - X_WC[:, 3]) @ X_WC[:, :3]
        local = local[local[:, 0] > 0.3]
        focal = 0.5 * _SIZE[0] / np.tan(0.5 * _FOV)
        u = (0.5 * _SIZE[0] - focal * local[:, 1] / local[:, 0]).astype(int)
        v = (0.5 * _SIZE[1] - focal * local[:, 2] / local[:, 0]).astype(int)
        inside = (u >= 0) & (u < _SIZE[0] - 1) & (v >= 0) & (v < _SIZE[1] - 1)
        near = np.clip(1.0 - local[:, 0] / 30.0, 0.2, 1.0)
        colour = (np.stack([near, 0.9 - 0.3 * near, 1.0 - 0.7 * near], axis=1) * 255).astype(np.uint8)
        for du, dv in ((0, 0), (1, 0), (0, 1), (1, 1)):
            image[v[inside] + dv, u[inside] + du] = colour[inside]
        return image


def main() -> None:
    """Draw what is missing, or what was named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        for name in names_of(kind):
            file = PICTURES / f"{kind}-{name}.jpg"
            if file.stem not in sys.argv[1:] if sys.argv[1:] else file.exists():
                continue
            try:
                image = draw(kind, name)
            except VoleryError as error:
                print(f"{file.stem}: no picture: {error}")
                continue
            if image is not None:
                Image.fromarray(image).save(file, quality=72, optimize=True)
                print(file.stem, file.stat().st_size, flush=True)


if __name__ == "__main__":
    main()
