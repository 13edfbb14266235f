"""Contact from scan points: depth and volume against closed forms; a cube rests, holds on a slope, slides, tips off."""

import numpy as np
import pytest

from volery._native.contact import Piece, cut, depths
from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_euler, transform
from volery.core.rng import generator
from volery.errors import GeometryError
from volery.physics.contact.scanpoints import ScanBody, ScanContact, ScanMaterial
from volery.physics.contact.scansurface import heights_of, surface_of
from volery.physics.contact.voxelmap import voxel_map
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.scanner import Scanner, ScannerConfig
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

MASS, G, SPACING = 100.0, 9.80665, 0.022
CUBE = geometry.box((1.0, 1.0, 1.0))


class Rig:
    """A cube of 1 m and 100 kg with a real scanner in a scene, moved by contact from its scans."""

    def __init__(self, p, rpy=(0.0, 0.0, 0.0), material=None, **things):
        self.scene = Scene()
        for name, (mesh, place) in things.items():
            self.scene.add(Placement.one(name, mesh, place))
        robot = Robot("cube", load_robot_file("probe").description())
        robot.show(self.scene)
        config = ScannerConfig(resolution=SPACING, extent=0.55, range=1.0)
        self.scanner = Scanner("scanner", config, robot, Environment(self.scene), generator(0, "cube"))
        pose = (np.array(p, float), quat_from_euler(np.array(rpy, float)))
        self.body = ScanBody(MASS, np.eye(3) * MASS / 6, *pose, np.zeros(3), np.zeros(3), np.zeros(3))
        self.contact = ScanContact(CUBE, SPACING, material)

    def look(self):
        self.scanner.robot.set_pose(self.body.p_WB, self.body.q_WB_wxyz)
        self.scanner.robot.update()
        data = self.scanner.sense(0)
        X = transform(self.body.q_WB_wxyz, self.body.p_WB)
        # As the bus carries them.
        self.contact.look(data["points"].astype(np.float32), data["occupancy"].astype(np.float32), X)

    def step(self, count=1):
        for _ in range(count):
            self.look()
            touch = self.contact.advance(self.body, 0.01)
        return touch

    @property
    def tilt(self):
        return 2 * np.arctan2(self.body.q_WB_wxyz[2], self.body.q_WB_wxyz[0])


GROUND = (geometry.plane(40.0), (0.0, 0.0, 0.0))


def test_depth_is_that_of_the_mesh_not_of_the_layer():
    points = np.random.default_rng(0).uniform(-0.56, 0.56, (3000, 3))
    voxels = voxel_map(CUBE, 0.05)
    q = np.abs(points) - 0.5
    exact = -(np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0))
    found, rise = depths(voxels, points)
    assert found == pytest.approx(exact, abs=1e-12)
    step = 1e-7
    assert (depths(voxels, points + step * rise)[0] >= exact + 0.4 * step).all()
    inside = np.floor((points - voxels.origin) / voxels.size).astype(int)
    assert np.abs(voxels.layers[tuple(inside.T)] - exact / 0.05).max() < 2.0


def test_a_hollow_of_the_mesh_is_outside():
    # An L of two boxes cut from one outline: concave along an edge.
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    n = len(outline)
    vertices = np.concatenate([np.c_[outline, np.zeros(n)], np.c_[outline, np.ones(n)]])
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [(c, b, a) for a, b, c in caps] + [(a + n, b + n, c + n) for a, b, c in caps]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, j + n), (i, j + n, i + n)]
    voxels = voxel_map(geometry.Mesh(vertices, faces), 0.1)
    found, _ = depths(voxels, np.array([(1.3, 1.2, 0.5), (0.9, 0.9, 0.5), (0.3, 1.5, 0.5)]))
    assert found == pytest.approx([-0.2, np.hypot(0.1, 0.1), 0.3])


def test_an_open_mesh_has_no_depth():
    with pytest.raises(GeometryError, match="not closed"):
        voxel_map(geometry.plane(1.0), 0.1)


