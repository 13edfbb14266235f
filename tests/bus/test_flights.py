"""The flights of the built-in scenarios: no robot touches the world on its way."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from volery.built_in import built_in_scenarios
from volery.scenario import load_scenario
from volery.sim import Simulation
from volery.world.chunks import Streaming

FLIGHTS = [(name, robot) for name in built_in_scenarios() for robot, plan in load_scenario(name).robots.items()
           if plan.engine == "kinematic" and {"path", "along"} & (plan.data.get("motion") or {}).keys()]  # fmt: skip
STEP = 0.1
"""Between places that are looked at [m]: nothing thinner hides, since the clearance is that of a ball."""
PIECE = 100
"""Places looked at from one stand of the streamed world."""


def way(motion):
    """Places along a path, [n, 3]."""
    path = np.array(motion["path"], float)
    path = path if motion.get("loop", True) is False else np.vstack([path, path[:1]])
    parts = [a + (b - a) * np.arange(0, 1, STEP / max(np.linalg.norm(b - a), STEP))[:, None]
             for a, b in pairwise(path)]  # fmt: skip
    return np.concatenate([*parts, path[-1:]])


def test_there_are_flights_in_all_worlds():
    worlds = {load_scenario(name).world_type for name, _ in FLIGHTS}
    assert {"arena", "blocks", "cave", "forest", "hills", "ruin", "silo", "warehouse"} <= worlds


@pytest.mark.parametrize(("name", "flyer"), FLIGHTS)
def test_a_flight_keeps_clear_of_the_world(name, flyer):
    scenario = load_scenario(name)
    scenario = replace(scenario, file=replace(scenario.file, streaming=Streaming(visible=40.0, ahead=0.0, detail=())))
    sim = Simulation(scenario)
    robot = sim.robot(flyer)
    shapes = [mesh.vertices @ X[:, :3].T + X[:, 3] for mesh, X in zip(
        robot.description.shapes.values(), robot.X_WB[list(robot.description.shapes)], strict=True)]  # fmt: skip
    reach = np.linalg.norm(np.concatenate(shapes) - robot.p_WB, axis=1).max()
    # As it was found in this world.
    places = way(dict(sim.state()["plans"])[flyer]["motion"])
    for i in range(0, len(places), PIECE):
        part = places[i : i + PIECE]
        if sim.streamer is not None:
            sim.streamer.follow([part[0], part[-1]])
        _, distance, number = sim.scene.closest_point(part, max_distance=5.0, ignore=flyer)
        worst = int(np.argmin(distance))
        met = sim.scene.object_name(int(number[worst])) if number[worst] >= 0 else "nothing"
        assert distance[worst] > reach + STEP / 2, f"{distance[worst]:.2f} m from {met} at {part[worst].round(2)}"
