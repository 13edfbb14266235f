"""The grammar of Gamebots lines, and its units and axes: what clients really send, and anything at all."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core.frames import quat_from_euler
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import (
    GamebotsCommand,
    LineReader,
    line,
    number,
    numbers,
    parse,
    segment,
    truth,
    written,
)
from volery.protocols.gamebots.session import VERBS


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r", b"\r", b"\n", b"\r\r\n\n"])
def test_every_end_of_line_is_one(end):
    reader = LineReader()
    data = end + b"DRIVE {Left 1}" + end + end + b"DRIVE {Left 2}" + end
    assert reader.feed(data) == ["DRIVE {Left 1}", "DRIVE {Left 2}"]


def test_lines_may_come_byte_by_byte():
    reader, out = LineReader(), []
    for byte in b"INIT {ClassName USARBot.P2AT} {Name R1}\r\nGETCONF {Type Robot}\r\n":
        out += reader.feed(bytes([byte]))
    assert out == ["INIT {ClassName USARBot.P2AT} {Name R1}", "GETCONF {Type Robot}"]


def test_clients_without_ends_of_lines_are_understood():
    reader = LineReader()
    assert reader.feed(b"DRIVE {Left 1.0} {Right 1.0}") == []
    assert reader.waiting
    assert reader.feed(b"DRIVE {Left 2.0} {Right 2.0}") == ["DRIVE {Left 1.0} {Right 1.0}"]
    assert reader.flush() == ["DRIVE {Left 2.0} {Right 2.0}"]
    assert reader.feed(b"DRIVE {Left 1.0} {Ri") == [] and not reader.waiting


def test_what_is_too_long_is_left_out_and_the_next_line_is_not():
    reader = LineReader()
    assert reader.feed(b"x" * 100_000) == []
    assert reader.feed(b"y" * 100_000) == []
    assert reader.feed(b"z\r\nGETSTARTPOSES\r\n") == ["GETSTARTPOSES"]
    assert reader.dropped == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DRIVE {Left 1.0} {Right -1.0}", [GamebotsCommand("DRIVE", (("Left", "1.0"), ("Right", "-1.0")))]),
        ("drive{Left 1}{RIGHT 2}", [GamebotsCommand("DRIVE", (("Left", "1"), ("RIGHT", "2")))]),
        ("INIT {ClassName USARBot.P2AT} {Name R1", [GamebotsCommand("INIT", (("ClassName", "USARBot.P2AT"),))]),
        ("DRIVE {Left 1 {Right 2}", [GamebotsCommand("DRIVE", (("Right", "2"),))]),
        ("DRIVE {Left\t1} {} { } {Right}", [GamebotsCommand("DRIVE", (("Left", "1"), ("Right", "")))]),
        ("DRIVE {Left 1} or so {Right 2}", [GamebotsCommand("DRIVE", (("Left", "1"), ("Right", "2")))]),
        (
            "DRIVE {Left 1}Drive {Left 2} GETSTARTPOSES",
            [
                GamebotsCommand("DRIVE", (("Left", "1"),)), GamebotsCommand("DRIVE", (("Left", "2"),)),
                GamebotsCommand("GETSTARTPOSES"),
            ],
        ),
        ("MISPKG {Link 1} {Value 2} {Link 2} {Value 3}", [
            GamebotsCommand("MISPKG", (("Link", "1"), ("Value", "2"), ("Link", "2"), ("Value", "3")))
        ]),
        ("{Left 1}", []),
        ("", []),
    ],
)  # fmt: skip
def test_lines_of_real_clients(text, expected):
    assert parse(text, VERBS) == expected


def test_names_are_found_in_any_case():
    message = parse("INIT {Classname USARBot.P2AT} {LOCATION 1, 2 ,3} {light TRUE}")[0]
    assert message.get("ClassName") == "USARBot.P2AT"
    assert message.numbers("location") == [1.0, 2.0, 3.0]
    assert message.truth("Light") is True
    assert message.get("Rotation") is None and message.number("Left") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("1,00", 1.0),
        ("-2e1x", -20.0),
        ("abc", 0.0),
        ("", 0.0),
        ("+.5", 0.5),
        ("1e999", 0.0),
        ("nan", 0.0),
    ],
)
def test_numbers_are_read_as_c_reads_them(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["4.5,1.9,1.8", "4.5 1.9 1.8", "4.5, 1.9, 1.8", " 4.5 ,1.9\t1.8 ", "4,5 1,9 1,8"])
def test_vectors_of_all_clients(text):
    assert numbers(text) == [4.5, 1.9, 1.8]


def test_booleans_and_zeros():
    assert [truth(t) for t in ("True", "true", "TRUE", "1", "False", "false", "0", "", "maybe")] == [True] * 4 + [
        False
    ] * 5
    assert written(-0.00001) == "0.0000" and written(-1.5, 2) == "-1.50"


def test_no_text_breaks_a_line():
    assert line("RES", segment("Name", "a\r\nSTA {x 1}")) == b"RES {Name a  STA {x 1}}\r\n"


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=5))
@settings(max_examples=300, deadline=None)
def test_any_bytes_in_any_pieces_give_the_same_commands(data, cuts):
    def read(pieces):
        reader = LineReader()
        lines = [text for piece in pieces for text in reader.feed(piece)] + reader.flush()
        return [m for text in lines for m in parse(text, VERBS)]

    edges = [0, *sorted(min(c, len(data)) for c in cuts), len(data)]
    pieces = [data[a:b] for a, b in pairwise(edges)]
    commands = read(pieces)
    for command in commands:
        assert command.verb and command.verb == command.verb.upper()
        for name, value in command.segments:
            assert name and not set("{}\r\n") & set(name + value)
            assert math.isfinite(number(value)) and all(map(math.isfinite, numbers(value)))
    if b"}" not in data:
        # Where commands are joined without an end, it depends on the pieces when they are known to be whole.
        assert commands == read([data])


names = st.text("ABCDEFGHabcdefgh_0123456789", min_size=1, max_size=10)
values = st.text(
    st.characters(blacklist_characters="{}\r\n\x85\u2028\u2029", blacklist_categories=("Cs", "Cc", "Z")), max_size=20
)


@given(st.sampled_from(sorted(VERBS)), st.lists(st.tuples(names, values), max_size=6), st.sampled_from(["", " ", "  "]))
@settings(max_examples=300, deadline=None)
def test_what_is_written_is_read(verb, pairs, gap):
    text = verb + " " + gap.join("{" + f"{k} {v}" + "}" for k, v in pairs)
    assert parse(text, VERBS) == [GamebotsCommand(verb, tuple((k, v.strip()) for k, v in pairs))]


# Units and axes


def test_metres_and_radians_of_the_later_dialects():
    for name in ("ut2004", "udk"):
        d = Dialect(name)
        assert d.vector((1.0, 2.0, 3.0)) == "1.0000,-2.0000,-3.0000"
        assert d.place([1.0, -2.0, -3.0]).tolist() == [1.0, 2.0, 3.0]
        # Roll, pitch, yaw: a turn to the left and a nose up are negative and positive there.
        assert d.turned((0.1, -0.2, 0.3)) == "0.1000,0.2000,-0.3000"
        assert np.allclose(d.rpy([0.1, 0.2, -0.3]), [0.1, -0.2, 0.3])


def test_unreal_units_of_the_manual():
    d = Dialect("ut2003", uu=100.0)
    assert d.vector((1.0, 2.0, 3.0)) == "100.00,-200.00,300.00"
    assert d.place([100.0, -200.0, 300.0]).tolist() == [1.0, 2.0, 3.0]
    # Pitch, yaw, roll in 65536ths: a quarter turn to the right, the nose up by an eighth.
    assert d.turned((0.0, -math.pi / 4, -math.pi / 2)) == "8192,16384,0"
    assert np.allclose(d.rpy([8192, 16384, 0]), [0.0, -math.pi / 4, -math.pi / 2])
    assert d.turned((0.0, 1e-9, 1e-9)) == "0,0,0", "never 65536"


@given(
    st.sampled_from(["ut2003", "ut2004", "udk"]),
    st.tuples(*[st.floats(-1.5, 1.5)] * 3),
    st.tuples(*[st.floats(-99, 99)] * 3),
)
@settings(max_examples=200, deadline=None)
def test_places_and_angles_come_back(name, rpy, p):
    d = Dialect(name)
    values = numbers(d.attitude(quat_from_euler(np.array(rpy))))
    same = abs(float(np.dot(d.quaternion(values), quat_from_euler(np.array(rpy)))))
    assert same == pytest.approx(1.0, abs=1e-6)
    assert d.place(numbers(d.vector(p))) == pytest.approx(p, abs=2e-4)
