"""Parts of AirSim's protocol by themselves: settings, frames, ways, flight, things, drawings."""

import json
import math

import numpy as np
import pytest

from airsim_rig import WORLD, Flight
from volery.core.drawings import Drawings
from volery.core.frames import quat_rotate
from volery.core.palette import PALETTE
from volery.core.state import decode, encode
from volery.errors import ScenarioError, SimulationError, UnknownNameError, VoleryError
from volery.protocols.airsim import ned
from volery.protocols.airsim.door import AirSimSettings
from volery.protocols.airsim.palette import instance_colours
from volery.protocols.airsim.settings import default_settings, read_settings
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

# Settings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "expected a section"),
        ('{"SimMode": "Multirotr"}', "did you mean 'Multirotor'"),
        ('{"ApiServerPort": 99999}', "ApiServerPort: 99999 must be 1 to 65535"),
        ('{"ClockSpeed": "fast"}', "ClockSpeed: expected a number"),
        ('{"Vehicles": {"a b": {}}}', "name 'a b'"),
        ('{"Vehicles": {"D": {"VehicleType": "simplefligt"}}}', "did you mean 'SimpleFlight'"),
        ('{"Vehicles": {"D": {"X": []}}}', r"Vehicles.D.X: expected a number"),
        ('{"Vehicles": {"D": {"Sensors": {"s": {"Enabled": true}}}}}', "SensorType: is missing"),
        ('{"CameraDefaults": {"CaptureSettings": [{"Width": 0}]}}', r"CaptureSettings\[0\].Width"),
        ('{"Recording": {"Cameras": 3}}', "Recording.Cameras: expected a list"),
    ],
)
def test_wrong_settings_say_where_and_why(text, words):
    with pytest.raises(ScenarioError, match=words):
        read_settings(text)


def test_settings_by_airsims_rules():
    every = read_settings(json.dumps({
        "SimMode": "Car", "OriginGeopoint": {"Latitude": 1.0, "Longitude": 2.0, "Altitude": 3.0}, "Unheard": 1,
        "DefaultSensors": {"l": {"SensorType": 6, "Enabled": True}},
        "Vehicles": {
            "C": {"VehicleType": "physxcar", "Cameras": {
                "0": {"X": 1.5, "CaptureSettings": [{"ImageType": 0, "Width": 8}]},
            }},
            "off": {"VehicleType": "PhysXCar", "AutoCreate": False},
        },
    }))  # fmt: skip
    car = every.vehicles["C"]
    assert every.origin == (1.0, 2.0, 3.0) and list(every.vehicles) == ["C"] and car.kind == "car"
    assert [s.name for s in car.sensors] == ["l"] and car.sensors[0].position[2] < -1.0
    assert car.cameras["0"].captures[0].width == 8 and math.isnan(car.cameras["0"].position[1])
    names = [s.name for s in default_settings().vehicles["SimpleFlight"].sensors]
    assert sorted(names) == ["barometer", "distance", "gps", "imu", "lidar", "magnetometer"]
    assert read_settings("").vehicles["SimpleFlight"].kind == "drone"
    assert read_settings('{"SimMode": "ComputerVision"}').vehicles["ComputerVision"].kind == "eye"


# Frames


def test_ned_and_frd_vectors():
    assert ned.ned(np.array([1.0, 2.0, 3.0])).tolist() == [2.0, 1.0, -3.0]
    assert ned.yaw_ned(np.pi / 2) == pytest.approx(0.0) and ned.yaw_enu(np.pi / 2) == pytest.approx(0.0)
    east = ned.attitude(0.0, 0.0, np.pi / 2)
    assert quat_rotate(east, np.array([1.0, 0, 0])) == pytest.approx([1, 0, 0])
    up = ned.attitude(0.0, 0.3, 0.0)
    assert quat_rotate(up, np.array([1.0, 0, 0])) == pytest.approx([0, np.cos(0.3), np.sin(0.3)])
    right = ned.attitude(0.3, 0.0, 0.0)
    assert quat_rotate(right, np.array([0, 1.0, 0])) == pytest.approx([-np.cos(0.3), 0, np.sin(0.3)])
    assert ned.unreal(np.array([1.0, 2.0, 3.0])).tolist() == [200.0, 100.0, 300.0]


def test_colours_of_segmentation():
    known = {0: (0, 0, 0), 1: (153, 108, 6), 2: (112, 105, 191), 20: (146, 52, 70), 42: (92, 31, 106), 255: (255,) * 3}
    assert {i: tuple(PALETTE[i].tolist()) for i in known} == known
    assert len(np.unique(PALETTE, axis=0)) == 256
    assert instance_colours()[:4].tolist() == [[255, 255, 255], [255, 255, 127], [255, 127, 255], [255, 127, 127]]
    assert len(np.unique(instance_colours(), axis=0)) == 32_768


