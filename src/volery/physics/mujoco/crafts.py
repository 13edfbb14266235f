"""Crafts in the common model: their fans push the body that MuJoCo moves, and the world presses on their tools."""

from __future__ import annotations

import numpy as np

from volery import _native
from volery.core.clock import SECOND, Rate
from volery.physics.contact.world import ContactWorld
from volery.physics.craft.flight import CraftFlight
from volery.physics.mujoco.assembly import Assembly, Span
from volery.physics.mujoco.member import MujocoMember
from volery.physics.multirotor.air import AmbientAir
from volery.robots.robot import Contact

__all__ = ["Crafts"]


class Crafts:
    """The crafts of a model, substep by substep."""

    def __init__(
        self, assembly: Assembly, members: dict[str, MujocoMember], world: ContactWorld, step: _native.mujoco.Step
    ) -> None:
        self._world, self._data, self._step = world, assembly.data, step
        found = [(members[n], members[n].craft, assembly.spans[n]) for n in assembly.names]
        self._each = [_Placed(member, flight, span) for member, flight, span in found if flight is not None]

    def __bool__(self) -> bool:
        return bool(self._each)

    def steer(self, now_ns: int) -> None:
        """Where crafts on a path should be now."""
        for one in self._each:
            member = one.member
            if member.follower is not None:
                one.flight.follow(member.follower.at((now_ns - member.started_ns) / SECOND))

    def sample(self, air: AmbientAir, now_ns: int, step_ns: int) -> None:
        """The air at every craft, and what is near its fans, for this step."""
        for one in self._each:
            p = self._data.xpos[one.root]
            one.placed["wind_W"], one.placed["density"] = air.wind(p[None], now_ns)[0], air.density(p[2:])[0]
            if one.rate.due(now_ns, step_ns):
                one.flight.surfaces.look(self._world.scene, p, self._data.xmat[one.root].reshape(3, 3))
            one.begin()

    def push(self, dt: float) -> None:
        """Add what fans and surfaces do within the next dt [s]."""
        for one in self._each:
            flight = one.flight
            if one.touches:
                _native.mujoco.press_tool(self._step, one.placed, flight.native, self._world.native, dt)
                one.add(dt)
            flight.watch(dt)
            _native.mujoco.push_craft(self._step, one.placed, flight.native, dt)

    def show(self) -> None:
        """What one sees of fans and vanes, the power, and what tools touched."""
        for one in self._each:
            robot, flight = one.member.robot, one.flight
            robot.power += flight.power(float(one.placed["density"][0]))
            robot.joint_positions = robot.joint_positions.copy()
            for joint, (kind, k) in one.shown.items():
                robot.joint_positions[joint] = flight.turns[k] if kind == "fan" else flight.angle[k]
            told = [
                Contact(self._world.object_name(row), one.tool_name, *rest) for row, rest in sorted(one.touched.items())
            ]
            if told and robot.contacts is not None:
                robot.contacts = tuple(sorted((*robot.contacts, *told), key=lambda c: (-c.depth, c.body, c.other)))


class _Placed:
    """A craft with its places in the model."""

    def __init__(self, member: MujocoMember, flight: CraftFlight, span: Span) -> None:
        root = span.body
        self.member, self.flight, self.root = member, flight, root
        self.rate = Rate.of(flight.craft.nearness.rate)
        self.shown = flight.craft.shown(member.robot.description)
        self.placed = np.zeros(1, _native.mujoco.PlacedCraft)
        self.touches, self.tool_name = flight.craft.tool is not None, ""
        placed, description = self.placed[0], member.robot.description
        placed["root"], placed["tool"], placed["arm"], placed["dof"], placed["density"] = root, -1, -1, -1, 1.225
        tool, level = flight.craft.tool, flight.craft.level
        if tool is not None:
            site = description.site(tool.site)
            placed["tool"], placed["site"] = root + site.body, site.X_BS[:, 3]
            self.tool_name = description.bodies[site.body]
        if level is not None:
            number = description.joint(level.joint)
            placed["stiffness"], placed["damping"], placed["torque"] = level.stiffness, level.damping, level.most
            placed["arm"] = root + description.joints[number].body
            placed["dof"] = span.joint_v[np.flatnonzero(span.joints == number)[0]]
        self.touched: dict[int, tuple[np.ndarray, np.ndarray, float, np.ndarray]] = {}
        """By row of the scene, in this step: point, normal and depth where it was deepest, and the impulse."""

    def begin(self) -> None:
        """A new step."""
        self.touched = {}

    def add(self, dt: float) -> None:
        """Keep what the tool felt for dt [s]."""
        f = self.flight.felt[0]
        row = int(f["row"])
        if row < 0:
            return
        impulse, depth = f["force_W"] * dt, float(f["depth"])
        point, normal = f["at_W"].copy(), f["normal_W"].copy()
        if row in self.touched:
            old_point, old_normal, deepest, sums = self.touched[row]
            impulse = impulse + sums
            if deepest >= depth:
                point, normal, depth = old_point, old_normal, deepest
        self.touched[row] = (point, normal, depth, impulse)
