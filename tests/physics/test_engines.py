"""The contract that every registered engine keeps, with one and the same robot: a quadrotor over a plane."""

from pathlib import Path

import numpy as np
import pytest

from volery import registry
from volery.core.frames import quat_from_axis_angle
from volery.core.state import decode, encode
from volery.errors import CommandError, UnknownNameError
from volery.physics.engine import Engine
from volery.robots.commands import Command, Pose, Velocity, command_of
from volery.scenario import read_scenario
from volery.sim import Simulation

ENGINES = [name for name in registry.names("engines") if name not in ("elastic", "jsbsim", "fmu")]
"""All but those that move robots of their own kinds only, which their own tests hold to the same."""
TEXT = """
seed: 3
step: 0.01
world: empty
wind: {{steady: [2, 1, 0], turbulence: light}}
robots:
  one: {{type: quad, physics: {engine}, position: [0, 0, 10], sensors: {{scanner: off, truth: {{type: ground_truth}}}}}}
  two: {{type: quad, physics: {engine}, position: [20, 0, 12], sensors: {{scanner: off}}}}
  path: {{type: quad, physics: {engine}, position: [0, 30, 8], sensors: {{scanner: off}},
         motion: {motion}}}
"""
PATH = "{path: [[0, 30, 8], [6, 30, 9], [6, 36, 8]], speed: 2}"
MOVERS = [name for name in ENGINES if registry.find("engines", name).takes]
"""Engines that move robots themselves, not as an outside process says."""


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture(params=MOVERS)
def mover(request):
    return request.param


def make(engine):
    return Simulation(read_scenario(TEXT.format(engine=engine, motion=PATH if engine in MOVERS else "null")))


def started(engine):
    """Two robots told something and one on its path, where the engine takes commands."""
    simulation = make(engine)
    if engine in MOVERS:
        simulation.command("one", Pose([1, 1, 11], 0.5))
        simulation.command("two", Velocity([1, 0, 0.5], 0.2))
    return simulation


def run_bytes(simulation, steps):
    out = []
    for _ in range(steps):
        simulation.step()
        out.append((encode({n: r.state() for n, r in simulation.robots.items()}), simulation.readings_bytes()))
    return out


def test_the_same_commands_give_the_same_bytes(engine):
    first = run_bytes(started(engine), 60)
    simulation = started(engine)
    assert run_bytes(simulation, 60) == first
    assert simulation.state_hash() == simulation.state_hash()


def test_snapshot_restore_continue_equals_continue(engine):
    simulation = started(engine)
    simulation.run(25)
    state = decode(encode(simulation.state()))
    ahead = run_bytes(simulation, 40)
    end = simulation.state_hash()
    other = make(engine)
    other.run(7)
    other.restore(state)
    assert run_bytes(other, 40) == ahead
    assert other.state_hash() == end
    simulation.restore(state)
    assert run_bytes(simulation, 40) == ahead


def test_a_snapshot_before_the_first_step(engine):
    simulation = started(engine)
    state = decode(encode(simulation.state()))
    ahead = run_bytes(simulation, 20)
    other = make(engine)
    other.restore(state)
    assert run_bytes(other, 20) == ahead


def test_reset_begins_again(engine):
    simulation = make(engine)
    first = run_bytes(simulation, 30)
    simulation.reset()
    assert run_bytes(simulation, 30) == first


def test_commands_are_followed_until_the_next(mover):
    simulation = started(mover)
    simulation.run(600)
    one, two = simulation.robots["one"], simulation.robots["two"]
    assert one.p_WB == pytest.approx([1, 1, 11], abs=0.4)
    assert two.v_WB_W == pytest.approx([1, 0, 0.5], abs=0.4)
    simulation.command("two", Velocity([0, 0, 0]))
    simulation.run(300)
    before = simulation.robots["two"].p_WB
    simulation.run(50)
    assert simulation.robots["two"].p_WB == pytest.approx(before, abs=0.2)


def test_a_path_is_followed_until_a_command(mover):
    simulation = make(mover)
    corners = np.array([[0, 30, 8], [6, 30, 9], [6, 36, 8]], float)
    near = np.full(3, np.inf)
    for _ in range(1200):
        simulation.step()
        near = np.minimum(near, np.linalg.norm(corners - simulation.robots["path"].p_WB, axis=1))
    assert (near < 1.0).all()
    simulation.command("path", Pose([0, 25, 10]))
    simulation.run(800)
    assert simulation.robots["path"].p_WB == pytest.approx([0, 25, 10], abs=0.5)


