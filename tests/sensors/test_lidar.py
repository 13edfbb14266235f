"""The lidar against closed forms: ranges to a millimetre, chances within four standard deviations."""

import math

import numpy as np
import pytest

from volery.core import geometry
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.core.material import Material, label_number
from volery.core.parallel import set_threads, threads
from volery.core.rng import Generators, generator
from volery.core.state import encode
from volery.errors import ScenarioError, UnknownNameError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.sensors.lidar import Lidar, LidarConfig
from volery.sensors.noise import Noise
from volery.sensors.patterns import MODELS
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.world import Placement

MILLIMETRE = 1e-3
GREY = Material("grey", label="wall", reflectivity=0.7)
PERFECT = {"sensitivity": 0.0, "min_range": 0.0}


def make(scene, p=(0, 0, 0), rpy=(0, 0, 0), robot_type="probe", name="uav1", weather=None, seed=0, **parameters):
    robot = Robot(name, load_robot_file(robot_type).description())
    robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    robot.update()
    if robot_type != "probe":
        # Probes only carry: several may stand in one place, unseen.
        robot.show(scene)
    environment = Environment(scene, weather=weather or Weather())
    return Lidar("lidar", LidarConfig(**parameters), robot, environment, generator(seed, name))


def wall_scene(distance=20.0, material=GREY, size=400.0):
    scene = Scene()
    wall = geometry.box((1, size, size)).of(material)
    scene.add(Placement.one("wall", wall, (distance + 0.5, 0, 0)))
    return scene


def forward(count):
    """The same beam straight ahead, many times."""
    return {"elevations_deg": (0.0,), "columns": count, "field_deg": (0.0, 0.0)}


def angles(lidar, elevations, columns):
    """Directions in S written independently of the patterns, [lines·columns, 3] float64."""
    out = []
    for e in np.radians(elevations):
        for k in range(columns):
            a = -math.pi + 2 * math.pi * k / columns
            out.append([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    return np.array(out)


def within(hits, chance, count):
    return abs(hits - chance * count) < 4 * math.sqrt(chance * (1 - chance) * count) + 1


@pytest.mark.parametrize("frame", ["sensor", "world"])
def test_returns_from_a_plane_are_exact(frame):
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(2000.0).of(GREY)))
    p, rpy = np.array([3.0, -4.0, 7.0]), (0.2, -0.3, 1.0)
    lidar = make(scene, p, rpy, columns=360, frame=frame, **PERFECT)
    data = lidar.sense(0)
    R = matrix_from_quat(quat_from_euler(np.array(rpy)))
    d = angles(lidar, np.linspace(-15, 15, 16), 360)
    down = (d @ R.T)[:, 2]
    exact = np.where(down < -1e-3, -p[2] / np.minimum(down, -1e-3), 1e6)
    hit = exact < 99.99
    assert hit.sum() > 1500 and (exact > 100.01).sum() > 1500
    assert np.isfinite(data["range"][hit]).all() and np.isnan(data["range"][exact > 100.01]).all()
    assert np.abs(data["range"][hit] - exact[hit]).max() < MILLIMETRE
    points = d * exact[:, None] if frame == "sensor" else p + (d @ R.T) * exact[:, None]
    assert np.abs(data["points"][hit] - points[hit]).max() < MILLIMETRE
    assert data["points"].dtype == (np.float32 if frame == "sensor" else np.float64)
    assert np.isnan(data["points"][exact > 100.01]).all()


def test_returns_from_a_cylinder_are_exact():
    radius, centre = 1.5, np.array([6.0, 2.0])
    scene = Scene()
    scene.add(Placement.one("pillar", geometry.cylinder(radius, 100.0, 2048), (*centre, 0)))
    lidar = make(scene, (0, 0, 1), model="os1_32", **PERFECT)
    data = lidar.sense(0)
    d = angles(lidar, np.linspace(-22.5, 22.5, 32), 1024)
    flat = np.linalg.norm(d[:, :2], axis=1)
    along = d[:, :2] @ centre / flat
    off = np.abs(d[:, 0] * centre[1] - d[:, 1] * centre[0]) / flat
    meets = (along > 0) & (off < radius - 1e-3)
    exact = (along - np.sqrt(np.maximum(radius**2 - off**2, 0.0))) / flat
    assert meets.sum() > 2000
    assert np.abs(data["range"][meets] - exact[meets]).max() < MILLIMETRE
    assert np.isnan(data["range"][(along < 0) | (off > radius + 1e-3)]).all()
    cosine = np.sqrt(np.maximum(1 - (off / radius) ** 2, 0.0)) * flat
    assert np.abs(data["intensity"][meets] - 0.3 * cosine[meets]).max() < 0.3 * 2 * math.pi / 2048


