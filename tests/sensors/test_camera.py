"""The camera against closed forms: geometry to the pixel, depth, normals, labels, flow; light by where it must fall."""

import gc
import weakref

import numpy as np
import pytest

from camera_rig import NIGHT, make, pinhole_rays
from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_euler, transform
from volery.core.material import Material, label_number
from volery.core.parallel import set_threads, threads
from volery.core.rng import generator
from volery.core.state import encode as state_bytes
from volery.errors import UnknownNameError
from volery.render.lens import directions_at, lens_of, pattern_of, project
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.robots.library import Mount
from volery.sensors.camera import Camera, CameraConfig
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.world import Placement

WALL = Material("wall", (0.5, 0.5, 0.5), label="wall", temperature=301.0)
WARM = Material("skin", (0.8, 0.5, 0.4), label="victim", temperature=309.5)
ALL = ("rgb", "depth", "depth_planar", "labels", "instances", "normals", "flow", "infrared", "events")


def move(robot, p, rpy=(0, 0, 0)):
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    robot.update()


# Geometry


def test_a_wall_has_exact_depth_normals_and_labels():
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((1, 500, 500)).of(WALL), (7.5, 0, 0)))
    data = make(scene, outputs=("depth", "depth_planar", "labels", "instances", "normals", "infrared")).sense(0)
    rays = pinhole_rays(64, 48, np.pi / 2)
    assert np.abs(data["depth_planar"] - 7.0).max() < 1e-5
    assert np.abs(data["depth"] - 7.0 / rays[..., 0]).max() < 2e-5
    assert np.abs(data["normals"] - [-1, 0, 0]).max() < 1e-6
    assert (data["labels"] == label_number("wall")).all()
    assert (data["instances"] == scene.objects["wall"].number).all()
    assert (data["infrared"] == np.float32(301.0)).all()
    assert data["depth"].shape == (48, 64) and data["depth"].dtype == np.float32


def test_a_sphere_has_the_depth_and_normals_of_a_sphere_and_the_rest_is_sky():
    radius, centre = 2.0, np.array([9.0, 1.3, -0.8])
    scene = Scene()
    scene.add(Placement.one("ball", geometry.sphere(radius, 400).of(WARM), centre))
    data = make(scene, outputs=("depth", "normals", "labels", "instances", "infrared")).sense(0)
    rays = pinhole_rays(64, 48, np.pi / 2)
    along = rays @ centre
    gap = along**2 - centre @ centre + radius**2
    inside, outside = gap > 0.02, gap < -0.02
    distance = along - np.sqrt(np.maximum(gap, 0))
    assert inside.sum() > 100
    assert np.abs(data["depth"] - distance)[inside].max() < 2e-3
    normal = (rays * distance[..., None] - centre) / radius
    assert np.sum(normal * data["normals"], axis=2)[inside].min() > 0.999
    assert np.isinf(data["depth"][outside]).all() and (data["normals"][outside] == 0).all()
    assert (data["labels"][outside] == 0).all() and (data["instances"][outside] == -1).all()
    assert (data["infrared"][inside] == np.float32(309.5)).all() and (data["infrared"][outside] < 260).all()


@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.3, 0.2, -0.4)])
def test_a_turned_box_by_slabs_at_any_attitude(rpy):
    size = np.array([3.0, 2.0, 4.0])
    X = transform(quat_from_euler(np.array([0.4, -0.7, 1.3])), np.array([8.0, 1.0, 0.5]))
    scene = Scene()
    scene.add(Placement("box", (geometry.box(size),), X))
    data = make(scene, (0.5, -0.5, 0.2), rpy, outputs=("depth",)).sense(0)
    R = matrix_from_quat(quat_from_euler(np.array(rpy, float)))
    rays = pinhole_rays(64, 48, np.pi / 2) @ R.T @ X[:, :3]
    origin = (np.array([0.5, -0.5, 0.2]) - X[:, 3]) @ X[:, :3]
    t1, t2 = (-size / 2 - origin) / rays, (size / 2 - origin) / rays
    low, high = np.minimum(t1, t2).max(axis=2), np.maximum(t1, t2).min(axis=2)
    sure = np.abs(high - low) > 0.01
    expected = np.where((low < high) & (low > 0), low, np.inf)
    hit = np.isfinite(expected)
    assert hit.sum() > 100
    assert (np.isfinite(data["depth"]) == hit)[sure].all()
    assert np.abs(data["depth"][hit & sure] - expected[hit & sure]).max() < 1e-4


