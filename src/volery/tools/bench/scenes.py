"""The measuring scene: 4,000 instances of four trees of 20,000 leaves each over a terrain of 522,242 triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.core.geometry import Mesh, cylinder, grid, merge
from volery.core.material import Material
from volery.core.rng import generator
from volery.sensors.scanner import ScannerConfig, scan_pattern
from volery.world.scene.scene import Scene
from volery.world.world import Placement, poses

__all__ = ["PlainForest", "box_rays", "camera_rays", "lidar_rays", "plain_forest"]

_LEAF = Material("leaf", (0.06, 0.14, 0.03), solid=False)
_BARK = Material("bark", (0.1, 0.07, 0.05))
_SOIL = Material("soil", (0.12, 0.08, 0.05), label="ground")
_TERRAIN_POINTS, _HALF = 512, 150.0


@dataclass(frozen=True)
class PlainForest:
    """The scene as data, to be given to any library."""

    terrain: Mesh
    trees: tuple[Mesh, ...]
    X_WO: np.ndarray
    kinds: np.ndarray

    def near(self, radius: float) -> PlainForest:
        """Only the trees within a radius [m] of the middle, for libraries that have no instances of any size."""
        chosen = np.hypot(self.X_WO[:, 0, 3], self.X_WO[:, 1, 3]) < radius
        return PlainForest(self.terrain, self.trees, self.X_WO[chosen], self.kinds[chosen])

    def scene(self) -> Scene:
        """The scene for our rays: every tree an instance."""
        scene = Scene()
        scene.add(Placement.one("terrain", self.terrain))
        for i, (X, kind) in enumerate(zip(self.X_WO, self.kinds, strict=True)):
            scene.add(Placement(f"tree{i}", (self.trees[kind],), X))
        return scene

    def flat(self) -> tuple[np.ndarray, np.ndarray]:
        """One mesh of it all: vertices float32 [n, 3], faces uint32 [m, 3]."""
        vertices, faces, start = [self.terrain.vertices], [self.terrain.faces], len(self.terrain.vertices)
        for X, kind in zip(self.X_WO.astype(np.float32), self.kinds, strict=True):
            tree = self.trees[kind]
            vertices.append(tree.vertices @ X[:, :3].T + X[:, 3])
            faces.append(tree.faces + np.uint32(start))
            start += len(tree.vertices)
        return np.concatenate(vertices), np.concatenate(faces)

    @property
    def triangles(self) -> int:
        """All triangles, instances counted."""
        return len(self.terrain.faces) + sum(len(self.trees[k].faces) for k in self.kinds)


def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ground level where trees stand [m]."""
    return 3 * np.sin(x * 0.05) * np.cos(y * 0.07)


def _terrain() -> Mesh:
    x = np.linspace(-_HALF, _HALF, _TERRAIN_POINTS)
    heights = height(x[:, None], x[None, :]) + 0.3 * np.sin(x * 1.1)[:, None]
    return grid(heights, x[1] - x[0], (-_HALF, -_HALF), materials=(_SOIL,), name="terrain")


def _tree(draw: np.random.Generator, leaves: int) -> Mesh:
    """A trunk and a crown of leaves strewn in an ellipsoid."""
    trunk = cylinder(0.25, 8, 16, materials=(_BARK,)).moved(p=(0, 0, 4))
    centre = draw.normal(size=(leaves, 3))
    centre /= np.linalg.norm(centre, axis=1)[:, None]
    centre *= draw.uniform(0.3, 1, (leaves, 1)) ** 0.5 * [2.5, 2.5, 4]
    centre += [0, 0, 8]
    edges = draw.normal(size=(2, leaves, 3)) * 0.08
    corners = np.stack([centre, centre + edges[0], centre + edges[1]], axis=1).reshape(-1, 3)
    crown = Mesh(corners, np.arange(3 * leaves).reshape(-1, 3), materials=(_LEAF,), robust=False)
    merged = merge([trunk, crown], name="tree")
    return Mesh(merged.vertices, merged.faces, merged.materials, merged.face_material, robust=False, name="tree")


def plain_forest(trees: int = 4000, leaves: int = 20_000, seed: int = 0) -> PlainForest:
    """The measuring scene."""
    draw = generator(seed, "bench/forest")
    p = draw.uniform(-145, 145, (trees, 2))
    p[np.hypot(p[:, 0], p[:, 1]) < 3] += 6.0
    points = np.column_stack([p, height(p[:, 0], p[:, 1])])
    X = poses(points, draw.uniform(0, 2 * np.pi, trees), draw.uniform(0.5, 1, trees))
    kinds = draw.integers(0, 4, trees).astype(np.int32)
    return PlainForest(_terrain(), tuple(_tree(draw, leaves) for _ in range(4)), X, kinds)


def camera_rays(width: int = 640, height_: int = 480, fov: float = np.pi / 2) -> np.ndarray:
    """Directions of a pinhole camera that looks along x, float32 [n, 3], in tiles of 4×4 pixels."""
    focal = 0.5 * width / np.tan(fov / 2)
    u, v = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height_) + 0.5 - height_ / 2)
    d = np.stack([np.full_like(u, focal), -u, -v], axis=-1)
    d /= np.linalg.norm(d, axis=-1, keepdims=True)
    d = d.reshape(height_ // 4, 4, width // 4, 4, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(d.reshape(-1, 3), np.float32)


def lidar_rays(lines: int = 16, columns: int = 512) -> np.ndarray:
    """Directions of a spinning scanner of ±15°, float32 [n, 3]."""
    elevation = np.radians(np.linspace(-15, 15, lines))[:, None]
    azimuth = np.linspace(-np.pi, np.pi, columns, endpoint=False)[None]
    d = [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation) + 0 * azimuth]
    return np.ascontiguousarray(np.stack(d, axis=-1).reshape(-1, 3), np.float32)


def box_rays() -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions of the scanner's full box, float32 [15606, 3]."""
    return scan_pattern(ScannerConfig())
