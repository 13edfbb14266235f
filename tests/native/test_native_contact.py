"""The native kernels of contact: closed forms, what does not fit, and many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import mujoco
import numpy as np
import pytest

from contact_rig import Rig, floor, scene_of, stair
from volery._native import contact
from volery.core.geometry import box
from volery.physics.contact.voxelmap import voxel_map
from volery.physics.contact.world import ContactWorld
from volery.world.world import Placement

KIND = contact.ShapeKind
BOX = (
    np.array([(x, y, z) for x in (-0.2, 0.2) for y in (-0.3, 0.3) for z in (-0.1, 0.1)]),
    np.column_stack([np.concatenate([np.eye(3), -np.eye(3)]), np.tile([0.2, 0.3, 0.1], 2)]),
)
SHAPES = {
    KIND.sphere: ((0.1, 0.0, 0.0), 0.1),
    KIND.capsule: ((0.1, 0.3, 0.0), 0.4),
    KIND.ellipsoid: ((0.3, 0.2, 0.1), 0.1),
    KIND.cylinder: ((0.2, 0.1, 0.0), 0.1),
    KIND.box: ((0.2, 0.3, 0.1), 0.1),
    KIND.mesh: ((0.2, 0.3, 0.1), 0.1),
}


def world_of(**meshes):
    world = ContactWorld(scene_of(**meshes))
    world.refresh(np.zeros((1, 3)), set())
    return world


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_a_millimetre_in_the_ground_is_a_millimetre_deep(kind):
    size, height = SHAPES[kind]
    hull = contact.Polytope(*BOX) if kind in (KIND.box, KIND.mesh) else None
    world, p_W = world_of(ground=floor()), np.array([0.13, 0.21, height - 1e-3])
    dist, point, normal, row = contact.collide(world.native, kind, np.array(size), hull, p_W, np.eye(3), 0.0)
    assert len(dist) > 0 and dist == pytest.approx(-1e-3, abs=1e-9)
    assert normal == pytest.approx(np.tile([0, 0, 1], (len(dist), 1)), abs=1e-9)
    assert point[:, 2] == pytest.approx(0.5e-3 - height, abs=1e-9)
    assert {world.object_name(r) for r in row} == {"ground"}


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_a_place_that_is_nowhere_touches_nothing(bad):
    world, out = world_of(ground=floor()), (np.empty((1, 3)), np.empty(1), np.empty(1, np.int64))
    for axis in range(3):
        p_W = np.zeros((1, 3))
        p_W[0, axis] = bad
        contact.touch(world.native, p_W, np.full(1, 0.1), *out)
        assert out[2].tolist() == [-1] and out[1].tolist() == [0]


def test_what_is_own_is_no_part_of_the_world():
    world, p_W = ContactWorld(scene_of(far=(floor(), (0, 0, -9.0)))), np.array([[0.1, 0.2, 0.05]])
    world.scene.add(Placement.one("car", box((1.0, 1.0, 0.1)), (0, 0, 0)), group="car")
    out = np.empty((1, 3)), np.empty(1), np.empty(1, np.int64)
    for own, other in (({"bus"}, True), ({"car"}, False), ({"bus", "car"}, False), (set(), True)):
        world.refresh(p_W, own)
        contact.touch(world.native, p_W, np.full(1, 0.1), *out)
        assert (out[2][0] >= 0) == other
    # Also where what moves is looked at for the sake of another.
    world.scene.add(Placement.one("bus", box((1.0, 1.0, 1.0)), (3, 0, 0)), group="bus")
    world.refresh(p_W, {"car"})
    contact.touch(world.native, p_W, np.full(1, 0.1), *out)
    assert out[2][0] == -1


def test_what_does_not_fit_is_named():
    world, p_W, normal = world_of(ground=floor()).native, np.zeros((2, 3)), np.zeros((2, 3))
    depth, row = np.zeros(2), np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="radius: has 1 rows; expected 2"):
        contact.touch(world, p_W, np.ones(1), normal, depth, row)
    with pytest.raises(TypeError, match=r"row: expected int64 \[\*\], got int32"):
        contact.touch(world, p_W, np.ones(2), normal, depth, row.astype(np.int32))
    with pytest.raises(ValueError, match="gap: has 3 rows"):
        contact.room(world, p_W, np.ones(2), 1.0, np.zeros(3), normal)
    with pytest.raises(ValueError, match="hull: a box or mesh needs one"):
        contact.collide(world, KIND.box, np.ones(3), None, np.zeros(3), np.eye(3), 0.0)
    with pytest.raises(ValueError, match="groups: there is no such group"):
        world.set_own(np.array([-1]))
    with pytest.raises(ValueError, match="hull: there is no such hull"):
        world.bind_geoms(0, np.zeros(1, np.int64), np.zeros(1), np.ones(1, np.int64), [])
    with pytest.raises(ValueError, match="slip: has 1 rows"):
        world.bind_geoms(0, np.zeros(2, np.int64), np.zeros(1), np.ones(2, np.int64), [])
    with pytest.raises(TypeError, match="planes"):
        contact.Polytope(BOX[0], BOX[1][:, :3].copy())
    with pytest.raises(RuntimeError, match="no table of collision functions"):
        contact.CollisionTable("/nowhere/libmujoco.so")


def test_what_does_not_fit_a_scan_is_named():
    voxels, heights = voxel_map(box((1.0, 1.0, 1.0)), 0.1), np.zeros((3, 2, 5, 5))
    with pytest.raises(ValueError, match="heights: expected n × n rays"):
        contact.surface_of(np.zeros((3, 2, 5, 4)), 0.1)
    with pytest.raises(ValueError, match="resolution"):
        contact.surface_of(heights, 0.0)
    with pytest.raises(ValueError, match="occupancy: has 2 rows"):
        contact.count_inside(voxels, np.zeros((3, 3)), np.ones(2, np.int8), np.eye(3), np.zeros(3))
    patches, body, law = (np.zeros(n, t) for n, t in ((0, contact.Patch), (2, contact.ScanBody), (1, contact.ScanLaw)))
    with pytest.raises(ValueError, match="body: has 2 rows; expected 1"):
        contact.push_of(voxels, patches, body, law, np.zeros(6), 1.0)
    with pytest.raises(ValueError, match="blocks"):
        corners = np.zeros((1, 3, 3))
        contact.VoxelMap(np.zeros(3), 0.1, np.array([1, 0, 1]), corners, np.zeros((1, 7, 3)))
    found, rise = contact.depths(voxels, np.array([(np.nan, 0.0, 0.0), (1e300, 0.0, 0.0), (0.0, 0.0, 0.3)]))
    assert found[0] == -np.inf and found[1] < -1e299 and found[2] == pytest.approx(0.2)
    assert not rise[:2].any() and rise[2] == pytest.approx([0, 0, -1])


def test_threads_that_ask_one_world_at_once_are_told_the_same():
    world = world_of(stair=stair(), block=(box((0.5, 0.5, 0.5)), (0.6, 0.0, 0.0)))
    p_W = np.random.default_rng(0).uniform((-1, -1, -0.7), (1, 1, 0.4), (3000, 3))

    def ask(_):
        out = np.empty((len(p_W), 3)), np.empty(len(p_W)), np.empty(len(p_W), np.int64)
        contact.touch(world.native, p_W, np.full(len(p_W), 0.2), *out)
        return [a.tobytes() for a in out]

    before = world.asked
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(ask, range(8)))
    assert all(t == ask(0) for t in told)
    assert world.asked - before == (8 + 8) * len(p_W)


def test_simulations_step_in_threads_as_they_do_one_after_the_other():
    cube = 'type="box" size=".25 .25 .25" mass="10" friction=".5 0 0"'

    def rigs():
        return [Rig(scene_of(stair=stair()), cube, (0.01 * k, 0.0, 0.4)) for k in range(4)]

    def step(rig):
        mujoco.mj_step(rig.model, rig.data, nstep=400)
        return rig.data.qpos.tobytes()

    alone = [step(rig) for rig in rigs()]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(step, rigs())) == alone


def test_data_of_a_world_that_is_gone_do_not_touch_the_next_one():
    old = Rig(scene_of(ground=floor()), 'size=".25" mass="1"', (0.0, 0.0, 0.2))
    for _ in range(5):
        model, data = old.model, old.data
        mujoco.mj_step(model, data)
        assert old.world.asked > 0
        old = Rig(scene_of(ground=floor()), 'size=".25" mass="1"', (0.0, 0.0, 0.2))
        mujoco.mj_step(model, data)
        assert old.world.asked == 0
