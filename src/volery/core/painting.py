"""Pictures on meshes: a texture as colours of corners, on triangles that are cut until its detail shows."""

from __future__ import annotations

import numpy as np

__all__ = ["linear_colours", "painted", "sample"]

_FINEST = 4
"""Cuts, each of a triangle into four."""


def linear_colours(srgb: np.ndarray) -> np.ndarray:
    """Linear RGB of sRGB, 0 to 1."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def sample(pixels: np.ndarray, uv: np.ndarray) -> np.ndarray:
    """Colours of a picture [rows, columns, c] at places [n, 2] (u to the right, v down, repeated), bilinear, [n, c]."""
    rows, columns = pixels.shape[:2]
    x, y = (np.nan_to_num(uv) % 1.0 * [columns, rows] - 0.5).T
    i, j = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    a, b = (y - i)[:, None], (x - j)[:, None]
    top = (1 - b) * pixels[i % rows, j % columns] + b * pixels[i % rows, (j + 1) % columns]
    low = (1 - b) * pixels[(i + 1) % rows, j % columns] + b * pixels[(i + 1) % rows, (j + 1) % columns]
    return (1 - a) * top + a * low


def painted(
    corners: dict[str, np.ndarray], faces: np.ndarray, pixels: np.ndarray, most_faces: int, contrast: float = 0.04
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Corners [n, k] by kind (with `uv`), faces [m, 3] and colours [n, c] of a mesh that wears a picture [rows,
    columns, c]. A face is cut into four while the picture inside it differs from what its corners say by more than
    `contrast`, up to `most_faces` in all; corners between two are their mean."""
    colours = sample(pixels, corners["uv"])
    for _ in range(_FINEST):
        wrong = _error(corners["uv"], colours, faces, pixels)
        cut = wrong > contrast
        room = (most_faces - len(faces)) // 3
        if room <= 0 or not cut.any():
            break
        if cut.sum() > room:
            cut &= wrong >= np.sort(wrong)[-room]
        corners, faces = _cut(corners, faces, cut)
        colours = sample(pixels, corners["uv"])
    return corners, faces, colours


def _error(uv: np.ndarray, colours: np.ndarray, faces: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """How far the picture is from the colour between the corners, at most, at six places in each face."""
    worst = np.zeros(len(faces))
    for share in ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.5, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.6, 0.2, 0.2), (0.2, 0.2, 0.6)):
        weights = np.array(share)
        place = np.einsum("k,mkc->mc", weights, uv[faces])
        between = np.einsum("k,mkc->mc", weights, colours[faces])
        worst = np.maximum(worst, np.abs(sample(pixels, place) - between).max(axis=1))
    return worst


def _cut(
    corners: dict[str, np.ndarray], faces: np.ndarray, cut: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Some faces into four; their neighbours are cut along the same edges, so that nothing gapes."""
    edges = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1), axis=-1).astype(np.int64)
    n = int(faces.max()) + 1
    keys = edges[..., 0] * n + edges[..., 1]
    halved = np.unique(keys[cut])
    number = np.searchsorted(halved, keys).clip(max=max(len(halved) - 1, 0))
    is_cut = halved[number] == keys
    middle = len(next(iter(corners.values()))) + number
    ends = np.stack([halved // n, halved % n], axis=1)
    more = {kind: np.concatenate([values, values[ends].mean(axis=1)]) for kind, values in corners.items()}
    parts = [faces[~is_cut.any(axis=1)]]
    for pattern in range(1, 8):
        chosen = (is_cut * [1, 2, 4]).sum(axis=1) == pattern
        f, m = faces[chosen], middle[chosen]
        for a, b, c in _PATTERNS[pattern]:
            parts.append(np.stack([(f if k < 3 else m)[:, k % 3] for k in (a, b, c)], axis=1))
    return more, np.concatenate(parts)


_PATTERNS = {
    1: ((0, 3, 2), (3, 1, 2)), 2: ((0, 1, 4), (0, 4, 2)), 4: ((0, 1, 5), (5, 1, 2)),
    3: ((0, 3, 2), (3, 1, 4), (3, 4, 2)), 6: ((0, 1, 4), (0, 4, 5), (5, 4, 2)), 5: ((0, 3, 5), (3, 1, 2), (3, 2, 5)),
    7: ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
}  # fmt: skip
"""New triangles by which edges are halved (bits: corners 0–1, 1–2, 2–0); 0 to 2: corners, 3 to 5: middles of edges."""
