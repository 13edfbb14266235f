"""Places on Earth against published numbers; satellites, odometry, encoders and motion capture against closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core import geometry
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler
from volery.core.geodesy import Origin, ecef_from_geodetic, geodetic_from_ecef, gps_satellites
from volery.core.rng import generator
from volery.errors import CommandError, ScenarioError, UnknownNameError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.sensors.battery import Battery, BatteryConfig
from volery.sensors.gps import Gps, GpsConfig
from volery.sensors.noise import Noise
from volery.sensors.position import (
    GroundTruth,
    MotionCapture,
    MotionCaptureConfig,
    Odometry,
    OdometryConfig,
    WheelEncoder,
    WheelEncoderConfig,
)
from volery.sensors.sensor import SensorConfig
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.sky import Sky
from volery.world.world import Placement

check = settings(deadline=None, database=None, derandomize=True, max_examples=100)


def make(cls, config, robot_type="probe", environment=None, name="uav1", seed=0):
    robot = Robot(name, load_robot_file(robot_type).description())
    environment = environment or Environment(Scene())
    robot.show(environment.scene)
    return cls("sensor", config, robot, environment, generator(seed, f"{name}/sensor"))


def put(sensor, p=(0, 0, 0), rpy=(0, 0, 0), v=(0, 0, 0), w=(0, 0, 0)):
    sensor.robot.set_pose(np.array(p, float), quat_from_euler(np.array(rpy, float)))
    sensor.robot.set_twist(np.array(v, float), np.array(w, float))
    sensor.robot.update()


def read(sensor, now_ns=0):
    sensor.measure(now_ns)
    return sensor._waiting.pop().data


# The Earth

EPSG_POINT = np.array([np.radians(53 + 48 / 60 + 33.820 / 3600), np.radians(2 + 7 / 60 + 46.380 / 3600), 73.0])


def test_geodesy_gives_the_examples_of_epsg():
    """Guidance note 7-2: method 9602 (geocentric) and 9837 (topocentric), printed to the millimetre."""
    xyz = np.array([3771793.968, 140253.342, 5124304.349])
    assert ecef_from_geodetic(EPSG_POINT) == pytest.approx(xyz, abs=6e-4)
    back = geodetic_from_ecef(xyz)
    assert back[:2] == pytest.approx(EPSG_POINT[:2], abs=2e-10) and back[2] == pytest.approx(73.0, abs=1e-3)
    origin = Origin(55.0, 5.0, 200.0)
    assert origin.p_EW == pytest.approx([3652755.3058, 319574.6799, 5201547.3536], abs=6e-5)
    assert origin.enu_from_geodetic(EPSG_POINT) == pytest.approx([-189013.869, -128642.040, -4220.171], abs=6e-4)


def test_geodesy_gives_the_vectors_of_matlab_and_pymap3d():
    origin = Origin(42.0, -82.0, 200.0)
    assert origin.p_EW == pytest.approx([660675.2518247, -4700948.68316, 4245737.66222], abs=1e-4)
    enu = np.array([186.277521, 286.842228, 939.692621])
    assert origin.ecef(enu) == pytest.approx([660930.1927610816, -4701424.222957011, 4246579.604632881], abs=1e-5)
    latitude, longitude, height = origin.geodetic(enu)
    assert np.degrees([latitude, longitude]) == pytest.approx([42.002582, -81.997752], abs=1e-6)
    assert height == pytest.approx(1139.7018, abs=1e-3)


def test_geodesy_at_poles_and_equator():
    b = 6378137.0 * (1 - 1 / 298.257223563)
    assert geodetic_from_ecef(np.array([0.0, 0.0, b + 10])) == pytest.approx([np.pi / 2, 0, 10], abs=1e-8)
    assert geodetic_from_ecef(np.array([0.0, 0.0, -b])) == pytest.approx([-np.pi / 2, 0, 0], abs=1e-8)
    assert geodetic_from_ecef(np.array([0.0, -6378137.0, 0.0])) == pytest.approx([0, -np.pi / 2, 0], abs=1e-8)


def test_a_hundred_thousand_places_go_there_and_back_within_a_micrometre():
    rng = generator(0, "places")
    n = 100_000
    places = np.stack([np.arcsin(rng.uniform(-1, 1, n)), rng.uniform(-np.pi, np.pi, n), rng.uniform(-1e5, 1e6, n)], 1)
    there = ecef_from_geodetic(places)
    assert np.abs(ecef_from_geodetic(geodetic_from_ecef(there)) - there).max() < 1e-6


def test_gps_satellites_keep_their_distance_and_are_seen_from_everywhere():
    rng = generator(0, "sky")
    places = np.stack([np.arcsin(rng.uniform(-1, 1, 200)), rng.uniform(-np.pi, np.pi, 200), np.zeros(200)], 1)
    up = np.stack([np.cos(places[:, 0]) * np.cos(places[:, 1]), np.cos(places[:, 0]) * np.sin(places[:, 1]),
                   np.sin(places[:, 0])], 1)  # fmt: skip
    for t in np.arange(0, 86_164, 1800.0):
        satellites = gps_satellites(t)
        assert np.linalg.norm(satellites, axis=1) == pytest.approx(26_559_710.0)
        to = satellites - ecef_from_geodetic(places)[:, None]
        to /= np.linalg.norm(to, axis=-1, keepdims=True)
        assert (np.einsum("pst,pt->ps", to, up) > np.sin(np.radians(5))).sum(axis=1).min() >= 5
    # Two rounds in a sidereal day: the same sky again
    assert gps_satellites(86_164.0905) == pytest.approx(gps_satellites(0.0), abs=60e3)


# GPS


@given(st.floats(-90, 90), st.floats(-180, 180), *[st.floats(-2e4, 2e4)] * 2, st.floats(-100, 5000))
@check
def test_gps_goes_round_to_a_millimetre(latitude, longitude, x, y, z):
    environment = Environment(Scene(), sky=Sky(latitude=latitude, longitude=longitude))
    gps = make(Gps, GpsConfig(altitude=321.0), environment=environment)
    put(gps, (x, y, z))
    data = read(gps)
    assert data["fix"][0] == 3 and data["satellites"][0] >= 5
    assert np.linalg.norm(gps.origin.enu_from_geodetic(data["geodetic"]) - [x, y, z]) < 1e-3
    assert (data["position"] == [x, y, z]).all()


def test_gps_starts_at_the_origin_it_is_told_and_moves_as_the_earth_is_round():
    gps = make(Gps, GpsConfig(latitude=47.5, longitude=8.25, altitude=400.0))
    put(gps, v=(1, 2, 3), w=(0, 0, 1))
    data = read(gps)
    assert data["geodetic"] == pytest.approx([np.radians(47.5), np.radians(8.25), 400.0], abs=1e-9)
    assert (data["velocity"] == [1, 2, 3]).all()
    put(gps, (0, 1000.0, 0))
    north = read(gps)["geodetic"]
    meridian = 6378137.0 * (1 - 0.00669438) / (1 - 0.00669438 * np.sin(np.radians(47.5)) ** 2) ** 1.5
    assert north[0] - np.radians(47.5) == pytest.approx(1000.0 / (meridian + 400.0), rel=1e-6)
    assert north[2] - 400.0 == pytest.approx(1000.0**2 / 2 / meridian, rel=1e-2)


def test_walls_take_satellites_and_a_roof_takes_them_all():
    scene = Scene()
    scene.define_channel("glass", ["window*"])
    scene.add(Placement.one("roof", geometry.box((60, 60, 0.5)), (100, 0, 5)))
    scene.add(Placement.one("wall", geometry.box((0.5, 400, 100)), (203, 0, 50)))
    environment = Environment(scene)
    gps = make(Gps, GpsConfig(), environment=environment)
    put(gps, (-5000, 0, 2))
    free = read(gps)["satellites"][0]
    put(gps, (200, 0, 2))
    gps._look(gps.X_WS[:, 3], 0)
    beside = gps._sight
    # A tall wall 3 m to the east leaves only what stands in the west, or nearly overhead
    assert 0 < len(beside) < free
    assert (beside[:, 0] < 0.05).all()
    put(gps, (100, 0, 4))
    roofed = read(gps)
    assert roofed["satellites"][0] == 0 and roofed["fix"][0] == 0
    assert np.isnan(roofed["position"]).all() and np.isnan(roofed["geodetic"]).all()
    through = make(Gps, GpsConfig(channel="glass"), environment=environment, name="uav2")
    put(through, (100, 0, 4))
    assert read(through)["fix"][0] == 3
    blind = make(Gps, GpsConfig(blockable=False), environment=environment, name="uav3")
    put(blind, (100, 0, 4))
    assert read(blind)["satellites"][0] == free


def test_three_satellites_give_a_fix_without_height_and_two_none():
    gps = make(Gps, GpsConfig())
    put(gps, (10, 20, 30))
    real = gps._look

    def only(n):
        def look(p, now_ns):
            real(p, now_ns)
            gps._seen[np.flatnonzero(gps._seen)[n:]] = False
            gps._sight = gps._sight[:n]

        gps._look = look
        return read(gps)

    data = only(3)
    assert data["fix"][0] == 2
    assert data["position"][:2] == pytest.approx([10, 20]) and np.isnan(data["position"][2])
    assert np.isfinite(data["geodetic"][:2]).all() and np.isnan(data["geodetic"][2])
    assert only(2)["fix"][0] == 0


def test_a_lost_fix_comes_back_after_the_time_to_acquire():
    scene = Scene()
    scene.add(Placement.one("roof", geometry.box((60, 60, 0.5)), (100, 0, 5)))
    gps = make(Gps, GpsConfig(acquire=2.0), environment=Environment(scene))
    fixes = []
    for second in range(6):
        put(gps, (100 if second == 1 else 0, 0, 2))
        fixes.append(int(read(gps, second * SECOND)["fix"][0]))
    assert fixes == [3, 0, 0, 3, 3, 3]


def test_outages_come_at_their_rate_and_last_their_time():
    gps = make(Gps, GpsConfig(outage_rate=0.05, outage_time=3.0, blockable=False))
    fix = np.array([read(gps, i * SECOND)["fix"][0] for i in range(4000)]) == 3
    # Up for 20 s on average, down for 3
    assert 1 - fix.mean() == pytest.approx(3 / (3 + 1 / (1 - np.exp(-0.05))), rel=0.15)
    runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[1], fix, [1]]))))[::2]
    assert runs.min() == 3


def test_range_errors_become_errors_of_place_by_the_geometry():
    gps = make(Gps, GpsConfig(range_error=2.0, blockable=False))
    data = [read(gps) for _ in range(4000)]
    place = np.array([d["position"] for d in data])
    dop = data[0]["dop"]
    assert np.hypot(*place[:, :2].std(axis=0)) == pytest.approx(2.0 * dop[0], rel=0.05)
    assert place[:, 2].std() == pytest.approx(2.0 * dop[1], rel=0.05)
    assert 0.5 < dop[0] < 3 and dop[1] > dop[0]
    assert gps.origin.enu_from_geodetic(data[-1]["geodetic"]) == pytest.approx(place[-1], abs=1e-6)


def test_range_errors_wander_with_their_correlation_time():
    gps = make(Gps, GpsConfig(range_error=1.0, correlation=10.0, blockable=False))
    gps._look = lambda p, now_ns, look=gps._look: look(p, now_ns)
    x = []
    for i in range(3000):
        read(gps, i * SECOND)
        x.append(gps._range_errors)
    x = np.array(x)
    assert x.std() == pytest.approx(1.0, rel=0.05)
    assert (x[:-5] * x[5:]).mean() == pytest.approx(np.exp(-0.5), rel=0.1)


def test_gps_continues_from_its_state():
    config = GpsConfig(range_error=1.0, correlation=5.0, outage_rate=0.1, noise={"velocity": Noise(walk=0.1)})
    one, two = make(Gps, config), make(Gps, config)
    for i in range(5):
        read(one, i * SECOND)
    two.restore(one.state())
    two.generator.bit_generator.state = one.generator.bit_generator.state
    for i in range(5, 30):
        a, b = read(one, i * SECOND), read(two, i * SECOND)
        assert all(a[k].tobytes() == b[k].tobytes() for k in a)


# Truth, odometry, encoders, motion capture, battery


def test_ground_truth_of_a_mount_turns_with_the_body():
    truth = make(GroundTruth, SensorConfig(mount=Mount(position=(1, 0, 0), attitude_deg=(0, 0, 90))))
    put(truth, (5, 0, 0), (0, 0, np.pi / 2), v=(1, 0, 0), w=(0, 0, 2))
    data = read(truth)
    assert data["position"] == pytest.approx([5, 1, 0])
    assert data["velocity"] == pytest.approx([1 - 2, 0, 0])
    assert np.abs(euler_from_quat(data["attitude"])) == pytest.approx([0, 0, np.pi], abs=1e-9)
    assert data["angular_velocity"] == pytest.approx([0, 0, 2])


@pytest.mark.parametrize("cls", [GroundTruth, Gps])
def test_what_sits_on_a_turning_joint_moves_with_it(cls):
    """At radius r on a blade that turns at a constant rate: the mean velocity since the last reading is a chord's."""
    r, rate, dt = 0.1, 30.0, 1e-3
    config = cls.Config(mount=Mount(site="rotor_fl", position=(r, 0, 0)))
    sensor = make(cls, config, "quad")
    put(sensor, (1, 2, 3), v=(4, 0, 0))
    for i in range(3):
        sensor.robot.set_joint("spin_fl", rate * i * dt)
        sensor.robot.update()
        data = read(sensor, i * SECOND // 1000)
    a = rate * dt
    chord = r * np.array([np.cos(2 * a) - np.cos(a), np.sin(2 * a) - np.sin(a), 0]) / dt
    assert np.linalg.norm(chord) == pytest.approx(r * rate, rel=1e-3)
    assert data["velocity"] == pytest.approx([4, 0, 0] + chord, abs=1e-9)
    if cls is GroundTruth:
        assert data["angular_velocity"] == pytest.approx([0, 0, rate], rel=1e-9)
    again = make(cls, config, "quad", name="uav2")
    again.restore(sensor.state())
    for other in (sensor, again):
        put(other, (1, 2, 3), v=(4, 0, 0))
        other.robot.set_joint("spin_fl", 3 * a)
        other.robot.update()
    one, two = read(sensor, 3 * SECOND // 1000), read(again, 3 * SECOND // 1000)
    assert (one["velocity"] == two["velocity"]).all()


def test_a_height_that_is_lost_is_lost_on_the_ellipsoid_too():
    gps = make(Gps, GpsConfig(noise={"position": Noise(dropout=0.4)}, blockable=False))
    data = [read(gps, i) for i in range(200)]
    lost = np.array([np.isnan(d["position"]) for d in data])
    told = np.array([np.isfinite(d["geodetic"]) for d in data])
    assert (told[:, 2] == ~lost.any(axis=1)).all() and (told[:, 0] == ~lost[:, :2].any(axis=1)).all()
    assert 20 < told[:, 2].sum() < 90


def drive(odometry, steps=400, start=(3, -2, 1), yaw=0.7):
    """A half circle of radius 5 m, from a start anywhere."""
    for i in range(steps + 1):
        a = np.pi * i / steps
        p = np.array([5 * np.sin(a), 5 * (1 - np.cos(a)), 0.0])
        R = matrix_from_quat(quat_from_euler(np.array([0, 0, yaw])))
        put(odometry, np.array(start) + R @ p, (0, 0, yaw + a))
        data = read(odometry, i * SECOND // 100)
    return data


def test_odometry_without_errors_gives_the_motion_since_its_first_reading():
    odometry = make(Odometry, OdometryConfig())
    data = drive(odometry)
    assert data["position"] == pytest.approx([0, 10, 0], abs=1e-9)
    assert np.abs(euler_from_quat(data["attitude"])[2]) == pytest.approx(np.pi, abs=1e-9)
    assert data["angular_velocity"] == pytest.approx([0, 0, np.pi / 4], rel=1e-6)
    assert np.linalg.norm(data["velocity"]) == pytest.approx(5 * np.pi / 4, rel=1e-4)
    odometry.reset(np.array([1.0, 2, 3]))
    assert read(odometry, 5 * SECOND)["position"] == pytest.approx([1, 2, 3])


@pytest.mark.parametrize("wheels", [None, ("spin_fl", "spin_fr")])
def test_a_reset_between_two_readings_counts_from_then(wheels):
    """What was driven before the reset must not be added after it; the velocity is that of the whole period."""
    odometry = make(Odometry, OdometryConfig(wheels=wheels, radius=0.1), "quad")

    def roll(way):
        put(odometry, (5 + way, 0, 1))
        for joint in ("spin_fl", "spin_fr"):
            odometry.robot.set_joint(joint, way / 0.1)

    roll(0.0)
    read(odometry)
    roll(0.3)
    turned_left = quat_from_euler(np.array([0, 0, np.pi / 2]))
    odometry.reset((7, 8, 9), turned_left)
    roll(0.5)
    data = read(odometry, SECOND)
    assert data["position"] == pytest.approx([7, 8.2, 9])
    assert data["attitude"] == pytest.approx(turned_left)
    assert data["velocity"] == pytest.approx([0.5, 0, 0])
    for bad in [((1, 2), (1, 0, 0, 0)), ((np.nan, 0, 0), (1, 0, 0, 0)), ((0, 0, 0), (0, 0, 0, 0))]:
        with pytest.raises(CommandError, match=r"cannot be at|finite numbers"):
            odometry.reset(*bad)
    assert read(odometry, 2 * SECOND)["position"] == pytest.approx([7, 8.2, 9])


def test_odometry_drifts_as_its_parameters_say():
    """Straight ahead: place wanders by noise·√way across, and by the scale along; heading by noise·√way."""
    one = make(Odometry, OdometryConfig())
    shifting = OdometryConfig(distance_scale=0.05, distance_noise=0.02, planar=True)
    turning = OdometryConfig(heading_noise=0.01, planar=True)
    sensors = [
        Odometry("odometry", config, one.robot, one.environment, generator(seed, "odometry"))
        for config in (shifting, turning)
        for seed in range(300)
    ]
    for i in range(11):
        put(one, (i * 1.0, 0, 0))
        data = [read(s, i * SECOND) for s in sensors]
    ends = np.array([d["position"] for d in data[:300]])
    headings = [euler_from_quat(d["attitude"])[2] for d in data[300:]]
    assert ends[:, 1].std() == pytest.approx(0.02 * np.sqrt(10), rel=0.15)
    assert ends[:, 0].std() == pytest.approx(np.hypot(0.05 * 10, 0.02 * np.sqrt(10)), rel=0.15)
    assert (ends[:, 2] == 0).all()
    assert np.std(headings) == pytest.approx(0.01 * np.sqrt(10), rel=0.15)


def test_odometry_by_wheels_follows_the_arc_they_roll():
    config = OdometryConfig(wheels=("spin_fl", "spin_fr"), radius=0.1, separation=0.4)
    odometry = make(Odometry, config, "quad")
    for i in range(101):
        odometry.robot.set_joint("spin_fl", 0.3 * i)
        odometry.robot.set_joint("spin_fr", 0.4 * i)
        data = read(odometry, i * SECOND // 10)
    way, angle = 0.1 * 35.0, 0.1 * 10.0 / 0.4
    radius = way / angle
    assert data["position"] == pytest.approx([radius * np.sin(angle), radius * (1 - np.cos(angle)), 0], abs=1e-9)
    assert euler_from_quat(data["attitude"])[2] == pytest.approx(angle)
    assert data["velocity"][0] == pytest.approx(0.35, rel=1e-3)


def test_encoders_count_ticks():
    encoder = make(WheelEncoder, WheelEncoderConfig(joints=("spin_rl", "spin_fr"), ticks=100), "quad")
    assert (read(encoder)["ticks"] == 0).all()
    encoder.robot.set_joint("spin_rl", 2 * np.pi * 3.256)
    encoder.robot.set_joint("spin_fr", -2 * np.pi * 0.251)
    data = read(encoder, SECOND // 2)
    assert data["ticks"].tolist() == [325, -26] and data["ticks"].dtype == np.int64
    assert data["speed"] == pytest.approx([2 * np.pi * 6.512, -2 * np.pi * 0.502])
    wrapped = make(WheelEncoder, WheelEncoderConfig(joints=("spin_rl",), ticks=100, wrap=True), "quad", name="b")
    wrapped.robot.set_joint("spin_rl", 2 * np.pi * 3.256)
    assert read(wrapped)["ticks"].tolist() == [25]
    noisy = WheelEncoderConfig(joints=("spin_rl",), noise={"angle": Noise(bias=0.0629)}, ticks=100)
    assert read(make(WheelEncoder, noisy, "quad", name="c"))["ticks"].tolist() == [1]
    far = WheelEncoderConfig(joints=("spin_rl",), noise={"angle": Noise(bias=-1e12)}, ticks=100_000_000)
    assert read(make(WheelEncoder, far, "quad", name="e"))["ticks"].tolist() == [-(2**62)]
    with pytest.raises(UnknownNameError, match="spin_fl"):
        make(WheelEncoder, WheelEncoderConfig(joints=("spin_xl",)), "quad", name="d")


def test_motion_capture_needs_cameras_that_see_it():
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((0.2, 10, 10)), (0, 0, 0)))
    cameras = ((-5, -4, 3), (-5, 4, 3), (5, -4, 3), (5, 4, 3))
    capture = make(MotionCapture, MotionCaptureConfig(cameras=cameras, low=(-4, -4, 0), high=(4, 4, 3)),
                   environment=Environment(scene))  # fmt: skip
    put(capture, (2, 0, 1), (0.1, 0.2, 0.3))
    data = read(capture)
    assert data["tracked"][0] and data["cameras"][0] == 2
    assert data["position"] == pytest.approx([2, 0, 1])
    assert euler_from_quat(data["attitude"]) == pytest.approx([0.1, 0.2, 0.3])
    put(capture, (2, 0, 5))
    assert not read(capture)["tracked"][0]
    scene.add(Placement.one("screen", geometry.box((0.1, 3, 3)), (3.5, 2, 1)))
    put(capture, (2, 0, 1))
    hidden = read(capture)
    assert hidden["cameras"][0] == 1 and not hidden["tracked"][0] and np.isnan(hidden["position"]).all()


def test_noisy_attitudes_keep_their_length():
    capture = make(MotionCapture, MotionCaptureConfig(noise={"attitude": Noise(absolute=0.05)}))
    for i in range(20):
        assert np.linalg.norm(read(capture, i)["attitude"]) == pytest.approx(1.0)
    coarse = make(MotionCapture, MotionCaptureConfig(noise={"attitude": Noise(quantum=3.0)}), name="b")
    assert np.isnan(read(coarse)["attitude"]).all()


def test_a_battery_of_usarsim_lasts_twenty_minutes():
    battery = make(Battery, BatteryConfig())
    first = read(battery)
    assert first["remaining"][0] == pytest.approx(1200.0) and first["charge"][0] == 1.0
    half = read(battery, 600 * SECOND)
    assert half["charge"][0] == pytest.approx(0.5) and half["remaining"][0] == pytest.approx(600.0)
    assert half["voltage"][0] == pytest.approx((12.6 + 10.5) / 2)
    empty = read(battery, 1300 * SECOND)
    assert empty["charge"][0] == 0.0 and empty["remaining"][0] == 0.0 and empty["power"][0] == 0.0
    loaded = make(Battery, BatteryConfig(idle=0.0, resistance=0.1), name="b")
    assert read(loaded)["remaining"][0] == np.inf
    loaded.robot.power = 126.0
    data = read(loaded, SECOND)
    assert data["energy"][0] == pytest.approx(1e6 - 126.0)
    volts = data["voltage"][0]
    assert volts == pytest.approx(12.6 - 0.1 * 126.0 / volts, abs=1e-3)


@pytest.mark.parametrize(
    ("config", "bad"),
    [(GpsConfig, {"latitude": 91.0}), (GpsConfig, {"range_error": -1.0}), (OdometryConfig, {"radius": 0.0}),
     (WheelEncoderConfig, {"ticks": 0}), (BatteryConfig, {"capacity": 0.0}),
     (BatteryConfig, {"full_voltage": 10.0}), (MotionCaptureConfig, {"cameras": ((0.0, 0.0, 3.0),)}),
     (MotionCaptureConfig, {"low": (0.0, 0.0, 1.0), "high": (5.0, 5.0, 0.0)})],
)  # fmt: skip
def test_absurd_parameters_are_refused(config, bad):
    with pytest.raises(ScenarioError):
        config(**bad)
