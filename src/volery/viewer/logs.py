"""What the "volery" logger says, for pages."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from volery.viewer.messages import PageLog

__all__ = ["LogKeeper"]

_KEPT = 100
_LONGEST = 2000
"""Characters of a line."""


class LogKeeper(logging.Handler):
    """Keeps the last lines, and tells of each new one; any thread may log."""

    def __init__(self, on_line: Callable[[PageLog], None]) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[PageLog] = deque(maxlen=_KEPT)
        """Level and text."""
        self._on_line = on_line
        logging.getLogger("volery").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line."""
        try:
            line = PageLog(record.levelname.lower(), record.getMessage()[:_LONGEST])
        except (TypeError, ValueError):
            self.handleError(record)
            return
        self.lines.append(line)
        self._on_line(line)

    def close(self) -> None:
        """Stop listening."""
        logging.getLogger("volery").removeHandler(self)
        super().close()
