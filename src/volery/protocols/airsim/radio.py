"""Radio beacons as Cosys-AirSim's UWB and Wifi sensors hear them: signals go straight or by walls, and grow weaker.

Beacons are things of the world whose names say so: uwbBeacon…, wifiBeacon….
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from volery.errors import SimulationError
from volery.protocols.airsim.arguments import rpc, text
from volery.protocols.airsim.ned import ned
from volery.protocols.airsim.sensor_calls import relative_pose
from volery.protocols.airsim.settings_parts import SensorSettings
from volery.protocols.airsim.vehicle_setup import mounted_pose
from volery.protocols.airsim.vehicles import Vehicle
from volery.world.scene.scene import Scene

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Heard", "hear"]

_KINDS = {"UWB": (10, "uwbbeacon", 0.046), "Wifi": (11, "wifibeacon", 0.125)}
"""Number of the type of sensor, how names of its beacons begin, and the wavelength of its channel [m]."""
_REACH, _BOUNCES, _PER_BOUNCE = 200.0, 5, 6.0
"""A signal ends after this way [m] and so many walls, each of which takes so much of it [dB]."""
_LIFT = 1e-3
"""A reflected signal starts this far off a wall [m]."""


class Heard(NamedTuple):
    """A beacon that is heard, by its strongest signal."""

    name: str
    p_W: np.ndarray
    way: float
    """That the signal went [m]."""
    strength: int
    """Against what was sent [dB]."""


def hear(scene: Scene, X_WS: np.ndarray, owner: str, beacons: dict[str, int], wavelength: float, traces: int,
         opening_deg: float) -> list[Heard]:  # fmt: skip
    """Beacons (number of their thing by name) that a sensor at a pose [3, 4] hears, by name."""
    best: dict[int, Heard] = {}
    names = {number: name for name, number in beacons.items()}
    middles = {number: _middle(scene, name) for name, number in beacons.items()}
    ways = np.concatenate(
        [_straight(X_WS, list(middles.values()), opening_deg), _cap(traces, opening_deg) @ X_WS[:, :3].T]
    )
    p, v, gone = np.tile(X_WS[:, 3], (len(ways), 1)), ways, np.zeros(len(ways))
    for bounce in range(_BOUNCES + 1):
        if len(v) == 0 or not names:
            break
        hits = scene.cast(p, v, max_range=_REACH, ignore=owner)
        gone, number = gone + hits.distance, hits.object
        alive = hits.hit & (gone <= _REACH)
        for i in np.flatnonzero(alive & np.isin(number, list(names))):
            which, way = int(number[i]), float(gone[i])
            strength = round(_loss(way, wavelength) - _PER_BOUNCE * bounce)
            if which not in best or strength > best[which].strength:
                best[which] = Heard(names[which], middles[which], way, strength)
        points, normal = hits.points[alive], hits.normal[alive].astype(float)
        v, gone = v[alive], gone[alive]
        normal *= -np.sign(np.einsum("ij,ij->i", v, normal))[:, None]
        v = v - 2.0 * np.einsum("ij,ij->i", v, normal)[:, None] * normal
        p = points + _LIFT * normal
    return sorted(best.values(), key=lambda found: found.name)


def _loss(way: float, wavelength: float) -> float:
    """What free space takes of a signal [dB], by Friis."""
    return min(-20.0 * math.log10(4.0 * math.pi * max(way, 1e-3) / wavelength), 0.0)


def _middle(scene: Scene, name: str) -> np.ndarray:
    """The middle of a thing's box."""
    item = scene.objects[name]
    vertices = np.concatenate([
        mesh.vertices @ X[:, :3].T + X[:, 3] for mesh, X in zip(item.meshes, item.X_WO, strict=False)
    ])  # fmt: skip
    middle: np.ndarray = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    return middle


def _straight(X_WS: np.ndarray, middles: list[np.ndarray], opening_deg: float) -> np.ndarray:
    """Directions to beacons that lie within the opening, [n, 3]."""
    ways = np.array(middles).reshape(-1, 3) - X_WS[:, 3]
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    inside: np.ndarray = ways[ways @ X_WS[:, 0] >= math.cos(math.radians(min(opening_deg, 360.0)) / 2)]
    return inside


