"""Regular expressions of strangers, by RE2: the time to match grows with the text and never faster, unlike with `re`,
where `(a+)+$` against forty letters stands for hours and holds the whole process."""

from __future__ import annotations

import re2

from volery.errors import SimulationError

__all__ = ["TextPattern", "wildcard"]

_MOST_LETTERS = 300
_MOST_MEMORY = 1 << 20
"""Of the compiled form [bytes]: nested counts such as (a{999}){999} need more, and are refused."""


class TextPattern:
    """A compiled pattern."""

    def __init__(self, text: str, *, ignore_case: bool = False) -> None:
        if len(text) > _MOST_LETTERS:
            raise SimulationError(f"a pattern of {len(text)} characters is too long; the most is {_MOST_LETTERS}")
        options = re2.Options()
        options.max_mem, options.log_errors, options.case_sensitive = _MOST_MEMORY, False, not ignore_case
        try:
            self._compiled = re2.compile(text, options)
        except (re2.error, UnicodeError) as error:
            raise SimulationError(f"'{text}' is no regular expression that RE2 knows: {_why(error)}") from None

    def fits(self, text: str) -> bool:
        """Whether the whole of a text is as the pattern says."""
        return self._compiled.fullmatch(text) is not None


def wildcard(text: str) -> TextPattern:
    """A pattern in which * stands for any letters and ? for one."""
    return TextPattern("(?s)" + "".join({"*": ".*", "?": "."}.get(c) or re2.escape(c) for c in text))


def _why(error: Exception) -> str:
    """RE2's words, and what to do about the two things that others know and it does not."""
    words = error.args[0] if error.args else error
    words = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    if "(?" in words or "escape" in words:
        return f"{words}; look-ahead, look-behind and back references are not known: write the pattern without them"
    return words
