"""The server with real pages: what they are sent, how slow ones fare, how it ends, and the command line round it."""

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest

from program_rig import Volery
from viewer_rig import FIELD, Guest, shown
from volery.commands.show import _address
from volery.errors import ViewerError
from volery.viewer.gateway import Pacer
from volery.viewer.page import text_of
from volery.viewer.server import ViewerServer


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with shown(tmp_path_factory.mktemp("out")) as stage:
        yield stage


def test_a_page_learns_all_it_needs(stage):
    with Guest(stage.server) as guest:
        guest.ask("view", p=[0, 0, 5], radius=50)
        needed = {"welcome", "state", "sky", "world", "robots", "poses", "mesh", "chunk", "events"}
        end = time.monotonic() + 30
        while not needed <= {h["kind"] for h in guest.seen} and time.monotonic() < end:
            guest.take(10)
        assert needed <= {h["kind"] for h in guest.seen}
        assert guest.seen[0]["kind"] == "welcome" or guest.seen[0]["kind"] == "reply"
        world = next(h for h in guest.seen if h["kind"] == "world")
        assert world["type"] == "empty"
        (robot,) = next(h for h in guest.seen if h["kind"] == "robots")["robots"]
        assert robot["name"] == "uav1" and {s["name"] for s in robot["sensors"]} == {"imu", "lamp", "eye"}


def test_poses_follow_the_robot(stage):
    with Guest(stage.server) as guest:
        guest.ask("place", robot="uav1", p=[1, 2, 3], q=[1, 0, 0, 0])
        end = time.monotonic() + 10
        while time.monotonic() < end:
            head, arrays = guest.until("poses")
            if np.allclose(arrays["p"][0], [1, 2, 3], atol=0.1):
                break
        assert np.allclose(arrays["p"][0], [1, 2, 3], atol=0.1)
        robots = guest.seen and [h for h in guest.seen if h["kind"] == "robots"]
        assert not robots or robots[-1]["version"] == head["version"]
        stamps = [guest.until("poses")[0]["now_ns"] for _ in range(30)]
        assert stamps == sorted(stamps)
        rate = 29 / ((stamps[-1] - stamps[0]) / 1e9)
        assert 2 < rate < 40, "about thirty a second; fewer where the machine is busy"


def test_state_tells_time_and_pace(stage):
    with Guest(stage.server) as guest:
        first = guest.until("state")[0]
        for _ in range(12):
            last = guest.until("state")[0]
        assert last["now_ns"] > first["now_ns"] and last["steps"] == last["now_ns"] // 10_000_000
        assert last["speed"] == 1.0 and not last["paused"] and last["pages"] == 1 and last["replay"] is None
        assert 0.5 < last["factor"] < 1.5


def test_topics_are_made_only_as_often_as_wanted(stage):
    """An IMU of 100 Hz wanted at 5 Hz costs the loop five messages a second, and none when nobody looks."""
    publisher = stage.bus.publishers["/uav1/imu"]
    before = publisher.count
    time.sleep(0.5)
    assert publisher.count == before
    with Guest(stage.server) as guest:
        guest.ask("want", topics=[{"topic": "/uav1/imu", "rate": 5}])
        frames = [guest.until("topic") for _ in range(11)]
        assert 9 <= publisher.count - before <= 16
        heads = [head for head, _ in frames]
        assert heads[0]["topic"] == "/uav1/imu" and heads[0]["type"] == "sensor_msgs/msg/Imu"
        span = (heads[-1]["stamp_ns"] - heads[0]["stamp_ns"]) / 1e9
        assert 1.4 < span < 3.5
        from volery.bus.types import decode

        stamp = decode(frames[0][1]["cdr"].tobytes(), heads[0]["type"]).header.stamp
        assert stamp.sec * 10**9 + stamp.nanosec == heads[0]["stamp_ns"]
        guest.ask("want", topics=[])
        time.sleep(0.3)
        count = publisher.count
        time.sleep(0.5)
        assert publisher.count <= count + 1


