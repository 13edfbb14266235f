"""An extension of griffe for the reference: `[3] [m]` is a shape and a unit, not a link of Markdown."""

from __future__ import annotations

import griffe


class Units(griffe.Extension):
    """Escapes the second bracket in docstrings."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Called for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = obj.docstring.value.replace("] [", "] \\[")
