"""The simulation: same bytes for the same seed, snapshots, robots that come and go, requests of other threads."""

import threading

import numpy as np
import pytest

from volery.core.parallel import set_threads
from volery.core.state import decode, encode, load, save
from volery.errors import RobotError, ScenarioError, SimulationError, UnknownNameError
from volery.robots.commands import Velocity
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.world.weather import Weather
from volery.world.wind import Wind

TEXT = """
seed: 5
step: 0.01
world: {type: blocks, count: 30}
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {path: [[0, 0, 8], [30, 0, 6], [30, 30, 9]], speed: 7}
    sensors:
      imu: off
      gps: off
      scanner: {type: scanner, mount: {site: centre}}
      face: {type: scanner, form: face, parts: 12, rate: 40}
  uav2:
    type: probe
    position: [3, 3, 4]
    sensors: {scanner: {form: ground, extent: 10, rate: 30, phase: 0.005}}
"""


@pytest.fixture
def simulation():
    return Simulation(read_scenario(TEXT))


def run_bytes(simulation, steps):
    out = []
    for _ in range(steps):
        simulation.step()
        out.append(simulation.readings_bytes())
    return out


def test_the_same_scenario_and_seed_give_the_same_bytes_twice(simulation):
    first = run_bytes(simulation, 60)
    again = Simulation(read_scenario(TEXT))
    assert run_bytes(again, 60) == first
    assert again.state_hash() == simulation.state_hash()
    other = Simulation(read_scenario(TEXT), seed=6)
    other.run(60)
    assert other.state_hash() != simulation.state_hash()


def test_reset_begins_again(simulation):
    first = run_bytes(simulation, 30)
    simulation.reset()
    assert run_bytes(simulation, 30) == first


def test_snapshot_restore_continue_equals_continue(simulation):
    simulation.run(25)
    state = decode(encode(simulation.state()))
    ahead = run_bytes(simulation, 40)
    end = simulation.state_hash()
    simulation.restore(state)
    assert run_bytes(simulation, 40) == ahead
    assert simulation.state_hash() == end


def test_a_snapshot_file_continues_in_another_simulation(simulation, tmp_path):
    simulation.run(25)
    save(simulation.state(), tmp_path / "run.state")
    ahead = run_bytes(simulation, 30)
    other = Simulation(read_scenario(TEXT))
    other.restore(load(tmp_path / "run.state"))
    assert run_bytes(other, 30) == ahead


def test_restore_brings_back_removed_robots_and_removes_new_ones(simulation):
    simulation.run(10)
    state, before = simulation.state(), simulation.state_hash()
    simulation.remove("uav1")
    simulation.spawn("uav9", {"type": "quad", "physics": "kinematic", "position": [0, 0, 20]})
    simulation.command("uav2", Velocity(np.array([1.0, 0, 0])))
    simulation.run(5)
    simulation.restore(state)
    assert set(simulation.robots) == {"uav1", "uav2"}
    assert simulation.state_hash() == before


def test_a_snapshot_knows_the_weather_of_the_moment(simulation):
    calm = simulation.state()
    simulation.environment.weather = Weather(fog=0.5)
    simulation.environment.wind = Wind(steady=(3.0, 0.0, 0.0), turbulence="light")
    rough = decode(encode(simulation.state()))
    simulation.restore(calm)
    assert simulation.environment.weather == Weather()
    simulation.restore(rough)
    assert simulation.environment.weather == Weather(fog=0.5)
    assert simulation.environment.wind.steady == (3.0, 0.0, 0.0)


def test_one_and_two_threads_give_the_same_bytes(simulation):
    try:
        set_threads(1)
        first = run_bytes(simulation, 40)
        simulation.reset()
        set_threads(2)
        assert run_bytes(simulation, 40) == first
    finally:
        set_threads(2)


def test_sensors_read_at_their_own_rate(simulation):
    stamps = {"scanner": [], "face": []}
    simulation.listeners.append(lambda s: [stamps[n].append(r.stamp_ns) for robot, n, r in s.fresh if robot == "uav1"])
    simulation.run(100)
    assert len(stamps["scanner"]) == 100 and len(stamps["face"]) == 40


def test_spawn_and_remove_while_running(simulation):
    simulation.run(3)
    robot = simulation.spawn("late", {"type": "quad", "physics": "kinematic", "position": [0, 0, 15]})
    simulation.run(3)
    assert simulation.scene.cast([0, 0, 20], [[0, 0, -1]]).names == ["late"]
    assert simulation.sensor("late", "imu").latest.stamp_ns == simulation.clock.now_ns
    assert robot.name in simulation.robots
    simulation.remove("late")
    simulation.run(3)
    assert simulation.scene.cast([0, 0, 20], [[0, 0, -1]]).names == ["Ground"]
    with pytest.raises(UnknownNameError):
        simulation.remove("late")
    with pytest.raises(SimulationError, match="already a robot"):
        simulation.spawn("uav1", "quad")
    with pytest.raises(ScenarioError, match="unknown robot"):
        simulation.spawn("x", "quadd")


def test_a_robot_follows_its_path_to_the_closed_form(simulation):
    simulation.run(200)
    # After 2 s at 7 m/s: 14 m along the first leg of 30.07 m.
    leg = np.array([30.0, 0, -2.0])
    assert np.allclose(simulation.robots["uav1"].p_WB, np.array([0, 0, 8]) + leg / np.linalg.norm(leg) * 14, atol=1e-9)
    assert np.linalg.norm(simulation.robots["uav1"].v_WB_W) == pytest.approx(7)


def test_velocity_commands(simulation):
    simulation.command("uav2", Velocity(np.array([0.0, 2.0, 0.5]), yaw_rate=0.3))
    simulation.run(100)
    assert np.allclose(simulation.robots["uav2"].p_WB, [3, 5, 4.5])
    with pytest.raises(SimulationError, match="finite"):
        simulation.command("uav2", Velocity(np.array([np.nan, 0, 0])))
    with pytest.raises(SimulationError, match="takes Velocity"):
        simulation.command("uav2", "forward")
    simulation.run(100)
    assert np.allclose(simulation.robots["uav2"].p_WB, [3, 7, 5.0])


def test_other_threads_ask_and_the_loop_answers_between_steps(simulation):
    answers = []

    def client(i):
        answers.append(simulation.ask(lambda: (i, simulation.clock.steps)).result(timeout=10))

    threads = [threading.Thread(target=client, args=(i,)) for i in range(20)]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        simulation.step()
    assert sorted(i for i, _ in answers) == list(range(20))


def test_an_error_in_a_request_goes_to_who_asked_and_the_loop_goes_on(simulation):
    bad = simulation.ask(lambda: simulation.robots["uav1"].set_pose([np.nan] * 3, [1, 0, 0, 0]))
    good = simulation.ask(lambda: 42)
    simulation.step()
    with pytest.raises(RobotError):
        bad.result(0)
    assert good.result(0) == 42


def test_a_snapshot_of_another_scenario_is_refused(simulation):
    other = Simulation(load_scenario("blocks"))
    with pytest.raises(SimulationError, match="of scenario 'blocks'"):
        simulation.restore(other.state())


def test_simulations_come_and_go_without_leaking():
    import gc

    import psutil

    process = psutil.Process()
    text = "world: blocks\nrobots: {a: quad}"
    for _ in range(3):
        Simulation(read_scenario(text)).run(2)
    gc.collect()
    before = process.memory_info().rss
    for _ in range(20):
        Simulation(read_scenario(text)).run(2)
    gc.collect()
    assert process.memory_info().rss - before < 30e6
