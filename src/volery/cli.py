"""The command line: run, topics, ros1, replay, rerun, list, render, bench, doctor, report, campaign."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from volery import __version__
from volery.errors import VoleryError, did_you_mean

__all__ = ["main"]


class _Parser(argparse.ArgumentParser):
    """Errors of two lines: what is wrong, and where help is."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"volery: {message}\nhelp: {self.prog} --help\n")


def _add_run(commands: argparse._SubParsersAction) -> None:
    run = commands.add_parser("run", help="run a scenario")
    run.add_argument("scenario", nargs="?", default="demo", help="scenario file or built-in name (default: demo)")
    run.add_argument("--duration", type=float, metavar="S", help="simulated seconds to run (default: until Ctrl-C)")
    run.add_argument("--speed", metavar="X", help="factor of real time, or 'max' (default: the scenario's)")
    run.add_argument("--seed", type=int, metavar="N", help="seed instead of the scenario's")
    run.add_argument("--threads", type=int, metavar="N", help="threads that cast rays (default: all cores)")
    run.add_argument("--hash", action="store_true", help="hash all readings; equal hashes mean equal runs")
    run.add_argument("--snapshot", metavar="FILE", help="write the final state to a file")
    run.add_argument("--resume", metavar="FILE", help="go on from a state written by --snapshot")
    run.add_argument("--record", metavar="FILE", help="record all topics to an MCAP file")
    run.add_argument("--strict-record", action="store_true", help="end the run at once if a recording cannot go on")
    run.add_argument("--topics", metavar="A,B", help="record only topics of these patterns, such as '/uav1/*,/tf'")
    run.add_argument("--settings", metavar="FILE", help="an AirSim settings.json, for a scenario with that protocol")
    run.add_argument("--world", metavar="NAME", help="UEds's level, such as forest, for a scenario with that protocol")
    run.add_argument("--api", metavar="0.11", help="version of UEds that is spoken and claimed, for the same")
    run.add_argument("--arena", choices=("yellow", "orange", "red"), help="colour of a rescue arena")
    run.add_argument("--dialect", choices=("ut2003", "ut2004", "udk"), help="of USARSim's protocol (default: ut2004)")
    run.add_argument("--port", type=int, metavar="N", help="of USARSim's protocol (default: 3000)")
    run.add_argument(
        "--mocap", nargs="?", const="", metavar="HOST:PORT",
        help="motion capture for NatNet clients (default: 127.0.0.1:1510)",
    )  # fmt: skip
    run.add_argument(
        "--mavlink", nargs="?", const="", metavar="HOST:PORT",
        help="robots as MAVLink vehicles that tell this ground station (default: 127.0.0.1:14550)",
    )  # fmt: skip
    run.add_argument(
        "--autopilot", metavar="FIRMWARE[:PATH]",
        help="robots flown by ardupilot, px4 or betaflight; with the path of its program it is started, too",
    )  # fmt: skip
    run.add_argument("--autopilot-args", metavar="WORDS", help="more words for that program, in one argument")
    run.add_argument("--silent", choices=("wait", "go-on"), help="what to do while the firmware is silent (wait)")
    run.add_argument("--log", action="append", metavar="FILE", help="a flight to show, CSV or MCAP; may be given again")
    run.add_argument("--drones", type=int, metavar="N", help="how many, for a scenario with agents such as deliveries")
    run.add_argument("--robots", type=int, metavar="N", help="how many, for a mission on the ground such as rescue")
    run.add_argument("--behaviour", metavar="NAME", help="of those agents: courier, reach or reach_among_drones")
    run.add_argument("--strategy", choices=("fixed", "realtime"), help="whether the clock waits while they think")
    run.add_argument("--pilot", choices=("operator", "tutor"), help="who flies a lesson (default: the operator)")
    run.add_argument("--elaha", metavar="ROBOT", help="also use the ELAHA platform's topic names for this robot")
    run.add_argument("--mrs", action="store_true", help="also use the MRS simulator's topic names for multirotors")
    run.add_argument("--no-bus", action="store_true", help="no topics for other processes")
    _add_bus(run)
    _add_viewer(run)


