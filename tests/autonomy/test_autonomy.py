"""Autonomy by its parts, against what is known exactly, and whole for a short way."""

import json
import struct
from types import SimpleNamespace

import numpy as np
import pytest

from volery.autonomy.clearance import Terms, clearance_map
from volery.autonomy.escape import escape, gap
from volery.autonomy.exploration import Exploration, ExplorationSettings
from volery.autonomy.flight import FlightSettings, GoalFlight
from volery.autonomy.frontiers import frontiers, reachable
from volery.autonomy.localisation import LidarInertial, LidarInertialConfig
from volery.autonomy.mission import Mission
from volery.autonomy.occupancy import Occupancy, OccupancyConfig
from volery.autonomy.planner import Planner, PlannerConfig
from volery.autonomy.sensing import SENSORS
from volery.autonomy.stack import Stack, StackConfig
from volery.autonomy.surfels import thinned
from volery.autonomy.tasks import Gates, GoTo
from volery.autonomy.trajectory import MotionLimits, timed
from volery.bus.bus import Bus, BusConfig
from volery.core.mapfiles import save_octomap, save_ply
from volery.errors import SimulationError
from volery.report import autonomy as told
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

HALF = np.array([12.0, 7.0, 3.0])
"""Of a room about the origin [m]."""


def beams(eye, n=4000, seed=0):
    """Ends of random beams in the room."""
    d = np.random.default_rng(seed).normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    t = ((np.sign(d) * HALF - eye) / d).min(axis=1)
    return eye + d * t[:, None]


def room(**config):
    occupancy = Occupancy(OccupancyConfig(**config))
    for n, x in enumerate(np.linspace(-9, 9, 12)):
        eye = np.array([x, 0.5, 0.2])
        occupancy.add(eye, beams(eye, seed=n))
    return occupancy


# The grid


def test_cells_are_found_again_on_both_sides_of_home():
    rng = np.random.default_rng(1)
    cells = np.unique(rng.integers(-1000, 1000, (1500, 3)), axis=0)
    first, again = (rng.permutation(cells) + 0.5) * 0.4, (rng.permutation(cells) + 0.1) * 0.4
    assert np.array_equal(thinned(np.concatenate([first, again]), 0.4), first)


def test_a_room_is_free_inside_taken_at_its_walls_and_unknown_outside():
    occupancy = room()
    inside = np.random.default_rng(2).uniform(-HALF + 0.5, HALF - 0.5, (2000, 3))
    window = occupancy.window(-HALF - 2, HALF + 2)
    assert (window.evidence[tuple(window.index(inside).T)] < 0).mean() > 0.97
    taken = occupancy.taken()
    assert (np.abs(np.abs(taken) - HALF).min(axis=1) < 0.4).all(), "only walls"
    assert window.evidence[0].max() == 0 and occupancy.free_volume() < 8 * HALF.prod()


def test_a_twig_that_one_beam_in_thirty_meets_stays():
    occupancy = Occupancy(OccupancyConfig())
    eye, twig = np.zeros(3), np.array([3.0, 0.1, 0.1])
    through = np.column_stack([np.full(30, 8.0), *np.random.default_rng(0).uniform(-0.3, 0.7, (2, 30))])
    for _ in range(10):
        occupancy.add(eye, np.concatenate([through, twig[None]]))
    window = occupancy.window(twig - 0.1, twig + 0.1)
    assert window.evidence[tuple(window.index(twig))] > 0


def test_maps_are_written_for_others(tmp_path):
    taken, free = np.array([[0.2, 0.2, 0.2], [-0.2, 0.6, 1.0]]), np.array([[0.6, 0.2, 0.2]])
    assert save_ply(taken, tmp_path / "m.ply") == 2
    assert b"element vertex 2" in (tmp_path / "m.ply").read_bytes()
    nodes = save_octomap(taken, free, 0.4, tmp_path / "m.bt")
    head, data = (tmp_path / "m.bt").read_bytes().split(b"data\n", 1)
    assert f"size {nodes}".encode() in head and b"res 0.4" in head
    assert read_bt(data, 0.4) == {(0.2, 0.2, 0.2): 1, (-0.2, 0.6, 1.0): 1, (0.6, 0.2, 0.2): 2}


