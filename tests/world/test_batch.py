"""Many sensors cast in few batches: the same bytes as one by one, and few calls."""

import itertools

import numpy as np
import pytest

from volery.core import geometry
from volery.core.material import Material
from volery.core.parallel import set_threads, threads
from volery.errors import RayError
from volery.scenario import read_scenario
from volery.sensors.sensor import Sensor
from volery.sim import Simulation
from volery.world.cast import batch
from volery.world.cast.batch import Cast, cast_all, run_together
from volery.world.cast.hits import Hits
from volery.world.scene.floating_origin import CELL_SIZE
from volery.world.scene.scene import Scene
from volery.world.world import Placement

ARRAYS = ("distance", "row", "primitive", "normal", "back")
SENSORS = """
      lidar: {type: lidar, lines: 8, columns: 24, rate: 100, max_range: 60, dropout: 0.05,
              noise: {range: {absolute: 0.02}}}
      world: {type: lidar, model: mid40, columns: 300, rate: 50, frame: world, noise: {range: {absolute: 0.02}}}
      ahead: {type: rangefinder, rate: 100, noise: {range: {relative: 0.01}}}
      sonar: {type: sonar, rate: 25, cones: 3}
      laser: {type: laser, rate: 20}
      box: {type: scanner, form: face, extent: 5, rate: 100}
      touch: {type: contact, rate: 100, travel: 0.5}
      hull: {type: collision, rate: 50}
      imu: {type: imu, rate: 100, noise: {angular_velocity: {density: 0.001}}}"""


def scenario(robots=6, spread=2.0):
    """Robots in a row that fly and turn, with all kinds of ray sensors and one that casts none."""
    rows = [
        f"  uav{i}:\n    type: quad\n    physics: kinematic\n"
        f"    motion: {{path: [[{spread * i}, 0, 3], [{spread * i + 20}, 9, 3]], speed: 4}}\n"
        f"    sensors:\n      gps: off{SENSORS}"
        for i in range(robots)
    ]
    weather = "weather: {rain: 0.4}\n"
    return f"seed: 3\nstep: 0.01\n{weather}world: {{type: blocks, count: 60}}\nrobots:\n" + "\n".join(rows)


def with_panes(simulation):
    """Glass and a mirror, so that beams go on and need more than one round."""
    for i, about in enumerate(({"transparency": 0.6}, {"mirror": 0.7})):
        pane = geometry.box((0.05, 60, 20)).of(Material(f"pane{i}", **about))
        simulation.scene.add(Placement.one(f"pane{i}", pane, (6.0 + 5 * i, 0, 5)))
    return simulation


def bytes_together(steps, **about):
    simulation = with_panes(Simulation(read_scenario(scenario(**about))))
    out = []
    for _ in range(steps):
        simulation.step()
        out.append(simulation.readings_bytes())
    return out


def bytes_one_by_one(monkeypatch, steps, **about):
    def sense(self):
        now, step = self.clock.now_ns, self.clock.step_ns
        self.fresh = [
            (robot, name, reading)
            for robot, own in self.sensors.items()
            for name, sensor in own.items()
            for reading in sensor.update(now, step)
        ]

    with monkeypatch.context() as patch:
        patch.setattr(Simulation, "_sense", sense)
        return bytes_together(steps, **about)


@pytest.mark.parametrize("spread", [2.0, 0.3 * CELL_SIZE], ids=["one cell", "several cells"])
def test_together_gives_the_same_bytes_as_one_by_one_and_on_any_number_of_threads(monkeypatch, spread):
    first = bytes_one_by_one(monkeypatch, 12, spread=spread)
    assert len(set(first)) == 12
    assert bytes_together(12, spread=spread) == first
    before = threads()
    try:
        set_threads(1)
        assert bytes_together(12, spread=spread) == first
    finally:
        set_threads(before)


def counted(monkeypatch):
    """The number of casts of every call of the core from now on."""
    calls = []

    class Counting(batch.RayBatch):
        def __init__(self, tables):
            super().__init__(tables)
            self.count = 0

        def add(self, *arguments):
            self.count += 1
            super().add(*arguments)

        def cast(self):
            calls.append(self.count)
            super().cast()

    monkeypatch.setattr(batch, "RayBatch", Counting)
    return calls


def test_a_step_of_many_sensors_takes_few_calls(monkeypatch):
    simulation = Simulation(read_scenario(scenario(robots=20)))
    calls = counted(monkeypatch)
    simulation.step()
    # lidar, ahead, box and touch of all robots; the others are not due.
    assert calls == [80]
    with_panes(simulation)
    calls.clear()
    simulation.step()
    # All eight ray sensors but sonar and laser, then what goes on from glass and mirrors.
    assert calls[0] == 120 and 2 <= len(calls) <= 8
    assert all(a >= b for a, b in itertools.pairwise(calls))


