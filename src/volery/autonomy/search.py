# ruff: noqa: ANN001, ANN201, ANN202 (numba infers the types of kernel arguments)
"""Ways through a grid of prices: A* with a heap of its own, straight pieces where they cost no more, and smoothing."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["pop", "push", "search", "smoothed", "straightened"]

_MOST = 400_000
"""Cells that are looked at before the best way so far is taken."""
_SOFT = 12
"""Times that a way is averaged with its neighbours at the end."""


@nb.njit(cache=True, nogil=True)
def push(heap, costs, n, cell, cost):
    """Put a cell on a heap of n; how many there are then."""
    at = n
    while at > 0:
        up = (at - 1) >> 1
        if costs[up] <= cost:
            break
        heap[at], costs[at] = heap[up], costs[up]
        at = up
    heap[at], costs[at] = cell, cost
    return n + 1


@nb.njit(cache=True, nogil=True)
def pop(heap, costs, n):
    """Take the cheapest cell off a heap of n, and how many are left."""
    first = heap[0]
    n -= 1
    cell, cost, at = heap[n], costs[n], 0
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        if child + 1 < n and costs[child + 1] < costs[child]:
            child += 1
        if costs[child] >= cost:
            break
        heap[at], costs[at] = heap[child], costs[child]
        at = child
    heap[at], costs[at] = cell, cost
    return first, n


@nb.njit(cache=True, nogil=True)
def search(price, clear, start, goal, greed):
    """Cells from a start to a goal, [n, 3], and whether it was reached; start, goal [3] in cells, the goal may lie
    outside: then the way ends at the edge, at the sides. What is not allowed may be left, where that leads away from
    what is near. greed: how much the distance that remains counts."""
    nx, ny, nz = price.shape
    total = nx * ny * nz
    known, parent = np.full(total, np.float32(1e30)), np.full(total, np.int32(-1))
    done = np.zeros(total, np.bool_)
    heap, costs, n = np.empty(4 * _MOST, np.int64), np.empty(4 * _MOST, np.float32), 0
    first = (np.int64(start[0]) * ny + np.int64(start[1])) * nz + np.int64(start[2])
    inside = 0 <= goal[0] < nx and 0 <= goal[1] < ny and 0 <= goal[2] < nz
    known[first] = 0.0
    n = push(heap, costs, n, first, np.float32(0.0))
    best, least, reached, looked = first, 1e30, False, 0
    while n > 0 and looked < _MOST and n < 4 * _MOST - 30:
        cell, n = pop(heap, costs, n)
        if done[cell]:
            continue
        done[cell] = True
        looked += 1
        i, j, k = cell // (ny * nz), (cell // nz) % ny, cell % nz
        rest = np.sqrt((goal[0] - i) ** 2 + (goal[1] - j) ** 2 + (goal[2] - k) ** 2)
        if rest < least:
            best, least = cell, rest
        if (inside and rest < 1.8) or (not inside and (i < 2 or j < 2 or i >= nx - 2 or j >= ny - 2)):
            best, reached = cell, True
            break
        here = np.int64(clear[i, j, k])
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    other = (a * ny + b) * nz + c
                    if done[other]:
                        continue
                    cost = price[a, b, c]
                    if cost == 0.0:
                        if price[i, j, k] != 0.0 or np.int64(clear[a, b, c]) < here:
                            continue
                        cost = np.float32(10.0)
                    length = np.sqrt(float((a - i) ** 2 + (b - j) ** 2 + (c - k) ** 2))
                    new = np.float32(known[cell] + length * cost)
                    if new < known[other]:
                        known[other], parent[other] = new, cell
                        far = np.sqrt((goal[0] - a) ** 2 + (goal[1] - b) ** 2 + (goal[2] - c) ** 2)
                        n = push(heap, costs, n, other, np.float32(new + greed * far))
    count, at = 1, best
    while parent[at] >= 0:
        at = parent[at]
        count += 1
    way, at = np.empty((count, 3)), best
    for row in range(count - 1, -1, -1):
        way[row, 0], way[row, 1], way[row, 2] = at // (ny * nz), (at // nz) % ny, at % nz
        at = parent[at]
    return way, reached


@nb.njit(cache=True, nogil=True)
def _cost(price, a, b):
    """Of a straight line between two places, in cells; infinite where it is not allowed."""
    d = b - a
    length = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    steps = max(int(np.ceil(2.0 * length)), 1)
    total = 0.0
    for s in range(steps):
        f = (s + 0.5) / steps
        cost = _at(price, a[0] + f * d[0], a[1] + f * d[1], a[2] + f * d[2])
        if cost == 0.0:
            return 1e30
        total += cost
    return total * length / steps


@nb.njit(cache=True, nogil=True, inline="always")
def _at(price, x, y, z):
    i, j, k = int(np.floor(x + 0.5)), int(np.floor(y + 0.5)), int(np.floor(z + 0.5))
    if not (0 <= i < price.shape[0] and 0 <= j < price.shape[1] and 0 <= k < price.shape[2]):
        return np.float32(0.0)
    return price[i, j, k]


@nb.njit(cache=True, nogil=True)
def straightened(price, way):
    """Leave out what a straight line makes no dearer."""
    n = len(way)
    sums = np.zeros(n)
    for i in range(1, n):
        piece = _cost(price, way[i - 1], way[i])
        sums[i] = sums[i - 1] + min(piece, 1e4)
    kept, count, at = np.empty(n, np.int64), 1, 0
    kept[0] = 0
    while at < n - 1:
        following = at + 1
        for j in range(n - 1, at + 1, -1):
            if _cost(price, way[at], way[j]) <= 1.05 * (sums[j] - sums[at]):
                following = j
                break
        at = following
        kept[count] = at
        count += 1
    return way[kept[:count]].copy()


@nb.njit(cache=True, nogil=True)
def smoothed(price, way, spacing, held):
    """The way in even steps [cells], its corners rounded where that costs little; the first `held` points stay."""
    line = _resampled(way, spacing)
    n = len(line)
    for _ in range(400):
        for i in range(max(held, 1), n - 1):
            old = _at(price, line[i, 0], line[i, 1], line[i, 2])
            moved = line[i] + 0.5 * (0.5 * (line[i - 1] + line[i + 1]) - line[i])
            new = _at(price, moved[0], moved[1], moved[2])
            if new > 0.0 and new <= max(1.15 * old, 1.4):
                line[i] = moved
    line = _resampled(line, spacing)
    # Kinks that prices forbid to round off are too sharp to fly: rounded in any case, as far as is allowed at all.
    for _ in range(_SOFT):
        last = line[1].copy()
        for i in range(2, len(line) - 1):
            here = line[i].copy()
            soft = 0.25 * last + 0.5 * here + 0.25 * line[i + 1]
            if _at(price, soft[0], soft[1], soft[2]) > 0.0 or _at(price, here[0], here[1], here[2]) == 0.0:
                line[i] = soft
            last = here
    return line


@nb.njit(cache=True, nogil=True)
def _resampled(way, spacing):
    n = len(way)
    sums = np.zeros(n)
    for i in range(1, n):
        d = way[i] - way[i - 1]
        sums[i] = sums[i - 1] + np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    count = max(int(np.ceil(sums[n - 1] / spacing)), 1) + 1
    out, at = np.empty((count, 3)), 0
    for i in range(count):
        s = sums[n - 1] * i / (count - 1)
        while at < n - 2 and sums[at + 1] < s:
            at += 1
        length = max(sums[at + 1] - sums[at], 1e-9) if n > 1 else 1.0
        f = min(max((s - sums[at]) / length, 0.0), 1.0)
        out[i] = way[at] + f * (way[min(at + 1, n - 1)] - way[at])
    return out
