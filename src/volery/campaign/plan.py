"""Campaign files: one scenario, overrides swept over a grid or drawn at random, and seeds. Every run of it is checked
before the first begins."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml

from volery import __version__
from volery.built_in import built_in_scenarios
from volery.campaign.beside import BUS
from volery.campaign.overrides import overridden
from volery.core.config import Checked, SourceLocation, build, param
from volery.core.rng import Generators
from volery.core.yaml import parse_yaml, read_text, read_yaml
from volery.errors import ScenarioError, VoleryError, did_you_mean
from volery.scenario import Scenario, read_scenario

__all__ = ["Campaign", "CampaignFile", "CampaignRun", "load_campaign"]

_MOST_RUNS = 100_000


@dataclass(frozen=True)
class Draw(Checked):
    """How a value is drawn: evenly between two numbers, or one of several."""

    low: float | None = None
    high: float | None = None
    log: bool = False
    """Evenly by powers of ten."""
    whole: bool = False
    """Whole numbers, both ends included."""
    choose: list[Any] = field(default_factory=list)
    """One of these, instead of a number."""

    def problem(self) -> str:
        """What is wrong with it, or nothing."""
        if self.choose:
            return "give `choose`, or `low` and `high`, not both" if (self.low, self.high) != (None, None) else ""
        if self.low is None or self.high is None or self.low >= self.high:
            return "give `low` and a greater `high`, or `choose`"
        return "for `log` both ends must be above 0" if self.log and self.low <= 0 else ""

    def value(self, generator: np.random.Generator) -> Any:
        """A value, from a generator of its own."""
        if self.choose:
            return self.choose[int(generator.integers(len(self.choose)))]
        low, high = float(self.low or 0.0), float(self.high or 0.0)
        if self.whole and not self.log:
            return int(generator.integers(round(low), round(high) + 1))
        at = generator.uniform()
        value = low * (high / low) ** at if self.log else low + (high - low) * at
        return round(value) if self.whole else float(f"{value:.9g}")


@dataclass(frozen=True)
class RandomSweep(Checked):
    """Values drawn at random, the same ones for the same seed."""

    count: int = param(low=1, high=_MOST_RUNS)
    """How many sets of values."""
    draws: dict[str, Draw] = field(default_factory=dict)
    """By path of a scenario's keys, such as weather.fog."""
    seed: int = param(0, low=0, high=2**63 - 1)


@dataclass(frozen=True)
class CampaignFile(Checked):
    """The keys of a campaign file."""

    scenario: str
    """Name of a built-in one, or a file beside this one."""
    about: str = ""
    duration: float | None = param(None, above=0)
    """Simulated time of each run [s]; none: the scenario's, or until its missions are over."""
    seeds: int | list[int] = 1
    """How many, from 1 on, or which."""
    set: dict[str, Any] = field(default_factory=dict)
    """Values of all runs, by path of a scenario's keys."""
    grid: dict[str, list[Any]] = field(default_factory=dict)
    """Values of which every combination is run, by path."""
    random: RandomSweep | None = None
    """Values drawn at random; with a grid, every draw with every combination."""
    probe: str = ""
    """What else to measure: `file.py:Class`, made with the simulation, whose `result()` gives names and numbers."""
    limit: float = param(600.0, above=0)
    """Wall time of a run; what takes longer is ended and counts as failed [s]."""
    retries: int = param(2, low=0, high=100)
    """How often a run is begun again whose process was killed from outside."""
    doors: list[str] = field(default_factory=list)
    """Protocols of the scenario that are opened for each run at ports of its own, and `bus`."""
    firmwares: dict[str, str] = field(default_factory=dict)
    """By door, such as ardupilot: the program of a firmware that is started for each of its robots, with more words."""
    programs: dict[str, str] = field(default_factory=dict)
    """By name, commands that are started for each run, such as `python fly.py {mavlink.station}`. The run is over when
    all have ended, and failed if one has with another code than 0."""
    better: dict[str, Literal["less", "more"]] = field(default_factory=dict)
    """Which way a measure is better, by pattern, such as {'collisions.*': less}: for `--against`."""
    show: list[str] = field(default_factory=list)
    """Patterns of the measures that the report shows, such as 'collisions.*'; none: all."""


