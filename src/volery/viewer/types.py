"""The page's types of messages out of ROS 2's: `python -m volery.viewer.types` writes web/src/messages.ts.

Of every package that the bus speaks, all messages are there, so that the page also reads what others say.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from rosbags.interfaces import Nodetype

from volery.bus.types import message_fields, message_types

__all__ = ["TARGET", "main", "page_types", "schema_of", "source"]

TARGET = Path(__file__).parent / "web" / "src" / "messages.ts"
"""The file that is written."""

_MORE = ("nav_msgs/msg/Path", "visualization_msgs/msg/MarkerArray")
"""Types that others send us to draw."""
_NAMED = re.compile(r"\b[a-z][a-z0-9_]*/msg/[A-Z]\w+")
_SCALARS = {"bool": "boolean", "string": "string", "wstring": "string"}
_ARRAYS = {
    "int8": "Int8Array", "uint8": "Uint8Array", "byte": "Uint8Array", "char": "Uint8Array", "int16": "Int16Array",
    "uint16": "Uint16Array", "int32": "Int32Array", "uint32": "Uint32Array", "int64": "BigInt64Array",
    "uint64": "BigUint64Array", "float32": "Float32Array", "float64": "Float64Array",
}  # fmt: skip
_HEAD = """\
/** ROS 2 messages as the page reads them: written by `python -m volery.viewer.types`, not by hand.
 *
 * Whole numbers of 64 bits are given as numbers, exact to 2⁵³; in sequences they are BigInts.
 */
"""

Field = tuple[str, str, int]
"""Name, type (a primitive's or a message's), and 0 for one value, n for n of them, -1 for any number."""


def page_types() -> list[str]:
    """Names of all types that the page knows, with those they are made of."""
    named = set(_MORE)
    for folder in ("bus", "sensors"):
        for path in (Path(__file__).parent.parent / folder).glob("*.py"):
            named |= set(_NAMED.findall(path.read_text())) & set(message_types())
    packages = {name.split("/")[0] for name in named}
    found: set[str] = set()
    waiting = [name for name in message_types() if name.split("/")[0] in packages]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [kind for _, kind, _ in _fields(name) if "/" in kind]
    return sorted(found)


def source() -> str:
    """The text of messages.ts."""
    names = page_types()
    parts = [_HEAD, *(_interface(name) for name in names)]
    rows = "\n".join(f"  {json.dumps(name)}: {_pascal(name)};" for name in names)
    parts.append(f"/** Messages by the names of their types. */\nexport interface Messages {{\n{rows}\n}}\n")
    schema = ",\n".join(f"  {json.dumps(name)}: {json.dumps(_fields(name), separators=(',', ':'))}" for name in names)
    parts.append(
        "/** Fields in their order on the wire: name, type, and 0 for one, n for n of them, -1 for any number. */\n"
        f"export const SCHEMA: Record<string, [name: string, type: string, count: number][]> = {{\n{schema},\n}};\n"
    )
    return "\n".join(parts)


def schema_of(name: str) -> dict[str, list[Field]]:
    """Fields by type of a type and all that it is made of, as `SCHEMA` on the page has them."""
    found: dict[str, list[Field]] = {}
    waiting = [name]
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found[kind] = _fields(kind)
            waiting += [inner for _, inner, _ in found[kind] if "/" in inner]
    return found


def main() -> None:
    """Write the file."""
    TARGET.write_text(source())


def _fields(name: str) -> list[Field]:
    found = []
    for field, (node, inner) in message_fields(name):
        if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
            (kind, what), count = inner
            found.append((field, what if kind == Nodetype.NAME else what[0], count if node == Nodetype.ARRAY else -1))
        else:
            found.append((field, inner if node == Nodetype.NAME else inner[0], 0))
    return found


def _interface(name: str) -> str:
    lines = "\n".join(f"  {field}: {_typescript(kind, count)};" for field, kind, count in _fields(name))
    return f"export interface {_pascal(name)} {{\n{lines}\n}}\n"


def _typescript(kind: str, count: int) -> str:
    one = _pascal(kind) if "/" in kind else _SCALARS.get(kind, "number")
    if count == 0:
        return one
    return _ARRAYS.get(kind, f"{one}[]")


def _pascal(name: str) -> str:
    """sensor_msgs/msg/Imu as SensorMsgsImu."""
    package, _, kind = name.split("/")
    return "".join(part.capitalize() for part in package.split("_")) + kind


if __name__ == "__main__":
    main()
