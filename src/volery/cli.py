"""The command line: run, fly, topics, ros1, replay, rerun, list, render, bench, doctor, report, campaign."""

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
    "image-port": "gamebots",
    "drones": "deliveries flight exploration race", "robots": "rescue", "behaviour": "deliveries",
    "agent": "deliveries", "strategy": "deliveries", "pilot": "lesson",
}  # fmt: skip
"""Flags of `run` that belong to a protocol, a mission or a world, by whose name their help is shown."""


def _add_run(commands: argparse._SubParsersAction[Any], scenario: str | None) -> None:
    parts = _parts_of(scenario or "demo")
    more = (
        ""
        if scenario
        else "For flags of protocols and missions: volery run SCENARIO --help, such as volery run rescue --help"
    )
    run = commands.add_parser("run", help="run a scenario", epilog=more)
    run.add_argument(
        "scenario",
        nargs="?",
        default="demo",
        help="a scenario file, or the name of a built-in scenario (default: demo)",
    )
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
    run.add_argument(
        "--duration", type=float, metavar="S", help="stop after this many simulated seconds (default: run until Ctrl-C)"
    )
    run.add_argument(
        "--speed", metavar="X", help="speed as a factor of real time, or 'max' (default: set by the scenario)"
    )
    run.add_argument("--seed", type=int, metavar="N", help="random seed (default: set by the scenario)")
    run.add_argument("--threads", type=int, metavar="N", help="number of ray-casting threads (default: all cores)")
    run.add_argument(
        "--hash", action="store_true", help="print a hash of all sensor readings; equal hashes mean identical runs"
    )
    run.add_argument("--verbose", action="store_true", help="also print the poses of robots and their sensor readings")
    run.add_argument("--snapshot", metavar="FILE", help="save the final state to a file")
    run.add_argument("--resume", metavar="FILE", help="continue from a state saved by --snapshot")


def _add_own(run: argparse.ArgumentParser, parts: set[str]) -> None:
    """Flags of protocols, missions and worlds; the help shows those of this scenario."""
    group = run.add_argument_group("options of this scenario")

    def add(name: str, help: str, **more: Any) -> None:
        shown = bool(parts & set(_OF_SCENARIOS[name].split()))
        group.add_argument(f"--{name}", help=help if shown else argparse.SUPPRESS, **more)

    add("settings", "AirSim settings.json to use", metavar="FILE")
    add("world", "UEds level, such as forest", metavar="NAME")
    add("api", "UEds API version to implement and report", metavar="0.11")
    add("arena", "colour of the rescue arena", choices=("yellow", "orange", "red"))
    add("dialect", "USARSim protocol dialect (default: ut2004)", choices=("ut2003", "ut2004", "udk"))
    add("port", "USARSim port (default: 3000)", type=int, metavar="N")
    add("image-port", "USARSim port of pictures (default: 5003; 0: any)", type=int, metavar="N")
    add("drones", "number of drones", type=int, metavar="N")
    add("robots", "number of rescue robots", type=int, metavar="N")
    add("behaviour", "agent behaviour, such as courier; volery list behaviours names all", metavar="NAME")
    add("agent", "agent of your own instead of a behaviour: my_file.py:MyAgent", metavar="FILE:CLASS")
    add("strategy", "fixed: the clock waits while agents decide; realtime: it does not", choices=("fixed", "realtime"))
    add("pilot", "who flies the lesson (default: operator)", choices=("operator", "tutor"))


def _add_doors(run: argparse.ArgumentParser) -> None:
    group = run.add_argument_group("servers and autopilots for any scenario")
    group.add_argument(
        "--mocap", nargs="?", const="", metavar="HOST:PORT",
        help="serve motion capture to NatNet clients (default: 127.0.0.1:1510)",
    )  # fmt: skip
    group.add_argument(
        "--mavlink", nargs="?", const="", metavar="HOST:PORT",
        help="make robots MAVLink vehicles that report to this ground station (default: 127.0.0.1:14550)",
    )  # fmt: skip
    group.add_argument(
        "--autopilot", metavar="FIRMWARE[:PATH]",
        help="let ardupilot, px4 or betaflight fly the robots; with a PATH, also start that program",
    )  # fmt: skip
    group.add_argument("--autopilot-args", metavar="WORDS", help="extra arguments for that program, as one string")
    group.add_argument(
        "--silent", choices=("wait", "go-on"), help="what to do while the firmware does not answer (default: wait)"
    )


