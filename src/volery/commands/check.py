"""What of a command line can be judged before anything heavy is imported: names, files and numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from volery.built_in import scenario_path
from volery.errors import BusError, ScenarioError, SimulationError

__all__ = ["check"]


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


def _render(options: argparse.Namespace) -> None:
    scenario_path(options.scenario)
    _seed(options.seed)
    _writable(options.out, "the picture")
    if options.time < 0:
        raise SimulationError(f"--time {options.time:g}: must be 0 or more")


def _recording(options: argparse.Namespace) -> None:
    if not Path(options.recording).is_file():
        raise BusError(f"{options.recording}: no such file; record one with `volery run --record {options.recording}`")


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
    "replay": _recording,
    "rerun": _recording,
    "campaign": _campaign,
}
