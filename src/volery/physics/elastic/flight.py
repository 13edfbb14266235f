"""The step of an aircraft in compiled code: MuJoCo's own functions, called by address, with our air between them.

Springs are in MuJoCo's model; each has an armature of k·dt²/4 there, which turns the symplectic step into the
trapezoidal rule for the springs: stable at any stiffness, without damping.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba as nb
import numpy as np

from volery.physics.elastic.aero import strip_loads
from volery.physics.elastic.inertia import add_apparent_mass, bias_accelerations
from volery.physics.elastic.propulsion import disc_thrust
from volery.physics.elastic.wake import advance_induced, wake_influence
from volery.world.native import call2

__all__ = ["Bodies", "Discs", "Functions", "Sections", "Surround", "rates", "run", "settle", "strip_places"]

_WILD = 1e6
"""Speeds beyond this [m/s, rad/s] are a motion that has blown up."""
_ROUNDS = 100
"""Of circulation and downwash until both agree to rounding."""


class Functions(NamedTuple):
    """Addresses of MuJoCo's functions, and of a model and its data."""

    position: int
    velocity: int
    factor: int
    acceleration: int
    constraint: int
    euler: int
    model: int
    data: int


class Bodies(NamedTuple):
    """MuJoCo's arrays of one aircraft, not copies."""

    xpos: np.ndarray
    xmat: np.ndarray
    xipos: np.ndarray
    cvel: np.ndarray
    com: np.ndarray
    root: np.ndarray
    parent: np.ndarray
    dof_start: np.ndarray
    dof_count: np.ndarray
    dof_parent: np.ndarray
    last_dof: np.ndarray
    cdof: np.ndarray
    cdof_dot: np.ndarray
    qvel: np.ndarray
    M: np.ndarray
    row: np.ndarray
    width: np.ndarray
    xfrc: np.ndarray
    qfrc: np.ndarray
    bias: np.ndarray
    """Room for accelerations from velocities, [b, 6]."""


class Sections(NamedTuple):
    """Strips as arrays; see strips.Strips. group [s]: which of the parts that fly by themselves each belongs to."""

    body: np.ndarray
    p_B: np.ndarray
    R_BS: np.ndarray
    half_chord: np.ndarray
    length: np.ndarray
    ends_B: np.ndarray
    profile: np.ndarray
    control: np.ndarray
    group: np.ndarray


class Surround(NamedTuple):
    """The air at the strips, and the wake that they leave in it."""

    wind: np.ndarray
    """[s, 3] in W [m/s]."""
    rho: np.ndarray
    """[s] [kg/m³]."""
    lag: np.ndarray
    """[s, 2] [m/s]."""
    induced: np.ndarray
    """[s] [m/s]."""
    circulation: np.ndarray
    """[s] [m²/s]."""
    influence: np.ndarray
    """[s, s] [1/m]."""
    flow: np.ndarray
    """[groups, 3]: where the air goes past each part, unit vectors in W."""
    group_body: np.ndarray
    """[groups]: first body of each part."""
    drag_area: float
    """Of the first part [m²]."""
    wakes: bool
    """Whether strips feel the wake."""


class Discs(NamedTuple):
    """Propellers, p of them."""

    body: np.ndarray
    p_B: np.ndarray
    area: np.ndarray
    most: np.ndarray
    """Power that reaches the air at full throttle [W]."""
    lag: np.ndarray
    """[s]."""
    throttle: np.ndarray
    """What they are told, 0 to 1."""
    state: np.ndarray
    """What they do, 0 to 1."""
    thrust: np.ndarray
    """[N]; written."""


@nb.njit(cache=True, nogil=True)
def strip_places(bodies, sections, out) -> None:  # noqa: ANN001
    """Middles of all strips in W [s, 3] [m]."""
    for s in range(len(sections.body)):
        k = sections.body[s]
        for i in range(3):
            out[s, i] = bodies.xpos[k, i]
            for j in range(3):
                out[s, i] += bodies.xmat[k, 3 * i + j] * sections.p_B[s, j]


