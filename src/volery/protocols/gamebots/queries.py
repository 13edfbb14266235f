"""What clients ask: start poses, path nodes, CONF and GEO; and lines of items that have no reading of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery.core.frames import quat_from_euler
from volery.protocols.gamebots.bot import Bot
from volery.protocols.gamebots.facts import fields_of_view, item_conf, item_geo, robot_conf, robot_geo
from volery.protocols.gamebots.grammar import GamebotsCommand, line, segment, written
from volery.protocols.gamebots.items import NamedItem
from volery.protocols.gamebots.packages import package_conf, package_geo

if TYPE_CHECKING:
    from volery.protocols.gamebots.session import Session

__all__ = ["cameras", "closest_node", "conf", "geo", "heads", "path_nodes", "start_poses"]

_PACKAGES = ("mispkg", "actuator")


def start_poses(session: Session) -> bytes:
    """NFO of all start poses."""
    dialect, starts = session.dialect, session.door.starts
    words = []
    for start in starts:
        turn = dialect.attitude(quat_from_euler(np.array(start.rpy)))
        words += [start.name, dialect.point(start.p_W), turn]
    return line("NFO", segment("StartPoses", len(starts)), *(["{" + " ".join(words) + "}"] if words else []))


def path_nodes(session: Session) -> bytes:
    """NFO of places one can walk to: the start poses."""
    starts = session.door.starts
    pairs = [f"PathNode_{i} {session.dialect.point(s.p_W)}" for i, s in enumerate(starts)]
    return line("NFO", segment("PathNodes", len(starts)), *(["{" + " ".join(pairs) + "}"] if pairs else []))


def closest_node(session: Session, message: GamebotsCommand) -> bytes | None:
    """NFO of the path node nearest to a place."""
    starts = session.door.starts
    if not starts:
        return None
    p = session.dialect.place(message.numbers("Location") or ())
    i = int(np.argmin([np.linalg.norm(np.array(s.p_W) - p) for s in starts]))
    where = segment("Location", session.dialect.point(starts[i].p_W))
    return line("NFO", segment("Pathnode", f"PathNode_{i}"), where)


def conf(session: Session, message: GamebotsCommand) -> bytes | None:
    """CONF of the robot or of items."""
    bot, kind, name = _asked(session, message)
    if kind.lower() == "robot":
        return robot_conf(bot.class_name, bot.anatomy, bot.flies, session.dialect)
    if kind.lower() in _PACKAGES:
        return package_conf(bot, session.packages, kind, name)
    found = bot.items_named(_meant(kind, bot), name)
    if found:
        return item_conf(found[0].type, found, session.dialect, lambda item: session.door.views.offset(bot, item))
    return _unknown("CONF", session, kind, name)


def geo(session: Session, message: GamebotsCommand) -> bytes | None:
    """GEO of the robot or of items."""
    bot, kind, name = _asked(session, message)
    if kind.lower() == "robot":
        return robot_geo(bot.class_name, bot.anatomy, bot.flies, session.dialect)
    if kind.lower() in _PACKAGES:
        return package_geo(bot, session.packages, kind, name)
    found = bot.items_named(_meant(kind, bot), name)
    if found:
        return item_geo(found[0].type, found, bot.class_name, session.dialect)
    return _unknown("GEO", session, kind, name)


def cameras(session: Session) -> bytes | None:
    """CONF of each camera, which udk volunteers."""
    assert session.bot is not None
    bot = session.bot
    lines = [
        item_conf("Camera", [item], session.dialect, lambda item: session.door.views.offset(bot, item))
        for item in bot.items_named("Camera", "")
    ]
    return b"".join(lines) or None


def heads(bot: Bot, now_ns: int) -> list[bytes]:
    """Lines of items that are looked at only when asked: bare heads of cameras, range imagers that rest, and the
    time of the mission."""
    dialect, lines = bot.dialect, []
    time = [] if dialect.old else [segment("Time", dialect.time(now_ns))]
    for item in bot.items:
        if item.type == "Camera" and dialect.udk:
            lines.append(line("SEN", *time, segment("Type", "Camera"), segment("Name", item.name)))
        elif item.type == "RangeImager" and not item.memory.get("busy"):
            frames = segment("Frames", 0), segment("Frame", 0)
            lines.append(line("SEN", *time, *imager_head(item), *frames))
    if bot.flies and not dialect.old:
        minutes = segment("Minutes", written(now_ns / 60e9))
        lines.append(line("SEN", *time, segment("Type", "MissionTime"), segment("Name", "MissionTime"), minutes))
    return lines


def imager_head(item: NamedItem) -> list[str]:
    """The segments that all lines of a range imager have."""
    config = item.sensor.config
    fov = ",".join(written(a) for a in fields_of_view(item))
    size = f"{config.width},{config.height}"  # type: ignore[attr-defined]
    return [
        segment("Type", "RangeImager"), segment("Name", item.name), segment("Resolution", size), segment("FOV", fov),
    ]  # fmt: skip


def _asked(session: Session, message: GamebotsCommand) -> tuple[Bot, str, str]:
    assert session.bot is not None
    return session.bot, message.get("Type") or "Robot", message.get("Name") or ""


def _meant(kind: str, bot: Bot) -> str:
    """The type of items as they are called in this dialect."""
    return "Range" if bot.dialect.old and kind.lower() == "sonar" else kind


def _unknown(verb: str, session: Session, kind: str, name: str) -> bytes | None:
    """What is not there is echoed by older servers, and left unanswered by the last one."""
    if session.dialect.udk:
        return None
    clean = (w.replace("{", "").replace("}", "")[:64] for w in (kind, name))
    return line(verb, *(segment(k, v) for k, v in zip(("Type", "Name"), clean, strict=True) if v))
