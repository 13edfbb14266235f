"""Other libraries' rays on the same triangles; each is measured only where it is installed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from volery.report.bench.scenes import PlainForest

__all__ = ["PEERS", "build_peers", "installed_peers"]

Cast = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
"""Origins [n, 3], directions [n, 3], range [m] → distances [n], infinite where nothing was hit."""

_SCALE_STEPS = (np.arange(8) + 0.5) / 16 + 0.5
"""MuJoCo and PyBullet cannot scale an instance: trees take the nearest of eight sizes."""


def _size(X: np.ndarray) -> tuple[int, float]:
    """Index of the nearest size, and the yaw [rad]."""
    scale = float(np.hypot(X[0, 0], X[1, 0]))
    return int(np.argmin(np.abs(_SCALE_STEPS - scale))), float(np.arctan2(X[1, 0], X[0, 0]))


def _mujoco(forest: PlainForest) -> Cast:
    import mujoco

    spec = mujoco.MjSpec()
    shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL

    def add_mesh(name: str, vertices: np.ndarray, faces: np.ndarray) -> None:
        mesh = spec.add_mesh(name=name, inertia=shell)
        mesh.uservert, mesh.userface = vertices.ravel().astype(float), faces.ravel().astype(int)

    def add_geom(mesh: str, p: np.ndarray, yaw: float) -> None:
        geom = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh, contype=0, conaffinity=0)
        geom.pos, geom.quat = p, [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]

    add_mesh("terrain", forest.terrain.vertices, forest.terrain.faces)
    add_geom("terrain", np.zeros(3), 0.0)
    for k, tree in enumerate(forest.trees):
        for s, scale in enumerate(_SCALE_STEPS):
            add_mesh(f"tree{k}_{s}", tree.vertices * scale, tree.faces)
    for X, kind in zip(forest.X_WO, forest.kinds, strict=True):
        s, yaw = _size(X)
        add_geom(f"tree{kind}_{s}", X[:, 3], yaw)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        n = len(directions)
        distance, geom, normal = np.full(n, -1.0), np.zeros(n, np.int32), None
        if np.ptp(origins, axis=0).max() == 0:
            d = directions.astype(float).ravel()
            mujoco.mj_multiRay(model, data, origins[0].astype(float), d, None, 1, -1, geom, distance, normal, n, far)
        else:
            one = np.zeros(1, np.int32)
            for i in range(n):
                distance[i] = mujoco.mj_ray(
                    model, data, origins[i].astype(float), directions[i].astype(float), None, 1, -1, one
                )
        return np.where((distance < 0) | (distance > far), np.inf, distance)

    return cast


def _pybullet(forest: PlainForest) -> Cast:
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    concave = pybullet.GEOM_FORCE_CONCAVE_TRIMESH
    with tempfile.TemporaryDirectory() as folder:

        def shape(name: str, vertices: np.ndarray, faces: np.ndarray, scale: float) -> int:
            path = Path(folder) / f"{name}.obj"
            if not path.exists():
                v = "".join(f"v {x:.5f} {y:.5f} {z:.5f}\n" for x, y, z in vertices)
                path.write_text(v + "".join(f"f {a} {b} {c}\n" for a, b, c in faces + 1))
            return pybullet.createCollisionShape(
                pybullet.GEOM_MESH, fileName=str(path), meshScale=[scale] * 3, flags=concave, physicsClientId=client
            )

        pybullet.createMultiBody(0, shape("terrain", forest.terrain.vertices, forest.terrain.faces, 1.0))
        shapes = {
            (k, s): shape(f"tree{k}", tree.vertices, tree.faces, float(scale))
            for k, tree in enumerate(forest.trees)
            for s, scale in enumerate(_SCALE_STEPS)
        }
        for X, kind in zip(forest.X_WO, forest.kinds, strict=True):
            s, yaw = _size(X)
            q = [0, 0, np.sin(yaw / 2), np.cos(yaw / 2)]
            pybullet.createMultiBody(0, shapes[int(kind), s], basePosition=X[:, 3].tolist(), baseOrientation=q)

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        ends = origins + directions * np.float32(far)
        fraction = np.empty(len(directions))
        most = pybullet.MAX_RAY_INTERSECTION_BATCH_SIZE - 1
        for i in range(0, len(directions), most):
            part = slice(i, i + most)
            answers = pybullet.rayTestBatch(origins[part].tolist(), ends[part].tolist(), numThreads=0)
            fraction[part] = [a[2] for a in answers]
        return np.where(fraction >= 1.0, np.inf, fraction * far)

    return cast


def _open3d(forest: PlainForest) -> Cast:
    import open3d

    scene = open3d.t.geometry.RaycastingScene()
    scene.add_triangles(*(open3d.core.Tensor(a) for a in forest.flat()))

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        rays = open3d.core.Tensor(np.hstack([origins, directions]))
        distance = scene.cast_rays(rays)["t_hit"].numpy()
        return np.where(distance > far, np.inf, distance)

    return cast


def _trimesh(forest: PlainForest) -> Cast:
    import trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    caster = RayMeshIntersector(trimesh.Trimesh(*forest.flat(), process=False))

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        distance = np.full(len(directions), np.inf)
        points, ray, _ = caster.intersects_location(origins, directions, multiple_hits=False)
        distance[ray] = np.linalg.norm(points - origins[ray], axis=1)
        return np.where(distance > far, np.inf, distance)

    return cast


PEERS: dict[str, Callable[[PlainForest], Cast]] = {
    "open3d": _open3d,
    "trimesh": _trimesh,
    "pybullet": _pybullet,
    "mujoco": _mujoco,
}


def installed_peers() -> list[str]:
    """Peers that are installed here."""
    return [name for name in PEERS if find_spec(name) is not None]


def build_peers(forest: PlainForest, names: list[str]) -> tuple[dict[str, Cast], dict[str, str]]:
    """Casts of the peers that could build the scene, and why the others could not."""
    casts, errors = {}, {}
    for name in names:
        try:
            casts[name] = PEERS[name](forest)
        except (ImportError, OSError) as error:
            errors[name] = f"does not start here: {error}"
    return casts, errors
