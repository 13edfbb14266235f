"""Flights of an aircraft that bends, for tests and pages: gusts, glides and the sun on its cells."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from volery.core.clock import SECOND
from volery.physics.elastic.engine import ElasticEngine, ElasticSettings
from volery.physics.elastic.member import Course
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.library import RobotFile, load_robot_file
from volery.robots.robot import Robot
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.wind import Gust, Wind

__all__ = ["Flown", "fly", "gust_moments", "rigid_glide_ratio", "stiffened"]

_STEP_NS = 10_000_000


class Flown(NamedTuple):
    """What was recorded at every step."""

    t: np.ndarray
    """[n] [s]."""
    p_W: np.ndarray
    """[n, 3] [m]."""
    airspeed: np.ndarray
    """[n] [m/s]."""
    root_moment: np.ndarray
    """Mean of the innermost springs' bending moments [n] [N m]."""
    tip: np.ndarray
    """How far the wing's ends are bent against the root [n] [rad]."""


def stiffened(aircraft: Aircraft, factor: float) -> Aircraft:
    """The same with so many times the stiffness."""
    wing = aircraft.wing
    edge = None if wing.edge_stiffness is None else factor * wing.edge_stiffness
    more: dict[str, Any] = {
        "bend_stiffness": factor * wing.bend_stiffness,
        "twist_stiffness": factor * wing.twist_stiffness,
    }
    return replace(aircraft, wing=replace(wing, edge_stiffness=edge, **more))


def fly(file: RobotFile, wind: Wind, height: float, seconds: float, course: Course | None = None) -> Flown:
    """Fly a robot eastward through a wind, by its autopilot, from steady flight over the origin [m, s]."""
    environment = Environment(Scene(), wind=wind)
    engine = ElasticEngine(environment, ElasticSettings(touch=False))
    robot = Robot("aircraft", file.description(), file)
    robot.set_pose(np.array([0.0, 0.0, height]), np.array([1.0, 0.0, 0.0, 0.0]))
    engine.add(robot, course, 0)
    joints = [robot.description.joint(f"bend_{side}_1") for side in ("right", "left")]
    bends = [i for i, j in enumerate(robot.description.joints) if j.name.startswith("bend_")]
    rows = []
    for i in range(round(seconds * SECOND / _STEP_NS)):
        engine.advance(i * _STEP_NS, _STEP_NS)
        speed = float(np.linalg.norm(robot.v_WB_W - engine.craft("aircraft").air.wind.mean(axis=0)))
        moment = float(robot.joint_efforts[joints].mean())
        tip = float(robot.joint_positions[bends].sum() / 2)
        rows.append([(i + 1) * _STEP_NS / SECOND, *robot.p_WB, speed, moment, tip])
    table = np.array(rows)
    return Flown(table[:, 0], table[:, 1:4], table[:, 4], table[:, 5], table[:, 6])


def gust_moments(
    amplitude: float = 3.0, length: float = 50.0, factor: float = 30.0, height: float = 20_000.0, seconds: float = 12.0
) -> dict[str, Flown]:
    """The aircraft and one of `factor` times its stiffness through the same standing 1−cosine gust from below."""
    file = load_robot_file("elaha")
    assert file.aircraft is not None
    gust = Gust(
        position=(40.0 + length / 2, 0.0, 0.0), direction=(0, 0, 1), amplitude=amplitude, length=length, speed=0.0
    )
    stiff = file.with_block("aircraft", stiffened(file.aircraft, factor))
    wind = Wind(gusts=(gust,))
    return {
        "as it is": fly(file, wind, height, seconds),
        f"{factor:g} times as stiff": fly(stiff, wind, height, seconds),
    }


def rigid_glide_ratio(aircraft: Aircraft, lift: float, area: float, oswald: float) -> float:
    """Of a rigid wing by textbook: lift coefficient over those of profile, other and induced drag."""
    wing = aircraft.wing
    tail = sum(s.span * s.chord * s.section.drag for s in aircraft.surfaces)
    drag = wing.section.drag + (tail + aircraft.drag_area) / area
    return lift / (drag + lift**2 / (math.pi * wing.span**2 / area * oswald))
