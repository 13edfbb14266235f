"""What goes between a simulation and physics or control elsewhere, as bytes: the same over UDP and over the bus.

All little-endian, no padding. Lengths in metres, angles in radians, W is ENU, quaternions scalar first.

    header   4 bytes 'VLRY', uint8 version 1, uint8 kind, uint16 0, uint64 step, int64 time [ns], 32 bytes robot's name
    STATE    position 3, attitude 4, velocity 3, angular velocity 3, wind 3 (float64, in W), uint16 j, j joints float64
    MOTION   position 3, attitude 4, velocity 3, angular velocity 3 (float64, in W), uint16 j, uint16 b,
             j joints float64, b bones of 4 float64 (quaternion against rest, root to tip)
    WRENCH   force 3, torque about the root's origin 3 (float64, in W)
    HELLO    nothing: asks for the states of a robot

A simulation sends STATE; the other side answers with MOTION or WRENCH that repeats `step`, and begins with HELLO. j and
b may be 0: joints or bones stay as they are.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.errors import BusError

__all__ = ["Hello", "MotionPacket", "Packet", "StatePacket", "WrenchPacket", "decode_packet"]

_MAGIC, _VERSION = b"VLRY", 1
_HEADER = struct.Struct("<4sBBHQq32s")
_STATE, _MOTION, _WRENCH, _HELLO = 1, 2, 3, 4
_MOST = 4096
"""Joints or bones of a robot."""


@dataclass(frozen=True, eq=False)
class Packet:
    """What all have."""

    robot: str
    step: int
    time_ns: int

    def _header(self, kind: int) -> bytes:
        name = self.robot.encode()
        if len(name) > 32:
            raise BusError(f"robot name '{self.robot}' has more than 32 bytes: too long for a packet")
        return _HEADER.pack(_MAGIC, _VERSION, kind, 0, self.step, self.time_ns, name)


@dataclass(frozen=True, eq=False)
class Hello(Packet):
    """Asks for the states of a robot."""

    def encode(self) -> bytes:
        """As bytes."""
        return self._header(_HELLO)


@dataclass(frozen=True, eq=False)
class StatePacket(Packet):
    """Where a robot is."""

    p_WB: np.ndarray
    q_WB_wxyz: np.ndarray
    v_WB_W: np.ndarray
    w_WB_W: np.ndarray
    wind_W: np.ndarray
    joints: np.ndarray

    def encode(self) -> bytes:
        """As bytes."""
        body = np.concatenate([self.p_WB, self.q_WB_wxyz, self.v_WB_W, self.w_WB_W, self.wind_W])
        count = struct.pack("<H", len(self.joints))
        return self._header(_STATE) + body.astype("<f8").tobytes() + count + self.joints.astype("<f8").tobytes()


@dataclass(frozen=True, eq=False)
class MotionPacket(Packet):
    """Where a robot is to be."""

    p_WB: np.ndarray
    q_WB_wxyz: np.ndarray
    v_WB_W: np.ndarray
    w_WB_W: np.ndarray
    joints: np.ndarray = field(default_factory=lambda: np.zeros(0))
    bones: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))

    def encode(self) -> bytes:
        """As bytes."""
        body = np.concatenate([self.p_WB, self.q_WB_wxyz, self.v_WB_W, self.w_WB_W])
        counts = struct.pack("<HH", len(self.joints), len(self.bones))
        tail = np.concatenate([self.joints, np.ravel(self.bones)])
        return self._header(_MOTION) + body.astype("<f8").tobytes() + counts + tail.astype("<f8").tobytes()


@dataclass(frozen=True, eq=False)
class WrenchPacket(Packet):
    """How a robot is pushed."""

    force_W: np.ndarray
    torque_W: np.ndarray

    def encode(self) -> bytes:
        """As bytes."""
        return self._header(_WRENCH) + np.concatenate([self.force_W, self.torque_W]).astype("<f8").tobytes()


def decode_packet(data: bytes) -> Packet:
    """A packet from bytes; others, and those with NaN or infinite numbers, are an error that says why."""
    if len(data) < _HEADER.size:
        raise BusError(f"a packet of {len(data)} bytes is shorter than its header of {_HEADER.size}")
    magic, version, kind, _, step, time_ns, name = _HEADER.unpack_from(data)
    if magic != _MAGIC or version != _VERSION:
        raise BusError(f"this is no packet of version {_VERSION}: it begins with {data[:5]!r}")
    try:
        robot = name.rstrip(b"\0").decode()
    except UnicodeDecodeError:
        raise BusError(f"a packet's name of a robot is not UTF-8: {name!r}") from None
    head: tuple[Any, ...] = (robot, step, time_ns)
    body = data[_HEADER.size :]
    if kind == _HELLO and not body:
        return Hello(*head)
    if kind == _WRENCH and len(body) == 48:
        numbers = _finite(body)
        return WrenchPacket(*head, numbers[:3], numbers[3:])  # type: ignore[call-arg]
    if kind == _STATE and len(body) >= 130:
        values: list[Any] = [*_split(_finite(body[:128]), 3, 4, 3, 3, 3), _finite(_tail(body, 128, 2, (1,)))]
        return StatePacket(*head, *values)
    if kind == _MOTION and len(body) >= 108:
        tail = _finite(_tail(body, 104, 4, (1, 4)))
        joints = struct.unpack_from("<H", body, 104)[0]
        values = [*_split(_finite(body[:104]), 3, 4, 3, 3), tail[:joints], tail[joints:].reshape(-1, 4)]
        return MotionPacket(*head, *values)
    raise BusError(f"a packet of kind {kind} cannot have {len(data)} bytes")


def _tail(body: bytes, start: int, size: int, widths: tuple[int, ...]) -> bytes:
    """What follows the counts of joints and bones, which must be as long as they say."""
    counts = struct.unpack_from(f"<{size // 2}H", body, start)
    tail = body[start + size :]
    wanted = 8 * sum(n * w for n, w in zip(counts, widths, strict=True))
    if max(counts) > _MOST or len(tail) != wanted:
        raise BusError(f"a packet says {counts} joints and bones, which are {wanted} bytes; it has {len(tail)}")
    return tail


def _finite(data: bytes) -> np.ndarray:
    numbers = np.frombuffer(data, "<f8").astype(float)
    if not np.isfinite(numbers).all():
        raise BusError("a packet has numbers that are NaN or infinite; the last good one stays")
    return numbers


def _split(numbers: np.ndarray, *lengths: int) -> list[np.ndarray]:
    return np.split(numbers, np.cumsum(lengths)[:-1])