def test_a_checker_at_a_known_pose_has_exact_labels_instances_depth_and_normals():
    """8 × 8 squares of 0.5 m, turned in all three axes: every pixel by ray and plane, save those on a line."""
    X = transform(quat_from_euler(np.array([0.3, -1.2, 0.4])), np.array([4.0, 0.4, -0.3]))
    kinds = [Material("light", (0.9, 0.9, 0.9), label="door"), Material("dark", (0.1, 0.1, 0.1), label="window")]
    tile = geometry.plane(0.5)
    scene = Scene()
    for i in range(8):
        for j in range(8):
            shift = np.eye(3, 4)
            shift[:2, 3] = (i - 3.5) / 2, (j - 3.5) / 2
            place = np.concatenate([X[:, :3], (X[:, :3] @ shift[:, 3] + X[:, 3])[:, None]], axis=1)
            scene.add(Placement(f"tile{i}{j}", (tile.of(kinds[(i + j) % 2]),), place))
    data = make(scene, width=160, height=120, outputs=("depth", "labels", "instances", "normals")).sense(0)
    rays = pinhole_rays(160, 120, np.pi / 2)
    normal = X[:, 2]
    distance = (normal @ X[:, 3]) / (rays @ normal)
    on = (rays * distance[..., None] - X[:, 3]) @ X[:, :2]
    i, j = (np.floor(on[..., k] * 2 + 4).astype(int) for k in (0, 1))
    line = np.abs(on * 2 - np.round(on * 2)).min(axis=2) < 1e-4
    board = (distance > 0) & (i >= 0) & (i < 8) & (j >= 0) & (j < 8) & ~line
    assert board.sum() > 2000
    names = np.array([label_number("door"), label_number("window")])
    assert (data["labels"][board] == names[((i + j) % 2)[board]]).all()
    numbers = np.array([[scene.objects[f"tile{a}{b}"].number for b in range(8)] for a in range(8)])
    assert (data["instances"][board] == numbers[i[board], j[board]]).all()
    assert np.abs(data["depth"] - distance)[board].max() < 2e-5
    assert np.abs(data["normals"][board] - normal * -np.sign(normal @ X[:, 3])).max() < 1e-6
    outside = ~line & ~board
    assert (data["labels"][outside] == 0).all() and np.isinf(data["depth"][outside]).all()


@pytest.mark.parametrize("projection", ["pinhole", "fisheye"])
@pytest.mark.parametrize("zoom", [1.0, 2.5])
def test_a_point_falls_on_its_pixel(projection, zoom):
    """A small ball in the direction of each of several pixels covers that pixel and is centred there."""
    fov = np.radians(100.0)
    lens = lens_of(projection, 120, 90, fov, zoom)
    for u, v in [(3, 4), (60, 45), (110, 20), (37, 84)]:
        d = directions_at(lens, np.array([[u + 0.5, v + 0.5]]))[0]
        scene = Scene()
        scene.add(Placement.one("ball", geometry.sphere(0.25 / zoom, 48), d * 10.0))
        camera = make(scene, width=120, height=90, fov_deg=100.0, projection=projection, zoom=zoom)
        seen = camera.sense(0)["instances"] >= 0
        assert seen[v, u]
        rows, columns = np.nonzero(seen)
        assert abs(rows.mean() - v) < 0.7 and abs(columns.mean() - u) < 0.7


def test_pinhole_by_hand():
    lens = lens_of("pinhole", 640, 480, np.pi / 2)
    assert lens.focal == pytest.approx(320.0)
    # 10 ahead, 2 to the left, 3 up: 64 pixels left of the middle and 96 above it.
    assert project(lens, np.array([[10.0, 2.0, 3.0]])) == pytest.approx(np.array([[256.0, 144.0]]))
    assert np.isnan(project(lens, np.array([[-1.0, 0, 0]]))).all()
    u = lens.matrix @ np.array([-2.0, -3.0, 10.0])
    assert u[:2] / u[2] == pytest.approx([256.0, 144.0])


@pytest.mark.parametrize("fov", [90.0, 180.0, 240.0])
def test_fisheye_round_trip_and_angle(fov):
    lens = lens_of("fisheye", 200, 200, np.radians(fov))
    uv = generator(0, "uv").uniform(0, 200, (500, 2))
    d = directions_at(lens, uv)
    assert np.allclose(np.linalg.norm(d, axis=1), 1.0)
    assert np.allclose(project(lens, d * 3.7), uv, atol=1e-9)
    radius = np.hypot(uv[:, 0] - 100, uv[:, 1] - 100)
    assert np.allclose(np.arccos(d[:, 0]), radius / 100 * np.radians(fov / 2))


