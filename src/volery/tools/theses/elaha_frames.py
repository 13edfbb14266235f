"""How long frames last, as in the ELAHA thesis: bare, with the box scanner, and with all its rays sent to be drawn."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.bus.subscriber import Message
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.bench.bus import free_port
from volery.tools.bench.timing import summary

__all__ = ["FRAME_MS", "VARIANTS", "WORLDS", "frames"]

WORLDS = ("empty", "ruin")
VARIANTS = ("bare", "scanner", "scanner and drawing", "scanner and camera")
FRAME_MS = 10.0
"""At 100 Hz."""
_WARM = 20
"""Frames before the first that counts: caches, and what rays need round the aircraft."""
_TOPIC, _KIND = "/elaha/scanner/points", "sensor_msgs/msg/PointCloud2"
_TEXT = """
seed: 1
step: 0.01
world: {world}
robots:
  elaha: {{type: elaha, position: [-20, -4, 20], sensors: {{scanner: {scanner}{more}}}}}
"""


_CAMERA = ", eye: {type: camera, rate: 100, width: 320, height: 240, quality: plain}"


def flight(world: str, *, scanner: bool = True, camera: bool = False) -> Simulation:
    """The aircraft by its own model, eastward over a world, with a box scan of 15,606 rays at every step."""
    scan = "{rate: 100}" if scanner else "off"
    return Simulation(read_scenario(_TEXT.format(world=world, scanner=scan, more=_CAMERA if camera else "")))


def frames(rounds: int = 3, count: int = 500) -> dict[str, Any]:
    """Milliseconds of every frame by world and variant, [rounds][count], and what they come to; variants take turns."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    times: dict[str, dict[str, list[dict[str, Any]]]] = {w: {v: [] for v in VARIANTS} for w in WORLDS}
    for _ in range(rounds):
        for world in WORLDS:
            for variant in VARIANTS:
                times[world][variant].append(_round(world, variant, count))
    return {
        "rounds": rounds, "frames": count, "load": round(load, 1),
        "worlds": {w: {v: _cell(own) for v, own in cells.items()} for w, cells in times.items()},
    }  # fmt: skip


def _cell(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    ms = np.array([r["ms"] for r in rounds])
    return {
        **summary(ms.ravel() / 1e3),
        "max_ms": round(float(ms.max()), 3),
        "within": round(float((ms <= FRAME_MS).mean()), 4),
        "processor_ms": round(float(np.mean([r["processor_ms"] for r in rounds])), 3),
        "drawn": sum(r["drawn"] for r in rounds),
        "states": sorted({r["state"] for r in rounds}),
        "frames_ms": np.round(ms, 3).tolist(),
    }


def _round(world: str, variant: str, count: int) -> dict[str, Any]:
    simulation = flight(world, scanner=variant != "bare")
    if variant == "scanner and camera":
        simulation = flight(world, camera=True)
        return {**_timed(simulation, count, lambda: simulation.sensor("elaha", "eye").latest), "drawn": count}
    if variant != "scanner and drawing":
        return {**_timed(simulation, count), "drawn": 0}
    with _Page() as page:
        run_publisher = RunPublisher(simulation, page.bus)
        simulation.listeners.append(run_publisher)
        page.wait(run_publisher)
        found = _timed(simulation, count)
        run_publisher.close()
    return {**found, "drawn": page.drawn}


def _timed(simulation: Simulation, count: int, look: Callable[[], Any] = lambda: None) -> dict[str, Any]:
    """look: gives a reading whose picture is drawn inside each frame."""
    simulation.run(_WARM)
    took, processor = np.empty(count), time.process_time()
    for i in range(count):
        began = time.perf_counter()
        simulation.step()
        reading = look()
        if reading is not None:
            reading["rgb"]
        took[i] = time.perf_counter() - began
    processor = (time.process_time() - processor) / count
    return {"ms": 1e3 * took, "processor_ms": 1e3 * processor, "state": simulation.state_hash()}


class _Page:
    """Another process that takes every scan off the bus and makes coloured lines of it, as a page does."""

    def __init__(self) -> None:
        endpoint = f"tcp/127.0.0.1:{free_port()}"
        self.bus = Bus(BusConfig(listen=[endpoint]))
        self.drawn = 0
        """Scans that it drew; known in the end."""
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_draw, args=(there, endpoint), daemon=True)

    def __enter__(self) -> _Page:
        self._process.start()
        assert self._pipe.recv() == "ready"
        return self

    def wait(self, run_publisher: RunPublisher) -> None:
        """Until the simulation knows that someone listens."""
        end = time.monotonic() + 20.0
        while not run_publisher.bus.publishers[_TOPIC].wanted and time.monotonic() < end:
            time.sleep(0.01)

    def __exit__(self, *_: object) -> None:
        self._pipe.send("end")
        self.drawn = self._pipe.recv()
        self._process.join(timeout=5)
        self.bus.close()


def _draw(pipe: Connection, endpoint: str) -> None:
    drawn = 0

    def take(message: Message) -> None:
        nonlocal drawn
        cloud = np.frombuffer(message.value.data, np.float32).reshape(-1, 4)
        colours = np.where(
            cloud[:, 3:] > 0.5, np.array([1.0, 0.2, 0.14], np.float32), np.array([0.15, 0.85, 0.3], np.float32)
        )
        drawn += len(colours) == len(cloud)

    with Bus(BusConfig(connect=[endpoint], node="page")) as bus:
        heard = bus.subscribe(_TOPIC, _KIND, on_message=take)
        pipe.send("ready")
        pipe.recv()
        time.sleep(0.3)
        heard.close()
        pipe.send(drawn)