def read_bt(data, cell):
    """OctoMap's own way of reading: two bits a child, inner nodes below at once."""
    words, found = iter(struct.unpack(f"<{len(data) // 2}H", data)), {}

    def node(key, depth):
        word = next(words)
        for child in range(8):
            bits = (word >> (2 * child)) & 3
            below = [(k << 1) | ((child >> axis) & 1) for axis, k in enumerate(key)]
            if bits == 3:
                node(below, depth + 1)
            elif bits:
                found[tuple(round((k - 32768 + 0.5) * cell, 3) for k in below)] = bits

    node([0, 0, 0], 0)
    return found


# Ways


def wall_with_a_door():
    """The room with a wall across at x = 0 that has a door at y = 4, 2.4 m wide."""
    occupancy = room()
    y, z = np.meshgrid(np.arange(-7, 7, 0.2), np.arange(-3, 3, 0.2))
    wall = np.column_stack([np.full(y.size, 0.1), y.ravel(), z.ravel()])
    for _ in range(8):
        occupancy.add(np.array([-3.0, 0.0, 0.0]), wall[np.abs(wall[:, 1] - 4.0) > 1.2])
    return occupancy


def test_the_way_leads_through_the_door_with_room_about_it():
    occupancy = wall_with_a_door()
    terms = Terms(clear=0.8, comfort=1.2, band=None)
    planner = Planner(PlannerConfig((14.0, 4.0), terms=terms))
    plan = planner.plan(occupancy, np.array([[-6.0, -3.0, 0.0]]), 0.0, np.array([6.0, -3.0, 0.0]))
    assert plan.reached
    at_wall = plan.way[np.argmin(np.abs(plan.way[:, 0] - 0.1))]
    assert abs(at_wall[1] - 4.0) < 1.0
    taken = occupancy.taken()
    nearest = min(np.linalg.norm(taken - p, axis=1).min() for p in plan.way)
    assert nearest > 0.59, "corners are not cut by more than half a cell"
    assert planner.free(occupancy, plan.way) and not planner.free(occupancy, np.array([[0.1, -3.0, 0.0]]))


def test_what_has_no_way_is_said():
    occupancy = room()
    planner = Planner(PlannerConfig((14.0, 4.0), terms=Terms(band=None)))
    plan = planner.plan(occupancy, np.array([[0.0, 0.0, 0.0]]), 0.0, np.array([0.0, 0.0, 40.0]))
    assert plan is None or not plan.reached


def test_trajectories_end_at_rest_keep_their_limits_and_end_where_sight_ends():
    limits = MotionLimits(6.0, 4.0, 3.0)
    t = np.linspace(0, 2 * np.pi, 400)
    p = np.column_stack([8 * np.cos(t), 8 * np.sin(t), 0 * t])
    trajectory = timed(p, np.ones(400), 250, 0.0, limits)
    assert np.allclose(trajectory.p[-1], p[250]) and trajectory.v[-1] < 1e-3
    at = [trajectory.at(s) for s in np.arange(0.05, trajectory.duration, 0.05)]
    assert max(np.linalg.norm(r.v) for r in at) <= 6.0 * 1.01
    assert max(np.linalg.norm(r.a) for r in at) <= 4.0 * 1.5, "along and across"
    step = np.diff([r.p for r in at], axis=0) / 0.05
    assert np.abs(np.linalg.norm(step, axis=1) - [np.linalg.norm(r.v) for r in at[1:]]).max() < 0.4
    assert timed(p[:20], np.ones(20), 19, 6.0, limits).hurry > 1.5, "too fast to stop so soon"


