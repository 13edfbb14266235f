"""A client's robot: how it enters, what it carries, what it was told, and when it is too weak to obey."""

from __future__ import annotations

import logging
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import quat_from_matrix
from volery.errors import SimulationError
from volery.protocols.gamebots.anatomy import Anatomy, anatomy_of
from volery.protocols.gamebots.classes import robot_type
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import GamebotsCommand
from volery.protocols.gamebots.items import NamedItem, changes, items_of
from volery.protocols.gamebots.placing import blocked, named, standing
from volery.robots.commands import BodyVelocity, Command, Wheels
from volery.robots.kinds.usar import UsarBot
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import plan_robot
from volery.sensors.battery import Battery
from volery.sensors.headlight import Headlight
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.protocols.gamebots.door import Gamebots

__all__ = ["Bot", "enter"]

_log = logging.getLogger("volery")
_FOR_EVER = 99_999.0
"""Battery of a robot without one [s]."""


class Bot:
    """A robot in the simulation, and its client's view of it."""

    def __init__(self, simulation: Simulation, name: str, class_name: str, entry: dict[str, Any], dialect: Dialect):
        self.simulation = simulation
        self.name = name
        self.class_name = class_name
        self.dialect = dialect
        self.entry = entry
        self.items: list[NamedItem] = []
        self.told: dict[str, float] = {}
        """What wheels and rotors were last told, by the names of the segments; in our units and senses."""
        self.spawn()

    def spawn(self) -> None:
        """Enter the world."""
        robot = self.simulation.spawn(self.name, self.entry)
        sensors = self.simulation.sensors[self.name]
        self.anatomy: Anatomy = anatomy_of(robot)
        self.rules = (robot.file.block(UsarBot) if robot.file is not None else None) or UsarBot()
        self.flies = robot.file is not None and robot.file.multirotor is not None
        self.items = items_of(sensors.values(), self.dialect)
        self.by_sensor: dict[str, list[NamedItem]] = {}
        for item in self.items:
            self.by_sensor.setdefault(item.sensor.name, []).append(item)
            if item.type in ("INS", "INU"):
                X = item.sensor.X_WS
                self.operate(item, "reset", X[:, 3].tolist(), quat_from_matrix(X[:, :3].copy()).tolist())
        self._battery = next((s for s in sensors.values() if isinstance(s, Battery)), None)
        self._light = next((s for s in sensors.values() if isinstance(s, Headlight)), None)
        self._spent = False
        if self.flies:
            self.command(BodyVelocity())

    @property
    def robot(self) -> Robot:
        """The robot that it is."""
        return self.simulation.robot(self.name)

    def remove(self) -> None:
        """Leave the world."""
        if self.name in self.simulation.robots:
            self.simulation.remove(self.name)

    # Obeying

    def command(self, command: Command) -> None:
        """Tell the robot what to do; one without power does nothing."""
        if not self._spent:
            self.simulation.command(self.name, command)

    def operate(self, item: NamedItem, control: str, *arguments: Any) -> Any:
        """Work a control of an item's sensor."""
        return self.simulation.operate(self.name, item.sensor.name, control, *arguments)

    def joint(self, name: str) -> str:
        """The joint of a name in any case."""
        wanted = name.lower()
        joints = [j.name for j in self.robot.description.joints]
        for joint in joints:
            if joint.lower() == wanted:
                return joint
        raise SimulationError(f"{self.class_name} has no joint '{name}'; it has {', '.join(joints)}")

    def items_named(self, kind: str, name: str) -> list[NamedItem]:
        """Items of a type and, unless it is empty, of a name, both in any case."""
        kind, name = kind.lower(), name.lower()
        return [i for i in self.items if i.type.lower() == kind and name in ("", i.name.lower())]

    # Light and power

    @property
    def lit(self) -> bool:
        """Whether its headlight shines."""
        return self._light is not None and self._light.lit

    def light(self, on: bool) -> None:
        """Switch its headlight."""
        if self._light is None:
            raise SimulationError(f"{self.class_name} has no headlight")
        self.simulation.operate(self.name, self._light.name, "switch", on)

    @property
    def brightness(self) -> int:
        """Of the headlight, in per cent."""
        return 0 if self._light is None else round(100 * self._light.intensity)

    def battery(self) -> float:
        """Time that is left [s]; in ut2003 the share that is left, in per cent."""
        if self._battery is None:
            return 100.0 if self.dialect.old else _FOR_EVER
        reading = self._battery.latest
        if self.dialect.old:
            return 100.0 * (self._battery.config.charge if reading is None else float(reading.data["charge"][0]))
        c = self._battery.config
        left = c.capacity * c.charge / max(c.idle, 1e-9) if reading is None else float(reading.data["remaining"][0])
        return min(left, _FOR_EVER) if math.isfinite(left) else _FOR_EVER

    @property
    def spent(self) -> bool:
        """Whether the battery is empty: then the robot stops, obeys nothing, and its sensors fall silent."""
        latest = None if self._battery is None else self._battery.latest
        if not self._spent and latest is not None and float(latest.data["energy"][0]) <= 0.0:
            if self.anatomy.wheels:
                self.command(Wheels())
            self._spent = True
        return self._spent


