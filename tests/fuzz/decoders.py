"""What parses bytes of others, one function each: it takes any bytes, and raises nothing but the error that its caller
expects. `scripts/fuzz` feeds them by coverage, `tests/protocols/test_fuzz.py` the corpus that is kept."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgpack
import numpy as np

from volery.core.patterns import TextPattern
from volery.core.state import decode, encode
from volery.core.yaml import parse_yaml
from volery.errors import VoleryError
from volery.physics.packets import decode_packet
from volery.protocols.airsim.codec import Reader, unpacked
from volery.protocols.airsim.settings import read_settings
from volery.protocols.airsim.wire import _checked as checked_call
from volery.protocols.gamebots.grammar import LineReader, numbers, parse, truth
from volery.protocols.guests import looks_like_http
from volery.protocols.mavlink.frames import messages_of
from volery.protocols.mocap.codec import parse_request
from volery.protocols.udp.end import doubles
from volery.protocols.ueds import drone_calls, drone_calls14, game_calls
from volery.protocols.ueds.codec import IncompleteError
from volery.robots.usarini import number, parse_ini, short_name
from volery.scenario import read_scenario
from volery.viewer.checks import checked_command, file_name
from volery.viewer.server import _parsed as parsed_message
from volery.world.geotiff import open_geotiff

__all__ = ["DECODERS"]

_VERBS = ("INIT", "DRIVE", "SET", "GETSTARTPOSES", "SENSOR", "MISPKG")
_TABLES = [
    game_calls.thesis(), game_calls.modern((0, 11)), game_calls.modern((0, 14)), drone_calls.thesis(),
    drone_calls.modern((0, 11)), drone_calls.modern((0, 13)), drone_calls14.table(),
]  # fmt: skip


def airsim_request(data: bytes) -> None:
    """MessagePack-RPC, in two pieces: the same messages as in one."""
    assert _messages(data, len(data)) == _messages(data, len(data) // 2)


def _messages(data: bytes, cut: int) -> list[bytes]:
    reader, found = Reader(), []
    try:
        for part in (data[:cut], data[cut:]):
            reader.feed(part)
            while (message := reader.next()) is not None:
                found.append(message)
    except (msgpack.UnpackException, ValueError):
        return found
    for message in found:
        _call_of(message)
    assert reader.held == len(data) - sum(map(len, found))
    return found


def _call_of(message: bytes) -> None:
    try:
        value = unpacked(message)
        if isinstance(value, list) and len(value) == 4:
            checked_call(value[2], value[3])
    except (VoleryError, msgpack.UnpackException, ValueError):
        pass


def airsim_settings(data: bytes) -> None:
    """settings.json."""
    read_settings(data.decode("utf-8", "replace"))


def ueds_request(data: bytes) -> None:
    """Requests of all dialects; what is read is written as the same bytes again."""
    for table in _TABLES:
        if len(data) < 2 or (message := table.get(data[0] | data[1] << 8)) is None:
            continue
        for layout in filter(None, (message.request, message.longer)):
            try:
                values, end = layout.read(data, 2)
            except IncompleteError:
                continue
            assert 2 <= end <= len(data)
            again, _ = layout.read(layout.pack(values), 0)
            assert repr(again) == repr(values)


def gamebots_line(data: bytes) -> None:
    """Lines that come in two pieces are the lines that came; numbers are finite."""
    whole, halves = LineReader(), LineReader()
    lines = whole.feed(data + b"\r\n")
    cut = len(data) // 2
    assert len(halves.feed(data[:cut])) + len(halves.feed(data[cut:] + b"\r\n")) >= bool(lines)
    for text in lines:
        for message in parse(text, _VERBS):
            for _, value in message.segments:
                assert np.isfinite(numbers(value)).all()
                truth(value)


def natnet_request(data: bytes) -> None:
    """Motion capture."""
    parse_request(data)


def physics_packet(data: bytes) -> None:
    """External physics; what is read is written as the same bytes again."""
    packet = decode_packet(data)
    assert decode_packet(packet.encode()).encode() == packet.encode()


def control_doubles(data: bytes) -> None:
    """Control links."""
    for count in (3, 6):
        answer = doubles(data, count)
        assert answer is None or np.isfinite(answer[0]).all()


def mavlink_datagram(data: bytes) -> None:
    """Frames of both versions."""
    for message in messages_of(data):
        message.to_dict()


def page_message(data: bytes) -> None:
    """What a page sends."""
    try:
        message = parsed_message(data.decode("utf-8", "replace"))
    except ValueError:
        return
    for check in (checked_command, lambda m: file_name(m, ".mcap")):
        try:
            check(message)
        except VoleryError:
            continue
    json.dumps(message)


def first_line(data: bytes) -> None:
    """Of a connection that may be a browser's."""
    assert looks_like_http(b"POST /" + data) and looks_like_http(data + b" HTTP/1.1\r\n") in (True, False)


def yaml_text(data: bytes) -> None:
    """Any YAML."""
    value, lines = parse_yaml(data.decode("utf-8", "replace"), "fuzz.yaml")
    assert value is None or lines


def scenario_text(data: bytes) -> None:
    """A scenario."""
    read_scenario(data.decode("utf-8", "replace"))


def usar_ini(data: bytes) -> None:
    """usar.ini."""
    ini = parse_ini(data.decode("utf-8", "replace"))
    for section in ini.sections.values():
        for values in section.keys.values():
            for value in values:
                assert np.isfinite(number(value))
                short_name(value)


def pattern(data: bytes) -> None:
    """A regular expression and a text."""
    words, _, text = data.decode("utf-8", "replace").partition("\n")
    TextPattern(words).fits(text)


def snapshot(data: bytes) -> None:
    """A saved state; what is read is written again."""
    tree = decode(data)
    assert encode(decode(encode(tree))) == encode(tree)


def geotiff(data: bytes) -> None:
    """A file of heights, header and samples."""
    with tempfile.NamedTemporaryFile(suffix=".tif", dir="/dev/shm") as file:
        Path(file.name).write_bytes(data)
        tiff = open_geotiff(file.name)
        rows, cols = (min(side, 64) for side in tiff.shape)
        assert tiff.read(0, 0, rows, cols).shape == (rows, cols)


DECODERS: dict[str, Callable[[bytes], None]] = {
    f.__name__: f
    for f in (
        airsim_request, airsim_settings, ueds_request, gamebots_line, natnet_request, physics_packet, control_doubles,
        mavlink_datagram, page_message, first_line, yaml_text, scenario_text, usar_ini, pattern, snapshot, geotiff,
    )
}  # fmt: skip
"""By name. Each may raise a `VoleryError`, which is how it refuses."""
