"""What the box scanner tells over the bus, as in the ELAHA thesis: a cone, the ruin, and surfaces beside pictures."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from volery.bus.bus import Bus, BusConfig
from volery.bus.elaha import ElahaNames
from volery.core.geometry import cone
from volery.errors import BusError
from volery.report.picture import picture
from volery.scenario import read_scenario
from volery.sensors.scanner import FACES
from volery.sim import Simulation
from volery.tools.bench.bus import free_port
from volery.tools.theses.relief import PinholeCamera, eye_on
from volery.world.world import Placement, World

__all__ = [
    "CONE", "PER_EDGE", "ScanSite", "Scanned", "about", "cone_heights", "places", "received", "scan_cone", "scan_place",
    "scan_ruin",
]  # fmt: skip

PER_EDGE = 51
"""Rays along the edge of a face."""
CONE = (12.0, 9.0, 48)
"""Radius, height [m] and sides of the cone."""
_KIND = "sensor_msgs/msg/PointCloud2"
_TEXT = """
seed: 1
world: {world}
robots:
  plane:
    type: probe
    physics: kinematic
    position: {position}
    sensors:
      scanner: {{type: scanner, form: box, resolution: {resolution}, extent: {extent}, range: {range}, rate: 100}}
"""


class ScanSite(NamedTuple):
    """Somewhere in the ruin that is scanned from above."""

    name: str
    middle: tuple[float, float, float]
    """[m]."""
    reach: float
    """Half the edge of what is scanned [m]."""
    above: float
    """Height of the scanner over it [m]."""
    lift: float = 0.0
    """How far above it the camera looks [m], if it is tall."""


class Scanned(NamedTuple):
    """What a listener got."""

    points: np.ndarray
    """In W [faces, n, n, 3] [m]."""
    occupied: np.ndarray
    """[faces, n, n]."""
    picture: np.ndarray
    """Of the same place, RGB [h, w, 3]."""
    eye: PinholeCamera
    """That took it."""
    hidden: np.ndarray
    """Whether the camera cannot see a point, [faces, n, n]."""


def received(simulation: Simulation, faces: tuple[str, ...] = FACES) -> tuple[np.ndarray, np.ndarray]:
    """Points [f, n, n, 3] and occupancy [f, n, n] of faces of a scan, as another session on the bus receives them under
    the platform's own names."""
    endpoint = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[endpoint])) as bus, Bus(BusConfig(connect=[endpoint], node="listener")) as other:
        names = ElahaNames(simulation, bus, "plane")
        simulation.listeners.append(names)
        topics = [f"/ScannerFace{f[0].upper()}{f[2:].capitalize()}" for f in faces]
        heard = [other.subscribe(topic, _KIND) for topic in topics]
        end = time.monotonic() + 30.0
        while any(h.latest() is None for h in heard):
            if time.monotonic() > end:
                raise BusError("no scan came over the bus within 30 s")
            simulation.step()
            time.sleep(0.01)
        clouds = [np.frombuffer(_newest(h).value.data, np.float32).reshape(-1, 4) for h in heard]
        simulation.listeners.remove(names)
        names.close()
    found = np.stack(clouds).reshape(len(faces), PER_EDGE, PER_EDGE, 4).astype(float)
    return found[..., :3], found[..., 3] == 1


def _simulation(world: str, position: tuple[float, ...], reach: float, far: float) -> Simulation:
    resolution = 2 * reach / (PER_EDGE - 1)
    text = _TEXT.format(world=world, position=list(position), resolution=resolution, extent=reach, range=far)
    return Simulation(read_scenario(text))


def _scanned(simulation: Simulation, faces: tuple[str, ...], eye: PinholeCamera, coarse: int) -> Scanned:
    points, occupied = received(simulation, faces)
    simulation.remove("plane")
    size = (eye.width // coarse, eye.height // coarse)
    image = picture(simulation.environment, 0, eye.X_WC, "colour", *size, eye.fov)
    image = image.repeat(coarse, axis=0).repeat(coarse, axis=1)
    flat = points.reshape(-1, 3)
    # From a little before the surface, which would hide itself.
    way = eye.X_WC[:, 3] - flat
    near = flat + 0.02 * way / np.linalg.norm(way, axis=1, keepdims=True)
    hidden = simulation.scene.occluded(eye.X_WC[:, 3], near)
    return Scanned(points, occupied, image, eye, hidden.reshape(occupied.shape))


def cone_heights(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Of the ground with the cone on it, exactly [m]: the lowest of its side planes."""
    radius, height, sides = CONE
    middle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    reach = (x[..., None] * np.cos(middle) + y[..., None] * np.sin(middle)).max(axis=-1)
    return np.maximum(0.0, height * (1 - reach / (radius * np.cos(np.pi / sides))))


def scan_cone(coarse: int = 1) -> Scanned:
    """The face below of a box scan of 51 × 51 rays 1 m apart, over a cone on flat ground.

    coarse: edge of the picture's squares [pixels], here and below; a divisor of its size."""
    simulation = _simulation("empty", (0.0, 0.0, 20.0), 25.0, 25.0)
    simulation.scene.add(Placement.one("cone", cone(*CONE)))
    return _scanned(simulation, ("z_neg",), eye_on(np.array([0.0, 0.0, 0.0]), 25.0), coarse)


def scan_ruin(coarse: int = 1) -> Scanned:
    """All six faces at the tower, 1 m apart, 25 m each way."""
    simulation = _simulation("ruin", (14.0, 4.0, 6.0), 25.0, 25.0)
    return _scanned(simulation, FACES, eye_on(np.array([14.0, 4.0, 3.0]), 25.0), coarse)


def places(world: World) -> list[ScanSite]:
    """Water, small dry rocks close together, the biggest rock and the tower, where this ruin has them."""
    things = {p.name: p for p in world.generate((0, 0))}
    rocks = things["rocks"].X_WO
    p, size = rocks[:, :, 3], np.cbrt(np.linalg.det(rocks[:, :, :3]))
    dry = p[:, 2] > things["water"].X_WO[0, 2, 3] + 0.3
    small = p[(size < 0.4) & dry]
    near = (np.linalg.norm(small[:, None] - small[None], axis=2) < 1.5).sum(axis=1)
    pond, tower = (tuple(things[n].X_WO[0, :, 3].tolist()) for n in ("water", "tower"))
    few, big = (tuple(q.tolist()) for q in (small[near.argmax()], p[size.argmax()]))
    return [
        ScanSite("water", pond, 15.0, 8.0), ScanSite("small rocks", few, 1.75, 5.0),
        ScanSite("a big rock", big, 2.5, 6.0), ScanSite("the ruined tower", (*tower[:2], 0.0), 7.5, 18.0, 4.5),
    ]  # fmt: skip


def scan_place(place: ScanSite, coarse: int = 1) -> Scanned:
    """51 × 51 rays from above, and the camera's picture of the same place."""
    x, y, z = place.middle
    simulation = _simulation("ruin", (x, y, z + place.above), place.reach, place.above + 10.0)
    eye = eye_on(np.array([x, y, z + place.lift]), place.reach + place.lift)
    return _scanned(simulation, ("z_neg",), eye, coarse)


def about(scanned: Scanned) -> dict[str, Any]:
    """Numbers of a scan."""
    z = scanned.points[..., 2][scanned.occupied]
    return {"rays": int(scanned.occupied.size), "occupied": int(scanned.occupied.sum()),
            "low": float(z.min()), "high": float(z.max()), "median": float(np.median(z))}  # fmt: skip


def _newest(heard: Any) -> Any:
    return heard.latest()
