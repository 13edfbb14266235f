"""What must not be felt, and what must not be passed: edges inside a surface, seams, thin plates, sheets, tunnels."""

import mujoco
import numpy as np
import pytest

from contact_rig import GROUND, STEP, Rig, floor, scene_of, stair
from volery._native.contact import MOST_TRIANGLES
from volery.core.frames import matrix_from_quat, quat_from_euler, quat_multiply
from volery.core.geometry import Mesh, box, grid, merge, plane
from volery.world.world import Placement

ON_SIDE = np.array([np.sqrt(0.5), np.sqrt(0.5), 0, 0])
ROUND = {
    "ball": ('type="sphere" size=".25" mass="10" friction=".5 0 0"', 0.25, None),
    "wheel": ('type="cylinder" size=".25 .1" mass="10" friction=".5 0 0"', 0.25, ON_SIDE),
    "capsule": ('type="capsule" size=".25 .2" mass="10" friction=".5 0 0"', 0.25, ON_SIDE),
}
CRATE = 'type="box" size=".25 .2 .15" mass="10" friction=".5 0 0"'


def chunks(seed=None, split=False):
    """Ground of four chunks that meet at the origin, each with its own vertices; split: each triangle has its own."""
    scene = scene_of()
    rng = np.random.default_rng(seed)
    for i in (-1, 0):
        for j in (-1, 0):
            # Corners that are not round numbers, so that neighbours differ by roundings.
            mesh = grid(np.zeros((18, 18)), 8.0 / 17, materials=(GROUND,))
            if split:
                own = np.arange(3 * len(mesh.faces)).reshape(-1, 3)
                mesh = Mesh(mesh.vertices[mesh.faces.ravel()], own, (GROUND,), filled=True)
            scene.add(Placement.one(f"chunk{i}{j}", mesh, (8.0 * i + rng.uniform(0, 2e-6), 8.0 * j, 0.0)))
    return scene


def roll(rig, speed, radius, direction=(1.0, 0.0), steps=1000):
    """Largest vertical speed of a body that rolls [m/s]."""
    R = rig.data.xmat[1].reshape(3, 3)
    d = np.array([*direction, 0.0]) / np.hypot(*direction)
    rig.data.qvel[:3] = speed * d
    rig.data.qvel[3:6] = R.T @ np.cross([0, 0, 1], d) * speed / radius
    rig.step(30)
    worst = 0.0
    for _ in range(steps):
        rig.step()
        worst = max(worst, abs(rig.v[2]))
    return worst


@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("shape", ROUND)
def test_seams_of_four_chunks_are_not_felt(shape, split):
    geom, height, turn = ROUND[shape]
    rig = Rig(chunks(split=split), geom, (-3.0, 0.03, height), turn)
    assert roll(rig, 3.0, height) < 1e-3
    assert rig.p[0] == pytest.approx(-3.0 + 3.0 * 1030 * STEP, abs=5e-3) and abs(rig.p[1] - 0.03) < 2e-3


def test_a_ball_rolls_slantwise_over_the_corner_where_four_chunks_meet():
    rig = Rig(chunks(), ROUND["ball"][0], (-2.0, -2.0, 0.25))
    assert roll(rig, 3.0, 0.25, (1.0, 1.0)) < 1e-3
    assert rig.p[0] > 2.0


def test_a_crate_slides_over_a_seam_as_over_one_chunk():
    """Second pitfall: open edges at chunk borders threw a sliding box back."""
    ends = []
    for scene in (chunks(), chunks(split=True), scene_of(ground=floor(8.0, 34))):
        rig = Rig(scene, CRATE, (-0.9, 0.21, 0.15))
        rig.data.qvel[0] = 4.0
        rig.step(900)
        ends.append(rig.data.qpos.copy())
    assert ends[0] == pytest.approx(ends[2], abs=2e-3) and ends[1] == pytest.approx(ends[2], abs=2e-3)
    assert ends[2][0] > 0.6


def test_tops_of_blocks_side_by_side_are_one_floor():
    """Faces inside a pile of solids, and edges that end on others, are not felt."""
    blocks = merge([box((0.3, 0.3, 0.2 + 0.1 * (k % 2))).moved(p=(0.3 * i, 0.3 * j, -0.1 - 0.05 * (k % 2)))
                    for k, (i, j) in enumerate(np.ndindex(20, 7))]).of(GROUND)  # fmt: skip
    for shape, (geom, height, turn) in ROUND.items():
        rig = Rig(scene_of(blocks=blocks), geom, (0.4, 0.93, height), turn)
        assert roll(rig, 2.0, height, steps=800) < 1e-3, shape
    rig = Rig(scene_of(blocks=blocks), CRATE, (0.7, 0.93, 0.15))
    rig.data.qvel[0] = 4.0
    rig.step(900)
    assert rig.p[0] - 0.7 == pytest.approx(16 / 9.81, rel=0.01) and abs(rig.p[2] - 0.15) < 1e-4


