"""`volery run`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import hashlib
import signal
import time
from typing import Any

import numpy as np

from volery.commands.start import simulation_of
from volery.commands.traffic import Traffic
from volery.core.clock import SECOND, nanoseconds
from volery.core.state import load, save
from volery.errors import SimulationError
from volery.loop import FastPace, Loop, Pace, RealTimePace, pace_of
from volery.scenario import Scenario, load_scenario
from volery.sim import Simulation

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Run a scenario at its pace, and say a line a second."""
    scenario = load_scenario(options.scenario)
    pace = _pace(options.speed, scenario)
    duration = scenario.file.duration if options.duration is None else options.duration
    if duration is not None and not 0 < duration < 1e9:
        raise SimulationError(f"--duration {duration:g}: must be greater than 0")
    simulation = simulation_of(scenario, options)
    if options.resume:
        simulation.restore(load(options.resume))
    status = _Status(simulation)
    digest = hashlib.blake2b(digest_size=16)
    simulation.listeners.append(status)
    if options.hash:
        simulation.listeners.append(lambda s: digest.update(s.readings_bytes()))
    traffic = Traffic(simulation, options)
    loop = Loop(simulation, pace)
    before = signal.signal(signal.SIGINT, lambda *_: loop.stop())
    signal.signal(signal.SIGTERM, lambda *_: loop.stop())
    try:
        print(
            f"{scenario.name}: {len(simulation.scene.objects)} objects, seed {simulation.seed}, Ctrl-C ends", flush=True
        )
        begin = simulation.clock.now_ns
        loop.run(None if duration is None else begin + nanoseconds(duration))
    finally:
        traffic.close()
        signal.signal(signal.SIGINT, before)
    print(f"end at {simulation.clock.now:.3f} s, state {simulation.state_hash()}")
    if options.hash:
        print(f"readings {digest.hexdigest()}")
    if options.snapshot:
        save(simulation.state(), options.snapshot)
    return 0


def _pace(speed: str | None, scenario: Scenario) -> Pace:
    if speed is None and scenario.file.pace == "lockstep":
        raise SimulationError(
            f"{scenario.name}: in lockstep every step waits for an outside program; start it from Python "
            "with volery.Loop and LockstepPace.permit, or give --speed"
        )
    if speed is None:
        return pace_of(scenario.file.pace, scenario.file.speed)
    if speed == "max":
        return FastPace()
    try:
        return RealTimePace(float(speed))
    except ValueError:
        raise SimulationError(f"--speed {speed}: must be a number, or 'max' for as fast as possible") from None


class _Status:
    """A line of numbers a second of wall time."""

    def __init__(self, simulation: Simulation) -> None:
        self._wall = time.monotonic()
        self._sim_ns = simulation.clock.now_ns

    def __call__(self, simulation: Simulation) -> None:
        """Print if a second has passed."""
        now = time.monotonic()
        if now - self._wall < 1.0:
            return
        factor = (simulation.clock.now_ns - self._sim_ns) / SECOND / (now - self._wall)
        self._wall, self._sim_ns = now, simulation.clock.now_ns
        parts = [f"t {simulation.clock.now:8.2f} s", f"real time × {factor:.2f}"]
        for name, robot in list(simulation.robots.items())[:3]:
            x, y, z = robot.p_WB
            parts.append(f"{name} at ({x:.1f}, {y:.1f}, {z:.1f})")
            parts += [f"{s}: {_summary(sensor.latest)}" for s, sensor in simulation.sensors[name].items()]
        print("  ".join(parts), flush=True)


def _summary(reading: Any) -> str:
    """A reading in a few words."""
    if reading is None:
        return "no reading yet"
    if "occupancy" in reading.data:
        occupancy = reading.data["occupancy"]
        return f"{len(occupancy)} rays, {np.count_nonzero(occupancy == 1)} occupied"
    return ", ".join(f"{key} {list(np.shape(value))}" for key, value in reading.data.items())
