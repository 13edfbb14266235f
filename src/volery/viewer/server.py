"""The viewer's server: the page and its WebSocket on one port, in a thread of its own.

With no page open it costs the loop a few microseconds a step; a page that is slow, hostile or gone costs it nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from volery import registry
from volery.bus.poses import Roster
from volery.errors import ViewerError, VoleryError
from volery.viewer.access import LARGEST_MESSAGE, MOST_CONNECTIONS, MOST_PAGES, Access
from volery.viewer.assets import asset, plain
from volery.viewer.controls import PageControls
from volery.viewer.live import Attached, Live
from volery.viewer.logs import LogKeeper
from volery.viewer.messages import PageLog, PageReply, PageWelcome
from volery.viewer.page import ROOM, Page
from volery.viewer.planning import known_scenarios
from volery.viewer.world_stream import WorldStream

__all__ = ["DEFAULT_PORT", "ViewerServer"]

DEFAULT_PORT = 8808
VERSION = 1
"""Of what is said between page and server."""
_TRIES = 20
"""Ports that are tried, from the one asked for on."""
_HELLO = 10.0
"""A connection must say hello within this time [s]."""
_PENALTY = 2.0
"""How long a source of many wrong tokens waits for the answer to the next [s]."""
OTHER_VERSION, WRONG_TOKEN, LATE, WRONG_TOO_OFTEN, FULL = 4400, 4401, 4408, 4429, 4503
"""Close codes of the server's own; the page (web/src/net.ts) knows them, and which of them are worth another try."""
_HANDSHAKE = 10.0
"""And ask for something within this [s]."""
_FAREWELL = 1.0
"""How long pages may take to say goodbye at the end [s]."""
_SWITCH = 0.0005
"""How long a thread may keep the others waiting [s]."""
_AT_ONCE = 64
"""Requests of a page that are in the works; with more, the next is not read yet."""

_quiet = logging.getLogger("volery.websockets")
_quiet.setLevel(logging.ERROR)  # what clients do is no news


class _Connection(ServerConnection):
    """A connection that is dropped at once if there are too many."""

    def __init__(self, present: set[Any], *arguments: Any, **options: Any) -> None:
        """present: all sockets that are open."""
        super().__init__(*arguments, **options)
        self._present = present

    def connection_made(self, transport: Any) -> None:
        if len(self._present) < MOST_CONNECTIONS:
            self._present.add(transport)
            super().connection_made(transport)
            return
        # As the class above it does, but without beginning to listen.
        super(ServerConnection, self).connection_made(transport)
        transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._present.discard(self.transport)
        super().connection_lost(error)


