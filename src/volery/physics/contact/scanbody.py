# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A rigid body against patches of a scanned surface: pressure, friction that holds, and short implicit steps."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact.scanpatch import cut

__all__ = ["advance_body", "pieces_of", "push"]

_SETTLE = 5e-3
"""Time constant of the damping along the surface while friction holds [s]."""
_LEVEL = 0.02
"""A surface that stands so upright on the robot's skin (cosine) does not tell by it which side of it is solid."""


@nb.njit(cache=True, nogil=True)
def pieces_of(voxels, corners, normals, shares, R, p_WB, com, whole) -> np.ndarray:
    """What the patches (in W) cut off the robot, [n, 8]: volume, area, place from the centre of mass, normal, in W."""
    out = np.empty((4096, 8))
    local = np.empty((4, 3))
    n, i = nb.int64(0), 0
    while i < len(corners):
        for c in range(4):
            d = corners[i, c] - p_WB
            for k in range(3):
                local[c, k] = R[0, k] * d[0] + R[1, k] * d[1] + R[2, k] * d[2]
        end = cut(voxels, local, whole, out, n)
        if end == len(out):
            more = np.empty((2 * len(out), 8))
            more[:n] = out[:n]
            out = more
            continue
        for row in out[n:end]:
            _turn(row, R, com, normals[i], shares[i])
        n = end
        i += 1
    return out[:n]


@nb.njit(cache=True, nogil=True)
def _turn(row, R, com, normal, share) -> None:
    """A piece from the robot's frame into W, its normal to where the robot is deeper, or else to the robot's centre."""
    x, y, z = row[2] - com[0], row[3] - com[1], row[4] - com[2]
    a, b, c = row[5], row[6], row[7]
    up = centre = 0.0
    for k in range(3):
        row[2 + k] = R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        centre -= normal[k] * row[2 + k]
        up += normal[k] * (R[k, 0] * a + R[k, 1] * b + R[k, 2] * c)
    row[0] *= share
    row[1] *= share
    sign = 1.0 if (up if abs(up) > _LEVEL else centre) > 0.0 else -1.0
    for k in range(3):
        row[5 + k] = sign * normal[k]


@nb.njit(cache=True, nogil=True)
def _moved(field, r, out) -> None:
    """A rigid displacement or velocity (shift, turn) at a place r."""
    out[0] = field[0] + field[4] * r[2] - field[5] * r[1]
    out[1] = field[1] + field[5] * r[0] - field[3] * r[2]
    out[2] = field[2] + field[3] * r[1] - field[4] * r[0]


@nb.njit(cache=True, nogil=True)
def _add_force(f, r, wrench) -> None:
    for k in range(3):
        wrench[k] += f[k]
    wrench[3] += r[1] * f[2] - r[2] * f[1]
    wrench[4] += r[2] * f[0] - r[0] * f[2]
    wrench[5] += r[0] * f[1] - r[1] * f[0]


@nb.njit(cache=True, nogil=True)
def _add_matrix(n, r, along, across, M) -> None:
    """Add Jᵀ(along·n nᵀ + across·(1 - n nᵀ))J, J = [1, -r×]: a spring or damper at r, in the body's six coordinates."""
    # n as a direction of the six coordinates: (n, r × n).
    a, b, c = r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]
    line = (n[0], n[1], n[2], a, b, c)
    part = along - across
    for i in range(6):
        for j in range(6):
            M[i, j] += part * line[i] * line[j]
    if across == 0.0:
        return
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    for i in range(3):
        M[i, i] += across
        M[3 + i, 3 + i] += across * square
        for j in range(3):
            M[3 + i, 3 + j] -= across * r[i] * r[j]
        k, m = (i + 1) % 3, (i + 2) % 3
        M[i, 3 + k] += across * r[m]
        M[i, 3 + m] -= across * r[k]
        M[3 + k, i] += across * r[m]
        M[3 + m, i] -= across * r[k]


@nb.njit(cache=True, nogil=True)
def push(pieces, twist, held, stiffness, damping, friction, grip, ahead, dt, wrench, K, D) -> None:
    """Add force and torque of all pieces about the centre of mass [6], and their derivatives by place and velocity.

    Friction goes by the pressure after dt [s] at the twist `ahead`: in an impact that is far less than now."""
    v, z, f = np.empty(3), np.empty(3), np.empty(3)
    for row in pieces:
        r, n = row[2:5], row[5:8]
        _moved(ahead, r, v)
        later = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
        hold = friction * stiffness * max(0.0, row[0] - dt * row[1] * later) * max(0.0, 1.0 - damping * later)
        _moved(twist, r, v)
        _moved(held, r, z)
        vn, zn = v[0] * n[0] + v[1] * n[1] + v[2] * n[2], z[0] * n[0] + z[1] * n[1] + z[2] * n[2]
        press = stiffness * row[0] * max(0.0, 1.0 - damping * vn)
        for k in range(3):
            f[k] = -(z[k] - zn * n[k] + _SETTLE * (v[k] - vn * n[k])) / grip
        part = np.sqrt(f[0] ** 2 + f[1] ** 2 + f[2] ** 2)
        holds = hold / grip if part < 1.0 else 0.0
        for k in range(3):
            f[k] = press * n[k] + hold * f[k] / max(part, 1.0)
        _add_force(f, r, wrench)
        spring, damper = (stiffness * row[1], stiffness * row[0] * damping) if press > 0.0 else (0.0, 0.0)
        _add_matrix(n, r, spring, holds, K)
        _add_matrix(n, r, damper, holds * _SETTLE, D)