def _add_recording(run: argparse.ArgumentParser) -> None:
    group = run.add_argument_group("recording and topic names")
    group.add_argument("--record", metavar="FILE", help="record all topics to an MCAP file")
    group.add_argument("--strict-record", action="store_true", help="stop the run if recording fails")
    group.add_argument(
        "--topics", metavar="A,B", help="record only topics that match these patterns, such as '/uav1/*,/tf'"
    )
    group.add_argument(
        "--log", action="append", metavar="FILE", help="show an earlier flight from a CSV or MCAP file; may be repeated"
    )
    group.add_argument(
        "--elaha", metavar="ROBOT", help="also publish under the ELAHA platform's topic names for this robot"
    )
    group.add_argument(
        "--mrs", action="store_true", help="also publish under the MRS simulator's topic names for multirotors"
    )
    group.add_argument("--no-bus", action="store_true", help="publish no topics to other processes")


def _add_viewer(command: argparse.ArgumentParser) -> None:
    parser = command.add_argument_group("browser view")
    parser.add_argument("--headless", action="store_true", help="do not serve the browser view")
    parser.add_argument(
        "--viewer",
        metavar="HOST:PORT",
        help="address of the browser view (default: 127.0.0.1:8808, or the next free port)",
    )
    parser.add_argument("--no-browser", action="store_true", help="serve the browser view, but do not open a browser")
    parser.add_argument(
        "--out",
        default="out",
        metavar="DIR",
        help="folder for snapshots and recordings made in the browser (default: out)",
    )


def _add_bus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--listen", action="append", metavar="ENDPOINT",
        help="address the bus listens on, such as tcp/0.0.0.0:7447 (default: loopback, port 7447)",
    )  # fmt: skip
    parser.add_argument("--connect", action="append", metavar="ENDPOINT", help="join the bus at this address")
    parser.add_argument(
        "--open-bus", action="store_true", help="require no token, even if other machines can reach the bus"
    )


def _add_topics(commands: argparse._SubParsersAction[Any]) -> None:
    topics = commands.add_parser("topics", help="list, print or measure topics on the bus")
    topics.add_argument("action", nargs="?", default="list", choices=("list", "echo", "hz"))
    topics.add_argument("topic", nargs="?", help="topic for echo and hz")
    topics.add_argument("--connect", action="append", metavar="ENDPOINT", help="look at the bus at this address")
    topics.add_argument(
        "--count", type=int, default=0, metavar="N", help="stop after this many messages (default: until Ctrl-C)"
    )
    topics.add_argument(
        "--seconds", type=float, default=3.0, metavar="S", help="how long hz measures, in seconds (default: 3)"
    )


def _add_ros1(commands: argparse._SubParsersAction[Any]) -> None:
    ros1 = commands.add_parser("ros1", help="bridge the topics of a bus to ROS 1")
    ros1.add_argument("--connect", action="append", metavar="ENDPOINT", help="join the bus at this address")
    ros1.add_argument("--python", metavar="FILE", help="Python interpreter that has rospy (default: the system's)")
    ros1.add_argument("--name", default="volery", help="name of the node (default: volery)")
    ros1.add_argument("--sim-time", action="store_true", help="run all of ROS 1 on the simulation's clock")


def _add_recordings(commands: argparse._SubParsersAction[Any]) -> None:
    replay = commands.add_parser("replay", help="replay a recording in the browser and on the bus")
    replay.add_argument("recording", help="MCAP file")
    replay.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="speed as a factor of real time (default: 1)"
    )
    replay.add_argument(
        "--start", type=float, default=0.0, metavar="S", help="start this many seconds into the recording"
    )
    replay.add_argument("--loop", action="store_true", help="repeat")
    _add_bus(replay)
    _add_viewer(replay)
    again = commands.add_parser("rerun", help="simulate a recorded run again and report the first difference")
    again.add_argument("recording", help="MCAP file")


