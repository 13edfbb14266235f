"""Root to tip: poses of all bodies from the root's pose, the joints and the bones; and skins that follow bones."""

from __future__ import annotations

import numpy as np

from volery import _native

__all__ = ["body_poses", "compose", "skin_vertices", "turned"]

body_poses = _native.robots.body_poses
skin_vertices = _native.robots.skin_vertices


def compose(A: np.ndarray, B: np.ndarray, out: np.ndarray) -> None:
    """X_AC = X_AB · X_BC for 3×4 poses."""
    _native.robots.compose(np.ascontiguousarray(A), np.ascontiguousarray(B), out)


def turned(X0: np.ndarray, X1: np.ndarray) -> np.ndarray:
    """Rotation vector [rad], [3], from the attitude of one pose [3, 4] to that of another, below half a turn; in the
    frame both are given in."""
    out = np.empty(3)
    _native.robots.turned(X0, X1, out)
    return out
