"""`volery bench rays`: rays per second of the sensor path, against a bare Embree loop and against peers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from volery._native.rays import bare_cast
from volery.core.parallel import threads
from volery.tools.bench.peers import build_peers, installed_peers
from volery.tools.bench.scenes import PlainForest, box_rays, camera_rays, height, lidar_rays, plain_forest
from volery.tools.bench.timing import Sample, machine, round_robin, summary
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene

__all__ = ["against_peers", "ray_sets", "run", "table"]

_PEER_RADIUS = 25.0
"""Peers without instances get the trees within this radius, and so do we when compared with them [m]."""
_STEP = 0.07
"""The sensor moves on by this much between casts [m]."""


@dataclass
class RaySet:
    """Rays of one sensor."""

    origins: np.ndarray
    directions: np.ndarray
    far: float
    coherent: bool = False


def ray_sets() -> dict[str, RaySet]:
    """The three patterns measured."""
    still = np.zeros((1, 3), np.float32)
    return {
        "box 15606": RaySet(*box_rays(), 25.0),
        "lidar 8192": RaySet(still, lidar_rays(), 200.0),
        "camera 640x480": RaySet(still, camera_rays(), 200.0, coherent=True),
    }


class Walker:
    """A sensor that moves through the wood, 6 m above ground, to and fro on the same places."""

    _PLACES = 128

    def __init__(self) -> None:
        self._steps = 0

    def position(self) -> np.ndarray:
        """The next place [m]."""
        self._steps += 1
        x = (self._steps % self._PLACES) * _STEP
        return np.array([x, 0.3 * x, float(height(np.array([x]), np.array([0.3 * x]))[0]) + 6.0])


def sensor_cast(scene: Scene, rays: RaySet, walker: Walker) -> Sample:
    """Our path: pattern in the sensor's frame, all answers."""
    hits, far, R = Hits(scene, len(rays.directions)), np.array([rays.far], np.float32), np.eye(3)

    def sample() -> np.ndarray:
        scene.cast_pattern(rays.origins, rays.directions, R, walker.position(), far, hits, coherent=rays.coherent)
        return hits.distance

    return sample


def embree_cast(scene: Scene, rays: RaySet) -> Sample:
    """The bare loop on the same rays, already in the scene's frame, distances only."""
    walker = Walker()
    cell = scene.cell(np.zeros(3))
    ready = [rays.origins + walker.position().astype(np.float32) for _ in range(Walker._PLACES)]
    distance = np.empty(len(rays.directions), np.float32)
    turn = itertools.cycle(ready)

    def sample() -> np.ndarray:
        bare_cast(cell.static, next(turn), rays.directions, rays.far, rays.coherent, distance)
        return distance

    return sample


def _against_bare(forest: PlainForest, rounds: int) -> dict[str, dict[str, Any]]:
    scene = forest.scene()
    out = {}
    for name, rays in ray_sets().items():
        times = round_robin({"sensor": sensor_cast(scene, rays, Walker()), "bare": embree_cast(scene, rays)}, rounds)
        n, middle = len(rays.directions), {k: float(np.median(t)) for k, t in times.items()}
        out[name] = {
            "rays": n,
            "rays_per_s": round(n / middle["sensor"]),
            **summary(times["sensor"]),
            "ratio_to_bare_embree": round(middle["bare"] / middle["sensor"], 3),
        }
    return out


def against_peers(forest: PlainForest, patterns: dict[str, RaySet]) -> dict[str, dict[str, Any]]:
    """How many times faster our rays are than each installed peer's on the near scene, and whether they agree."""
    near = forest.near(_PEER_RADIUS)
    scene = near.scene()
    p = np.array([0.0, 0.0, height(np.array(0.0), np.array(0.0)) + 6.0])
    casts, errors = build_peers(*near.flat(), installed_peers())
    out: dict[str, dict[str, Any]] = {name: {"error": error} for name, error in errors.items()}
    for peer, cast in casts.items():
        out[peer] = {}
        for name, rays in patterns.items():
            n = len(rays.directions)
            origins = np.ascontiguousarray(np.broadcast_to(rays.origins, (n, 3)) + p, np.float32)
            ours = sensor_cast(scene, rays, Walker())
            times = round_robin({"ours": ours, "peer": lambda: cast(origins, rays.directions, rays.far)}, 2)  # noqa: B023
            distance = cast(origins, rays.directions, rays.far)
            reference = scene.cast(origins.astype(float), rays.directions.astype(float), max_range=rays.far).distance
            both = np.isfinite(distance) & np.isfinite(reference)
            out[peer][name] = {
                "times_faster": round(float(times["peer"].min() / times["ours"].min()), 2),
                "peer_rays_per_s": round(n / float(times["peer"].min())),
                "same_hit_share": round(float((np.isfinite(distance) == np.isfinite(reference)).mean()), 4),
                "median_difference_m": float(np.median(np.abs(distance[both] - reference[both])))
                if both.any()
                else None,
            }
    return out


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a small scene and few rounds, to see that it works."""
    forest = plain_forest(300, 2000) if quick else plain_forest()
    return {
        "bench": "rays",
        "machine": machine(),
        "threads": threads(),
        "triangles": forest.triangles,
        "instances": len(forest.kinds),
        "patterns": _against_bare(forest, 5 if quick else 30),
        "peers": against_peers(forest, ray_sets()) if peers else {},
    }


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        f"{result['instances']} trees, {result['triangles'] / 1e6:.1f} M triangles, {result['threads']} threads",
        f"{'pattern':16} {'Mrays/s':>8} {'median ms':>10} {'p99 ms':>8} {'of bare Embree':>15}",
    ]
    for name, r in result["patterns"].items():
        lines.append(
            f"{name:16} {r['rays_per_s'] / 1e6:8.2f} {r['median_ms']:10.2f} {r['p99_ms']:8.2f} "
            f"{r['ratio_to_bare_embree']:15.2f}"
        )
    for peer, patterns in result["peers"].items():
        if "error" in patterns:
            lines.append(f"{peer}: {patterns['error']}")
            continue
        faster = ", ".join(f"{name} {r['times_faster']:g}×" for name, r in patterns.items())
        lines.append(f"faster than {peer}: {faster}")
    return "\n".join(lines)
