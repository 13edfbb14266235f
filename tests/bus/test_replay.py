"""A recording back on the bus, and simulated again."""

import threading
import time

import numpy as np
import pytest

from bus_rig import FLIGHT, eventually, free_port
from volery.bus.bus import Bus, BusConfig
from volery.bus.record import Recorder, read_recording
from volery.bus.replay import Replayer
from volery.bus.run_publisher import RunPublisher
from volery.cli import main
from volery.core.state import decode, encode
from volery.errors import BusError, SimulationError, UnknownNameError
from volery.events import Operated, event_of
from volery.report.rerun import about_run, rerun
from volery.robots.commands import Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation


def eventful(simulation):
    """A run into which someone interferes in every way there is."""
    simulation.run(5)
    simulation.spawn(
        "uav2", {"type": "quad", "physics": "kinematic", "position": [1, 2, 9], "sensors": {"imu": "off", "gps": "off"}}
    )
    simulation.command("uav2", Velocity(np.array([1.0, 0.5, 0.0])))
    simulation.run(5)
    simulation.place("uav2", np.array([5.0, 5, 8]), np.array([1.0, 0, 0, 0]))
    simulation.run(3)
    simulation.change_world(seed=7)
    simulation.run(3)
    state = simulation.state()
    simulation.remove("uav2")
    simulation.run(3)
    simulation.restore(state)
    simulation.run(3)


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("replay") / "run.mcap"
    simulation = Simulation(read_scenario(FLIGHT), seed=11)
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        simulation.listeners.append(RunPublisher(simulation, bus))
        with Recorder(bus, path, **about_run(simulation.scenario, simulation.seed)):
            eventful(simulation)
    return path


def test_events_make_another_run_the_same():
    first, log = Simulation(read_scenario(FLIGHT)), []
    first.listeners.append(lambda s: log.append(decode(encode([event.plain() for event in s.events]))))
    eventful(first)
    second = Simulation(read_scenario(FLIGHT))
    for events in log:
        for kind, arguments in events:
            second.redo(event_of(kind, arguments))
        second.step()
    # A restore puts the clock back, so steps are counted by the log.
    assert second.state_hash() == first.state_hash()
    with pytest.raises(SimulationError, match="of no kind"):
        event_of("explode", [])


def test_controls_of_sensors_are_events():
    text = FLIGHT.replace("sensors: {", "sensors: {cam: {type: camera, width: 8, height: 6}, ")
    simulation = Simulation(read_scenario(text))
    simulation.operate("uav1", "cam", "aim", 20.0, 5.0)
    assert simulation.events == [Operated("uav1", "cam", "aim", (20.0, 5.0), {})]
    other = Simulation(read_scenario(text))
    other.redo(simulation.events[0])
    assert other.sensor("uav1", "cam").pan_tilt_deg == (20.0, 5.0)
    with pytest.raises(UnknownNameError, match="did you mean 'aim'"):
        simulation.operate("uav1", "cam", "aimm")


def test_a_rerun_is_identical(recording, capsys):
    found = rerun(recording)
    assert found.difference == "" and found.messages > 120
    assert main(["rerun", str(recording)]) == 0
    assert "identical" in capsys.readouterr().out


def test_a_rerun_says_where_runs_part(recording, monkeypatch, capsys):
    """As if the code had changed since: the robot is a millimetre lower from half a second on."""
    carry = Simulation._advance_physics

    def lower(self):
        carry(self)
        if self.clock.steps == 8:
            self.robots["uav1"].p_WB[2] -= 0.001

    monkeypatch.setattr(Simulation, "_advance_physics", lower)
    assert main(["rerun", str(recording)]) == 1
    said = capsys.readouterr().out
    assert "0.090 s" in said and " was " in said and ", is " in said


def test_replay_sends_all_in_order_and_keeps_the_stamps(recording):
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address])) as other:
        subscriber = other.subscribe("/uav1/imu", "sensor_msgs/msg/Imu", depth=1000)
        replayer = Replayer(bus, recording, speed=5.0)
        replayer.pause()
        thread = threading.Thread(target=replayer.run)
        thread.start()
        # The topics exist only once their first message is due.
        replayer.play()
        thread.join(20)
        assert not thread.is_alive()
        eventually(lambda: subscriber.latest() is not None)
        stamps = []
        while (message := subscriber.wait_next(0.3)) is not None:
            assert message.value.header.stamp.nanosec == message.stamp_ns
            stamps.append(message.stamp_ns)
        assert stamps[-1] == 190_000_000
        assert replayer.sent == len(list(read_recording(recording)))


def test_pause_seek_and_speed(recording):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        sent = []
        bus.tap(lambda publisher, stamp, data: sent.append((publisher.topic, stamp)), ("/clock",))
        replayer = Replayer(bus, recording, speed=0.2)
        thread = threading.Thread(target=replayer.run)
        thread.start()
        eventually(lambda: len(sent) > 2)
        replayer.pause()
        time.sleep(0.1)
        count = len(sent)
        time.sleep(0.3)
        assert len(sent) == count and replayer.paused
        replayer.seek(0.12)
        replayer.speed = 100.0
        replayer.play()
        thread.join(20)
        assert not thread.is_alive()
        assert sent[count][1] == 120_000_000, "the newest before the place, so that all is known there"
        with pytest.raises(BusError, match="speed"):
            replayer.speed = 0


def test_an_endless_replay_stops(recording):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        replayer = Replayer(bus, recording, speed=1000.0, loop=True)
        thread = threading.Thread(target=replayer.run)
        thread.start()
        eventually(lambda: replayer.sent > 500, 30)
        replayer.stop()
        thread.join(10)
        assert not thread.is_alive()


def test_files_that_are_no_recordings(tmp_path, capsys):
    path = tmp_path / "no.mcap"
    path.write_bytes(b"hello")
    for command in ("rerun", "replay"):
        assert main([command, str(path)]) == 1
        assert "no.mcap" in capsys.readouterr().err
