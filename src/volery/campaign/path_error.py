"""How far robots are off the paths that their scenario gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.sim import Simulation

__all__ = ["PathError", "distance_to_path"]


def distance_to_path(p_W: np.ndarray, corners_W: np.ndarray) -> float:
    """From a point to the nearest of a line through corners [n, 3] [m]."""
    start, ways = corners_W[:-1], np.diff(corners_W, axis=0)
    if not len(ways):
        return float(np.linalg.norm(p_W - corners_W[0]))
    squares = np.maximum(np.einsum("ij,ij->i", ways, ways), 1e-18)
    share = np.clip(np.einsum("ij,ij->i", p_W - start, ways) / squares, 0.0, 1.0)
    return float(np.linalg.norm(start + ways * share[:, None] - p_W, axis=1).min())


class PathError:
    """Mean and largest distance of robots from their `motion.path`. Paths that are led round things are not judged."""

    def __init__(self, simulation: Simulation) -> None:
        self._corners = {
            name: corners for name, corners in map(_path, simulation.scenario.robots.values()) if len(corners)
        }
        self._sum = dict.fromkeys(self._corners, 0.0)
        self._most = dict.fromkeys(self._corners, 0.0)
        self._steps = dict.fromkeys(self._corners, 0)

    def look(self, simulation: Simulation) -> None:
        """After a step."""
        for name, corners in self._corners.items():
            if name in simulation.robots:
                off = distance_to_path(simulation.robots[name].p_WB, corners)
                self._sum[name] += off
                self._most[name] = max(self._most[name], off)
                self._steps[name] += 1

    def result(self) -> dict[str, float]:
        """`off_path` and `off_path_most` [m] of all robots with a path; nothing where there is none."""
        steps = sum(self._steps.values())
        if not steps:
            return {}
        return {
            "off_path": round(sum(self._sum.values()) / steps, 6),
            "off_path_most": round(max(self._most.values()), 6),
        }


def _path(plan: Any) -> tuple[str, np.ndarray]:
    """Name of a robot and corners of its path, [n, 3] [m]; none: [0, 3]."""
    motion = plan.motion
    own = motion is not None and getattr(motion, "along", "path") == "path" and getattr(motion, "clear", None) is None
    corners = np.array(getattr(motion, "path", ()) if own else (), float).reshape(-1, 3)
    if len(corners) > 2 and getattr(motion, "loop", False):
        corners = np.vstack([corners, corners[:1]])
    return plan.name, corners
