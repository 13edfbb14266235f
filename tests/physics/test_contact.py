"""Contact with the world: rest, sliding, tipping and rolling against what paper says."""

import mujoco
import numpy as np
import pytest

from contact_rig import (
    GROUND,
    STEP,
    Rig,
    floor,
    mesh_asset,
    scene_of,
    stair,
)
from volery._native.contact import touch
from volery.core.frames import quat_from_euler
from volery.core.geometry import Mesh, box, cylinder, grid, merge, plane, sphere
from volery.core.material import Material
from volery.errors import LibraryError, UnknownNameError
from volery.physics.contact import hook
from volery.physics.contact.world import ContactWorld
from volery.world.scene.solidity import face_sides
from volery.world.world import Placement

SLIDING = 'mass="10" friction=".5 0 0"'
CUBE = f'type="box" size=".25 .25 .25" {SLIDING}'
BALL = f'type="sphere" size=".25" {SLIDING}'
ON_SIDE = np.array([np.sqrt(0.5), np.sqrt(0.5), 0, 0])
"""The axis z of a geom along y: a wheel."""


SHAPES = {
    "cube": (CUBE, 0.25, None, ""),
    "ball": (BALL, 0.25, None, ""),
    "capsule": (f'type="capsule" size=".1 .2" {SLIDING}', 0.1, ON_SIDE, ""),
    "wheel": (f'type="cylinder" size=".2 .05" {SLIDING}', 0.2, ON_SIDE, ""),
    "puck": (f'type="cylinder" size=".2 .05" {SLIDING}', 0.05, None, ""),
    "ellipsoid": (f'type="ellipsoid" size=".3 .2 .1" {SLIDING}', 0.1, None, ""),
    "mesh cube": (f'type="mesh" mesh="m" {SLIDING}', 0.25, None, mesh_asset(box((0.5, 0.5, 0.5)))),
    "mesh drum": (f'type="mesh" mesh="m" {SLIDING}', 0.1, None, mesh_asset(cylinder(0.3, 0.2, 24))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_dropped_body_rests_within_a_tenth_of_a_millimetre(shape):
    geom, height, turn, asset = SHAPES[shape]
    rig = Rig(scene_of(ground=floor()), geom, (0.13, 0.21, height + 0.5), turn, assets=asset)
    rig.step(2000)
    assert rig.p[2] == pytest.approx(height, abs=1e-4)
    assert rig.p[:2] == pytest.approx([0.13, 0.21], abs=2e-4)
    assert np.linalg.norm(rig.data.qvel) < 1e-8
    assert rig.data.ncon > 0


def test_the_deepest_dip_of_a_hard_landing_is_the_way_of_one_step():
    rig = Rig(scene_of(ground=floor()), CUBE, (0.13, 0.21, 0.75))
    lowest = min(_heights(rig, 400))
    assert 0.25 - 3.14 * STEP < lowest < 0.25 - 1e-3


def _heights(rig, steps):
    for _ in range(steps):
        rig.step()
        yield rig.p[2]


@pytest.mark.parametrize("shape", ["cube", "mesh cube", "puck"])
def test_a_sliding_body_stops_where_coulomb_says(shape):
    geom, height, turn, asset = SHAPES[shape]
    rig = Rig(scene_of(ground=floor()), geom, (-2.0, 0.21, height), turn, assets=asset)
    rig.data.qvel[0] = 2.0
    rig.step(1000)
    assert rig.p[0] + 2.0 == pytest.approx(2.0**2 / (2 * 0.5 * 9.81), rel=5e-3)
    assert abs(rig.p[1] - 0.21) < 1e-3 and np.linalg.norm(rig.v) < 1e-8


@pytest.mark.parametrize("shape", ["cube", "mesh cube"])
def test_a_cube_over_a_stair_tips_in_the_time_of_a_rigid_one(shape):
    geom, _, _, asset = SHAPES[shape]
    rig = Rig(scene_of(stair=stair()), geom, (0.05, 0.0, 0.30), assets=asset)
    start = rig.data.xmat[1].reshape(3, 3).copy()
    tipped = None
    for k in range(2000):
        rig.step()
        turned = start.T @ rig.data.xmat[1].reshape(3, 3)
        if tipped is None and np.arccos((np.trace(turned) - 1) / 2) > np.pi / 4:
            tipped = (k + 1) * STEP
    assert tipped == pytest.approx(0.497, rel=0.02)
    assert rig.p[2] == pytest.approx(-0.25, abs=1e-4) and rig.p[0] > 0.2


@pytest.mark.parametrize("shape", ["ball", "wheel"])
@pytest.mark.parametrize("cells", [10, 100])
def test_rolling_does_not_feel_the_triangles(shape, cells):
    geom, height, turn, _ = SHAPES[shape]
    rig = Rig(scene_of(ground=floor(cells=cells)), geom, (-4.0, 0.21, height), turn)
    _roll(rig, 3.0, height)
    assert rig.v[0] == pytest.approx(3.0, abs=2e-3)
    assert abs(rig.p[1] - 0.21) < 1e-4


def _roll(rig, speed, radius, steps=1000, limit=1e-3):
    """Let a round body roll along x."""
    R = rig.data.xmat[1].reshape(3, 3)
    rig.data.qvel[0] = speed
    rig.data.qvel[3:6] = R.T @ [0, speed / radius, 0]
    rig.step(50)
    worst = 0.0
    for _ in range(steps):
        rig.step()
        worst = max(worst, abs(rig.v[2]))
    assert worst < limit


def test_a_wheel_climbs_a_step_it_can_climb_and_no_other():
    """A driven wheel of radius r, sticking, climbs a step h if the drive torque beats the weight about the edge."""
    for height, climbs in ((0.05, True), (0.25, False)):
        scene = scene_of(ground=floor(), step=(box((2.0, 4.0, height), materials=(GROUND,)), (2.0, 0.0, height / 2)))
        rig = Rig(scene, 'type="cylinder" size=".2 .05" mass="5" friction="1.2 0 0"', (0.5, 0.0, 0.2), ON_SIDE)
        for _ in range(1500):
            rig.data.xfrc_applied[1] = [0, 0, 0, 0, 8.0 if climbs else 4.0, 0]
            rig.step()
            if rig.p[0] > 1.6:
                break
        assert (rig.p[0] > 1.3) == climbs, (height, rig.p)
        assert rig.p[2] > 0.19


def test_a_wheel_meets_the_edge_of_a_step_at_the_edge():
    scene = scene_of(ground=floor(), step=(box((2.0, 4.0, 0.1), materials=(GROUND,)), (2.0, 0.0, 0.05)))
    x = 1.0 - np.sqrt(0.2**2 - 0.1**2) + 2e-4
    rig = Rig(scene, 'type="cylinder" size=".2 .05"', (x, 0.0, 0.2 - 1e-5), ON_SIDE)
    mujoco.mj_forward(rig.model, rig.data)
    normals = rig.data.contact.frame[:, :3]
    edge = normals[normals[:, 0] < -0.5]
    assert len(edge) >= 1
    assert edge[0] == pytest.approx([-np.sqrt(0.75), 0, 0.5], abs=2e-3)
    assert (np.abs(normals[:, 2]) > 0.49).all()


def test_a_ridge_carries_a_cube_that_balances_across_it():
    """Edge on edge: the force goes straight up, not along a face of the cube."""
    z = np.array([[-1.0, -1.0], [0.0, 0.0], [-1.0, -1.0]])
    turn = quat_from_euler(np.array([np.pi / 4, 0.0, 0.0]))
    rig = Rig(scene_of(ridge=grid(z, 1.0, (-1.0, -0.5))), CUBE, (0.0, 0.0, 0.25 * np.sqrt(2) - 1e-3), turn)
    mujoco.mj_forward(rig.model, rig.data)
    assert rig.data.ncon == 1
    assert rig.data.contact.frame[0, :3] == pytest.approx([0, 0, 1], abs=1e-6)
    assert rig.data.contact.dist[0] == pytest.approx(-1e-3, abs=1e-5)


@pytest.mark.parametrize("shape", ["cube", "wheel", "ball", "mesh drum"])
def test_a_hundred_kilometres_from_home_is_like_at_home(shape):
    geom, height, turn, asset = SHAPES[shape]
    ends = []
    for origin in ((0.0, 0.0, 0.0), (102_400.0, -81_920.0, 0.0)):
        rig = Rig(
            scene_of(ground=(floor(), origin)), geom, (0.13, 0.21, height + 0.3), turn, assets=asset, origin=origin
        )
        rig.data.qvel[0] = 1.0
        rig.step(600)
        ends.append(rig.p.copy())
    assert ends[1] == pytest.approx(ends[0], abs=1e-6)


def test_a_body_crosses_the_border_of_a_cell_without_a_jolt():
    """Cells of 1024 m: the border is at x = 512 m."""
    rig = Rig(scene_of(ground=(floor(), (512.0, 0, 0))), BALL, (-2.0, 0.21, 0.25), origin=(512.0, 0.0, 0.0))
    _roll(rig, 3.0, 0.25)
    assert rig.p[0] > 2.0


def test_friction_is_that_of_the_body_times_that_of_the_material():
    ice, rubber = Material("ice", friction=0.1), Material("rubber", friction=1.0)
    for material, mu in ((ice, 0.05), (rubber, 0.5)):
        rig = Rig(scene_of(ground=grid(np.zeros((3, 3)), 5.0, (-5, -5), materials=(material,))), CUBE, (-2, 0.2, 0.25))
        rig.data.qvel[0] = 1.0
        rig.step(1200)
        assert rig.p[0] + 2.0 == pytest.approx(1.0 / (2 * mu * 9.81), rel=0.02)


def test_what_is_not_solid_is_passed_through():
    leaves = Material("leaves", solid=False)
    scene = scene_of(ground=floor(), bush=(sphere(0.5, materials=(leaves,)), (0, 0, 1.0)))
    rig = Rig(scene, BALL, (0.0, 0.0, 2.0))
    rig.step(1500)
    assert rig.p[2] == pytest.approx(0.25, abs=1e-4)


def test_robots_own_surfaces_are_no_world_but_those_of_others_are():
    scene = scene_of(ground=floor())
    for name in ("mine", "other"):
        scene.add(Placement.one(name, box((0.4, 0.4, 0.4), materials=(GROUND,)), (0, 0, 0.2)), group=name)
    rig = Rig(scene, BALL, (0.0, 0.0, 1.0))
    rig.world.refresh(rig.data.qpos[None, :3], {"mine", "other"})
    mujoco.mj_step(rig.model, rig.data, nstep=1500)
    assert rig.p[2] == pytest.approx(0.25, abs=1e-3)
    rig = Rig(scene, BALL, (0.0, 0.0, 1.0))
    rig.world.refresh(rig.data.qpos[None, :3], {"mine"})
    mujoco.mj_step(rig.model, rig.data, nstep=1500)
    assert rig.p[2] == pytest.approx(0.65, abs=1e-3)
    rows = hook.world_rows(rig.model, rig.data, rig.world)
    assert [rig.world.object_name(r) for r in rows] == ["other"] * len(rows) and len(rows) > 0


def test_a_contact_knows_what_it_touches():
    scene = scene_of(ground=floor(), wall=(box((0.2, 4, 4), materials=(GROUND,)), (0.35, 0, 2)))
    rig = Rig(scene, [CUBE, CUBE], [(0.0, 0.0, 0.25 - 1e-4), (0.0, 0.0, 0.75 - 3e-4)])
    rig.step()
    rows = hook.world_rows(rig.model, rig.data, rig.world)
    names = [rig.world.object_name(r) if r >= 0 else "body" for r in rows]
    normals = rig.data.contact.frame[:, :3]
    assert set(names) == {"ground", "wall", "body"}
    for name, normal in zip(names, normals, strict=True):
        assert abs(normal[0]) == pytest.approx(1.0 if name == "wall" else 0.0, abs=1e-6)


def test_what_moves_is_where_it_is_now():
    scene = scene_of(ground=floor())
    lift = scene.add(Placement.one("lift", box((2, 2, 0.2), materials=(GROUND,)), (0, 0, 0.1)), moving=True)
    rig = Rig(scene, CUBE, (0.0, 0.0, 0.45))
    for k in range(500):
        X = np.eye(3, 4)
        X[2, 3] = 0.1 + 1e-3 * k
        lift.move(X)
        rig.step()
    # It lags: contacts know places, not speeds, of what moves by itself.
    assert rig.p[2] == pytest.approx(0.1 + 0.499 + 0.1 + 0.25, abs=4e-3)


def test_tables_that_grow_are_followed():
    scene = scene_of(ground=floor())
    rig = Rig(scene, CUBE, (0.0, 0.0, 0.3))
    rig.step(300)
    for k in range(300):
        scene.add(Placement.one(f"far{k}", box((0.1, 0.1, 0.1)), (100.0 + k, 0, 0)))
    scene.add(Placement.one("post", box((0.2, 0.2, 1.0), materials=(Material("steel", friction=0.3),)), (0.6, 0, 0.5)))
    rig.data.qvel[0] = 3.0
    rig.step(500)
    assert rig.p[0] < 0.26 and rig.p[2] == pytest.approx(0.25, abs=1e-4)


def test_two_simulations_live_in_one_process_each_in_its_world():
    low = Rig(scene_of(ground=floor()), CUBE, (0.0, 0.0, 0.5))
    high = Rig(scene_of(ground=(floor(), (0, 0, 1.0))), CUBE, (0.0, 0.0, 1.5))
    for _ in range(800):
        low.step()
        high.step()
    assert low.p[2] == pytest.approx(0.25, abs=1e-4) and high.p[2] == pytest.approx(1.25, abs=1e-4)


def test_data_without_a_world_use_mujocos_own_height_field():
    hook.install()
    xml = (
        '<mujoco><size nuserdata="1"/><asset><hfield name="h" nrow="3" ncol="3" size="5 5 1 1"/></asset><worldbody>'
        '<geom type="hfield" hfield="h"/><body pos=".1 .2 1"><freejoint/><geom size=".25"/></body></worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=2000)
    assert data.qpos[2] == pytest.approx(0.25, abs=5e-3)


def test_a_height_field_of_the_models_own_stays_mujocos():
    spec = mujoco.MjSpec.from_string(
        '<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="5 5 1 1"/></asset><worldbody>'
        '<geom type="hfield" hfield="h" pos="0 0 1"/><body pos=".1 .2 2"><freejoint/><geom name="ball" size=".25"/>'
        "</body></worldbody></mujoco>"
    )
    hook.add_world(spec)
    hook.add_pairs(spec, ["ball"], STEP)
    model = spec.compile()
    data, world = mujoco.MjData(model), ContactWorld(scene_of(ground=floor()))
    hook.bind(model, data, world)
    world.refresh(np.zeros((1, 3)), set())
    mujoco.mj_step(model, data, nstep=2000)
    assert data.qpos[2] == pytest.approx(1.25, abs=5e-3)
    assert hook.world_rows(model, data, world).tolist() == [-1] * data.ncon and data.ncon > 0


def test_a_world_that_is_gone_is_not_asked():
    rig = Rig(scene_of(ground=floor()), CUBE, (0.0, 0.0, 0.2))
    model, data = rig.model, rig.data
    del rig
    mujoco.mj_step(model, data, nstep=10)
    assert data.ncon == 0


def test_a_model_without_a_stand_in_is_refused():
    model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(LibraryError, match="add_world"):
        hook.bind(model, mujoco.MjData(model), ContactWorld(scene_of(ground=floor())))
    spec = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><body><geom name='foot' size='.1'/></body></worldbody></mujoco>"
    )
    hook.add_world(spec)
    with pytest.raises(UnknownNameError, match="did you mean 'foot'"):
        hook.add_pairs(spec, ["foto"], STEP)


def test_a_mujoco_that_writes_contacts_otherwise_is_refused():
    class Otherwise:
        def ask_plane(self, *arguments):
            count = hook._table().ask_plane(*arguments)
            arguments[-1][:] = np.roll(arguments[-1], 2)
            return count

    with pytest.raises(LibraryError, match="writes contacts otherwise"):
        hook._probe(Otherwise())


@pytest.mark.parametrize("step", [0.001, 0.002, 0.005])
def test_stiffness_follows_the_step(step):
    rig = Rig(scene_of(ground=floor()), CUBE, (0.0, 0.0, 0.3), step=step)
    rig.step(int(2 / step))
    assert rig.p[2] == pytest.approx(0.25, abs=2e-4) and np.linalg.norm(rig.v) < 1e-7
    assert rig.model.pair_solref[0, 0] == 2 * step


def test_sliding_fast_does_not_hop():
    rig = Rig(
        scene_of(ground=floor(20.0, 40)), 'type="box" size=".25 .2 .15" mass="10" friction=".5 0 0"', (-9, 0.2, 0.15)
    )
    rig.data.qvel[0] = 4.0
    assert max(_heights(rig, 600)) < 0.15 + 2e-3


def test_the_same_twice_to_the_bit():
    ends = []
    for _ in range(2):
        rig = Rig(scene_of(stair=stair()), [CUBE, BALL], [(0.05, 0.0, 0.4), (-0.1, 1.0, 0.6)])
        rig.step(700)
        ends.append(rig.data.qpos.tobytes())
    assert ends[0] == ends[1]


def test_the_order_in_which_things_came_makes_no_difference():
    """Two floors at one place: Embree finds first what came first, but the one with the smaller number counts."""
    floors = {name: floor().of(Material(name, friction=mu)) for name, mu in (("ice", 0.1), ("sand", 0.7), ("mud", 0.4))}
    ends = []
    for names in (["ice", "sand", "mud"], ["mud", "sand", "ice"], ["sand", "ice", "mud"]):
        rig = Rig(scene_of(**{name: floors[name] for name in names}), CUBE, (-2.0, 0.21, 0.25))
        rig.data.qvel[0] = 1.0
        rig.step(300)
        ends.append(rig.data.qpos.tobytes())
    assert ends[0] == ends[1] == ends[2]


def test_balls_for_other_engines():
    scene = scene_of(ground=floor(), wall=(box((0.2, 4, 4)), (2.0, 0, 2)))
    world = ContactWorld(scene)
    p = np.array([(0.1, 0.2, 0.2), (0.1, 0.2, 0.4), (1.7, 0.0, 1.0), (1.95, 0.0, 3.0)])
    world.refresh(p, set())
    normal, depth, row = np.full((4, 3), 7.0), np.full(4, 7.0), np.full(4, 7)
    touch(world.native, p, np.full(4, 0.25), normal, depth, row)
    assert depth[:3] == pytest.approx([0.05, 0.0, 0.05])
    assert normal[0].tolist() == [0, 0, 1] and normal[2] == pytest.approx([-1, 0, 0])
    assert normal[3] == pytest.approx([-1, 0, 0]) and depth[3] > 0
    assert row[1] == -1 and [world.object_name(row[k]) for k in (0, 2, 3)] == ["ground", "wall", "wall"]


def test_what_is_closed_has_an_inside_and_what_is_open_has_two_sides():
    cube = box((1, 1, 1))
    sheet = plane(1.0)
    doubled = Mesh(sheet.vertices, np.concatenate([sheet.faces, sheet.faces[:, ::-1]]))
    pair = merge([cube, cube.moved(p=(1, 0, 0))])
    assert face_sides(cube).tolist() == [1] and face_sides(pair).tolist() == [1]
    assert face_sides(Mesh(cube.vertices, cube.faces[:, ::-1])).tolist() == [-1]
    assert face_sides(sheet).tolist() == [0] and face_sides(doubled).tolist() == [0]
    assert face_sides(merge([cube, sheet])).tolist() == [1] * 12 + [0] * 2
    assert face_sides(floor()).tolist() == [1]
    split = Mesh(cube.vertices[cube.faces.ravel()], np.arange(36).reshape(-1, 3))
    assert face_sides(split).tolist() == [1]


@pytest.mark.parametrize("turned", [False, True])
def test_a_mirrored_thing_is_as_solid_as_any(turned):
    """turned: its faces run the other way round, as mesh files with mirrored parts are read."""
    cube = box((1, 1, 1), materials=(GROUND,))
    mesh = Mesh(cube.vertices, cube.faces[:, ::-1], cube.materials) if turned else cube
    X = np.eye(3, 4) * [-1, 1, 1, 1]
    scene = scene_of()
    scene.add(Placement("mirrored", (mesh,), X[None]))
    rig = Rig(scene, CUBE, (0.1, 0.1, 1.0))
    rig.step(1000)
    assert rig.p == pytest.approx([0.1, 0.1, 0.75], abs=2e-4)
