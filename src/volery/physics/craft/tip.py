# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A tool's tip against the streamed world: laws of contact with a choice, and friction that holds before it slides."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact import layout as world
from volery.physics.contact.collide import collide, triangles_of
from volery.physics.craft import layout as at
from volery.robots.tool import LAWS, Tool
from volery.world.native import as_f8, as_i8, keep

__all__ = ["feel", "press", "tool_row"]

HUNT_CROSSLEY, SPRING_DAMPER, VIRTUAL_MASS = range(3)


def tool_row(tool: Tool) -> np.ndarray:
    """Constants of a tool, [TOOL]."""
    return np.array([
        tool.radius, tool.stiffness, tool.exponent, tool.loss, tool.damping, tool.mass, tool.shear,
        tool.shear_damping, tool.friction, tool.stiction, LAWS.index(tool.law),
    ])  # fmt: skip


@nb.njit(cache=True, nogil=True)
def feel(address, p_W, radius, found) -> float:
    """Where a ball is deepest in the world: normal, depth and row into found [FELT]; the surface's friction.

    address: of a ContactWorld; p_W [3], radius [m]. In a corner the normal is the mean of its sides', by their depths:
    that of the deepest alone would jump to and fro.
    """
    scratch = np.empty(world.SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    out = nb.carray(as_f8(base + 8 * world.S_CONTACTS), (world.KEPT, world.CONTACT))
    size = np.full(3, radius)
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    n = collide(nb.uint64(address), base, nb.int64(world.SPHERE), size, nb.uint64(0), p_W, R, size, 0.0)
    found[at.F_DEPTH], found[at.F_ROW] = 0.0, -1.0
    found[at.F_NORMAL : at.F_NORMAL + 3] = 0.0
    slip = 0.0
    for k in range(n):
        for i in range(3):
            found[at.F_NORMAL + i] += max(-out[k, 0], 0.0) * out[k, 4 + i]
        if -out[k, 0] > found[at.F_DEPTH]:
            triangle = nb.int64(out[k, 7])
            found[at.F_DEPTH] = -out[k, 0]
            found[at.F_ROW] = as_i8(base + 8 * world.S_TAGS)[world.TAGS * triangle]
            slip = triangles_of(base)[triangle, world.T_FRICTION]
    keep(scratch)
    _unit(found)
    return slip


@nb.njit(cache=True, nogil=True)
def _unit(found) -> None:
    """Make the normal of what was found as long as 1; opposite sides leave none, and nothing is felt."""
    normal = found[at.F_NORMAL : at.F_NORMAL + 3]
    long = math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    if long < 1e-9 * found[at.F_DEPTH] or long == 0.0:
        found[at.F_DEPTH], found[at.F_ROW] = 0.0, -1.0
    else:
        normal /= long


@nb.njit(cache=True, nogil=True)
def press(address, tool, tip, p_W, v_W, dt, felt) -> None:
    """What the world does to a tip at p_W [m] with v_W [m/s] for the next dt [s], into felt [FELT].

    tool [TOOL]: constants; tip [TIP]: memory.
    """
    felt[:] = 0.0
    if tool[at.T_LAW] == VIRTUAL_MASS:
        _held_mass(address, tool, tip, p_W, v_W, dt, felt)
    else:
        slip = feel(address, p_W, tool[at.T_RADIUS], felt)
        _compliant(tool, tip, p_W, v_W, slip, felt)
    tip[at.S_TOUCH] = 1.0 if felt[at.F_ROW] >= 0.0 else 0.0
    if felt[at.F_ROW] < 0.0:
        tip[at.S_STUCK] = 0.0
    for i in range(3):
        felt[at.F_AT + i] = p_W[i] - felt[at.F_NORMAL + i] * tool[at.T_RADIUS]


@nb.njit(cache=True, nogil=True)
def _compliant(tool, tip, p_W, v_W, slip, felt) -> None:
    """Hunt and Crossley's law, or a spring with a damper."""
    depth, normal = felt[at.F_DEPTH], felt[at.F_NORMAL : at.F_NORMAL + 3]
    if felt[at.F_ROW] < 0.0:
        return
    rate = -(v_W[0] * normal[0] + v_W[1] * normal[1] + v_W[2] * normal[2])
    if tool[at.T_LAW] == HUNT_CROSSLEY:
        load = tool[at.T_K] * depth ** tool[at.T_N] * (1.0 + 1.5 * tool[at.T_LOSS] * rate)
    else:
        load = tool[at.T_K] * depth + tool[at.T_C] * rate
    load = max(load, 0.0)
    if tip[at.S_TOUCH] == 0.0:
        tip[at.S_STUCK] = 1.0
        tip[at.S_ANCHOR : at.S_ANCHOR + 3] = p_W
    hold = np.empty(3)
    _bristle(tool, tip, p_W, v_W, normal, slip * load, hold)
    for i in range(3):
        felt[at.F_FORCE + i] = load * normal[i] + hold[i]


@nb.njit(cache=True, nogil=True)
def _bristle(tool, tip, p_W, v_W, normal, load, hold) -> None:
    """Friction: a spring to where the tip first stood, which is dragged along when it is bent by more than it bears."""
    bend, slide = p_W - tip[at.S_ANCHOR : at.S_ANCHOR + 3], v_W.copy()
    off = bend[0] * normal[0] + bend[1] * normal[1] + bend[2] * normal[2]
    out = slide[0] * normal[0] + slide[1] * normal[1] + slide[2] * normal[2]
    square = 0.0
    for i in range(3):
        hold[i] = -tool[at.T_SHEAR] * (bend[i] - off * normal[i])
        hold[i] -= tool[at.T_SHEAR_C] * (slide[i] - out * normal[i])
        square += hold[i] * hold[i]
    most = load * (tool[at.T_STICK] if tip[at.S_STUCK] == 1.0 else tool[at.T_SLIDE])
    if square <= most * most:
        tip[at.S_STUCK] = 1.0
        return
    tip[at.S_STUCK] = 0.0
    scale = load * tool[at.T_SLIDE] / math.sqrt(square)
    for i in range(3):
        hold[i] *= scale
        tip[at.S_ANCHOR + i] = p_W[i] + hold[i] / tool[at.T_SHEAR]


@nb.njit(cache=True, nogil=True)
def _held_mass(address, tool, tip, p_W, v_W, dt, felt) -> None:
    """The paper's sensor: a small mass is drawn to the tip and held back by the surface; it draws the tip as much."""
    k, c, m = tool[at.T_K], tool[at.T_C], tool[at.T_MASS]
    x, v = tip[at.S_X : at.S_X + 3], tip[at.S_V : at.S_V + 3]
    reach = 0.0
    for i in range(3):
        reach += (x[i] - p_W[i]) ** 2
    if reach > 1.0:
        # The robot was put elsewhere
        x[:] = p_W
        v[:] = v_W
    new = np.empty(3)
    for i in range(3):
        v[i] = (m * v[i] + dt * (k * (p_W[i] - x[i]) + c * v_W[i])) / (m + dt * c + dt * dt * k)
        new[i] = x[i] + dt * v[i]
    slip = feel(address, new, tool[at.T_RADIUS], felt)
    if felt[at.F_ROW] >= 0.0 and _hold(tool, tip, p_W, v_W, slip, new, felt):
        v[:] = 0.0
    else:
        felt[at.F_ROW] = -1.0
        for i in range(3):
            felt[at.F_FORCE + i] = k * (new[i] - p_W[i]) + c * (v[i] - v_W[i])
    x[:] = new


@nb.njit(cache=True, nogil=True)
def _hold(tool, tip, p_W, v_W, slip, new, felt) -> bool:
    """Keep the mass on the surface: where it was, if friction can; else it slides after the tip. Whether it is held."""
    k, c = tool[at.T_K], tool[at.T_C]
    normal, x = felt[at.F_NORMAL : at.F_NORMAL + 3], tip[at.S_X : at.S_X + 3]
    off = load = 0.0
    for i in range(3):
        new[i] += felt[at.F_DEPTH] * normal[i]
    for i in range(3):
        off += (new[i] - x[i]) * normal[i]
        load -= (k * (p_W[i] - new[i]) + c * v_W[i]) * normal[i]
    if load <= 0.0:
        return False
    drawn, square, across = np.empty(3), 0.0, 0.0
    for i in range(3):
        if tip[at.S_TOUCH] == 1.0:
            new[i] = x[i] + off * normal[i]
        # Along the surface a light arm with all of the damping would shake
        drawn[i] = k * (p_W[i] - new[i]) + tool[at.T_SHEAR_C] * v_W[i]
        across += drawn[i] * normal[i]
    for i in range(3):
        drawn[i] -= across * normal[i]
        square += drawn[i] * drawn[i]
    held = tip[at.S_STUCK] == 1.0 or tip[at.S_TOUCH] == 0.0
    most = slip * load * (tool[at.T_STICK] if held else tool[at.T_SLIDE])
    tip[at.S_STUCK], part = 1.0, 1.0
    if square > most * most:
        tip[at.S_STUCK], part = 0.0, slip * load * tool[at.T_SLIDE] / math.sqrt(square)
    for i in range(3):
        new[i] += (1.0 - part) * drawn[i] / k
        felt[at.F_FORCE + i] = load * normal[i] - part * drawn[i]
    felt[at.F_DEPTH] = load / k
    return True
