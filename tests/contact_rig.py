"""A small laboratory for contact: bodies of one geom in MuJoCo, and a world of meshes in a scene."""

import mujoco
import numpy as np

from volery.core.geometry import Mesh, grid
from volery.core.material import Material
from volery.physics.contact import hook
from volery.physics.contact.world import ContactWorld
from volery.world.scene.scene import Scene
from volery.world.world import Placement

STEP = 0.002
GROUND = Material("ground", friction=1.0)
"""Leaves the friction to the bodies."""


def scene_of(**meshes):
    """A scene of named meshes, each at the origin or, as (mesh, place), elsewhere."""
    scene = Scene()
    for name, item in meshes.items():
        mesh, place = item if isinstance(item, tuple) else (item, (0.0, 0.0, 0.0))
        scene.add(Placement.one(name, mesh, place))
    return scene


def floor(half=5.0, cells=10):
    """Level ground in squares, of two triangles each."""
    n = cells + 1
    return grid(np.zeros((n, n)), 2 * half / cells, (-half, -half), materials=(GROUND,))


def stair():
    """Ground that drops by half a metre at x = 0: a tread, a riser, a tread, welded."""
    y = np.linspace(-5.0, 5.0, 11)
    profile = np.array([(-5, 0), (-2.5, 0), (0, 0), (0, -0.5), (2.5, -0.5), (5, -0.5)], float)
    vertices = np.array([(x, b, z) for x, z in profile for b in y])
    i, j = np.meshgrid(np.arange(len(profile) - 1), np.arange(len(y) - 1), indexing="ij")
    a = (i * len(y) + j).ravel()
    b, c, d = a + len(y), a + len(y) + 1, a + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return Mesh(vertices, faces, (GROUND,), filled=True, name="stair")


class Rig:
    """Free bodies of one geom each in a world. geoms: MJCF attributes; places [n, 3]; turns: quaternions [n, 4]."""

    def __init__(
        self, scene, geoms, places, turns=None, *, gravity=(0, 0, -9.81), step=STEP, assets="", origin=(0, 0, 0)
    ):
        self.origin = np.array(origin, float)
        geoms = [geoms] if isinstance(geoms, str) else geoms
        places = np.atleast_2d(np.asarray(places, float)) + self.origin
        turns = np.tile([1.0, 0, 0, 0], (len(geoms), 1)) if turns is None else np.atleast_2d(turns)
        bodies = "".join(
            f'<body pos="{p[0]!r} {p[1]!r} {p[2]!r}" quat="{q[0]} {q[1]} {q[2]} {q[3]}"><freejoint/>'
            f'<geom name="g{i}" {g}/></body>'
            for i, (g, p, q) in enumerate(zip(geoms, places.tolist(), turns, strict=True))
        )  # fmt: skip
        spec = mujoco.MjSpec.from_string(
            f'<mujoco><option timestep="{step}" integrator="implicitfast" cone="elliptic" impratio="10" '
            f'gravity="{gravity[0]} {gravity[1]} {gravity[2]}"/><size memory="64M"/><asset>{assets}</asset>'
            f"<worldbody>{bodies}</worldbody></mujoco>"
        )
        hook.add_world(spec)
        hook.add_pairs(spec, [f"g{i}" for i in range(len(geoms))], step)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.world = ContactWorld(scene)
        hook.bind(self.model, self.data, self.world)
        self.refresh()
        mujoco.mj_kinematics(self.model, self.data)

    def refresh(self):
        self.world.refresh(self.data.qpos.reshape(-1, 7)[:, :3], set())

    def step(self, count=1):
        self.refresh()
        mujoco.mj_step(self.model, self.data, nstep=count)

    @property
    def p(self):
        return self.data.qpos[:3] - self.origin

    @property
    def v(self):
        return self.data.qvel[:3]

    @property
    def tilt(self):
        """Angle turned since upright [rad]."""
        return 2 * np.arccos(min(1.0, abs(self.data.qpos[3])))


def mesh_asset(mesh):
    vertices = " ".join(f"{v:.7f}" for v in mesh.vertices.ravel())
    return f'<mesh name="m" vertex="{vertices}"/>'