def test_the_volume_that_a_plane_cuts_off_a_cube():
    rng, voxels = np.random.default_rng(1), voxel_map(CUBE, 0.05)
    s = (np.arange(500) + 0.5) / 500
    u, v = (a[..., None] for a in np.meshgrid(s, s))
    for size in (0.2, 1.6):
        for _ in range(6):
            q = rng.normal(size=4)
            R = matrix_from_quat(q / np.linalg.norm(q))
            corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) @ R.T
            middle = corners[corners[:, 2].argmin()] + [0, 0, rng.uniform(0.01, 0.05)]
            quad = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * size / 2 + middle
            pieces = cut(voxels, np.ascontiguousarray(quad @ R), 1e-6).view(Piece)
            p = (quad[0] + u * (quad[1] - quad[0]) + v * (quad[3] - quad[0])) @ R
            depth = np.maximum((0.5 - np.abs(p)).min(axis=-1), 0.0)
            volume = depth.mean() * size**2
            assert pieces["volume"].sum() == pytest.approx(volume, rel=0.03)
            place = np.average(pieces["place"][:, 0], axis=0, weights=pieces["volume"][:, 0])
            assert np.abs(place - (p * depth[..., None]).sum(axis=(0, 1)) / depth.sum()).max() < 2e-3


@pytest.mark.parametrize("tilt", [0.0, 0.05, 0.3, 0.55, 0.9])
def test_the_scan_finds_the_edge_of_a_stair_between_its_rays(tilt):
    block = (geometry.box((4.0, 6.0, 2.0)), (-2.0, 0.0, -1.0))
    q = quat_from_euler(np.array([0.0, tilt, 0.0]))
    rig = Rig(matrix_from_quat(q) @ [0.107, 0.0, 0.499], (0.0, tilt, 0.0), block=block)
    rig.look()
    X = transform(q, rig.body.p_WB)
    surface = surface_of(heights_of(rig.contact._points, rig.contact._occupancy, X), SPACING)
    corners = surface["corner"] @ X[:, :3].T + X[:, 3]
    normals = surface["normal"] @ X[:, :3].T
    tread, riser = np.abs(normals[:, 2]) > 0.999, np.abs(normals[:, 0]) > 0.999
    assert tread.any() and riser.any()
    assert corners[tread, :, 0].max() == pytest.approx(0.0, abs=SPACING / 4)
    assert corners[riser, :, 2].max() == pytest.approx(0.0, abs=SPACING / 4)


def test_each_piece_of_surface_counts_once_at_any_attitude():
    """The force on a cube held in the ground: pressure times depth over what is cut, whichever rays saw it."""
    rng = np.random.default_rng(3)
    for _ in range(8):
        rpy = rng.uniform(-3, 3, 3)
        R = matrix_from_quat(quat_from_euler(rpy))
        low = -0.5 * np.abs(R[2]).sum()
        rig = Rig((0.0, 0.0, -low - 0.08), rpy, ScanMaterial(stiffness=1e6), ground=GROUND)
        rig.look()
        touch = rig.contact.ask(rig.body)
        s = np.linspace(-1.0, 1.0, 1201)
        p = np.stack([*np.meshgrid(s, s), np.zeros((1201, 1201))], axis=-1) - rig.body.p_WB
        depth = np.maximum((0.5 - np.abs(p @ R)).min(axis=-1), 0.0)
        assert touch.force_W[2] == pytest.approx(1e6 * depth.sum() * (s[1] - s[0]) ** 2, rel=0.03)
        assert np.abs(touch.force_W[:2]).max() < 0.01 * touch.force_W[2]
        assert touch.points > 0 and 0.0 < touch.penetration <= depth.max() + 1e-6


def test_a_dropped_cube_comes_to_rest_and_stays():
    rig = Rig((0.0, 0.0, 0.8), ground=GROUND)
    rig.step(60)
    p, q = rig.body.p_WB.copy(), rig.body.q_WB_wxyz.copy()
    for _ in range(100):
        touch = rig.step()
        assert np.abs(touch.torque_W).max() < 1e-6 * MASS * G
        assert touch.force_W == pytest.approx([0, 0, MASS * G], abs=0.05)
    assert np.abs(rig.body.p_WB - p).max() < 1e-7 and np.abs(rig.body.q_WB_wxyz - q).max() < 1e-9
    assert p[2] == pytest.approx(0.5, abs=2e-5)


