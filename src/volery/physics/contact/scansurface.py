# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""The surface that a box scan saw: patches between neighbouring rays, and the edges between them.

Rays of a box scan are parallel and stand on one grid, so the hits along an axis are a map of heights. Four neighbours
make a patch; flat patches are taken together. Three things are done so that no piece of surface counts twice, or not
at all:

- A slanted surface is seen along two or three axes. Each view counts by the square of the normal's share along its
  axis, less a fifth, over the sum of these: together always one, and views so steep that they look like a jump count
  nothing.
- A surface that crosses the plane where rays start is seen by the rays of both senses; patches there take from both.
- At a jump or crease (the edge of a stair) the surface goes on to where it meets what the other axis' rays saw, as the
  riser, or what lies on the other side: edges are where they are, not at the next ray. Where nothing was seen a surface
  goes on by half the distance of the rays.

What remains: of edges oblique to the rays the steps between rows are left out, of corners the last square.
"""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["heights_of", "surface_of"]

_STEEP = 2.0
"""Height over distance of neighbours, from which on they are not of one surface."""
_CUT = 1.0 / (1.0 + _STEEP**2)
_BENT = 0.1
"""Neighbours that are off the line of those before by this part of the distance of the rays are beyond a crease."""
_FLAT = 1e-3
"""Patches are taken together if no ray is off their plane by this part of the distance of the rays."""
_BLOCK = 10


def heights_of(points: np.ndarray, occupancy: np.ndarray, X_WS: np.ndarray) -> np.ndarray:
    """Where the rays of a box scan ended along their axis, in the scanner's frame, [axis, ±, n, n] [m]; NaN: free.

    points in W, occupancy, in the scanner's order (x_pos, x_neg, y_pos …, n² rays each); X_WS [3, 4]: its pose then."""
    n = round((len(points) / 6) ** 0.5)
    local = (np.asarray(points, float) - X_WS[:, 3]) @ X_WS[:, :3]
    local = np.where((np.asarray(occupancy) == 1)[:, None], local, np.nan).reshape(3, 2, n, n, 3)
    return np.stack([local[axis, ..., axis] for axis in range(3)])


@nb.njit(cache=True, nogil=True)
def _share(axis, gb, gc, normal) -> float:
    """The normal of a surface with slopes gb, gc over its axis' grid, and how much this view of it counts."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    length = np.sqrt(1.0 + gb * gb + gc * gc)
    normal[axis], normal[b], normal[c] = 1.0 / length, -gb / length, -gc / length
    total = 0.0
    for k in range(3):
        total += max(0.0, normal[k] ** 2 - _CUT)
    return max(0.0, normal[axis] ** 2 - _CUT) / total


@nb.njit(cache=True, nogil=True)
def _emit(patches, count, axis, b, c, v, h) -> int:
    """Write a patch, corners (b[k], c[k]) of heights v[k] over the axis' grid: 12 for corners, 3 normal, 1 share."""
    wb, wc = b[1] - b[0], c[3] - c[0]
    if wb == 0.0:
        wb, wc = b[3] - b[0], c[1] - c[0]
        gb, gc = (v[3] - v[0] + v[2] - v[1]) / (2 * wb), (v[1] - v[0] + v[2] - v[3]) / (2 * wc)
    else:
        gb, gc = (v[1] - v[0] + v[2] - v[3]) / (2 * wb), (v[3] - v[0] + v[2] - v[1]) / (2 * wc)
    twist = abs(v[0] + v[2] - v[1] - v[3])
    if not twist <= 0.5 * h or max(abs(gb), abs(gc)) > _STEEP:
        return count
    row = patches[count]
    row[15] = _share(axis, gb, gc, row[12:15])
    for k in range(4):
        row[3 * k + axis], row[3 * k + (axis + 1) % 3], row[3 * k + (axis + 2) % 3] = v[k], b[k], c[k]
    return count + (row[15] > 0.0)


@nb.njit(cache=True, nogil=True)
def _at(H, axis, other, k, j) -> float:
    """Height along an axis of the ray at index k along another axis and j along the third."""
    return H[k, j] if (axis + 1) % 3 == other else H[j, k]


@nb.njit(cache=True, nogil=True)
def _crease(H, axis, across, i, j, side, h) -> bool:
    """Whether the surface bends between ray i and the next one: that is in line with neither side."""
    if not 0 <= i + 2 * side < len(H):
        return False
    v, back = _at(H, axis, across, i, j), _at(H, axis, across, i - side, j)
    ahead, far = _at(H, axis, across, i + side, j), _at(H, axis, across, i + 2 * side, j)
    step = ahead - v
    return abs(step - v + back) > _BENT * h and abs(far - ahead - step) > _BENT * h


