"""What the command line tells of the bus: the table of topics, one message, a rate; and what a run adds to it."""

import re
import signal
import socket
import subprocess
import sys

import pytest

from volery.bus.bus import Bus, BusConfig
from volery.bus.listing import Row, _counts, _rates, table
from volery.bus.record import read_recording
from volery.bus.types import message_class


def volery(*words, **options):
    command = [sys.executable, "-m", "volery", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@pytest.fixture(scope="module")
def running():
    """A run in a process of its own, and where its bus is."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        address = f"tcp/127.0.0.1:{s.getsockname()[1]}"
    words = ["run", "blocks", "--headless", "--listen", address, "--elaha", "uav1"]
    process = subprocess.Popen([sys.executable, "-m", "volery", *words], stdout=subprocess.PIPE, text=True)
    assert "Ctrl-C ends" in process.stdout.readline()
    yield address
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


def test_the_table_names_publishers_subscribers_and_counts(running):
    with Bus(BusConfig(connect=[running], node="listener")) as bus:
        subscriber = bus.subscribe("/uav1/ground_truth/odom", "nav_msgs/msg/Odometry")
        assert subscriber.wait_next(10.0) is not None
        lines = volery("topics", "--connect", running).stdout.splitlines()
    assert lines[0].split() == ["topic", "type", "packets", "rate", "bytes/s", "publisher", "→", "subscribers"]
    row = next(line for line in lines if line.startswith("/uav1/ground_truth/odom"))
    assert row.endswith("volery → listener")
    count, rate = re.search(r" (\d+) +([\d.]+) Hz", row).groups()
    assert int(count) > 10 and 20 < float(rate) < 140  # 100 Hz on a machine that may be slow
    assert any(line.startswith("/clock") and " 0 " in line for line in lines), "nobody listens: nothing was made"


def test_echo_shows_messages(running):
    told = volery("topics", "echo", "/uav1/ground_truth/odom", "--count", "2", "--connect", running).stdout
    assert told.count("---\n") == 2
    assert "child_frame_id: uav1/base_link" in told and "position:\n" in told


def test_hz_measures(running):
    told = volery("topics", "hz", "/clock", "--seconds", "2", "--connect", running).stdout
    count, rate = re.match(r"/clock: (\d+) messages, ([\d.]+) Hz", told).groups()
    assert int(count) > 20 and 10 < float(rate) < 140


def test_elaha_names_are_topics_of_the_run(running):
    told = volery("topics", "echo", "/PlanePosition", "--count", "1", "--connect", running).stdout
    assert "---" in told


def test_wrong_words_and_an_empty_network_are_clear(running):
    assert "say which topic" in volery("topics", "echo", "--connect", running).stderr
    assert "takes no topic" in volery("topics", "list", "/clock", "--connect", running).stderr
    assert "nobody answers at tcp/127.0.0.1:1" in volery("topics", "--connect", "tcp/127.0.0.1:1").stderr


def test_a_run_records_the_topics_it_is_told_to(tmp_path):
    file = tmp_path / "run.mcap"
    words = ["run", "blocks", "--headless", "--speed", "max", "--duration", "1", "--no-bus", "--record", str(file)]
    done = volery(*words, "--topics", "/clock,/uav1/ground_truth/*")
    assert done.returncode == 0, done.stderr
    messages = list(read_recording(file))
    assert {m.topic for m in messages} == {"/clock", "/uav1/ground_truth/odom"}
    assert len([m for m in messages if m.topic == "/clock"]) == 100


def test_an_unknown_robot_for_elaha_is_named(tmp_path):
    done = volery("run", "blocks", "--headless", "--duration", "1", "--listen", "tcp/127.0.0.1:0", "--elaha", "uav7")
    assert done.returncode == 1
    assert "uav7" in done.stderr and "uav1" in done.stderr


def test_counts_that_cannot_be_read_are_left():
    text = message_class("std_msgs/msg/String")

    class Told:
        def __init__(self, words):
            self.value = text(data=words)

    bad = ("", "[]", '{"topics": {"/a": 3}}', '{"wall": 1, "topics": {"/a": [1, 2]}}', '{"wall": "x", "topics": {}}')
    for words in bad:
        assert list(_counts(Told(words))) == []
    assert list(_counts(None)) == []
    assert list(_counts(Told('{"wall": 1.5, "topics": {"/a": [3, 40, 0]}}'))) == [("/a", 1.5, 3, 40)]


def test_rates_come_from_first_and_last():
    assert _rates([]) == (None, None, None)
    assert _rates([(5.0, 7, 70)]) == (7, None, None)
    assert _rates([(5.0, 7, 70), (6.0, 9, 90), (7.0, 17, 170)]) == (17, 5.0, 50.0)


def test_the_table_has_words_for_what_nobody_tells():
    row = table([Row("/a", "std_msgs/msg/String", (), ("x", "y"))]).splitlines()[1]
    assert row.split() == ["/a", "std_msgs/msg/String", "–", "–", "–", "–", "→", "x,", "y"]
    assert "2.5 MB" in table([Row("/a", "t", ("p",), (), 3, 10.0, 2.5e6)])
    assert table([]).startswith("no topics: is a simulation running here")
