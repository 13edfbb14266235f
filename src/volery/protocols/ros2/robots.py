"""Controls of sensors as services: /uav1/rgbd/take_picture, /uav1/odometry/reset, by std_srvs/Trigger."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

from volery.bus.services import ServiceServer
from volery.core.clock import SECOND
from volery.protocols.ros2.answers import Desk
from volery.sensors.controls import controls_of
from volery.sensors.sensor import Sensor
from volery.sim import Simulation

__all__ = ["SensorTriggers"]

_PICTURE = "take_picture"


class SensorTriggers:
    """The controls of one robot's sensors that need no arguments. A picture is answered when it is there."""

    def __init__(self, simulation: Simulation, desk: Desk, robot: str) -> None:
        self._simulation, self._desk, self._robot = simulation, desk, robot
        self._kinds: dict[str, type[Sensor]] = {}
        self._services: dict[str, list[ServiceServer]] = {}
        self._waiting: dict[str, list[Future[str]]] = {}
        self(simulation)

    def __call__(self, simulation: Simulation) -> None:
        """Follow sensors that come, go or become others, and answer for pictures that were taken."""
        sensors = simulation.sensors.get(self._robot, {})
        kinds = {name: type(sensor) for name, sensor in sensors.items()}
        if kinds != self._kinds:
            self._renew(kinds)
        if self._waiting:
            for robot, name, reading in simulation.fresh:
                if robot == self._robot:
                    for future in self._waiting.pop(name, ()):
                        future.set_result(f"taken at {reading.stamp_ns / SECOND:.9f} s, on /{robot}/{name}/image_raw")

    def close(self) -> None:
        """Answer no more."""
        self._renew({})

    def _renew(self, kinds: dict[str, type[Sensor]]) -> None:
        for name in [n for n, kind in self._kinds.items() if kinds.get(n) is not kind]:
            for service in self._services.pop(name, ()):
                service.close()
            for future in self._waiting.pop(name, ()):
                future.cancel()
        for name in [n for n, kind in kinds.items() if self._kinds.get(n) is not kind]:
            known = [c.name for c in controls_of(kinds[name]).values() if c.required == 0]
            self._services[name] = [
                self._desk.trigger(f"/{self._robot}/{name}/{control}", partial(self._work, name, control))
                for control in known
            ]
        self._kinds = kinds

    def _work(self, sensor: str, control: str) -> Any:
        found = self._simulation.operate(self._robot, sensor, control)
        if control == _PICTURE:
            future: Future[str] = Future()
            self._waiting.setdefault(sensor, []).append(future)
            return future
        return "" if found is None else str(found)
