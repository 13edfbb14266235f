"""From datagrams to messages: whole frames only, checked before anything of them is believed."""

from __future__ import annotations

from typing import Any

from volery.errors import BusError
from volery.protocols.mavlink.dialect import mav

__all__ = ["LONGEST", "messages_of", "split"]

LONGEST = 2048
"""Most bytes of a datagram that is read: ground stations send one frame, routers a few."""
_V1, _V2 = mav.PROTOCOL_MARKER_V1, mav.PROTOCOL_MARKER_V2
_SIGNED = mav.MAVLINK_IFLAG_SIGNED
_SIGNATURE = mav.MAVLINK_SIGNATURE_BLOCK_LEN
_decoder = mav.MAVLink(None)


def split(data: bytes) -> list[bytes]:
    """The frames of a datagram, by their lengths; their checksums are not looked at."""
    if len(data) > LONGEST:
        raise BusError(f"a datagram of {len(data)} bytes is longer than {LONGEST}: it is no MAVLink")
    frames, at = [], 0
    while at < len(data):
        length = _length(data, at)
        if at + length > len(data):
            raise BusError("a MAVLink frame ends before its length")
        frames.append(data[at : at + length])
        at += length
    return frames


def _length(data: bytes, at: int) -> int:
    """Bytes of the frame that begins there."""
    marker = data[at]
    if marker not in (_V1, _V2) or at + 2 >= len(data):
        raise BusError("these bytes are no MAVLink frame")
    if marker == _V1:
        return data[at + 1] + 8
    flags = data[at + 2]
    if flags & ~_SIGNED:
        raise BusError(f"a MAVLink frame has flags {flags:#x} that are not known, so it must not be read")
    return data[at + 1] + 12 + (_SIGNATURE if flags & _SIGNED else 0)


def messages_of(data: bytes) -> list[Any]:
    """The messages of a datagram; those of kinds that are not known are left out. One bad frame refuses it whole.

    Signatures are not checked: who can reach the port can fly, as with every door."""
    found = []
    for frame in split(data):
        try:
            message = _decoder.decode(bytearray(frame))
        except (mav.MAVError, UnicodeDecodeError, ValueError) as error:
            raise BusError(f"a MAVLink frame cannot be read: {error}") from None
        if message.get_type() not in ("BAD_DATA",) and not message.get_type().startswith("UNKNOWN"):
            found.append(message)
    return found