def test_where_nothing_is_one_stops_straight_ahead():
    stop = escape(np.zeros(3), np.array([4.0, 0, 0]), np.zeros((0, 3)), 1.0, MotionLimits(emergency=6.0))
    # It flies on for 0.1 s before it slows down.
    assert stop.p[-1] == pytest.approx([4.0 * 0.1 + 4.0**2 / 12, 0, 0], abs=0.06) and stop.v[-1] == 0.0
    assert stop.at(stop.duration + 1).p == pytest.approx(stop.p[-1])
    still = escape(np.ones(3), np.zeros(3), np.zeros((0, 3)), 1.0, MotionLimits())
    assert still.at(0.5).p == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("offset", [[0.0, 0.3], [0.0, -0.3], [0.3, 0.0]])
def test_what_has_come_up_is_passed_on_the_side_where_there_is_room(offset):
    """A post 1.2 m ahead, a little to one side: at 4 m/s nobody stops before it."""
    along = np.linspace(-3, 3, 13)
    y, z = (o + (along if o == 0 else 0 * along) for o in offset)
    post = np.column_stack([np.full(13, 1.2), y, z])
    way = escape(np.zeros(3), np.array([4.0, 0, 0]), post, 1.0, MotionLimits(emergency=6.0))
    straight = np.array([[x, 0.0, 0.0] for x in np.linspace(0, 1.7, 30)])
    assert gap(way.p, post) > gap(straight, post) + 0.1
    assert way.v[-1] == 0.0


def test_unknown_space_is_not_flown_into():
    """Only the near half of the room was seen: the way goes on, what is flown ends before."""
    occupancy = Occupancy(OccupancyConfig(reach=6.0))
    eye = np.array([-9.0, 0.0, 0.0])
    for n in range(4):
        occupancy.add(eye, beams(eye, 8000, n))
    planner = Planner(PlannerConfig((20.0, 4.0), terms=Terms(clear=0.8, band=None)))
    plan = planner.plan(occupancy, eye[None], 0.0, np.array([9.0, 0.0, 0.0]))
    assert plan.reached and plan.way[-1, 0] > 7.0
    assert plan.trajectory.p[-1, 0] < -2.0


def test_ends_of_the_known_are_found_and_a_closed_room_has_none():
    occupancy = Occupancy(OccupancyConfig(reach=6.0))
    eye = np.array([-8.0, 0.0, 0.0])
    for n in range(6):
        occupancy.add(eye, beams(eye, 8000, n))
    window = occupancy.window(-HALF - 2, HALF + 2)
    terrain = clearance_map(window, Terms(clear=0.8, band=None), eye)
    reach = reachable(terrain, window.index(eye))
    ends = frontiers(terrain, reach, window.index(-HALF), window.index(HALF), 6)
    assert ends and all(window.middle(end.cell)[0] < 0 for end in ends)
    route = window.middle(reach.route(ends[0].cell))
    assert np.linalg.norm(route[0] - eye) < 0.5 and np.linalg.norm(np.diff(route, axis=0), axis=1).max() < 0.8
    whole = room()
    for n, x in enumerate(np.linspace(-11, 11, 24)):
        for y in (-5.5, 0.0, 5.5):
            spot = np.array([x, y, 0.0])
            whole.add(spot, beams(spot, seed=100 + n))
    window = whole.window(-HALF - 2, HALF + 2)
    terrain = clearance_map(window, Terms(clear=0.8, band=None), np.zeros(3))
    assert (
        frontiers(terrain, reachable(terrain, window.index(np.zeros(3))), window.index(-HALF), window.index(HALF), 6)
        == []
    )


# Where it is


