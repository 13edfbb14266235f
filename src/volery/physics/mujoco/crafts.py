"""Crafts in the common model: their fans push the body that MuJoCo moves, and the world presses on their tools."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.core.clock import SECOND, Rate
from volery.physics.contact.world import ContactWorld
from volery.physics.craft import layout as at
from volery.physics.craft.flight import Flight
from volery.physics.craft.tip import press
from volery.physics.mujoco.air import add_wrench
from volery.physics.mujoco.assembly import Assembly, Span
from volery.physics.mujoco.member import Member
from volery.physics.multirotor.air import Air
from volery.robots.robot import Contact

__all__ = ["Crafts"]


class Crafts:
    """The crafts of a model, substep by substep."""

    def __init__(self, assembly: Assembly, members: dict[str, Member], world: ContactWorld) -> None:
        self._world, self._data = world, assembly.data
        found = [(members[n], members[n].craft, assembly.spans[n]) for n in assembly.names]
        self._each = [_Placed(member, flight, span) for member, flight, span in found if flight is not None]

    def steer(self, now_ns: int) -> None:
        """Where crafts on a path should be now."""
        for one in self._each:
            member = one.member
            if member.follower is not None:
                one.flight.follow(*member.follower.at((now_ns - member.started_ns) / SECOND))

    def sample(self, air: Air, now_ns: int, step_ns: int) -> None:
        """The air at every craft, and what is near its fans, for this step."""
        for one in self._each:
            p = self._data.xpos[one.root]
            one.wind, one.density = air.wind(p[None], now_ns)[0], float(air.density(p[2:])[0])
            if one.rate.due(now_ns, step_ns):
                one.flight.surfaces.look(self._world.scene, p, self._data.xmat[one.root].reshape(3, 3))
            one.begin()

    def push(self, dt: float) -> None:
        """Add what fans and surfaces do within the next dt [s]."""
        d = self._data
        for one in self._each:
            flight, place = one.flight, one.place
            if one.tool >= 0:
                _tool(one.root, one.tool, one.site, d.xpos, d.xmat, d.cvel, d.subtree_com, place)
                press(self._world.address, flight.tool, flight.tip, place[:3], place[3:], dt, flight.felt)
                one.add(dt)
            _root(one.root, d.xpos, d.xmat, d.cvel, d.subtree_com, one.motion)
            v, w = one.motion[:3], one.motion[3:]
            given = flight.push(d.xpos[one.root], d.xmat[one.root], v, w, one.wind, one.density, dt)
            if one.servo is not None:
                _level(one.arm, one.dof, one.servo, d.xmat, d.cvel, d.qfrc_applied)
            _add(one.root, one.tool, given, flight.felt, d.xpos, d.xipos, d.xmat, d.xfrc_applied)

    def show(self) -> None:
        """What one sees of fans and vanes, the power, and what tools touched."""
        for one in self._each:
            robot, flight = one.member.robot, one.flight
            robot.power += flight.power(one.density)
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

    def __init__(self, member: Member, flight: Flight, span: Span) -> None:
        root = span.body
        self.member, self.flight, self.root = member, flight, root
        self.rate = Rate.of(flight.craft.nearness.rate)
        self.shown = flight.craft.shown(member.robot.description)
        self.tool, self.site, self.tool_name = -1, np.zeros(3), ""
        tool = flight.craft.tool
        if tool is not None:
            site = member.robot.description.site(tool.site)
            self.tool, self.site = root + site.body, site.X_BS[:, 3].copy()
            self.tool_name = member.robot.description.bodies[site.body]
        level, self.servo, self.arm, self.dof = flight.craft.level, None, -1, -1
        if level is not None:
            number = member.robot.description.joint(level.joint)
            self.servo = np.array([level.stiffness, level.damping, level.most])
            self.arm = root + member.robot.description.joints[number].body
            self.dof = int(span.joint_v[np.flatnonzero(span.joints == number)[0]])
        self.place, self.motion, self.wind = np.zeros(6), np.zeros(6), np.zeros(3)
        self.density = 1.225
        self.touched: dict[int, tuple[np.ndarray, np.ndarray, float, np.ndarray]] = {}
        """By row of the scene, in this step: point, normal and depth where it was deepest, and the impulse."""

    def begin(self) -> None:
        """A new step."""
        self.touched = {}

    def add(self, dt: float) -> None:
        """Keep what the tool felt for dt [s]."""
        f = self.flight.felt
        row = int(f[at.F_ROW])
        if row < 0:
            return
        impulse, depth = f[at.F_FORCE : at.F_FORCE + 3] * dt, float(f[at.F_DEPTH])
        point, normal = f[at.F_AT : at.F_AT + 3].copy(), f[at.F_NORMAL : at.F_NORMAL + 3].copy()
        if row in self.touched:
            old_point, old_normal, deepest, sums = self.touched[row]
            impulse = impulse + sums
            if deepest >= depth:
                point, normal, depth = old_point, old_normal, deepest
        self.touched[row] = (point, normal, depth, impulse)


@nb.njit(cache=True, nogil=True)
def _tool(root, body, site, xpos, xmat, cvel, com, out) -> None:  # noqa: ANN001
    """Place and velocity in W of a site of a body, into out [6]."""
    w = cvel[body, :3]
    arm = np.empty(3)
    for i in range(3):
        out[i] = xpos[body, i]
        for j in range(3):
            out[i] += xmat[body, 3 * i + j] * site[j]
        arm[i] = out[i] - com[root, i]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[3 + i] = cvel[body, 3 + i] + w[j] * arm[k] - w[k] * arm[j]


@nb.njit(cache=True, nogil=True)
def _root(root, xpos, xmat, cvel, com, out) -> None:  # noqa: ANN001
    """Velocity of the root's origin in W, and angular velocity in B, into out [6]."""
    w = cvel[root, :3]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = cvel[root, 3 + i] + w[j] * (xpos[root, k] - com[root, k]) - w[k] * (xpos[root, j] - com[root, j])
        out[3 + i] = xmat[root, i] * w[0] + xmat[root, 3 + i] * w[1] + xmat[root, 6 + i] * w[2]


@nb.njit(cache=True, nogil=True)
def _level(body, dof, servo, xmat, cvel, out) -> None:  # noqa: ANN001
    """Torque of a hinge about y that keeps the x axis of a body level, into out (qfrc_applied)."""
    dip = -np.arcsin(min(max(xmat[body, 6], -1.0), 1.0))
    rate = xmat[body, 1] * cvel[body, 0] + xmat[body, 4] * cvel[body, 1] + xmat[body, 7] * cvel[body, 2]
    torque = -servo[0] * dip - servo[1] * rate
    out[dof] = min(max(torque, -servo[2]), servo[2]) if np.isfinite(torque) else 0.0


@nb.njit(cache=True, nogil=True)
def _add(root, tool, given, felt, xpos, xipos, xmat, out) -> None:  # noqa: ANN001
    """Force and torque of the fans (in B, about the root's origin) and of the surface on the tool, into out."""
    push = np.zeros(6)
    for i in range(3):
        for j in range(3):
            push[i] += xmat[root, 3 * i + j] * given[j]
            push[3 + i] += xmat[root, 3 * i + j] * given[3 + j]
    if np.isfinite(push.sum()):
        # A motion that blew up must not spread: MuJoCo adds forces up over all robots.
        add_wrench(root, push, xpos[root], xipos[root], out)
    if tool >= 0:
        push[:3] = felt[:3]
        push[3:] = 0.0
        if np.isfinite(push.sum()):
            add_wrench(tool, push, felt[at.F_AT : at.F_AT + 3], xipos[tool], out)
