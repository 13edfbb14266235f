"""`volery list` and `volery render`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import shutil
import textwrap
from typing import TYPE_CHECKING

import numpy as np

from volery.commands.start import simulation_of
from volery.core.clock import nanoseconds
from volery.errors import SimulationError, UnknownNameError
from volery.scenario import load_scenario
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.report.component import Component

__all__ = ["list_names", "overview", "render"]

_BEHIND = ((2.2, 0.7), (1.5, 1.2), (1.0, 1.8), (0.8, 0.5), (0.5, 1.0))
"""Where the camera of a picture is tried against the robot: behind and above [m]."""


def list_names(options: argparse.Namespace) -> int:
    """Names of a kind with a sentence about each; or all about one of them."""
    from volery.report.component import component, names_of, summary

    names = names_of(options.kind)
    if options.name is None:
        width = max(map(len, names), default=0) + 2
        for name in names:
            print(_hanging(name, summary(options.kind, name), width))
        print(f"\nvolery list {options.kind} NAME: its parameters" if names else f"no {options.kind} yet")
        return 0
    if options.name not in names:
        raise UnknownNameError(options.kind.removesuffix("s"), options.name, names)
    _tell(component(options.kind, options.name))
    return 0


def _hanging(head: str, text: str, width: int) -> str:
    """A name and what is said of it, wrapped beside it."""
    columns = max(shutil.get_terminal_size((100, 24)).columns, width + 30)
    return textwrap.fill(text, columns, initial_indent=head.ljust(width), subsequent_indent=" " * width) or head


def _tell(found: Component) -> None:
    print(f"{found.name} ({found.kind.removesuffix('s')})\n\n{found.about}\n")
    if found.parameters:
        print("Parameters:")
    for p in found.parameters:
        given = "required" if p.default == "required" else f"default {p.default}" if p.default else ""
        head = f"  {p.name}" + (f" [{p.unit}]" if p.unit else "")
        print("  ".join(part for part in (head, given, p.bounds) if part))
        if p.doc:
            print(_hanging("", p.doc, 6))
    if found.outputs:
        print("\nOutputs:")
    for o in found.outputs:
        print(f"  {o.topic}  {o.type}  frame {o.frame}" + (f", shown as {o.view}" if o.view else ""))
    if found.controls:
        print("\nControls:\n" + "\n".join(_hanging("", line, 2) for line in found.controls))
    print(f"\nExample:\n{textwrap.indent(found.example, '  ')}")


def render(options: argparse.Namespace) -> int:
    """A picture or clip of a scenario from a place, a robot or one of its sites."""
    from volery.report.picture import save_clip, save_picture

    width, height = _size(options.size)
    if options.time < 0:
        raise SimulationError(f"--time {options.time:g}: must be 0 or more")
    if options.clip is not None:
        _check_clip(options)
    simulation = simulation_of(load_scenario(options.scenario), options, options.seed)
    simulation.run(nanoseconds(options.time) // simulation.clock.step_ns)
    if options.clip is None:
        save_picture(_frame(simulation, options), options.out)
        print(f"{options.out}: {width}×{height}, {options.type}")
        return 0
    began, frames = simulation.clock.now_ns, []
    for n in range(max(round(options.clip * options.fps), 1)):
        while simulation.clock.now_ns < began + n * nanoseconds(1.0 / options.fps):
            simulation.step()
        frames.append(_frame(simulation, options))
    save_clip(frames, options.out, options.fps)
    print(f"{options.out}: {width}×{height}, {options.type}, {len(frames)} pictures of {1 / options.fps:g} s")
    return 0


def _check_clip(options: argparse.Namespace) -> None:
    from volery.report.picture import CLIPS

    if not (0 < options.clip <= 600 and 1 <= options.fps <= 60):
        raise SimulationError(f"--clip {options.clip:g} --fps {options.fps:g}: up to 600 s, 1 to 60 pictures a second")
    if not options.out.lower().endswith(CLIPS):
        raise SimulationError(f"{options.out}: a clip ends in {', '.join(CLIPS)}")


def _frame(simulation: Simulation, options: argparse.Namespace) -> np.ndarray:
    """The picture of now, uint8 [h, w, 3]."""
    from volery.report.picture import picture

    X_WC, (width, height) = _camera(simulation, options.camera), _size(options.size)
    now_ns, fov = simulation.clock.now_ns, np.radians(options.fov)
    return picture(simulation.environment, now_ns, X_WC, options.type, width, height, fov, options.quality)


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise SimulationError(f"--size {text}: write width and height in pixels, such as 960x540") from None
    return width, height


def _camera(simulation: Simulation, where: str | None) -> np.ndarray:
    from volery.report.picture import camera_pose

    if where is None:
        return overview(simulation)
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


def overview(simulation: Simulation) -> np.ndarray:
    """Behind and above the first robot, nearer or higher if something stands between; or the world's spawn place."""
    from volery.core.frames import euler_from_quat
    from volery.report.picture import camera_pose

    if not simulation.robots:
        return camera_pose(np.array(simulation.scenario.world.spawn()), 0.0, 0.0)
    robot = next(iter(simulation.robots.values()))
    yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
    back = np.array([-np.cos(yaw), -np.sin(yaw), 0.0])
    places = [robot.p_WB + away * back + [0, 0, above] for away, above in _BEHIND]
    hidden = simulation.scene.occluded(np.array(places), robot.p_WB, ignore=robot.name)
    chosen = int(np.argmin(hidden))
    away, above = _BEHIND[chosen]
    return camera_pose(places[chosen], yaw, 0.05 - np.arctan2(above, away))
