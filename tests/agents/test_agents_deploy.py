"""Agents that fly robots elsewhere: on the bus, and as clients of AirSim's port; the tutorial flies both to the end."""

import numpy as np
import pytest

from agents_rig import WORLD
from airsim_rig import served
from bus_rig import free_port
from serving import Serving
from volery.agents import (
    Agent,
    BusBody,
    BusWorld,
    Delivered,
    Land,
    MoveByVelocity,
    Returned,
    RotateToYaw,
    Takeoff,
    deploy_airsim,
    deploy_bus,
    heading,
)
from volery.bus.bus import Bus, BusConfig
from volery.bus.command_listener import CommandListener
from volery.bus.ros2 import Ros2Config
from volery.bus.run_publisher import RunPublisher
from volery.cli import main
from volery.errors import SimulationError, UnknownNameError
from volery.protocols.ros2.door import Ros2

EYE = "{type: lidar, rate: 10, columns: 60, frame: world}"
ROBOTS = f"""
robots:
  d1: {{type: simpleflight, physics: fleet, position: [3, 4, 0.1405], sensors: {{eye: {EYE}}}}}
  d2: {{type: simpleflight, physics: fleet, position: [0, 9, 0.1405]}}
"""


class Told(Serving):
    """A simulation on a bus of its own."""

    def __init__(self):
        super().__init__(WORLD + ROBOTS, "agents-bus", 8.0)
        self.endpoint = f"tcp/127.0.0.1:{free_port()}"
        self.bus = Bus(BusConfig(listen=[self.endpoint]))
        self.simulation.listeners += [
            RunPublisher(self.simulation, self.bus),
            CommandListener(self.simulation, self.bus),
        ]
        self.services = Ros2(self.simulation, self.loop, Ros2Config(description=False))
        self.services.attach(self.bus)
        self.start(self.services)

    def close(self):
        super().close()
        self.bus.close()


@pytest.fixture(scope="module")
def told():
    with Told() as told:
        yield told


def test_a_body_on_the_bus_takes_off_moves_turns_and_lands_in_exact_steps(told):
    bus = Bus(BusConfig(connect=[told.endpoint], node="tester"))
    body = BusBody(bus, "d1", "eye")
    world = BusWorld(bus, [body])
    robot = told.simulation.robots["d1"]

    def go(seconds):
        began = told.simulation.clock.now_ns
        for _ in range(round(seconds / 0.1)):
            felt = body.perceive()
            world.advance(0.1)
        assert told.simulation.clock.now_ns - began == round(seconds * 1e9)
        return felt

    body.apply(Takeoff())
    go(4.0)
    assert robot.p_WB == pytest.approx([3, 4, 2.14], abs=0.2)
    body.apply(MoveByVelocity([2.0, -1.0, 0.5], 3.0))
    state, lidar, pose, kinematics = go(2.0)
    assert robot.v_WB_W == pytest.approx([2.0, -1.0, 0.5], abs=0.2)
    assert not state.landed
    assert kinematics.v_WB_W == pytest.approx(robot.v_WB_W, abs=0.05)
    assert pose.p_WB == pytest.approx(robot.p_WB, abs=0.3), "of the step before"
    ground = lidar.points_W[lidar.points_W[:, 2] < 0.5]
    assert len(ground) > 20 and ground[:, 2] == pytest.approx(0.0, abs=0.05)
    go(3.0)
    assert np.linalg.norm(robot.v_WB_W) < 0.1, "after its time a body stays"
    body.apply(RotateToYaw(2.0))
    go(4.0)
    assert heading(robot.q_WB_wxyz) == pytest.approx(2.0, abs=0.06)
    # With another heading, velocities are still east and north.
    body.apply(MoveByVelocity([1.5, 0.5, 0.0], 2.0))
    go(1.5)
    assert robot.v_WB_W == pytest.approx([1.5, 0.5, 0.0], abs=0.2)
    body.apply(Land())
    assert not go(0.5)[0].landed
    assert go(12.0)[0].landed
    assert robot.p_WB[2] == pytest.approx(0.136, abs=0.02) and robot.joint_velocities == pytest.approx(np.zeros(4))
    world.release()
    body.close()
    bus.close()