def test_a_cube_dropped_on_its_corner_comes_to_rest_flat():
    rig = Rig((0.013, 0.007, 1.2), (0.3, 0.5, 0.4), ground=GROUND)
    rig.step(180)
    p, q = rig.body.p_WB.copy(), rig.body.q_WB_wxyz.copy()
    touch = rig.step(60)
    assert np.abs(rig.body.p_WB - p).max() < 1e-6 and np.abs(rig.body.q_WB_wxyz - q).max() < 1e-6
    assert np.abs(touch.torque_W).max() < 1e-2 * MASS * G * 0.5
    assert p[2] == pytest.approx(0.5, abs=2e-5)


def test_friction_holds_on_a_slope_and_slips_on_a_steeper_one():
    tilt = np.radians(20.0)
    q = quat_from_euler(np.array([0.0, tilt, 0.0]))
    n = matrix_from_quat(q)[:, 2]
    slope = (geometry.plane(40.0).moved(matrix_from_quat(q)), (0.0, 0.0, 0.0))
    holds = Rig(0.5 * n, (0.0, tilt, 0.0), ScanMaterial(friction=0.5), ground=slope)
    holds.step(50)
    p = holds.body.p_WB.copy()
    holds.step(100)
    assert np.abs(holds.body.p_WB - p).max() < 1e-5
    slips = Rig(0.5 * n, (0.0, tilt, 0.0), ScanMaterial(friction=0.2), ground=slope)
    slips.step(50)
    speed = G * (np.sin(tilt) - 0.2 * np.cos(tilt)) * 0.5
    assert np.linalg.norm(slips.body.v_WB_W) == pytest.approx(speed, rel=0.03)


def pivot_time(x, until):
    """When a cube that turns about an edge x beside its middle, from rest, has tipped so far [s]."""
    angle, speed, t, dt = 0.0, 0.0, 0.0, 1e-5
    while angle < until:
        speed += G * (0.5 * np.sin(angle) + x * np.cos(angle)) / (1 / 6 + 0.25 + x * x) * dt
        angle += speed * dt
        t += dt
    return t


def test_a_cube_on_a_stair_edge_tips_off_and_comes_to_rest_below():
    block = (geometry.box((4.0, 6.0, 2.0)), (-2.0, 0.0, -1.0))
    below = (geometry.plane(40.0), (0.0, 0.0, -2.0))
    rig = Rig((0.107, 0.0, 0.5), material=ScanMaterial(friction=0.8), block=block, ground=below)
    tilts = [0.0]
    while tilts[-1] < 0.65:
        rig.step()
        tilts.append(rig.tilt)
    for tilt in (0.3, 0.6):
        when = np.interp(tilt, tilts, np.arange(len(tilts)) * 0.01)
        assert when == pytest.approx(pivot_time(0.107, tilt), rel=0.06)
    rig.step(140)
    assert rig.body.p_WB[2] == pytest.approx(-1.5, abs=1e-4) and rig.body.p_WB[0] > 0.5
    assert np.linalg.norm(rig.body.v_WB_W) < 1e-3


def test_a_cube_behind_the_edge_stays():
    block = (geometry.box((4.0, 6.0, 2.0)), (-2.0, 0.0, -1.0))
    rig = Rig((-0.05, 0.0, 0.5), block=block)
    rig.step(60)
    p = rig.body.p_WB.copy()
    rig.step(40)
    assert np.abs(rig.body.p_WB - p).max() < 1e-5 and abs(rig.tilt) < 1e-3


def test_the_same_scans_give_the_same_bytes():
    ends = []
    for _ in range(2):
        rig = Rig((0.013, 0.007, 0.9), (0.3, 0.5, 0.4), ground=GROUND)
        rig.step(30)
        ends.append(np.concatenate([rig.body.p_WB, rig.body.q_WB_wxyz, rig.body.v_WB_W]).tobytes())
    assert ends[0] == ends[1]


def test_half_a_scan_is_refused():
    with pytest.raises(GeometryError, match="six faces"):
        ScanContact(CUBE, SPACING).look(np.zeros((100, 3)), np.zeros(100), np.eye(3, 4))
