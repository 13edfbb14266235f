"""Inertial sensors against closed forms: at rest, along circles and helices, in the field of the Earth and in wind."""

import numpy as np
import pytest

from volery.core.clock import SECOND
from volery.core.frames import (
    matrix_from_quat,
    quat_from_axis_angle,
    quat_from_euler,
    quat_multiply,
    quat_normalise,
)
from volery.core.geodesy import Origin, ecef_from_geodetic
from volery.core.rng import generator
from volery.errors import ScenarioError
from volery.robots.library import Mount, load_robot_file
from volery.robots.robot import Robot
from volery.sensors.inertial import (
    Airspeed,
    AirspeedConfig,
    Barometer,
    BarometerConfig,
    Imu,
    ImuConfig,
    Magnetometer,
    MagnetometerConfig,
    dipole_field,
)
from volery.sensors.noise import Noise
from volery.world.atmosphere import Atmosphere, geopotential
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.sky import Sky
from volery.world.wind import Gust, Wind

G = 9.80665
STEP = SECOND // 1000


def make(cls, config, robot_type="probe", environment=None):
    robot = Robot("uav1", load_robot_file(robot_type).description())
    return cls("sensor", config, robot, environment or Environment(Scene()), generator(0, "uav1/sensor"))


def put(sensor, p=(0, 0, 0), q=(1, 0, 0, 0), v=(0, 0, 0), w=(0, 0, 0)):
    sensor.robot.set_pose(np.array(p, float), np.array(q, float))
    sensor.robot.set_twist(np.array(v, float), np.array(w, float))
    sensor.robot.update()


def read(sensor, now_ns):
    sensor.measure(now_ns)
    return sensor._waiting.pop().data


@pytest.mark.parametrize("rpy", [(0, 0, 0), (0.4, -0.3, 1.1), (np.pi, 0, 0), (0, np.pi / 2, 0.2)])
def test_at_rest_an_imu_reads_g_upwards_and_no_turning(rpy):
    imu = make(Imu, ImuConfig(mount=Mount(position=(0.3, -0.2, 0.1), attitude_deg=(20, 30, 40))))
    q = quat_from_euler(np.array(rpy, float))
    put(imu, (5, 6, 7), q)
    R_WS = matrix_from_quat(q) @ matrix_from_quat(quat_from_euler(np.radians([20, 30, 40])))
    for i in range(3):
        data = read(imu, i * STEP)
        assert R_WS @ data["specific_force"] == pytest.approx([0, 0, G], abs=1e-12)
        assert data["angular_velocity"] == pytest.approx([0, 0, 0], abs=1e-15)


def test_in_free_fall_an_imu_reads_nothing():
    imu = make(Imu, ImuConfig())
    for i in range(5):
        t = i * 1e-3
        put(imu, (0, 0, -G * t * t / 2), v=(0, 0, -G * t))
        data = read(imu, i * STEP)
    assert data["specific_force"] == pytest.approx([0, 0, 0], abs=1e-9)


def test_the_lever_arm_of_a_mount_adds_centripetal_and_tangential_acceleration():
    """A body that spins up about z with α: at radius r a mount feels −ω²r inwards and αr along."""
    r, alpha = 0.5, 3.0
    imu = make(Imu, ImuConfig(mount=Mount(position=(r, 0, 0))))
    for i in range(2001):
        t = i * 1e-3
        put(imu, q=quat_from_euler(np.array([0, 0, alpha * t * t / 2])), w=(0, 0, alpha * t))
        data = read(imu, i * STEP)
    middle = alpha * (t - 0.5e-3)
    assert data["specific_force"] == pytest.approx([-(middle**2) * r, alpha * r, G], abs=1e-4)
    assert data["angular_velocity"] == pytest.approx([0, 0, alpha * t])


def circle(t, radius=20.0, rate=0.5):
    """Level circle, nose ahead."""
    a = rate * t
    p = radius * np.array([np.cos(a), np.sin(a), 0])
    v = radius * rate * np.array([-np.sin(a), np.cos(a), 0])
    return p, quat_from_euler(np.array([0, 0, a + np.pi / 2])), v, np.array([0, 0, rate])


def helix(t, radius=10.0, rate=0.9, climb=2.0):
    """Climbing circle of a banked body that also rolls about its own nose."""
    a, roll = rate * t, 0.4
    p = np.array([radius * np.cos(a), radius * np.sin(a), climb * t])
    v = np.array([-radius * rate * np.sin(a), radius * rate * np.cos(a), climb])
    heading = quat_from_euler(np.array([0.3, -0.2, a + np.pi / 2]))
    nose = matrix_from_quat(heading) @ [1, 0, 0]
    q = quat_multiply(heading, quat_from_axis_angle(np.array([1.0, 0, 0]), roll * t))
    return p, q, v, np.array([0, 0, rate]) + roll * nose