@nb.njit(cache=True, nogil=True)
def _through_air(bodies, k, wind, out) -> float:  # noqa: ANN001
    """Velocity of a body's origin through the air in W, into out [3]; its size [m/s]."""
    c = bodies.root[k]
    size = 0.0
    for i in range(3):
        j, h = (i + 1) % 3, (i + 2) % 3
        r_j, r_h = bodies.xpos[k, j] - bodies.com[c, j], bodies.xpos[k, h] - bodies.com[c, h]
        out[i] = bodies.cvel[k, 3 + i] + bodies.cvel[k, j] * r_h - bodies.cvel[k, h] * r_j - wind[i]
        size += out[i] * out[i]
    return math.sqrt(size)


@nb.njit(cache=True, nogil=True)
def _mean_wind(wind, out) -> None:  # noqa: ANN001
    out[:] = 0.0
    for s in range(len(wind)):
        for i in range(3):
            out[i] += wind[s, i] / len(wind)


@nb.njit(cache=True, nogil=True)
def _aim_wake(bodies, sections, surround) -> float:  # noqa: ANN001
    """Lay the wakes along the flow of now; the speed of the first part through the air [m/s]."""
    wind, v = np.empty(3), np.empty(3)
    _mean_wind(surround.wind, wind)
    first = 0.0
    for g in range(len(surround.group_body)):
        speed = _through_air(bodies, surround.group_body[g], wind, v)
        first = speed if g == 0 else first
        for i in range(3):
            surround.flow[g, i] = -v[i] / speed if speed > 0.5 else 0.0
    wake_influence(
        sections.body, sections.p_B, sections.R_BS, sections.ends_B, sections.half_chord, sections.group,
        bodies.xpos, bodies.xmat, surround.flow, surround.influence,
    )  # fmt: skip
    return first


@nb.njit(cache=True, nogil=True)
def _follow_wake(sections, surround, travelled) -> None:  # noqa: ANN001
    advance_induced(
        surround.influence, surround.circulation, sections.half_chord, sections.profile, travelled, surround.induced
    )


@nb.njit(cache=True, nogil=True)
def _strips(bodies, sections, surround, flaps, dt) -> None:  # noqa: ANN001
    strip_loads(
        sections.body, sections.p_B, sections.R_BS, sections.half_chord, sections.length, sections.profile,
        sections.control, flaps, surround.wind, surround.rho, bodies.xpos, bodies.xmat, bodies.cvel, bodies.com,
        bodies.root, bodies.xipos, surround.lag, surround.induced, surround.circulation, dt, bodies.xfrc,
    )  # fmt: skip


@nb.njit(cache=True, nogil=True)
def _push(bodies, k, p, force) -> None:  # noqa: ANN001
    """A force [3] in W at a place [3]."""
    for i in range(3):
        j, h = (i + 1) % 3, (i + 2) % 3
        bodies.xfrc[k, i] += force[i]
        bodies.xfrc[k, 3 + i] += (p[j] - bodies.xipos[k, j]) * force[h] - (p[h] - bodies.xipos[k, h]) * force[j]


@nb.njit(cache=True, nogil=True)
def _drag_and_thrust(bodies, surround, discs, dt) -> None:  # noqa: ANN001
    wind, v, p, force = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    _mean_wind(surround.wind, wind)
    rho = surround.rho[0]
    k = surround.group_body[0]
    speed = _through_air(bodies, k, wind, v)
    if speed < _WILD:
        for i in range(3):
            force[i] = -0.5 * rho * surround.drag_area * speed * v[i]
        _push(bodies, k, bodies.xpos[k], force)
    for n in range(len(discs.body)):
        k = discs.body[n]
        share = -math.expm1(-dt / discs.lag[n]) if discs.lag[n] > 0.0 and dt > 0.0 else 1.0
        discs.state[n] += (discs.throttle[n] - discs.state[n]) * share
        speed = _through_air(bodies, k, wind, v)
        along = bodies.xmat[k, 0] * v[0] + bodies.xmat[k, 3] * v[1] + bodies.xmat[k, 6] * v[2]
        thrust = disc_thrust(discs.most[n] * discs.state[n], min(max(along, 0.0), 1e3), rho, discs.area[n])
        discs.thrust[n] = thrust
        for i in range(3):
            force[i] = thrust * bodies.xmat[k, 3 * i]
            p[i] = bodies.xpos[k, i]
            for j in range(3):
                p[i] += bodies.xmat[k, 3 * i + j] * discs.p_B[n, j]
        _push(bodies, k, p, force)


