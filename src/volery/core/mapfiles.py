"""Maps as files: PLY for people's eyes and OctoMap's binary trees for other programs."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

__all__ = ["save_octomap", "save_ply"]

_DEPTH = 16
_MIDDLE = 1 << (_DEPTH - 1)
_FREE, _TAKEN, _INNER = 0b10, 0b01, 0b11
"""What two bits say of a child in OctoMap's format."""


def save_ply(taken: np.ndarray, path: Path | str) -> int:
    """Write the middles of taken cells, [n, 3] [m], as points coloured by height; how many."""
    p = taken.astype("<f4")
    low, high = (p[:, 2].min(), p[:, 2].max()) if len(p) else (0.0, 1.0)
    share = (p[:, 2] - low) / max(high - low, 1e-6)
    colour = np.stack([255 * share, 255 * (1 - np.abs(2 * share - 1)), 255 * (1 - share)], axis=1).astype(np.uint8)
    rows = np.zeros(len(p), [("p", "<f4", 3), ("c", "u1", 3)])
    rows["p"], rows["c"] = p, colour
    lines = ["ply", "format binary_little_endian 1.0", f"element vertex {len(p)}"]
    lines += [f"property float {axis}" for axis in "xyz"] + [f"property uchar {c}" for c in ("red", "green", "blue")]
    Path(path).write_bytes("\n".join([*lines, "end_header", ""]).encode() + rows.tobytes())
    return len(p)


def save_octomap(taken: np.ndarray, free: np.ndarray, cell: float, path: Path | str) -> int:
    """Write taken and free cells, given by their middles [n, 3] [m], as an OctoMap `.bt` file; the number of nodes."""
    codes = np.concatenate([_code(_keys(taken, cell)), _code(_keys(free, cell))])
    states = np.concatenate([np.full(len(taken), _TAKEN), np.full(len(free), _FREE)])
    order = np.argsort(codes, kind="stable")
    out: list[int] = []
    nodes = 1 + _write(codes[order], states[order], 0, out) if len(codes) else 0
    head = (
        "# Octomap OcTree binary file\n# (feel free to add / change comments, but leave the first line as it is!)\n#\n"
        f"id OcTree\nsize {nodes}\nres {cell:g}\ndata\n"
    )
    Path(path).write_bytes(head.encode() + b"".join(struct.pack("<H", word) for word in out))
    return nodes


def _keys(p: np.ndarray, cell: float) -> np.ndarray:
    """OctoMap's keys of middles of cells, [n, 3]."""
    return np.floor(p / cell).astype(np.int64) + _MIDDLE


def _code(keys: np.ndarray) -> np.ndarray:
    """One number for each, in the order in which the tree is written: bits of z, y, x in turn, the highest first."""
    code = np.zeros(len(keys), np.int64)
    for bit in range(_DEPTH - 1, -1, -1):
        child = ((keys >> bit) & 1) @ np.array([1, 2, 4])
        code = (code << 3) | child
    return code


def _write(codes: np.ndarray, states: np.ndarray, depth: int, out: list[int]) -> int:
    """A node's children, two bits each, then what is below the inner ones; how many nodes were written."""
    shift = 3 * (_DEPTH - 1 - depth)
    child = (codes >> shift) & 7
    parts = [(int(c), slice(*np.searchsorted(child, [c, c + 1]))) for c in np.unique(child)]
    word = 0
    for number, part in parts:
        word |= (int(states[part][0]) if depth == _DEPTH - 1 else _INNER) << (2 * number)
    out.append(word)
    nodes = len(parts)
    if depth < _DEPTH - 1:
        for _, part in parts:
            nodes += _write(codes[part] & ((1 << shift) - 1), states[part], depth + 1, out)
    return nodes
