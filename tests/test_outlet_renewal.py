"""A robot's topics are made once, also if parameters change in the step in which a sensor tells for the first time."""

from volery.bus.bus import Bus, BusConfig
from volery.bus.outlet import Outlet
from volery.scenario import read_scenario
from volery.sim import Simulation


def test_parameters_may_change_when_a_sensor_tells_first():
    simulation = Simulation(read_scenario("step: 0.02\nworld: empty"))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        outlet = Outlet(simulation, bus)
        simulation.listeners.append(outlet)
        simulation.run(1)
        simulation.spawn("P2AT", {"type": "p2at", "position": [0, 0, 1]})
        simulation.run(1)
        # The topics of its headlight are known by the first reading only, which comes in one of the next steps.
        assert "/P2AT/HeadLight/lit" not in bus.publishers
        for i in range(10):
            simulation.set("environment.weather.fog", 0.1 + 0.01 * i)
            simulation.run(1)
        assert {"/P2AT/HeadLight/lit", "/P2AT/HeadLight/intensity"} <= set(bus.publishers)
        simulation.remove("P2AT")
        simulation.run(1)
        assert not [topic for topic in bus.publishers if topic.startswith("/P2AT")]
        outlet.close()
