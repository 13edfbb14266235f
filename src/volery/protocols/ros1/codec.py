"""Between ROS 2's CDR, which the bus speaks, and the bytes of ROS 1; and what ROS 1 asks about a type."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from volery.bus.mrs_msgs import DEFINITIONS
from volery.bus.types import decode, encode, message_class, message_fields, of_ros1_bytes, ros1_bytes
from volery.errors import BusError, UnknownNameError

__all__ = ["Ros1Type", "kind_of", "known", "to_bus", "to_ros1"]

_MORE = {"tf2_msgs/msg/TFMessage": "geometry_msgs/TransformStamped[] transforms\n"}
_DIFFERENT = ("sensor_msgs/msg/Range",)
"""Types that have fields more in ROS 2: bytes cannot be taken over one by one."""


class Ros1Type(NamedTuple):
    """A type as ROS 1 knows it."""

    name: str
    """Such as sensor_msgs/PointCloud2."""
    md5: str
    text: str
    """Its definition, with all it is made of."""


@cache
def _store() -> Typestore:
    store = get_typestore(Stores.ROS1_NOETIC)
    for name, text in {**_MORE, **DEFINITIONS}.items():
        store.register(get_types_from_msg(text, name))
    return store


def known(name: str) -> bool:
    """Whether a type of the bus has a counterpart in ROS 1."""
    return name in _store().types


@cache
def kind_of(name: str) -> Ros1Type:
    """The counterpart of a type of the bus, such as sensor_msgs/msg/PointCloud2."""
    if not known(name):
        raise UnknownNameError("ROS 1 message type", name, sorted(_store().types))
    text, md5 = _store().generate_msgdef(name, ros_version=1)
    return Ros1Type(name.replace("/msg/", "/"), md5, text)


def to_ros1(data: bytes, name: str) -> bytes:
    """Bytes of ROS 1 of a message of the bus."""
    try:
        if name not in _DIFFERENT:
            return bytes(ros1_bytes(data, name))
        return bytes(_store().serialize_ros1(_as(decode(data, name), name, _fields, _class), name))
    except Exception as error:  # rosbags raises whatever its generated code meets
        raise BusError(f"{len(data)} bytes are not a {name}: {type(error).__name__}: {error}") from None


def to_bus(data: bytes, name: str) -> bytes:
    """CDR of a message of ROS 1."""
    try:
        if name not in _DIFFERENT:
            return bytes(of_ros1_bytes(data, name))
        return bytes(encode(_as(_store().deserialize_ros1(data, name), name, message_fields, message_class)))
    except Exception as error:
        raise BusError(f"{len(data)} bytes are not a {name} of ROS 1: {type(error).__name__}: {error}") from None


def _as(message: Any, name: str, fields: Callable[[str], list[Any]], classes: Callable[[str], type]) -> Any:
    """A message as another store has its type; numbers that it does not have are 0."""
    values = {}
    for field, (code, what) in fields(name):
        old = getattr(message, field, 0)
        values[field] = _as(old, what, fields, classes) if code.name == "NAME" else old
    return classes(name)(**values)


def _fields(name: str) -> list[Any]:
    return _store().fielddefs[name][1]


def _class(name: str) -> type:
    return _store().types[name]
