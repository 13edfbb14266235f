"""Agents as an ordinary client of an AirSim server, over TCP, with a client of our own."""

import contextlib
import socket
import threading

import msgpack
import numpy as np
import pytest

from airsim_rig import served
from volery.agents.airsim import AirSimBody, AirSimWorld
from volery.agents.controller import Controller, FixedStep, RealTime
from volery.agents.courier import Courier
from volery.agents.events import Assigned, Notice
from volery.agents.influences import MoveByVelocity, RotateToYaw, Takeoff
from volery.agents.reactive import ReachLocation
from volery.agents.rpc import RpcClient
from volery.errors import SimulationError


def settings(count, **lidar):
    """Vehicles D0, D1, … two metres apart to the north, each with a lidar."""
    lidar = {
        "SensorType": 6, "Enabled": True, "NumberOfChannels": 9, "RotationsPerSecond": 10, "PointsPerSecond": 10_800,
        "VerticalFOVUpper": 32, "VerticalFOVLower": -32, "Range": 25, **lidar,
    }  # fmt: skip
    vehicle = {"VehicleType": "SimpleFlight", "Y": 0, "Z": 0, "Sensors": {"Lidar": lidar}}
    vehicles = {f"D{i}": {**vehicle, "X": 2 * i} for i in range(count)}
    return {"SettingsVersion": 1.2, "SimMode": "Multirotor", "Vehicles": vehicles}


@pytest.fixture
def connected(tmp_path):
    """A function that starts a server with so many drones, and gives it and a client."""
    with contextlib.ExitStack() as stack:

        def connect(count, **lidar):
            server = stack.enter_context(served(settings(count, **lidar), tmp_path))
            client = RpcClient(port=server.port)
            stack.callback(client.close)
            return server, client

        yield connect


@pytest.mark.parametrize("frame", [pytest.param("VehicleInertialFrame", marks=pytest.mark.slow), "SensorLocalFrame"])
def test_perceptions_are_in_one_world_for_all_vehicles(connected, frame):
    server, client = connected(2, DataFrame=frame)
    bodies = [AirSimBody(client, name, frame=frame) for name in ("D0", "D1")]
    world = AirSimWorld(client, "D0")
    for body in bodies:
        body.apply(Takeoff())
    world.advance(6.0)
    bodies[1].apply(RotateToYaw(0.5))
    world.advance(4.0)
    for body, base in zip(bodies, ([0, 0], [0, 2]), strict=True):
        body.expect()
        state, lidar, pose, kinematics = body.perceive()
        robot = server.simulation.robots[body.name]
        assert not state.landed
        assert pose.p_WB == pytest.approx(robot.p_WB, abs=0.01)
        assert pose.p_WB[:2] == pytest.approx(base, abs=0.2)
        assert np.abs(pose.q_WB_wxyz @ robot.q_WB_wxyz) == pytest.approx(1.0, abs=1e-4)
        assert kinematics.v_WB_W == pytest.approx(robot.v_WB_W, abs=0.01)
        ground = lidar.points_W[lidar.points_W[:, 2] < 0.3]
        assert len(ground) > 50 and ground[:, 2] == pytest.approx(0.0, abs=0.06)


def test_influences_fly_the_vehicle(connected):
    server, client = connected(1)
    body, world = AirSimBody(client, "D0"), AirSimWorld(client, "D0")
    body.apply(Takeoff())
    world.advance(6.0)
    body.apply(MoveByVelocity([2.0, -1.0, 0.5], 2.0))
    world.advance(1.9)
    assert server.simulation.robots["D0"].v_WB_W == pytest.approx([2.0, -1.0, 0.5], abs=0.2)


def test_couriers_deliver_through_the_servers_door_with_the_clock_held(connected):
    server, client = connected(2)
    bodies = [AirSimBody(client, name) for name in ("D0", "D1")]
    agents = [Courier("D0", np.zeros(3), 0), Courier("D1", np.array([0.0, 2.0, 0.0]), 1)]
    for agent, target in zip(agents, ([12.0, 4.0, 0.0], [6.0, -9.0, 0.0]), strict=True):
        agent.hear(Assigned(np.array(target)))
    controller, said = Controller(agents, bodies), []
    controller.hearers.append(lambda e: isinstance(e, Notice) or said.append((type(e).__name__, e.sender)))
    touched = set()
    server.simulation.listeners.append(
        lambda s: touched.update(c.other for n in ("D0", "D1") for c in s.robots[n].contacts or ())
    )
    world = AirSimWorld(client, "D0")
    FixedStep(controller, world).run(80, until=lambda: sum(kind == "Returned" for kind, _ in said) == 2)
    assert sorted(said) == sorted((k, n) for k in ("Delivered", "Returned") for n in ("D0", "D1"))
    assert touched == {"Ground"}
    assert agents[1].pose.p_WB[:2] == pytest.approx([0, 2], abs=0.5)
    assert world.now_ns % 10_000_000 == 0, "exact steps"
    world.release()


def test_the_reports_behaviour_flies_through_the_door_in_real_time(connected):
    server, client = connected(1, Pitch=-145, NumberOfChannels=5, PointsPerSecond=1000, Range=5)
    agent = ReachLocation("D0", np.zeros(3))
    agent.hear(Assigned(np.array([15.0, 5.0, 0.0])))
    controller = Controller([agent], [AirSimBody(client, "D0")])
    there = threading.Event()
    controller.hearers.append(lambda e: there.set())
    real = RealTime(controller, lambda: server.simulation.clock.now_ns, 0.05)
    real.start()
    reached = there.wait(timeout=90)
    real.stop()
    assert reached
    assert server.simulation.robots["D0"].p_WB[:2] == pytest.approx([15, 5], abs=2.0)


def test_what_the_server_refuses_is_an_error_that_says_why(connected):
    _, client = connected(1)
    with pytest.raises(SimulationError, match="noSuchMethod"):
        client.call("noSuchMethod")
    with pytest.raises(SimulationError, match="D7"):
        AirSimBody(client, "D7")
    with pytest.raises(SimulationError, match="DataFrame"):
        AirSimBody(client, "D0", frame="World")
    assert client.call("ping") is True


def test_nobody_at_the_port_is_an_error_that_says_so():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SimulationError, match=f"no server answers at 127.0.0.1:{port}"):
        RpcClient(port=port)


def test_answers_in_any_order_and_a_server_that_hangs_up():
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        peer, _ = listener.accept()
        reader, requests = msgpack.Unpacker(), []
        while len(requests) < 3:
            reader.feed(peer.recv(4096))
            requests += list(reader)
        for _, number, method, arguments in (requests[1], requests[0]):
            peer.sendall(msgpack.packb([1, number, None, [method, *arguments]]))
        peer.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    client = RpcClient(port=listener.getsockname()[1])
    asked = [client.ask("first", 1), client.ask("second", 2), client.ask("third")]
    assert asked[0].result(5) == ["first", 1] and asked[1].result(5) == ["second", 2]
    with pytest.raises(SimulationError, match="closed the connection"):
        asked[2].result(5)
    with pytest.raises(SimulationError, match="closed the connection"):
        client.ask("fourth")
    client.close()
    listener.close()
