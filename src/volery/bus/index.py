"""Where in a recording things are, so that a long one opens at once and any time of it is found without reading it all.

MCAP files consist of compressed chunks, each followed by an index of its messages; the end of the file says where the
chunks are and what is in them. A file that was cut off has no such end: then the chunks are found by hopping from one
to the next.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.reader import SeekingReader
from mcap.records import Channel, Chunk, Schema
from mcap.stream_reader import get_chunk_data_stream

from volery.bus.qos import was_latched
from volery.bus.record import Recorded, learn_schema
from volery.errors import BusError

__all__ = ["Position", "RecordingIndex"]

_HEAD = struct.Struct("<BQ")
"""Kind and length of a record."""
_MESSAGE = struct.Struct("<HIQQ")
"""Channel, sequence, two times [ns]; the message follows."""
_MAGIC = 8
_CACHED = 4
"""Chunks kept decompressed."""


@dataclass(frozen=True)
class _Place:
    """A chunk in the file."""

    at: int
    """Of its first byte."""
    start_ns: int
    end_ns: int
    channels: set[int]
    """Whose messages are in it."""


@dataclass(frozen=True)
class Position:
    """A place between messages: chunk, and byte in the chunk."""

    chunk: int
    offset: int


class RecordingIndex:
    """A recording that can be read from anywhere. Used by one thread at a time."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self._file: BinaryIO = self.path.open("rb")
            self._size = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise BusError(f"{path} cannot be read: {error.strerror}") from None
        self._channels: dict[int, tuple[str, str]] = {}
        """Topic and message type by number."""
        self.latched: set[str] = set()
        """Topics whose last message was for who came late, too."""
        self._chunk = lru_cache(_CACHED)(self._read_chunk)
        try:
            self._places = self._summary() or self._scan()
        except BusError:
            raise
        except Exception as error:  # mcap raises whatever it meets in a damaged file
            raise BusError(f"{path} is damaged: {type(error).__name__}: {error}") from None
        if not self._places:
            raise BusError(f"{path} holds no message")
        # Time may go back within a recording, when a run was reset; what was seen so far only rises.
        self._latest = list(accumulate((p.end_ns for p in self._places), max))
        self.start_ns = min(p.start_ns for p in self._places)
        self.end_ns = self._latest[-1]

    @property
    def topics(self) -> dict[str, str]:
        """Topics and their message types."""
        return dict(self._channels.values())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def find(self, time_ns: int) -> Position:
        """The place before the first message of a time or later; the end if there is none."""
        number = bisect_left(self._latest, time_ns)
        if number == len(self._places):
            return Position(number, 0)
        offset = next(o for o, stamp, *_ in self._messages_of(number) if stamp >= time_ns)
        return Position(number, offset)

    def messages(self, position: Position, topics: tuple[str, ...] | None = None) -> Iterator[Recorded]:
        """Messages from a place on as they were written; topics: only these."""
        wanted = self._numbers(topics)
        for number in range(position.chunk, len(self._places)):
            if topics is not None and not wanted & self._places[number].channels:
                continue
            first = position.offset if number == position.chunk else 0
            for offset, stamp, channel, data in self._messages_of(number):
                if offset >= first and channel in wanted:
                    yield Recorded(*self._channels[channel], stamp, data)

    def before(self, position: Position) -> list[Recorded]:
        """The newest message of each topic before a place."""
        missing, found = self._numbers(None), {}
        if position.chunk < len(self._places):
            for offset, stamp, channel, data in self._messages_of(position.chunk):
                if offset < position.offset:
                    found[channel] = Recorded(*self._channels[channel], stamp, data)
        missing -= found.keys()
        for number in range(position.chunk - 1, -1, -1):
            here = missing & self._places[number].channels
            if here:
                found |= {
                    c: Recorded(*self._channels[c], t, d) for _, t, c, d in self._messages_of(number) if c in here
                }
            missing -= here
            if not missing:
                break
        return [found[channel] for channel in sorted(found)]

    # Reading

    def _numbers(self, topics: tuple[str, ...] | None) -> set[int]:
        return {n for n, (topic, _) in self._channels.items() if topics is None or topic in topics}

    def _messages_of(self, number: int) -> Iterator[tuple[int, int, int, bytes]]:
        """Offset, time [ns], channel and bytes of each message of a chunk."""
        for kind, at, end, data in _records(self._chunk(number), self.path):
            if kind == Opcode.MESSAGE and end - at >= _MESSAGE.size:
                channel, _, stamp, _ = _MESSAGE.unpack_from(data, at)
                if channel in self._channels:
                    yield at - _HEAD.size, stamp, channel, data[at + _MESSAGE.size : end]

    def _read_chunk(self, number: int) -> bytes:
        try:
            self._file.seek(self._places[number].at + _HEAD.size)
            return _unpacked(Chunk.read(ReadDataStream(self._file)))
        except Exception as error:  # mcap and the decompressors raise whatever they meet
            raise BusError(f"{self.path} is damaged: {type(error).__name__}: {error}") from None

    # Finding chunks

    def _summary(self) -> list[_Place] | None:
        """Chunks as the end of the file has them; None: it has no such end."""
        reader = SeekingReader(self._file)
        try:
            summary = reader.get_summary()
        except Exception:  # cut off
            return None
        if summary is None or not summary.chunk_indexes:
            return None
        for number, channel in summary.channels.items():
            schema = summary.schemas.get(channel.schema_id)
            if schema is not None:
                learn_schema(schema)
            self._know(number, channel, "" if schema is None else schema.name)
        found = sorted(summary.chunk_indexes, key=lambda c: c.chunk_start_offset)
        kept = [c for c in found if c.message_index_offsets and c.chunk_start_offset + c.chunk_length <= self._size]
        return [
            _Place(c.chunk_start_offset, c.message_start_time, c.message_end_time, set(c.message_index_offsets))
            for c in kept
        ]

    def _scan(self) -> list[_Place]:
        """Chunks from record to record; only those with new topics are looked into."""
        found: list[_Place] = []
        at = _MAGIC
        while at + _HEAD.size <= self._size:
            self._file.seek(at)
            kind, length = _HEAD.unpack(self._file.read(_HEAD.size))
            end = at + _HEAD.size + length
            if end > self._size or kind == Opcode.FOOTER:
                break
            if kind == Opcode.CHUNK:
                start_ns, end_ns = struct.unpack("<QQ", self._file.read(16))
                found.append(_Place(at, start_ns, end_ns, set()))
            elif kind == Opcode.MESSAGE_INDEX and found:
                (channel,) = struct.unpack("<H", self._file.read(2))
                found[-1].channels.add(channel)
            at = end
        self._learn_channels(found)
        return [place for place in found if place.channels]

    def _know(self, number: int, channel: Channel, message_type: str) -> None:
        self._channels[number] = (channel.topic, message_type)
        if was_latched(channel.metadata.get("offered_qos_profiles")):
            self.latched.add(channel.topic)

    def _learn_channels(self, found: list[_Place]) -> None:
        schemas: dict[int, str] = {}
        for place in found:
            # The index of the last chunk may have been cut off, in part or whole.
            if place is not found[-1] and not place.channels - self._channels.keys():
                continue
            self._file.seek(place.at + _HEAD.size)
            for kind, at, end, data in _records(_unpacked(Chunk.read(ReadDataStream(self._file))), self.path):
                if kind == Opcode.SCHEMA:
                    schema = Schema.read(_stream(data[at:end]))
                    schemas[schema.id] = schema.name
                    learn_schema(schema)
                elif kind == Opcode.CHANNEL:
                    channel = Channel.read(_stream(data[at:end]))
                    self._know(channel.id, channel, schemas.get(channel.schema_id, ""))
                elif kind == Opcode.MESSAGE and end - at >= _MESSAGE.size:
                    place.channels.add(_MESSAGE.unpack_from(data, at)[0])


def _records(data: bytes, path: Path) -> Iterator[tuple[int, int, int, bytes]]:
    """Kind, first and last byte of each record of a chunk, and the chunk."""
    at = 0
    while at + _HEAD.size <= len(data):
        kind, length = _HEAD.unpack_from(data, at)
        first = at + _HEAD.size
        at = first + length
        if at > len(data):
            raise BusError(f"{path} is damaged: a record is longer than its chunk")
        yield kind, first, at, data


def _stream(data: bytes) -> ReadDataStream:
    return ReadDataStream(BytesIO(data))


def _unpacked(chunk: Chunk) -> bytes:
    stream, length = get_chunk_data_stream(chunk)
    return stream.read(length)