@nb.njit(cache=True, nogil=True)
def _slip(pieces, held, grip) -> None:
    """Where the robot was pushed further than friction holds, it slipped: the rigid displacement that fits the rest
    best, each piece counting by its force."""
    A, b, z = np.zeros((6, 6)), np.zeros(6), np.empty(3)
    slipped = False
    for row in pieces:
        r, n = row[2:5], row[5:8]
        _moved(held, r, z)
        z -= (z[0] * n[0] + z[1] * n[1] + z[2] * n[2]) * n
        length = np.sqrt(z[0] ** 2 + z[1] ** 2 + z[2] ** 2)
        _add_matrix(n, r, 0.0, row[0], A)
        if length > grip:
            slipped = True
            _add_force(row[0] * (grip / length - 1.0) * z, r, b)
    if slipped:
        # What no piece tells of stays as it is.
        least = 1e-9 * (A[0, 0] + A[1, 1] + A[2, 2])
        for k in range(6):
            A[k, k] += least
        solve(A, b)
        held += b


@nb.njit(cache=True, nogil=True)
def solve(A, b) -> None:
    """b becomes A⁻¹b, for a symmetric positive A, which is spoilt (Gauss)."""
    n = len(b)
    for i in range(n):
        for j in range(i + 1, n):
            part = A[j, i] / A[i, i]
            for k in range(i, n):
                A[j, k] -= part * A[i, k]
            b[j] -= part * b[i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= A[i, k] * b[k]
        b[i] /= A[i, i]


@nb.njit(cache=True, nogil=True)
def _matrix(q, R) -> None:
    w, x, y, z = q[0], q[1], q[2], q[3]
    R[0, 0], R[0, 1], R[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@nb.njit(cache=True, nogil=True)
def _turn_by(q, wx, wy, wz, dt) -> None:
    """Turn an attitude by an angular velocity in W over dt."""
    angle = np.sqrt(wx * wx + wy * wy + wz * wz) * dt
    s = 0.5 * dt if angle < 1e-9 else np.sin(0.5 * angle) * dt / angle
    a, b, c, d = np.cos(0.5 * angle), s * wx, s * wy, s * wz
    w, x, y, z = q[0], q[1], q[2], q[3]
    q[0], q[1] = a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y
    q[2], q[3] = a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w
    q /= np.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)


@nb.njit(cache=True, nogil=True)
def _inertia(R, inertia_B, A) -> None:
    for i in range(3):
        for j in range(3):
            A[i, j] = 0.0
            for k in range(3):
                for m in range(3):
                    A[i, j] += R[i, k] * inertia_B[k, m] * R[j, m]


@nb.njit(cache=True, nogil=True)
def _change(
    pieces, twist, held, mass, J, gravity, stiffness, damping, friction, grip, ahead, dt, wrench
) -> np.ndarray:  # fmt: skip
    """Change of the twist over dt by one implicit Euler step; wrench becomes the mean force and torque of contact."""
    K, D, A = np.zeros((6, 6)), np.zeros((6, 6)), np.zeros((6, 6))
    push(pieces, twist, held, stiffness, damping, friction, grip, ahead, dt, wrench, K, D)
    w = twist[3:]
    spin = J[:, 0] * w[0] + J[:, 1] * w[1] + J[:, 2] * w[2]
    b = wrench.copy()
    b[2] -= mass * gravity
    b[3] -= w[1] * spin[2] - w[2] * spin[1]
    b[4] -= w[2] * spin[0] - w[0] * spin[2]
    b[5] -= w[0] * spin[1] - w[1] * spin[0]
    for i in range(6):
        for j in range(6):
            b[i] -= dt * K[i, j] * twist[j]
            A[i, j] = dt * D[i, j] + dt * dt * K[i, j]
    for i in range(3):
        A[i, i] += mass
        for j in range(3):
            A[3 + i, 3 + j] += J[i, j]
    b *= dt
    solve(A, b)
    for i in range(6):
        for j in range(6):
            wrench[i] -= dt * K[i, j] * (twist[j] + b[j]) + D[i, j] * b[j]
    return b


@nb.njit(cache=True, nogil=True)
def advance_body(
    voxels, corners, normals, shares, state, held, mass, inertia_B, com, gravity, stiffness, damping, friction, grip,
    dt, count, whole, mean,
) -> None:  # fmt: skip
    """Move a body by `count` implicit Euler steps of dt [s]. state [13]: centre of mass, attitude, velocity, angular
    velocity, in W; held [6]: see `ScanContact`; whole [1]: volume of contact; mean [6]: of its force and torque."""
    R, J, twist = np.empty((3, 3)), np.empty((3, 3)), state[7:13]
    least = mass * gravity / stiffness
    for _ in range(count):
        _matrix(state[3:7], R)
        _inertia(R, inertia_B, J)
        place = state[:3] - (R[:, 0] * com[0] + R[:, 1] * com[1] + R[:, 2] * com[2])
        pieces = pieces_of(voxels, corners, normals, shares, R, place, com, whole[0])
        whole[0] = max(pieces[:, 0].sum(), least)
        wrench = np.zeros(6)
        # First without friction, to know how hard the surface will press.
        ahead = twist + _change(pieces, twist, held, mass, J, gravity, stiffness, damping, 0.0, grip, twist, dt, wrench)
        wrench[:] = 0.0
        change = _change(pieces, twist, held, mass, J, gravity, stiffness, damping, friction, grip, ahead, dt, wrench)
        twist += change
        mean += wrench / count
        state[:3] += dt * state[7:10]
        _turn_by(state[3:7], state[10], state[11], state[12], dt)
        if len(pieces) == 0:
            held[:] = 0.0
        else:
            held += dt * twist
            _slip(pieces, held, grip)
