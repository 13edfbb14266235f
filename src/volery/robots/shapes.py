"""Triangles of a MuJoCo model's geoms: what rays see of a robot."""

from __future__ import annotations

import mujoco
import numpy as np

from volery.core.frames import matrix_from_quat, quat_normalise
from volery.core.geometry import Mesh, box, capsule, cylinder, ellipsoid, sphere
from volery.core.material import Material

__all__ = ["body_mesh", "colour_material", "visible_geoms"]

_GEOM = mujoco.mjtGeom
_MESH = int(_GEOM.mjGEOM_MESH)
_HIDDEN_GROUP = 3
"""MuJoCo's viewers hide geom groups from 3 on; collision-only shapes live there by custom."""
_BODY_TEMPERATURE = 303.15
"""Motors and electronics are warmer than the air [K]."""

_PRIMITIVES = {
    int(_GEOM.mjGEOM_SPHERE): lambda s: sphere(s[0], 24),
    int(_GEOM.mjGEOM_CAPSULE): lambda s: capsule(s[0], 2 * s[1]),
    int(_GEOM.mjGEOM_ELLIPSOID): lambda s: ellipsoid(s, 24),
    int(_GEOM.mjGEOM_CYLINDER): lambda s: cylinder(s[0], 2 * s[1], 24),
    int(_GEOM.mjGEOM_BOX): lambda s: box(2 * s),
}


def visible_geoms(model: mujoco.MjModel, body: int) -> list[int]:
    """Geoms that show a body: those meant for the eye if it has any, else those that collide."""
    start = int(model.body_geomadr[body])
    if start < 0:
        return []
    kinds = {*_PRIMITIVES, _MESH}
    geoms = [g for g in range(start, start + int(model.body_geomnum[body])) if int(model.geom_type[g]) in kinds]
    geoms = [g for g in geoms if model.geom_group[g] < _HIDDEN_GROUP]
    visual = [g for g in geoms if model.geom_contype[g] == 0 and model.geom_conaffinity[g] == 0]
    return visual or geoms


def body_mesh(model: mujoco.MjModel, geom: int, materials: dict[str, Material]) -> Mesh:
    """A geom's triangles in its body's frame; materials: those of its model that a robot file says more about."""
    kind = int(model.geom_type[geom])
    mesh = _asset(model, int(model.geom_dataid[geom])) if kind == _MESH else _PRIMITIVES[kind](model.geom_size[geom])
    material = colour_material(model.geom_rgba[geom], model.geom_matid[geom], model, materials)
    R = matrix_from_quat(quat_normalise(model.geom_quat[geom]))
    return mesh.of(material).moved(R, model.geom_pos[geom])


def _asset(model: mujoco.MjModel, i: int) -> Mesh:
    vertices = slice(model.mesh_vertadr[i], model.mesh_vertadr[i] + model.mesh_vertnum[i])
    faces = slice(model.mesh_faceadr[i], model.mesh_faceadr[i] + model.mesh_facenum[i])
    return Mesh(model.mesh_vert[vertices], model.mesh_face[faces], name=model.mesh(i).name or f"mesh{i}")


def colour_material(rgba: np.ndarray, material: int, model: mujoco.MjModel, materials: dict[str, Material]) -> Material:
    """A robot's surface: as its file says, else of its MuJoCo material's colour, else of the shape's own."""
    if material >= 0 and model.mat(material).name in materials:
        return materials[model.mat(material).name]
    colour = model.mat_rgba[material] if material >= 0 else rgba
    red, green, blue = (round(float(c), 4) for c in colour[:3])
    return Material(
        f"robot #{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}",
        colour=(red, green, blue),
        label="robot",
        roughness=0.5,
        transparency=round(1.0 - float(colour[3]), 4),
        reflectivity=0.4,
        temperature=_BODY_TEMPERATURE,
    )