def test_a_border_that_ends_amid_a_longer_edge_is_not_felt():
    """T-junctions: two squares meet one."""
    small = [plane(1.0).moved(p=(0.5, y, 0)) for y in (0.5, -0.5)]
    floor_ = merge([plane(2.0).moved(p=(-1, 0, 0)), *small])
    for shape, (geom, height, turn) in ROUND.items():
        rig = Rig(scene_of(floor=floor_.of(GROUND)), geom, (-0.9, 0.1, height), turn)
        assert roll(rig, 1.5, height, steps=500) < 1e-3, shape
    rig = Rig(scene_of(floor=floor_.of(GROUND)), CRATE, (-0.6, 0.1, 0.15))
    rig.data.qvel[0] = 3.0
    rig.step(600)
    assert rig.p[0] + 0.6 == pytest.approx(9 / 9.81, rel=0.01)


def test_a_corner_deep_in_a_stair_is_pushed_out_of_the_nearer_face():
    """First pitfall: the riser must not throw out a corner that is just below the tread."""
    rig = Rig(scene_of(stair=stair()), CRATE, (-0.2, 0.0, 0.15 - 1e-3), quat_from_euler(np.array([0.0, 0.01, 0.0])))
    mujoco.mj_forward(rig.model, rig.data)
    assert rig.data.ncon > 0 and (rig.data.contact.frame[:, 2] > 0.99).all()
    rig.step(500)
    assert np.linalg.norm(rig.data.qvel) < 1e-6 and rig.p[0] == pytest.approx(-0.2, abs=6e-3)


@pytest.mark.parametrize("slope", [0.0, 2.0, 20.0])
def test_flat_and_hollow_edges_make_no_contacts(slope):
    """Fourth pitfall: in a valley only the two slopes are touched, each straight away from it."""
    rise = np.tan(np.radians(slope))
    x = np.linspace(-2, 2, 9)
    valley = grid(np.repeat(np.abs(x)[:, None] * rise, 9, axis=1), 0.5, (-2, -2))
    for geom in ('type="sphere" size=".2"', 'type="capsule" size=".2 .1"'):
        rig = Rig(scene_of(valley=valley), geom, (0.01, 0.0, 0.2 / np.cos(np.radians(slope)) - 2e-3), ON_SIDE)
        mujoco.mj_forward(rig.model, rig.data)
        normals = rig.data.contact.frame[:, :3]
        assert len(normals) > 0
        assert np.abs(normals[:, 1]).max() < 1e-6
        assert np.abs(normals[:, 0]) == pytest.approx(np.sin(np.radians(slope)), abs=1e-6)


def test_a_slightly_bent_ridge_is_rolled_over_evenly():
    """Between the normals of two faces the edge carries: a ball does not sink into the gap."""
    x = np.linspace(-4, 4, 17)
    z = -0.01 * x**2
    arch = grid(np.repeat(z[:, None], 5, axis=1), 0.5, (-4, -1), materials=(GROUND,))
    rig = Rig(scene_of(arch=arch), ROUND["ball"][0], (-0.05, 0.03, 0.25))
    rig.data.qvel[0], rig.data.qvel[4] = 1.0, 4.0
    for _ in range(700):
        rig.step()
        surface = np.interp(rig.p[0], x, z)
        assert 0.25 - 2e-4 < rig.p[2] - surface < 0.25 + 1e-3


THIN = {
    "ball": ('type="sphere" size=".05"', 0.05, None),
    "capsule": ('type="capsule" size=".05 .1"', 0.05, ON_SIDE),
    "wheel": ('type="cylinder" size=".05 .05"', 0.05, ON_SIDE),
    "puck": ('type="cylinder" size=".1 .05"', 0.05, None),
    "crate": ('type="box" size=".1 .07 .05"', 0.05, None),
    "ellipsoid": ('type="ellipsoid" size=".1 .07 .05"', 0.05, None),
}
PLATES = {
    "plate of 1 cm": box((2.0, 2.0, 0.01)).moved(p=(0, 0, -0.005)),
    "sheet": grid(np.zeros((9, 9)), 0.25, (-1, -1), filled=False),
    "sheet upside down": Mesh(plane(2.0).vertices, plane(2.0).faces[:, ::-1]),
}


