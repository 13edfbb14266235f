"""Who may come in: the page's own origin, with the token, at a pace that a person or a program can have."""

from __future__ import annotations

import hmac
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

__all__ = ["LARGEST_MESSAGE", "MOST_CONNECTIONS", "MOST_PAGES", "Access", "Allowance"]

LARGEST_MESSAGE = 1_000_000
"""Of a page [bytes]; a larger one closes its connection."""
MOST_PAGES = 16
MOST_CONNECTIONS = 64
"""Open sockets, those that have not said yet what they want included."""
_MOST_WRONG = 10
"""Wrong tokens of a source within `_WRONG_WINDOW` [s]; then more of them are answered late."""
_WRONG_WINDOW = 60.0
_MOST_SOURCES = 1000
"""Sources whose wrong tokens are remembered."""


class Allowance:
    """So many messages a second, and as many at once."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_second
        self._left = per_second
        self._clock = clock
        self._then = clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = self._clock()
        self._left = min(self._left + (now - self._then) * self._rate, self._rate)
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Access:
    """The rules at the door of one server."""

    def __init__(self, host: str, token: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """host: the name or address that the server is bound to; token: by default a random one."""
        self.token = token or secrets.token_urlsafe(16)
        self._names = {host.lower(), "localhost", *_own_names()}
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}

    def refusal(self, host: str | None, origin: str | None, local: str) -> tuple[int, str] | None:
        """Why a request is refused, as an HTTP status and words; None: it is not.

        host, origin: headers of the request; local: the address of this end of the connection.
        """
        name = _host_name(host)
        # A page elsewhere whose name was made to point here (DNS rebinding) still says that name.
        if name is None or not (name in self._names or name == local.lower()):
            return 403, "this server is not known under that name; use its address\n"
        if origin is not None and not _is_own(origin, host or ""):
            return 403, "pages of other origins may not speak to this server\n"
        return None

    def admits(self, token: object, remote: str) -> bool:
        """Whether this is the token; wrong ones are counted by their source.

        The right one is always taken: on one machine its owner and a guesser have the same address, and 128 random bits
        are not guessed."""
        right = isinstance(token, str) and hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())
        if not right:
            source = _source(remote)
            if source not in self._wrong and len(self._wrong) >= _MOST_SOURCES:
                self._wrong.pop(next(iter(self._wrong)))
            self._wrong.setdefault(source, deque(maxlen=_MOST_WRONG)).append(self._clock())
        return right

    def must_wait(self, remote: str) -> bool:
        """Whether so many wrong tokens came from the source of an address that its next wrong one is answered late."""
        wrong = self._wrong.get(_source(remote))
        if wrong is None or len(wrong) < _MOST_WRONG:
            return False
        if self._clock() - wrong[-1] > _WRONG_WINDOW:
            del self._wrong[_source(remote)]
            return False
        return wrong[-1] - wrong[0] <= _WRONG_WINDOW


def _source(remote: str) -> str:
    """Who an address belongs to: of IPv6 the network, since a host there has as many addresses as it likes."""
    try:
        address = ip_address(remote.partition("%")[0])
    except ValueError:
        return remote
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))


def _own_names() -> set[str]:
    """The names of this machine; its addresses are known from each connection itself."""
    name = socket.gethostname().lower()
    return {name, f"{name}.local"} if name else set()


def _host_name(header: str | None) -> str | None:
    """The name in a Host header without its port; None if it is none."""
    if not header:
        return None
    try:
        parts = urlsplit(f"//{header}")
        parts.port  # noqa: B018 (raises for a port that is none)
    except ValueError:
        return None
    plain = parts.username is None and parts.password is None and not (parts.path or parts.query or parts.fragment)
    return parts.hostname if plain else None


def _is_own(origin: str, host: str) -> bool:
    """Whether an Origin header names the very server that the Host header names."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
