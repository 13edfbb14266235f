"""One craft in flight: what it was told, its autopilot, its actuators, and what it does when nobody tells it more."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from volery import _native
from volery._native.craft import Drift, Level
from volery.core.frames import euler_from_quat
from volery.physics.craft.contact_point import tool_table
from volery.physics.craft.near import Surfaces
from volery.physics.craft.thrust import fan_table, vane_table
from volery.physics.flightpath import Moment
from volery.physics.multirotor.parameters import body_of
from volery.robots.commands import Attitude, BodyVelocity, Command, Dock, Effort, Pose, Velocity
from volery.robots.kinds.craft import Craft
from volery.robots.kinds.tool import Tool
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

__all__ = ["CraftFlight"]

_KEPT = ("thrust", "angle", "tilt", "turns", "reach")
"""Arrays that a snapshot holds, beside the fields of _TABLES."""
_TABLES = ("reference", "memory", "tip", "felt")


class CraftFlight:
    """Autopilot, actuators and tool of one craft; an engine moves its body."""

    takes: tuple[type[Command], ...] = (Velocity, BodyVelocity, Pose, Dock, Attitude, Effort)

    def __init__(self, robot: Robot, craft: Craft, deadline: float | None = None) -> None:
        """deadline: told nothing for so long, it goes to safety [s]; None: it does as it was told last."""
        self.robot, self.craft, self.deadline = robot, craft, deadline
        self.fans = fan_table(craft)
        """`Fan` [n]."""
        self.gains = _gains(robot, craft)
        """`Gains` [1]."""
        vanes = vane_table(craft)
        self.now = np.zeros(len(self.fans), _native.craft.FanState)
        """What the fans do, `FanState` [n]."""
        self.thrust, self.tilt, self.turns = (self.now[name] for name in ("thrust", "tilt", "turn"))
        """Of each fan [N]; of each disc about x and y, and how far each fan has turned [rad]; views of `now`."""
        self.angle = np.zeros(len(vanes))
        """Of each vane [rad]."""
        self.surfaces = Surfaces(self.fans, self.now, craft.nearness, robot.name)
        self.reference, self.memory = np.zeros(1, _native.craft.Reference), np.zeros(1, _native.craft.Memory)
        """What it was told, `Reference` [1]; what its observers know, `Memory` [1]."""
        self.tool = np.zeros(1, _native.craft.Tool) if craft.tool is None else tool_table(craft.tool)
        self.tip, self.felt = np.zeros(1, _native.craft.Tip), np.zeros(1, _native.craft.Felt)
        """Memory of the tool, `Tip` [1], and what it feels, `Felt` [1]."""
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
        self._craft = _native.craft.Craft(self.gains, self.fans, vanes)
        self.native = _native.craft.Flight(
            self._craft, self.reference, self.memory, self.now, self.angle, self.tool, self.tip, self.felt
        )
        """What kernels take."""
        self._mass = float(self.gains["mass"][0])
        self._lifting = np.maximum(self.fans["axis_B"][:, 2], 0.0)
        self._most = float(self.fans["most"] @ self._lifting)
        self.place()

    @property
    def level(self) -> Level:
        """What of the reference counts."""
        return self.native.level

    @level.setter
    def level(self, level: Level) -> None:
        self.native.level = level

    # Told

    def place(self) -> None:
        """The robot was put somewhere: it hovers there, whatever it was told."""
        robot, share = self.robot, self._mass * GRAVITY / self._most
        self._hover(robot.p_WB)
        self.memory[:] = 0
        self.memory["momentum_W"] = self._mass * robot.v_WB_W
        self.thrust[:] = share * self.fans["most"] * self._lifting
        self.angle[:], self.tilt[:], self.tip[:], self.felt[:] = 0.0, 0.0, 0, 0
        self.felt["row"] = -1
        # Far off: it begins at the tool
        self.tip["x_W"] = np.inf
        self.safe, self._silent, self._untouched = False, -1.0, math.inf

    def tell(self, command: Command) -> None:
        """Take one of `takes`."""
        reference, level = self.reference.copy(), Level.FLY
        r, before = reference[0], self.reference[0]
        self._begin(r)
        if self.level == Level.FLY and before["drift"] != Drift.STAYS:
            # On from where the reference is, or it would fall back to the robot with every word
            r["p_W"], r["yaw"] = before["p_W"], before["yaw"]
        if isinstance(command, Attitude):
            level, r["q_WB"], r["thrust"] = Level.POINT, command.q_WB_wxyz, command.thrust * self._most
        elif isinstance(command, Effort):
            level, r["force_B"], r["torque_B"] = Level.GIVE, command.force_B, command.torque_B
        elif isinstance(command, Dock):
            self._dock(r, command)
        elif isinstance(command, Pose):
            r["p_W"], r["v_W"], r["a_W"] = command.p_WB, command.v_W, command.a_W
            r["yaw"] = r["yaw"] if command.yaw is None else command.yaw
        else:
            self._drift(r, command)
        self.reference[:], self.level = reference, level
        self.safe, self._silent = False, 0.0

    def use(self, tool: Tool) -> None:
        """Go on with another tool at the same site."""
        self.craft = replace(self.craft, tool=tool)
        self.tool[:] = tool_table(tool)

    def carry(self, p_BT: np.ndarray) -> None:
        """The tool is held elsewhere by an arm, [3] [m]: a dock goes on with it there."""
        r = self.reference[0]
        goal = r["p_W"] + r["left"] * r["way_W"] + self._tool_W(r)
        self.reach[:] = p_BT
        if self.level == Level.FLY and r["drift"] == Drift.LEADS:
            self._lead_to(r, goal)

    def follow(self, now: Moment) -> None:
        """Be on a path, nose ahead."""
        r, v_W = self.reference[0], now.v_W
        r["p_W"], r["v_W"], r["a_W"], r["drift"] = now.p_W, v_W, now.push_W, Drift.DRIFTS
        if math.hypot(v_W[0], v_W[1]) > 1e-3:
            r["yaw"] = math.atan2(v_W[1], v_W[0])

    def _begin(self, r: np.void) -> None:
        """A reference at rest where the robot is."""
        for name in self.reference.dtype.fields or ():
            r[name] = 0
        r["p_W"], r["yaw"], r["force"] = self.robot.p_WB, self._heading, -1.0

    @property
    def _heading(self) -> float:
        return float(euler_from_quat(self.robot.q_WB_wxyz)[2])

    def _dock(self, r: np.void, command: Dock) -> None:
        r["yaw"] = r["yaw"] if command.yaw is None else command.yaw
        r["way_W"] = command.way_W / np.linalg.norm(command.way_W)
        r["force"], r["speed"] = command.force, command.speed
        self._lead_to(r, command.p_W)

    def _lead_to(self, r: np.void, p_WT: np.ndarray) -> None:
        """Have the reference go on along its way, until the tool is at p_WT [m]; beside the way it jumps there."""
        way, goal = r["way_W"], p_WT - self._tool_W(r)
        left = max(float(way @ (goal - r["p_W"])), 0.0)
        r["p_W"], r["left"], r["drift"] = goal - left * way, left, Drift.LEADS

    def _tool_W(self, r: np.void) -> np.ndarray:
        """From the root to the tool in W of a craft that presses [m]: it leans, unless its arm is kept level.

        Not as it is now: a tool that is held by a wall would hold the reference too, and the craft would fall off it.
        """
        weight = self._mass * GRAVITY
        up = np.array([0.0, 0.0, weight])
        if self.craft.level is None:
            up += max(r["force"], 0.0) * r["way_W"]
            # As the autopilot has it: it never lets go of all of its lift
            up[2] = max(up[2], 0.3 * weight)
        z = up / np.linalg.norm(up)
        y = np.cross(z, [math.cos(r["yaw"]), math.sin(r["yaw"]), 0.0])
        y /= np.linalg.norm(y)
        return np.column_stack([np.cross(y, z), y, z]) @ self.reach

    def _drift(self, r: np.void, command: Any) -> None:
        """Move the reference along."""
        if isinstance(command, BodyVelocity):
            c, s = math.cos(r["yaw"]), math.sin(r["yaw"])
            x, y, z = command.v_B
            r["v_W"], r["drift"] = (c * x - s * y, s * x + c * y, z), Drift.TURNS
        else:
            r["v_W"], r["a_W"], r["drift"] = command.v_W, command.a_W, Drift.DRIFTS
            r["yaw"] = r["yaw"] if command.yaw is None else command.yaw
        r["yaw_rate"] = command.yaw_rate

    # Safety

    def _hover(self, p_W: np.ndarray) -> None:
        self._begin(self.reference[0])
        self.reference["p_W"], self.level = p_W, Level.FLY

    def watch(self, dt: float) -> None:
        """Told nothing for too long, draw back from what was touched, and hover; to be called before each step [s]."""
        touching = self.felt["row"][0] >= 0
        self._untouched = 0.0 if touching else self._untouched + dt
        if touching:
            self._touched = self.felt["normal_W"][0].copy()
        if self.deadline is None or self._silent < 0.0 or self.safe:
            return
        self._silent += dt
        if self._silent > self.deadline + 1e-9:
            self.safe = True
            near = self._untouched <= self.craft.safety.remembered
            self._hover(self.robot.p_WB + (self.craft.safety.retreat * self._touched if near else 0.0))

    # Flown

    def power(self, density: float) -> float:
        """Drawn now [W]; density of the air [kg/m³]."""
        return _native.craft.power(self._craft, self.now, density) / self.craft.efficiency + self.craft.idle_power

    @property
    def lift(self) -> float:
        """Force along the craft's z now, vanes included [N]."""
        return self.native.lift

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        arrays = {name: getattr(self, name).copy() for name in _KEPT}
        tables = {name: {f: getattr(self, name)[f].copy() for f in getattr(self, name).dtype.names} for name in _TABLES}
        return {
            **arrays, **tables, "level": int(self.level), "safe": self.safe,
            "times": [self._silent, self._untouched], "touched": self._touched.copy(),
            "near": self.surfaces.distances.copy(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for name in _KEPT:
            getattr(self, name)[...] = state[name]
        for name in _TABLES:
            for field, values in state[name].items():
                getattr(self, name)[field] = values
        self.level, self.safe = Level(state["level"]), state["safe"]
        self._silent, self._untouched = state["times"]
        self._touched = np.array(state["touched"], float)
        self.surfaces.distances[...] = state["near"]
        self.surfaces.weigh()


def _gains(robot: Robot, craft: Craft) -> np.ndarray:
    body, c = body_of(robot.description), craft.control
    gains = np.zeros(1, _native.craft.Gains)
    g = gains[0]
    g["mass"], g["most_force"], g["most_tilt"] = body.mass, c.most_force, math.tan(math.radians(c.most_tilt_deg))
    g["stiffness"], g["damping"] = ((v[0], v[0], v[1]) for v in (c.stiffness, c.damping))
    g["attitude"], g["heading"] = c.attitude
    g["observe_force"], g["observe_torque"] = c.observer
    g["centre_B"], g["inertia_B"] = body.centre, body.inertia
    return gains