@pytest.mark.parametrize(("v", "w"), [((7, -3, 2), (0, 0, 0)), ((0, 0, 0), (0, 0, 2.0)), ((5, 4, -1), (0.7, -1.1, 3))])
def test_motion_during_the_sweep_distorts_as_it_must(v, w):
    v, w, p, lever = np.array(v, float), np.array(w, float), np.array([1.0, 2.0, 3.0]), np.array([0.4, -0.2, 0.3])
    mount, rpy = Mount(position=tuple(lever)), (0.1, -0.2, 0.5)
    about = {"columns": 256, "max_range": 300.0, "mount": mount, **PERFECT}
    scene = wall_scene()
    lidar = make(scene, p, rpy, **about)
    world = make(scene, p, rpy, name="uav2", frame="world", **about)
    still = make(scene, p, rpy, name="uav3", motion=False, **about)
    for other in (lidar, world, still):
        other.robot.set_twist(v, w)
    data = lidar.sense(0)
    R0 = matrix_from_quat(quat_from_euler(np.array(rpy)))
    d = angles(lidar, np.linspace(-15, 15, 16), 256)
    exact, meets = np.empty(len(d)), np.zeros(len(d), bool)
    for i in range(len(d)):
        t = ((i % 256) + 1 - 256) / 256 * 0.1
        turn = np.linalg.norm(w) * t
        half = np.concatenate([[math.cos(turn / 2)], math.sin(turn / 2) * w / max(np.linalg.norm(w), 1e-12)])
        R = matrix_from_quat(half) @ R0
        start, way = p + v * t + R @ lever, R @ d[i]
        exact[i] = (20.0 - start[0]) / way[0] if abs(way[0]) > 0.2 else np.nan
        meets[i] = exact[i] > 0
    assert meets.sum() > 1000
    assert data["time"][5] == pytest.approx((5 + 1 - 256) / 256 * 0.1) and data["time"].max() == 0.0
    assert np.abs(data["range"][meets] - exact[meets]).max() < MILLIMETRE
    assert np.abs(data["points"][meets] - d[meets] * exact[meets, None]).max() < MILLIMETRE
    assert np.abs(world.sense(0)["points"][meets][:, 0] - 20.0).max() < MILLIMETRE
    frozen = still.sense(0)["range"]
    static = (20.0 - (p + R0 @ lever)[0]) / (d[meets] @ R0.T)[:, 0]
    ahead = static > 0
    assert np.abs(frozen[meets][ahead] - static[ahead]).max() < MILLIMETRE
    assert np.abs(frozen[meets][ahead] - exact[meets][ahead]).max() > 0.1


@pytest.mark.parametrize("exponent", [0.0, 2.0])
@pytest.mark.parametrize("fog", [0.0, 0.5])
def test_intensity_is_reflectivity_times_cosine_times_range_law(exponent, fog):
    weather = Weather(fog=fog)
    lidar = make(wall_scene(), weather=weather, range_exponent=exponent, full_power_range=8.0, **PERFECT)
    data = lidar.sense(0)
    beams = (data["label"] > 0) & (data["range"] > 8.0)
    r, cosine = data["range"][beams].astype(float), lidar.pattern.directions[beams, 0]
    assert beams.sum() > 5000 and r.max() > 60
    exact = 0.7 * cosine * (8.0 / r) ** exponent * np.exp(-2 * weather.extinction(905.0) * r)
    assert np.allclose(data["intensity"][beams], exact, rtol=1e-4)


def test_two_robots_see_each_other_and_not_themselves():
    scene = Scene()
    about = {"robot_type": "quad", "model": "os1_128", **PERFECT}
    one, two = make(scene, (0, 0, 5), name="uav1", **about), make(scene, (3, 0, 5.05), name="uav2", **about)
    for own, other in ((one, two), (two, one)):
        data = own.sense(0)
        seen = {scene.object_name(int(n)) for n in np.unique(data["object"]) if n >= 0}
        assert seen == {other.robot.name}
        assert (data["label"] > 0).sum() > 50
    selfish = make(scene, (0, 0, 50), name="uav3", sees_self=True, **about).sense(0)
    assert (selfish["range"] < 1).any()