@nb.njit(cache=True, nogil=True)
def _square(H, patches, count, axis, i, j, grid, h) -> int:
    """The patch between four rays, unless a crease goes through it."""
    k, m = i + 1, j + 1
    b, c = (axis + 1) % 3, (axis + 2) % 3
    bent = i > 0 and _crease(H, axis, b, i, j, 1, h) and _crease(H, axis, b, i, m, 1, h)
    if bent or (j > 0 and _crease(H, axis, c, j, i, 1, h) and _crease(H, axis, c, j, k, 1, h)):
        return count
    b = np.array([grid[i], grid[k], grid[k], grid[i]])
    c = np.array([grid[j], grid[j], grid[m], grid[m]])
    return _emit(patches, count, axis, b, c, np.array([H[i, j], H[k, j], H[k, m], H[i, m]]), h)


@nb.njit(cache=True, nogil=True)
def _flat(H, patches, count, axis, i, j, step, grid, h) -> int:
    """The patch of a block of rays that see one plane, the one that fits all of them best: readings are rounded. Where
    they do not see one plane the count stays below 0."""
    mean = slope_b = slope_c = square = 0.0
    for x in range(step + 1):
        for y in range(step + 1):
            b, c = x - 0.5 * step, y - 0.5 * step
            mean += H[i + x, j + y] / (step + 1) ** 2
            slope_b += H[i + x, j + y] * b
            slope_c += H[i + x, j + y] * c
            square += b * b
    slope_b, slope_c = slope_b / square, slope_c / square
    for x in range(step + 1):
        for y in range(step + 1):
            off = H[i + x, j + y] - mean - slope_b * (x - 0.5 * step) - slope_c * (y - 0.5 * step)
            if not abs(off) < _FLAT * h:
                return -1
    b = np.array([grid[i], grid[i + step], grid[i + step], grid[i]])
    c = np.array([grid[j], grid[j], grid[j + step], grid[j + step]])
    up, along = 0.5 * step * slope_b, 0.5 * step * slope_c
    v = np.array([mean - up - along, mean + up - along, mean + up + along, mean - up + along])
    return _emit(patches, count, axis, b, c, v, h)


@nb.njit(cache=True, nogil=True)
def _both(H, mixed, i, j, h) -> bool:
    """Four rays at a surface that crosses the plane where they start: of each, the hit nearer to that plane."""
    plus = minus = 0
    for x in range(2):
        for y in range(2):
            up, down = H[0, i + x, j + y], H[1, i + x, j + y]
            take_up = not np.isnan(up) and (np.isnan(down) or up <= -down)
            mixed[x, y] = up if take_up else down
            if not abs(mixed[x, y]) <= 2 * _STEEP * h:
                return False
            plus += take_up
            minus += not take_up
    return plus > 0 and minus > 0


@nb.njit(cache=True, nogil=True)
def _meeting(heights, axis, across, j, at, v, slope, side, h, grid) -> float:
    """How far beyond a ray at `at` a surface of height v and slope goes on until it meets what rays along `across` saw
    beside it; -1: they saw nothing there. All in the plane of index j along the third axis."""
    n = len(grid)
    k0 = int(np.floor((v - grid[0]) / h))
    for turn in range(4):
        H, step = heights[across, turn % 2], (-1 if turn < 2 else 1)
        k = k0 if step < 0 else k0 + 1
        if not (0 <= k < n and 0 <= k + step < n):
            continue
        u, far = _at(H, across, axis, k, j), _at(H, across, axis, k + step, j)
        on_it = abs(v + slope * (u - at) - grid[k]) < 0.1 * h
        if not abs(u - at) <= 3 * h or on_it:
            continue
        r = (far - u) / (step * h) if abs(far - u) <= _STEEP * h else 0.0
        if abs(1.0 - r * slope) < 0.1:
            continue
        beyond = side * ((u + r * (v - slope * at - grid[k])) / (1.0 - r * slope) - at)
        if -1e-6 <= beyond <= h * 1.001:
            return max(beyond, 0.0)
    return -1.0