@nb.njit(cache=True, nogil=True)
def _carried_air(bodies, sections, surround) -> None:  # noqa: ANN001
    bias_accelerations(bodies.parent, bodies.dof_start, bodies.dof_count, bodies.cdof_dot, bodies.qvel, bodies.bias)
    add_apparent_mass(
        sections.body, sections.p_B, sections.R_BS, sections.half_chord, sections.length, surround.rho,
        bodies.last_dof, bodies.dof_parent, bodies.cdof, bodies.bias, bodies.xpos, bodies.xmat, bodies.cvel,
        bodies.com, bodies.root, bodies.row, bodies.width, bodies.M, bodies.qfrc,
    )  # fmt: skip


@nb.njit(cache=True, nogil=True)
def _clear(bodies, pushes) -> None:  # noqa: ANN001
    bodies.xfrc[:] = pushes
    bodies.qfrc[:] = 0.0


@nb.njit(cache=True, nogil=True)
def run(functions, bodies, sections, surround, discs, flaps, pushes, count, dt) -> bool:  # noqa: ANN001
    """`count` steps of dt [s]; whether the motion is sound. pushes [b, 6]: from outside, about centres of mass."""
    for n in range(count):
        call2(functions.position, functions.model, functions.data)
        call2(functions.velocity, functions.model, functions.data)
        _clear(bodies, pushes)
        if surround.wakes and n == 0:
            speed = _aim_wake(bodies, sections, surround)
            _follow_wake(sections, surround, speed * count * dt)
        _strips(bodies, sections, surround, flaps, dt)
        _drag_and_thrust(bodies, surround, discs, dt)
        _carried_air(bodies, sections, surround)
        call2(functions.factor, functions.model, functions.data)
        call2(functions.acceleration, functions.model, functions.data)
        call2(functions.constraint, functions.model, functions.data)
        call2(functions.euler, functions.model, functions.data)
        for i in range(len(bodies.qvel)):
            if not abs(bodies.qvel[i]) < _WILD:
                return False
    return True


@nb.njit(cache=True, nogil=True)
def settle(functions, bodies, sections, surround, discs, flaps, pushes) -> None:  # noqa: ANN001
    """Forces of a flight that has gone on like this for ever: wakes have settled; fills MuJoCo's qfrc_smooth and M."""
    call2(functions.position, functions.model, functions.data)
    call2(functions.velocity, functions.model, functions.data)
    if surround.wakes:
        _aim_wake(bodies, sections, surround)
        for _ in range(_ROUNDS):
            _clear(bodies, pushes)
            _strips(bodies, sections, surround, flaps, 0.0)
            _follow_wake(sections, surround, np.inf)
    _clear(bodies, pushes)
    _strips(bodies, sections, surround, flaps, 0.0)
    _drag_and_thrust(bodies, surround, discs, 0.0)
    _carried_air(bodies, sections, surround)
    call2(functions.factor, functions.model, functions.data)
    call2(functions.acceleration, functions.model, functions.data)


@nb.njit(cache=True, nogil=True)
def rates(functions, bodies, sections, surround, discs, flaps, pushes, dt, out) -> None:  # noqa: ANN001
    """How fast the lags change now, into out [s, 2] [m/s²]; MuJoCo's qacc_smooth is how fast velocities do."""
    call2(functions.position, functions.model, functions.data)
    call2(functions.velocity, functions.model, functions.data)
    _clear(bodies, pushes)
    before = surround.lag.copy()
    _strips(bodies, sections, surround, flaps, dt)
    for s in range(len(before)):
        for k in range(2):
            out[s, k] = (surround.lag[s, k] - before[s, k]) / dt
            surround.lag[s, k] = before[s, k]
    _drag_and_thrust(bodies, surround, discs, 0.0)
    _carried_air(bodies, sections, surround)
    call2(functions.factor, functions.model, functions.data)
    call2(functions.acceleration, functions.model, functions.data)
