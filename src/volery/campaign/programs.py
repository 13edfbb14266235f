"""Programs of the user that run beside a simulation: flight code, clients, physics."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from volery.errors import CampaignError

__all__ = ["RunPrograms", "worded"]

_NAME = re.compile(r"\{([a-z0-9_.]+)\}")
_GRACE = 2.0
"""How long one may take to end when the run is over [s]."""
_KEPT = 3000
"""Characters of what a program said that are told of one that failed."""


def worded(text: str, places: Mapping[str, str]) -> list[str]:
    """The words of a command, with {mavlink.port} and the like filled in."""

    def fill(found: re.Match[str]) -> str:
        if found[1] not in places:
            raise CampaignError(f"'{text}': there is no {{{found[1]}}}; known: {', '.join(sorted(places)) or 'none'}")
        return places[found[1]]

    return [_NAME.sub(fill, word) for word in shlex.split(text)]


class RunPrograms:
    """Started with the run, ended with it. They stay in the worker's own group of processes, which is ended whole."""

    def __init__(self, commands: Mapping[str, str], places: Mapping[str, str], folder: Path) -> None:
        """folder: where they run."""
        self._running: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        try:
            for name, command in commands.items():
                log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the program)
                words = worded(command, places)
                process = subprocess.Popen(
                    words, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
                )
                self._running[name] = process, log
        except OSError as error:
            self.close()
            raise CampaignError(f"program '{name}' cannot be started: {error.strerror}: {words[0]}") from None
        except BaseException:
            self.close()
            raise

    @property
    def over(self) -> bool:
        """Whether there are programs, and all have ended."""
        return bool(self._running) and all(process.poll() is not None for process, _ in self._running.values())

    def check(self) -> None:
        """Raise if one has failed."""
        for name, (process, log) in self._running.items():
            if process.poll():
                log.seek(0)
                said = log.read().decode(errors="replace").strip()[-_KEPT:]
                raise CampaignError(f"program '{name}' ended with {process.returncode}: {said}")

    def result(self) -> dict[str, int]:
        """How those ended that have."""
        codes = {name: process.poll() for name, (process, _) in self._running.items()}
        return {f"programs.{name}": code for name, code in codes.items() if code is not None}

    def close(self) -> None:
        """End those that still run."""
        for process, _ in self._running.values():
            if process.poll() is None:
                process.terminate()
        for process, log in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
            if process.poll() is None:
                process.kill()
                process.wait()
            log.close()
        self._running.clear()
