"""The bus of a run, and `volery topics`, `volery replay` and `volery rerun`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import itertools
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volery.bus.bus import DEFAULT_ENDPOINT, Bus, BusConfig
from volery.bus.command_listener import CommandListener
from volery.bus.elaha import ElahaNames
from volery.bus.link import BusLink
from volery.bus.listing import Counts, measure, rows, show, table
from volery.bus.mrs import MrsNames
from volery.bus.record import Recorder
from volery.bus.replay import Replayer
from volery.bus.ros2 import ros2_config
from volery.bus.run_publisher import RunPublisher
from volery.bus.session import TOKEN_VARIABLE
from volery.bus.timing import LinkTiming, TimedLink
from volery.commands.start import Ending
from volery.core.clock import SECOND
from volery.errors import BusError, UnknownNameError, VoleryError
from volery.events import Restored
from volery.physics.external import ExternalEngine
from volery.protocols.udp.server import UdpLink
from volery.report.rerun import about_run, rerun
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.commands.show import Viewer

__all__ = ["Traffic", "replay", "rerun_recording", "topics"]

_log = logging.getLogger("volery")


def bus_config(options: argparse.Namespace) -> BusConfig:
    """Where the command line wants the bus."""
    return BusConfig(listen=options.listen or [], connect=options.connect or [], open=options.open_bus)


def _say_token(bus: Bus) -> None:
    """Beyond this machine others need the token; like the page's address it is for the terminal, not for logs."""
    config = bus.config
    where = ", ".join(config.listen)
    if where and config.token and not os.environ.get(TOKEN_VARIABLE):
        print(f"bus: {where}; others join with {TOKEN_VARIABLE}={config.token}", flush=True)
    elif where and config.open:
        print(f"bus: {where}, open: whoever reaches it may command these robots", flush=True)


class Traffic:
    """A run's bus: topics out and in, and the recording; nothing of it if not wanted."""

    def __init__(
        self, simulation: Simulation, options: argparse.Namespace, *, shown: bool = False,
        on_fault: Callable[[BusError], None] | None = None,
    ) -> None:  # fmt: skip
        """shown: pages look at the run, so there must be topics even if other processes are to see none.

        on_fault: called at once, in any thread, if a recording cannot go on."""
        self._on_fault = on_fault
        self._simulation = simulation
        self._parts: list[Any] = []
        self._links: list[TimedLink] = []
        self.bus: Bus | None = None
        self.recorder: Recorder | None = None
        """What the command line asked to be recorded."""
        if options.no_bus and not options.record and not shown:
            self._without_bus()
            return
        try:
            self.bus = bus = Bus(BusConfig(listen=["tcp/127.0.0.1:0"]) if options.no_bus else bus_config(options))
        except BusError as error:
            if options.record or options.listen or options.connect:
                raise
            _log.warning("%s; running without", error)
            self._without_bus()
            return
        self._parts = [bus]
        _say_token(bus)
        try:
            self._open(bus, options)
        except BaseException:
            # A bus that stays open would keep the process alive.
            self.close()
            raise

    def _without_bus(self) -> None:
        self._links = connect_externals(self._simulation, None)
        self._parts = [*self._links]

    def _open(self, bus: Bus, options: argparse.Namespace) -> None:
        simulation = self._simulation
        self._run_publisher = RunPublisher(simulation, bus, ros2_config(simulation.scenario))
        listeners: list[Any] = [self._run_publisher, CommandListener(simulation, bus), Counts(bus)]
        if options.elaha:
            simulation.robot(options.elaha)
            listeners.append(ElahaNames(simulation, bus, options.elaha))
        if options.mrs:
            listeners.append(MrsNames(simulation, bus))
        simulation.listeners += listeners
        self._links = connect_externals(simulation, bus)
        self._parts = [*self._links, *listeners, bus]
        if options.record:
            topics = tuple(options.topics.split(",")) if options.topics else ("*",)
            self.recorder = self._record(options.record, topics)

    @property
    def timings(self) -> list[LinkTiming]:
        """Of links to physics elsewhere, robot by robot."""
        return [timing for link in self._links for timing in link.timings.values()]

    def record(self, path: Path) -> Recorder:
        """Begin to record all topics, in the loop. The state of now is kept too, so that a rerun begins there."""
        recorder = self._record(path, ("*",))
        self._simulation.events.append(Restored(self._simulation.state()))
        return recorder

    def _record(self, path: Path | str, topics: tuple[str, ...]) -> Recorder:
        about = about_run(self._simulation.scenario, self._simulation.seed, self._run_publisher.steps)
        assert self.bus is not None
        recorder = Recorder(self.bus, path, topics, on_fault=self._on_fault, **about)
        # Ended ones would keep their indices.
        kept = [part for part in self._parts if not (isinstance(part, Recorder) and part.closed)]
        self._parts = [recorder, *kept]
        return recorder

    def close(self) -> None:
        """End it all; an error of one part does not keep the others."""
        for part in self._parts:
            try:
                part.close()
            except BusError as error:
                if not isinstance(part, Recorder):  # which has said it at once
                    _log.error("%s", error)


