"""What the commands do. Only these functions print."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import time
from typing import Any

import numpy as np

from volery import registry
from volery.core.clock import SECOND, nanoseconds
from volery.core.state import load, save
from volery.errors import ScenarioError, SimulationError
from volery.loop import FastPace, Loop, Pace, RealTimePace, pace_of
from volery.report.doctor import diagnose
from volery.scenario import Scenario, built_in_scenarios, load_scenario
from volery.sim import Simulation

__all__ = ["bench", "doctor", "list_names", "render", "run"]


def run(options: argparse.Namespace) -> int:
    """Run a scenario at its pace, and say a line a second."""
    scenario = load_scenario(options.scenario)
    pace = _pace(options.speed, scenario)
    duration = scenario.file.duration if options.duration is None else options.duration
    if duration is not None and not 0 < duration < 1e9:
        raise SimulationError(f"--duration {duration:g}: must be greater than 0")
    simulation = _simulation(scenario, options)
    if options.resume:
        simulation.restore(load(options.resume))
    status = _Status(simulation)
    digest = hashlib.blake2b(digest_size=16)
    simulation.listeners.append(status)
    if options.hash:
        simulation.listeners.append(lambda s: digest.update(s.readings_bytes()))
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


def _simulation(scenario: Scenario, options: argparse.Namespace) -> Simulation:
    threads = getattr(options, "threads", None)
    if threads is not None:
        from volery.world.native import set_threads

        set_threads(threads)
    if options.seed is not None and options.seed < 0:
        raise ScenarioError(f"--seed {options.seed}: must be 0 or more")
    return Simulation(scenario, seed=options.seed)


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


def list_names(options: argparse.Namespace) -> int:
    """Names of a kind, with a line about each."""
    if options.kind == "scenarios":
        rows = [(name, load_scenario(name).file.about) for name in built_in_scenarios()]
    elif options.kind == "robots":
        from volery.robots.library import load_robot_file

        rows = [(name, load_robot_file(name).about) for name in registry.names("robots")]
    else:
        rows = [(name, _first_line(registry.find(options.kind, name))) for name in registry.names(options.kind)]
    for name, about in rows:
        print(f"{name:14} {about}")
    if not rows:
        print(f"no {options.kind} yet")
    return 0


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").strip().split("\n")[0]


def render(options: argparse.Namespace) -> int:
    """A picture of a scenario from a place, a robot or one of its sites."""
    from volery.report.picture import picture, save_picture
    from volery.report.shading import Lighting

    width, height = _size(options.size)
    simulation = _simulation(load_scenario(options.scenario), options)
    if options.time < 0:
        raise SimulationError(f"--time {options.time:g}: must be 0 or more")
    simulation.run(nanoseconds(options.time) // simulation.clock.step_ns)
    X_WC = _camera(simulation, options.camera)
    around = simulation.environment
    lighting = Lighting.of(around.sky, around.weather, simulation.clock.now_ns)
    image = picture(simulation.scene, X_WC, options.type, width, height, np.radians(options.fov), lighting)
    save_picture(image, options.out)
    print(f"{options.out}: {width}×{height}, {options.type}")
    return 0


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise SimulationError(f"--size {text}: write width and height in pixels, such as 960x540") from None
    return width, height


def _camera(simulation: Simulation, where: str | None) -> np.ndarray:
    from volery.report.picture import camera_pose

    if where is None:
        return _overview(simulation)
    if "," not in where:
        name, _, site = where.partition("/")
        robot = simulation.robot(name)
        found = robot.description.site(site or robot.description.bodies[0])
        return robot.X_WS(found.body, found.X_BS)
    try:
        x, y, z, yaw, pitch = (float(part) for part in where.split(","))
    except ValueError:
        raise SimulationError(f"--camera {where}: write x,y,z,yaw,pitch, or the name of a robot") from None
    return camera_pose(np.array([x, y, z]), np.radians(yaw), np.radians(pitch))


def _overview(simulation: Simulation) -> np.ndarray:
    """Three metres behind and one above the first robot, or above the world's spawn place."""
    from volery.core.frames import euler_from_quat
    from volery.report.picture import camera_pose

    if not simulation.robots:
        return camera_pose(np.array(simulation.scenario.world.spawn()), 0.0, 0.0)
    robot = next(iter(simulation.robots.values()))
    yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
    back = np.array([-np.cos(yaw), -np.sin(yaw), 0.0])
    return camera_pose(robot.p_WB + 2.2 * back + [0, 0, 0.7], yaw, np.radians(-15))


def bench(options: argparse.Namespace) -> int:
    """Measure, and print a table or JSON."""
    from volery.report.bench import bench as find

    module = find(options.name)
    result = module.run(quick=options.quick, peers=not options.no_peers)
    print(json.dumps(result, indent=2) if options.json else module.table(result))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Check this machine; exit code 1 if something needed is missing."""
    findings = diagnose()
    for finding in findings:
        print(f"{'ok ' if finding.good else 'BAD' if finding.needed else '-  '} {finding.what}: {finding.text}")
    return 1 if any(f.needed and not f.good for f in findings) else 0
