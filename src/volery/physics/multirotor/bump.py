# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Drones that may touch something: flown together step by step, with contacts found and answered after each."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact.collide import collide, triangles_of
from volery.physics.contact.layout import CONTACT as FOUND
from volery.physics.contact.layout import KEPT, S_CONTACTS, S_TAGS, SCRATCH_WORDS, SPHERE, T_FRICTION, TAGS
from volery.physics.multirotor import impulses as con
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.body import turn_by
from volery.physics.multirotor.control import rotation
from volery.physics.multirotor.flight import fly
from volery.physics.multirotor.impulses import closing, push_apart, solve
from volery.world.native import as_f8, as_i8

__all__ = ["LOG", "bump"]

LOG = 13
"""Numbers of an entry in the log: drone, other (row of the scene, or −1 − drone), bumper, point in W (3), normal (3),
depth, impulse on the drone (3)."""
_REBOUND = 0.3
"""Slower than this nothing rebounds [m/s]."""
_STILL, _STILL_TURN = 3e-4, 3e-3
"""A drone whose rotors stand and which touches something is at rest below these [m/s, rad/s]."""
_STOPPED = 10.0
"""Sum of the speeds of rotors that stand [rpm]."""


@nb.njit(cache=True, nogil=True)
def bump(near, pairs, S, C, level, kind, P, span, balls, address, dt, steps, wind, air, ground, rules, log) -> int:
    """Drones `near` [m] on by so many steps of dt [s]; returns how many contacts are in the log, at most its length.

    pairs [k, 2]: rows of drones that may meet; span [kinds, 2], balls: bumpers; address: of a ContactWorld, 0: none;
    rules: restitution, friction of the drones, speed of a crash [m/s], 0: never.
    """
    scratch = np.empty(SCRATCH_WORDS)
    before, moved = np.zeros((len(S), 7)), np.zeros((len(S), 3))
    contacts = np.zeros((len(near) * 24 + 8 * len(pairs), con.CONTACT))
    noted = 0
    for _ in range(steps):
        for j in range(len(near)):
            i = near[j]
            for k in range(7):
                before[i, k] = S[i, k] if k < 3 else S[i, at.QUAT + k - 3]
        fly(near, S, C, level, kind, P, dt, nb.int64(1), wind, air, ground)
        count = 0
        if address != 0:
            count = _with_world(near, S, kind, span, balls, address, scratch, contacts)
        count = _with_drones(pairs, S, kind, span, balls, contacts, count)
        if count == 0:
            continue
        _meet(contacts, count, S, level, rules)
        solve(contacts, count, S, kind, P)
        _retrace(contacts, count, S, before, dt, moved)
        push_apart(contacts, count, S, kind, P, moved)
        noted = _note(contacts, count, S, log, noted)
    return noted


@nb.njit(cache=True, nogil=True)
def _centre(s, R, ball) -> tuple:
    """Of a bumper from the drone's centre of mass, in W."""
    x, y, z = ball[0], ball[1], ball[2]
    return R[0] * x + R[1] * y + R[2] * z, R[3] * x + R[4] * y + R[5] * z, R[6] * x + R[7] * y + R[8] * z


@nb.njit(cache=True, nogil=True)
def _with_world(near, S, kind, span, balls, address, scratch, contacts) -> int:
    """The deepest contact of each bumper with the world."""
    base = nb.uint64(scratch.ctypes.data)
    out = nb.carray(as_f8(base + 8 * S_CONTACTS), (KEPT, FOUND))
    axes = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    size, place = np.empty(3), np.empty(3)
    count = 0
    for j in range(len(near)):
        s = S[near[j]]
        R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
        first, many = span[kind[near[j]], 0], span[kind[near[j]], 1]
        for b in range(first, first + many):
            arm = _centre(s, R, balls[b])
            size[:] = balls[b, 3]
            for k in range(3):
                place[k] = s[at.POS + k] + arm[k]
            found = collide(nb.uint64(address), base, nb.int64(SPHERE), size, nb.uint64(0), place, axes, size, 0.0)
            deepest = -1
            for k in range(found):
                if out[k, 0] < 0.0 and (deepest < 0 or out[k, 0] < out[deepest, 0]):
                    deepest = k
            if deepest < 0 or count == len(contacts):
                continue
            triangle = nb.int64(out[deepest, 7])
            c = contacts[count]
            _fill(c, near[j], -1, b, -1, out[deepest, 4], out[deepest, 5], out[deepest, 6], -out[deepest, 0])
            c[con.FRICTION] = triangles_of(base)[triangle, T_FRICTION]
            c[con.OTHER] = as_i8(base + 8 * S_TAGS)[TAGS * triangle]
            for k in range(3):
                c[con.ARM_A + k] = arm[k] - balls[b, 3] * c[con.NORMAL + k]
            count += 1
    return count


@nb.njit(cache=True, nogil=True)
def _fill(c, a, b, ball_a, ball_b, n0, n1, n2, depth) -> None:
    c[:] = 0.0
    c[con.A], c[con.B], c[con.BALL_A], c[con.BALL_B], c[con.OTHER] = a, b, ball_a, ball_b, -1
    c[con.NORMAL], c[con.NORMAL + 1], c[con.NORMAL + 2] = n0, n1, n2
    c[con.DEPTH], c[con.FRICTION] = depth, 1.0