def test_a_full_fisheye_is_blind_outside_its_circle():
    scene = Scene()
    scene.add(Placement.one("room", geometry.box((20, 20, 20)).of(WALL)))
    data = make(scene, projection="fisheye", fov_deg=360.0, width=64, height=64, outputs=("depth", "rgb"),
                headlight=50.0).sense(0)  # fmt: skip
    assert np.isinf(data["depth"][0, 0]) and (data["rgb"][0, 0] == 0).all()
    assert np.isfinite(data["depth"][32, 1]) and data["rgb"][32, 32].max() > 20


def test_rays_cover_every_pixel_once_in_any_size():
    for width, height in [(64, 48), (7, 5), (1, 1), (33, 2)]:
        pattern = pattern_of(lens_of("pinhole", width, height, 1.0), 100.0)
        assert (np.sort(pattern.pixel) == np.arange(width * height)).all()


@pytest.mark.parametrize("over", [1, 2])
@pytest.mark.parametrize("band", [4, 32])
def test_rays_of_a_band_of_rows_come_before_the_next_ones(band, over):
    pattern = pattern_of(lens_of("pinhole", 70, 70, 1.0), 100.0, over, band)
    rows = pattern.pixel // (70 * over) // over
    assert (np.diff(rows // band) >= 0).all()


def test_mount_pan_tilt_and_zoom():
    scene = Scene()
    for name, p in {"left": (0, 10, 0), "up": (0, 0, 10), "ahead": (10, 0, 0)}.items():
        scene.add(Placement.one(name, geometry.sphere(1.0, 24), p))
    camera = make(scene, width=33, height=33, pan_range_deg=(-100.0, 100.0), tilt_range_deg=(-30.0, 95.0))

    def middle():
        number = camera.sense(0)["instances"][16, 16]
        return None if number < 0 else scene.object_name(int(number))

    assert middle() == "ahead"
    camera.aim(90, 0)
    assert middle() == "left"
    camera.aim(-90, 90, relative=True)
    assert middle() == "up" and camera.pan_tilt_deg == (0.0, 90.0)
    camera.aim(500, -500)
    assert camera.pan_tilt_deg == (100.0, -30.0)
    camera.aim(0, 0)
    near = (camera.sense(0)["instances"] >= 0).sum()
    camera.set_zoom(2.0)
    assert (camera.sense(0)["instances"] >= 0).sum() == pytest.approx(4 * near, rel=0.2)
    turned = make(scene, name="b", p=(0, 0, 0), mount=Mount(attitude_deg=(0, -90, 0)), width=33, height=33)
    assert scene.object_name(int(turned.sense(0)["instances"][16, 16])) == "up"


# Flow


def test_flow_of_a_wall_under_known_motion():
    """Sideways by y: every pixel moves f·y/Z; ahead by x: away from the middle in proportion."""
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((1, 500, 500)), (10.5, 0, 0)))
    camera = make(scene, outputs=("flow",))
    assert np.isnan(camera.sense(0)["flow"]).all()
    move(camera.robot, (0, 0.5, 0.25))
    flow = camera.sense(1)["flow"]
    assert np.abs(flow - [32 * 0.5 / 10, 32 * 0.25 / 10]).max() < 1e-4
    move(camera.robot, (2.0, 0.5, 0.25))
    flow = camera.sense(2)["flow"]
    u = np.arange(64) + 0.5 - 32
    assert np.abs(flow[..., 0] - u * (1 - 8 / 10)).max() < 1e-4
    assert np.abs(flow[..., 1].T - (np.arange(48) + 0.5 - 24) * (1 - 8 / 10)).max() < 1e-4


def test_flow_of_the_sky_is_the_cameras_turn_alone_and_moving_things_have_their_own():
    scene = Scene()
    ball = scene.add(Placement.one("ball", geometry.box((1, 4, 4)), (10.5, 0, 0)), moving=True)
    camera = make(scene, outputs=("flow", "instances"))
    camera.sense(0)
    ball.move(transform(np.array([1.0, 0, 0, 0]), np.array([10.5, -1.0, 0])))
    data = camera.sense(1)
    seen = data["instances"] >= 0
    assert np.abs(data["flow"][seen] - [3.2, 0]).max() < 1e-4 and np.abs(data["flow"][~seen]).max() < 1e-4
    move(camera.robot, (5.0, 0, 0), (0, 0, 0.1))
    flow = camera.sense(2)["flow"]
    u = np.arange(64) + 0.5 - 32
    before = -32 * np.tan(np.arctan(-u / 32) + 0.1)
    assert np.abs(flow[0, :, 0] - (u - before)).max() < 1e-4


