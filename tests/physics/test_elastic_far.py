"""Far and long flights of an aircraft that bends: a heightmap that streams by below, other processes, the sun."""

import math

import numpy as np
import pytest
from PIL import Image

from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.physics.elastic.autopilot import Autopilot
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.solar import solar_power
from volery.physics.elastic.statics import trim
from volery.physics.external import Link
from volery.physics.packets import MotionPacket
from volery.robots.commands import Cruise
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation

FILE = load_robot_file("elaha")
PIXEL = 250.0
FAR = """
seed: 5
step: 0.05
world: {{type: terrain, path: {path}, spacing: 250, high: 3000, chunk_size: 4000}}
streaming: {{visible: 6000, ahead: 4000}}
wind: {{steady: [55, 0, 0], turbulence: moderate, seed: 2}}
engines: {{elastic: {{touch: false, step: 0.0025}}}}
robots:
  elaha:
    type: elaha
    position: [{x}, 0, 20000]
    sensors:
      scanner: off
      down:
        {{type: rangefinder, rate: 0.2, max_range: 30000, mount: {{position: [0, 0, -1], attitude_deg: [0, 90, 0]}}}}
"""


@pytest.fixture(scope="module")
def heightmap(tmp_path_factory):
    """512 × 32 km of ridges, 16 bits, 250 m a pixel; its heights [m], rows from the north."""
    east, north = np.meshgrid(np.arange(2048), np.arange(128))
    ridges = 0.5 + 0.3 * np.sin(east / 37.0) * np.cos(north / 19.0) + 0.15 * np.sin(east / 7.0 + north / 11.0)
    path = tmp_path_factory.mktemp("far") / "far.png"
    Image.fromarray((65535 * ridges).astype(np.uint16)).save(path)
    return path


def fly_far(heightmap, distance):
    """Fly eastward so far [m] over the heightmap; the heights that the beam found, and where, [n, 3] in W."""
    world = Simulation(read_scenario(FAR.format(path=heightmap, x=0.0))).world
    start = -0.49 * 2048 * PIXEL
    simulation = Simulation(read_scenario(FAR.format(path=heightmap, x=start)))
    robot, found = simulation.robots["elaha"], []
    while robot.p_WB[0] - start < distance:
        simulation.step()
        for _, _, reading in simulation.fresh:
            down = robot.X_WB[0, :, :3] @ matrix_from_quat(quat_from_euler(np.array([0.0, math.pi / 2, 0.0])))[:, 0]
            eye = robot.X_WB[0, :, :3] @ [0.0, 0.0, -1.0] + robot.p_WB
            found.append(eye + reading.data["range"][0] * down)
        assert abs(robot.p_WB[2] - 20_000.0) < 60.0
    return world, np.array(found), simulation


def check_ground(world, found):
    """The beam meets the heightmap itself, bilinear between pixels."""
    assert np.isfinite(found).all(), "there was ground below at every reading"
    heights = np.array([float(world.height(x, y)) for x, y, _ in found])
    assert found[:, 2] == pytest.approx(heights, abs=3.0)


def test_a_heightmap_streams_by_below(heightmap):
    world, found, simulation = fly_far(heightmap, 2_500.0)
    assert len(found) > 5
    check_ground(world, found)
    assert simulation.engines["elastic"].recoveries == {}


@pytest.mark.slow
def test_five_hundred_kilometres_at_twenty(heightmap):
    world, found, simulation = fly_far(heightmap, 500_000.0)
    assert len(found) > 1000
    check_ground(world, found)
    assert simulation.streamer is not None and simulation.engines["elastic"].recoveries == {}


def test_bending_the_wing_pays_when_the_sun_is_low():
    """With the sun abeam at 5°, ends bent up by flaps give more power than they cost; at noon they do not."""
    sticks = Autopilot(FILE.aircraft)
    gain, cost = {}, {}
    for curl in (0.0, 1.0):
        craft = ElasticAircraft(FILE.aircraft, 0.0)
        craft.set_air(0.0, 0.088)
        craft.flaps[:] = curl * sticks.curl_angles
        found = trim(craft, 24.5, ("elevator_right", "elevator_left"))
        cost[curl] = sum(p.power / p.electric for p in FILE.aircraft.propellers) * found.throttle
        for degrees in (5.0, 90.0):
            a = math.radians(degrees)
            gain[curl, degrees] = solar_power(craft, np.array([0.0, math.cos(a), math.sin(a)]))
    assert gain[1.0, 5.0] - cost[1.0] > gain[0.0, 5.0] - cost[0.0] + 200.0
    assert gain[1.0, 90.0] < gain[0.0, 90.0]
    # Flat in the sun: 32 m² of which 0.8 are cells of 22 %.
    flat = ElasticAircraft(FILE.aircraft, 0.0)
    assert solar_power(flat, np.array([0.0, 0.0, 1.0])) == pytest.approx(1361 * 32 * 0.8 * 0.22, rel=0.002)


def test_curl_is_flown():
    simulation = Simulation(read_scenario(
        "engines: {elastic: {touch: false}}\n"
        "robots: {a: {type: elaha, position: [0, 0, 20000], sensors: {scanner: off}}}"
    ))  # fmt: skip
    robot = simulation.robots["a"]
    bends = [i for i, j in enumerate(robot.description.joints) if j.name.startswith("bend_left")]
    before = robot.joint_positions[bends].sum()
    simulation.command("a", Cruise(curl=1.0))
    simulation.run(800)
    assert robot.joint_positions[bends].sum() > before + math.radians(8.0)
    assert abs(robot.p_WB[2] - 20_000.0) < 15.0


class Outside(Link):
    """Another process that moves the aircraft and its bones."""

    def __init__(self):
        self.sent = []

    def send(self, packet):
        self.sent.append(packet)

    def newest(self, robot):
        if not self.sent:
            return None
        bones = np.tile([1.0, 0.0, 0.0, 0.0], (24, 1))
        bones[1:11] = quat_from_euler(np.array([-0.05, 0.0, 0.0]))
        step = self.sent[-1].step
        place = np.array([0.5 * step, 0.0, 30.0])
        turn, still = np.array([1.0, 0, 0, 0]), np.zeros(3)
        return MotionPacket(robot, step, self.sent[-1].time_ns, place, turn, still, still, np.zeros(0), bones)

    def wait(self, robot, step, timeout):
        return self.newest(robot)


def test_another_process_flies_it_bone_by_bone():
    simulation = Simulation(read_scenario(
        "engines: {external: {exchange: lockstep}}\n"
        "robots: {a: {type: elaha, physics: external, position: [0, 0, 30], sensors: {scanner: off}}}"
    ))  # fmt: skip
    simulation.connect("external", Outside())
    simulation.run(5)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([2.5, 0.0, 30.0])
    assert robot.X_WB[10, 2, 3] > 30.0 + 2.0, "the right end is up"
    assert robot.X_WB[20, 2, 3] == pytest.approx(30.0)
