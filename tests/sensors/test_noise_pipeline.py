"""The knobs that all sensors share, and every stage of the noise, by their statistics and their bytes."""

from typing import ClassVar

import numpy as np
import pytest

from volery.core.clock import SECOND
from volery.core.rng import Generators, generator
from volery.core.state import decode, encode
from volery.errors import ScenarioError, UnknownNameError
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.noise import Noise
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.environment import Environment
from volery.world.scene.scene import Scene

MS = SECOND // 1000


class Gauge(Sensor):
    """Reading: value [n], what it was told to feel; twice [n], which follows from it; clean [1]."""

    noisy: ClassVar[tuple[str, ...]] = ("value", "other")
    feels: ClassVar[np.ndarray] = np.zeros(1)

    def sense(self, now_ns):
        return {"value": self.feels, "other": self.feels, "clean": np.array([now_ns])}

    def derive(self, data):
        data["twice"] = 2 * data["value"]


ROBOT = Robot("uav1", load_robot_file("probe").description())
ENVIRONMENT = Environment(Scene())


def gauge(feels=(0.0,), seed=0, generator_=None, **parameters):
    sensor = Gauge("gauge", SensorConfig(**parameters), ROBOT, ENVIRONMENT, generator_ or generator(seed, "uav1/gauge"))
    sensor.feels = np.array(feels, float)
    return sensor


def run(sensor, steps, step_ns=MS, first=0):
    """(time delivered, reading) of every reading, over steps of the loop."""
    out = []
    for i in range(first, first + steps):
        out += [(i * step_ns, r) for r in sensor.update(i * step_ns, step_ns)]
    return out


def values(noise, count=1, feels=(0.0,), rate=100.0, **parameters):
    """[count, n] readings with a noise."""
    sensor = gauge(feels, rate=rate, noise={"value": Noise(**noise)}, **parameters)
    step = round(SECOND / rate)
    return np.array([r.data["value"] for _, r in run(sensor, count, step)])


# Knobs


def test_readings_come_at_rate_and_phase():
    stamps = [r.stamp_ns for _, r in run(gauge(rate=50.0, phase=0.005), 101)]
    assert stamps == [5 * MS + i * 20 * MS for i in range(5)]


def test_a_rate_that_no_step_divides_keeps_its_mean():
    stamps = np.array([r.stamp_ns for _, r in run(gauge(rate=30.0), 10_001)])
    assert len(stamps) == 301
    assert np.abs(stamps - np.arange(301) * SECOND / 30).max() <= MS


def test_a_delay_holds_readings_back_with_their_own_stamp():
    delivered = run(gauge(rate=100.0, delay=0.025), 101)
    assert all(t - r.stamp_ns == 25 * MS for t, r in delivered)
    assert [r.stamp_ns for _, r in delivered] == [i * 10 * MS for i in range(8)]


def test_the_buffer_keeps_the_newest():
    sensor = gauge(rate=100.0, buffer=3)
    assert sensor.latest is None
    run(sensor, 101)
    assert [r.stamp_ns for r in sensor.recent] == [80 * MS, 90 * MS, 100 * MS]
    assert sensor.latest.stamp_ns == 100 * MS


def test_dropped_readings_are_lost_at_their_chance():
    assert len(run(gauge(rate=1000.0, drop=0.3), 5000)) == pytest.approx(3500, abs=130)
    assert run(gauge(rate=1000.0, drop=1.0), 50) == []


def test_a_sensor_that_is_off_reads_nothing_but_delivers_what_waits():
    sensor = gauge(rate=1000.0, delay=0.005)
    run(sensor, 10)
    sensor.enabled = False
    late = run(sensor, 20, first=10)
    assert [r.stamp_ns for _, r in late] == [i * MS for i in range(5, 10)]
    assert run(gauge(enabled=False), 50) == []


def test_what_follows_from_noisy_arrays_follows_the_noise():
    sensor = gauge((1.0,), noise={"value": Noise(bias=0.5)})
    data = run(sensor, 1)[0][1].data
    assert data["value"] == 1.5 and data["twice"] == 3.0 and data["other"] == 1.0


def test_noise_on_an_array_that_has_none_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'value'"):
        gauge(noise={"valu": Noise()})


# Stages


def test_no_noise_changes_nothing():
    ideal = np.array([1.0, np.inf, -3.0])
    assert (values({}, 3, ideal) == ideal).all()


@pytest.mark.parametrize(("kind", "spread"), [("gaussian", 1.0), ("uniform", 1 / np.sqrt(3))])
def test_relative_and_absolute_noise(kind, spread):
    feels = np.repeat([10.0, -4.0, 0.0], 20_000)
    relative = values({"relative": 0.05, "kind": kind}, 1, feels)[0].reshape(3, -1)
    assert relative.std(axis=1)[:2] == pytest.approx([0.5 * spread, 0.2 * spread], rel=0.03)
    assert (relative[2] == 0).all() and relative.mean(axis=1) == pytest.approx([10, -4, 0], abs=0.02)
    absolute = values({"absolute": 0.3, "kind": kind}, 1, feels)[0].reshape(3, -1)
    assert absolute.std(axis=1) == pytest.approx(0.3 * spread, rel=0.03)
    both = values({"absolute": 0.3, "relative": 0.05, "kind": kind}, 1, feels)[0][:20_000]
    assert both.std() == pytest.approx(np.hypot(0.3, 0.5) * spread, rel=0.03)
    if kind == "uniform":
        assert np.abs(relative[0] - 10).max() <= 0.5 and np.abs(absolute).max() > 0.29


