"""Robots by rigged mesh: skins, bones, joints, smooth normals, textures and materials of glTF 2.0 files."""

import json
import struct

import numpy as np
import pytest
import trimesh
from PIL import Image

from gltf_rig import LENGTH, RADIUS, arm, chequers, write
from volery.core.frames import matrix_from_quat, quat_from_axis_angle
from volery.errors import CommandError, RobotError, VoleryError
from volery.report.picture import camera_pose, picture
from volery.robots.commands import Bones, Joints
from volery.robots.description import load_description
from volery.scenario import read_scenario
from volery.sim import Simulation


def simulated(path, more="", file=""):
    if file:
        path.with_suffix(".yaml").write_text(f"model: {path.name}\n{file}")
        path = path.with_suffix(".yaml")
    return Simulation(read_scenario(
        f"step: 0.01\nworld: empty\nrobots: {{arm: {{type: {path}, position: [0, 0, 5]{more}}}}}"
    ))  # fmt: skip


def bent(robot):
    """Corners of its skin in the root's frame."""
    return robot._skins[0][2].astype(float)


def about(axis, degrees):
    return quat_from_axis_angle(np.array(axis, float), np.radians(degrees))


def test_bones_are_those_of_the_file_root_to_tip(tmp_path):
    d = load_description(arm(tmp_path / "a.glb"))
    assert d.bodies == ("root", "upper", "lower", "hand") and d.parent.tolist() == [-1, 0, 1, 2]
    # The file looks along its +z and has y up: bones one metre apart, ahead.
    simulation = simulated(tmp_path / "a.glb")
    assert simulation.robots["arm"].X_WB[:, :, 3] == pytest.approx(
        np.array([[0, 0, 5], [0, 0, 5], [1, 0, 5], [2, 0, 5]])
    )
    skin = d.skins[0]
    assert skin.mesh.bounds == pytest.approx(np.array([[0, -RADIUS, -RADIUS], [LENGTH, RADIUS, RADIUS]]), abs=1e-6)
    assert skin.weights.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("way", ["name", "number", "all"])
def test_the_skin_follows_its_bones_as_linear_blending_says(tmp_path, way):
    """Every corner against the closed form: shares of two bones, each a turn about its own end."""
    simulation = simulated(arm(tmp_path / "a.glb", textured=False))
    robot = simulation.robots["arm"]
    rest = bent(robot).copy()
    elbow, wrist = about([1, 0, 0], -50), about([0, 1, 0], 30)  # of bones whose z is ahead: up, and to the left
    if way == "all":
        robot.set_bones(np.array([[1, 0, 0, 0], [1, 0, 0, 0], elbow, wrist]))
    else:
        names = ("lower", "hand") if way == "name" else ("2", "3")
        simulation.command("arm", Bones({names[0]: elbow.tolist(), names[1]: wrist.tolist()}))
    simulation.step()
    R = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float)  # a bone's axes in the robot's
    A = R @ matrix_from_quat(elbow) @ R.T
    B = A @ R @ matrix_from_quat(wrist) @ R.T
    p1, p2 = np.array([1.0, 0, 0]), np.array([2.0, 0, 0])
    moved = [rest, p1 + (rest - p1) @ A.T, p1 + (p2 - p1) @ A.T + (rest - p2) @ B.T]
    share = np.clip(rest[:, 0] - 0.5, 0, 2)
    low = np.minimum(share.astype(int), 1)
    t = (share - low)[:, None]
    expected = np.where((low == 0)[:, None], (1 - t) * moved[0] + t * moved[1], (1 - t) * moved[1] + t * moved[2])
    assert np.abs(bent(robot) - expected).max() < 1e-5
    assert robot.X_WB[3, :, 3] == pytest.approx(p1 + A @ (p2 - p1) + [0, 0, 5])
    assert robot.X_WB[3, 2, 3] > 5.5


