"""What a message is: how its request looks, what does it, and what its reply is when that cannot be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from volery.protocols.ueds.codec import IncompleteError, RequestLayout, layout

__all__ = ["Table", "UedsMessage", "message"]

Where = Literal["now", "loop", "soon", "sure"]


@dataclass(frozen=True)
class UedsMessage:
    """A message of a server. The reply to one that failed is as long as any other: clients read it whole."""

    name: str
    request: RequestLayout
    act: Callable[..., Any]
    """Gets the game mode or the drone, then the request's fields; returns the reply's bytes after type and status."""
    where: Where
    """now: by the client's own thread; loop: by the simulation's, between two steps, or not at all if it is late; soon:
    the same, and between the rows of a picture as well; sure: accepted by the client's own thread, and done by the loop
    when it can: `act` returns the reply and the future of what is left to do."""
    failed: bytes
    """The reply's bytes if it could not be done."""
    before: Callable[..., tuple[Any, ...]] | None = None
    """What the client's own thread makes of the fields first; gets what `act` gets, which then gets what it returns."""
    longer: RequestLayout | None = None
    """Another form of the request, with more fields at the end."""
    code: int | None = None
    """Type in the reply, where the original puts another one than that of the request."""

    def longest(self, data: bytes, start: int) -> tuple[tuple[Any, ...], int]:
        """The fields of the longer form if they are there, else of the shorter."""
        try:
            return (self.longer or self.request).read(data, start)
        except IncompleteError:
            return self.request.read(data, start)


Table = dict[int, UedsMessage]
"""Messages of a server by number."""


def message(
    name: str, request: str, act: Callable[..., Any], failed: bytes = b"", where: Where = "loop",
    **more: Any,
) -> UedsMessage:  # fmt: skip
    """A message with its layouts given as words of letters."""
    longer = more.pop("longer", None)
    return UedsMessage(name, layout(request), act, where, failed, longer=layout(longer) if longer else None, **more)