def test_what_is_not_finite_stays_so():
    noise = {"relative": 0.1, "absolute": 1.0, "walk": 1.0, "quantum": 0.5, "curve": ((0.0, 0.0), (5.0, 5.0))}
    out = values(noise, 2, [np.inf, 1.0, np.nan, -np.inf])
    assert (out[:, 0] == np.inf).all() and np.isnan(out[:, 2]).all() and (out[:, 3] == -np.inf).all()
    assert np.isfinite(out[:, 1]).all()


def test_bias_is_constant_and_its_spread_is_drawn_once_per_element():
    out = values({"bias": 2.0, "bias_spread": 0.5}, 10, np.zeros(20_000))
    assert (out == out[0]).all()
    assert out[0].mean() == pytest.approx(2.0, abs=0.02) and out[0].std() == pytest.approx(0.5, rel=0.03)


def test_rows_of_a_list_that_grows_and_shrinks_keep_their_bias():
    """As of an RFID reader: what is in sight changes, the first row's bias must not."""
    sensor = gauge(rate=1000.0, noise={"value": Noise(bias_spread=0.5)})
    told = []
    for i, count in enumerate((2, 5, 1, 0, 5, 3)):
        sensor.feels = np.zeros((count, 3))
        told.append(run(sensor, 1, first=i)[0][1].data["value"])
    assert [len(t) for t in told] == [2, 5, 1, 0, 5, 3]
    assert len(np.unique(told[1])) == 15
    for part in told:
        assert (part == told[1][: len(part)]).all()


def test_a_bias_walks_also_while_its_row_is_out_of_sight():
    sensor = gauge(rate=1000.0, noise={"value": Noise(walk=0.5)})
    sensor.feels = np.zeros(4000)
    sensor.measure(0)
    sensor.feels = np.zeros(1)
    sensor.measure(2 * SECOND)
    sensor.feels = np.zeros(4000)
    sensor.measure(4 * SECOND)
    assert sensor._waiting[-1].data["value"].std() == pytest.approx(1.0, rel=0.05)


def test_a_step_too_fine_for_doubles_changes_nothing():
    assert values({"quantum": 5e-324}, 1, [1.0, -2.5, np.inf])[0].tolist() == [1.0, -2.5, np.inf]


def test_quantisation_rounds_to_steps():
    out = values({"quantum": 0.25}, 1, [0.1, 0.13, -0.4, 7.0])[0]
    assert out.tolist() == [0.0, 0.25, -0.5, 7.0]


def test_dropout_loses_elements_at_its_chance():
    out = values({"dropout": 0.2}, 1, np.ones(50_000))[0]
    assert np.isnan(out).mean() == pytest.approx(0.2, abs=0.01) and np.nanmax(out) == np.nanmin(out) == 1.0


def test_a_curve_of_usarsim_bends_what_was_felt_and_holds_its_ends():
    curve = ((0.0, 0.0), (2.0, 1.0), (4.0, 4.0))
    assert values({"curve": curve}, 1, [-1, 0, 1, 2, 3, 4, 9])[0].tolist() == [0, 0, 0.5, 1, 2.5, 4, 4]
    # data' = curve(data + noise): a step in the curve makes two values of a noisy one
    step = ((0.0, 0.0), (0.9999999, 0.0), (1.0000001, 1.0), (2.0, 1.0))
    out = values({"curve": step, "relative": 0.1, "kind": "uniform"}, 1, np.ones(2000))[0]
    assert np.isin(out.round(3), [0.0, 1.0]).all() and out.mean() == pytest.approx(0.5, abs=0.05)
    with pytest.raises(ScenarioError, match="rise"):
        Noise(curve=((0.0, 0.0), (0.0, 1.0)))


def test_noise_of_usarsim_is_relative_and_uniform():
    """The manual: every value is d·(1 + U(−noise, noise))."""
    out = values({"relative": 0.05, "kind": "uniform"}, 1, np.full(50_000, 8.0))[0] / 8.0 - 1
    assert np.abs(out).max() <= 0.05
    assert np.histogram(out, 10, (-0.05, 0.05))[0] == pytest.approx(5000, rel=0.1)


def test_faults_stick_or_kill():
    sensor = gauge((1.0, 2.0), rate=1000.0, noise={"value": Noise(fault="stuck", absolute=0.1)})
    first, *later = [r.data["value"] for _, r in run(sensor, 5)]
    assert first[0] != 1.0 and all((value == first).all() for value in later)
    sensor.feels = np.array([7.0, 7.0])
    assert (run(sensor, 1, first=5)[0][1].data["value"] == first).all()
    assert np.isnan(values({"fault": "dead"}, 3, [1.0, 2.0])).all()


