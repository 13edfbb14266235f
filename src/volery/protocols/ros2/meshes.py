"""The meshes that robots' descriptions refer to, by HTTP."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from volery.bus.description import stl_of
from volery.robots.robot import Robot

__all__ = ["MeshServer"]

_PATH = re.compile(r"/([A-Za-z0-9_.-]{1,100})/([0-9]{1,4})-([0-9]{1,4})\.stl")


class MeshServer:
    """Gives /KIND/BODY-PART.stl of the robots there are; nothing is read from disk."""

    def __init__(self, host: str, port: int, robots: Callable[[], list[Robot]]) -> None:
        """robots: all that are there, safe to be called from any thread."""
        find = lru_cache(256)(lambda kind, body, part: _find(robots(), kind, body, part))

        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 10.0

            def do_GET(self) -> None:
                found = _PATH.fullmatch(self.path)
                data = None if found is None else find(found[1], int(found[2]), int(found[3]))
                self.send_response(200 if data is not None else 404)
                self.send_header("Content-Type", "model/stl")
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                self.wfile.write(data or b"")

            def log_message(self, format: str, *args: object) -> None:
                del format, args

        self._server = ThreadingHTTPServer((host, port), Answer)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="meshes", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5.0)


def _find(robots: list[Robot], kind: str, body: int, part: int) -> bytes | None:
    robot = next((r for r in robots if r.description.path.stem == kind), None)
    return None if robot is None else stl_of(robot, body, part)