@pytest.mark.parametrize("glass", ["pane", "sheet"])
def test_glass_lets_its_share_pass_and_the_beam_goes_on(glass):
    scene = wall_scene()
    pane = Material("glass", label="glass", reflectivity=0.1, transparency=0.8)
    if glass == "pane":
        scene.add(Placement.one("pane", geometry.box((0.01, 50, 50)).of(pane), (5.005, 0, 0)))
    else:
        sheet = geometry.plane(50.0).of(pane).moved(np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]), (5, 0, 0))
        scene.add(Placement.one("pane", sheet))
    n = 20_000
    data = make(scene, **forward(n), **PERFECT).sense(0)
    near, far = np.abs(data["range"] - 5) < MILLIMETRE, np.abs(data["range"] - 20) < MILLIMETRE
    assert (near | far).all()
    assert within(far.sum(), 0.8, n)
    assert (data["label"][near] == label_number("glass")).all() and (data["label"][far] == label_number("wall")).all()
    stopped = make(scene, name="b", glass="stop", **forward(10), **PERFECT).sense(0)
    assert np.abs(stopped["range"] - 5).max() < MILLIMETRE
    passed = make(scene, name="c", glass="pass", **forward(10), **PERFECT).sense(0)
    assert np.abs(passed["range"] - 20).max() < MILLIMETRE


def test_a_mirror_shows_things_at_the_length_of_the_broken_path():
    scene = Scene()
    mirror = Material("mirror", label="mirror", mirror=1.0)
    scene.add(Placement.one("mirror", geometry.box((4, 4, 4)).of(mirror).moved(_yaw(math.pi / 4)), (10, 0, 0)))
    scene.add(Placement.one("screen", geometry.box((200, 1, 200)).of(GREY), (0, -30.5, 0)))
    # The box stands on its edge at x = 10 - 2√2 = 7.17; a beam at y = -1 meets the 45° face and turns to -y.
    data = make(scene, (0, -1, 0), **forward(4), **PERFECT).sense(0)
    exact = (10 - 2 * math.sqrt(2) + 1) + 29.0
    assert np.abs(data["range"] - exact).max() < MILLIMETRE
    assert np.abs(data["points"] - [exact, 0, 0]).max() < MILLIMETRE
    assert {scene.object_name(int(n)) for n in data["object"]} == {"screen"}


def _yaw(angle):
    return matrix_from_quat(quat_from_euler(np.array([0, 0, angle])))


def test_two_mirrors_do_not_hold_a_beam_for_ever():
    scene = Scene()
    mirror = Material("mirror", mirror=1.0)
    for x in (5.5, -5.5):
        scene.add(Placement.one(f"mirror{x}", geometry.box((1, 9, 9)).of(mirror), (x, 0, 0)))
    assert np.isnan(make(scene, **forward(3), max_range=1000.0, **PERFECT).sense(0)["range"]).all()


@pytest.mark.parametrize("fog", [0.79, 0.81, 0.825])
def test_fog_hides_what_is_too_weak(fog):
    weather, n, r = Weather(fog=fog), 20_000, 40.0
    lidar = make(wall_scene(r), weather=weather, sensitivity=0.2, max_range=60.0, **forward(n))
    data = lidar.sense(0)
    margin = 0.7 * math.exp(-2 * weather.extinction(905.0) * r) * (60.0 / r) ** 2 / 0.2
    seen = 0.5 * math.erfc(5 * (1 - margin) / math.sqrt(2)) * (1 - float(weather.false_return(r)))
    assert 0.1 < seen < 0.97
    assert within((data["label"] > 0).sum(), seen, n)


def test_fog_seen_by_a_sensitive_receiver_is_told_apart_by_the_chance_at_the_threshold():
    """At the very edge of max_range, a target of the reflectivity `sensitivity` is seen half the time."""
    n = 20_000
    data = make(wall_scene(59.999), sensitivity=0.7, max_range=60.0, **forward(n)).sense(0)
    assert within(np.isfinite(data["range"]).sum(), 0.5, n)


@pytest.mark.parametrize("weather", [Weather(snow=1.0), Weather(rain=1.0)])
def test_snow_and_rain_give_false_returns_near_the_sensor(weather):
    n, r = 100_000, 30.0
    data = make(wall_scene(r), weather=weather, **forward(n), **PERFECT).sense(0)
    false = data["range"] < r - 0.01
    assert within(false.sum(), float(weather.false_return(r)), n)
    assert within((data["range"] < 5.0).sum(), float(weather.false_return(5.0)), n)
    assert (data["label"][false] == 0).all() and (data["intensity"][false] < 0.06).all()
    clear = make(wall_scene(r), name="b", **forward(n), **PERFECT).sense(0)
    assert np.abs(clear["range"] - r).max() < MILLIMETRE


