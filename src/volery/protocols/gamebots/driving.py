"""DRIVE, MULTIDRIVE, CAMERA, MISPKG and ACT: what clients tell wheels, rotors and joints."""

from __future__ import annotations

import math

import numpy as np

from volery.errors import SimulationError
from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.facts import LEAST_FOV, MOST_FOV
from volery.protocols.gamebots.grammar import GamebotsCommand, number
from volery.protocols.gamebots.states import sense_of
from volery.robots.commands import BodyVelocity, Flip, Joints, Steer, Wheels

__all__ = ["camera", "drive", "many", "tell_joint", "zoom_of"]

_FLY_SPEED, _FLY_TURN = 2.0, math.radians(100.0)
"""What 100 per cent mean for a robot that flies [m/s, rad/s]."""
_FLIGHT = ("AltitudeVelocity", "LinearVelocity", "LateralVelocity", "RotationalVelocity")
_MOST_TORQUE = 60.0
"""[N m]."""


def drive(bot: Bot, message: GamebotsCommand) -> None:
    """DRIVE, in whichever form."""
    light = message.truth("Light")
    if light is not None:
        bot.light(light)
    if message.truth("Flip"):
        bot.command(Flip())
    names = {key.lower() for key, _ in message.segments}
    if "name" in names:
        _joint(bot, message)
    elif names & {n.lower() for n in _FLIGHT}:
        _fly(bot, message)
    elif names & {"wheelnumber"}:
        _each_wheel(bot, message)
    elif names & {"speed", "frontsteer", "rearsteer"}:
        _steer(bot, message)
    elif names & {"left", "right"}:
        _skid(bot, message)
    elif names & {"propeller", "rudder", "sternplane"}:
        raise SimulationError(f"{bot.class_name} has no propeller")
    elif not names & {"light", "flip"}:
        raise SimulationError("DRIVE names nothing that is known: no Left, Speed, LinearVelocity, Name, Light or Flip")


def _spin(bot: Bot, value: float, normalized: bool) -> float:
    """A wheel's speed [rad/s] of what was told."""
    most = bot.anatomy.spin
    if bot.dialect.old:
        value *= most
    elif normalized:
        value *= most / 100.0
    return min(max(value, -most), most)


def _skid(bot: Bot, message: GamebotsCommand) -> None:
    if not bot.anatomy.wheels:
        raise SimulationError(f"{bot.class_name} has no wheels that are driven")
    left, right = message.number("Left"), message.number("Right")
    if bot.dialect.udk and (left is None or right is None):
        raise SimulationError("DRIVE needs both Left and Right in this dialect")
    if not bot.rules.speed_control:
        bot.command(Joints(efforts=_torques(bot, left, right)))
        return
    normalized = bool(message.truth("Normalized"))
    told = bot.told
    if left is not None:
        told["Left"] = _spin(bot, left, normalized)
    if right is not None:
        told["Right"] = _spin(bot, right, normalized)
    bot.command(Wheels(told.get("Left", 0.0), told.get("Right", 0.0)))


def _torques(bot: Bot, left: float | None, right: float | None) -> dict[str, float]:
    """Of the wheels of each side that is told [N m], where wheels are told no speeds."""
    most = bot.rules.most_torque
    out: dict[str, float] = {}
    drive_ = bot.robot.file.drive if bot.robot.file is not None else None
    for value, wheels in ((left, drive_.left), (right, drive_.right)) if drive_ is not None else ():
        if value is not None:
            told = value * most if bot.dialect.old else value
            out.update(dict.fromkeys(wheels, min(max(told, -most), most)))
    return out


def _steer(bot: Bot, message: GamebotsCommand) -> None:
    anatomy = bot.anatomy
    if not anatomy.steered["front"] and not anatomy.steered["rear"]:
        raise SimulationError(f"{bot.class_name} has no wheels that are steered")
    speed = message.number("Speed")
    if speed is not None:
        bot.told["Speed"] = _spin(bot, speed, bool(message.truth("Normalized")))
    for key in ("FrontSteer", "RearSteer"):
        value = message.number(key)
        if value is not None:
            # To the right is positive on the wire.
            angle = -bot.dialect.radians(value)
            bot.told[key] = min(max(angle, -anatomy.steering), anatomy.steering)
    told = bot.told
    bot.command(Steer(told.get("Speed", 0.0), told.get("FrontSteer", 0.0), told.get("RearSteer", 0.0)))


def _fly(bot: Bot, message: GamebotsCommand) -> None:
    if not bot.flies:
        raise SimulationError(f"{bot.class_name} does not fly")
    normalized = bool(message.truth("Normalized"))
    for key in _FLIGHT:
        value = message.number(key)
        if value is None:
            continue
        turning = key == "RotationalVelocity"
        if normalized:
            value *= (_FLY_TURN if turning else _FLY_SPEED) / 100.0
        elif turning:
            value = math.radians(value) if bot.dialect.udk else bot.dialect.radians(value)
        else:
            value = bot.dialect.metres(value)
        most = _FLY_TURN if turning else _FLY_SPEED
        bot.told[key] = min(max(value, -most), most)
    up, ahead, right, clockwise = (bot.told.get(key, 0.0) for key in _FLIGHT)
    bot.command(BodyVelocity(np.array([ahead, -right, up]), -clockwise))


