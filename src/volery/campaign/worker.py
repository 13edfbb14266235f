"""The near end of a process that runs one run after the other; `volery.campaign.process` is what runs in it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from typing import Any

from volery.errors import CampaignError

__all__ = ["LostError", "Worker"]

_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that come from outside; the others are crashes of the run itself."""
_MOST_LOG = 4000
"""Characters of what a process said before it ended that are kept."""


class LostError(Exception):
    """The process was killed from outside: the run may be begun again."""


class Worker:
    """A warm process for runs. A run that crashes it or takes too long costs the process, not the campaign."""

    def __init__(self, threads: int) -> None:
        """threads: that cast rays in it."""
        self._threads = threads
        self._process: subprocess.Popen[str] | None = None
        self._log: Any = None
        self._closed = False
        self._late = False

    @property
    def pid(self) -> int | None:
        """Of the process that is at work."""
        return None if self._process is None else self._process.pid

    def run(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """Have a run done; an answer with `error` if it failed, `LostError` if the process was killed from outside.

        limit: wall time [s] from when the process is ready."""
        if self._closed:
            raise LostError("the campaign's end")
        process = self._process or self._start()
        timer = threading.Timer(limit, self._end_late)
        timer.daemon = True
        self._late = False
        timer.start()
        try:
            answer = self._ask(process, request)
        finally:
            timer.cancel()
        if answer is not None:
            return answer
        code = process.wait()
        log = self._forget()
        if self._late:
            return {"error": f"took longer than {limit:g} s", "log": log}
        return {"error": _ended(code), "log": log}

    def close(self) -> None:
        """End the process, at work or not."""
        self._closed = True
        process = self._process
        if process is not None:
            _end(process)
            process.wait()

    def _start(self) -> subprocess.Popen[str]:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the worker)
        around = {**os.environ, "NUMBA_NUM_THREADS": str(self._threads), "PYTHONFAULTHANDLER": "1"}
        # A session of its own: Ctrl-C is for the campaign, which then ends its workers.
        process = subprocess.Popen(
            [sys.executable, "-m", "volery.campaign.process"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._log, env=around, text=True, start_new_session=True,
        )  # fmt: skip
        self._process = process
        if self._closed:
            _end(process)
        if not _line(process):
            code = process.wait()
            log = self._forget()
            _ended(code)
            raise CampaignError(f"a worker does not start (code {code}); `volery doctor` may say why: {log[-600:]}")
        return process

    def _ask(self, process: subprocess.Popen[str], request: dict[str, Any]) -> dict[str, Any] | None:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        except OSError:
            return None
        line = _line(process)
        return json.loads(line) if line else None

    def _end_late(self) -> None:
        self._late = True
        if self._process is not None:
            _end(self._process)

    def _forget(self) -> str:
        """Let go of a process that has ended; what it said last."""
        process, self._process = self._process, None
        for pipe in (process.stdin, process.stdout) if process is not None else ():
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - _MOST_LOG))
        text = self._log.read().decode(errors="replace")
        self._log.close()
        return text


def _line(process: subprocess.Popen[str]) -> str:
    """A whole line of it, or nothing."""
    line = process.stdout.readline() if process.stdout is not None else ""
    return line if line.endswith("\n") else ""


def _ended(code: int) -> str:
    """Why a process ended in the middle of a run; `LostError` if it was killed."""
    if code >= 0:
        return f"the process ended itself with code {code}"
    number = -code
    name = signal.Signals(number).name if number in signal.valid_signals() else f"signal {number}"
    if number in _OUTSIDE:
        raise LostError(name)
    return f"crashed with {name}"


def _end(process: subprocess.Popen[str]) -> None:
    """End a worker with all that it has started: it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
