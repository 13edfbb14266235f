"""Services as rmw_zenoh has them: a queryable under the service's key, request and response in CDR, each with an
attachment that names the client and numbers its request."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import zenoh

from volery.bus.conversion import message_of
from volery.bus.keys import Attachment, Endpoint
from volery.bus.types import decode, encode
from volery.errors import BusError, VoleryError

__all__ = ["Answer", "Handler", "ServiceServer", "call"]

_log = logging.getLogger("volery")
_CDR = zenoh.Encoding("application/cdr")

Answer = Callable[[Any], None]
"""Takes the response's fields as plain data, once; or an error, of which a caller is told the words."""
Handler = Callable[[Any, Answer], None]
"""Gets a request and what takes the response."""


class ServiceServer:
    """One service of this process."""

    def __init__(
        self, session: zenoh.Session, key: str, endpoint: Endpoint, token: zenoh.LivelinessToken, handler: Handler,
        on_close: Callable[[ServiceServer], None],
    ) -> None:  # fmt: skip
        self.name = endpoint.topic
        self.service_type = endpoint.message_type
        self._key = key
        self._token: zenoh.LivelinessToken | None = token
        self._handler = handler
        self._on_close = on_close
        self._queryable = session.declare_queryable(key, self._take, complete=True)

    def close(self) -> None:
        """Answer no more."""
        if self._token is None:
            return
        token, self._token = self._token, None
        parts: tuple[Any, ...] = (token, self._queryable)
        for part in parts:
            part.undeclare()
        self._on_close(self)

    def _take(self, query: zenoh.Query) -> None:
        try:
            attachment = Attachment.decode(None if query.attachment is None else query.attachment.to_bytes())
            if attachment is None or query.payload is None:
                raise BusError(f"{self.name}: a request needs a payload and rmw_zenoh's attachment")
            request = decode(query.payload.to_bytes(), f"{self.service_type}_Request")
            self._handler(request, _Answering(self, query, attachment))
        except (VoleryError, ValueError, TypeError) as error:
            query.reply_err(str(error).encode())

    def reply(self, query: zenoh.Query, attachment: Attachment, response: Any) -> None:
        """Send a response, or the words of an error."""
        try:
            if isinstance(response, BaseException):
                raise response
            data = bytes(encode(message_of(f"{self.service_type}_Response", response)))
        except (VoleryError, ValueError, TypeError) as error:
            query.reply_err(str(error).encode())
            return
        # The client knows its own number and name again, with the time of the answer.
        told = Attachment(attachment.sequence, time.time_ns(), attachment.publisher)
        query.reply(self._key, data, encoding=_CDR, attachment=told.encode())


class _Answering:
    """What a handler is given to answer with, now or later and in any thread."""

    def __init__(self, service: ServiceServer, query: zenoh.Query, attachment: Attachment) -> None:
        self._service, self._attachment = service, attachment
        self._query: Any = query

    def __call__(self, response: Any) -> None:
        query, self._query = self._query, None
        if query is None:
            return
        try:
            self._service.reply(query, self._attachment, response)
        except zenoh.ZError as error:
            _log.debug("%s: nobody waits for the answer any more: %s", self._service.name, error)
        finally:
            # Only then does Zenoh know that no more answers come.
            query.drop()


def call(session: zenoh.Session, key: str, service_type: str, timeout: float, request: Mapping[str, Any]) -> Any:
    """Ask a service and wait for its answer."""
    data = bytes(encode(message_of(f"{service_type}_Request", dict(request))))
    name = key.split("/", 1)[1].rsplit("/", 2)[0]
    answered = threading.Event()
    found: list[zenoh.Reply] = []

    def hear(reply: zenoh.Reply) -> None:
        found.append(reply)
        answered.set()

    # As long as it is not answered, the number of the request is that of its time.
    own = bytes.fromhex(str(session.info.zid()).rjust(32, "0"))
    attachment = Attachment(time.monotonic_ns(), time.time_ns(), own)
    session.get(
        key, hear, target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE,
        payload=data, encoding=_CDR, attachment=attachment.encode(), timeout=timeout,
    )  # fmt: skip
    if not answered.wait(timeout + 0.5):
        raise BusError(f"service /{name}: nobody answered within {timeout:g} s")
    reply = found[0]
    if reply.ok is None:
        words = b"" if reply.err is None else reply.err.payload.to_bytes()
        raise BusError(f"service /{name}: {words.decode(errors='replace') or 'nobody answered'}")
    return decode(reply.ok.payload.to_bytes(), f"{service_type}_Response")