def test_dropout_loses_its_share():
    n = 20_000
    data = make(wall_scene(), dropout=0.3, **forward(n), **PERFECT).sense(0)
    assert within(np.isnan(data["range"]).sum(), 0.3, n)


def test_a_thing_nearer_than_the_least_range_hides_what_is_behind():
    scene = wall_scene()
    scene.add(Placement.one("lid", geometry.box((0.1, 1, 1)), (0.4, 0, 0)))
    data = make(scene, min_range=0.5, sensitivity=0.0, **forward(3)).sense(0)
    assert np.isnan(data["range"]).all() and (data["label"] == 0).all() and (data["object"] == -1).all()


def test_the_rosette_covers_its_field_in_time_and_never_leaves_it():
    lidar = make(wall_scene(), model="mid40", **PERFECT)
    half = math.radians(19.2)
    cells = np.zeros((20, 72), bool)
    shares, sweeps = [], []
    for k in range(20):
        d = lidar.pattern.at(k * 100_000_000, 0.1).astype(float)
        off, about = np.arccos(np.clip(d[:, 0], -1, 1)), np.arctan2(d[:, 2], d[:, 1])
        assert off.max() < half + 1e-3
        cells[
            np.minimum(off / half * 20, 19).astype(int), np.minimum((about / (2 * np.pi) + 0.5) * 72, 71).astype(int)
        ] = 1
        shares.append(cells.mean())
        sweeps.append(d.copy())
    assert shares[0] < 0.9 and shares[-1] > 0.99
    assert np.abs(sweeps[0] - sweeps[1]).max() > 0.1
    # Sweeps join: the step from one to the next is as small as those within.
    assert np.linalg.norm(sweeps[1][0] - sweeps[0][-1]) < 2 * np.linalg.norm(np.diff(sweeps[0], axis=0), axis=1).max()
    assert np.array_equal(lidar.pattern.at(300_000_000, 0.1), sweeps[3].astype(np.float32))


def test_the_dome_covers_its_field():
    d = np.concatenate([make(Scene(), model="mid360").pattern.at(k * 100_000_000, 0.1).copy() for k in range(10)])
    elevation, azimuth = np.degrees(np.arcsin(d[:, 2])), np.degrees(np.arctan2(d[:, 1], d[:, 0]))
    assert -7.01 < elevation.min() < -6.9 and 51.9 < elevation.max() < 52.01
    cells = np.zeros((180, 29), bool)
    cells[((azimuth + 180) / 2 % 180).astype(int), np.clip((elevation + 7) / 2.04, 0, 28).astype(int)] = True
    assert cells.mean() > 0.99


@pytest.mark.parametrize(
    ("model", "lines"), [("vlp16", 16), ("hdl32", 32), ("hdl64", 64), ("os1_128", 128), ("utm30", 1)]
)
def test_models_have_their_lines(model, lines):
    lidar = make(wall_scene(), model=model)
    ring = lidar.pattern.ring
    assert len(lidar) == lines * MODELS[model].columns and len(np.unique(ring)) == lines
    elevation = np.arcsin(lidar.pattern.directions[:, 2].astype(float))
    means = [elevation[ring == k].mean() for k in range(lines)]
    assert np.allclose(means, np.radians(MODELS[model].elevations_deg), atol=1e-6) and sorted(means) == means
    assert np.abs(np.linalg.norm(lidar.pattern.directions, axis=1) - 1).max() < 1e-6


def test_a_scanner_in_one_plane_sees_a_wall_from_right_to_left():
    data = make(wall_scene(3.0, size=2000.0), model="utm30", **PERFECT).sense(0)
    angle = np.radians(np.linspace(-135, 135, 1081))
    meets = np.abs(angle) < math.acos(3.0 / 29.9)
    assert np.abs(data["range"][meets] - 3.0 / np.cos(angle[meets])).max() < MILLIMETRE
    assert (np.diff(data["points"][meets, 1]) > 0).all()