def connect_externals(simulation: Simulation, bus: Bus | None) -> list[TimedLink]:
    """Give engines whose physics runs elsewhere their link; the caller closes it. Without a bus only those by UDP."""
    links: list[TimedLink] = []
    for name, engine in simulation.engines.items():
        if not isinstance(engine, ExternalEngine):
            continue
        if engine.settings.link == "udp":
            links.append(TimedLink(UdpLink(engine.settings.port)))
        elif bus is not None:
            links.append(TimedLink(BusLink(bus)))
        else:
            _log.warning("engine '%s' waits for physics from the bus, and there is none: its robots stay put", name)
            continue
        simulation.connect(name, links[-1])
    return links


def topics(options: argparse.Namespace) -> int:
    """The topics of the network, one of them, or its rate."""
    if (options.action == "list") != (options.topic is None):
        raise BusError(f"topics {options.action}: {'takes no topic' if options.topic else 'say which topic'}")
    with Bus(_joining(options)) as bus:
        if options.action == "list":
            print(table(rows(bus)))
        elif options.action == "hz":
            count, rate, size = measure(bus, options.topic, options.seconds)
            print(f"{options.topic}: {count} messages, {rate:.2f} Hz, {size:.0f} bytes/s")
        else:
            _echo(bus, options)
    return 0


def _joining(options: argparse.Namespace) -> BusConfig:
    """To look at the bus that is there, not to start one."""
    return BusConfig(connect=options.connect or [DEFAULT_ENDPOINT], node="volery_topics")


def _echo(bus: Bus, options: argparse.Namespace) -> None:
    subscriber = bus.subscribe(options.topic, depth=100)
    for _ in range(options.count) if options.count else itertools.count():
        while (message := subscriber.wait_next(0.2)) is None:
            pass
        try:
            words = show(message.value)
        except (BusError, UnknownNameError) as error:
            words = f"{len(message.data)} bytes: {error}"
        print(f"{words}\n---", flush=True)


def replay(options: argparse.Namespace) -> int:
    """Put a recording on the bus, and show it."""
    with Bus(bus_config(options)) as bus:
        _say_token(bus)
        replayer = Replayer(bus, options.recording, speed=options.speed, loop=options.loop)
        replayer.seek(options.start)
        viewer = None if options.headless else _shown(replayer, options)
        replayer.hold = viewer is not None
        length = (replayer.end_ns - replayer.start_ns) / SECOND
        print(f"{options.recording}: {length:.2f} s at {options.speed:g} × real time, Ctrl-C ends", flush=True)
        ending = Ending(replayer.stop)
        try:
            replayer.run()
        finally:
            if viewer is not None:
                viewer.close()
            ending.restore()
        print(f"{replayer.sent} messages")
    return 0


def _shown(replayer: Replayer, options: argparse.Namespace) -> Viewer | None:
    """The page with the recording in it; a recording that does not hold its scenario is only put on the bus."""
    from volery.commands.show import open_viewer
    from volery.viewer.live import Attached
    from volery.viewer.replaying import Replayed

    try:
        replayed = Replayed(replayer)
    except VoleryError as error:
        _log.warning("%s; no page", error)
        return None
    viewer = open_viewer(options)
    if viewer is not None:
        viewer.attach(Attached(replayed, replayer.bus, replayer=replayer, out=Path(options.out)))
    return viewer


def rerun_recording(options: argparse.Namespace) -> int:
    """Simulate a recording again; exit code 1 if it comes out differently."""
    found = rerun(Path(options.recording))
    if found.difference:
        print(f"after {found.messages} equal messages: {found.difference}")
        return 1
    print(f"identical: {found.messages} messages")
    return 0
