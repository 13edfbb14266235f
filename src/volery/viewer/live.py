"""A run as pages see it: looked at in the loop, for microseconds, and told in the viewer's thread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from volery.bus.bus import Bus
from volery.bus.listing import Row, Watch
from volery.bus.poses import Poses, Roster, poses_frame
from volery.bus.record import Recorder
from volery.bus.replay import Replayer
from volery.core.clock import SECOND
from volery.errors import BusError
from volery.loop import Loop
from volery.scenario import Scenario
from volery.viewer.event_lines import EventLines
from volery.viewer.gateway import Gateway, Pacer
from volery.viewer.messages import PageEvents, PageMarkers, PageState, PageTimeline, PageTopics
from volery.viewer.page import Page
from volery.viewer.skylight import sky_message
from volery.viewer.world_stream import WorldStream

__all__ = ["Attached", "Live"]

_log = logging.getLogger("volery")
_POSES = 1 / 30
"""Poses are looked at this often [s]."""
_SURVEY = 0.5
"""What is there, robots and world, is looked at this often [s]."""
_TICK, _STATE, _SKY = 1 / 30, 0.2, 1.0


@dataclass
class Attached:
    """A run and what can be done with it."""

    simulation: Any
    """A Simulation, or a `Replayed`."""
    bus: Bus | None = None
    loop: Loop | None = None
    """What steps it; none in a replay."""
    replayer: Replayer | None = None
    out: Path = Path("out")
    """Where snapshots and recordings go."""
    record: Callable[[Path], Recorder] | None = None
    """Begin a recording; called in the loop."""
    start: Callable[[Scenario, int | None], None] | None = None
    """End this run and begin another, of a scenario and a seed."""
    recorder: Recorder | None = None
    """The recording in progress."""


class Live:
    """The eyes on one run. It is a listener of the simulation; the rest belongs to the viewer's thread."""

    def __init__(
        self, attached: Attached, roster: Roster, world_stream: WorldStream, pages: dict[int, Page],
        post: Callable[[Callable[[], None]], None],
    ) -> None:  # fmt: skip
        """post: have the viewer's thread call something."""
        self.attached = attached
        self.event_lines = EventLines()
        self.gateway = Gateway(attached.bus)
        self.watched = False
        """Whether any page is open: else the loop has nothing to do for us."""
        self._roster, self._world_stream = roster, world_stream
        self._pages = pages
        self._post = post
        self._next_look = self._next_survey = self._next_state = self._next_sky = 0.0
        self._version = -1
        self._poses: Poses | None = None
        self._failed = False
        self._factor = _Factor()
        self._table: asyncio.Task[Any] | None = None
        self._pacers: dict[tuple[int, str], Pacer] = {}
        attached.simulation.listeners.append(self)

    # In the loop

    def __call__(self, simulation: Any) -> None:
        """Look at the step that has just been made, if it is time to."""
        try:
            self.event_lines(simulation)
            if not self.watched:
                return
            self._roster.feel(simulation)
            if (now := time.monotonic()) >= self._next_look:
                self._next_look = max(self._next_look + _POSES, now)
                self.look(simulation)
        except Exception:
            self._say_failed()

    def look(self, simulation: Any) -> None:
        """Take poses, and what is there if it may have changed."""
        replayed = self.attached.replayer is not None
        # The viewer's thread may take them away at any time: this one keeps its own.
        poses = self._poses = simulation.poses(self._roster) if replayed else self._roster.take(simulation)
        now = time.monotonic()
        if poses.version != self._version or now >= self._next_survey:
            self._version, self._next_survey = poses.version, now + _SURVEY
            self._world_stream.snapshot(simulation, self._roster)
        self._post(self._tell_poses)

    # In the viewer's thread

    def refresh(self) -> None:
        """Look soon, even if the clock is held."""
        simulation = self.attached.simulation
        self._next_survey = 0.0
        simulation.ask(lambda: self.look(simulation))

    async def run(self) -> None:
        """Tell pages what is new, as long as there are any."""
        while True:
            try:
                self._tick(time.monotonic())
            except Exception:
                self._say_failed()
            await asyncio.sleep(_TICK if self._pages else _STATE)

    def _tick(self, now: float) -> None:
        self._tell_topics(now)
        if now >= self._next_state:
            self._next_state = now + _STATE
            self._tell_state()
        if now >= self._next_sky:
            self._next_sky = now + _SKY
            self._tell_sky()
            self._look_at_table()

    def _say_failed(self) -> None:
        """Once: what pages see is not worth a run, nor a full log."""
        if not self._failed:
            _log.exception("the viewer cannot show this run")
        self._failed = True

    def greet(self, page: Page) -> None:
        """Give a page that has just come what it has missed."""
        page.known, events = self.event_lines.since(0)
        page.say(PageEvents(events))
        page.say(self.state())
        environment, clock = self.attached.simulation.environment, self.attached.simulation.clock
        page.say(sky_message(environment, clock.now_ns))
        self.refresh()

    def want(self) -> None:
        """Pages have changed their mind about topics."""
        topics: dict[str, float] = {}
        for page in self._pages.values():
            for topic, rate in page.topics.items():
                topics[topic] = max(rate, topics.get(topic, 0.0))
        self.gateway.want(topics)
        kept = {(p.number, t) for p in self._pages.values() for t in p.topics}
        self._pacers = {key: pacer for key, pacer in self._pacers.items() if key in kept}

    def hold(self, page: Page | None, robot: str, kind: str) -> None:
        """A page steers a robot by hand now, with a kind of command, and no other page does; None: none does."""
        for other in self._pages.values():
            other.held.pop(robot, None)
        if page is not None:
            page.held[robot] = kind

    def state(self) -> PageState:
        """The `state` message."""
        a = self.attached
        clock = a.simulation.clock
        running: Any = a.loop or a.replayer
        return PageState(
            now_ns=clock.now_ns,
            paused=running.paused,
            speed=running.speed,
            factor=self._factor.of(clock.now_ns),
            steps=clock.steps,
            recording=None if a.recorder is None or a.recorder.fault else a.recorder.path.name,
            recording_fault=None if a.recorder is None or a.recorder.fault is None else str(a.recorder.fault),
            pages=len(self._pages),
            replay=None if a.replayer is None else _timeline(a.replayer),
        )

    def close(self) -> None:
        """Look no longer."""
        if self in self.attached.simulation.listeners:
            self.attached.simulation.listeners.remove(self)
        self.gateway.close()
        if self._table is not None:
            self._table.cancel()

    def _tell_poses(self) -> None:
        poses, self._poses = self._poses, None
        if poses is not None and self._pages:
            frame = poses_frame(poses)
            for page in self._pages.values():
                page.put("poses", frame)

    def _tell_topics(self, now: float) -> None:
        for found in self.gateway.collect(now):
            for page in self._pages.values():
                rate = page.topics.get(found.topic)
                if rate is None:
                    continue
                pacer = self._pacers.setdefault((page.number, found.topic), Pacer(rate))
                pacer.rate = rate
                if pacer.due(now):
                    pacer.done(now)
                    page.put("topic", found.frame, found.topic)

    def _tell_state(self) -> None:
        state = self.state()
        a = self.attached
        if self._pages and state.replay is not None and state.paused:
            # After a seek no later message comes by which the last poses would be looked at.
            self.refresh()
        for page in self._pages.values():
            page.say(state)
            # Each frame of these tells what is new since the one before, so that one must be gone.
            if not page.waits("events"):
                page.known, events = self.event_lines.since(page.known)
                if events:
                    page.say(PageEvents(events))
            if not page.waits("markers"):
                markers = page.markers.changes(a.simulation.environment.drawings, a.simulation.clock.now_ns)
                if markers:
                    page.say(PageMarkers(markers))

    def _tell_sky(self) -> None:
        simulation = self.attached.simulation
        if self._pages:
            message = sky_message(simulation.environment, simulation.clock.now_ns)
            for page in self._pages.values():
                page.say(message)

    def _look_at_table(self) -> None:
        wanted = any(page.table for page in self._pages.values()) and self.attached.bus is not None
        if wanted and self._table is None:
            self._table = asyncio.create_task(self._follow_table())
        elif not wanted and self._table is not None:
            self._table.cancel()
            self._table = None

    async def _follow_table(self) -> None:
        """Once a second; in another thread, since asking the network takes its time."""
        bus = self.attached.bus
        assert bus is not None
        watch = Watch(bus)
        try:
            while True:
                await asyncio.sleep(1.0)
                rows = await asyncio.to_thread(_rows, watch)
                for page in self._pages.values():
                    if page.table:
                        page.say(PageTopics(rows))
        except BusError as error:
            _log.warning("no table of topics: %s", error)
        finally:
            watch.close()


def _rows(watch: Watch) -> list[Row]:
    watch.listen(0.0)
    return watch.rows()


def _timeline(replayer: Replayer) -> PageTimeline:
    return PageTimeline(replayer.start_ns, replayer.end_ns, replayer.now_ns, replayer.speed, replayer.paused)


class _Factor:
    """How fast simulated time goes against the wall's, over the last second or so."""

    def __init__(self) -> None:
        self._then: list[tuple[float, int]] = []

    def of(self, now_ns: int) -> float:
        """Now, given the simulated time [ns]."""
        now = time.monotonic()
        kept = [(wall, ns) for wall, ns in self._then if now - wall < 1.5 and ns <= now_ns]
        self._then = [*kept, (now, now_ns)]
        wall, ns = self._then[0]
        return round((now_ns - ns) / SECOND / (now - wall), 3) if now - wall > 0.05 else 0.0