def _add_viewer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="no browser view; a line of numbers a second")
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


def _add_topics(commands: argparse._SubParsersAction) -> None:
    topics = commands.add_parser("topics", help="what is on the bus")
    topics.add_argument("action", nargs="?", default="list", choices=("list", "echo", "hz"))
    topics.add_argument("topic", nargs="?", help="for echo and hz")
    topics.add_argument("--connect", action="append", metavar="ENDPOINT", help="a bus elsewhere to look at")
    topics.add_argument("--count", type=int, default=0, metavar="N", help="messages to echo (default: until Ctrl-C)")
    topics.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long hz measures (default: 3)")


def _add_ros1(commands: argparse._SubParsersAction) -> None:
    ros1 = commands.add_parser("ros1", help="offer the topics of a bus to a ROS 1")
    ros1.add_argument("--connect", action="append", metavar="ENDPOINT", help="a bus elsewhere to join")
    ros1.add_argument("--python", metavar="FILE", help="a Python that has rospy (default: the system's)")
    ros1.add_argument("--name", default="volery", help="of the node (default: volery)")
    ros1.add_argument("--sim-time", action="store_true", help="have all of ROS 1 go by the simulation's clock")


def _add_recordings(commands: argparse._SubParsersAction) -> None:
    replay = commands.add_parser("replay", help="show a recording, and put it on the bus")
    replay.add_argument("recording", help="MCAP file")
    replay.add_argument("--speed", type=float, default=1.0, metavar="X", help="factor of real time (default: 1)")
    replay.add_argument("--start", type=float, default=0.0, metavar="S", help="seconds after its beginning")
    replay.add_argument("--loop", action="store_true", help="begin again at the end")
    _add_bus(replay)
    _add_viewer(replay)
    again = commands.add_parser("rerun", help="simulate a recording again and report the first difference")
    again.add_argument("recording", help="MCAP file")


def _add_render(commands: argparse._SubParsersAction) -> None:
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
        "--quality", default="best", choices=("plain", "fast", "default", "best"), help="of colours (default: best)"
    )
    render.add_argument("--size", default="960x540", metavar="WxH", help="pixels (default: 960x540)")
    render.add_argument("--fov", type=float, default=80.0, metavar="DEG", help="horizontal field of view (default: 80)")
    render.add_argument("--time", type=float, default=0.0, metavar="S", help="simulated seconds to run before")
    render.add_argument("--clip", type=float, metavar="S", help="simulated seconds to show: a clip, not a picture")
    render.add_argument("--fps", type=float, default=10.0, metavar="N", help="pictures a second of it (default: 10)")
    render.add_argument("--seed", type=int, metavar="N")


def _add_others(commands: argparse._SubParsersAction) -> None:
    listing = commands.add_parser("list", help="what there is")
    listing.add_argument("kind", choices=("scenarios", "worlds", "robots", "sensors", "engines", "agents", "protocols"))
    bench = commands.add_parser("bench", help="measure")
    bench.add_argument(
        "name", help="start, rays, scanner, lidar, camera, worlds, physics, multirotor, learn, ueds, bus; all"
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument(
        "--out", metavar="FILE", help="write JSON to a file as well; for all: a folder (default: benchmarks)"
    )
    bench.add_argument("--quick", action="store_true", help="a small scene, to see that it works; not for claims")
    bench.add_argument("--no-peers", action="store_true", help="leave out comparisons with other libraries")
    commands.add_parser("doctor", help="check this machine")


def _add_report(commands: argparse._SubParsersAction) -> None:
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


def _add_campaign(commands: argparse._SubParsersAction) -> None:
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


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="volery", description="Simulate robots: worlds without end, sensors by rays, no GPU.")
    parser.add_argument("--version", action="version", version=f"volery {__version__}")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands)
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
    parser = _parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = next((w for w in words if not w.startswith("-")), None)
    if first is not None and first not in _COMMANDS:
        parser.error(f"unknown command '{first}'{did_you_mean(first, _COMMANDS)}; commands: {', '.join(_COMMANDS)}")
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return 0
    logging.basicConfig(level=logging.INFO, format="volery: %(message)s")
    try:
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
