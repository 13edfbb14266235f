"""The truth port: where all robots really are, for tools that keep scores; off unless the settings give it a port."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from volery.protocols.gamebots.grammar import END, GamebotsCommand, LineReader, parse, segment
from volery.protocols.guests import looks_like_http

if TYPE_CHECKING:
    from volery.protocols.gamebots.door import Gamebots

__all__ = ["TruthClient", "truth_lines"]

_MOST_WAITING = 100
"""Questions of a client that wait for their answer; more are not taken."""


def truth_lines(door: Gamebots, message: GamebotsCommand) -> bytes:
    """A line for each robot of a class and a name, both optional, and one that ends them; in the loop."""
    kind, name = ((message.get(key) or "").lower().rpartition(".")[2] for key in ("class", "name"))
    dialect, now = door.dialect, door.dialect.time(door.simulation.clock.now_ns)
    classes = {s.bot.name: s.bot.class_name for s in door.sessions.values() if s.bot is not None}
    lines = []
    for robot in door.robots.values():
        known = classes.get(robot.name, robot.description.source.partition(".")[0])
        if kind in ("", known.lower()) and name in ("", robot.name.lower()):
            where = segment("Location", dialect.point(robot.p_WB))
            turned = segment("Rotation", dialect.attitude(robot.q_WB_wxyz))
            lines.append([segment("Name", robot.name), segment("Class", known), segment("Time", now), where, turned])
    return b"".join(" ".join(parts).encode() + END for parts in [*lines, ["{End}"]])


class TruthClient(asyncio.Protocol):
    """One connection: a line of `{class C} {name N}`, or an empty pair of braces, is a question."""

    def __init__(self, door: Gamebots) -> None:
        self._door = door
        self._reader = LineReader()
        self._transport: Any = None
        self._waiting = 0
        self.gone = False
        self._new = True

    def connection_made(self, transport: Any) -> None:
        """Ready."""
        self._transport = transport
        self._door.wire.admit(self, transport)

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self.gone = True
        self._door.wire.guests.leave(self)
        self._door.simulation.forget_requests(self)

    def data_received(self, data: bytes) -> None:
        """Pass questions on to the loop."""
        if self._new and looks_like_http(data):
            self._transport.abort()
            return
        self._new = False
        self._door.wire.guests.hear(self)
        for text in self._reader.feed(data):
            # A question has no verb of its own.
            message = parse(f"TRUTH {text}")[0]
            if self._waiting < _MOST_WAITING and not self._door.wire.clogged(self._transport):
                self._waiting += 1
                answer = self._door.simulation.ask(partial(truth_lines, self._door, message), self)
                answer.add_done_callback(lambda done: self._door.wire.call(lambda: self._send(done)))

    def _send(self, done: Future[Any]) -> None:
        self._waiting -= 1
        if not self._transport.is_closing() and not done.cancelled() and done.exception() is None:
            self._transport.write(done.result())
