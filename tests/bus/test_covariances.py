"""The covariances that sensors tell are those of their errors, over many runs or many readings."""

import numpy as np
import pytest

from volery.bus.conversion import message_of
from volery.core.frames import matrix_from_quat, quat_conjugate, quat_from_matrix, quat_multiply
from volery.scenario import read_scenario
from volery.sim import Simulation


def flown(seed, sensor, *, seconds=4.0, path="[[0, 0, 5], [8, 0, 5], [8, 6, 5]]", rate=50):
    return Simulation(read_scenario(
        f"seed: {seed}\nstep: 0.02\nworld: empty\nrobots:\n  r:\n    type: quad\n    physics: kinematic\n"
        f"    motion: {{path: {path}, speed: 3}}\n    sensors: {{scanner: off, s: {sensor}}}\n"
    ))  # fmt: skip


def message(sensor, number=0):
    output = sensor.outputs()[number]
    return message_of(output.type, output.make(sensor.latest), sensor.latest.stamp_ns, "f")


def test_an_imu_tells_what_its_noise_is():
    noise = "{density: 0.02, absolute: 0.01, bias_spread: 0.1, walk: 0.05}"
    errors, told = [], None
    for seed in range(300):
        simulation = flown(
            seed, f"{{type: imu, rate: 50, noise: {{angular_velocity: {noise}}}}}", path="[[0, 0, 5], [0, 0, 5.001]]"
        )
        simulation.run(25)
        sensor = simulation.sensor("r", "s")
        errors.append(sensor.latest.angular_velocity)
        told = message(sensor).angular_velocity_covariance.reshape(3, 3)
    assert told == pytest.approx(np.diag([0.01**2 + 0.02**2 * 50 + 0.1**2 + 0.05**2 * 0.5] * 3))
    assert np.var(errors, axis=0) == pytest.approx(np.diag(told), rel=0.3)


def test_a_satellite_receiver_tells_what_its_ranges_and_the_sky_make():
    simulation = flown(
        1,
        "{type: gps, rate: 50, range_error: 2.0, noise: {position: {absolute: 0.5}}}",
        path="[[0, 0, 5], [0, 0, 5.001]]",
    )
    sensor, errors = simulation.sensor("r", "s"), []
    for _ in range(3000):
        simulation.step()
        errors.append(sensor.latest.position - [0, 0, 5])
    fix = message(sensor)
    told = fix.position_covariance.reshape(3, 3)
    assert fix.position_covariance_type == 3 and told[2, 2] > told[0, 0] > 0.25
    found = np.cov(np.array(errors).T)
    assert np.linalg.norm(found - told) / np.linalg.norm(told) < 0.15


def test_odometry_knows_how_far_it_may_be_off():
    """Over many runs the errors, measured by the told covariance, have the length that three and six numbers have."""
    kind = (
        "{type: odometry, rate: 50, distance_scale: 0.05, turn_scale: 0.05, distance_noise: 0.03, turn_noise: 0.05,"
        " heading_noise: 0.01}"
    )
    lengths, spins = [], []
    for seed in range(120):
        simulation = flown(seed, kind)
        sensor = simulation.sensor("r", "s")
        X0 = sensor.X_WS.copy()
        simulation.run(200)
        X, reading = sensor.X_WS, sensor.latest
        R0 = X0[:, :3]
        error = reading.position - R0.T @ (X[:, 3] - X0[:, 3])
        turned = quat_multiply(reading.attitude, quat_conjugate(quat_from_matrix(R0.T @ X[:, :3])))
        turn = 2 * turned[1:] * np.sign(turned[0])
        P = reading.pose_covariance
        lengths.append(error @ np.linalg.solve(P[:3, :3], error))
        spins.append(turn @ np.linalg.solve(P[3:, 3:], turn))
    assert 2.3 < np.mean(lengths) < 3.8 and 2.3 < np.mean(spins) < 3.8
    assert np.linalg.eigvalsh(P).min() > -1e-12
    told = message(sensor)
    assert told.pose.covariance.reshape(6, 6) == pytest.approx(P)
    assert told.twist.covariance.reshape(6, 6)[0, 0] > 0
    sensor.reset()
    simulation.run(1)
    assert sensor.latest.pose_covariance[0, 0] < P[0, 0] / 10


def test_what_is_exact_says_so():
    for kind in ("imu", "odometry", "ground_truth", "magnetometer"):
        simulation = flown(1, kind)
        simulation.run(10)
        told = message(simulation.sensor("r", "s"))
        parts = [v for k, v in vars(told).items() if "covariance" in k] or [told.pose.covariance, told.twist.covariance]
        assert all(part[0] in (0.0, -1.0) and not part[1:].any() for part in parts), kind


def test_covariances_turn_with_the_axes_of_the_twist():
    simulation = flown(3, "{type: ground_truth, noise: {velocity: {absolute: 0.5}, position: {absolute: 0.2}}}")
    simulation.run(30)
    told, R = message(simulation.sensor("r", "s")), matrix_from_quat(simulation.sensor("r", "s").latest.attitude)
    assert told.pose.covariance.reshape(6, 6)[:3, :3] == pytest.approx(0.04 * np.eye(3))
    assert told.twist.covariance.reshape(6, 6)[:3, :3] == pytest.approx(R.T @ (0.25 * np.eye(3)) @ R)


def test_snapshots_from_before_there_were_covariances_are_read():
    simulation = flown(3, "odometry")
    simulation.run(10)
    state = simulation.state()
    del state["sensors"]["r"]["s"]["P"]
    simulation.restore(state)
    simulation.run(10)
    assert np.isfinite(simulation.sensor("r", "s").latest.pose_covariance).all()
