"""Touch and force: contact switches, what a robot collides with, and forces in its joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.config import param
from volery.robots.robot import Robot
from volery.sensors.outputs import Fields, Output, array_output, text_output
from volery.sensors.sensor import RaySensor, Reading, Sensor, SensorConfig
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits
from volery.world.environment import Environment

__all__ = ["Collision", "CollisionConfig", "ContactSwitch", "ContactSwitchConfig", "ForceTorque"]

_DEEPEST = 20.0
"""How far inside a thing a robot still knows it [m]."""


@dataclass(frozen=True)
class ContactSwitchConfig(SensorConfig):
    """Parameters of a contact switch: a round plate that looks along the sensor's x."""

    diameter: float = param(0.01, low=0.0, high=10.0)
    """[m]."""
    travel: float = param(0.003, above=0, high=1.0)
    """How near a thing must come [m]."""
    depth: float = param(0.02, low=0.0, high=1.0)
    """How far a thing may reach in behind the plate and still be felt [m]."""
    rings: int = param(2, low=0, high=100)
    """Circles of six, twelve, … rays round the middle one."""
    channel: str | None = None
    """What can be felt: a channel of the scenario; by default all."""


def _solid(hits: Hits, environment: Environment) -> np.ndarray:
    """Rays that met something one cannot pass through, bool [n]."""
    table = np.array([*(m.solid for m in environment.scene.materials.all), False])
    return table[hits.material]


class ContactSwitch(RaySensor):
    """Reading: touch [1] (bool), distance [1] to the nearest solid surface before the plate [m], inf beyond travel."""

    Config: ClassVar[type[SensorConfig]] = ContactSwitchConfig
    noisy: ClassVar[tuple[str, ...]] = ("distance",)
    config: ContactSwitchConfig

    def __init__(
        self, name: str, config: ContactSwitchConfig, robot: Robot, environment: Environment,
        generator: np.random.Generator,
    ) -> None:  # fmt: skip
        super().__init__(name, config, robot, environment, generator)
        plate = [(0.0, 0.0)]
        for ring in range(1, config.rings + 1):
            angle = np.arange(6 * ring) * 2 * np.pi / (6 * ring)
            radius = config.diameter / 2 * ring / config.rings
            plate += list(zip(radius * np.cos(angle), radius * np.sin(angle), strict=True))
        # Rays start behind the plate, so that what is pressed into it is met as well
        self._origins = np.array([(-config.depth, y, z) for y, z in plate], np.float32)
        self._directions = np.tile(np.array([1, 0, 0], np.float32), (len(plate), 1))
        self._far = np.array([config.depth + config.travel], np.float32)
        scene = environment.scene
        self._mask, self._ignore = scene.channel(config.channel), scene.group(robot.name)
        self._hits = Hits(scene, len(plate), normals=False)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """Short rays before the plate."""
        X = self.X_WS
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        yield Cast(self._origins, self._directions, R, p, self._far, self._hits, self._mask, self._ignore)
        met = self._hits.distance[_solid(self._hits, self.environment)]
        nearest = max(float(met.min()) - self.config.depth, 0.0) if len(met) else np.inf
        return {"touch": np.array([len(met) > 0]), "distance": np.array([nearest])}

    def outputs(self) -> list[Output]:
        """Whether it touches."""
        return [Output("", "std_msgs/msg/Bool", lambda r: {"data": r.data["touch"][0]}, view="series", path="data")]


@dataclass(frozen=True)
class CollisionConfig(SensorConfig):
    """Parameters of a collision sensor, which feels with the robot's whole surface."""

    margin: float = param(0.005, low=0.0, high=10.0)
    """A thing this near counts as touched [m]."""
    feelers: int = param(256, low=6, high=100_000)
    """Most points on each body that feel."""
    channel: str | None = None
    """What can be felt: a channel of the scenario; by default all."""