def _cap(count: int, opening_deg: float) -> np.ndarray:
    """Unit vectors (forward, left, up), evenly within the opening about forward, [n, 3]."""
    k = np.arange(count) + 0.5
    x = 1.0 - (1.0 - math.cos(math.radians(min(opening_deg, 360.0)) / 2)) * k / max(count, 1)
    across, angle = np.sqrt(np.maximum(1.0 - x * x, 0.0)), k * math.pi * (3.0 - math.sqrt(5.0))
    return np.stack([x, across * np.cos(angle), across * np.sin(angle)], axis=1)


def _measure(
    door: AirSim, what: str, name: str, vehicle: str
) -> tuple[Vehicle, SensorSettings, np.ndarray, list[Heard]]:
    kind, start, wavelength = _KINDS[what]
    found = door.vehicle(vehicle)
    sensor = found.sensor(kind, name, f"{what} sensor")
    scene = door.simulation.scene
    beacons = {n: item.number for n, item in scene.objects.items() if n.lower().startswith(start)}
    traces, opening = (sensor.values.get(k, d) for k, d in (("NumberOfTraces", 500), ("SensorOpeningAngle", 360.0)))
    if not isinstance(traces, int) or not 0 <= traces <= 20_000:
        raise SimulationError(f"sensor '{sensor.name}': NumberOfTraces = {traces!r} must be 0 to 20000")
    if isinstance(opening, bool | str) or not 0.0 < opening <= 360.0:
        raise SimulationError(f"sensor '{sensor.name}': SensorOpeningAngle = {opening!r} must be above 0, at most 360")
    X_WS = mounted_pose(sensor, found.robot)
    return found, sensor, X_WS, hear(scene, X_WS, found.name, beacons, wavelength, traces, float(opening))


def _places(door: AirSim, heard: list[Heard]) -> np.ndarray:
    """Of beacons, in world NED [n, 3] [m]."""
    return np.array([ned(h.p_W - door.origin_W) for h in heard]).reshape(-1, 3)


def _add(what: str, letters: str) -> None:
    def ranges(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
        _, sensor, X_WS, heard = _measure(door, what, name, vehicle)
        (x, y, z), tag = _places(door, heard).T.tolist(), ned(X_WS[:, 3] - door.origin_W).tolist()
        one = f"{letters}r"
        return {
            "time_stamp": [door.now_ns] * len(heard), f"{one}_achorId": [h.name for h in heard],
            f"{one}_anchorX": x, f"{one}_anchorY": y, f"{one}_anchorZ": z,
            f"{one}_anchor_valid_range": [1] * len(heard),
            f"{one}_anchor_distance": [h.way for h in heard], f"{one}_anchor_rssi": [float(h.strength) for h in heard],
            f"{one}a_tagId": [sensor.name], f"{one}a_tagX": [tag[0]], f"{one}a_tagY": [tag[1]],
            f"{one}a_tagZ": [tag[2]],
            f"{one}a_ranges": [list(range(len(heard)))],
        }  # fmt: skip

    def active(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
        _, sensor, _, heard = _measure(door, what, name, vehicle)
        x, y, z = _places(door, heard).T.tolist()
        return {
            "time_stamp": door.now_ns, "pose": relative_pose(sensor), "beaconsActiveID": [h.name for h in heard],
            "beaconsActiveRssi": [float(h.strength) for h in heard], "beaconsActivePosX": x, "beaconsActivePosY": y,
            "beaconsActivePosZ": z,
        }  # fmt: skip

    ranges.__doc__ = f"Distances to beacons that a {what} sensor hears, and where it is itself."
    active.__doc__ = f"Beacons that a {what} sensor hears."
    rpc(f"get{what}Data", text, text)(ranges)
    rpc(f"get{what}SensorData", text, text)(active)


_add("UWB", "mu")
_add("Wifi", "w")
