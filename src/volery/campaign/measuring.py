"""One run of a campaign, as fast as possible, and what came out of it as plain names and values."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from volery import registry
from volery.campaign.beside import Company
from volery.campaign.path_error import PathError
from volery.core.clock import SECOND, nanoseconds
from volery.errors import CampaignError
from volery.loop import Loop, pace_of
from volery.scenario import Scenario, read_scenario
from volery.sim import Simulation

__all__ = ["Odometer", "flattened", "run_once"]

_AGAIN_NS = SECOND
"""A touch after so long without is another one [ns]."""
_FEW = 8
"""So many robots are told one by one; of more only what they did together."""
_LONGEST = 4
"""Lists of so many numbers are told; of longer ones, how long they are."""


def run_once(request: dict[str, Any]) -> dict[str, Any]:
    """Run to the end: `measures` by name, simulated `time` [s], and the `state` as a hash."""
    scenario = read_scenario(request["text"], "", Path(request["folder"]), request["name"])
    simulation = Simulation(scenario)
    missions = _missions(simulation, scenario)
    odometer = Odometer(simulation)
    probe = None if request["probe"] is None else _probe(request["probe"])(simulation)
    end_ns = None if scenario.file.duration is None else nanoseconds(scenario.file.duration)
    beside: dict[str, Any] = {}
    try:
        if request.get("doors") or request.get("programs"):
            beside = _with_others(simulation, request, list(missions.values()), end_ns)
        else:
            while not _over(simulation, list(missions.values()), end_ns):
                simulation.step()
    finally:
        for mission in missions.values():
            mission.close()
    measures = (odometer.result() if not missions else {}) | beside
    for name, mission in missions.items():
        measures |= flattened(mission.result(), "" if len(missions) == 1 else name)
    if probe is not None:
        measures |= flattened(probe.result())
    # Told beside them anyway.
    measures.pop("seed", None)
    return {"measures": measures, "time": simulation.clock.now, "state": simulation.state_hash()}


def _with_others(
    simulation: Simulation, request: dict[str, Any], missions: list[Any], end_ns: int | None
) -> dict[str, Any]:
    """Run at the scenario's pace with doors open and programs beside; how the programs ended."""
    file = simulation.scenario.file
    loop = Loop(simulation, pace_of(file.pace, file.speed))
    with Company(simulation, loop, request) as company:

        def look() -> bool:
            """Also while a step is waited for."""
            company.programs.check()
            if company.programs.over or _over(simulation, missions, end_ns):
                loop.stop()
            return True

        loop.holds.append(look)
        loop.run(end_ns)
        company.programs.check()
        return dict(company.programs.result())


def _missions(simulation: Simulation, scenario: Scenario) -> dict[str, Any]:
    made: dict[str, Any] = {}
    try:
        for name, settings in scenario.agents.items():
            made[name] = registry.find("agents", name)(simulation, None, settings)
    except BaseException:
        for mission in made.values():
            mission.close()
        raise
    return made


def _over(simulation: Simulation, missions: list[Any], end_ns: int | None) -> bool:
    if end_ns is not None and simulation.clock.now_ns >= end_ns:
        return True
    return bool(missions) and all(mission.over for mission in missions)


def _probe(probe: dict[str, str]) -> Any:
    """The class of a probe, whose file came as text."""
    if probe["folder"] not in sys.path:
        sys.path.append(probe["folder"])
    module = ModuleType("volery_probe")
    exec(compile(probe["text"], probe["file"], "exec"), module.__dict__)
    if not hasattr(module, probe["name"]):
        raise CampaignError(f"{probe['file']} has no '{probe['name']}'")
    return getattr(module, probe["name"])


class Odometer:
    """How far robots went, how fast, how often they touched something, and how far they were off their paths."""

    def __init__(self, simulation: Simulation) -> None:
        self._things = set(simulation.world.movables())
        self._p: dict[str, np.ndarray] = {}
        self._distance: dict[str, float] = {}
        self._fastest: dict[str, float] = {}
        self._touches: dict[str, int] = {}
        self._touched_ns: dict[str, int] = {}
        self._path_error = PathError(simulation)
        simulation.listeners.append(self)

    def __call__(self, simulation: Simulation) -> None:
        """Look at all after a step."""
        now_ns = simulation.clock.now_ns
        self._path_error.look(simulation)
        for name, robot in simulation.robots.items():
            if name in self._things:
                continue
            before = self._p.get(name, robot.p_WB)
            way = float(np.linalg.norm(robot.p_WB - before))
            self._p[name] = robot.p_WB.copy()
            self._distance[name] = self._distance.get(name, 0.0) + way
            self._fastest[name] = max(self._fastest.get(name, 0.0), float(np.linalg.norm(robot.v_WB_W)))
            self._touches.setdefault(name, 0)
            if robot.contacts:
                if now_ns - self._touched_ns.get(name, -_AGAIN_NS) >= _AGAIN_NS:
                    self._touches[name] += 1
                self._touched_ns[name] = now_ns

    def result(self) -> dict[str, Any]:
        """`distance` [m], `fastest` [m/s], `touches`, and how far off their paths [m], of all together; of few robots
        also each alone, and the end's place [m]."""
        found: dict[str, Any] = {
            "distance": round(sum(self._distance.values()), 6),
            "fastest": round(max(self._fastest.values(), default=0.0), 6),
            "touches": sum(self._touches.values()),
            **self._path_error.result(),
        }
        for name in self._p if len(self._p) <= _FEW else ():
            if len(self._p) > 1:
                found[f"{name}.distance"] = round(self._distance[name], 6)
                found[f"{name}.touches"] = self._touches[name]
            found |= {f"{name}.{axis}": round(float(v), 6) for axis, v in zip("xyz", self._p[name], strict=True)}
        return found


def flattened(value: Any, name: str = "") -> dict[str, Any]:
    """Plain data as names with dots and single values: numbers, words, true or false; what is no number is None."""
    parts: dict[str, Any] | None
    if isinstance(value, dict):
        parts = {str(k): v for k, v in value.items()}
    elif isinstance(value, list | tuple | np.ndarray):
        parts = _parts(list(value))
        if parts is None:
            return {f"{name}.count" if name else "count": len(value)}
    else:
        return {name or "value": _single(value)}
    out: dict[str, Any] = {}
    for key, inner in parts.items():
        out |= flattened(inner, f"{name}.{key}" if name else key)
    return out


def _parts(items: list[Any]) -> dict[str, Any] | None:
    """Items by name: what is about a robot or has a name, by that; a few single values by their places."""
    if items and all(isinstance(item, dict) for item in items):
        named = [item.get("robot", item.get("name")) for item in items]
        if None not in named and len(set(map(str, named))) == len(named):
            return {
                str(n): {k: v for k, v in item.items() if k not in ("robot", "name")}
                for n, item in zip(named, items, strict=True)
            }
    if 0 < len(items) <= _LONGEST and not any(isinstance(i, dict | list | tuple | np.ndarray | str) for i in items):
        return {str(i): item for i, item in enumerate(items)}
    return None


def _single(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
