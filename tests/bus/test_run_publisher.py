"""A robot's topics are made once, also if parameters change in the step in which a sensor tells for the first time."""

from dataclasses import dataclass

import numpy as np

from volery import registry
from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.scenario import read_scenario
from volery.sensors.sensor import Sensor, SensorConfig
from volery.sim import Simulation


@dataclass(frozen=True)
class TickerConfig(SensorConfig):
    """Late enough that steps come before its first reading."""

    phase: float = 0.1


class Ticker(Sensor):
    """A sensor that does not say what it tells. Reading: seconds [1]."""

    Config = TickerConfig

    def sense(self, now_ns):
        return {"seconds": np.array([now_ns / 1e9])}


registry.add("sensors", "ticker", f"{__name__}:Ticker")


def test_parameters_may_change_when_a_sensor_tells_first():
    simulation = Simulation(read_scenario("step: 0.02\nworld: empty"))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        simulation.run(1)
        simulation.spawn("P2AT", {"type": "p2at", "position": [0, 0, 1], "sensors": {"clock": "ticker"}})
        simulation.run(1)
        assert {"/P2AT/HeadLight/lit", "/P2AT/HeadLight/intensity"} <= set(bus.publishers)
        # What the ticker tells is known by its first reading only, which comes in one of the next steps.
        assert "/P2AT/clock/seconds" not in bus.publishers
        for i in range(10):
            simulation.set("environment.weather.fog", 0.1 + 0.01 * i)
            simulation.run(1)
        assert bus.publishers["/P2AT/clock/seconds"].message_type == "std_msgs/msg/Float64MultiArray"
        simulation.remove("P2AT")
        simulation.run(1)
        assert not [topic for topic in bus.publishers if topic.startswith("/P2AT")]
        run_publisher.close()
