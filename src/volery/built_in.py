"""Scenarios that come with Volery, and where the file of a scenario is. Light: the command line asks it first."""

from __future__ import annotations

from pathlib import Path

from volery.errors import ScenarioError, UnknownNameError

__all__ = ["built_in_scenarios", "scenario_path"]


def built_in_scenarios() -> dict[str, Path]:
    """Scenarios that come with Volery, by name."""
    folder = Path(__file__).parent / "scenarios"
    return {p.stem: p for p in sorted(folder.glob("*.yaml"))}


def scenario_path(name: Path | str) -> Path:
    """The file of a scenario: a path, or the bare name of a built-in scenario."""
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix or len(path.parts) > 1:
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ScenarioError(f"{path}: {what}; give a scenario file, or a name that `volery list scenarios` shows")
    known = built_in_scenarios()
    if path.name not in known:
        raise UnknownNameError("scenario", path.name, known)
    return known[path.name]
