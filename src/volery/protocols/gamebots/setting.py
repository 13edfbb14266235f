"""SET: scans on demand, counters reset, cameras zoomed, tags dropped; the older dialect answers with RES."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from volery.core.frames import quat_from_euler
from volery.errors import SimulationError, VoleryError
from volery.protocols.gamebots.bodies import sensor_lines
from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.driving import tell_joint, zoom_of
from volery.protocols.gamebots.facts import fields_of_view
from volery.protocols.gamebots.grammar import GamebotsCommand, line, number, numbers, segment
from volery.protocols.gamebots.items import NamedItem

if TYPE_CHECKING:
    from volery.protocols.gamebots.session import Session

__all__ = ["change"]

_JOINT_ORDERS = {
    "angle": 0, "target": 0, "velocity": 1, "torque": 2, "relangle": 10, "relvelocity": 11, "reltorque": 12,
}  # fmt: skip


def change(session: Session, message: GamebotsCommand) -> bytes | None:
    """Do a SET; the answer, if the dialect has one."""
    kind, name = message.get("Type") or "", message.get("Name") or ""
    assert session.bot is not None
    if kind.lower() == "viewports":
        return _answer(session, "Viewports", None, session.door.views.set_ports(session, message), True)
    extra: list[str] = []
    try:
        extra, done, why = _do(session, session.bot, kind.lower(), name, message), True, ""
    except VoleryError as error:
        done, why = False, str(error)
    if why:
        session.complain(message, why)
    return _answer(session, kind, name, extra, done)


def _answer(session: Session, kind: str, name: str | None, extra: list[str], done: bool) -> bytes | None:
    if session.dialect.name != "ut2004":
        return None
    clean = [w.replace("{", "").replace("}", "")[:64] for w in (kind, name or "")]
    head = [segment("Time", session.dialect.time(session.door.simulation.clock.now_ns)), segment("Type", clean[0])]
    if name is None:
        return line("RES", *head, *extra)
    return line("RES", *head, segment("Name", clean[1]), *extra, segment("Status", "OK" if done else "Failed"))


def _do(session: Session, bot: Bot, kind: str, name: str, message: GamebotsCommand) -> list[str]:
    """Do it, or say why not; what the answer has besides."""
    operation, params = (message.get("Opcode") or "").lower(), message.get("Params") or ""
    if kind == "joint":
        _joint(bot, name, operation, params)
        return []
    if kind == "camera" and message.get("Robot") is not None:
        session.door.views.choose(message.get("Client") or session.client.address, message.get("Robot") or "", name)
        return []
    items = bot.items_named(kind, name)
    if not items:
        raise SimulationError(f"{bot.class_name} has no {kind} '{name}'")
    action = _ACTIONS.get((items[0].type, operation))
    if action is None:
        raise SimulationError(f"a {items[0].type} cannot '{operation}'")
    return [part for item in items for part in action(session, bot, item, params)]


def _joint(bot: Bot, name: str, operation: str, params: str) -> None:
    values = numbers(params)
    if operation not in _JOINT_ORDERS and not operation.isdecimal():
        raise SimulationError(f"a joint cannot '{operation}'; it can {', '.join(_JOINT_ORDERS)}")
    order = _JOINT_ORDERS[operation] if operation in _JOINT_ORDERS else int(operation[:4])
    joints = list(bot.anatomy.others) if name.lower() in ("alljoints", "allangles") else [bot.joint(name)]
    if name.lower() not in ("alljoints", "allangles"):
        values = values[:1]
    for joint, value in zip(joints, values, strict=False):
        tell_joint(bot, joint, order, value)


def _scan(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    bot.operate(item, "scan")
    return []


def _image(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    session.door.views.scan(session, item)
    return []


def _listen(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    """The latest of what an acoustic sensor heard, again."""
    if item.sensor.latest is not None:
        for data in sensor_lines([(item, item.sensor.latest)], session.dialect):
            session.reply(data)
    return []


def _reset(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    if item.type == "Odometry":
        bot.operate(item, "reset")
    elif item.sensor.latest is not None:
        data = item.sensor.latest.data
        item.memory["zero"] = int(data["ticks"][item.part]) if item.type == "Encoder" else data["angle"].copy()
    return []


def _pose(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    values = numbers(params)
    if len(values) < 6 or not all(math.isfinite(v) and abs(v) < 1e7 for v in values):
        raise SimulationError(f"POSE takes x,y,z and three angles, not '{params[:80]}'")
    q = quat_from_euler(bot.dialect.rpy(values[3:6]))
    bot.operate(item, "reset", bot.dialect.place(values[:3]).tolist(), q.tolist())
    return []


def _zoom(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    default = math.radians(item.sensor.config.fov_deg)  # type: ignore[attr-defined]
    wanted = bot.dialect.radians(number(params))
    bot.operate(item, "set_zoom", zoom_of(default, wanted))
    return [segment("FOV", bot.dialect.angle(fields_of_view(item)[0]))]


def _release(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    bot.operate(item, "release")
    return []


def _read(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    tag = int(number(params))
    text = str(bot.operate(item, "read", tag)).replace("{", "(").replace("}", ")")
    return [segment("ID", tag), segment("Mem", text)]


def _write(session: Session, bot: Bot, item: NamedItem, params: str) -> list[str]:
    first, _, text = params.strip().partition(" ")
    bot.operate(item, "write", int(number(first)), text.strip())
    return [segment("ID", int(number(first)))]


_ACTIONS: dict[tuple[str, str], Callable[[Session, Bot, NamedItem, str], list[str]]] = {
    ("RangeScanner", "scan"): _scan,
    ("IRScanner", "scan"): _scan,
    ("RangeImager", "scan"): _image,
    ("Acoustic", "scan"): _listen,
    ("Odometry", "reset"): _reset,
    ("Encoder", "reset"): _reset,
    ("Tachometer", "reset"): _reset,
    ("INS", "pose"): _pose,
    ("INU", "pose"): _pose,
    ("Camera", "zoom"): _zoom,
    ("Camera", "fov"): _zoom,
    ("RFIDReleaser", "release"): _release,
    ("RFID", "read"): _read,
    ("RFID", "write"): _write,
}
"""What can be done, by the item's type and the operation in small letters."""