def _add_render(commands: argparse._SubParsersAction[Any]) -> None:
    render = commands.add_parser("render", help="render a picture or a clip of a scenario")
    render.add_argument("scenario", help="scenario file or built-in name")
    render.add_argument("out", help="file to write, such as out.png; for a clip: .webp, .gif or .png")
    render.add_argument(
        "--camera",
        metavar="WHERE",
        help="a robot, robot/site, or x,y,z,yaw,pitch in metres and degrees (default: behind the first robot)",
    )
    render.add_argument("--type", default="colour", choices=("colour", "depth", "normal", "label"))
    render.add_argument(
        "--quality",
        default="default",
        choices=("plain", "fast", "default", "best"),
        help="quality of colour pictures (default: default)",
    )
    render.add_argument("--size", default="960x540", metavar="WxH", help="size in pixels (default: 960x540)")
    render.add_argument(
        "--fov", type=float, default=80.0, metavar="DEG", help="horizontal field of view in degrees (default: 80)"
    )
    render.add_argument("--time", type=float, default=0.0, metavar="S", help="simulate this many seconds first")
    render.add_argument(
        "--clip", type=float, metavar="S", help="make a clip of this many simulated seconds instead of a picture"
    )
    render.add_argument(
        "--fps", type=float, default=10.0, metavar="N", help="frames per second of a clip (default: 10)"
    )
    render.add_argument("--seed", type=int, metavar="N")


