"""NatNet's bytes: requests that clients send, and what Motive answers. Little-endian, no padding; see README.md."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from volery.core.clock import SECOND
from volery.errors import BusError

__all__ = [
    "CONNECT", "DISCONNECT", "KEEPALIVE", "REQUEST", "REQUEST_FRAME", "REQUEST_MODELS", "VERSIONS",
    "RigidBodyDescription", "Solved", "Version", "frame", "models", "parse_request", "refusal", "response",
    "server_info", "to_axes",
]  # fmt: skip

CONNECT, SERVER_INFO, REQUEST, RESPONSE, REQUEST_MODELS, MODELS, REQUEST_FRAME, FRAME = range(8)
DISCONNECT, KEEPALIVE, UNRECOGNISED = 9, 10, 100
_KINDS = (CONNECT, REQUEST, REQUEST_MODELS, REQUEST_FRAME, DISCONNECT, KEEPALIVE)
_HEAD = struct.Struct("<HH")
_RIGID_BODY = 1
_MODEL_SOLVED, _HAS_MODEL = 0x04, 0x08
_MARKER_SIZE = 0.014
"""Diameter of a marker [m]."""

Version = tuple[int, int]
VERSIONS: dict[str, Version] = {"3.1": (3, 1), "4.0": (4, 0), "4.1": (4, 1)}
"""Of the bit stream: Motive 2, 3.0 and 3.1."""


@dataclass(frozen=True, eq=False)
class RigidBodyDescription:
    """A rigid body as it is described."""

    number: int
    """From 1 on."""
    name: str
    markers_B: np.ndarray
    """Its markers in its own frame, [m, 3] [m]."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A rigid body in a frame, in Motive's axes."""

    body: RigidBodyDescription
    p: np.ndarray
    """[3] [m]."""
    q_wxyz: np.ndarray
    markers: np.ndarray
    """As they were seen, [m, 3] [m]."""
    error: float
    """Mean distance of the markers from where the body puts them [m]."""
    tracked: bool


def parse_request(data: bytes) -> tuple[int, str]:
    """Kind and words of a request; what is none is an error that says why."""
    if len(data) < _HEAD.size:
        raise BusError(f"a request of {len(data)} bytes is shorter than its header of {_HEAD.size}")
    kind, size = _HEAD.unpack_from(data)
    if kind not in _KINDS:
        raise BusError(f"there is no request of kind {kind}")
    if size > len(data) - _HEAD.size:
        raise BusError(f"a request says that {size} bytes follow; {len(data) - _HEAD.size} do")
    words = data[_HEAD.size : _HEAD.size + size].partition(b"\0")[0]
    # What Motive's own library sends with a connection is its version in bytes, no text.
    return kind, words.decode("utf-8", "replace") if kind == REQUEST else ""


def server_info(version: Version, data_port: int, group: str) -> bytes:
    """Who we are; group: address of the multicast, empty: each client is sent its own."""
    name = b"Motive"
    body = name + bytes(256 - len(name)) + bytes([3, 0, 0, 0]) + bytes([*version, 0, 0])
    address = bytes(int(part) for part in group.split(".")) if group else bytes(4)
    return _message(SERVER_INFO, body + struct.pack("<QHB", SECOND, data_port, bool(group)) + address)


def models(bodies: tuple[RigidBodyDescription, ...], version: Version) -> bytes:
    """All rigid bodies with their markers."""
    parts = []
    for body in bodies:
        count = len(body.markers_B)
        inner = _string(body.name) + struct.pack("<ii3f", body.number, -1, 0.0, 0.0, 0.0)
        inner += struct.pack("<i", count) + body.markers_B.astype("<f4").tobytes() + bytes(4 * count)
        if version >= (4, 0):
            inner += b"".join(_string(f"{body.name}_{i + 1}") for i in range(count))
        size = struct.pack("<i", len(inner)) if version >= (4, 1) else b""
        parts.append(struct.pack("<i", _RIGID_BODY) + size + inner)
    return _message(MODELS, struct.pack("<i", len(bodies)) + b"".join(parts))


def frame(
    number: int, bodies: list[Solved], version: Version, exposed_ns: int, now_ns: int, changed: bool = False
) -> bytes:
    """All bodies at one instant; exposed_ns: when they were seen, now_ns: when it is sent.

    changed: bodies came or went since the frame before.
    """
    sets = [_string(s.body.name) + _points(s.markers) for s in bodies if s.tracked]
    labelled = [_labelled(s, i) for s in bodies if s.tracked for i in range(len(s.markers))]
    body = struct.pack("<i", number) + _section(sets, version)
    body += _section([], version) + _section([_rigid(s) for s in bodies], version)
    # Skeletons, and assets since 4.1
    body += _section([], version) * (2 if version >= (4, 1) else 1)
    body += _section(labelled, version)
    # Force plates and devices
    body += _section([], version) * 2
    body += struct.pack("<IIdQQQ", 0, 0, exposed_ns / SECOND, exposed_ns, now_ns, now_ns)
    if version >= (4, 1):
        body += struct.pack("<II", exposed_ns // SECOND, (exposed_ns % SECOND) * 2**32 // SECOND)
    return _message(FRAME, body + struct.pack("<HI", 2 * changed, 0))


def response(value: int | float | str) -> bytes:
    """The answer to a request: a number that tells success or a setting, or words."""
    if isinstance(value, str):
        return _message(RESPONSE, _string(value))
    return _message(RESPONSE, struct.pack("<f" if isinstance(value, float) else "<i", value))


def refusal() -> bytes:
    """The answer to a request that is not known."""
    return _message(UNRECOGNISED, b"")


def to_axes(p: np.ndarray, q_wxyz: np.ndarray, up: str) -> tuple[np.ndarray, np.ndarray]:
    """Places [..., 3] and an attitude [4] from W, z up, to Motive's axes: y up, x stays; or z up as they are."""
    if up == "z":
        return p, q_wxyz
    w, x, y, z = q_wxyz
    return np.stack([p[..., 0], p[..., 2], -p[..., 1]], axis=-1), np.array([w, x, z, -y])


def _message(kind: int, body: bytes) -> bytes:
    return _HEAD.pack(kind, len(body)) + body


def _string(words: str) -> bytes:
    return words.encode() + b"\0"


def _points(points: np.ndarray) -> bytes:
    return struct.pack("<i", len(points)) + points.astype("<f4").tobytes()


def _section(parts: list[bytes], version: Version) -> bytes:
    """How many there are, since 4.1 their bytes, and they themselves."""
    body = b"".join(parts)
    size = struct.pack("<i", len(body)) if version >= (4, 1) else b""
    return struct.pack("<i", len(parts)) + size + body


def _rigid(s: Solved) -> bytes:
    w, x, y, z = s.q_wxyz
    return struct.pack("<i8fH", s.body.number, *s.p, x, y, z, w, s.error, s.tracked)


def _labelled(s: Solved, i: int) -> bytes:
    number = (s.body.number << 16) | (i + 1)
    return struct.pack("<i4fHf", number, *s.markers[i], _MARKER_SIZE, _MODEL_SOLVED | _HAS_MODEL, s.error)
