"""`volery fly`: agents that fly robots of a simulation elsewhere."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from volery.errors import SimulationError

if TYPE_CHECKING:
    from volery.agents.agent import Agent
    from volery.agents.deploy import Deployment

__all__ = ["fly"]


def fly(options: argparse.Namespace) -> int:
    """Fly until all errands are done, or the time is over; 1 if errands are left."""
    from volery.agents.library import add_behaviour, behaviour
    from volery.report import plain

    chosen = behaviour(add_behaviour(options.agent))
    deployment = _deploy(chosen, options)
    try:
        print(f"{len(deployment.agents)} agents: {', '.join(a.name for a in deployment.agents)}", flush=True)
        deployment.fly(options.duration, strategy=options.strategy, period=options.period)
        print(plain.live_table({}, deployment.rows()), flush=True)
        return 0 if deployment.over or not options.errand else 1
    finally:
        deployment.close()


def _deploy(behaviour: type[Agent], options: argparse.Namespace) -> Deployment:
    from volery.agents.deploy import deploy_airsim, deploy_bus
    from volery.bus.bus import DEFAULT_ENDPOINT

    errands = [_place(text) for text in options.errand or ()]
    names = options.robots.split(",") if options.robots else ()
    if options.bus is not None:
        lidar = options.lidar or "lidar"
        return deploy_bus(
            behaviour, connect=options.bus or DEFAULT_ENDPOINT, robots=names, lidar=lidar, errands=errands
        )
    host, _, port = (options.airsim or "127.0.0.1:41451").rpartition(":")
    if not port.isdigit():
        raise SimulationError(f"--airsim {options.airsim}: write HOST:PORT, such as 127.0.0.1:41451")
    return deploy_airsim(
        behaviour, host=host or "127.0.0.1", port=int(port), vehicles=names, lidar=options.lidar or "", errands=errands
    )


def _place(text: str) -> tuple[float, float]:
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        raise SimulationError(f"--errand {text}: write EAST,NORTH in metres, such as 20,-5") from None
    return x, y