def enter(door: Gamebots, message: GamebotsCommand, dialect: Dialect) -> Bot:
    """The robot that an INIT asks for; what cannot be is refused and nothing changes."""
    class_name = message.get("ClassName") or ""
    kind, folder = robot_type(class_name, door.classes), door.simulation.scenario.folder
    if kind is None:
        raise SimulationError(f"class '{class_name}' stands for no robot here; try USARBot.P2AT")
    short = class_name.rpartition(".")[2]
    file = load_robot_file(kind, folder)
    anatomy = anatomy_of(Robot("probe", file.description(), file))
    p, rpy = _pose(door, message, dialect, anatomy)
    name = _free_name(door.simulation, message.get("Name") or short)
    entry = {"type": kind, "position": p.tolist(), "attitude_deg": np.degrees(rpy).tolist()}
    seconds = message.number("Battery")
    plan = plan_robot(name, entry, folder=folder)
    entry["sensors"] = changes(plan, dialect, seconds if seconds and seconds > 0 else None)
    return Bot(door.simulation, name, short, entry, dialect)


def _pose(
    door: Gamebots, message: GamebotsCommand, dialect: Dialect, anatomy: Anatomy
) -> tuple[np.ndarray, np.ndarray]:
    """Where the robot enters; a place that is not free is refused."""
    start, where = message.get("Start"), message.numbers("Location")
    if start is None and where is not None:
        if np.abs(where).max(initial=0.0) > 1e6:
            raise SimulationError(f"location {message.get('Location')} is too far away")
        p = _free(door, dialect.place(where), anatomy)
        if p is None:
            raise SimulationError(
                f"location {message.get('Location')} is not free; GETSTARTPOSES tells places that are"
            )
        return p, dialect.rpy(message.numbers("Rotation") or ())
    poses, known = (door.starts, True) if not start else named(door.starts, start)
    for pose in poses:
        p = _free(door, np.array(pose.p_W), anatomy)
        if p is not None:
            if not known:
                _log.warning(
                    "USARSim: there is no start pose '%s' here; %s is taken. Known: %s", start, pose.name,
                    ", ".join(s.name for s in door.starts),
                )  # fmt: skip
            return p, np.array(pose.rpy)
    raise SimulationError(f"start pose '{start}' is not free" if start else "no start pose is free")


def _free(door: Gamebots, p: np.ndarray, anatomy: Anatomy) -> np.ndarray | None:
    """Where the robot stands at a place; None if something else does."""
    found = standing(door.simulation, p, anatomy.lowest)
    if found is None or blocked(door.simulation.scene, found + [0.0, 0.0, anatomy.lowest], 0.8 * anatomy.reach):
        return None
    return found


def _free_name(simulation: Simulation, wish: str) -> str:
    """A name for a robot made of what a client wishes."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", wish)[:64]
    name = name if name[:1].isalpha() else f"R{name}"
    taken, number = name, 1
    while taken in simulation.robots or taken in simulation.scene.objects:
        number += 1
        taken = f"{name}_{number}"
    return taken
