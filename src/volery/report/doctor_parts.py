"""What the doctor tries of Volery itself: rays, kernels, models, the bus, the page, and a step."""

from __future__ import annotations

import time
from importlib import metadata
from pathlib import Path

import numpy as np

import volery
from volery.errors import LibraryError

__all__ = ["bus", "kernels", "models", "page", "rays", "step"]

_RAYS = 4096
"""Enough that all threads cast."""


def rays() -> str:
    """Rays of a known length, on all threads."""
    from volery.core.geometry import plane
    from volery.world.scene.scene import Scene
    from volery.world.world import Placement

    scene = Scene()
    scene.add(Placement.one("ground", plane(10.0)))
    down = np.tile([0.0, 0.0, -1.0], (_RAYS, 1))
    distance = scene.cast([0.1, 0.2, 3.0], down).distance
    if not np.allclose(distance, 3.0, atol=1e-5):
        wrong = distance[~np.isclose(distance, 3.0, atol=1e-5)][0]
        raise LibraryError(f"a ray of 3 m was measured as {wrong} m: pip install --force-reinstall embreex")
    return f"{_RAYS:,} rays of 3 m are 3 m"


def kernels() -> str:
    """Whether the native core is loaded, and how long a cast takes."""
    from volery.core.parallel import threads

    rays()
    began = time.perf_counter()
    rays()
    return f"{threads()} threads, {_RAYS:,} rays in {(time.perf_counter() - began) * 1e3:.1f} ms"


def models() -> str:
    """Whether a robot's model can be read."""
    import mujoco

    from volery.robots.library import load_robot_file

    bodies = load_robot_file("quad").description().bodies
    return f"MuJoCo {mujoco.__version__}, 'quad' has {len(bodies)} bodies"


def bus() -> str:
    """Whether a message comes through."""
    from volery.bus.bus import Bus, BusConfig
    from volery.bus.types import message_class

    kind = "std_msgs/msg/String"
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"], node="volery_doctor")) as found:
        subscriber = found.subscribe("/doctor", kind, depth=1)
        publisher = found.advertise("/doctor", kind)
        publisher.put(message_class(kind)(data="well"), 1)
        message = subscriber.wait_next(10.0)
    if message is None or message.value.data != "well":
        raise LibraryError("a message over loopback did not come: does a firewall or VPN block 127.0.0.1?")
    return f"Zenoh {metadata.version('eclipse-zenoh')}, a message came through"


def page() -> str:
    """Whether the built page is in the package."""
    file = Path(volery.__file__).parent / "viewer" / "page" / "index.html"
    if not file.exists():
        raise LibraryError(f"{file} is missing: reinstall Volery, or `npm run build` in src/volery/viewer/web")
    return "there"


def step() -> str:
    """A drone that hovers a moment."""
    from volery.scenario import read_scenario
    from volery.sim import Simulation

    scenario = read_scenario("world: empty\nrobots: {uav1: {type: quad, physics: fleet, position: [0, 0, 5]}}")
    simulation = Simulation(scenario)
    simulation.run(20)
    if not 4.5 < simulation.robots["uav1"].p_WB[2] < 5.5:
        raise LibraryError("a hovering drone does not hover: pip install --force-reinstall volery")
    return f"state {simulation.state_hash()[:12]} after {simulation.clock.now:g} s"