@pytest.mark.parametrize("projection", ["pinhole", "fisheye"])
def test_flow_of_a_thing_that_moves_and_turns_while_the_camera_does(projection):
    """Each pixel: where it is on the thing now, where that was, and on which pixel that fell."""
    scene = Scene()
    board = scene.add(Placement.one("board", geometry.box((0.5, 30, 30)), (8, 0, 0)), moving=True)
    camera = make(scene, (0.2, -0.1, 0.3), (0.1, -0.05, 0.2), outputs=("flow", "depth"), projection=projection)
    camera.sense(0)
    X_before, C_before = board.X_WO[0].copy(), camera.X_WC
    X_now = transform(quat_from_euler(np.array([0.15, -0.1, 0.2])), np.array([8.5, 0.4, -0.3]))
    board.move(X_now)
    move(camera.robot, (0.6, 0.2, 0.1), (0.05, 0.1, 0.1))
    data = camera.sense(1)
    lens, C = camera.lens, camera.X_WC
    v, u = (a.ravel() for a in np.mgrid[0:48, 0:64])
    uv = np.stack([u + 0.5, v + 0.5], axis=1)
    p = directions_at(lens, uv) * data["depth"].reshape(-1, 1) @ C[:, :3].T + C[:, 3]
    was = (p - X_now[:, 3]) @ X_now[:, :3] @ X_before[:, :3].T + X_before[:, 3]
    expected = uv - project(lens, (was - C_before[:, 3]) @ C_before[:, :3])
    assert np.isfinite(data["depth"]).all() and np.abs(expected).max() > 3
    assert np.abs(data["flow"].reshape(-1, 2) - expected).max() < 2e-3


# Robots


def test_two_drones_see_each_other_and_none_its_own_arms():
    scene = Scene()
    one = make(scene, (0, 0, 10), robot_type="quad", name="a", fov_deg=120.0, width=160, height=120)
    assert (one.sense(0)["instances"] == -1).all()
    two = make(scene, (3, 0, 10), (0, 0, np.pi), robot_type="quad", name="b", fov_deg=120.0, width=160, height=120)
    for camera, other in ((one, "b"), (two, "a")):
        seen = np.unique(camera.sense(0)["instances"])
        assert [scene.object_name(int(n)) for n in seen if n >= 0] == [other]
    selfish = make(scene, (0, 50, 10), robot_type="quad", name="c", sees_self=True)
    assert (selfish.sense(0)["instances"] == scene.objects["c"].number).any()


def test_a_channel_hides_objects():
    scene = Scene()
    scene.define_channel("far", ["wall"])
    scene.add(Placement.one("wall", geometry.box((1, 50, 50)), (10.5, 0, 0)))
    scene.add(Placement.one("veil", geometry.box((1, 50, 50)), (5.5, 0, 0)))
    assert np.allclose(make(scene).sense(0)["depth_planar"], 5.0, atol=1e-5)
    assert np.allclose(make(scene, name="b", channel="far").sense(0)["depth_planar"], 10.0, atol=1e-5)
    with pytest.raises(UnknownNameError, match="unknown channel"):
        make(scene, name="c", channel="fra")


# Light


def ground(scene, colour=(0.5, 0.5, 0.5)):
    scene.add(Placement.one("ground", geometry.plane(400.0).of(Material("ground", colour))))


def test_moving_things_throw_shadows():
    scene = Scene()
    ground(scene)
    camera = make(scene, (0, 0, 8), (0, np.pi / 2 - 1e-3, 0), outputs=("rgb",), width=64, height=64)
    open_ = camera.sense(0)["rgb"].mean(axis=2)
    kite = scene.add(Placement.one("kite", geometry.box((3, 3, 0.1)), (0, 0, 20)), moving=True)
    shaded = camera.sense(0)["rgb"].mean(axis=2)
    assert shaded[32, 32] < 0.85 * open_[32, 32] and abs(shaded[2, 2] - open_[2, 2]) < 3
    kite.move(transform(np.array([1.0, 0, 0, 0]), np.array([100.0, 0, 20])))
    assert np.array_equal(camera.sense(0)["rgb"].mean(axis=2), open_)


