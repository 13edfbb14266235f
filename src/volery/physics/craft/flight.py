# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""One craft in flight: what it was told, its autopilot, its actuators, and what it does when nobody tells it more."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numba as nb
import numpy as np

from volery.core.frames import euler_from_quat
from volery.physics.craft import layout as at
from volery.physics.craft.allocation import allocate
from volery.physics.craft.autopilot import observe, steer
from volery.physics.craft.near import Surfaces
from volery.physics.craft.thrust import fan_table, follow, power, vane_table, wrench
from volery.physics.craft.tip import tool_row
from volery.physics.multirotor.parameters import body_of
from volery.robots.commands import Attitude, BodyVelocity, Command, Dock, Effort, Pose, Velocity
from volery.robots.craft import Craft
from volery.robots.robot import Robot
from volery.robots.tool import Tool
from volery.world.atmosphere import GRAVITY

__all__ = ["Flight"]

_KEPT = ("reference", "memory", "thrust", "angle", "tilt", "tip", "felt", "turns", "reach")
"""Arrays that a snapshot holds."""


class Flight:
    """Autopilot, actuators and tool of one craft; an engine moves its body."""

    takes: tuple[type[Command], ...] = (Velocity, BodyVelocity, Pose, Dock, Attitude, Effort)

    def __init__(self, robot: Robot, craft: Craft, deadline: float | None = None) -> None:
        """deadline: told nothing for so long, it goes to safety [s]; None: it does as it was told last."""
        self.robot, self.craft, self.deadline = robot, craft, deadline
        self.fans, self.vanes = fan_table(craft), vane_table(craft)
        self.surfaces = Surfaces(self.fans, craft.nearness, robot.name)
        self.gains = _gains(robot, craft)
        self.level = at.FLY
        self.reference, self.memory = np.zeros(at.REFERENCE), np.zeros(at.MEMORY)
        self.thrust, self.angle = np.zeros(len(self.fans)), np.zeros(len(self.vanes))
        """Of each fan [N], and of each vane [rad]."""
        self.tilt, self.turns = np.zeros((len(self.fans), 2)), np.zeros(len(self.fans))
        """Of each disc about x and y, and how far each fan has turned [rad]."""
        self.tool = tool_row(craft.tool) if craft.tool is not None else np.zeros(at.TOOL)
        self.tip, self.felt = np.zeros(at.TIP), np.zeros(at.FELT)
        self.reach = np.zeros(3) if craft.tool is None else robot.description.X_RS(craft.tool.site)[:, 3].copy()
        """Where the tool is held in the root's frame [m], [3]: with all joints at rest, unless an arm moves it."""
        self.safe = False
        """Whether it goes to safety, or is there."""
        self._silent = 0.0
        """Since it was told something [s]; negative: it never was."""
        self._untouched = math.inf
        """Since its tool touched something [s]."""
        self._touched = np.zeros(3)
        """Normal of what it touched."""
        self._told = np.zeros(len(self.fans)), np.zeros(len(self.vanes)), np.zeros((len(self.fans), 2))
        self._speeds = np.array([-fan.speed if fan.spin == "cw" else fan.speed for fan in craft.fans])
        self._out = np.zeros(6)
        self._most = float(self.fans[:, at.MOST] @ np.maximum(self.fans[:, at.AXIS + 2], 0.0))
        self.place()

    # Told

    def place(self) -> None:
        """The robot was put somewhere: it hovers there, whatever it was told."""
        robot, share = self.robot, self.gains[at.G_MASS] * GRAVITY / self._most
        self._hover(robot.p_WB)
        self.memory[:] = 0.0
        self.memory[at.M_ZF : at.M_ZF + 3] = self.gains[at.G_MASS] * robot.v_WB_W
        self.thrust[:] = share * self.fans[:, at.MOST] * np.maximum(self.fans[:, at.AXIS + 2], 0.0)
        self.angle[:], self.tilt[:], self.tip[:], self.felt[:] = 0.0, 0.0, 0.0, 0.0
        self.felt[at.F_ROW] = -1.0
        # Far off: it begins at the tool
        self.tip[at.S_X : at.S_X + 3] = np.inf
        self.safe, self._silent, self._untouched = False, -1.0, math.inf

    def tell(self, command: Command) -> None:
        """Take one of `takes`."""
        r, level = self.reference.copy(), at.FLY
        before = r[at.R_P : at.R_P + 3].copy() if self.level == at.FLY and r[at.R_DRIFT] != at.STAYS else None
        self._begin(r)
        if before is not None:
            # On from where the reference is, or it would fall back to the robot with every word
            r[at.R_P : at.R_P + 3], r[at.R_YAW] = before, self.reference[at.R_YAW]
        if isinstance(command, Attitude):
            level, r[at.R_TURN : at.R_TURN + 4] = at.POINT, command.q_WB_wxyz
            r[at.R_THRUST] = command.thrust * self._most
        elif isinstance(command, Effort):
            level, r[at.R_EFFORT : at.R_EFFORT + 6] = at.GIVE, np.concatenate([command.force_B, command.torque_B])
        elif isinstance(command, Dock):
            self._dock(r, command)
        elif isinstance(command, Pose):
            r[at.R_P : at.R_P + 3], r[at.R_V : at.R_V + 3] = command.p_WB, command.v_W
            r[at.R_A : at.R_A + 3] = command.a_W
            r[at.R_YAW] = r[at.R_YAW] if command.yaw is None else command.yaw
        else:
            self._drift(r, command)
        self.reference, self.level = r, level
        self.safe, self._silent = False, 0.0

    def use(self, tool: Tool) -> None:
        """Go on with another tool at the same site."""
        self.craft, self.tool = replace(self.craft, tool=tool), tool_row(tool)

    def carry(self, p_BT: np.ndarray) -> None:
        """The tool is held elsewhere by an arm, [3] [m]: a dock goes on with it there."""
        r = self.reference
        goal = r[at.R_P : at.R_P + 3] + r[at.R_LEFT] * r[at.R_WAY : at.R_WAY + 3] + self._tool_W(r)
        self.reach[:] = p_BT
        if self.level == at.FLY and r[at.R_DRIFT] == at.LEADS:
            self._lead_to(r, goal)

    def follow(self, p_W: np.ndarray, v_W: np.ndarray) -> None:
        """Be at p_W [m] now and move on at v_W [m/s], nose ahead."""
        r = self.reference
        r[at.R_P : at.R_P + 3], r[at.R_V : at.R_V + 3] = p_W, v_W
        if math.hypot(v_W[0], v_W[1]) > 1e-3:
            r[at.R_YAW] = math.atan2(v_W[1], v_W[0])

    def _begin(self, r: np.ndarray) -> None:
        """A reference at rest where the robot is."""
        r[:] = 0.0
        r[at.R_P : at.R_P + 3], r[at.R_YAW], r[at.R_FORCE] = self.robot.p_WB, self._heading, -1.0

    @property
    def _heading(self) -> float:
        return float(euler_from_quat(self.robot.q_WB_wxyz)[2])

    def _dock(self, r: np.ndarray, command: Dock) -> None:
        r[at.R_YAW] = r[at.R_YAW] if command.yaw is None else command.yaw
        r[at.R_WAY : at.R_WAY + 3] = command.way_W / np.linalg.norm(command.way_W)
        r[at.R_FORCE], r[at.R_SPEED] = command.force, command.speed
        self._lead_to(r, command.p_W)

    def _lead_to(self, r: np.ndarray, p_WT: np.ndarray) -> None:
        """Have the reference go on along its way, until the tool is at p_WT [m]; beside the way it jumps there."""
        way, goal = r[at.R_WAY : at.R_WAY + 3], p_WT - self._tool_W(r)
        left = max(float(way @ (goal - r[at.R_P : at.R_P + 3])), 0.0)
        r[at.R_P : at.R_P + 3], r[at.R_LEFT], r[at.R_DRIFT] = goal - left * way, left, at.LEADS

    def _tool_W(self, r: np.ndarray) -> np.ndarray:
        """From the root to the tool in W of a craft that presses [m]: it leans, unless its arm is kept level.

        Not as it is now: a tool that is held by a wall would hold the reference too, and the craft would fall off it.
        """
        weight = self.gains[at.G_MASS] * GRAVITY
        up = np.array([0.0, 0.0, weight])
        if self.craft.level is None:
            up += max(r[at.R_FORCE], 0.0) * r[at.R_WAY : at.R_WAY + 3]
            # As the autopilot has it: it never lets go of all of its lift
            up[2] = max(up[2], 0.3 * weight)
        z = up / np.linalg.norm(up)
        y = np.cross(z, [math.cos(r[at.R_YAW]), math.sin(r[at.R_YAW]), 0.0])
        y /= np.linalg.norm(y)
        return np.column_stack([np.cross(y, z), y, z]) @ self.reach

    def _drift(self, r: np.ndarray, command: Velocity | BodyVelocity) -> None:
        """Move the reference along."""
        if isinstance(command, BodyVelocity):
            c, s = math.cos(r[at.R_YAW]), math.sin(r[at.R_YAW])
            x, y, z = command.v_B
            r[at.R_V : at.R_V + 3], r[at.R_DRIFT] = (c * x - s * y, s * x + c * y, z), at.TURNS
        else:
            r[at.R_V : at.R_V + 3], r[at.R_A : at.R_A + 3], r[at.R_DRIFT] = command.v_W, command.a_W, at.DRIFTS
            r[at.R_YAW] = r[at.R_YAW] if command.yaw is None else command.yaw
        r[at.R_YAW_RATE] = command.yaw_rate

    # Safety

    def _hover(self, p_W: np.ndarray) -> None:
        self._begin(self.reference)
        self.reference[at.R_P : at.R_P + 3], self.level = p_W, at.FLY

    def _watch(self, dt: float) -> None:
        """Told nothing for too long, draw back from what was touched, and hover."""
        touching = self.felt[at.F_ROW] >= 0.0
        self._untouched = 0.0 if touching else self._untouched + dt
        if touching:
            self._touched = self.felt[at.F_NORMAL : at.F_NORMAL + 3].copy()
        if self.deadline is None or self._silent < 0.0 or self.safe:
            return
        self._silent += dt
        if self._silent > self.deadline + 1e-9:
            self.safe = True
            near = self._untouched <= self.craft.safety.remembered
            self._hover(self.robot.p_WB + (self.craft.safety.retreat * self._touched if near else 0.0))

    # Flown

    def push(self, p_W: np.ndarray, R: np.ndarray, v_W: np.ndarray, w_B: np.ndarray, wind_W: np.ndarray,
             density: float, dt: float) -> np.ndarray:  # fmt: skip
        """Advance autopilot and actuators by dt [s]; force [N] and torque [N m] about the root's origin in B, [6].

        p_W, v_W [3]: of the root's origin [m, m/s]; R [9]; w_B [3] [rad/s]; wind_W [3] [m/s]; density [kg/m³].
        """
        self._watch(dt)
        _fly(
            self.level, self.gains, self.fans, self.vanes, self.reference, self.memory, p_W, R, v_W, w_B, wind_W,
            density, self.felt, self.surfaces.gain, self.surfaces.pull, dt, *self._told, self.thrust, self.angle,
            self.tilt, self._out,
        )  # fmt: skip
        self.turns += dt * self._speeds * np.sqrt(np.abs(self.thrust) / self.fans[:, at.MOST])
        self.turns %= 2 * math.pi
        return self._out

    def power(self, density: float) -> float:
        """Drawn now [W]; density of the air [kg/m³]."""
        return power(self.fans, self.thrust, density) / self.craft.efficiency + self.craft.idle_power

    @property
    def lift(self) -> float:
        """Force along the craft's z now, vanes included [N]."""
        return float(self._out[2])

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        arrays = {name: getattr(self, name).copy() for name in _KEPT}
        return {
            **arrays, "level": self.level, "safe": self.safe, "times": [self._silent, self._untouched],
            "touched": self._touched.copy(), "near": self.surfaces.distances.copy(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for name in _KEPT:
            getattr(self, name)[...] = state[name]
        self.level, self.safe = state["level"], state["safe"]
        self._silent, self._untouched = state["times"]
        self._touched = np.array(state["touched"], float)
        self.surfaces.distances[...] = state["near"]
        self.surfaces.weigh()


def _gains(robot: Robot, craft: Craft) -> np.ndarray:
    body, c = body_of(robot.description), craft.control
    g = np.zeros(at.GAINS)
    g[at.G_MASS], g[at.G_MOST] = body.mass, c.most_force
    g[at.G_K : at.G_K + 3], g[at.G_D : at.G_D + 3] = [(v[0], v[0], v[1]) for v in (c.stiffness, c.damping)]
    g[at.G_TILT], g[at.G_ATT], g[at.G_YAW] = math.tan(math.radians(c.most_tilt_deg)), *c.attitude
    g[at.G_OBS_F], g[at.G_OBS_T] = c.observer
    g[at.G_CENTRE : at.G_CENTRE + 3], g[at.G_J : at.G_J + 9] = body.centre, body.inertia.ravel()
    return g


@nb.njit(cache=True, nogil=True)
def _fly(level, gains, fans, vanes, reference, memory, p_W, R, v_W, w_B, wind_W, density, felt, gain, pull, dt,
         told_thrust, told_angle, told_tilt, thrust, angle, tilt, out) -> None:  # fmt: skip
    n = len(fans)
    climb, even, wanted = np.empty(n), np.ones(n), np.empty(4)
    for k in range(n):
        f = fans[k]
        climb[k] = 0.0
        for i in range(3):
            j, h = (i + 1) % 3, (i + 2) % 3
            # Velocity of the fan through the air along axis i of B
            u = R[i] * (v_W[0] - wind_W[0]) + R[3 + i] * (v_W[1] - wind_W[1]) + R[6 + i] * (v_W[2] - wind_W[2])
            u += w_B[j] * f[at.POS + h] - w_B[h] * f[at.POS + j]
            climb[k] += f[at.AXIS + i] * u
    wrench(fans, vanes, thrust, angle, tilt, even, density, climb, out)
    observe(gains, memory, R, v_W, w_B, out, felt[at.F_FORCE : at.F_FORCE + 3], dt)
    steer(level, gains, reference, memory, p_W, R, v_W, w_B, wanted)
    allocate(fans, vanes, gains[at.G_CENTRE : at.G_CENTRE + 3], wanted, density, climb, told_thrust, told_angle,
             told_tilt)  # fmt: skip
    follow(fans, vanes, told_thrust, told_angle, told_tilt, dt, thrust, angle, tilt)
    wrench(fans, vanes, thrust, angle, tilt, gain, density, climb, out)
    for k in range(n):
        for i in range(3):
            j, h = (i + 1) % 3, (i + 2) % 3
            f = fans[k]
            out[i] += pull[k, i] * thrust[k]
            out[3 + i] += thrust[k] * (f[at.POS + j] * pull[k, h] - f[at.POS + h] * pull[k, j])
    _move_on(gains, reference, p_W, dt)


@nb.njit(cache=True, nogil=True)
def _move_on(gains, r, p_W, dt) -> None:
    """Move a reference that moves, but never farther ahead than the spring is drawn by its most force."""
    if r[at.R_DRIFT] == at.STAYS:
        return
    if r[at.R_DRIFT] == at.LEADS:
        _lead(gains, r, p_W, dt)
        return
    turn = r[at.R_YAW_RATE] * dt
    r[at.R_YAW] += turn
    if r[at.R_DRIFT] == at.TURNS:
        x, y, c, s = r[at.R_V], r[at.R_V + 1], math.cos(turn), math.sin(turn)
        r[at.R_V], r[at.R_V + 1] = c * x - s * y, s * x + c * y
    ahead = 0.0
    for i in range(3):
        r[at.R_P + i] += r[at.R_V + i] * dt
        ahead += (r[at.R_P + i] - p_W[i]) ** 2
    # The stiffest axis counts
    most, ahead = gains[at.G_MOST] / max(gains[at.G_K], gains[at.G_K + 2]), math.sqrt(ahead)
    if ahead > most:
        for i in range(3):
            r[at.R_P + i] = p_W[i] + (r[at.R_P + i] - p_W[i]) * most / ahead


@nb.njit(cache=True, nogil=True)
def _lead(gains, r, p_W, dt) -> None:
    """Move a reference on along its way, until it is there or the spring along the way gives what it may."""
    drawn = 0.0
    for i in range(3):
        drawn += gains[at.G_K + i] * (r[at.R_P + i] - p_W[i]) * r[at.R_WAY + i]
    most = r[at.R_FORCE]
    step = min(r[at.R_SPEED] * dt, r[at.R_LEFT]) if drawn < most else 0.0
    r[at.R_LEFT] -= step
    # The more the spring is drawn, the less the damper pulls along: together never more than the force
    pace = r[at.R_SPEED] * min(max(1.0 - drawn / max(most, 1e-9), 0.0), 1.0) if step > 0.0 else 0.0
    for i in range(3):
        r[at.R_P + i] += step * r[at.R_WAY + i]
        r[at.R_V + i] = pace * r[at.R_WAY + i]
