"""The ELAHA platform's topics: what MATLAB sent and received."""

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.elaha import ElahaNames
from volery.bus.elaha_topics import TOPICS
from volery.bus.types import message_class
from volery.core.frames import matrix_from_quat
from volery.robots.commands import BodyVelocity
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


POINT, TURN, MOVE = "geometry_msgs/msg/Point", "geometry_msgs/msg/Quaternion", "geometry_msgs/msg/Transform"
MANY, CLOUD, BOOL = "std_msgs/msg/Float64MultiArray", "sensor_msgs/msg/PointCloud2", "std_msgs/msg/Bool"
FIGURE_27 = {
    **{f"ScannerFace{face}": (CLOUD, True) for face in ("XPos", "XNeg", "YPos", "YNeg", "ZPos", "ZNeg")},
    "PlanePosition": (POINT, True), "PlaneOrientation": (TURN, True), "PositionSimulation": (POINT, True),
    "TrafoToCollision": (MOVE, True), "TrafoPCToCollision": (MOVE, True), "UE4Online": (BOOL, True),
    "volume": ("geometry_msgs/msg/Vector3", True), "Joystick": ("sensor_msgs/msg/Joy", True),
    "NewPlanePosition": (POINT, False), "NewPlaneOrientation": (TURN, False), "NewBonePositions": (MANY, False),
    "Thermal": (MANY, False), "Vector": (MANY, False), "vector_elaha": (MANY, False), "MatlabOnline": (BOOL, False),
}  # fmt: skip
"""Names, types, and whether the platform says it. ROS allows no blank, as in the thesis' 'vector elaha'."""


def test_the_topics_are_the_21_of_the_thesis(both):
    """In the table, and on the network: each is offered or listened to by the platform, by its name and type."""
    simulation, _, matlab = both
    assert len(FIGURE_27) == 21
    assert {name: (row.type, row.out) for name, row in TOPICS.items()} == FIGURE_27
    heard = {name: matlab.subscribe(f"/{name}", kind) for name, (kind, out) in FIGURE_27.items() if out}
    spoken = {name: matlab.advertise(f"/{name}", kind) for name, (kind, out) in FIGURE_27.items() if not out}
    eventually(lambda: all(p.wanted for p in spoken.values()))

    def all_came():
        simulation.step()
        return all(s.latest() is not None for s in heard.values())

    eventually(all_came, 20)


def test_they_come_as_often_as_the_thesis_says():
    """Over a second of steps of 10 ms with a scan every fifth: once a step, once a scan."""
    scenario = read_scenario(SCENARIO.replace("rate: 100", "rate: 20"))
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Simulation(scenario) as simulation:
        names = ElahaNames(simulation, bus, "plane")
        counts = dict.fromkeys(TOPICS, 0)

        def counted(name, make, stamp):
            counts[name] += 1

        names._put = counted
        simulation.listeners.append(names)
        simulation.run(100)
        names.close()
    for name, row in TOPICS.items():
        expected = {"every step": (100, 100), "every box scan": (20, 20), "once a second": (1, 30), "when told": (0, 0)}
        low, high = expected[row.when]
        assert low <= counts[name] <= high, name


def test_clouds_are_carried_into_the_axes_of_the_plane(both):
    """TrafoPCToCollision takes points of a cloud to where the plane has them; volume is the box that was scanned."""
    simulation, _, matlab = both
    simulation.place("plane", [1, 2, 6], [np.cos(0.4), 0, 0, np.sin(0.4)])
    kinds = {"TrafoPCToCollision": MOVE, "volume": "geometry_msgs/msg/Vector3", "ScannerFaceZNeg": CLOUD}
    heard = {name: matlab.subscribe(f"/{name}", kind) for name, kind in kinds.items()}

    def all_came():
        simulation.step()
        return all(s.latest() is not None for s in heard.values())

    eventually(all_came, 20)
    told, volume = heard["TrafoPCToCollision"].latest().value, heard["volume"].latest().value
    q = np.array([told.rotation.w, told.rotation.x, told.rotation.y, told.rotation.z])
    shift = np.array([told.translation.x, told.translation.y, told.translation.z])
    points = np.frombuffer(heard["ScannerFaceZNeg"].latest().value.data, np.float32).reshape(-1, 4)[:, :3]
    inside = points @ matrix_from_quat(q).T + shift
    half = simulation.sensors["plane"]["scanner"].config.extent
    assert np.abs(inside).max() <= half + 1e-3 and np.abs(inside[:, 0]).max() > 0.9 * half
    assert [volume.x, volume.y, volume.z] == [2 * half] * 3