@pytest.mark.parametrize("change", [{"scale": 0.01}, {"normalised": True}, {"rest_deg": 40.0}, {}])
def test_the_same_arm_however_the_file_says_it(tmp_path, change):
    """Units of a centimetre, weights as whole numbers, a text file beside its data, an elbow bent in the file."""
    plain = load_description(arm(tmp_path / "a.glb", textured=False))
    other = load_description(arm(tmp_path / ("b.glb" if change else "b.gltf"), textured=False, **change))
    assert np.abs(other.skins[0].mesh.vertices - plain.skins[0].mesh.vertices).max() < 1e-5
    simulation, second = simulated(tmp_path / "a.glb"), simulated(other.path)
    simulation.robots["arm"].set_bone("lower", about([1, 0, 0], 40.0))
    if change.get("rest_deg"):
        # The skin hangs on the bone as it was bound, not as the file shows it.
        assert second.robots["arm"].X_WB[3, 2, 3] == pytest.approx(5 - np.sin(np.radians(40)))
    else:
        second.robots["arm"].set_bone("lower", about([1, 0, 0], 40.0))
    for one in (simulation, second):
        one.step()
    assert np.abs(bent(second.robots["arm"]) - bent(simulation.robots["arm"])).max() < 2e-5


def test_rays_and_pictures_see_the_bent_arm_smooth_and_with_its_picture(tmp_path):
    simulation = simulated(arm(tmp_path / "a.glb"))
    robot = simulation.robots["arm"]
    assert simulation.scene.cast([2.5, 0, 8], [0, 0, -1]).points[0, 2] == pytest.approx(5 + RADIUS, abs=0.01)
    robot.set_bone("lower", about([1, 0, 0], -90))
    simulation.step()
    assert simulation.scene.cast([2.5, 0, 8], [0, 0, -1]).names[0] != "arm/skin0"
    assert simulation.scene.cast([3, 0, 6.5], [-1, 0, 0]).points[0, 0] == pytest.approx(1 + RADIUS, abs=0.02)
    # Normals have turned with the bone: on the upright part they lie level.
    normals, up = robot._skins[0][0].bent_normals, bent(robot)[:, 2] > 1.2
    assert np.abs(normals[up][:, 2]).max() < 0.02 and np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-5)
    X_WC = camera_pose(np.array([1.0, -4.0, 6.3]), np.pi / 2, 0.0)
    seen = picture(simulation.environment, 0, X_WC, "colour", 200, 200, np.radians(30), "default").astype(float)
    middle = seen[70:130, 96:104].reshape(-1, 3)
    red = (middle[:, 0] > 1.8 * middle[:, 1]).mean()
    white = (np.ptp(middle, axis=1) < 40).mean()
    assert 0.2 < red < 0.8 and white > 0.2


def test_a_texture_lies_where_its_coordinates_say(tmp_path):
    """Each corner wears the colour that the picture has there; edges between squares are cut finely."""
    mesh = load_description(arm(tmp_path / "a.glb")).skins[0].mesh
    p = mesh.vertices[mesh.faces].mean(axis=1)
    u = (np.arctan2(p[:, 2], p[:, 1]) / (2 * np.pi)) % 1.0
    row, column = (p[:, 0] / LENGTH * 96).astype(int).clip(0, 95), (u * 128).astype(int).clip(0, 127)
    inner = (np.abs(row % 16 - 7.5) < 6) & (np.abs(column % 16 - 7.5) < 6)
    red = chequers()[row, column][:, 1] < 100
    found = mesh.colours[mesh.faces].mean(axis=1)
    assert inner.sum() > 500
    assert np.abs(found[inner & ~red] - 1.0).max() < 0.03
    assert np.abs(found[inner & red][:, 1] - 0.00699).max() < 0.03  # sRGB 20 is linear 0.007
    assert len(mesh.faces) <= 60_000


