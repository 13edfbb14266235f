"""A simulation that runs in a thread for the time of a test, with a protocol's door."""

import threading
import time

from volery.loop import Loop, RealTimePace
from volery.scenario import read_scenario
from volery.sim import Simulation


def until(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.01)


class Serving:
    """The base of the protocols' rigs: give it a world, then a door, then start it."""

    def __init__(self, world, name, speed):
        self.simulation = Simulation(read_scenario(world, name=name))
        self.loop = Loop(self.simulation, RealTimePace(speed))
        self.door = None
        self.failure = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self, door):
        self.door = door
        door.start()
        self._thread.start()

    def _run(self):
        try:
            self.loop.run()
        except BaseException as error:
            self.failure = error
            raise

    def ask(self, function):
        """A question to the simulation, answered by its loop."""
        return self.simulation.ask(function).result(timeout=60)

    def settled(self):
        """Everything that clients asked for is done."""
        while self.ask(lambda: self.simulation._requests.waiting):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.loop.stop()
        self._thread.join(timeout=30)
        self.door.close()
        assert self.failure is None, f"the loop ended: {self.failure!r}"
