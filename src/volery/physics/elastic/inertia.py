"""The air that a wing carries along: apparent mass, added to MuJoCo's mass matrix so that light wings stay stable.

A strip of half chord b has the apparent mass πρb² per metre square to its chord at mid-chord, and πρb⁴/8 about the
span; along the chord it has none, so no body's mass can stand for it.
"""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["add_apparent_mass", "bias_accelerations"]


@nb.njit(cache=True, nogil=True)
def bias_accelerations(
    parent: np.ndarray, dof_start: np.ndarray, dof_count: np.ndarray, cdof_dot: np.ndarray, qvel: np.ndarray,
    out: np.ndarray,
) -> None:  # fmt: skip
    """Spatial accelerations of all bodies that come from velocities alone, as MuJoCo's cacc without gravity, [b, 6]."""
    out[0] = 0.0
    for b in range(1, len(parent)):
        for i in range(6):
            out[b, i] = out[parent[b], i]
        for d in range(dof_start[b], dof_start[b] + dof_count[b]):
            for i in range(6):
                out[b, i] += cdof_dot[d, i] * qvel[d]


@nb.njit(cache=True, nogil=True)
def add_apparent_mass(
    body: np.ndarray, p_B: np.ndarray, R_BS: np.ndarray, half_chord: np.ndarray, length: np.ndarray, rho: np.ndarray,
    last_dof: np.ndarray, dof_parent: np.ndarray, cdof: np.ndarray, bias: np.ndarray, xpos: np.ndarray,
    xmat: np.ndarray, cvel: np.ndarray, com: np.ndarray, root: np.ndarray, row: np.ndarray, width: np.ndarray,
    M: np.ndarray, force: np.ndarray,
) -> None:  # fmt: skip
    """Add the strips' apparent mass to M (rows of MuJoCo's sparse lower triangle), and what it does by velocities alone
    to force [dofs]. last_dof [bodies]: the last degree of freedom that moves a body, -1: none."""
    path, heave, pitch = np.empty(len(cdof), np.int64), np.empty(len(cdof)), np.empty(len(cdof))
    n, r, v, a, span, up = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for s in range(len(body)):
        k = body[s]
        c = root[k]
        for i in range(3):
            p = xpos[k, i]
            n[i] = span[i] = 0.0
            for j in range(3):
                p += xmat[k, 3 * i + j] * p_B[s, j]
                n[i] += xmat[k, 3 * i + j] * R_BS[s, j, 2]
                span[i] += xmat[k, 3 * i + j] * R_BS[s, j, 1]
            r[i] = p - com[c, i]
        for i in range(3):
            j, h = (i + 1) % 3, (i + 2) % 3
            up[i] = r[j] * n[h] - r[h] * n[j]
            v[i] = cvel[k, 3 + i] + cvel[k, j] * r[h] - cvel[k, h] * r[j]
            a[i] = bias[k, 3 + i] + bias[k, j] * r[h] - bias[k, h] * r[j]
        lifted = turned = 0.0
        for i in range(3):
            j, h = (i + 1) % 3, (i + 2) % 3
            lifted += n[i] * (a[i] + cvel[k, j] * v[h] - cvel[k, h] * v[j])
            turned -= span[i] * bias[k, i]
        mass = np.pi * rho[s] * half_chord[s] ** 2 * length[s]
        about = mass * half_chord[s] ** 2 / 8.0
        count = 0
        d = last_dof[k]
        while d >= 0:
            path[count] = d
            heave[count] = (
                n[0] * cdof[d, 3] + n[1] * cdof[d, 4] + n[2] * cdof[d, 5]
                + up[0] * cdof[d, 0] + up[1] * cdof[d, 1] + up[2] * cdof[d, 2]
            )  # fmt: skip
            pitch[count] = -(span[0] * cdof[d, 0] + span[1] * cdof[d, 1] + span[2] * cdof[d, 2])
            count += 1
            d = dof_parent[d]
        for i in range(count):
            d = path[i]
            force[d] -= mass * heave[i] * lifted + about * pitch[i] * turned
            # A row holds all that moves the body's forebears, in order; from its end backwards it is this path.
            end = row[d] + width[d] - 1
            for j in range(min(count - i, width[d])):
                M[end - j] += mass * heave[i] * heave[i + j] + about * pitch[i] * pitch[i + j]
