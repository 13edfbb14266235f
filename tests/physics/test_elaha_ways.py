"""The ways to fly the aircraft: a page's keys, Octave; several at once in a scan; load that changes nothing."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bus_rig import eventually
from viewer_rig import Guest, shown
from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat
from volery.loop import FastPace, Loop, RealTimePace
from volery.protocols.udp.server import UdpLink
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.tools.theses.elaha_frames import flight

OCTAVE = Path(__file__).parent.parent.parent / "examples" / "octave"
FIELD = """
step: 0.01
world: empty
engines: {elastic: {touch: false}}
robots: {elaha: {type: elaha, position: [0, 0, 400], sensors: {scanner: off}}}
"""


def heading(simulation):
    return euler_from_quat(simulation.robots["elaha"].q_WB_wxyz)[2]


def test_a_page_flies_it_by_keys_and_lets_go(tmp_path):
    """What the page sends while keys or sticks are held: the aircraft turns and climbs, and then goes on straight."""
    with shown(tmp_path, text=FIELD, pace=20.0) as stage, Guest(stage.server) as guest:
        guest.until("welcome")
        robot = stage.simulation.robots["elaha"]
        guest.ask("command", robot="elaha", command=["body_velocity", {"v_B": [7, 0, 0.4], "yaw_rate": 0.06}])
        eventually(lambda: heading(stage.simulation) > 0.15 and robot.p_WB[2] > 400.5, 60)
        guest.ask("command", robot="elaha", command=["body_velocity", {"v_B": [0, 0, 0], "yaw_rate": 0}])
        since = stage.simulation.clock.now_ns
        eventually(lambda: stage.simulation.clock.now_ns > since + 10 * SECOND, 60)
        assert abs(robot.w_WB_W[2]) < 0.03 and abs(robot.v_WB_W[2]) < 0.3
        assert np.linalg.norm(robot.v_WB_W) == pytest.approx(6.7, abs=0.8), "it flies on: it cannot stop"


@pytest.mark.skipif(
    shutil.which("octave-cli") is None and shutil.which("apt-get") is None,
    reason="no Octave here, and no Debian that has one; `make test` installs it where it can",
)
def test_octave_flies_it_and_bends_its_wing():
    octave = shutil.which("octave-cli")
    assert octave is not None, "Octave is missing: scripts/setup test installs octave and octave-sockets"
    simulation = Simulation(load_scenario(OCTAVE / "elaha.yaml"))
    link = UdpLink(0)
    simulation.connect("external", link)
    process = subprocess.Popen(
        [octave, str(OCTAVE / "fly_elaha.m"), str(link.port), "400"], stdout=subprocess.PIPE, text=True
    )
    try:
        eventually(lambda: link._others, 60)
        robot = simulation.robots["elaha"]
        simulation.run(400)
        said, _ = process.communicate(timeout=30)
        assert said.startswith("400 answers")
        bank, rate = 8 * np.pi / 180, 9.80665 / 6.6
        # Rolled in with a second's lag, tan(roll) about roll.
        t = 4.0
        turned = rate * np.tan(bank) * (t - 1.0 * (1 - np.exp(-t)))
        assert heading(simulation) == pytest.approx(turned, rel=0.02)
        assert robot.p_WB[2] == 60.0 and np.linalg.norm(robot.v_WB_W) == pytest.approx(6.6)
        up = robot.X_WB[0, :, 2]
        ends = [(robot.X_WB[b, :, 3] - robot.p_WB) @ up for b in (10, 20)]
        assert ends == pytest.approx([ends[0]] * 2, abs=1e-6) and 0.5 < ends[0] < 1.5, "both ends are up"
    finally:
        process.kill()
        process.wait()
        link.close()


def test_a_scanner_sees_other_aircraft_move():
    """Two aircraft 12 m above each other: the lower one is in the upper one's scan, bent as it is, and moves in it."""
    simulation = Simulation(read_scenario(
        "world: empty\nengines: {elastic: {touch: false}}\nrobots:\n"
        "  above: {type: elaha, position: [0, 0, 262], sensors: {scanner: {rate: 100, range: 20}}}\n"
        "  below: {type: elaha, position: [-3, 0, 250], motion: {airspeed: 8}, sensors: {scanner: off}}"
    ))  # fmt: skip
    robots, seen = simulation.robots, []
    for _ in range(100):
        simulation.step()
        data = simulation.sensors["above"]["scanner"].latest.data
        found = data["points"][data["occupancy"] == 1]
        assert len(found) > 20
        p, R = robots["below"].p_WB, robots["below"].X_WB[0, :, :3]
        local = (found - p) @ R
        assert np.abs(local[:, 1]).max() < 16.5 and local[:, 0].max() < 2.5 and local[:, 0].min() > -9.5
        ends = local[np.abs(local[:, 1]) > 14.0]
        assert len(ends) and ends[:, 2].min() > 0.3, "its ends are bent up"
        seen.append(found[:, 0].mean() - robots["above"].p_WB[0])
    assert seen[-1] > seen[0] + 0.5, "the faster one gains"


def test_the_result_is_the_same_under_load():
    """60 steps in the ruin with box scans and the bus, free, in real time, and when real time cannot be held: a busy
    process beside and a listener that takes longer than a step."""
    found, late = [], []
    for way in ("free", "real time", "loaded"):
        simulation = flight("ruin")
        with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
            run_publisher, heard = RunPublisher(simulation, bus), bus.subscribe("/elaha/scanner/points")
            simulation.listeners.append(run_publisher)
            if way == "loaded":
                simulation.listeners.append(lambda _: time.sleep(0.012))
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if way == "loaded" else None
            loop = Loop(simulation, FastPace() if way == "free" else RealTimePace(1.0))
            began = time.monotonic()
            try:
                loop.run(600_000_000)
            finally:
                if busy is not None:
                    busy.kill()
                    busy.wait()
            late.append(time.monotonic() - began)
            heard.close()
            run_publisher.close()
        found.append(simulation.state_hash())
        assert simulation.clock.now_ns == 600_000_000
    assert found[0] == found[1] == found[2]
    assert late[2] > 0.7, "the load was one: real time was not held"
