"""A page in a headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from typing import Any

from websockets.sync.client import connect

from volery.errors import SimulationError

__all__ = ["BrowserPage", "chromium"]

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,800",
    "--remote-debugging-port=0",
)  # fmt: skip
_PATIENCE = 300.0
"""How long a page may take [s]."""
_PLACES = """JSON.stringify(
  typeof volery === 'undefined' || !volery.figures || !volery.view.chunks.chunks.size ? [] :
  [...volery.figures.figures.values()].map(f => f.bodies[0].position.toArray()))"""
"""Where robots are drawn, once the ground is there."""


def chromium() -> str | None:
    """The browser of this machine, if it has one."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class BrowserPage:
    """A browser with one page open, empty at first if no address is given."""

    def __init__(self, address: str = "about:blank") -> None:
        self._address = address
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._count = 0

    def __enter__(self) -> BrowserPage:
        words = [chromium() or "chromium", *_FLAGS, f"--user-data-dir={self._folder.name}", self._address]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        port = next(m[1] for line in self._process.stderr or () if (m := re.search(r"ws://127.0.0.1:(\d+)/", line)))
        self._browser = connect(self._target(int(port)), max_size=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def _target(self, port: int) -> str:
        """Address of the page within the browser."""
        from urllib.request import urlopen

        end = time.monotonic() + 30
        while time.monotonic() < end:
            with urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                pages = [t for t in json.load(answer) if t["type"] == "page"]
            if pages:
                return pages[0]["webSocketDebuggerUrl"]
            time.sleep(0.05)
        raise SimulationError("Chromium opened no page within 30 s")

    def go(self, address: str) -> None:
        """Open another page in its place."""
        self._call("Page.navigate", url=address)

    def evaluate(self, expression: str) -> Any:
        """Value of an expression of JavaScript."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"]["result"].get("value")

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        self._browser.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while (answer := json.loads(self._browser.recv(timeout=60))).get("id") != self._count:
            pass
        return answer

    def wait_until_it_moves(self) -> None:
        """Return when a robot has been drawn at two places."""
        end, first = time.monotonic() + _PATIENCE, None
        while time.monotonic() < end:
            places = json.loads(self.evaluate(_PLACES) or "[]")
            if places and first is None:
                first = places
            if first is not None and places and places != first:
                return
            time.sleep(0.02)
        raise SimulationError(f"nothing moved in the page within {_PATIENCE:g} s")
