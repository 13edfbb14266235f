"""ROS 2 message types without ROS: classes, CDR bytes and type hashes, by `rosbags`."""

from __future__ import annotations

from functools import cache
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from volery.bus.mrs_msgs import DEFINITIONS
from volery.bus.service_types import ACTIONS, MESSAGES, SERVICES, parts_of_action, parts_of_service
from volery.errors import BusError, UnknownNameError

__all__ = [  # noqa: PLE0604
    *("decode", "define", "definition", "encode", "message_class", "message_fields", "message_types", "of_ros1_bytes"),
    *("ros1_bytes", "service_hash", "type_hash"),
]


@cache
def _store() -> Typestore:
    store = get_typestore(Stores.ROS2_JAZZY)
    for name, text in {**DEFINITIONS, **MESSAGES}.items():
        store.register(get_types_from_msg(text, name))
    constants, fields = store.fielddefs["service_msgs/msg/ServiceEventInfo"][:2]
    store.fielddefs["service_msgs/msg/ServiceEventInfo"] = (constants, [_as_idl(*field) for field in fields])
    for name, service in SERVICES.items():
        for part, text in parts_of_service(name, *service):
            store.register(_part(part, text))
    for name, action in ACTIONS.items():
        for part, text in parts_of_action(name, *action):
            store.register(_part(part, text))
    return store


def _as_idl(name: str, described: Any) -> tuple[str, Any]:
    """A field as ROS 2's hash sees it: what a .msg file calls char is a uint8."""
    kind, inner = described
    if kind == Nodetype.ARRAY and inner[0] == (Nodetype.BASE, ("char", 0)):
        return name, (kind, ((Nodetype.BASE, ("uint8", 0)), inner[1]))
    return name, described


def _part(name: str, text: str) -> dict[str, Any]:
    """A part of a service or action under its own name: rosbags' parser knows folders msg and action alone."""
    folder = name.split("/")[1]
    ((constants, fields),) = get_types_from_msg(
        text.replace("/srv/", "/action/"), name.replace("/srv/", "/action/")
    ).values()
    return {name: (constants, [(field, _in_folder(described, folder)) for field, described in fields])}


def _in_folder(described: Any, folder: str) -> Any:
    kind, inner = described
    if kind == Nodetype.NAME:
        return kind, inner.replace("/action/", f"/{folder}/")
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        return kind, (_in_folder(inner[0], folder), inner[1])
    return described


def message_types() -> list[str]:
    """Names of all known types of messages, such as 'sensor_msgs/msg/Imu'."""
    return sorted(name for name in _store().types if "/msg/" in name)


@cache
def define(name: str, text: str) -> None:
    """Make a type of somebody's own known, by its text as in a .msg file; the types it is made of are known already, or
    follow in the text as in recordings. One that is known already must be the same."""
    store = _store()
    try:
        found = get_types_from_msg(text, name)
        new = {kind: fields for kind, fields in found.items() if kind not in store.types}
        if new:
            store.register(new)
    except Exception as error:  # rosbags raises whatever its parser meets
        raise BusError(f"message type {name} cannot be defined: {type(error).__name__}: {error}") from None
    if store.fielddefs[name][1] != found[name][1]:
        raise BusError(f"message type {name} is known already, with other fields")


@cache
def message_class(name: str) -> type:
    """The dataclass of a message type."""
    if name not in _store().types:
        raise UnknownNameError("message type", name, message_types())
    return _store().types[name]


def message_fields(name: str) -> list[tuple[str, Any]]:
    """The fields of a message type, each with how rosbags describes its type."""
    message_class(name)
    return _store().fielddefs[name][1]


@cache
def type_hash(name: str) -> str:
    """The type's hash as ROS 2 computes it, 'RIHS01_…'."""
    message_class(name)
    return _store().hash_rihs01(name)


@cache
def service_hash(name: str) -> str:
    """The hash of a service such as std_srvs/srv/Trigger, or of a part of an action, such as …/action/Go_SendGoal."""
    if f"{name}_Request" not in _store().types:
        raise UnknownNameError("service", name, [t.removesuffix("_Request") for t in _store().types if "_Request" in t])
    return _store().hash_rihs01(name)


@cache
def definition(name: str) -> str:
    """The type's definition as text, with all it is made of: what recordings carry."""
    message_class(name)
    return _store().generate_msgdef(name, ros_version=2)[0]


def ros1_bytes(data: bytes | memoryview, name: str) -> memoryview:
    """CDR of a message as bytes of ROS 1, for types that have the same fields there; a header's count is 0."""
    return _store().cdr_to_ros1(data, name)


def of_ros1_bytes(data: bytes | memoryview, name: str) -> memoryview:
    """The way back."""
    return _store().ros1_to_cdr(data, name)


def encode(message: Any) -> memoryview:
    """A message as CDR bytes."""
    return _store().serialize_cdr(message, message.__msgtype__)


def decode(data: bytes | memoryview, name: str) -> Any:
    """A message from CDR bytes; bytes that are not one are an error."""
    message_class(name)
    try:
        return _store().deserialize_cdr(data, name)
    except Exception as error:  # rosbags raises whatever its generated code meets
        raise BusError(f"{len(data)} bytes are not a {name}: {type(error).__name__}: {error}") from None
