"""The results of a campaign on disk: a line of JSON for each run, written whole or not at all."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

from volery.errors import CampaignError

__all__ = ["Results"]

_log = logging.getLogger("volery")


class Results:
    """Rows by key of their run. One process at a time writes; what is written stays through any crash."""

    def __init__(self, folder: Path) -> None:
        """folder: is made if it is not there."""
        self.path = folder / "results.jsonl"
        self.rows: dict[str, dict[str, Any]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise CampaignError(f"{self.path} cannot be written: {error.strerror}") from None
        self._lock()
        self._read()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, row: dict[str, Any]) -> None:
        """Keep a row; it is on the disk when this returns."""
        line = json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n"
        data = line.encode()
        end = os.lseek(self._file, 0, os.SEEK_END)
        try:
            if os.write(self._file, data) != len(data):
                raise OSError(28, "no space left")
            os.fsync(self._file)
        except OSError as error:
            # Half a line would only be in the way of those to come.
            os.ftruncate(self._file, end)
            raise CampaignError(
                f"{self.path} cannot be written: {error.strerror}; {len(self.rows)} runs are kept, "
                "make room and start the same command again"
            ) from None
        # As it will be read again, its names in the same order: so reports of campaigns that went on are the same.
        self.rows[row["key"]] = json.loads(line)

    def close(self) -> None:
        """End it; another campaign may write here then."""
        os.close(self._file)

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise CampaignError(f"{self.path}: another campaign writes here now; wait for it, or give --out") from None

    def _read(self) -> None:
        """What is there; a line that a crash cut off is taken away, one that is damaged is left out."""
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                row = json.loads(line)
                self.rows[row["key"]] = row
            except (ValueError, TypeError, KeyError):
                _log.warning("%s:%d is damaged and is left out; that run is made again", self.path, number)
