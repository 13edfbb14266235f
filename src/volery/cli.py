"""The command line: run, topics, ros1, replay, rerun, list, render, bench, doctor, report, campaign."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from volery import __version__, registry
from volery.commands.check import check
from volery.errors import VoleryError, did_you_mean

__all__ = ["main"]


class _Parser(argparse.ArgumentParser):
    """Errors of two lines: what is wrong, and where help is."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"volery: {message}\nhelp: {self.prog} --help\n")


_OF_SCENARIOS = {
    "settings": "airsim", "world": "ueds", "api": "ueds", "arena": "arena", "dialect": "gamebots", "port": "gamebots",
    "drones": "deliveries flight exploration race", "robots": "rescue", "behaviour": "deliveries",
    "strategy": "deliveries", "pilot": "lesson",
}  # fmt: skip
"""Flags of `run` that belong to a protocol, a mission or a world, by whose name their help is shown."""


def _add_run(commands: argparse._SubParsersAction[Any], scenario: str | None) -> None:
    parts = _parts_of(scenario or "demo")
    more = (
        ""
        if scenario
        else "Flags of protocols and missions: volery run SCENARIO --help, such as volery run rescue --help"
    )
    run = commands.add_parser("run", help="run a scenario", epilog=more)
    run.add_argument("scenario", nargs="?", default="demo", help="scenario file or built-in name (default: demo)")
    _add_pace(run)
    _add_own(run, parts)
    _add_doors(run)
    _add_recording(run)
    _add_bus(run)
    _add_viewer(run)


def _parts_of(scenario: str) -> set[str]:
    """Names of the protocols, missions and the world of a scenario, as far as its text tells them."""
    from volery.built_in import scenario_path
    from volery.core.yaml import read_yaml

    try:
        data, _ = read_yaml(scenario_path(scenario))
    except VoleryError:
        return set()
    if not isinstance(data, dict):
        return set()
    found = [data.get(key) for key in ("protocols", "agents")]
    world = data.get("world")
    kind = world.get("type") if isinstance(world, dict) else world
    return {str(name) for part in found if isinstance(part, dict) for name in part} | {str(kind)}


def _add_pace(run: argparse.ArgumentParser) -> None:
    run.add_argument("--duration", type=float, metavar="S", help="simulated seconds to run (default: until Ctrl-C)")
    run.add_argument("--speed", metavar="X", help="factor of real time, or 'max' (default: the scenario's)")
    run.add_argument("--seed", type=int, metavar="N", help="seed instead of the scenario's")
    run.add_argument("--threads", type=int, metavar="N", help="threads that cast rays (default: all cores)")
    run.add_argument("--hash", action="store_true", help="hash all readings; equal hashes mean equal runs")
    run.add_argument("--verbose", action="store_true", help="also tell where robots are and what they sense")
    run.add_argument("--snapshot", metavar="FILE", help="write the final state to a file")
    run.add_argument("--resume", metavar="FILE", help="go on from a state written by --snapshot")


def _add_own(run: argparse.ArgumentParser, parts: set[str]) -> None:
    """Flags of protocols, missions and worlds; the help shows those of this scenario."""
    group = run.add_argument_group("of this scenario")

    def add(name: str, help: str, **more: Any) -> None:
        shown = bool(parts & set(_OF_SCENARIOS[name].split()))
        group.add_argument(f"--{name}", help=help if shown else argparse.SUPPRESS, **more)

    add("settings", "an AirSim settings.json", metavar="FILE")
    add("world", "UEds's level, such as forest", metavar="NAME")
    add("api", "version of UEds that is spoken and claimed", metavar="0.11")
    add("arena", "colour of the rescue arena", choices=("yellow", "orange", "red"))
    add("dialect", "of USARSim's protocol (default: ut2004)", choices=("ut2003", "ut2004", "udk"))
    add("port", "of USARSim's protocol (default: 3000)", type=int, metavar="N")
    add("drones", "how many fly", type=int, metavar="N")
    add("robots", "how many search", type=int, metavar="N")
    add("behaviour", "of the agents: courier, reach or reach_among_drones", metavar="NAME")
    add("strategy", "whether the clock waits while agents think", choices=("fixed", "realtime"))
    add("pilot", "who flies the lesson (default: the operator)", choices=("operator", "tutor"))


