"""Robots: descriptions from MJCF and URDF, poses root to tip, bones, skins, and what rays see of them."""

import numpy as np
import pytest

from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_axis_angle, quat_from_euler
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import load_description
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.world.scene.scene import Scene
from volery.world.world import Placement

ARM = """<mujoco><worldbody><body name="base"><freejoint/><geom type="box" size=".1 .1 .1"/>
  <body name="upper" pos="0 0 .1"><joint name="shoulder" type="hinge" axis="0 1 0" range="-120 120"/>
    <geom type="capsule" size=".03" fromto="0 0 0 0 0 1"/>
    <body name="lower" pos="0 0 1"><joint name="elbow" type="hinge" axis="0 1 0"/>
      <joint name="reach" type="slide" axis="0 0 1" range="0 .5"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 0 1"/>
      <site name="tip" pos="0 0 1"/></body></body></body></worldbody></mujoco>"""

URDF = """<robot name="cart"><link name="chassis"><visual><geometry><box size="1 0.5 0.2"/></geometry></visual>
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="mast"><visual><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></visual>
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="chassis"/><child link="mast"/><origin xyz="0.2 0 0.1"/>
  <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def write(tmp_path, text, name="robot.xml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def wing_mjcf(bones=10, length=1.0):
    """A chain of bones along y with a flat skin of two vertices at every joint."""
    body, close = "", ""
    for i in range(bones):
        body += f'<body name="b{i}" pos="0 {length if i else 0} 0">' + ("<freejoint/>" if i == 0 else "")
        body += '<geom type="sphere" size=".01" group="4"/>'
        close += "</body>"
    n = bones + 1
    vertices = " ".join(f"{x} {i * length} 0" for i in range(n) for x in (-0.5, 0.5))
    faces = " ".join(f"{2 * i} {2 * i + 1} {2 * i + 3} {2 * i} {2 * i + 3} {2 * i + 2}" for i in range(bones))
    skin = f'<skin name="skin" vertex="{vertices}" face="{faces}">'
    for i in range(bones):
        ids = f"{2 * i + 2} {2 * i + 3}" if i else "0 1 2 3"
        weights = " ".join("1" for _ in ids.split())
        skin += (
            f'<bone body="b{i}" bindpos="0 {i * length} 0" bindquat="1 0 0 0" vertid="{ids}" vertweight="{weights}"/>'
        )
    return f"<mujoco><worldbody>{body}{close}</worldbody><deformable>{skin}</skin></deformable></mujoco>"


def test_mjcf_gives_bodies_joints_sites_and_shapes(tmp_path):
    d = load_description(write(tmp_path, ARM))
    assert d.bodies == ("base", "upper", "lower")
    assert [j.name for j in d.joints] == ["shoulder", "elbow", "reach"]
    assert np.isclose(d.joints[0].high, np.radians(120))
    assert list(d.parent) == [-1, 0, 1]
    assert d.site("tip").body == 2
    assert set(d.shapes) == {0, 1, 2}


def test_urdf_is_read_with_its_visual_shapes(tmp_path):
    d = load_description(write(tmp_path, URDF, "cart.urdf"))
    robot = Robot("cart", d)
    robot.set_pose(np.array([5.0, 0, 0]), np.array([1.0, 0, 0, 0]))
    scene = Scene()
    robot.show(scene)
    hits = scene.cast([[5.2, 0, 10], [4.7, 0, 10]], [[0, 0, -1], [0, 0, -1]])
    assert np.allclose(hits.distance, [8.9, 9.9], atol=1e-4)
    robot.set_joint("turn", 0.5)


def test_urdf_meshes_are_found_by_ros_package_name(tmp_path):
    import trimesh

    (tmp_path / "pack/meshes").mkdir(parents=True)
    (tmp_path / "pack/urdf").mkdir()
    trimesh.creation.box((1, 1, 3)).export(tmp_path / "pack/meshes/block.stl")
    text = URDF.replace('<box size="1 0.5 0.2"/>', '<mesh filename="package://pack/meshes/block.stl"/>')
    robot = Robot("cart", load_description(write(tmp_path / "pack/urdf", text, "cart.urdf")))
    scene = Scene()
    robot.show(scene)
    assert np.isclose(scene.cast([-0.3, 0, 10], [[0, 0, -1]]).distance[0], 8.5, atol=1e-4)
    with pytest.raises(RobotError, match=r"gone.stl was not found"):
        load_description(write(tmp_path / "pack/urdf", text.replace("block.stl", "gone.stl"), "b.urdf"))


def test_joints_move_bodies_root_to_tip(tmp_path):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    robot.set_pose(np.array([1.0, 2.0, 3.0]), quat_from_euler(np.array([0, 0, np.pi / 2])))
    robot.set_joint("shoulder", np.pi / 2)
    robot.set_joint(2, 0.25)
    robot.update()
    tip = robot.description.site("tip")
    # The base is turned left, the arm lies along its forward axis: +y of the world.
    assert np.allclose(robot.X_WS(tip.body, tip.X_BS)[:, 3], [1, 2 + 1 + 1 + 0.25, 3.1], atol=1e-9)
    robot.set_joint("elbow", -np.pi / 2)
    robot.update()
    assert np.allclose(robot.X_WS(tip.body, tip.X_BS)[:, 3], [1, 3, 3.1 + 1.25], atol=1e-9)


def test_a_bone_turns_all_that_hangs_on_it_by_name_or_number(tmp_path):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    turn = quat_from_axis_angle(np.array([1.0, 0, 0]), np.pi / 2)
    robot.set_bone("lower", turn)
    robot.update()
    tip = robot.description.site("tip")
    assert np.allclose(robot.X_WS(tip.body, tip.X_BS)[:, 3], [0, -1, 1.1], atol=1e-9)
    by_name = robot.X_WB.copy()
    robot.set_bone("lower", np.array([1.0, 0, 0, 0]))
    robot.set_bone(2, turn)
    robot.update()
    assert np.allclose(robot.X_WB, by_name)
    robot.set_bones(np.tile([1.0, 0, 0, 0], (3, 1)))
    robot.update()
    assert np.allclose(robot.X_WS(tip.body, tip.X_BS)[:, 3], [0, 0, 2.1], atol=1e-9)


def test_rays_follow_joints(tmp_path):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    scene = Scene()
    robot.show(scene)
    straight = scene.cast([0, -5, 1.9], [[0, 1, 0]])
    assert np.isclose(straight.distance[0], 4.97, atol=2e-3)
    robot.set_joint("elbow", np.pi / 2)
    robot.update()
    assert not scene.cast([0, -5, 1.9], [[0, 1, 0]]).hit[0]
    assert np.isclose(scene.cast([0.5, -5, 1.1], [[0, 1, 0]]).distance[0], 4.97, atol=2e-3)


def test_a_skin_bends_with_its_bones(tmp_path):
    bones = 10
    robot = Robot("wing", load_description(write(tmp_path, wing_mjcf(bones))))
    scene = Scene()
    robot.set_pose(np.array([0, 0, 20.0]), np.array([1.0, 0, 0, 0]))
    robot.show(scene)
    y = np.arange(bones) + 0.5
    down = np.tile([0.0, 0, -1], (bones, 1))
    flat = scene.cast(np.column_stack([0.1 + 0 * y, y, 40 + 0 * y]), down)
    assert np.allclose(flat.distance, 20.0, atol=1e-4)
    # Every bone bends up by the same angle: the wing becomes an arc, known point by point.
    bend = np.radians(5.0)
    for i in range(1, bones):
        robot.set_bone(f"b{i}", quat_from_axis_angle(np.array([1.0, 0, 0]), bend))
    robot.update()
    joints = np.zeros((bones + 1, 2))
    for i in range(bones):
        joints[i + 1] = joints[i] + [np.cos(i * bend), np.sin(i * bend)]
    middle = (joints[1:] + joints[:-1]) / 2
    hits = scene.cast(np.column_stack([0.1 + 0 * y, middle[:, 0], 40 + 0 * y]), down)
    assert np.allclose(40 - hits.distance, 20 + middle[:, 1], atol=1e-3)
    assert set(hits.names) == {"wing/skin0"}
    robot.hide(scene)
    assert not scene.objects


def test_two_robots_with_skins_bend_on_their_own(tmp_path):
    description = load_description(write(tmp_path, wing_mjcf(4)))
    scene = Scene()
    robots = [Robot(n, description) for n in ("a", "b")]
    for i, robot in enumerate(robots):
        robot.set_pose(np.array([10.0 * i, 0, 0]), np.array([1.0, 0, 0, 0]))
        robot.show(scene)
    robots[0].set_bone(1, quat_from_axis_angle(np.array([1.0, 0, 0]), 0.5))
    robots[0].update()
    hits = scene.cast([[0, 3.0, 10], [10, 3.0, 10]], [[0, 0, -1], [0, 0, -1]])
    assert hits.distance[0] < 9.5 and np.isclose(hits.distance[1], 10.0, atol=1e-4)


def test_other_robots_see_it_its_own_sensors_do_not(tmp_path):
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(100.0)))
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    robot.set_pose(np.array([0, 0, 2.0]), np.array([1.0, 0, 0, 0]))
    robot.show(scene)
    ray = ([0.01, 0.02, 2.0], [[0, 0, -1]])
    assert scene.cast(*ray, ignore="arm").names == ["ground"]
    assert scene.cast(*ray, ignore="other").names == ["arm"]


def test_state_round_trip(tmp_path):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    robot.set_joint("elbow", 0.7)
    state = robot.state()
    poses = robot.X_WB.copy()
    robot.set_joint("elbow", -0.2)
    robot.set_bone(1, quat_from_euler(np.array([0.1, 0.2, 0.3])))
    robot.restore(state)
    robot.update()
    assert not np.allclose(poses, robot.X_WB)  # the elbow moved before the state was taken, the poses were older
    assert robot.joint_positions[1] == 0.7 and np.allclose(robot.X_bone, np.eye(3, 4))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda r: r.set_pose([np.nan, 0, 0], [1, 0, 0, 0]), "position must be finite"),
        (lambda r: r.set_pose([0, 0, 0], [0, 0, 0, 0]), "not a unit quaternion"),
        (lambda r: r.set_pose([0, 0], [1, 0, 0, 0]), "shape"),
        (lambda r: r.set_joint("shoulder", 9.0), "outside"),
        (lambda r: r.set_joint("shoulder", np.inf), "finite"),
        (lambda r: r.set_joints([0.1, 0.2, 9.0]), "outside"),
        (lambda r: r.set_bone(1, [np.nan, 0, 0, 0]), "finite"),
        (lambda r: r.set_bone(17, [1, 0, 0, 0]), "no bone 17"),
        (lambda r: r.set_twist([0, 0, np.inf], [0, 0, 0]), "velocity"),
    ],
)
def test_bad_state_is_refused_and_nothing_changes(tmp_path, call, error):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    before = robot.state()
    with pytest.raises(RobotError, match=error):
        call(robot)
    assert all(np.array_equal(before[k], v) for k, v in robot.state().items() if v is not None)


def test_unknown_joint_and_body_names_suggest(tmp_path):
    robot = Robot("arm", load_description(write(tmp_path, ARM)))
    with pytest.raises(UnknownNameError, match="did you mean 'elbow'"):
        robot.set_joint("elbo", 0.0)
    with pytest.raises(UnknownNameError, match="did you mean 'upper'"):
        robot.set_bone("uper", [1, 0, 0, 0])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<mujoco><worldbody><body>", "robot.xml"),
        ("<mujoco/>", "exactly one robot|no visible shape"),
        ('<mujoco><worldbody><body name="a"><freejoint/></body></worldbody></mujoco>', "mass|visible"),
        (ARM.replace('type="slide"', 'type="wobble"'), "wobble|invalid"),
        (ARM.replace("<worldbody>", '<worldbody><body><freejoint/><geom size="1"/></body>'), "exactly one robot"),
    ],
)
def test_broken_models_name_the_file(tmp_path, text, error):
    with pytest.raises(RobotError, match=error):
        load_description(write(tmp_path, text))


def test_robot_files_by_name_path_and_bare_model(tmp_path):
    assert load_robot_file("quad").description().bodies[0] == "base"
    write(tmp_path, ARM)
    assert load_robot_file("robot.xml", tmp_path).description().bodies == ("base", "upper", "lower")
    with pytest.raises(RobotError, match="did you mean 'quad'"):
        load_robot_file("quaad")
    with pytest.raises(RobotError, match="does not exist"):
        load_robot_file("nowhere.yaml", tmp_path)


def test_mounts_on_sites_bodies_and_bones(tmp_path):
    d = load_description(write(tmp_path, ARM))
    body, X = Mount(site="tip", position=(0, 0, 0.5)).resolve(d)
    assert body == 2 and np.allclose(X[:, 3], [0, 0, 1.5])
    assert Mount(bone=1).resolve(d)[0] == 1
    assert Mount(site="upper").resolve(d)[0] == 1
    _, X = Mount(attitude_deg=(0, 0, 90)).resolve(d)
    assert np.allclose(X[:, :3], matrix_from_quat(quat_from_euler(np.array([0, 0, np.pi / 2]))))
