"""Recordings: the bytes that travelled, readable by others' tools, after a crash too."""

import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from bus_rig import FLIGHT
from volery.bus.bus import Bus, BusConfig
from volery.bus.record import Recorder, read_recording, recording_info
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import decode
from volery.commands.traffic import Traffic
from volery.errors import BusError
from volery.scenario import read_scenario
from volery.sim import Simulation


def record(path, steps=50, **about):
    """A short flight, recorded whole."""
    simulation = Simulation(read_scenario(FLIGHT))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus))
        with Recorder(bus, path, **about):
            simulation.run(steps)


def test_what_was_published_is_in_the_file(tmp_path):
    path = tmp_path / "run.mcap"
    record(path, scenario="blocks")
    messages = list(read_recording(path))
    topics = {m.topic for m in messages}
    assert {"/clock", "/tf", "/uav1/imu", "/uav1/lidar/points", "/uav1/ground_truth/odom"} <= topics
    assert len([m for m in messages if m.topic == "/clock"]) == 50
    assert recording_info(path)["scenario"] == "blocks"
    last = [m for m in messages if m.topic == "/uav1/ground_truth/odom"][-1]
    assert last.stamp_ns == 500_000_000
    assert decode(last.data, last.message_type).pose.pose.position.x == pytest.approx(2.0)


def test_a_run_lets_go_of_recordings_that_were_ended(tmp_path):
    options = SimpleNamespace(no_bus=True, record=None, elaha=None, mrs=False)
    simulation = Simulation(read_scenario(FLIGHT))
    traffic = Traffic(simulation, options, shown=True)
    seen = []
    for i in range(3):
        recorder = traffic.record(tmp_path / f"{i}.mcap")
        simulation.run(3)
        recorder.close()
        assert recorder.closed
        seen.append(weakref.ref(recorder))
        del recorder
    gc.collect()
    assert [reference() is None for reference in seen] == [True, True, False]
    traffic.close()
    assert [len([m for m in read_recording(tmp_path / f"{i}.mcap") if m.topic == "/clock"]) for i in range(3)] == [
        3
    ] * 3


def test_the_same_run_recorded_twice_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        record(tmp_path / name)
    a, b = (list(read_recording(tmp_path / name)) for name in ("a", "b"))
    assert a == b and len(a) > 200
    assert (tmp_path / "a").stat().st_size > 1000


def test_chosen_topics_only(tmp_path):
    path = tmp_path / "run.mcap"
    simulation = Simulation(read_scenario(FLIGHT))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus))
        with Recorder(bus, path, ("/uav1/imu", "/cl*")):
            simulation.run(10)
    assert {m.topic for m in read_recording(path)} == {"/uav1/imu", "/clock"}


def test_start_and_topics_of_reading(tmp_path):
    path = tmp_path / "run.mcap"
    record(path)
    part = list(read_recording(path, ["/uav1/imu"], start_ns=300_000_000))
    assert {m.topic for m in part} == {"/uav1/imu"}
    assert (part[0].stamp_ns, len(part)) == (300_000_000, 21)


def test_the_ros2_decoder_of_mcap_reads_it(tmp_path):
    path = tmp_path / "run.mcap"
    record(path)
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        clouds = [m for _, c, _, m in reader.iter_decoded_messages(topics=["/uav1/lidar/points"])]
    assert len(clouds) == 5
    assert (clouds[0].width, clouds[0].point_step, clouds[0].header.frame_id) == (256, 28, "uav1/lidar")


def test_rosbags_reads_it(tmp_path):
    from rosbags.rosbag2 import Reader
    from rosbags.typesys import Stores, get_typestore

    path = tmp_path / "run.mcap"
    record(path)
    store = get_typestore(Stores.ROS2_JAZZY)
    with Reader(path) as reader:
        found = [store.deserialize_cdr(raw, c.msgtype) for c, _, raw in reader.messages() if c.topic == "/uav1/imu"]
    assert len(found) == 50 and found[0].header.frame_id == "uav1/imu"


def test_a_killed_recording_is_readable_but_for_the_last_second(tmp_path):
    path = tmp_path / "run.mcap"
    code = f"""
import sys, time
sys.path[:0] = {[os.path.dirname(__file__), os.path.dirname(os.path.dirname(__file__))]!r}
import test_record as t
from volery.loop import Loop, RealTimePace
simulation = t.Simulation(t.read_scenario(t.FLIGHT))
bus = t.Bus(t.BusConfig(listen=["tcp/127.0.0.1:0"]))
simulation.listeners.append(t.RunPublisher(simulation, bus))
recorder = t.Recorder(bus, {str(path)!r})
simulation.listeners.append(lambda s: s.clock.steps % 50 or print(s.clock.steps, flush=True))
Loop(simulation, RealTimePace()).run()
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        while int(process.stdout.readline()) < 300:
            pass
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    clocks = [m.stamp_ns for m in read_recording(path) if m.topic == "/clock"]
    assert clocks[-1] >= 2_000_000_000
    assert clocks == [(i + 1) * 10_000_000 for i in range(len(clocks))], "what is there is without a gap"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("recording") / "run.mcap"
    record(path, steps=20)
    return path.read_bytes()


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_broken_files_are_clear_errors(whole, tmp_path, data):
    broken = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for _ in range(data.draw(st.integers(0, 5))):
        if broken:
            broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "broken.mcap"
    path.write_bytes(broken)
    for read in (lambda: list(read_recording(path)), lambda: recording_info(path)):
        try:
            read()
        except BusError as error:
            assert "broken.mcap" in str(error)


def test_a_path_that_cannot_be_written_is_a_clear_error(tmp_path):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        with pytest.raises(BusError, match="cannot be written"):
            Recorder(bus, tmp_path / "no" / "such" / "folder.mcap")
    with pytest.raises(BusError, match="cannot be read"):
        list(read_recording(tmp_path / "nothing.mcap"))


def test_a_full_disk_stops_the_recording_and_not_the_run():
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    simulation = Simulation(read_scenario(FLIGHT))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus))
        recorder = Recorder(bus, "/dev/full")
        for _ in range(100):
            simulation.step()
            time.sleep(0.01)
        assert simulation.clock.steps == 100
        with pytest.raises(BusError, match="recording stopped"):
            recorder.close()