def test_joints_of_a_rig_move_by_command_and_keep_their_range(tmp_path):
    rig = "rig: {mass: 3, joints: {lower: {axis: [0, 1, 0], range: [-90, 10]}, hand: {axis: [0, 0, 1]}}}\n"
    simulation = simulated(arm(tmp_path / "a.glb", textured=False), file=rig)
    robot = simulation.robots["arm"]
    assert [j.name for j in robot.description.joints] == ["lower", "hand"]
    simulation.command("arm", Joints({"lower": np.radians(-60)}))  # about the left: nose up
    simulation.step()
    assert robot.X_WB[3, :, 3] == pytest.approx([1 + np.cos(np.radians(60)), 0, 5 + np.sin(np.radians(60))])
    with pytest.raises(VoleryError, match="outside"):
        simulation.command("arm", Joints({"lower": np.radians(20)}))
    # And by forces: it falls about its elbow, its shoulder held.
    simulation = simulated(tmp_path / "a.glb", ", physics: mujoco", rig.replace("-90, 10", "-90, 89") + "fixed: true\n")
    robot = simulation.robots["arm"]
    simulation.run(100)
    assert robot.X_WB[3, 2, 3] < 4.9 and robot.X_WB[2, :, 3] == pytest.approx([1, 0, 5], abs=1e-3)


def test_rigid_parts_of_a_file_without_a_skin_are_bodies(tmp_path):
    """As trimesh writes them: a box on a box, the upper shifted and turned, in one of its own sizes."""
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box([0.4, 0.2, 0.6]), node_name="base", geom_name="base")
    X = trimesh.transformations.rotation_matrix(np.pi / 2, [0, 1, 0])
    X[:3, 3] = [0, 0.5, 0.1]
    tower = trimesh.creation.box([0.1, 0.3, 0.5])
    scene.add_geometry(tower, node_name="tower", geom_name="tower", parent_node_name="base", transform=X)
    (tmp_path / "t.glb").write_bytes(scene.export(file_type="glb"))
    simulation = simulated(tmp_path / "t.glb")
    robot = simulation.robots["arm"]
    tower = robot.description.body("tower")
    assert robot.X_WB[tower, :, 3] == pytest.approx([0.1, 0, 5.5])
    corners = np.concatenate([
        mesh.vertices @ robot.X_WB[b, :, :3].T + robot.X_WB[b, :, 3] for b, mesh in robot.description.shapes.items()
    ])  # fmt: skip
    # Of the tower, 0.1 × 0.3 × 0.5 turned about the upright axis; of the base, 0.6 long, 0.4 wide, 0.2 high.
    assert [corners.min(0), corners.max(0)] == [pytest.approx([-0.3, -0.25, 4.9]), pytest.approx([0.3, 0.25, 5.65])]
    robot.set_bone("tower", about([0, 1, 0], 90))
    robot.update()
    assert simulation.scene.cast([0.1, -3, 5.6], [0, 1, 0]).points[0, 1] == pytest.approx(-0.05, abs=1e-3)


def test_materials_and_what_a_robot_file_says_of_them(tmp_path):
    path = arm(tmp_path / "a.glb", textured=False)
    material = load_description(path).skins[0].mesh.materials[0]
    assert material.name == "cloth" and material.colour == pytest.approx((0.9, 0.5, 0.25)) and material.mirror == 0.0
    simulation = simulated(path, file="materials: [{name: cloth, label: sleeve, temperature: 310}]\n")
    skin = simulation.robots["arm"].description.skins[0].mesh.materials[0]
    assert (skin.label, skin.temperature) == ("sleeve", 310.0)
    with pytest.raises(VoleryError, match=r"unknown material 'silk'.*cloth"):
        simulated(path, file="materials: [{name: silk}]\n")


