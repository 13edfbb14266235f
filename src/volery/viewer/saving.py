"""What stands now as a scenario file: the run's own, with robots, parameters of the world and weather as they are."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import yaml

from volery.core.frames import euler_from_quat
from volery.core.yaml import parse_yaml
from volery.sim import Simulation

__all__ = ["scenario_text"]

_DIGITS = 3


def scenario_text(simulation: Simulation) -> str:
    """A scenario that begins with what stands now; in the loop. Missions and protocols stay as they were given."""
    data, _ = parse_yaml(simulation.scenario.text, simulation.scenario.name)
    data = {**(data or {}), "seed": simulation.seed}
    state = simulation.state()
    if state["world"]:
        data["world"] = simulation.scenario.world_with(state["world"])
    data["weather"] = asdict(simulation.environment.weather)
    brought = set(simulation.world.movables())
    data["robots"] = {name: _entry(simulation, name, entry) for name, entry in state["plans"] if name not in brought}
    head = f"# What stood after {simulation.clock.now:.2f} s of {simulation.scenario.name}, seed {simulation.seed}.\n"
    return head + yaml.safe_dump(_plain(data), sort_keys=False, allow_unicode=True, default_flow_style=None)


def _entry(simulation: Simulation, name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """A robot's entry with its pose of now."""
    robot = simulation.robots[name]
    attitude = np.degrees(euler_from_quat(robot.q_WB_wxyz))
    return {
        **entry,
        "position": [round(float(v), _DIGITS) for v in robot.p_WB],
        "attitude_deg": [round(float(v), _DIGITS) + 0.0 for v in attitude],
    }


def _plain(value: Any) -> Any:
    """As YAML can write it."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value
