"""What comes from outside, as events: plain data on the way, the same event again, and the same run again."""

import numpy as np
import pytest

from volery import events
from volery.core.state import decode, encode
from volery.errors import SimulationError
from volery.events import (
    Commanded,
    EnvironmentChanged,
    Operated,
    Placed,
    PropertySet,
    Removed,
    Reset,
    Restored,
    RunEvent,
    Spawned,
    ThingAltered,
    WorldChanged,
    event_of,
)
from volery.robots.commands import Velocity
from volery.scenario import read_scenario
from volery.settings import of_today
from volery.sim import Simulation

SCENE = """
step: 0.02
world: {type: blocks, count: 4}
robots:
  uav1: {type: quad, physics: kinematic, position: [0, 0, 5],
         sensors: {imu: off, gps: off, lamp: headlight, cam: {type: camera, width: 8, height: 6, phase: 3600},
         laser: {type: laser, mode: manual}}}
"""
EVENTS = [
    Commanded("uav1", Velocity([1.0, 0.0, 0.5])),
    Operated("uav1", "cam", "aim", (10.0, 5.0), {"relative": True}),
    Operated("uav1", "lamp", "switch", (False,)),
    Placed("uav1", np.array([1.0, 2, 3]), np.array([1.0, 0, 0, 0]), np.zeros(3), np.zeros(3)),
    Spawned("uav2", {"type": "quad", "physics": "kinematic", "position": [5, 5, 5]}),
    PropertySet("environment.weather.fog", 0.3),
    EnvironmentChanged({"weather": {"rain": 0.2}}),
    WorldChanged({"count": 9}),
    ThingAltered("make", ("mine", "1M_Cube", np.eye(3, 4))),
    Removed("uav2"),
    Reset(),
]


@pytest.fixture
def simulation():
    return Simulation(read_scenario(SCENE, "events"))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_an_event_comes_back_from_the_wire(event):
    kind, arguments = decode(encode(event.plain()))
    again = event_of(kind, arguments)
    assert type(again) is type(event) and encode(again.plain()) == encode(event.plain())


def test_events_done_again_are_told_again_and_make_the_same_run(simulation):
    other = Simulation(read_scenario(SCENE, "events"))
    for event in EVENTS[:-1]:
        event.redo(simulation)
        simulation.run(2)
    told = []
    other.listeners.append(lambda s: told.extend(s.events))
    for event in EVENTS[:-1]:
        other.redo(event_of(*decode(encode(event.plain()))))
        other.run(2)
    assert other.state_hash() == simulation.state_hash()
    # An old change of the environment is told as what it is today.
    assert [e.kind for e in told] == [e.kind.replace("change_environment", "set") for e in EVENTS[:-1]]


def test_what_kinds_of_events_do_is_said_by_their_classes():
    found = {cls.kind: cls for cls in RunEvent.__subclasses__()}
    assert set(found) == {e.kind for e in EVENTS} | {"restore"}
    assert {kind for kind, cls in found.items() if not cls.changes} == {"command", "operate", "place"}
    assert {kind for kind, cls in found.items() if cls.routine} == {"command"}
    assert all(found[kind].remakes for kind in ("set", "reset", "restore"))
    for event in EVENTS:
        with pytest.raises(AttributeError):
            event.kind = "other"
            event.robot = "other"


def test_words_for_people_name_the_robot_apart():
    assert (EVENTS[1].robot_name, EVENTS[1].words()) == ("uav1", "operate cam, aim, [10.0, 5.0], {'relative': True}")
    assert (Reset().robot_name, Reset().words()) == ("", "reset")
    assert Restored({"long": "x" * 1000}).words() == "restore"
    assert len(Spawned("a", {"type": "x" * 1000}).words()) < 80


@pytest.mark.parametrize(
    ("kind", "arguments"), [("explode", []), ("operate", ["a"]), ("place", ["a", 1]), ("reset", [1])]
)
def test_what_is_no_event_is_refused(kind, arguments):
    with pytest.raises(SimulationError, match=r"of no kind|damaged"):
        event_of(kind, arguments)


def test_a_control_is_told_once_wherever_it_is_called(simulation):
    lamp = simulation.sensor("uav1", "lamp")
    lamp.switch(False)
    simulation.operate("uav1", "lamp", "dim", 0.5)
    simulation.controllers.append(lambda s: s.sensor("uav1", "laser").scan())
    heard = []
    simulation.listeners.append(lambda s: heard.extend(e.arguments()[1:3] for e in s.events))
    simulation.step()
    assert heard == [["lamp", "switch"], ["lamp", "dim"], ["laser", "scan"]]


def test_bringing_back_a_state_works_no_control(simulation):
    simulation.sensor("uav1", "cam").aim(20.0, 5.0)
    state = simulation.state()
    simulation.run(1)
    simulation.set("robots.uav1.sensors.cam.rate", 5)
    simulation.restore(state)
    simulation.reset()
    assert [event.kind for event in simulation.events] == ["set", "restore", "reset"]
    assert simulation.sensor("uav1", "cam").pan_tilt_deg == (0.0, 0.0)


def test_a_sensor_that_is_gone_tells_nothing_and_one_made_anew_does(simulation):
    old = simulation.sensor("uav1", "lamp")
    simulation.set("robots.uav1.sensors.lamp.rate", 20)
    new = simulation.sensor("uav1", "lamp")
    assert new is not old
    old.switch(False)
    new.switch(False)
    assert [event.kind for event in simulation.events] == ["set", "operate"]


def test_an_older_snapshot_can_be_restored():
    simulation = Simulation(read_scenario(SCENE.replace("physics: kinematic", "physics: fleet"), "events"))
    simulation.set("robots.uav1.multirotor.control.position.kp", 1.5)
    state = decode(encode(simulation.state()))
    blocks = state["settings"].pop("blocks")
    state["settings"]["multirotors"] = {name: own["multirotor"] for name, own in blocks.items()}
    assert of_today(state["settings"])["blocks"] == blocks
    simulation.reset()
    simulation.restore(state)
    assert simulation.robot("uav1").file.multirotor.control.position.kp == 1.5


def test_the_module_names_all_its_events():
    assert {cls.__name__ for cls in RunEvent.__subclasses__()} <= set(events.__all__)