def test_both_wings_of_the_aircraft_bend_as_told():
    """4.5° on each of its 20 bones: all of them against the closed form of a chain, and both tips rise alike."""
    scenario = read_scenario("world: empty\nrobots: {plane: {type: elaha, physics: kinematic, position: [0, 0, 50],"
                             " sensors: {scanner: off}}}")  # fmt: skip
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Simulation(scenario) as simulation:
        names = ElahaNames(simulation, bus, "plane")
        plane = simulation.robots["plane"]
        rest = plane.X_WB[:, :, 3].copy() - plane.p_WB
        step = np.radians(4.5)
        names._set_bones(floats(*np.tile([step, 0.0], 20)))
        plane.update()
        names.close()
    for first in (1, 11):
        at, angle = rest[first], 0.0
        out = np.sign(rest[first + 1, 1])
        for bone in range(first, first + 10):
            assert plane.X_WB[bone, :, 3] - plane.p_WB == pytest.approx(at, abs=1e-6)
            angle += step
            if bone < first + 9:
                # Each piece as it lies at rest, turned by all bends before it.
                along = rest[bone + 1] - rest[bone]
                length, slope = np.hypot(*along[1:]), np.arctan2(along[2], abs(along[1]))
                lie = slope + angle
                at = at + [along[0], out * length * np.cos(lie), length * np.sin(lie)]
    tips = plane.X_WB[[10, 20], 2, 3] - plane.p_WB[2]
    assert tips[0] == pytest.approx(tips[1], abs=1e-9) and (tips > 2.0).all()


def test_the_stick_of_the_page_goes_out(both):
    simulation, _, matlab = both
    heard = matlab.subscribe("/Joystick", "sensor_msgs/msg/Joy")

    def came():
        simulation.command("plane", BodyVelocity([5.0, 0, -20.0], 0.25))
        simulation.step()
        joy = heard.latest()
        return joy is not None and list(joy.value.axes) == [0.5, 0.0, -1.0, 0.25]

    eventually(came, 20)


def test_what_is_told_to_be_drawn_is_drawn_in_the_page(both):
    simulation, _, _ = both
    drawings = simulation.environment.drawings
    names = simulation.listeners[-1]
    names._add_thermal(floats(10, 20, 3, 50))
    names._add_vector(floats(1, 2, 3, 4, 0, 0))
    names._set_riding(floats(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2))
    simulation.place("plane", [5, 5, 5], [np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)])
    simulation.step()
    shown = {}
    for drawing in drawings.snapshot(0):
        shown.setdefault(drawing.owner, []).append(drawing)
    assert shown["elaha/vector"][0].p_W == pytest.approx(np.array([[1, 2, 3], [5, 2, 3]]))
    assert shown["elaha/riding"][0].p_W == pytest.approx(np.array([[5, 5, 5], [5, 6, 5], [5, 5, 6], [5, 5, 8]]))
    rings = [d for d in shown["elaha/thermal"] if d.kind == "line"]
    assert len(rings) == 7
    assert np.linalg.norm(rings[0].p_W[:, :2] - [10, 20], axis=1) == pytest.approx(50.0)
    names._set_riding(floats())
    simulation.step()
    assert not [d for d in drawings.snapshot(0) if d.owner == "elaha/riding"]


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
    # A bone on the right turns the other way, so that its outer end rises, too.
    side = -1.0 if plane.description.X_PB[1, 1, 3] < 0 else 1.0
    assert np.allclose(plane.X_bone[1, 2, 1], side * np.sin(0.1)) and np.allclose(plane.X_bone[2, 0, 2], np.sin(0.2))


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