@dataclass(frozen=True)
class CampaignRun:
    """One run of a campaign."""

    number: int
    """Its place in the plan, from 1 on."""
    values: dict[str, Any]
    """What is swept, by path."""
    seed: int
    text: str
    """The scenario as a file of its own: with all overrides, the seed and the duration."""
    key: str
    """A hash of all that makes the run what it is."""


@dataclass(frozen=True)
class Campaign:
    """A campaign checked whole."""

    name: str
    file: CampaignFile
    folder: str
    """Where relative paths of the scenario start."""
    probe: dict[str, str] | None
    """Text, class and folder of the probe's file."""
    runs: list[CampaignRun]

    def request(self, run: CampaignRun) -> dict[str, Any]:
        """What a worker is told."""
        file = self.file
        others = {"doors": file.doors, "firmwares": file.firmwares, "programs": file.programs}
        return {"text": run.text, "name": self.name, "folder": self.folder, "probe": self.probe, **others}


def load_campaign(path: Path | str) -> Campaign:
    """Read and check a campaign file, the scenario of each of its configurations included."""
    path = Path(path)
    data, lines = read_yaml(path)
    place = SourceLocation(str(path), (), lines)
    file = build(CampaignFile, data, place)
    source = _scenario_path(file.scenario, path.parent, place)
    probe = _probe(file.probe, path.parent, place)
    base, _ = parse_yaml(read_text(source), str(source))
    folder, seeds = source.parent.resolve(), _seeds(file, place)
    runs: list[CampaignRun] = []
    for values in _sweep(file, place):
        texts = [_text(base, file, values, seed, place) for seed in seeds]
        _check(texts[0], values, folder, place, file)
        runs += [
            CampaignRun(len(runs) + i, values, seed, text, _key(text, probe, file))
            for i, (seed, text) in enumerate(zip(seeds, texts, strict=True), 1)
        ]
        if len(runs) > _MOST_RUNS:
            raise place.error(f"more than {_MOST_RUNS:,} runs; take fewer values or seeds")
    twice = [key for key, count in Counter(run.key for run in runs).items() if count > 1]
    if twice:
        one, other, *_ = (run for run in runs if run.key == twice[0])
        raise place.error(f"{_said(one.values)} and {_said(other.values)} are the same run; take one away")
    return Campaign(path.stem, file, str(folder), probe, runs)


def _scenario_path(name: str, folder: Path, place: SourceLocation) -> Path:
    known = built_in_scenarios()
    if name in known:
        return known[name]
    path = folder / name
    if not path.exists():
        raise place.at("scenario").error(f"'{name}' is neither a file beside this one nor one of {', '.join(known)}")
    return path


def _probe(text: str, folder: Path, place: SourceLocation) -> dict[str, str] | None:
    if not text:
        return None
    file, _, name = text.rpartition(":")
    if not file or not name.isidentifier():
        raise place.at("probe").error(f"'{text}': write `file.py:Class`")
    try:
        source = read_text(folder / file)
    except ScenarioError as error:
        raise place.at("probe").error(str(error)) from None
    return {"text": source, "name": name, "file": file, "folder": str(folder.resolve())}


def _seeds(file: CampaignFile, place: SourceLocation) -> list[int]:
    seeds = list(range(1, file.seeds + 1)) if isinstance(file.seeds, int) else file.seeds
    if not seeds or len(set(seeds)) != len(seeds) or min(seeds) < 0 or len(seeds) > _MOST_RUNS:
        raise place.at("seeds").error("give a number of seeds from 1 on, or a list of different ones of 0 or more")
    return seeds


