"""Services between ROS 1 and the bus: those of plain types that somebody answers on the bus are answered there too."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from volery.bus.bus import Bus
from volery.bus.types import decode, encode, of_ros1_bytes, ros1_bytes
from volery.errors import BusError

__all__ = ["BRIDGED", "about_service", "asked"]

BRIDGED = {
    "std_srvs/srv/Trigger": ("", "bool success\nstring message"),
    "std_srvs/srv/SetBool": ("bool data", "bool success\nstring message"),
    "mrs_msgs/srv/Float64Srv": ("float64 value", "bool success\nstring message"),
}
"""Texts of request and response, of which ROS 1 makes its sum."""
_PATIENCE = 20.0
"""How long an answer may take [s]."""


def about_service(name: str) -> bytes:
    """What the node has to know of a service's type."""
    request, response = BRIDGED[name]
    told = {"type": name.replace("/srv/", "/"), "md5": hashlib.md5((request + response).encode()).hexdigest()}
    return json.dumps(told).encode()


def asked(bus: Bus, service: str, name: str, payload: bytes) -> bytes:
    """Have a request of ROS 1 answered on the bus: the response's bytes of ROS 1; what went wrong is told in it."""
    try:
        answer = bus.call(service, name, _fields(name, payload), timeout=_PATIENCE)
        data = encode(answer)
    except BusError as error:
        data = _refusal(name, str(error))
    return bytes(ros1_bytes(data, f"{name}_Response"))


def _fields(name: str, payload: bytes) -> dict[str, Any]:
    if not BRIDGED[name][0]:
        # ROS 2 puts a byte where there is nothing.
        return {}
    try:
        request = decode(of_ros1_bytes(payload, f"{name}_Request"), f"{name}_Request")
    except Exception as error:  # rosbags raises whatever its generated code meets
        raise BusError(f"{len(payload)} bytes are no request of {name}: {error}") from None
    return {key: value for key, value in vars(request).items() if not key.startswith("_")}


def _refusal(name: str, words: str) -> Any:
    from volery.bus.conversion import message_of

    return encode(message_of(f"{name}_Response", {"success": False, "message": words}))