@pytest.mark.parametrize("tilted", [0.0, 0.6])
@pytest.mark.parametrize("plate", PLATES)
@pytest.mark.parametrize("shape", THIN)
def test_thin_plates_and_sheets_hold_from_both_sides_at_15_m_s(shape, plate, tilted):
    """Third pitfall: the back of a thin plate must not pull through what stands on its front."""
    geom, half, turn = THIN[shape]
    tilt = np.array([np.cos(tilted / 2), np.sin(tilted / 2) * 0.8, np.sin(tilted / 2) * 0.6, 0.0])
    R = matrix_from_quat(tilt)
    mesh = PLATES[plate].moved(R)
    for side, thick in ((1.0, 0.0), (-1.0, 0.01 if plate == "plate of 1 cm" else 0.0)):
        for offset in (0.0, 0.007, 0.013, 0.021):
            start = R @ np.array([0.1, 0.13, side * (half + thick + 0.1 + offset)])
            q = tilt if turn is None else quat_multiply(tilt, turn)
            rig = Rig(scene_of(plate=mesh), f'{geom} mass="1"', start, q, gravity=-9.81 * side * R[:, 2])
            rig.data.qvel[:3] = -15.0 * side * R[:, 2]
            rig.step(600)
            rest = side * (R[:, 2] @ rig.p) - thick
            assert rest == pytest.approx(half, abs=1e-3), (side, offset)


@pytest.mark.parametrize("shape", THIN)
def test_a_body_of_5_cm_does_not_pass_a_wall_of_1_cm(shape):
    """Half the size again: 5 cm across, hit at 15 m/s from where a step carries it deepest."""
    geom, _, turn = THIN[shape]
    size = geom.split('size="')[1].split('"')[0]
    small = geom.replace(size, " ".join(str(float(s) / 2) for s in size.split()))
    for offset in np.linspace(0, 0.03, 7):
        wall = box((0.01, 2.0, 2.0)).moved(p=(0.005, 0, 0))
        rig = Rig(scene_of(wall=wall), f'{small} mass=".2"', (-0.2 - offset, 0.05, 0.07), turn, gravity=(0, 0, 0))
        rig.data.qvel[0] = 15.0
        rig.step(200)
        assert rig.p[0] < 0.0, offset


def test_the_border_of_a_sheet_stops_what_comes_from_the_side():
    sheet = grid(np.zeros((3, 3)), 0.25, (-0.25, -0.25), filled=False).of(GROUND)
    for shape, (geom, half, turn) in THIN.items():
        for height in (0.0, 0.01):
            rig = Rig(scene_of(sheet=sheet), f'{geom} mass="1"', (-0.6, 0.03, height), turn, gravity=(0, 0, 0))
            rig.data.qvel[0] = 2.0
            rig.step(250)
            assert rig.p[0] < -0.25 - 0.5 * half, (shape, height, rig.p)


@pytest.mark.parametrize("shape", THIN)
def test_a_body_leaves_the_border_of_a_sheet_as_that_of_a_box(shape):
    """Rolls or slides off, without a kick."""
    geom, half, turn = THIN[shape]
    speeds = []
    for mesh in (grid(np.zeros((3, 3)), 0.5, (-0.5, -0.5), filled=False), box((1, 1, 0.2)).moved(p=(0, 0, -0.1))):
        rig = Rig(scene_of(table=mesh.of(GROUND)), f'{geom} mass="1" friction=".2 0 0"', (0.0, 0.03, half), turn)
        rig.data.qvel[0] = 2.5
        rig.step(400)
        assert rig.p[2] < -0.2 and rig.data.qvel[0] > 1.0
        speeds.append(rig.v.copy())
    assert speeds[0] == pytest.approx(speeds[1], abs=0.35)


def test_a_body_that_begins_inside_rock_comes_out_without_haste():
    for geom in ('type="sphere" size=".1"', 'type="box" size=".1 .2 .1"', 'type="cylinder" size=".1 .1"'):
        rig = Rig(scene_of(ground=floor()), f'{geom} mass="1"', (0.1, 0.1, -0.05))
        fastest = 0.0
        for _ in range(1000):
            rig.step()
            fastest = max(fastest, np.abs(rig.v).max())
        assert rig.p[2] == pytest.approx(0.1, abs=2e-4) and fastest < 3.0, geom


def test_a_pole_may_lean_under_a_table():
    """Its foot is below the table top and its middle above, but it has not gone through."""
    table = box((1.0, 1.0, 0.03)).moved(p=(0.6, 0, 0.5))
    turn = quat_from_euler(np.array([0.0, -0.5, 0.0]))
    rig = Rig(scene_of(table=table), 'type="box" size=".02 .02 1" mass="1"', (-0.3, 0.0, 1.1), turn)
    mujoco.mj_forward(rig.model, rig.data)
    assert rig.data.ncon == 0


def test_more_triangles_than_there_is_room_for_lose_the_farthest_and_are_counted():
    fine = grid(np.zeros((41, 41)), 0.025, (-0.5, -0.5), materials=(GROUND,))
    rig = Rig(scene_of(ground=fine), 'type="box" size=".45 .45 .1" mass="10"', (0.0, 0.0, 0.1 - 1e-4))
    mujoco.mj_forward(rig.model, rig.data)
    lost, _ = rig.world.lost
    assert lost > 2 * 36 * 36 - MOST_TRIANGLES - 200
    assert rig.data.ncon > 0 and (rig.data.contact.frame[:, 2] > 0.999).all()
