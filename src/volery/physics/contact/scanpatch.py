# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""The volume that a patch of surface cuts off a robot: depth below the robot's skin, integrated over the patch.

Five depths and their directions of growth, at corners and middle, tell which faces of the robot are near: over the
patch the depth is the least of these five linear functions, exactly so for faces of a convex robot. It is checked at
four more places, and in the middle of what was found; where it does not agree the patch is split in four. The part
above zero under each function is cut out and integrated exactly, so the result does not jump as the robot moves, and
it has the symmetry of robot and patch.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact.voxelmap import depth_at

__all__ = ["cut"]

_DEEPEST = 7
"""Times that a patch is split at most."""
_FINE = 1e-3
"""A piece is not split further if it is off by less than this part of the whole volume."""
_SAME = 1e-9
"""Linear functions that differ by less [m] over a patch are one."""


@nb.njit(cache=True, nogil=True)
def _triangle(a, b, c, sums) -> None:
    """Add a triangle of corners (x, y, z, depth) over which the depth is linear: volume, area, moment."""
    ux, uy, uz, vx, vy, vz = b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    area = 0.5 * np.sqrt(x * x + y * y + z * z)
    sums[0] += area * (a[3] + b[3] + c[3]) / 3.0
    sums[1] += area
    for k in range(3):
        whole = (a[3] + b[3] + c[3]) * (a[k] + b[k] + c[k]) + a[3] * a[k] + b[3] * b[k] + c[3] * c[k]
        sums[2 + k] += area * whole / 12.0


@nb.njit(cache=True, nogil=True)
def _half(polygon, n, height, out) -> int:
    """Keep the part of a polygon [n, 4] where a linear function, given at its corners, is above zero."""
    count = 0
    for i in range(n):
        j = (i + 1) % n
        if height[i] > 0.0:
            for k in range(4):
                out[count, k] = polygon[i, k]
            count += 1
        if (height[i] > 0.0) != (height[j] > 0.0):
            s = height[i] / (height[i] - height[j])
            for k in range(4):
                out[count, k] = polygon[i, k] + s * (polygon[j, k] - polygon[i, k])
            count += 1
    return count


@nb.njit(cache=True, nogil=True)
def _value(planes, i, x, y, z) -> float:
    return planes[i, 0] * x + planes[i, 1] * y + planes[i, 2] * z + planes[i, 3]


@nb.njit(cache=True, nogil=True)
def _planes(voxels, quad, middle, depth, rise, planes) -> int:
    """The linear functions of depth (gradient, value at 0) that middle (depth, rise) and corners tell, each once."""
    n = 0
    for s in range(5):
        p = quad[s - 1] if s > 0 else middle
        if s > 0:
            depth = depth_at(voxels, p, rise)
        if rise[0] == 0.0 and rise[1] == 0.0 and rise[2] == 0.0:
            # Beyond the map: nothing is known of the robot's faces.
            continue
        planes[n, 3] = depth
        for k in range(3):
            planes[n, k] = rise[k]
            planes[n, 3] -= rise[k] * p[k]
        new = True
        for i in range(n):
            off = 0.0
            for c in range(4):
                x, y, z = quad[c, 0], quad[c, 1], quad[c, 2]
                off = max(off, abs(_value(planes, i, x, y, z) - _value(planes, n, x, y, z)))
            new &= off > _SAME
        n += new
    return n


@nb.njit(cache=True, nogil=True)
def _doubt(voxels, quad, middle, planes, n, radius, p, rise) -> float:
    """How far the least of the functions is from the depth, half-way between middle and corners [m]; well outside of
    the robot it may be off."""
    worst, floor = 0.0, -0.125 * radius
    for c in range(4):
        for k in range(3):
            p[k] = 0.5 * (quad[c, k] + middle[k])
        least = np.inf
        for i in range(n):
            least = min(least, _value(planes, i, p[0], p[1], p[2]))
        depth = depth_at(voxels, p, rise)
        worst = max(worst, abs(max(least, floor) - max(depth, floor)))
    return worst