@nb.njit(cache=True, nogil=True)
def _with_drones(pairs, S, kind, span, balls, contacts, count) -> int:
    """Contacts of the bumpers of drones that are near each other."""
    for j in range(len(pairs)):
        a, b = pairs[j, 0], pairs[j, 1]
        s, t = S[a], S[b]
        R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
        Q = rotation(t[at.QUAT], t[at.QUAT + 1], t[at.QUAT + 2], t[at.QUAT + 3])
        for i in range(span[kind[a], 0], span[kind[a], 0] + span[kind[a], 1]):
            u = _centre(s, R, balls[i])
            for k in range(span[kind[b], 0], span[kind[b], 0] + span[kind[b], 1]):
                v = _centre(t, Q, balls[k])
                x, y, z = s[0] + u[0] - t[0] - v[0], s[1] + u[1] - t[1] - v[1], s[2] + u[2] - t[2] - v[2]
                both = balls[i, 3] + balls[k, 3]
                gap = math.sqrt(x * x + y * y + z * z)
                if gap >= both or gap < 1e-9 or count == len(contacts):
                    continue
                c = contacts[count]
                _fill(c, a, b, i, k, x / gap, y / gap, z / gap, both - gap)
                for m in range(3):
                    c[con.ARM_A + m] = u[m] - (balls[i, 3] - 0.5 * c[con.DEPTH]) * c[con.NORMAL + m]
                    c[con.ARM_B + m] = v[m] + (balls[k, 3] - 0.5 * c[con.DEPTH]) * c[con.NORMAL + m]
                count += 1
    return count


@nb.njit(cache=True, nogil=True)
def _meet(contacts, count, S, level, rules) -> None:
    """How fast contacts must part, and who has crashed."""
    for i in range(count):
        c = contacts[i]
        v = closing(c, S)
        speed = -(v[0] * c[con.NORMAL] + v[1] * c[con.NORMAL + 1] + v[2] * c[con.NORMAL + 2])
        c[con.PART] = rules[0] * speed if speed > _REBOUND else 0.0
        c[con.FRICTION] *= rules[1]
        if rules[2] > 0.0 and speed > rules[2]:
            level[int(c[con.A])] = at.CRASHED
            if c[con.B] >= 0:
                level[int(c[con.B])] = at.CRASHED


@nb.njit(cache=True, nogil=True)
def _retrace(contacts, count, S, before, dt, moved) -> None:
    """Take drones that touch back to where the step began, and on from there with the velocities that came out: a
    drone held by friction then does not creep."""
    for i in range(count):
        for side in range(2):
            d = int(contacts[i, side])
            if d < 0 or before[d, 3] == 2.0:
                continue
            s = S[d]
            spinning = 0.0
            for k in range(at.ROTORS):
                spinning += s[at.RPM + k]
            v2 = s[at.VEL] ** 2 + s[at.VEL + 1] ** 2 + s[at.VEL + 2] ** 2
            w2 = s[at.SPIN] ** 2 + s[at.SPIN + 1] ** 2 + s[at.SPIN + 2] ** 2
            if spinning < _STOPPED and v2 < _STILL * _STILL and w2 < _STILL_TURN * _STILL_TURN:
                s[at.VEL : at.VEL + 3] = 0.0
                s[at.SPIN : at.SPIN + 3] = 0.0
            for k in range(3):
                s[at.POS + k] = before[d, k] + dt * s[at.VEL + k]
                moved[d, k] = 0.0
            for k in range(4):
                s[at.QUAT + k] = before[d, 3 + k]
            turn_by(s, dt * s[at.SPIN], dt * s[at.SPIN + 1], dt * s[at.SPIN + 2])
            # No quaternion has such a part: this drone is done
            before[d, 3] = 2.0


@nb.njit(cache=True, nogil=True)
def _note(contacts, count, S, log, noted) -> int:
    """Add contacts to the log: one entry for a drone, another and a bumper, at its deepest, impulses summed."""
    for i in range(count):
        c = contacts[i]
        noted = _note_side(c, S, int(c[con.A]), c[con.OTHER], c[con.B], c[con.BALL_A], con.ARM_A, 1.0, log, noted)
        if c[con.B] >= 0:
            noted = _note_side(c, S, int(c[con.B]), -1.0, c[con.A], c[con.BALL_B], con.ARM_B, -1.0, log, noted)
    return noted


@nb.njit(cache=True, nogil=True)
def _note_side(c, S, d, row, mate, ball, arm, sign, log, noted) -> int:
    other = -1.0 - mate if mate >= 0 else row
    at_row = noted
    for i in range(noted):
        if log[i, 0] == d and log[i, 1] == other and log[i, 2] == ball:
            at_row = i
            break
    if at_row == len(log):
        return noted
    entry = log[at_row]
    if at_row == noted:
        entry[:] = 0.0
        entry[0], entry[1], entry[2] = d, other, ball
        noted += 1
    for k in range(3):
        entry[10 + k] += sign * (c[con.PRESS] * c[con.NORMAL + k] + c[con.SLIP + k])
    if c[con.DEPTH] > entry[9] or entry[9] == 0.0:
        entry[9] = c[con.DEPTH]
        for k in range(3):
            entry[3 + k] = S[d, at.POS + k] + c[arm + k]
            entry[6 + k] = sign * c[con.NORMAL + k]
    return noted