def _add_doors(run: argparse.ArgumentParser) -> None:
    group = run.add_argument_group("doors for any scenario")
    group.add_argument(
        "--mocap", nargs="?", const="", metavar="HOST:PORT",
        help="motion capture for NatNet clients (default: 127.0.0.1:1510)",
    )  # fmt: skip
    group.add_argument(
        "--mavlink", nargs="?", const="", metavar="HOST:PORT",
        help="robots as MAVLink vehicles that tell this ground station (default: 127.0.0.1:14550)",
    )  # fmt: skip
    group.add_argument(
        "--autopilot", metavar="FIRMWARE[:PATH]",
        help="robots flown by ardupilot, px4 or betaflight; with the path of its program it is started, too",
    )  # fmt: skip
    group.add_argument("--autopilot-args", metavar="WORDS", help="more words for that program, in one argument")
    group.add_argument("--silent", choices=("wait", "go-on"), help="what to do while the firmware is silent (wait)")


def _add_recording(run: argparse.ArgumentParser) -> None:
    group = run.add_argument_group("recording, and names on the bus")
    group.add_argument("--record", metavar="FILE", help="record all topics to an MCAP file")
    group.add_argument("--strict-record", action="store_true", help="end the run at once if a recording cannot go on")
    group.add_argument("--topics", metavar="A,B", help="record only topics of these patterns, such as '/uav1/*,/tf'")
    group.add_argument("--log", action="append", metavar="FILE", help="a flight to show, CSV or MCAP; may be repeated")
    group.add_argument("--elaha", metavar="ROBOT", help="also use the ELAHA platform's topic names for this robot")
    group.add_argument("--mrs", action="store_true", help="also use the MRS simulator's topic names for multirotors")
    group.add_argument("--no-bus", action="store_true", help="no topics for other processes")


def _add_viewer(command: argparse.ArgumentParser) -> None:
    parser = command.add_argument_group("the page")
    parser.add_argument("--headless", action="store_true", help="no browser view")
    parser.add_argument(
        "--viewer", metavar="HOST:PORT", help="where the view is served (default: 127.0.0.1:8808 or the next free port)"
    )
    parser.add_argument("--no-browser", action="store_true", help="serve the view, but do not open a browser")
    parser.add_argument(
        "--out", default="out", metavar="DIR", help="where snapshots and recordings of the page go (default: out)"
    )


def _add_bus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--listen", action="append", metavar="ENDPOINT",
        help="where the bus can be reached, such as tcp/0.0.0.0:7447 (default: loopback, port 7447)",
    )  # fmt: skip
    parser.add_argument("--connect", action="append", metavar="ENDPOINT", help="a bus elsewhere to join")
    parser.add_argument("--open-bus", action="store_true", help="ask for no token, though other machines reach the bus")


def _add_topics(commands: argparse._SubParsersAction[Any]) -> None:
    topics = commands.add_parser("topics", help="what is on the bus")
    topics.add_argument("action", nargs="?", default="list", choices=("list", "echo", "hz"))
    topics.add_argument("topic", nargs="?", help="for echo and hz")
    topics.add_argument("--connect", action="append", metavar="ENDPOINT", help="a bus elsewhere to look at")
    topics.add_argument("--count", type=int, default=0, metavar="N", help="messages to echo (default: until Ctrl-C)")
    topics.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long hz measures (default: 3)")


