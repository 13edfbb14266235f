"""Real processes and real networks: cuts, kills, and a thousand who come and go."""

import os
import signal
import subprocess
import sys
import threading
import time

import psutil

from bus_rig import (
    TEXT,
    eventually,
    free_port,
    namespace,  # noqa: F401
    text,
)
from volery.bus.bus import Bus, BusConfig

LISTENER = """
import sys
from volery.bus.bus import Bus, BusConfig
bus = Bus(BusConfig(connect=[sys.argv[1]]))
subscriber = bus.subscribe("/words", "std_msgs/msg/String", depth=100)
print("ready", flush=True)
while True:
    message = subscriber.wait_next(60)
    print(message.value.data if message else "silence", flush=True)
"""
TALKER = """
import sys, time
from volery.bus.bus import Bus, BusConfig
from volery.bus.messages import text
bus = Bus(BusConfig(connect=[sys.argv[1]]))
publisher = bus.advertise("/words", "std_msgs/msg/String")
print("ready", flush=True)
i = 0
while True:
    publisher.put(text(str(i)), i)
    i += 1
    time.sleep(0.02)
"""


def start(code, *arguments, inside=()):
    process = subprocess.Popen([*inside, sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_killed_subscriber_is_forgotten_and_a_killed_publisher_replaced():
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus:
        publisher = bus.advertise("/words", TEXT)
        listener = start(LISTENER, address)
        eventually(lambda: publisher.wanted)
        publisher.put(text("hello"), 1)
        assert listener.stdout.readline() == "hello\n"
        kill(listener)
        eventually(lambda: not publisher.wanted, 20)
        publisher.close()
        talker = start(TALKER, address)
        subscriber = bus.subscribe("/words", TEXT)
        assert subscriber.wait_next(10) is not None
        kill(talker)
        eventually(lambda: not [t for t in bus.topics() if t.topic == "/words" and t.publishers], 20)
        again = start(TALKER, address)
        try:
            count = subscriber.count
            eventually(lambda: subscriber.count > count + 3, 20)
        finally:
            kill(again)


def test_a_thousand_connects_and_disconnects_leave_nothing():
    address = f"tcp/127.0.0.1:{free_port()}"
    process = psutil.Process()
    with Bus(BusConfig(listen=[address])) as bus:
        publisher = bus.advertise("/words", TEXT)
        for _ in range(20):
            _come_and_go(address, bus)
        files, threads, memory = process.num_fds(), threading.active_count(), process.memory_info().rss
        rounds = 1000 if os.environ.get("VOLERY_SOAK") else 200
        for _ in range(rounds):
            _come_and_go(address, bus)
        eventually(lambda: not publisher.wanted, 10)
        eventually(lambda: process.num_fds() <= files + 10, 10)
        assert threading.active_count() <= threads + 2
        assert process.memory_info().rss < memory + rounds * 50_000
        assert len(bus.topics()) == 1


def _come_and_go(address, bus):
    """In this process, so that a leak on either side shows."""
    with Bus(BusConfig(connect=[address], node="guest")) as guest:
        guest.subscribe("/words", TEXT)


def test_a_cut_network_mends(namespace, monkeypatch):
    prefix, host, cut, mend = namespace
    monkeypatch.setenv("VOLERY_BUS_TOKEN", "both ends have it")
    address = f"tcp/{host}:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus:
        publisher = bus.advertise("/words", TEXT)
        listener = start(LISTENER, address, inside=prefix)
        heard = []
        reader = threading.Thread(target=lambda: [heard.append(line.strip()) for line in listener.stdout], daemon=True)
        reader.start()
        try:
            eventually(lambda: publisher.wanted)
            publisher.put(text("before"), 1)
            eventually(lambda: "before" in heard)
            cut()
            worst = 0.0
            for i in range(100):
                began = time.perf_counter()
                publisher.put(text(f"lost {i}"), 2)
                worst = max(worst, time.perf_counter() - began)
                time.sleep(0.02)
            assert worst < 0.2, "a cut network does not hold up the loop"
            mend()

            def back():
                publisher.put(text("after"), 3)
                time.sleep(0.1)
                return "after" in heard

            eventually(back, 60)
        finally:
            kill(listener)
