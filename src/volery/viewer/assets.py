"""The files of the page: a fixed set, asked for by name."""

from __future__ import annotations

import gzip
from email.utils import formatdate
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Response

__all__ = ["PAGE", "asset", "plain"]

PAGE = Path(__file__).parent / "page"
"""Where the built page lies."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}
_WORTHWHILE = (".html", ".js", ".css", ".txt", ".svg")
_RULES = (
    # Nothing from other hosts; the property panel brings its style in the page.
    ("Content-Security-Policy",
     "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; worker-src 'self' blob:; "
     "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-cache"),
)  # fmt: skip


def asset(path: str, folder: Path = PAGE, *, gzipped: bool = False) -> Response:
    """The answer to a GET of a path; only files that lie in the folder are known, so none outside can be named.

    gzipped: the browser takes compressed files.
    """
    name = unquote(urlsplit(path).path).lstrip("/") or "index.html"
    known = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.suffix in _TYPES and p.is_file()}
    if name in known:
        file = known[name]
        if gzipped and file.suffix in _WORTHWHILE:
            packed = _gzipped(file, file.stat().st_mtime_ns)
            return _response(
                200, "OK", packed, _TYPES[file.suffix], ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")
            )
        return _response(200, "OK", file.read_bytes(), _TYPES[file.suffix])
    if name == "index.html":
        return plain(503, "the page is not built: run `npm ci && npm run build` in src/volery/viewer/web\n")
    return plain(404, "there is no such file\n")


def plain(status: int, text: str) -> Response:
    """An answer of a few words."""
    reasons = {403: "Forbidden", 404: "Not Found", 429: "Too Many Requests", 503: "Service Unavailable"}
    return _response(status, reasons[status], text.encode(), _TYPES[".txt"])


@cache
def _gzipped(file: Path, version: int) -> bytes:
    """Once for each version of a file: the page's program is 940 kB, and 250 kB compressed."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)


def _response(status: int, reason: str, body: bytes, kind: str, *more: tuple[str, str]) -> Response:
    own = [("Date", formatdate(usegmt=True)), ("Connection", "close"), ("Content-Length", str(len(body))), *more]
    return Response(status, reason, Headers([*own, ("Content-Type", kind), *_RULES]), body)
