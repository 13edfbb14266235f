"""A landing by the ground scanner's map alone: the aircraft is flown, and touches, outside of the simulation."""

import numpy as np
import pytest

from volery.errors import GeometryError
from volery.physics.contact.scanground import ScanGround
from volery.physics.elastic.landing import ScannedLanding
from volery.physics.external import Link
from volery.robots.library import load_robot_file
from volery.scenario import load_scenario
from volery.sim import Simulation

FILE = load_robot_file("elaha")
STEP_NS = 10_000_000


class Beside(Link):
    """The other process: it hears states and, unless it is deaf to them, scans, as the bus carries them."""

    def __init__(self, simulation, scans=True):
        self.pilot = ScannedLanding("elaha", FILE)
        self._scanner = simulation.sensors["elaha"]["scanner"] if scans else None
        self._seen = self._answer = None

    def send(self, packet):
        reading = None if self._scanner is None else self._scanner.latest
        if reading is not None and reading is not self._seen:
            self._seen = reading
            self.pilot.look(*(reading.data[k].astype(np.float32) for k in ("points", "occupancy")))
        self._answer = self.pilot.answer(packet, STEP_NS)

    def newest(self, robot):
        return self._answer

    def wait(self, robot, step, timeout):
        return self._answer


def started(scans=True):
    simulation = Simulation(load_scenario("elaha-landing"))
    link = Beside(simulation, scans)
    simulation.connect("external", link)
    return simulation, link.pilot


def over_ground(simulation):
    """Height of every bone's origin over the true ground [m]."""
    p = simulation.robots["elaha"].X_WB[:, :, 3]
    return p[:, 2] - simulation.world.height(p[:, 0], p[:, 1])


def slope_map(n=11, spacing=1.0, x=100.0, y=-50.0):
    """A scan of a tilted plane, z = 0.1·x − 0.2·y."""
    steps = (np.arange(n) - n // 2) * spacing
    X, Y = np.meshgrid(x + steps, y + steps, indexing="ij")
    points = np.stack([X, Y, 0.1 * X - 0.2 * Y], axis=-1).reshape(-1, 3)
    return points, np.ones(n * n)


def test_the_map_is_the_ground_that_was_scanned_and_no_other():
    ground = ScanGround()
    assert np.isnan(ground.height(100.0, -50.0)) and not ground.scene.objects
    points, occupancy = slope_map()
    ground.look(points, occupancy)
    assert ground.height(101.3, -48.9) == pytest.approx(0.1 * 101.3 + 0.2 * 48.9, abs=1e-9)
    assert np.isnan(ground.height(106.0, -50.0)), "beyond the map nothing is known"
    found, distance, _ = ground.scene.closest_point(np.array([[100.2, -50.3, 25.0]]))
    assert found[0, 2] == pytest.approx(0.1 * found[0, 0] - 0.2 * found[0, 1], abs=1e-4) and distance[0] > 0.0
    occupancy[:] = 0
    ground.look(points, occupancy)
    assert not ground.scene.objects, "the newest scan counts: it found nothing"


def test_rays_that_found_nothing_are_a_hole_but_not_a_row_of_single_ones():
    ground = ScanGround()
    points, occupancy = slope_map()
    occupancy.reshape(11, 11)[5:7, 5:7] = 0
    ground.look(points, occupancy)
    assert np.isnan(ground.height(100.2, -49.8)) and np.isfinite(ground.height(103.2, -49.8))
    points, occupancy = slope_map()
    occupancy.reshape(11, 11)[:, 5] = 0
    ground.look(points, occupancy)
    assert ground.height(100.2, -49.8) == pytest.approx(0.1 * 100.2 + 0.2 * 49.8, abs=1e-9), "a seam is no gap"


def test_scans_that_are_no_map_are_refused():
    ground = ScanGround()
    points, occupancy = slope_map()
    with pytest.raises(GeometryError, match="n × n"):
        ground.look(points[:-1], occupancy[:-1])
    c, s = np.cos(0.3), np.sin(0.3)
    turned = points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    with pytest.raises(GeometryError, match="align: world"):
        ground.look(turned, occupancy)


@pytest.mark.slow  # examples/08 lands in the suite
def test_it_lands_by_the_scanned_map():
    simulation, pilot = started()
    robot, phases, lowest = simulation.robots["elaha"], [], []
    for _ in range(1800):
        simulation.step()
        phases.append(pilot.phase)
        lowest.append(over_ground(simulation).min())
    assert [p for i, p in enumerate(phases) if i == 0 or p != phases[i - 1]] == ["approach", "flare", "ground"]
    down = phases.index("ground")
    assert np.linalg.norm(robot.v_WB_W) < 0.05, "at rest"
    assert pilot.robot.contacts and not pilot.engine.recoveries
    assert min(lowest) > -0.02, "no bone ever was below the true ground"
    assert lowest[down] < 0.7
    assert pilot.height == pytest.approx(over_ground(simulation)[0], abs=0.03), "the map is true"
    assert robot.p_WB == pytest.approx(pilot.robot.p_WB), "what is seen is what was flown"


def test_without_the_scanner_it_knows_no_ground():
    simulation, pilot = started(scans=False)
    simulation.place("elaha", np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0]))
    for _ in range(800):
        simulation.step()
        if over_ground(simulation)[0] < -0.2:
            break
    assert over_ground(simulation)[0] < -0.2, "down through the meadow"
    assert pilot.phase == "approach" and not pilot.robot.contacts and np.isnan(pilot.height)


def test_the_same_scans_give_the_same_bytes():
    ends = []
    for _ in range(2):
        simulation, pilot = started()
        simulation.run(60)
        ends.append((pilot.robot.p_WB.tobytes(), pilot.robot.joint_positions.tobytes(), simulation.state_hash()))
    assert ends[0] == ends[1]