def test_a_topic_of_the_wanted_rate_is_not_halved():
    """A sensor of 10 Hz wanted at 10 Hz comes ten times a second, with a server that looks 30 times a second."""
    pacer, got, waiting = Pacer(10.0), 0, False
    for tick in range(300):
        now = tick / 30
        if waiting and pacer.due(now):
            pacer.done(now)
            got, waiting = got + 1, False
        waiting = waiting or (tick % 3 == 0 and pacer.due(now))
    assert got >= 97


def test_topics_of_other_processes_reach_the_page(stage):
    from volery.bus import messages as m

    publisher = stage.bus  # the same bus stands for another process: the topic begins after it is wanted
    with Guest(stage.server) as guest:
        guest.ask("want", topics=[{"topic": "/planner/word", "rate": 20}])
        time.sleep(0.3)
        words = publisher.advertise("/planner/word", "std_msgs/msg/String")
        try:
            end = time.monotonic() + 10
            found = None
            while found is None and time.monotonic() < end:
                words.put(m.text("left"), 5)
                try:
                    found = guest.until("topic", 0.2)
                except TimeoutError:
                    continue
            assert found[0]["topic"] == "/planner/word" and found[0]["stamp_ns"] == 5
        finally:
            words.close()


def test_the_table_of_topics(stage):
    with Guest(stage.server) as guest:
        guest.ask("want", topics=[], table=True)
        for _ in range(4):
            rows = {r["topic"]: r for r in guest.until("topics", 20)[0]["rows"]}
        assert rows["/uav1/imu"]["message_type"] == "sensor_msgs/msg/Imu" and rows["/uav1/imu"]["publishers"]
        assert rows["/uav1/imu"]["count"] is not None


def test_events_and_log_reach_the_page(stage):
    import logging

    with Guest(stage.server) as guest:
        guest.until("state")
        guest.ask("spawn", name="guest1", data={"type": "probe", "position": [3, 3, 5], "sensors": {"scanner": "off"}})
        guest.ask("remove", name="guest1")
        # Some may have come before the answers.
        said = [e for head in guest.seen if head["kind"] == "events" for e in head["events"]]
        while not any("remove" in e["text"] for e in said):
            said += guest.until("events")[0]["events"]
        assert any(e["robot"] == "guest1" and e["text"].startswith("spawn") for e in said)
        logging.getLogger("volery").warning("a word from %s", "elsewhere")
        assert guest.until("log", text="a word from elsewhere")[0]["level"] == "warning"
    with Guest(stage.server) as late:
        events = late.until("events")[0]["events"]
        assert any(e["robot"] == "guest1" for e in events), "the last events are there for who comes later"


def test_a_page_that_never_reads_costs_nothing_and_loses_only_its_own(stage):
    """Its socket fills up; the loop goes on, another page gets everything, and memory does not grow."""
    deaf = Guest(stage.server, max_queue=1)
    deaf.say({"do": "want", "id": 1, "topics": [{"topic": "/uav1/imu", "rate": 60}, {"topic": "/tf", "rate": 60}]})
    with Guest(stage.server) as guest:
        first = guest.until("state")[0]
        time.sleep(3.0)
        assert stage.steps_on(50)
        while guest.until("state")[0]["now_ns"] < first["now_ns"] + 2_500_000_000:
            pass
        page = next(iter(stage.server.pages.values()))
        assert len(page._slots) < 200
    deaf.close()


def test_slots_keep_only_the_newest(stage):
    """What waits for a page is one frame of each kind and key."""
    import asyncio

    from volery.viewer.page import Page

    class Socket:
        def __init__(self):
            self.sent = []
            self.room = asyncio.Event()

        async def send(self, frame):
            await self.room.wait()
            self.sent.append(frame)

    async def work():
        socket = Socket()
        page = Page(1, socket)
        sender = asyncio.create_task(page.run())
        for i in range(1000):
            page.put("poses", f"pose {i}")
            page.put("topic", f"a {i}", "/a")
            page.put("topic", f"b {i}", "/b")
            await asyncio.sleep(0)
        assert len(page._slots) <= 3
        socket.room.set()
        await asyncio.sleep(0.05)
        sender.cancel()
        return socket.sent

    sent = asyncio.run(work())
    assert set(sent[1:]) == {"pose 999", "a 999", "b 999"} and len(sent) <= 4