def _add_others(commands: argparse._SubParsersAction[Any]) -> None:
    listing = commands.add_parser("list", help="list components, or describe one with its parameters")
    listing.add_argument("kind", choices=("scenarios", *registry.KINDS))
    listing.add_argument(
        "name", nargs="?", help="describe this one: parameters with unit and range, outputs, controls, an example"
    )
    bench = commands.add_parser("bench", help="run benchmarks")
    bench.add_argument(
        "name",
        help="bus, camera, demo, doors, learn, lidar, multirotor, physics, rays, scanner, start, ueds, worlds; or all",
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument(
        "--out", metavar="FILE", help="also write JSON to this file; for all: to this folder (default: benchmarks)"
    )
    bench.add_argument(
        "--quick", action="store_true", help="use a small scene, to check that it works; not for publication"
    )
    bench.add_argument("--no-peers", action="store_true", help="skip comparisons with other libraries")
    commands.add_parser("doctor", help="check this machine")


def _add_report(commands: argparse._SubParsersAction[Any]) -> None:
    reports = commands.add_parser("report", help="run an evaluation and write its report")
    names = reports.add_subparsers(dest="name", metavar="NAME", required=True)
    report = names.add_parser("deliveries", help="compare agent behaviours over many seeds")
    report.add_argument("--drones", type=int, default=20, metavar="N", help="drones per run (default: 20)")
    report.add_argument("--parcels", type=int, default=1, metavar="N", help="parcels per drone (default: 1)")
    report.add_argument("--seeds", type=int, default=20, metavar="N", help="runs per behaviour (default: 20)")
    report.add_argument("--behaviours", metavar="A,B", help="behaviours to compare (default: all)")
    report.add_argument(
        "--agent", action="append", metavar="FILE:CLASS", help="also an agent of your own: my_file.py:MyAgent"
    )
    report.add_argument(
        "--limit", type=float, default=120.0, metavar="S", help="longest run in simulated seconds (default: 120)"
    )
    report.add_argument("--jobs", type=int, metavar="N", help="parallel runs (default: number of cores)")
    report.add_argument("--threads", type=int, metavar="N", help="ray-casting threads of each run")
    ueds = names.add_parser("ueds", help="repeat chapter 5 of the UEds thesis: worlds, cameras, lidars, drones, calls")
    ueds.add_argument(
        "--quick", action="store_true", help="measure small parts, to check that it works; not for publication"
    )
    ueds.add_argument("--peers", action="store_true", help="also measure other installed libraries")
    elaha = names.add_parser("elaha", help="repeat the ELAHA thesis' evaluation: frames, scans, contact, bus, a gust")
    elaha.add_argument(
        "--quick", action="store_true", help="measure small parts, to check that it works; not for publication"
    )
    airobots = names.add_parser("airobots", help="repeat the AIRobots docking experiment: force, position, attitude")
    airobots.add_argument(
        "--robot", default="ductedfan", metavar="NAME", help="a craft with a tool (default: ductedfan)"
    )
    airobots.add_argument("--quick", action="store_true", help="make one short contact, to check that it works")
    for own in (report, ueds, elaha, airobots):
        own.add_argument("--out", default="out", metavar="DIR", help="folder for tables and plots (default: out)")


def _add_campaign(commands: argparse._SubParsersAction[Any]) -> None:
    campaign = commands.add_parser("campaign", help="run a scenario many times and report")
    campaign.add_argument("file", help="campaign file; repeat the command to continue an interrupted campaign")
    campaign.add_argument("--jobs", type=int, metavar="N", help="parallel runs (default: number of cores)")
    campaign.add_argument("--threads", type=int, metavar="N", help="threads per run (default: cores / jobs)")
    campaign.add_argument("--out", metavar="DIR", help="folder for results (default: out/campaign-<name of the file>)")
    campaign.add_argument("--print", type=int, metavar="N", help="print the scenario of run N and exit")
    campaign.add_argument(
        "--against", metavar="REPORT",
        help="compare with another campaign's report.json; exit code 1 if a measure got worse (key `better`)",
    )  # fmt: skip
    campaign.add_argument("--retry", action="store_true", help="repeat failed runs")
    campaign.add_argument(
        "--ray", nargs="?", const="local", metavar="auto|HOST:PORT",
        help="use the Ray cluster of this machine or at this address; without a value, start one (default: no Ray)",
    )  # fmt: skip


def _add_fly(commands: argparse._SubParsersAction[Any]) -> None:
    fly = commands.add_parser("fly", help="have agents fly robots of a simulation elsewhere")
    fly.add_argument("agent", help="a behaviour (volery list behaviours), or my_file.py:MyAgent")
    where = fly.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--airsim", nargs="?", const="127.0.0.1:41451", metavar="HOST:PORT",
        help="vehicles of this AirSim server (default: 127.0.0.1:41451)",
    )  # fmt: skip
    where.add_argument("--bus", nargs="?", const="", metavar="ENDPOINT", help="robots on this bus (default: loopback)")
    fly.add_argument("--robots", metavar="A,B", help="names of those to fly (default: all)")
    fly.add_argument("--lidar", metavar="NAME", help="name of their lidar (default: AirSim's first; lidar on the bus)")
    fly.add_argument(
        "--errand", action="append", metavar="EAST,NORTH",
        help="a place to bring a parcel to, in metres; may be repeated, agents take turns",
    )  # fmt: skip
    fly.add_argument("--duration", type=float, default=300.0, metavar="S", help="end after so many simulated seconds")
    fly.add_argument(
        "--period", type=float, default=0.1, metavar="S", help="between two cycles of agents (default: 0.1)"
    )
    fly.add_argument(
        "--strategy", default="fixed", choices=("fixed", "realtime"),
        help="fixed (default): the clock waits while agents decide; realtime: it does not",
    )  # fmt: skip


def _parser(scenario: str | None = None) -> argparse.ArgumentParser:
    """scenario: of `run`, whose own flags its help shows."""
    parser = _Parser(
        prog="volery", description="Simulate robots in endless worlds, with ray-traced sensors, on a plain CPU."
    )
    parser.add_argument("--version", action="version", version=f"volery {__version__}")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands, scenario)
    _add_fly(commands)
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
    "fly": "fly:fly",
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
