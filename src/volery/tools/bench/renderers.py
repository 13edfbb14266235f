"""Pictures by other libraries of the same triangles: colour and depth, drawn on this CPU without a window.

Each builder takes a scene and returns `draw(eye, yaw, width, height)`: the depth along the axis [h, w] [m], infinite or
far where nothing is. Pinhole cameras, 90° wide, that look along x turned by yaw [rad].
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from volery.tools.bench.near import FlatScene
from volery.tools.bench.peers import write_obj

__all__ = ["RENDERERS"]

Draw = Callable[[np.ndarray, float, int, int], np.ndarray]

_NEAR, _FAR = 0.05, 200.0
"""Planes of the rasterisers [m]."""
_LARGEST = (1920, 1080)


def _mujoco(scene: FlatScene) -> Draw:
    import mujoco

    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = _LARGEST
    for i, (vertices, faces, colour) in enumerate(scene.by_colour()):
        mesh = spec.add_mesh(name=f"part{i}", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        mesh.uservert, mesh.userface = vertices.ravel().astype(float), faces.ravel().astype(int)
        geom = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"part{i}", contype=0, conaffinity=0)
        geom.rgba = [*colour, 1.0]
    model = spec.compile()
    # The planes are given in units of the scene's extent.
    model.vis.map.znear, model.vis.map.zfar = _NEAR / model.stat.extent, _FAR / model.stat.extent
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    window = mujoco.GLContext(*_LARGEST)
    window.make_current()
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    view, option = mujoco.MjvScene(model, 10_000), mujoco.MjvOption()
    camera = mujoco.MjvCamera()
    camera.distance, camera.elevation = 1.0, 0.0

    def draw(eye: np.ndarray, yaw: float, width: int, height: int) -> np.ndarray:
        camera.lookat, camera.azimuth = eye + [np.cos(yaw), np.sin(yaw), 0.0], np.degrees(yaw)
        model.vis.global_.fovy = _up_deg(width, height)
        mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, view)
        rectangle = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(rectangle, view, context)
        colour, depth = np.empty((height, width, 3), np.uint8), np.empty((height, width), np.float32)
        mujoco.mjr_readPixels(colour, depth, rectangle, context)
        return _NEAR * _FAR / (_FAR - depth[::-1] * (_FAR - _NEAR))

    # It lives as long as the function.
    draw.window = window  # type: ignore[attr-defined]
    return draw


def _pybullet(scene: FlatScene, egl: bool) -> Draw:
    import pybullet

    pybullet.connect(pybullet.DIRECT)
    renderer = pybullet.ER_TINY_RENDERER
    if egl:
        plugin = find_spec("eglRenderer")
        if plugin is None or pybullet.loadPlugin(plugin.origin, "_eglRendererPlugin") < 0:
            raise OSError("its EGL plugin does not load")
        renderer = pybullet.ER_BULLET_HARDWARE_OPENGL
    with tempfile.TemporaryDirectory() as folder:
        for i, (vertices, faces, colour) in enumerate(scene.by_colour()):
            path = write_obj(Path(folder) / f"part{i}.obj", vertices, faces)
            shape = pybullet.createVisualShape(pybullet.GEOM_MESH, fileName=str(path), rgbaColor=[*colour, 1.0])
            pybullet.createMultiBody(0, -1, shape)

    def draw(eye: np.ndarray, yaw: float, width: int, height: int) -> np.ndarray:
        ahead = eye + [np.cos(yaw), np.sin(yaw), 0.0]
        _, _, _, depth, _ = pybullet.getCameraImage(
            width,
            height,
            pybullet.computeViewMatrix(eye.tolist(), ahead.tolist(), [0, 0, 1]),
            pybullet.computeProjectionMatrixFOV(_up_deg(width, height), width / height, _NEAR, _FAR),
            shadow=0,
            renderer=renderer,
            flags=pybullet.ER_NO_SEGMENTATION_MASK,
        )
        z = np.reshape(depth, (height, width))
        return _NEAR * _FAR / (_FAR - z * (_FAR - _NEAR))

    return draw


def _open3d(scene: FlatScene) -> Draw:
    import open3d
    from open3d.visualization import rendering

    windows: dict[tuple[int, int], rendering.OffscreenRenderer] = {}

    def window(width: int, height: int) -> rendering.OffscreenRenderer:
        if (width, height) not in windows:
            windows.clear()
            made = windows[width, height] = rendering.OffscreenRenderer(width, height)
            for i, (vertices, faces, colour) in enumerate(scene.by_colour()):
                mesh = open3d.geometry.TriangleMesh(
                    open3d.utility.Vector3dVector(vertices.astype(float)),
                    open3d.utility.Vector3iVector(faces.astype(np.int32)),
                )
                mesh.compute_vertex_normals()
                look = rendering.MaterialRecord()
                look.shader, look.base_color = "defaultLit", [*colour, 1.0]
                made.scene.add_geometry(f"part{i}", mesh, look)
        return windows[width, height]

    def draw(eye: np.ndarray, yaw: float, width: int, height: int) -> np.ndarray:
        made = window(width, height)
        camera = made.scene.camera
        camera.set_projection(90.0, width / height, _NEAR, _FAR, rendering.Camera.FovType.Horizontal)
        camera.look_at(eye + [np.cos(yaw), np.sin(yaw), 0.0], eye, [0, 0, 1])
        np.asarray(made.render_to_image())
        return np.asarray(made.render_to_depth_image(z_in_view_space=True))

    window(32, 32)
    return draw


def _open3d_rays(scene: FlatScene) -> Draw:
    # Typed where it is installed, and unknown where not.
    open3d: Any = import_module("open3d")
    caster = open3d.t.geometry.RaycastingScene()
    caster.add_triangles(open3d.core.Tensor(scene.vertices), open3d.core.Tensor(scene.faces))

    def draw(eye: np.ndarray, yaw: float, width: int, height: int) -> np.ndarray:
        ahead = eye + [np.cos(yaw), np.sin(yaw), 0.0]
        # Its `up` is that of the rows, which run downwards.
        rays = open3d.t.geometry.RaycastingScene.create_rays_pinhole(90.0, ahead, eye, [0, 0, -1], width, height)
        # Its rays have length 1 along the axis, so that this is the depth along it.
        return caster.cast_rays(rays)["t_hit"].numpy()

    return draw


def _up_deg(width: int, height: int) -> float:
    """Vertical field of view [degrees] of a picture 90° wide."""
    return float(2 * np.degrees(np.arctan(height / width)))


RENDERERS: dict[str, tuple[str, Callable[[FlatScene], Draw]]] = {
    "pybullet tiny": ("pybullet", lambda scene: _pybullet(scene, egl=False)),
    "pybullet egl": ("pybullet", lambda scene: _pybullet(scene, egl=True)),
    "mujoco": ("mujoco", _mujoco),
    "open3d": ("open3d", _open3d),
    "open3d rays (depth only)": ("open3d", _open3d_rays),
}
"""By name: the package it needs, and its builder."""
