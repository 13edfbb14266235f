"""A scenario as the page's picker asks for it: another seed, world or number of robots."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import yaml

from volery.built_in import built_in_scenarios
from volery.core.yaml import parse_yaml, read_text
from volery.errors import ScenarioError, UnknownNameError
from volery.physics.motion import Follower, Motion
from volery.scenario import Scenario, load_scenario, plan_world, read_scenario
from volery.viewer.messages import PageScenario

__all__ = ["MOST_ROBOTS", "known_scenarios", "plan_start"]

MOST_ROBOTS = 500
_APART = 3.0
"""Copies of a robot that stays in place stand this far from each other [m]."""


@cache
def known_scenarios() -> list[PageScenario]:
    """Names of the built-in scenarios and what each is about."""
    found = []
    for name, path in built_in_scenarios().items():
        data, _ = parse_yaml(read_text(path), name)
        found.append(PageScenario(name, str((data or {}).get("about", ""))))
    return found


def plan_start(own: Scenario, name: str, robots: int | None = None, world: str | None = None) -> Scenario:
    """A built-in scenario or the run's own, changed and checked.

    robots: how many of its first robot there are to be; world: name of a world to put them into.
    """
    known = built_in_scenarios()
    if name not in (own.name, *known):
        raise UnknownNameError("scenario", name, [own.name, *known])
    found = own if name == own.name else load_scenario(name)
    if found.file.pace == "lockstep":
        raise ScenarioError(f"{name}: in lockstep every step waits for an outside program; it cannot be started here")
    if (robots is None or robots == 1) and world is None:
        return found
    data, _ = parse_yaml(found.text, name)
    data = dict(data or {})
    if world is not None and world != found.world_type:
        data["world"] = world
        data["robots"] = {n: _homeless(d) for n, d in (data.get("robots") or {}).items()}
        name = f"{name}_{world}"
    if robots is not None and robots > 1:
        data["robots"] = _copies(data, robots, found)
    return read_scenario(yaml.safe_dump(data, sort_keys=False), name, found.folder, name)


def _homeless(entry: Any) -> dict[str, Any]:
    """A robot without its place and path, which belong to the world it is taken from."""
    entry = {"type": entry} if isinstance(entry, str) else entry
    return {key: value for key, value in entry.items() if key not in ("position", "motion", "physics")}


def _copies(data: dict[str, Any], count: int, found: Scenario) -> dict[str, Any]:
    """The robots with the first of them so many times: along its path if it goes round, else side by side."""
    entries = dict(data.get("robots") or {})
    if not entries:
        raise ScenarioError(f"scenario '{found.name}' has no robot that could be there {count} times")
    if not 1 <= count <= MOST_ROBOTS:
        raise ScenarioError(f"{count} robots: choose 1 to {MOST_ROBOTS}")
    first = next(iter(entries))
    base = {"type": entries[first]} if isinstance(entries[first], str) else dict(entries[first])
    motion = base.get("motion")
    rounds = isinstance(motion, dict) and len(motion.get("path") or ()) > 1 and motion.get("loop", True)
    if not rounds:
        base.pop("motion", None)
    home = base.get("position") or plan_world(data.get("world", "empty"), found.file.seed, found.folder).spawn()
    names = _names(first, entries, count - 1)
    for i, name in enumerate(names, 1):
        place = _on_path(motion or {}, i / count) if rounds else {"position": _beside(home, i)}
        entries[name] = {**base, **place}
    return entries


def _names(first: str, taken: dict[str, Any], count: int) -> list[str]:
    """uav1 is followed by uav2, uav3 …, without those that are taken."""
    stem = re.sub(r"\d+$", "", first)
    free = (f"{stem}{i}" for i in range(2, len(taken) + count + 3))
    return [name for name in free if name not in taken][:count]


def _on_path(motion: dict[str, Any], share: float) -> dict[str, Any]:
    """Begin at a share of the path's length, 0 to 1."""
    path = [[float(x) for x in corner] for corner in motion["path"]]
    corners = np.array([*path, path[0]])
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    along = share * lengths.sum()
    p, _ = Follower(Motion(path=[(x, y, z) for x, y, z in path], speed=1.0)).at(along)
    passed = int(np.searchsorted(np.cumsum(lengths), along, side="right")) + 1
    here = [round(float(x), 3) for x in p]
    return {"position": here, "motion": {**motion, "path": [here, *path[passed:], *path[:passed]]}}


def _beside(home: Any, i: int) -> list[float]:
    """The i-th place of a square spiral round home, at its height [m]."""
    ring = int(np.ceil((np.sqrt(i + 1) - 1) / 2))
    side, at = divmod(i - (2 * ring - 1) ** 2, 2 * ring)
    edge = np.array([ring, -ring + 1 + at])
    x, y = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), int(side)) @ edge * _APART
    return [float(home[0] + x), float(home[1] + y), float(home[2])]
