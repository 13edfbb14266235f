"""Other libraries' rays on the same triangles; each is measured only where it is installed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["PEERS", "build_peers", "installed_peers", "write_obj"]

Cast = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
"""Origins [n, 3], directions [n, 3], range [m] → distances [n], infinite where nothing was hit."""
Builder = Callable[[np.ndarray, np.ndarray], Cast]
"""From vertices float32 [n, 3] and faces uint32 [m, 3]."""


def _mujoco(vertices: np.ndarray, faces: np.ndarray) -> Cast:
    import mujoco

    spec = mujoco.MjSpec()
    mesh = spec.add_mesh(name="all", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    mesh.uservert, mesh.userface = vertices.ravel().astype(float), faces.ravel().astype(int)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="all", contype=0, conaffinity=0)
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


def write_obj(path: Path, vertices: np.ndarray, faces: np.ndarray) -> Path:
    """A mesh as a Wavefront file, for libraries that only read files."""
    with open(path, "w", encoding="ascii") as file:
        np.savetxt(file, vertices, "v %.5f %.5f %.5f")
        np.savetxt(file, faces + 1, "f %d %d %d")
    return path


def _pybullet(vertices: np.ndarray, faces: np.ndarray) -> Cast:
    import pybullet

    pybullet.connect(pybullet.DIRECT)
    with tempfile.TemporaryDirectory() as folder:
        path = write_obj(Path(folder) / "all.obj", vertices, faces)
        concave = pybullet.GEOM_FORCE_CONCAVE_TRIMESH
        pybullet.createMultiBody(
            0, pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(path), flags=concave)
        )

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


def _open3d(vertices: np.ndarray, faces: np.ndarray) -> Cast:
    # Typed where it is installed, and unknown where not.
    open3d: Any = import_module("open3d")
    scene = open3d.t.geometry.RaycastingScene()
    scene.add_triangles(open3d.core.Tensor(vertices), open3d.core.Tensor(faces))

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        rays = open3d.core.Tensor(np.hstack([origins, directions]))
        distance = scene.cast_rays(rays)["t_hit"].numpy()
        return np.where(distance > far, np.inf, distance)

    return cast


def _trimesh(vertices: np.ndarray, faces: np.ndarray) -> Cast:
    import trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    caster = RayMeshIntersector(trimesh.Trimesh(vertices, faces, process=False))

    def cast(origins: np.ndarray, directions: np.ndarray, far: float) -> np.ndarray:
        distance = np.full(len(directions), np.inf)
        points, ray, _ = caster.intersects_location(origins, directions, multiple_hits=False)
        distance[ray] = np.linalg.norm(points - origins[ray], axis=1)
        return np.where(distance > far, np.inf, distance)

    return cast


PEERS: dict[str, Builder] = {"open3d": _open3d, "trimesh": _trimesh, "pybullet": _pybullet, "mujoco": _mujoco}


def installed_peers() -> list[str]:
    """Peers that are installed here."""
    return [name for name in PEERS if find_spec(name) is not None]


def build_peers(vertices: np.ndarray, faces: np.ndarray, names: list[str]) -> tuple[dict[str, Cast], dict[str, str]]:
    """Casts of the peers that could build the scene, and why the others could not."""
    casts, errors = {}, {}
    for name in names:
        try:
            casts[name] = PEERS[name](vertices, faces)
        except (ImportError, OSError) as error:
            errors[name] = f"does not start here: {error}"
    return casts, errors
