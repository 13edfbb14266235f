"""Zenoh's session for a bus: where it listens and connects, and the token it asks for.

Zenoh's own authentication by user and password enforces it: who does not prove to know the token gets no session. The
token itself is never sent (a challenge is answered with it), but messages are not encrypted.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import zenoh

from volery.core.addresses import is_loopback
from volery.core.config import Checked, param
from volery.errors import BusError

__all__ = ["DEFAULT_ENDPOINT", "TOKEN_VARIABLE", "USER", "BusConfig", "guarded", "open_session"]

_log = logging.getLogger("volery")
DEFAULT_ENDPOINT = "tcp/127.0.0.1:7447"
"""Where rmw_zenoh nodes look for their router."""
TOKEN_VARIABLE = "VOLERY_BUS_TOKEN"
"""The environment variable that holds the token; arguments of programs are seen by all users of a machine."""
USER = "volery"
"""Zenoh's user that has the token as its password."""
_LOG = "error,zenoh_transport::unicast::establishment=off"
"""What Zenoh logs by itself: not each stranger that it turns away."""
_LOCAL = ("unixsock-stream", "unixpipe")
"""Transports that do not leave the machine."""


@dataclass(frozen=True)
class BusConfig(Checked):
    """Where the bus is reached, and by whom."""

    listen: list[str] = field(default_factory=list)
    """Endpoints such as 'tcp/0.0.0.0:7447'; with none and nothing to connect to: loopback."""
    connect: list[str] = field(default_factory=list)
    """Endpoints of routers or peers elsewhere."""
    domain: int = param(0, low=0, high=232)
    """ROS domain."""
    node: str = "volery"
    """Name under which ROS tools show us."""
    token: str = field(default_factory=lambda: os.environ.get(TOKEN_VARIABLE, ""))
    """What others must know to join, and we to join others; empty: none, but beyond this machine a random one."""
    open: bool = False
    """Listen beyond this machine without a token: whoever reaches the bus may then command robots."""


def guarded(config: BusConfig) -> BusConfig:
    """A config with the token that it asks for: a random one if others than this machine's could join."""
    if config.open:
        return replace(config, token="")
    if config.token or all(map(_stays_here, config.listen)):
        return config
    return replace(config, token=secrets.token_urlsafe(16))


def open_session(config: BusConfig) -> zenoh.Session:
    """A session: with nothing said, a router on loopback, or a client of the one that is there already."""
    zenoh.init_log_from_env_or(_LOG)
    if config.listen or config.connect:
        return _session(config.listen, config.connect, config.token)
    with contextlib.suppress(BusError):
        return _session([DEFAULT_ENDPOINT], [], config.token)
    _log.info("bus: %s is taken, using the router that is there", DEFAULT_ENDPOINT)
    return _session([], [DEFAULT_ENDPOINT], config.token)


def _stays_here(endpoint: str) -> bool:
    """Whether only this machine reaches an endpoint such as 'tcp/[::1]:7447#iface=lo'."""
    transport, _, address = endpoint.partition("/")
    host = address.partition("#")[0].partition("?")[0].rpartition(":")[0]
    return transport in _LOCAL or is_loopback(host.strip("[]"))


def _session(listen: list[str], connect: list[str], token: str) -> zenoh.Session:
    settings: dict[str, Any] = {
        # A router passes on what clients say to each other; peers it would leave to find each other by themselves.
        "mode": "router" if listen else "client" if len(connect) == 1 else "peer",
        "listen/endpoints": listen,
        "listen/exit_on_failure": True,
        "connect/endpoints": connect,
        "connect/exit_on_failure": not listen,
        "connect/timeout_ms": -1 if listen else 3000,
        "scouting/multicast/enabled": False,
        "transport/link/tx/queue/size/data": 16,
        # What is kept for who comes late is told apart by it.
        "timestamping/enabled": True,
    }
    try:
        with _account(token, asks=bool(listen)) as asked:
            return zenoh.open(_config({**settings, **asked}))
    except (zenoh.ZError, TypeError) as error:
        # Zenoh tells where in its own source the error arose: of no use here.
        why = str(error).split(" at /")[0]
        if listen:
            raise BusError(f"the bus cannot listen at {', '.join(listen)}: {why}") from None
        hint = f"it asks for a token: set {TOKEN_VARIABLE}"
        if token:
            hint = f"its token is not {TOKEN_VARIABLE}, or it has none"
        raise BusError(f"nobody answers at {', '.join(connect)}, or {hint}: {why}") from None


def _config(settings: dict[str, Any]) -> zenoh.Config:
    made = zenoh.Config()
    for key, value in settings.items():
        made.insert_json5(key, json.dumps(value))
    for part in filter(None, os.environ.get("ZENOH_CONFIG_OVERRIDE", "").split(";")):
        made.insert_json5(*part.split("=", 1))
    return made


@contextlib.contextmanager
def _account(token: str, asks: bool) -> Iterator[dict[str, Any]]:
    """Settings by which a session answers with a token; asks: and asks for it, which Zenoh reads from a file, once."""
    account = "transport/auth/usrpwd"
    known = {f"{account}/user": USER, f"{account}/password": token} if token else {}
    if not (token and asks):
        yield known
        return
    number, path = tempfile.mkstemp(prefix="volery-bus-")  # which only this user can read
    try:
        with os.fdopen(number, "w") as file:
            file.write(f"{USER}:{token}\n")
        yield {**known, f"{account}/dictionary_file": path}
    finally:
        os.unlink(path)
