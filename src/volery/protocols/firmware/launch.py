"""Programs of firmwares that the user names on the command line: one for each robot, each in a folder of its own."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import time
from pathlib import Path
from typing import IO

from volery.errors import ScenarioError

__all__ = ["Programs"]

_log = logging.getLogger("volery")
_GRACE = 2.0
"""How long a program may take to end before it is ended [s]."""
_OFTEN = 1.0
"""Between two looks whether they still run [s]."""


class Programs:
    """Started by `start`, ended by `close`."""

    def __init__(self, folder: Path, program: str, arguments: tuple[str, ...]) -> None:
        """folder: where each robot's own folder lies; program: its path; arguments: added to all others."""
        self._path = Path(program).expanduser().absolute()
        if not self._path.is_file() or not os.access(self._path, os.X_OK):
            raise ScenarioError(f"--autopilot: {program} is no program that can be started; give its path")
        self._folder, self._arguments = folder.absolute(), arguments
        self._running: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        self._looked = 0.0

    def start(self, name: str, words: list[str], environment: dict[str, str], files: dict[str, str]) -> None:
        """Start one for a robot; what it prints goes to a file in its folder, and so do the files it needs."""
        folder = self._folder / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (folder / file).write_text(text)
        log = open(folder / "firmware.log", "wb")  # noqa: SIM115 (closed when the program has ended)
        command = [str(self._path), *words, *self._arguments]
        # Ctrl-C is for the run. A worker of a campaign leads its session: it ends with all that it has started.
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, start_new_session=os.getsid(0) != os.getpid(),
        )  # fmt: skip
        self._running[name] = process, log
        _log.info("%s: started %s; what it says is in %s", name, " ".join(command), folder / "firmware.log")

    def look(self) -> None:
        """Say it once if one has ended."""
        now = time.monotonic()
        if now - self._looked < _OFTEN:
            return
        self._looked = now
        for name, (process, log) in list(self._running.items()):
            if process.poll() is not None:
                _log.warning("the firmware of '%s' has ended with %d; see %s", name, process.returncode, log.name)
                log.close()
                del self._running[name]

    def close(self) -> None:
        """End all that still run."""
        for process, _ in self._running.values():
            process.terminate()
        for process, log in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
            if process.poll() is None:
                process.kill()
                process.wait()
            log.close()
        self._running.clear()
