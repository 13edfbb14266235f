"""Agents in a small world, flown in-process with the clock that waits."""

import numpy as np

from volery.agents.body import Body
from volery.agents.controller import Controller
from volery.agents.events import Assigned, KinematicsPerception, Notice, PosePerception, StatePerception
from volery.agents.reaction import Standing
from volery.agents.referee import Referee
from volery.agents.simulated import SimulatedBody
from volery.scenario import read_scenario
from volery.sim import Simulation

WORLD = """
world: empty
seed: 3
step: 0.02
channels: {obstacles: ["[!Gd]*"]}
engines: {fleet: {crash_speed: 0}}
"""


def empty_world(walls=()):
    """A plain with walls: each (x, y, z, length, width, height) [m], the middle of its foot."""
    simulation = Simulation(read_scenario(WORLD, name="agents-test"))
    for i, (x, y, z, *size) in enumerate(walls):
        X = np.column_stack([np.diag(size), [x, y, z + size[2] / 2]])
        simulation.alter("make", f"wall{i}", "1M_Cube", X)
    return simulation


def body_state(p, v=(0, 0, 0), landed=False):
    """How a body is, for laws."""
    return Standing(np.array(p, float), np.array(v, float), landed)


class Still(Body):
    """Stands where it is and notes what it is to do."""

    def __init__(self, name, place):
        super().__init__(name)
        self.place, self.done = np.array(place, float), []

    def perceive(self):
        zero = np.zeros(3)
        return [
            StatePerception(0, False, False, False),
            PosePerception(0, self.place, np.array([1.0, 0, 0, 0])),
            KinematicsPerception(0, zero, zero),
        ]

    def apply(self, influence):
        self.done.append(influence)


class Flight:
    """Agents, each with a target, and a referee."""

    def __init__(self, simulation, behaviour, errands, laws=()):
        """errands: pairs of base and target [m]; laws: of the reaction."""
        self.simulation = simulation
        self.names = [f"drone{i + 1}" for i in range(len(errands))]
        for name, (base, _) in zip(self.names, errands, strict=True):
            data = {"type": "simpleflight", "position": [base[0], base[1], 0.1405]}
            sensors = {"lidar": behaviour.lidar} if behaviour.lidar else {}
            simulation.spawn(name, {**data, "sensors": sensors})
        self.agents = [
            behaviour(n, np.array([*b, 0.0]), i) for i, (n, (b, _)) in enumerate(zip(self.names, errands, strict=True))
        ]
        for agent, (_, target) in zip(self.agents, errands, strict=True):
            agent.hear(Assigned(np.array([*target, 0.0])))
        lidar = "lidar" if behaviour.lidar else ""
        self.bodies = [SimulatedBody(simulation, n, lidar) for n in self.names]
        self.controller = Controller(self.agents, self.bodies, laws=laws)
        self.said = []
        self.controller.hearers.append(
            lambda e: isinstance(e, Notice) or self.said.append((type(e).__name__, e.sender))
        )
        self.referee = Referee(self.names, "Ground", 0.0)
        simulation.controllers.append(self._control)
        simulation.listeners.append(self.referee.watch)

    def _control(self, simulation):
        if simulation.clock.steps % 5 == 0:
            self.controller.cycle(simulation.clock.now_ns)
        for body in self.bodies:
            body.control()

    def run(self, seconds, until=lambda: False):
        end = self.simulation.clock.now + seconds
        while self.simulation.clock.now < end and not until():
            self.simulation.step()

    def home(self):
        return sum(kind == "Returned" for kind, _ in self.said) == len(self.names)