def test_replies_wait_for_a_reader_but_not_without_end():
    import asyncio

    from volery.viewer.page import Page

    async def work():
        page = Page(1, None)
        tasks = [asyncio.create_task(page.reply({"id": i})) for i in range(1000)]
        await asyncio.sleep(0.05)
        assert sum(t.done() for t in tasks) == 256
        page.close()
        await asyncio.wait(tasks, timeout=2)
        assert all(t.done() for t in tasks)

    asyncio.run(work())


def test_numbers_that_are_no_json_become_null():
    said = json.loads(text_of({"a": float("nan"), "b": [1.0, float("inf")], "c": {"d": (2, float("-inf"))}}))
    assert said == {"a": None, "b": [1.0, None], "c": {"d": [2, None]}}


def test_no_page_costs_next_to_nothing(stage):
    """The listener without pages: far below the 20 µs a step that are allowed."""
    while stage.server.pages:
        time.sleep(0.05)
    live = stage.server._live
    began = time.thread_time()
    for _ in range(2000):
        live(stage.simulation)
    assert (time.thread_time() - began) / 2000 < 20e-6


def test_an_error_in_the_eyes_does_not_stop_the_run(stage, caplog, monkeypatch):
    live = stage.server._live
    monkeypatch.setattr(live, "_failed", False)
    monkeypatch.setattr(live, "look", lambda simulation: 1 / 0)
    with Guest(stage.server) as guest:
        guest.until("state")
        assert stage.steps_on(30)
    assert sum("cannot show this run" in r.message for r in caplog.records) == 1


def test_the_next_port_is_taken_and_none_is_an_error(monkeypatch):
    first = ViewerServer(port=0)
    second = ViewerServer(port=first.port)
    assert first.port < second.port <= first.port + 19
    second.close()
    monkeypatch.setattr("volery.viewer.server._TRIES", 1)
    with pytest.raises(ViewerError, match=str(first.port)):
        ViewerServer(port=first.port)
    with pytest.raises(ViewerError, match="address of this machine"):
        ViewerServer("no.such.host.invalid")
    first.close()


def test_addresses_of_the_command_line():
    assert _address(None) == ("127.0.0.1", 8808)
    assert _address("0.0.0.0:9000") == ("0.0.0.0", 9000)
    assert _address(":9000") == ("127.0.0.1", 9000)
    assert _address("robot.lan") == ("robot.lan", 8808)
    assert _address("[::1]:9000") == ("::1", 9000) and _address("[::1]") == ("::1", 8808)
    for bad in ("x:y", "x:99999", "x:-1"):
        with pytest.raises(ViewerError, match="HOST:PORT"):
            _address(bad)


def test_an_end_with_pages_open_is_quick(tmp_path):
    """With a page that reads, one that does not, and one that has not said a word."""
    with shown(tmp_path) as stage:
        guests = [Guest(stage.server), Guest(stage.server, max_queue=1), Guest(stage.server, hello=False)]
        silent = socket.create_connection(("127.0.0.1", stage.server.port))
        guests[0].until("state")
        reader = threading.Thread(target=lambda: list(guests[0].socket), daemon=True)
        reader.start()
        began = time.monotonic()
        stage.server.close()
        # Pages are given a second; the rest is for a busy machine.
        assert time.monotonic() - began < 5.0
        reader.join(5)
        assert guests[0].socket.close_code == 1001, "told that the server goes away"
        silent.close()
    assert threading.active_count() < 50


# The command line


