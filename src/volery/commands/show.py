"""The viewer of a run or a replay: where it listens, and the page opened on a desktop."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

from volery.core.addresses import is_loopback
from volery.errors import ViewerError
from volery.viewer.server import DEFAULT_PORT, ViewerServer

__all__ = ["Viewer", "has_desktop", "open_viewer"]

_log = logging.getLogger("volery")


class Viewer(ViewerServer):
    """A server whose page is opened in this user's browser, if there is a desktop."""

    _door: Path | None = None

    def show(self, folder: Path) -> None:
        """Open the page through a file in a folder that only this user can read: all see what programs are given."""
        self._door = (folder / "open-viewer.html").resolve()
        text = f'<!doctype html><meta charset="utf-8"><script>location.replace({json.dumps(self.url)})</script>'
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            self._door.unlink(missing_ok=True)
            with os.fdopen(os.open(self._door, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
            threading.Thread(target=webbrowser.open, args=(self._door.as_uri(),), daemon=True).start()

    def close(self) -> None:
        """End it."""
        super().close()
        if self._door is not None:
            with contextlib.suppress(OSError):
                self._door.unlink()


def open_viewer(options: argparse.Namespace) -> Viewer | None:
    """The viewer as the command line wants it, its address printed; None: it cannot be served, which is said."""
    host, port = _address(options.viewer)
    try:
        viewer = Viewer(host, port)
    except ViewerError as error:
        _log.error("%s; running without the page", error)
        return None
    print(f"viewer: {viewer.url}", flush=True)
    if not is_loopback(host):
        print(
            f"viewer: listening at {host}, from elsewhere under http://{socket.gethostname()}:{viewer.port}/ with the "
            "same #k=… part. Only who has that part sees the run and can fly its robots; but what is sent is not "
            "encrypted: keep to networks you trust, or leave out --viewer and use a tunnel (ssh -L)",
            flush=True,
        )
    if not options.no_browser and has_desktop():
        viewer.show(Path(options.out))
    return viewer


def _address(text: str | None) -> tuple[str, int]:
    """Host and port of HOST:PORT, HOST or :PORT; an IPv6 address stands in brackets."""
    if text is None:
        return "127.0.0.1", DEFAULT_PORT
    host, colon, port = ("", "", "") if text.endswith("]") else text.rpartition(":")
    if not colon:
        host, port = text, str(DEFAULT_PORT)
    if not port.isdecimal() or int(port) > 65535:
        raise ViewerError(f"--viewer {text}: must be HOST:PORT, such as 0.0.0.0:{DEFAULT_PORT}")
    return host.strip("[]") or "127.0.0.1", int(port)


def has_desktop() -> bool:
    """Whether a browser can be opened where the user sees it."""
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