@nb.njit(cache=True, nogil=True)
def _edge(heights, axis, sense, across, i, j, side, h, grid, out) -> bool:
    """At a jump or crease beyond ray i (index along `across`): height, how far the surface goes on, height there."""
    H = heights[axis, sense]
    v, back = _at(H, axis, across, i, j), _at(H, axis, across, i - side, j)
    ahead = _at(H, axis, across, i + side, j)
    jump = not abs(ahead - v) <= _STEEP * h
    if not abs(v - back) <= _STEEP * h or not (jump or _crease(H, axis, across, i, j, side, h)):
        return False
    beyond = _meeting(heights, axis, across, j, grid[i], v, (v - back) / (side * h), side, h, grid)
    if beyond < 0.0:
        beyond = 0.5 * h
        if not jump:
            # Where the lines of the two sides, both in this view, meet.
            rise, fall = v - back, _at(H, axis, across, i + 2 * side, j) - ahead
            meet = (ahead - fall - v) / (rise - fall) if rise != fall else -1.0
            beyond = meet * h if 0.0 <= meet <= 1.0 else beyond
    out[0], out[1], out[2] = v, beyond, v + (v - back) / h * beyond
    return True


@nb.njit(cache=True, nogil=True)
def _strips(heights, axis, sense, across, patches, count, h, grid) -> int:
    """Patches from the last ray before a jump to the edge."""
    n, first = len(grid), (axis + 1) % 3 == across
    one, two = np.empty(3), np.empty(3)
    for side in (-1, 1):
        for i in range(1, n - 1):
            known = False
            for j in range(n):
                before, known = known, _edge(heights, axis, sense, across, i, j, side, h, grid, two)
                if before and known and one[1] + two[1] > 0.0 and abs(two[0] - one[0]) <= _STEEP * h:
                    along = grid[i] + side * np.array([0.0, 0.0, two[1], one[1]])
                    rows = np.array([grid[j - 1], grid[j], grid[j], grid[j - 1]])
                    v = np.array([one[0], two[0], two[2], one[2]])
                    wide = max(one[1], two[1])
                    gb = (one[2] - one[0] + two[2] - two[0]) / (side * (one[1] + two[1]))
                    gc = (two[0] - one[0]) / h
                    if wide > 1e-3 * h and max(abs(gb), abs(gc)) <= _STEEP:
                        row = patches[count]
                        row[15] = _share(axis, gb if first else gc, gc if first else gb, row[12:15])
                        b, c = (along, rows) if first else (rows, along)
                        for k in range(4):
                            row[3 * k + axis] = v[k]
                            row[3 * k + (axis + 1) % 3], row[3 * k + (axis + 2) % 3] = b[k], c[k]
                        count += row[15] > 0.0
                one[:] = two
    return count


@nb.njit(cache=True, nogil=True)
def _surface(heights, h, block, patches) -> int:
    n, count = heights.shape[2], 0
    grid = (np.arange(n) - n // 2) * h
    mixed = np.empty((2, 2))
    for axis in range(3):
        for sense in range(2):
            H = heights[axis, sense]
            for i in range(0, n - 1, block):
                for j in range(0, n - 1, block):
                    whole = _flat(H, patches, count, axis, i, j, block, grid, h)
                    if whole >= 0:
                        count = whole
                        continue
                    for x in range(i, i + block):
                        for y in range(j, j + block):
                            count = _square(H, patches, count, axis, x, y, grid, h)
            for turn in (1, 2):
                count = _strips(heights, axis, sense, (axis + turn) % 3, patches, count, h, grid)
        for i in range(n - 1):
            for j in range(n - 1):
                if _both(heights[axis], mixed, i, j, h):
                    b = np.array([grid[i], grid[i + 1], grid[i + 1], grid[i]])
                    c = np.array([grid[j], grid[j], grid[j + 1], grid[j + 1]])
                    v = np.array([mixed[0, 0], mixed[1, 0], mixed[1, 1], mixed[0, 1]])
                    count = _emit(patches, count, axis, b, c, v, h)
    return count


def surface_of(heights: np.ndarray, resolution: float) -> np.ndarray:
    """Patches of the surface in the scanner's frame, [m, 16]: four corners round about [m], normal (of either sense),
    and the share by which the patch counts. heights: of `heights_of`; resolution: distance of the rays [m]."""
    n = heights.shape[2]
    block = max(b for b in range(1, _BLOCK + 1) if (n - 1) % b == 0)
    # Squares of both senses, those of mixed sense, and strips of two directions and two sides.
    patches = np.empty((3 * n * n * (2 + 1 + 2 * 4), 16))
    return patches[: _surface(np.ascontiguousarray(heights), resolution, block, patches)].copy()
