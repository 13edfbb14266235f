# ruff: noqa: ANN001, ANN201, ANN202 (numba infers the types of kernel arguments)
"""What surrounds a sensor, as the mean and spread of the points in each cell of a grid, and how a sweep fits to it.

Registration is from points to distributions (NDT): each point is drawn to the mean of its cell, the harder the thinner
the cell is along that direction, so walls, ground and trunks hold and leaves hardly do.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.autonomy.hashing import cell_key, find, insert, new_table

__all__ = ["Surfels", "thinned"]

_LEAST = 5
"""Points of a cell that say something about its shape."""
_FLOOR = 0.03
"""No cell is taken to be thinner [m]: ranges are no better."""
_NEAR = np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
_FULL = 60
"""Points after which a cell learns slowly."""


class Surfels:
    """Cells within reach of the sensor; far ones are forgotten."""

    def __init__(self, cell: float, reach: float) -> None:
        """cell, reach: edge of a cell, and how far the sensor may be from what is kept [m]."""
        self.cell, self.reach = cell, reach
        self._clear(1 << 14)

    def _clear(self, capacity: int) -> None:
        self._keys, self._values = new_table(2 * capacity)
        self._sums = np.zeros((capacity, 10))
        """Of each cell: number of points, sums of p, sums of p pᵀ about the cell's corner."""
        self._places = np.zeros((capacity, 3), np.int64)
        self._mean = np.zeros((capacity, 3))
        self._weight = np.zeros((capacity, 6))
        """Inverse of the spread, of cells with enough points; else zeros."""
        self._count = np.zeros(1, np.int64)

    def add(self, p: np.ndarray) -> None:
        """Take points in, [n, 3] [m]."""
        if self._count[0] + len(p) > len(self._sums):
            self._grow(max(len(p), len(self._sums)))
        _add(
            p, self.cell, self._keys, self._values, self._sums, self._places, self._mean, self._weight, self._count
        )  # fmt: skip

    def forget(self, here: np.ndarray) -> None:
        """Let go of what is out of reach of a place [m]."""
        n = int(self._count[0])
        away = np.abs((self._places[:n] + 0.5) * self.cell - here).max(axis=1)
        if (away > 1.5 * self.reach).any():
            self._keep(np.flatnonzero(away <= self.reach), len(self._sums))

    def fit(
        self, p: np.ndarray, R: np.ndarray, t: np.ndarray, prior: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """The pose from which points [n, 3] are seen as they are here, near a guess; prior: what the guess weighs, of
        rotation and place [6] [1/rad², 1/m²]. Also the share of points that found their place."""
        return _fit(p, R, t, prior, self.cell, self._keys, self._values, self._mean, self._weight)

    def _grow(self, more: int) -> None:
        self._keep(np.arange(int(self._count[0])), 1 << int(np.ceil(np.log2(len(self._sums) + more))))

    def _keep(self, rows: np.ndarray, capacity: int) -> None:
        kept = [a[rows] for a in (self._sums, self._places, self._mean, self._weight)]
        self._clear(capacity)
        for array, old in zip((self._sums, self._places, self._mean, self._weight), kept, strict=True):
            array[: len(rows)] = old
        self._count[0] = len(rows)
        _number(self._places[: len(rows)], self._keys, self._values)


@nb.njit(cache=True, nogil=True)
def thinned(p, cell):
    """One point of each cell, the first that falls into it, [m, 3]."""
    capacity = 1
    while capacity < 2 * len(p) + 2:
        capacity *= 2
    keys, values = np.full(capacity, np.int64(-1)), np.zeros(capacity, np.int64)
    kept, n = np.empty_like(p), 0
    for i in range(len(p)):
        key = cell_key(np.floor(p[i, 0] / cell), np.floor(p[i, 1] / cell), np.floor(p[i, 2] / cell))
        if insert(keys, values, key, n) == n:
            kept[n] = p[i]
            n += 1
    return kept[:n].copy()


@nb.njit(cache=True, nogil=True)
def _number(places, keys, values) -> None:
    for i in range(len(places)):
        insert(keys, values, cell_key(places[i, 0], places[i, 1], places[i, 2]), i)


@nb.njit(cache=True, nogil=True)
def _add(p, cell, keys, values, sums, places, mean, weight, count) -> None:
    touched = np.zeros(len(p), np.int64)
    for i in range(len(p)):
        x, y, z = np.floor(p[i, 0] / cell), np.floor(p[i, 1] / cell), np.floor(p[i, 2] / cell)
        at = insert(keys, values, cell_key(x, y, z), count[0])
        if at == count[0]:
            count[0] += 1
            sums[at] = 0.0
            places[at, 0], places[at, 1], places[at, 2] = np.int64(x), np.int64(y), np.int64(z)
        a, b, c = p[i, 0] - x * cell, p[i, 1] - y * cell, p[i, 2] - z * cell
        s = sums[at]
        if s[0] >= _FULL:
            s *= (_FULL - 1.0) / _FULL
        s[0] += 1.0
        s[1] += a
        s[2] += b
        s[3] += c
        s[4] += a * a
        s[5] += a * b
        s[6] += a * c
        s[7] += b * b
        s[8] += b * c
        s[9] += c * c
        touched[i] = at
    for i in range(len(p)):
        _shape(touched[i], cell, sums, places, mean, weight)


@nb.njit(cache=True, nogil=True)
def _shape(at, cell, sums, places, mean, weight) -> None:
    """Mean and inverse spread of a cell."""
    s, n = sums[at], sums[at, 0]
    for k in range(3):
        mean[at, k] = places[at, k] * cell + s[1 + k] / n
    if n < _LEAST:
        weight[at] = 0.0
        return
    a, b, c = s[1] / n, s[2] / n, s[3] / n
    floor = _FLOOR * _FLOOR
    xx, xy, xz = s[4] / n - a * a + floor, s[5] / n - a * b, s[6] / n - a * c
    yy, yz, zz = s[7] / n - b * b + floor, s[8] / n - b * c, s[9] / n - c * c + floor
    A, B, C = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    f = 1.0 / max(xx * A + xy * B + xz * C, 1e-18)
    weight[at, 0], weight[at, 1], weight[at, 2] = A * f, B * f, C * f
    weight[at, 3], weight[at, 4] = (xx * zz - xz * xz) * f, (xy * xz - xx * yz) * f
    weight[at, 5] = (xx * yy - xy * xy) * f


@nb.njit(cache=True, nogil=True)
def _times(W, x, y, z):
    return W[0] * x + W[1] * y + W[2] * z, W[1] * x + W[3] * y + W[4] * z, W[2] * x + W[4] * y + W[5] * z


@nb.njit(cache=True, nogil=True)
def _nearest(x, y, z, cell, keys, values, mean, weight):
    """The cell whose points this one is likeliest of, of its own and the six beside it, or -1; and how unlikely."""
    i, j, k = np.floor(x / cell), np.floor(y / cell), np.floor(z / cell)
    best, least = np.int64(-1), 1e9
    for n in range(len(_NEAR)):
        at = find(keys, values, cell_key(i + _NEAR[n, 0], j + _NEAR[n, 1], k + _NEAR[n, 2]))
        if at < 0 or weight[at, 0] == 0.0:
            continue
        a, b, c = x - mean[at, 0], y - mean[at, 1], z - mean[at, 2]
        u, v, w = _times(weight[at], a, b, c)
        far = a * u + b * v + c * w
        if far < least:
            best, least = at, far
    return best, least


@nb.njit(cache=True, nogil=True)
def _fit(p, R, t, prior, cell, keys, values, mean, weight):
    """Gauss-Newton with a robust weight; the pose is turned and moved in the world's axes."""
    R, t, R0, t0 = R.copy(), t.copy(), R.copy(), t.copy()
    q, share = np.empty(3), 0.0
    for turn in range(20):
        H, g = np.zeros((6, 6)), np.zeros(6)
        found, limit = 0, 25.0 if turn < 4 else 9.0
        for i in range(len(p)):
            for k in range(3):
                q[k] = R[k, 0] * p[i, 0] + R[k, 1] * p[i, 1] + R[k, 2] * p[i, 2]
            at, far = _nearest(q[0] + t[0], q[1] + t[1], q[2] + t[2], cell, keys, values, mean, weight)
            if at < 0:
                continue
            found += 1
            robust = limit / (limit + far)
            _gather(q, q[0] + t[0] - mean[at, 0], q[1] + t[1] - mean[at, 1], q[2] + t[2] - mean[at, 2],
                    weight[at], robust * robust, H, g)  # fmt: skip
        share = found / max(len(p), 1)
        _hold(R, t, R0, t0, prior, H, g)
        step = _solved(H, g)
        R = _turned(R, step[:3])
        t += step[3:]
        if np.abs(step[:3]).max() < 1e-4 and np.abs(step[3:]).max() < 1e-3:
            break
    return R, t, share


@nb.njit(cache=True, nogil=True)
def _gather(q, a, b, c, W, robust, H, g) -> None:
    """Add what one point says: residual r = (a, b, c), derivative [-[q]ₓ, 1], weight W."""
    J = np.zeros((3, 6))
    J[0, 1], J[0, 2] = q[2], -q[1]
    J[1, 0], J[1, 2] = -q[2], q[0]
    J[2, 0], J[2, 1] = q[1], -q[0]
    J[0, 3] = J[1, 4] = J[2, 5] = 1.0
    u, v, w = _times(W, a, b, c)
    for i in range(6):
        x, y, z = _times(W, J[0, i], J[1, i], J[2, i])
        g[i] += robust * (J[0, i] * u + J[1, i] * v + J[2, i] * w)
        for j in range(i, 6):
            H[i, j] += robust * (x * J[0, j] + y * J[1, j] + z * J[2, j])


@nb.njit(cache=True, nogil=True)
def _hold(R, t, R0, t0, prior, H, g) -> None:
    """Add what the guess says, and mirror the upper half."""
    away = np.zeros(3)
    for k in range(3):
        # Vee of R R0ᵀ − 1, for small angles
        i, j = (k + 1) % 3, (k + 2) % 3
        for m in range(3):
            away[k] += 0.5 * (R[j, m] * R0[i, m] - R[i, m] * R0[j, m])
    for k in range(3):
        H[k, k] += prior[k]
        g[k] += prior[k] * away[k]
        H[3 + k, 3 + k] += prior[3 + k]
        g[3 + k] += prior[3 + k] * (t[k] - t0[k])
    for i in range(6):
        for j in range(i):
            H[i, j] = H[j, i]


@nb.njit(cache=True, nogil=True)
def _solved(H, g):
    """−H⁻¹ g by Cholesky; H [6, 6] is positive."""
    L, x = np.zeros((6, 6)), -g
    for i in range(6):
        for j in range(i + 1):
            s = H[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(max(s, 1e-12)) if i == j else s / L[j, j]
    for i in range(6):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]
    return x


@nb.njit(cache=True, nogil=True)
def _turned(R, w):
    """exp([w]ₓ) R."""
    angle = np.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if angle < 1e-12:
        return R
    x, y, z = w[0] / angle, w[1] / angle, w[2] / angle
    s, c = np.sin(angle), 1.0 - np.cos(angle)
    E = np.empty((3, 3))
    E[0, 0], E[0, 1], E[0, 2] = 1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y
    E[1, 0], E[1, 1], E[1, 2] = c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x
    E[2, 0], E[2, 1], E[2, 2] = c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y)
    out = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            out[i, j] = E[i, 0] * R[0, j] + E[i, 1] * R[1, j] + E[i, 2] * R[2, j]
    return out
