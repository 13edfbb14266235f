"""STA: the state of a robot, as each dialect has it."""

from __future__ import annotations

import numpy as np

from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.facts import vehicle_type
from volery.protocols.gamebots.grammar import line, segment, written

__all__ = ["camera_turn", "sense_of", "state_line"]


def sense_of(bot: Bot, joint: str) -> float:
    """Sign of a joint on the wire, whose axes look right and down: a wheel counts forwards everywhere."""
    if joint in bot.anatomy.wheels:
        return 1.0
    description = bot.robot.description
    axis = description.joints[description.joint(joint)].axis_B
    main = int(np.argmax(np.abs(axis)))
    return float(np.sign(axis[main])) * (1.0 if main == 0 else -1.0)


def _angle(bot: Bot, joint: str) -> float:
    """Where a joint is [rad], in the wire's sense."""
    robot = bot.robot
    return sense_of(bot, joint) * float(robot.joint_positions[robot.description.joint(joint)])


def camera_turn(bot: Bot) -> tuple[float, float]:
    """Pitch and yaw of the camera's mount [rad], in the wire's sense."""
    joints = bot.anatomy.others
    return tuple(_angle(bot, j) if j in joints else 0.0 for j in ("CameraTilt", "CameraPan"))  # type: ignore[return-value]


def state_line(bot: Bot, now_ns: int) -> bytes:
    """The STA line of now."""
    dialect = bot.dialect
    if dialect.old:
        return _old(bot, now_ns)
    time, battery = segment("Time", dialect.time(now_ns)), segment("Battery", written(bot.battery(), 0))
    kind = segment("Type", vehicle_type(bot.anatomy, bot.flies))
    light = (segment("LightToggle", bot.lit), segment("LightIntensity", bot.brightness))
    steer = [segment(k, dialect.angle(_steering(bot, axle))) for k, axle in _AXLES] if bot.anatomy.wheels else []
    flippers = [segment(j, dialect.angle(_angle(bot, j))) for j in bot.anatomy.flippers]
    if dialect.udk:
        rest = [*light, *steer, *flippers] if bot.anatomy.wheels else []
        return line("STA", time, battery, kind, *rest)
    return line("STA", kind, time, *steer, *flippers, *light, battery, segment("View", -1))


_AXLES = (("FrontSteer", "front"), ("RearSteer", "rear"))


def _steering(bot: Bot, axle: str) -> float:
    """Mean angle of an axle [rad], to the right."""
    joints = bot.anatomy.steered[axle]
    return sum(_angle(bot, j) for j in joints) / len(joints) if joints else 0.0


def _old(bot: Bot, now_ns: int) -> bytes:
    """The manual's: with camera, attitude, place and velocity."""
    dialect, robot = bot.dialect, bot.robot
    pitch, yaw = camera_turn(bot)
    pairs = (
        ("Time", dialect.time(now_ns)),
        ("Camera", ",".join(dialect.heading(a) for a in (pitch, yaw, 0.0))),
        ("Attitude", dialect.attitude(robot.q_WB_wxyz)),
        ("Location", dialect.point(robot.p_WB)),
        ("Velocity", dialect.vector(robot.v_WB_W)),
        ("LightToggle", str(bot.lit)),
        ("LightIntensity", str(bot.brightness)),
        ("Battery", written(bot.battery(), 0)),
    )
    return line("STA", *(segment(k, v) for k, v in pairs))