def _sweep(file: CampaignFile, place: SourceLocation) -> Iterator[dict[str, Any]]:
    """Values of each configuration, in the order of the file; the last key of the grid changes fastest."""
    at = place.at("grid")
    for path, choices in file.grid.items():
        if not choices:
            raise at.at(path).error("no values; give a list, or take the key away")
    grid = [dict(zip(file.grid, values, strict=True)) for values in itertools.product(*file.grid.values())]
    for drawn in _drawn(file, place):
        for values in grid:
            yield {**drawn, **values}


def _drawn(file: CampaignFile, place: SourceLocation) -> list[dict[str, Any]]:
    if file.random is None:
        return [{}]
    at = place.at("random").at("draws")
    if not file.random.draws:
        raise at.error("nothing is drawn; give paths and how to draw them")
    for path, draw in file.random.draws.items():
        if draw.problem():
            raise at.at(path).error(draw.problem())
        if path in file.grid:
            raise at.at(path).error("stands in `grid` too")
    # A generator for each path: to draw one value more does not change the others.
    generators = Generators(file.random.seed)
    draws = {path: (draw, generators.named(path)) for path, draw in file.random.draws.items()}
    return [{path: draw.value(own) for path, (draw, own) in draws.items()} for _ in range(file.random.count)]


def _text(base: Any, file: CampaignFile, values: dict[str, Any], seed: int, place: SourceLocation) -> str:
    """The scenario of one run. Where it has wind without a seed, the wind is another in every run too."""
    try:
        if "seed" in values or "seed" in file.set:
            raise ScenarioError("'seed': the seeds of runs stand under `seeds`")
        data = overridden(base, {**file.set, **values})
    except ScenarioError as error:
        raise place.error(str(error)) from None
    data["seed"] = seed
    if file.duration is not None and "duration" not in values:
        data["duration"] = file.duration
    if isinstance(data.get("wind"), dict):
        data["wind"].setdefault("seed", seed)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def _check(text: str, values: dict[str, Any], folder: Path, place: SourceLocation, file: CampaignFile) -> None:
    """Raise if the run cannot be."""
    try:
        scenario = read_scenario(text, "", folder, "run")
    except VoleryError as error:
        raise place.error(f"with {_said(values)}: {str(error).removeprefix(': ')}") from None
    _check_doors(scenario, file, place)
    if scenario.file.duration is None and not scenario.agents and not file.programs:
        raise place.error("how long is a run? Give a `duration` in seconds")


def _check_doors(scenario: Scenario, file: CampaignFile, place: SourceLocation) -> None:
    for name in file.doors:
        if name != BUS and name not in scenario.protocols:
            known = [BUS, *scenario.protocols]
            hint = did_you_mean(name, known)
            raise place.at("doors").error(f"the scenario has no protocol '{name}'{hint}; known: {', '.join(known)}")
    for name in file.firmwares:
        if name not in file.doors:
            raise place.at("firmwares").error(f"'{name}' is none of the `doors`")
    external = scenario.engines.get("external")
    by_udp = external is not None and external.link == "udp" and bool(file.programs)
    if any(p.engine == "external" for p in scenario.robots.values()) and BUS not in file.doors and not by_udp:
        raise place.error(
            "the scenario has robots of `physics: external`: name the outside programs under `programs`, and give "
            "`doors: [bus]`, or `link: udp` in the scenario"
        )


def _said(values: dict[str, Any]) -> str:
    return ", ".join(f"{k} = {v}" for k, v in values.items()) or "the scenario as it is"


def _key(text: str, probe: dict[str, str] | None, file: CampaignFile) -> str:
    source = "" if probe is None else probe["text"] + probe["name"]
    about: list[Any] = [__version__, text, source]
    if file.doors or file.programs:
        about.append([file.doors, file.firmwares, file.programs])
    return hashlib.blake2b(json.dumps(about).encode(), digest_size=10).hexdigest()
