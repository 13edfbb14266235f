# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Beams of light through a scene: on from glass and mirrors, weakened by the air, moved along with the sensor.

Chance is drawn by counting: a reading takes one key from its sensor's generator, and a number is a hash of key, beam
and purpose. So results depend neither on the order of work nor on what other beams met.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.world.native import as_u2

__all__ = ["HAZE", "NOTHING", "chances", "echoes", "follow", "move_beams", "place_points"]

NOTHING, HAZE = -1, -2
"""In place of a material: no surface was met; a drop, flake or grain in the air was."""
HAZE_REFLECTIVITY = 0.05
"""What a drop or flake near the sensor sends back; a choice."""
_FADING, _LOST, _FALSE, _SURFACE = 0, 1, 2, 3
"""Purposes of chance; _SURFACE + k is for the k-th surface of a beam."""
_STEP_ON = 2e-4
"""How far behind a surface the beam goes on [m]; more with distance, for float32."""
_NOISE_MARGIN = 5.0
"""Ratio of the receiver's threshold to its noise: the fade-out takes a fifth of the threshold either way."""


@nb.njit(cache=True, nogil=True)
def _chance(key, beam, purpose) -> float:
    """An even number of [0, 1) by splitmix64."""
    z = key + (np.uint64(beam) * np.uint64(16) + np.uint64(purpose + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53


@nb.njit(cache=True, nogil=True)
def chances(key, count, out) -> None:
    """Even numbers of [0, 1) for false returns, one a beam."""
    for i in range(count):
        out[i] = _chance(key, i, _FALSE)


@nb.njit(cache=True, nogil=True)
def move_beams(directions, firing, time, v, w, lever, R, p, out_o, out_d) -> None:
    """Beams as seen from the sensor's pose at the stamp, each from the pose of its own time [s before the stamp].

    v, w: velocity and angular velocity of the robot's root; lever: from the root to the sensor; all in S at the stamp.
    R [g, 3, 3] and p [g, 3] are scratch for the poses of the firings."""
    rate = np.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
    x, y, z = (w[0] / rate, w[1] / rate, w[2] / rate) if rate > 0 else (0.0, 0.0, 1.0)
    for g in range(len(time)):
        t = time[g]
        s, c = np.sin(rate * t), 1.0 - np.cos(rate * t)
        R[g, 0, 0], R[g, 0, 1], R[g, 0, 2] = 1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y
        R[g, 1, 0], R[g, 1, 1], R[g, 1, 2] = c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x
        R[g, 2, 0], R[g, 2, 1], R[g, 2, 2] = c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)
        for k in range(3):
            turned = R[g, k, 0] * lever[0] + R[g, k, 1] * lever[1] + R[g, k, 2] * lever[2]
            p[g, k] = v[k] * t + turned - lever[k]
    for i in range(len(directions)):
        g = firing[i]
        a, b, c = directions[i, 0], directions[i, 1], directions[i, 2]
        for k in range(3):
            out_o[i, k] = p[g, k]
            out_d[i, k] = R[g, k, 0] * a + R[g, k, 1] * b + R[g, k, 2] * c


@nb.njit(cache=True, nogil=True)
def _goes_on(key, beam, surface, mode, back, entered, row, transparency, mirror) -> int:
    """What a beam does at a surface: 0 ends there, 1 passes, 2 is mirrored."""
    if mode == 2 or (transparency <= 0.0 and mirror <= 0.0):
        return 0
    if back and entered == row:
        # Out of the pane it went into: the pane has had its share.
        return 1
    chance = _chance(key, beam, _SURFACE + surface) if mode == 0 else 0.5
    return 2 if chance < mirror else 1 if chance < mirror + transparency else 0


@nb.njit(cache=True, nogil=True)
def follow(
    surface, last, count, which, origins, directions, R, max_range, mode, key,
    distance, row, primitive, normal, back, row_mesh, mesh_table, mesh_alike, transparency, mirror,
    path, cosine, material, end_row, entered, next_which, next_o, next_d, next_far,
) -> int:  # fmt: skip
    """Take the hits of `count` beams: note where each ends, and write down those that go on, for the next cast. Returns
    how many do. The beams of the first surface are all beams; of later ones, `which` tells the beam of each."""
    going = 0
    for k in range(count):
        i = k if surface == 0 else which[k]
        if surface == 0:
            path[i], entered[i] = 0.0, -1
        r = row[k]
        material[i], end_row[i] = NOTHING, r
        if r < 0:
            path[i] = np.inf
            continue
        mesh = row_mesh[r]
        m = np.int32(as_u2(mesh_table[mesh])[np.int64(0) if mesh_alike[mesh] else np.int64(primitive[k])])
        kind = _goes_on(key, i, surface, mode, back[k], entered[i], r, transparency[m], mirror[m])
        o = k if origins.shape[0] > 1 else 0
        a, b, c = directions[k, 0], directions[k, 1], directions[k, 2]
        # The normal in S, so that beam and normal are of one frame.
        u, v, w = normal[k, 0], normal[k, 1], normal[k, 2]
        x = R[0, 0] * u + R[1, 0] * v + R[2, 0] * w
        y = R[0, 1] * u + R[1, 1] * v + R[2, 1] * w
        z = R[0, 2] * u + R[1, 2] * v + R[2, 2] * w
        along = a * x + b * y + c * z
        if kind == 0:
            path[i] += distance[k]
            material[i], cosine[i] = m, min(abs(along), 1.0)
            continue
        margin = _STEP_ON + 2e-6 * distance[k]
        t = distance[k] + (margin if kind == 1 else -margin)
        path[i] += t
        end_row[i] = -1
        if surface == last or path[i] >= max_range:
            path[i] = np.inf
            continue
        next_which[going], next_far[going] = i, max_range - path[i]
        next_o[going, 0] = origins[o, 0] + a * t
        next_o[going, 1] = origins[o, 1] + b * t
        next_o[going, 2] = origins[o, 2] + c * t
        turn = 2.0 * along if kind == 2 else 0.0
        next_d[going, 0], next_d[going, 1], next_d[going, 2] = a - turn * x, b - turn * y, c - turn * z
        entered[i] = r if kind == 1 and not back[k] else -1
        going += 1
    return going


@nb.njit(cache=True, nogil=True)
def echoes(
    path, cosine, material, end_row, row_object, reflectivity, label, sigma, sensitivity, min_range, max_range,
    reference, exponent, dropout, key, out_range, out_intensity, out_label, out_object,
) -> None:  # fmt: skip
    """What the receiver tells of beams that ended; NaN and -1 where it notices nothing."""
    for i in range(len(path)):
        m, r = material[i], path[i]
        out_range[i], out_intensity[i], out_label[i], out_object[i] = np.nan, np.nan, 0, -1
        if m == NOTHING or not min_range <= r <= max_range:
            continue
        if dropout > 0.0 and _chance(key, i, _LOST) < dropout:
            continue
        power = HAZE_REFLECTIVITY if m == HAZE else reflectivity[m] * cosine[i]
        if sigma > 0.0:
            power *= math.exp(-2.0 * sigma * r)
        if sensitivity > 0.0 and m != HAZE:
            margin = power * (max_range / r) ** 2 / sensitivity
            if margin < 2.0:
                chance = 0.5 * math.erfc(_NOISE_MARGIN * (1.0 - margin) / math.sqrt(2.0))
                if _chance(key, i, _FADING) >= chance:
                    continue
        if exponent > 0.0 and r > reference:
            power *= (reference / r) ** exponent
        out_range[i], out_intensity[i] = r, power
        if m >= 0:
            out_label[i], out_object[i] = label[m], row_object[end_row[i]]


@nb.njit(cache=True, nogil=True)
def place_points(ranges, origins, directions, R, p, points) -> None:
    """Points at the end of the beams: R·(o + d·range) + p; NaN where the range is."""
    own = origins.shape[0] > 1
    for i in range(len(ranges)):
        o = i if own else 0
        t = ranges[i]
        x, y, z = origins[o, 0] + directions[i, 0] * t, origins[o, 1] + directions[i, 1] * t, origins[o, 2]
        z += directions[i, 2] * t
        for k in range(3):
            points[i, k] = R[k, 0] * x + R[k, 1] * y + R[k, 2] * z + p[k]