def test_a_closed_room_is_dark_until_a_lamp_or_headlight_shines():
    def bright(*extra, **parameters):
        scene = Scene()
        scene.add(Placement.one("room", geometry.box((10, 10, 10)).of(WALL)))
        for item in extra:
            scene.add(item)
        # The maps of the sky are averaged over a metre or so, which lets some light into outer corners.
        return float(make(scene, outputs=("rgb",), **parameters).sense(0)["rgb"][:, 16:48].mean())

    lamp = Material("lamp", (1, 1, 1), emission=20.0)
    dark = bright()
    assert dark < 1
    assert bright(headlight=30.0) > dark + 60
    assert bright(Placement.one("lamp", geometry.sphere(0.2, 12).of(lamp), (-2, 0, 4))) > dark + 15
    # The same lamp behind a board is felt less.
    direct = bright(Placement.one("lamp", geometry.sphere(0.2, 12).of(lamp), (-2, 0, 4)))
    board = Placement.one("board", geometry.box((9.9, 9.9, 0.1)), (0, 0, 3))
    assert bright(Placement.one("lamp", geometry.sphere(0.2, 12).of(lamp), (-2, 0, 4)), board) < 0.85 * direct


def test_exposure_night_and_fog():
    scene = Scene()
    ground(scene, (0.2, 0.2, 0.2))
    grey = [
        float(make(scene, (0, 0, 5), (0, 0.8, 0), name=n, outputs=("rgb",), **k).sense(0)["rgb"].mean())
        for n, k in {
            "plain": {},
            "over": {"exposure": 2.0},
            "night": {"sky": NIGHT},
            "auto": {"sky": NIGHT, "auto_exposure": True},
        }.items()
    ]
    assert grey[1] > grey[0] * 1.15 and grey[2] < 5 and 5 < grey[3] < 100
    scene.add(Placement.one("tower", geometry.box((1, 30, 300)).of(Material("black", (0, 0, 0))), (80, 0, 0)))
    clear = make(scene, (0, 0, 5), name="c", outputs=("rgb",)).sense(0)["rgb"]
    foggy = make(scene, (0, 0, 5), name="f", outputs=("rgb",), weather=Weather(fog=0.9)).sense(0)["rgb"]
    contrast = [np.ptp(image.mean(axis=2)[10]) for image in (clear, foggy)]
    assert contrast[1] < 0.5 * contrast[0]


# Options


def test_a_stereo_pair_has_the_disparity_of_its_baseline():
    scene = Scene()
    scene.add(Placement.one("ball", geometry.sphere(0.4, 48), (8, 0, 0)))
    data = make(scene, width=200, height=64, baseline=0.5, outputs=("instances", "depth_planar")).sense(0)
    left, right = (np.nonzero(data["instances" + eye] >= 0)[1].mean() for eye in ("", "_right"))
    assert left - right == pytest.approx(100 * 0.5 / 8, abs=0.3)


def test_a_rolling_shutter_leans_what_stands_and_a_shutter_blurs_it():
    scene = Scene()
    scene.add(Placement.one("pole", geometry.box((0.2, 0.4, 40)).of(Material("b", (0, 0, 0))), (10, 0, 0)))
    rolling = make(scene, width=128, height=96, readout=0.05, outputs=("instances", "rgb"))
    rolling.robot.set_twist(np.zeros(3), np.array([0, 0, 1.0]))
    seen = rolling.sense(0)["instances"] == scene.objects["pole"].number
    top, bottom = np.nonzero(seen[:4])[1].mean(), np.nonzero(seen[-4:])[1].mean()
    # The camera turns left by 1 rad/s · 0.05 s · 92/96 between the two, so the pole goes right.
    assert bottom - top == pytest.approx(64 * 0.05 * 92 / 96, abs=0.6)
    sharp = make(scene, name="s", width=128, height=16, outputs=("rgb",)).sense(0)["rgb"][8].mean(axis=1)
    camera = make(scene, name="m", width=128, height=16, outputs=("rgb",), shutter=0.2, blur_samples=16)
    camera.robot.set_twist(np.zeros(3), np.array([0, 0, 1.0]))
    blurred = camera.sense(0)["rgb"][8].mean(axis=1)
    changed = [(np.abs(row - row[0]) > 5).sum() for row in (sharp, blurred)]
    assert changed[1] == pytest.approx(changed[0] + 64 * 0.2, abs=3)
    assert blurred.min() > sharp.min() + 20


