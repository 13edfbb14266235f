"""CONTROL: the client without a body that makes, moves and takes away things of the world."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler, quat_from_vector, quat_multiply
from volery.errors import SimulationError
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import GamebotsCommand, line, numbers, segment
from volery.sim import Simulation

__all__ = ["WorldController"]

_LOOSE = {
    "barrel": "barrel", "drum": "barrel", "block": "block", "brick": "brick", "carton": "carton", "box": "carton",
    "crate": "carton", "cinder": "cinder", "cinderblock": "cinder", "pipe": "pipe",
}  # fmt: skip
"""Classes of things that physics can move, in small letters."""
_SHAPES = {
    "cube": "Cube", "box": "Cube", "crate": "Cube", "block": "Cube", "carton": "Cube", "sphere": "Sphere",
    "ball": "Sphere", "cylinder": "Cylinder", "barrel": "Cylinder", "drum": "Cylinder", "pipe": "Cylinder",
    "cone": "Cone", "brick": "Cube", "cinder": "Cube",
}  # fmt: skip
"""Classes of things that stay where they are put; shapes of 1 m, to be scaled."""
_MOVABLE = ("rigidbody", "falling", "ground")
_MOST_THINGS, _MOST_POINTS = 200, 1000
_FAR = 1e6
"""Nothing is put farther away [m]."""


@dataclass(eq=False)
class _Thing:
    """Something that was made."""

    name: str
    key: str
    """Its name in the simulation."""
    kind: str
    """Class, in small letters."""
    loose: bool
    """Whether physics moves it."""
    p: np.ndarray
    q: np.ndarray
    scale: np.ndarray
    permanent: bool = False
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Turning of its own [rad/s], about the axes of W."""
    path: list[np.ndarray] = field(default_factory=list)
    """Waypoints [m]."""
    speed: float = 0.0
    """Along them [m/s]."""
    time: float = 0.0
    """For all of them [s]; 0: by the speed."""
    along: float = 0.0
    """Way that was made [m]."""
    loop: bool = False
    moves: bool = True


