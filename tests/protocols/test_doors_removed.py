"""Robots that are taken out under their clients, at every door: the run goes on, and each client hears of it."""

import argparse
import threading
import time

import pytest

from serving import Serving, until
from volery.commands.doors import open_doors
from volery.commands.served import _ports
from volery.tools.bench.door_clients import HONEST

WORLD = """
seed: 1
step: 0.01
world: {type: blocks, count: 20}
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
robots:
  pushed: {type: quad, physics: fleet, position: [20, 20, 5], sensors: {scanner: off}}
protocols:
  airsim: {port: 0, settings: none}
  ueds: {port: 0, thesis_port: null, drone_port: 0}
  gamebots: {port: 0, image_port: 0, starts: {S6: [-60, 0, 0.5, 0], S7: [-60, 8, 0.5, 0]}}
  mocap: {port: 0}
  control: {links: {pushed: {port: 0, rotors: true}}}
"""


class Doors(Serving):
    """A run with many doors."""

    def __init__(self, folder):
        super().__init__(WORLD, "removed", 1.0)
        self.doors = open_doors(self.simulation, self.loop, argparse.Namespace(out=str(folder)))
        self.ports = _ports(self.doors)
        self._thread.start()

    def close(self):
        self.loop.stop()
        self._thread.join(timeout=30)
        for door in self.doors:
            door.close()
        assert self.failure is None, f"the loop ended: {self.failure!r}"


@pytest.fixture
def run(tmp_path):
    with Doors(tmp_path) as running:
        yield running


class Guest:
    """An honest client of some kind, in a thread: it calls until something is wrong."""

    def __init__(self, ports, kind):
        self.calls, self.error, self._ended = 0, None, False
        self._thread = threading.Thread(target=self._live, args=(ports, kind), daemon=True)
        self._thread.start()

    def _live(self, ports, kind):
        try:
            call = HONEST[kind](ports, kind)
            while not self._ended:
                try:
                    call()
                    self.calls += 1
                except RuntimeError as error:
                    # UEds refuses what takes too long, and a machine may be busy.
                    if "UEds refused" not in str(error):
                        raise
                time.sleep(0.01)
        except Exception as error:
            self.error = error

    def end(self):
        self._ended = True
        self._thread.join(timeout=15.0)


def test_robots_go_under_their_clients_at_every_door(run):
    guests = [Guest(run.ports, kind) for kind in range(len(HONEST))]
    for guest in guests:
        until(lambda g=guest: g.calls > 3 or g.error, 60.0)
        assert guest.error is None
    names = run.ask(lambda: list(run.simulation.robots))
    assert len(names) >= 6
    for name in names:
        run.ask(lambda n=name: run.simulation.robots.get(n) and run.simulation.remove(n))
        steps = run.simulation.clock.steps
        until(lambda s=steps: run.simulation.clock.steps > s + 5)
        assert run.failure is None
    time.sleep(0.5)
    for guest in guests:
        guest.end()
    assert run.failure is None
    # Who is not told of a robot of its own goes on; others get an error, or nothing, and no client is half served.
    for kind in (0, 3):
        assert guests[kind].error is None
    again = [Guest(run.ports, kind) for kind in (0, 1, 2, 3, 4, 5, 6, 8)]
    for guest in again:
        until(lambda g=guest: g.calls > 3 or g.error, 60.0)
        assert guest.error is None, guest.error
        guest.end()


def test_a_reset_under_all_clients_changes_the_world_and_nothing_else(run):
    guests = [Guest(run.ports, kind) for kind in (0, 1, 2, 3, 4, 5, 8, 9)]
    for guest in guests:
        until(lambda g=guest: g.calls > 3 or g.error, 60.0)
    for _ in range(3):
        run.ask(run.simulation.reset)
        time.sleep(0.2)
    counts = [guest.calls for guest in guests]
    for guest, count in zip(guests, counts, strict=True):
        until(lambda g=guest, c=count: g.calls > c + 3 or g.error, 60.0)
        assert guest.error is None, guest.error
        guest.end()
    assert run.failure is None