@pytest.mark.parametrize(("path", "lever"), [(circle, (0, 0, 0)), (helix, (0, 0, 0)), (helix, (0.4, -0.3, 0.2))])
def test_integrating_an_ideal_imu_gives_the_trajectory_back(path, lever):
    """10 s at 200 Hz: the place within 1 mm and the attitude within 1e-5 rad, also of a mount off the centre."""
    imu = make(Imu, ImuConfig(rate=200.0, mount=Mount(position=lever)))
    lever, dt, duration = np.array(lever, float), 5e-3, 10.0
    p0, q, v0, w0 = path(0.0)
    put(imu, p0, q, v0, w0)
    rate = read(imu, 0)["angular_velocity"]
    R = matrix_from_quat(q)
    p, v = p0 + R @ lever, v0 + np.cross(w0, R @ lever)
    for i in range(1, round(duration / dt) + 1):
        put(imu, *path(i * dt))
        data = read(imu, i * 5 * STEP)
        turn = 0.5 * (rate + data["angular_velocity"]) * dt
        rate = data["angular_velocity"]
        half = quat_from_axis_angle(turn, np.linalg.norm(turn) / 2)
        middle = quat_multiply(q, half)
        q = quat_multiply(middle, half)
        q /= np.linalg.norm(q)
        a = matrix_from_quat(middle) @ data["specific_force"] - [0, 0, G]
        p = p + v * dt + a * dt * dt / 2
        v = v + a * dt
    true_p, true_q, *_ = path(duration)
    truth = true_p + matrix_from_quat(true_q) @ lever
    assert np.linalg.norm(truth - p) < 1e-3
    error = quat_normalise(q) * [1, -1, -1, -1]
    assert np.linalg.norm(quat_multiply(error, true_q)[1:]) * 2 < 1e-5


