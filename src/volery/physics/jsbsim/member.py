"""One aircraft in a JSBSim of its own: inputs, state both ways, and what it meets in the world."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from volery.core.frames import matrix_from_quat, quat_from_euler, quat_from_matrix
from volery.core.geodesy import Origin
from volery.errors import RobotError, SimulationError
from volery.physics.elastic.autopilot import Seen
from volery.physics.input_log import InputLog
from volery.physics.jsbsim.aircraft import JsbsimAircraft, load_aircraft
from volery.physics.obstacles import Obstacles
from volery.physics.plane_pilot import AeroplanePilot, Flight, Sticks
from volery.robots.robot import Contact, Robot
from volery.world.atmosphere import Atmosphere
from volery.world.environment import Environment

__all__ = ["JsbsimMember"]

_log = logging.getLogger("volery")
_FOOT, _INCH = 0.3048, 0.0254
_POUND, _HORSE = 4.4482216152605, 745.6998715822702
"""Of force [N], of power [W]."""
_PASCAL = 47.88025898033584
"""A pound per square foot [Pa]."""
_FRD = np.array([1.0, -1.0, -1.0])
"""Forward, right, down of forward, left, up."""
_LOW, _COARSE = 100.0, 5.0
"""Below this height the ground is followed exactly, above it in such steps [m]."""
_NOTHING = -1e4
"""Where the ground is when there is none [m]."""


class JsbsimMember:
    """One aircraft in a JSBSim of its own."""

    def __init__(
        self, robot: Robot, block: JsbsimAircraft, flight: Flight, environment: Environment, dt: float
    ) -> None:
        self.robot, self.block, self.flight, self.environment = robot, block, flight, environment
        sky = environment.sky
        self.earth = Origin(sky.latitude, sky.longitude)
        self.obstacles = Obstacles(environment.scene, robot)
        self.fdm, self.dt = load_aircraft(robot, block, dt), dt
        self.pilot = AeroplanePilot(block.gains, block.cruise, flight, self.fdm.get_propulsion().get_num_engines())
        self.log = InputLog()
        self.start: dict[str, Any] = {}
        """Where and how the flight began, in W and SI units."""
        self.terrain, self.struck = _NOTHING, False
        self._r_B = np.zeros(3)
        """From the centre of mass to the root's origin, in B [m]."""

    # Beginning

    def begin(self, trim: bool, wind_W: np.ndarray) -> None:
        """Start at the robot's pose: in steady level flight at its airspeed, or with the robot's own velocities."""
        robot, air = self.robot, self.environment.atmosphere
        self._find_ground()
        self.start = {
            "trim": trim, "wind": wind_W.copy(), "terrain": self.terrain, "speed": self.pilot.cruise,
            "p": robot.p_WB.copy(), "q": robot.q_WB_wxyz.copy(), "v": robot.v_WB_W.copy(), "w": robot.w_WB_W.copy(),
            "air": [air.sea_level_pressure, air.temperature_offset], "dt": self.dt,
            "surfaces": [self.block.flaps, self.block.gear, self.block.brakes],
            "controls": [] if trim else self._controls_now(),
        }  # fmt: skip
        self.log, self.struck = InputLog(), False
        self._start()
        self.pilot.rest()
        if trim:
            self._take_trim()
        self.write(0.0)

    def _start(self) -> None:
        """A fresh JSBSim at the `start`."""
        s = self.start
        self._r_B = np.zeros(3)
        self.fdm = f = load_aircraft(self.robot, self.block, s["dt"])
        self._set_air(*s["air"])
        self._set_surfaces(*s["surfaces"])
        for name, value in (*self.block.properties.items(), *s["controls"]):
            f[name] = value
        R_WB = matrix_from_quat(s["q"])
        for _ in range(2):
            # The centre of mass is known only after the first.
            self._place(s["p"] - R_WB @ self._r_B, R_WB)
            self._speeds(s, R_WB)
            f["propulsion/set-running"] = -1
            if not f.run_ic():
                raise RobotError(f"robot '{self.robot.name}': JSBSim cannot start '{self.block.aircraft}' there")
            self._r_B = self._offset()
        if s["trim"]:
            self._trim(s["speed"], s["wind"])

    def _place(self, p_WC: np.ndarray, R_WB: np.ndarray) -> None:
        """Initial place of the centre of mass and attitude."""
        f = self.fdm
        latitude, longitude, height = self.earth.geodetic(p_WC)
        f["ic/terrain-elevation-ft"] = self.start["terrain"] / _FOOT
        f["ic/lat-geod-rad"], f["ic/long-gc-rad"] = float(latitude), float(longitude)
        f["ic/h-sl-ft"] = float(height) / _FOOT
        # JSBSim is told the height over the ellipsoid's radius, and knows that along its normal.
        f["ic/h-sl-ft"] += float(height) / _FOOT - f["ic/geod-alt-ft"]
        R_NB = _R_WN(self.earth, latitude, longitude).T @ (R_WB * _FRD)
        f["ic/phi-rad"] = math.atan2(R_NB[2, 1], R_NB[2, 2])
        f["ic/theta-rad"] = -math.asin(min(max(R_NB[2, 0], -1.0), 1.0))
        f["ic/psi-true-rad"] = math.atan2(R_NB[1, 0], R_NB[0, 0])

    def _speeds(self, s: dict[str, Any], R_WB: np.ndarray) -> None:
        f = self.fdm
        if s["trim"]:
            f["ic/vt-fps"], f["ic/gamma-rad"] = s["speed"] / _FOOT, 0.0
            return
        v_C = s["v"] - np.cross(s["w"], R_WB @ self._r_B)
        self._wind_at_start(s["wind"])
        for name, value in zip(("vn", "ve", "vd"), self._in_ned(v_C, s["p"]), strict=True):
            f[f"ic/{name}-fps"] = float(value) / _FOOT
        for name, value in zip("pqr", (s["w"] @ R_WB) * _FRD, strict=True):
            f[f"ic/{name}-rad_sec"] = float(value)

    def _trim(self, speed: float, wind_W: np.ndarray) -> None:
        """Steady level flight in still air, then the same in the wind."""
        f = self.fdm
        try:
            f.do_trim(1)
        except RuntimeError:
            raise RobotError(
                f"robot '{self.robot.name}': JSBSim finds no steady level flight of '{self.block.aircraft}' at "
                f"{speed:g} m/s there; give another `airspeed`, or `motion: {{flying: false}}`"
            ) from None
        if not wind_W.any():
            return
        angles = [f[f"attitude/{n}-rad"] for n in ("phi", "theta", "psi")]
        v = np.array([f[f"velocities/v-{n}-fps"] for n in ("north", "east", "down")])
        self._wind_at_start(wind_W)
        f["ic/phi-rad"], f["ic/theta-rad"], f["ic/psi-true-rad"] = angles
        for name, value in zip(("vn", "ve", "vd"), v + self._in_ned(wind_W, self.start["p"]) / _FOOT, strict=True):
            f[f"ic/{name}-fps"] = float(value)
        f.run_ic()

    def _wind_at_start(self, wind_W: np.ndarray) -> None:
        north, east, down = (float(c) / _FOOT for c in self._in_ned(wind_W, self.start["p"]))
        self.fdm["ic/vw-mag-fps"], self.fdm["ic/vw-dir-deg"] = (
            math.hypot(north, east), math.degrees(math.atan2(east, north)),
        )  # fmt: skip
        self.fdm["atmosphere/wind-down-fps"] = down

    def _take_trim(self) -> None:
        f, engines = self.fdm, self.pilot.engines
        self.pilot.trim = Sticks(
            f["fcs/aileron-cmd-norm"], -f["fcs/elevator-cmd-norm"], f["fcs/rudder-cmd-norm"],
            tuple(f[f"fcs/throttle-cmd-norm[{i}]"] for i in range(engines)) or (0.0,),
        )  # fmt: skip
        self.pilot.pitch = f["attitude/theta-rad"]

    def _controls_now(self) -> list[tuple[str, float]]:
        names = [f"fcs/{n}-cmd-norm" for n in ("aileron", "elevator", "rudder", "pitch-trim", "roll-trim", "yaw-trim")]
        names += [f"fcs/throttle-cmd-norm[{i}]" for i in range(self.pilot.engines)]
        return [(name, self.fdm[name]) for name in names]

    # The step

    def run(self, count: int, dt: float, wind_W: np.ndarray) -> None:
        """Fly on by so many of JSBSim's steps."""
        if self.struck:
            return
        if dt != self.dt:
            self._change_step(dt)
        before = self.obstacles.places()
        self._find_ground()
        air = self.environment.atmosphere
        seen = self.seen(wind_W)
        inputs = {**self._inputs(self.pilot.fly(seen, count * dt), wind_W), "P": air.sea_level_pressure,
                  "T": air.temperature_offset}  # fmt: skip
        for step in range(count):
            self._apply(self.log.changed(inputs) if step == 0 else [])
            if not self.fdm.run():
                raise SimulationError(f"robot '{self.robot.name}': JSBSim has ended")
            self.log.stepped()
        self.write(count * dt)
        self._touch(before, count * dt)

    def _change_step(self, dt: float) -> None:
        """The length of steps is known with the first one; later it stays."""
        if self.log.steps:
            raise SimulationError(f"robot '{self.robot.name}': JSBSim's step cannot change while it flies")
        self.dt = self.start["dt"] = dt
        self._start()

    def _inputs(self, sticks: Sticks, wind_W: np.ndarray) -> dict[str, float]:
        north, east, down = (float(c) / _FOOT for c in self._in_ned(wind_W, self.robot.p_WB))
        block = self.block
        found = {
            "fcs/aileron-cmd-norm": sticks.roll, "fcs/elevator-cmd-norm": -sticks.pitch,
            "fcs/rudder-cmd-norm": sticks.yaw, "atmosphere/wind-north-fps": north, "atmosphere/wind-east-fps": east,
            "atmosphere/wind-down-fps": down, "position/terrain-elevation-asl-ft": self.terrain / _FOOT,
            "flaps": block.flaps, "gear": block.gear, "brakes": block.brakes,
        }  # fmt: skip
        for i in range(self.pilot.engines):
            found[f"fcs/throttle-cmd-norm[{i}]"] = sticks.throttle[min(i, len(sticks.throttle) - 1)]
        return found

    def _apply(self, changes: list[tuple[str, float]]) -> None:
        """Set what changed; what it started with is there already, to the bit."""
        told = dict(changes)
        if {"P", "T"} & set(told):
            if self.log.steps:
                self._set_air(told.pop("P", self._air[0]), told.pop("T", self._air[1]))
            told.pop("P", None), told.pop("T", None)
        surfaces = [told.pop(n, v) for n, v in zip(("flaps", "gear", "brakes"), self._surfaces, strict=True)]
        self._set_surfaces(*surfaces)
        for name, value in told.items():
            if self.fdm[name] != value:
                self.fdm[name] = value

    def _set_air(self, pressure: float, warmer: float) -> None:
        """Only where it is not JSBSim's own standard."""
        standard = Atmosphere()
        self._air = (pressure, warmer)
        if pressure != standard.sea_level_pressure or self.fdm["atmosphere/delta-T"] or warmer:
            self.fdm["atmosphere/P-sl-psf"] = pressure / _PASCAL
            self.fdm["atmosphere/delta-T"] = 1.8 * warmer

    def _set_surfaces(self, flaps: float, gear: float, brakes: float) -> None:
        self._surfaces = [flaps, gear, brakes]
        wheels = ("left", "right", "center")
        for name, value in (("fcs/flap", flaps), ("gear/gear", gear), *((f"fcs/{w}-brake", brakes) for w in wheels)):
            if self.fdm[f"{name}-cmd-norm"] != value:
                self.fdm[f"{name}-cmd-norm"] = value

    def seen(self, wind_W: np.ndarray) -> Seen:
        """What the autopilot knows."""
        robot = self.robot
        return Seen(robot.p_WB, robot.v_WB_W, robot.q_WB_wxyz, robot.w_WB_W, wind_W, 1.225)

    def _find_ground(self) -> None:
        p = self.robot.p_WB
        found = self.obstacles.ground(p + [0.0, 0.0, 0.5])
        self.ground = found
        height = _NOTHING if found is None else float(self.earth.geodetic(found.p_W)[2])
        if found is None or p[2] - found.p_W[2] < _LOW or abs(height - self.terrain) > _COARSE:
            self.terrain = height

    def _touch(self, before: np.ndarray, span: float) -> None:
        """Weight on wheels, and an end to the flight where it has run into something."""
        robot, f = self.robot, self.fdm
        robot.update()
        struck = self.obstacles.struck(before, f["inertia/mass-slugs"] * 14.593902937206364)
        wheels = -f["forces/fbz-gear-lbs"] * _POUND
        if struck is not None:
            self.struck = True
            robot.set_twist(np.zeros(3), np.zeros(3))
            robot.contacts = (struck,)
            _log.warning("robot '%s' has flown into %s; it stays there until it is placed", robot.name, struck.other)
        elif wheels > 0.0 and self.ground is not None:
            push = robot.X_WB[0, :, 2] * wheels * span
            here = (self.ground.name, robot.description.bodies[0], self.ground.p_W, np.array([0.0, 0.0, 1.0]), 0.0)
            robot.contacts = (Contact(*here, push),)
        else:
            robot.contacts = ()

    # State both ways

    def write(self, span: float) -> None:
        """JSBSim's state into the robot; span: since the last time [s]."""
        f, robot = self.fdm, self.robot
        place = np.array([f["position/lat-geod-rad"], f["position/long-gc-rad"], f["position/geod-alt-ft"] * _FOOT])
        angles = np.array([f["attitude/phi-rad"], f["attitude/theta-rad"], f["attitude/psi-rad"]])
        R_WN = _R_WN(self.earth, place[0], place[1])
        R_frd = R_WN @ matrix_from_quat(quat_from_euler(angles))
        r_W = (R_frd * _FRD) @ self._r_B
        v_N = np.array([f[f"velocities/v-{n}-fps"] for n in ("north", "east", "down")]) * _FOOT
        w_W = R_frd @ [f[f"velocities/{n}-rad_sec"] for n in "pqr"]
        robot.set_pose(self.earth.enu_from_geodetic(place) + r_W, quat_from_matrix(R_frd * _FRD))
        robot.set_twist(R_WN @ v_N + np.cross(w_W, r_W), w_W)
        self._write_joints(span)
        robot.power = sum(f[f"propulsion/engine[{i}]/power-hp"] for i in range(self.pilot.engines)) * _HORSE

    def _write_joints(self, span: float) -> None:
        robot, f = self.robot, self.fdm
        positions, speeds = robot.joint_positions.copy(), np.zeros_like(robot.joint_velocities)
        for name, shown in self.block.joints.items():
            i = robot.description.joint(name)
            joint = robot.description.joints[i]
            value = -f[shown[1:]] if shown.startswith("-") else f[shown]
            value = min(max(value, joint.low), joint.high)
            speeds[i] = (value - positions[i]) / span if span else 0.0
            positions[i] = value
        for k, name in enumerate(self.block.propellers):
            i = robot.description.joint(name)
            speeds[i] = f[f"propulsion/engine[{k}]/propeller-rpm"] * math.pi / 30.0
            positions[i] = math.remainder(positions[i] + speeds[i] * span, 2 * math.pi)
        robot.joint_positions, robot.joint_velocities = positions, speeds

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "start": dict(self.start), "log": self.log.state(), "pilot": self.pilot.state(), "dt": self.dt,
            "terrain": self.terrain, "struck": self.struck,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Fly the same again from the start: JSBSim cannot be put into a state from outside."""
        self.start, self.dt = dict(state["start"]), state["dt"]
        self.start["controls"] = [(str(n), float(v)) for n, v in self.start["controls"]]
        self._start()
        told = InputLog.of(state["log"])
        self.log = InputLog()
        for changes in told.told():
            self._apply(changes)
            self.fdm.run()
            self.log.stepped()
        self.log = told
        self.pilot.restore(state["pilot"])
        self.terrain, self.struck = state["terrain"], state["struck"]

    def _offset(self) -> np.ndarray:
        """From the centre of mass to the root's origin, in B [m]."""
        if self.block.origin is None:
            return np.zeros(3)
        cg = np.array([self.fdm[f"inertia/cg-{n}-in"] for n in "xyz"]) * _INCH
        aft, right, up = np.array(self.block.origin) - cg
        return np.array([-aft, -right, up])

    def _in_ned(self, v_W: np.ndarray, p_W: np.ndarray) -> np.ndarray:
        """A vector of W along north, east and down at a place."""
        latitude, longitude, _ = self.earth.geodetic(p_W)
        return _R_WN(self.earth, latitude, longitude).T @ v_W


def _R_WN(earth: Origin, latitude: float, longitude: float) -> np.ndarray:
    """Turns vectors along north, east, down of a place into those of W, [3, 3]."""
    sn, cn, se, ce = math.sin(latitude), math.cos(latitude), math.sin(longitude), math.cos(longitude)
    R_EN = np.array([[-sn * ce, -se, -cn * ce], [-sn * se, ce, -cn * se], [cn, 0.0, -sn]])
    return earth.R_EW.T @ R_EN