def test_odometry_follows_a_known_way_in_a_room():
    """A robot that flies a curve in a room, turning: pose by sweeps and an inertial unit with a bias."""
    rate, dt = 10, 0.01
    X = np.hstack([np.eye(3), np.array([[-8.0], [0.0], [0.0]])])
    here = LidarInertial(LidarInertialConfig(), X, np.eye(3, 4), np.eye(3, 4))
    p, v, yaw = X[:, 3].copy(), np.zeros(3), 0.0
    for step in range(900):
        a = np.array([1.0, 0.4, 0.0]) if step < 300 else np.array([-0.3, -0.2, 0.0]) if step < 700 else -v / 2.0
        turn = 0.3 if 100 < step < 500 else 0.0
        c, s = np.cos(yaw + 0.5 * turn * dt), np.sin(yaw + 0.5 * turn * dt)
        half = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        p, v, yaw = p + v * dt + 0.5 * a * dt**2, v + a * dt, yaw + turn * dt
        here.feel(half.T @ (a + [0, 0, 9.80665]), np.array([0.002, -0.001, turn + 0.002]), dt)
        if step % (100 // rate) == 9:
            c, s = np.cos(yaw), np.sin(yaw)
            R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
            ends = beams(p, 3000, step)
            here.see((ends - p) @ R, np.zeros(len(ends)), step * dt)
    state = here.state
    assert np.linalg.norm(state.p_WB - p) < 0.15 and np.linalg.norm(state.v_WB_W - v) < 0.2
    assert abs(np.arctan2(state.R_WB[1, 0], state.R_WB[0, 0]) - yaw) < 0.01
    assert abs(here._gyro_bias[2] - 0.002) < 0.002


# Whole


def flown(seed, threads=None):
    simulation = Simulation(read_scenario(f"step: 0.01\nseed: {seed}\nworld: forest\n", "forest"))
    mission = GoalFlight(simulation, None, FlightSettings(drones=1, distance=35.0, limit=40.0))
    while not mission.over:
        simulation.step()
    return mission


@pytest.fixture(scope="module")
def flight():
    return flown(2)


def test_a_drone_finds_its_way_through_the_forest(flight, tmp_path):
    score = flight.scores["uav1"]
    assert score.reached and score.collisions == []
    assert score.distance > 33.0 and score.mean_speed > 2.0
    assert score.drift < 0.5
    sheet = flight.sheet()
    assert sheet["result"]["robots"][0]["map_error"] < 0.5
    page = told.write(sheet, tmp_path)
    assert page.read_text().count("data:image/png") == 1
    assert json.loads((tmp_path / "flight-2.json").read_text())["mission"] == "flight"
    assert (tmp_path / "flight-2-uav1.ply").stat().st_size > 10_000
    assert "uav1: done" in told.run_report(flight.result(), flight.rows())


@pytest.mark.slow
def test_the_same_seed_is_the_same_flight(flight):
    assert flown(2).simulation.state_hash() == flight.simulation.state_hash()


def test_the_second_of_two_whose_ways_cross_gives_way():
    simulation = Simulation(read_scenario("step: 0.01\nseed: 1\nworld: blocks\n"))
    mission, middle = Mission(simulation, None, 30.0), np.array([0.0, 0.0, 3.0])
    for name, way in (("uav1", [14.0, 0.0, 0.0]), ("uav2", [0.0, 14.0, 0.0])):
        mission.add(name, "x500", middle - way, SENSORS, GoTo(middle + way), StackConfig())
    one, two = (simulation.robots[name] for name in mission.stacks)
    nearest = np.inf
    while not mission.over:
        simulation.step()
        nearest = min(nearest, np.linalg.norm(one.p_WB - two.p_WB))
    # Without it they come as near as 1.7 m.
    assert all(score.reached for score in mission.scores.values()) and nearest > 2.5


def test_the_truth_is_not_looked_at():
    """The robot is lied to about nothing but its own true pose; it flies the same commands."""
    told_commands = []
    for lie in (0.0, 3.0):
        simulation = Simulation(read_scenario("step: 0.01\nseed: 2\nworld: forest\n", "forest"))
        mission = GoalFlight(simulation, None, FlightSettings(drones=1, distance=35.0))
        stack, commands = mission.stacks["uav1"], []
        robot = simulation.robots["uav1"]
        original = simulation.command

        def lying(name, command, original=original, commands=commands, robot=robot):
            commands.append(command.a_W)
            original(name, command)

        simulation.command = lying
        simulation.controllers.remove(stack)
        for _ in range(250):
            true = robot.X_WB.copy()
            robot.X_WB[:, 0, 3] += lie
            stack(simulation)
            robot.X_WB[:] = true
            simulation.advance()
        told_commands.append(np.array(commands))
    assert np.array_equal(*told_commands)


@pytest.mark.slow
def test_a_cave_is_explored_and_mapped():
    """Half a minute of it; the whole is `volery run cave-exploration`."""
    simulation = Simulation(read_scenario("step: 0.01\nseed: 1\nworld: cave\n", "cave"))
    mission = Exploration(simulation, None, ExplorationSettings(size=(20.0, 20.0, 10.0), limit=12.0))
    while not mission.over and simulation.clock.now < 30.0:
        simulation.step()
    row = mission.sheet()["result"]["robots"][0]
    assert row["collisions"] == [] and row["drift"] < 0.3 and row["map_error"] < 0.4
    assert row["coverage"] > 0.7 and row["reachable_m3"] > 200


@pytest.mark.parametrize("name", ["forest-flight", "cave-exploration", "warehouse-race"])
def test_scenarios_of_missions_load(name):
    scenario = load_scenario(name)
    assert scenario.agents and scenario.robots == {}


def test_gates_are_passed_in_order():
    state = SimpleNamespace(p_WB=np.zeros(3))
    somewhere = SimpleNamespace(localisation=SimpleNamespace(state=state))
    gates = Gates(np.array([[5.0, 0, 0], [5.0, 5.0, 0]]), laps=2)
    for p in ([5.2, 0, 0], [5.0, 4.5, 0], [5.0, 0.3, 0], [5, 5, 0]):
        assert not gates.done
        state.p_WB = np.array(p)
        gates.goal(somewhere, 0.0)
    assert gates.done and gates.goal(somewhere, 0.0) is None


# On the bus


def test_stages_are_told_on_the_bus_and_can_come_from_it():
    text = "step: 0.01\nseed: 2\nworld: empty\n"
    simulation = Simulation(read_scenario(text, "empty"))
    mission = Mission(simulation, None, 100.0)
    from volery.autonomy.sensing import SENSORS

    stack = mission.add("uav1", "x500", np.array([0, 0, 2.0]), SENSORS, GoTo(np.array([9.0, 0, 2])),
                        StackConfig(odometry="bus", ways="bus"))  # fmt: skip
    with pytest.raises(SimulationError, match="no-bus"):
        mission.attach(None)
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        told_odometry = bus.subscribe("/uav1/autonomy/odometry", "nav_msgs/msg/Odometry")
        told_plan = bus.subscribe("/uav1/autonomy/plan", "nav_msgs/msg/Path")
        mission.attach(bus)
        from volery.bus import messages as m
        from volery.bus.types import message_class

        odometry = bus.advertise("/uav1/autonomy/odometry_in", "nav_msgs/msg/Odometry")
        ways = bus.advertise("/uav1/autonomy/plan_in", "nav_msgs/msg/Path")
        poses = [m.pose_stamped(0, "map", (x, 0.0, 2.0), (1.0, 0, 0, 0)) for x in (0.0, 3.0, 6.0)]
        ways.put(message_class("nav_msgs/msg/Path")(header=m.header(0, "map"), poses=poses), 0)
        robot = simulation.robots["uav1"]
        for _ in range(700):
            odometry.put(m.odometry(0, "map", "uav1", robot.p_WB, robot.q_WB_wxyz,
                                    robot.X_WB[0][:, :3].T @ robot.v_WB_W, np.zeros(3)), 0)  # fmt: skip
            simulation.step()
        assert abs(robot.p_WB[0] - 6.0) < 0.5 and abs(robot.p_WB[2] - 2.0) < 0.5, "it flew the other's way"
        assert isinstance(stack, Stack)
        assert told_odometry.latest() is not None and len(told_plan.latest().value.poses) > 0
        mission.close()
