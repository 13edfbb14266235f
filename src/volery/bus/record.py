"""Recording to MCAP: the same CDR bytes that travel, with their types, and the scenario that made them."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import queue
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcap.exceptions import EndOfFile
from mcap.records import Channel, McapRecord, Metadata, Schema
from mcap.records import Message as McapMessage
from mcap.stream_reader import StreamReader
from mcap.writer import CompressionType, Writer

from volery.bus.bus import Bus
from volery.bus.publisher import Publisher
from volery.bus.qos import offered
from volery.bus.types import define, definition
from volery.errors import BusError

__all__ = ["Recorded", "Recorder", "learn_schema", "read_recording", "recording_info"]

_log = logging.getLogger("volery")
_FLUSH = 0.5
"""How often all is written to the disk: what a crash may cost at most [s]."""
_MOST_WAITING = 512 * 1024 * 1024
"""Bytes that may wait for a slow disk; then the loop waits too, for nothing is to be lost."""
_LARGEST_RECORD = 1 << 30
"""A larger one is a damaged length [bytes]."""


class Recorder:
    """Writes messages of a bus to a file, in a thread of its own.

    A fault (a full disk, a folder that is gone) is logged at once and ends the recording; what was written before it
    can be read. `fault` holds it, and `close` raises it.
    """

    def __init__(
        self, bus: Bus, path: Path | str, topics: tuple[str, ...] = ("*",), *,
        on_fault: Callable[[BusError], None] | None = None, **about: str,
    ) -> None:  # fmt: skip
        """topics: patterns such as '/uav1/*'. on_fault: called at once, in the recorder's thread, if it can write no
        more. about: what else to keep, such as the text of the scenario."""
        self.path = Path(path)
        try:
            self._file = self.path.open("wb")
        except OSError as error:
            raise BusError(f"{self.path} cannot be written: {error.strerror}") from None
        self.count = 0
        """Messages taken."""
        self._writer = Writer(self._file, compression=CompressionType.ZSTD, chunk_size=4 * 1024 * 1024)
        try:
            self._writer.start(profile="ros2", library="volery")
            self._writer.add_metadata("volery", about)
        except OSError as error:
            raise BusError(f"{self.path} cannot be written: {error.strerror}") from None
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._queue: queue.SimpleQueue[tuple[Publisher, int, int, bytes] | None] = queue.SimpleQueue()
        self._early: list[tuple[Publisher, int, int, bytes]] = []
        """Of latched topics, said before the recording: it begins with them, at the time of its first message."""
        self._waiting = self._written = 0
        self._room = threading.Condition()
        self.fault: BusError | None = None
        """Why nothing is written any more."""
        self._on_fault = on_fault
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()
        self._bus = bus
        self._begun = False
        bus.tap(self._take, topics)
        self._begun = True

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether the file is ended."""
        return not self._thread.is_alive()

    def close(self) -> None:
        """Write all that waits, the index, and end the file."""
        self._bus.untap(self._take)
        self._put_early(None)
        self._queue.put(None)
        self._thread.join()
        if self.fault is not None:
            raise self.fault

    def _take(self, publisher: Publisher, stamp_ns: int, data: bytes | memoryview) -> None:
        if "/_" in publisher.topic:
            # Hidden, as the inside of actions is: rosbag2 leaves it out, too.
            return
        with self._room:
            while self._waiting > _MOST_WAITING and self.fault is None:
                self._room.wait()
            if self.fault is not None:
                return
            self._waiting += len(data)
        self.count += 1
        message = (publisher, publisher.count, stamp_ns, bytes(data))
        if not self._begun:
            self._early.append(message)
            return
        self._put_early(stamp_ns)
        self._queue.put(message)

    def _put_early(self, stamp_ns: int | None) -> None:
        early, self._early = self._early, []
        for publisher, count, own, data in early:
            self._queue.put((publisher, count, own if stamp_ns is None else stamp_ns, data))

    def _run(self) -> None:
        try:
            self._write_all()
            self._writer.finish()
            self._check_place()
        except Exception as error:  # whatever it is, it must not pass in silence
            self._fail(error)
            while self._queue.get() is not None:
                pass
        finally:
            with contextlib.suppress(OSError):
                self._file.close()

    def _fail(self, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        fault = BusError(f"{self.path}: recording stopped after {self._written} messages: {why}")
        with self._room:
            self.fault = fault
            self._room.notify_all()
        _log.error("%s", fault)
        if self._on_fault is not None:
            self._on_fault(fault)

    def _check_place(self) -> None:
        """A file that was removed, or its folder, takes all that is written and keeps nothing."""
        own = os.fstat(self._file.fileno())
        try:
            found = self.path.stat()
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != (own.st_dev, own.st_ino):
            raise OSError(errno.ENOENT, "the file or its folder was removed or replaced")

    def _write_all(self) -> None:
        flushed = time.monotonic()
        while True:
            try:
                item = self._queue.get(timeout=_FLUSH)
                if item is None:
                    return
                self._write(*item)
            except queue.Empty:
                pass
            if time.monotonic() - flushed > _FLUSH:
                self._writer.flush()
                self._check_place()
                flushed = time.monotonic()

    def _write(self, publisher: Publisher, sequence: int, stamp_ns: int, data: bytes) -> None:
        topic, message_type = publisher.topic, publisher.message_type
        if topic not in self._channels:
            if message_type not in self._schemas:
                text = definition(message_type).encode()
                self._schemas[message_type] = self._writer.register_schema(message_type, "ros2msg", text)
            about = {"offered_qos_profiles": offered(publisher.qos), "topic_type_hash": publisher.type_hash}
            self._channels[topic] = self._writer.register_channel(topic, "cdr", self._schemas[message_type], about)
        self._writer.add_message(self._channels[topic], stamp_ns, data, stamp_ns, sequence)
        self._written += 1
        with self._room:
            self._waiting -= len(data)
            self._room.notify()


@dataclass(frozen=True)
class Recorded:
    """A message of a recording."""

    topic: str
    message_type: str
    stamp_ns: int
    data: bytes
    """CDR."""


def recording_info(path: Path | str) -> dict[str, str]:
    """What was kept beside the messages, such as the scenario."""
    for record in _records(path):
        if isinstance(record, Metadata) and record.name == "volery":
            return dict(record.metadata)
    raise BusError(f"{path} was not recorded by Volery")


def read_recording(
    path: Path | str, topics: list[str] | None = None, start_ns: int = 0, *, types: tuple[str, ...] = ()
) -> Iterator[Recorded]:
    """Messages of a recording as they were written; of one that was cut off, all that is whole.

    topics: only these; start_ns: only from this time on; types: only of these message types.
    """
    schemas: dict[int, str] = {}
    channels: dict[int, Channel] = {}
    for record in _records(path):
        if isinstance(record, Schema):
            schemas[record.id] = record.name
            learn_schema(record)
        elif isinstance(record, Channel):
            channels[record.id] = record
        elif isinstance(record, McapMessage) and record.log_time >= start_ns:
            channel = channels.get(record.channel_id)
            kind = "" if channel is None else schemas.get(channel.schema_id, "")
            if channel is None or (topics is not None and channel.topic not in topics):
                continue
            if not types or kind in types:
                yield Recorded(channel.topic, kind, record.log_time, record.data)


def learn_schema(schema: Schema) -> None:
    """Types of somebody's own are known to who reads a recording of them, too; what cannot be read is left."""
    if schema.encoding == "ros2msg":
        with contextlib.suppress(BusError, UnicodeDecodeError):
            define(schema.name, schema.data.decode())


def _records(path: Path | str) -> Iterator[McapRecord]:
    """All whole records of a file from its beginning."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise BusError(f"{path} cannot be read: {error.strerror}") from None
    with file:
        try:
            yield from StreamReader(file, record_size_limit=_LARGEST_RECORD).records
        except EndOfFile:
            return
        except struct.error as error:
            # How mcap meets an end in the middle of a number; elsewhere it is damage.
            if file.read(1):
                raise BusError(f"{path} is damaged: {error}") from None
        except Exception as error:  # mcap and the decompressors raise whatever they meet in a damaged file
            raise BusError(f"{path} is damaged: {type(error).__name__}: {error}") from None