class WorldController:
    """The things of one client."""

    def __init__(self, simulation: Simulation, dialect: Dialect) -> None:
        self._simulation = simulation
        self._dialect = dialect
        self._things: dict[str, _Thing] = {}

    def do(self, message: GamebotsCommand) -> bytes | None:
        """A CONTROL; its answer, if it has one."""
        kind = (message.get("Type") or "").lower()
        if kind == "getsta":
            return self._states(message)
        action = self._ACTIONS.get(kind)
        if action is None:
            raise SimulationError(f"CONTROL cannot '{kind}'; it can {', '.join(self._ACTIONS)} and getsta")
        action(self, message)
        return None

    def end(self) -> None:
        """Take away all that is not permanent."""
        for thing in list(self._things.values()):
            if not thing.permanent:
                self._destroy(thing)

    def advance(self, dt: float) -> None:
        """Move what turns or has a path by a step [s]."""
        for thing in self._things.values():
            if thing.path and thing.moves:
                self._follow(thing, dt)
            elif thing.spin.any():
                self._put(thing, thing.p, quat_multiply(quat_from_vector(thing.spin * dt), thing.q))

    # Commands

    def _create(self, message: GamebotsCommand) -> None:
        name = message.get("Name") or f"Object{len(self._things) + 1}"
        if name.lower() in self._things:
            raise SimulationError(f"there is already an object '{name}'")
        if len(self._things) >= _MOST_THINGS:
            raise SimulationError(f"there are {_MOST_THINGS} objects already")
        kind = (message.get("ClassName") or "").rpartition(".")[2].lower().removeprefix("wc")
        loose = (message.get("Physics") or "").lower() in _MOVABLE
        known = _LOOSE if loose else _SHAPES
        if kind not in known:
            raise SimulationError(f"objects here are {', '.join(known)}, not '{kind}'")
        p, q = self._pose(message)
        scale = np.array((*(message.numbers("Scale") or (1.0, 1.0, 1.0)), 1.0, 1.0, 1.0)[:3])
        thing = _Thing(name, self._free(name), kind, loose, p, q, np.clip(np.abs(scale), 1e-3, 1e3))
        thing.permanent = bool(message.truth("Permanent"))
        if loose:
            angles = np.degrees(euler_from_quat(q)).tolist()
            self._simulation.spawn(thing.key, {"type": _LOOSE[kind], "position": p.tolist(), "attitude_deg": angles})
        else:
            self._simulation.alter("make", thing.key, _SHAPES[kind], _matrix(thing))
        self._things[name.lower()] = thing

    def _kill(self, message: GamebotsCommand) -> None:
        self._destroy(self._thing(message))

    def _kill_all(self, message: GamebotsCommand) -> None:
        corners = [message.numbers(k) for k in ("MinPos", "MaxPos")]
        low, high = (self._dialect.place(c or ()) for c in corners)
        low, high = np.minimum(low, high), np.maximum(low, high)
        everywhere = corners[0] is None or corners[1] is None or bool((low == high).all())
        for thing in list(self._things.values()):
            p = self._now(thing)[0]
            if not thing.permanent and (everywhere or bool(((p > low) & (p < high)).all())):
                self._destroy(thing)

    def _move(self, message: GamebotsCommand, relative: bool = False) -> None:
        name = message.get("Name") or ""
        p, q = self._pose(message, relative)
        if name.lower() not in self._things and name in self._simulation.robots:
            robot = self._simulation.robot(name)
            if relative:
                p, q = robot.p_WB + p, quat_multiply(q, robot.q_WB_wxyz)
            self._simulation.place(name, p, q)
            return
        thing = self._thing(message)
        if relative:
            here, turned = self._now(thing)
            p, q = here + p, quat_multiply(q, turned)
        self._put(thing, p, q)

    def _rotate(self, message: GamebotsCommand) -> None:
        x, y, z = (self._dialect.radians(v) for v in (*(message.numbers("Speed") or ()), 0.0, 0.0, 0.0)[:3])
        self._thing(message).spin = np.clip(np.array([x, -y, -z]), -100.0, 100.0)

    def _way(self, message: GamebotsCommand) -> None:
        """SetWP: how it goes along its waypoints, and which; AddWP: more of them."""
        thing = self._thing(message)
        text = message.get("WP")
        if (message.get("Type") or "").lower() == "setwp" and text is not None:
            thing.path, thing.along = [], 0.0
        for key, attribute in (("Speed", "speed"), ("Time", "time")):
            value = message.number(key)
            if value is not None:
                setattr(thing, attribute, max(self._dialect.metres(value) if key == "Speed" else value, 0.0))
        for key, attribute in (("Loop", "loop"), ("Move", "moves")):
            flag = message.truth(key)
            if flag is not None:
                setattr(thing, attribute, flag)
        points = [self._dialect.place(numbers(part)) for part in (text or "").split(";") if part.strip()]
        if any(np.abs(p).max() > _FAR for p in points):
            raise SimulationError("a waypoint is too far away")
        thing.path = [*thing.path, *points][:_MOST_POINTS]

    def _clear_way(self, message: GamebotsCommand) -> None:
        thing = self._thing(message)
        first = thing.path[0] if thing.path else None
        thing.path, thing.along = [], 0.0
        if first is not None:
            self._put(thing, first, thing.q)

    def _conveyor(self, message: GamebotsCommand) -> None:
        raise SimulationError("there are no conveyors in this world")

    def _states(self, message: GamebotsCommand) -> bytes:
        """STA of all objects, or of one name or class."""
        name, kind = ((message.get(k) or "").lower() for k in ("Name", "ClassName"))
        kind = kind.rpartition(".")[2].removeprefix("wc")
        parts: list[str] = []
        for thing in self._things.values():
            if name in ("", thing.name.lower()) and kind in ("", thing.kind):
                p, q = self._now(thing)
                size = ",".join(self._dialect.length(float(s)) for s in self._size(thing))
                parts += [segment("Name", thing.name), segment("Size", size)]
                parts += [segment("Location", self._dialect.point(p)), segment("Rotation", self._dialect.attitude(q))]
        return line("STA", *parts)

    _ACTIONS: ClassVar[dict[str, Callable[[WorldController, GamebotsCommand], None]]] = {
        "create": _create,
        "kill": _kill,
        "killall": _kill_all,
        "absmove": _move,
        "relmove": lambda self, message: self._move(message, relative=True),
        "rotate": _rotate,
        "setwp": _way,
        "addwp": _way,
        "clearwp": _clear_way,
        "conveyor": _conveyor,
    }

    # Things

    def _thing(self, message: GamebotsCommand) -> _Thing:
        name = message.get("Name") or ""
        if name.lower() not in self._things:
            raise SimulationError(f"there is no object '{name}'")
        return self._things[name.lower()]

    def _pose(self, message: GamebotsCommand, relative: bool = False) -> tuple[np.ndarray, np.ndarray]:
        values = message.numbers("Location") or ()
        p = self._dialect.shift(values) if relative else self._dialect.place(values)
        if np.abs(p).max() > _FAR:
            raise SimulationError(f"location {message.get('Location')} is too far away")
        return p, quat_from_euler(self._dialect.rpy(message.numbers("Rotation") or ()))

    def _free(self, name: str) -> str:
        key = "wc_" + "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)[:64]
        taken, number = key, 1
        while taken in self._simulation.scene.objects or taken in self._simulation.robots:
            number += 1
            taken = f"{key}_{number}"
        return taken

    def _now(self, thing: _Thing) -> tuple[np.ndarray, np.ndarray]:
        """Where it is; physics may have moved it."""
        if thing.loose and thing.key in self._simulation.robots:
            robot = self._simulation.robot(thing.key)
            return robot.p_WB.copy(), robot.q_WB_wxyz.copy()
        return thing.p, thing.q

    def _size(self, thing: _Thing) -> np.ndarray:
        """Of its box, along its own axes [m]."""
        item = self._simulation.scene.objects.get(thing.key)
        if item is None:
            return np.zeros(3)
        low, high = item.meshes[0].bounds
        return (high - low) * (1.0 if thing.loose else thing.scale)

    def _put(self, thing: _Thing, p: np.ndarray, q: np.ndarray) -> None:
        thing.p, thing.q = p, q
        if thing.loose:
            if thing.key in self._simulation.robots:
                self._simulation.place(thing.key, p, q)
        elif thing.key in self._simulation.scene.objects:
            self._simulation.alter("move", thing.key, _matrix(thing))

    def _destroy(self, thing: _Thing) -> None:
        self._things.pop(thing.name.lower(), None)
        if thing.loose:
            if thing.key in self._simulation.robots:
                self._simulation.remove(thing.key)
        elif thing.key in self._simulation.scene.objects:
            self._simulation.alter("destroy", thing.key)

    def _follow(self, thing: _Thing, dt: float) -> None:
        points = np.array([*thing.path, thing.path[0]] if thing.loop else thing.path)
        legs = np.linalg.norm(np.diff(points, axis=0), axis=1)
        way = float(legs.sum())
        speed = way / thing.time if thing.time > 0 else thing.speed
        thing.along += speed * dt
        if way > 0 and thing.loop:
            thing.along = math.fmod(thing.along, way)
        thing.along = min(thing.along, way)
        marks = np.concatenate([[0.0], np.cumsum(legs)])
        p = np.array([np.interp(thing.along, marks, points[:, i]) for i in range(3)])
        self._put(thing, p, thing.q)


def _matrix(thing: _Thing) -> np.ndarray:
    """Its pose with scale, [3, 4]."""
    return np.concatenate([matrix_from_quat(thing.q) * thing.scale, thing.p[:, None]], axis=1)