def test_commands_for_bones_that_are_not_there_change_nothing(tmp_path):
    simulation = simulated(arm(tmp_path / "a.glb", textured=False))
    robot = simulation.robots["arm"]
    for command, words in (
        ({"lower": [0.7, 0.7, 0, 0], "elbow": [1, 0, 0, 0]}, "unknown body 'elbow'"),
        ({"lower": [0.7, 0.7, 0, 0], "9": [1, 0, 0, 0]}, "there is no bone 9; they are numbered 0 to 3"),
    ):
        with pytest.raises(VoleryError, match=words):
            simulation.command("arm", Bones(command))
        assert (robot.X_bone == np.eye(3, 4)).all()
    for wrong in ({"lower": [0, 0, 0, 0]}, {"lower": [1, 0, 0]}, {"lower": [np.nan, 0, 0, 1]}):
        with pytest.raises(CommandError):
            Bones(wrong)


def test_broken_files_are_refused_by_what_is_wrong(tmp_path):
    good = arm(tmp_path / "good.glb", textured=False)
    data = good.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def broken(change, words):
        other = json.loads(json.dumps(document))
        change(other)
        with pytest.raises(RobotError, match=words):
            load_description(write(tmp_path / f"{abs(hash(words))}.glb", other, binary))

    broken(lambda d: d["accessors"][0].update(count=10**7), "cut short or broken")
    broken(lambda d: d["bufferViews"][0].update(byteLength=10**9), "beyond its buffer")
    broken(lambda d: d.update(extensionsRequired=["KHR_draco_mesh_compression"]), "gltf-transform copy")
    broken(lambda d: d["asset"].update(version="1.0"), "export it anew as glTF 2.0")
    broken(lambda d: d["nodes"][3].update(children=[1]), "form a loop")
    broken(lambda d: d["nodes"][2].update(scale=[1, 0, 1]), "of no size")
    broken(lambda d: d["skins"][0].update(joints=[1, 2]), "does not have|fit together")
    broken(lambda d: d["meshes"][0]["primitives"][0].update(mode=1), "no triangles")
    (tmp_path / "cut.glb").write_bytes(data[: len(data) // 2])
    (tmp_path / "text.glb").write_text("solid")
    for name in ("cut", "text"):
        with pytest.raises(RobotError):
            load_description(tmp_path / f"{name}.glb")
    with pytest.raises(VoleryError, match="unknown bone 'elbow'"):
        simulated(good, file="rig: {joints: {elbow: {}}}\n")


def test_a_world_shows_the_picture_of_its_file(tmp_path):
    """A wall with a picture of four colours, out of a file of trimesh's: each quarter is seen in its own."""
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[:32, :32], pixels[:32, 32:], pixels[32:, :32], pixels[32:, 32:] = (
        [230, 20, 20], [20, 230, 20], [20, 20, 230], [230, 230, 20],
    )  # fmt: skip
    corners = np.array([[-2, 0, 0], [2, 0, 0], [2, 4, 0], [-2, 4, 0]], float)
    visual = trimesh.visual.TextureVisuals(
        uv=np.array([[0, 0], [1, 0], [1, 1], [0, 1]]),
        material=trimesh.visual.material.PBRMaterial(baseColorTexture=Image.fromarray(pixels), metallicFactor=0.0),
    )
    wall = trimesh.Trimesh(corners, [[0, 1, 2], [0, 2, 3]], visual=visual, process=False)
    (tmp_path / "wall.glb").write_bytes(trimesh.Scene(wall).export(file_type="glb"))
    simulation = Simulation(read_scenario(f"world: {{type: mesh, path: {tmp_path / 'wall.glb'}}}"))
    # y up in the file: the wall faces −y in W.
    seen = picture(simulation.environment, 0, camera_pose(np.array([0, -5.0, 2.0]), np.pi / 2, 0.0), "colour", 100, 100,
                   np.radians(40), "default").astype(float)  # fmt: skip
    for (row, column), strong, weak in (
        ((25, 25), (0,), (1, 2)), ((25, 75), (1,), (0, 2)), ((75, 25), (2,), (0, 1)), ((75, 75), (0, 1), (2,)),
    ):  # fmt: skip
        colour = seen[row - 3 : row + 3, column - 3 : column + 3].reshape(-1, 3).mean(axis=0)
        assert min(colour[list(strong)]) > 1.8 * max(colour[list(weak)]), (row, column, colour)
