"""The page's types of what the server says, out of `volery.viewer.messages`: `python -m volery.viewer.page_types`."""

from __future__ import annotations

import inspect
import json
import types
import typing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from volery.core.properties import words_of
from volery.viewer.messages import HEADERS, MESSAGES

__all__ = ["TARGET", "main", "source"]

TARGET = Path(__file__).parent / "web" / "src" / "said.ts"
"""The file that is written."""
_HEAD = """\
/** What the server says: written by `python -m volery.viewer.page_types` out of viewer/messages.py, not by hand.
 *
 * JSON messages, and headers of binary frames. Units SI, W is ENU with z up.
 */

export type Vec3 = [number, number, number];
"""
_SCALARS: dict[Any, str] = {int: "number", float: "number", str: "string", bool: "boolean", Any: "unknown",
                            type(None): "null"}  # fmt: skip


def source() -> str:
    """The text of said.ts."""
    found: dict[type, str] = {}
    for cls in (*MESSAGES, *HEADERS):
        _interface(cls, found)
    messages = "\n".join(f"  {cls.kind}: {_name(cls)};" for cls in MESSAGES)
    kinds = {get_args(typing.get_type_hints(cls)["kind"])[0]: cls for cls in HEADERS}
    headers = "\n".join(f"  {kind}: {_name(cls)};" for kind, cls in kinds.items())
    tables = [
        f"/** JSON messages by their kinds. */\nexport interface Said {{\n{messages}\n}}\n",
        f"/** Headers of binary frames by their kinds. */\nexport interface Headers {{\n{headers}\n}}\n",
    ]
    return "\n".join([_HEAD, *found.values(), *tables])


def main() -> None:
    """Write the file."""
    TARGET.write_text(source())


def _name(cls: type) -> str:
    """PageState is State on the page."""
    return cls.__name__.removeprefix("Page")


def _interface(cls: type, found: dict[type, str]) -> None:
    """Add an interface, after those it is made of."""
    if cls in found:
        return
    hints, words, lines = typing.get_type_hints(cls), words_of(cls), []
    for f in fields(cls):
        if get_origin(hints[f.name]) is ClassVar:
            continue
        maybe = "maybe" in f.metadata
        if f.name in words:
            lines.append(f"  /** {words[f.name]} */")
        lines.append(f"  {f.name}{'?' if maybe else ''}: {_typescript(hints[f.name], found, maybe)};")
    about = inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    body = "\n".join(lines)
    found[cls] = f"/** {about} */\nexport interface {_name(cls)} {{\n{body}\n}}\n"


def _typescript(hint: Any, found: dict[type, str], maybe: bool = False) -> str:
    """TypeScript's type of an annotation; maybe: None means that the field is left out."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (Union, types.UnionType):
        kept = [a for a in arguments if not (maybe and a is type(None))]
        return " | ".join(_typescript(a, found) for a in kept)
    if origin is tuple and Ellipsis not in arguments:
        parts = [_typescript(a, found) for a in arguments]
        return "Vec3" if parts == ["number"] * 3 else f"[{', '.join(parts)}]"
    if origin in (list, tuple):
        inner = _typescript(arguments[0], found)
        return f"({inner})[]" if " " in inner and not inner.startswith("[") else f"{inner}[]"
    if origin is dict:
        return f"Record<{_typescript(arguments[0], found)}, {_typescript(arguments[1], found)}>"
    if is_dataclass(hint):
        _interface(hint, found)  # type: ignore[arg-type]
        return _name(hint)  # type: ignore[arg-type]
    raise TypeError(f"{hint} has no type on the page")


if __name__ == "__main__":
    main()
