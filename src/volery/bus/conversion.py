"""Messages of any type out of plain data: what sensors and plug-ins give becomes a ROS 2 message here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype

from volery.bus.types import define, message_class, message_fields
from volery.core.clock import SECOND
from volery.errors import BusError, UnknownNameError, VoleryError
from volery.sensors.outputs import Output
from volery.sensors.sensor import Reading, Sensor

__all__ = ["message_of", "output_message", "outputs_of", "topic_of"]

_TIMES = ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration")
_LISTED = {
    **{f"geometry_msgs/msg/{kind}": ("x", "y", "z") for kind in ("Vector3", "Point", "Point32")},
    "geometry_msgs/msg/Quaternion": ("w", "x", "y", "z"),
}
"""Messages that may be given as a list of their fields in this order."""
_DTYPES = {"byte": "u1", "char": "u1", "uint8": "u1", "int8": "i1", "uint16": "u2", "int16": "i2", "uint32": "u4",
           "int32": "i4", "uint64": "u8", "int64": "i8", "float32": "f4", "float64": "f8", "bool": "?"}  # fmt: skip

Make = Callable[[Any], Any]


def outputs_of(sensor: Sensor) -> Sequence[Output] | None:
    """What a sensor tells, its own types of messages made known; None: it does not know yet."""
    outputs = sensor.outputs()
    for output in outputs or ():
        if output.definition:
            define(output.type, output.definition)
    return outputs


def topic_of(sensor: Sensor, output: Output) -> str:
    """Where an output of a sensor is told."""
    return f"/{sensor.robot.name}/{sensor.name}/{output.name}".rstrip("/")


def output_message(output: Output, reading: Reading, frame: str) -> Any:
    """The message of a reading; frame: that of its header."""
    try:
        return message_of(output.type, output.make(reading), reading.stamp_ns, frame)
    except VoleryError as error:
        raise BusError(f"output '{output.name}' in frame {frame}: {error}") from None


def message_of(name: str, fields: Any, stamp_ns: int = 0, frame: str = "") -> Any:
    """A message of plain data; its `header`, if it has one that is not given, says the time [ns] and the frame."""
    if isinstance(fields, Mapping) and "header" not in fields and _has_header(name):
        fields = {**fields, "header": {"stamp": stamp_ns, "frame_id": frame}}
    return _maker(name)(fields)


@cache
def _has_header(name: str) -> bool:
    return any(field == "header" and inner == "std_msgs/msg/Header" for field, (_, inner) in message_fields(name))


@cache
def _maker(name: str) -> Make:
    """What makes a message of this type."""
    kind = message_class(name)
    makers = {field: _field_maker(name, field, *described) for field, described in message_fields(name)}
    listed = _LISTED.get(name)
    # ROS's own default of a rotation is none.
    defaults = {"w": 1.0} if name == "geometry_msgs/msg/Quaternion" else {}

    def make(value: Any) -> Any:
        if value is None:
            value = {}
        if listed is not None and isinstance(value, np.ndarray) and value.shape == (len(listed),):
            return kind(**dict(zip(listed, map(float, value), strict=True)))
        if getattr(value, "__msgtype__", "") == name:
            return value
        if not isinstance(value, Mapping):
            value = _by_name(name, value, listed)
        for key in value.keys() - makers.keys():
            raise UnknownNameError(f"field of {name}", key, makers)
        return kind(**{field: maker(value.get(field, defaults.get(field))) for field, maker in makers.items()})

    return make


def _by_name(name: str, value: Any, listed: tuple[str, ...] | None) -> Mapping[str, Any]:
    """The fields of a message that was given as a number or a list."""
    if name in _TIMES and isinstance(value, int | np.integer):
        return {"sec": int(value) // SECOND, "nanosec": int(value) % SECOND}
    if listed is None or np.shape(value) != (len(listed),):
        wanted = f" or {len(listed)} numbers" if listed else ""
        raise BusError(f"a {name} is made of a mapping of its fields{wanted}, not of {value!r:.80}")
    return dict(zip(listed, value, strict=True))


def _field_maker(message: str, field: str, node: Nodetype, inner: Any) -> Make:
    """What makes the value of a field, of plain data or None."""
    if node == Nodetype.NAME:
        return _maker(inner)
    if node == Nodetype.BASE:
        return _scalar_maker(message, field, inner[0])
    (kind, what), count = inner
    if kind == Nodetype.NAME:
        one = _maker(what)
        return lambda value: [one(item) for item in (() if value is None else value)]
    if what[0] in _DTYPES:
        return _array_maker(message, field, _DTYPES[what[0]], count if node == Nodetype.ARRAY else None)
    return lambda value: [str(item) for item in (() if value is None else value)]


def _scalar_maker(message: str, field: str, kind: str) -> Make:
    python: Any = str if "string" in kind else bool if kind == "bool" else float if "float" in kind else int

    def make(value: Any) -> Any:
        try:
            return python() if value is None else python(value)
        except (TypeError, ValueError):
            raise BusError(f"field {field} of {message} is a {kind}, not {value!r:.80}") from None

    return make


def _array_maker(message: str, field: str, dtype: str, count: int | None) -> Make:
    def make(value: Any) -> np.ndarray:
        try:
            found = np.zeros(count or 0, dtype) if value is None else np.ascontiguousarray(value, dtype).reshape(-1)
        except (TypeError, ValueError):
            raise BusError(f"field {field} of {message} is an array of numbers, not {value!r:.80}") from None
        if count is not None and len(found) != count:
            raise BusError(f"field {field} of {message} has {count} numbers, not {len(found)}")
        return found

    return make
