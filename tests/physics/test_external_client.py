"""The client of external physics: started first or last, stalled, left alone, and with velocities that nobody gave."""

import logging
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus.bus import Bus, BusConfig
from volery.bus.link import BusLink
from volery.client import Client
from volery.core.frames import quat_from_vector, quat_multiply
from volery.errors import BusError
from volery.physics.packets import StatePacket
from volery.scenario import read_scenario
from volery.sim import Simulation

SCENARIO = """
world: empty
engines: {{external: {{exchange: {exchange}, timeout: 0.3, gone: hold}}}}
robots: {{uav1: {{type: probe, physics: external, position: [0, 0, 5], sensors: {{scanner: off}}}}}}
"""
MODULE = """
import sys
from volery.client import Client
with Client("uav1", sys.argv[1]) as robot:
    for state in robot.states():
        robot.move(state, state.p_WB + [0.01, 0, 0], state.q_WB_wxyz)
"""


class Run:
    """A simulation on a bus, stepped by a thread at about 100 Hz while it is not held."""

    def __init__(self, address, exchange="free"):
        self.bus = Bus(BusConfig(listen=[address]))
        self.simulation = Simulation(read_scenario(SCENARIO.format(exchange=exchange)))
        self.simulation.connect("external", BusLink(self.bus))
        self.going, self.over = threading.Event(), threading.Event()
        self.going.set()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def x(self):
        return float(self.simulation.robots["uav1"].p_WB[0])

    def _run(self):
        while not self.over.is_set():
            if self.going.wait(0.05):
                self.simulation.step()
                time.sleep(0.01)

    def close(self):
        self.over.set()
        self.thread.join(10)
        self.bus.close()


class Module:
    """The client in a process of its own, and what it said."""

    def __init__(self, address):
        self.process = subprocess.Popen([sys.executable, "-c", MODULE, address], stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line)

    def said(self, words):
        return [line for line in self.lines if words in line]

    def close(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


@pytest.fixture
def made():
    things = []

    def make(thing):
        things.append(thing)
        return thing

    yield make
    for thing in reversed(things):
        thing.close()


@pytest.mark.parametrize("exchange", ["free", "lockstep"])
def test_started_first_it_says_what_it_waits_for_and_flies_when_that_comes(exchange, made):
    address = f"tcp/127.0.0.1:{free_port()}"
    module = made(Module(address))
    eventually(lambda: module.said(f"waiting for the simulation at {address}"), 30)
    run = made(Run(address, exchange))
    eventually(lambda: run.x > 0.2, 30)
    assert module.process.poll() is None
    assert len(module.said("waiting for the simulation")) < 5, "rarely repeated"


def test_started_last_it_stalls_and_comes_back(made, caplog):
    """Stopped by a signal and let go on; then the simulation stands still and goes on."""
    address = f"tcp/127.0.0.1:{free_port()}"
    with caplog.at_level(logging.WARNING, logger="volery"):
        run = made(Run(address))
        time.sleep(0.3)
        module = made(Module(address))
        eventually(lambda: run.x > 0.1, 30)
        module.process.send_signal(signal.SIGSTOP)
        eventually(lambda: "steps went unanswered so far" in caplog.text, 30)
        time.sleep(0.5)
        module.process.send_signal(signal.SIGCONT)
        eventually(lambda: module.said("went unanswered; going on"), 30)
        eventually(lambda: "the other side is back" in caplog.text, 30)
        before = run.x
        eventually(lambda: run.x > before + 0.1, 30)
    (line,) = module.said("went unanswered; going on")
    assert int(line.split("': ")[1].split(" steps")[0]) > 20
    run.going.clear()
    eventually(lambda: module.said("no state came"), 30)
    run.going.set()
    eventually(lambda: module.said("states come again"), 30)
    before = run.x
    eventually(lambda: run.x > before + 0.1, 30)
    assert len(module.said("no state came")) == 1
    assert len(module.said("velocities are not given")) == 1


def test_one_that_waits_for_so_long_gives_up_with_the_reason():
    with pytest.raises(BusError, match="nobody answers"):
        Client("uav1", f"tcp/127.0.0.1:{free_port()}", wait=0.0)


# Inside


class Told:
    """States that come at once, and answers that go nowhere."""

    def __init__(self, states):
        self.waiting, self.sent = list(states), []

    def wait_next(self, timeout):
        if not self.waiting:
            return None
        state = self.waiting.pop(0)
        return SimpleNamespace(value=SimpleNamespace(data=state.encode()))

    def put(self, *_):
        pass


def state(step, p=(0.0, 0.0, 0.0)):
    zero = np.zeros(3)
    return StatePacket("a", step, step * 10_000_000, np.array(p), np.array([1.0, 0, 0, 0]), zero, zero, zero, zero[:0])


def client(states):
    """One whose bus is a list."""
    made = Client.__new__(Client)
    told = Told(states)
    made.robot, made._where, made._states, made._answers = "a", "here", told, told
    made._answer = made._seen = None
    made._missed = made._told = 0
    made._derives = False
    return made


def test_velocities_that_are_not_given_are_those_of_successive_poses(caplog):
    robot, turn = client([]), quat_from_vector(np.array([0.0, 0.0, 0.02]))
    q, answers = np.array([np.cos(0.3), np.sin(0.3), 0, 0]), []
    for k in range(1, 5):
        q = quat_multiply(turn, q)
        robot.move(state(2 * k), np.array([0.03 * k, 0, 1.0]), -q if k % 2 else q)
        answers.append(robot._answer)
    assert not answers[0].v_WB_W.any() and not answers[0].w_WB_W.any(), "nothing is known of before"
    for answer in answers[1:]:
        assert answer.v_WB_W == pytest.approx([1.5, 0, 0]) and answer.w_WB_W == pytest.approx([0, 0, 1.0])
    robot.move(state(10), np.zeros(3), q, v_WB_W=[7, 0, 0])
    assert robot._answer.v_WB_W.tolist() == [7, 0, 0] and robot._answer.w_WB_W == pytest.approx([0, 0, 0], abs=1e-12)
    robot.move(state(1), np.ones(3), q)
    assert not robot._answer.v_WB_W.any(), "the run was begun anew"
    assert caplog.text.count("velocities are not given") == 1


def test_steps_that_were_not_answered_are_counted_once_an_episode(caplog):
    robot = client([state(k) for k in (1, 2, 3, 90, 91, 200, 201, 5, 6)])
    assert [robot.state(0.0).step for _ in range(9)] == [1, 2, 3, 90, 91, 200, 201, 5, 6]
    counts = [r.args[1] for r in caplog.records if "going on" in r.msg]
    assert counts == [86, 108], "a run that is begun anew has lost nothing"
    caplog.clear()
    robot = client([state(k) for k in range(1, 901, 3)])
    for _ in range(300):
        robot.state(0.0)
    (line,) = [r.getMessage() for r in caplog.records]
    assert "100 of 151 steps" in line or "100 of 150 steps" in line


def test_an_iteration_that_ends_by_its_timeout_says_so(caplog):
    robot = client([state(1), state(2)])
    assert [s.step for s in robot.states(timeout=0.0)] == [1, 2]
    assert "the iteration ends" in caplog.text
