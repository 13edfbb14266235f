"""What makes scripts and notebooks short: names, times in seconds, `with`, and things that say what they are."""

import asyncio
import copy
import io
import json
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import volery
from viewer_rig import Guest
from volery.core.deferred import Deferred

HALL = """
world: empty
step: 0.01
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {path: [[0, 0, 12], [90, 0, 12]], speed: 5}
    sensors: {scanner: {type: scanner, mount: {site: centre}}, camera: {type: camera, width: 32, height: 24, rate: 20}}
"""


def hall(**options):
    return volery.Simulation(volery.read_scenario(HALL), **options)


# Making one


def test_a_simulation_is_made_of_a_built_in_name(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with volery.Simulation("blocks", seed=3) as by_name:
        assert by_name.scenario.name == "blocks" and by_name.seed == 3
        same = volery.Simulation(volery.load_scenario("blocks"), seed=3)
        assert by_name.state_hash() == same.state_hash()


@pytest.mark.parametrize("kind", [str, Path])
def test_a_simulation_is_made_of_a_file(tmp_path, kind):
    path = tmp_path / "my.yaml"
    path.write_text(HALL)
    simulation = volery.Simulation(kind(path), seed=7)
    assert simulation.seed == 7 and list(simulation.robots) == ["uav1"] and simulation.scenario.name == "my"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("warehose", "did you mean 'warehouse'"),
        ("nowhere/my.yaml", "nowhere/my.yaml: does not exist"),
        (HALL, "read it with volery.read_scenario"),
        (3, "the name of a built-in one or the path of a file, not 3"),
        ({"world": "empty"}, "not {'world'"),
    ],
)
def test_what_is_no_scenario_is_refused_with_what_to_do(given, words):
    with pytest.raises(volery.VoleryError) as told:
        volery.Simulation(given)
    assert words in str(told.value)


@pytest.mark.parametrize("seed", [-1, 1.5, "3", True, 2**63])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(volery.SimulationError, match="whole number from 0"):
        hall(seed=seed)
    assert hall(seed=np.int64(4)).seed == 4


# Running it


def test_a_time_in_seconds_is_made_of_whole_steps():
    simulation = hall()
    simulation.run(seconds=0.05)
    assert simulation.clock.steps == 5
    simulation.run(seconds=0.1 + 0.2)  # 0.30000000000000004 is no step more
    assert simulation.clock.steps == 35
    simulation.run(seconds=0.021)  # of a step that is begun, all is made
    assert simulation.clock.steps == 38
    simulation.run(seconds=0)
    simulation.run(steps=2)
    simulation.run(np.int64(3))
    assert simulation.clock.steps == 43


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (((), {}), "neither is given"),
        (((5,), {"seconds": 1.0}), "both are given"),
        ((("five",), {}), "run('five')"),
        (((5.0,), {}), "write run(seconds=5.0)"),
        (((-1,), {}), "from 0 on"),
        (((True,), {}), "whole number"),
        (((), {"seconds": "5"}), "run(seconds='5')"),
        (((), {"seconds": float("nan")}), "run(seconds=nan)"),
        (((), {"seconds": -0.1}), "run(seconds=-0.1)"),
        (((), {"seconds": 1e12}), "to 1e+09"),
    ],
)
def test_what_is_no_number_of_steps_is_refused_and_none_is_made(arguments, words):
    simulation = hall()
    with pytest.raises(volery.SimulationError) as told:
        simulation.run(*arguments[0], **arguments[1])
    assert words in str(told.value) and simulation.clock.steps == 0


class Part:
    def __init__(self):
        self.closed = 0

    def __call__(self, simulation):
        pass

    def close(self):
        self.closed += 1


def test_at_the_end_of_a_with_block_all_that_hangs_on_it_is_closed():
    before = set(threading.enumerate())
    listener, controller, link = Part(), Part(), Part()
    with volery.Simulation(volery.read_scenario("world: forest\nstreaming: {visible: 40}")) as simulation:
        simulation.listeners += [listener, lambda s: None]
        simulation.controllers.append(controller)
        simulation.connect("external", link)
        simulation.run(1)
        assert set(threading.enumerate()) - before, "an endless world is made in a thread"
    assert not set(threading.enumerate()) - before
    assert (listener.closed, controller.closed, link.closed) == (1, 1, 1)
    simulation.close()
    assert listener.closed == 1 and simulation.clock.steps == 1 and "closed" in repr(simulation)
    for again in (simulation.step, simulation.advance, lambda: simulation.run(1), simulation.show):
        with pytest.raises(volery.SimulationError, match="closed"):
            again()


def test_an_error_in_a_with_block_is_not_swallowed():
    with pytest.raises(ZeroDivisionError), hall() as simulation:
        1 / 0  # noqa: B018
    assert simulation.closed


def test_an_error_of_one_part_does_not_keep_the_others():
    class Broken(Part):
        def close(self):
            raise OSError("gone")

    simulation, last = hall(), Part()
    simulation.listeners += [Broken(), last]
    with pytest.raises(OSError, match="gone"):
        simulation.close()
    assert last.closed == 1


# Looking at it


def test_things_say_what_they_are():
    simulation = hall(seed=5)
    simulation.scene.add(volery.Placement.one("wall", volery.box((1, 1, 1)), (0, 9, 0)))
    assert repr(simulation) == "<Simulation 'scenario': seed 5, t = 0.000 s, robots: uav1>"
    simulation.run(100)
    robot, sensor = simulation.robot("uav1"), simulation.sensor("uav1", "camera")
    assert repr(robot).startswith("<Robot 'uav1' (quad) at (") and "m/s>" in repr(robot)
    assert f"({robot.p_WB[0]:.2f}, " in repr(robot)
    assert repr(sensor) == "<Camera 'camera' of 'uav1', 20 Hz: latest at 1.000 s>"
    sensor.enabled = False
    assert "off" in repr(sensor)
    assert "wall" in repr(simulation.scene.objects["wall"]) and "objects (" in repr(simulation.scene)
    assert repr(hall().world) == "Empty()" or repr(hall().world).startswith("Empty(")