def _feelers(vertices: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The middle of a shape and points spread over its corners, [3] and [n ≤ most, 3] [m]."""
    points = np.unique(vertices.astype(np.float64), axis=0)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    points = points[np.linalg.norm(points - middle, axis=1) > 1e-6]
    if len(points) <= most:
        return middle, points
    # Farthest first: any number of them covers the shape evenly
    chosen = [int(np.argmax(np.linalg.norm(points - middle, axis=1)))]
    distance = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < most:
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return middle, points[np.sort(chosen)]


class Collision(RaySensor):
    """What the robot touches. Where its engine knows, all that it touched since the reading before; else by rays from
    the middle of each of its bodies to points of its surface: a thing that such a ray meets on its way (or within the
    margin) reaches into the body. So does one that holds a middle inside.

    Reading, k things touched, deepest first: object [k] number of the scene's object; name [k] of it; point [k, 3] in W
    [m] of the deepest contact; normal [k, 3] in W, from the thing to the robot; depth [k] [m], negative within the
    margin; count [1] of collisions so far: touching a thing that was not touched at the reading before.
    """

    Config: ClassVar[type[SensorConfig]] = CollisionConfig
    noisy: ClassVar[tuple[str, ...]] = ("point", "normal", "depth")
    config: CollisionConfig

    def __init__(
        self, name: str, config: CollisionConfig, robot: Robot, environment: Environment,
        generator: np.random.Generator,
    ) -> None:  # fmt: skip
        super().__init__(name, config, robot, environment, generator)
        shapes = robot.description.shapes
        parts = [(b, *_feelers(mesh.vertices, config.feelers)) for b, mesh in shapes.items()]
        self._bodies = np.array([b for b, _, p in parts for _ in p], int)
        self._from = np.array([m for _, m, p in parts for _ in p]).reshape(-1, 3)
        self._to = np.array([point for *_, p in parts for point in p]).reshape(-1, 3)
        self._reach = np.linalg.norm(self._to - self._from, axis=1)
        self._middle_bodies, starts = np.unique(self._bodies, return_index=True)
        self._middles = self._from[starts]
        self._sizes = np.array([self._reach[self._bodies == b].max() for b in self._middle_bodies])
        self._touched: list[str] = []
        self._count = 0
        self._told: dict[str, list[Any]] = {}

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether it is time to measure; a touch between two readings is remembered until then."""
        for contact in self.robot.contacts or ():
            if contact.other not in self._told or contact.depth > self._told[contact.other][0]:
                self._told[contact.other] = [contact.depth, contact.p_W, contact.normal_W]
        return super().due(now_ns, step_ns)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """What the engine told, or feel with all points at once."""
        if self.robot.contacts is not None:
            return self._reading(*self._remembered())
        met = yield from self._met()
        parts = zip(met, self._swallowed(), strict=True)
        return self._reading(*(np.concatenate(both) for both in parts))

    def _remembered(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Objects [k], points, normals [k, 3] and depths [k] of what the engine told, of the sensor's channel."""
        scene = self.environment.scene
        mask, told = scene.channel(self.config.channel), []
        for name, (depth, point, normal) in self._told.items():
            item = scene.objects.get(name)
            if item is not None and scene.rows.mask[item.first_row] & mask:
                told.append((item.number, point, normal, depth))
        self._told = {}
        number, point, normal, depth = zip(*told, strict=True) if told else ((), (), (), ())
        points, normals = (np.array(v, float).reshape(-1, 3) for v in (point, normal))
        return np.array(number, int), points, normals, np.array(depth, float)

    def _reading(
        self, number: np.ndarray, point: np.ndarray, normal: np.ndarray, depth: np.ndarray
    ) -> dict[str, np.ndarray]:
        """One for each thing, deepest first, and the count."""
        order = np.argsort(-depth, kind="stable")
        _, first = np.unique(number[order], return_index=True)
        chosen = order[np.sort(first)]
        names = [self.environment.scene.object_name(int(i)) for i in number[chosen]]
        self._count += sum(name not in self._touched for name in names)
        self._touched = names
        return {
            "object": number[chosen].astype(np.int32), "name": np.array(names, str), "point": point[chosen],
            "normal": normal[chosen], "depth": depth[chosen], "count": np.array([self._count], np.int64),
        }  # fmt: skip

    def _met(self) -> Casting[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Objects [k], points, normals [k, 3] and depths [k] of surfaces that reach into bodies."""
        X = self.robot.X_WB[self._bodies]
        origins = np.einsum("nij,nj->ni", X[:, :, :3], self._from) + X[:, :, 3]
        directions = np.einsum("nij,nj->ni", X[:, :, :3], self._to - self._from)
        hits = yield from self.environment.scene.casting(
            origins, directions, max_range=self._reach + self.config.margin + 1e-6, channel=self.config.channel,
            ignore=self.robot.name,
        )  # fmt: skip
        felt = np.flatnonzero(_solid(hits, self.environment))
        depth, normal = self._depths(hits, felt)
        return hits.object[felt], hits.points[felt], normal, depth

    def _swallowed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The same of things whose inside holds the middle of a body, however deep; their nearest way out."""
        scene, X = self.environment.scene, self.robot.X_WB[self._middle_bodies]
        middles = np.einsum("nij,nj->ni", X[:, :, :3], self._middles) + X[:, :, 3]
        nearest, distance, number = scene.closest_point(
            middles, max_distance=_DEEPEST, channel=self.config.channel, ignore=self.robot.name
        )
        inside = [i for i in np.flatnonzero(distance < 0) if self._is_solid(int(number[i]))]
        deep = -distance[inside, None]
        normal = (nearest[inside] - middles[inside]) / np.maximum(deep, 1e-12)
        return number[inside], nearest[inside], normal, deep[:, 0] + self._sizes[inside]

    def _is_solid(self, number: int) -> bool:
        scene = self.environment.scene
        return any(m.solid for mesh in scene.objects[scene.object_name(number)].meshes for m in mesh.materials)

    def _depths(self, hits: Hits, felt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How deep things reach in along their normals [m], and the normals towards the robot."""
        along, normal = hits.directions[felt], hits.normal[felt].astype(np.float64)
        slope = np.abs(np.sum(along * normal, axis=1))
        # A surface met from behind: the middle itself is inside the thing, and all of the way out counts
        back = hits.back[felt]
        beyond = np.where(back, self._reach[felt] + hits.distance[felt], self._reach[felt] - hits.distance[felt])
        return beyond * slope, normal

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        told = {name: list(values) for name, values in self._told.items()}
        return {**super().state(), "touched": list(self._touched), "count": self._count, "told": told}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self._touched, self._count = list(state["touched"]), state["count"]
        self._told = {name: list(values) for name, values in state["told"].items()}

    def outputs(self) -> list[Output]:
        """All arrays: the names as a JSON list, the others as numbers."""
        arrays = [array_output(name) for name in ("object", "point", "normal", "depth")]
        return [*arrays, text_output("name"), array_output("count", "series")]


class ForceTorque(Sensor):
    """Force and torque that pass through the joint of the body it is mounted on, from the body's side to its parent.

    Reading: force [3] [N] and torque [3] about the sensor's origin [N m], in the sensor's axes. They come from the
    robot's `wrenches`, which its engine fills: [b, 6], force and torque about each body's origin, in W, that the body
    and all it carries exert on its parent (on the world, for the root). An engine without forces leaves NaN.
    """

    noisy: ClassVar[tuple[str, ...]] = ("force", "torque")

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The wrench at the mount."""
        wrenches = self.robot.wrenches
        if wrenches is None:
            return {"force": np.full(3, np.nan), "torque": np.full(3, np.nan)}
        X, force = self.X_WS, wrenches[self._body, :3]
        arm = X[:, 3] - self.robot.X_WB[self._body, :, 3]
        torque = wrenches[self._body, 3:] - np.cross(arm, force)
        return {"force": force @ X[:, :3], "torque": torque @ X[:, :3]}

    def outputs(self) -> list[Output]:
        """A wrench in the sensor's axes."""
        return [Output("", "geometry_msgs/msg/WrenchStamped", self._told, view="arrow", path="wrench.force")]

    @staticmethod
    def _told(reading: Reading) -> Fields:
        return {"wrench": {"force": reading.data["force"], "torque": reading.data["torque"]}}