@pytest.mark.parametrize(
    "bad", [{"relative": -0.1}, {"dropout": 1.1}, {"bias": 1e300}, {"kind": "pink"}, {"fault": "loose"}]
)
def test_absurd_noise_is_refused(bad):
    with pytest.raises(ScenarioError):
        Noise(**bad)


# Allan variance


def allan(x, m):
    """Allan variance of samples [k, n] at m samples, overlapping, over all elements."""
    total = np.cumsum(np.vstack([np.zeros(x.shape[1]), x]), axis=0)
    means = (total[m:] - total[:-m]) / m
    return 0.5 * np.mean((means[m:] - means[:-m]) ** 2)


@pytest.mark.parametrize("rate", [50.0, 400.0])
def test_allan_variance_of_white_noise_is_its_density(rate):
    """σ²(τ) = N²/τ at every τ, whatever the rate."""
    x = values({"density": 0.02}, 4000, np.zeros(100), rate)
    for m in (1, 10, 100):
        assert allan(x, m) == pytest.approx(0.02**2 / (m / rate), rel=0.1)


@pytest.mark.parametrize("rate", [50.0, 400.0])
def test_allan_variance_of_a_random_walk_is_its_parameter(rate):
    """σ²(τ) = K²τ/3 for τ of many samples; for m samples exactly K²τ/3 · (1 + 1/(2m²))."""
    x = values({"walk": 0.3}, 4000, np.zeros(200), rate)
    for m in (1, 10, 100):
        exact = 0.3**2 * (m / rate) / 3 * (1 + 0.5 / m**2)
        assert allan(x, m) == pytest.approx(exact, rel=0.1)


def test_density_and_walk_cross_where_they_should():
    """Both together: the slopes −1 and +1 of σ²(τ), the least at τ = √3·N/K."""
    x = values({"density": 0.1, "walk": 0.2}, 6000, np.zeros(100), 100.0)
    for m in (1, 30, 87, 300):
        tau = m / 100.0
        assert allan(x, m) == pytest.approx(0.1**2 / tau + 0.2**2 * tau / 3, rel=0.1)


@pytest.mark.parametrize(("step_ns", "rate"), [(10 * MS, 1000.0), (MS, 1000.0), (7 * MS, 100.0)])
def test_a_bias_walks_by_time_whatever_step_and_rate(step_ns, rate):
    sensor = gauge(np.zeros(3000), rate=rate, noise={"value": Noise(walk=0.5)})
    last = run(sensor, 2 * SECOND // step_ns + 1, step_ns)[-1][1]
    assert last.data["value"].std() == pytest.approx(0.5 * np.sqrt(last.stamp_ns / SECOND), rel=0.06)


def test_a_bias_walks_on_while_the_sensor_is_off():
    sensor = gauge(np.zeros(5000), rate=100.0, noise={"value": Noise(walk=0.5)})
    sensor.measure(0)
    sensor.measure(4 * SECOND)
    assert sensor._waiting[-1].data["value"].std() == pytest.approx(1.0, rel=0.05)


# Same seed, same bytes; state and restore

EVERYTHING = {
    "value": Noise(relative=0.1, absolute=0.2, density=0.01, bias=0.1, bias_spread=0.3, walk=0.2, quantum=1e-3,
                   dropout=0.1, curve=((-9.0, -9.0), (0.0, 1.0), (9.0, 9.0))),
    "other": Noise(kind="uniform", absolute=0.5, fault="stuck"),
}  # fmt: skip


def taken(readings):
    return encode([[t, r.stamp_ns, dict(r.data)] for t, r in readings])


def test_the_same_seed_gives_the_same_bytes_and_another_does_not():
    knobs = dict(rate=200.0, drop=0.2, delay=0.01, noise=EVERYTHING)
    one, two, three = (run(gauge((1.0, 2.0), seed, **knobs), 500) for seed in (1, 1, 2))
    assert taken(one) == taken(two) and taken(one) != taken(three)


def test_a_restored_sensor_goes_on_with_the_same_noise():
    knobs = dict(rate=200.0, drop=0.2, delay=0.013, buffer=4, noise=EVERYTHING)
    chances = Generators(5)
    sensor = gauge((1.0, 2.0), generator_=chances.named("gauge"), **knobs)
    run(sensor, 333)
    kept = encode([sensor.state(), chances.state()])
    expected = taken(run(sensor, 400, first=333))
    for _ in range(2):
        state, chance = decode(kept)
        again = Generators(0)
        again.restore(chance)
        other = gauge((1.0, 2.0), seed=99, **knobs)
        run(other, 50)
        other.restore(state)
        other.generator = again.named("gauge")
        assert encode(other.state()) == encode(state)
        assert taken(run(other, 400, first=333)) == expected
