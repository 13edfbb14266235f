"""What pages may ask for: each request is checked, done in the loop between two steps, and answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np

from volery import registry
from volery.bus.keys import check_topic
from volery.core.clock import SECOND
from volery.core.state import load, save
from volery.errors import CommandError, SimulationError, UnknownNameError, VoleryError
from volery.loop import Loop
from volery.robots.commands import command_of
from volery.viewer import checks
from volery.viewer.live import Live
from volery.viewer.messages import plain_message
from volery.viewer.page import Page
from volery.viewer.planning import MOST_ROBOTS, known_scenarios, plan_start
from volery.viewer.properties import property_view, set_property
from volery.viewer.saving import scenario_text
from volery.viewer.skylight import wind_at

__all__ = ["PageControls"]

_MOST_STEPS = 100_000
_MOST_TOPICS = 200
_MOST_WIND = 500
_RATES = (0.1, 60.0)
"""How often a page may want a topic [Hz]."""
_FARTHEST = 20_000.0
"""How far a page may want to see [m]."""
_HELD = {"velocity": "v_W", "body_velocity": "v_B"}
"""Commands by which people steer with keys held down, and their vectors."""
_SHOWN_AT_ONCE = ("place", "spawn", "remove", "reset", "restore", "operate", "set", "step")
"""What is to be seen even if the clock is held."""


class PageControls:
    """The requests of pages for one run. Used in the viewer's thread."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._run = live.attached
        self._simulation = live.attached.simulation
        self._waiting: set[Future[Any]] = set()
        self._ended = False

    async def do(self, page: Page, name: str, message: dict[str, Any]) -> Any:
        """Do what a page asks; the result is plain data. Anything wrong with it is a VoleryError."""
        if name not in _DO:
            raise UnknownNameError("request", name, _DO)
        if self._run.replayer is not None and name in _LIVE_ONLY:
            raise SimulationError(f"this is a recording: '{name}' is for a live run")
        if self._run.replayer is None and name == "seek":
            raise SimulationError("a live run has no past to go to; record it, and replay the recording")
        try:
            result = await _DO[name](self, page, message)
        except VoleryError:
            raise
        except Exception as error:
            # Whatever a request leads to, the page is told and the server goes on.
            raise SimulationError(f"{name} cannot be done: {type(error).__name__}: {error}") from error
        if name in _SHOWN_AT_ONCE and self._paused:
            self._live.refresh()
        return result

    def leave(self, page: Page) -> None:
        """A page has gone: robots that it steered by hand stop."""
        for robot, kind in page.held.items():
            still = command_of(kind, {})
            self._simulation.ask(lambda robot=robot, still=still: self._simulation.command(robot, still))
        page.held = {}

    def close(self) -> None:
        """The run has ended: who still waits is told so."""
        self._ended = True
        for future in list(self._waiting):
            future.cancel()

    @property
    def _paused(self) -> bool:
        return bool(self._running.paused)

    @property
    def _running(self) -> Any:
        """What moves time: the loop, or the replayer of a recording."""
        return self._run.loop or self._run.replayer

    @property
    def _loop(self) -> Loop:
        """Of a run that is simulated; a replay has none, and its pages cannot ask for what needs it."""
        assert self._run.loop is not None
        return self._run.loop

    async def _ask(self, page: Page, request: Callable[[], Any]) -> Any:
        """Have the loop do it; pages take turns, as all clients do."""
        return await self._wait(self._simulation.ask(request, ("page", page.number)))

    async def _wait(self, future: Future[Any]) -> Any:
        """The result of what the loop does; an error if the run ends before."""
        if self._ended:
            future.cancel()
        self._waiting.add(future)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if self._ended:
                raise SimulationError("the run has ended") from None
            raise
        finally:
            self._waiting.discard(future)

    # What a page wants to see

    async def view(self, page: Page, message: dict[str, Any]) -> None:
        """Where its camera is [m], and how far it wants to see [m]."""
        p_W = checks.vector(message.get("p"), 3, "'p'")
        radius = checks.number(message, "radius", 0.0, _FARTHEST)
        if page.area is not None:
            page.area.look(np.array(p_W), radius)
            page.wake()

    async def want(self, page: Page, message: dict[str, Any]) -> None:
        """Topics with their rates [Hz], and whether the table of topics."""
        asked = message.get("topics", [])
        if not isinstance(asked, list) or len(asked) > _MOST_TOPICS or not all(isinstance(t, dict) for t in asked):
            raise CommandError(f"'topics' must be a list of at most {_MOST_TOPICS} of {{topic, rate}}")
        topics = {}
        for entry in asked:
            topic = checks.text(entry, "topic")
            check_topic(topic)
            topics[topic] = checks.number({"rate": 10.0, **entry}, "rate", *_RATES)
        page.topics, page.table = topics, message.get("table") is True
        self._live.want()

    async def wind(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Velocity of the air at places [m], [m/s]."""
        places = message.get("p")
        if not isinstance(places, list) or len(places) > _MOST_WIND:
            raise CommandError(f"'p' must be a list of at most {_MOST_WIND} places")
        points = np.array([checks.vector(p, 3, "a place") for p in places], float).reshape(-1, 3)
        environment, now_ns = self._simulation.environment, self._simulation.clock.now_ns
        return {"v": await asyncio.to_thread(wind_at, environment, now_ns, points)}

    async def events(self, page: Page, message: dict[str, Any]) -> list[Any]:
        """What happened lately."""
        return plain_message(self._live.event_lines.since(0)[1])

    async def properties(self, page: Page, message: dict[str, Any]) -> list[Any]:
        """All parameters as a tree; a recording has none that could be changed."""
        if self._run.replayer is not None:
            return []
        view = await self._ask(page, lambda: property_view(self._simulation, self._loop))
        return await asyncio.to_thread(view)

    async def scenarios(self, page: Page, message: dict[str, Any]) -> list[Any]:
        """Scenarios that can be started."""
        return plain_message(await asyncio.to_thread(known_scenarios))

    async def library(self, page: Page, message: dict[str, Any]) -> list[str]:
        """Types of robots that can be added."""
        return registry.names("robots")

    # Robots

    async def command(self, page: Page, message: dict[str, Any]) -> None:
        """Tell a robot what to do."""
        robot, command = checks.text(message, "robot"), checks.checked_command(message)
        kind, values = command.state()
        if kind in _HELD and (np.any(values[_HELD[kind]]) or values["yaw_rate"]):
            self._live.hold(page, robot, kind)
        else:
            self._live.hold(None, robot, kind)
        await self._ask(page, lambda: self._simulation.command(robot, command))

    async def operate(self, page: Page, message: dict[str, Any]) -> Any:
        """Work a control of a sensor."""
        robot, sensor, control = (checks.text(message, key) for key in ("robot", "sensor", "control"))

        def work() -> Any:
            listed, named = checks.checked_arguments(message.get("arguments", []))
            return self._simulation.operate(robot, sensor, control, *listed, **named)

        result = await self._ask(page, work)
        return result if isinstance(result, bool | int | float | str) else None

    async def place(self, page: Page, message: dict[str, Any]) -> None:
        """Put a robot elsewhere."""
        robot = checks.text(message, "robot")
        p = np.array(checks.vector(message.get("p"), 3, "'p'"))
        q = np.array(checks.vector(message.get("q", [1.0, 0.0, 0.0, 0.0]), 4, "'q'"))
        await self._ask(page, lambda: self._simulation.place(robot, p, q))

    async def spawn(self, page: Page, message: dict[str, Any]) -> None:
        """Add a robot of a type that the library has."""
        name, data = checks.text(message, "name"), checks.mapping(message, "data")
        if data.get("type") not in registry.names("robots"):
            raise UnknownNameError("robot", str(data.get("type")), registry.names("robots"))
        if data.get("position") is not None:
            checks.vector(data["position"], 3, "'position'")
        await self._ask(page, lambda: self._simulation.spawn(name, data))

    async def remove(self, page: Page, message: dict[str, Any]) -> None:
        """Take a robot out."""
        name = checks.text(message, "name")
        await self._ask(page, lambda: self._simulation.remove(name))

    async def set(self, page: Page, message: dict[str, Any]) -> None:
        """Change a parameter."""
        path = checks.text(message, "path")
        if "value" not in message:
            raise CommandError("'value' is missing")
        await self._ask(page, lambda: set_property(self._simulation, self._loop, path, message["value"]))

    # Time

    async def play(self, page: Page, message: dict[str, Any]) -> None:
        """Let time go on."""
        if self._run.replayer is not None:
            self._run.replayer.play()
        else:
            self._loop.resume()

    async def pause(self, page: Page, message: dict[str, Any]) -> None:
        """Hold time."""
        self._running.pause()

    async def step(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Make some steps while time is held."""
        steps = checks.whole(message, "steps", 1, _MOST_STEPS, 1) or 1
        return {"now_ns": await self._wait(self._loop.step(steps))}

    async def speed(self, page: Page, message: dict[str, Any]) -> None:
        """Factor of real time, or 'max'."""
        value = message.get("value")
        if value != "max" or self._run.loop is None:
            value = checks.number(message, "value", 1e-3, 1e4)
        self._running.speed = value

    async def seek(self, page: Page, message: dict[str, Any]) -> None:
        """Go to a time of the recording, after its beginning [s]."""
        self._running.seek(checks.number(message, "seconds", 0.0, 1e9))

    # The run

    async def reset(self, page: Page, message: dict[str, Any]) -> None:
        """Back to the beginning."""
        await self._ask(page, self._simulation.reset)

    async def snapshot(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Keep the state in a file."""
        name = checks.file_name(message, ".state", f"{self._stamp()}.state")
        state = await self._ask(page, self._simulation.state)
        await asyncio.to_thread(save, state, self._folder() / name)
        return {"file": name}

    async def save_scenario(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Write what stands as a scenario file."""
        name = checks.file_name(message, ".yaml", f"{self._stamp()}.yaml")
        text = await self._ask(page, lambda: scenario_text(self._simulation))
        await asyncio.to_thread((self._folder() / name).write_text, text, encoding="utf-8")
        return {"file": name}

    async def restore(self, page: Page, message: dict[str, Any]) -> None:
        """Go on from a state that was kept."""
        state = await asyncio.to_thread(load, self._run.out / checks.file_name(message, ".state"))
        await self._ask(page, lambda: self._simulation.restore(state))

    async def record(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Begin a recording."""
        name = checks.file_name(message, ".mcap", f"{self._stamp()}.mcap")
        if self._run.record is None:
            raise SimulationError("this run has no bus, so there are no topics to record")
        path = self._folder() / name

        def begin() -> None:
            if self._run.recorder is not None and self._run.recorder.fault is None:
                raise SimulationError(f"a recording is in progress: {self._run.recorder.path.name}; stop it first")
            if path.exists():
                raise SimulationError(f"{name} exists already; choose another name")
            assert self._run.record is not None
            self._run.recorder = self._run.record(path)

        await self._ask(page, begin)
        return {"file": name}

    async def record_stop(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """End the recording."""
        recorder, self._run.recorder = self._run.recorder, None
        if recorder is None:
            raise SimulationError("there is no recording in progress")
        await asyncio.to_thread(recorder.close)
        return {"file": recorder.path.name, "messages": recorder.count}

    async def start(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """End this run and begin another; one that cannot be made is refused before."""
        if self._run.start is None:
            raise SimulationError("this run was not started in a way that lets a page begin another")
        name, seed = checks.text(message, "scenario"), checks.whole(message, "seed", 0, 2**63 - 1)
        robots = checks.whole(message, "robots", 1, MOST_ROBOTS)
        world = None if message.get("world") is None else checks.text(message, "world")
        own = self._simulation.scenario
        scenario = await asyncio.to_thread(plan_start, own, name, robots, world)
        self._run.start(scenario, seed)
        return {"scenario": scenario.name}

    def _folder(self) -> Path:
        try:
            self._run.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SimulationError(f"{self._run.out} cannot be made: {error.strerror}") from None
        return self._run.out

    def _stamp(self) -> str:
        """A name for a file: scenario, simulated time, and the day and hour."""
        now = self._simulation.clock.now_ns / SECOND
        return f"{self._simulation.scenario.name}-{time.strftime('%Y%m%d-%H%M%S')}-{now:.2f}s"


_NAMES = (
    "view", "want", "wind", "events", "properties", "scenarios", "library", "command", "operate", "place", "spawn",
    "remove", "set", "play", "pause", "step", "speed", "seek", "reset", "snapshot", "save_scenario", "restore",
    "record", "record_stop", "start",
)  # fmt: skip
_DO: dict[str, Callable[[PageControls, Page, dict[str, Any]], Awaitable[Any]]] = {
    name: getattr(PageControls, name) for name in _NAMES
}
"""Requests by name."""
_LIVE_ONLY = (
    "command", "operate", "place", "spawn", "remove", "set", "step", "reset", "snapshot", "save_scenario",
    "restore", "record", "record_stop", "start",
)  # fmt: skip