def test_own_lines_offsets_field_and_tables():
    scene = wall_scene(10.0)
    data = make(scene, elevations_deg=(-3.0, 4.0), offsets_deg=(0.0, 2.0), columns=5, field_deg=(-20.0, 20.0)).sense(0)
    azimuth = np.degrees(np.arctan2(data["points"][:, 1], data["points"][:, 0]))
    assert np.allclose(azimuth, [-20, -10, 0, 10, 20, -18, -8, 2, 12, 22], atol=1e-3)
    table = make(scene, name="b", angles_deg=((10.0, 5.0), (-30.0, -5.0))).sense(0)
    x, y, z = table["points"].T
    assert np.allclose(np.degrees(np.arctan2(y, x)), [10, -30], atol=1e-3)
    assert np.allclose(np.degrees(np.arctan2(z, np.hypot(x, y))), [5, -5], atol=1e-3)
    assert table["ring"].tolist() == [1, 0] and table["time"] == pytest.approx([-0.05, 0.0])


def test_dense_leaves_out_what_did_not_return():
    scene = wall_scene()
    whole, dense = make(scene).sense(0), make(scene, dense=True).sense(0)
    there = np.isfinite(whole["range"])
    assert 0 < there.sum() < len(there) == 28_800
    for name, array in dense.items():
        assert np.array_equal(array, whole[name][there]), name


def test_noise_on_the_range_moves_points_along_their_beams():
    lidar = make(wall_scene(), columns=200, noise={"range": Noise(absolute=0.05)}, **PERFECT)
    exact = lidar.sense(0)
    lidar.measure(0)
    data = lidar._waiting[0].data
    there = np.isfinite(exact["range"])
    error = data["range"][there] - exact["range"][there]
    assert np.std(error) == pytest.approx(0.05, rel=0.1)
    assert np.allclose(data["points"], lidar.pattern.directions * data["range"][:, None], atol=1e-4, equal_nan=True)
    assert data["range"].dtype == np.float32


def test_same_bytes_twice_after_going_back_and_on_any_number_of_threads():
    weather = Weather(snow=0.8, fog=0.3)

    def run(back=False):
        scene = wall_scene(material=Material("glassy", transparency=0.5))
        scene.add(Placement.one("back", geometry.box((1, 99, 99)), (30, 0, 0)))
        noise = {"range": Noise(absolute=0.01, walk=0.1)}
        lidar = make(scene, weather=weather, model="mid40", columns=3000, dropout=0.1, drop=0.2, buffer=9, noise=noise)
        generators = Generators(4)
        lidar.generator = generators.named("a")
        lidar.robot.set_twist(np.array([3.0, 1, 0]), np.array([0, 0, 1.0]))
        kept = None
        for k in range(6):
            lidar.update(k * 100_000_000, 100_000_000)
            if k == 2:
                kept = (lidar.state(), generators.state())
        if back:
            lidar.restore(kept[0])
            generators.restore(kept[1])
            lidar.generator = generators.named("a")
            for k in range(3, 6):
                lidar.update(k * 100_000_000, 100_000_000)
        return encode([r.state() for r in lidar.recent])

    first = run()
    assert run() == first and run(back=True) == first
    before = threads()
    try:
        set_threads(1)
        assert run() == first
    finally:
        set_threads(before)


def test_seeds_choose_other_beams():
    scene = wall_scene(material=Material("glassy", transparency=0.5))
    one, two = (np.isnan(make(scene, seed=s, **forward(100), **PERFECT).sense(0)["range"]) for s in (0, 1))
    assert one.any() and not np.array_equal(one, two)


@pytest.mark.parametrize(
    "parameters",
    [
        {"model": "vlp17"},
        {"lines": 0},
        {"lines": 1024, "columns": 1_000_000},
        {"columns": -5},
        {"elevations_deg": (0.0, 91.0)},
        {"elevations_deg": (0.0, float("nan"))},
        {"offsets_deg": (1.0, 2.0)},
        {"angles_deg": ((0.0, 100.0),)},
        {"angles_deg": ((0.0,),)},
        {"field_deg": (90.0, -90.0)},
        {"field_deg": (-300.0, 300.0)},
        {"min_range": 200.0},
        {"max_range": 0.0},
        {"sweep": 1.0},
        {"dropout": 1.5},
        {"sensitivity": -0.1},
        {"model": "mid40", "lines": 4},
        {"frame": "body"},
        {"glass": "melt"},
        {"rate": 0.0},
    ],
)
def test_absurd_parameters_are_refused(parameters):
    with pytest.raises(ScenarioError):
        LidarConfig(**parameters)


def test_unknown_channels_and_arrays_are_refused():
    with pytest.raises(UnknownNameError, match="unknown channel"):
        make(Scene(), channel="grund")
    with pytest.raises(UnknownNameError, match="noise"):
        make(Scene(), noise={"points": Noise(absolute=1.0)})