def test_events_come_where_and_when_brightness_changes():
    scene = Scene()
    glow = Material("glow", (1, 1, 1), emission=0.5)
    scene.add(Placement.one("screen", geometry.box((0.1, 400, 400)).of(Material("b", (0, 0, 0))), (20, 0, 0)))
    light = scene.add(Placement.one("light", geometry.box((0.1, 4, 4)).of(glow), (15, 40, 0)), moving=True)
    camera = make(scene, sky=NIGHT, outputs=("events",), event_threshold=0.5)
    assert len(camera.sense(0)["events"]) == 0 and len(camera.sense(10)["events"]) == 0
    light.move(transform(np.array([1.0, 0, 0, 0]), np.array([15.0, 0, 0])))
    on = camera.sense(1010)["events"]
    # From the pixels' floor of 1e-3 to 0.5 and what the night adds: 6.2 in logarithm, 12 steps of a half.
    pixels, counts = np.unique(on[:, 1:3], axis=0, return_counts=True)
    assert (on[:, 3] == 1).all() and (np.abs(counts - 12) <= 1).all() and 64 <= len(pixels) <= 100
    assert on[:, 0].min() > 10 and on[:, 0].max() <= 1010 and (np.diff(on[:, 0]) >= 0).all()
    light.move(transform(np.array([1.0, 0, 0, 0]), np.array([15.0, 40.0, 0])))
    assert (camera.sense(2010)["events"][:, 3] == -1).all()


# Same bytes


def town(scene):
    ground(scene, (0.3, 0.3, 0.2))
    draw = generator(3, "town")
    for i in range(40):
        size = draw.uniform(1, 6, 3)
        bark = Material(
            f"m{i % 5}", tuple(draw.uniform(0.1, 0.7, 3)), texture=("bark", "rock", "", "brick", "soil")[i % 5]
        )
        place = (*draw.uniform(-40, 40, 2) + (50, 0), size[2] / 2)
        scene.add(Placement.one(f"house{i}", geometry.box(size).of(bark), place))


@pytest.mark.parametrize("quality", ["fast", "default", "best"])
def test_same_bytes_with_one_and_two_threads_and_with_cold_and_warm_maps(quality):
    def run(count):
        before = threads()
        set_threads(min(count, before))
        try:
            scene = Scene()
            town(scene)
            camera = make(scene, (0, 0, 4), outputs=ALL, quality=quality)
            first = camera.sense(0)
            move(camera.robot, (6, 1, 5), (0.1, 0.1, 0.3))
            return state_bytes([first, camera.sense(10)]), camera
        finally:
            set_threads(before)

    (one, _), (two, camera) = run(1), run(2)
    assert one == two
    # A camera that comes late, without anything seen before, takes the same picture.
    camera.environment.scene.companions.pop(ShadowMaps)
    config = CameraConfig(width=64, height=48, quality=quality, auto_exposure=False)
    late = Camera("late", config, camera.robot, camera.environment, generator(0, "late"))
    assert np.array_equal(late.sense(10)["rgb"], camera.sense(10)["rgb"])


def test_a_house_that_goes_takes_its_shadow_along():
    scene = Scene()
    town(scene)
    camera = make(scene, (0, 0, 6), outputs=("rgb",))
    camera.sense(0)
    for i in range(40):
        scene.remove(f"house{i}")
    fresh = Scene()
    ground(fresh, (0.3, 0.3, 0.2))
    assert np.array_equal(camera.sense(0)["rgb"], make(fresh, (0, 0, 6), outputs=("rgb",)).sense(0)["rgb"])


def test_state_and_restore_continue_with_the_same_bytes():
    scene = Scene()
    town(scene)
    camera = make(scene, (0, 0, 4), outputs=ALL, baseline=0.2)
    camera.aim(10, -5)
    camera.set_zoom(1.5)
    camera.measure(0)
    state = camera.state()
    move(camera.robot, (3, 0, 4))
    expected = state_bytes(camera.sense(1000))
    camera.aim(50, 50)
    camera.set_zoom(3)
    camera.sense(2000)
    camera.restore(state)
    assert state_bytes(camera.sense(1000)) == expected
    assert camera.zoom == 1.5 and camera.pan_tilt_deg == (10.0, -5.0)


def test_a_scene_goes_with_all_that_cameras_kept_of_it():
    scene = Scene()
    scene.add(Placement.one("ball", geometry.sphere(1.0, 16), (5, 0, 0)))
    make(scene, (0, 0, 0)).sense(0)
    left = weakref.ref(scene)
    del scene
    gc.collect()
    assert left() is None