def test_what_a_robot_cannot_follow_is_refused_and_the_last_command_stays(mover):
    class Sing(Command):
        pass

    simulation, quiet = started(mover), started(mover)
    simulation.run(5)
    quiet.run(5)
    with pytest.raises(CommandError, match=r"takes .*not Sing; the last command stays"):
        simulation.command("one", Sing())
    with pytest.raises(CommandError):
        simulation.command("one", Pose([np.nan, 0, 0]))
    with pytest.raises(UnknownNameError, match="did you mean 'one'"):
        simulation.command("onee", Velocity())
    assert run_bytes(simulation, 20) == run_bytes(quiet, 20)


def test_a_teleport_is_taken_over(engine):
    simulation = started(engine)
    simulation.run(30)
    q = quat_from_axis_angle(np.array([0, 0, 1.0]), 0.7)
    for name in ("one", "path"):
        simulation.place(name, np.array([-40.0, 5.0, 15.0]), q)
        assert simulation.robots[name].p_WB == pytest.approx([-40, 5, 15])
        assert simulation.robots[name].X_WB[0, :, 3] == pytest.approx([-40, 5, 15])
    simulation.step()
    for name in ("one", "path"):
        assert simulation.robots[name].p_WB == pytest.approx([-40, 5, 15], abs=0.02)


def test_robots_come_and_go_and_leave_the_others_alone(engine):
    alone, simulation = started(engine), started(engine)
    for phase in range(3):
        if phase == 1:
            data = {"type": "quad", "physics": engine, "position": [-30, 0, 10], "sensors": {"scanner": "off"}}
            simulation.spawn("a", data)
            simulation.spawn("zz", {**data, "position": [-30, 10, 10]})
        if phase == 2:
            simulation.remove("a")
        alone.run(20)
        simulation.run(20)
    for name in alone.robots:
        assert encode(simulation.robots[name].state()) == encode(alone.robots[name].state())
    assert "zz" in simulation.robots and "a" not in simulation.robots
    simulation.spawn("a", {"type": "quad", "physics": engine, "position": [-30, 0, 10]})
    simulation.step()
    assert np.isfinite(simulation.robots["a"].p_WB).all()


def test_what_was_read_before_a_step_is_not_changed_by_it(mover):
    simulation = started(mover)
    simulation.run(5)
    robot = simulation.robots["two"]
    names = ("p_WB", "q_WB_wxyz", "v_WB_W", "w_WB_W")
    held = {n: getattr(robot, n) for n in names}
    copies = {n: v.copy() for n, v in held.items()}
    simulation.run(5)
    assert not np.array_equal(robot.p_WB, copies["p_WB"])
    for name in names:
        assert np.array_equal(held[name], copies[name])
    assert np.linalg.norm(robot.q_WB_wxyz) == pytest.approx(1.0) and robot.q_WB_wxyz[0] >= 0


def test_engines_share_a_world(engine):
    """A robot of another engine does not change what this engine's robots do, as long as they do not meet."""
    alone, simulation = started(engine), started(engine)
    simulation.spawn("k", {"type": "probe", "physics": "kinematic", "position": [50, 50, 5]})
    simulation.command("k", Velocity([1, 0, 0]))
    alone.run(20)
    simulation.run(20)
    for name in alone.robots:
        assert encode(simulation.robots[name].state()) == encode(alone.robots[name].state())
    assert simulation.robots["k"].p_WB == pytest.approx([50.2, 50, 5])


def test_the_engine_of_the_documentation_works():
    text = (Path(__file__).parent.parent.parent / "docs" / "physics.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    names = {"Engine": Engine, "Velocity": Velocity, "command_of": command_of}
    exec(code, names)
    simulation = make("kinematic")
    robot = simulation.robots["one"]
    engine = names["Drift"](simulation.environment)
    engine.add(robot, None, 0)
    engine.apply("one", Velocity([1, 0, 0]))
    with pytest.raises(CommandError, match="takes Velocity, not Pose"):
        engine.apply("one", Pose([0, 0, 0]))
    state = decode(encode(engine.state()))
    engine.advance(0, 500_000_000)
    assert robot.p_WB == pytest.approx([0.5, 0, 10])
    engine.place("one")
    engine.restore(state)
    engine.advance(0, 500_000_000)
    assert robot.p_WB == pytest.approx([1.0, 0, 10])
