"""The haptic channel: its rate by the simulation's clock, forces out and references in, and a hand that feels."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bus_rig import free_port
from links_rig import OBJ, PLATE, wait_until
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.types import message_class
from volery.errors import ScenarioError
from volery.protocols.haptic.door import Haptic, HapticSettings
from volery.scenario import read_scenario
from volery.sim import Simulation

DEVICE = Path(__file__).parent.parent.parent / "examples" / "links" / "haptic_device.py"
POST = "model: plate.xml\nphysics: mujoco\nfixed: true\ndelta: {position: [0.2, 0, 0], attitude_deg: [0, 90, 0]}\n"
SCENE = """
step: {step}
world: {{type: mesh, path: wall.obj}}
robots:
  arm: {{type: post.yaml, position: [0, 0, 1]}}
"""


def before_a_wall(folder, step=0.002):
    """The arm on a post, its tip 4 cm before a wall."""
    for name, text in (("wall.obj", OBJ), ("plate.xml", PLATE), ("post.yaml", POST)):
        (folder / name).write_text(text)
    return Simulation(read_scenario(SCENE.format(step=step), folder=folder))


@pytest.fixture
def open_haptic():
    doors = []

    def make(simulation, **settings):
        doors.append(Haptic(simulation, None, HapticSettings(port=0, **settings)))
        doors[-1].start()
        return doors[-1]

    yield make
    for door in doors:
        door.close()


def device(door, *options):
    words = [sys.executable, DEVICE, "--port", door.end.port, *options]
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    wait_until(lambda: door.end._newest is not None)
    return process


def test_a_hand_in_another_process_feels_the_wall_at_500_hertz(open_haptic, tmp_path):
    simulation = before_a_wall(tmp_path)
    door = open_haptic(simulation, exchange="lockstep", timeout=10.0)
    process = device(door, "--push", 0.08, "--seconds", 4.0)
    try:
        simulation.run(2002)
        said, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    count, seconds, rate, most, handle = map(float, re.findall(r"[-\d.]+(?= forces| s| Hz| N| m)", said))
    assert rate == pytest.approx(500.0) and count == 2001 and seconds == pytest.approx(4.0)
    free = 0.5 - (0.2 + simulation.robots["arm"].file.delta.arm.place(np.full(3, 0.35))[2])
    assert 0.03 < free < 0.06
    # In balance: the hand's spring holds the handle against what the tool feels; the arm holds at the handle's place.
    assert handle == pytest.approx(0.08 - most / 60.0, abs=0.003)
    assert free < handle < 0.07 and most > 0.5
    report = door.timings[0].report()
    assert report["sent"] == 2002 and report["missed"] <= 1 and report["round_trip"] > 0


def test_topics_carry_the_same_at_every_step(open_haptic, tmp_path):
    simulation = before_a_wall(tmp_path)
    door = open_haptic(simulation)
    address = f"tcp/127.0.0.1:{free_port()}"
    stamps = []
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address])) as other:
        door.attach(bus)

        def note(message):
            stamp = message.value.header.stamp
            stamps.append(stamp.sec * 10**9 + stamp.nanosec)

        other.subscribe("/arm/haptic/force", "geometry_msgs/msg/WrenchStamped", depth=1000, on_message=note)
        handle = other.advertise("/arm/haptic/reference", "geometry_msgs/msg/PointStamped")
        wait_until(lambda: door._publisher.wanted and handle.wanted)
        tip = simulation.robots["arm"].joint_positions.copy()
        for y in (0.0, 0.03):
            point = message_class("geometry_msgs/msg/PointStamped")(m.header(0, "arm"), m.point((0, y, 0)))
            handle.put(point, 0)
            wait_until(lambda: door._from_topic is not None)
            for _ in range(25):
                # No faster than the network takes them.
                simulation.run(10)
                count = 1 + len(stamps)
                wait_until(lambda count=count: len(stamps) >= count or door._publisher.overrun > 0)
        wait_until(lambda: len(stamps) + door._publisher.overrun >= 500)
        assert door._publisher.count == 500, "500 in one second of simulated time"
        moved = simulation.robots["arm"].joint_positions - tip
        names = [j.name for j in simulation.robots["arm"].description.joints]
        # Left of the robot is y of the arm, whose plate looks ahead.
        assert moved[names.index("delta_y")] == pytest.approx(0.03, abs=1e-3)
        assert abs(moved[names.index("delta_x")]) < 2e-3 and abs(moved[names.index("delta_z")]) < 2e-3
        door.close()


def test_a_device_that_falls_silent_leaves_the_reference_and_grasps_anew(open_haptic, tmp_path):
    simulation = before_a_wall(tmp_path)
    door = open_haptic(simulation, timeout=0.05)
    robot = simulation.robots["arm"]
    y = robot.description.joint("delta_y")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect(("127.0.0.1", door.end.port))

        def hold(*handle):
            s.send(np.array(handle, "<f8").tobytes())
            wait_until(lambda: door.end._newest is not None)
            simulation.run(20)

        hold(0, 0, 0)
        for _ in range(10):
            hold(0, 0.02, 0)
        simulation.run(100)
        assert door.end.gone and robot.joint_positions[y] == pytest.approx(0.02, abs=1e-3)
        for _ in range(10):
            hold(0, 0.5, 0)
        assert robot.joint_positions[y] == pytest.approx(0.02, abs=1e-3), "the handle was grasped where it is now"
        hold(0, 1.5, 0)
        assert door.unreachable > 0
        s.send(b"nonsense")
        wait_until(lambda: door.end.refused == 1)


def test_what_cannot_be_is_refused(open_haptic, tmp_path):
    with pytest.raises(ScenarioError, match="need a step"):
        open_haptic(before_a_wall(tmp_path, 0.01))
    with pytest.raises(ScenarioError, match="set `moves: arm`"):
        open_haptic(before_a_wall(tmp_path), moves="robot")
    bare = Simulation(read_scenario("step: 0.002\nrobots: {a: {type: probe, sensors: {scanner: off}}}"))
    with pytest.raises(ScenarioError, match="has a tool"):
        open_haptic(bare)