def test_robots_in_two_cells_take_one_call(monkeypatch):
    simulation = Simulation(read_scenario(scenario(robots=4, spread=0.4 * CELL_SIZE)))
    calls = counted(monkeypatch)
    simulation.step()
    assert calls == [16]


def random_scene(rng):
    scene = Scene()
    scene.define_channel("near", ["ball*"])
    for i, p in enumerate(rng.uniform(-20, 20, (60, 3))):
        name, group = ("ball", None) if i % 3 else ("own", "uav1")
        scene.add(Placement.one(f"{name}{i}", geometry.sphere(1.5, 24), p), group=group)
    return scene


def random_cast(scene, rng):
    n = int(rng.integers(0, 90))
    d = rng.normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    own = rng.random(2) < 0.5
    R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Cast(
        rng.normal(size=(n if own[0] and n else 1, 3)).astype(np.float32),
        d.astype(np.float32),
        R,
        rng.uniform(-15, 15, 3),
        rng.uniform(5, 50, n if own[1] and n else 1).astype(np.float32),
        Hits(scene, n + int(rng.integers(0, 5)), normals=bool(rng.random() < 0.7)),
        scene.channel("near" if rng.random() < 0.5 else None),
        scene.group("uav1" if rng.random() < 0.5 else None),
        float(rng.choice([0.0, 2.0])),
        bool(rng.random() < 0.3),
    )


def test_casts_of_all_kinds_give_what_each_gives_alone():
    rng = np.random.default_rng(0)
    scene = random_scene(rng)
    casts = [random_cast(scene, rng) for _ in range(40)]
    cast_all(scene, casts)
    found = 0
    for c in casts:
        n, alone = len(c.directions_S), Hits(scene, len(c.directions_S), normals=len(c.hits.normal) > 0)
        scene.cast_pattern(*c[:5], alone, mask=c.mask, ignore=c.ignore, near=c.near, coherent=c.coherent)
        for name in ARRAYS:
            assert np.array_equal(getattr(c.hits, name)[:n], getattr(alone, name)), name
        found += alone.hit.sum()
    assert found > 100


def test_any_layout_of_arrays_is_taken():
    rng = np.random.default_rng(1)
    scene = random_scene(rng)
    c = random_cast(scene, rng)
    d = c.directions_S
    strided = np.asfortranarray(d.astype(np.float64))
    R = np.concatenate([c.R_WS, np.zeros((3, 1))], axis=1)[:, :3]
    other = c._replace(directions_S=strided, R_WS=R, hits=Hits(scene, len(d)))
    plain = c._replace(hits=Hits(scene, len(d)))
    cast_all(scene, [other, plain])
    assert all(np.array_equal(getattr(other.hits, name), getattr(plain.hits, name)) for name in ARRAYS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"origins_S": np.zeros((2, 3))}, "one origin"),
        ({"directions_S": np.ones((5, 2))}, "directions .n, 3."),
        ({"far": np.ones(3)}, "reaches of shape"),
        ({"directions_S": np.ones((9, 3))}, "room for 5 hits of 9"),
    ],
)
def test_casts_that_do_not_fit_are_refused(change, message):
    scene = Scene()
    cast = Cast(np.zeros((1, 3)), np.ones((5, 3)), np.eye(3), np.zeros(3), np.ones(1), Hits(scene, 5))
    with pytest.raises(RayError, match=message):
        cast_all(scene, [cast._replace(**change)])


def test_works_end_in_their_own_time_and_keep_their_order():
    scene = random_scene(np.random.default_rng(2))
    hits = Hits(scene, 1)
    ray = Cast(np.zeros((1, 3)), np.array([[1.0, 0, 0]]), np.eye(3), np.zeros(3), np.array([30.0]), hits)

    def work(name, rounds):
        for _ in range(rounds):
            yield ray
        return name

    assert run_together(scene, [work("a", 2), work("b", 0), work("c", 5)]) == ["a", "b", "c"]
    assert run_together(scene, []) == []


def test_a_plain_sensor_beside_ray_sensors():
    class Plain(Sensor):
        """Casts by itself, one by one."""

        def sense(self, now_ns):
            hits = self.environment.scene.cast(self.X_WS[:, 3], [[0, 0, -1]], ignore=self.robot.name)
            return {"below": hits.distance}

    simulation = Simulation(read_scenario(scenario(robots=2)))
    robot = simulation.robots["uav1"]
    own = simulation.sensors["uav1"]
    own["below"] = Plain("below", Plain.Config(), robot, simulation.environment, np.random.default_rng(0))
    simulation.step()
    assert own["below"].latest.data["below"][0] == pytest.approx(robot.p_WB[2], abs=1e-3)
    assert own["lidar"].latest.stamp_ns == simulation.clock.now_ns
