"""One open page: what it wants to see, and what waits to be sent to it.

Nothing piles up for a page that reads slowly: of each kind and key only the newest frame waits, and pieces of the world
are taken only when there is room for them.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any

from websockets.asyncio.server import ServerConnection

from volery.viewer.access import Allowance
from volery.viewer.area_of_interest import AreaOfInterest
from volery.viewer.drawings import Markers
from volery.viewer.messages import PageMessage, PageReply, plain_message

__all__ = ["ROOM", "Page"]

ROOM = 1_000_000
"""Bytes that may be on their way to a page; with more, nothing follows before they are sent."""
_MESSAGES_A_SECOND = 200.0
_MOST_REPLIES = 256
"""Replies that may wait; a page that asks on and on and reads nothing is not listened to until it does."""


class Page:
    """The server's side of a page. All methods belong to the viewer's thread."""

    def __init__(self, number: int, connection: ServerConnection) -> None:
        self.number = number
        self.connection = connection
        self.allowance = Allowance(_MESSAGES_A_SECOND)
        self.topics: dict[str, float] = {}
        """Topics it wants, and how often [Hz]."""
        self.table = False
        """Whether it wants the table of topics."""
        self.held: dict[str, str] = {}
        """Robots that it moves by hand, and by which kind of command."""
        self.area: AreaOfInterest | None = None
        """Its view of the world."""
        self.markers = Markers()
        """The drawings it knows."""
        self.known = 0
        """Events it knows."""
        self.gone = False
        self._slots: dict[tuple[str, Any], str | bytes] = {}
        self._replies: deque[str] = deque()
        self._wake = asyncio.Event()
        self._read = asyncio.Event()

    def say(self, message: PageMessage, key: Any = None) -> None:
        """Have a message sent; one of the same kind and key that still waits is forgotten."""
        self.put(message.kind, text_of(plain_message(message)), key)

    def put(self, kind: str, frame: str | bytes, key: Any = None) -> None:
        """Have a frame sent, as `say` does a message."""
        # Taken out first: a new one goes to the end, so that none waits for ever behind others.
        self._slots.pop((kind, key), None)
        self._slots[kind, key] = frame
        self._wake.set()

    def waits(self, kind: str) -> bool:
        """Whether a frame of a kind without key still waits to be sent."""
        return (kind, None) in self._slots

    async def reply(self, answer: PageReply) -> None:
        """Have an answer sent; waits while too many wait already."""
        while len(self._replies) >= _MOST_REPLIES and not self.gone:
            self._read.clear()
            await self._read.wait()
        self._replies.append(text_of(plain_message(answer)))
        self._wake.set()

    def wake(self) -> None:
        """There may be pieces of the world to send."""
        self._wake.set()

    def close(self) -> None:
        """It has gone."""
        self.gone = True
        self._read.set()
        if self.area is not None:
            self.area.close()

    async def run(self) -> None:
        """Send what waits, small things first and then the world, until the connection ends."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while (frame := self._next()) is not None:
                # Waits here while the socket is full; meanwhile newer frames replace those that wait.
                await self.connection.send(frame)

    def _next(self) -> str | bytes | None:
        if self._replies:
            self._read.set()
            return self._replies.popleft()
        if self._slots:
            return self._slots.pop(next(iter(self._slots)))
        piece = None if self.area is None else self.area.take()
        return text_of(plain_message(piece)) if isinstance(piece, PageMessage) else piece


def text_of(frame: dict[str, Any]) -> str:
    """A frame as JSON; NaN and infinity, which are no JSON, become null."""
    try:
        return json.dumps(frame, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(frame), separators=(",", ":"), allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    return [_finite(v) for v in value] if isinstance(value, list | tuple) else value