def test_an_imu_on_a_moving_joint_feels_the_joint():
    """On a rotor blade at radius r that turns at a constant rate: centripetal force, and the rate itself."""
    r, rate = 0.1, 30.0
    imu = make(Imu, ImuConfig(mount=Mount(site="rotor_fl", position=(r, 0, 0))), "quad")
    joint = imu.robot.description.joint("spin_fl")
    for i in range(50):
        imu.robot.set_joint(joint, rate * i * 1e-4)
        imu.robot.update()
        data = read(imu, i * STEP // 10)
    assert data["angular_velocity"] == pytest.approx([0, 0, rate], rel=1e-6)
    assert data["specific_force"] == pytest.approx([-rate * rate * r, 0, G], rel=1e-2, abs=0.5)


def test_g_sensitivity_and_ranges():
    imu = make(Imu, ImuConfig(g_sensitivity=(0.0, 0.0, 1e-3)))
    assert read(imu, 0)["angular_velocity"] == pytest.approx([0, 0, 1e-3 * G])
    imu = make(Imu, ImuConfig(force_range=8.0, rate_range=1.0, noise={"angular_velocity": Noise(bias=-5.0)}))
    data = read(imu, 0)
    assert data["specific_force"] == pytest.approx([0, 0, 8.0])
    assert (data["angular_velocity"] == -1.0).all()


def test_an_imu_continues_from_its_state():
    config = ImuConfig(noise={"specific_force": Noise(density=0.01, walk=0.1)})
    one, two = make(Imu, config), make(Imu, config)
    for i in range(5):
        put(one, *circle(i * 1e-3))
        read(one, i * STEP)
    two.restore(one.state())
    two.generator.bit_generator.state = one.generator.bit_generator.state
    put(one, *circle(5e-3))
    put(two, *circle(5e-3))
    a, b = read(one, 5 * STEP), read(two, 5 * STEP)
    assert all(a[k].tobytes() == b[k].tobytes() for k in a)


def test_the_dipole_has_its_published_pole_and_twice_the_field_there():
    """IGRF-13 at 2020.0: the geomagnetic north pole is at 80.65° N, 72.68° W."""
    axis = ecef_from_geodetic(np.array([np.radians(80.65), np.radians(-72.68), 0.0]))
    axis /= np.linalg.norm(axis)
    r = 6_371_200.0
    at_pole = dipole_field(r * axis)
    assert at_pole / np.linalg.norm(at_pole) == pytest.approx(-axis, abs=2e-4)
    across = np.cross(axis, [1.0, 0, 0])
    across /= np.linalg.norm(across)
    moment = np.sqrt(29404.8**2 + 1450.9**2 + 4652.5**2) * 1e-9
    assert np.linalg.norm(at_pole) == pytest.approx(2 * moment, rel=1e-6)
    assert np.linalg.norm(dipole_field(r * across)) == pytest.approx(moment, rel=1e-3)
    assert np.linalg.norm(dipole_field(2 * r * axis)) == pytest.approx(2 * moment / 8, rel=1e-6)


def test_a_magnetometer_turns_with_its_robot_and_follows_the_sky():
    sensor = make(Magnetometer, MagnetometerConfig(hard_iron=(0, 0, 1e-6)), environment=Environment(Scene()))
    put(sensor, q=quat_from_euler(np.array([0, 0, np.pi / 2])))
    place = Origin(48.0, 11.0)
    east, north, up = dipole_field(place.p_EW) @ place.R_EW
    assert read(sensor, 0)["field"] == pytest.approx([north, -east, up + 1e-6], rel=1e-9)
    # The true field there is some 48.5 µT, 64° below the horizon
    assert np.linalg.norm([east, north, up]) == pytest.approx(48.5e-6, rel=0.1)
    assert np.degrees(np.arctan2(-up, np.hypot(east, north))) == pytest.approx(64, abs=5)
    sensor.environment.sky = Sky(latitude=-30.0, longitude=20.0)
    assert read(sensor, 0)["field"][2] > 0
    put(sensor)
    fixed = make(Magnetometer, MagnetometerConfig(field=(0.0, 2e-5, -4e-5)))
    assert read(fixed, 0)["field"] == pytest.approx([0, 2e-5, -4e-5])


@pytest.mark.parametrize("height", [-300.0, 0.0, 1234.5, 8000.0, 15_000.0, 25_000.0])
def test_a_barometer_tells_its_height_back(height):
    sensor = make(Barometer, BarometerConfig(altitude=500.0))
    put(sensor, (0, 0, height - 500.0))
    data = read(sensor, 0)
    assert data["altitude"][0] == pytest.approx(height, abs=1e-6)
    assert data["pressure"][0] == pytest.approx(float(Atmosphere().at(geopotential(height)).pressure))


def test_a_barometer_with_noise_errs_in_height_by_as_much_as_in_pressure():
    sensor = make(Barometer, BarometerConfig(noise={"pressure": Noise(bias=12.0)}))
    assert read(sensor, 0)["altitude"][0] == pytest.approx(-12.0 / (1.225 * G), rel=1e-3)
    sensor.robot.set_pose(np.array([0, 0, -1e6]), np.array([1.0, 0, 0, 0]))
    sensor.robot.update()
    assert np.isfinite(read(sensor, 0)["pressure"]).all()


def test_airspeed_is_motion_against_the_wind():
    wind = Wind(steady=(-5.0, 3.0, 0.0), gusts=(Gust(direction=(0, 0, 1), amplitude=2.0, length=1e5),))
    environment = Environment(Scene(), wind=wind)
    sensor = make(Airspeed, AirspeedConfig(), environment=environment)
    put(sensor, (0, 0, 100.0), v=(20.0, 0, 0))
    data = read(sensor, 0)
    air = wind.velocity(np.array([[0, 0, 100.0]]), 0)[0]
    density = float(Atmosphere().at(geopotential(100.0)).density)
    assert data["velocity"] == pytest.approx(np.array([20.0, 0, 0]) - air)
    assert data["true"][0] == pytest.approx(20.0 - air[0])
    assert air[0] == pytest.approx(-5.0) and air[2] == pytest.approx(2.0, rel=1e-2)
    assert data["pressure"][0] == pytest.approx(0.5 * density * 25.0**2)
    assert data["indicated"][0] == pytest.approx(25.0 * np.sqrt(density / 1.225))
    put(sensor, (0, 0, 100.0), q=quat_from_euler(np.array([0, 0, np.pi])), v=(20.0, 0, 0))
    assert read(sensor, 0)["true"][0] == 0.0


def test_a_pitot_tube_on_a_joint_feels_the_joint():
    """At the tip of a blade, looking along its way: rate times radius."""
    mount = Mount(site="rotor_fl", position=(0.1, 0, 0), attitude_deg=(0, 0, 90))
    sensor = make(Airspeed, AirspeedConfig(mount=mount), "quad")
    for i in range(3):
        sensor.robot.set_joint("spin_fl", 30.0 * i * 1e-4)
        sensor.robot.update()
        data = read(sensor, i * STEP // 10)
    assert data["true"][0] == pytest.approx(3.0, rel=1e-3)


@pytest.mark.parametrize(
    ("config", "bad"),
    [(ImuConfig, {"force_range": 0.0}), (ImuConfig, {"gravity": -1.0}), (BarometerConfig, {"qnh": 1.0})],
)
def test_absurd_parameters_are_refused(config, bad):
    with pytest.raises(ScenarioError):
        config(**bad)
