"""Mission packages and actuators: arms and pan-tilt units, whose links are joints."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from volery.core.frames import rigid_inverse
from volery.errors import SimulationError
from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.driving import tell_joint
from volery.protocols.gamebots.grammar import GamebotsCommand, line, number, segment, written
from volery.protocols.gamebots.states import sense_of
from volery.robots.description import SLIDE
from volery.robots.kinematics import compose
from volery.robots.robot import Robot

__all__ = ["Package", "act", "package_conf", "package_geo", "package_lines", "packages_of"]

_CAMERA = ("CameraPan", "CameraTilt")
_MOST_SPEED = 1.0
"""Of links [rad/s]."""


class Package(NamedTuple):
    """Joints that belong together, root to tip."""

    name: str
    joints: tuple[str, ...]


def packages_of(bot: Bot) -> list[Package]:
    """The camera's mount, and all other joints with motors as one arm."""
    others = bot.anatomy.others
    camera = tuple(j for j in _CAMERA if j in others)
    arm = tuple(j for j in others if j not in camera)
    return [p for p in (Package("CameraPanTilt", camera), Package("Arm", arm)) if p.joints]


def _named(packages: list[Package], name: str) -> list[Package]:
    return [p for p in packages if name.lower() in ("", p.name.lower())]


def act(bot: Bot, packages: list[Package], message: GamebotsCommand, first: int) -> None:
    """MISPKG, whose links count from 1, and ACT, from 0: {Link i} {Value v} {Order k} and so on, or {Rotation …}."""
    found = _named(packages, message.get("Name") or "")
    if not found:
        raise SimulationError(f"{bot.class_name} has no package '{message.get('Name')}'")
    package = found[0]
    turn = message.numbers("Rotation")
    if turn is not None:
        roll, pitch, yaw = (*turn, 0.0, 0.0, 0.0)[:3]
        by_name = {"CameraPan": yaw, "CameraTilt": pitch}
        told = [(j, by_name.get(j, roll), int(message.number("Order") or 0)) for j in package.joints]
    else:
        told = _links(package, message, first)
    for joint, value, order in told:
        tell_joint(bot, joint, order, value)


def _links(package: Package, message: GamebotsCommand, first: int) -> list[tuple[str, float, int]]:
    """Joint, value and order of each link that is named."""
    told: list[list[Any]] = []
    for key, value in message.segments:
        name = key.lower()
        if name == "link":
            i = int(number(value)) - first
            if not 0 <= i < len(package.joints):
                raise SimulationError(f"{package.name} has links {first} to {len(package.joints) - 1 + first}")
            told.append([package.joints[i], 0.0, 0])
        elif name == "value" and told:
            told[-1][1] = number(value)
        elif name == "order" and told:
            told[-1][2] = int(number(value))
    return [(joint, value, order) for joint, value, order in told]


def package_lines(bot: Bot, packages: list[Package], now_ns: int) -> list[bytes]:
    """MISSTA or, in udk, ASTA of all packages."""
    dialect, robot = bot.dialect, bot.robot
    if dialect.old:
        return []
    lines = []
    for package in packages:
        parts = [segment("Time", dialect.time(now_ns)), segment("Name", package.name)]
        for number_, joint in enumerate(package.joints, 1):
            i = robot.description.joint(joint)
            sense = sense_of(bot, joint)
            parts += [segment("Link", number_), segment("Value", dialect.angle(sense * robot.joint_positions[i]))]
            if not dialect.udk:
                parts.append(segment("Torque", written(sense * float(robot.joint_efforts[i]))))
        lines.append(line("ASTA" if dialect.udk else "MISSTA", *parts))
    return lines


def package_conf(bot: Bot, packages: list[Package], kind: str, name: str) -> bytes | None:
    """CONF of packages."""
    joints = bot.robot.description.joints
    parts: list[str] = []
    for package in _named(packages, name):
        parts.append(segment("Name", package.name))
        for i, joint in enumerate(package.joints, 1):
            found = joints[bot.robot.description.joint(joint)]
            low, high = _limits(found.low, found.high, sense_of(bot, joint))
            torque = segment("MaxTorque", written(bot.anatomy.torques.get(joint, 0.0)))
            limits = [bot.dialect.angle(low), bot.dialect.angle(high)]
            parts.append(segment("Link", i))
            if kind.lower() == "actuator":
                sort = segment("JointType", "Prismatic" if found.kind == SLIDE else "Revolute")
                parts += [sort, torque, segment("MinValue", limits[0]), segment("MaxValue", limits[1])]
            else:
                speed = segment(
                    "MaxSpeed" if found.kind == SLIDE else "MaxRotationSpeed", bot.dialect.angle(_MOST_SPEED)
                )
                parts += [speed, torque, segment("MinRange", limits[0]), segment("MaxRange", limits[1])]
    return line("CONF", segment("Type", _kind(kind)), *parts) if parts else None


def _kind(kind: str) -> str:
    return "Actuator" if kind.lower() == "actuator" else "MisPkg"


def _limits(low: float, high: float, sense: float) -> tuple[float, float]:
    """In the wire's sense; 1 and 0 for a joint without limits."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return 1.0, 0.0
    return (low, high) if sense > 0 else (-high, -low)


def package_geo(bot: Bot, packages: list[Package], kind: str, name: str) -> bytes | None:
    """GEO of packages: where each link sits on the one before; the first ones on the chassis, which is -1."""
    description = bot.robot.description
    rest = Robot("package", description).X_WB
    parts: list[str] = []
    for package in _named(packages, name):
        bodies = [description.joints[description.joint(j)].body for j in package.joints]
        parts.append(segment("Name", package.name))
        for i, body in enumerate(bodies, 1):
            parent = _ancestor(description.parent, body, bodies[: i - 1])
            X = np.empty((3, 4))
            compose(rigid_inverse(rest[max(parent, 0)]), rest[body], X)
            number_ = bodies.index(parent) + 1 if parent in bodies[: i - 1] else -1
            where = segment("Location", bot.dialect.vector(X[:, 3]))
            above = segment("Parent" if bot.dialect.udk else "ParentLink", number_)
            parts += [segment("Link", i), above, where, segment("Orientation", bot.dialect.facing(X[:, :3]))]
    return line("GEO", segment("Type", _kind(kind)), *parts) if parts else None


def _ancestor(parents: np.ndarray, body: int, links: list[int]) -> int:
    """The nearest body above one that is a link; 0 if none is."""
    above = int(parents[body])
    while above > 0 and above not in links:
        above = int(parents[above])
    return max(above, 0)