# Runs


def test_a_reset_of_the_simulation_brings_vehicles_back():
    flight = Flight()
    flight.simulation.reset()
    flight.simulation.run(3)
    assert "SimpleFlight" in flight.simulation.robots and not flight.drone.api
    flight.door.close()


def test_the_same_calls_give_the_same_bytes_and_can_be_done_again():
    def run():
        flight = Flight(WORLD)
        flight.call("simSpawnObject", "box", "1M_Cube", _pose(3, 0, -1), np.ones(3), False, False)
        flight.fly("takeoff", 20.0, "", after=0.5)
        flight.door.close()
        return flight

    assert run().simulation.state_hash() == run().simulation.state_hash()


def _pose(x, y, z):
    from volery.protocols.airsim.arguments import NedPose

    return NedPose(np.array([x, y, z], float), np.array([1.0, 0, 0, 0]))


# Things and drawings


def test_things_that_change_are_kept_and_put_back():
    simulation = Simulation(read_scenario(WORLD, name="things"))
    things, X = simulation.environment.edits, np.eye(3, 4)
    first = simulation.state()
    simulation.alter("make", "mine", "1M_Cube", X)
    simulation.alter("make", "lamp", "PointLightBP", X)
    simulation.alter("dim", "lamp", 0.5)
    simulation.alter("move", "OrangeBall", np.eye(3, 4) * 2.0)
    simulation.alter("paint", "PulsingCone", (1.0, 0.0, 0.0))
    simulation.alter("destroy", "Cylinder_1")
    changed = decode(encode(simulation.state()))
    events = list(simulation.events)
    assert len(simulation.environment.spots()) == 1
    simulation.restore(first)
    assert "mine" not in simulation.scene.objects and "Cylinder_1" in simulation.scene.objects and not things.lamps
    simulation.restore(changed)
    assert simulation.scene.objects["OrangeBall"].X_WO[0, 0, 0] == 2.0 and things.lamps["lamp"].intensity == 0.5
    assert simulation.scene.objects["PulsingCone"].meshes[0].materials[0].colour == (1.0, 0.0, 0.0)
    assert "Cylinder_1" not in simulation.scene.objects
    other = Simulation(read_scenario(WORLD, name="things"))
    for event in events:
        other.redo(event)
    assert other.environment.edits.state().keys() == things.state().keys()
    assert other.state_hash() == simulation.state_hash()
    simulation.reset()
    assert "mine" not in simulation.scene.objects and "Cylinder_1" in simulation.scene.objects


def test_bad_changes_of_things_are_refused():
    simulation = Simulation(read_scenario(WORLD, name="things"))
    for change in (
        ("make", "Ground", "1M_Cube", np.eye(3, 4)), ("make", "x", "NoAsset", np.eye(3, 4)), ("destroy", "nothing"),
        ("move", "OrangeBall", np.full((3, 4), np.nan)), ("dim", "Ground", 1.0), ("explode", "Ground"),
    ):  # fmt: skip
        with pytest.raises(VoleryError):
            simulation.alter(*change)
    assert simulation.scene.objects["OrangeBall"].X_WO[0, 0, 0] == 2.0


def test_drawings_end_in_simulated_time():
    drawings = Drawings()
    drawings.add("points", np.zeros((3, 3)), until_ns=100)
    lasting = drawings.add("text", np.zeros((1, 3)), words=["here"], owner="me")
    assert len(drawings.snapshot(100)) == 2
    assert [d.id for d in drawings.snapshot(101)] == [lasting]
    drawings.clear("you")
    assert len(drawings.snapshot(0)) == 1
    drawings.clear("me")
    assert drawings.snapshot(0) == []
    for bad in (("circle", np.zeros(3)), ("points", np.array([np.nan, 0, 0])), ("arrows", np.zeros((3, 3)))):
        with pytest.raises(SimulationError):
            drawings.add(*bad)


def test_the_scenario_airsim_has_the_door():
    assert load_scenario("airsim").protocols["airsim"] == AirSimSettings()
    with pytest.raises(VoleryError, match="did you mean 'airsim'"):
        read_scenario("protocols: {airsin: {}}", "x.yaml")
    with pytest.raises(ScenarioError, match="port"):
        read_scenario("protocols: {airsim: {port: 70000}}", "x.yaml")
    with pytest.raises(UnknownNameError):
        Simulation(read_scenario("world: empty")).alter("destroy", "nothing")
