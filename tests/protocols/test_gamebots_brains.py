"""Brains in examples/brains: the same files over USARSim's socket and over Volery's bus."""

import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gamebots_rig import WORLD, served

BRAINS = Path(__file__).parent.parent.parent / "examples" / "brains"
sys.path.insert(0, str(BRAINS))

import bbwander  # noqa: E402
import joystick  # noqa: E402
import slider  # noqa: E402
import wall_follower  # noqa: E402

import robots  # noqa: E402
from volery.bus.bus import Bus, BusConfig  # noqa: E402
from volery.bus.command_listener import CommandListener  # noqa: E402
from volery.bus.run_publisher import RunPublisher  # noqa: E402


class Told:
    """A robot that sees what a test says, and remembers what it was told."""

    def __init__(self, **sees):
        self.sees = {"ahead": 5.0, "left": 5.0, "right": 5.0, **sees}
        self.moved = None

    def nearest(self, low, high):
        sides = [("right", -90), ("ahead", 0), ("left", 90)]
        return min((self.sees[s] for s, a in sides if low <= a <= high), default=5.0)

    def move(self, ahead, turn):
        self.moved = ahead, turn


def thought(brain, **sees):
    robot = Told(**sees)
    brain(robot)
    return robot.moved


def test_bbwander_goes_straight_keeps_off_and_turns_away():
    ahead, turn = thought(bbwander.BBWander())
    assert ahead == pytest.approx(1.0) and turn == 0.0
    ahead, turn = thought(bbwander.BBWander(), right=0.2)
    assert ahead > 0 and turn > 0.2
    assert thought(bbwander.BBWander(), left=0.2)[1] < -0.2
    ahead, turn = thought(bbwander.BBWander(), ahead=0.3)
    assert ahead < 0.1 and abs(turn) > 0.5


def test_the_wall_follower_keeps_its_distance():
    brain = wall_follower.WallFollower(0.5)
    assert thought(brain, right=0.5) == (0.5, 0.0)
    assert thought(wall_follower.WallFollower(0.5), right=0.3)[1] > 0.1
    assert thought(wall_follower.WallFollower(0.5), right=0.7)[1] < -0.1
    assert thought(wall_follower.WallFollower(0.5), ahead=0.4, right=0.5) == (0.0, 0.5)
    assert thought(wall_follower.WallFollower(0.5)) == (0.35, -0.35)


def test_the_sliders_move_by_keys(capsys):
    read, write = os.pipe()
    brain, robot = slider.Slider(read), Told(ahead=1.5)
    os.write(write, b"\x1b[A\x1b[A\x1b[Dx")
    brain(robot)
    assert robot.moved == pytest.approx((0.2, 0.1))
    assert "1.50 m" in capsys.readouterr().out
    os.write(write, b"\x1b[B" * 30)
    brain(robot)
    assert robot.moved == pytest.approx((-1.0, 0.1))
    os.write(write, b" ")
    brain(robot)
    assert robot.moved == (0.0, 0.0)


def test_the_joystick_reads_what_linux_writes(tmp_path):
    device = tmp_path / "js0"
    os.mkfifo(device)
    brain, robot = joystick.Joystick(str(device)), Told()
    stick = os.open(device, os.O_WRONLY)
    brain(robot)
    assert robot.moved == (0.0, 0.0)
    event = struct.Struct("IhBB")
    os.write(stick, event.pack(1, -32767, 2, 1) + event.pack(2, 16384, 2, 0)[:3])
    brain(robot)
    assert robot.moved == (1.0, 0.0), "half an event waits for the rest"
    os.write(stick, event.pack(2, 16384, 2, 0)[3:])
    brain(robot)
    assert robot.moved == pytest.approx((1.0, -0.5), abs=0.01)
    os.write(stick, event.pack(3, 1, 1, 1))
    brain(robot)
    assert robot.moved == (0.0, 0.0)
    os.close(stick)


def drive(server, robot, brain, name, seconds):
    """Let a brain drive for a while of simulated time; the way it went, [n, 3]."""
    places, begun = [], None
    while robot.update(30.0):
        brain(robot)
        now, p = server.ask(lambda: (server.simulation.clock.now, server.simulation.robot(name).p_WB.copy()))
        begun = now if begun is None else begun
        places.append(p)
        if now - begun > seconds:
            break
    return np.array(places)


def length(way):
    return float(np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1).sum())


@pytest.mark.parametrize("brain", [bbwander.BBWander, wall_follower.WallFollower])
def test_brains_drive_over_the_socket(brain):
    with served(WORLD) as server:
        robot = robots.robot_of(f"usarsim:127.0.0.1:{server.ports['ut2004']}:P2AT")
        way = drive(server, robot, brain(), "P2AT", 10.0)
        robot.close()
        assert length(way) > 0.4 and (np.abs(way[:, 2] - 0.1075) < 0.08).all()


def test_brains_drive_over_the_bus():
    world = WORLD + "robots: {R1: {type: p2at, position: [-3.6, -3, 0.11], attitude_deg: [0, 0, 90]}}\n"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"tcp/127.0.0.1:{free.getsockname()[1]}"
    with served(world) as server, Bus(BusConfig(listen=[endpoint])) as bus:
        parts = server.ask(lambda: [RunPublisher(server.simulation, bus), CommandListener(server.simulation, bus)])
        server.ask(lambda: server.simulation.listeners.extend(parts))
        robot = robots.OverVolery("R1", endpoint)
        way = drive(server, robot, bbwander.BBWander(), "R1", 8.0)
        assert length(way) > 0.8
        robot.close()


def test_words_that_are_no_robot_are_refused():
    with pytest.raises(SystemExit, match="is no robot"):
        robots.robot_of("nothing:at:all")


def test_brains_are_programs():
    with served(WORLD) as server:
        words = [sys.executable, str(BRAINS / "bbwander.py"), f"usarsim:127.0.0.1:{server.ports['ut2004']}:P2DX"]
        program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            while "P2DX" not in server.ask(lambda: list(server.simulation.robots)):
                assert program.poll() is None
                time.sleep(0.05)
            begun = server.ask(lambda: server.simulation.clock.now)
            start = server.ask(lambda: server.simulation.robot("P2DX").p_WB.copy())
            while server.ask(lambda: server.simulation.clock.now) < begun + 15:
                time.sleep(0.05)
            there = server.ask(lambda: server.simulation.robot("P2DX").p_WB.copy())
            assert np.linalg.norm(there[:2] - start[:2]) > 0.1
        finally:
            program.terminate()
            program.wait(timeout=20)


def test_the_page_shows_a_controller_that_runs():
    path = BRAINS / "first_controller.py"
    page = (BRAINS.parent.parent / "docs" / "usarsim.md").read_text()
    assert path.read_text().rstrip() in page
    with served(WORLD) as server:
        words = [sys.executable, str(path), str(server.ports["ut2004"]), "6"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0 and "explored for 6 s" in done.stdout, done.stderr