def _add_ros1(commands: argparse._SubParsersAction[Any]) -> None:
    ros1 = commands.add_parser("ros1", help="offer the topics of a bus to a ROS 1")
    ros1.add_argument("--connect", action="append", metavar="ENDPOINT", help="a bus elsewhere to join")
    ros1.add_argument("--python", metavar="FILE", help="a Python that has rospy (default: the system's)")
    ros1.add_argument("--name", default="volery", help="of the node (default: volery)")
    ros1.add_argument("--sim-time", action="store_true", help="have all of ROS 1 go by the simulation's clock")


def _add_recordings(commands: argparse._SubParsersAction[Any]) -> None:
    replay = commands.add_parser("replay", help="show a recording, and put it on the bus")
    replay.add_argument("recording", help="MCAP file")
    replay.add_argument("--speed", type=float, default=1.0, metavar="X", help="factor of real time (default: 1)")
    replay.add_argument("--start", type=float, default=0.0, metavar="S", help="seconds after its beginning")
    replay.add_argument("--loop", action="store_true", help="begin again at the end")
    _add_bus(replay)
    _add_viewer(replay)
    again = commands.add_parser("rerun", help="simulate a recording again and report the first difference")
    again.add_argument("recording", help="MCAP file")


def _add_render(commands: argparse._SubParsersAction[Any]) -> None:
    render = commands.add_parser("render", help="make a picture or a clip of a scenario")
    render.add_argument("scenario", help="scenario file or built-in name")
    render.add_argument("out", help="picture to write, such as out.png; a clip: .webp, .gif or .png")
    render.add_argument(
        "--camera",
        metavar="WHERE",
        help="robot, robot/site, or x,y,z,yaw,pitch [m, degrees] (default: behind the first robot)",
    )
    render.add_argument("--type", default="colour", choices=("colour", "depth", "normal", "label"))
    render.add_argument(
        "--quality",
        default="default",
        choices=("plain", "fast", "default", "best"),
        help="of colours (default: default)",
    )
    render.add_argument("--size", default="960x540", metavar="WxH", help="pixels (default: 960x540)")
    render.add_argument("--fov", type=float, default=80.0, metavar="DEG", help="horizontal field of view (default: 80)")
    render.add_argument("--time", type=float, default=0.0, metavar="S", help="simulated seconds to run before")
    render.add_argument("--clip", type=float, metavar="S", help="simulated seconds to show: a clip, not a picture")
    render.add_argument("--fps", type=float, default=10.0, metavar="N", help="pictures a second of it (default: 10)")
    render.add_argument("--seed", type=int, metavar="N")