def test_a_world_tells_the_parameters_that_are_not_as_by_default():
    world = volery.load_scenario("forest").world
    text = repr(world)
    assert text.startswith("Forest(") and len(text) < 120
    changed = volery.read_scenario("world: {type: forest, density: 0.125}\nseed: 9").world
    assert "density=0.125" in repr(changed) and "seed=9" in repr(changed)


def test_a_robot_tells_its_motion_by_plain_names():
    simulation = hall()
    simulation.run(50)
    robot = simulation.robot("uav1")
    plain = (robot.position, robot.orientation, robot.velocity, robot.angular_velocity)
    framed = (robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
    for mine, its in zip(plain, framed, strict=True):
        assert np.array_equal(mine, its) and not np.shares_memory(mine, its)
    # Nose along x, level: w first.
    assert robot.orientation.shape == (4,) and robot.orientation[0] > 0.99
    assert np.allclose(robot.velocity, [5, 0, 0], atol=0.01)
    with pytest.raises(AttributeError):
        robot.position = np.zeros(3)


def test_a_reading_gives_its_arrays_by_item_and_by_attribute():
    simulation = hall()
    simulation.run(10)
    reading = simulation.sensor("uav1", "camera").latest
    assert reading["rgb"] is reading.rgb is reading.data["rgb"] and reading.rgb.shape == (24, 32, 3)
    assert reading.time == reading.stamp_ns * 1e-9 == 0.1
    assert "rgb" in reading and "depth" not in reading and list(reading) == reading.keys()
    assert dict(reading).keys() == reading.data.keys()
    assert repr(reading).startswith("<Reading at 0.100 s: rgb uint8 [24, 32, 3]")
    assert "rgb" in dir(reading)
    with pytest.raises(volery.UnknownNameError, match="did you mean 'rgb'"):
        reading["rgbb"]
    with pytest.raises(AttributeError, match="did you mean 'rgb'"):
        reading.rgbb  # noqa: B018
    assert not hasattr(reading, "points") and not hasattr(reading, "__len__")
    twin = pickle.loads(pickle.dumps(copy.deepcopy(reading)))
    assert twin.stamp_ns == reading.stamp_ns and np.array_equal(twin.rgb, reading.rgb)


def test_a_picture_is_not_drawn_only_to_be_described():
    drawn = []
    later = Deferred(lambda: drawn.append(1) or {"rgb": np.zeros((2, 3, 3), np.uint8)})
    reading = volery.Reading(5_000_000, later)
    assert "not drawn yet" in repr(reading) and "rgb" not in dir(reading) and not drawn
    assert reading.rgb.shape == (2, 3, 3) and len(drawn) == 1 and "rgb uint8" in repr(reading)


def test_a_notebook_shows_a_picture_and_the_run_does_not_notice():
    simulation, other = hall(), hall()
    for each in (simulation, other):
        each.run(20)
    shown = np.asarray(Image.open(io.BytesIO(simulation._repr_png_())))
    assert shown.shape == (400, 640, 3) and shown.std() > 5, "something is to be seen"
    assert simulation.picture(width=64, height=48).shape == (48, 64, 3)
    for each in (simulation, other):
        each.run(20)
    assert simulation.state_hash() == other.state_hash()


# The page


class Where:
    """What a guest needs of an address."""

    def __init__(self, address):
        base, token = address.split("/#k=")
        self.port, self.access = int(base.rpartition(":")[2]), type("Access", (), {"token": token})


def test_a_simulation_is_shown_while_a_script_steps_it():
    with hall() as simulation, hall() as other:
        address = simulation.show(speed="max", port=0, browser=False)
        assert simulation.show(browser=False) == address
        with Guest(Where(address)) as guest:
            assert guest.until("welcome")[0]["scenario"] == "scenario"
            simulation.run(seconds=0.2)
            state = guest.until("state", steps=20)[0]
            assert state["now_ns"] == 200_000_000 and state["speed"] == "max"
        other.run(20)
        assert simulation.clock.steps == 20 and simulation.state_hash() == other.state_hash()
    with pytest.raises(OSError):
        Guest(Where(address))


def test_a_notebook_answers_the_page_between_cells():
    def ask(address):
        with Guest(Where(address)) as guest:
            return guest.ask("properties"), guest.ask("place", robot="uav1", p=[1, 2, 3], q=[1, 0, 0, 0])

    async def cells():
        with hall() as simulation:
            address = simulation.show(speed="max", port=0, browser=False)
            tree, _ = await asyncio.to_thread(ask, address)
            assert "environment" in json.dumps(tree) and simulation.clock.steps == 0
            assert np.allclose(simulation.robot("uav1").position, [1, 2, 3])

    asyncio.run(asyncio.wait_for(cells(), 60))


@pytest.mark.parametrize("speed", [0, -1.0, "fast", None])
def test_the_pace_of_a_shown_simulation_is_checked(speed):
    with hall() as simulation, pytest.raises(volery.SimulationError, match="speed"):
        simulation.show(speed=speed, port=0, browser=False)


def test_the_program_of_the_guide_runs(capsys):
    text = (Path(__file__).parent.parent.parent / "docs" / "python.md").read_text()
    exec(text.split("```python\n")[1].split("```")[0], {})
    told = capsys.readouterr().out
    assert "<Simulation 'warehouse': seed 3, t = 5.000 s" in told and "<Reading at 5.000 s" in told