@nb.njit(cache=True, nogil=True)
def _region(quad, planes, n, which, one, two, height, sums) -> None:
    """Integrate where one function is above zero and below all others."""
    for c in range(4):
        for k in range(3):
            one[c, k] = quad[c, k]
        one[c, 3] = _value(planes, which, quad[c, 0], quad[c, 1], quad[c, 2])
    size = 4
    for j in range(n):
        for c in range(size):
            p = one[c]
            height[c] = p[3] if j == which else _value(planes, j, p[0], p[1], p[2]) - p[3]
        size = _half(one, size, height, two)
        one, two = two, one
        if size < 3:
            return
    for c in range(1, size - 1):
        _triangle(one[0], one[c], one[c + 1], sums)


@nb.njit(cache=True, nogil=True)
def _regions(voxels, quad, planes, n, fine, one, two, height, pieces, count) -> int:
    """Write the region of each function; -1 if in the middle of one the depth is another by more than `fine` [m]."""
    sums, rise = np.empty(5), np.empty(3)
    for i in range(n):
        sums[:] = 0.0
        _region(quad, planes, n, i, one, two, height, sums)
        if sums[0] <= 0.0:
            continue
        if count == len(pieces):
            return count
        row = pieces[count]
        row[0], row[1] = sums[0], sums[1]
        for k in range(3):
            row[2 + k], row[5 + k] = sums[2 + k] / sums[0], planes[i, k]
        if abs(depth_at(voxels, row[2:5], rise) - _value(planes, i, row[2], row[3], row[4])) > fine:
            return -1
        count += 1
    return count


@nb.njit(cache=True, nogil=True)
def _spread(quad, middle) -> float:
    """Middle of a patch, and how far its corners are from it."""
    for k in range(3):
        middle[k] = 0.25 * (quad[0, k] + quad[1, k] + quad[2, k] + quad[3, k])
    square = 0.0
    for i in range(4):
        x, y, z = quad[i, 0] - middle[0], quad[i, 1] - middle[1], quad[i, 2] - middle[2]
        square = max(square, x * x + y * y + z * z)
    return np.sqrt(square)


@nb.njit(cache=True, nogil=True)
def _split(quad, middle, stack, top) -> int:
    for i in range(4):
        for k in range(3):
            stack[top + i, 0, k] = quad[i, k]
            stack[top + i, 1, k] = 0.5 * (quad[i, k] + quad[(i + 1) % 4, k])
            stack[top + i, 2, k] = middle[k]
            stack[top + i, 3, k] = 0.5 * (quad[i, k] + quad[(i + 3) % 4, k])
    return top + 4


@nb.njit(cache=True, nogil=True)
def cut(voxels, corners, whole, pieces, count) -> int:
    """Cut a patch (corners [4, 3], in the robot's frame B) by the robot. Writes rows from `count` on and returns their
    end; if that is the end of `pieces` there may have been more.

    A row: volume [m³], area [m²], middle of the volume [3], direction in which depth grows [3]. whole: volume of all
    contact as far as known [m³], for the fineness."""
    stack, levels = np.empty((4 * _DEEPEST + 8, 4, 3)), np.zeros(4 * _DEEPEST + 8, np.int64)
    stack[0] = corners
    top = 1
    quad, middle, rise, p = np.empty((4, 3)), np.empty(3), np.empty(3), np.empty(3)
    planes, one, two, height = np.empty((6, 4)), np.empty((12, 4)), np.empty((12, 4)), np.empty(12)
    while top > 0:
        top -= 1
        quad[:] = stack[top]
        level = levels[top]
        radius = _spread(quad, middle)
        depth = depth_at(voxels, middle, rise)
        if depth <= -radius:
            continue
        n = _planes(voxels, quad, middle, depth, rise, planes)
        # By how much depth or volume may be off for a piece of this size.
        fine = _FINE * whole / (2.0 * radius * radius)
        doubt = np.inf if n == 0 else _doubt(voxels, quad, middle, planes, n, radius, p, rise)
        end = _regions(voxels, quad, planes, n, fine, one, two, height, pieces, count) if doubt <= fine else -1
        if end < 0 and level < _DEEPEST:
            top = _split(quad, middle, stack, top)
            levels[top - 4 : top] = level + 1
            continue
        if end < 0:
            end = _regions(voxels, quad, planes, n, np.inf, one, two, height, pieces, count)
        if end == len(pieces):
            return end
        count = end
    return count
