"""The ELAHA platform's topics: what MATLAB sent and received."""

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.elaha import ElahaNames
from volery.bus.types import message_class
from volery.scenario import read_scenario
from volery.sim import Simulation

SCENARIO = """
world: blocks
robots:
  plane: {type: quad, physics: kinematic, position: [1, 2, 6], sensors: {scanner: {type: scanner, rate: 100}}}
"""


@pytest.fixture
def both():
    """The platform, and MATLAB in place of which a second bus speaks."""
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address], node="matlab")) as matlab:
        simulation = Simulation(read_scenario(SCENARIO))
        names = ElahaNames(simulation, bus, "plane")
        simulation.listeners.append(names)
        yield simulation, names, matlab


def send(matlab, names, topic, kind, message, done, simulation):
    publisher = matlab.advertise(topic, kind)
    eventually(lambda: publisher.wanted)

    def stepped():
        publisher.put(message, 0)
        simulation.step()
        return done()

    eventually(stepped)
    publisher.close()


def floats(*values):
    return m.floats(np.array(values, float))


def test_pose_and_faces_go_out(both):
    simulation, _, matlab = both
    kinds = {
        "PlanePosition": "geometry_msgs/msg/Point",
        "PlaneOrientation": "geometry_msgs/msg/Quaternion",
        "TrafoToCollision": "geometry_msgs/msg/Transform",
        "UE4Online": "std_msgs/msg/Bool",
        "ScannerFaceZNeg": "sensor_msgs/msg/PointCloud2",
        "ScannerFaceXPos": "sensor_msgs/msg/PointCloud2",
    }
    heard = {name: matlab.subscribe(f"/{name}", kind) for name, kind in kinds.items()}

    def all_came():
        simulation.step()
        return all(s.latest() is not None for s in heard.values())

    eventually(all_came, 20)
    p = heard["PlanePosition"].latest().value
    assert (p.x, p.y, p.z) == (1, 2, 6)
    assert heard["PlaneOrientation"].latest().value.w == 1
    assert heard["UE4Online"].latest().value.data is True
    cloud = heard["ScannerFaceZNeg"].latest().value
    assert (cloud.width, len(cloud.data)) == (2601, 2601 * 16), "a sixth of 249,696 bytes"


def test_matlab_moves_the_plane(both):
    simulation, names, matlab = both
    plane = simulation.robots["plane"]
    send(matlab, names, "/NewPlanePosition", "geometry_msgs/msg/Point", m.point([5, 6, 7]),
         lambda: np.allclose(plane.p_WB, [5, 6, 7]), simulation)  # fmt: skip
    q = np.array([np.cos(0.3), 0, 0, np.sin(0.3)])
    send(matlab, names, "/NewPlaneOrientation", "geometry_msgs/msg/Quaternion", m.quaternion(q),
         lambda: np.allclose(plane.q_WB_wxyz, q), simulation)  # fmt: skip
    send(matlab, names, "/NewBonePositions", "std_msgs/msg/Float64MultiArray", floats(0.1, 0.0, 0.0, 0.2),
         lambda: not np.allclose(plane.X_bone[1], np.eye(3, 4)), simulation)  # fmt: skip
    assert np.allclose(plane.X_bone[1, 2, 1], np.sin(0.1)) and np.allclose(plane.X_bone[2, 0, 2], np.sin(0.2))
    joy = message_class("sensor_msgs/msg/Joy")(m.header(0, ""), np.array([0.5], np.float32), np.zeros(0, np.int32))
    before = plane.p_WB.copy()
    send(matlab, names, "/Joystick", "sensor_msgs/msg/Joy", joy, lambda: np.linalg.norm(plane.v_WB_W) > 4, simulation)
    assert not np.allclose(plane.p_WB, before)


def test_thermals_vectors_and_heartbeats(both):
    simulation, names, matlab = both
    send(matlab, names, "/Thermal", "std_msgs/msg/Float64MultiArray", floats(10, 20, 3, 50),
         lambda: len(simulation.environment.wind.thermals) > 0, simulation)  # fmt: skip
    assert simulation.environment.wind.velocity(np.array([[10.0, 20, 300]]), 0)[0, 2] > 1
    send(matlab, names, "/Vector", "std_msgs/msg/Float64MultiArray", floats(0, 0, 0, 1, 0, 0),
         lambda: len(names.vectors) > 0, simulation)  # fmt: skip
    assert not names.matlab_online
    alive = message_class("std_msgs/msg/Bool")(data=True)
    send(matlab, names, "/MatlabOnline", "std_msgs/msg/Bool", alive, lambda: names.matlab_online, simulation)


def test_what_makes_no_sense_is_counted_and_changes_nothing(both):
    simulation, names, matlab = both
    before = simulation.robots["plane"].state()
    send(matlab, names, "/NewPlanePosition", "geometry_msgs/msg/Point", m.point([np.nan, 0, 0]),
         lambda: names.refused > 0, simulation)  # fmt: skip
    count = names.refused
    send(matlab, names, "/NewBonePositions", "std_msgs/msg/Float64MultiArray", floats(0.1, 0.2, 0.3),
         lambda: names.refused > count, simulation)  # fmt: skip
    assert np.array_equal(simulation.robots["plane"].p_WB, before["p_WB"])