def _each_wheel(bot: Bot, message: GamebotsCommand) -> None:
    """Wheels by number, from 0: WheelNumber, then what is told that one."""
    speeds: dict[str, float] = {}
    wheel: str | None = None
    for key, value in message.segments:
        if key.lower() == "wheelnumber":
            i = int(number(value))
            if not 0 <= i < len(bot.anatomy.wheels):
                raise SimulationError(f"{bot.class_name} has wheels 0 to {len(bot.anatomy.wheels) - 1}, not {i}")
            wheel = bot.anatomy.wheels[i]
        elif key.lower() == "wheelspeed" and wheel is not None:
            speeds[wheel] = _spin(bot, number(value), bool(message.truth("Normalized")))
    bot.command(Joints(velocities=speeds))


# Joints


def _joint(bot: Bot, message: GamebotsCommand) -> None:
    joint = bot.joint(message.get("Name") or "")
    steer, value = message.number("Steer"), message.number("Value")
    order = int(message.number("Order") or 0)
    if steer is not None:
        pivots = [j for j in (*bot.anatomy.steered["front"], *bot.anatomy.steered["rear"]) if j.startswith(joint)]
        if not pivots:
            raise SimulationError(f"joint '{joint}' of {bot.class_name} is not steered")
        tell_joint(bot, pivots[0], 0, steer)
    if value is not None or steer is None:
        tell_joint(bot, joint, order, value or 0.0)


def tell_joint(bot: Bot, joint: str, order: int, value: float) -> None:
    """Move a joint to an angle, at a speed or with a torque, by its order, in the dialect's units and the wire's
    sense; orders from 10 on count from what it is now."""
    told = value if order % 10 == 2 else bot.dialect.radians(value)
    bot.command(_moved(bot, joint, order, told * sense_of(bot, joint)))


def _moved(bot: Bot, joint: str, order: int, value: float) -> Joints:
    """The command, in our units and sense; beyond a joint's range it goes to the end of it."""
    robot = bot.robot
    i = robot.description.joint(joint)
    if order >= 10:
        now = (robot.joint_positions, robot.joint_velocities, robot.joint_efforts)
        if order > 12:
            raise SimulationError(f"order {order} of a joint: must be 0 to 3 or 10 to 12")
        order, value = order - 10, value + float(now[order - 10][i])
    if order == 0:
        return Joints(positions={joint: _within(bot, joint, value)})
    if order == 1:
        return Joints(velocities={joint: value})
    if order == 2:
        return Joints(efforts={joint: min(max(value, -_MOST_TORQUE), _MOST_TORQUE)})
    if order == 3:
        return Joints(velocities={joint: 0.0})
    raise SimulationError(f"order {order} of a joint: must be 0 to 3 or 10 to 12")


def _within(bot: Bot, joint: str, angle: float) -> float:
    """An angle [rad], at most at the end of the joint's range."""
    found = bot.robot.description.joints[bot.robot.description.joint(joint)]
    return min(max(angle, found.low), found.high)


def many(bot: Bot, message: GamebotsCommand) -> None:
    """MULTIDRIVE: several joints at once, each to an angle."""
    order = int(message.number("Order") or 0)
    told = [(bot.joint(k), number(v)) for k, v in message.segments if k.lower() != "order"]
    for joint, value in told:
        tell_joint(bot, joint, order, value)


def camera(bot: Bot, message: GamebotsCommand) -> None:
    """CAMERA: where it looks, and how near."""
    turn, order = message.numbers("Rotation"), int(message.number("Order") or 0)
    if turn is not None:
        # Pitch, yaw and roll, in every dialect that has the command.
        pitch, yaw, _ = (_signed(bot.dialect.radians(a)) for a in (*turn, 0.0, 0.0, 0.0)[:3])
        for name, angle in (("CameraPan", yaw), ("CameraTilt", pitch)):
            joint = bot.joint(name)
            told = angle * sense_of(bot, joint)
            if order == 0 and not bot.rules.absolute_camera:
                told = bot.told[name] = _within(bot, joint, bot.told.get(name, 0.0) + told)
            bot.command(_moved(bot, joint, order, told))
    zoom = message.number("Zoom")
    if turn is None and zoom is None:
        raise SimulationError("CAMERA names nothing that is known: no Rotation and no Zoom")
    if zoom is not None:
        for item in bot.items_named("Camera", ""):
            fov = math.radians(item.sensor.config.fov_deg)  # type: ignore[attr-defined]
            bot.operate(item, "set_zoom", zoom_of(fov, bot.dialect.radians(zoom)))


def _signed(angle: float) -> float:
    """The same angle from -π to π: the manual's are never negative."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def zoom_of(default: float, wanted: float) -> float:
    """Multiple of the focal length that gives a field of view [rad]; 0: the default one."""
    if wanted <= 0.0:
        return 1.0
    wanted = min(max(wanted, LEAST_FOV), MOST_FOV)
    return math.tan(default / 2) / math.tan(wanted / 2)
