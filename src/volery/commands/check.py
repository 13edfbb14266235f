"""What of a command line can be judged before anything heavy is imported: names, files and numbers."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Callable
from pathlib import Path

from volery import registry
from volery.built_in import built_in_scenarios, scenario_path
from volery.core.yaml import read_yaml
from volery.errors import BusError, ScenarioError, SimulationError, UnknownNameError, ViewerError

__all__ = ["check"]

AUTOPILOTS = ("ardupilot", "betaflight", "px4")
_MCAP = b"\x89MCAP0\r\n"
"""How recordings begin."""


def check(options: argparse.Namespace) -> None:
    """Raise for the first thing that cannot be."""
    found = _CHECKS.get(options.command)
    if found is not None:
        found(options)


def _run(options: argparse.Namespace) -> None:
    scenario_path(options.scenario)
    if options.duration is not None and not 0 < options.duration < 1e9:
        raise SimulationError(f"--duration {options.duration:g}: must be greater than 0")
    _speed(options.speed)
    _seed(options.seed)
    if options.resume is not None and not Path(options.resume).is_file():
        raise SimulationError(f"--resume {options.resume}: no such file; write one with --snapshot {options.resume}")
    if options.settings not in (None, "none"):
        _exists(options.settings, "--settings")
    for file in options.log or ():
        _exists(file.split("#")[0], "--log")
    for option in ("record", "snapshot"):
        _writable(getattr(options, option), f"--{option}")
    if options.threads is not None and options.threads < 1:
        raise SimulationError(f"--threads {options.threads}: must be 1 or more")
    firmware = (options.autopilot or AUTOPILOTS[0]).partition(":")[0]
    if firmware not in AUTOPILOTS:
        raise UnknownNameError("autopilot", firmware, AUTOPILOTS)
    _viewer(options)


def _render(options: argparse.Namespace) -> None:
    scenario_path(options.scenario)
    _seed(options.seed)
    _writable(options.out, "the picture")
    if options.time < 0:
        raise SimulationError(f"--time {options.time:g}: must be 0 or more")
    if options.camera is not None and "," not in options.camera:
        _robot(options.scenario, options.camera.partition("/")[0])


def _robot(scenario: str, name: str) -> None:
    """Refuse a robot that a scenario does not have; missions and worlds bring robots that it does not name."""
    data, _ = read_yaml(scenario_path(scenario))
    data = data if isinstance(data, dict) else {}
    robots = data.get("robots") or {}
    if not data.get("agents") and data.get("world") != "arena" and isinstance(robots, dict) and name not in robots:
        raise UnknownNameError("robot", name, robots)


def _viewer(options: argparse.Namespace) -> None:
    """Refuse a host that has no address; an address of another machine is told later."""
    if options.viewer is None or options.headless:
        return
    host = options.viewer.rpartition(":")[0] if ":" in options.viewer else options.viewer
    try:
        socket.getaddrinfo(host.strip("[]") or "127.0.0.1", None)
    except OSError:
        raise ViewerError(
            f"--viewer {options.viewer}: no machine is called '{host}'; write HOST:PORT, such as 127.0.0.1:8808"
        ) from None


def _listing(options: argparse.Namespace) -> None:
    if options.name is not None:
        names = list(built_in_scenarios()) if options.kind == "scenarios" else registry.names(options.kind)
        if options.name not in names:
            raise UnknownNameError(options.kind.removesuffix("s").replace("_", " "), options.name, names)


def _replay(options: argparse.Namespace) -> None:
    _recording(options)
    _viewer(options)


def _recording(options: argparse.Namespace) -> None:
    if not Path(options.recording).is_file():
        raise BusError(f"{options.recording}: no such file; record one with `volery run --record {options.recording}`")
    with Path(options.recording).open("rb") as file:
        if file.read(len(_MCAP)) != _MCAP:
            raise BusError(f"{options.recording}: is no MCAP recording; record one with `volery run --record FILE`")


def _campaign(options: argparse.Namespace) -> None:
    _exists(options.file, "the campaign")


def _speed(speed: str | None) -> None:
    if speed is None or speed == "max":
        return
    try:
        factor = float(speed)
    except ValueError:
        raise SimulationError(f"--speed {speed}: must be a number, or 'max' for as fast as possible") from None
    if not factor > 0:
        raise SimulationError(f"--speed {speed}: must be greater than 0")


def _seed(seed: int | None) -> None:
    if seed is not None and seed < 0:
        raise ScenarioError(f"--seed {seed}: must be 0 or more")


def _exists(name: str, what: str) -> None:
    if not Path(name).is_file():
        raise ScenarioError(f"{what} {name}: no such file")


def _writable(name: str | None, what: str) -> None:
    if name is not None and not Path(name).resolve().parent.is_dir():
        raise SimulationError(f"{what}: {name} cannot be written: there is no folder {Path(name).resolve().parent}")


_CHECKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "run": _run,
    "render": _render,
    "list": _listing,
    "replay": _replay,
    "rerun": _recording,
    "campaign": _campaign,
}
