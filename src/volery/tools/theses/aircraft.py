"""Flights of an aircraft that bends, for tests and pages: gusts, glides and the sun on its cells."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from volery.core.clock import SECOND
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.engine import ElasticEngine, ElasticSettings
from volery.physics.elastic.member import Course
from volery.physics.elastic.statics import trim
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.library import RobotFile, load_robot_file
from volery.robots.robot import Robot
from volery.tools.theses.wings import helios
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.wind import Gust, Wind

__all__ = ["BreakUp", "Flown", "fly", "gust_moments", "helios_break_up", "rigid_glide_ratio", "stiffened"]

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
    names = ("bend_stiffness", "twist_stiffness", "edge_stiffness", "bend_twist")
    rows = [
        replace(row, **{n: factor * v for n in names if (v := getattr(row, n)) is not None}) for row in wing.stations
    ]
    more |= {"bend_twist": factor * wing.bend_twist, "stations": rows}
    return replace(aircraft, wing=replace(wing, edge_stiffness=edge, **more))


class BreakUp(NamedTuple):
    """A flight without a pilot until after it has broken."""

    t: np.ndarray
    """[n] [s]."""
    p_W: np.ndarray
    """[n, 3] [m]."""
    airspeed: np.ndarray
    """[n] [m/s]."""
    dihedral: np.ndarray
    """How far the ends stand over the middle [n] [m]."""
    broken: tuple[tuple[float, str], ...]
    """When [s], and at which bones."""


def helios_break_up(payload: float, seconds: float = 150.0, factor: float = 2.0) -> BreakUp:
    """The flying wing after Helios, trimmed at sea level with a payload in its middle [kg] and then left alone, through
    one soft gust from below; its spar stands `factor` times the largest moment of level flight with 227 kg."""
    loaded = ElasticAircraft(helios(227.0), 0.0, wakes=False)
    loaded.set_air(0.0, 1.225)
    trim(loaded, 12.19, ("flap",))
    strength = factor * float(np.abs(loaded.spring_moments()).max())
    light = helios(payload)
    craft = ElasticAircraft(replace(light, wing=replace(light.wing, bend_strength=strength)), 0.005, wakes=False)
    still = ElasticAircraft(craft.aircraft, 0.0, wakes=False)
    still.set_air(0.0, 1.225)
    craft.flaps[:] = trim(still, 12.19, ("flap",)).flaps
    craft.take_air(still)
    craft.qpos[:], craft.qvel[:] = still.qpos, still.qvel
    craft.throttle[:] = craft.power_share[:] = still.throttle
    rows, broken = [], []
    for step in range(round(seconds / 0.05)):
        t = 0.05 * step
        rises = 0.5 * (1 - math.cos(2 * math.pi * t / 4.0)) if t < 4.0 else 0.0
        craft.set_air(np.array([0.0, 0.0, rises]), 1.225)
        if not craft.run(10):
            break
        bone = craft.break_overloaded()
        if bone is not None:
            broken.append((t, bone))
        tips = [craft.frame.data.xpos[craft.frame.body[f"{side}_12"], 2] for side in ("left", "right")]
        rows.append([t, *craft.qpos[:3], np.linalg.norm(craft.qvel[:3]), np.mean(tips) - craft.qpos[2]])
        if broken and t > broken[0][0] + 5.0:
            break
    table = np.array(rows)
    return BreakUp(table[:, 0], table[:, 1:4], table[:, 4], table[:, 5], tuple(broken))


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