def _add_others(commands: argparse._SubParsersAction[Any]) -> None:
    listing = commands.add_parser("list", help="what there is")
    listing.add_argument("kind", choices=("scenarios", *registry.KINDS))
    listing.add_argument("name", nargs="?", help="one of them: its parameters, with unit and range, and its controls")
    bench = commands.add_parser("bench", help="measure")
    bench.add_argument(
        "name",
        help="bus, camera, demo, doors, learn, lidar, multirotor, physics, rays, scanner, start, ueds, worlds; or all",
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument(
        "--out", metavar="FILE", help="write JSON to a file as well; for all: a folder (default: benchmarks)"
    )
    bench.add_argument("--quick", action="store_true", help="a small scene, to see that it works; not for claims")
    bench.add_argument("--no-peers", action="store_true", help="leave out comparisons with other libraries")
    commands.add_parser("doctor", help="check this machine")


def _add_report(commands: argparse._SubParsersAction[Any]) -> None:
    reports = commands.add_parser("report", help="measure or run many, and compare")
    names = reports.add_subparsers(dest="name", metavar="NAME", required=True)
    report = names.add_parser("deliveries", help="behaviours of agents over seeds")
    report.add_argument("--drones", type=int, default=20, metavar="N", help="in each run (default: 20)")
    report.add_argument("--parcels", type=int, default=1, metavar="N", help="for each drone (default: 1)")
    report.add_argument("--seeds", type=int, default=20, metavar="N", help="runs of each behaviour (default: 20)")
    report.add_argument("--behaviours", metavar="A,B", help="which to compare (default: all)")
    report.add_argument(
        "--limit", type=float, default=120.0, metavar="S", help="simulated seconds of a run at most (120)"
    )
    report.add_argument("--threads", type=int, metavar="N", help="threads that cast rays (default: all cores)")
    ueds = names.add_parser("ueds", help="chapter 5 of the UEds thesis: worlds, cameras, lidars, drones and calls")
    ueds.add_argument("--quick", action="store_true", help="small parts, to see that it works; not for claims")
    ueds.add_argument("--peers", action="store_true", help="also measure other libraries that are installed")
    elaha = names.add_parser("elaha", help="the ELAHA thesis' evaluation: frames, scans, contact, bus; and a gust")
    elaha.add_argument("--quick", action="store_true", help="small parts, to see that it works; not for claims")
    airobots = names.add_parser("airobots", help="a ducted fan docks at a wall: force, position, attitude")
    airobots.add_argument("--robot", default="ductedfan", metavar="NAME", help="a craft with a tool (ductedfan)")
    airobots.add_argument("--quick", action="store_true", help="one short touch, to see that it works")
    for own in (report, ueds, elaha, airobots):
        own.add_argument("--out", default="out", metavar="DIR", help="where tables and plots go (default: out)")


def _add_campaign(commands: argparse._SubParsersAction[Any]) -> None:
    campaign = commands.add_parser("campaign", help="many runs of a scenario, and one report")
    campaign.add_argument("file", help="campaign file; the same command again goes on where it ended")
    campaign.add_argument("--jobs", type=int, metavar="N", help="runs at a time (default: as many as cores)")
    campaign.add_argument("--threads", type=int, metavar="N", help="threads of each run (default: cores / jobs)")
    campaign.add_argument("--out", metavar="DIR", help="where results go (default: out/campaign-<name of the file>)")
    campaign.add_argument("--print", type=int, metavar="N", help="print the scenario of run N, and run nothing")
    campaign.add_argument("--retry", action="store_true", help="run those that failed again")
    campaign.add_argument(
        "--ray", nargs="?", const="local", metavar="auto|HOST:PORT",
        help="run on the Ray cluster of this machine or there; alone: a Ray of its own (default: without Ray)",
    )  # fmt: skip


def _parser(scenario: str | None = None) -> argparse.ArgumentParser:
    """scenario: of `run`, whose own flags its help shows."""
    parser = _Parser(prog="volery", description="Simulate robots: worlds without end, sensors by rays, no GPU.")
    parser.add_argument("--version", action="version", version=f"volery {__version__}")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands, scenario)
    _add_render(commands)
    _add_topics(commands)
    _add_ros1(commands)
    _add_recordings(commands)
    _add_others(commands)
    _add_report(commands)
    _add_campaign(commands)
    return parser


_COMMANDS = {
    "run": "run:run",
    "topics": "traffic:topics",
    "replay": "traffic:replay",
    "rerun": "traffic:rerun_recording",
    "ros1": "ros1:ros1",
    "list": "look:list_names",
    "render": "look:render",
    "bench": "measure:bench",
    "doctor": "measure:doctor",
    "report": "report:report",
    "campaign": "campaign:campaign",
}
"""Commands and where each is done: only what is asked for is imported."""


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    module, _, function = _COMMANDS[name].partition(":")
    return getattr(import_module(f"volery.commands.{module}"), function)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of `volery`; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(next((w for w in words[1:] if not w.startswith("-")), None) if words[:1] == ["run"] else None)
    first = next((w for w in words if not w.startswith("-")), None)
    if first is not None and first not in _COMMANDS:
        parser.error(f"unknown command '{first}'{did_you_mean(first, _COMMANDS)}; commands: {', '.join(_COMMANDS)}")
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return 0
    logging.basicConfig(level=logging.INFO, format="volery: %(message)s")
    try:
        check(options)
        return _command(options.command)(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
    except VoleryError as error:
        if options.debug:
            raise
        sys.stderr.write(f"volery: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
