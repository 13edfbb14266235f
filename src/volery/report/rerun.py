"""Simulate a recording again, and say where the two runs part."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from volery.bus.bus import Bus, BusConfig
from volery.bus.listing import COUNTS
from volery.bus.publisher import Publisher
from volery.bus.record import Recorded, read_recording, recording_info
from volery.bus.ros2 import ros2_config
from volery.bus.run_publisher import EVENTS, RunPublisher
from volery.bus.types import decode
from volery.core.clock import SECOND
from volery.core.state import decode as decode_state
from volery.errors import BusError
from volery.events import RunEvent, event_of
from volery.scenario import Scenario, read_scenario
from volery.sim import Simulation

__all__ = ["Comparison", "about_run", "rerun"]


@dataclass(frozen=True)
class Comparison:
    """What came of comparing a recording with a new run."""

    messages: int
    """Compared and found equal."""
    difference: str = ""
    """The first one; empty: none."""


def about_run(scenario: Scenario, seed: int, steps: int = 0) -> dict[str, str]:
    """What a recording must keep so that it can be simulated again. steps: made before it begins."""
    from volery import __version__

    folder = "" if scenario.folder is None else str(scenario.folder.resolve())
    about = {"name": scenario.name, "seed": seed, "folder": folder, "version": __version__, "steps": steps}
    return {"scenario": scenario.text, "about": json.dumps(about)}


def rerun(path: Path | str) -> Comparison:
    """Simulate the scenario of a recording again, with all that came from outside, and compare message by message."""
    simulation, steps = _simulation(path)
    events = dict(map(_events, read_recording(path, [EVENTS])))
    made: dict[str, deque[tuple[int, bytes]]] = defaultdict(deque)
    latched: set[str] = set()

    def take(publisher: Publisher, stamp_ns: int, data: bytes | memoryview) -> None:
        made[publisher.topic].append((stamp_ns, bytes(data)))
        if publisher.qos.latched:
            latched.add(publisher.topic)

    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        topics = {m.topic for m in read_recording(path)}
        bus.tap(take, tuple(topics))
        run_publisher = RunPublisher(simulation, bus, ros2_config(simulation.scenario))
        run_publisher.steps = steps
        simulation.listeners.append(run_publisher)
        count, patience = 0, SECOND // simulation.clock.step_ns + 1
        for message in read_recording(path):
            if message.topic == COUNTS:
                # Told by the wall's clock: no part of the run.
                continue
            began = run_publisher.steps
            while not _said(made[message.topic], message, latched):
                if run_publisher.steps - began > patience:
                    return Comparison(count, f"{_where(message)}: the new run has no such message")
                for event in events.get(run_publisher.steps + 1, []):
                    simulation.redo(event)
                simulation.step()
            if message.topic in latched:
                count += 1
                continue
            stamp, data = made[message.topic].popleft()
            if (stamp, data) != (message.stamp_ns, message.data):
                return Comparison(count, _difference(message, stamp, data))
            count += 1
    return Comparison(count)


def _said(made: deque[tuple[int, bytes]], message: Recorded, latched: set[str]) -> bool:
    """Whether the new run has said what a message is to be compared with. What is latched may have been said before the
    recording began: it counts whenever it was said."""
    return any(data == message.data for _, data in made) if message.topic in latched else bool(made)


def _simulation(path: Path | str) -> tuple[Simulation, int]:
    """The run at its beginning, and the steps it had made when the recording began; its first event brings it there."""
    info = recording_info(path)
    if "scenario" not in info or "about" not in info:
        raise BusError(f"{path} does not hold its scenario: it was not recorded by `volery run --record`")
    about = json.loads(info["about"])
    folder = Path(about["folder"]) if about["folder"] else None
    scenario = read_scenario(info["scenario"], str(path), folder, about["name"])
    return Simulation(scenario, seed=about["seed"]), about.get("steps", 0)


def _events(message: Recorded) -> tuple[int, list[RunEvent]]:
    """Before which step something came from outside, and what."""
    packed = decode_state(bytes(decode(message.data, message.message_type).data))
    return packed["step"], [event_of(kind, arguments) for kind, arguments in packed["events"]]


def _where(message: Recorded) -> str:
    return f"{message.topic} at {message.stamp_ns / SECOND:.3f} s"


def _difference(message: Recorded, stamp: int, data: bytes) -> str:
    if stamp != message.stamp_ns:
        return f"{_where(message)}: the new run's comes at {stamp / SECOND:.3f} s"
    old, new = (decode(d, message.message_type) for d in (message.data, data))
    return f"{_where(message)}: {_first_field(old, new, message.message_type.split('/')[-1])}"


def _first_field(old: Any, new: Any, name: str) -> str:
    """The first field in which two messages differ, and how."""
    if is_dataclass(old):
        for f in fields(old):
            a, b = getattr(old, f.name), getattr(new, f.name)
            if not _same(a, b):
                return _first_field(a, b, f"{name}.{f.name}")
    if isinstance(old, np.ndarray) and old.shape == new.shape:
        i = int(np.flatnonzero(~((old == new) | ((old != old) & (new != new))))[0])
        return f"{name}[{i}] was {old[i]}, is {new[i]}"
    if isinstance(old, list) and len(old) == len(new):
        i = next(i for i, (a, b) in enumerate(zip(old, new, strict=True)) if not _same(a, b))
        return _first_field(old[i], new[i], f"{name}[{i}]")
    return f"{name} was {str(old)[:60]}, is {str(new)[:60]}"


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    if is_dataclass(a):
        return all(_same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    return a == b or (a != a and b != b)
