"""A client as the loop knows it: its commands are done here, and what it is told is written here."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import Rate
from volery.errors import SimulationError, VoleryError
from volery.protocols.gamebots import driving, queries
from volery.protocols.gamebots.bodies import sensor_lines
from volery.protocols.gamebots.bot import Bot, enter
from volery.protocols.gamebots.classes import CONTROLLER
from volery.protocols.gamebots.control import WorldController
from volery.protocols.gamebots.grammar import GamebotsCommand, line, number, segment
from volery.protocols.gamebots.packages import Package, act, package_lines, packages_of
from volery.protocols.gamebots.setting import change
from volery.protocols.gamebots.states import state_line
from volery.protocols.gamebots.wire import GamebotsConnection
from volery.sensors.range import UsarLaser
from volery.sensors.sensor import Reading

if TYPE_CHECKING:
    from volery.protocols.gamebots.door import Gamebots

__all__ = ["VERBS", "Session"]

_log = logging.getLogger("volery")
_COMPLAINTS = 20
"""Lines of a client that the log tells about."""
_COLOURS = {
    "red": (1.0, 0.1, 0.1), "yellow": (1.0, 0.9, 0.1), "green": (0.1, 0.9, 0.2), "cyan": (0.1, 0.9, 0.9),
    "white": (1.0, 1.0, 1.0), "blue": (0.2, 0.3, 1.0), "purple": (0.7, 0.2, 0.9),
}  # fmt: skip
_UNUSED = ("TEST", "TURN", "EFFECTOR", "FACTORY", "SETBALL", "POSALL")
"""Commands of which no client is known."""


class Session:
    """One client and, after its INIT, its robot."""

    def __init__(self, door: Gamebots, client: GamebotsConnection) -> None:
        self.door = door
        self.client = client
        self.dialect = client.dialect
        self.bot: Bot | None = None
        self.controller: WorldController | None = None
        self.packages: list[Package] = []
        self._out: list[bytes] = []
        self._rate = Rate.of(1.0 / self.dialect.period)
        self._trace: tuple[tuple[float, float, float], Rate, np.ndarray | None] | None = None
        self._complaints = 0
        self._mute = False

    # Commands

    def serve(self, most: int) -> None:
        """Do what the client asked, at most so many commands at once."""
        for message in self.client.take(most):
            try:
                self._do(message)
            except VoleryError as error:
                self.complain(message, str(error))
            except Exception as error:
                _log.exception("USARSim: %s of %s failed", message.verb, self.who)
                self.complain(message, f"{type(error).__name__}: {error}")

    def _do(self, message: GamebotsCommand) -> None:
        self.door.resume_for(message)
        if message.verb in _ALWAYS:
            _ALWAYS[message.verb](self, message)
        elif message.verb in _WITH_ROBOT:
            if self.bot is None:
                raise SimulationError("there is no robot yet; INIT comes first")
            if not self.bot.spent:
                _WITH_ROBOT[message.verb](self, message)
        elif message.verb == "CONTROL":
            if self.controller is None:
                raise SimulationError("CONTROL is for clients that INIT USARBotAPI.WorldController")
            self.reply(self.controller.do(message))
        else:
            raise SimulationError("there is no such command")

    @property
    def who(self) -> str:
        """The client in the log."""
        return self.bot.name if self.bot else f"client at {self.client.address}"

    def complain(self, message: GamebotsCommand, why: str) -> None:
        """Tell the log why a command was dropped; the client only if it is wished, as the originals were silent."""
        self._complaints += 1
        if self._complaints <= _COMPLAINTS:
            more = "; more of this client is not told" if self._complaints == _COMPLAINTS else ""
            _log.info("USARSim: %s: %s was dropped: %s%s", self.who, message.verb[:40], why, more)
        if self.door.settings.errors:
            clean = why.replace("{", "(").replace("}", ")")
            self.reply(line("ERR", segment("Command", message.verb[:40]), segment("Reason", clean)))

    def reply(self, data: bytes | None) -> None:
        """Have a line sent at the end of the step."""
        if data:
            self._out.append(data)

    def written(self) -> list[tuple[GamebotsConnection, bytes]]:
        """What was said in this step, to be sent."""
        data, self._out = b"".join(self._out), []
        return [(self.client, data)] if data else []

    def init(self, message: GamebotsCommand) -> None:
        """INIT: enter with a robot, or as the controller of the world."""
        if self.bot is not None or self.controller is not None:
            raise SimulationError("this client has a robot already; open a second connection for a second one")
        if sum(s.bot is not None for s in self.door.sessions.values()) >= self.door.settings.connections:
            raise SimulationError(
                f"there are {self.door.settings.connections} robots already; `connections` allows more"
            )
        if (message.get("ClassName") or "").lower().endswith(CONTROLLER):
            self.controller = WorldController(self.door.simulation, self.dialect)
            self.keep_place()
            return
        self.bot = enter(self.door, message, self.dialect)
        self.keep_place()
        if self.bot.rules.message_period is not None:
            self._rate = Rate.of(1.0 / self.bot.rules.message_period)
        self.packages = packages_of(self.bot)
        _log.info("USARSim: %s is a %s at %s", self.bot.name, self.bot.class_name, self.bot.robot.p_WB.round(2))
        if self.dialect.udk:
            self.reply(queries.cameras(self))

    def keep_place(self) -> None:
        """It is no stranger any more: nobody else gets its place."""
        self.client.has_robot = True
        self.door.wire.guests.hear(self.client)

    def trace(self, message: GamebotsCommand) -> None:
        """Trace: draw where the robot goes."""
        assert self.bot is not None
        if not (True if message.get("On") is None else message.truth("On")):
            self._trace = None
            return
        interval = number(message.get("Interval") or "0.2")
        colour = (message.get("Color") or "red").lower()
        if colour not in _COLOURS:
            raise SimulationError(f"a trace cannot be '{colour}'; colours: {', '.join(_COLOURS)}")
        self._trace = _COLOURS[colour], Rate.of(1.0 / min(max(interval, 0.05), 60.0)), None

    # What the client is told

    def hear(self, fresh: list[tuple[str, Reading]], now_ns: int, step_ns: int) -> None:
        """After a step: what is due. A client that cannot be told is told no more, and the run goes on."""
        bot = self.bot
        if bot is None or self._mute or bot.name not in self.door.simulation.robots:
            return
        try:
            self._tell(bot, fresh, now_ns, step_ns)
        except Exception:
            self._mute = True
            _log.exception("USARSim: %s cannot be told what its sensors feel", self.who)

    def _tell(self, bot: Bot, fresh: list[tuple[str, Reading]], now_ns: int, step_ns: int) -> None:
        """State, sensors and packages."""
        due = self._rate.due(now_ns, step_ns)
        # One client swallows the first letter of what comes together: the state had better not be the first.
        if not bot.spent:
            if due:
                self._out += package_lines(bot, self.packages, now_ns)
            pairs = [(item, reading) for name, reading in fresh for item in bot.by_sensor.get(name, ())]
            self._out += sensor_lines(pairs, self.dialect)
            if due:
                self._out += queries.heads(bot, now_ns)
        if due:
            self.reply(state_line(bot, now_ns))
        self._draw(bot, now_ns, step_ns)

    def _draw(self, bot: Bot, now_ns: int, step_ns: int) -> None:
        if self._trace is None or not self._trace[1].due(now_ns, step_ns):
            return
        colour, rate, last = self._trace
        p = bot.robot.p_WB.copy()
        if last is not None and np.linalg.norm(p - last) > 0.01:
            drawings = self.door.simulation.environment.drawings
            drawings.add("line", np.stack([last, p]), (*colour, 1.0), owner=f"trace/{bot.name}")
        self._trace = colour, rate, p

    def end(self) -> None:
        """The client has left: so does what is its own."""
        if self.bot is not None:
            self.bot.remove()
            self.door.simulation.environment.drawings.clear(f"trace/{self.bot.name}")
        if self.controller is not None:
            self.controller.end()


def _bot(session: Session) -> Bot:
    assert session.bot is not None
    return session.bot


def _scan(session: Session, message: GamebotsCommand) -> None:
    bot = _bot(session)
    if not message.truth("Scan"):
        raise SimulationError("SENSOR takes {Scan true}")
    scanners = [i for i in bot.items if isinstance(i.sensor, UsarLaser)]
    if not scanners:
        raise SimulationError(f"{bot.class_name} has no laser that scans when told")
    for item in scanners:
        bot.operate(item, "scan")


def _none(session: Session, message: GamebotsCommand) -> None:
    raise SimulationError("no client is known that uses it, and nothing is known of what it did")


def _avatar(session: Session, message: GamebotsCommand) -> None:
    raise SimulationError("there are no walking people to command here")


_ALWAYS: dict[str, Callable[[Session, GamebotsCommand], None]] = {
    "INIT": Session.init,
    "GETSTARTPOSES": lambda s, m: s.reply(queries.start_poses(s)),
    "GETPATHNODES": lambda s, m: s.reply(queries.path_nodes(s)),
    "GETCLOSESTPATHNODE": lambda s, m: s.reply(queries.closest_node(s, m)),
    "PAUSE": lambda s, m: s.door.pause(m.number("Time")),
    "MOVE": _avatar,
    "GOTO": _avatar,
    **dict.fromkeys(_UNUSED, _none),
}
"""Commands that need no robot."""
_WITH_ROBOT: dict[str, Callable[[Session, GamebotsCommand], None]] = {
    "DRIVE": lambda s, m: driving.drive(_bot(s), m),
    "MULTIDRIVE": lambda s, m: driving.many(_bot(s), m),
    "CAMERA": lambda s, m: driving.camera(_bot(s), m),
    "SENSOR": _scan,
    "SET": lambda s, m: s.reply(change(s, m)),
    "GETCONF": lambda s, m: s.reply(queries.conf(s, m)),
    "GETGEO": lambda s, m: s.reply(queries.geo(s, m)),
    "MISPKG": lambda s, m: act(_bot(s), s.packages, m, first=1),
    "ACT": lambda s, m: act(_bot(s), s.packages, m, first=0),
    "TRACE": Session.trace,
}
"""Commands to a robot."""
VERBS = frozenset({*_ALWAYS, *_WITH_ROBOT, "CONTROL"})
"""All commands."""