@pytest.fixture
def field(tmp_path):
    (tmp_path / "field.yaml").write_text(FIELD)
    return tmp_path


QUIET = ("--no-browser", "--no-bus", "--viewer", "127.0.0.1:0")


def test_run_prints_the_address_first_and_ends_quickly_with_a_page_open(field):
    volery = Volery("run", "field.yaml", *QUIET, cwd=field)
    try:
        assert volery.address[1] == "127.0.0.1"
        guest = volery.page()
        guest.until("poses", 60)
    finally:
        seconds, out, err = volery.end()
    assert volery.process.returncode == 0 and "end at" in out and "Traceback" not in err
    assert seconds < 10.0, "it takes about a second; the machine may be busy"


def test_the_page_is_served(field):
    volery = Volery("run", "field.yaml", *QUIET, cwd=field)
    try:
        with urllib.request.urlopen(volery.address[0], timeout=20) as answer:
            assert answer.status == 200 and b"<canvas" in answer.read()
    finally:
        volery.end()


def test_a_page_starts_another_run(field):
    volery = Volery("run", "field.yaml", *QUIET, cwd=field)
    try:
        guest = volery.page()
        guest.until("poses", 60)
        assert "did you mean 'blocks'" in guest.refused("start", scenario="bloks")
        assert "world" in guest.refused("start", scenario="field", world="nowhere")
        assert guest.ask("start", scenario="field", seed=8, robots=4)["scenario"] == "field"
        head = guest.until("welcome", 60)[0]
        assert head["seed"] == 8
        # What the page was told of the run before may still be on its way.
        names = []
        while len(names) < 4:
            names = [r["name"] for r in guest.until("robots", 60)[0]["robots"]]
        assert names == ["uav1", "uav2", "uav3", "uav4"]
        _, arrays = guest.until("poses")
        assert len({tuple(np.round(p, 1)) for p in arrays["p"]}) >= 4
        assert guest.ask("start", scenario="field", world="hills")["scenario"] == "field_hills"
        assert guest.until("welcome", 60)[0]["scenario"] == "field_hills"
        assert guest.until("world", 60)[0]["type"] == "hills"
    finally:
        _, out, err = volery.end()
    assert volery.process.returncode == 0 and out.count("end at") == 3 and "Traceback" not in err


def test_listening_wider_is_said(field):
    volery = Volery("run", "field.yaml", "--no-browser", "--no-bus", "--viewer", "0.0.0.0:0", cwd=field)
    try:
        said = volery.process.stdout.readline()
        assert "0.0.0.0" in said and "not encrypted" in said
        guest = volery.page()
        guest.until("welcome")
    finally:
        volery.end()


def test_a_browser_is_opened_on_a_desktop_through_a_private_file(field):
    """The token is in a file that only the user reads, not in the arguments of a program."""
    script = field / "browser"
    script.write_text(
        '#!/bin/sh\necho "$1" > opened\ncd out\nstat -c %a open-viewer.html > mode\ncp open-viewer.html seen\n'
    )
    script.chmod(0o755)
    env = {"DISPLAY": ":99", "BROWSER": f"{script} %s"}
    volery = Volery("run", "field.yaml", "--no-bus", "--viewer", "127.0.0.1:0", cwd=field, env=env)
    try:
        end = time.monotonic() + 20
        while not (field / "out/seen").exists() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.2)
        assert (field / "opened").read_text().startswith("file://")
        token = volery.address[3]
        assert token not in (field / "opened").read_text() and token in (field / "out/seen").read_text()
        assert (field / "out/mode").read_text().strip() == "600"
    finally:
        volery.end()
    assert not (field / "out" / "open-viewer.html").exists()


def test_headless_serves_nothing(field):
    out = subprocess.run(
        [sys.executable, "-m", "volery", "run", "field.yaml", "--headless", "--no-bus", "--duration", "0.3"],
        cwd=field,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert out.returncode == 0 and "viewer" not in out.stdout
