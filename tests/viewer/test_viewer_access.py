"""Who may come in, and what becomes of the others: the run goes on whatever they do."""

import gzip
import json
import logging
import socket
import struct
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from viewer_rig import Guest, raw, shown, upgrade
from volery.core.addresses import is_loopback
from volery.viewer.access import Access, Allowance
from volery.viewer.assets import asset


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with shown(tmp_path_factory.mktemp("out")) as stage:
        yield stage


@pytest.fixture(autouse=True)
def unharmed(request, caplog):
    """After each test the run goes on, its server lets a page in, and nothing was logged as an error."""
    yield
    if "stage" not in request.fixturenames:
        return
    stage = request.getfixturevalue("stage")
    stage.server.access._wrong.clear()
    assert stage.steps_on()
    with Guest(stage.server) as guest:
        assert guest.until("welcome")
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


def closed_with(guest):
    """Close code of a connection that the server closes."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            guest.socket.recv(10)
    return end.value.rcvd.code if end.value.rcvd else None


# The rules by themselves


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8808", None, None),
        ("127.0.0.1:8808", "http://127.0.0.1:8808", None),
        ("localhost:9000", "http://localhost:9000", None),
        ("LOCALHOST:9000", "http://localhost:9000", None),
        ("192.168.1.5:8808", None, None),
        ("10.0.0.1:8808", None, 403),
        ("evil.example:8808", "http://evil.example:8808", 403),
        ("127.0.0.1:8808", "http://evil.example", 403),
        ("127.0.0.1:8808", "http://127.0.0.1:9999", 403),
        ("127.0.0.1:8808", "http://127.0.0.1", 403),
        ("127.0.0.1:8808", "null", 403),
        ("127.0.0.1:8808", "", 403),
        ("user@127.0.0.1:8808", None, 403),
        ("127.0.0.1:8808/x", None, 403),
        ("127.0.0.1:nan", None, 403),
        ("", None, 403),
        (None, None, 403),
    ],
)
def test_host_and_origin(host, origin, status):
    refusal = Access("127.0.0.1").refusal(host, origin, "192.168.1.5")
    assert (refusal and refusal[0]) == status


@given(st.one_of(st.none(), st.text(max_size=40)), st.one_of(st.none(), st.text(max_size=40)))
def test_headers_of_any_kind_are_answered(host, origin):
    Access("127.0.0.1").refusal(host, origin, "127.0.0.1")


@given(st.one_of(st.text(), st.integers(), st.none(), st.binary(), st.lists(st.text())))
def test_no_other_token_is_taken(token):
    access = Access("127.0.0.1")
    assert not access.admits(token, "a")
    assert len(access.token) >= 22 and access.token != Access("127.0.0.1").token


def test_guessing_is_slowed_down_and_nobody_is_locked_out():
    now = [0.0]
    access = Access("127.0.0.1", "right", lambda: now[0])
    for _ in range(10):
        assert not access.must_wait("10.0.0.7")
        assert not access.admits("wrong", "10.0.0.7")
        now[0] += 1
    assert access.must_wait("10.0.0.7") and not access.must_wait("10.0.0.8")
    assert access.admits("right", "10.0.0.7"), "its owner may sit at the same address"
    now[0] += 61
    assert not access.must_wait("10.0.0.7")
    for i in range(5000):
        access.admits("wrong", f"10.1.{i // 250}.{i % 250}")
    assert len(access._wrong) <= 1000


def test_a_network_of_ipv6_is_one_source():
    access = Access("::", "right")
    for i in range(10):
        access.admits("wrong", f"2001:db8:1:2::{i:x}")
    assert access.must_wait("2001:db8:1:2:ffff::1") and not access.must_wait("2001:db8:1:3::1")
    access.admits("wrong", "fe80::1%eth0")
    access.admits("wrong", "no address")


def test_an_allowance_is_a_rate_with_a_burst():
    now = [0.0]
    allowance = Allowance(200.0, lambda: now[0])
    assert sum(allowance.take() for _ in range(1000)) == 200
    now[0] += 0.1
    assert sum(allowance.take() for _ in range(1000)) == 20


def test_loopback():
    assert is_loopback("127.0.0.1") and is_loopback("::1") and is_loopback("localhost") and is_loopback("127.3.2.1")
    assert not is_loopback("0.0.0.0") and not is_loopback("192.168.1.5") and not is_loopback("robot.lan")


@pytest.mark.parametrize(
    "path",
    [
        "/../access.py",
        "/%2e%2e/access.py",
        "/..%2faccess.py",
        "//etc/passwd",
        "/page/../../errors.py",
        "/\x00",
        "/index.html/../../server.py",
        "/%00index.html",
        "/.",
        "/..",
        "/secret.py",
        "/sub/../index.html",
        "C:\\x",
    ],
)
def test_no_path_leads_out_of_the_page(tmp_path, path):
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("hello")
    (folder / "secret.py").write_text("no")
    (tmp_path / "access.py").write_text("no")
    assert asset(path, folder).status_code == 404
    found = asset("/", folder)
    assert found.status_code == 200 and found.body == b"hello"
    assert "default-src 'self'" in found.headers["Content-Security-Policy"]
    assert asset("/?x=1", folder).body == b"hello" and asset("/index.html#k", folder).body == b"hello"
    packed = asset("/", folder, gzipped=True)
    assert packed.headers["Content-Encoding"] == "gzip" and gzip.decompress(packed.body) == b"hello"
    assert packed.headers["Content-Length"] == str(len(packed.body)) and "Content-Encoding" not in found.headers


def test_a_page_that_is_not_built_says_so(tmp_path):
    assert asset("/", tmp_path).status_code == 503 and b"npm" in asset("/", tmp_path).body


# The door itself


def test_the_token_lets_in_and_the_url_holds_it(stage):
    assert stage.server.url == f"http://127.0.0.1:{stage.server.port}/#k={stage.server.access.token}"
    with Guest(stage.server) as guest:
        head, _ = guest.until("welcome")
        assert head["version"] == 1 and head["mode"] == "live" and head["scenario"] == "field"
        assert head["about"] == "a field" and head["seed"] == 3 and head["step_ns"] == 10_000_000
        assert {"name": "blocks", "about": head["scenarios"][0]["about"]}.keys() == head["scenarios"][0].keys()


@pytest.mark.parametrize("token", ["", "wrong", 5, None, ["x"]])
def test_a_wrong_token_is_refused(stage, token):
    guest = Guest(stage.server, hello=False)
    guest.say({"do": "hello", "token": token, "version": 1})
    assert closed_with(guest) == 4401


@pytest.mark.parametrize("first", [{"do": "reset", "id": 1}, {"do": "command"}, {}, [], "hello", 5])
def test_nothing_is_done_before_hello(stage, first):
    guest = Guest(stage.server, hello=False)
    guest.say(first)
    assert closed_with(guest) == 4401


def test_a_page_of_another_version_is_told_to_reload(stage):
    guest = Guest(stage.server, hello=False)
    guest.say({"do": "hello", "token": stage.server.access.token, "version": 99})
    assert closed_with(guest) == 4400


def test_silence_is_refused_as_lateness_and_is_no_wrong_try(stage, monkeypatch):
    monkeypatch.setattr("volery.viewer.server._HELLO", 1.0)
    began = time.monotonic()
    for _ in range(11):
        assert closed_with(Guest(stage.server, hello=False)) == 4408
        if time.monotonic() - began > 3:
            monkeypatch.setattr("volery.viewer.server._HELLO", 0.01)
    assert stage.server.access._wrong == {}


def test_more_than_ten_wrong_tokens_are_answered_late_and_the_owner_still_gets_in(stage, monkeypatch):
    monkeypatch.setattr("volery.viewer.server._PENALTY", 0.5)
    codes = [closed_with(Guest(stage.server, token="wrong")) for _ in range(9)]
    assert codes == [4401] * 9
    for _ in range(2):
        began = time.monotonic()
        assert closed_with(Guest(stage.server, token="wrong")) == 4429
        assert time.monotonic() - began >= 0.5
    # From the same address, as on one machine.
    with Guest(stage.server) as guest:
        guest.until("welcome")


def test_other_origins_and_names_are_refused(stage):
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
        with pytest.raises(InvalidStatus) as refusal:
            Guest(stage.server, additional_headers=headers)
        assert refusal.value.response.status_code == 403
    own = {"Origin": f"http://127.0.0.1:{stage.server.port}"}
    with Guest(stage.server, additional_headers=own) as guest:
        guest.until("welcome")
    got, _ = raw(stage.server, upgrade(stage.server, host="evil.example"))
    assert b"403" in got.split(b"\r\n")[0]
    got, _ = raw(stage.server, upgrade(stage.server, more="Host: evil.example\r\n"))
    assert b" 40" in got.split(b"\r\n")[0], "two names"


def test_messages_that_are_too_large_or_no_json_close_the_page(stage):
    for message, code in (
        ("x" * 1_000_001, 1009),
        ("{", 1007),
        ("[1]", 1007),
        ('{"a": NaN}', 1007),
        ("[" * 100_000, 1007),
        ('{"do": ' + "9" * 5000 + "}", 1007),
        (b"\x00\x01", 1007),
    ):
        guest = Guest(stage.server)
        guest.until("welcome")
        guest.socket.send(message)
        assert closed_with(guest) == code, message[:20]


def test_a_hundred_megabytes_are_not_even_read(stage):
    """The length alone closes the connection; the memory is never asked for."""
    hello = json.dumps({"do": "hello", "token": stage.server.access.token}).encode()
    frame = bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(hello)) + bytes(4) + hello
    huge = bytes([0x82, 0x80 | 127]) + struct.pack(">Q", 100_000_000) + bytes(4) + bytes(100)
    got, closed = raw(stage.server, upgrade(stage.server), frame + huge)
    assert closed and struct.pack(">H", 1009) in got


def test_two_hundred_messages_a_second_are_enough(stage):
    guest = Guest(stage.server)
    guest.until("welcome")
    with pytest.raises(ConnectionClosed) as end:
        for _ in range(20_000):
            guest.socket.send('{"do": "events"}')
        closed_with(guest)
    assert end.value.rcvd is None or end.value.rcvd.code == 1008


BAD_FRAMES = {
    "unmasked": bytes([0x81, 2]) + b"{}",
    "reserved bits": bytes([0xF1, 0x82]) + bytes(4) + b"{}",
    "opcode that is none": bytes([0x83, 0x80]) + bytes(4),
    "control frame too long": bytes([0x89, 0x80 | 126]) + struct.pack(">H", 300) + bytes(4) + bytes(300),
    "fragmented control frame": bytes([0x09, 0x80]) + bytes(4),
    "continuation of nothing": bytes([0x80, 0x82]) + bytes(4) + b"{}",
    "text that is not UTF-8": bytes([0x81, 0x82]) + bytes(4) + b"\xff\xfe",
    "close with half a code": bytes([0x88, 0x81]) + bytes(4) + b"\x03",
}


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES)
@pytest.mark.parametrize("greeted", [False, True])
def test_malformed_frames_close_the_connection(stage, frame, greeted):
    hello = json.dumps({"do": "hello", "token": stage.server.access.token}).encode()
    greeting = bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(hello)) + bytes(4) + hello
    got, closed = raw(stage.server, upgrade(stage.server), (greeting if greeted else b"") + frame)
    assert b"101" in got.split(b"\r\n")[0] and closed
    assert struct.pack(">H", 1002) in got or struct.pack(">H", 1007) in got


@given(st.binary(min_size=1, max_size=200))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_of_any_kind_in_place_of_frames(stage, data):
    with socket.create_connection(("127.0.0.1", stage.server.port)) as s:
        s.sendall(upgrade(stage.server) + data)
    assert stage.error is None


@given(st.binary(min_size=1, max_size=300))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_of_any_kind_in_place_of_a_request(stage, data):
    with socket.create_connection(("127.0.0.1", stage.server.port)) as s:
        s.sendall(data + b"\r\n\r\n")
    assert stage.error is None


def test_truncated_frames_and_sudden_ends(stage):
    for part in (1, 5, 40, 120):
        with socket.create_connection(("127.0.0.1", stage.server.port)) as s:
            s.sendall((upgrade(stage.server) + bytes([0x81, 0xFE, 0x40]))[:part])


def test_huge_headers_are_refused(stage):
    for more in ("X: " + "a" * 100_000 + "\r\n", "".join(f"X{i}: a\r\n" for i in range(1000))):
        got, closed = raw(stage.server, upgrade(stage.server, more=more))
        assert closed and b"101" not in got[:20]


def test_other_methods_are_refused(stage):
    for line in (b"POST / HTTP/1.1", b"HEAD / HTTP/1.1", b"DELETE /ws HTTP/1.1", b"GET / HTTP/0.9"):
        got, closed = raw(stage.server, line + b"\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
        assert closed and b" 200 " not in got.split(b"\r\n")[0]


@pytest.mark.slow
def test_a_request_byte_by_byte_is_given_up(stage):
    """A slow loris: it may take ten seconds to ask, not more."""
    with socket.create_connection(("127.0.0.1", stage.server.port)) as s:
        began = time.monotonic()
        with pytest.raises(ConnectionError):
            for byte in upgrade(stage.server) * 10:
                s.sendall(bytes([byte]) if byte not in b"\r\n" else b"a")
                time.sleep(0.3)
        assert time.monotonic() - began < 15


def test_a_thousand_connections_at_once(stage):
    """Beyond some dozens they are dropped at once, and the process keeps its file handles."""
    sockets = []
    try:
        for _ in range(1000):
            s = socket.socket()
            s.settimeout(0.5)
            sockets.append(s)
            try:
                s.connect(("127.0.0.1", stage.server.port))
            except OSError:
                continue
        time.sleep(0.5)
        assert stage.steps_on()
        assert len(stage.server._present) <= 64
    finally:
        for s in sockets:
            s.close()
    time.sleep(0.5)


def test_at_most_sixteen_pages(stage):
    guests = [Guest(stage.server) for _ in range(16)]
    try:
        for guest in guests:
            guest.until("welcome")
        assert closed_with(Guest(stage.server)) == 4503
        assert closed_with(Guest(stage.server, token="wrong")) == 4401, "who has no token is told nothing"
    finally:
        for guest in guests:
            guest.close()
    time.sleep(0.3)


def test_pages_that_come_and_go_in_many_threads(stage):
    def visit():
        for _ in range(5):
            try:
                with Guest(stage.server) as guest:
                    guest.until("state")
            except (ConnectionClosed, InvalidStatus):
                continue

    threads = [threading.Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