class Hopper(Agent):
    """Up and down where it stands, and says so."""

    def decide(self, now):
        if self.errands and self.doing == "waits":
            self.doing = "up"
            self.wishes.append(Takeoff())
        elif self.doing == "up" and self.pose.p_WB[2] > 1.8:
            self.doing = "down"
            self.wishes.append(Land())
        elif self.doing == "down" and self.state.landed:
            self.doing = "waits"
            self.emit(Delivered(self.name, self.errands.popleft()))
            self.emit(Returned(self.name))


def test_errands_are_dealt_out_in_turn_and_flown_until_all_are_back(told):
    deployment = deploy_bus(Hopper, connect=told.endpoint, errands=[(1, 2), (3, 4), (5, 6)])
    assert [a.name for a in deployment.agents] == ["d1", "d2"]
    assert deployment.agents[1].base_W == pytest.approx([0, 9, 0], abs=0.05)
    deployment.fly(90.0)
    assert deployment.over
    done = [(e.sender, *e.target_W[:2]) for _, e in deployment.said if isinstance(e, Delivered)]
    assert sorted(done) == [("d1", 1, 2), ("d1", 5, 6), ("d2", 3, 4)]
    assert deployment.rows()[1][2:4] == ["2", "2"]
    deployment.close()


def test_time_goes_on_while_agents_think(told):
    deployment = deploy_bus(Hopper, connect=told.endpoint, robots=["d2"], errands=[(1, 2)])
    deployment.fly(120.0, strategy="realtime", period=0.02)
    assert deployment.over and not told.loop.paused
    deployment.close()


def test_robots_that_are_not_there_are_refused_with_what_is(told):
    with pytest.raises(UnknownNameError, match="did you mean 'd2'"):
        deploy_bus(Hopper, connect=told.endpoint, robots=["d22"])


def test_a_lidar_that_tells_points_in_its_own_frame_is_refused(told):
    told.ask(lambda: told.simulation.spawn("d3", {"type": "simpleflight", "sensors": {"lidar": {"type": "lidar"}}}))
    bus = Bus(BusConfig(connect=[told.endpoint], node="tester"))
    body = BusBody(bus, "d3")
    with pytest.raises(SimulationError, match="frame: world"):
        for _ in range(200):
            body.perceive()
            told.ask(lambda: None)
    body.close()
    bus.close()
    told.ask(lambda: told.simulation.remove("d3"))


def test_agents_behind_airsims_port_hop_with_the_clock_held(tmp_path):
    vehicles = {"A": {"VehicleType": "SimpleFlight", "X": 5}, "B": {"VehicleType": "SimpleFlight", "Y": 3}}
    with served({"SettingsVersion": 1.2, "SimMode": "Multirotor", "Vehicles": vehicles}, tmp_path) as server:
        deployment = deploy_airsim(Hopper, port=server.port, errands=[(0, 0), (1, 1)])
        assert deployment.agents[0].base_W[:2] == pytest.approx([0, 5], abs=0.01), "north is y"
        began = server.simulation.clock.now_ns
        deployment.fly(60.0)
        assert deployment.over
        assert (server.simulation.clock.now_ns - began) % 10_000_000 == 0
        assert server.simulation.robots["A"].p_WB[2] < 0.3
        assert not server.loop.paused, "time goes on afterwards"
        deployment.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fly curier --bus", "did you mean 'courier'"),
        ("fly courier --airsim 127.0.0.1:1", "no server answers"),
        ("fly courier --airsim here", "HOST:PORT"),
        ("fly courier --airsim 127.0.0.1:1 --errand 3", "EAST,NORTH"),
    ],
)
def test_a_command_that_cannot_be_says_why(words, said, capsys):
    assert main(words.split()) == 1
    assert said in capsys.readouterr().err
