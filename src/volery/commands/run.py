"""`volery run`."""

from __future__ import annotations

import argparse
import logging

from volery.scenario import load_scenario

__all__ = ["run"]

_log = logging.getLogger("volery")


def run(options: argparse.Namespace) -> int:
    """Run a scenario."""
    scenario = load_scenario(options.scenario)
    if not scenario.robots and not scenario.protocols and not scenario.agents:
        _log.warning(
            "%s names no robots: there is nothing to see but the world '%s'", scenario.name, scenario.world_type
        )
    # Imported after the file was read: what is wrong with it is said at once.
    from volery.commands.running import run_scenario

    return run_scenario(scenario, options)