class ViewerServer:
    """Serves pages from its own thread. `attach` a run, `detach` it, `close` at the end."""

    def __init__(self, host: str = "127.0.0.1", port: int = DEFAULT_PORT, token: str | None = None) -> None:
        """host, port: where to listen, or the next free port; token: what pages must know, by default a random one."""
        self.access = Access(host, token)
        self.pages: dict[int, Page] = {}
        """Open pages by number; belongs to the viewer's thread."""
        self._socket = _listen(host, port)
        self.host, self.port = host, self._socket.getsockname()[1]
        self._roster = Roster()
        self._live: Live | None = None
        self._controls: PageControls | None = None
        self._ticking: asyncio.Task[Any] | None = None
        self._count = 0
        self._loop = asyncio.new_event_loop()
        self._server: Server | None = None
        self._present: set[Any] = set()
        self._world_stream = WorldStream(lambda: self._post(self._wake_pages))
        self._log = LogKeeper(lambda line: self._post(lambda: self._tell_line(line)))
        # Python hands over between threads every 5 ms by default: too long for a loop of 10 ms.
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH))
        self._thread = threading.Thread(target=self._run, name="viewer", daemon=True)
        self._thread.start()
        self._call(self._open())

    @property
    def url(self) -> str:
        """Where the page is; the part after # never leaves the browser."""
        host = "127.0.0.1" if self.host in ("", "0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/#k={self.access.token}"

    def attach(self, attached: Attached) -> None:
        """Show a run, in the thread of its loop and before the loop runs."""
        live = Live(attached, self._roster, self._world_stream, self.pages, self._post)
        self._call(self._begin(live))

    def detach(self) -> None:
        """The run has ended; pages stay and wait for the next. Nothing happens after `close`."""
        if self._thread.is_alive():
            self._call(self._end())

    def close(self) -> None:
        """End it all; pages are told."""
        if not self._thread.is_alive():
            return
        self._log.close()
        with contextlib.suppress(TimeoutError):
            self._call(self._close(), 2 * _FAREWELL)
        self._world_stream.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_FAREWELL)

    # The thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _call(self, work: Any, timeout: float | None = None) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def _post(self, call: Callable[[], None]) -> None:
        """Have the viewer's thread call something; nothing happens after its end."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)

    async def _open(self) -> None:
        self._server = await serve(
            self._welcome, sock=self._socket, process_request=self._request, max_size=LARGEST_MESSAGE,
            open_timeout=_HANDSHAKE, close_timeout=_FAREWELL, write_limit=ROOM, max_queue=4, compression=None,
            server_header=None, logger=_quiet,
            create_connection=self._connection,  # type: ignore[arg-type]
        )  # fmt: skip

    async def _begin(self, live: Live) -> None:
        await self._end()
        self._live, self._controls = live, PageControls(live)
        live.watched = bool(self.pages)
        self._ticking = asyncio.create_task(live.run())
        live.want()
        for page in self.pages.values():
            page.held = {}
            page.say(self._about())
            live.greet(page)

    async def _end(self) -> None:
        live, self._live = self._live, None
        if live is None:
            return
        if self._controls is not None:
            self._controls.close()
            self._controls = None
        if self._ticking is not None:
            self._ticking.cancel()
        live.close()

    def _connection(self, *arguments: Any, **options: Any) -> _Connection:
        return _Connection(self._present, *arguments, **options)

    async def _close(self) -> None:
        await self._end()
        server: Any = self._server
        server.close()
        # Those that do not read, or have not said a word, would not hear a goodbye.
        for transport in list(self._present):
            self._loop.call_later(_FAREWELL / 2, transport.abort)
        await server.wait_closed()

    def _wake_pages(self) -> None:
        for page in self.pages.values():
            page.wake()

    def _tell_line(self, line: PageLog) -> None:
        self._count += 1
        for page in self.pages.values():
            page.say(line, self._count % _AT_ONCE)

    # Connections

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """The page's files, or None to go on to a WebSocket."""
        hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
        if len(hosts) != 1 or len(origins) > 1:
            return plain(403, "a request has one Host and at most one Origin\n")
        refusal = self.access.refusal(hosts[0], origins[0] if origins else None, connection.local_address[0])
        if refusal is not None:
            return plain(*refusal)
        # Too many pages: said by a close code, since a browser does not tell a page of a status.
        if request.path.split("?")[0] == "/ws":
            return None
        return asset(request.path, gzipped="gzip" in request.headers.get("Accept-Encoding", ""))

    async def _welcome(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            if await self._hears_hello(connection):
                await self._serve(connection)

    async def _hears_hello(self, connection: ServerConnection) -> bool:
        """Whether the first message is the right greeting; else the connection is closed, and told why."""
        try:
            hello = _parsed(await asyncio.wait_for(connection.recv(), _HELLO))
        except TimeoutError:
            await connection.close(LATE, f"no hello within {_HELLO:g} s")
            return False
        except ValueError:
            hello = {}
        remote = connection.remote_address[0]
        if hello.get("do") != "hello" or not self.access.admits(hello.get("token"), remote):
            await self._turn_away(connection, remote)
        elif hello.get("version", VERSION) != VERSION:
            await connection.close(OTHER_VERSION, f"this server speaks version {VERSION}; reload the page")
        elif len(self.pages) >= MOST_PAGES:
            await connection.close(FULL, f"there are {MOST_PAGES} pages open already")
        else:
            return True
        return False

    async def _turn_away(self, connection: ServerConnection, remote: str) -> None:
        if self.access.must_wait(remote):
            await asyncio.sleep(_PENALTY)
            await connection.close(WRONG_TOO_OFTEN, "too many wrong tokens from this address")
        else:
            await connection.close(WRONG_TOKEN, "say hello with the token first")

    async def _serve(self, connection: ServerConnection) -> None:
        self._count += 1
        page = Page(self._count, connection)
        page.say(self._about())
        page.area = self._world_stream.open()
        self.pages[page.number] = page
        for i, line in enumerate(self._log.lines):
            page.say(line, -i - 1)
        if self._live is not None:
            self._live.watched = True
            self._live.greet(page)
        sender = asyncio.create_task(page.run())
        try:
            await self._listen_to(page)
        finally:
            sender.cancel()
            self._forget(page)

    def _forget(self, page: Page) -> None:
        del self.pages[page.number]
        page.close()
        if self._live is not None:
            self._live.watched = bool(self.pages)
            self._live.want()
            if self._controls is not None:
                self._controls.leave(page)

    async def _listen_to(self, page: Page) -> None:
        tasks: set[asyncio.Task[Any]] = set()
        async for data in page.connection:
            if not page.allowance.take():
                await page.connection.close(1008, "too many messages a second")
                return
            try:
                message = _parsed(data)
            except ValueError:
                await page.connection.close(1007, "messages are JSON objects")
                return
            # Begun in the order in which they came; one that takes long does not keep back the next.
            task = asyncio.create_task(self._answer(page, message))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            if len(tasks) >= _AT_ONCE:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def _answer(self, page: Page, message: dict[str, Any]) -> None:
        number = message.get("id")
        number = number if isinstance(number, int | str) else None
        try:
            if self._controls is None:
                raise ViewerError("no run is in progress at the moment; another one may be about to begin")
            result = await self._controls.do(page, str(message.get("do"))[:100], message)
            reply = PageReply(number, result)
        except VoleryError as error:
            reply = PageReply(number, error=str(error))
        if number is not None:
            await page.reply(reply)
        elif reply.error is not None:
            page.say(PageLog("error", reply.error), "refused")

    def _about(self) -> PageWelcome:
        """The `welcome` message."""
        about = PageWelcome(
            version=VERSION, role="control", mode="live", scenario="", seed=0, step_ns=0, about="",
            robots_version=self._roster.version, scenarios=known_scenarios(), worlds=registry.names("worlds"), files=[],
        )  # fmt: skip
        if self._live is None:
            return about
        attached, simulation = self._live.attached, self._live.attached.simulation
        return replace(
            about,
            mode="live" if attached.replayer is None else "replay",
            scenario=simulation.scenario.name,
            seed=simulation.seed,
            step_ns=simulation.clock.step_ns,
            about=simulation.scenario.file.about,
            files=sorted(p.name for p in attached.out.glob("*.state")),
        )


def _parsed(data: str | bytes) -> dict[str, Any]:
    """A message of a page; a ValueError if it is none."""
    try:
        message = json.loads(data, parse_constant=_no_number) if isinstance(data, str) else None
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(message, dict):
        raise ValueError("not an object")
    return message


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket at the first free port from `port` on; 0: any."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    except (OSError, UnicodeError) as error:
        raise ViewerError(f"the viewer cannot listen at '{host}': {error}; give an address of this machine") from None
    last: OSError | None = None
    for candidate in range(port, min(port + _TRIES, 65536)) if port else [0]:
        try:
            return socket.create_server((host, candidate), family=family, backlog=32)
        except OSError as error:
            last = error
    raise ViewerError(f"the viewer cannot listen at {host}, ports {port} to {port + _TRIES - 1}: {last}")
