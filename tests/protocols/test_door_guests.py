"""Places of clients at a door, files that they name, and the gate before which their threads wait."""

import os
import threading
import time

import pytest

from volery.core.gate import Gate
from volery.core.workers import Workers
from volery.errors import SimulationError
from volery.protocols.files import ClientFiles
from volery.protocols.guests import Guests, looks_like_http
from volery.protocols.limits import Limits


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def house(**limits):
    clock, gone = Clock(), []
    guests = Guests(Limits(**limits), clock)

    def enter(who, source="here"):
        clock.now += 1.0
        return guests.enter(who, source, lambda: gone.append(who))

    return guests, clock, gone, enter


def test_strangers_make_room_and_known_clients_stay():
    guests, _, gone, enter = house(connections=3)
    assert all(enter(i) for i in range(3))
    guests.hear(0)
    assert enter(3) and gone == [1]
    assert enter(4) and gone == [1, 2] and 0 in guests


def test_a_house_of_known_clients_is_full_until_one_is_silent_for_long():
    guests, clock, gone, enter = house(connections=2, idle=60.0)
    for i in range(2):
        enter(i)
        guests.hear(i)
    assert not enter(2) and not gone
    clock.now += 100.0
    guests.hear(1)
    assert enter(2) and gone == [0]


def test_one_address_does_not_take_all_places():
    guests, _, gone, enter = house(connections=100, per_source=2)
    for i in range(2):
        enter(i, "there")
        guests.hear(i)
    assert not enter(2, "there") and enter(3, "elsewhere") and not gone


def test_who_says_nothing_is_sent_away_and_who_spoke_is_not():
    guests, clock, gone, enter = house(idle=10.0)
    enter(0)
    enter(1)
    guests.hear(1)
    clock.now += 20.0
    assert guests.sweep() == 1 and gone == [0] and len(guests) == 1


def test_who_holds_too_much_goes_and_of_all_the_one_that_holds_most():
    guests, _, gone, enter = house(bytes_per_client=10_000, bytes_in_all=20_000)
    for i in range(4):
        enter(i)
    guests.hold(0, 10_001)
    assert gone == [0] and guests.held == 0
    guests.hold(1, 9_000)
    guests.hold(2, 8_000)
    guests.hold(3, 7_000)
    assert gone == [0, 1] and guests.held == 15_000
    guests.leave(2)
    assert guests.held == 7_000


@pytest.mark.parametrize(
    "line", [b"GET / HTTP/1.1\r\n", b"POST /a HTTP/1.0", b"\r\nPUT http://x HTTP/1.1", b"PRI * HTTP/2.0"]
)
def test_first_lines_of_browsers_are_known(line):
    assert looks_like_http(line)


@pytest.mark.parametrize(
    "line", [b"GETSTARTPOSES", b"TRACE {On true}", b"INIT {ClassName X}", b"\x94\x00\x01", b"", b"OK"]
)
def test_first_lines_of_clients_are_none(line):
    assert not looks_like_http(line)


def test_files_lie_below_the_folder_and_are_never_written_over(tmp_path):
    files = ClientFiles(tmp_path / "out")
    files.write("a.txt", b"one")
    assert files.read("a.txt") == files.read(str(tmp_path / "out" / "a.txt")) == b"one"
    for name in ("../b", "/etc/hostname", "", "x/../../b", "a\0b", str(tmp_path)):
        with pytest.raises(SimulationError, match="lie below"):
            files.write(name, b"x")
    with pytest.raises(SimulationError, match="there already"):
        files.write("a.txt", b"two")
    with pytest.raises(SimulationError, match="there already"):
        files.check_new("a.txt")
    assert files.read("a.txt") == b"one"


def test_no_link_is_followed_and_no_pipe_waited_for(tmp_path):
    files, out, secret = ClientFiles(tmp_path / "out"), tmp_path / "out", tmp_path / "secret"
    out.mkdir()
    secret.mkdir()
    (secret / "s.txt").write_text("secret")
    (out / "link").symlink_to(secret / "s.txt")
    (out / "folder").symlink_to(secret)
    os.mkfifo(out / "pipe")
    for name in ("link", "folder/s.txt", "pipe"):
        with pytest.raises(SimulationError):
            files.read(name)
    for name in ("link", "folder/new"):
        with pytest.raises(SimulationError):
            files.write(name, b"x")
    assert sorted(p.name for p in secret.iterdir()) == ["s.txt"] and (secret / "s.txt").read_text() == "secret"


def test_work_of_a_client_that_left_is_not_begun_and_others_have_their_turn():
    workers, done, go = Workers(1, "test", Gate()), [], threading.Event()
    try:
        workers.submit("greedy", go.wait)
        late = [workers.submit("greedy", lambda: done.append("greedy")) for _ in range(10)]
        left = [workers.submit("left", lambda: done.append("left")) for _ in range(10)]
        workers.submit("modest", lambda: done.append("modest"))
        workers.forget("left")
        go.set()
        assert late[-1].result(10) is None
        assert done.index("modest") <= 1 and done.count("greedy") == 10
        assert "left" not in done and all(f.cancelled() for f in left)
    finally:
        workers.close()


def test_threads_wait_while_a_step_is_made_but_not_for_ever():
    gate = Gate()
    with gate:
        began = time.perf_counter()
        gate.pass_through()
        assert time.perf_counter() - began >= 0.004


def test_late_steps_take_the_processor_from_clients():
    gate = Gate()
    gate.press()
    used, began = time.thread_time(), time.monotonic()
    gate.pass_through()
    while time.monotonic() - began < 0.4:
        sum(range(2000))
        gate.pass_through()
    assert time.thread_time() - used < 0.6 * (time.monotonic() - began)
